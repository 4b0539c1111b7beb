//! What an element really paints, as a box, and how far ancestors let it show.
//!
//! It deliberately counts no shadows and outlines, and takes text line boxes (ascent to descent) for glyphs.

use super::{Capture, Rect};

/// Measures [`super::Element::ink`] for every element.
pub(super) fn measure(capture: &mut Capture) {
    let mut ink: Vec<Option<Rect>> = (0..capture.elements.len()).map(|i| own(capture, i)).collect();
    for run in &capture.runs {
        let element = run.element as usize;
        if capture.elements.get(element).is_some_and(|e| e.unseen.is_none()) {
            run.lines.iter().for_each(|line| join(&mut ink[element], line.rect));
        }
    }
    // Parents stand before their children, so walking backwards meets every child before its parent.
    for i in (0..capture.elements.len()).rev() {
        if let (Some(painted), Some(rect), true) = (ink[i], capture.elements[i].rect, clips(capture, i)) {
            ink[i] = painted.intersection(rect);
        }
        if let (Some(painted), Some(parent)) = (ink[i], capture.elements[i].parent) {
            join(&mut ink[parent as usize], painted);
        }
        capture.elements[i].ink = ink[i];
    }
}

/// For every element, the box that its ancestors let show of it; absent when nothing cuts.
pub(super) fn clips_above(capture: &Capture) -> Vec<Option<Rect>> {
    let mut inside: Vec<Option<Rect>> = Vec::with_capacity(capture.elements.len());
    let mut above: Vec<Option<Rect>> = Vec::with_capacity(capture.elements.len());
    for (i, element) in capture.elements.iter().enumerate() {
        // A box is cut by the clips between it and its containing block only.
        let holder = match capture.css(i, "position") {
            "fixed" => None,
            "absolute" => capture.ancestors(i).find(|a| !matches!(capture.css(*a, "position"), "static" | "")),
            _ => element.parent.map(|p| p as usize),
        };
        let cut = holder.and_then(|h: usize| inside[h]);
        let own = element.rect.filter(|_| clips(capture, i) && element.parent.is_some());
        above.push(cut);
        inside.push(match (cut, own) {
            (Some(cut), Some(own)) => Some(cut.intersection(own).unwrap_or_default()),
            (cut, own) => cut.or(own),
        });
    }
    above
}

/// Whether a computed colour, image, border, or kind of element leaves ink of its own.
fn own(capture: &Capture, i: usize) -> Option<Rect> {
    const PICTURES: [&str; 12] = [
        "img", "svg", "video", "canvas", "iframe", "object", "embed", "input", "textarea", "select", "progress",
        "meter",
    ];
    let element = &capture.elements[i];
    let rect = element.rect.filter(|r| r.area() > 0.0 && element.unseen.is_none())?;
    let visible = |value: &str| capture.colour(value).is_some_and(|c| c.a > 0.0);
    let border = ["top", "right", "bottom", "left"].iter().any(|side| {
        capture.px(i, &format!("border-{side}-width")).is_some_and(|width| width > 0.0)
            && !matches!(capture.css(i, &format!("border-{side}-style")), "none" | "hidden")
            && visible(capture.css(i, &format!("border-{side}-color")))
    });
    let painted = PICTURES.contains(&element.tag.as_str())
        || visible(capture.css(i, "background-color"))
        || !matches!(capture.css(i, "background-image"), "none" | "")
        || border;
    painted.then_some(rect)
}

fn clips(capture: &Capture, i: usize) -> bool {
    !matches!(capture.css(i, "overflow-x"), "visible" | "") && !matches!(capture.css(i, "overflow-y"), "visible" | "")
}

fn join(ink: &mut Option<Rect>, rect: Rect) {
    if rect.area() > 0.0 {
        *ink = Some(ink.map_or(rect, |known| known.union(rect)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::tests::page;
    use super::super::{Line, Run};
    use super::*;

    #[test]
    fn ink_is_text_and_paint_cut_by_what_clips() {
        let clip = "overflow-x: hidden; overflow-y: hidden";
        let mut capture =
            page(&[(None, ""), (Some(0), clip), (Some(1), "background-color: rgb(1, 2, 3)"), (Some(0), "")]);
        let boxes =
            [[0.0, 0.0, 500.0, 500.0], [10.0, 10.0, 50.0, 50.0], [20.0, 20.0, 100.0, 10.0], [0.0, 100.0, 400.0, 80.0]];
        for (element, rect) in capture.elements.iter_mut().zip(boxes) {
            element.rect = Some(rect.into());
        }
        let rect = Rect::from([5.0, 120.0, 90.0, 20.0]);
        capture.runs.push(Run { element: 3, lines: vec![Line { rect, text: "heading".into() }], ..Run::default() });
        measure(&mut capture);
        assert_eq!(capture.elements[1].ink, Some([20.0, 20.0, 40.0, 10.0].into()), "cut at the right edge");
        assert_eq!(capture.elements[3].ink, Some(rect), "a heading's ink is its text, not its box");
        assert_eq!(capture.elements[0].ink, Some([5.0, 20.0, 90.0, 120.0].into()));
    }
}
