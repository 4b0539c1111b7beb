//! What a page asked for, what it got, and when its network is quiet.
//!
//! Chromium's own "network idle" never fires for a page that polls, or whose `fetch` body nobody reads; this room has
//! its own rule. It deliberately does not refuse anything: the resolver rules of the launch do.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A response whose body brings no byte for this long counts as settled.
const STALE_BODY: Duration = Duration::from_millis(500);

/// One thing a page asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Its address; `data:` addresses are not recorded.
    pub url: String,
    /// Chromium's resource type (`Document`, `Stylesheet`, `Font`, `Image`, …).
    pub resource: String,
    /// The status, when an answer came.
    pub status: Option<u16>,
    /// The answer's content type.
    pub mime: String,
    /// Bytes of body as they went over the wire.
    pub bytes: u64,
    /// Why it failed: `net::ERR_…`.
    pub failure: Option<String>,
    /// Whether it went to another origin than the page's own.
    pub remote: bool,
}

impl Request {
    /// Whether nothing usable came back.
    pub fn failed(&self) -> bool {
        self.failure.is_some() || self.status.is_some_and(|s| s >= 400)
    }
}

/// The book of one page's requests.
#[derive(Default)]
pub(super) struct Network {
    requests: Vec<Request>,
    /// Where the requests of the present document begin.
    document: usize,
    open: HashMap<String, Open>,
    polled: HashSet<String>,
}

struct Open {
    index: usize,
    answered: bool,
    touched: Instant,
}

/// Something in the book that the page's watchers want to hear of.
pub(super) enum Notable {
    Remote(usize),
    Failed(usize),
}

impl Network {
    /// Applies one `Network.*` event; `origin` is the artifact's.
    pub fn event(&mut self, method: &str, params: &Value, origin: Option<&str>) -> Option<Notable> {
        let id = params["requestId"].as_str()?;
        match method {
            "Network.requestWillBeSent" => self.sent(id, params, origin),
            "Network.webSocketCreated" => {
                let url = params["url"].as_str()?;
                let index = self.add(url, "WebSocket", origin);
                self.open.insert(id.to_owned(), Open { index, answered: true, touched: Instant::now() });
                None
            }
            "Network.webSocketHandshakeResponseReceived" => self.answered(id, params),
            "Network.webSocketFrameError" | "Network.webSocketClosed" => {
                let index = self.open.remove(id)?.index;
                let request = &mut self.requests[index];
                // Closed after a handshake is how every socket ends.
                if request.status.is_some() {
                    return None;
                }
                request.failure = Some(params["errorMessage"].as_str().unwrap_or("closed before it opened").to_owned());
                Some(self.failed(index))
            }
            "Network.responseReceived" => self.answered(id, params),
            "Network.dataReceived" => {
                self.open.get_mut(id)?.touched = Instant::now();
                None
            }
            "Network.loadingFinished" => {
                let open = self.open.remove(id)?;
                self.requests[open.index].bytes = params["encodedDataLength"].as_f64().unwrap_or(0.0) as u64;
                self.requests[open.index].failed().then_some(Notable::Failed(open.index))
            }
            "Network.loadingFailed" => {
                let open = self.open.remove(id)?;
                // Chromium says "canceled" for what a navigation cut short: nobody's fault.
                let canceled = params["canceled"].as_bool() == Some(true) && params["blockedReason"].is_null();
                if !canceled {
                    self.requests[open.index].failure = params["errorText"].as_str().map(str::to_owned);
                }
                (!canceled).then(|| self.failed(open.index))
            }
            _ => None,
        }
    }

    /// The requests so far, in the order they were made.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// The request at `index`.
    pub fn request(&self, index: usize) -> &Request {
        &self.requests[index]
    }

    /// The requests of the present document, without the one for itself.
    pub fn of_document(&self) -> &[Request] {
        &self.requests[self.document..]
    }

    /// Forgets what is still open: the document it belonged to is gone.
    pub fn forget_open(&mut self) {
        self.document = self.requests.len();
        self.open.clear();
        self.polled.clear();
    }

    /// What still loads, named. Polling (an address asked for again) and streams do not count.
    pub fn busy(&self) -> Vec<String> {
        let now = Instant::now();
        let pending = self.open.values().filter(|o| !(o.answered && now - o.touched > STALE_BODY));
        let named = pending
            .map(|o| &self.requests[o.index])
            .filter(|r| !matches!(r.resource.as_str(), "EventSource" | "WebSocket" | "Ping"))
            .filter(|r| !self.polled.contains(&r.url) && !r.url.ends_with("/favicon.ico"));
        // Sorted and without repeats: the order of a hash map must not show.
        named.map(|r| (r.url.clone(), ())).collect::<BTreeMap<_, _>>().into_keys().collect()
    }

    fn sent(&mut self, id: &str, params: &Value, origin: Option<&str>) -> Option<Notable> {
        let url = params["request"]["url"].as_str()?;
        if url.starts_with("data:") || url.starts_with("blob:") {
            return None;
        }
        if self.requests.iter().any(|r| r.url == url) {
            self.polled.insert(url.to_owned());
        }
        let index = self.add(url, params["type"].as_str().unwrap_or("Other"), origin);
        self.open.insert(id.to_owned(), Open { index, answered: false, touched: Instant::now() });
        None
    }

    /// A request that got nothing: of another origin it is above all an attempt to get there.
    fn failed(&self, index: usize) -> Notable {
        if self.requests[index].remote { Notable::Remote(index) } else { Notable::Failed(index) }
    }

    fn answered(&mut self, id: &str, params: &Value) -> Option<Notable> {
        let open = self.open.get_mut(id)?;
        open.answered = true;
        open.touched = Instant::now();
        let request = &mut self.requests[open.index];
        request.status = params["response"]["status"].as_u64().map(|s| s as u16);
        request.mime = params["response"]["mimeType"].as_str().unwrap_or_default().to_owned();
        request.remote.then_some(Notable::Remote(open.index))
    }

    fn add(&mut self, url: &str, resource: &str, origin: Option<&str>) -> usize {
        let web = ["http:", "https:", "ws:", "wss:"].iter().any(|s| url.starts_with(s));
        let remote = web && origin.is_some_and(|o| self::origin(url) != self::origin(o));
        self.requests.push(Request {
            url: url.to_owned(),
            resource: resource.to_owned(),
            status: None,
            mime: String::new(),
            bytes: 0,
            failure: None,
            remote,
        });
        self.requests.len() - 1
    }
}

/// The host and port of an address, without scheme and path: a WebSocket to the artifact's own server is not remote.
fn origin(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}
