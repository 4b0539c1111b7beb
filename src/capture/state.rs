//! How a page was brought to rest, and the pictures taken of it.
//!
//! It deliberately holds no clock times: two captures of one page that settled are equal.

use serde::{Deserialize, Serialize};

/// How a page was brought to rest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Name of the state: `rest` for a page nobody used, else the name that a flow gave it.
    pub name: String,
    /// Whether every part was scrolled into view before; without it, `rest` differences are not known.
    pub swept: bool,
    /// What did not come to rest within its time; empty for a page that is completely still.
    pub unsettled: Vec<Unsettled>,
}

/// Something that did not come to rest.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Unsettled {
    /// `load`, `fonts`, `network`, `images`, `document`, `sweep`, or `picture`.
    pub part: String,
    /// What it was waiting for.
    pub detail: String,
}

/// What is known about the pictures beside a capture.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pictures {
    /// The window as a person sees it.
    pub window: Option<Picture>,
    /// The whole document in one shot. Bars that stick to the window are painted once, where they stood.
    pub full: Option<Picture>,
}

/// One PNG.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Picture {
    /// Width and height in picture pixels.
    pub pixels: [u32; 2],
    /// The document's box that it shows, in CSS pixels.
    pub shows: [f64; 4],
    /// The document's height where the picture is cut short of it; absent when it shows all.
    pub cut_from: Option<f64>,
    /// The one colour that fills all of it, as `#rrggbb`; a picture with anything on it has none.
    pub uniform: Option<String>,
}
