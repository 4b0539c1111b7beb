//! What a run says of accessibility and of assets, gathered over its cases.
//!
//! One audit is one row: counts of two states are never added without telling how many states they are. Whether a loaded
//! file without a record is a defect is deliberately not decided: it is information.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::summary::condition;
use crate::record::{Audit, Case, CaseKey, Declared, Error, Loaded, LoadedKind, Reader, What};

/// Both parts.
#[derive(Default, Serialize)]
pub(super) struct Overview {
    /// One row an audit, in the order of the plan.
    pub accessibility: Vec<Audited>,
    /// One entry an artifact of which anything is known, in the order of the plan.
    pub assets: Vec<Assets>,
}

/// One audit, and of what.
#[derive(Serialize)]
pub(super) struct Audited {
    pub artifact: String,
    /// Under which condition it was made; none for the usual one.
    pub condition: Option<String>,
    pub viewport: String,
    /// The case that it was made in.
    pub case: CaseKey,
    #[serde(flatten)]
    pub audit: Audit,
}

/// What an artifact's pages loaded over all cases of the run, against what its author declares.
#[derive(Serialize)]
pub(super) struct Assets {
    pub artifact: String,
    /// Whether its author declares anything.
    pub declared: bool,
    /// What that is.
    #[serde(skip)]
    records: Vec<Declared>,
    /// By name.
    pub loaded: BTreeMap<String, File>,
    /// Pictures, fonts and media that were loaded and are not declared.
    pub unrecorded: Vec<String>,
    /// What is declared and was not loaded.
    pub unused: Vec<String>,
    /// What was asked of other hosts, by address.
    pub remote: BTreeMap<String, Remote>,
}

/// A file that was loaded.
#[derive(Serialize)]
pub(super) struct File {
    pub kind: LoadedKind,
    pub bytes: u64,
    pub digest: Option<String>,
    /// Where it comes from, as its author declares.
    pub source: Option<String>,
    pub licence: Option<String>,
}

/// Something that was asked of another host.
#[derive(Serialize)]
pub(super) struct Remote {
    pub kind: LoadedKind,
    pub bytes: u64,
    pub blocked: bool,
}

/// Gathers both from the run's cases.
pub(super) fn gather(run: &Reader) -> Result<Overview, Error> {
    let mut overview = Overview::default();
    let declared = &run.inputs().assets;
    for record in run.cases()? {
        let record = record?;
        let artifact = record.case.artifact();
        let audits = record.observations.into_iter().filter_map(|o| match o.what {
            What::Accessibility(audit) => Some(*audit),
            _ => None,
        });
        overview.accessibility.extend(audits.map(|audit| Audited {
            artifact: artifact.clone(),
            condition: run.inputs().condition(&record.case.brief).map(str::to_owned),
            viewport: record.case.viewport.clone(),
            case: record.case.key.clone(),
            audit,
        }));
        let [arm, brief, sample] = record.case.names();
        let declared = declared.get(&Case::artifact_of(brief, arm, sample)).map(Vec::as_slice);
        if declared.is_some() || !record.loaded.is_empty() {
            overview.of(artifact, declared).add(record.loaded);
        }
    }
    overview.assets.iter_mut().for_each(Assets::compare);
    Ok(overview)
}

impl Overview {
    fn of(&mut self, artifact: String, declared: Option<&[Declared]>) -> &mut Assets {
        let known = self.assets.iter().position(|assets| assets.artifact == artifact);
        let at = known.unwrap_or_else(|| {
            self.assets.push(Assets {
                artifact,
                declared: declared.is_some(),
                records: declared.unwrap_or_default().to_vec(),
                loaded: BTreeMap::new(),
                unrecorded: Vec::new(),
                unused: Vec::new(),
                remote: BTreeMap::new(),
            });
            self.assets.len() - 1
        });
        &mut self.assets[at]
    }

    /// Accessibility, a line for each condition: over how many states, and of which rules; none where nothing was
    /// audited.
    pub(super) fn accessibility_lines(&self) -> Vec<String> {
        let conditions: BTreeSet<Option<&str>> =
            self.accessibility.iter().map(|row| row.condition.as_deref()).collect();
        let line = |of: &Option<&str>| {
            let rows = self.accessibility.iter().filter(|row| row.condition.as_deref() == *of).collect::<Vec<_>>();
            let of = if conditions.len() > 1 { format!(", {}", condition(*of)) } else { String::new() };
            format!("Accessibility{of}: {}", audited(&rows))
        };
        conditions.iter().map(line).collect()
    }
}

/// What the audits in `rows` say, over how many states, and of which rules.
fn audited(rows: &[&Audited]) -> String {
    let version = rows.first().map(|row| row.audit.scope.version.as_str()).unwrap_or_default();
    let violating = rows.iter().filter(|row| !row.audit.violations.is_empty()).count();
    let review = rows.iter().filter(|row| !row.audit.needs_review.is_empty()).count();
    let states = rows.len();
    let mut rules: BTreeMap<&str, u64> = BTreeMap::new();
    for rule in rows.iter().flat_map(|row| &row.audit.violations) {
        *rules.entry(&rule.id).or_default() += 1;
    }
    let told: Vec<String> = rules.iter().map(|(rule, states)| format!("{rule} in {states}")).collect();
    let told = if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) };
    format!("violations in {violating} of {states} audited states{told}; {review} need review · axe-core {version}")
}

impl Assets {
    fn add(&mut self, loaded: Vec<Loaded>) {
        for one in loaded {
            match one {
                Loaded::Artifact { file, kind, bytes, digest } => {
                    self.loaded.entry(file).or_insert(File { kind, bytes, digest, source: None, licence: None });
                }
                Loaded::Remote { url, kind, bytes, blocked } => {
                    let seen = self.remote.entry(url).or_insert(Remote { kind, bytes, blocked });
                    // What got through once was not kept out.
                    seen.blocked &= blocked;
                    seen.bytes = seen.bytes.max(bytes);
                }
            }
        }
    }

    fn compare(&mut self) {
        let name = |file: &str| file.trim_start_matches("./").trim_start_matches('/').to_owned();
        let records: BTreeMap<String, &Declared> =
            self.records.iter().map(|asset| (name(&asset.file), asset)).collect();
        for (file, loaded) in &mut self.loaded {
            match records.get(&name(file)) {
                Some(record) => {
                    loaded.source = Some(record.source.clone());
                    loaded.licence = Some(record.licence.clone());
                }
                None if loaded.kind.needs_record() => self.unrecorded.push(file.clone()),
                None => {}
            }
        }
        let was_loaded = |file: &String| self.loaded.keys().any(|loaded| name(loaded) == *file);
        self.unused = records.into_keys().filter(|file| !was_loaded(file)).collect();
    }
}
