//! The studies that loupe carries with it, as files.
//!
//! It deliberately writes nothing: `demo` unpacks over an older copy of its own, `new` never over anything.

use std::path::Path;

use include_dir::{Dir, File, include_dir};

/// The study that `demo` runs.
pub(super) static DEMO: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/magazine");

/// The study that `new` writes; it has its flow in every language.
pub(super) static STARTER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/starter");

/// Every file of a study.
pub(super) fn files<'a>(folder: &'a Dir<'a>) -> Box<dyn Iterator<Item = &'a File<'a>> + 'a> {
    // Runs of a developer's own checkout are no part of the study.
    let own = folder.dirs().filter(|d| d.path() != Path::new("runs"));
    Box::new(folder.files().chain(own.flat_map(files)))
}
