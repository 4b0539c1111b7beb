//! A case: one scenario or one capture of one artifact at one viewport, and the key that names it for good.
//!
//! Keys and seeds come from what identifies a case, never from its position, so shards merged equal an unsharded run.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The name of a case: 16 hexadecimal digits of a hash over what identifies it. The same in every run of a study.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CaseKey(String);

impl CaseKey {
    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A number spread evenly over all keys; decides the shard.
    pub fn number(&self) -> u64 {
        first_u64(&self.0)
    }
}

impl fmt::Display for CaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a case does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseKind {
    /// Runs one scenario of the brief's flow.
    Scenario,
    /// Freezes the start page.
    Capture,
}

/// One unit of work of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Its name.
    pub key: CaseKey,
    /// What it does.
    pub kind: CaseKind,
    /// The arm that generated the artifact.
    pub arm: String,
    /// The brief it answers.
    pub brief: String,
    /// Which attempt of the arm.
    pub sample: String,
    /// Whether somebody repaired that attempt. Not part of the identity.
    #[serde(default)]
    pub repaired: bool,
    /// The name of the viewport.
    pub viewport: String,
    /// The scenario's title; absent for captures.
    pub scenario: Option<String>,
    /// Its place in the plan of the whole study, before any selection: reports follow it. Not part of its identity.
    pub order: u64,
    /// The case's own seed, from the run's seed and the key. Below 2^53, so that every JSON reader keeps it exact.
    pub seed: u64,
}

impl Case {
    /// A case of the artifact (`arm`, `brief`, `sample`) at `viewport`: `scenario`'s, or a capture if there is none.
    pub fn new(
        run_seed: u64,
        order: u64,
        [arm, brief, sample]: [&str; 3],
        viewport: &str,
        scenario: Option<&str>,
    ) -> Self {
        let kind = if scenario.is_some() { CaseKind::Scenario } else { CaseKind::Capture };
        let kind_word = if scenario.is_some() { "scenario" } else { "capture" };
        let key = CaseKey(digest(&[kind_word, arm, brief, sample, viewport, scenario.unwrap_or_default()]));
        let seed = first_u64(&digest(&["seed", &run_seed.to_string(), &key.0])) >> 11;
        Self {
            key,
            kind,
            arm: arm.to_owned(),
            brief: brief.to_owned(),
            sample: sample.to_owned(),
            repaired: false,
            viewport: viewport.to_owned(),
            scenario: scenario.map(str::to_owned),
            order,
            seed,
        }
    }

    /// What identifies its artifact: arm, brief and sample.
    pub fn names(&self) -> [&str; 3] {
        [&self.arm, &self.brief, &self.sample]
    }

    /// The artifact as people read it: `brief / arm / sample`, labelled if it is repaired.
    pub fn artifact(&self) -> String {
        self.labelled(&Self::artifact_of(&self.brief, &self.arm, &self.sample))
    }

    /// The name of something that belongs to the artifact, labelled if that is repaired: the one place that spells the
    /// label.
    pub fn labelled(&self, name: &str) -> String {
        if self.repaired { format!("{name} (repaired)") } else { name.to_owned() }
    }

    /// The name of an artifact, without any label.
    pub fn artifact_of(brief: &str, arm: &str, sample: &str) -> String {
        format!("{brief} / {arm} / {sample}")
    }

    /// The scenario's title, or `capture`.
    pub fn title(&self) -> &str {
        self.scenario.as_deref().unwrap_or("capture")
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}: {}", self.artifact(), self.viewport, self.title())
    }
}

/// 16 hexadecimal digits over `parts`. Each part is preceded by its length, so that no two lists run together.
fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The value of up to 16 leading hexadecimal digits; a key that was tampered with counts as 0 instead of a panic.
fn first_u64(hex: &str) -> u64 {
    hex.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(seed: u64, order: u64, arm: &str, brief: &str, scenario: Option<&str>) -> Case {
        Case::new(seed, order, [arm, brief, "1"], "wide", scenario)
    }

    #[test]
    fn the_key_is_the_same_for_good() {
        // A stored run names its cases by these digits: a change here makes every old run a stranger.
        assert_eq!(case(7, 3, "folio", "magazine", Some("search")).key.as_str(), "44df1833b9a6a8bb");
    }

    #[test]
    fn identity_makes_the_key_and_nothing_else_does() {
        let one = case(7, 3, "folio", "magazine", Some("search"));
        assert_eq!(one.key, case(8, 4, "folio", "magazine", Some("search")).key);
        assert_ne!(one.key, case(7, 3, "folio", "magazine", Some("save")).key);
        assert_ne!(one.key, case(7, 3, "folio", "magazine", None).key);
        assert_ne!(case(7, 3, "ab", "c", None).key, case(7, 3, "a", "bc", None).key, "parts must not run together");
        assert_ne!(case(7, 3, "a", "b", None).key, case(7, 3, "a", "b", Some("")).key, "an empty title is a title");
    }

    #[test]
    fn seeds_follow_the_run_seed_and_stay_exact_in_json() {
        let seeds: Vec<u64> = (0..200).map(|seed| case(seed, 0, "a", "b", None).seed).collect();
        assert!(seeds.iter().all(|seed| *seed < 1 << 53));
        assert_eq!(seeds.iter().collect::<std::collections::BTreeSet<_>>().len(), 200);
    }
}
