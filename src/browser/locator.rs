//! Locators: by which scripts name elements, read once from a string (`grammar`) and handed to the agent as data.
//!
//! `css` · `hook=name` · `role=button[name="Save"]` · `label=` · `placeholder=` · `text=` · `title=` · `alt=` · `choice=`,
//! chained with ` >> `, stepping into frames with `frame=css`, and filtered by `nth=0`, `fact=id`, `has-text=…`,
//! `visible`. This room deliberately finds nothing: matching happens in the page.

use std::collections::BTreeMap;

use serde::Serialize;

pub use super::grammar::parse;
pub use super::hook::{HookSpec, Hooks};

/// A locator, as the agent takes it: `{text, steps}`. The frames before it are stepped into first, one by one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Locator {
    /// What the author wrote; messages quote it.
    pub text: String,
    /// The steps inside the last frame.
    pub steps: Vec<Step>,
    /// For each frame on the way, outermost first, the locator of its `<iframe>`.
    #[serde(skip)]
    pub frames: Vec<Locator>,
}

impl Locator {
    /// The name of the locator's last hook, if it has one.
    pub fn hook(&self) -> Option<&str> {
        let names =
            self.steps.iter().rev().filter_map(|s| if let Step::Hook { name, .. } = s { Some(name) } else { None });
        names.map(String::as_str).next()
    }
}

/// One step of a locator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Step {
    /// Elements that a CSS selector matches.
    Css {
        /// The selector.
        value: String,
    },
    /// Elements of a declared hook.
    Hook {
        /// Its name in the brief.
        name: String,
        /// Its `data-testid`.
        testid: String,
        /// What is tried, in this order, where it is missing.
        fallback: Vec<Fallback>,
        /// See [`HookSpec::identity`].
        identity: Option<String>,
        /// See [`HookSpec::names`].
        names: Vec<(String, String)>,
    },
    /// Elements by role, accessible name and states, as the accessibility tree holds them.
    Role {
        /// The ARIA role.
        role: String,
        /// The accessible name, if it matters.
        name: Option<Text>,
        /// States by name: `checked`, `expanded`, `level`, `pressed`, `selected`, `disabled`.
        attrs: BTreeMap<String, State>,
    },
    /// The innermost elements with a text.
    Text(Text),
    /// Controls by their label.
    Label(Text),
    /// Controls by their placeholder.
    Placeholder(Text),
    /// Elements by their `title`.
    Title(Text),
    /// Pictures by their alternative text.
    Alt(Text),
    /// In a group, the control by which something is chosen: the `<select>` that offers it, or the radio button, chip,
    /// tab or link of that name.
    Choice(Text),
    /// Of a hook's elements, those that show a fact.
    Fact {
        /// The fact's id.
        id: String,
        /// See [`HookSpec::names`].
        names: Vec<(String, String)>,
    },
    /// Of the elements so far, the one at an index; negative counts from the end.
    Nth {
        /// Counted from 0.
        index: i64,
    },
    /// Of the elements so far, those that contain a text.
    HasText(Text),
    /// Of the elements so far, those that are seen.
    Visible,
}

/// What stands in for a hook that is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fallback {
    /// The locator as the brief declares it.
    pub text: String,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// A text to match: white space collapsed, case ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Whether the whole text must match (it was quoted), not only a part.
    pub exact: bool,
}

/// The value of a state in a role step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum State {
    /// `[checked]`, `[expanded=false]`.
    Flag(bool),
    /// `[level=2]`.
    Number(u32),
    /// `[checked=mixed]`.
    Word(String),
}

/// Why a string is no locator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LocatorError {
    /// What is wrong.
    pub message: String,
    /// The byte in the locator's text at which it is wrong.
    pub offset: usize,
    /// What to do.
    pub hint: Option<String>,
}
