//! Words that go places and set how the page is looked at.

use std::time::Duration;

use super::Host;
use super::host::seconds;
use super::rows::{WAITING, gives, may, need, shown};
use crate::browser::{Arrival, DialogAnswer};
use crate::record::What;
use crate::script::{Args, Call, Fault, FaultKind, Kind, Value, Word};

pub(super) const WORDS: &[Word<Host>] = &[
    Word {
        module: "page",
        name: "open",
        params: &[
            may("path", Kind::Text, "A path on the artifact's origin, or an address; the start page if left out."),
            WAITING,
        ],
        returns: Kind::Nothing,
        live: true,
        doc: "Opens a page and waits until its document is interactive, and then up to 3 s for its `load` event. It does not wait for a quiet network: expectations wait for what they need.",
        examples: &[shown("hash-navigation", &["\"/hash-navigation.html#/story/two\""])],
        call: Call::Plain(open),
    },
    Word {
        module: "page",
        name: "back",
        params: &[WAITING],
        returns: Kind::Bool,
        live: true,
        doc: "Goes back in the history. Returns false if there was nowhere to go.",
        examples: &[gives("hash-navigation", &[], "true")],
        call: Call::Plain(|host, args| travel(host, args, -1)),
    },
    Word {
        module: "page",
        name: "forward",
        params: &[WAITING],
        returns: Kind::Bool,
        live: true,
        doc: "Goes forward in the history. Returns false if there was nowhere to go.",
        examples: &[gives("hash-navigation", &[], "true")],
        call: Call::Plain(|host, args| travel(host, args, 1)),
    },
    Word {
        module: "page",
        name: "reload",
        params: &[WAITING],
        returns: Kind::Nothing,
        live: true,
        doc: "Loads the document again; storage stays.",
        examples: &[shown("select", &[])],
        call: Call::Plain(reload),
    },
    Word {
        module: "page",
        name: "wait_for_popup",
        params: &[WAITING],
        returns: Kind::Text,
        live: true,
        doc: "Waits for the next page that this one opens and goes on there; returns its address. `page.close()` comes back.",
        examples: &[shown("popups", &[])],
        call: Call::Plain(wait_for_popup),
    },
    Word {
        module: "page",
        name: "close",
        params: &[],
        returns: Kind::Nothing,
        live: true,
        doc: "Leaves a page that was reached by `page.wait_for_popup` and goes on with the one that opened it.",
        examples: &[shown("popups", &[])],
        call: Call::Plain(close),
    },
    Word {
        module: "page",
        name: "viewport",
        params: &[need("width", Kind::Int, "Width in CSS px."), need("height", Kind::Int, "Height in CSS px.")],
        returns: Kind::Nothing,
        live: true,
        doc: "Changes the size of the viewport for the rest of the scenario; the kind of device stays.",
        examples: &[shown("select", &["800", "600"])],
        call: Call::Plain(viewport),
    },
    Word {
        module: "page",
        name: "emulate",
        params: &[need(
            "preferences",
            Kind::Options(&[
                may("dark", Kind::Bool, "`prefers-color-scheme: dark`."),
                may("reduced_motion", Kind::Bool, "`prefers-reduced-motion: reduce`."),
                may("more_contrast", Kind::Bool, "`prefers-contrast: more`."),
                may("forced_colors", Kind::Bool, "`forced-colors: active`."),
                may("print", Kind::Bool, "`print` instead of `screen`."),
                may("mobile", Kind::Bool, "A phone: touch, coarse pointer, no hover, a mobile user agent."),
            ]),
            "What the page's visitor prefers.",
        )],
        returns: Kind::Nothing,
        live: true,
        doc: "Changes what the page's visitor prefers, for the rest of the scenario. What is left out stays as it is.",
        examples: &[shown("dark", &["{\"dark\": true}"])],
        call: Call::Plain(emulate),
    },
    Word {
        module: "page",
        name: "on_dialog",
        params: &[need("answer", Kind::Text, "`accept`, `dismiss`, or `answer: TEXT` to accept a prompt with a text.")],
        returns: Kind::Nothing,
        live: true,
        doc: "Says how the page's `confirm` and `prompt` are answered from now on; until then they are dismissed. Every dialog is recorded.",
        examples: &[shown("dialogs", &["\"accept\""]), shown("dialogs", &["\"answer: Ada\""])],
        call: Call::Plain(on_dialog),
    },
    Word {
        module: "page",
        name: "url",
        params: &[],
        returns: Kind::Text,
        live: true,
        doc: "The address of the page, as the page itself sees it now.",
        examples: &[shown("select", &[])],
        call: Call::Plain(|host, _| super::reading::page_fact(host, "url")),
    },
    Word {
        module: "page",
        name: "title",
        params: &[],
        returns: Kind::Text,
        live: true,
        doc: "The title of the document, white space collapsed.",
        examples: &[gives("select", &[], "\"Select\"")],
        call: Call::Plain(|host, _| super::reading::page_fact(host, "title")),
    },
];

fn patience(host: &mut Host, args: &mut Args, index: usize) -> Result<Duration, Fault> {
    let usual = host.live()?.waits.action;
    seconds(&args.map(index), "timeout", usual)
}

fn open(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let patience = patience(host, &mut args, 1)?;
    let path = args.text(0);
    let live = host.live()?;
    let at_start = path.is_empty();
    let wanted = if at_start { &live.start } else { &path };
    let url = address(&live.origin, wanted);
    let arrival = host.block(|page| async move {
        let opened = page.open(&url, patience).await;
        opened.map_err(|e| if at_start { e.about_the_artifact() } else { e })
    })?;
    arrived(host, arrival);
    Ok(Value::Null)
}

/// The whole address of `wanted`: a path is one on `origin`.
pub fn address(origin: &str, wanted: &str) -> String {
    if wanted.contains("://") || wanted.starts_with("about:") {
        return wanted.to_owned();
    }
    format!("{origin}/{}", wanted.trim_start_matches('/'))
}

/// The origin of an address, without a slash at the end.
pub fn origin_of(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    format!("{scheme}://{}", rest.split(['/', '?', '#']).next().unwrap_or(rest))
}

fn reload(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let patience = patience(host, &mut args, 0)?;
    let arrival = host.block(|page| async move { page.reload(patience).await })?;
    arrived(host, arrival);
    Ok(Value::Null)
}

fn travel(host: &mut Host, mut args: Args, step: i64) -> Result<Value, Fault> {
    let patience = patience(host, &mut args, 0)?;
    let arrival = host.block(|page| async move { page.travel(step, patience).await })?;
    arrived(host, arrival);
    Ok((arrival != Arrival::Nowhere).into())
}

/// A page that never finishes loading is told, not failed.
fn arrived(host: &mut Host, arrival: Arrival) {
    if arrival == Arrival::Interactive {
        let busy = host.live().map(|live| live.page.busy()).unwrap_or_default();
        let text = format!("the load event did not come; still loading: {}", busy.join(", "));
        host.notes.saw(What::Note { text, data: serde_json::Value::Null });
    }
}

fn wait_for_popup(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let patience = patience(host, &mut args, 0)?;
    let popup = host.block(|page| async move { page.popup(patience).await.map(Some) });
    let popup = match popup {
        Err(fault) if fault.kind == FaultKind::Harness && fault.message.contains("a new page") => {
            return Err(Fault::new(FaultKind::Artifact, format!("no new page was opened within {patience:?}")));
        }
        other => other?,
    };
    let live = host.live()?;
    if let Some(popup) = popup {
        let opener = std::mem::replace(&mut live.page, popup);
        live.openers.push(opener);
    }
    super::reading::page_fact(host, "url")
}

fn close(host: &mut Host, _: Args) -> Result<Value, Fault> {
    let live = host.live()?;
    let Some(opener) = live.openers.pop() else {
        return Err(Fault::script("page.close: this page was not reached by page.wait_for_popup"));
    };
    let popup = std::mem::replace(&mut live.page, opener);
    host.notes.page_did(&popup);
    host.block(|_| async move { popup.close().await })?;
    Ok(Value::Null)
}

fn viewport(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let size = |n: Option<f64>| n.filter(|n| (1.0..=10_000.0).contains(n)).map(|n| n as u32);
    let (Some(width), Some(height)) = (size(args.number(0)), size(args.number(1))) else {
        return Err(Fault::script("page.viewport: width and height are 1 to 10000 CSS px"));
    };
    let live = host.live()?;
    let look = crate::browser::Look { width, height, ..live.page.look().clone() };
    live.page.set_look(&look);
    Ok(Value::Null)
}

fn emulate(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let wanted = args.map(0);
    let live = host.live()?;
    let mut look = live.page.look().clone();
    let fields = [
        ("dark", &mut look.dark),
        ("reduced_motion", &mut look.reduced_motion),
        ("more_contrast", &mut look.more_contrast),
        ("forced_colors", &mut look.forced_colors),
        ("print", &mut look.print),
        ("mobile", &mut look.mobile),
    ];
    for (name, field) in fields {
        if let Some(Value::Bool(value)) = wanted.get(name) {
            *field = *value;
        }
    }
    live.page.set_look(&look);
    Ok(Value::Null)
}

fn on_dialog(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let text = args.text(0);
    let answer = match (text.as_str(), text.strip_prefix("answer:")) {
        ("accept", _) => DialogAnswer::Accept,
        ("dismiss", _) => DialogAnswer::Dismiss,
        (_, Some(answer)) => DialogAnswer::Text(answer.trim().to_owned()),
        _ => {
            return Err(Fault::script("page.on_dialog: unknown answer")
                .expected("\"accept\", \"dismiss\", or \"answer: TEXT\"")
                .received(text));
        }
    };
    host.live()?.page.set_dialog_answer(answer);
    Ok(Value::Null)
}
