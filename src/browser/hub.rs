//! One browser: its pages come and go here, and every event finds its page.
//!
//! Each page lives in a browser context of its own, so storage, cookies, caches, workers and permissions of two pages
//! can never meet. New pages, also those that pages open themselves, arrive paused and are set up before their first
//! request. It deliberately decides nothing about a page; see `page`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use chromiumoxide::cdp::browser_protocol::browser::{
    GetVersionParams, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use chromiumoxide::cdp::browser_protocol::network;
use chromiumoxide::cdp::browser_protocol::page;
use chromiumoxide::cdp::browser_protocol::target::{
    AttachToTargetParams, CreateBrowserContextParams, CreateTargetParams, DetachFromTargetParams,
    DisposeBrowserContextParams, SetAutoAttachParams,
};
use chromiumoxide::cdp::js_protocol::runtime;
use serde_json::Value;
use tokio::sync::watch;

use super::error::{Error, Result};
use super::find::Found;
use super::launch::{Process, Reach, launch};
use super::look::Look;
use super::page::Page;
use super::renew::LIVES;
use super::sighting::Sight;
use super::state::{PageState, WORLD};
use super::wire::{COMMAND_DEADLINE, Listener, Wire, within};

/// A running browser. Dropping it ends it, unless it was only attached to.
pub struct Browser {
    hub: Arc<Hub>,
    process: Option<Process>,
    /// `Chrome/156.0.8078.114`, as the browser itself says.
    pub product: String,
}

impl Browser {
    /// Starts `found`, able to reach `reach`.
    ///
    /// # Errors
    /// [`Error::Launch`] with what the browser said.
    pub async fn launch(found: &Found, reach: &Reach) -> Result<Self> {
        let (found, reach) = (found.clone(), reach.clone());
        let started = tokio::task::spawn_blocking(move || launch(&found, &reach)).await;
        let (process, url) = started.map_err(|e| Error::Launch(e.to_string()))??;
        Self::connect(&url, Some(process)).await
    }

    /// Attaches to a browser that runs elsewhere, at its `ws://…/devtools/browser/…` address.
    ///
    /// # Errors
    /// [`Error::Launch`] when nothing answers there.
    pub async fn attach(url: &str) -> Result<Self> {
        Self::connect(url, None).await
    }

    async fn connect(url: &str, process: Option<Process>) -> Result<Self> {
        let (wire, ears) = within(COMMAND_DEADLINE, "the DevTools connection", Wire::connect(url)).await?;
        let hub = Arc::new(Hub {
            wire: wire.clone(),
            user_agent: OnceLock::new(),
            rooms: Mutex::default(),
            attached: watch::Sender::new(()),
            gone: AtomicBool::new(false),
        });
        ears.listen(hub.clone());
        let version = wire.send(None, GetVersionParams::default()).await?;
        // The hub is new: nobody else can have set it.
        let _ = hub.user_agent.set(version.user_agent);
        let mut attach = SetAutoAttachParams::new(true, true);
        attach.flatten = Some(true);
        wire.send(None, attach).await?;
        Ok(Self { hub, process, product: version.product })
    }

    /// Opens an empty page in a context of its own.
    ///
    /// # Errors
    /// [`Error::Gone`] or [`Error::Timeout`].
    pub async fn page(&self, look: &Look) -> Result<Page> {
        let hub = &self.hub;
        let new = CreateBrowserContextParams { dispose_on_detach: Some(true), ..Default::default() };
        let context = hub.wire.send(None, new).await?.browser_context_id;
        let id = context.inner().clone();
        hub.lock().looks.insert(id.clone(), look.clone());
        let guard = Context { hub: hub.clone(), id };

        let mut downloads = SetDownloadBehaviorParams::new(SetDownloadBehaviorBehavior::Deny);
        downloads.browser_context_id = Some(context.clone());
        hub.wire.tell(None, downloads);
        let mut create = CreateTargetParams::new("about:blank");
        create.browser_context_id = Some(context);
        let target = hub.wire.send(None, create).await?.target_id.inner().clone();
        let state = guard.ready_page(&target).await?;
        Ok(Page::new(state, hub.wire.clone(), Arc::new(guard), look.clone(), LIVES))
    }

    /// Whether the browser ended.
    pub fn is_gone(&self) -> bool {
        self.hub.gone.load(Ordering::Relaxed)
    }

    /// Kills the browser's processes at once; its pages' commands fail with [`Error::Gone`].
    pub fn kill(&self) {
        if let Some(process) = &self.process {
            process.kill();
        }
    }

    /// The browser's process id, if it is ours.
    pub fn pid(&self) -> Option<i32> {
        self.process.as_ref().map(Process::pid)
    }
}

/// A browser context; it is disposed of, with every page in it, when the last page handle goes.
pub(super) struct Context {
    hub: Arc<Hub>,
    id: String,
}

impl Context {
    /// The page that `target` became, as soon as it is ready for its first document.
    async fn ready_page(&self, target: &str) -> Result<Arc<PageState>> {
        let hub = &self.hub;
        let state = within(COMMAND_DEADLINE, "Target.attachedToTarget", hub.attached_target(target)).await?;
        // A navigation may move to another renderer, which is told only what this one has confirmed: without this
        // answer the first requests of the first document go unseen.
        hub.wire.send(Some(&state.session), page::EnableParams::default()).await?;
        Ok(state)
    }

    /// Ends the session of a page and begins another with the same target: whatever was set through the first is gone,
    /// and everything that a new page is told is told again.
    pub async fn reattach(&self, state: &Arc<PageState>) -> Result<Arc<PageState>> {
        let hub = &self.hub;
        let detach = DetachFromTargetParams { session_id: Some(state.session.clone().into()) };
        hub.wire.send(None, detach).await?;
        hub.forget(state);
        let mut attach = AttachToTargetParams::new(state.target.clone());
        attach.flatten = Some(true);
        hub.wire.send(None, attach).await?;
        self.ready_page(&state.target).await
    }

    /// The page that `target` became, as soon as it is attached.
    pub async fn page_of(&self, target: &str) -> Result<Arc<PageState>> {
        self.hub.attached_target(target).await
    }

    /// Our view of how pages in this context are to be looked at.
    pub fn set_look(&self, look: &Look) {
        self.hub.lock().looks.insert(self.id.clone(), look.clone());
    }

    /// The browser's own user agent.
    pub fn user_agent(&self) -> &str {
        self.hub.user_agent.get().map_or("", String::as_str)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.hub.lock().looks.remove(&self.id);
        self.hub.wire.tell(None, DisposeBrowserContextParams::new(self.id.clone()));
    }
}

struct Hub {
    wire: Wire,
    user_agent: OnceLock<String>,
    rooms: Mutex<Rooms>,
    attached: watch::Sender<()>,
    gone: AtomicBool,
}

#[derive(Default)]
struct Rooms {
    /// How pages of a context are to be set up.
    looks: HashMap<String, Look>,
    /// Pages and their workers by session.
    sessions: HashMap<String, Arc<PageState>>,
}

impl Hub {
    fn lock(&self) -> std::sync::MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn attached_target(&self, target: &str) -> Result<Arc<PageState>> {
        let mut attached = self.attached.subscribe();
        loop {
            if let Some(state) = self.find(|s| s.target == target) {
                return Ok(state);
            }
            if self.gone.load(Ordering::Relaxed) || attached.changed().await.is_err() {
                return Err(Error::Gone("it ended while a page was opened".into()));
            }
        }
    }

    fn find(&self, wanted: impl Fn(&PageState) -> bool) -> Option<Arc<PageState>> {
        self.lock().sessions.values().find(|s| wanted(s)).cloned()
    }

    /// A target arrived, paused.
    fn attach(&self, parent: Option<&str>, params: &Value) {
        let session = params["sessionId"].as_str().unwrap_or_default();
        let info = &params["targetInfo"];
        let look = info["browserContextId"].as_str().and_then(|c| self.lock().looks.get(c).cloned());
        let owner = parent.and_then(|p| self.lock().sessions.get(p).cloned());
        match (look, owner, info["type"].as_str()) {
            (Some(look), _, Some("page")) => self.set_up(session, info, &look),
            (_, Some(owner), _) => self.set_up_worker(session, owner),
            // Not ours: Chromium's own pages, and workers that announce themselves to the browser as a whole.
            _ => {
                self.wire.tell(Some(session), runtime::RunIfWaitingForDebuggerParams::default());
                let detach = DetachFromTargetParams { session_id: Some(session.to_owned().into()) };
                self.wire.tell(None, detach);
            }
        }
    }

    fn set_up(&self, session: &str, info: &Value, look: &Look) {
        let target = info["targetId"].as_str().unwrap_or_default();
        let state = Arc::new(PageState::new(session, target, self.wire.clone()));
        self.lock().sessions.insert(session.to_owned(), state);

        let at = Some(session);
        self.wire.tell(at, page::EnableParams::default());
        self.wire.tell(at, page::SetLifecycleEventsEnabledParams::new(true));
        self.wire.tell(at, runtime::EnableParams::default());
        self.wire.tell(at, network::EnableParams::default());
        self.wire.tell(at, network::SetBypassServiceWorkerParams::new(true));
        look.apply(&self.wire, session, self.user_agent.get().map_or("", String::as_str));
        let mut install = page::AddScriptToEvaluateOnNewDocumentParams::new(super::agent::SOURCE);
        install.world_name = Some(WORLD.to_owned());
        install.run_immediately = Some(true);
        self.wire.tell(at, install);
        let mut workers = SetAutoAttachParams::new(true, true);
        workers.flatten = Some(true);
        self.wire.tell(at, workers);
        self.wire.tell(at, runtime::RunIfWaitingForDebuggerParams::default());

        if let Some(opener) = info["openerId"].as_str().and_then(|o| self.find(|s| s.target == o)) {
            opener.saw(Sight::Popup { url: info["url"].as_str().unwrap_or_default().to_owned() });
            opener.opened(target);
        }
        self.attached.send_replace(());
    }

    fn set_up_worker(&self, session: &str, owner: Arc<PageState>) {
        self.lock().sessions.insert(session.to_owned(), owner);
        self.wire.tell(Some(session), network::EnableParams::default());
        self.wire.tell(Some(session), runtime::EnableParams::default());
        self.wire.tell(Some(session), runtime::RunIfWaitingForDebuggerParams::default());
    }

    fn detach(&self, session: &str) {
        let Some(state) = self.lock().sessions.remove(session) else { return };
        if state.session == session {
            self.forget(&state);
        }
    }

    /// A page's session is over, and with it those of its workers.
    fn forget(&self, state: &Arc<PageState>) {
        self.lock().sessions.retain(|_, other| !Arc::ptr_eq(other, state));
        state.finish(&Error::Closed);
    }
}

impl Listener for Hub {
    fn event(&self, session: Option<&str>, method: &str, params: &Value) {
        match method {
            "Target.attachedToTarget" => return self.attach(session, params),
            "Target.detachedFromTarget" => return self.detach(params["sessionId"].as_str().unwrap_or_default()),
            "Target.targetCrashed" => {
                let crashed = self.find(|s| Some(s.target.as_str()) == params["targetId"].as_str());
                return crashed.map_or((), |state| state.event("Inspector.targetCrashed", params));
            }
            _ => {}
        }
        let Some(state) = session.and_then(|s| self.lock().sessions.get(s).cloned()) else { return };
        let own = session == Some(state.session.as_str());
        // A worker has contexts and a life cycle of its own; only what it asks for and says concerns its page.
        if own
            || method.starts_with("Network.")
            || method == "Runtime.consoleAPICalled"
            || method == "Runtime.exceptionThrown"
        {
            state.event(method, params);
        }
    }

    fn gone(&self, reason: &str) {
        self.gone.store(true, Ordering::Relaxed);
        let sessions = std::mem::take(&mut self.lock().sessions);
        for state in sessions.into_values() {
            state.finish(&Error::Gone(reason.to_owned()));
        }
        self.attached.send_replace(());
    }
}
