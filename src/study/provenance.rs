//! Provenance: how an artifact came to be, as its author declares it.
//!
//! It deliberately stays out of what a judge or rater sees; the server refuses to hand it out.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::artifact::Site;
use crate::diag::Diagnostic;
use crate::sheet::{Mistakes, Table, Text, read as read_toml};

/// How an artifact came to be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The model.
    pub model: Option<String>,
    /// What drove the model.
    pub harness: Option<String>,
    /// The reasoning level it was given.
    pub reasoning: Option<String>,
    /// The limits it worked under.
    pub limits: Option<String>,
    /// The tools it could use.
    pub tools: Vec<String>,
    /// What it did not make itself.
    pub assets: Vec<Asset>,
    /// What went wrong while it was made.
    pub failures: Vec<String>,
    /// Whether somebody repaired it afterwards; a repaired artifact is labelled everywhere.
    pub repaired: bool,
    /// Anything else worth knowing.
    pub notes: Option<String>,
}

/// Something in an artifact that comes from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    /// The file in the artifact.
    pub file: String,
    /// Where it comes from.
    pub source: String,
    /// Under which licence.
    pub licence: String,
}

impl Provenance {
    /// Reads the file at `path`, shown as `name`, if it exists; mistakes are added to `mistakes`. `original` is where the
    /// artifact's original has to be, if it is repaired.
    pub(super) fn read(path: &Path, name: String, original: Option<&Site>, mistakes: &Mistakes) -> Option<Self> {
        if path.symlink_metadata().is_err() {
            return None;
        }
        read_toml(&mistakes.keep(Text::read(path, name))?, mistakes, |table| {
            let text = |table: &mut Table<'_>, key| table.get::<String>(key).map(|found| found.value);
            let texts = |table: &mut Table<'_>, key| table.get::<Vec<String>>(key).map(|found| found.value);
            let repaired = table.get::<bool>("repaired");
            if let Some(found) = repaired.as_ref().filter(|found| found.value)
                && let Some(original) = original.filter(|original| !original.opens())
            {
                table.mistake(
                    Diagnostic::new("the original of a repaired artifact is missing")
                        .at(found.place.clone())
                        .expected(format!("`{}` beside the artifact", original.name()))
                        .hint("keep there what the arm made, as it was; it is not run as a sample"),
                );
            }
            Some(Self {
                model: text(table, "model"),
                harness: text(table, "harness"),
                reasoning: text(table, "reasoning"),
                limits: text(table, "limits"),
                tools: texts(table, "tools").unwrap_or_default(),
                assets: table.tables("assets", asset),
                failures: texts(table, "failures").unwrap_or_default(),
                repaired: repaired.is_some_and(|found| found.value),
                notes: text(table, "notes"),
            })
        })
    }
}

fn asset(table: &mut Table<'_>) -> Option<Asset> {
    let file = table.need::<String>("file");
    let source = table.need::<String>("source");
    let licence = table.need::<String>("licence");
    Some(Asset { file: file?.value, source: source?.value, licence: licence?.value })
}
