//! Reports: views of a stored run, for people and for machines.
//!
//! The bytes of a report are a pure function of the run's records. This room sees the record and the ground below it,
//! and deliberately nothing of browsers, scripts, or studies: a report can be made next year, on another machine.
//! Everything in a record that came from a page is hostile text; every format escapes it in its own way.

pub mod compare;
mod evidence;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
mod overview;
mod summary;
pub mod terminal;

use std::io;

use crate::diag::Diagnostic;
use crate::record::{self, Outcome};

/// What stands against an artifact.
const AGAINST_THE_ARTIFACT: [Outcome; 2] = [Outcome::Failed, Outcome::Contract];

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The run could not be read.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// The report could not be written: the disk refused, or the reader of a pipe went away.
    #[error("cannot write the report: {0}")]
    Write(#[from] io::Error),
}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Self {
        match error {
            Error::Record(error) => error.into(),
            Error::Write(_) => Self::new(error.to_string()).hint("check that the folder exists and has space"),
        }
    }
}
