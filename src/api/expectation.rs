//! Words that judge: satisfied now, or by a change before the time is up; else what was expected and what was seen.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::Host;
use super::host::seconds;
use super::rows::{EXPECTING, EXPECTING_ITEMS, MANY, ONE, STATING, need, plain, shown};
use crate::browser::Sight;
use crate::script::{Args, Call, Example, Fault, FaultKind, Kind, Param, Value, Word};

pub(super) const fn row(
    name: &'static str,
    params: &'static [Param],
    doc: &'static str,
    examples: &'static [Example],
    call: fn(&mut Host, Args) -> Result<Value, Fault>,
) -> Word<Host> {
    Word { module: "expect", name, params, returns: Kind::Bool, live: true, doc, examples, call: Call::Plain(call) }
}

const TEXT: Param = need("text", Kind::Text, "The text; case and white space do not matter.");

pub(super) const WORDS: &[Word<Host>] = &[
    row(
        "visible",
        &[ONE, EXPECTING],
        "Expects an element to be seen.",
        &[shown("select", &["\"css=#colour\""])],
        |host, args| about(host, args, "visible", None),
    ),
    row(
        "hidden",
        &[MANY, EXPECTING],
        "Expects that no matching element is seen; one that does not exist is hidden.",
        &[shown("select", &["\"css=video\""])],
        |host, args| about(host, args, "hidden", None),
    ),
    row(
        "text",
        &[ONE, TEXT, EXPECTING],
        "Expects an element's whole text.",
        &[shown("search-clear", &["\"css=li >> nth=0\"", "\"alpha\""])],
        |host, args| about(host, args, "text", Some(1)),
    ),
    row(
        "contains",
        &[ONE, TEXT, EXPECTING],
        "Expects an element's text to contain a text.",
        &[shown("hooks", &["\"css=article >> nth=0\"", "\"a. writer\""])],
        |host, args| about(host, args, "contains", Some(1)),
    ),
    row(
        "value",
        &[ONE, need("value", Kind::Any, "The value, or a list of values."), EXPECTING],
        "Expects what a control holds.",
        &[shown("form", &["\"label=Story\"", "\"Once\""])],
        |host, args| about(host, args, "value", Some(1)),
    ),
    row(
        "count",
        &[MANY, need("count", Kind::Int, "How many."), EXPECTING],
        "Expects a number of matching elements, seen or not. Counting conceals wrong results: prefer `expect.items`.",
        &[shown("search-clear", &["\"css=li\"", "3"])],
        |host, args| about(host, args, "count", Some(1)),
    ),
    row(
        "items",
        &[
            MANY,
            need("ids", Kind::List(&Kind::Text), "The identities; their order does not matter unless `ordered`."),
            EXPECTING_ITEMS,
        ],
        "Expects exactly these identities among the *seen* elements; see `page.items`.",
        &[
            shown("search-clear", &["\"hook=item\"", "[\"Beta\", \"Alphabet\", \"Alpha\"]"]),
            shown("search-clear", &["\"hook=item\"", "[\"Alpha\", \"Beta\", \"Alphabet\"]", "{\"ordered\": true}"]),
        ],
        |host, args| about(host, args, "items", Some(1)),
    ),
    row(
        "url",
        &[need("pattern", Kind::Text, "An address, path or fragment; `*` stands for anything."), EXPECTING],
        "Expects the page's address, from its path on, or its fragment, to fit a pattern.",
        &[shown("select", &["\"/select.html\""])],
        |host, args| of_page(host, args, "url", true),
    ),
    row(
        "title",
        &[TEXT, EXPECTING],
        "Expects the document's title.",
        &[shown("select", &["\"Select\""])],
        |host, args| of_page(host, args, "title", true),
    ),
    row(
        "focused",
        &[ONE, EXPECTING],
        "Expects an element to have the focus; it is found anew as long as that takes, for pages that draw it again.",
        &[shown("tab-order", &["\"css=#two\""])],
        |host, args| about(host, args, "focused", None),
    ),
    row(
        "enabled",
        &[ONE, EXPECTING],
        "Expects a control to be enabled.",
        &[shown("late", &["\"css=#soon\""])],
        |host, args| about(host, args, "enabled", None),
    ),
    row(
        "disabled",
        &[ONE, EXPECTING],
        "Expects a control to be disabled.",
        &[shown("tab-order", &["\"css=#disabled\""])],
        |host, args| about(host, args, "disabled", None),
    ),
    row(
        "checked",
        &[ONE, EXPECTING],
        "Expects a checkbox, radio button, switch or toggle to be on.",
        &[shown("roles", &["\"label=Ticked\""])],
        |host, args| about(host, args, "checked", None),
    ),
    row(
        "unchecked",
        &[ONE, EXPECTING],
        "Expects a checkbox, radio button, switch or toggle to be off.",
        &[shown("form", &["\"label=Small\""])],
        |host, args| about(host, args, "unchecked", None),
    ),
    row(
        "attribute",
        &[ONE, need("name", Kind::Text, "The attribute."), need("value", Kind::Text, "Its value."), EXPECTING],
        "Expects an attribute of an element.",
        &[shown("form", &["\"css=#send\"", "\"title\"", "\"Sends it\""])],
        attribute,
    ),
    row(
        "no_overflow",
        &[EXPECTING],
        "Expects that a person cannot scroll the page sideways; names what sticks out.",
        &[shown("select", &[])],
        |host, args| of_page(host, args, "no_overflow", false),
    ),
    row(
        "settled",
        &[EXPECTING],
        "Expects the page to come to rest: loaded, fonts and images ready, nothing changing for half a second.",
        &[shown("select", &[])],
        |host, args| of_page(host, args, "settled", false),
    ),
    row(
        "no_errors",
        &[STATING],
        "Expects no uncaught error and no unhandled rejection so far.",
        &[shown("select", &[])],
        no_errors,
    ),
    Word {
        module: "expect",
        name: "equal",
        params: &[need("actual", Kind::Any, "What is."), need("expected", Kind::Any, "What should be."), STATING],
        returns: Kind::Bool,
        live: true,
        doc: "Expects two values to be equal; whole numbers equal floats of the same value.",
        examples: &[plain(&["[1, 2]", "[1, 2.0]"], "true")],
        call: Call::Plain(equal),
    },
    Word {
        module: "expect",
        name: "that",
        params: &[
            need("condition", Kind::Bool, "What should be true."),
            need("claim", Kind::Text, "The claim, as a sentence."),
            STATING,
        ],
        returns: Kind::Bool,
        live: true,
        doc: "Expects a condition of the script's own.",
        examples: &[plain(&["true", "\"one is one\""], "true")],
        call: Call::Plain(that),
    },
];

/// An expectation about elements; `expected` is the index of the argument that says what.
pub(super) fn about(host: &mut Host, mut args: Args, what: &str, expected: Option<usize>) -> Result<Value, Fault> {
    let mut options = args.map(expected.map_or(1, |i| i + 1));
    let mut details = json!({"ordered": options.remove("ordered") == Some(Value::Bool(true))});
    if let Some(index) = expected {
        details["expected"] = args.take(index).into();
    }
    let locator = args.text(0);
    expect(host, what, Some(&locator), details, options)
}

fn attribute(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let (locator, details) = (args.text(0), json!({"name": args.text(1), "expected": args.text(2)}));
    let options = args.map(3);
    expect(host, "attribute", Some(&locator), details, options)
}

/// An expectation about the page as a whole.
pub(super) fn of_page(host: &mut Host, mut args: Args, what: &str, takes_text: bool) -> Result<Value, Fault> {
    let details = if takes_text { json!({"expected": args.text(0)}) } else { json!({}) };
    let options = args.map(usize::from(takes_text));
    expect(host, what, None, details, options)
}

pub(super) fn expect(
    host: &mut Host,
    what: &str,
    locator: Option<&str>,
    details: Json,
    options: BTreeMap<String, Value>,
) -> Result<Value, Fault> {
    let usual = host.live()?.waits.expect;
    let total = seconds(&options, "timeout", usual)?;
    let mut request = json!({"op": "expect", "what": what, "args": details});
    let answer = match locator {
        Some(text) => {
            let locator = host.locator(text)?;
            let patience = host.patience(&locator, total);
            host.ask(Some(&locator.clone()), |page| async move { page.ask_about(&locator, request, patience).await })
        }
        None => {
            request["timeout"] = Json::from(total.as_millis() as u64);
            host.ask(None, |page| async move { page.ask(&page.main_frame(), &request).await })
        }
    };
    let claim = locator.map_or_else(|| format!("expect.{what}"), |l| format!("expect.{what}: {l}"));
    conclude(host, answer.map(drop).map_err(|fault| named(fault, &claim)), options)
}

/// Says which expectation it was that the time ran out for.
fn named(mut fault: Fault, claim: &str) -> Fault {
    if fault.kind == FaultKind::Artifact {
        fault.message = format!("{claim} was not met");
    }
    fault
}

/// Soft failures are written down and answered with false; all others end the scenario.
pub(super) fn conclude(
    host: &mut Host,
    result: Result<(), Fault>,
    mut options: BTreeMap<String, Value>,
) -> Result<Value, Fault> {
    let Err(mut fault) = result else { return Ok(true.into()) };
    if let (Some(Value::Text(message)), FaultKind::Artifact) = (options.remove("message"), fault.kind) {
        fault.log.insert(0, std::mem::replace(&mut fault.message, message));
    }
    let soft = options.get("soft") == Some(&Value::Bool(true)) && fault.kind == FaultKind::Artifact;
    if !soft {
        return Err(fault);
    }
    host.notes.failed_softly(&fault);
    Ok(false.into())
}

/// Errors reach us after the action that caused them: one that is on its way is waited for, a moment long.
fn no_errors(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    const ON_ITS_WAY: Duration = Duration::from_millis(100);
    let options = args.map(0);
    let errors = |host: &mut Host| -> Result<Vec<String>, Fault> {
        let live = host.live()?;
        let pages = live.openers.iter().chain([&live.page]);
        let sights = pages.flat_map(|page| page.sightings());
        Ok(sights
            .filter_map(|s| match s.what {
                Sight::Exception { text, place } => Some(format!("uncaught: {text} ({place})")),
                Sight::Rejection { text, place } => Some(format!("unhandled rejection: {text} ({place})")),
                _ => None,
            })
            .collect())
    };
    let until = Instant::now() + ON_ITS_WAY;
    let mut seen = errors(host)?;
    while seen.is_empty() && Instant::now() < until {
        host.block(|page| async move { page.frame_passed().await })?;
        seen = errors(host)?;
    }
    let result = match seen.as_slice() {
        [] => Ok(()),
        some => Err(Fault::new(FaultKind::Artifact, "the page's scripts failed")
            .expected("no uncaught error and no unhandled rejection")
            .received(some.join("\n"))),
    };
    conclude(host, result, options)
}

fn equal(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let (actual, expected) = (args.take(0), args.take(1));
    let result = if same(&actual, &expected) {
        Ok(())
    } else {
        Err(Fault::new(FaultKind::Artifact, "the values are not equal")
            .expected(expected.to_string())
            .received(actual.to_string()))
    };
    conclude(host, result, args.map(2))
}

fn that(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let holds = args.bool(0) == Some(true);
    let claim = args.text(1);
    let result = if holds { Ok(()) } else { Err(Fault::new(FaultKind::Artifact, format!("not so: {claim}"))) };
    conclude(host, result, args.map(2))
}

/// Equality across the border: 1 and 1.0 are one number there.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(i), Value::Float(x)) | (Value::Float(x), Value::Int(i)) => *x == *i as f64,
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}
