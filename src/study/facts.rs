//! Facts: the content that a brief fixes, as data with stable ids.
//!
//! The top is a map. Every list of maps in it is a list of facts: each carries an `id` that is unique in its list.
//! Everything else is plain data. It deliberately knows nothing of what facts mean.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::diag::Diagnostic;
use crate::sheet::{Mistakes, Text};

/// What facts look like.
const SHAPE: &str = "{ \"articles\": [ { \"id\": … } ] }";

/// Parses `facts.json` and checks the ids; mistakes are added to `mistakes`.
pub(super) fn parse(text: &Text, mistakes: &Mistakes) -> Option<Value> {
    let facts: Value = match serde_json::from_str(&text.body) {
        Ok(facts) => facts,
        Err(e) => {
            mistakes.add(not_json(text, &e));
            return None;
        }
    };
    let Some(top) = facts.as_object() else {
        mistakes
            .add(Diagnostic::new("facts must be a map of lists").at(text.at(0)).expected(SHAPE).received(kind(&facts)));
        return None;
    };
    for name in top.keys() {
        check_ids(text, name, list(&facts, name).unwrap_or_default(), mistakes);
    }
    Some(facts)
}

/// The list of facts called `name`.
pub(super) fn list<'a>(facts: &'a Value, name: &str) -> Option<&'a [Value]> {
    facts.get(name)?.as_array().filter(|items| items.iter().any(Value::is_object)).map(Vec::as_slice)
}

/// The names of all lists of facts.
pub(super) fn lists(facts: &Value) -> impl Iterator<Item = &str> {
    facts.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).filter(|name| list(facts, name).is_some())
}

fn check_ids(text: &Text, name: &str, items: &[Value], mistakes: &Mistakes) {
    let mut seen = BTreeSet::new();
    let list_at = find(&text.body, 0, &[&quoted(name), ":"]).unwrap_or(0);
    for (index, item) in items.iter().enumerate() {
        let Some(id) = item.get("id").and_then(Value::as_str).filter(|id| !id.trim().is_empty()) else {
            mistakes.add(
                Diagnostic::new(format!("item {} of `{name}` has no id", index + 1))
                    .at(text.at(list_at + 1))
                    .expected("\"id\": a text that is not empty")
                    .received(item.get("id").map_or_else(|| kind(item), kind)),
            );
            continue;
        };
        if !seen.insert(id) {
            let value = quoted(id);
            let key = ["\"id\"", ":", &value];
            let first = find(&text.body, list_at, &key).unwrap_or(list_at);
            let second = find(&text.body, first + 1, &key).unwrap_or(first);
            mistakes.add(
                Diagnostic::new(format!("two items of `{name}` have the id `{id}`"))
                    .at(text.at(second + 1))
                    .hint(format!("the first is at {}", text.at(first + 1))),
            );
        }
    }
}

fn not_json(text: &Text, error: &serde_json::Error) -> Diagnostic {
    let place =
        crate::diag::Place::in_source(text.name.as_str(), &text.body, error.line(), Some(error.column().max(1)));
    if text.body.trim().is_empty() {
        return Diagnostic::new(format!("`{}` is empty", text.name)).at(place).expected(SHAPE);
    }
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    Diagnostic::new(format!("not valid JSON: {message}")).at(place)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(text) if text.trim().is_empty() => "an empty text",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map without it",
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Where the tokens stand in a row, with nothing but white space between them. Parsed JSON has lost its places; this
/// finds them again well enough to put a caret.
fn find(text: &str, from: usize, tokens: &[&str]) -> Option<usize> {
    let (first, rest) = tokens.split_first()?;
    let follows = |at: &usize| {
        let mut tail = &text[*at + first.len()..];
        rest.iter().all(|token| {
            let stripped = tail.trim_start().strip_prefix(token);
            tail = stripped.unwrap_or_default();
            stripped.is_some()
        })
    };
    text.get(from..)?.match_indices(first).map(|(at, _)| from + at).find(follows)
}
