//! What a word answers when it cannot do what was asked.
//!
//! A fault says whose trouble it is; it deliberately does not know the place in the script: the engines add it.

use serde::{Deserialize, Serialize};

/// A word's refusal, with its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Whose trouble it is.
    pub kind: FaultKind,
    /// What happened, one sentence without a final full stop.
    pub message: String,
    /// What was expected.
    pub expected: Option<String>,
    /// What was seen instead.
    pub received: Option<String>,
    /// What the wait saw, oldest first.
    pub log: Vec<String>,
    /// What to do.
    pub hint: Option<String>,
}

/// Whose trouble a fault is. Decides the outcome of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The artifact does not do it: the scenario failed.
    Artifact,
    /// A required hook is missing or ambiguous: contract.
    Contract,
    /// The scenario does not apply: skipped.
    Skip,
    /// The author's mistake: wrong arguments, unknown word, exception in the script.
    Script,
    /// Ours: browser, server, disk. Latched: no script can catch it.
    Harness,
    /// A limit of the scenario was hit (time, operations, memory). Latched.
    Limit,
    /// Someone pressed Ctrl-C. Latched.
    Interrupted,
}

impl FaultKind {
    /// Whether `pcall` and `try` must let it through: once such a fault happened nothing after it can be believed.
    pub fn is_latched(self) -> bool {
        matches!(self, Self::Skip | Self::Harness | Self::Limit | Self::Interrupted)
    }
}

impl Fault {
    /// A fault of `kind` that only has a message yet.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), expected: None, received: None, log: Vec::new(), hint: None }
    }

    /// The author's mistake.
    pub fn script(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Script, message)
    }

    /// Adds what was expected.
    #[must_use]
    pub fn expected(mut self, text: impl Into<String>) -> Self {
        self.expected = Some(text.into());
        self
    }

    /// Adds what was seen instead.
    #[must_use]
    pub fn received(mut self, text: impl Into<String>) -> Self {
        self.received = Some(text.into());
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint = Some(text.into());
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
