//! `loupe doctor`: what was found on this machine, in which version, and how to get what is missing.
//!
//! It deliberately changes nothing and opens no page.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::cli::environment::Environment;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::machine::{self, Finding};
use crate::cli::terminal::Terminal;
use crate::cli::{BrowserArguments, Format};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    browser: BrowserArguments,
    /// Print in this format
    #[arg(long, env = "LOUPE_FORMAT", default_value = "text", hide_env = true)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let findings = machine::inspect(&Environment::read(), &arguments.browser.choice());
    let text = match arguments.format {
        Format::Text => table(&findings),
        Format::Json => serde_json::to_string_pretty(&findings).expect("plain data has a JSON form") + "\n",
    };
    terminal.result(text)?;
    Ok(verdict(&findings))
}

/// The exit code that the findings deserve.
pub(super) fn verdict(findings: &[Finding]) -> Exit {
    if machine::suffices(findings) { Exit::Holds } else { Exit::Harness }
}

/// The findings for people: a line each, and under what is missing the fix.
pub(super) fn table(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let (word, colour) = match (finding.found, finding.needed) {
            (true, _) => ("ok", AnsiColor::Green),
            (false, true) => ("missing", AnsiColor::Red),
            (false, false) => ("lacking", AnsiColor::Yellow),
        };
        let style = Style::new().fg_color(Some(colour.into()));
        write!(text, "{style}{word:<8}{style:#} {:<11} {}", finding.thing.name(), finding.what)
            .expect("a String takes all text");
        if let Some(place) = &finding.place {
            write!(text, "  {}", place.display()).expect("a String takes all text");
        }
        text.push('\n');
        if let Some(fix) = &finding.fix {
            writeln!(text, "{:<20} fix: {fix}", "").expect("a String takes all text");
        }
    }
    text
}
