//! What the pages of a case loaded, and what an artifact's author declares to have taken from elsewhere.
//!
//! It is information, and deliberately no judgement: an icon that a generator drew itself needs no record of its source.

use serde::{Deserialize, Serialize};

/// Something that a page loaded, or asked another host for. The stored `from` says which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum Loaded {
    /// From the artifact.
    Artifact {
        /// The file in the artifact; of one that is an address, the path on it.
        file: String,
        /// What it is.
        kind: LoadedKind,
        /// How large it is, in bytes.
        bytes: u64,
        /// SHA-256, plain hex; absent where the artifact is an address, whose files we do not have.
        digest: Option<String>,
    },
    /// From another host.
    Remote {
        /// The address.
        url: String,
        /// What it is.
        kind: LoadedKind,
        /// Bytes that came over the wire.
        bytes: u64,
        /// Whether nothing came: the network policy refused it, or nobody answered.
        blocked: bool,
    },
}

/// What was loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadedKind {
    /// A page, or one in a frame.
    Document,
    /// A style sheet.
    Stylesheet,
    /// A script.
    Script,
    /// A picture.
    Picture,
    /// A font.
    Font,
    /// Sound or video.
    Media,
    /// Anything else: data, sockets, manifests.
    Data,
}

/// Something that an artifact's author says to have taken from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// The file in the artifact.
    pub file: String,
    /// Where it comes from.
    pub source: String,
    /// Under which licence.
    pub licence: String,
}

impl LoadedKind {
    /// The word for people and files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Stylesheet => "stylesheet",
            Self::Script => "script",
            Self::Picture => "picture",
            Self::Font => "font",
            Self::Media => "media",
            Self::Data => "data",
        }
    }

    /// Whether it is of a kind whose source and licence the author has to declare.
    pub fn needs_record(self) -> bool {
        matches!(self, Self::Picture | Self::Font | Self::Media)
    }
}
