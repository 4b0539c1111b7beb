//! `loupe report`: a stored run, told again.
//!
//! It deliberately opens no browser and reads no study: everything is in the run's folder.

use std::path::PathBuf;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::reporter::Reporter;
use crate::cli::terminal::Terminal;
use crate::record::Reader;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Tell about this run: its folder
    run: PathBuf,
    #[command(flatten)]
    reporters: Reporters,
}

/// Which reporters a command uses.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Reporters {
    /// Tell it in this way, and in several if given several times: list, github[=FOLDER], json[=FILE],
    /// junit[=FILE], html[=FILE.html or FOLDER]
    #[arg(long = "reporter", value_name = "WAY", env = "LOUPE_REPORTER", default_value = "list", hide_env = true)]
    #[arg(value_delimiter = ',')]
    chosen: Vec<Reporter>,
}

impl Reporters {
    /// Tells about the run in every chosen way.
    pub(super) fn write(&self, run: &Reader, terminal: &mut Terminal) -> Result<(), CommandError> {
        self.chosen.iter().try_for_each(|reporter| reporter.write(run, terminal))
    }
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let run = Reader::open(&arguments.run)?;
    arguments.reporters.write(&run, terminal)?;
    Ok(Exit::of(&run))
}
