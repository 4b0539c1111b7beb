//! A viewport: the size at which an artifact is looked at.
//!
//! It deliberately says nothing about user agents or devices; `mobile` is all that a page can notice.

use serde::{Deserialize, Serialize};

use crate::diag::Diagnostic;
use crate::sheet::{Found, Table};

/// The size at which an artifact is looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Viewport {
    /// The name by which runs and scripts speak of it.
    pub name: String,
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// A phone: touch, the `viewport` meta element and mobile text sizing apply.
    pub mobile: bool,
    /// Device pixels per CSS pixel.
    pub scale: f64,
}

impl std::fmt::Display for Viewport {
    /// As records tell it: `390x844 at 2, mobile`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{} at {}{}", self.width, self.height, self.scale, if self.mobile { ", mobile" } else { "" })
    }
}

impl Viewport {
    /// Reads all tables `[[viewports]]`: names must differ, sizes must be sensible.
    pub fn read_all(table: &mut Table<'_>) -> Vec<Self> {
        let found = table.tables("viewports", Self::read);
        let mut viewports: Vec<Self> = Vec::new();
        for Found { value, place } in found {
            match viewports.iter().find(|v| v.name == value.name) {
                Some(_) => table.mistake(
                    Diagnostic::new(format!("two viewports are named `{}`", value.name))
                        .at(place)
                        .hint("give each viewport its own name: results are filed under it"),
                ),
                None => viewports.push(value),
            }
        }
        viewports
    }

    fn read(table: &mut Table<'_>) -> Option<Found<Self>> {
        let name = table.need::<String>("name");
        let width = side(table, "width");
        let height = side(table, "height");
        let mobile = table.get::<bool>("mobile").is_some_and(|found| found.value);
        let scale = scale(table);
        let Found { value: name, place } = name?;
        Some(Found { value: Self { name, width: width?, height: height?, mobile, scale }, place })
    }
}

fn side(table: &mut Table<'_>, key: &'static str) -> Option<u32> {
    let found = table.need::<i64>(key)?;
    let side = u32::try_from(found.value).ok().filter(|side| (100..=10_000).contains(side));
    if side.is_none() {
        table.mistake(
            Diagnostic::new(format!("the {key} of a viewport is out of range"))
                .at(found.place)
                .expected("100 to 10000 CSS pixels")
                .received(found.value.to_string()),
        );
    }
    side
}

fn scale(table: &mut Table<'_>) -> f64 {
    let Some(found) = table.get::<f64>("scale") else { return 1.0 };
    if !(0.5..=4.0).contains(&found.value) {
        table.mistake(
            Diagnostic::new("the scale of a viewport is out of range")
                .at(found.place)
                .expected("0.5 to 4 device pixels per CSS pixel")
                .received(found.value.to_string()),
        );
    }
    found.value
}
