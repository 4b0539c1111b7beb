//! Where text leaves the program: results on stdout, everything else on stderr.
//!
//! It deliberately knows no command. A reader that stops early (`loupe … | head`) is not an error: the work goes on,
//! the rest of its text goes nowhere, and the exit code still tells the result.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};

use crate::cli::error::CommandError;
use crate::diag::{Diagnostic, Severity};

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loudness {
    /// Errors and warnings only.
    Quiet,
    /// Also what is being done.
    Normal,
    /// Also the details: what was tried, what other programs say.
    Verbose,
}

/// The two streams of the program.
#[derive(Debug)]
pub struct Terminal {
    loudness: Loudness,
    out: AutoStream<io::Stdout>,
    err: AutoStream<io::Stderr>,
}

impl Terminal {
    /// The process's own streams. `colour` is asked for each stream apart: one may be a file.
    pub fn new(colour: ColorChoice, loudness: Loudness) -> Self {
        Self { loudness, out: AutoStream::new(io::stdout(), colour), err: AutoStream::new(io::stderr(), colour) }
    }

    /// How much is to be said.
    pub fn loudness(&self) -> Loudness {
        self.loudness
    }

    /// Writes a result to stdout as it is.
    ///
    /// # Errors
    /// stdout is a file on a full disk, or the like. A closed pipe is no error.
    pub fn result(&mut self, text: impl Display) -> Result<(), CommandError> {
        match write!(self.out, "{text}").and_then(|()| self.out.flush()) {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                Err(CommandError::harness(Diagnostic::new("cannot write the result to stdout").received(e.to_string())))
            }
            _ => Ok(()),
        }
    }

    /// stdout, for a result that is written piece by piece.
    pub fn stdout(&mut self) -> &mut AutoStream<io::Stdout> {
        &mut self.out
    }

    /// Says what is being done, one line on stderr.
    pub fn note(&mut self, text: impl Display) {
        if self.loudness > Loudness::Quiet {
            // There is nowhere left to report that stderr is gone.
            let _ = writeln!(self.err, "{text}");
        }
    }

    /// Shows an error on stderr, whatever the loudness.
    pub fn error(&mut self, diagnostic: &Diagnostic) {
        self.show(diagnostic, Severity::Error);
    }

    /// Shows a warning on stderr, whatever the loudness.
    pub fn warning(&mut self, diagnostic: &Diagnostic) {
        self.show(diagnostic, Severity::Warning);
    }

    fn show(&mut self, diagnostic: &Diagnostic, level: Severity) {
        // The stream strips the colour again where it is not wanted.
        let _ = write!(self.err, "{}", diagnostic.render(level, true));
    }
}
