//! A script reaches no disk, network, clock, chance or environment.

use loupe::script::{FaultKind, Language};

use crate::mock::run_body;

#[test]
fn what_lua_must_not_have_is_undefined() {
    for name in ["io", "os", "debug", "package", "load", "loadfile", "dofile", "loadstring", "collectgarbage", "warn"] {
        let (_, end) = run_body(Language::Lua, &format!("return {name}"));
        let fault = end.expect_err(name).fault;
        assert_eq!(fault.message, format!("undefined name `{name}`"));
        assert_eq!(fault.kind, FaultKind::Script);
    }
    for name in ["math.random", "math.randomseed", "string.dump"] {
        let (desk, end) = run_body(Language::Lua, &format!("print({name})"));
        assert_eq!((desk.seen, end), (vec!["print nil".to_owned()], Ok(())), "{name}");
    }
}

#[test]
fn lua_leads_nowhere_through_its_tables() {
    let (desk, end) = run_body(
        Language::Lua,
        "print(getmetatable(_G)) print(rawget(_G, 'io')) print(getmetatable(facts)) print(getmetatable(page))
         print(pcall(function() return _G.io end))",
    );
    assert_eq!(end, Ok(()));
    assert_eq!(
        desk.seen,
        ["print false", "print nil", "print false", "print false", "print false\tundefined name `io`"]
    );
}

#[test]
fn binary_chunks_are_refused() {
    let (_, end) = crate::mock::run(Language::Lua, "\u{1b}Lua");
    assert_eq!(end.unwrap_err().fault.kind, FaultKind::Script);
}

#[test]
fn what_rhai_must_not_have_is_refused() {
    let cases = [
        ("eval(\"1\")", "eval"),
        ("sleep(1)", "sleep"),
        ("exit()", "exit"),
        ("exit(1)", "exit"),
        ("timestamp()", "timestamp"),
        ("blob()", "blob"),
        ("rand()", "rand"),
        ("open_file(\"x\")", "open_file"),
    ];
    for (body, name) in cases {
        let (desk, end) = run_body(Language::Rhai, &format!("{body}; note(\"after\");"));
        let fault = end.expect_err(body).fault;
        assert!(fault.message.contains(name), "{body}: {}", fault.message);
        assert_eq!(fault.kind, FaultKind::Script);
        assert!(desk.seen.is_empty());
    }
}

#[test]
fn repeating_nothing_ends() {
    let (desk, end) =
        run_body(Language::Lua, "print(#string.rep('', 1e15 // 1 | 0), ('ab'):rep(2), ('a'):rep(3, '-'))");
    assert_eq!((desk.seen, end), (vec!["print 0\tabab\ta-a-a".to_owned()], Ok(())));
}
