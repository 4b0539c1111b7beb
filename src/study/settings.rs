//! `loupe.toml`: the study's name, protocol, arms, viewports, network and time limits, and where its artifacts are.
//!
//! It deliberately looks at no other file: which artifacts and briefs exist is found elsewhere.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::pattern::Pattern;
use crate::diag::{Diagnostic, Place, did_you_mean};
use crate::protocol::Viewport;
use crate::sheet::{Found, Mistakes, Table, Text, read as read_toml};

/// What generates: a model, a harness, a skill, or the real reference page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arm {
    /// What people call it; its id where the study does not say.
    pub label: String,
}

/// What artifacts may reach beyond their own origin.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    /// What happens to a request for another origin.
    pub mode: NetworkMode,
    /// Origins that are reached whatever the mode, as `host:port`.
    pub also: Vec<String>,
}

/// What happens to a request for another origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NetworkMode {
    /// It is refused and recorded.
    #[default]
    Block,
    /// It goes out and is recorded.
    Allow,
    /// It is answered from a recording.
    Replay,
}

impl std::fmt::Display for NetworkMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Block => "block",
            Self::Allow => "allow",
            Self::Replay => "replay",
        })
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.mode.fmt(f)?;
        if self.also.is_empty() { Ok(()) } else { write!(f, ", also {}", self.also.join(", ")) }
    }
}

/// How long things may take before they count as failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeouts {
    /// One scenario, from its set-up to its end.
    pub scenario: Duration,
    /// One action, such as a click.
    pub action: Duration,
    /// One expectation.
    pub expect: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { scenario: Duration::from_secs(30), action: Duration::from_secs(10), expect: Duration::from_secs(5) }
    }
}

impl std::fmt::Display for Timeouts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [scenario, action, expect] = [self.scenario, self.action, self.expect].map(|time| time.as_secs_f64());
        write!(f, "scenario {scenario} s, action {action} s, expectation {expect} s")
    }
}

/// What `loupe.toml` says.
pub(super) struct Settings {
    pub name: Found<String>,
    pub protocol: Found<String>,
    pub pattern: Option<Found<Pattern>>,
    pub arms: BTreeMap<String, Arm>,
    pub viewports: Vec<Viewport>,
    pub network: Network,
    pub timeouts: Timeouts,
    pub remote: Vec<Remote>,
}

/// An artifact that is somewhere else: a table `[[artifact]]`.
pub(super) struct Remote {
    pub arm: String,
    pub brief: String,
    pub sample: String,
    pub url: String,
    pub place: Place,
}

pub(super) fn read(text: &Text, mistakes: &Mistakes) -> Option<Settings> {
    read_toml(text, mistakes, |table| {
        let name = table.need::<String>("name");
        let protocol = table.need::<String>("protocol");
        let pattern = pattern(table);
        let arms = table.named("arms", |id, arm| {
            Some(Arm { label: arm.get::<String>("label").map_or_else(|| id.to_owned(), |found| found.value) })
        });
        let viewports = Viewport::read_all(table);
        let network = table.table("network", network).unwrap_or_default();
        let timeouts = table.table("timeouts", timeouts).unwrap_or_default();
        let remote = table.tables("artifact", remote);
        if arms.is_empty() && !table.has("arms") {
            table.mistake(
                Diagnostic::new("the study declares no arms")
                    .at(table.place())
                    .hint("declare each arm that generated artifacts: [arms.NAME] label = \"…\""),
            );
        }
        if !table.has("artifacts") && !table.has("artifact") {
            table.mistake(
                Diagnostic::new("the study does not say where its artifacts are")
                    .at(table.place())
                    .hint("add artifacts = \"artifacts/{arm}/{brief}/{sample}\", or [[artifact]] tables with an url"),
            );
        }
        Some(Settings { name: name?, protocol: protocol?, pattern, arms, viewports, network, timeouts, remote })
    })
}

fn pattern(table: &mut Table<'_>) -> Option<Found<Pattern>> {
    let found = table.get::<String>("artifacts")?;
    match Pattern::parse(&found.value) {
        Ok(value) => Some(Found { value, place: found.place }),
        Err(mistake) => {
            table.mistake(mistake.at(found.place));
            None
        }
    }
}

fn network(table: &mut Table<'_>) -> Option<Network> {
    let mode = match table.get::<String>("mode") {
        None => NetworkMode::default(),
        Some(found) => network_mode(table, &found).unwrap_or_default(),
    };
    let also = table.get::<Vec<String>>("also");
    for (entry, place) in also.iter().flat_map(|found| found.value.iter().map(|entry| (entry, &found.place))) {
        let port = entry.rsplit_once(':').filter(|(host, _)| !host.is_empty() && !host.contains('/'));
        if port.and_then(|(_, port)| port.parse::<u16>().ok()).is_none() {
            table.mistake(
                Diagnostic::new("an entry of `also` is not a host with a port")
                    .at(place.clone())
                    .expected("host:port, as in \"localhost:8080\"")
                    .received(entry.as_str()),
            );
        }
    }
    Some(Network { mode, also: also.map(|found| found.value).unwrap_or_default() })
}

fn network_mode(table: &Table<'_>, found: &Found<String>) -> Option<NetworkMode> {
    let modes = [("block", NetworkMode::Block), ("allow", NetworkMode::Allow), ("replay", NetworkMode::Replay)];
    if let Some((_, mode)) = modes.iter().find(|(name, _)| *name == found.value) {
        return Some(*mode);
    }
    let mut mistake = Diagnostic::new("unknown network mode")
        .at(found.place.clone())
        .expected("block, allow or replay")
        .received(found.value.as_str());
    if let Some(near) = did_you_mean(&found.value, modes.iter().map(|(name, _)| *name)) {
        mistake = mistake.hint(format!("did you mean `{near}`?"));
    }
    table.mistake(mistake);
    None
}

fn timeouts(table: &mut Table<'_>) -> Option<Timeouts> {
    let default = Timeouts::default();
    Some(Timeouts {
        scenario: seconds(table, "scenario", default.scenario),
        action: seconds(table, "action", default.action),
        expect: seconds(table, "expect", default.expect),
    })
}

fn seconds(table: &mut Table<'_>, key: &'static str, default: Duration) -> Duration {
    let Some(found) = table.get::<f64>(key) else { return default };
    if found.value > 0.0 && found.value <= 3600.0 {
        return Duration::from_secs_f64(found.value);
    }
    table.mistake(
        Diagnostic::new(format!("the time limit `{key}` is out of range"))
            .at(found.place)
            .expected("seconds, more than 0 and at most 3600")
            .received(found.value.to_string()),
    );
    default
}

fn remote(table: &mut Table<'_>) -> Option<Remote> {
    let arm = table.need::<String>("arm");
    let brief = table.need::<String>("brief");
    let sample = table.need::<String>("sample");
    let url = table.need::<String>("url")?;
    if !super::target::is_url(&url.value) {
        table.mistake(
            Diagnostic::new("an artifact's url must be a web address")
                .at(url.place)
                .expected("http://… or https://…")
                .received(url.value)
                .hint("files and folders are found by the pattern `artifacts`"),
        );
        return None;
    }
    Some(Remote { arm: arm?.value, brief: brief?.value, sample: sample?.value, url: url.value, place: table.place() })
}
