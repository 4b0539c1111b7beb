//! Text as it is set: runs, lines, the faces that painted them, and the ground they stand on.
//!
//! It deliberately keeps the document's text, not the transformed one: `text-transform` is in the style.

use serde::{Deserialize, Serialize};

use super::rect::Rect;

/// One text node that has boxes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// The element that holds it.
    pub element: u32,
    /// Its text, white space collapsed and trimmed.
    pub text: String,
    /// Its lines, from the first to the last.
    pub lines: Vec<Line>,
    /// Its row among the fonts.
    pub font: u32,
    /// What it stands on.
    pub ground: Ground,
}

/// One line of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Line {
    /// The box of its glyphs: ascent to descent, not the line height.
    #[serde(rename = "box")]
    pub rect: Rect,
    /// The part of the text on this line.
    pub text: String,
}

/// What is painted under a run, blended down to the canvas.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ground {
    /// Opaque colours as `#rrggbb`: one on a flat ground, one for each stop on a gradient, none when unknown.
    pub colours: Vec<String>,
    /// Why the colours are not the whole truth: `gradient`, `image`, `backdrop-filter`, `blend`; absent when they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsure: Option<String>,
}

/// A font as a run asks for it, and the faces that painted its text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Font {
    /// The computed `font-family`.
    pub family: String,
    /// The computed `font-weight`.
    pub weight: String,
    /// The computed `font-style`.
    pub style: String,
    /// Which writing the text uses: `latin`, `cyrillic`, `han`, `emoji` …, joined by `+`.
    pub script: String,
    /// What was painted in the first run of this kind, most glyphs first; empty when it was not asked.
    pub painted: Vec<PaintedFace>,
}

/// A face that was really painted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PaintedFace {
    /// Family name that the font file states.
    pub family: String,
    /// Whether it came with the page (`@font-face`) and not from the system.
    pub custom: bool,
    /// Glyphs that it painted in the sampled run.
    pub glyphs: f64,
}
