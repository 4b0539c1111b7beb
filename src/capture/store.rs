//! Captures on disk: JSON in zstd, one file each, readable without a browser.
//!
//! Format 1.0. Changes, newest first:
//! - 1.0: the first one.
//!
//! A minor step adds fields that an older reader may ignore; a major step changes what a field means. It deliberately
//! keeps no pictures: they are PNG files beside the capture, named by its run.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Capture;

/// The end of a capture's file name.
pub const SUFFIX: &str = ".capture.zst";

/// Major and minor number of the format that is written.
const FORMAT: (u32, u32) = (1, 0);

/// zstd's level: captures are written once and read often; higher levels gain little on them.
const LEVEL: i32 = 9;

/// A capture unpacked may be this large; a file that claims more is not one of ours.
const LARGEST: u64 = 512 << 20;

/// Why a capture could not be stored or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file system said no.
    #[error("capture {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not a capture, or is damaged.
    #[error("capture {path}: not readable as a capture: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file was written by a newer loupe.
    #[error("capture {path}: format {found} is newer than {major}.x, which this loupe reads; use a newer loupe", major = FORMAT.0)]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: String,
    },
}

/// What stands in the file.
#[derive(Serialize, Deserialize)]
struct Stored<C> {
    format: String,
    capture: C,
}

/// The bytes of a capture; equal captures have equal bytes.
pub fn encode(capture: &Capture) -> Vec<u8> {
    let stored = Stored { format: format!("{}.{}", FORMAT.0, FORMAT.1), capture };
    let json = serde_json::to_vec(&stored).expect("plain data with string keys always serialises");
    zstd::encode_all(json.as_slice(), LEVEL).expect("compressing from memory to memory meets no input or output error")
}

/// Writes a capture; the file is complete or not there at all.
///
/// # Errors
/// [`StoreError::Io`] when the folder cannot be written.
pub fn write(path: &Path, capture: &Capture) -> Result<(), StoreError> {
    let fail = |source| StoreError::Io { path: path.to_owned(), source };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(fail)?;
    file.write_all(&encode(capture)).map_err(fail)?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// Reads a capture.
///
/// # Errors
/// [`StoreError`] when the file is missing, damaged, or of a newer format.
pub fn read(path: &Path) -> Result<Capture, StoreError> {
    let bytes = std::fs::read(path).map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
    decode(path, &bytes)
}

fn decode(path: &Path, bytes: &[u8]) -> Result<Capture, StoreError> {
    #[derive(Deserialize)]
    struct Head {
        format: String,
    }
    let damaged = |reason: String| StoreError::Damaged { path: path.to_owned(), reason };
    let json = unpack(bytes).map_err(|e| damaged(e.to_string()))?;
    // The number first, alone: a newer format need not fit the present types.
    let Head { format } = serde_json::from_slice(&json).map_err(|e| damaged(e.to_string()))?;
    let major: u32 = format
        .split_once('.')
        .and_then(|(major, _)| major.parse().ok())
        .ok_or_else(|| damaged(format!("format \"{format}\" is not MAJOR.MINOR")))?;
    if major > FORMAT.0 {
        return Err(StoreError::Newer { path: path.to_owned(), found: format });
    }
    let stored: Stored<Capture> = serde_json::from_slice(&json).map_err(|e| damaged(e.to_string()))?;
    Ok(stored.capture)
}

fn unpack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut json = Vec::new();
    zstd::Decoder::new(bytes)?.take(LARGEST).read_to_end(&mut json)?;
    Ok(json)
}

#[cfg(test)]
mod tests {
    use super::super::{Element, Rect};
    use super::*;

    fn sample() -> Capture {
        let rect = Some(Rect::from([0.25, 1.0, 33.4, 1e-3]));
        let mut capture =
            Capture { elements: vec![Element { rect, tag: "p".into(), ..Element::default() }], ..Capture::default() };
        capture.colours.insert("oklch(0.5 0.1 20)".into(), "rgb(1, 2, 3)".into());
        capture
    }

    #[test]
    fn what_was_written_is_read_and_equal_captures_have_equal_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.capture.zst");
        write(&path, &sample()).unwrap();
        assert_eq!(read(&path).unwrap(), sample());
        assert_eq!(encode(&sample()), std::fs::read(&path).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no half-written file is left");
    }

    #[test]
    fn a_newer_format_is_refused_with_a_hint_and_a_minor_step_is_read() {
        let pack = |json: &str| zstd::encode_all(json.as_bytes(), 1).unwrap();
        let path = Path::new("x.capture.zst");
        let newer = decode(path, &pack(r#"{"format":"2.0","capture":"something else"}"#)).unwrap_err();
        assert_eq!(
            newer.to_string(),
            "capture x.capture.zst: format 2.0 is newer than 1.x, which this loupe reads; use a newer loupe"
        );
        let minor = r#"{"format":"1.7","capture":{"elements":[{"tag":"p","hue":3}],"smell":"none"}}"#;
        assert_eq!(decode(path, &pack(minor)).unwrap().elements[0].tag, "p");
    }

    #[test]
    fn damage_is_an_error_that_names_the_file() {
        let whole = encode(&sample());
        for bytes in [&whole[..whole.len() / 2], b"", b"not zstd at all"] {
            let error = decode(Path::new("runs/a/b.capture.zst"), bytes).unwrap_err();
            assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
            assert!(error.to_string().starts_with("capture runs/a/b.capture.zst: "), "{error}");
        }
        assert!(matches!(read(Path::new("/nowhere/x")), Err(StoreError::Io { .. })));
    }
}
