//! Words that do what a person does. Each waits until the element is there, seen, enabled, at rest, and really hit.

use super::Host;
use super::host::seconds;
use super::rows::{CLICKING, ONE, WAITING, may, need, shown};
use crate::browser::locator::Locator;
use crate::browser::{Error, Key, Page, Patience};
use crate::script::{Args, Call, Fault, Kind, Value, Word};

const TEXT: crate::script::Param = need("text", Kind::Text, "The text.");

const fn row(
    name: &'static str,
    params: &'static [crate::script::Param],
    doc: &'static str,
    examples: &'static [crate::script::Example],
    call: fn(&mut Host, Args) -> Result<Value, Fault>,
) -> Word<Host> {
    Word { module: "page", name, params, returns: Kind::Nothing, live: true, doc, examples, call: Call::Plain(call) }
}

pub(super) const WORDS: &[Word<Host>] = &[
    row(
        "click",
        &[ONE, CLICKING],
        "Clicks an element; on a mobile viewport it is a tap. Fails with the covering element's name if something else would receive it.",
        &[shown("dialogs", &["\"role=button[name=\\\"Confirm\\\"]\""])],
        |host, args| click(host, args, 1),
    ),
    row(
        "double_click",
        &[ONE, CLICKING],
        "Clicks an element twice in a row.",
        &[shown("popups", &["\"css=#count\""])],
        |host, args| click(host, args, 2),
    ),
    row(
        "hover",
        &[ONE, WAITING],
        "Rests the pointer on an element.",
        &[shown("popups", &["\"css=#count\""])],
        |host, mut args| act(host, &mut args, 1, async |page, at, patience| page.hover(&at, patience).await),
    ),
    row(
        "fill",
        &[ONE, TEXT, WAITING],
        "Replaces the text of a field, as pasting would. Dates, colours, numbers and ranges take their value form.",
        &[shown("form", &["\"label=Full name\"", "\"Ada Lovelace\""])],
        |host, mut args| {
            let text = args.text(1);
            act(host, &mut args, 2, async |page, at, patience| page.fill(&at, &text, patience).await)
        },
    ),
    row(
        "clear",
        &[ONE, WAITING],
        "Empties a field: selects all and deletes.",
        &[shown("form", &["\"label=Story\""])],
        |host, mut args| act(host, &mut args, 1, async |page, at, patience| page.fill(&at, "", patience).await),
    ),
    row(
        "type",
        &[ONE, TEXT, WAITING],
        "Types into a field key by key, where its caret is. What no US key gives comes as from an input method.",
        &[shown("form", &["\"label=Story\"", "\" upon a time\""])],
        |host, mut args| {
            let text = args.text(1);
            act(host, &mut args, 2, async |page, at, patience| page.type_into(&at, &text, patience).await)
        },
    ),
    row(
        "press",
        &[
            need("key", Kind::Text, "`Enter`, `Escape`, `Tab`, `a`, `Shift+Tab`, `Control+A`, …"),
            may("locator", Kind::Text, "Which element gets the focus first; where the focus is if left out."),
            WAITING,
        ],
        "Presses and releases a key.",
        &[shown("tab-order", &["\"Tab\""]), shown("form", &["\"Control+A\"", "\"label=Story\""])],
        press,
    ),
    row(
        "check",
        &[ONE, WAITING],
        "Ticks a checkbox, radio button or switch by clicking it, unless it is ticked already.",
        &[shown("form", &["\"label=Small\""])],
        |host, mut args| {
            act(host, &mut args, 1, async |page, at, patience| page.set_checked(&at, true, patience).await)
        },
    ),
    row(
        "uncheck",
        &[ONE, WAITING],
        "Unticks a checkbox or switch by clicking it, unless it is unticked already.",
        &[shown("roles", &["\"label=Ticked\""])],
        |host, mut args| {
            act(host, &mut args, 1, async |page, at, patience| page.set_checked(&at, false, patience).await)
        },
    ),
    row(
        "select",
        &[
            ONE,
            need(
                "choice",
                Kind::OneOf(&[Kind::Text, Kind::List(&Kind::Text)]),
                "The option's value or label, or several.",
            ),
            WAITING,
        ],
        "Chooses options of a `<select>`.",
        &[
            shown("select", &["\"label=Colour\"", "\"Red\""]),
            shown("select", &["\"label=Sizes\"", "[\"Small\", \"Large\"]"]),
        ],
        select,
    ),
    row(
        "choose",
        &[
            need("locator", Kind::Text, "The group, or the `<select>` itself; exactly one must match."),
            need("name", Kind::Text, "What is chosen, by its name; a count may follow the name on the page."),
            WAITING,
        ],
        "Chooses by name, as the page lets a person choose: an option of a `<select>`, or a click on the radio button, chip, tab or link called so.",
        &[
            shown("choices", &["\"css=#radios\"", "\"Craft\""]),
            shown("choices", &["\"css=#links\"", "\"Harbours\""]),
            shown("select", &["\"label=Colour\"", "\"Red\""]),
        ],
        |host, mut args| {
            let name = args.text(1);
            act(host, &mut args, 2, async |page, at, patience| page.choose(&at, &name, patience).await)
        },
    ),
    row(
        "scroll",
        &[ONE, WAITING],
        "Brings an element into view.",
        &[shown("tall", &["\"css=#end\""])],
        |host, mut args| act(host, &mut args, 1, async |page, at, patience| page.scroll_to(&at, patience).await),
    ),
    row(
        "scroll_to",
        &[need("y", Kind::Number, "CSS px from the top of the document.")],
        "Scrolls the document.",
        &[shown("tall", &["500"])],
        |host, mut args| {
            let y = args.number(0).unwrap_or(0.0);
            host.ask(None, |page| async move {
                page.ask(&page.main_frame(), &serde_json::json!({"op": "scroll_to", "y": y})).await
            })?;
            Ok(Value::Null)
        },
    ),
    row(
        "focus",
        &[ONE, WAITING],
        "Gives an element the focus.",
        &[shown("tab-order", &["\"css=#two\""])],
        |host, mut args| act(host, &mut args, 1, async |page, at, patience| page.focus(&at, patience).await),
    ),
    row(
        "upload",
        &[ONE, need("files", Kind::List(&Kind::Map), "The files: `name` and `text` of each."), WAITING],
        "Gives files to an `<input type=file>`. Their contents are in the script, which reaches no disk.",
        &[shown("form", &["\"label=Files\"", "[{\"name\": \"notes.txt\", \"text\": \"hello\"}]"])],
        upload,
    ),
];

/// Finds the locator in argument 0 and the options in argument `options`, and carries out `action`.
fn act(
    host: &mut Host,
    args: &mut Args,
    options: usize,
    action: impl AsyncFnOnce(Page, Locator, Patience) -> Result<serde_json::Value, Error>,
) -> Result<Value, Fault> {
    let usual = host.live()?.waits.action;
    let total = seconds(&args.map(options), "timeout", usual)?;
    let locator = host.locator(&args.text(0))?;
    let patience = host.patience(&locator, total);
    host.ask(Some(&locator.clone()), |page| action(page, locator, patience))?;
    Ok(Value::Null)
}

fn click(host: &mut Host, mut args: Args, times: i64) -> Result<Value, Fault> {
    let options = args.map(1);
    let usual = host.live()?.waits.action;
    let total = seconds(&options, "timeout", usual)?;
    let force = options.get("force") == Some(&Value::Bool(true));
    let locator = host.locator(&args.text(0))?;
    let patience = host.patience(&locator, total);
    host.ask(Some(&locator.clone()), |page| async move { page.click(&locator, times, force, patience).await })?;
    Ok(Value::Null)
}

fn press(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let (key, modifiers) = Key::parse(&args.text(0)).map_err(|e| Fault::script(format!("page.press: {e}")))?;
    let usual = host.live()?.waits.action;
    let total = seconds(&args.map(2), "timeout", usual)?;
    let locator = match args.take(1) {
        Value::Text(text) => Some(host.locator(&text)?),
        _ => None,
    };
    let patience = locator.as_ref().map_or(Patience { total, grace: total }, |at| host.patience(at, total));
    host.ask(
        locator.clone().as_ref(),
        |page| async move { page.press(&key, modifiers, locator.as_ref(), patience).await },
    )?;
    Ok(Value::Null)
}

fn select(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let choices: Vec<String> = match args.take(1) {
        Value::Text(one) => vec![one],
        Value::List(several) => {
            several.into_iter().filter_map(|v| if let Value::Text(t) = v { Some(t) } else { None }).collect()
        }
        _ => Vec::new(),
    };
    act(host, &mut args, 2, async |page, at, patience| page.select(&at, &choices, patience).await)
}

fn upload(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let ours =
        |e: std::io::Error| Fault::new(crate::script::FaultKind::Harness, format!("cannot write an upload: {e}"));
    let folder = tempfile::tempdir().map_err(ours)?;
    let mut paths = Vec::new();
    for file in args.list(1) {
        let (name, text) = named_file(file)?;
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(ours)?;
        paths.push(path.display().to_string());
    }
    act(host, &mut args, 2, async |page, at, patience| page.upload(&at, &paths, patience).await)?;
    // The page reads the files when it likes, until the scenario ends.
    host.uploads.push(folder);
    Ok(Value::Null)
}

fn named_file(file: Value) -> Result<(String, String), Fault> {
    let Value::Map(file) = file else { return Err(Fault::script("page.upload: each file is a map")) };
    match (file.get("name"), file.get("text")) {
        (Some(Value::Text(name)), Some(Value::Text(text)))
            if !name.is_empty() && !name.contains(['/', '\\']) && name != ".." =>
        {
            Ok((name.clone(), text.clone()))
        }
        _ => Err(Fault::script("page.upload: a file needs a plain `name` and a `text`")
            .received(Value::Map(file).to_string())),
    }
}
