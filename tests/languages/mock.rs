//! A small vocabulary over a host that only writes down what it is told.
//!
//! It deliberately has no page: what is tested is the languages, not the browser.

use std::collections::BTreeMap;
use std::sync::Arc;

use loupe::diag::{Diagnostic, Place, Severity};
use loupe::script::{
    Args, Block, Call, Example, Fault, FaultKind, Host, Interrupt, Kind, Language, Library, Limits, Param, Program,
    ScenarioDecl, ScriptError, Source, Value, Vocabulary, Word,
};

/// Writes down everything.
#[derive(Debug, Default)]
pub struct Desk {
    pub seen: Vec<String>,
    pub places: Vec<String>,
    pub depth: usize,
}

impl Desk {
    fn write(&mut self, text: impl std::fmt::Display) {
        self.seen.push(format!("{}{text}", "  ".repeat(self.depth)));
    }
}

impl Host for Desk {
    fn spoke(&mut self, _: &str, _: Vec<Value>, _: std::time::Duration, _: Option<&Fault>) {}

    fn enter_step(&mut self, name: &str) {
        self.write(format_args!("step {name}"));
        self.depth += 1;
    }

    fn leave_step(&mut self, ok: bool) {
        self.depth -= 1;
        self.write(if ok { "step ok" } else { "step broken" });
    }

    fn note(&mut self, text: String) {
        self.write(format_args!("print {text}"));
    }

    fn at(&mut self, place: Option<Place>) {
        self.places.push(place.map_or_else(|| "nowhere".to_owned(), |place| format!("{}:{}", place.file, place.line)));
    }
}

const fn needed(name: &'static str, kind: Kind) -> Param {
    Param { name, kind, optional: false, doc: "" }
}

const fn optional(name: &'static str, kind: Kind) -> Param {
    Param { name, kind, optional: true, doc: "" }
}

const LOCATOR: Param = needed("locator", Kind::Text);
const OPTIONS: Param = optional(
    "options",
    Kind::Options(&[optional("timeout", Kind::Number), optional("soft", Kind::Bool), optional("message", Kind::Text)]),
);
const FUNCTION: Param = needed("fn", Kind::Function);
const SCENARIO: Param = optional(
    "options",
    Kind::Options(&[optional("timeout", Kind::Number), optional("viewport", Kind::List(&Kind::Text))]),
);

const fn word(
    module: &'static str,
    name: &'static str,
    params: &'static [Param],
    returns: Kind,
    call: Call<Desk>,
) -> Word<Desk> {
    Word {
        module,
        name,
        params,
        returns,
        doc: "Does what its name says.",
        live: !module.is_empty(),
        examples: &[],
        call,
    }
}

pub static WORDS: &[Word<Desk>] = &[
    Word {
        examples: &[Example { args: &["\"title\"", "{\"timeout\": 5}"], result: None, page: None }],
        ..word(
            "",
            "scenario",
            &[needed("title", Kind::Text), SCENARIO, FUNCTION],
            Kind::Nothing,
            Call::Block(Block::Scenario),
        )
    },
    word("", "setup", &[FUNCTION], Kind::Nothing, Call::Block(Block::Setup)),
    word("", "step", &[needed("name", Kind::Text), FUNCTION], Kind::Any, Call::Block(Block::Step)),
    word("", "skip", &[needed("reason", Kind::Text)], Kind::Nothing, Call::Plain(skip)),
    word("", "fail", &[needed("message", Kind::Text)], Kind::Nothing, Call::Plain(fail)),
    word("", "note", &[needed("text", Kind::Text), optional("data", Kind::Any)], Kind::Nothing, Call::Plain(note)),
    Word {
        examples: &[Example { args: &["\"role=button\"", "{\"timeout\": 2.5}"], result: None, page: Some("buttons") }],
        ..word("page", "click", &[LOCATOR, OPTIONS], Kind::Nothing, Call::Plain(click))
    },
    word("page", "text", &[LOCATOR], Kind::Text, Call::Plain(text)),
    word("page", "count", &[LOCATOR], Kind::Int, Call::Plain(count)),
    word("page", "box", &[LOCATOR], Kind::Map, Call::Plain(box_of)),
    word("page", "items", &[LOCATOR], Kind::List(&Kind::Text), Call::Plain(items)),
    word("page", "echo", &[needed("value", Kind::Any)], Kind::Any, Call::Plain(echo)),
    word("page", "describe", &[needed("value", Kind::Any)], Kind::Text, Call::Plain(describe)),
    word("page", "options", &[needed("map", Kind::Map)], Kind::Map, Call::Plain(echo)),
    word("page", "number", &[needed("x", Kind::Number)], Kind::Number, Call::Plain(echo)),
    word("page", "integer", &[needed("n", Kind::Int)], Kind::Int, Call::Plain(echo)),
    word("page", "reload", &[], Kind::Nothing, Call::Plain(reload)),
    word("page", "panic", &[], Kind::Nothing, Call::Plain(panic)),
    word("expect", "visible", &[LOCATOR, OPTIONS], Kind::Nothing, Call::Plain(visible)),
    word(
        "expect",
        "items",
        &[LOCATOR, needed("ids", Kind::List(&Kind::Text))],
        Kind::Nothing,
        Call::Plain(expect_items),
    ),
];

fn skip(_: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    Err(Fault::new(FaultKind::Skip, args.text(0)))
}

fn fail(_: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    Err(Fault::new(FaultKind::Artifact, args.text(0)))
}

fn note(desk: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    let line = format!("note {} {}", args.text(0), args.take(1));
    desk.write(line);
    Ok(Value::Null)
}

fn click(desk: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    let line = format!("click {} {}", args.text(0), args.take(1));
    desk.write(line);
    Ok(Value::Null)
}

fn text(_: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    Ok(Value::Text(format!("text of {}", args.text(0))))
}

fn count(_: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    Ok(Value::Int(args.text(0).len() as i64))
}

fn box_of(_: &mut Desk, _: Args) -> Result<Value, Fault> {
    let sides = [("height", 20.0), ("width", 30.5), ("x", 0.0)];
    Ok(Value::Map(sides.into_iter().map(|(side, length)| (side.to_owned(), Value::Float(length))).collect()))
}

fn items(_: &mut Desk, _: Args) -> Result<Value, Fault> {
    Ok(vec!["a", "b"].into())
}

fn echo(_: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    Ok(args.take(0))
}

fn describe(_: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    Ok(format!("{:?}", args.take(0)).into())
}

fn reload(desk: &mut Desk, _: Args) -> Result<Value, Fault> {
    desk.write("reload");
    Err(Fault::new(FaultKind::Harness, "the browser is gone"))
}

fn panic(_: &mut Desk, _: Args) -> Result<Value, Fault> {
    panic!("as asked")
}

fn visible(desk: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    let locator = args.text(0);
    desk.write(format_args!("visible {locator}"));
    if !locator.contains("missing") {
        return Ok(Value::Null);
    }
    let mut fault = Fault::new(FaultKind::Artifact, format!("expect.visible: {locator} is not there"))
        .expected("an element that is seen")
        .received("nothing");
    fault.log = vec!["waiting for the locator".to_owned(), "nothing matched".to_owned()];
    Err(fault)
}

fn expect_items(desk: &mut Desk, mut args: Args) -> Result<Value, Fault> {
    let line = format!("items {} {}", args.text(0), args.take(1));
    desk.write(line);
    Ok(Value::Null)
}

/// The facts of the mock study.
pub fn vocabulary() -> Vocabulary<Desk> {
    let facts = serde_json::json!({
        "articles": [
            {"id": "a1", "title": "Straße", "minutes": 3, "score": 0.5, "tags": ["x", "y"]},
            {"id": "a2", "title": "Café", "minutes": 12, "score": 2.0, "tags": []},
        ],
        "empty": null,
    });
    let viewport = serde_json::json!({"name": "desktop", "width": 1440, "height": 1000, "mobile": false});
    Vocabulary::new(&[WORDS]).with("facts", facts.into()).with("viewport", viewport.into())
}

/// Modules in memory.
#[derive(Debug, Default, Clone)]
pub struct Shelf(pub BTreeMap<String, String>);

impl Library for Shelf {
    fn find(&self, name: &str) -> Result<Source, Diagnostic> {
        match self.0.get(name) {
            Some(text) => Source::by_name(&format!("scripts/{name}"), text.as_str()),
            None => Err(Diagnostic::new(format!("there is no script `{name}`"))),
        }
    }
}

/// A file to run, with modules beside it.
pub fn program(language: Language, text: &str, modules: &[(&str, &str)], limits: Limits) -> Program<Desk> {
    let name = format!("flow.{}", language.extension());
    let modules = modules.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Program {
        source: Source::new(name, text, language),
        vocabulary: Arc::new(vocabulary()),
        library: Arc::new(Shelf(modules)),
        limits,
    }
}

/// Collects a file.
pub fn collect(language: Language, text: &str) -> Result<Vec<ScenarioDecl>, ScriptError> {
    program(language, text, &[], Limits::default()).collect(Desk::default())
}

/// Runs the scenario `t` of a file.
pub fn run(language: Language, text: &str) -> (Desk, Result<(), ScriptError>) {
    program(language, text, &[], Limits::default()).run("t", Desk::default(), &Interrupt::new())
}

/// Runs `body` as a scenario.
pub fn run_body(language: Language, body: &str) -> (Desk, Result<(), ScriptError>) {
    run(language, &scenario(language, body))
}

/// A file whose only scenario `t` has this body, on lines of its own.
pub fn scenario(language: Language, body: &str) -> String {
    match language {
        Language::Rhai => format!("scenario(\"t\", || {{\n{body}\n}});"),
        Language::Lua => format!("scenario(\"t\", function()\n{body}\nend)"),
    }
}

/// What a person would read.
pub fn told(error: &ScriptError) -> String {
    error.diagnostic.render(Severity::Error, false)
}

pub const BOTH: [Language; 2] = [Language::Rhai, Language::Lua];
