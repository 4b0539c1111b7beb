//! Observations and diagnostics as lines for people.
//!
//! Control characters and the marks that reverse the direction of text become visible here, because a page could steer
//! a terminal with them; what a format needs beyond that (HTML, XML) it deliberately escapes itself.

use crate::diag::{Diagnostic, Place};
use crate::record::{HookState, Observation, What};

/// One observation: what kind it is, and what was seen.
pub(super) struct Evidence {
    pub kind: &'static str,
    pub text: String,
}

/// The observations that a reader who looks for a cause wants: trouble in the page, and what the author noted.
pub(super) fn worth_telling(observations: &[Observation]) -> Vec<Evidence> {
    let wanted = |o: &&Observation| o.what.is_trouble() || matches!(o.what, What::Note { .. });
    observations.iter().filter(wanted).map(|o| evidence(&o.what)).collect()
}

/// What was seen, in words.
pub(super) fn evidence(what: &What) -> Evidence {
    let (kind, text) = match what {
        What::Word { name, args, took_ms, refused } => {
            let args: Vec<String> = args.iter().map(ToString::to_string).collect();
            let end = refused.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            ("word", format!("{name}({}), {took_ms} ms{end}", args.join(", ")))
        }
        What::Note { text, data } if data.is_null() => ("note", text.clone()),
        What::Note { text, data } => ("note", format!("{text} {data}")),
        What::Contract { hook, state, fallback } => {
            let state = match state {
                HookState::Missing => "is missing",
                HookState::Ambiguous => "is on more than one element",
            };
            let then = fallback.as_ref().map(|locator| format!("; went on with `{locator}`")).unwrap_or_default();
            ("contract", format!("the hook `{hook}` {state}{then}"))
        }
        What::Console { level, text, source } => ("console", with_source(&format!("{level}: {text}"), source)),
        What::UncaughtError { text, source } => ("uncaught error", with_source(text, source)),
        What::UnhandledRejection { text, source } => ("unhandled rejection", with_source(text, source)),
        What::FailedRequest { url, resource, reason } => ("failed request", format!("{reason} {resource} {url}")),
        What::RemoteAttempt { url, resource, blocked } => {
            let end = if *blocked { "refused" } else { "let through" };
            ("remote attempt", format!("{resource} {url} ({end})"))
        }
        What::Dialog { dialog, message, answer } => ("dialog", format!("{dialog} \"{message}\": {answer}")),
        What::Popup { url } => ("popup", url.clone()),
        What::Navigation { url } => ("navigation", url.clone()),
        What::Download { url, name } => ("download", format!("{name} from {url}")),
        What::Accessibility(audit) => ("accessibility", audit.to_string()),
        What::Crash { reason } => ("crash", reason.clone()),
        What::Omitted { count } => ("omitted", format!("{count} more observations are not on the record")),
    };
    Evidence { kind, text: plain(&text) }
}

fn with_source(text: &str, source: &Option<String>) -> String {
    source.as_ref().map_or_else(|| text.to_owned(), |source| format!("{text} ({source})"))
}

/// `text` with everything visible that would steer a terminal or reverse what is read.
pub(super) fn plain(text: &str) -> String {
    let visible = |c: char| match c {
        '\n' => c,
        '\t' => ' ',
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => c,
    };
    text.chars().map(visible).collect()
}

/// `diagnostic` with every text made [`plain`].
pub(super) fn plain_diagnostic(diagnostic: &Diagnostic) -> Diagnostic {
    let optional = |text: &Option<String>| text.as_deref().map(plain);
    let list = |texts: &[String]| texts.iter().map(|text| plain(text)).collect();
    Diagnostic {
        title: plain(&diagnostic.title),
        place: diagnostic.place.as_ref().map(plain_place),
        label: optional(&diagnostic.label),
        expected: optional(&diagnostic.expected),
        received: optional(&diagnostic.received),
        log: list(&diagnostic.log),
        trace: diagnostic.trace.iter().map(|(name, place)| (plain(name), place.as_ref().map(plain_place))).collect(),
        hints: list(&diagnostic.hints),
    }
}

fn plain_place(place: &Place) -> Place {
    Place { file: plain(&place.file), text: place.text.as_deref().map(plain), ..*place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_page_steers_the_terminal() {
        let hostile = "a\u{1b}[31m\u{7}b\r\u{9b}2J\u{202e}c\nd\te";
        assert_eq!(plain(hostile), "a\u{241b}[31m\u{2407}b\u{240d}\u{fffd}2J\u{fffd}c\nd e");
        assert_eq!(plain("Zoë’s “tide” 🌊"), "Zoë’s “tide” 🌊");
        let place = Place { file: hostile.into(), line: 1, column: Some(1), text: Some(hostile.into()) };
        let mut diagnostic = Diagnostic::new(hostile).at(place.clone()).label(hostile).expected(hostile);
        diagnostic = diagnostic.received(hostile).hint(hostile);
        diagnostic.log.push(hostile.into());
        diagnostic.trace.push((hostile.into(), Some(place)));
        let rendered = plain_diagnostic(&diagnostic).render(crate::diag::Severity::Error, false);
        assert!(!rendered.contains(['\u{1b}', '\u{7}', '\r', '\u{9b}', '\u{202e}']), "{rendered:?}");
    }
}
