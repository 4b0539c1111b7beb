//! The same script in both languages makes the same observations.

use loupe::script::{FaultKind, Language};

use crate::mock::{BOTH, collect, run, run_body};

/// Runs both and demands the same of both; returns what was seen and how it ended.
fn both(rhai: &str, lua: &str) -> (Vec<String>, Result<(), String>) {
    let (rhai_desk, rhai_end) = run(Language::Rhai, rhai);
    let (lua_desk, lua_end) = run(Language::Lua, lua);
    assert_eq!(rhai_desk.seen, lua_desk.seen);
    assert_eq!(rhai_desk.places.len(), lua_desk.places.len());
    let (rhai_end, lua_end) = (rhai_end.map_err(|e| e.fault), lua_end.map_err(|e| e.fault));
    assert_eq!(rhai_end, lua_end);
    (rhai_desk.seen, rhai_end.map_err(|fault| fault.message))
}

#[test]
fn a_flow_makes_the_same_observations() {
    let rhai = r#"
        setup(|| { page.click("start"); });
        fn search(text) { page.click("hook=search"); note(text); }
        scenario("other", || { fail("never run"); });
        scenario("t", #{ timeout: 5, viewport: ["desktop"] }, || {
            let one = facts.articles[0];
            search(one.title);
            expect.items("hook=article", [one.id]);
            let ids = facts.articles.map(|a| a.id);
            expect.items("hook=article", ids);
            expect.items("none", []);
            page.click("a", #{ timeout: 2, soft: true });
            page.click("a", #{});
            let n = step("count", || {
                print("inside");
                page.count("four")
            });
            note("counted", n);
            note("map", #{ b: 1, a: [1, 2.0, true, "x", ()] });
            note("box", page.box("x"));
            for item in page.items("x") { note(item); }
            print(viewport.name);
            print(viewport.width + 0.5);
            print(3.0);
        });
    "#;
    let lua = r#"
        setup(function() page.click("start") end)
        local function search(text) page.click("hook=search") note(text) end
        scenario("other", function() fail("never run") end)
        scenario("t", { timeout = 5, viewport = { "desktop" } }, function()
            local one = facts.articles[1]
            search(one.title)
            expect.items("hook=article", { one.id })
            local ids = {}
            for _, article in ipairs(facts.articles) do ids[#ids + 1] = article.id end
            expect.items("hook=article", ids)
            expect.items("none", {})
            page.click("a", { timeout = 2, soft = true })
            page.click("a", {})
            local n = step("count", function()
                print("inside")
                return page.count("four")
            end)
            note("counted", n)
            note("map", { b = 1, a = { 1, 2.0, true, "x", nil } })
            note("box", page.box("x"))
            for _, item in ipairs(page.items("x")) do note(item) end
            print(viewport.name)
            print(viewport.width + 0.5)
            print(3.0)
        end)
    "#;
    let rhai_null_dropped = rhai.replace(", ()]", "]");
    let (seen, end) = both(&rhai_null_dropped, lua);
    assert_eq!(end, Ok(()));
    assert_eq!(
        seen,
        [
            "click start null",
            "click hook=search null",
            "note Straße null",
            "items hook=article [\"a1\"]",
            "items hook=article [\"a1\",\"a2\"]",
            "items none []",
            "click a {\"soft\":true,\"timeout\":2.0}",
            "click a {}",
            "step count",
            "  print inside",
            "step ok",
            "note counted 4",
            "note map {\"a\":[1,2.0,true,\"x\"],\"b\":1}",
            "note box {\"height\":20.0,\"width\":30.5,\"x\":0.0}",
            "note a null",
            "note b null",
            "print desktop",
            "print 1440.5",
            "print 3.0",
        ]
    );
}

#[test]
fn collecting_says_titles_options_and_places() {
    let texts = [
        (Language::Rhai, "scenario(\"a\", || {});\nscenario(\"b\", #{ timeout: 5 }, || {});"),
        (Language::Lua, "scenario(\"a\", function() end)\nscenario(\"b\", { timeout = 5 }, function() end)"),
    ];
    for (language, text) in texts {
        let declared = collect(language, text).unwrap();
        let lines: Vec<_> = declared.iter().map(|s| (s.title.as_str(), s.place.as_ref().unwrap().line)).collect();
        assert_eq!(lines, [("a", 1), ("b", 2)]);
        assert_eq!(format!("{:?}", declared[1].options), "{\"timeout\": Float(5.0)}");
    }
}

#[test]
fn words_are_said_with_their_places() {
    let (desk, _) = run_body(Language::Rhai, "page.click(\"a\");\nstep(\"s\", || {\n page.click(\"b\");\n});");
    assert_eq!(desk.places, ["flow.rhai:2", "flow.rhai:3", "flow.rhai:4"]);
    let (desk, _) =
        run_body(Language::Lua, "page.click(\"a\")\nstep(\"s\", function()\n return page.click(\"b\")\nend)");
    assert_eq!(desk.places, ["flow.lua:2", "flow.lua:3", "flow.lua:4"]);
}

#[test]
fn values_cross_without_changing_their_kind() {
    let cases = [
        ("5", "5", "Int(5)"),
        ("5.0", "5.0", "Float(5.0)"),
        ("9007199254740993", "9007199254740993", "Int(9007199254740993)"),
        ("\"é😀\"", "\"é😀\"", "Text(\"é😀\")"),
        ("'c'", "'c'", "Text(\"c\")"),
        ("()", "nil", "Null"),
        ("[]", "{}", "List([])"),
        ("[[1], []]", "{{1}, {}}", "List([List([Int(1)]), List([])])"),
        ("#{a: #{b: 1}}", "{a = {b = 1}}", "Map({\"a\": Map({\"b\": Int(1)})})"),
        ("facts.articles[1].tags", "facts.articles[2].tags", "List([])"),
        ("facts.articles[0].tags", "facts.articles[1].tags", "List([Text(\"x\"), Text(\"y\")])"),
        ("page.echo(2.0)", "page.echo(2.0)", "Float(2.0)"),
        ("page.integer(2.0)", "page.integer(2.0)", "Int(2)"),
        ("page.number(2)", "page.number(2)", "Float(2.0)"),
        ("page.options(#{})", "page.options({})", "List([])"),
        (
            "viewport",
            "viewport",
            "Map({\"height\": Int(1000), \"mobile\": Bool(false), \"name\": Text(\"desktop\"), \"width\": Int(1440)})",
        ),
    ];
    for (rhai, lua, seen) in cases {
        for (language, value) in [(Language::Rhai, rhai), (Language::Lua, lua)] {
            let (desk, end) = run_body(language, &format!("print(page.describe({value}))"));
            assert_eq!(end.map_err(|e| e.to_string()), Ok(()));
            // An empty map comes back to Rhai as a map, to Lua as the table that it cannot tell from a list.
            let is_empty_map = language == Language::Rhai && value.contains("#{})");
            let seen = if is_empty_map { "Map({})" } else { seen };
            assert_eq!(desk.seen, [format!("print {seen}")], "{language} {value}");
        }
    }
    let (desk, _) = run_body(Language::Rhai, "print(page.describe(0.0 / 0.0))");
    assert_eq!(desk.seen, ["print Float(NaN)"]);
    let (desk, _) = run_body(Language::Lua, "print(page.describe(0/0 ~= 0/0))");
    assert_eq!(desk.seen, ["print Bool(true)"]);
}

#[test]
fn wrong_arguments_read_the_same() {
    let cases = [
        ("page.click(5)", "page.click(5)", "page.click: argument \"locator\": expected string, got integer"),
        ("page.click()", "page.click()", "page.click: argument \"locator\" is missing: expected string"),
        ("page.click(())", "page.click(nil)", "page.click: argument \"locator\" is missing: expected string"),
        ("page.click(|| 1)", "page.click(print)", "page.click: argument \"locator\": expected string, got function"),
        ("page.click(\"a\", #{}, 1)", "page.click(\"a\", {}, 1)", "page.click: expected at most 2 arguments, got 3"),
        (
            "page.click(\"a\", #{timout: 1})",
            "page.click(\"a\", {timout = 1})",
            "page.click: argument \"options\": unknown key \"timout\"",
        ),
        (
            "expect.items(\"a\", [1])",
            "expect.items(\"a\", {1})",
            "expect.items: argument \"ids\": item 1: expected string, got integer",
        ),
        (
            "page.echo([page.echo])",
            "page.echo({page.echo})",
            "page.echo: argument \"value\": expected any, got function",
        ),
        ("page.integer(2.5)", "page.integer(2.5)", "page.integer: argument \"n\": expected integer, got number"),
        ("step(\"s\")", "step(\"s\")", "step: argument \"fn\" is missing: expected function"),
        ("step(5, || 1)", "step(5, function() end)", "step: argument \"name\": expected string, got integer"),
    ];
    for (rhai, lua, message) in cases {
        if rhai.contains("[page.echo]") {
            continue; // Rhai has no functions as values of modules.
        }
        let rhai = crate::mock::scenario(Language::Rhai, rhai);
        let lua = crate::mock::scenario(Language::Lua, lua);
        assert_eq!(both(&rhai, &lua).1, Err(message.to_owned()));
    }
}

#[test]
fn what_cannot_cross_is_an_argument_error() {
    let cases = [
        (Language::Lua, "local t = {} t.t = t page.echo(t)", "a value that holds itself, or is nested deeper than 64"),
        (Language::Lua, "page.echo({1, a = 2})", "a table that is both a list and a map"),
        (Language::Lua, "page.echo({1, [3] = 2})", "a list with holes"),
        (Language::Lua, "page.echo({[2.5] = 2})", "a table with a number as a key"),
        (Language::Lua, "page.echo(\"\\xff\")", "a string that is not UTF-8"),
        (Language::Lua, "page.echo({print})", "function"),
        (Language::Lua, "page.echo(coroutine.create(print))", "thread"),
        (
            Language::Rhai,
            "let l = []; let f = || l; l.push(l); for i in 0..70 { l = [l]; } page.echo(l)",
            "a value that holds itself, or is nested deeper than 64",
        ),
        (Language::Rhai, "page.echo([|| 1])", "function"),
        (Language::Rhai, "page.echo(0..5)", "range"),
        (Language::Rhai, "page.echo(page)", "module"),
    ];
    for (language, body, what) in cases {
        let (_, end) = run_body(language, body);
        assert_eq!(
            end.unwrap_err().fault.message,
            format!("page.echo: argument \"value\": expected any, got {what}"),
            "{language}: {body}"
        );
    }
}

#[test]
fn a_fault_can_be_caught_as_its_message_and_thrown_again_whole() {
    let rhai = "scenario(\"t\", || {
        try { expect.visible(\"missing\"); } catch (e) { note(e); }
        try { expect.visible(\"missing\"); } catch (e) { throw e; }
    });";
    let lua = "scenario(\"t\", function()
        local ok, e = pcall(expect.visible, \"missing\") note(e)
        local ok, e = pcall(expect.visible, \"missing\") error(e)
    end)";
    let (seen, end) = both(rhai, lua);
    assert_eq!(seen[1], "note expect.visible: missing is not there null");
    assert_eq!(end, Err("expect.visible: missing is not there".to_owned()));
    for (language, text) in [(Language::Rhai, rhai), (Language::Lua, lua)] {
        let (_, end) = run(language, text);
        let fault = end.unwrap_err().fault;
        assert_eq!(fault.kind, FaultKind::Artifact);
        assert_eq!(fault.log.len(), 2, "the whole fault came back");
    }
}

#[test]
fn latched_faults_end_the_scenario_whatever_the_script_does() {
    let rhai = "scenario(\"t\", || {
        try { step(\"s\", || { page.reload(); }); } catch { note(\"swallowed\"); }
        note(\"after\");
    });";
    let lua = "scenario(\"t\", function()
        pcall(step, \"s\", function() page.reload() end) note(\"swallowed\")
    end)";
    let (seen, end) = both(rhai, lua);
    assert_eq!(seen, ["step s", "  reload", "step broken"]);
    assert_eq!(end, Err("the browser is gone".to_owned()));
    let lua = [
        "xpcall(page.reload, function(e) return e end) note('after')",
        "coroutine.resume(coroutine.create(page.reload)) note('after')",
        "coroutine.wrap(function() pcall(page.reload) end)() note('after')",
        "local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() page.reload() end}) coroutine.yield() end)
         coroutine.resume(co) coroutine.close(co) note('after')",
        "setmetatable({}, {__index = function() pcall(page.reload) end}).x = pcall(page.reload) note('after')",
    ];
    for body in lua {
        let (desk, end) = run_body(Language::Lua, body);
        assert_eq!(desk.seen, ["reload"], "{body}");
        assert_eq!(end.unwrap_err().fault.kind, FaultKind::Harness, "{body}");
    }
}

#[test]
fn a_panic_in_a_word_is_ours_and_loses_nothing() {
    for language in BOTH {
        let (desk, end) = run_body(language, "page.click(\"before\"); page.panic()");
        let fault = end.unwrap_err().fault;
        assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Harness, "page.panic panicked: as asked"));
        assert_eq!(desk.seen, ["click before null"]);
    }
}

#[test]
fn skip_and_fail_have_their_kinds() {
    for language in BOTH {
        let (_, end) = run_body(language, "skip(\"no search here\")");
        assert_eq!(end.unwrap_err().fault.kind, FaultKind::Skip);
        let (_, end) = run_body(language, "fail(\"wrong\")");
        assert_eq!(end.unwrap_err().fault.kind, FaultKind::Artifact);
    }
}

#[test]
fn maps_are_walked_in_order() {
    let rhai = "scenario(\"t\", || { let m = #{ c: 1, a: 2, b: 3 }; for k in m.keys() { note(k, m[k]); } });";
    let lua = "scenario(\"t\", function() for k, v in pairs({ c = 1, a = 2, b = 3 }) do note(k, v) end end)";
    let (seen, end) = both(rhai, lua);
    assert_eq!((seen, end), (vec!["note a 2".into(), "note b 3".into(), "note c 1".into()], Ok(())));
}

#[test]
fn constants_cannot_be_changed() {
    let rhai = [
        "facts.articles[0].id = \"z\";",
        "facts.articles.push(1);",
        "facts.articles = [];",
        "facts = 1;",
        "page = 1;",
        "facts.articles.clear();",
    ];
    let lua = [
        "facts.articles[1].id = 'z'",
        "facts.articles[3] = 1",
        "table.insert(facts.articles, 1)",
        "table.sort(facts.articles[1].tags, function(a, b) return a > b end)",
        "facts.articles = {}",
        "facts = 1",
        "page = 1",
        "page.click = 1",
        "page.other = 1",
    ];
    let cases = rhai.map(|body| (Language::Rhai, body)).into_iter().chain(lua.map(|body| (Language::Lua, body)));
    for (language, body) in cases {
        let (_, end) = run_body(language, body);
        let message = end.expect_err(body).fault.message;
        assert!(message.contains("read-only") || message.contains("would change a constant"), "{body}: {message}");
    }
    // Copies are the script's own, and what is changed in them is changed nowhere else.
    let (desk, end) = run_body(
        Language::Rhai,
        "let mine = facts; mine.articles.push(1); mine.articles[0].id = \"z\"; print(facts.articles.len); print(facts.articles[0].id);",
    );
    assert_eq!((desk.seen, end), (vec!["print 2".into(), "print a1".into()], Ok(())));
    let (desk, end) = run_body(
        Language::Lua,
        "print(#facts.articles) print(next(facts)) print(select('#', table.unpack(facts.articles)))",
    );
    assert_eq!(end, Ok(()));
    assert_eq!(desk.seen.len(), 3);
}

#[test]
fn a_scenario_sees_no_other() {
    let rhai = "let n = 0; setup(|| { n += 1; }); scenario(\"a\", || { n += 1; print(n); }); scenario(\"t\", || { n += 1; print(n); });";
    let lua = "local n = 0 setup(function() n = n + 1 end) scenario('a', function() n = n + 1 print(n) end) scenario('t', function() n = n + 1 print(n) end)";
    assert_eq!(both(rhai, lua), (vec!["print 2".to_owned()], Ok(())));
}
