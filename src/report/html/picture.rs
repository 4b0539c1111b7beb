//! Pictures for the page: inside of it and made smaller, or as they are, in files beside it.
//!
//! It deliberately writes no file: whoever chooses [`Pictures::Beside`] puts them there.

use base64::Engine as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageFormat};

use crate::record::{Reader, Stored};
use crate::report::evidence::plain;

/// Where the pictures of a page are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pictures {
    /// Inside of the page, at most 720 px wide: one file that can be sent and kept.
    Embedded,
    /// Beside the page, under the paths that they have in the run, unchanged.
    Beside,
}

/// An embedded picture is divided by a whole number until it is at most this many pixels wide: letters of a desktop at
/// one half are still read, and whole numbers keep edges sharp.
const WIDEST: u32 = 720;

/// A picture, or why there is none.
pub(super) struct Picture {
    pub name: String,
    /// What `src` says.
    pub source: Result<String, String>,
    pub width: u32,
    pub height: u32,
}

impl Pictures {
    /// The sources of pictures that the page allows itself.
    pub(super) fn allowed(self) -> &'static str {
        match self {
            Self::Embedded => "data:",
            // A page that is opened from the disk has no origin to call its own; the icon is data.
            Self::Beside => "data: 'self' file:",
        }
    }

    /// The picture for the page.
    pub(super) fn of(self, run: &Reader, stored: &Stored) -> Picture {
        let name = plain(&stored.name);
        let lost = |why: String| Picture { name: name.clone(), source: Err(plain(&why)), width: 0, height: 0 };
        let bytes = match run.bytes(stored) {
            Ok(bytes) => bytes,
            Err(error) => return lost(error.to_string()),
        };
        let found = match self {
            Self::Embedded => embedded(&bytes),
            Self::Beside => png_size(&bytes).map(|(width, height)| (stored.path.clone(), width, height)),
        };
        match found {
            Some((source, width, height)) => Picture { name, source: Ok(source), width, height },
            None => lost(format!("{} is not a PNG", stored.path)),
        }
    }
}

/// The address of a smaller picture that holds itself, and its size.
fn embedded(bytes: &[u8]) -> Option<(String, u32, u32)> {
    let (width, height) = png_size(bytes)?;
    let picture = image::load_from_memory_with_format(bytes, ImageFormat::Png).ok()?;
    let factor = width.div_ceil(WIDEST).max(1);
    let (width, height) = ((width / factor).max(1), (height / factor).max(1));
    let small = if factor > 1 { picture.thumbnail_exact(width, height) } else { picture };
    // Chromium's pictures are opaque, and what it writes in a hurry packs badly.
    let small = DynamicImage::ImageRgb8(small.into_rgb8());
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive);
    small.write_with_encoder(encoder).ok()?;
    let data = base64::engine::general_purpose::STANDARD.encode(png);
    Some((format!("data:image/png;base64,{data}"), width, height))
}

/// Width and height from a PNG's header, so that the page does not jump while pictures are decoded.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(4..16)?.strip_prefix(b"IHDR")?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    Some((number(0)?, number(4)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_png_headers_have_a_size() {
        assert_eq!(png_size(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\xa0\0\0\x03\xe8\x08"), Some((1440, 1000)));
        assert_eq!(png_size(b"\x89PNG\r\n\x1a\n"), None);
        assert_eq!(png_size(b"<svg onload=alert(1)>"), None);
    }

    #[test]
    fn embedded_pictures_are_divided_by_a_whole_number() {
        let png = |width, height| {
            let mut bytes = std::io::Cursor::new(Vec::new());
            DynamicImage::new_rgba8(width, height).write_to(&mut bytes, ImageFormat::Png).unwrap();
            bytes.into_inner()
        };
        for (size, shown) in [((700, 90), (700, 90)), ((780, 1688), (390, 844)), ((1441, 1), (480, 1))] {
            let (source, width, height) = embedded(&png(size.0, size.1)).unwrap();
            assert_eq!((width, height), shown);
            let data = source.strip_prefix("data:image/png;base64,").unwrap();
            let bytes = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
            assert_eq!(png_size(&bytes), Some(shown));
        }
        let cut = png(20, 20);
        assert!(embedded(&cut[..40]).is_none(), "a header alone is no picture");
    }
}
