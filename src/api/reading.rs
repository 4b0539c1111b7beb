//! Words that read what a page shows now. A word about one element waits until it is there; the others answer at once.

use serde_json::{Value as Json, json};

use super::Host;
use super::host::seconds;
use super::rows::{MANY, ONE, WAITING, gives, may, need, shown};
use crate::browser::{Sight, Sighting};
use crate::script::{Args, Call, Example, Fault, Kind, Param, Value, Word};

const fn row(
    name: &'static str,
    params: &'static [Param],
    returns: Kind,
    doc: &'static str,
    examples: &'static [Example],
    call: fn(&mut Host, Args) -> Result<Value, Fault>,
) -> Word<Host> {
    Word { module: "page", name, params, returns, live: true, doc, examples, call: Call::Plain(call) }
}

pub(super) const WORDS: &[Word<Host>] = &[
    row(
        "text",
        &[ONE, WAITING],
        Kind::Text,
        "The text of an element as it can be read: white space collapsed, hidden parts left out, case as in the document.",
        &[gives("text-transform", &["\"css=button >> nth=0\""], "\"Save article\"")],
        |host, args| read_one(host, args, "text"),
    ),
    row(
        "texts",
        &[MANY],
        Kind::List(&Kind::Text),
        "The texts of all matching elements, in document order.",
        &[gives("search-clear", &["\"css=li\""], "[\"Alpha\", \"Beta\", \"Alphabet\"]")],
        |host, args| read_all(host, args, "texts"),
    ),
    row(
        "value",
        &[ONE, WAITING],
        Kind::Any,
        "What a control holds: a string, or a list for a `<select multiple>`.",
        &[gives("form", &["\"label=Story\""], "\"Once\"")],
        |host, args| read_one(host, args, "value"),
    ),
    row(
        "attribute",
        &[ONE, need("name", Kind::Text, "The attribute's name."), WAITING],
        Kind::Any,
        "An attribute of an element, or nothing if it has none of that name.",
        &[
            gives("form", &["\"css=#send\"", "\"title\""], "\"Sends it\""),
            gives("form", &["\"css=#send\"", "\"hidden\""], "null"),
        ],
        |host, mut args| {
            let name = args.text(1);
            read(host, &mut args, 2, "attribute", json!({"name": name}))
        },
    ),
    row(
        "style",
        &[ONE, need("property", Kind::Text, "The CSS property, as in `background-color`."), WAITING],
        Kind::Text,
        "A computed style of an element.",
        &[gives("tall", &["\"css=#end\"", "\"background-color\""], "\"rgb(255, 0, 255)\"")],
        |host, mut args| {
            let property = args.text(1);
            read(host, &mut args, 2, "style", json!({"property": property}))
        },
    ),
    row(
        "box",
        &[ONE, WAITING],
        Kind::Map,
        "Where an element is: `x`, `y`, `width` and `height` in CSS px, from the top left of the viewport.",
        &[shown("tall", &["\"css=#end\""])],
        |host, args| read_one(host, args, "box").map(as_floats),
    ),
    row(
        "focused",
        &[ONE, WAITING],
        Kind::Bool,
        "Whether an element has the focus now.",
        &[gives("tab-order", &["\"css=#one\""], "false")],
        |host, args| read_one(host, args, "focused"),
    ),
    row(
        "active",
        &[],
        Kind::Any,
        "The element that has the focus: `tag`, `role`, `name`, `testid`, `text` and more; nothing if it is on the page as a whole.",
        &[shown("tab-order", &[])],
        |host, _| page_fact(host, "active"),
    ),
    row(
        "count",
        &[MANY],
        Kind::Int,
        "How many elements match, seen or not. Counting conceals wrong results: prefer `page.items`.",
        &[gives("search-clear", &["\"css=li\""], "3")],
        |host, args| read_all(host, args, "count"),
    ),
    row(
        "items",
        &[MANY],
        Kind::List(&Kind::Text),
        "The identities of the *seen* elements that match, in document order: the id of the fact whose text the element shows, or the hook's identity attribute, or its text, as the brief declares.",
        &[gives("search-clear", &["\"hook=item\""], "[\"Alpha\", \"Beta\", \"Alphabet\"]")],
        |host, args| read_all(host, args, "items"),
    ),
    row(
        "exists",
        &[MANY],
        Kind::Bool,
        "Whether any element matches, seen or not.",
        &[gives("select", &["\"css=select\""], "true"), gives("select", &["\"css=video\""], "false")],
        |host, args| read_all(host, args, "exists"),
    ),
    row(
        "visible",
        &[MANY],
        Kind::Bool,
        "Whether a matching element is seen: it has a box, some opacity, and is not clipped away. Below the fold is seen.",
        &[gives("hooks", &["\"css=[data-testid=menu] >> nth=0\""], "false")],
        |host, args| read_all(host, args, "visible"),
    ),
    row(
        "operable",
        &[MANY],
        Kind::Bool,
        "Whether a matching element could be used now: seen, enabled, not inert, and what a pointer would hit.",
        &[gives("tab-order", &["\"css=#disabled\""], "false")],
        |host, args| read_all(host, args, "operable"),
    ),
    row(
        "wait_for",
        &[
            MANY,
            may(
                "state",
                Kind::Choice(&["visible", "hidden", "attached", "detached", "operable"]),
                "What to wait for; `visible` if left out.",
            ),
            WAITING,
        ],
        Kind::Nothing,
        "Waits until a matching element is in a state. To judge, prefer `expect`.",
        &[shown("late", &["\"role=heading\""]), shown("late", &["\"css=#gone\"", "\"detached\"", "{\"timeout\": 2}"])],
        wait_for,
    ),
    row(
        "evaluate",
        &[
            need("code", Kind::Text, "JavaScript: an expression, a program, or a function that is called with `arg`."),
            may("arg", Kind::Any, "Plain data for the function."),
        ],
        Kind::Any,
        "Runs JavaScript in the page's own world, awaits its promise, and returns its result as plain data.",
        &[gives("select", &["\"n => n + 1\"", "2"], "3"), gives("select", &["\"document.title\""], "\"Select\"")],
        evaluate,
    ),
    row(
        "dialogs",
        &[],
        Kind::List(&Kind::Map),
        "The dialogs so far: `type`, `message`, `accepted`.",
        &[shown("dialogs", &[])],
        |host, _| {
            Ok(sightings(host, |s| match s {
                Sight::Dialog { dialog, message, accepted } => {
                    Some(json!({"type": dialog, "message": message, "accepted": accepted}))
                }
                _ => None,
            }))
        },
    ),
    row(
        "errors",
        &[],
        Kind::List(&Kind::Text),
        "The uncaught errors and unhandled rejections so far.",
        &[shown("rejections", &[])],
        |host, _| {
            Ok(sightings(host, |s| match s {
                Sight::Exception { text, .. } | Sight::Rejection { text, .. } => Some(json!(text)),
                _ => None,
            }))
        },
    ),
    row(
        "console",
        &[],
        Kind::List(&Kind::Map),
        "The console messages so far: `level`, `text`.",
        &[shown("console", &[])],
        |host, _| {
            Ok(sightings(host, |s| match s {
                Sight::Console { level, text, .. } => Some(json!({"level": level, "text": text})),
                _ => None,
            }))
        },
    ),
    row(
        "requests",
        &[],
        Kind::List(&Kind::Map),
        "Everything the page asked for so far: `url`, `resource`, `status`, `bytes`, `failed`, `remote` (another origin than the artifact's).",
        &[shown("select", &[])],
        requests,
    ),
];

/// A fact about the page as a whole.
pub(super) fn page_fact(host: &mut Host, what: &str) -> Result<Value, Fault> {
    let timeout = host.live()?.waits.action.as_millis() as u64;
    let request = json!({"op": "read", "what": what, "timeout": timeout});
    let reply = host.ask(None, |page| async move { page.ask(&page.main_frame(), &request).await })?;
    Ok(reply["value"].clone().into())
}

fn read_one(host: &mut Host, mut args: Args, what: &str) -> Result<Value, Fault> {
    read(host, &mut args, 1, what, Json::Null)
}

fn read_all(host: &mut Host, mut args: Args, what: &str) -> Result<Value, Fault> {
    read(host, &mut args, 1, what, Json::Null)
}

fn read(host: &mut Host, args: &mut Args, options: usize, what: &str, details: Json) -> Result<Value, Fault> {
    let usual = host.live()?.waits.action;
    let total = seconds(&args.map(options), "timeout", usual)?;
    let locator = host.locator(&args.text(0))?;
    let patience = host.patience(&locator, total);
    let request = json!({"op": "read", "what": what, "args": details});
    let reply =
        host.ask(Some(&locator.clone()), |page| async move { page.ask_about(&locator, request, patience).await })?;
    Ok(reply["value"].clone().into())
}

/// Measurements are floats, whatever JSON made of `40.0`.
fn as_floats(value: Value) -> Value {
    match value {
        Value::Map(map) => Value::Map(map.into_iter().map(|(k, v)| (k, as_floats(v))).collect()),
        Value::Int(i) => Value::Float(i as f64),
        other => other,
    }
}

fn wait_for(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let usual = host.live()?.waits.action;
    let total = seconds(&args.map(2), "timeout", usual)?;
    let state = match args.take(1) {
        Value::Text(state) => state,
        _ => "visible".to_owned(),
    };
    let locator = host.locator(&args.text(0))?;
    let patience = host.patience(&locator, total);
    let request = json!({"op": "wait", "state": state});
    host.ask(Some(&locator.clone()), |page| async move { page.ask_about(&locator, request, patience).await })?;
    Ok(Value::Null)
}

fn evaluate(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let (code, arg) = (args.text(0), Json::from(args.take(1)));
    let patience = host.live()?.waits.action;
    host.block(|page| async move { page.evaluate(&code, &arg, patience).await }).map(Value::from)
}

/// What the scenario's pages did so far, as far as `pick` wants it; it stays on the record.
fn sightings(host: &mut Host, pick: impl Fn(&Sight) -> Option<Json>) -> Value {
    let Ok(live) = host.live() else { return Value::List(Vec::new()) };
    let pages = live.openers.iter().chain([&live.page]);
    let seen: Vec<Sighting> = pages.flat_map(|page| page.sightings()).collect();
    Value::List(seen.iter().filter_map(|s| pick(&s.what)).map(Value::from).collect())
}

fn requests(host: &mut Host, _: Args) -> Result<Value, Fault> {
    let requests = host.live()?.page.requests().into_iter().map(|r| {
        let failed = r.failed();
        json!({"url": r.url, "resource": r.resource, "status": r.status, "bytes": r.bytes, "failed": failed, "remote": r.remote})
    });
    Ok(Value::List(requests.map(Value::from).collect()))
}
