//! Elements and the boxes that style sheets generate beside them.
//!
//! It deliberately lists no nodes without a box of their own or of their children; those are counted where they hang.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::rect::Rect;

/// One rendered element.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Element {
    /// Its parent in the tree that is painted: a slotted node's parent is the slot, a frame's document hangs in its frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// Tag in lower case.
    pub tag: String,
    /// The `id` attribute.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The classes, as written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Attributes that matter to a judge (no `style`, no handlers), values cut at 300 characters.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
    /// Which tree it belongs to.
    #[serde(skip_serializing_if = "Realm::is_page")]
    pub realm: Realm,
    /// Why nothing is known about its inside: a closed shadow root, a frame of another origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opaque: Option<String>,
    /// Its border box; absent for `display: none` and `display: contents`.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// The smallest box around everything that it and its descendants paint (text lines, pictures, backgrounds,
    /// borders; no shadows, no outlines), cut where an ancestor within it clips. Absent when nothing is painted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ink: Option<Rect>,
    /// Its place in the order of painting; a larger number is painted later, over the smaller ones.
    pub paint: u32,
    /// Its row in the table of styles.
    pub style: u32,
    /// Its role for assistive technology; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// Its accessible name, for roles whose name is of use.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Why a person does not see it; absent when it is seen. Being further down the page is still seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<String>,
    /// Elements inside of it that were left out because they have no boxes.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: u32,
    /// How it was before anybody scrolled, where that differed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<Rest>,
}

/// An element before anybody scrolled, where it differed from afterwards.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rest {
    /// It was not in the document, or had no box.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// Its box then.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// Why it was not seen then; absent when it was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<String>,
    /// Its own opacity then, 0 to 1.
    pub opacity: f64,
}

/// The tree that an element belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Realm {
    /// The page itself.
    #[default]
    Page,
    /// An open shadow tree of the page.
    Shadow,
    /// A document in a frame of the same origin.
    Frame,
}

impl Realm {
    fn is_page(&self) -> bool {
        *self == Self::Page
    }
}

/// A box that a style sheet generates.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pseudo {
    /// The element that carries it.
    pub element: u32,
    /// `before`, `after`, `marker`, `placeholder`, or `backdrop`.
    pub kind: String,
    /// The computed `content`, quotes included; for a placeholder, its text.
    pub content: String,
    /// Its box, known where it is positioned absolutely; computed from its offsets and its containing block.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// Used width and height as computed, such as `12px` or `auto`.
    pub size: [String; 2],
    /// Its row in the table of styles.
    pub style: u32,
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tag)?;
        if !self.id.is_empty() {
            write!(f, "#{}", self.id)?;
        }
        self.classes.iter().take(3).try_for_each(|class| write!(f, ".{class}"))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
