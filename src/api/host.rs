//! Who carries out the words: the page of the running scenario, and the notebook.
//!
//! Scripts run on plain threads and block here on the async page layer. A broken browser is told as a latched fault, so
//! that no script can go on as if nothing had happened. The host deliberately decides no outcome.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use super::notebook::Notebook;
use super::reply;
use crate::browser::locator::{self, Hooks, Locator};
use crate::browser::{Axe, Error, Page, Patience};
use crate::diag::Place;
use crate::record::What;
use crate::script::{self, Fault, FaultKind, Interrupt, Value};

/// How often a blocked word looks whether somebody pressed Ctrl-C.
const INTERRUPT_POLL: Duration = Duration::from_millis(50);

/// How long a hook with a fallback may be missing before its fallback is used.
const HOOK_GRACE: Duration = Duration::from_secs(1);

/// How long words wait unless the call says otherwise.
#[derive(Debug, Clone, Copy)]
pub struct Waits {
    /// Actions, navigations, and reading one element.
    pub action: Duration,
    /// Expectations.
    pub expect: Duration,
}

/// The page that a scenario uses, and what it needs to use it.
pub struct Live {
    /// The page that words speak to.
    pub page: Page,
    /// The pages that opened it, the first one first.
    pub openers: Vec<Page>,
    /// The artifact's origin, without a slash at the end.
    pub origin: String,
    /// The start page: a path on the origin, or a whole address.
    pub start: String,
    /// The brief's hooks.
    pub hooks: Hooks,
    /// How long words wait.
    pub waits: Waits,
    /// axe-core, or why there is none.
    pub axe: Result<Arc<Axe>, String>,
    /// Where the page layer runs.
    pub runtime: Handle,
    /// Ctrl-C.
    pub interrupt: Interrupt,
}

/// The host of a script. Without a page while a file is collected.
#[derive(Default)]
pub struct Host {
    live: Option<Live>,
    /// What was written down.
    pub notes: Notebook,
    /// Files that were given to the page.
    pub(super) uploads: Vec<tempfile::TempDir>,
}

impl Host {
    /// A host that uses `live`'s page.
    pub fn new(live: Live) -> Self {
        Self { live: Some(live), ..Self::default() }
    }

    /// The page and all around it.
    ///
    /// # Errors
    /// A script fault at the top of a file, where no page is open yet. Engines refuse such calls before.
    pub fn live(&mut self) -> Result<&mut Live, Fault> {
        self.live.as_mut().ok_or_else(|| Fault::script("there is no page outside a scenario"))
    }

    /// Reads a locator.
    pub(super) fn locator(&mut self, text: &str) -> Result<Locator, Fault> {
        locator::parse(text, &self.live()?.hooks).map_err(|e| {
            let pointed = format!("{text}\n{}^", " ".repeat(text[..e.offset.min(text.len())].chars().count()));
            let fault = Fault::script(format!("not a locator: {}", e.message)).received(pointed);
            e.hint.into_iter().fold(fault, Fault::hint)
        })
    }

    /// How long to wait, and how long for a hook before its fallbacks are tried: not at all for one that is known to be
    /// missing, or that the artifact's files do not mention.
    pub(super) fn patience(&mut self, locator: &Locator, total: Duration) -> Patience {
        let hooks = self.live.as_ref().map(|live| &live.hooks);
        let unmentioned = |name| hooks.and_then(|hooks| hooks.get(name)).is_some_and(|hook| !hook.mentioned);
        let hopeless = locator.hook().is_some_and(|name| self.notes.knows_broken(name) || unmentioned(name));
        Patience { total, grace: if hopeless { Duration::ZERO } else { HOOK_GRACE } }
    }

    /// Blocks on the page layer; a reply of the agent becomes a value or a fault, and what its hook showed is noted.
    pub(super) fn ask<F>(
        &mut self,
        locator: Option<&Locator>,
        question: impl FnOnce(Page) -> F,
    ) -> Result<serde_json::Value, Fault>
    where
        F: Future<Output = Result<serde_json::Value, Error>>,
    {
        let reply = self.block(question)?;
        if let Some(locator) = locator {
            let hooks = self.live.as_ref().map(|live| &live.hooks).expect("a page just answered");
            reply::note_hook(&mut self.notes, locator, &reply, hooks);
        }
        match &self.live {
            Some(live) if reply["ok"] != true => Err(reply::refusal(&reply, locator, &live.hooks)),
            _ => Ok(reply),
        }
    }

    /// Blocks on the page layer.
    pub(super) fn block<T, F>(&mut self, work: impl FnOnce(Page) -> F) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let live = self.live()?;
        let (interrupt, runtime, page) = (live.interrupt.clone(), live.runtime.clone(), live.page.clone());
        let held = page.clone();
        let work = work(page);
        runtime.block_on(async {
            tokio::pin!(work);
            loop {
                match tokio::time::timeout(INTERRUPT_POLL, &mut work).await {
                    Ok(result) => return result.map_err(|e| reply::trouble(&e)),
                    Err(_) if interrupt.is_cancelled() => {
                        // A script of the page that holds its thread would hold the next word, too.
                        held.free();
                        return Err(Fault::new(FaultKind::Interrupted, "interrupted"));
                    }
                    Err(_) => {}
                }
            }
        })
    }

    /// Ends the scenario: what the pages did goes into the notebook, and the pages come back for a last picture.
    pub fn close(mut self) -> (Notebook, Option<Page>) {
        let Some(live) = self.live.take() else { return (self.notes, None) };
        for page in live.openers.iter().chain([&live.page]) {
            self.notes.page_did(page);
        }
        self.notes.close();
        (self.notes, Some(live.page))
    }
}

impl script::Host for Host {
    fn enter_step(&mut self, name: &str) {
        self.notes.enter(name);
    }

    fn leave_step(&mut self, ok: bool) {
        self.notes.leave(ok);
    }

    fn note(&mut self, text: String) {
        self.notes.saw(What::Note { text, data: serde_json::Value::Null });
    }

    fn at(&mut self, place: Option<Place>) {
        self.notes.place = place;
    }

    fn spoke(&mut self, word: &str, args: Vec<Value>, took: Duration, refused: Option<&Fault>) {
        self.notes.saw(What::Word {
            name: word.to_owned(),
            args: args.into_iter().map(Into::into).collect(),
            took_ms: took.as_millis() as u64,
            refused: refused.map(|fault| fault.message.clone()),
        });
    }
}

/// The seconds of an option, or what is usual.
pub(super) fn seconds(options: &BTreeMap<String, Value>, name: &str, usual: Duration) -> Result<Duration, Fault> {
    match options.get(name) {
        None | Some(Value::Null) => Ok(usual),
        Some(Value::Int(i)) => checked_seconds(name, *i as f64),
        Some(Value::Float(x)) => checked_seconds(name, *x),
        Some(other) => {
            Err(Fault::script(format!("option \"{name}\": expected a number of seconds, got {}", other.kind())))
        }
    }
}

fn checked_seconds(name: &str, seconds: f64) -> Result<Duration, Fault> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|d| *d <= Duration::from_secs(3600))
        .ok_or_else(|| Fault::script(format!("option \"{name}\": expected 0 to 3600 seconds, got {seconds}")))
}
