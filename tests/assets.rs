//! What pages really load, against what their authors declare: recorded, told, and never a verdict.

#![expect(clippy::unwrap_used, reason = "a study that cannot be built is the end of its tests")]

mod common;

use std::collections::BTreeMap;

use common::Sandbox;
use common::small::study;
use loupe::record::{Loaded, LoadedKind, Reader};
use serde_json::{Value, json};

const PAGE: &str = r#"<!doctype html><html lang=en><title>t</title><meta name=viewport content="width=device-width">
<link rel=stylesheet href=style.css>
<button data-testid=go onclick="out.textContent = 'done'; late.src = 'pictures/late%20one.svg?v=2'">Go</button><p id=out></p>
<img src="pictures/declared.svg" alt=""><img id=late alt=""><img src="http://cdn.example.invalid/far.png" alt="">
<script>fetch('facts.json').then((r) => r.json());</script>"#;

const PICTURE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#;

fn with_assets() -> Sandbox {
    let sandbox = study();
    let file = |name: &str, text: &str| drop(sandbox.write(&format!("study/artifacts/one/b/1/{name}"), text));
    file("index.html", PAGE);
    file("style.css", "@font-face { font-family: f; src: url(f.woff2); } p, button { font-family: f; }");
    file("f.woff2", "not a font at all");
    file("facts.json", "{}");
    file("pictures/declared.svg", PICTURE);
    file("pictures/late one.svg", PICTURE);
    file("pictures/never.svg", PICTURE);
    let asset = |name: &str| format!("[[assets]]\nfile = \"{name}\"\nsource = \"the pool\"\nlicence = \"CC0-1.0\"\n");
    file("provenance.toml", &["pictures/declared.svg", "./pictures/never.svg"].map(asset).concat());
    sandbox
}

fn report(sandbox: &Sandbox) -> Value {
    let run = sandbox.runs().pop().unwrap();
    let told = sandbox.loupe(&["report", run.to_str().unwrap(), "--reporter", "json"]);
    serde_json::from_str(&told.stdout).unwrap()
}

#[test]
fn what_was_loaded_is_compared_with_what_is_declared() {
    let sandbox = with_assets();
    let told = sandbox.loupe(&["run", "study", "--arm", "one", "--brief", "b", "--viewport", "wide"]);
    assert_eq!(told.code, 0, "assets are no verdict: {}{}", told.stdout, told.stderr);
    let report = report(&sandbox);
    let [assets] = report["assets"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!(assets["artifact"], "b / one / 1");
    let kinds: BTreeMap<&str, &str> =
        assets["loaded"].as_object().unwrap().iter().map(|(f, v)| (f.as_str(), v["kind"].as_str().unwrap())).collect();
    let expected = [
        ("index.html", "document"),
        ("style.css", "stylesheet"),
        ("f.woff2", "font"),
        ("facts.json", "data"),
        ("pictures/declared.svg", "picture"),
        ("pictures/late one.svg", "picture"),
    ];
    assert_eq!(kinds, BTreeMap::from(expected));
    assert_eq!(assets["unrecorded"], json!(["f.woff2", "pictures/late one.svg"]), "of one scenario only, too");
    assert_eq!(assets["unused"], json!(["pictures/never.svg"]));
    assert_eq!(assets["remote"]["http://cdn.example.invalid/far.png"]["blocked"], true);
    let declared = &assets["loaded"]["pictures/declared.svg"];
    assert_eq!((&declared["source"], &declared["bytes"]), (&json!("the pool"), &json!(PICTURE.len())));
    assert_eq!(declared["digest"], loupe::study::sha256(PICTURE.as_bytes()));
}

#[test]
fn each_case_tells_what_its_own_pages_loaded() {
    let sandbox = with_assets();
    sandbox.loupe(&["run", "study", "--arm", "one", "--brief", "b", "--viewport", "wide"]);
    let run = Reader::open(&sandbox.runs().pop().unwrap()).unwrap();
    let late = |loaded: &[Loaded]| {
        loaded.iter().any(|one| {
            matches!(one, Loaded::Artifact { file, kind: LoadedKind::Picture, .. } if file == "pictures/late one.svg")
        })
    };
    let by_title: BTreeMap<String, bool> =
        run.cases().unwrap().map(|r| r.unwrap()).map(|r| (r.case.title().to_owned(), late(&r.loaded))).collect();
    let expected = [("capture", false), ("the button says what it did", true), ("the page has a title", false)];
    assert_eq!(by_title, expected.map(|(title, late)| (title.to_owned(), late)).into());
}

#[test]
fn an_artifact_that_declares_nothing_says_so() {
    let sandbox = with_assets();
    std::fs::remove_file(sandbox.path().join("study/artifacts/one/b/1/provenance.toml")).unwrap();
    sandbox.loupe(&["run", "study", "--arm", "one", "--brief", "b", "--viewport", "wide", "-k", "title"]);
    let report = report(&sandbox);
    assert_eq!(report["assets"][0]["declared"], false);
    assert_eq!(report["assets"][0]["unused"], json!([]));
    let run = sandbox.runs().pop().unwrap();
    let told = sandbox.loupe(&["report", run.to_str().unwrap(), "--reporter", "html=told.html"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    let page = std::fs::read_to_string(sandbox.path().join("told.html")).unwrap();
    assert!(page.contains("2 unrecorded, 0 unused, 1 remote; nothing is declared"), "{page}");
}
