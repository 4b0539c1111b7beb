//! Facts about the document, its window, and its resources.
//!
//! Addresses within the artifact's own origin are stored without the origin, so that two captures of one page are
//! equal wherever it was served. It deliberately says nothing about what resources failed: see `Integrity`.

use serde::{Deserialize, Serialize};

/// The document and its window.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Page {
    /// Path, query, and fragment; the whole address when it is not served by us.
    pub url: String,
    /// The title.
    pub title: String,
    /// The `lang` of the root element.
    pub lang: String,
    /// The computed direction of the root element: `ltr` or `rtl`.
    pub direction: String,
    /// Content of the viewport meta element; absent when there is none.
    pub meta_viewport: Option<String>,
    /// Content of the description meta element.
    pub meta_description: Option<String>,
    /// Content of the theme colour meta element.
    pub theme_colour: Option<String>,
    /// The computed `color-scheme` of the root element.
    pub colour_scheme: String,
    /// The colour behind everything, before any background is painted.
    pub canvas: String,
    /// Whether the document is laid out in quirks mode.
    pub quirks: bool,
    /// Width and height of the layout window, scroll bars included.
    pub window: [f64; 2],
    /// Width and height of the root element's client area, scroll bars excluded.
    pub client: [f64; 2],
    /// Width and height of everything that can be scrolled to.
    pub extent: [f64; 2],
    /// Where the page was scrolled to when it was frozen.
    pub scrolled: [f64; 2],
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// How far the page is zoomed out to fit: below 1 on a phone without a viewport meta element.
    pub zoom: f64,
    /// What media queries answer.
    pub media: Media,
    /// Elements left out beyond the limit; 0 when all are here.
    pub truncated: u32,
    /// Elements whose being seen was taken from their parent's because the tree is too deep to ask for each; mostly 0.
    pub guessed: u32,
    /// Elements that were there before the sweep and no longer after it.
    pub vanished: u32,
}

/// What media queries answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Media {
    /// `prefers-color-scheme: dark`.
    pub dark: bool,
    /// `prefers-reduced-motion: reduce`.
    pub reduced_motion: bool,
    /// `pointer: coarse`.
    pub coarse_pointer: bool,
    /// `hover: hover`.
    pub hover: bool,
}

/// An image or something like it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Image {
    /// The element that shows it.
    pub element: u32,
    /// How it is shown.
    pub kind: ImageKind,
    /// Its address; `data:` addresses are cut.
    pub src: String,
    /// Natural width and height in pixels; 0 when unknown.
    pub natural: [f64; 2],
    /// Whether it arrived and was decoded; always true for canvases, unknown (true) for backgrounds.
    pub loaded: bool,
    /// Whether it asked to be loaded only when near the window.
    pub lazy: bool,
    /// The alternative text; absent when the attribute is missing.
    pub alt: Option<String>,
}

/// How an image is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImageKind {
    /// `<img>` or an image button.
    #[default]
    Img,
    /// A background in a style.
    Background,
    /// `<video>`.
    Video,
    /// `<canvas>`.
    Canvas,
}

/// An inline vector drawing, summed up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Drawing {
    /// The `<svg>` element.
    pub element: u32,
    /// Its `viewBox`.
    pub view_box: String,
    /// Shapes in it (paths, circles, rectangles …).
    pub shapes: u32,
    /// Texts in it.
    pub texts: Vec<String>,
    /// Distinct fill and stroke colours, sorted, at most 16.
    pub colours: Vec<String>,
    /// Distinct stroke widths, sorted.
    pub strokes: Vec<String>,
    /// A hash of its shapes' geometry: equal icons have equal hashes on every page.
    pub digest: String,
}

/// A link.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Link {
    /// The `<a>` or `<area>`.
    pub element: u32,
    /// The attribute as written; absent when there is none.
    pub href: Option<String>,
    /// Where it leads.
    pub to: String,
    /// The `target` attribute.
    pub target: String,
    /// For a fragment of this page: whether its target exists.
    pub found: Option<bool>,
}

/// A box whose content is larger than it is, or that could scroll.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scroller {
    /// The element.
    pub element: u32,
    /// Width and height of its content, rounded by the browser.
    pub content: [f64; 2],
    /// Width and height of its padding box, rounded by the browser.
    pub client: [f64; 2],
    /// How far it is scrolled.
    pub scrolled: [f64; 2],
}

/// An animation without an end, or one bound to scrolling.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Animation {
    /// The element that it moves; absent for one outside the capture.
    pub element: Option<u32>,
    /// The pseudo-element that it moves, such as `::before`.
    pub pseudo: String,
    /// `css`, `transition`, or `script`.
    pub kind: String,
    /// Name of its keyframes or its property; the id of a scripted one.
    pub name: String,
    /// One iteration in milliseconds; 0 for one bound to scrolling.
    pub duration: f64,
    /// Delay in milliseconds.
    pub delay: f64,
    /// Iterations; absent for one without an end.
    pub iterations: Option<f64>,
    /// `time`, `scroll`, or `view`.
    pub timeline: String,
    /// Distinct easings of the effect and its keyframes, sorted.
    pub easings: Vec<String>,
    /// Properties that its keyframes set, sorted.
    pub properties: Vec<String>,
}

/// A style sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sheet {
    /// Its address; empty for an inline one.
    pub href: String,
    /// The media it is for; empty for all.
    pub media: String,
    /// Top-level rules; absent when the browser does not let us read it.
    pub rules: Option<u32>,
    /// Whether it was loaded.
    pub loaded: bool,
}

/// A declared font face.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FontFace {
    /// Family as declared, without quotes.
    pub family: String,
    /// Weight as declared.
    pub weight: String,
    /// Style as declared.
    pub style: String,
    /// `unloaded` (nothing asked for it), `loading`, `loaded`, or `error`.
    pub status: String,
}
