//! `loupe explain`: what an outcome or an exit code means, and what to do about it.
//!
//! It deliberately defines no meaning: outcomes and exit codes bring their own.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::terminal::Terminal;
use crate::diag::{Diagnostic, did_you_mean};
use crate::record::Outcome;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Explain this outcome or exit code; all of them if left out
    what: Option<String>,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let all = entries();
    let Some(what) = &arguments.what else {
        let lines: String = all.iter().map(|(name, meaning)| format!("{name:<8}  {meaning}\n")).collect();
        terminal.result(lines)?;
        return Ok(Exit::Holds);
    };
    match all.iter().find(|(name, _)| name.eq_ignore_ascii_case(what)) {
        Some((_, meaning)) => terminal.result(format_args!("{meaning}\n"))?,
        None => return Err(unknown(what, &all)),
    }
    Ok(Exit::Holds)
}

/// Everything that can be explained: outcomes by their word, exit codes by their number.
fn entries() -> Vec<(String, String)> {
    let outcomes = Outcome::ALL.iter().map(|outcome| (outcome.word().to_owned(), outcome.meaning().to_owned()));
    let codes = Exit::ALL.iter().map(|(_, code, meaning)| (code.to_string(), (*meaning).to_owned()));
    outcomes.chain(codes).collect()
}

fn unknown(what: &str, all: &[(String, String)]) -> CommandError {
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let mistake = Diagnostic::new(format!("`{what}` is neither an outcome nor an exit code"))
        .expected(format!("one of {}", names.join(", ")));
    let near = did_you_mean(what, names.iter().copied().filter(|name| name.parse::<u8>().is_err()));
    CommandError::mistake(near.into_iter().fold(mistake, |m, near| m.hint(format!("did you mean `{near}`?"))))
}
