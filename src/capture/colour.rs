//! Colours as Chromium computes them, in sRGB, and how they blend.
//!
//! It deliberately parses only computed `rgb()`, `rgba()`, and `color(srgb …)`: other notations are translated when the
//! page is frozen, by the browser itself.

use std::fmt;

/// A colour in sRGB.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rgba {
    /// Red, 0 to 255.
    pub r: f64,
    /// Green, 0 to 255.
    pub g: f64,
    /// Blue, 0 to 255.
    pub b: f64,
    /// Opacity, 0 to 1.
    pub a: f64,
}

impl Rgba {
    /// White.
    pub const WHITE: Self = Self { r: 255.0, g: 255.0, b: 255.0, a: 1.0 };

    /// Reads a computed colour.
    pub fn parse(value: &str) -> Option<Self> {
        let (function, rest) = value.trim().split_once('(')?;
        let arguments = rest.strip_suffix(')')?;
        let unit = match function {
            "rgb" | "rgba" => 1.0,
            "color" => 255.0,
            _ => return None,
        };
        let arguments = if function == "color" { arguments.strip_prefix("srgb ")? } else { arguments };
        let mut numbers = arguments.split([',', ' ', '/']).filter(|part| !part.is_empty()).map(str::parse::<f64>);
        let mut channel = || numbers.next()?.ok();
        let (r, g, b) = (channel()? * unit, channel()? * unit, channel()? * unit);
        let a = match numbers.next() {
            Some(alpha) => alpha.ok()?,
            None => 1.0,
        };
        Some(Self { r, g, b, a })
    }

    /// This colour painted over an opaque one, with a further opacity; compositing as in CSS (source over, sRGB).
    #[must_use]
    pub fn over(self, ground: Self, opacity: f64) -> Self {
        let a = (self.a * opacity).clamp(0.0, 1.0);
        let mix = |top: f64, below: f64| top * a + below * (1.0 - a);
        Self { r: mix(self.r, ground.r), g: mix(self.g, ground.g), b: mix(self.b, ground.b), a: 1.0 }
    }
}

/// Writes `#rrggbb`, without the opacity.
impl fmt::Display for Rgba {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = [self.r, self.g, self.b].map(|channel| channel.round().clamp(0.0, 255.0));
        write!(f, "#{r:02x}{g:02x}{b:02x}", r = r as u8, g = g as u8, b = b as u8)
    }
}

/// The colours written in a computed value such as a gradient or a shadow, in their order.
pub fn written_in(value: &str) -> Vec<&str> {
    const FUNCTIONS: [&str; 8] = ["rgb(", "rgba(", "color(", "oklch(", "oklab(", "lch(", "lab(", "color-mix("];
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = value[from..].find('(').map(|i| from + i) {
        let word = value[..open].rfind(|c: char| !c.is_ascii_alphanumeric() && c != '-').map_or(0, |i| i + 1);
        let close = value[open..].find(')').map(|i| open + i);
        from = open + 1;
        if let Some(close) = close
            && FUNCTIONS.contains(&&value[word..=open])
        {
            found.push(&value[word..=close]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_notations_are_read_and_others_are_not() {
        let rgba = |r, g, b, a| Some(Rgba { r, g, b, a });
        assert_eq!(Rgba::parse("rgb(1, 2, 3)"), rgba(1.0, 2.0, 3.0, 1.0));
        assert_eq!(Rgba::parse("rgba(0, 0, 0, 0.25)"), rgba(0.0, 0.0, 0.0, 0.25));
        assert_eq!(Rgba::parse("color(srgb 1 0.5 0 / 0.5)"), rgba(255.0, 127.5, 0.0, 0.5));
        for other in ["", "red", "oklch(0.5 0.1 20)", "rgb(1, 2", "rgb(a, b, c)", "none"] {
            assert_eq!(Rgba::parse(other), None, "{other}");
        }
    }

    #[test]
    fn half_black_over_white_is_grey() {
        let half = Rgba { r: 0.0, g: 0.0, b: 0.0, a: 0.5 };
        assert_eq!(half.over(Rgba::WHITE, 1.0).to_string(), "#808080");
        assert_eq!(half.over(Rgba::WHITE, 0.0).to_string(), "#ffffff");
    }

    #[test]
    fn the_stops_of_a_gradient_are_found() {
        let value = "linear-gradient(135deg, rgb(99, 102, 241) 0%, oklch(0.7 0.1 20 / 0.5) 100%), url(\"a(b.png\")";
        assert_eq!(written_in(value), ["rgb(99, 102, 241)", "oklch(0.7 0.1 20 / 0.5)"]);
    }
}
