//! The face: the definition of the command line, and the only room that prints, reads the environment, and exits.
//!
//! One command is one file. It deliberately holds no work of its own: commands read arguments, call the rooms below,
//! and show what these answer. A command is listed here once it truly works.

mod axe;
mod capture;
mod carried;
mod compare;
mod completions;
mod demo;
mod doctor;
mod engine;
mod environment;
mod error;
mod exit;
mod explain;
mod machine;
mod merge;
mod mutate;
mod new;
mod progress;
mod repl;
mod report;
mod reporter;
mod run;
mod saved;
mod setup;
mod terminal;
mod typing;

use std::ffi::OsString;
use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::browser::find::Choice;
use crate::diag::Diagnostic;

pub use error::CommandError;
pub use exit::Exit;
use terminal::{Loudness, Terminal};

/// Examines generated user interfaces in a real Chromium
#[derive(Debug, Parser)]
#[command(name = "loupe", version, after_help = after_help(), max_term_width = 120, disable_help_subcommand = true)]
struct Cli {
    /// Do everything as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    directory: Option<PathBuf>,
    /// Use colour
    #[arg(long, value_name = "WHEN", env = "LOUPE_COLOR", default_value = "auto", hide_env = true, global = true)]
    color: Colour,
    /// Say nothing but results, warnings and errors
    #[arg(short, long, env = "LOUPE_QUIET", hide_env = true, global = true)]
    quiet: bool,
    /// Say what is tried and what other programs say
    #[arg(short, long, env = "LOUPE_VERBOSE", hide_env = true, global = true, conflicts_with = "quiet")]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the flows of a study and capture its artifacts
    Run(run::Arguments),
    /// Explore a page with the words of scripts, line by line
    Repl(repl::Arguments),
    /// Capture a page at rest: its data and its pictures, with no study around it
    Capture(capture::Arguments),
    /// Write a small study to begin from
    New(new::Arguments),
    /// Set up what is missing and run the study that loupe carries with it
    Demo(demo::Arguments),
    /// Tell about a stored run
    Report(report::Arguments),
    /// Say which verdicts changed from one stored run to another, and why
    Compare(compare::Arguments),
    /// Merge the shards of a run into one
    Merge(merge::Arguments),
    /// Put known faults into pages and see which scenarios notice
    Mutate(mutate::Arguments),
    /// Install what is missing on this machine: Chromium, fonts, axe-core
    Setup(setup::Arguments),
    /// Say what was found on this machine, and how to get what is missing
    Doctor(doctor::Arguments),
    /// Say what an outcome or an exit code means
    Explain(explain::Arguments),
    /// Print completions for a shell
    Completions(completions::Arguments),
}

/// When colour is used.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

/// How lists are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// Which browser a command uses.
#[derive(Debug, Clone, Default, Args)]
struct BrowserArguments {
    /// Use this Chromium: any, shell, full, or the path of a program
    #[arg(long, value_name = "WHICH", env = "LOUPE_BROWSER", default_value = "any", hide_env = true)]
    browser: String,
    /// Use a browser that runs elsewhere, by its ws://… address, instead of starting one
    #[arg(long, value_name = "URL", env = "LOUPE_CDP", hide_env = true)]
    cdp: Option<String>,
}

impl BrowserArguments {
    fn choice(&self) -> Choice {
        Choice::from(self.browser.as_str())
    }
}

/// Runs the program with its arguments, the first of which is its own name, and says how it ended.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(told) => {
            // Help and version are results (stdout, 0), anything else is a mistake (stderr); clap knows which.
            let _ = told.print();
            return if told.use_stderr() { Exit::Mistake } else { Exit::Holds };
        }
    };
    let mut terminal = Terminal::new(cli.colour(), cli.loudness());
    cli.run(&mut terminal).unwrap_or_else(|stopped| {
        stopped.diagnostics.iter().for_each(|diagnostic| terminal.error(diagnostic));
        stopped.exit
    })
}

impl Cli {
    fn run(self, terminal: &mut Terminal) -> Result<Exit, CommandError> {
        if let Some(directory) = &self.directory {
            enter(directory)?;
        }
        match self.command {
            Command::Run(arguments) => run::run(&arguments, terminal),
            Command::Repl(arguments) => repl::run(&arguments, terminal),
            Command::Capture(arguments) => capture::run(&arguments, terminal),
            Command::New(arguments) => new::run(&arguments, terminal),
            Command::Demo(arguments) => demo::run(&arguments, terminal),
            Command::Report(arguments) => report::run(&arguments, terminal),
            Command::Compare(arguments) => compare::run(&arguments, terminal),
            Command::Merge(arguments) => merge::run(&arguments, terminal),
            Command::Mutate(arguments) => mutate::run(&arguments, terminal),
            Command::Setup(arguments) => setup::run(&arguments, terminal),
            Command::Doctor(arguments) => doctor::run(&arguments, terminal),
            Command::Explain(arguments) => explain::run(&arguments, terminal),
            Command::Completions(arguments) => completions::run(&arguments, &mut Self::command(), terminal),
        }
    }

    fn colour(&self) -> ColorChoice {
        match self.color {
            Colour::Auto => ColorChoice::Auto,
            Colour::Always => ColorChoice::Always,
            Colour::Never => ColorChoice::Never,
        }
    }

    fn loudness(&self) -> Loudness {
        match (self.quiet, self.verbose) {
            (true, _) => Loudness::Quiet,
            (_, true) => Loudness::Verbose,
            _ => Loudness::Normal,
        }
    }
}

/// Makes `directory` the current one, so that every relative path after it means the same to all rooms.
fn enter(directory: &PathBuf) -> Result<(), CommandError> {
    std::env::set_current_dir(directory).map_err(|e| {
        CommandError::mistake(
            Diagnostic::new(format!("cannot work in `{}`", directory.display()))
                .expected("a folder that exists, after -C")
                .received(e.to_string()),
        )
    })
}

fn after_help() -> String {
    format!(
        "Exit codes:\n{}\nEvery long option can also be given as a variable: --some-option is LOUPE_SOME_OPTION.",
        Exit::table()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_command(command: &clap::Command) -> Vec<&clap::Command> {
        let below = command.get_subcommands().flat_map(every_command);
        std::iter::once(command).chain(below).collect()
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_long_option_has_its_variable() {
        let mut command = Cli::command();
        command.build();
        for command in every_command(&command) {
            for option in command.get_arguments() {
                let Some(long) = option.get_long().filter(|long| !["help", "version"].contains(long)) else { continue };
                let expected = format!("LOUPE_{}", long.to_uppercase().replace('-', "_"));
                let seen = option.get_env().map(|name| name.to_string_lossy().into_owned());
                assert_eq!(seen, Some(expected), "--{long} of {}", command.get_name());
            }
        }
    }

    #[test]
    fn every_command_and_option_is_described_in_the_imperative_without_a_period() {
        let mut command = Cli::command();
        command.build();
        for command in every_command(&command) {
            let options = command.get_arguments().filter_map(|a| a.get_help()).map(ToString::to_string);
            for help in options.chain(command.get_about().map(ToString::to_string)) {
                assert!(!help.is_empty() && !help.ends_with('.'), "{}: {help:?}", command.get_name());
            }
            assert!(command.get_about().is_some(), "{} has no description", command.get_name());
        }
    }
}
