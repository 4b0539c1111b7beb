//! Reporters as they are chosen on the command line, and where each writes.
//!
//! It deliberately formats nothing: `report` does.

use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::cli::error::CommandError;
use crate::cli::terminal::Terminal;
use crate::diag::{Diagnostic, did_you_mean};
use crate::record::Reader;
use crate::report::html::Pictures;
use crate::report::{self, github, html, json, junit, terminal};

/// One way to tell about a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reporter {
    /// For people at a terminal.
    List,
    /// Annotations for GitHub's workflow log; files are named below this folder.
    Github(String),
    /// A format that is usually kept as a file; on stdout where none is named.
    File(Kind, Option<PathBuf>),
}

/// The formats for files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One document with everything but pictures.
    Json,
    /// What continuous integration reads.
    Junit,
    /// A page with the pictures: in it, or in a folder with it.
    Html,
}

impl FromStr for Reporter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = match text.split_once('=') {
            Some((_, "")) => return Err("nothing follows the `=`".to_owned()),
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let file = |kind| Ok(Self::File(kind, value.map(PathBuf::from)));
        match name {
            "list" if value.is_some() => Err("`list` takes no file; it writes to the terminal".to_owned()),
            "list" => Ok(Self::List),
            "github" => {
                Ok(Self::Github(value.map(|root| root.trim_end_matches('/').to_owned() + "/").unwrap_or_default()))
            }
            "json" => file(Kind::Json),
            "junit" => file(Kind::Junit),
            "html" => file(Kind::Html),
            _ => {
                let near = did_you_mean(name, ["list", "json", "junit", "html", "github"]);
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Err(format!("there is no reporter `{name}`{near}"))
            }
        }
    }
}

impl Reporter {
    /// Writes the report. A file gets its name once it is complete.
    ///
    /// # Errors
    /// The run cannot be read, or the report cannot be written.
    pub fn write(&self, run: &Reader, out: &mut Terminal) -> Result<(), CommandError> {
        match self {
            // The stream takes the colour away where it is not wanted.
            Self::List => on_stdout(out, |to| terminal::write(run, true, to)),
            Self::Github(root) => on_stdout(out, |to| github::write(run, root, to)),
            Self::File(kind, None) => on_stdout(out, |to| kind.write(run, to)),
            Self::File(Kind::Html, Some(path)) if !is_page(path) => {
                let page = path.join("index.html");
                in_folder(run, path)?;
                in_file(&page, |to| html::write(run, Pictures::Beside, to))?;
                out.note(format_args!("wrote {}", page.display()));
                Ok(())
            }
            Self::File(kind, Some(path)) => {
                in_file(path, |to| kind.write(run, to))?;
                out.note(format_args!("wrote {}", path.display()));
                Ok(())
            }
        }
    }
}

impl Kind {
    fn write(self, run: &Reader, to: &mut dyn Write) -> Result<(), report::Error> {
        match self {
            Self::Json => json::write(run, to),
            Self::Junit => junit::write(run, to),
            Self::Html => html::write(run, Pictures::Embedded, to),
        }
    }
}

fn on_stdout(
    out: &mut Terminal,
    write: impl FnOnce(&mut dyn Write) -> Result<(), report::Error>,
) -> Result<(), CommandError> {
    let mut to = BufWriter::new(out.stdout());
    match write(&mut to).and_then(|()| Ok(to.flush()?)) {
        Err(report::Error::Write(e)) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Whether a file of this name is one page; everything else is a folder for the page and its pictures.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("html") || e.eq_ignore_ascii_case("htm"))
}

/// Puts the pictures where the page expects them. One that cannot be read is told on the page.
fn in_folder(run: &Reader, folder: &Path) -> Result<(), CommandError> {
    let write = |path: &Path, bytes: &[u8]| {
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).and_then(|()| std::fs::write(path, bytes))
    };
    std::fs::create_dir_all(folder).map_err(|e| CommandError::disk("write", folder, &e))?;
    for record in run.cases()? {
        for stored in record?.pictures {
            let path = folder.join(&stored.path);
            if let Ok(bytes) = run.bytes(&stored) {
                write(&path, &bytes).map_err(|e| CommandError::disk("write", &path, &e))?;
            }
        }
    }
    Ok(())
}

fn in_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<(), report::Error>) -> Result<(), CommandError> {
    let cannot = |e: &io::Error| CommandError::disk("write", path, e);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new()
        .prefix(".loupe-report-")
        // As any new file: who may read it is up to the umask.
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(|e| cannot(&e))?;
    let mut to = BufWriter::new(file);
    write(&mut to).map_err(|error| match error {
        report::Error::Write(e) => cannot(&e),
        error => error.into(),
    })?;
    let file = to.into_inner().map_err(|e| cannot(e.error()))?;
    file.persist(path).map_err(|e| cannot(&e.error))?;
    Ok(())
}

impl From<report::Error> for CommandError {
    fn from(error: report::Error) -> Self {
        match error {
            report::Error::Record(error) => error.into(),
            error => Self::harness(Diagnostic::from(error)),
        }
    }
}
