//! `loupe new`: a small study that runs, to be changed into one's own.
//!
//! It deliberately never writes into a folder that holds anything.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use include_dir::File;

use crate::cli::carried::{self, STARTER};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::terminal::Terminal;
use crate::diag::Diagnostic;
use crate::script::Language;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write the study into this folder, which must be empty or not exist yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write its flow in this language: rhai or lua
    #[arg(long, value_name = "LANG", env = "LOUPE_LANG", default_value = "rhai", hide_env = true)]
    #[arg(value_parser = ["rhai", "lua"])]
    lang: String,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let folder = &arguments.folder;
    let cannot = |e: &io::Error| CommandError::disk("write", folder, e);
    refuse_to_overwrite(folder)?;
    let language = if arguments.lang == "lua" { Language::Lua } else { Language::Rhai };
    let mut files = study(language);
    // Last, because a folder with a loupe.toml is a study: a half-written one must not look like one.
    files.sort_by_key(|(path, _)| (path == Path::new("loupe.toml"), path.clone()));
    for (path, text) in &files {
        write(&folder.join(path), text).map_err(|e| cannot(&e))?;
        terminal.result(format_args!("{}\n", folder.join(path).display()))?;
    }
    terminal.note(format_args!("`loupe run {}` runs it", folder.display()));
    Ok(Exit::Holds)
}

fn refuse_to_overwrite(folder: &Path) -> Result<(), CommandError> {
    let seen = match fs::read_dir(folder).map(|mut entries| entries.next()) {
        Ok(None) => return Ok(()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(Some(_)) => "a folder that holds something".to_owned(),
        Err(e) => e.to_string(),
    };
    let mistake = Diagnostic::new(format!("no study is written into `{}`", folder.display()));
    Err(CommandError::mistake(mistake.expected("an empty folder, or one that does not exist yet").received(seen)))
}

/// The files of the study, with its flow in one language.
fn study(language: Language) -> Vec<(PathBuf, String)> {
    let named = |file: &File<'_>| Language::of(&file.path().to_string_lossy());
    let files = carried::files(&STARTER).filter(|file| named(file).is_none_or(|its| its == language));
    files
        .map(|file| {
            let text = file.contents_utf8().expect("the starter consists of texts");
            // The brief names its flow, and that is all that differs.
            let text = text.replace("shelf.rhai", &format!("shelf.{}", language.extension()));
            (file.path().to_owned(), text)
        })
        .collect()
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}
