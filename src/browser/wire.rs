//! The connection to Chromium: commands out, replies and events in, in order.
//!
//! One task owns the socket. Events are handed to a listener *before* any later reply is delivered, so whoever gets a
//! reply also sees the world that the events before it described. It deliberately knows nothing of pages; and it reads
//! events as plain JSON, because one unknown value in a typed event would lose the whole event.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use chromiumoxide::Command;
use chromiumoxide::conn::Connection;
use chromiumoxide::types::{CallId, EventMessage, Message, Method, MethodId, Response};
use futures::StreamExt;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::error::{Error, Result};

/// The time any single command may take before the browser counts as unresponsive.
pub const COMMAND_DEADLINE: Duration = Duration::from_secs(20);

/// Hears every event, on the connection's own task: it must not block.
pub trait Listener: Send + Sync + 'static {
    /// An event, of one session or of the browser as a whole.
    fn event(&self, session: Option<&str>, method: &str, params: &Value);
    /// The connection ended; no event follows.
    fn gone(&self, reason: &str);
}

/// A handle to the connection; clones share it.
#[derive(Clone)]
pub struct Wire {
    out: mpsc::UnboundedSender<Outgoing>,
}

enum Outgoing {
    Call { method: MethodId, session: Option<String>, params: Value, reply: oneshot::Sender<Result<Value>> },
    FailSession { session: String, error: Error },
}

impl Wire {
    /// Connects to `url` (`ws://…/devtools/browser/…`). Nothing is heard until [`Ears::listen`] is called.
    pub async fn connect(url: &str) -> Result<(Self, Ears)> {
        let connection = Connection::<Event>::connect(url)
            .await
            .map_err(|e| Error::Launch(format!("no DevTools connection at {url}: {e}")))?;
        let (out, calls) = mpsc::unbounded_channel();
        Ok((Self { out }, Ears { connection, calls }))
    }

    /// Sends a command at once and returns its reply as a future: commands sent in a row are pipelined.
    pub fn send<C: Command>(
        &self,
        session: Option<&str>,
        command: C,
    ) -> impl Future<Output = Result<C::Response>> + Send + use<C>
    where
        C::Response: Send,
    {
        let method = command.identifier();
        let reply = serde_json::to_value(command)
            .map_err(|e| Error::Protocol { method: method.to_string(), message: e.to_string() })
            .map(|params| self.send_json(session, method.clone(), params));
        async move {
            let result = within(COMMAND_DEADLINE, &method, reply?).await?;
            C::response_from_value(result)
                .map_err(|e| Error::Protocol { method: method.to_string(), message: format!("unreadable reply: {e}") })
        }
    }

    /// Sends a command whose reply nobody reads.
    pub fn tell<C: Command>(&self, session: Option<&str>, command: C) {
        let method = command.identifier();
        if let Ok(params) = serde_json::to_value(command) {
            drop(self.send_json(session, method, params));
        }
    }

    /// Fails every command of `session` that still waits: a crashed renderer never answers.
    pub fn fail_session(&self, session: &str, error: Error) {
        // A closed channel means that the connection ended, and that ended every command already.
        let _ = self.out.send(Outgoing::FailSession { session: session.to_owned(), error });
    }

    /// Sends `params` as they are and returns the raw reply, without any deadline of its own.
    pub fn send_json(
        &self,
        session: Option<&str>,
        method: MethodId,
        params: Value,
    ) -> impl Future<Output = Result<Value>> + Send + use<> {
        let (reply, answer) = oneshot::channel();
        let call = Outgoing::Call { method, session: session.map(str::to_owned), params, reply };
        let sent = self.out.send(call).is_ok();
        async move {
            let gone = || Error::Gone("the connection is closed".into());
            if !sent {
                return Err(gone());
            }
            answer.await.unwrap_or_else(|_| Err(gone()))
        }
    }
}

/// Waits for a reply, but no longer than `deadline`.
pub async fn within<T>(deadline: Duration, what: &str, reply: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::time::timeout(deadline, reply)
        .await
        .unwrap_or_else(|_| Err(Error::Timeout { what: what.to_owned(), after: deadline }))
}

/// The receiving half, before anybody listens.
pub struct Ears {
    connection: Connection<Event>,
    calls: mpsc::UnboundedReceiver<Outgoing>,
}

impl Ears {
    /// Pumps messages until the connection or the last [`Wire`] is gone.
    pub fn listen(self, listener: Arc<dyn Listener>) -> tokio::task::JoinHandle<()> {
        tokio::spawn(async move {
            let reason = pump(self.connection, self.calls, listener.as_ref()).await;
            listener.gone(&reason);
        })
    }
}

struct Waiting {
    method: MethodId,
    session: Option<String>,
    reply: oneshot::Sender<Result<Value>>,
}

/// Returns why it ended. Whatever still waits is dropped with it, which its callers read as "gone".
async fn pump(
    mut connection: Connection<Event>,
    mut calls: mpsc::UnboundedReceiver<Outgoing>,
    listener: &dyn Listener,
) -> String {
    let mut waiting: HashMap<CallId, Waiting> = HashMap::new();
    loop {
        tokio::select! {
            call = calls.recv() => match call {
                Some(call) => accept(call, &mut connection, &mut waiting),
                None => return "closed by us".into(),
            },
            message = connection.next() => match message {
                Some(Ok(Message::Response(response))) => deliver(response, &mut waiting),
                Some(Ok(Message::Event(event))) => {
                    listener.event(event.session_id.as_deref(), &event.method, &event.params);
                }
                // One message that cannot be read must not end the others; its caller has a deadline.
                Some(Err(chromiumoxide::error::CdpError::InvalidMessage(..))) => {}
                Some(Err(e)) => return e.to_string(),
                None => return "the browser closed the connection".into(),
            },
        }
    }
}

fn accept(call: Outgoing, connection: &mut Connection<Event>, waiting: &mut HashMap<CallId, Waiting>) {
    match call {
        Outgoing::Call { method, session, params, reply } => {
            let sent = connection.submit_command(method.clone(), session.clone().map(Into::into), params);
            match sent {
                Ok(id) => drop(waiting.insert(id, Waiting { method, session, reply })),
                // The receiver may have given up already; then nobody needs to know.
                Err(e) => drop(reply.send(Err(Error::Protocol { method: method.to_string(), message: e.to_string() }))),
            }
        }
        Outgoing::FailSession { session, error } => {
            let lost = waiting.extract_if(|_, w| w.session.as_deref() == Some(&session));
            for (_, w) in lost {
                drop(w.reply.send(Err(error.clone())));
            }
        }
    }
}

fn deliver(response: Response, waiting: &mut HashMap<CallId, Waiting>) {
    let Some(w) = waiting.remove(&response.id) else { return };
    let result = match response.error {
        Some(e) => Err(Error::Protocol { method: w.method.to_string(), message: e.message }),
        None => Ok(response.result.unwrap_or_default()),
    };
    drop(w.reply.send(result));
}

/// An event as it comes.
#[derive(Debug, Deserialize)]
struct Event {
    method: String,
    #[serde(rename = "sessionId")]
    session_id: Option<String>,
    #[serde(default)]
    params: Value,
}

impl Method for Event {
    fn identifier(&self) -> MethodId {
        self.method.clone().into()
    }
}

impl EventMessage for Event {
    fn session_id(&self) -> Option<&str> {
        self.session_id.as_deref()
    }
}
