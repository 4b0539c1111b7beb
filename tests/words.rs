//! Every example in the tables of words is true: it runs in both languages, on its page, and gives what it says.
//!
//! Words that need something to happen first have it in `BEFORE`. What words do beyond their examples is deliberately
//! tested elsewhere.

#![expect(clippy::unwrap_used, reason = "a stage that cannot be built is the end of its tests")]

mod common;

use std::path::Path;
use std::sync::Arc;

use loupe::api::{Host, Live, Waits, vocabulary};
use loupe::browser::locator::{HookSpec, Hooks};
use loupe::browser::{Axe, Browser, Look, Reach, find};
use loupe::script::{Evaluated, Example, Interrupt, Language, Limits, STACK, Session, Value, Vocabulary, Word};
use loupe::serve::{Root, Server};
use loupe::study::{Library, Timeouts};
use tokio::runtime::Runtime;

/// What must happen before a word's examples, in words that both languages write alike.
const BEFORE: &[(&str, &[&str])] = &[
    ("page.back", &["page.click(\"text=Story one\")"]),
    ("page.forward", &["page.click(\"text=Story one\")", "page.back()"]),
    ("page.wait_for_popup", &["page.click(\"css=#open\")"]),
    ("page.close", &["page.click(\"css=#open\")", "page.wait_for_popup()"]),
    ("page.dialogs", &["page.click(\"css=#alert\")"]),
    ("page.active", &["page.press(\"Tab\")"]),
    ("expect.focused", &["page.press(\"Tab\")", "page.press(\"Tab\")"]),
];

/// A browser, and a server of `fixtures/pages`.
struct Scene {
    runtime: Runtime,
    browser: Browser,
    origin: String,
    axe: Arc<Axe>,
    /// Serves as long as it lives.
    _server: Server,
}

impl Scene {
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let path: Vec<_> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
        let found = find::find(&find::Choice::from("any"), &path).expect("this test needs a Chromium");
        let server = runtime.block_on(Server::start(None)).unwrap();
        let reach = Reach::Only(vec![format!("*.localhost:{}", server.port())]);
        let browser = runtime.block_on(Browser::launch(&found, &reach)).unwrap();
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/pages");
        let origin = server.mount("pages", &Root::Folder(pages)).unwrap().trim_end_matches('/').to_owned();
        let axe = Arc::new(Axe::new(std::fs::read_to_string(common::axe()).unwrap()));
        Self { runtime, browser, origin, axe, _server: server }
    }

    /// A session whose start page is `page`.
    fn session(&self, language: Language, words: &Arc<Vocabulary<Host>>, page: Option<&str>) -> Session<Host> {
        let tab = self.runtime.block_on(self.browser.page(&Look::default())).unwrap();
        tab.set_origin(&self.origin);
        let interrupt = Interrupt::new();
        let usual = Timeouts::default();
        let item = HookSpec { testid: "item".to_owned(), ..HookSpec::default() };
        let host = Host::new(Live {
            page: tab,
            openers: Vec::new(),
            origin: self.origin.clone(),
            start: page.map_or_else(|| "about:blank".to_owned(), |page| format!("/{page}.html")),
            hooks: Hooks::from([("item".to_owned(), item)]),
            waits: Waits { action: usual.action, expect: usual.expect },
            axe: Ok(Arc::clone(&self.axe)),
            runtime: self.runtime.handle().clone(),
            interrupt: interrupt.clone(),
        });
        Session::new(language, Arc::clone(words), Arc::new(Library::shipped()), Limits::default(), interrupt, host)
            .unwrap_or_else(|e| panic!("{}", e.diagnostic))
    }

    /// What is wrong with an example, if anything.
    fn verdict(
        &self,
        word: &Word<Host>,
        example: &Example,
        language: Language,
        words: &Arc<Vocabulary<Host>>,
    ) -> Option<String> {
        let mut session = self.session(language, words, example.page);
        let before = BEFORE.iter().find(|(name, _)| *name == word.full_name()).map_or(&[][..], |(_, lines)| lines);
        let open = example.page.map(|_| "page.open()");
        for line in open.iter().chain(before) {
            if let Evaluated::Error(error) = session.eval(line) {
                return Some(format!("before: {line}\n{}", error.diagnostic));
            }
        }
        let code = word.example(example, language);
        let wrong = |what: String| Some(format!("{code} ({language}, {:?})\n{what}", example.page));
        let seen = match session.eval(code.trim_end_matches(';')) {
            Evaluated::Value(value) => value,
            Evaluated::Error(error) => return wrong(error.diagnostic.to_string()),
            other => return wrong(format!("{other:?}")),
        };
        let expected: Value = serde_json::from_str(example.result?).unwrap();
        if seen == expected { None } else { wrong(format!("expected {expected}\nreceived {seen}")) }
    }
}

fn words() -> Arc<Vocabulary<Host>> {
    Arc::new(vocabulary(Value::Null, Value::Null, Value::Null))
}

#[test]
fn every_example_is_true_in_both_languages() {
    // Sessions want the stack that their limits were measured with.
    let play = || {
        let (scene, words) = (Scene::new(), words());
        let mut wrong = Vec::new();
        for word in words.words() {
            for example in word.examples {
                for language in [Language::Rhai, Language::Lua] {
                    wrong.extend(scene.verdict(word, example, language, &words));
                }
            }
        }
        wrong
    };
    let wrong = std::thread::Builder::new().stack_size(STACK).spawn(play).unwrap().join().unwrap();
    assert!(wrong.is_empty(), "{} examples are wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn every_word_of_a_module_has_an_example() {
    let without: Vec<_> = words().words().iter().filter(|w| w.examples.is_empty()).map(|w| w.full_name()).collect();
    // These end or declare a scenario: there is nothing that an example could give.
    assert_eq!(without, ["scenario", "setup", "step", "skip", "fail"]);
    for (name, _) in BEFORE {
        assert!(words().find(name).is_some(), "BEFORE names {name}, which is no word");
    }
}
