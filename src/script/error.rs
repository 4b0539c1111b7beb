//! What a script ended with: whose trouble it is, and the whole story for people.
//!
//! It deliberately renders nothing; `diag` does.

use super::fault::Fault;
use crate::diag::{Diagnostic, Place};

/// The error that ended a script.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptError {
    /// What a word or an engine answered; its kind decides the outcome.
    pub fault: Fault,
    /// The same with its place and the calls that led there.
    pub diagnostic: Diagnostic,
}

impl std::fmt::Display for ScriptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for ScriptError {}

/// A fault on its way through an engine.
#[derive(Debug, Clone)]
pub(super) struct Raised {
    pub fault: Fault,
    /// The innermost place that is known.
    pub place: Option<Place>,
    /// The calls that led there, innermost first: a name and where it was called.
    pub trace: Vec<(String, Option<Place>)>,
}

impl Raised {
    pub fn new(fault: Fault, place: Option<Place>) -> Self {
        Self { fault, place, trace: Vec::new() }
    }
}

impl From<Raised> for ScriptError {
    fn from(raised: Raised) -> Self {
        let Raised { fault, place, trace } = raised;
        let diagnostic = Diagnostic {
            title: fault.message.clone(),
            place,
            label: None,
            expected: fault.expected.clone(),
            received: fault.received.clone(),
            log: fault.log.clone(),
            trace,
            hints: fault.hint.iter().cloned().collect(),
        };
        Self { fault, diagnostic }
    }
}
