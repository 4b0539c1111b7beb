//! What a page did by itself while we used it: console, errors, requests, dialogs, popups, crashes.
//!
//! These are facts with a time; whether one is a defect is decided elsewhere.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A fact about a page, with the time since the page was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// Since the page was made.
    pub at: Duration,
    /// What happened.
    pub what: Sight,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Sight {
    /// A console message; `level` is Chromium's (`log`, `warning`, `error`, `assert`, …).
    Console {
        /// Chromium's level.
        level: String,
        /// The arguments, joined by spaces.
        text: String,
        /// `url:line:column`.
        place: String,
    },
    /// An exception that nothing caught.
    Exception {
        /// Its description with the stack.
        text: String,
        /// `url:line:column`.
        place: String,
    },
    /// A promise rejected without a handler.
    Rejection {
        /// Its description with the stack.
        text: String,
        /// `url:line:column`.
        place: String,
    },
    /// A request that got no answer, or an answer of 400 and above.
    RequestFailed {
        /// What was asked for.
        url: String,
        /// Chromium's resource type (`Document`, `Stylesheet`, `Image`, …).
        resource: String,
        /// `net::ERR_…` or the status.
        reason: String,
    },
    /// A request to another origin than the artifact's.
    Remote {
        /// What was asked for.
        url: String,
        /// Chromium's resource type.
        resource: String,
        /// Whether nothing came back: the network mode let nobody answer.
        refused: bool,
    },
    /// A dialog, and the answer it got.
    Dialog {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        dialog: String,
        /// Its text.
        message: String,
        /// Whether it was accepted.
        accepted: bool,
    },
    /// Another page opened by this one.
    Popup {
        /// Its first address.
        url: String,
    },
    /// A download that the page started; it was refused.
    Download {
        /// From where.
        url: String,
        /// The suggested file name.
        name: String,
    },
    /// The main document changed.
    Navigated {
        /// Where to.
        url: String,
        /// Whether the document stayed the same (hash, history).
        same_document: bool,
    },
    /// The renderer crashed.
    Crashed,
    /// More happened than is kept: this many sightings were dropped.
    Dropped {
        /// How many.
        count: u64,
    },
}

/// How many sightings one page keeps: a page that logs for ever must not fill our memory.
pub const MOST_SIGHTINGS: usize = 2_000;

/// Reads `Runtime.consoleAPICalled`.
pub(super) fn console(params: &Value) -> Sight {
    let args = params["args"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = args.iter().map(remote_object).collect::<Vec<_>>().join(" ");
    let frame = &params["stackTrace"]["callFrames"][0];
    Sight::Console { level: text_of(&params["type"]), text: cut(text), place: place(frame) }
}

/// Reads `Runtime.exceptionThrown`.
pub(super) fn exception(params: &Value) -> Sight {
    let details = &params["exceptionDetails"];
    let thrown = &details["exception"];
    let text = match thrown["description"].as_str() {
        Some(description) => description.to_owned(),
        None => format!("{} {}", text_of(&details["text"]), remote_object(thrown)),
    };
    let first = &details["stackTrace"]["callFrames"][0];
    let place = if first.is_object() { place(first) } else { place(details) };
    let text = cut(text);
    if details["text"].as_str().is_some_and(|t| t.contains("(in promise)")) {
        Sight::Rejection { text, place }
    } else {
        Sight::Exception { text, place }
    }
}

fn remote_object(object: &Value) -> String {
    match (&object["value"], object["description"].as_str(), object["unserializableValue"].as_str()) {
        (Value::String(s), ..) => s.clone(),
        (_, Some(description), _) => description.to_owned(),
        (_, _, Some(special)) => special.to_owned(),
        (Value::Null, ..) => text_of(&object["type"]),
        (value, ..) => value.to_string(),
    }
}

/// DevTools counts lines and columns from 0, people from 1.
fn place(frame: &Value) -> String {
    let number = |name: &str| frame[name].as_u64().map_or(0, |n| n + 1);
    match frame["url"].as_str() {
        Some(url) if !url.is_empty() => format!("{url}:{}:{}", number("lineNumber"), number("columnNumber")),
        _ => String::new(),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn cut(mut text: String) -> String {
    const MOST: usize = 4_000;
    if text.len() > MOST {
        let end = (0..=MOST).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}
