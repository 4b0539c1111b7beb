//! What is written down while a scenario runs: observations, steps, soft failures, hooks that were missing, pictures.
//!
//! It deliberately draws no conclusion; the run makes an outcome of it.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::browser::{Page, Request, Sight};
use crate::capture::Capture;
use crate::diag::{Diagnostic, Place};
use crate::record::{HookState, Observation, Step, What};
use crate::script::Fault;

/// The notes of one scenario.
pub struct Notebook {
    began: Instant,
    /// Where the script is.
    pub place: Option<Place>,
    /// What was seen, in order.
    pub observations: Vec<Observation>,
    /// The steps, in the order they were entered.
    pub steps: Vec<Step>,
    /// Expectations that failed softly.
    pub soft: Vec<Diagnostic>,
    /// Pictures, by the names the script gave them.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// What the pages asked for.
    pub requests: Vec<Request>,
    /// Captures, by the names the script gave them.
    pub captures: Vec<Taken>,
    /// Hooks that were missing or ambiguous; each is told once.
    broken_hooks: BTreeSet<String>,
    open_steps: Vec<usize>,
    omitted: u64,
}

/// How many observations one scenario keeps: a script in a long loop must not fill the record.
const MOST_OBSERVATIONS: usize = 5_000;

/// A capture with its pictures.
pub struct Taken {
    /// What the script called it.
    pub name: String,
    /// The frozen page.
    pub capture: Capture,
    /// Its pictures: a name and PNG bytes.
    pub pictures: Vec<(String, Vec<u8>)>,
}

impl Default for Notebook {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            place: None,
            observations: Vec::new(),
            steps: Vec::new(),
            soft: Vec::new(),
            pictures: Vec::new(),
            requests: Vec::new(),
            captures: Vec::new(),
            broken_hooks: BTreeSet::new(),
            open_steps: Vec::new(),
            omitted: 0,
        }
    }
}

impl Notebook {
    /// Milliseconds since the notebook was opened.
    pub fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Writes down what was seen, here and now.
    pub fn saw(&mut self, what: What) {
        if self.observations.len() < MOST_OBSERVATIONS {
            self.observations.push(Observation { at_ms: self.now_ms(), place: self.place.clone(), what });
        } else {
            self.omitted += 1;
        }
    }

    /// Writes down what a page did by itself, before it goes.
    pub fn page_did(&mut self, page: &Page) {
        self.requests.extend(page.requests());
        self.observations.extend(page.take_sightings().into_iter().map(|sighting| Observation {
            at_ms: sighting.at.as_millis() as u64,
            place: None,
            what: told(sighting.what),
        }));
    }

    /// Ends the notes: everything in the order of time, and how much was left out.
    pub fn close(&mut self) {
        if self.omitted > 0 {
            let what = What::Omitted { count: self.omitted };
            self.observations.push(Observation { at_ms: self.now_ms(), place: None, what });
        }
        self.observations.sort_by_key(|o| o.at_ms);
    }

    /// Writes down a hook that broke the contract, once.
    pub fn hook_broke(&mut self, hook: &str, state: HookState, fallback: Option<String>) {
        if self.broken_hooks.insert(hook.to_owned()) {
            self.saw(What::Contract { hook: hook.to_owned(), state, fallback });
        }
    }

    /// Whether this hook is known to be missing.
    pub fn knows_broken(&self, hook: &str) -> bool {
        self.broken_hooks.contains(hook)
    }

    /// Whether any hook broke the contract.
    pub fn contract_broken(&self) -> bool {
        !self.broken_hooks.is_empty()
    }

    /// Writes down an expectation that failed without ending the scenario.
    pub fn failed_softly(&mut self, fault: &Fault) {
        self.soft.push(Diagnostic {
            title: fault.message.clone(),
            place: self.place.clone(),
            expected: fault.expected.clone(),
            received: fault.received.clone(),
            log: fault.log.clone(),
            hints: fault.hint.iter().cloned().collect(),
            ..Diagnostic::default()
        });
    }

    /// A step begins.
    pub fn enter(&mut self, name: &str) {
        self.open_steps.push(self.steps.len());
        let depth = self.open_steps.len() as u32 - 1;
        self.steps.push(Step { name: name.to_owned(), depth, ok: true, at_ms: self.now_ms(), took_ms: 0 });
    }

    /// The step entered last ends.
    pub fn leave(&mut self, ok: bool) {
        let now = self.now_ms();
        if let Some(step) = self.open_steps.pop().and_then(|open| self.steps.get_mut(open)) {
            step.ok = ok;
            step.took_ms = now.saturating_sub(step.at_ms);
        }
    }
}

/// A sighting as the record tells it.
fn told(sight: Sight) -> What {
    let source = |place: String| (!place.is_empty()).then_some(place);
    match sight {
        Sight::Console { level, text, place } => What::Console { level, text, source: source(place) },
        Sight::Exception { text, place } => What::UncaughtError { text, source: source(place) },
        Sight::Rejection { text, place } => What::UnhandledRejection { text, source: source(place) },
        Sight::RequestFailed { url, resource, reason } => What::FailedRequest { url, resource, reason },
        Sight::Remote { url, resource, refused } => What::RemoteAttempt { url, resource, blocked: refused },
        Sight::Dialog { dialog, message, accepted } => {
            What::Dialog { dialog, message, answer: if accepted { "accepted" } else { "dismissed" }.to_owned() }
        }
        Sight::Popup { url } => What::Popup { url },
        Sight::Download { url, name } => What::Download { url, name },
        Sight::Navigated { url, .. } => What::Navigation { url },
        Sight::Crashed => What::Crash { reason: "the renderer crashed".to_owned() },
        Sight::Dropped { count } => What::Omitted { count },
    }
}
