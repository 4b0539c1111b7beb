//! Words about access for everybody: what the keyboard reaches and shows, what a finger hits, what keeps moving.

use std::collections::BTreeSet;

use serde_json::json;

use super::Host;
use super::expectation::{about, conclude, of_page, row};
use super::host::seconds;
use super::rows::{EXPECTING, MANY, ONE, may, need, shown};
use crate::browser::{Key, Patience, Ring};
use crate::script::{Args, Call, Fault, FaultKind, Kind, Value, Word};

/// More stops than any page has that a person would go through.
const MOST_STOPS: i64 = 250;

pub(super) const WORDS: &[Word<Host>] = &[
    row(
        "choice",
        &[
            need("locator", Kind::Text, "The group, or the `<select>` itself; exactly one must match."),
            need("name", Kind::Text, "What is to be chosen; a count may follow the name on the page."),
            EXPECTING,
        ],
        "Expects a group to tell what is chosen: a selected option, a checked radio button, a pressed, selected or current chip, tab or link.",
        &[shown("choices", &["\"css=#radios\"", "\"All\""])],
        |host, args| about(host, args, "choice", Some(1)),
    ),
    row(
        "focus_within",
        &[ONE, EXPECTING],
        "Expects the focus to be on an element or on something inside it.",
        &[shown("choices", &["\"css=#chips\""])],
        |host, args| about(host, args, "focus_within", None),
    ),
    row(
        "focus_visible",
        &[ONE, EXPECTING],
        "Expects that a person sees when the keyboard brings the focus to an element: pictures with and without it differ in at least as many pixels as half its outline is long. The caret of a field does not count.",
        &[shown("choices", &["\"css=#plain\""])],
        focus_visible,
    ),
    row(
        "target_size",
        &[
            MANY,
            need("px", Kind::Number, "The least width and height, in CSS px; WCAG 2.2 (2.5.8) asks for 24."),
            EXPECTING,
        ],
        "Expects at least one *seen* element, and every one to be large enough for a finger; a label counts with its control.",
        &[shown("choices", &["\"css=button\"", "20"])],
        |host, args| about(host, args, "target_size", Some(1)),
    ),
    row(
        "no_motion",
        &[EXPECTING],
        "Expects that nothing keeps moving: no animation that runs on for more than five seconds (WCAG 2.2.2). Say `page.emulate` with `reduced_motion` before. What a script moves by itself is not noticed.",
        &[shown("select", &[])],
        |host, args| of_page(host, args, "no_motion", false),
    ),
    Word {
        module: "page",
        name: "tab_stops",
        params: &[may("most", Kind::Int, "After how many stops to end; 250 if left out.")],
        returns: Kind::List(&Kind::Map),
        live: true,
        doc: "Presses Tab, from where the focus is, until it leaves the page or comes round. Gives each stop: `role`, `name`, `hooks` (those of the brief that hold it), `fact` (the one they show), and its box in the document: `x`, `y`, `width`, `height`.",
        examples: &[shown("tab-order", &[])],
        call: Call::Plain(tab_stops),
    },
];

fn focus_visible(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let options = args.map(1);
    let usual = host.live()?.waits.expect;
    let total = seconds(&options, "timeout", usual)?;
    let locator = host.locator(&args.text(0))?;
    let patience = host.patience(&locator, total);
    let mut ring = None;
    let looked = host.ask(Some(&locator.clone()), |page| {
        let ring = &mut ring;
        async move {
            let (reply, seen) = page.focus_ring(&locator, patience).await?;
            *ring = seen;
            Ok(reply)
        }
    });
    let result = looked.and_then(|reply| match ring {
        Some(Ring { changed, needed }) if changed >= needed => Ok(()),
        Some(Ring { changed, needed }) => {
            Err(Fault::new(FaultKind::Artifact, format!("focus on {} is not visible", reply["element"]))
                .expected(format!("at least {needed} px that change"))
                .received(format!("{changed} px")))
        }
        None => Err(Fault::new(FaultKind::Artifact, format!("{} does not take the focus", reply["element"]))),
    });
    conclude(host, result, options)
}

fn tab_stops(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let most = match args.take(0) {
        Value::Int(most) => most.clamp(0, MOST_STOPS),
        _ => MOST_STOPS,
    };
    let (key, modifiers) = Key::parse("Tab").expect("Tab is a key");
    let live = host.live()?;
    let hooks: Vec<_> = live
        .hooks
        .iter()
        .map(|(name, hook)| json!({"name": name, "testid": hook.testid, "names": hook.names}))
        .collect();
    let total = live.waits.action;
    let (mut stops, mut met) = (Vec::new(), BTreeSet::new());
    while (stops.len() as i64) < most {
        let hooks = hooks.clone();
        let reply = host.ask(None, |page| async move {
            page.press(&key, modifiers, None, Patience { total, grace: total }).await?;
            page.ask(&page.main_frame(), &json!({"op": "stop", "hooks": hooks})).await
        })?;
        let Value::Map(mut stop) = Value::from(reply["value"].clone()) else { break };
        let Some(Value::Int(number)) = stop.remove("number") else { break };
        if !met.insert(number) {
            break;
        }
        stops.push(Value::Map(stop));
    }
    Ok(Value::List(stops))
}
