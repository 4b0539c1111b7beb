//! The page, frozen at one viewport and in one state: complete plain data in CSS pixels.
//!
//! Everything a check may ask is in here, so nothing after the freeze touches a browser. Coordinates are CSS pixels as
//! floats, measured from the top left corner of the document. Elements are a flat list in paint-tree order (a parent
//! stands before its children; slotted nodes stand where they are shown), and everything else points into that list.
//!
//! Two geometry states are kept. The fields of [`Element`] are the state after every part of the page has been
//! scrolled into view once and back (R1); [`Element::rest`] says where the page looked different before anybody
//! scrolled (R0). Content that only appears when scrolled to is therefore a fact, not a guess.
//!
//! It deliberately judges nothing, draws no conclusions from colours or boxes, and knows no browser.

pub mod colour;
mod element;
mod ground;
mod ink;
mod integrity;
mod layers;
mod page;
mod rect;
mod state;
pub mod store;
mod style;
mod text;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use colour::Rgba;
pub use element::{Element, Pseudo, Realm, Rest};
pub use integrity::{Failure, Integrity, Resource};
pub use page::{Animation, Drawing, FontFace, Image, ImageKind, Link, Media, Page, Scroller, Sheet};
pub use rect::Rect;
pub use state::{Picture, Pictures, State, Unsettled};
pub use style::{PROPERTIES, StyleTable};
pub use text::{Font, Ground, Line, PaintedFace, Run};

/// One frozen page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Capture {
    /// How the page was brought to rest, what did not come to rest, and whether it was swept.
    pub state: State,
    /// Facts about the document and the window.
    pub page: Page,
    /// Rendered elements, parents first. Subtrees without boxes (`display: none`) are only counted.
    pub elements: Vec<Element>,
    /// Distinct computed styles; [`Element::style`] and [`Pseudo::style`] are rows of it.
    pub styles: StyleTable,
    /// Colours that are not written as `rgb()` (such as `oklch()`), with what they are in sRGB.
    pub colours: BTreeMap<String, String>,
    /// Generated boxes that have content: `::before`, `::after`, `::marker`, `::placeholder`, `::backdrop`.
    pub pseudos: Vec<Pseudo>,
    /// Text nodes that have boxes, in the order of their elements.
    pub runs: Vec<Run>,
    /// Distinct fonts that runs ask for, with the faces that were really painted.
    pub fonts: Vec<Font>,
    /// Images, videos, canvases, and background pictures.
    pub images: Vec<Image>,
    /// Inline vector drawings; what is inside of them is summed up, not listed.
    pub drawings: Vec<Drawing>,
    /// Links.
    pub links: Vec<Link>,
    /// Boxes whose content is larger than they are.
    pub scrollers: Vec<Scroller>,
    /// Animations without an end or bound to scrolling. Finite ones are in the styles: they leave no other lasting trace.
    pub animations: Vec<Animation>,
    /// Style sheets in the order of the cascade.
    pub sheets: Vec<Sheet>,
    /// Faces that style sheets or scripts declared.
    pub font_faces: Vec<FontFace>,
    /// Per kind of resource, what was missing when the page was frozen.
    pub integrity: Integrity,
    /// What is known about the pictures beside this capture.
    pub pictures: Pictures,
}

impl Capture {
    /// Fills in what follows from the frozen data: paint order, ink boxes, and the ground under each run.
    pub fn complete(&mut self) {
        layers::order(self);
        ink::measure(self);
        ground::blend(self);
    }

    /// A computed value of an element, or "" for a property that is not kept.
    pub fn css(&self, element: usize, property: &str) -> &str {
        self.elements.get(element).map_or("", |e| self.styles.value(e.style, property))
    }

    /// A computed value in CSS pixels, if it is a length.
    pub fn px(&self, element: usize, property: &str) -> Option<f64> {
        self.css(element, property).strip_suffix("px")?.parse().ok()
    }

    /// The sRGB colour that a computed value stands for.
    pub fn colour(&self, value: &str) -> Option<Rgba> {
        Rgba::parse(value).or_else(|| Rgba::parse(self.colours.get(value)?))
    }

    /// The ancestors of an element, nearest first.
    pub fn ancestors(&self, element: usize) -> impl Iterator<Item = usize> {
        let parent = |i: usize| self.elements.get(i).and_then(|e| e.parent).map(|p| p as usize);
        std::iter::successors(parent(element), move |i| parent(*i))
    }

    /// How a person would point at an element: `button#save.primary`.
    pub fn describe(&self, element: usize) -> String {
        self.elements.get(element).map_or_else(|| "?".to_owned(), Element::to_string)
    }
}
