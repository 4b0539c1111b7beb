//! One artifact on the server: which file answers which path, and what was asked for in vain.
//!
//! It deliberately knows nothing of HTTP beyond a path; statuses and headers are the answer's.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::diag::Diagnostic;
use crate::sheet::unreadable;
use crate::study::{PROVENANCE, sidecars};

/// How many different paths are remembered as misses; a page that asks for endless paths must not grow us.
const MOST_MISSES: usize = 1000;

/// What is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Root {
    /// A folder and everything in it.
    Folder(PathBuf),
    /// A single page, as `/` and under its own name, and the folders `<stem>_files` and `<stem>.assets` beside it.
    /// Other files beside it are not part of the artifact.
    File(PathBuf),
}

/// A path that was asked for, and is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The path as it was asked for, without its query.
    pub path: String,
    /// What came instead.
    pub answer: Answer,
    /// How often.
    pub times: u32,
}

/// What came instead of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// 404.
    Missing,
    /// 403: it may not be read, or leads out of the root.
    Forbidden,
    /// 200 and the start page, because a person navigated there and the page may do its own routing.
    StartPage,
}

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// A file in the root.
    File(PathBuf),
    /// A folder, asked for without its final slash: relative addresses in it would go astray.
    Folder,
    /// Nothing.
    Missing,
    /// Something that is not to be handed out.
    Forbidden,
}

/// One artifact on the server.
#[derive(Debug)]
pub(super) struct Mount {
    /// What paths are relative to, without links.
    base: PathBuf,
    /// What `/` is.
    home: PathBuf,
    /// A file is handed out if it is, or is below, one of these once all links are followed.
    inside: Vec<PathBuf>,
    misses: Mutex<BTreeMap<String, Miss>>,
}

impl Mount {
    pub(super) fn new(root: &Root) -> Result<Self, Diagnostic> {
        let (Root::Folder(path) | Root::File(path)) = root;
        let real = path.canonicalize().map_err(|e| unreadable(path, &path.display().to_string(), &e))?;
        let (base, home, inside) = match root {
            Root::Folder(_) if !real.is_dir() => return Err(wrong_kind(path, "a folder")),
            Root::Folder(_) => (real.clone(), real.join("index.html"), vec![real]),
            Root::File(_) if !real.is_file() => return Err(wrong_kind(path, "a file")),
            Root::File(_) => {
                let base = real.parent().expect("a file is in a folder").to_owned();
                let mut inside = vec![real.clone()];
                inside.extend(sidecars(&real).iter().filter_map(|folder| folder.canonicalize().ok()));
                (base, real, inside)
            }
        };
        Ok(Self { base, home, inside, misses: Mutex::default() })
    }

    /// What the decoded names of a path lead to; `ends_in_slash` is whether a folder was asked for.
    pub(super) fn lead(&self, names: &[String], ends_in_slash: bool) -> Lead {
        let Some(last) = names.last() else { return self.file(&self.home) };
        let path = names.iter().fold(self.base.clone(), |path, name| path.join(name));
        match self.file(&path) {
            Lead::Folder if ends_in_slash => self.file(&path.join("index.html")),
            Lead::Folder if path.join("index.html").is_file() => Lead::Folder,
            Lead::File(_) if ends_in_slash => Lead::Missing,
            // Static hosts answer `/about` with `about.html`, and exported sites rely on it.
            Lead::Missing | Lead::Folder if !ends_in_slash && !last.contains('.') => {
                match self.file(&path.with_file_name(format!("{last}.html"))) {
                    Lead::Folder => Lead::Missing,
                    lead => lead,
                }
            }
            Lead::Folder => Lead::Missing,
            lead => lead,
        }
    }

    /// The file that the decoded names of a path lead to: its name in the root, and where it is.
    pub(super) fn named(&self, names: &[String], ends_in_slash: bool) -> Option<(String, PathBuf)> {
        let Lead::File(real) = self.lead(names, ends_in_slash) else { return None };
        let name = real.strip_prefix(&self.base).ok()?.to_string_lossy().into_owned();
        Some((name, real))
    }

    /// The start page.
    pub(super) fn start_page(&self) -> Lead {
        self.file(&self.home)
    }

    /// Remembers a miss.
    pub(super) fn miss(&self, path: &str, answer: Answer) {
        let mut misses = self.misses.lock().unwrap_or_else(PoisonError::into_inner);
        if misses.len() < MOST_MISSES || misses.contains_key(path) {
            let new = || Miss { path: path.to_owned(), answer, times: 0 };
            let miss = misses.entry(path.to_owned()).or_insert_with(new);
            miss.times += 1;
            miss.answer = answer;
        }
    }

    pub(super) fn take_misses(&self) -> Vec<Miss> {
        let mut misses = self.misses.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *misses).into_values().collect()
    }

    /// What stands at `path`, once all links are followed.
    fn file(&self, path: &Path) -> Lead {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(e) if e.kind() == ErrorKind::PermissionDenied => return Lead::Forbidden,
            Err(_) => return Lead::Missing,
        };
        // Provenance would tell a blind rater whose artifact this is.
        if !self.inside.iter().any(|root| real.starts_with(root)) || real == self.base.join(PROVENANCE) {
            return Lead::Forbidden;
        }
        match real.metadata() {
            Ok(meta) if meta.is_file() => Lead::File(real),
            Ok(meta) if meta.is_dir() => Lead::Folder,
            // A pipe would never end, and a device is nobody's artifact.
            _ => Lead::Forbidden,
        }
    }
}

fn wrong_kind(path: &Path, expected: &str) -> Diagnostic {
    Diagnostic::new(format!("`{}` is not {expected}", path.display()))
}
