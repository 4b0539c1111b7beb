//! An artifact: the site under examination, which is one sample of one arm at one brief.
//!
//! It deliberately holds no content: folders and files are read when they are served or digested.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::digest;
use super::provenance::Provenance;
use crate::diag::Diagnostic;

/// The file that says how an artifact came to be: in its folder, or `<stem>.provenance.toml` beside a single file.
pub const PROVENANCE: &str = "provenance.toml";

/// What is escaped in an address.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// The site under examination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The arm that made it.
    pub arm: String,
    /// The brief it answers.
    pub brief: String,
    /// Which of the arm's independent attempts it is.
    pub sample: String,
    /// Where it is.
    pub place: Site,
    /// What to open first, relative to its origin: `/`, except in a folder whose only page has another name. For an
    /// address, the address.
    pub start: String,
    /// How it came to be, where its author says so.
    pub provenance: Option<Provenance>,
}

/// Where an artifact is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Site {
    /// A folder with an `index.html`, or with one single page.
    Folder(PathBuf),
    /// A single page, with its sidecars.
    File(PathBuf),
    /// A site that somebody else serves.
    Url(String),
}

impl Artifact {
    /// What identifies it: arm, brief and sample.
    pub fn names(&self) -> [&str; 3] {
        [&self.arm, &self.brief, &self.sample]
    }

    /// Whether somebody repaired it after it was made.
    pub fn is_repaired(&self) -> bool {
        self.provenance.as_ref().is_some_and(|provenance| provenance.repaired)
    }

    /// Its digest: plain hex over all that a browser can get from it. An address stands for itself: what it serves is
    /// not known.
    ///
    /// # Errors
    /// A diagnostic that names the file that cannot be read.
    pub fn digest(&self) -> Result<String, Diagnostic> {
        self.place.digest()
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) | Self::File(path) => path.display().fmt(f),
            Self::Url(url) => f.write_str(url),
        }
    }
}

impl Site {
    /// See [`Artifact::digest`].
    pub(super) fn digest(&self) -> Result<String, Diagnostic> {
        match self {
            Self::Folder(path) => digest::tree(path),
            Self::File(path) => digest::page(path),
            Self::Url(url) => Ok(digest::sha256(url.as_bytes())),
        }
    }

    /// Where the original of a repaired artifact is kept, whether it is there or not: `1.original` beside the folder `1`,
    /// `1.original.html` beside the page `1.html`. None beside an address, and where a folder has no name.
    pub fn original(&self) -> Option<Self> {
        match self {
            Self::Folder(path) => {
                let name = path.file_name()?.to_str()?;
                Some(Self::Folder(path.with_file_name(format!("{name}.original"))))
            }
            Self::File(path) => {
                let (stem, extension) = path.file_name()?.to_str()?.rsplit_once('.')?;
                Some(Self::File(path.with_file_name(format!("{stem}.original.{extension}"))))
            }
            Self::Url(_) => None,
        }
    }

    /// The last part of its path.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Folder(path) | Self::File(path) => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
            Self::Url(url) => url.clone(),
        }
    }

    /// Whether there is something of its kind in its place that can be opened.
    pub(super) fn opens(&self) -> bool {
        match self {
            Self::Folder(path) => start_page(path, "").is_ok(),
            Self::File(path) => path.is_file(),
            Self::Url(_) => true,
        }
    }
    /// Where the artifact's provenance is declared, if anywhere.
    pub(super) fn provenance(&self) -> Option<PathBuf> {
        match self {
            Self::Folder(path) => Some(path.join(PROVENANCE)),
            Self::File(path) => {
                let stem = path.file_stem()?.to_str()?;
                Some(path.with_file_name(format!("{stem}.{PROVENANCE}")))
            }
            Self::Url(_) => None,
        }
    }
}

/// The folders that belong to the single page `page`: `<stem>_files` (as browsers save) and `<stem>.assets`. Nothing
/// else beside it does.
pub fn sidecars(page: &Path) -> [PathBuf; 2] {
    let stem = page.file_stem().unwrap_or_default().to_string_lossy();
    [page.with_file_name(format!("{stem}_files")), page.with_file_name(format!("{stem}.assets"))]
}

/// Whether `path` is named like a page.
pub(super) fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("html") || e.eq_ignore_ascii_case("htm"))
}

/// What to open first in `folder`, shown as `name`: `index.html`, else its only page.
///
/// # Errors
/// A diagnostic when neither exists.
pub(super) fn start_page(folder: &Path, name: &str) -> Result<String, Diagnostic> {
    if folder.join("index.html").is_file() {
        return Ok("/".to_owned());
    }
    let index = folder.join("index.html");
    if index.symlink_metadata().is_ok() {
        let shown = format!("{name}/index.html");
        return Err(match index.metadata() {
            Err(e) => crate::sheet::unreadable(&index, &shown, &e),
            Ok(_) => Diagnostic::new(format!("`{shown}` is not a file")),
        });
    }
    let entries = fs::read_dir(folder).map_err(|e| crate::sheet::unreadable(folder, name, &e))?;
    let mut pages: Vec<String> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| is_page(path) && path.is_file())
        .filter_map(|path| path.file_name()?.to_str().map(str::to_owned))
        .collect();
    pages.sort();
    match pages.as_slice() {
        [page] => Ok(format!("/{}", utf8_percent_encode(page, ESCAPED))),
        _ => Err(Diagnostic::new(format!("the artifact `{name}` has no index.html"))
            .expected("index.html, or one single page")
            .received(if pages.is_empty() { "no page".to_owned() } else { pages.join(", ") })),
    }
}
