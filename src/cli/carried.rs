//! The studies that loupe carries with it, as files.
//!
//! It deliberately writes nothing: `demo` unpacks over the same files only, `new` never over anything.

use std::path::{Path, PathBuf};

use include_dir::{Dir, File, include_dir};

use crate::study::sha256;

/// The study that `demo` runs is one brief of the cohort: its folders, by where they lie in the study.
static DEMO: [(&str, Dir<'_>); 2] = [
    ("briefs/magazine", include_dir!("$CARGO_MANIFEST_DIR/fixtures/cohort/briefs/magazine")),
    ("artifacts/magazine", include_dir!("$CARGO_MANIFEST_DIR/fixtures/cohort/artifacts/magazine")),
];

/// The study file of the demo.
const DEMO_STUDY: &str = include_str!("../../fixtures/cohort/loupe.toml");

/// What the demo must find.
pub(super) const DEMO_EXPECTED: &str = include_str!("../../fixtures/cohort/expected/magazine.json");

/// The study that `new` writes; it has its flow in every language.
pub(super) static STARTER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/starter");

/// Every file of the demo: where it lies in the study, and what it holds.
pub(super) fn demo() -> impl Iterator<Item = (PathBuf, &'static [u8])> {
    let inside = |(place, folder): &'static (&str, Dir<'_>)| {
        files(folder).map(|file| (Path::new(place).join(file.path()), file.contents()))
    };
    DEMO.iter().flat_map(inside).chain([(PathBuf::from("loupe.toml"), DEMO_STUDY.as_bytes())])
}

/// A digest of all files of the demo and where they lie.
pub(super) fn demo_digest() -> String {
    let each = demo().flat_map(|(place, bytes)| [place.display().to_string(), sha256(bytes)]);
    sha256(each.collect::<Vec<_>>().join("\n").as_bytes())
}

/// Every file of a study.
pub(super) fn files<'a>(folder: &'a Dir<'a>) -> Box<dyn Iterator<Item = &'a File<'a>> + 'a> {
    // Runs of a developer's own checkout are no part of the study.
    let own = folder.dirs().filter(|d| d.path() != Path::new("runs"));
    Box::new(folder.files().chain(own.flat_map(files)))
}
