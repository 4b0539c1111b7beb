//! One page: asking its agent, evaluating in its own world, and its state.
//!
//! A question is one round trip to the agent in the right frame; when the document goes away under it, it is asked
//! again in the next one, within the same deadline. Navigation, input and pictures are in rooms of their own. It
//! deliberately has no opinion on what an answer means.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chromiumoxide::Command;
use chromiumoxide::cdp::browser_protocol::dom::DescribeNodeParams;
use chromiumoxide::cdp::browser_protocol::page::AddScriptToEvaluateOnNewDocumentParams;
use chromiumoxide::cdp::browser_protocol::page::CloseParams;
use chromiumoxide::cdp::js_protocol::runtime::{EvaluateParams, EvaluateReturns, TerminateExecutionParams};
use serde_json::Value;

use super::error::{Error, Result};
use super::hub::Context;
use super::look::Look;
use super::network::Request;
use super::sighting::Sighting;
use super::state::{DialogAnswer, Frame, PageState};
use super::wire::{Wire, within};

/// How long past its own deadline an agent may take to answer before the page counts as hung.
const GRACE: Duration = Duration::from_secs(3);

/// A page in a context of its own. Clones are the same page; the context goes with the last of them.
#[derive(Clone)]
pub struct Page {
    pub(super) state: Arc<PageState>,
    pub(super) wire: Wire,
    pub(super) context: Arc<Context>,
    look: Look,
    /// How often the page can still be made like new; a popup never.
    pub(super) lives: u32,
}

/// A frame of a page, by Chromium's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameId(pub(super) String);

impl Page {
    pub(super) fn new(state: Arc<PageState>, wire: Wire, context: Arc<Context>, look: Look, lives: u32) -> Self {
        Self { state, wire, context, look, lives }
    }

    /// Sends a command to this page; the returned future is its reply. Commands sent in a row are pipelined.
    pub fn call<C: Command>(&self, command: C) -> impl Future<Output = Result<C::Response>> + Send + use<C>
    where
        C::Response: Send,
    {
        self.wire.send(Some(&self.state.session), command)
    }

    /// Sends a command as plain JSON, for what the generated types get wrong.
    pub(super) fn call_json(
        &self,
        method: &'static str,
        params: Value,
    ) -> impl Future<Output = Result<Value>> + Send + use<> {
        self.wire.send_json(Some(&self.state.session), method.into(), params)
    }

    /// Whether the page closed, crashed, or went with its browser.
    pub fn is_over(&self) -> bool {
        self.state.lock().end.is_some()
    }

    /// How the page is looked at.
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// Looks at the page differently from now on: other size, other preferences.
    pub fn set_look(&mut self, look: &Look) {
        self.look = look.clone();
        self.context.set_look(look);
        look.apply(&self.wire, &self.state.session, self.context.user_agent());
    }

    /// The artifact's own origin: requests elsewhere are remote from now on.
    pub fn set_origin(&self, origin: &str) {
        self.state.lock().origin = Some(origin.to_owned());
    }

    /// Runs `script` in the page's own world at the beginning of every document from now on, before the page's scripts.
    ///
    /// # Errors
    /// Crash, close and loss of the browser.
    pub async fn inject(&self, script: &str) -> Result<()> {
        self.call(AddScriptToEvaluateOnNewDocumentParams::new(script)).await.map(drop)
    }

    /// How to answer the page's dialogs from now on.
    pub fn set_dialog_answer(&self, answer: DialogAnswer) {
        self.state.lock().dialog_answer = answer;
    }

    /// What the page did since this was last asked.
    pub fn take_sightings(&self) -> Vec<Sighting> {
        self.state.take_sightings()
    }

    /// What the page did so far; it stays for [`Page::take_sightings`].
    pub fn sightings(&self) -> Vec<Sighting> {
        self.state.sightings()
    }

    /// Waits until the page drew another frame.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn frame_passed(&self) -> Result<()> {
        let drawn = "new Promise(done => requestAnimationFrame(() => done('')))";
        self.evaluate_in_agent(drawn, Duration::from_secs(2)).await.map(drop)
    }

    /// Everything the page asked for so far.
    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().network.requests().to_vec()
    }

    /// What still loads, named; empty when the network is quiet.
    pub fn busy(&self) -> Vec<String> {
        self.state.lock().network.busy()
    }

    /// The address of the main document.
    pub fn url(&self) -> String {
        self.state.lock().main().map(|f| f.url.clone()).unwrap_or_default()
    }

    /// The main frame.
    pub fn main_frame(&self) -> FrameId {
        FrameId(self.state.lock().main_frame.clone())
    }

    /// Asks the agent of `frame` to carry out `request` (`{op, …, timeout}` with its timeout in ms) and returns its
    /// reply.
    ///
    /// # Errors
    /// [`Error::Hung`] when the page's thread is held by a script of its own; crash, close and loss of the browser.
    pub async fn ask(&self, frame: &FrameId, request: &Value) -> Result<Value> {
        let patience = Duration::from_millis(request["timeout"].as_u64().unwrap_or(0));
        let until = Instant::now() + patience + GRACE;
        let mut request = request.clone();
        let what = format!("\"{}\"", request["op"].as_str().unwrap_or("a question"));
        loop {
            let text = self.in_our_world(frame, &format!("loupe.run({request})"), until, &what).await;
            match text {
                Ok(text) => return parse(&what, &text),
                Err(e) if e.is_stale_document() && Instant::now() < until => {
                    // The next document gets what is left of the patience.
                    let left = until.saturating_duration_since(Instant::now()).saturating_sub(GRACE);
                    request["timeout"] = Value::from(left.as_millis() as u64);
                }
                Err(e) => return Err(e),
            }
        }
    }

    /// Evaluates `expression` in our world of the main frame; it must give a string.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn evaluate_in_agent(&self, expression: &str, patience: Duration) -> Result<String> {
        let until = Instant::now() + patience + GRACE;
        self.in_our_world(&self.main_frame(), expression, until, "an evaluation").await
    }

    /// Evaluates an expression or a function (called with `arg`) in the page's own world, awaits its promise, and
    /// returns plain data.
    ///
    /// # Errors
    /// [`Error::Protocol`] with the exception's text; otherwise as [`Page::ask`].
    pub async fn evaluate(&self, code: &str, arg: &Value, patience: Duration) -> Result<Value> {
        let until = Instant::now() + patience;
        let expression = format!("({RUN_CODE})({}, {arg})", Value::from(code));
        let text = loop {
            let world = self.world(&self.main_frame(), until, |f| f.own_world.clone()).await?;
            // What a flow runs stands for its user; what the agent asks must leave no trace of one.
            let command = EvaluateParams { user_gesture: Some(true), ..evaluation(&expression, world) };
            match self.evaluated(command, until, "page.evaluate").await {
                // The document was replaced before the code ran: it runs in the next one, and only there.
                Err(e) if e.never_ran() && Instant::now() < until => {}
                other => break other?,
            }
        };
        text.map_or(Ok(Value::Null), |text| parse("page.evaluate", &text))
    }

    /// The frame that an iframe element of `frame` shows; `at` is the agent's locator of that element.
    ///
    /// # Errors
    /// [`Error::Protocol`] when there is no such iframe within `patience`; otherwise as [`Page::ask`].
    pub async fn frame_in(&self, frame: &FrameId, at: &Value, patience: Duration) -> Result<FrameId> {
        let until = Instant::now() + patience + GRACE;
        loop {
            match self.frame_now(frame, at, patience, until).await {
                // The document was replaced meanwhile: the next one is asked.
                Err(e) if e.is_stale_document() && Instant::now() < until => {}
                found => return found,
            }
        }
    }

    async fn frame_now(&self, frame: &FrameId, at: &Value, patience: Duration, until: Instant) -> Result<FrameId> {
        self.frame_shown_by(frame, &format!("loupe.frame({at}, {})", patience.as_millis()), until, "frame=").await
    }

    /// The frame of the element that `expression` gives in our world of `frame`.
    pub(super) async fn frame_shown_by(
        &self,
        frame: &FrameId,
        expression: &str,
        until: Instant,
        what: &str,
    ) -> Result<FrameId> {
        let world = self.world(frame, until, |f| f.our_world.clone()).await?;
        let mut command = evaluation(expression, world);
        command.return_by_value = None;
        let returns = self.answered(command, until, what).await?;
        if let Some(thrown) = returns.exception_details {
            let text = thrown.exception.and_then(|e| e.description).unwrap_or(thrown.text);
            return Err(protocol(what, text.lines().next().unwrap_or_default()));
        }
        let object = returns.result.object_id.ok_or_else(|| protocol(what, "the locator gives no element"))?;
        let node = self.call(DescribeNodeParams { object_id: Some(object), ..Default::default() }).await?.node;
        let id = node.frame_id.ok_or_else(|| protocol(what, "the element shows no document"))?;
        Ok(FrameId(id.inner().clone()))
    }

    /// Every frame that the page has now.
    pub(super) fn frames(&self) -> Vec<FrameId> {
        self.state.lock().frames.keys().cloned().map(FrameId).collect()
    }

    /// The address of a frame's document.
    pub(super) fn address_of(&self, frame: &FrameId) -> String {
        self.state.lock().frames.get(&frame.0).map(|f| f.url.clone()).unwrap_or_default()
    }

    /// Whether a frame has a document that we can ask, or gets one before `until`.
    pub(super) async fn has_document(&self, frame: &FrameId, until: Instant) -> Result<bool> {
        let patience = until.saturating_duration_since(Instant::now());
        let seen = |f: &Frame| f.our_world.is_some().then_some(());
        Ok(self.state.wait(patience, |inner| inner.frames.get(&frame.0).and_then(seen)).await?.is_some())
    }

    /// Waits for the next page that this one opens.
    ///
    /// # Errors
    /// [`Error::Timeout`] when none comes within `patience`.
    pub async fn popup(&self, patience: Duration) -> Result<Self> {
        let next =
            self.state.wait(patience, |inner| (!inner.popups.is_empty()).then(|| inner.popups.remove(0))).await?;
        let target = next.ok_or_else(|| Error::Timeout { what: "a new page".into(), after: patience })?;
        let state = within(patience.max(GRACE), "a new page", self.context.page_of(&target)).await?;
        state.lock().origin = self.state.lock().origin.clone();
        Ok(Self { state, lives: 0, ..self.clone() })
    }

    /// The agent's world in a frame, if it has one now.
    pub(super) fn our_world(&self, frame: &FrameId) -> Result<String> {
        let world = self.state.lock().frames.get(&frame.0).and_then(|f| f.our_world.clone());
        world.ok_or_else(|| protocol("the agent", "the frame has no document now"))
    }

    /// What identifies the document that a frame shows now.
    pub(super) fn document(&self, frame: &FrameId) -> Option<String> {
        self.state.lock().frames.get(&frame.0).map(|f| f.loader.clone())
    }

    /// Closes this page; its context stays for the others in it.
    ///
    /// # Errors
    /// Loss of the browser.
    pub async fn close(self) -> Result<()> {
        // The reply may be overtaken by the page's own end.
        match self.call(CloseParams::default()).await {
            Err(Error::Closed) => Ok(()),
            other => other.map(drop),
        }
    }

    /// Evaluates `expression` in our world of `frame`; it must give a string.
    pub(super) async fn in_our_world(
        &self,
        frame: &FrameId,
        expression: &str,
        until: Instant,
        what: &str,
    ) -> Result<String> {
        let world = self.world(frame, until, |f| f.our_world.clone()).await?;
        let text = self.evaluated(evaluation(expression, world), until, what).await?;
        text.ok_or_else(|| protocol(what, "the agent gave no text"))
    }

    /// The execution context of a frame, as soon as there is one.
    async fn world(&self, frame: &FrameId, until: Instant, pick: impl Fn(&Frame) -> Option<String>) -> Result<String> {
        let patience = until.saturating_duration_since(Instant::now());
        let world = self.state.wait(patience, |inner| inner.frames.get(&frame.0).and_then(&pick)).await?;
        world.ok_or_else(|| Error::Hung { what: "a document".into(), after: patience })
    }

    async fn evaluated(&self, command: EvaluateParams, until: Instant, what: &str) -> Result<Option<String>> {
        let returns = self.answered(command, until, what).await?;
        match returns.exception_details {
            Some(thrown) => {
                let text = thrown.exception.and_then(|e| e.description).unwrap_or(thrown.text);
                Err(protocol(what, &text))
            }
            None => Ok(returns.result.value.and_then(|v| v.as_str().map(str::to_owned))),
        }
    }

    /// A page whose thread is held never answers: its script is ended, so that what follows can still look at it.
    async fn answered(&self, command: EvaluateParams, until: Instant, what: &str) -> Result<EvaluateReturns> {
        let started = Instant::now();
        let reply = self.wire.send(Some(&self.state.session), command);
        match tokio::time::timeout_at(until.into(), reply).await {
            Ok(Err(Error::Timeout { .. })) | Err(_) => {
                self.free();
                Err(Error::Hung { what: what.to_owned(), after: started.elapsed() })
            }
            Ok(result) => result,
        }
    }

    /// Ends whatever script the page is running, without waiting.
    pub fn free(&self) {
        self.wire.tell(Some(&self.state.session), TerminateExecutionParams::default());
    }
}

/// Compiles code as an expression or else as a program, calls it if it is a function, and gives its result as text.
const RUN_CODE: &str = r#"async (source, arg) => {
    let run;
    try { run = new Function(`return (${source}\n)`); } catch { run = () => (0, eval)(source); }
    let value = run();
    if (typeof value === "function") value = value(arg);
    value = await value;
    return value === undefined ? "null" : JSON.stringify(value) ?? "null";
}"#;

fn evaluation(expression: &str, world: String) -> EvaluateParams {
    let mut command = EvaluateParams::new(expression);
    command.unique_context_id = Some(world);
    command.await_promise = Some(true);
    command.return_by_value = Some(true);
    command
}

fn parse(what: &str, text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|e| protocol(what, &format!("unreadable answer: {e}")))
}

fn protocol(method: &str, message: &str) -> Error {
    Error::Protocol { method: method.to_owned(), message: message.to_owned() }
}
