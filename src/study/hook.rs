//! Hooks: the controls that a brief obliges an interface to expose.
//!
//! It deliberately takes a fallback locator as it is written; only the browser room can read it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::facts;
use crate::diag::{Diagnostic, Place, did_you_mean};
use crate::sheet::{Found, OneOrMore, Table};

/// A control that the brief obliges the interface to expose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hook {
    /// The value of `data-testid`; the hook's name where the brief does not say.
    pub testid: String,
    /// Locators to go on with when the hook is missing: the first that matches.
    pub fallback: Vec<String>,
    /// Where they are written, for mistakes that only its reader finds.
    pub fallback_at: Option<Place>,
    /// Whether every correct artifact has it (the default).
    pub required: bool,
    /// The attribute that identifies each of its elements.
    pub identity: Option<String>,
    /// The list of facts that its elements show.
    pub facts: Option<String>,
    /// The field of those facts whose text identifies an element.
    pub by: Option<String>,
}

impl Hook {
    /// Reads all tables `[hooks.NAME]`. `facts` is `None` where the brief has none that could be read.
    pub(super) fn read_all(table: &mut Table<'_>, facts: Option<&Value>) -> BTreeMap<String, Self> {
        let facts_were_given = table.has("facts");
        table.named("hooks", |name, hook| {
            let text = |hook: &mut Table<'_>, key| hook.get::<String>(key).map(|found| found.value);
            let testid = text(hook, "testid").unwrap_or_else(|| name.to_owned());
            let (fallback, fallback_at) = hook.get("fallback").map(|found| (found.value, found.place)).unzip();
            let OneOrMore(fallback) = fallback.unwrap_or(OneOrMore(Vec::new()));
            let required = hook.get::<bool>("required").is_none_or(|found| found.value);
            let identity = text(hook, "identity");
            let list = hook.get::<String>("facts");
            let by = hook.get::<String>("by");
            match facts {
                Some(facts) => check_source(hook, facts, list.as_ref(), by.as_ref()),
                // Facts that could not be read are a mistake already.
                None if facts_were_given => {}
                None => check_source(hook, &Value::Null, list.as_ref(), by.as_ref()),
            }
            let (facts, by) = (list.map(|found| found.value), by.map(|found| found.value));
            Some(Self { testid, fallback, fallback_at, required, identity, facts, by })
        })
    }
}

/// Checks that the facts that identify a hook's elements exist, and tell them apart.
fn check_source(hook: &Table<'_>, facts: &Value, list: Option<&Found<String>>, by: Option<&Found<String>>) {
    let (list, by) = match (list, by) {
        (Some(list), Some(by)) => (list, by),
        (None, None) => return,
        (Some(found), None) | (None, Some(found)) => {
            hook.mistake(
                Diagnostic::new(format!("{} needs both `facts` and `by`, or neither", hook.name()))
                    .at(found.place.clone())
                    .hint("facts = \"articles\" with by = \"title\" identifies an element by an article's title"),
            );
            return;
        }
    };
    let Some(items) = facts::list(facts, &list.value) else {
        let known: Vec<&str> = facts::lists(facts).collect();
        hook.mistake(missing("list of facts", list, &known));
        return;
    };
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for item in items {
        let id = item.get("id").and_then(Value::as_str).unwrap_or_default();
        let Some(text) = item.get(&by.value).and_then(Value::as_str) else {
            let known: Vec<&str> = item.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
            let mistake = missing("text", by, &known);
            hook.mistake(Diagnostic { title: format!("fact `{id}` has no text `{}`", by.value), ..mistake });
            return;
        };
        let folded = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if let Some(other) = seen.insert(folded, id) {
            hook.mistake(ambiguous(&by.place, other, id, text));
        }
    }
}

fn missing(what: &str, wanted: &Found<String>, known: &[&str]) -> Diagnostic {
    let hint = match (did_you_mean(&wanted.value, known.iter().copied()), known) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => "the brief has no facts to choose from".to_owned(),
        (None, known) => format!("there are {}", known.join(", ")),
    };
    Diagnostic::new(format!("there is no {what} `{}`", wanted.value)).at(wanted.place.clone()).hint(hint)
}

fn ambiguous(place: &Place, one: &str, other: &str, text: &str) -> Diagnostic {
    Diagnostic::new(format!("facts `{one}` and `{other}` cannot be told apart"))
        .at(place.clone())
        .expected("a text that differs from fact to fact")
        .received(format!("\"{text}\" twice"))
}
