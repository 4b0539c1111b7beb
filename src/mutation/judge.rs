//! What a flow says of a fault, read from its records.
//!
//! A fault counts as noticed only by a scenario that says of itself to be about it, that passed without the fault, and in
//! whose page the fault took effect. It deliberately compares no two faults; that is `matrix`.

use serde::Serialize;

use super::faults::Kind;
use super::mutant::Mutant;
use crate::record::{CaseRecord, Outcome, What};

/// What the script of a fault writes to the console once it changed something.
const EFFECT: &str = "loupe mutate: the fault took effect";

/// Of so many scenarios that use a hook the first are asked what they say when it is missing.
const MOST_FOR_A_HOOK: usize = 3;

/// What became of a fault in one artifact at one viewport.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// A harmful fault was noticed, by these scenarios.
    Killed {
        /// Their titles.
        by: Vec<String>,
    },
    /// A harmful fault took effect, and every scenario about it passed.
    Survived,
    /// A harmless change was not held against the page.
    Accepted,
    /// A harmless change was held against the page, by these scenarios.
    Flagged {
        /// Their titles.
        by: Vec<String>,
    },
    /// A hook fault was told as a broken contract everywhere, with how the scenarios went by its fallback.
    Contract {
        /// So many passed by the fallback.
        passed: usize,
        /// So many failed by it, or had none to go on with.
        stopped: usize,
    },
    /// A hook fault was told as something else, by these scenarios.
    Misjudged {
        /// Their titles, with their outcomes.
        by: Vec<String>,
    },
    /// The fault changed nothing in this artifact.
    WithoutEffect,
    /// No scenario is about it here.
    NotApplicable,
    /// Trouble of ours, so that nothing is known.
    Error {
        /// Where.
        by: Vec<String>,
    },
}

/// Of `passed`, the cases that passed without any fault, with the topics that each is about: those that are to be run with
/// this one. All are of one artifact at one viewport.
pub fn concerned<'a>(mutant: &Mutant, passed: &[(&'a CaseRecord, &[String])]) -> Vec<&'a CaseRecord> {
    let all = passed.iter().copied();
    match (mutant.fault.kind, &mutant.hook) {
        (Kind::Harmful, _) => {
            let about = |topics: &[String]| topics.iter().any(|topic| mutant.fault.topics.contains(&topic.as_str()));
            all.filter(|(_, topics)| about(topics)).map(|(record, _)| record).collect()
        }
        (Kind::Hook, Some(hook)) => {
            all.map(|(record, _)| record).filter(|record| uses(record, hook)).take(MOST_FOR_A_HOOK).collect()
        }
        _ => all.map(|(record, _)| record).collect(),
    }
}

/// Whether a word of the scenario named this hook.
fn uses(record: &CaseRecord, hook: &str) -> bool {
    let named = |text: &str| {
        let mut found = text.match_indices("hook=").map(|(at, word)| &text[at + word.len()..]);
        found.any(|rest| {
            rest.strip_prefix(hook)
                .is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || "-_".contains(c)))
        })
    };
    record.observations.iter().any(|seen| match &seen.what {
        What::Word { args, .. } => args.first().and_then(serde_json::Value::as_str).is_some_and(named),
        _ => false,
    })
}

/// What `records` say of the fault: the cases that [`concerned`] chose, run with it.
pub fn judge(mutant: &Mutant, records: &[&CaseRecord]) -> Verdict {
    let titled = |record: &&CaseRecord| record.case.scenario.clone().unwrap_or_default();
    let of = |wanted: &dyn Fn(&CaseRecord) -> bool| -> Vec<String> {
        records.iter().filter(|record| wanted(record)).map(titled).collect()
    };
    let broken = of(&|record| record.outcome == Outcome::Error);
    if records.is_empty() {
        return Verdict::NotApplicable;
    }
    if !records.iter().any(|record| took_effect(record)) {
        return if broken.is_empty() { Verdict::WithoutEffect } else { Verdict::Error { by: broken } };
    }
    match mutant.fault.kind {
        Kind::Harmful => {
            let by = of(&|record| record.outcome == Outcome::Failed && took_effect(record));
            match (by.is_empty(), broken.is_empty()) {
                (false, _) => Verdict::Killed { by },
                (true, false) => Verdict::Error { by: broken },
                (true, true) => Verdict::Survived,
            }
        }
        Kind::Harmless => {
            let by = of(&|record| !matches!(record.outcome, Outcome::Passed | Outcome::Error));
            match (by.is_empty(), broken.is_empty()) {
                (false, _) => Verdict::Flagged { by },
                (true, false) => Verdict::Error { by: broken },
                (true, true) => Verdict::Accepted,
            }
        }
        Kind::Hook => hook_verdict(records, broken),
    }
}

fn hook_verdict(records: &[&CaseRecord], broken: Vec<String>) -> Verdict {
    let misjudged = records.iter().filter(|record| !matches!(record.outcome, Outcome::Contract | Outcome::Error));
    let by: Vec<String> = misjudged
        .map(|record| format!("{} ({})", record.case.scenario.as_deref().unwrap_or_default(), record.outcome))
        .collect();
    if !by.is_empty() {
        return Verdict::Misjudged { by };
    }
    if !broken.is_empty() {
        return Verdict::Error { by: broken };
    }
    let passed = records.iter().filter(|record| record.fallback == Some(Outcome::Passed)).count();
    Verdict::Contract { passed, stopped: records.len() - passed }
}

fn took_effect(record: &CaseRecord) -> bool {
    record.observations.iter().any(|seen| matches!(&seen.what, What::Console { text, .. } if text == EFFECT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::mutants;
    use crate::record::{Case, Observation};

    fn record(scenario: &str, outcome: Outcome, effect: bool) -> CaseRecord {
        let case = Case::new(0, 0, ["kiosk", "magazine", "1"], "desktop", Some(scenario));
        let mut record = CaseRecord::new(case, outcome);
        let told = What::Console { level: "debug".into(), text: EFFECT.into(), source: None };
        record.observations.extend(effect.then_some(Observation { at_ms: 1, place: None, what: told }));
        record
    }

    fn verdict(id: &str, records: &[CaseRecord]) -> Verdict {
        let mutant = mutants([]).into_iter().find(|mutant| mutant.name() == id).unwrap();
        judge(&mutant, &records.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_fault_is_killed_only_where_it_took_effect_in_what_failed() {
        let (failed, passed) = (Outcome::Failed, Outcome::Passed);
        let killed = Verdict::Killed { by: vec!["a".to_owned()] };
        assert_eq!(verdict("search-ignored", &[record("a", failed, true), record("b", passed, true)]), killed);
        assert_eq!(verdict("search-ignored", &[record("a", passed, true)]), Verdict::Survived);
        assert_eq!(verdict("search-ignored", &[record("a", passed, false)]), Verdict::WithoutEffect);
        // What fails without the fault being there is no kill.
        assert_eq!(
            verdict("search-ignored", &[record("a", failed, false), record("b", passed, true)]),
            Verdict::Survived
        );
        assert_eq!(verdict("search-ignored", &[]), Verdict::NotApplicable);
        let error = Verdict::Error { by: vec!["a".to_owned()] };
        assert_eq!(verdict("search-ignored", &[record("a", Outcome::Error, true)]), error);
    }

    #[test]
    fn a_harmless_change_is_flagged_by_anything_but_a_pass() {
        for outcome in [Outcome::Failed, Outcome::Contract, Outcome::Skipped] {
            let flagged = Verdict::Flagged { by: vec!["a".to_owned()] };
            assert_eq!(verdict("shuffled", &[record("a", outcome, true)]), flagged);
        }
        assert_eq!(verdict("shuffled", &[record("a", Outcome::Passed, true)]), Verdict::Accepted);
    }
}
