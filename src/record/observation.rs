//! Observations: facts with time and place, left by every word a flow speaks and by the page itself.
//!
//! They are evidence and deliberately carry no judgement; texts in them come from pages and are hostile until escaped.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Audit;
use crate::diag::Place;

/// One thing that was seen, when, and at which place of the flow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// Milliseconds since the case began.
    pub at_ms: u64,
    /// The script's place at that moment; absent outside of words.
    pub place: Option<Place>,
    /// What was seen.
    pub what: What,
}

/// What was seen. The stored `kind` is the variant's name in kebab case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// A word was spoken: `page.click`.
    Word {
        /// Module and name.
        name: String,
        /// The arguments as given.
        args: Vec<Value>,
        /// How long it took.
        took_ms: u64,
        /// Why it was refused; absent if it did what was asked.
        refused: Option<String>,
    },
    /// The script left a note.
    Note {
        /// Its text.
        text: String,
        /// Its data; null if there was none.
        data: Value,
    },
    /// A hook was not what the brief obliges.
    Contract {
        /// The hook's name.
        hook: String,
        /// What was wrong.
        state: HookState,
        /// The locator the flow went on with, if the brief declares one.
        fallback: Option<String>,
    },
    /// The page wrote to the console.
    Console {
        /// `log`, `info`, `warning`, `error`, `debug` …
        level: String,
        /// The message.
        text: String,
        /// Where it was written, `url:line:column`.
        source: Option<String>,
    },
    /// An error that no script of the page caught.
    UncaughtError {
        /// The message with its stack.
        text: String,
        /// Where it was thrown, `url:line:column`.
        source: Option<String>,
    },
    /// A promise was rejected and nobody listened.
    UnhandledRejection {
        /// The reason.
        text: String,
        /// Where it was rejected, `url:line:column`.
        source: Option<String>,
    },
    /// A request to the artifact's own origin failed.
    FailedRequest {
        /// The URL.
        url: String,
        /// What asked for it: `script`, `stylesheet`, `image`, `font`, `fetch` …
        resource: String,
        /// A status such as `404`, or the network error.
        reason: String,
    },
    /// The page asked for something outside its own origin.
    RemoteAttempt {
        /// The URL.
        url: String,
        /// What asked for it.
        resource: String,
        /// Whether the network policy refused it.
        blocked: bool,
    },
    /// A dialog opened and was answered.
    Dialog {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        dialog: String,
        /// What it said.
        message: String,
        /// What it was answered: `accept`, `dismiss`, or the text of a prompt.
        answer: String,
    },
    /// The page opened another page.
    Popup {
        /// Its URL.
        url: String,
    },
    /// The page went to another URL, by loading or within the document.
    Navigation {
        /// The URL.
        url: String,
    },
    /// The page offered a file.
    Download {
        /// The URL.
        url: String,
        /// The suggested file name.
        name: String,
    },
    /// The page was audited for accessibility.
    Accessibility(Box<Audit>),
    /// A renderer crashed.
    Crash {
        /// What is known about it.
        reason: String,
    },
    /// More came than the record keeps; only the first were kept.
    Omitted {
        /// How many are not in the record.
        count: u64,
    },
}

/// What was wrong with a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HookState {
    /// Nothing carries it.
    Missing,
    /// An action needs one element, more than one carries it.
    Ambiguous,
}

impl What {
    /// Whether a reader who looks for the cause of a failure wants to see it: trouble in the page, not the usual noise.
    pub fn is_trouble(&self) -> bool {
        match self {
            Self::Contract { .. }
            | Self::UncaughtError { .. }
            | Self::UnhandledRejection { .. }
            | Self::FailedRequest { .. }
            | Self::RemoteAttempt { .. }
            | Self::Crash { .. } => true,
            Self::Console { level, .. } => level == "error",
            Self::Word { .. }
            | Self::Note { .. }
            | Self::Dialog { .. }
            | Self::Popup { .. }
            | Self::Navigation { .. }
            | Self::Download { .. }
            | Self::Accessibility(_)
            | Self::Omitted { .. } => false,
        }
    }
}
