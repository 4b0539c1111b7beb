//! Whose trouble it is: an agent's refusal or the browser's error as a fault, and a hook's state as a note.
//!
//! This is the only place that decides between "the artifact does not do it", "the contract is broken", "the author's
//! mistake", and "ours".

use serde_json::Value as Json;

use super::notebook::Notebook;
use crate::browser::Error;
use crate::browser::locator::{Hooks, Locator, Step};
use crate::record::HookState;
use crate::script::{Fault, FaultKind};

/// Whose trouble an error of the browser is.
pub fn whose(error: &Error) -> FaultKind {
    trouble(error).kind
}

/// The browser's error as a fault.
pub(super) fn trouble(error: &Error) -> Fault {
    match error {
        Error::Crashed | Error::Closed | Error::Hung { .. } => Fault::new(FaultKind::Artifact, error.to_string()),
        // Chromium could not show the document; the artifact's server is ours, but a wrong address is the page's.
        Error::Navigation { url, reason } if reason.contains("ERR_NAME_NOT_RESOLVED") => Fault::new(
            FaultKind::Artifact,
            format!("cannot open {url}: the study's network mode does not let it be reached"),
        )
        .hint("`[network] also = [\"host:port\"]` in loupe.toml lets an origin through"),
        Error::Navigation { .. } => Fault::new(FaultKind::Artifact, error.to_string()),
        Error::Protocol { method, message } if method == "page.evaluate" => {
            Fault::script(format!("page.evaluate: {message}"))
        }
        Error::Protocol { .. } | Error::Launch(_) | Error::Gone(_) | Error::Timeout { .. } | Error::Outside(_) => {
            Fault::new(FaultKind::Harness, error.to_string())
        }
    }
}

/// A reply of the agent that says no.
pub(super) fn refusal(reply: &Json, locator: Option<&Locator>, hooks: &Hooks) -> Fault {
    let message = reply["message"].as_str().unwrap_or("the page did not do it");
    let error = reply["error"].as_str().unwrap_or_default();
    let kind = match error {
        "ambiguous-hook" => FaultKind::Contract,
        "missing-hook" | "missing" if locator.is_some_and(|l| breaks_contract(l, reply, hooks)) => FaultKind::Contract,
        "ambiguous" | "bad-locator" | "bad-request" => FaultKind::Script,
        "agent" => FaultKind::Harness,
        _ => FaultKind::Artifact,
    };
    let mut fault = Fault::new(kind, message);
    fault.expected = reply.get("expected").filter(|v| !v.is_null()).map(shown);
    fault.received = reply.get("received").filter(|v| !v.is_null()).map(shown);
    fault.log = without_repeats(texts(&reply["log"]));
    let candidates = texts(&reply["candidates"]);
    if !candidates.is_empty() {
        fault.received = Some(candidates.join("\n"));
    }
    fault.hint = match (error, kind) {
        ("ambiguous", _) => Some("say which one: `>> nth=0`, `>> has-text=…`, or a narrower locator".to_owned()),
        (_, FaultKind::Contract) => Some("a missing hook does not prove that the control does not work; a `fallback` in brief.toml lets the flow go on".to_owned()),
        _ => None,
    };
    fault
}

/// Writes down what a reply says of its hook.
pub(super) fn note_hook(notes: &mut Notebook, locator: &Locator, reply: &Json, hooks: &Hooks) {
    let hook = &reply["hook"];
    let Some(name) = hook["name"].as_str() else { return };
    let fallback = hook["fallback"].as_str();
    // To be told that a hook is not seen is an answer only where the artifact need not have it.
    let obliged = |name: &str| hooks.get(name).is_some_and(|hook| hook.required);
    let state = match (hook["state"].as_str(), reply["error"].as_str()) {
        (Some("ambiguous"), _) | (_, Some("ambiguous-hook")) => HookState::Ambiguous,
        (Some("missing"), _)
            if fallback.is_some()
                || (breaks_contract(locator, reply, hooks) && (reply["ok"] != true || obliged(name))) =>
        {
            HookState::Missing
        }
        _ => return,
    };
    notes.hook_broke(name, state, fallback.map(str::to_owned));
}

/// Whether what is missing is a hook that the artifact does not know at all. One that its files mention and that neither
/// shows itself nor by its fallback is something that the artifact does not do.
fn breaks_contract(locator: &Locator, reply: &Json, hooks: &Hooks) -> bool {
    let missing = reply["hook"]["name"].as_str().or_else(|| locator.hook());
    let unknown = missing.and_then(|name| hooks.get(name)).is_some_and(|hook| !hook.mentioned);
    unknown && (reply["error"] == "missing-hook" || ends_in_hook(locator))
}

/// Whether the locator's elements are a hook's own: what is missing then is the hook, not something inside it.
fn ends_in_hook(locator: &Locator) -> bool {
    matches!(locator.steps.last(), Some(Step::Hook { .. }))
}

fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn texts(list: &Json) -> Vec<String> {
    list.as_array().into_iter().flatten().map(shown).collect()
}

/// Trying again for ten seconds says the same again and again: once is enough, with how often.
fn without_repeats(lines: Vec<String>) -> Vec<String> {
    let groups = lines.chunk_by(|a, b| a == b);
    let told = |group: &[String]| match group {
        [line] => line.clone(),
        group => format!("{} ({} times)", group[0], group.len()),
    };
    groups.map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_each_line_of_its_log_once_with_how_often() {
        let reply = serde_json::json!({"error": "covered", "message": "m", "log": ["a", "b", "b", "b", "a"]});
        assert_eq!(refusal(&reply, None, &Hooks::new()).log, ["a", "b (3 times)", "a"]);
    }
}
