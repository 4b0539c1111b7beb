//! Where workers put the files of their cases: pictures and captures.
//!
//! A file is on the disk before its case's line is; a file without a line belongs to a case that will run again and be
//! overwritten. This deliberately does not know what is in the files.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{CaseKey, Error, Stored};

/// A handle to an open run's pictures and captures; cheap to clone and to send to a worker.
#[derive(Debug, Clone)]
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keeps a picture (PNG bytes) that the flow calls `name`.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn picture(&self, key: &CaseKey, name: &str, png: &[u8]) -> Result<Stored, Error> {
        self.keep("pictures", key, name, "png", png)
    }

    /// Keeps a frozen page that the flow calls `name`; `extension` tells its format.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn capture(&self, key: &CaseKey, name: &str, extension: &str, bytes: &[u8]) -> Result<Stored, Error> {
        self.keep("captures", key, name, extension, bytes)
    }

    fn keep(&self, kind: &str, key: &CaseKey, name: &str, extension: &str, bytes: &[u8]) -> Result<Stored, Error> {
        let path = format!("{kind}/{key}/{}.{extension}", file_name(name));
        write(&self.folder.join(&path), bytes)?;
        Ok(Stored { name: name.to_owned(), path })
    }
}

/// Writes a file and the folders it lies in; leaves no half of it.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::disk("create", folder))?;
    }
    fs::write(path, bytes).map_err(|error| {
        let _ = fs::remove_file(path);
        Error::disk("write", path)(error)
    })
}

/// A file name for what a flow calls `name`, whatever is in it: its plain characters, and a digest wherever these are
/// not all of it, so that two names never share a file.
fn file_name(name: &str) -> String {
    let mut plain: String =
        name.chars().map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' }).take(40).collect();
    if plain != name || name.is_empty() {
        let digest = Sha256::digest(name);
        plain.push('-');
        plain.extend(digest[..4].iter().map(|byte| format!("{byte:02x}")));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gets_a_file_of_its_own() {
        assert_eq!(file_name("detail-open"), "detail-open");
        let names = ["", "-", "..", "/", "a/b", "a b", "A b", "a-b", "é", "\0", &"x".repeat(300), &"x".repeat(301)];
        let files: Vec<String> = names.iter().map(|name| file_name(name)).collect();
        assert!(files.iter().all(|file| file.len() < 60 && !file.contains(['/', '.', '\0', ' '])), "{files:?}");
        assert_eq!(files.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len(), "{files:?}");
    }
}
