//! What lies under a text, blended down to the canvas.
//!
//! It deliberately looks at no pixels: where a picture, a filter, or a blend mode is involved it says that it is
//! unsure, and a check that must know can look at the picture beside the capture.

use super::{Capture, Ground, Rect, Rgba, colour, ink};

/// Colours that one ground keeps at most; a gradient over a gradient multiplies them.
const MOST_COLOURS: usize = 8;

/// Something that an element paints behind other things.
struct Coat {
    element: usize,
    paint: u32,
    /// Where it shows; absent for the background of the root, which covers the canvas.
    area: Option<Rect>,
    colour: Option<Rgba>,
    /// The stops of each gradient, the lowest first.
    gradients: Vec<Vec<Rgba>>,
    /// Why more than colours is involved.
    unsure: Option<&'static str>,
}

/// Fills in the ground of every run.
pub(super) fn blend(capture: &mut Capture) {
    let coats = coats(capture);
    let canvas = Rgba::parse(&capture.page.canvas).unwrap_or(Rgba::WHITE);
    let mut runs = std::mem::take(&mut capture.runs);
    for run in &mut runs {
        run.ground = under(capture, &coats, canvas, run.element as usize, run.lines.first().map(|line| line.rect));
    }
    capture.runs = runs;
}

fn under(capture: &Capture, coats: &[Coat], canvas: Rgba, element: usize, line: Option<Rect>) -> Ground {
    let Some((line, holder)) = line.zip(capture.elements.get(element)) else { return Ground::default() };
    let point = line.centre();
    let mut ground = vec![canvas];
    let mut unsure = None;
    let around: Vec<usize> = std::iter::once(element).chain(capture.ancestors(element)).collect();
    for coat in coats {
        if coat.paint > holder.paint || coat.area.is_some_and(|area| !area.contains(point)) {
            continue;
        }
        let opacity = opacity_until(capture, coat.element, &around);
        if opacity <= 0.0 {
            continue;
        }
        let fill = |ground: &mut Vec<Rgba>, colour: Rgba| ground.iter_mut().for_each(|g| *g = colour.over(*g, opacity));
        if let Some(colour) = coat.colour {
            // An opaque coat hides whatever was unsure below it.
            if colour.a * opacity >= 0.999 {
                unsure = None;
            }
            fill(&mut ground, colour);
        }
        for stops in &coat.gradients {
            let opaque = opacity >= 0.999 && stops.iter().all(|stop| stop.a >= 0.999);
            let below = if opaque { vec![ground[0]] } else { ground.clone() };
            ground = stops.iter().flat_map(|stop| below.iter().map(|g| stop.over(*g, opacity))).collect();
            unsure = Some("gradient");
        }
        unsure = coat.unsure.or(unsure);
        ground.dedup();
        ground.truncate(MOST_COLOURS);
    }
    let mut colours: Vec<String> = Vec::new();
    for colour in ground.iter().map(Rgba::to_string) {
        if !colours.contains(&colour) {
            colours.push(colour);
        }
    }
    Ground { colours, unsure: unsure.map(str::to_owned) }
}

/// The opacity of an element's own group and those above it, up to where the text shares them.
fn opacity_until(capture: &Capture, element: usize, around: &[usize]) -> f64 {
    std::iter::once(element)
        .chain(capture.ancestors(element))
        .take_while(|i| !around.contains(i))
        .map(|i| capture.css(i, "opacity").parse::<f64>().unwrap_or(1.0))
        .product()
}

/// Everything that paints, in the order of painting.
fn coats(capture: &Capture) -> Vec<Coat> {
    let clips = ink::clips_above(capture);
    let root = root_background(capture);
    let mut coats: Vec<Coat> =
        (0..capture.elements.len()).filter_map(|i| coat(capture, i, clips[i], root == Some(i))).collect();
    coats.sort_by_key(|coat| coat.paint);
    coats
}

/// The element whose background covers the canvas: the root, or the body when the root has none.
fn root_background(capture: &Capture) -> Option<usize> {
    let paints = |i: &usize| {
        capture.colour(capture.css(*i, "background-color")).is_some_and(|c| c.a > 0.0)
            || !matches!(capture.css(*i, "background-image"), "none" | "")
    };
    let body = capture.elements.iter().position(|e| e.tag == "body" && e.parent == Some(0));
    [Some(0), body].into_iter().flatten().find(|i| *i < capture.elements.len() && paints(i))
}

fn coat(capture: &Capture, i: usize, clip: Option<Rect>, covers_canvas: bool) -> Option<Coat> {
    let element = &capture.elements[i];
    let css = |property| capture.css(i, property);
    if matches!(css("visibility"), "hidden" | "collapse") {
        return None;
    }
    let rect = element.rect.filter(|rect| rect.area() > 0.0)?;
    let area = match clip {
        Some(clip) => rect.intersection(clip)?,
        None => rect,
    };
    let in_text = css("background-clip").contains("text");
    let image = if in_text { "none" } else { css("background-image") };
    let colour = capture.colour(css("background-color")).filter(|c| c.a > 0.0 && !in_text);
    let mut gradients: Vec<Vec<Rgba>> = layers_of(image)
        .filter(|layer| layer.contains("gradient("))
        .map(|layer| colour::written_in(layer).into_iter().filter_map(|c| capture.colour(c)).collect())
        .filter(|stops: &Vec<Rgba>| stops.iter().any(|stop| stop.a > 0.0))
        .collect();
    // The first layer of a background is the topmost one.
    gradients.reverse();
    let picture = matches!(element.tag.as_str(), "img" | "video" | "canvas" | "svg" | "iframe" | "object" | "embed");
    let unsure = [
        (picture || image.contains("url("), "image"),
        (!matches!(css("backdrop-filter"), "none" | ""), "backdrop-filter"),
        (!matches!(css("mix-blend-mode"), "normal" | ""), "blend"),
    ]
    .into_iter()
    .find_map(|(involved, word)| involved.then_some(word));
    let paints = colour.is_some() || !gradients.is_empty() || unsure.is_some();
    let area = (!covers_canvas).then_some(area);
    paints.then_some(Coat { element: i, paint: element.paint, area, colour, gradients, unsure })
}

/// The comma-separated layers of a computed background.
fn layers_of(image: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    image.split(move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::super::layers::{order, tests::page};
    use super::super::{Line, Run};
    use super::*;

    /// The ground of a text in the last element; every element fills the same box.
    fn ground(elements: &[(Option<u32>, &str)]) -> Ground {
        let mut capture = page(elements);
        for element in &mut capture.elements {
            element.rect = Some([0.0, 0.0, 100.0, 100.0].into());
        }
        order(&mut capture);
        let line = Line { rect: [10.0, 10.0, 50.0, 20.0].into(), text: "text".into() };
        capture.runs.push(Run { element: elements.len() as u32 - 1, lines: vec![line], ..Run::default() });
        blend(&mut capture);
        capture.runs.remove(0).ground
    }

    fn sure(colour: &str) -> Ground {
        Ground { colours: vec![colour.to_owned()], unsure: None }
    }

    #[test]
    fn translucent_backgrounds_blend_down_to_the_canvas() {
        assert_eq!(ground(&[(None, "")]), sure("#ffffff"));
        let half = "background-color: rgba(0, 0, 0, 0.5)";
        assert_eq!(ground(&[(None, "background-color: rgb(255, 0, 0)"), (Some(0), half)]), sure("#800000"));
    }

    #[test]
    fn a_sibling_painted_before_lies_under_the_text_and_one_painted_after_does_not() {
        let black = "position: absolute; background-color: rgb(0, 0, 0)";
        let above = (Some(0), "position: relative");
        assert_eq!(ground(&[(None, ""), (Some(0), black), above]), sure("#000000"));
        assert_eq!(ground(&[(None, ""), (Some(0), black), (Some(0), "")]), sure("#ffffff"));
        let faint = "position: absolute; background-color: rgb(0, 0, 0); opacity: 0.5";
        assert_eq!(ground(&[(None, ""), (Some(0), faint), above]), sure("#808080"));
    }

    #[test]
    fn gradients_and_pictures_are_unsure_until_something_opaque_covers_them() {
        let gradient = "background-image: linear-gradient(rgb(255, 0, 0), rgb(0, 0, 255))";
        let expected = Ground { colours: vec!["#ff0000".into(), "#0000ff".into()], unsure: Some("gradient".into()) };
        assert_eq!(ground(&[(None, gradient)]), expected);
        let picture = "background-image: url(\"a.png\")";
        assert_eq!(ground(&[(None, picture)]).unsure.as_deref(), Some("image"));
        assert_eq!(ground(&[(None, picture), (Some(0), "background-color: rgb(9, 9, 9)")]), sure("#090909"));
        let in_text = format!("background-clip: text; {gradient}");
        assert_eq!(
            ground(&[(None, ""), (Some(0), &in_text)]),
            sure("#ffffff"),
            "a gradient in glyphs is not under them"
        );
    }
}
