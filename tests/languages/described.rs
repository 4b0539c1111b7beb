//! What is generated from the words: help, the reference, definitions for editors.

use loupe::script::{Language, lua_definitions, reference};

use crate::mock::vocabulary;

#[test]
fn help_says_everything_about_a_word() {
    let vocabulary = vocabulary();
    let word = vocabulary.find("page.click").unwrap();
    let help = "page.click(locator: string, [options: map])

Does what its name says.

  locator  string
  options  map, optional
             timeout: number, optional
             soft: bool, optional
             message: string, optional

  page.click(\"role=button\", { timeout = 2.5 })
";
    assert_eq!(word.help(Language::Lua), help);
    assert!(vocabulary.find("page.nothing").is_none());
    assert!(vocabulary.find("click").is_none());
    assert_eq!(
        vocabulary.find("scenario").unwrap().call_in(Language::Rhai),
        "scenario(title, [#{ timeout, viewport }], || { … })"
    );
}

#[test]
fn names_are_completed() {
    let vocabulary = vocabulary();
    assert_eq!(vocabulary.completions("page.c"), ["page.click", "page.count"]);
    assert_eq!(vocabulary.completions("s"), ["scenario", "setup", "step", "skip"]);
    assert_eq!(vocabulary.completions("f"), ["fail", "facts"]);
    assert!(vocabulary.completions("nothing.").is_empty());
}

#[test]
fn the_reference_shows_both_languages() {
    let text = reference(&vocabulary());
    for part in [
        "- **[page](#page)**: [click](#pageclick) · [text](#pagetext)",
        "### page.click\n\n```text\npage.click(locator, [#{ timeout, soft, message }])\npage.click(locator, [{ timeout, soft, message }])\n```",
        "```rhai\npage.click(\"role=button\", #{ timeout: 2.5 });\n```",
        "```lua\npage.click(\"role=button\", { timeout = 2.5 })\n```",
        "```rhai\nscenario(\"title\", #{ timeout: 5 }, || { … });\n```",
        "Constants, which can be read everywhere: `facts`, `viewport`.",
        "  - `timeout` (number, optional)",
        "Returns: list of string",
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
}

#[test]
fn the_definitions_are_lua_and_name_every_word() {
    let vocabulary = vocabulary();
    let text = lua_definitions(&vocabulary);
    for part in [
        "---@class loupe.page.click.options\n---@field timeout? number\n",
        "---@param locator string\n---@param options? loupe.page.click.options\nfunction page.click(locator, options) end",
        "---@overload fun(title: string, fn: fun(): any): nil\nfunction scenario(title, options, fn) end",
        "---@return string[]\nfunction page.items(locator) end",
        "---@type table<string, any>\nfacts = {}",
    ] {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    let lua = mlua::Lua::new();
    lua.load(&text).exec().unwrap();
    for word in vocabulary.words() {
        let defined: mlua::Value = lua.load(format!("return {}", word.full_name())).eval().unwrap();
        assert!(defined.is_function(), "{}", word.full_name());
    }
}
