//! How many cases ended how, for each condition by itself.
//!
//! Results of different conditions answer different questions; there is deliberately no sum over them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CaseKind, Counts, Inputs, Outcome};

/// How the cases of one condition ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// The condition; none for the usual one.
    pub condition: Option<String>,
    /// How the scenarios ended.
    pub scenarios: Counts,
    /// How the captures ended.
    pub captures: Counts,
}

/// The totals of a run, kept while it is written or read.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals(BTreeMap<Option<String>, Total>);

impl Total {
    /// How many scenarios and captures ended with `outcome`.
    pub fn of(&self, outcome: Outcome) -> u64 {
        self.scenarios.of(outcome) + self.captures.of(outcome)
    }
}

impl Totals {
    /// Counts one case of the brief `brief`.
    pub fn add(&mut self, inputs: &Inputs, brief: &str, kind: CaseKind, outcome: Outcome, flaky: bool) {
        let condition = inputs.condition(brief).map(str::to_owned);
        let new = || Total { condition: condition.clone(), ..Total::default() };
        let total = self.0.entry(condition.clone()).or_insert_with(new);
        match kind {
            CaseKind::Scenario => total.scenarios.add(outcome, flaky),
            CaseKind::Capture => total.captures.add(outcome, flaky),
        }
    }

    /// How many cases were counted.
    pub fn cases(&self) -> u64 {
        self.0.values().map(|total| total.scenarios.total() + total.captures.total()).sum()
    }

    /// The usual condition first, then by name. A run without any case has one total all the same.
    pub fn list(&self) -> Vec<Total> {
        if self.0.is_empty() { vec![Total::default()] } else { self.0.values().cloned().collect() }
    }
}
