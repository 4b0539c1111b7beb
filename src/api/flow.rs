//! The words of a flow itself: scenarios, set-up, steps, and what an author has to say.

use super::Host;
use super::rows::{may, need, plain};
use crate::record::What;
use crate::script::{Args, Block, Call, Fault, FaultKind, Kind, Value, Word};

pub(super) const WORDS: &[Word<Host>] = &[
    Word {
        module: "",
        name: "scenario",
        params: &[
            need("title", Kind::Text, "What it checks, as a sentence; unique in its file."),
            may(
                "options",
                Kind::Options(&[
                    may("timeout", Kind::Number, "Seconds for the whole scenario; the study's usual time if left out."),
                    may(
                        "viewports",
                        Kind::List(&Kind::Text),
                        "The viewports, by name, where it applies; all if left out.",
                    ),
                    may(
                        "about",
                        Kind::List(&Kind::Text),
                        "The topics it is about, such as `search` or `focus`; `loupe mutate` asks who is about a fault.",
                    ),
                ]),
                "Where it applies and how long it may take.",
            ),
            need("body", Kind::Function, "What it does."),
        ],
        returns: Kind::Nothing,
        live: false,
        doc: "Declares an independent check of the flow. It runs from a fresh browser state of its own, at every viewport where it applies.",
        examples: &[],
        call: Call::Block(Block::Scenario),
    },
    Word {
        module: "",
        name: "setup",
        params: &[need("body", Kind::Function, "What it does.")],
        returns: Kind::Nothing,
        live: false,
        doc: "Declares what runs before each scenario of the file, in the same fresh browser state. Several run in their order.",
        examples: &[],
        call: Call::Block(Block::Setup),
    },
    Word {
        module: "",
        name: "step",
        params: &[
            need("name", Kind::Text, "What this part does."),
            need("body", Kind::Function, "What it does; its result is the result of `step`."),
        ],
        returns: Kind::Any,
        live: true,
        doc: "Names a part of a scenario, so that records and reports can tell where things went wrong.",
        examples: &[],
        call: Call::Block(Block::Step),
    },
    Word {
        module: "",
        name: "skip",
        params: &[need("reason", Kind::Text, "Why the scenario does not apply here.")],
        returns: Kind::Nothing,
        live: true,
        doc: "Ends the scenario as skipped. Nothing can catch it.",
        examples: &[],
        call: Call::Plain(|_, mut args| Err(Fault::new(FaultKind::Skip, args.text(0)))),
    },
    Word {
        module: "",
        name: "fail",
        params: &[need("message", Kind::Text, "What the artifact does not do.")],
        returns: Kind::Nothing,
        live: true,
        doc: "Ends the scenario as failed.",
        examples: &[],
        call: Call::Plain(|_, mut args| Err(Fault::new(FaultKind::Artifact, args.text(0)))),
    },
    Word {
        module: "",
        name: "note",
        params: &[need("text", Kind::Text, "What was observed."), may("data", Kind::Any, "Figures that go with it.")],
        returns: Kind::Nothing,
        live: true,
        doc: "Records an observation. It never changes an outcome.",
        examples: &[plain(&["\"rows before the search\"", "14"], "null")],
        call: Call::Plain(note),
    },
];

fn note(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let (text, data) = (args.text(0), args.take(1));
    host.notes.saw(What::Note { text, data: data.into() });
    Ok(Value::Null)
}
