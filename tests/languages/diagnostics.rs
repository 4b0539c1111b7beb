//! Errors in the shape of a compiler's, compared as people read them.

use loupe::script::{FaultKind, Language};

use crate::mock::{collect, run, run_body, told};

/// Compares how the error of a scenario's body reads; its first line is line 2 of the file.
fn body_reads(language: Language, body: &str, expected: &str) {
    let told = told(&run_body(language, body).1.expect_err(body));
    assert_eq!(told.trim_end(), expected.trim(), "\n{told}");
}

/// Compares how the error of a file reads that is collected.
fn file_reads(language: Language, text: &str, expected: &str) {
    let told = told(&collect(language, text).expect_err(text));
    assert_eq!(told.trim_end(), expected.trim(), "\n{told}");
}

#[test]
fn an_expectation_tells_what_it_expected_and_saw() {
    body_reads(
        Language::Rhai,
        "let one = 1;\nexpect.visible(\"hook=missing\", #{ timeout: 1 });",
        r#"
error: expect.visible: hook=missing is not there
 --> flow.rhai:3:8
  |
3 | expect.visible("hook=missing", #{ timeout: 1 });
  |        ^^^^^^^
  |
  = expected: an element that is seen
  = received: nothing
  = call log: waiting for the locator
              nothing matched"#,
    );
    body_reads(
        Language::Lua,
        "local one = 1\nexpect.visible(\"hook=missing\", { timeout = 1 })",
        r#"
error: expect.visible: hook=missing is not there
 --> flow.lua:3:1
  |
3 | expect.visible("hook=missing", { timeout = 1 })
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = expected: an element that is seen
  = received: nothing
  = call log: waiting for the locator
              nothing matched"#,
    );
}

#[test]
fn wrong_arguments_show_the_call() {
    body_reads(
        Language::Rhai,
        "page.click(5);",
        r#"
error: page.click: argument "locator": expected string, got integer
 --> flow.rhai:2:6
  |
2 | page.click(5);
  |      ^^^^^
  |
  = expected: string
  = received: 5
  = help: the call is page.click(locator: string, [options: map])"#,
    );
}

#[test]
fn misspelt_words_and_names_have_a_suggestion_in_both_languages() {
    let cases = [
        ("page.clik(\"x\")", "`page` has no word `clik`", "did you mean `page.click`?"),
        ("expect.click(\"x\")", "`expect` has no word `click`", "`expect` has visible, items"),
        ("pge.click(\"x\")", "undefined name `pge`", "did you mean `page`?"),
        ("note(fact)", "undefined name `fact`", "did you mean `facts`?"),
        ("note(page.clik)", "`page` has no word `clik`", "did you mean `page.click`?"),
    ];
    for (body, message, hint) in cases {
        for language in [Language::Rhai, Language::Lua] {
            let error = run_body(language, body).1.expect_err(body);
            assert_eq!(error.fault.message, message, "{language} {body}");
            assert_eq!(error.fault.hint.as_deref(), Some(hint), "{language} {body}");
            assert_eq!(error.fault.kind, FaultKind::Script);
            assert_eq!(error.diagnostic.place.expect(body).line, 2, "{language} {body}");
        }
    }
    let error = run_body(Language::Rhai, "click(\"x\")").1.unwrap_err();
    assert_eq!(error.fault.hint.as_deref(), Some("did you mean `page.click`?"));
    let error = run_body(Language::Lua, "page:click(\"x\")").1.unwrap_err();
    assert_eq!(error.fault.message, "page.click is called with a dot, not a colon");
}

#[test]
fn the_innermost_place_is_the_primary_one_and_the_calls_are_the_trace() {
    let rhai =
        "fn open(what) {\n  page.click(what)\n}\nscenario(\"t\", || {\n  step(\"s\", || {\n    open(5);\n  });\n});";
    let trace = r#"
error: page.click: argument "locator": expected string, got integer
 --> flow.rhai:2:8
  |
2 |   page.click(what)
  |        ^^^^^
  |
  = expected: string
  = received: 5
  = in: open at flow.rhai:6:5
  = in: step at flow.rhai:5:3
  = help: the call is page.click(locator: string, [options: map])"#;
    assert_eq!(told(&run(Language::Rhai, rhai).1.unwrap_err()).trim_end(), trace.trim());
    let lua = "local function open(what)\n  page.click(what)\nend\nscenario(\"t\", function()\n  step(\"s\", function()\n    open(5)\n  end)\nend)";
    let trace = r#"
error: page.click: argument "locator": expected string, got integer
 --> flow.lua:2:3
  |
2 |   page.click(what)
  |   ^^^^^^^^^^^^^^^^
  |
  = expected: string
  = received: 5
  = in: open at flow.lua:6
  = in: step at flow.lua:5
  = help: the call is page.click(locator: string, [options: map])"#;
    assert_eq!(told(&run(Language::Lua, lua).1.unwrap_err()).trim_end(), trace.trim());
}

#[test]
fn errors_of_the_languages_themselves_have_their_places() {
    let cases = [
        (Language::Rhai, "throw \"own\";", "own", 2),
        (Language::Lua, "error(\"own\")", "own", 2),
        (Language::Lua, "local function f() error(\"own\", 2) end\nf()", "own", 3),
        (Language::Lua, "error(\"own\", 0)", "own", 2),
        (Language::Lua, "assert(false, \"own\")", "own", 2),
        (Language::Lua, "error()", "the script threw an error without a message", 2),
        (Language::Rhai, "throw #{ a: 1 };", "the script threw {\"a\":1}", 2),
        (Language::Lua, "error({ a = 1 })", "the script threw {\"a\":1}", 2),
        (Language::Rhai, "\nfacts.artcles[0]", "nothing cannot be indexed", 3),
        (Language::Lua, "\nreturn facts.artcles[1]", "attempt to index a nil value (field 'artcles')", 3),
        (Language::Rhai, "[1][4]", "index 4 is outside a list of 1", 2),
        (Language::Rhai, "1 + \"x\" * 2", "`*` is not defined for string and integer", 2),
        (Language::Rhai, "\"x\".nothing()", "undefined function `nothing` for (string)", 2),
        (Language::Rhai, "().name", "nothing has no property `name`", 2),
        (Language::Rhai, "1 / 0", "arithmetic: division by zero: 1 / 0", 2),
        (Language::Lua, "coroutine.wrap(function()\nerror(\"own\")\nend)()", "own", 3),
        (Language::Rhai, "other::f()", "undefined module `other`", 2),
        (Language::Rhai, "scenario(\"u\", || {})", "scenario is not available inside a scenario", 2),
        (Language::Lua, "setup(function() end)", "setup is not available inside a scenario", 2),
        (Language::Lua, "x = 1", "assignment to the undeclared name `x`", 2),
    ];
    for (language, body, message, line) in cases {
        let error = run_body(language, body).1.expect_err(body);
        assert_eq!(error.fault.message, message, "{language} {body}");
        assert_eq!(error.fault.kind, FaultKind::Script);
        assert_eq!(error.diagnostic.place.expect(body).line, line, "{language} {body}");
    }
}

#[test]
fn files_that_declare_wrongly_are_told_where() {
    file_reads(
        Language::Lua,
        "page.click('x')",
        r#"
error: page.click is only available inside a scenario
 --> flow.lua:1:1
  |
1 | page.click('x')
  | ^^^^^^^^^^^^^^^
  |
  = help: the top of a file only declares: move the call into scenario(…) or setup(…)"#,
    );
    file_reads(
        Language::Rhai,
        "scenario(\"a\", || {});\nscenario(\"a\", || {});",
        r#"
error: scenario "a" is declared twice
 --> flow.rhai:2:1
  |
2 | scenario("a", || {});
  | ^^^^^^^^
  |
  = help: the first is at flow.rhai:1:1; every title must be its own"#,
    );
    for language in [Language::Rhai, Language::Lua] {
        let error = collect(language, "").unwrap_err();
        assert_eq!(error.fault.message, format!("flow.{} declares no scenario", language.extension()));
    }
    let error = collect(Language::Rhai, "return;\nscenario(\"a\", || {});").unwrap_err();
    assert_eq!(error.fault.message, "flow.rhai returns before its end");
    let (_, end) = run(Language::Lua, "scenario('other', function() end)");
    assert_eq!(end.unwrap_err().fault.message, "the file declares no scenario \"t\"");
}

#[test]
fn habits_of_the_other_language_are_recognised() {
    let cases = [
        (Language::Rhai, "local x = 1;", "`let`"),
        (Language::Rhai, "if 5 ~= 1 { }", "!="),
        (Language::Rhai, "scenario(\"a\", function()\n  page.click(\"x\")\nend)", "|| { … }"),
        (Language::Rhai, "let x = nil;", "()"),
        (Language::Rhai, "-- comment", "//"),
        (Language::Lua, "let x = 1", "`local`"),
        (Language::Lua, "if 1 != 2 then end", "~="),
        (Language::Lua, "scenario('a', || {\n page.click('x')\n", "function() … end"),
        (Language::Lua, "local x = #{ a: 1 }", "{ key = value }"),
        (Language::Lua, "// comment", "--"),
    ];
    for (language, text, instead) in cases {
        let error = collect(language, text).expect_err(text);
        let hint = error.fault.hint.unwrap_or_default();
        assert!(hint.contains(instead), "{language} {text}: {hint} ({})", error.fault.message);
    }
}

#[test]
fn functions_of_rhai_do_not_see_variables_and_the_error_says_so() {
    file_reads(
        Language::Rhai,
        "let n = 1;\nfn g() { n }\n",
        r#"
error: undefined name `n`
 --> flow.rhai:2:10
  |
2 | fn g() { n }
  |          ^
  |
  = help: a function sees its parameters and the words, not the variables around it; a closure || … does"#,
    );
}
