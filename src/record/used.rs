//! What a run used of each brief, beyond the digests of its files: version, condition, and which scripts judge what.
//!
//! It deliberately keeps no text: the run's folder has copies.

use serde::{Deserialize, Serialize};

/// A brief, as a run used it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BriefUsed {
    /// Its version, as its author counts.
    pub version: String,
    /// Under which condition its artifacts were made, if that is not the usual one.
    pub condition: Option<String>,
    /// Its flows.
    pub flows: Vec<FlowUsed>,
}

/// A flow, as a run used it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowUsed {
    /// The scripts that it consists of, as digests name them: its own first, then what that imports.
    pub scripts: Vec<String>,
    /// The titles of the scenarios that it declares.
    pub scenarios: Vec<String>,
}

/// A version of an evaluator as people read it: a script need not tell it.
pub fn evaluator_shown(version: Option<u32>) -> String {
    version.map_or_else(|| "unknown".to_owned(), |version| version.to_string())
}
