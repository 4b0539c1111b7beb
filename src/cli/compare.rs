//! `loupe compare`: what became of each verdict from one stored run to another, and why.
//!
//! It deliberately runs nothing and changes neither run: judging again is a new run beside the old one.

use std::path::PathBuf;

use crate::cli::Format;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::terminal::Terminal;
use crate::record::{Comparison, Direction, Reader, compare};
use crate::report;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Compare with this run: the folder of the earlier one
    base: PathBuf,
    /// Say what became of the verdicts in this run
    head: PathBuf,
    /// Print in this format
    #[arg(long, value_name = "FORMAT", env = "LOUPE_FORMAT", default_value = "text", hide_env = true)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let found = compare(&Reader::open(&arguments.base)?, &Reader::open(&arguments.head)?)?;
    let mut text = Vec::new();
    match arguments.format {
        // The stream takes the colour away where it is not wanted.
        Format::Text => report::compare::write(&found, true, &mut text)?,
        Format::Json => text = serde_json::to_vec_pretty(&found).expect("plain data has a JSON form"),
    }
    terminal.result(String::from_utf8_lossy(text.trim_ascii_end()) + "\n")?;
    Ok(verdict(&found))
}

/// What was well must still be: what was not judged comes after what is known to be worse, because it hides nothing.
fn verdict(found: &Comparison) -> Exit {
    if found.has(Direction::Worse) {
        Exit::Fails
    } else if found.has(Direction::Error) {
        Exit::Harness
    } else {
        Exit::Holds
    }
}
