//! One text file as its author knows it: the name it is shown under, and its text.
//!
//! It deliberately does not guess encodings: UTF-8 or an error that names the first wrong byte.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::diag::{Diagnostic, Place};

/// A text file that was read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The file as the author named it: relative to the study where it can be.
    pub name: String,
    /// What it says, without a byte-order mark.
    pub body: String,
}

impl Text {
    /// Reads `path`, to be shown as `name`.
    ///
    /// # Errors
    /// A diagnostic for a file that is missing, a folder, a broken link, not permitted, or not UTF-8.
    pub fn read(path: &Path, name: impl Into<String>) -> Result<Self, Diagnostic> {
        let name = name.into();
        let bytes = fs::read(path).map_err(|e| unreadable(path, &name, &e))?;
        match String::from_utf8(bytes) {
            // A byte-order mark is harmless, and would shift the first line's columns.
            Ok(body) => Ok(Self { name, body: body.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(body) }),
            Err(e) => Err(not_utf8(name, e.as_bytes(), e.utf8_error().valid_up_to())),
        }
    }

    /// The place of byte `offset`.
    pub fn at(&self, offset: usize) -> Place {
        Place::at_offset(self.name.as_str(), &self.body, offset)
    }
}

/// What kept `path`, shown as `name`, from being read.
pub(crate) fn unreadable(path: &Path, name: &str, error: &std::io::Error) -> Diagnostic {
    let broken_link = path.symlink_metadata().is_ok_and(|m| m.is_symlink());
    let title = match error.kind() {
        ErrorKind::NotFound if broken_link => format!("`{name}` is a symbolic link to nothing"),
        ErrorKind::NotFound => format!("`{name}` does not exist"),
        ErrorKind::PermissionDenied => format!("`{name}` may not be read"),
        ErrorKind::IsADirectory => format!("`{name}` is a folder, not a file"),
        ErrorKind::NotADirectory => format!("`{name}` cannot exist: a part of its path is a file, not a folder"),
        _ => format!("`{name}` cannot be read: {error}"),
    };
    let place = path.display().to_string();
    let diagnostic = Diagnostic::new(title);
    if place == name { diagnostic } else { diagnostic.received(format!("the path {place}")) }
}

fn not_utf8(name: String, bytes: &[u8], valid: usize) -> Diagnostic {
    let before = String::from_utf8_lossy(&bytes[..valid]);
    // The line is not shown: it is the one that cannot be.
    let place = Place { text: None, ..Place::at_offset(name.as_str(), &before, before.len()) };
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    Diagnostic::new(format!("`{name}` is not UTF-8 text"))
        .at(place)
        .expected("UTF-8")
        .received(if utf16 { "what looks like UTF-16".to_owned() } else { format!("the byte 0x{:02x}", bytes[valid]) })
        .hint("save the file as UTF-8")
}
