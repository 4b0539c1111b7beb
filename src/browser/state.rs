//! What we know of one page, kept current by its events.
//!
//! Written by the connection's task, read by everybody else; every change wakes those who wait for one. It answers
//! dialogs on the spot, because a page with an open dialog answers nothing else. It deliberately waits for no reply.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chromiumoxide::cdp::browser_protocol::emulation::SetFocusEmulationEnabledParams;
use chromiumoxide::cdp::browser_protocol::page::HandleJavaScriptDialogParams;
use serde_json::Value;
use tokio::sync::watch;

use super::error::{Error, Result};
use super::network::{Network, Notable};
use super::sighting::{self, MOST_SIGHTINGS, Sight, Sighting};
use super::wire::Wire;

/// The name of our isolated world in every frame.
pub(super) const WORLD: &str = "loupe";

/// What to answer when the page asks (`alert`, `confirm`, `prompt`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DialogAnswer {
    /// Cancel: `confirm` gives false, `prompt` gives null. What a person in doubt does.
    #[default]
    Dismiss,
    /// OK.
    Accept,
    /// OK, with this text in a `prompt`.
    Text(String),
}

/// One page's state. See the module.
pub(super) struct PageState {
    pub session: String,
    pub target: String,
    wire: Wire,
    born: Instant,
    inner: Mutex<Inner>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
pub(super) struct Inner {
    pub main_frame: String,
    pub frames: BTreeMap<String, Frame>,
    contexts: HashMap<i64, (String, bool, String)>,
    pub network: Network,
    pub origin: Option<String>,
    pub dialog_answer: DialogAnswer,
    /// Pages that this one opened and nobody took up yet.
    pub popups: Vec<String>,
    /// Whether it ever opened one.
    pub has_opened: bool,
    /// The main frame is on its way to another document.
    pub leaving: bool,
    pub end: Option<Error>,
    sightings: Vec<Sighting>,
    dropped: u64,
}

/// One frame of a page.
#[derive(Default)]
pub(super) struct Frame {
    pub url: String,
    pub loader: String,
    /// Unique ids of the execution contexts: the page's own world, and ours.
    pub own_world: Option<String>,
    pub our_world: Option<String>,
    pub interactive: bool,
    pub loaded: bool,
}

impl PageState {
    pub fn new(session: &str, target: &str, wire: Wire) -> Self {
        Self {
            session: session.to_owned(),
            target: target.to_owned(),
            wire,
            born: Instant::now(),
            // A page's main frame bears its target's id.
            inner: Mutex::new(Inner { main_frame: target.to_owned(), ..Inner::default() }),
            changed: watch::Sender::new(()),
        }
    }

    /// The state. A panic elsewhere cannot have left it half-written in a way that matters: every field stands alone.
    pub fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `found` finds something, the page ends, or `deadline` passes (then `None`).
    pub async fn wait<T>(
        &self,
        deadline: Duration,
        mut found: impl FnMut(&mut Inner) -> Option<T>,
    ) -> Result<Option<T>> {
        let mut changed = self.changed.subscribe();
        let until = tokio::time::Instant::now() + deadline;
        loop {
            {
                let mut inner = self.lock();
                if let Some(value) = found(&mut inner) {
                    return Ok(Some(value));
                }
                if let Some(end) = &inner.end {
                    return Err(end.clone());
                }
            }
            match tokio::time::timeout_at(until, changed.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return Ok(None),
            }
        }
    }

    /// A page was opened by this one.
    pub fn opened(&self, target: &str) {
        let mut inner = self.lock();
        inner.popups.push(target.to_owned());
        inner.has_opened = true;
        drop(inner);
        self.changed.send_replace(());
    }

    /// Takes the sightings since the last call.
    pub fn take_sightings(&self) -> Vec<Sighting> {
        let mut inner = self.lock();
        let mut taken = std::mem::take(&mut inner.sightings);
        let count = std::mem::take(&mut inner.dropped);
        if count > 0 {
            taken.push(Sighting { at: self.born.elapsed(), what: Sight::Dropped { count } });
        }
        taken
    }

    /// The sightings so far.
    pub fn sightings(&self) -> Vec<Sighting> {
        self.lock().sightings.clone()
    }

    /// Records a fact.
    pub fn saw(&self, what: Sight) {
        self.note(&mut self.lock(), what);
    }

    /// The page is over: everything that waits for it hears `error`.
    pub fn finish(&self, error: &Error) {
        self.lock().end.get_or_insert_with(|| error.clone());
        self.wire.fail_session(&self.session, error.clone());
        self.changed.send_replace(());
    }

    /// Applies one event of the page's session.
    pub fn event(&self, method: &str, params: &Value) {
        match method {
            "Inspector.targetCrashed" => {
                self.saw(Sight::Crashed);
                return self.finish(&Error::Crashed);
            }
            "Page.javascriptDialogOpening" => self.answer_dialog(params),
            "Runtime.consoleAPICalled" => self.saw(sighting::console(params)),
            "Runtime.exceptionThrown" => self.saw(sighting::exception(params)),
            _ if method.starts_with("Network.") => self.network_event(method, params),
            _ => self.frame_event(&mut self.lock(), method, params),
        }
        self.changed.send_replace(());
    }

    fn note(&self, inner: &mut Inner, what: Sight) {
        if inner.sightings.len() < MOST_SIGHTINGS {
            inner.sightings.push(Sighting { at: self.born.elapsed(), what });
        } else {
            inner.dropped += 1;
        }
    }

    fn answer_dialog(&self, params: &Value) {
        let text = |name: &str| params[name].as_str().unwrap_or_default().to_owned();
        let dialog = text("type");
        let mut inner = self.lock();
        let leaving = dialog == "beforeunload";
        let accepted = leaving || inner.dialog_answer != DialogAnswer::Dismiss || dialog == "alert";
        let mut answer = HandleJavaScriptDialogParams::new(accepted);
        if let (DialogAnswer::Text(text), "prompt") = (&inner.dialog_answer, dialog.as_str()) {
            answer.prompt_text = Some(text.clone());
        }
        self.wire.tell(Some(&self.session), answer);
        self.note(&mut inner, Sight::Dialog { dialog, message: text("message"), accepted });
    }

    fn network_event(&self, method: &str, params: &Value) {
        let mut inner = self.lock();
        let Inner { network, origin, .. } = &mut *inner;
        let sight = network.event(method, params, origin.as_deref()).map(|notable| match notable {
            Notable::Remote(i) => {
                let r = network.request(i);
                Sight::Remote { url: r.url.clone(), resource: r.resource.clone(), refused: r.failure.is_some() }
            }
            Notable::Failed(i) => {
                let r = network.request(i);
                let status = || r.status.map(|s| format!("status {s}"));
                let reason = r.failure.clone().or_else(status).unwrap_or_default();
                Sight::RequestFailed { url: r.url.clone(), resource: r.resource.clone(), reason }
            }
        });
        if let Some(what) = sight {
            self.note(&mut inner, what);
        }
    }

    fn frame_event(&self, inner: &mut Inner, method: &str, params: &Value) {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        match method {
            "Page.frameNavigated" => {
                let (id, url) = (text(&params["frame"]["id"]), text(&params["frame"]["url"]));
                let main = id == inner.main_frame;
                let frame = inner.frames.entry(id).or_default();
                let loader = text(&params["frame"]["loaderId"]);
                if frame.loader != loader {
                    *frame = Frame {
                        loader,
                        own_world: frame.own_world.take(),
                        our_world: frame.our_world.take(),
                        ..Frame::default()
                    };
                }
                frame.url = url.clone();
                if main {
                    inner.leaving = false;
                    // Pages that share a window (popups and their openers) would otherwise be hidden and unfocused.
                    // Only now: on a page that never navigated this makes Chromium 156's renderer crash.
                    self.wire.tell(Some(&self.session), SetFocusEmulationEnabledParams::new(true));
                    self.note(inner, Sight::Navigated { url, same_document: false });
                }
            }
            "Page.navigatedWithinDocument" => {
                let (id, url) = (text(&params["frameId"]), text(&params["url"]));
                let main = id == inner.main_frame;
                inner.frames.entry(id).or_default().url = url.clone();
                if main {
                    self.note(inner, Sight::Navigated { url, same_document: true });
                }
            }
            "Page.frameStartedNavigating" if text(&params["frameId"]) == inner.main_frame => {
                let kind = params["navigationType"].as_str().unwrap_or_default();
                inner.leaving = !kind.contains("SameDocument") && !kind.contains("sameDocument");
            }
            "Page.frameStoppedLoading" if text(&params["frameId"]) == inner.main_frame => inner.leaving = false,
            "Page.frameDetached" if params["reason"] == "remove" => {
                drop(inner.frames.remove(&text(&params["frameId"])));
            }
            "Page.lifecycleEvent" => {
                inner.lifecycle(&text(&params["frameId"]), &text(&params["loaderId"]), &text(&params["name"]));
            }
            "Runtime.executionContextCreated" => inner.add_context(&params["context"]),
            "Runtime.executionContextDestroyed" => inner.remove_context(params["executionContextId"].as_i64()),
            "Runtime.executionContextsCleared" => inner.clear_contexts(),
            "Page.downloadWillBegin" => {
                self.note(
                    inner,
                    Sight::Download { url: text(&params["url"]), name: text(&params["suggestedFilename"]) },
                );
            }
            _ => {}
        }
    }
}

impl Inner {
    /// The main frame; it exists from the page's first event on.
    pub fn main(&self) -> Option<&Frame> {
        self.frames.get(&self.main_frame)
    }

    fn lifecycle(&mut self, id: &str, loader: &str, name: &str) {
        if name == "init" && id == self.main_frame {
            self.network.forget_open();
        }
        let frame = self.frames.entry(id.to_owned()).or_default();
        if frame.loader != loader {
            *frame = Frame {
                loader: loader.to_owned(),
                url: std::mem::take(&mut frame.url),
                own_world: frame.own_world.take(),
                our_world: frame.our_world.take(),
                ..Frame::default()
            };
        }
        match name {
            "DOMContentLoaded" => frame.interactive = true,
            "load" => frame.loaded = true,
            _ => {}
        }
    }

    fn add_context(&mut self, context: &Value) {
        let (Some(id), Some(frame), Some(unique)) =
            (context["id"].as_i64(), context["auxData"]["frameId"].as_str(), context["uniqueId"].as_str())
        else {
            return;
        };
        let ours = context["name"] == WORLD;
        if !ours && context["auxData"]["isDefault"] != true {
            return;
        }
        let entry = self.frames.entry(frame.to_owned()).or_default();
        let world = if ours { &mut entry.our_world } else { &mut entry.own_world };
        *world = Some(unique.to_owned());
        self.contexts.insert(id, (frame.to_owned(), ours, unique.to_owned()));
    }

    fn remove_context(&mut self, id: Option<i64>) {
        let Some((frame, ours, unique)) = id.and_then(|id| self.contexts.remove(&id)) else { return };
        let Some(frame) = self.frames.get_mut(&frame) else { return };
        let world = if ours { &mut frame.our_world } else { &mut frame.own_world };
        // The next document's context may be known already.
        if world.as_deref() == Some(&unique) {
            *world = None;
        }
    }

    fn clear_contexts(&mut self) {
        self.contexts.clear();
        for frame in self.frames.values_mut() {
            frame.own_world = None;
            frame.our_world = None;
        }
    }
}
