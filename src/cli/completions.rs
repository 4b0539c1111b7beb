//! `loupe completions`: the completions of a shell, from the same definition as the help.
//!
//! It deliberately installs nothing: where completions live differs by shell and system.

use clap_complete::Shell;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::terminal::Terminal;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write for this shell
    shell: Shell,
}

pub(super) fn run(
    arguments: &Arguments,
    definition: &mut clap::Command,
    terminal: &mut Terminal,
) -> Result<Exit, CommandError> {
    let mut bytes = Vec::new();
    clap_complete::generate(arguments.shell, definition, "loupe", &mut bytes);
    terminal.result(String::from_utf8(bytes).expect("completions are text"))?;
    Ok(Exit::Holds)
}
