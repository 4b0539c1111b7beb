//! How a case ended: the one place where faults become outcomes.
//!
//! It deliberately sees no page: what a script answered and what was written down is all it needs.

use crate::api::Notebook;
use crate::diag::Diagnostic;
use crate::record::Outcome;
use crate::script::{FaultKind, ScriptError};

/// The end of one attempt.
pub(super) struct End {
    pub outcome: Outcome,
    /// How it went with a hook's fallback, when the contract was broken.
    pub fallback: Option<Outcome>,
    pub diagnostic: Option<Diagnostic>,
    /// Whether another attempt may help: trouble of ours, not of the script.
    pub worth_retrying: bool,
}

impl End {
    /// Trouble of ours.
    pub fn trouble(diagnostic: Diagnostic) -> Self {
        Self { outcome: Outcome::Error, fallback: None, diagnostic: Some(diagnostic), worth_retrying: true }
    }
}

/// Judges what a scenario's script ended with. `None`: it was interrupted and has no outcome.
pub(super) fn conclude(result: Result<(), ScriptError>, notes: &Notebook) -> Option<End> {
    let (outcome, diagnostic, worth_retrying) = match result {
        Ok(()) if notes.soft.is_empty() => (Outcome::Passed, None, false),
        Ok(()) => (Outcome::Failed, None, false),
        Err(error) => {
            let (outcome, retry) = match error.fault.kind {
                FaultKind::Artifact => (Outcome::Failed, false),
                FaultKind::Contract => (Outcome::Contract, false),
                FaultKind::Skip => (Outcome::Skipped, false),
                FaultKind::Script => (Outcome::Error, false),
                // What was measured stands, also if waiting for more of the same took all the time there was.
                FaultKind::Limit if !notes.soft.is_empty() => (Outcome::Failed, false),
                FaultKind::Harness | FaultKind::Limit => (Outcome::Error, true),
                FaultKind::Interrupted => return None,
            };
            (outcome, Some(error.diagnostic), retry)
        }
    };
    // With a hook missing, what the fallback showed stands beside the broken contract; it is no verdict of its own.
    let broken = notes.contract_broken() && matches!(outcome, Outcome::Passed | Outcome::Failed);
    let (outcome, fallback) = if broken { (Outcome::Contract, Some(outcome)) } else { (outcome, None) };
    Some(End { outcome, fallback, diagnostic, worth_retrying })
}
