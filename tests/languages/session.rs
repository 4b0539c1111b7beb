//! Sessions remember, go on after errors, and can be interrupted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use loupe::script::{Evaluated, FaultKind, Interrupt, Language, Limits, Session, Value};

use crate::mock::{BOTH, Desk, Shelf, vocabulary};

fn session(language: Language, limits: Limits) -> (Session<Desk>, Interrupt) {
    let interrupt = Interrupt::new();
    let library = Shelf(
        [("lib.rhai", "fn double(x) { x * 2 }"), ("lib.lua", "return { double = function(x) return x * 2 end }")]
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into(),
    );
    let vocabulary = Arc::new(vocabulary());
    let session = Session::new(language, vocabulary, Arc::new(library), limits, interrupt.clone(), Desk::default());
    (session.expect("the words fit into memory"), interrupt)
}

fn value(session: &mut Session<Desk>, text: &str) -> Value {
    match session.eval(text) {
        Evaluated::Value(value) => value,
        Evaluated::Error(error) => panic!("{text}: {error}"),
        other => panic!("{text}: {other:?}"),
    }
}

fn error(session: &mut Session<Desk>, text: &str) -> loupe::script::ScriptError {
    match session.eval(text) {
        Evaluated::Error(error) => *error,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn variables_functions_and_modules_stay() {
    let (mut rhai, _) = session(Language::Rhai, Limits::default());
    let (mut lua, _) = session(Language::Lua, Limits::default());
    let steps = [
        ("let x = 20;", "x = 20", Value::Null),
        ("x + 1", "x + 1", Value::Int(21)),
        ("fn add(a, b) { a + b }", "function add(a, b) return a + b end", Value::Null),
        ("add(x, 2)", "add(x, 2)", Value::Int(22)),
        ("let f = |n| n + x;", "f = function(n) return n + x end", Value::Null),
        ("f.call(5)", "f(5)", Value::Int(25)),
        ("import \"lib\" as lib;", "lib = require('lib')", Value::Null),
        ("lib::double(x)", "lib.double(x)", Value::Int(40)),
        ("x = lib::double(x);", "x = lib.double(x)", Value::Null),
        ("x", "x", Value::Int(40)),
        ("page.text(\"h1\")", "page.text(\"h1\")", "text of h1".into()),
        ("facts.articles[0].id", "facts.articles[1].id", "a1".into()),
        ("step(\"s\", || add(1, 2))", "step(\"s\", function() return add(1, 2) end)", Value::Int(3)),
    ];
    for (in_rhai, in_lua, expected) in steps {
        assert_eq!(value(&mut rhai, in_rhai), expected, "{in_rhai}");
        assert_eq!(value(&mut lua, in_lua), expected, "{in_lua}");
    }
    assert_eq!(value(&mut lua, "1, 2, \"x\""), vec![Value::Int(1), Value::Int(2), "x".into()].into());
    assert_eq!(lua.eval("add"), Evaluated::Other("function".to_owned()));
    assert!(rhai.defined().contains(&"add".to_owned()) && rhai.defined().contains(&"x".to_owned()));
    assert!(lua.defined().contains(&"add".to_owned()) && lua.defined().contains(&"x".to_owned()));
    assert_eq!(rhai.host_mut().seen, ["step s", "step ok"]);
    assert_eq!(lua.into_host().seen, ["step s", "step ok"]);
}

#[test]
fn unfinished_input_is_recognised() {
    let rhai = [
        "step(\"s\", || {",
        "let x = ",
        "page.click(",
        "[1,",
        "#{ a: 1,",
        "if true {",
        "1 +",
        "`a\nb",
        "fn f(x) {",
        "let",
        "page.",
    ];
    let lua = [
        "step('s', function()",
        "x = ",
        "page.click(",
        "{ 1,",
        "if true then",
        "1 +",
        "[[a\nb",
        "function f(x)",
        "for i = 1, 2 do",
        "page.",
    ];
    for (language, texts) in [(Language::Rhai, &rhai[..]), (Language::Lua, &lua[..])] {
        let (mut session, _) = session(language, Limits::default());
        for text in texts {
            assert_eq!(session.eval(text), Evaluated::Incomplete, "{language}: {text}");
            let error = error(&mut session, &format!("{text}\n\n"));
            assert_eq!(error.fault.kind, FaultKind::Script, "an empty line ends it: {text}");
        }
        let wrong = match language {
            Language::Rhai => ["page.click(\"a\" \"b\")", "let = 5", "\"abc", "}"],
            Language::Lua => ["page.click('a' 'b')", "local = 5", "'abc", "end"],
        };
        for text in wrong {
            assert_eq!(error(&mut session, text).fault.kind, FaultKind::Script, "{language}: {text}");
        }
    }
}

#[test]
fn errors_name_the_line_that_was_typed_and_end_nothing() {
    let cases = [
        (Language::Rhai, "fn f() {\n  page.click(5)\n}", "let y = 1;", "f()", "repl:2:8"),
        (Language::Lua, "function f()\n  page.click(5)\nend", "y = 1", "f()", "repl:2"),
    ];
    for (language, function, other, call, place) in cases {
        let (mut session, _) = session(language, Limits::default());
        value(&mut session, function);
        value(&mut session, other);
        let error = error(&mut session, call);
        assert_eq!(error.diagnostic.place.as_ref().unwrap().to_string(), place);
        assert_eq!(error.diagnostic.place.unwrap().text.unwrap().trim(), "page.click(5)");
        // Lua forgets the input itself: to be a value it is returned, and a returned call leaves no trace.
        let trace: Vec<_> = error.diagnostic.trace.iter().map(|(_, place)| place.as_ref().unwrap().line).collect();
        assert_eq!(trace, if language == Language::Rhai { vec![5] } else { vec![] });
        assert_eq!(value(&mut session, "y"), Value::Int(1));
    }
    for language in BOTH {
        let (mut session, _) = session(language, Limits::default());
        assert_eq!(error(&mut session, "nowhere").fault.message, "undefined name `nowhere`");
        assert_eq!(error(&mut session, "page.clik(1)").fault.message, "`page` has no word `clik`");
        assert_eq!(error(&mut session, "page.reload()").fault.kind, FaultKind::Harness);
        assert_eq!(value(&mut session, "page.count(\"ab\")"), Value::Int(2), "the next word is tried afresh");
    }
}

#[test]
fn declarations_belong_into_files() {
    let (mut rhai, _) = session(Language::Rhai, Limits::default());
    let (mut lua, _) = session(Language::Lua, Limits::default());
    let message = "scenario declares a part of a file: it is not available here";
    assert_eq!(error(&mut rhai, "scenario(\"a\", || {})").fault.message, message);
    assert_eq!(error(&mut lua, "scenario('a', function() end)").fault.message, message);
}

#[test]
fn an_interrupt_ends_the_input_and_not_the_session() {
    for (language, endless) in [(Language::Rhai, "loop {}"), (Language::Lua, "while true do end")] {
        let (mut session, interrupt) =
            session(language, Limits { time: Duration::MAX, operations: u64::MAX, ..Limits::default() });
        let done = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let seen = Arc::clone(&done);
        // An input resets the handle when it starts, so that one press could come too early.
        let pressing = std::thread::spawn(move || {
            while !seen.load(std::sync::atomic::Ordering::Relaxed) {
                interrupt.cancel();
                std::thread::yield_now();
            }
        });
        let start = Instant::now();
        let error = error(&mut session, endless);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        pressing.join().unwrap();
        assert_eq!(error.fault.kind, FaultKind::Interrupted);
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(value(&mut session, "1 + 1"), Value::Int(2));
    }
}

#[test]
fn limits_hold_for_each_input() {
    for (language, endless) in [(Language::Rhai, "loop {}"), (Language::Lua, "while true do end")] {
        let (mut session, _) = session(language, Limits { operations: 50_000, ..Limits::default() });
        for _ in 0..3 {
            let error = error(&mut session, endless);
            assert_eq!(error.fault.message, "the input hit its limit of 50000 operations");
        }
        assert_eq!(value(&mut session, "1 + 1"), Value::Int(2));
    }
}
