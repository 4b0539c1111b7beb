//! `loupe merge`: the shards of one run become the run they are parts of.
//!
//! It deliberately decides nothing: whether shards fit together is `record`'s to say.

use std::path::{Path, PathBuf};

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::terminal::Terminal;
use crate::diag::Diagnostic;
use crate::record::{Reader, merge};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Merge these complete runs
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Write the merged run to this new folder
    #[arg(short, long, value_name = "RUN", env = "LOUPE_OUTPUT", hide_env = true)]
    output: PathBuf,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let Some(id) = arguments.output.file_name().and_then(|name| name.to_str()) else {
        let seen = arguments.output.display();
        return Err(CommandError::mistake(Diagnostic::new(format!("`{seen}` is not the name of a new folder"))));
    };
    let runs = arguments.output.parent().unwrap_or(Path::new(""));
    let merged = merge(&arguments.shards, runs, id)?;
    terminal.result(format_args!("{}\n", merged.display()))?;
    Ok(Exit::of(&Reader::open(&merged)?))
}
