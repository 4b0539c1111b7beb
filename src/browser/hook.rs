//! Hooks as locators need them: how a control that a brief obliges is found, and how its items are told apart.
//!
//! It deliberately does not read briefs; the run hands them over.

use std::collections::BTreeMap;

/// A hook as a brief declares it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookSpec {
    /// The value of `data-testid`.
    pub testid: String,
    /// The locators that are tried, in this order, where the hook is missing.
    pub fallback: Vec<String>,
    /// The attribute that says which item an element shows.
    pub identity: Option<String>,
    /// Identities by text: a fact's id, and the text that says that an element shows it.
    pub names: Vec<(String, String)>,
    /// Whether every artifact must have it.
    pub required: bool,
    /// Whether the artifact's own files mention it: then its absence is behaviour, not a broken contract.
    pub mentioned: bool,
}

/// The hooks of a brief by name.
pub type Hooks = BTreeMap<String, HookSpec>;
