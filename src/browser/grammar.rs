//! The grammar of locators: from what a script says to a [`Locator`], or to why it is none.
//!
//! It deliberately reads the text alone: whether anything matches is found out in the page.

use std::collections::BTreeMap;

use super::hook::Hooks;
use super::locator::{Fallback, Locator, LocatorError, State, Step, Text};
use crate::diag::did_you_mean;

/// The roles that ARIA knows; the agent reads the same list.
const ROLES: &str = include_str!("agent/roles.txt");
const KINDS: [&str; 13] = [
    "css",
    "hook",
    "role",
    "label",
    "placeholder",
    "text",
    "title",
    "alt",
    "choice",
    "frame",
    "nth",
    "fact",
    "has-text",
];
/// The kinds whose value is a text.
const TEXTUAL: [&str; 7] = ["label", "placeholder", "text", "title", "alt", "choice", "has-text"];
const STATES: [&str; 6] = ["checked", "disabled", "expanded", "level", "pressed", "selected"];

/// Reads a locator; `hooks` are those that it may name.
///
/// # Errors
/// An empty step, an unknown kind of step, hook, role or state, an unclosed quote or bracket, a filter with nothing
/// before it, or a frame with nothing behind it: with its place and, where one is near, the word that was meant.
pub fn parse(text: &str, hooks: &Hooks) -> Result<Locator, LocatorError> {
    let mut locator = Locator { text: text.to_owned(), steps: Vec::new(), frames: Vec::new() };
    for (offset, part) in split(text)? {
        let (kind, value, start) = kind_of(part, offset)?;
        if kind == "frame" {
            let frame = Step::Css { value: required(value, start, kind)?.to_owned() };
            let steps = std::mem::take(&mut locator.steps).into_iter().chain([frame]).collect();
            locator.frames.push(Locator {
                text: text[..offset + part.len()].trim().to_owned(),
                steps,
                frames: Vec::new(),
            });
            continue;
        }
        let step = match kind {
            "fact" => fact(required(value, start, kind)?, start, &locator.steps)?,
            _ => step_of(kind, value, start, hooks)?,
        };
        if locator.steps.is_empty() && matches!(step, Step::Nth { .. } | Step::HasText(_) | Step::Visible) {
            return Err(wrong(format!("`{part}` filters what stands before it, but nothing does"), offset)
                .hint("put a locator before it: `css >> nth=0`"));
        }
        locator.steps.push(step);
    }
    if locator.steps.is_empty() {
        return Err(wrong("a frame is not an element: nothing stands behind it", text.len())
            .hint("go on inside the frame: `frame=iframe >> role=button`"));
    }
    Ok(locator)
}

/// The parts between ` >> `, each with its offset; quotes and brackets protect what is inside them.
fn split(text: &str) -> Result<Vec<(usize, &str)>, LocatorError> {
    let (mut parts, mut start, mut quote, mut depth) = (Vec::new(), 0, None, 0_usize);
    let mut chars = text.char_indices();
    while let Some((i, c)) = chars.next() {
        match (quote, c) {
            (_, '\\') => drop(chars.next()),
            (Some((_, open)), _) if c == open => quote = None,
            (Some(_), _) => {}
            // Elsewhere, a quote is a letter: `text=Don't`, `text=5" screen`.
            (None, '"' | '\'') if depth > 0 || text[..i].trim_end().ends_with('=') => {
                quote = (c == '"' || text[i + 1..].contains(c)).then_some((i, c));
            }
            (None, '[' | '(') if !is_plain(&text[start..]) => depth += 1,
            (None, ']' | ')') => depth = depth.saturating_sub(1),
            (None, '>') if depth == 0 && text[i..].starts_with(">>") => {
                parts.push((start, &text[start..i]));
                start = i + 2;
                chars.next();
            }
            (None, _) => {}
        }
    }
    if let Some((i, open)) = quote {
        return Err(wrong(format!("a quote {open} is not closed"), i));
    }
    parts.push((start, &text[start..]));
    parts.into_iter().map(|(offset, part)| trimmed(offset, part)).collect()
}

/// Whether a part's value is text, in which brackets mean nothing.
fn is_plain(part: &str) -> bool {
    part.split_once('=').is_some_and(|(head, _)| TEXTUAL.contains(&head.trim()))
}

fn trimmed(offset: usize, part: &str) -> Result<(usize, &str), LocatorError> {
    let offset = offset + part.len() - part.trim_start().len();
    match part.trim() {
        "" => Err(wrong("a step of the locator is empty", offset)),
        part => Ok((offset, part)),
    }
}

/// What kind of step a part is, its value, and where that begins.
fn kind_of(part: &str, offset: usize) -> Result<(&str, &str, usize), LocatorError> {
    if part == "visible" {
        return Ok(("visible", "", offset));
    }
    let Some((head, value)) = part.split_once('=') else { return Ok(("css", part, offset)) };
    let word = head.trim();
    if let Some(kind) = KINDS.into_iter().find(|kind| *kind == word) {
        let start = offset + head.len() + 1 + value.len() - value.trim_start().len();
        return Ok((kind, value.trim(), start));
    }
    // In CSS an equals sign only stands inside brackets.
    if word.contains(['[', '(', ' ', '.', '#', ':']) {
        return Ok(("css", part, offset));
    }
    let error = wrong(format!("`{word}=` is no kind of locator"), offset);
    Err(match did_you_mean(word, KINDS) {
        Some(near) => error.hint(format!("did you mean `{near}=`?")),
        None => error.hint(format!("kinds: {}", KINDS.join(" "))),
    })
}

fn step_of(kind: &str, value: &str, offset: usize, hooks: &Hooks) -> Result<Step, LocatorError> {
    let value = if kind == "visible" { value } else { required(value, offset, kind)? };
    Ok(match kind {
        "css" => Step::Css { value: value.to_owned() },
        "hook" => hook(value, offset, hooks)?,
        "role" => role(value, offset)?,
        "text" => Step::Text(wanted(value)),
        "label" => Step::Label(wanted(value)),
        "placeholder" => Step::Placeholder(wanted(value)),
        "title" => Step::Title(wanted(value)),
        "choice" => Step::Choice(wanted(value)),
        "alt" => Step::Alt(wanted(value)),
        "nth" => match value.parse() {
            Ok(index) => Step::Nth { index },
            Err(_) => return Err(wrong(format!("`nth=` takes a whole number, not \"{value}\""), offset)),
        },
        "has-text" => Step::HasText(wanted(value)),
        _ => Step::Visible,
    })
}

fn required<'a>(value: &'a str, offset: usize, kind: &str) -> Result<&'a str, LocatorError> {
    if value.is_empty() {
        return Err(wrong(format!("`{kind}=` needs a value"), offset));
    }
    Ok(value)
}

fn hook(name: &str, offset: usize, hooks: &Hooks) -> Result<Step, LocatorError> {
    let Some(spec) = hooks.get(name) else {
        let error = wrong(format!("the brief declares no hook \"{name}\""), offset);
        let names = hooks.keys().map(String::as_str);
        return Err(match did_you_mean(name, names.clone()) {
            Some(near) => error.hint(format!("did you mean \"{near}\"?")),
            None if hooks.is_empty() => error.hint("this brief declares no hooks"),
            None => error.hint(format!("hooks: {}", names.collect::<Vec<_>>().join(" "))),
        });
    };
    let fallback = spec.fallback.iter().map(|text| fallback(name, text, offset)).collect::<Result<_, _>>()?;
    Ok(Step::Hook {
        name: name.to_owned(),
        testid: spec.testid.clone(),
        fallback,
        identity: spec.identity.clone(),
        names: spec.names.clone(),
    })
}

/// A fact of the list that the last hook declares.
fn fact(id: &str, offset: usize, before: &[Step]) -> Result<Step, LocatorError> {
    let hook = before
        .iter()
        .rev()
        .find_map(|s| if let Step::Hook { name, names, .. } = s { Some((name, names)) } else { None });
    let Some((hook, names)) = hook.filter(|(_, names)| !names.is_empty()) else {
        return Err(wrong(
            "`fact=` filters the elements of a hook that declares facts, but there is none before it",
            offset,
        )
        .hint("for example `hook=item >> fact=night-ferry`"));
    };
    let ids = names.iter().map(|(id, _)| id.as_str());
    if !ids.clone().any(|known| known == id) {
        let error = wrong(format!("hook \"{hook}\" knows no fact \"{id}\""), offset);
        return Err(match did_you_mean(id, ids) {
            Some(near) => error.hint(format!("did you mean \"{near}\"?")),
            None => error,
        });
    }
    Ok(Step::Fact { id: id.to_owned(), names: names.clone() })
}

/// A fallback is a locator of its own, in the same document and without hooks.
fn fallback(hook: &str, text: &str, offset: usize) -> Result<Fallback, LocatorError> {
    let place = |error: LocatorError| LocatorError {
        message: format!("the fallback of hook \"{hook}\", `{text}`, is no locator: {}", error.message),
        offset,
        hint: error.hint,
    };
    let locator = parse(text, &Hooks::new()).map_err(place)?;
    if !locator.frames.is_empty() {
        return Err(place(wrong("it steps into a frame", 0)));
    }
    Ok(Fallback { text: locator.text, steps: locator.steps })
}

/// `button[name="Save"][expanded=false]`.
fn role(value: &str, offset: usize) -> Result<Step, LocatorError> {
    let word = value.split('[').next().unwrap_or_default().trim();
    let lower = word.to_lowercase();
    if !ROLES.split_whitespace().any(|known| known == lower) {
        let error = wrong(format!("\"{word}\" is no ARIA role"), offset);
        return Err(match did_you_mean(word, ROLES.split_whitespace()) {
            Some(near) => error.hint(format!("did you mean \"{near}\"?")),
            None => error,
        });
    }
    let (mut name, mut attrs) = (None, BTreeMap::new());
    let mut rest = &value[value.find('[').unwrap_or(value.len())..];
    while !rest.trim_start().is_empty() {
        let at = offset + value.len() - rest.len();
        let (inside, after) = bracket(rest, at)?;
        match inside.split_once('=').map_or((inside.trim(), None), |(key, value)| (key.trim(), Some(value.trim()))) {
            ("name", Some(text)) => name = Some(wanted(text)),
            (key, state) => drop(attrs.insert(key.to_owned(), state_of(key, state, at + 1)?)),
        }
        rest = after;
    }
    Ok(Step::Role { role: lower, name, attrs })
}

/// What the first bracket holds, and what follows it.
fn bracket(text: &str, offset: usize) -> Result<(&str, &str), LocatorError> {
    let Some(inner) = text.trim_start().strip_prefix('[') else {
        return Err(wrong("expected `[` after the role", offset).hint("for example `role=button[name=\"Save\"]`"));
    };
    let (mut quote, mut escaped) = (None, false);
    for (i, c) in inner.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if inner[..i].trim_end().ends_with('=') => quote = Some(c),
            (None, ']') => return Ok((&inner[..i], &inner[i + 1..])),
            (None, _) => {}
        }
    }
    Err(wrong("a bracket [ is not closed", offset))
}

fn state_of(key: &str, value: Option<&str>, offset: usize) -> Result<State, LocatorError> {
    if !STATES.contains(&key) {
        let error = wrong(format!("a role has no state \"{key}\""), offset);
        return Err(match did_you_mean(key, STATES.into_iter().chain(["name"])) {
            Some(near) => error.hint(format!("did you mean [{near}]?")),
            None => error.hint(format!("states: name {}", STATES.join(" "))),
        });
    }
    match (key, value) {
        ("level", Some(level)) => match level.parse() {
            Ok(level) => Ok(State::Number(level)),
            Err(_) => Err(wrong(format!("a level is a whole number, not \"{level}\""), offset)),
        },
        ("level", None) => Err(wrong("a level needs a number: [level=2]", offset)),
        (_, None | Some("true")) => Ok(State::Flag(true)),
        (_, Some("false")) => Ok(State::Flag(false)),
        ("checked" | "pressed", Some("mixed")) => Ok(State::Word("mixed".to_owned())),
        (_, Some(other)) => Err(wrong(format!("[{key}] is true or false, not \"{other}\""), offset)),
    }
}

/// A text: in quotes it is meant whole.
fn wanted(value: &str) -> Text {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inner = quote.and_then(|c| value.strip_prefix(c)?.strip_suffix(c));
    match inner {
        Some(inner) => Text { text: unescaped(inner), exact: true },
        None => Text { text: value.to_owned(), exact: false },
    }
}

fn unescaped(text: &str) -> String {
    let mut chars = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    plain
}

fn wrong(message: impl Into<String>, offset: usize) -> LocatorError {
    LocatorError { message: message.into(), offset, hint: None }
}

impl LocatorError {
    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

#[cfg(test)]
#[path = "grammar_tests.rs"]
mod tests;
