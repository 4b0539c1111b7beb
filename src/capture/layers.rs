//! The order in which a page's elements are painted, worked out from their styles.
//!
//! Source: CSS 2.1 appendix E and the properties that later specifications add to the list of those that make a
//! stacking context. It deliberately treats floats and inline boxes like blocks: within one layer, tree order decides.

use super::Capture;

/// How an element takes part in painting.
#[derive(Clone, Copy, PartialEq)]
enum Layer {
    /// Painted with its parent, in tree order.
    Flow,
    /// Painted apart, at level 0, without holding its positioned descendants together.
    Loose,
    /// Holds everything inside it together, at this level.
    Context(i64),
}

/// Numbers the elements in the order of painting.
pub(super) fn order(capture: &mut Capture) {
    let count = capture.elements.len();
    let layers: Vec<Layer> = (0..count).map(|i| layer(capture, i)).collect();
    // For each layer: the elements that flow in it, and the layers that its nearest context holds.
    let mut flow: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut held: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut nearest_layer = vec![0; count];
    let mut nearest_context = vec![0; count];
    for i in 0..count {
        let parent = capture.elements[i].parent.map(|p| p as usize);
        let (layer_above, context_above) = parent.map_or((i, i), |p| (nearest_layer[p], nearest_context[p]));
        let own = parent.is_none() || layers[i] != Layer::Flow;
        nearest_layer[i] = if own { i } else { layer_above };
        nearest_context[i] = if parent.is_none() || matches!(layers[i], Layer::Context(_)) { i } else { context_above };
        flow[nearest_layer[i]].push(i);
        if own && parent.is_some() {
            held[context_above].push(i);
        }
    }
    let level = |i: usize| if let Layer::Context(level) = layers[i] { level } else { 0 };
    held.iter_mut().for_each(|list| list.sort_by_key(|i| level(*i)));

    let mut next = 0;
    let mut paint = |capture: &mut Capture, i: usize| {
        capture.elements[i].paint = next;
        next += 1;
    };
    // An explicit stack: contexts nest as deeply as a page likes. `true` opens a layer, `false` paints its flow.
    let mut todo: Vec<(usize, bool)> =
        (0..count).rev().filter(|i| capture.elements[*i].parent.is_none()).map(|i| (i, true)).collect();
    while let Some((i, open)) = todo.pop() {
        if open {
            paint(capture, i);
            let (below, above): (Vec<usize>, Vec<usize>) = held[i].iter().partition(|held| level(**held) < 0);
            todo.extend(above.into_iter().rev().map(|held| (held, true)));
            todo.push((i, false));
            todo.extend(below.into_iter().rev().map(|held| (held, true)));
        } else {
            flow[i].iter().filter(|member| **member != i).for_each(|member| paint(capture, *member));
        }
    }
}

fn layer(capture: &Capture, i: usize) -> Layer {
    let css = |property| capture.css(i, property);
    let parent = capture.elements[i].parent;
    let level: Option<i64> = css("z-index").parse().ok();
    let position = css("position");
    let in_flex_or_grid = parent
        .map(|p| capture.css(p as usize, "display"))
        .is_some_and(|display| display.ends_with("flex") || display.ends_with("grid"));
    let level_counts = position != "static" || in_flex_or_grid;
    let set = |property, initial: &str| !matches!(css(property), "") && css(property) != initial;
    let holds = matches!(position, "fixed" | "sticky")
        || set("opacity", "1")
        || ["transform", "translate", "rotate", "scale", "filter", "backdrop-filter", "clip-path", "mask-image"]
            .iter()
            .any(|property| set(property, "none"))
        || set("mix-blend-mode", "normal")
        || css("isolation") == "isolate"
        || ["paint", "layout", "strict", "content"].iter().any(|word| css("contain").contains(word))
        || ["transform", "opacity", "filter"].iter().any(|word| css("will-change").contains(word))
        || parent.is_some_and(|p| capture.elements[p as usize].tag == "iframe");
    match level {
        Some(level) if level_counts => Layer::Context(level),
        _ if holds => Layer::Context(0),
        _ if position != "static" && !position.is_empty() => Layer::Loose,
        _ => Layer::Flow,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Capture, Element, PROPERTIES, StyleTable};
    use super::*;

    /// A page of elements: parent and styles as `property: value; …`.
    pub(in super::super) fn page(elements: &[(Option<u32>, &str)]) -> Capture {
        let mut capture = Capture {
            styles: StyleTable {
                properties: PROPERTIES.iter().map(ToString::to_string).collect(),
                values: vec![String::new()],
                rows: Vec::new(),
            },
            ..Capture::default()
        };
        for (row, (parent, css)) in elements.iter().enumerate() {
            let mut values = vec![0; PROPERTIES.len()];
            for (property, value) in css.split(';').filter_map(|rule| rule.split_once(':')) {
                let column = PROPERTIES.binary_search(&property.trim()).expect("a property that captures keep");
                values[column] = capture.styles.values.len() as u32;
                capture.styles.values.push(value.trim().to_owned());
            }
            capture.styles.rows.push(values);
            capture.elements.push(Element { parent: *parent, style: row as u32, ..Element::default() });
        }
        capture
    }

    fn painted(elements: &[(Option<u32>, &str)]) -> Vec<usize> {
        let mut capture = page(elements);
        order(&mut capture);
        let mut order: Vec<usize> = (0..elements.len()).collect();
        order.sort_by_key(|i| capture.elements[*i].paint);
        order
    }

    #[test]
    fn positioned_boxes_are_painted_over_flow_and_negative_levels_under_it() {
        let order = painted(&[
            (None, ""),
            (Some(0), "position: absolute"),
            (Some(0), ""),
            (Some(0), "position: relative; z-index: -1"),
            (Some(2), ""),
        ]);
        assert_eq!(order, [0, 3, 2, 4, 1]);
    }

    #[test]
    fn a_context_keeps_its_levels_to_itself() {
        let order = painted(&[
            (None, ""),
            (Some(0), "opacity: 0.9"),
            (Some(1), "position: absolute; z-index: 99"),
            (Some(0), "position: relative; z-index: 1"),
        ]);
        assert_eq!(order, [0, 1, 2, 3]);
    }

    #[test]
    fn a_loose_layer_lets_its_levels_out_and_a_level_without_position_does_nothing() {
        let order = painted(&[
            (None, ""),
            (Some(0), "position: relative"),
            (Some(1), "position: absolute; z-index: 2"),
            (Some(0), "position: relative; z-index: 1"),
            (Some(0), "position: static; z-index: 9"),
        ]);
        assert_eq!(order, [0, 4, 1, 3, 2]);
    }

    #[test]
    fn a_page_nested_20_000_deep_is_ordered() {
        let elements: Vec<_> = (0..20_000).map(|i: u32| (i.checked_sub(1), "opacity: 0.99")).collect();
        assert_eq!(painted(&elements), (0..20_000).collect::<Vec<_>>());
    }
}
