//! Computed styles as a table: few distinct rows, every value stored once.
//!
//! It deliberately keeps no `width` and `height` (the boxes say them) and no longhands that checks have no use for.

use serde::{Deserialize, Serialize};

/// The computed properties that a capture keeps, in alphabetical order.
#[rustfmt::skip]
pub const PROPERTIES: &[&str] = &[
    "-webkit-line-clamp", "-webkit-text-fill-color", "-webkit-text-stroke-width", "align-items", "animation-delay",
    "animation-duration", "animation-fill-mode", "animation-iteration-count", "animation-name",
    "animation-timing-function", "appearance", "backdrop-filter", "background-blend-mode", "background-clip",
    "background-color", "background-image", "background-position", "background-repeat", "background-size",
    "border-bottom-color", "border-bottom-left-radius", "border-bottom-right-radius", "border-bottom-style",
    "border-bottom-width", "border-image-source", "border-left-color", "border-left-style", "border-left-width",
    "border-right-color", "border-right-style", "border-right-width", "border-top-color", "border-top-left-radius",
    "border-top-right-radius", "border-top-style", "border-top-width", "box-shadow", "clip-path", "color",
    "color-scheme", "column-count", "column-gap", "contain", "content-visibility", "cursor", "direction", "display",
    "fill", "filter", "flex-direction", "flex-wrap", "float", "font-family", "font-size", "font-stretch", "font-style",
    "font-variant-caps", "font-weight", "grid-template-columns", "hyphens", "isolation", "justify-content",
    "letter-spacing", "line-height", "list-style-type", "margin-bottom", "margin-left", "margin-right", "margin-top",
    "mask-image", "max-width", "mix-blend-mode", "object-fit", "object-position", "opacity", "outline-color",
    "outline-offset", "outline-style", "outline-width", "overflow-x", "overflow-y", "padding-bottom", "padding-left",
    "padding-right", "padding-top", "pointer-events", "position", "rotate", "row-gap", "scale", "scroll-behavior",
    "scroll-snap-type", "stroke", "text-align", "text-decoration-line", "text-indent", "text-overflow", "text-shadow",
    "text-transform", "transform", "transition-duration", "transition-property", "transition-timing-function",
    "translate", "user-select", "visibility", "white-space", "will-change", "word-spacing", "writing-mode", "z-index",
];

/// Distinct computed styles.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StyleTable {
    /// Names of the columns, in alphabetical order.
    pub properties: Vec<String>,
    /// Distinct values.
    pub values: Vec<String>,
    /// For each style, one index into `values` per column.
    pub rows: Vec<Vec<u32>>,
}

impl StyleTable {
    /// The value of a property in a row; "" for a property or row that is not kept.
    pub fn value(&self, row: u32, property: &str) -> &str {
        let Ok(column) = self.properties.binary_search_by(|p| p.as_str().cmp(property)) else { return "" };
        let index = self.rows.get(row as usize).and_then(|r| r.get(column));
        index.and_then(|i| self.values.get(*i as usize)).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_properties_are_sorted_so_that_a_search_finds_them() {
        assert!(PROPERTIES.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_value_is_found_by_row_and_name_and_nothing_else_panics() {
        let strings = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let table = StyleTable {
            properties: strings(&["color", "opacity"]),
            values: strings(&["1", "red"]),
            rows: vec![vec![1, 0], vec![9]],
        };
        assert_eq!((table.value(0, "color"), table.value(0, "opacity")), ("red", "1"));
        assert_eq!((table.value(1, "color"), table.value(7, "color"), table.value(0, "gap")), ("", "", ""));
    }
}
