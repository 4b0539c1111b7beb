//! `import` and `require` stay inside the library, and tell errors in the file in which they happen.

use loupe::script::{Interrupt, Language, Limits, ScriptError};

use crate::mock::{Desk, program, scenario};

fn run(language: Language, text: &str, modules: &[(&str, &str)]) -> (Desk, Result<(), ScriptError>) {
    program(language, text, modules, Limits::default()).run("t", Desk::default(), &Interrupt::new())
}

#[test]
fn modules_are_shared_words_of_a_study() {
    let rhai = "import \"lib/search\" as search;\n".to_owned()
        + "fn twice(text) { search::find(text); search::find(text) }\n"
        + scenario(Language::Rhai, "print(search::find(\"x\"));\ntwice(\"y\");\nprint(search::WIDTH);").as_str();
    let rhai_module = "export const WIDTH = viewport.width;\nfn find(text) {\n  page.click(text);\n  step(\"inside\", || page.text(text))\n}";
    let lua = "local search = require(\"lib/search\")\nassert(search == require(\"lib/search\"))\n".to_owned()
        + "local function twice(text) search.find(text) return search.find(text) end\n"
        + scenario(Language::Lua, "print(search.find(\"x\"))\ntwice(\"y\")\nprint(search.WIDTH)").as_str();
    let lua_module = "local M = { WIDTH = viewport.width }\nfunction M.find(text)\n  page.click(text)\n  return step(\"inside\", function() return page.text(text) end)\nend\nreturn M";
    let (rhai, rhai_end) = run(Language::Rhai, &rhai, &[("lib/search.rhai", rhai_module)]);
    let (lua, lua_end) = run(Language::Lua, &lua, &[("lib/search.lua", lua_module)]);
    assert_eq!((rhai_end, lua_end), (Ok(()), Ok(())));
    assert_eq!(rhai.seen, lua.seen);
    assert_eq!(rhai.seen[..4], ["click x null", "step inside", "step ok", "print text of x"]);
    assert_eq!(rhai.places[0], "scripts/lib/search.rhai:3");
    assert_eq!(lua.places[0], "scripts/lib/search.lua:3");
}

#[test]
fn nothing_outside_the_library_is_found() {
    for name in ["../secret", "/etc/passwd", "nothing", "lib/../../x", ""] {
        let rhai = format!("import \"{name}\" as m;\n{}", scenario(Language::Rhai, ""));
        let lua = format!("require(\"{name}\")\n{}", scenario(Language::Lua, ""));
        let (_, rhai) = run(Language::Rhai, &rhai, &[]);
        let (_, lua) = run(Language::Lua, &lua, &[]);
        let (rhai, lua) = (rhai.unwrap_err(), lua.unwrap_err());
        let start = format!("cannot load the module \"{name}\": there is no script");
        assert!(rhai.fault.message.starts_with(&start), "{}", rhai.fault.message);
        assert!(lua.fault.message.starts_with(&start), "{}", lua.fault.message);
        assert_eq!(rhai.diagnostic.place.unwrap().line, 1);
        assert_eq!(lua.diagnostic.place.unwrap().line, 1);
    }
}

#[test]
fn a_module_that_loads_itself_is_an_error() {
    let rhai = [("a.rhai", "import \"b\" as b;"), ("b.rhai", "import \"a\" as a;")];
    let (_, end) = run(Language::Rhai, &format!("import \"a\" as a;\n{}", scenario(Language::Rhai, "")), &rhai);
    let message = end.unwrap_err().fault.message;
    assert_eq!(message, "modules load each other: scripts/a.rhai → scripts/b.rhai → scripts/a.rhai");
    let lua = [("a.lua", "require(\"b\")"), ("b.lua", "require(\"a\")")];
    let (_, end) = run(Language::Lua, &format!("require(\"a\")\n{}", scenario(Language::Lua, "")), &lua);
    let message = end.unwrap_err().fault.message;
    assert_eq!(message, "modules load each other: scripts/a.lua → scripts/b.lua → scripts/a.lua");
}

#[test]
fn endings_are_not_part_of_a_name() {
    let (_, end) = run(Language::Lua, "require(\"lib.lua\")", &[("lib.lua", "")]);
    let error = end.unwrap_err();
    assert!(error.fault.message.contains("is a file name, not the name of a module"), "{error}");
}

#[test]
fn errors_in_modules_name_the_module() {
    let rhai = format!("import \"lib\" as lib;\n{}", scenario(Language::Rhai, "lib::check();"));
    let (_, end) = run(Language::Rhai, &rhai, &[("lib.rhai", "fn check() {\n\n  expect.visible(\"missing\")\n}")]);
    let diagnostic = end.unwrap_err().diagnostic;
    assert_eq!(diagnostic.place.unwrap().to_string(), "scripts/lib.rhai:3:10");
    let trace: Vec<_> =
        diagnostic.trace.iter().map(|(name, place)| format!("{name} {}", place.as_ref().unwrap())).collect();
    assert_eq!(trace, ["check flow.rhai:3:6"]);

    let lua = format!("local lib = require(\"lib\")\n{}", scenario(Language::Lua, "lib.check()"));
    let (_, end) = run(
        Language::Lua,
        &lua,
        &[("lib.lua", "local M = {}\nfunction M.check()\n  expect.visible(\"missing\")\nend\nreturn M")],
    );
    let diagnostic = end.unwrap_err().diagnostic;
    assert_eq!(diagnostic.place.unwrap().to_string(), "scripts/lib.lua:3");
    let trace: Vec<_> =
        diagnostic.trace.iter().map(|(name, place)| format!("{name} {}", place.as_ref().unwrap())).collect();
    assert_eq!(trace, ["check flow.lua:3"]);
}

#[test]
fn mistakes_while_loading_name_the_module_and_who_loads_it() {
    for (broken, line) in [("\n\nlet x = ;", 3), ("\nlet x = nowhere;", 2), ("fn f() { 1 }\n\nf(1);", 3)] {
        let text = format!("\nimport \"lib\" as lib;\n{}", scenario(Language::Rhai, ""));
        let (_, end) = run(Language::Rhai, &text, &[("lib.rhai", broken)]);
        let diagnostic = end.unwrap_err().diagnostic;
        let place = diagnostic.place.clone().unwrap_or_else(|| panic!("{diagnostic:?}"));
        assert_eq!((place.file.as_str(), place.line), ("scripts/lib.rhai", line));
        assert_eq!(diagnostic.trace[0].1.as_ref().unwrap().line, 2);
    }
    for (broken, line) in
        [("\n\nlocal x = ", 3), ("\nlocal x = nowhere", 2), ("local function f() error('x') end\n\nf()", 1)]
    {
        let text = format!("\nrequire(\"lib\")\n{}", scenario(Language::Lua, ""));
        let (_, end) = run(Language::Lua, &text, &[("lib.lua", broken)]);
        let diagnostic = end.unwrap_err().diagnostic;
        let place = diagnostic.place.unwrap();
        assert_eq!((place.file.as_str(), place.line), ("scripts/lib.lua", line), "{broken}");
        assert_eq!(diagnostic.trace.last().unwrap().1.as_ref().unwrap().line, 2, "{broken}");
    }
}

#[cfg(unix)]
#[test]
fn the_library_of_a_study_cannot_be_left_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let scripts = folder.path().join("scripts");
    std::fs::create_dir(&scripts).unwrap();
    for (extension, text) in [("rhai", "fn one() { 1 }"), ("lua", "return { one = function() return 1 end }")] {
        std::fs::write(folder.path().join(format!("secret.{extension}")), text).unwrap();
        std::fs::write(scripts.join(format!("inside.{extension}")), text).unwrap();
        let link = scripts.join(format!("link.{extension}"));
        std::os::unix::fs::symlink(folder.path().join(format!("secret.{extension}")), link).unwrap();
    }
    let load = |language: Language, name: &str| {
        let (import, call) = match language {
            Language::Rhai => (format!("import \"{name}\" as m;\n"), "print(m::one())"),
            Language::Lua => (format!("local m = require(\"{name}\")\n"), "print(m.one())"),
        };
        let mut program = program(language, &format!("{import}{}", scenario(language, call)), &[], Limits::default());
        program.library = std::sync::Arc::new(loupe::study::Library::of_study(folder.path()));
        program.run("t", Desk::default(), &Interrupt::new())
    };
    let absolute = folder.path().join("secret").display().to_string();
    for language in crate::mock::BOTH {
        let (desk, end) = load(language, "inside");
        assert_eq!((desk.seen, end), (vec!["print 1".to_owned()], Ok(())));
        for name in ["../secret", "link", "inside/../../secret", absolute.as_str()] {
            let (desk, end) = load(language, name);
            assert!(end.unwrap_err().fault.message.starts_with("cannot load the module"), "{language}: {name}");
            assert!(desk.seen.is_empty());
        }
    }
}
