//! What can go wrong with a stored run, and what to do about it.
//!
//! Deliberately says nothing about exit codes: callers branch on the variant.

use std::io;
use std::path::{Path, PathBuf};

use crate::diag::Diagnostic;

/// Why a run could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The disk refused: full, read-only, gone, no permission.
    #[error("cannot {doing} {}: {source}", path.display())]
    Disk {
        /// What was tried: `write`, `read` …
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no run at that path.
    #[error("{} is not a run", path.display())]
    NotARun {
        /// The path.
        path: PathBuf,
    },
    /// A run of that id is there already.
    #[error("{} exists already", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// Nothing is left to do in it.
    #[error("the run {} is complete", path.display())]
    Complete {
        /// The folder.
        path: PathBuf,
    },
    /// Cases of its plan are missing.
    #[error("the run {} is not complete: {seen} of {planned} cases are on the record", path.display())]
    Unfinished {
        /// The folder.
        path: PathBuf,
        /// Cases on the record.
        seen: u64,
        /// Cases of the plan.
        planned: u64,
    },
    /// Another process writes to it.
    #[error("another process writes to the run {}", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A program with another format wrote it.
    #[error("{} has format {found}; this program reads up to {known}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: String,
        /// Ours.
        known: &'static str,
    },
    /// An older program wrote it, which did not keep what is asked for now.
    #[error("{} has format {found}, which does not tell what judged: comparing needs {needed}", path.display())]
    Older {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: String,
        /// The first format that would do.
        needed: &'static str,
    },
    /// No case is in both.
    #[error("the runs {} and {} have no case in common", base.display(), head.display())]
    Strangers {
        /// One folder.
        base: PathBuf,
        /// The other.
        head: PathBuf,
    },
    /// It is not what this program wrote.
    #[error("{}{} is damaged: {reason}", path.display(), line.map(|n| format!(":{n}")).unwrap_or_default())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: Option<usize>,
        /// What is wrong with it.
        reason: String,
    },
    /// It was made under other conditions.
    #[error("the run {} differs: {}", path.display(), what.join("; "))]
    Differs {
        /// The folder.
        path: PathBuf,
        /// Each difference, in words.
        what: Vec<String>,
    },
    /// A name that must not become a path.
    #[error("`{name}` cannot be stored in a run: it is not a plain relative path")]
    Name {
        /// The name.
        name: String,
    },
}

impl Error {
    /// For `map_err`: what was tried on which path.
    pub(super) fn disk(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Disk { doing, path, source }
    }

    fn hint(&self) -> &'static str {
        match self {
            Self::Disk { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                "free some space; a run that had begun keeps every finished case, and --resume goes on with it"
            }
            Self::Disk { .. } => "check that the folder exists, is writable, and has space",
            Self::NotARun { .. } => "name a folder that holds inputs.json, such as runs/<id>",
            Self::Exists { .. } => "choose another folder with -o, or remove that one",
            Self::Complete { .. } => "start a new run, or look at this one with `loupe report`",
            Self::Unfinished { .. } => "finish it with --resume",
            Self::Busy { .. } => "wait until it ends, or stop it",
            Self::Format { .. } => "use the version of loupe that wrote it, or a newer one",
            Self::Older { .. } => {
                "run its study again: a new run is written beside it, and the old one keeps its verdicts, which `loupe \
                 report` tells"
            }
            Self::Strangers { .. } => "compare two runs of one study, which have briefs, arms and scenarios in common",
            Self::Damaged { .. } => "restore the file from where the run was copied from, or run again",
            Self::Differs { .. } => "start a new run: results under different conditions must not be mixed",
            Self::Name { .. } => "use a name without `..`, a leading `/`, or control characters",
        }
    }
}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Self {
        Self::new(error.to_string()).hint(error.hint())
    }
}
