//! The workers: plain threads that take cases from one list, each with its next page warmed while a case runs.
//!
//! Results come back through one channel, so that the record has one writer. A worker deliberately never decides what
//! comes next.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Instant;

use super::browsers::Browsers;
use super::loaded::Digests;
use super::perform::perform;
use super::{Error, Injection, Prepared};
use crate::browser::locator::Hooks;
use crate::browser::{self, Axe, Page};
use crate::record::{Case, CaseRecord, Shelf};
use crate::script::Interrupt;
use crate::serve::Server;
use crate::study::{Artifact, Study};
use tokio::task::JoinHandle;

/// What every worker shares.
pub(super) struct Ship<'a> {
    pub study: &'a Study,
    pub prepared: &'a Prepared,
    pub browsers: &'a Browsers,
    pub server: &'a Server,
    pub shelf: Shelf,
    pub began: Instant,
    pub interrupt: &'a Interrupt,
    pub retries: u32,
    pub axe: &'a Result<Arc<Axe>, String>,
    pub injection: Option<&'a Injection>,
    pub hooks: HooksByArtifact,
    pub digests: Digests,
}

/// The hooks of each artifact, looked up in its files once.
#[derive(Default)]
pub(super) struct HooksByArtifact(Mutex<BTreeMap<[String; 3], Hooks>>);

impl HooksByArtifact {
    /// The hooks of `artifact`.
    pub fn of(&self, prepared: &Prepared, artifact: &Artifact) -> Hooks {
        let identity = [&artifact.arm, &artifact.brief, &artifact.sample].map(Clone::clone);
        lock(&self.0).entry(identity).or_insert_with(|| prepared.hooks(artifact)).clone()
    }
}

/// Runs `cases` on `jobs` threads and hands every record to `keep`, in the order they end.
///
/// # Errors
/// The first error of `keep`, or of a worker whose pictures could not be stored; the others then finish what they
/// began and take nothing more.
pub(super) fn sail(
    ship: &Ship<'_>,
    cases: Vec<Case>,
    jobs: usize,
    mut keep: impl FnMut(CaseRecord) -> Result<(), Error>,
) -> Result<(), Error> {
    let jobs = jobs.clamp(1, cases.len().max(1));
    let queue = Mutex::new(VecDeque::from(cases));
    let (tell, told) = mpsc::sync_channel::<Result<CaseRecord, Error>>(jobs);
    let mut result = Ok(());
    std::thread::scope(|scope| {
        for number in 0..jobs {
            let (queue, tell) = (&queue, tell.clone());
            let worker = std::thread::Builder::new().name(format!("worker-{number}")).stack_size(8 << 20);
            let started = worker.spawn_scoped(scope, move || work(ship, queue, &tell));
            // Fewer threads than asked for are slower, not wrong; with none at all nothing is left to do the work.
            if let (0, Err(e)) = (number, started) {
                result =
                    Err(Error::Harness(Box::new(crate::diag::Diagnostic::new(format!("cannot start a thread: {e}")))));
            }
        }
        drop(tell);
        for record in &told {
            let kept = record.and_then(&mut keep);
            if result.is_ok() && kept.is_err() {
                result = kept;
                lock(&queue).clear();
            }
        }
    });
    result
}

fn work(ship: &Ship<'_>, queue: &Mutex<VecDeque<Case>>, tell: &mpsc::SyncSender<Result<CaseRecord, Error>>) {
    let take = || if ship.interrupt.is_cancelled() { None } else { lock(queue).pop_front() };
    let warm = |case: &Case| ship.browsers.warm(ship.prepared.look(case));
    let mut upcoming = take().map(|case| (warm(&case), case));
    while let Some((warmed, case)) = upcoming {
        let page = warmed.and_then(|opening| opened(ship, opening));
        upcoming = take().map(|next| (warm(&next), next));
        match perform(ship, case, page) {
            // Interrupted: the case is not finished, and a resumed run does it again.
            None => break,
            Some(record) => {
                if tell.send(record).is_err() {
                    break;
                }
            }
        }
    }
}

fn opened(ship: &Ship<'_>, opening: JoinHandle<browser::Result<Page>>) -> browser::Result<Page> {
    let joined = ship.browsers.runtime().block_on(opening);
    joined.unwrap_or_else(|e| Err(browser::Error::Gone(format!("a page could not be opened: {e}"))))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
