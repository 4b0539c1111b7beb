//! What a run was asked to do and under which conditions: `inputs.json` at its start, `run.json` at its end.
//!
//! Everything here is told by the caller; this file deliberately looks nothing up.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{BriefUsed, CaseKey, Declared, Outcome, Total};

/// This program, as stored runs name it.
pub const TOOL: &str = concat!("loupe ", env!("CARGO_PKG_VERSION"));

/// The conditions of a run. Two runs can be merged, and a run resumed, only under equal conditions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// [`TOOL`] of the program that wrote the run.
    pub tool: String,
    /// The study's name.
    pub study: String,
    /// When the run began, RFC 3339. For people only, never compared.
    pub started: String,
    /// The seed from which every case's seed derives.
    pub seed: u64,
    /// The browser that looked.
    pub browser: Browser,
    /// What each viewport is, by name: `390x844 mobile @2`.
    pub viewports: BTreeMap<String, String>,
    /// The network policy: `block`, `allow` or `replay`, and what is reached all the same.
    pub network: String,
    /// The name of the protocol. Empty in runs before format 1.2.
    #[serde(default)]
    pub protocol: String,
    /// How long scenarios, actions and expectations may take, in words. Empty in runs before format 1.2.
    #[serde(default)]
    pub timeouts: String,
    /// Which part of the study was run.
    pub selection: Selection,
}

/// A browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Browser {
    /// The name of its binary, without the folder.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl fmt::Display for Browser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

/// Which part of a study's cases is meant. What is empty or absent restricts nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// A part of the scenario's title, the arm or the brief; upper and lower case are the same.
    pub contains: Option<String>,
    /// Arms.
    pub arms: Vec<String>,
    /// Briefs.
    pub briefs: Vec<String>,
    /// Names of viewports.
    pub viewports: Vec<String>,
    /// Exactly these cases (those that failed last time).
    pub only: Option<BTreeSet<CaseKey>>,
    /// One part of several.
    pub shard: Option<Shard>,
}

/// Part `index` of `count`, counted from 1; written `2/3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Which part, from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// Of how many.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether this part takes the case. It depends on the key alone, so every case has exactly one part.
    pub fn takes(self, key: &CaseKey) -> bool {
        key.number() % self.count == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if 1 <= index && index <= count => Ok(Self { index, count }),
            _ => Err(format!("`{text}` is not a shard; expected K/N with 1 <= K <= N, such as 1/3")),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// `inputs.json`: written before the first case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// The conditions.
    pub settings: Settings,
    /// How many cases the run consists of.
    pub planned: u64,
    /// The digest of every input of the study, selected or not, by its path in the study.
    pub digests: BTreeMap<String, String>,
    /// What artifacts took from elsewhere, as their authors declare it, by the artifact as people read it. One whose
    /// author declares nothing at all is not among them.
    #[serde(default)]
    pub assets: BTreeMap<String, Vec<Declared>>,
    /// The version of every script that judges, by its name among the digests; none where its header tells none.
    #[serde(default)]
    pub evaluators: BTreeMap<String, Option<u32>>,
    /// What of each brief was used, by its id.
    #[serde(default)]
    pub briefs: BTreeMap<String, BriefUsed>,
    /// Artifacts that somebody else serves, by their names among the digests: what they showed is on no record.
    #[serde(default)]
    pub remote: BTreeSet<String>,
}

impl Inputs {
    /// The name of an artifact among the digests.
    pub fn name_of([arm, brief, sample]: [&str; 3]) -> String {
        format!("artifacts/{brief}/{arm}/{sample}")
    }

    /// Under which condition the artifacts of a brief were made; `None` for the usual one.
    pub fn condition(&self, brief: &str) -> Option<&str> {
        self.briefs.get(brief)?.condition.as_deref()
    }

    /// Every way in which `other` is not the beginning of the same run, in words. When it began does not count.
    pub fn changes(&self, other: &Self) -> Vec<String> {
        let (one, two) = (&self.settings, &other.settings);
        let pairs = [
            ("the version of loupe", one.tool.clone(), two.tool.clone()),
            ("the study", one.study.clone(), two.study.clone()),
            ("the seed", one.seed.to_string(), two.seed.to_string()),
            ("the browser", one.browser.to_string(), two.browser.to_string()),
            ("the network policy", one.network.clone(), two.network.clone()),
            ("the list of viewports", format!("{:?}", one.viewports), format!("{:?}", two.viewports)),
            ("the selection", format!("{:?}", one.selection), format!("{:?}", two.selection)),
            ("the number of cases", self.planned.to_string(), other.planned.to_string()),
        ];
        let settings = pairs.into_iter().filter(|(_, a, b)| a != b);
        let settings = settings.map(|(name, a, b)| format!("{name} was {a} and is {b}"));
        let known = self.digests.iter().filter_map(|(name, digest)| match other.digests.get(name) {
            None => Some(format!("the input {name} is gone")),
            Some(now) if now != digest => Some(format!("the input {name} has changed")),
            Some(_) => None,
        });
        let new = other.digests.keys().filter(|name| !self.digests.contains_key(*name));
        settings.chain(known).chain(new.map(|name| format!("the input {name} is new"))).collect()
    }
}

/// `run.json`: written when every planned case is on the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The run's id, the name of its folder.
    pub id: String,
    /// The conditions.
    pub settings: Settings,
    /// How the cases ended, for each condition by itself. Empty in runs before format 1.2.
    #[serde(default)]
    pub totals: Vec<Total>,
}

/// How many cases ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// See [`Outcome::Passed`]. Flaky passes are among them.
    pub passed: u64,
    /// See [`Outcome::Failed`].
    pub failed: u64,
    /// See [`Outcome::Contract`].
    pub contract: u64,
    /// See [`Outcome::Skipped`].
    pub skipped: u64,
    /// See [`Outcome::Error`].
    pub error: u64,
    /// Passes after a harness error.
    pub flaky: u64,
}

impl Counts {
    /// Counts one case.
    pub fn add(&mut self, outcome: Outcome, flaky: bool) {
        let count = match outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Failed => &mut self.failed,
            Outcome::Contract => &mut self.contract,
            Outcome::Skipped => &mut self.skipped,
            Outcome::Error => &mut self.error,
        };
        *count += 1;
        self.flaky += u64::from(flaky);
    }

    /// How many ended with `outcome`.
    pub fn of(&self, outcome: Outcome) -> u64 {
        match outcome {
            Outcome::Passed => self.passed,
            Outcome::Failed => self.failed,
            Outcome::Contract => self.contract,
            Outcome::Skipped => self.skipped,
            Outcome::Error => self.error,
        }
    }

    /// How many cases were counted.
    pub fn total(&self) -> u64 {
        Outcome::ALL.iter().map(|outcome| self.of(*outcome)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_read_as_it_is_written() {
        assert_eq!("2/3".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/3".to_owned()));
        for wrong in ["", "0/3", "4/3", "1/0", "1", "a/b", "1/2/3", "-1/3"] {
            assert!(wrong.parse::<Shard>().unwrap_err().contains("K/N"), "{wrong}");
        }
    }
}
