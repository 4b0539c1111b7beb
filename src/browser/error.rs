//! What can go wrong between us and Chromium, sorted by what a caller does about it.

use std::time::Duration;

/// Trouble with the browser or with a page in it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The browser could not be started or reached.
    #[error("cannot start the browser: {0}")]
    Launch(String),
    /// The browser process or its connection is gone. Ours to mend: start another.
    #[error("the browser is gone: {0}")]
    Gone(String),
    /// The page's renderer crashed. The artifact's doing.
    #[error("the page crashed")]
    Crashed,
    /// The page was closed, by itself or by its opener.
    #[error("the page was closed")]
    Closed,
    /// The page does not answer: a script of its own holds the thread.
    #[error("the page hung: no answer within {after:?} to {what}")]
    Hung {
        /// What we had asked.
        what: String,
        /// How long we waited.
        after: Duration,
    },
    /// The browser itself did not answer in time.
    #[error("no answer from the browser within {after:?} to {what}")]
    Timeout {
        /// What we had asked.
        what: String,
        /// How long we waited.
        after: Duration,
    },
    /// The navigation did not happen; `reason` is Chromium's own word (`net::ERR_…`).
    #[error("cannot open {url}: {reason}")]
    Navigation {
        /// Where to.
        url: String,
        /// Chromium's reason.
        reason: String,
    },
    /// Chromium refused a command.
    #[error("{method}: {message}")]
    Protocol {
        /// The command.
        method: String,
        /// Chromium's message.
        message: String,
    },
    /// Something outside the browser failed (a file, a folder).
    #[error("{0}")]
    Outside(String),
}

/// Shorthand of this room.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// This error, where it is the artifact's own address that was opened: one that cannot be reached was not examined,
    /// which is no fault of the artifact.
    #[must_use]
    pub fn about_the_artifact(self) -> Self {
        const UNREACHED: [&str; 5] =
            ["ERR_NAME_", "ERR_CONNECTION_", "ERR_ADDRESS_", "ERR_INTERNET_", "ERR_UNSAFE_PORT"];
        match self {
            Self::Navigation { url, reason } if UNREACHED.iter().any(|code| reason.contains(code)) => {
                Self::Outside(format!("the artifact at {url} cannot be reached: {reason}"))
            }
            other => other,
        }
    }

    /// Whether a document went away under the command: the caller may ask again in the next document.
    pub(super) fn is_stale_document(&self) -> bool {
        let Self::Protocol { message, .. } = self else { return false };
        [
            "Cannot find context",
            "context was destroyed",
            "uniqueContextId not found",
            "Inspected target navigated or closed",
            "Argument should belong to the same JavaScript world",
            "Promise was collected",
        ]
        .iter()
        .any(|m| message.contains(m))
    }

    /// Whether the command found no document to run in, so that nothing of it can have happened.
    pub(super) fn never_ran(&self) -> bool {
        let Self::Protocol { message, .. } = self else { return false };
        ["Cannot find context", "uniqueContextId not found"].iter().any(|m| message.contains(m))
    }
}
