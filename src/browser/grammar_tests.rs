//! The locator language, read and refused.

use super::*;
use crate::browser::locator::HookSpec;

fn hooks() -> Hooks {
    let search = HookSpec {
        testid: "q".into(),
        fallback: vec!["role=searchbox >> nth=0".into()],
        names: vec![("a1".into(), "One".into())],
        ..HookSpec::default()
    };
    let article = HookSpec { testid: "article".into(), ..HookSpec::default() };
    Hooks::from([("search".into(), search), ("article".into(), article)])
}

fn steps(text: &str) -> serde_json::Value {
    serde_json::to_value(parse(text, &hooks()).unwrap_or_else(|e| panic!("{text}: {e:?}")).steps).unwrap()
}

fn error(text: &str) -> LocatorError {
    parse(text, &hooks()).expect_err(text)
}

#[test]
fn css_is_the_default_and_keeps_its_equals_signs() {
    for text in ["ul > li", "a[href='/x']", "input[type=text]:not([value=\"a >> b\"])", ".a", "div:has(> p)"] {
        assert_eq!(steps(text), serde_json::json!([{"by": "css", "value": text}]), "{text}");
    }
    assert_eq!(steps("css=a=b")[0]["value"], "a=b");
}

#[test]
fn chains_split_outside_quotes_and_brackets_only() {
    assert_eq!(
        steps(r#"hook=article >> text="a >> b" >> nth=-1"#),
        serde_json::json!([
            {"by": "hook", "name": "article", "testid": "article", "fallback": [], "identity": null, "names": []},
            {"by": "text", "text": "a >> b", "exact": true},
            {"by": "nth", "index": -1},
        ])
    );
    assert_eq!(steps("text=Don't (ever >> visible")[0]["text"], "Don't (ever");
    assert_eq!(steps("text=5\" screen >> visible")[0]["text"], "5\" screen");
}

#[test]
fn a_role_has_a_name_and_states() {
    assert_eq!(
        steps(r#"role=Button[name="Save [now] \"x\""][expanded=false][level=2][checked]"#),
        serde_json::json!([{"by": "role", "role": "button", "name": {"text": "Save [now] \"x\"", "exact": true},
            "attrs": {"expanded": false, "level": 2, "checked": true}}])
    );
    assert_eq!(steps("role=button[name=Save me]")[0]["name"], serde_json::json!({"text": "Save me", "exact": false}));
    assert_eq!(steps("role=link[name='It']")[0]["name"]["exact"], true);
}

#[test]
fn a_fallback_travels_with_its_hook() {
    let search = &steps("hook=search")[0];
    assert_eq!(search["testid"], "q");
    assert_eq!(search["fallback"][0]["steps"][1], serde_json::json!({"by": "nth", "index": 0}));
    assert_eq!(search["names"], serde_json::json!([["a1", "One"]]));
    assert_eq!(parse("hook=article >> text=x", &hooks()).unwrap().hook(), Some("article"));
}

#[test]
fn frames_come_first() {
    let locator = parse("#outer >> frame=iframe.a >> frame=iframe >> role=button", &hooks()).unwrap();
    assert_eq!(locator.frames.len(), 2);
    assert_eq!(locator.frames[0].steps.len(), 2);
    assert_eq!(locator.frames[0].text, "#outer >> frame=iframe.a");
    assert_eq!(locator.steps.len(), 1);
}

#[test]
fn errors_name_the_place_and_the_word_that_was_meant() {
    for (text, offset, said, hint) in [
        ("hook=serach", 5, "no hook \"serach\"", "\"search\""),
        ("rol=button", 0, "`rol=`", "`role=`"),
        ("role=buton", 5, "no ARIA role", "\"button\""),
        ("role=button[nam=x]", 12, "no state \"nam\"", "[name]"),
        ("css=a >> ", 9, "empty", ""),
        ("", 0, "empty", ""),
        ("text=\"abc", 5, "not closed", ""),
        ("role=button[name=\"a\"", 11, "bracket [", ""),
        ("nth=0", 0, "filters", "before"),
        ("a >> nth=x", 9, "whole number", ""),
        ("frame=iframe", 12, "behind it", "frame=iframe >>"),
        ("role=heading[level]", 13, "needs a number", ""),
        ("text=", 5, "needs a value", ""),
    ] {
        let error = error(text);
        assert_eq!(error.offset, offset, "{text}: {error:?}");
        assert!(error.message.contains(said), "{text}: {error:?}");
        assert!(error.hint.unwrap_or_default().contains(hint), "{text}");
    }
}

#[test]
fn a_broken_fallback_is_told_at_the_hook() {
    let broken = HookSpec { testid: "x".into(), fallback: vec!["role=nope".into()], ..HookSpec::default() };
    let error = parse("hook=x", &Hooks::from([("x".into(), broken)])).unwrap_err();
    assert!(error.message.contains("fallback of hook \"x\"") && error.message.contains("no ARIA role"), "{error}");
}

#[test]
fn odd_input_never_panics() {
    for text in [
        "\\",
        "\"",
        "'",
        "[",
        "]",
        ">>",
        "=",
        "é=",
        "role=[",
        "role=button[",
        "role=button[=]",
        "hook=",
        "nth=",
        "☃ >> '☃",
        "text='",
        "role=é[name='",
    ] {
        let _ = parse(text, &hooks());
    }
}
