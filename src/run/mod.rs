//! One execution over a study: plan, cases, record.
//!
//! `prepare` reads flows and makes the plan; `crew` has the workers, each with its page warmed while the case before it
//! runs; `perform` does one case; `outcome` says how it ended. The record is opened before anything happens, and only
//! this file writes to it. Judging a finished run and telling about it are deliberately not done here.

pub mod browsers;
mod crew;
mod loaded;
mod outcome;
mod perform;
pub mod plan;
mod prepare;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::browser::Axe;
use crate::diag::Diagnostic;
use crate::record::{self, Case, CaseKey, CaseRecord, Declared, Inputs, Selection, Settings, Writer};
use crate::script::Interrupt;
use crate::serve::Server;
use crate::study::{Artifact, Site, Study};

pub use browsers::{Arranged, Browsers};
pub use prepare::{Prepared, look, reach, reach_of};

/// What a run is asked to do, beyond its study.
pub struct Orders {
    /// The run's folder goes here.
    pub runs: PathBuf,
    /// Its id: the name of that folder.
    pub id: String,
    /// When it began, as the record tells it.
    pub started: String,
    /// The seed from which every case's seed is derived.
    pub seed: u64,
    /// Which cases.
    pub selection: Selection,
    /// How many cases at a time.
    pub jobs: usize,
    /// How often a case is tried again after trouble of ours.
    pub retries: u32,
    /// An interrupted run to go on with, instead of a new one.
    pub resume: Option<PathBuf>,
    /// axe-core, or why there is none.
    pub axe: Result<Arc<Axe>, String>,
    /// What is put into every page before its own scripts, if anything; such a run judges the flows, not the artifacts.
    pub injection: Option<Injection>,
}

/// Something that is done to every page of a run.
pub struct Injection {
    /// The script that runs in the page's own world before any other, by brief.
    pub scripts: BTreeMap<String, String>,
    /// A hook that is looked for under a test id that no page has, as if the artifact did not know it.
    pub removed: Option<String>,
}

/// Why there is no complete run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The author's mistakes.
    #[error("{} mistakes", .0.len())]
    Mistakes(Vec<Diagnostic>),
    /// Nothing was selected.
    #[error("{0}")]
    Nothing(Box<Diagnostic>),
    /// Trouble of ours.
    #[error("{0}")]
    Harness(Box<Diagnostic>),
    /// The record could not be kept.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// Somebody pressed Ctrl-C; the folder can be resumed.
    #[error("interrupted; {} holds what was found", .0.display())]
    Interrupted(PathBuf),
}

/// What a run tells while it goes on.
pub enum News<'a> {
    /// So many cases are to be run; so many more were finished before.
    Planned(usize, usize),
    /// A case ended.
    Finished(&'a CaseRecord),
}

/// Runs a study and returns the folder of its complete record.
///
/// # Errors
/// [`Error`]; whatever was found until then is on the disk.
pub fn run(
    study: &Study,
    prepared: &Prepared,
    server: &Server,
    browsers: &Browsers,
    orders: &Orders,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<PathBuf, Error> {
    let cases = prepared.plan(study, orders.seed, &orders.selection)?;
    let inputs = inputs(study, prepared, &cases, browsers, orders)?;
    let (mut writer, finished) = match &orders.resume {
        Some(folder) => Writer::resume(folder, &inputs)?,
        None => {
            (Writer::create(&orders.runs, &orders.id, inputs, &prepared.copies(study))?, BTreeSet::<CaseKey>::new())
        }
    };
    let left: Vec<Case> = cases.into_iter().filter(|case| !finished.contains(&case.key)).collect();
    tell(News::Planned(left.len(), finished.len()));

    let ship = crew::Ship {
        study,
        prepared,
        server,
        browsers,
        shelf: writer.shelf(),
        began: Instant::now(),
        interrupt,
        retries: orders.retries,
        axe: &orders.axe,
        injection: orders.injection.as_ref(),
        hooks: crew::HooksByArtifact::default(),
        digests: loaded::Digests::default(),
    };
    crew::sail(&ship, left, orders.jobs, |record| {
        writer.append(&record)?;
        tell(News::Finished(&record));
        Ok(())
    })?;
    if interrupt.is_cancelled() {
        return Err(Error::Interrupted(writer.folder().to_owned()));
    }
    Ok(writer.finish()?)
}

fn inputs(
    study: &Study,
    prepared: &Prepared,
    cases: &[Case],
    browsers: &Browsers,
    orders: &Orders,
) -> Result<Inputs, Error> {
    // All shards of a run stand for the same inputs, or they could not be merged.
    let whole = prepared.plan(study, orders.seed, &Selection { shard: None, ..orders.selection.clone() })?;
    let used: BTreeSet<[&str; 3]> = whole.iter().map(|c| [c.arm.as_str(), &c.brief, &c.sample]).collect();
    let is_used = |a: &&Artifact| used.contains(&[a.arm.as_str(), &a.brief, &a.sample]);
    let artifacts = study.artifacts.iter().filter(is_used);
    let assets = artifacts.clone().filter_map(declared).collect();
    let is_remote = |artifact: &&Artifact| matches!(artifact.place, Site::Url(_));
    let remote = artifacts.clone().filter(is_remote).map(|artifact| Inputs::name_of(artifact.names())).collect();
    let digests = study.inputs(artifacts).map_err(Error::Mistakes)?;
    let viewports = study.briefs.values().flat_map(|b| &b.viewports).map(|v| (v.name.clone(), v.to_string())).collect();
    let settings = Settings {
        tool: record::TOOL.to_owned(),
        study: study.name.clone(),
        started: orders.started.clone(),
        seed: orders.seed,
        browser: browsers.told(),
        viewports,
        network: study.network.to_string(),
        protocol: study.protocol.id.clone(),
        timeouts: study.timeouts.to_string(),
        selection: orders.selection.clone(),
    };
    let briefs = study.briefs.iter().map(|(id, brief)| (id.clone(), prepared.used(brief))).collect();
    let evaluators = prepared.evaluators();
    Ok(Inputs { settings, planned: cases.len() as u64, digests, assets, evaluators, briefs, remote })
}

/// What an artifact's author declares to have taken from elsewhere, by the artifact's name.
fn declared(artifact: &Artifact) -> Option<(String, Vec<Declared>)> {
    let assets = &artifact.provenance.as_ref()?.assets;
    let declared = assets.iter().map(|asset| Declared {
        file: asset.file.clone(),
        source: asset.source.clone(),
        licence: asset.licence.clone(),
    });
    Some((Case::artifact_of(&artifact.brief, &artifact.arm, &artifact.sample), declared.collect()))
}

/// The folder in which a study keeps its runs.
pub fn home(study: &Study) -> PathBuf {
    study.root.as_deref().unwrap_or(Path::new("")).join("runs")
}

/// The newest complete run in `runs`, if there is one.
pub fn newest(runs: &Path) -> Option<PathBuf> {
    let complete = std::fs::read_dir(runs).ok()?.flatten().map(|e| e.path()).filter(|p| p.join("run.json").is_file());
    // Ids begin with the date: the greatest name is the newest run.
    complete.max()
}
