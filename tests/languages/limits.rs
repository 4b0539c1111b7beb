//! Every limit is kept and named; an interrupt stops whatever runs.

use std::time::{Duration, Instant};

use loupe::script::{FaultKind, Interrupt, Language, Limits, ScriptError};

use crate::mock::{BOTH, Desk, program, scenario};

fn run_with(language: Language, body: &str, limits: Limits) -> ScriptError {
    let program = program(language, &scenario(language, body), &[], limits);
    program.run("t", Desk::default(), &Interrupt::new()).1.expect_err(body)
}

/// Long enough that only a script that is not stopped reaches it.
const FOREVER: Limits = Limits {
    time: Duration::from_secs(60),
    operations: u64::MAX,
    memory: 64 << 20,
    call_depth: 64,
    text: 1 << 20,
    items: 10_000,
};

const ENDLESS: [(Language, &str); 8] = [
    (Language::Rhai, "loop {}"),
    (Language::Rhai, "loop { try { loop {} } catch {} }"),
    (Language::Rhai, "let f = || { loop {} }; step(\"s\", f);"),
    (Language::Lua, "while true do end"),
    (Language::Lua, "while true do pcall(function() while true do end end) end"),
    (Language::Lua, "coroutine.wrap(function() while true do end end)()"),
    (Language::Lua, "while true do coroutine.resume(coroutine.create(function() while true do end end)) end"),
    (Language::Lua, "while true do xpcall(function() while true do end end, function() while true do end end) end"),
];

#[test]
fn an_interrupt_stops_whatever_runs() {
    for (language, body) in ENDLESS {
        let interrupt = Interrupt::new();
        let cancel = interrupt.clone();
        let (started, begun) = std::sync::mpsc::channel();
        let canceller = std::thread::spawn(move || {
            begun.recv().unwrap();
            let at = Instant::now();
            cancel.cancel();
            at
        });
        let program = program(language, &scenario(language, body), &[], FOREVER);
        started.send(()).unwrap();
        let (_, end) = program.run("t", Desk::default(), &interrupt);
        let late = canceller.join().unwrap().elapsed();
        assert_eq!(end.expect_err(body).fault.kind, FaultKind::Interrupted, "{body}");
        assert!(late < Duration::from_secs(5), "{body}: {late:?}");
    }
}

#[test]
fn time_is_limited() {
    for (language, body) in ENDLESS {
        let error = run_with(language, body, Limits { time: Duration::from_millis(50), ..FOREVER });
        assert_eq!(error.fault.kind, FaultKind::Limit, "{body}");
        assert_eq!(error.fault.message, "the scenario hit its limit of 0.05 s");
        assert!(error.diagnostic.place.is_some(), "{body}");
    }
}

#[test]
fn operations_are_limited() {
    for (language, body) in ENDLESS {
        let error = run_with(language, body, Limits { operations: 20_000, ..FOREVER });
        assert_eq!(error.fault.message, "the scenario hit its limit of 20000 operations", "{body}");
        assert_eq!(error.fault.kind, FaultKind::Limit);
    }
    for language in BOTH {
        let text = match language {
            Language::Rhai => "loop {}",
            Language::Lua => "while true do end",
        };
        let collected = program(language, text, &[], Limits { operations: 20_000, ..FOREVER }).collect(Desk::default());
        assert_eq!(collected.unwrap_err().fault.message, "the file hit its limit of 20000 operations");
    }
}

#[test]
fn memory_is_limited() {
    let cases = [
        (Language::Rhai, "let s = \"x\"; loop { s += s; }", "1048576 bytes in a string"),
        (Language::Rhai, "let s = \"x\"; s.pad(10000000, \"x\");", "1048576 bytes in a string"),
        (Language::Rhai, "let l = []; loop { l.push(1); }", "10000 items in a list or map"),
        (Language::Rhai, "let l = []; loop { l = [l, l]; }", "10000 items in a list or map"),
        (Language::Lua, "local s = 'x' while true do s = s .. s end", "64 MiB of memory"),
        (Language::Lua, "string.rep('x', 1000000000)", "64 MiB of memory"),
        (Language::Lua, "local t = {} while true do t[#t + 1] = {} end", "64 MiB of memory"),
        (Language::Lua, "while true do pcall(string.rep, 'x', 1000000000) end", "64 MiB of memory"),
        (
            Language::Lua,
            "local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end",
            "64 MiB of memory",
        ),
    ];
    for (language, body, limit) in cases {
        let error = run_with(language, body, FOREVER);
        assert_eq!(error.fault.message, format!("the scenario hit its limit of {limit}"), "{body}");
        assert_eq!(error.fault.kind, FaultKind::Limit, "{body}");
    }
}

#[test]
fn nested_calls_are_limited() {
    let cases = [
        (Language::Rhai, "fn f(n) { 1 + f(n + 1) }\n", "f(0)"),
        (Language::Rhai, "fn f(n) { try { 1 + f(n + 1) } catch { 0 } }\n", "f(0)"),
        (Language::Lua, "local function f(n) return 1 + f(n + 1) end\n", "f(0)"),
        (Language::Lua, "local function f(n) return 1 + select(2, pcall(f, n + 1)) end\n", "f(0)"),
        (
            Language::Lua,
            "local t = setmetatable({}, {}) getmetatable(t).__index = function(_, k) return t[k + 1] end\n",
            "return t[1]",
        ),
    ];
    for (language, function, call) in cases {
        let text = format!("{function}{}", scenario(language, call));
        let (_, end) = program(language, &text, &[], FOREVER).run("t", Desk::default(), &Interrupt::new());
        let error = end.expect_err(function);
        assert_eq!(error.fault.message, "the scenario hit its limit of 64 nested calls", "{function}");
        assert_eq!(error.fault.kind, FaultKind::Limit);
    }
}

#[test]
fn what_stays_within_the_limits_runs() {
    let rhai = "fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } }\n".to_owned()
        + scenario(Language::Rhai, "print(f(50))").as_str();
    let lua = "local function f(n) if n == 0 then return 0 else return 1 + f(n - 1) end end\n".to_owned()
        + scenario(Language::Lua, "print(f(50))").as_str();
    for (language, text) in [(Language::Rhai, rhai), (Language::Lua, lua)] {
        let (desk, end) = program(language, &text, &[], FOREVER).run("t", Desk::default(), &Interrupt::new());
        assert_eq!((desk.seen, end), (vec!["print 50".to_owned()], Ok(())));
    }
}

#[test]
fn an_interrupt_before_the_start_stops_the_first_word() {
    for language in BOTH {
        let interrupt = Interrupt::new();
        interrupt.cancel();
        let (desk, end) = program(language, &scenario(language, "page.click(\"a\")"), &[], FOREVER).run(
            "t",
            Desk::default(),
            &interrupt,
        );
        assert_eq!(end.unwrap_err().fault.kind, FaultKind::Interrupted);
        assert!(desk.seen.is_empty());
    }
}

#[test]
fn the_deepest_script_that_is_allowed_overflows_no_stack() {
    let nest = |open: &str, close: &str| format!("{}f(n + 1){}", open.repeat(24), close.repeat(24));
    for body in [nest("max(1, ", ")"), nest("[1, ", "]"), nest("if true { ", " }"), nest("try { ", " } catch {}")] {
        let text = format!("fn f(n) {{ {body} }}\n{}", scenario(Language::Rhai, "f(0)"));
        let (_, end) = program(Language::Rhai, &text, &[], FOREVER).run("t", Desk::default(), &Interrupt::new());
        let message = end.expect_err(&body).fault.message;
        let is_known = message.ends_with("64 nested calls") || message.starts_with("too many expressions");
        assert!(is_known, "{body}: {message}");
    }
    for (open, close) in [("(", ")"), ("[", "]"), ("if true {", "}"), ("{", "}")] {
        for language in BOTH {
            let body = format!("{}1{}", open.repeat(5000), close.repeat(5000));
            let (_, end) = program(language, &scenario(language, &body), &[], FOREVER).run(
                "t",
                Desk::default(),
                &Interrupt::new(),
            );
            assert_eq!(end.expect_err(open).fault.kind, FaultKind::Script, "{language} {open}");
        }
    }
}
