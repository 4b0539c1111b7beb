//! An audit: what axe-core says of a page in one state, and how far that reaches.
//!
//! A count says nothing without its scope, so the two are one entry. What needs review is neither a pass nor a failure,
//! and this deliberately never makes one of it. Texts come from the page and are hostile until escaped.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The accessibility of a page, as one engine saw it at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// What the flow calls the state: `initial`, `detail`, …
    pub state: String,
    /// Rules that are broken.
    pub violations: Vec<AuditRule>,
    /// Rules that the engine could not decide: a person has to look.
    pub needs_review: Vec<AuditRule>,
    /// What was looked at, with what.
    pub scope: Scope,
}

/// What one rule found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRule {
    /// The engine's name of the rule.
    pub id: String,
    /// `minor`, `moderate`, `serious` or `critical`; absent where the engine gives none.
    pub impact: Option<String>,
    /// What the rule asks for, in a sentence.
    pub help: String,
    /// How many elements it is about.
    pub count: u64,
    /// The first of them.
    pub first: Vec<AuditElement>,
}

/// An element that a rule is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditElement {
    /// A locator that finds it.
    pub locator: String,
    /// The beginning of its HTML.
    pub html: String,
    /// Why, in the engine's words.
    pub why: String,
}

/// How far an audit reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// Width and height of the viewport in CSS px.
    pub viewport: [u32; 2],
    /// Whether it was looked at as on a phone.
    pub mobile: bool,
    /// How many rules were run.
    pub rules: u64,
    /// The tags by which they were chosen.
    pub tags: Vec<String>,
    /// The addresses of the documents that were looked at, the page's own first.
    pub frames: Vec<String>,
    /// The frames that were not.
    pub unreached: Vec<Unreached>,
    /// The engine's version.
    pub version: String,
    /// The digest of its script: SHA-256, plain hex.
    pub digest: String,
}

/// A frame that an audit did not look into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreached {
    /// Its address, or where its element is.
    pub frame: String,
    /// Why not.
    pub why: String,
}

impl Audit {
    /// How many elements violate a rule; one that violates two counts twice.
    pub fn violating(&self) -> u64 {
        self.violations.iter().map(|rule| rule.count).sum()
    }

    /// How many elements need review, counted likewise.
    pub fn reviewable(&self) -> u64 {
        self.needs_review.iter().map(|rule| rule.count).sum()
    }
}

impl fmt::Display for Audit {
    /// One line: counts, and beside them their scope.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scope { viewport: [width, height], rules, frames, unreached, version, .. } = &self.scope;
        write!(f, "{} at {width}x{height}: {} violations{}", self.state, self.violating(), named(&self.violations))?;
        write!(f, ", {} to review{}", self.reviewable(), named(&self.needs_review))?;
        let s = if frames.len() == 1 { "" } else { "s" };
        write!(f, "; {rules} rules of axe-core {version} in {} document{s}", frames.len())?;
        for Unreached { frame, why } in unreached {
            write!(f, ", not in {frame} ({why})")?;
        }
        Ok(())
    }
}

/// The rules with their counts, in brackets; nothing where there is none.
fn named(rules: &[AuditRule]) -> String {
    let told: Vec<String> = rules.iter().map(|rule| format!("{} {}", rule.id, rule.count)).collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}
