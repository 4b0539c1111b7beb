//! The format number of stored runs, and the one way in which their JSON files are read and written.
//!
//! Lines of `cases.jsonl` deliberately carry no number of their own: `inputs.json` beside them speaks for them.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Component, Path};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Error;

/// The format that this program writes, `major.minor`.
///
/// Changes:
/// - 1.0: the first.
/// - 1.1: audits, among the observations; what cases loaded; the assets that artifacts declare.
/// - 1.2: versions of evaluators, what each flow consists of, conditions, repairs, the protocol and the time limits.
///
/// A change that old programs would misread, or that lacks what they need, raises major; any other raises minor. Either
/// way an older program refuses the newer run, because it would not show what it does not know.
pub const FORMAT: &str = "1.2";

#[derive(Serialize)]
struct Numbered<'a, T> {
    format: &'static str,
    content: &'a T,
}

#[derive(Deserialize)]
struct NumberOnly {
    format: String,
}

#[derive(Deserialize)]
struct ContentOnly<T> {
    content: T,
}

/// Writes `content` to `path` so that there is either the whole file or none.
pub(super) fn write<T: Serialize>(path: &Path, content: &T) -> Result<(), Error> {
    let mut json = serde_json::to_string_pretty(&Numbered { format: FORMAT, content })
        .expect("plain data with string keys always becomes JSON");
    json.push('\n');
    let draft = path.with_extension("json.draft");
    let written = File::create(&draft).and_then(|mut file| file.write_all(json.as_bytes()).and(file.sync_all()));
    let folder = path.parent().unwrap_or(Path::new("."));
    // The folder too: without it a power failure may take a name away whose bytes are safe.
    let placed = written.and_then(|()| fs::rename(&draft, path)).and_then(|()| File::open(folder)?.sync_all());
    if placed.is_err() {
        // The draft is of no use to anybody; that it may stay when even removing fails harms nothing.
        let _ = fs::remove_file(&draft);
    }
    placed.map_err(Error::disk("write", path))
}

/// Reads what [`write`] wrote, and its format; refuses other formats before it looks at the content.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<(T, String), Error> {
    let json = fs::read(path).map_err(Error::disk("read", path))?;
    let damaged = |e: serde_json::Error| Error::Damaged { path: path.to_owned(), line: None, reason: e.to_string() };
    let found = serde_json::from_slice::<NumberOnly>(&json).map_err(damaged)?.format;
    if !is_readable(&found) {
        return Err(Error::Format { path: path.to_owned(), found, known: FORMAT });
    }
    serde_json::from_slice::<ContentOnly<T>>(&json).map(|file| (file.content, found)).map_err(damaged)
}

/// Whether the format `found` is `needed` or newer.
pub(super) fn is_at_least(found: &str, needed: &str) -> bool {
    numbers(found) >= numbers(needed)
}

fn numbers(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn is_readable(found: &str) -> bool {
    let known = numbers(FORMAT).expect("FORMAT is major.minor");
    numbers(found).is_some_and(|(major, minor)| major == known.0 && minor <= known.1)
}

/// Whether `name` stays inside the folder it is joined to.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(['\\', '\0'])
        && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_and_nonsense_formats_are_refused() {
        assert!(is_readable(FORMAT));
        for other in ["1.3", "2.0", "0.9", "", "1", "1.0.0", "one.zero", "-1.0"] {
            assert!(!is_readable(other), "{other}");
        }
    }

    #[test]
    fn names_stay_inside() {
        assert!(is_plain("briefs/magazine/facts.json"));
        for name in ["", "..", "a/../../b", "/etc/passwd", "a\\b", "a\0", "./a/.."] {
            assert!(!is_plain(name), "{name:?}");
        }
    }
}
