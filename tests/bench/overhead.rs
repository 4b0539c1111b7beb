//! What the host costs: a word that needs no browser, and what a word that needs one adds to the raw command behind it.
//! See README.md here.
//!
//! Every figure is a loop inside a scenario, run as a run does it, minus the same loop without the word. The raw command
//! goes through the same connection from the same kind of thread, so that only our own layers differ. What the page
//! itself computes for a word counts as ours; what a busy machine adds to both sides deliberately is not told apart.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench stops at the first surprise and talks to people"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;
use loupe::api::{Host, Live, Waits, vocabulary};
use loupe::browser::locator::Hooks;
use loupe::browser::{Browser, Look, Page, Reach, find};
use loupe::script::{Interrupt, Limits, Program, Source, Value};
use loupe::serve::{Root, Server};
use loupe::study::{Library, Timeouts};
use tokio::runtime::Runtime;

/// Blocks of each kind, alternating; the median counts.
const BLOCKS: usize = 21;

/// Calls in a block without a browser; a scenario keeps 5 000 observations, and each call leaves one.
const CALLS: usize = 4_000;

/// Calls in a block with a browser.
const TRIPS: usize = 300;

/// Words that need no browser, as Rhai and as Lua.
const PURE: &[(&str, &str)] = &[
    ("stats.median([5, 1, 2])", "stats.median({ 5, 1, 2 })"),
    ("stats.wilson(3, 10)", "stats.wilson(3, 10)"),
    ("expect.equal(1, 1)", "expect.equal(1, 1)"),
    ("expect.that(true, \"so\", #{ soft: true })", "expect.that(true, \"so\", { soft = true })"),
    ("expect.equal(1, 1, #{ soft: true, message: \"m\" })", "expect.equal(1, 1, { soft = true, message = \"m\" })"),
    ("note(\"seen\")", "note(\"seen\")"),
];

/// Words that need one round trip, and an expression of the page that gives the same.
const LIVE: &[(&str, &str)] = &[
    ("page.evaluate(\"() => 1\")", "(() => 1)()"),
    ("page.title()", "document.title"),
    ("page.text(\"css=#custom\")", "document.querySelector('#custom').textContent"),
    ("page.count(\"css=option\")", "document.querySelectorAll('option').length"),
    ("expect.visible(\"css=#custom\")", "document.querySelector('#custom').checkVisibility()"),
];

fn main() {
    println!("without a browser, us a call (median of {BLOCKS} blocks of {CALLS}; bar 5):");
    for (rhai, lua) in PURE {
        println!("  rhai {:6.2}   lua {:6.2}   {rhai}", pure("rhai", rhai), pure("lua", lua));
    }
    let stage = Stage::new();
    println!("\nwith a browser, us a call (median of {BLOCKS} pairs of {TRIPS}; bar 1000 added):");
    for (word, raw) in LIVE {
        for language in ["rhai", "lua"] {
            let (ours, bare, added) = stage.added(language, word, raw);
            println!("  {language:4}  word {ours:7.0}   raw {bare:7.0}   added {added:6.0}   {word}");
        }
    }
}

/// What one call of `word` costs, in us.
fn pure(language: &str, word: &str) -> f64 {
    let (with, without) = (program(language, word, CALLS), program(language, "", CALLS));
    let costs = (0..BLOCKS).map(|_| {
        let empty = timed(|| drop(played(&without, Host::default())));
        micros(timed(|| drop(played(&with, Host::default()))), CALLS) - micros(empty, CALLS)
    });
    median(costs.collect())
}

/// A scenario that says `word` so many times.
fn program(language: &str, word: &str, times: usize) -> Program<Host> {
    let text = match language {
        "rhai" => format!("scenario(\"loop\", || {{ let i = 0; while i < {times} {{ {word}; i += 1; }} }});"),
        _ => format!("scenario(\"loop\", function() local i = 0 while i < {times} do {word}; i = i + 1 end end)"),
    };
    Program {
        source: Source::by_name(&format!("bench.{language}"), text).unwrap(),
        vocabulary: Arc::new(vocabulary(Value::Null, Value::Null, Value::Null)),
        library: Arc::new(Library::shipped()),
        limits: Limits { time: Duration::from_secs(600), ..Limits::default() },
    }
}

fn played(program: &Program<Host>, host: Host) -> Host {
    let (host, result) = program.run("loop", host, &Interrupt::new());
    result.unwrap_or_else(|e| panic!("{}", e.diagnostic));
    host
}

fn timed(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

fn micros(total: Duration, calls: usize) -> f64 {
    total.as_secs_f64() * 1e6 / calls as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A browser with one open page.
struct Stage {
    runtime: Runtime,
    page: Page,
    origin: String,
    _server: Server,
    _browser: Browser,
}

impl Stage {
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let found = find::find(&find::Choice::Any, &[]).unwrap();
        let server = runtime.block_on(Server::start(None)).unwrap();
        let reach = Reach::Only(vec![format!("*.localhost:{}", server.port())]);
        let browser = runtime.block_on(Browser::launch(&found, &reach)).unwrap();
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/pages");
        let origin = server.mount("bench", &Root::Folder(pages)).unwrap().trim_end_matches('/').to_owned();
        let page = runtime.block_on(browser.page(&Look::default())).unwrap();
        page.set_origin(&origin);
        runtime.block_on(page.open(&format!("{origin}/select.html"), Duration::from_secs(10))).unwrap();
        Self { runtime, page, origin, _server: server, _browser: browser }
    }

    /// What a call of `word` costs, what the raw command costs, and the difference within the pair; in us.
    fn added(&self, language: &str, word: &str, raw: &str) -> (f64, f64, f64) {
        let (with, without) = (program(language, word, TRIPS), program(language, "", TRIPS));
        let mut rows = Vec::new();
        for block in 0..BLOCKS {
            let ours = || {
                let empty = timed(|| drop(played(&without, self.host())));
                micros(timed(|| drop(played(&with, self.host()))), TRIPS) - micros(empty, TRIPS)
            };
            let bare = || micros(timed(|| self.trips(raw)), TRIPS);
            let (ours, bare) = if block % 2 == 0 {
                let ours = ours();
                (ours, bare())
            } else {
                let bare = bare();
                (ours(), bare)
            };
            rows.push((ours, bare));
        }
        let column = |of: fn(&(f64, f64)) -> f64| median(rows.iter().map(of).collect());
        (column(|row| row.0), column(|row| row.1), column(|row| row.0 - row.1))
    }

    fn host(&self) -> Host {
        let usual = Timeouts::default();
        Host::new(Live {
            page: self.page.clone(),
            openers: Vec::new(),
            origin: self.origin.clone(),
            start: "/select.html".to_owned(),
            hooks: Hooks::new(),
            waits: Waits { action: usual.action, expect: usual.expect },
            axe: Err("this bench does not need it".into()),
            runtime: self.runtime.handle().clone(),
            interrupt: Interrupt::new(),
        })
    }

    /// The raw command, one round trip after the other, each waited for by this thread.
    fn trips(&self, expression: &str) {
        for _ in 0..TRIPS {
            let command = EvaluateParams::builder().expression(expression).return_by_value(true).build().unwrap();
            let reply = self.runtime.block_on(self.page.call(command)).unwrap();
            assert!(reply.exception_details.is_none() && reply.result.value.is_some(), "{expression}: {reply:?}");
        }
    }
}
