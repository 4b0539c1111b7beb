//! Whether a page had what it needs: per kind of resource, what was missing when it was frozen.
//!
//! A check that needs a kind which is not whole cannot be evaluated. It deliberately does not say whose fault it is
//! beyond what is known: a refused request is the environment's, a missing file is the artifact's.

use serde::{Deserialize, Serialize};

/// A kind of resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// Style sheets.
    Styles,
    /// Font files.
    Fonts,
    /// Scripts.
    Scripts,
    /// Images.
    Images,
}

/// One resource that was missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Failure {
    /// Its address, or the family of a font.
    pub what: String,
    /// How it failed, such as `net::ERR_NAME_NOT_RESOLVED`, `status 404`, or `still loading`.
    pub why: String,
    /// Whether our network policy refused it; then the environment is at fault, not the artifact.
    pub refused: bool,
}

/// Per kind, what was missing; a kind with an empty list is whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Integrity {
    /// Style sheets that did not arrive.
    pub styles: Vec<Failure>,
    /// Fonts that were asked for and did not arrive.
    pub fonts: Vec<Failure>,
    /// Scripts that did not arrive.
    pub scripts: Vec<Failure>,
    /// Images that did not arrive.
    pub images: Vec<Failure>,
}

impl Integrity {
    /// What is missing of a kind.
    pub fn missing(&self, kind: Resource) -> &[Failure] {
        match kind {
            Resource::Styles => &self.styles,
            Resource::Fonts => &self.fonts,
            Resource::Scripts => &self.scripts,
            Resource::Images => &self.images,
        }
    }

    /// Whether everything of every kind was there.
    pub fn is_whole(&self) -> bool {
        [Resource::Styles, Resource::Fonts, Resource::Scripts, Resource::Images]
            .iter()
            .all(|kind| self.missing(*kind).is_empty())
    }

    /// Adds a failure unless the same resource is already known to be missing.
    pub fn add(&mut self, kind: Resource, failure: Failure) {
        let list = match kind {
            Resource::Styles => &mut self.styles,
            Resource::Fonts => &mut self.fonts,
            Resource::Scripts => &mut self.scripts,
            Resource::Images => &mut self.images,
        };
        if let Err(at) = list.binary_search_by(|known| known.what.cmp(&failure.what)) {
            list.insert(at, failure);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_is_missing_once_and_the_list_is_sorted() {
        let mut integrity = Integrity::default();
        assert!(integrity.is_whole());
        for what in ["/b.css", "/a.css", "/b.css"] {
            integrity.add(Resource::Styles, Failure { what: what.into(), ..Failure::default() });
        }
        let names: Vec<_> = integrity.missing(Resource::Styles).iter().map(|f| f.what.as_str()).collect();
        assert_eq!(names, ["/a.css", "/b.css"]);
        assert!(!integrity.is_whole() && integrity.missing(Resource::Fonts).is_empty());
    }
}
