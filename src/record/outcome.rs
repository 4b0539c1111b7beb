//! The record of one finished case: how it ended, why, and what was seen on the way.
//!
//! Judging the whole run (gates, exit codes) is deliberately not done here.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Case, Loaded, Observation};
use crate::diag::{Diagnostic, Place};

/// How a case ended. A capture that was taken is `Passed`, one that could not be taken is `Error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Everything expected was seen.
    Passed,
    /// The artifact does not do it.
    Failed,
    /// A required hook is missing or ambiguous: an integration failure, no proof that the control does not work.
    Contract,
    /// The scenario does not apply; the diagnostic's title is the reason.
    Skipped,
    /// Ours: browser, server, script. Never counted against an artifact.
    Error,
}

impl Outcome {
    /// All outcomes in the order in which reports show them.
    pub const ALL: [Self; 5] = [Self::Passed, Self::Failed, Self::Contract, Self::Skipped, Self::Error];

    /// The word for people and files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Contract => "contract",
            Self::Skipped => "skipped",
            Self::Error => "error",
        }
    }

    /// What it says about the artifact, and what to do about it, in a sentence or two.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Passed => "everything expected was seen",
            Self::Failed => "the artifact does not do it: the place in the flow and what was seen instead are told",
            Self::Contract => {
                "a required hook is missing or ambiguous: an integration failure, no proof that the control does not \
                 work; give the control the test hook that the brief asks for, or declare a `fallback` in brief.toml"
            }
            Self::Skipped => "the scenario does not apply to this artifact, for the reason that is told",
            Self::Error => {
                "trouble with the browser, the machine or the flow itself, never counted against an artifact; mend it, \
                 then run again with --last-failed"
            }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// An attempt that ended in a harness error and was repeated on a fresh browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// How it ended.
    pub outcome: Outcome,
    /// Why.
    pub diagnostic: Option<Diagnostic>,
}

/// A named part of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// How many steps it lies in: 0 for a step of the scenario itself.
    pub depth: u32,
    /// Whether it was left without an error.
    pub ok: bool,
    /// Milliseconds since the case began.
    pub at_ms: u64,
    /// How long it took.
    pub took_ms: u64,
}

/// A file of the run that belongs to a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The name the flow gave it.
    pub name: String,
    /// Where it is, relative to the run's folder, with `/`.
    pub path: String,
}

/// One finished case. One line of `cases.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// Which case.
    pub case: Case,
    /// How it ended.
    pub outcome: Outcome,
    /// How the flow ended with the fallback locators, where a hook was missing and the brief declares one.
    pub fallback: Option<Outcome>,
    /// It passed, but only after a harness error.
    pub flaky: bool,
    /// The attempts before the last one, oldest first.
    pub attempts: Vec<Attempt>,
    /// Why it did not pass; the reason if it was skipped.
    pub diagnostic: Option<Diagnostic>,
    /// Soft expectations that failed, in order.
    pub soft: Vec<Diagnostic>,
    /// What was seen, in order.
    pub observations: Vec<Observation>,
    /// The steps, in the order in which they began.
    pub steps: Vec<Step>,
    /// Pictures.
    pub pictures: Vec<Stored>,
    /// Frozen pages.
    pub captures: Vec<Stored>,
    /// What its pages loaded, and what they asked other hosts for, each once.
    #[serde(default)]
    pub loaded: Vec<Loaded>,
    /// Milliseconds from the run's start to the case's.
    pub started_ms: u64,
    /// How long the last attempt took.
    pub duration_ms: u64,
}

/// What must be equal between two runs over the same inputs: the judgement without times, evidence, and harness luck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// Which case.
    pub case: &'a Case,
    /// How it ended.
    pub outcome: Outcome,
    /// How it ended with fallback locators.
    pub fallback: Option<Outcome>,
    /// What was held against the artifact and where in the flow: the diagnostic, then the soft ones.
    pub reasons: Vec<(&'a str, Option<&'a Place>, Option<&'a str>)>,
    /// The steps by name, and whether each was left without an error.
    pub steps: Vec<(&'a str, bool)>,
    /// The names of pictures and captures.
    pub files: Vec<&'a str>,
}

impl CaseRecord {
    /// Everything it says of why it did not pass, soft failures too: titles, and what was expected and received, a line each.
    pub fn reasons(&self) -> String {
        let part = |text: &Option<String>| text.as_deref().map_or_else(String::new, |text| format!("{text}\n"));
        let told = |d: &Diagnostic| format!("{}\n{}{}", d.title, part(&d.expected), part(&d.received));
        self.diagnostic.iter().chain(&self.soft).map(told).collect()
    }

    /// A record of `case` that ended with `outcome`, with nothing else in it yet.
    pub fn new(case: Case, outcome: Outcome) -> Self {
        Self {
            case,
            outcome,
            fallback: None,
            flaky: false,
            attempts: Vec::new(),
            diagnostic: None,
            soft: Vec::new(),
            observations: Vec::new(),
            steps: Vec::new(),
            pictures: Vec::new(),
            captures: Vec::new(),
            loaded: Vec::new(),
            started_ms: 0,
            duration_ms: 0,
        }
    }

    /// Everything that must be equal between two runs.
    ///
    /// `received`, call logs, and observations are evidence of one moment (a count of open requests, a pixel), and
    /// retries are the harness's luck: two runs may differ in them and agree all the same.
    pub fn verdict(&self) -> Verdict<'_> {
        let reasons = self.diagnostic.iter().chain(&self.soft);
        Verdict {
            case: &self.case,
            outcome: self.outcome,
            fallback: self.fallback,
            reasons: reasons.map(|d| (d.title.as_str(), d.place.as_ref(), d.expected.as_deref())).collect(),
            steps: self.steps.iter().map(|step| (step.name.as_str(), step.ok)).collect(),
            files: self.pictures.iter().chain(&self.captures).map(|file| file.name.as_str()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> CaseRecord {
        let mut record = CaseRecord::new(Case::new(1, 0, ["a", "b", "1"], "wide", Some("search")), Outcome::Failed);
        record.diagnostic = Some(Diagnostic::new("shows the wrong items").expected("[\"a1\"]"));
        record.steps.push(Step { name: "type".into(), depth: 0, ok: true, at_ms: 1, took_ms: 2 });
        record
    }

    #[test]
    fn times_evidence_and_luck_are_not_part_of_the_verdict() {
        let one = record();
        let mut two = record();
        two.started_ms = 900;
        two.duration_ms = 901;
        two.steps[0].at_ms = 902;
        two.flaky = true;
        two.attempts.push(Attempt { outcome: Outcome::Error, diagnostic: None });
        two.diagnostic.as_mut().unwrap().log.push("seen after 903 ms".into());
        assert_eq!(one.verdict(), two.verdict());
        assert_ne!(one, two);
    }

    #[test]
    fn what_was_judged_is_part_of_the_verdict() {
        let one = record();
        let changes: [fn(&mut CaseRecord); 5] = [
            |r| r.outcome = Outcome::Passed,
            |r| r.fallback = Some(Outcome::Passed),
            |r| r.diagnostic = None,
            |r| r.soft.push(Diagnostic::new("also")),
            |r| r.steps[0].ok = false,
        ];
        for change in changes {
            let mut two = record();
            change(&mut two);
            assert_ne!(one.verdict(), two.verdict());
        }
    }

    #[test]
    fn a_line_of_format_1_0_is_still_read() {
        let mut line = serde_json::to_value(record()).unwrap();
        line.as_object_mut().unwrap().remove("loaded").expect("later formats have it");
        line["case"].as_object_mut().unwrap().remove("repaired").expect("later formats have it");
        assert_eq!(serde_json::from_value::<CaseRecord>(line).unwrap(), record());
    }

    #[test]
    fn a_word_is_the_stored_word() {
        for outcome in Outcome::ALL {
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.word());
        }
    }
}
