//! `loupe new` and `loupe capture` as whole commands: what is written runs, what is captured is a run to tell about, and
//! nothing is ever overwritten.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::Path;

use common::Sandbox;
use loupe::capture::store;
use loupe::record::{Outcome, Reader};

/// Every file below `folder`, by its path in it.
fn files(folder: &Path) -> BTreeSet<String> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file());
    entries.map(|e| e.path().strip_prefix(folder).unwrap().display().to_string()).collect()
}

#[test]
fn a_new_study_runs_as_it_is_in_both_languages() {
    let sandbox = Sandbox::new();
    for (language, other) in [("rhai", "lua"), ("lua", "rhai")] {
        let told = sandbox.loupe(&["new", language, "--lang", language]);
        assert_eq!(told.code, 0, "{told:?}");
        let folder = sandbox.path().join(language);
        let written: BTreeSet<String> =
            told.stdout.lines().map(|l| l.strip_prefix(&format!("{language}/")).unwrap().to_owned()).collect();
        assert_eq!(written, files(&folder), "the files are listed");
        assert!(written.contains(&format!("scripts/shelf.{language}")), "{written:?}");
        assert!(!written.iter().any(|name| name.ends_with(&format!(".{other}"))), "{written:?}");

        let told = sandbox.loupe(&["run", language]);
        assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
        let run = Reader::open(&loupe::run::newest(&folder.join("runs")).unwrap()).unwrap();
        let [total] = run.totals().try_into().expect("one condition");
        assert_eq!((total.scenarios.of(Outcome::Passed), total.scenarios.total()), (8, 8), "{}", told.stdout);
        assert_eq!(total.captures.of(Outcome::Passed), 2);
    }
}

#[test]
fn the_flow_of_a_new_study_notices_an_artifact_that_does_not_search() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.loupe(&["new", "mine"]).code, 0);
    let page = sandbox.path().join("mine/artifacts/example/shelf/1/index.html");
    let deaf = fs::read_to_string(&page).unwrap().replace("addEventListener('input'", "addEventListener('inputt'");
    fs::write(&page, deaf).unwrap();
    let told = sandbox.loupe(&["run", "mine", "--viewport", "desktop"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(told.stdout.contains("a search keeps what its title contains"), "{}", told.stdout);
}

#[test]
fn new_writes_into_no_folder_that_holds_anything() {
    let sandbox = Sandbox::new();
    let kept = sandbox.write("mine/notes.txt", "kept");
    for folder in ["mine", "mine/notes.txt"] {
        let told = sandbox.loupe(&["new", folder]);
        assert_eq!((told.code, told.stdout.as_str()), (2, ""), "{told:?}");
        assert!(told.stderr.starts_with(&format!("error: no study is written into `{folder}`")), "{}", told.stderr);
    }
    assert_eq!(fs::read_to_string(kept).unwrap(), "kept");
    assert_eq!(files(&sandbox.path().join("mine")).len(), 1);
    fs::create_dir(sandbox.path().join("empty")).unwrap();
    assert_eq!(sandbox.loupe(&["-C", "empty", "new", "."]).code, 0, "an empty folder will do");
    assert_eq!(sandbox.loupe(&["new", "empty"]).code, 2, "and holds a study now");
}

const PAGE: &str = "<!doctype html><html lang=en><title>Quay</title><h1>The quay</h1>";

#[test]
fn a_capture_is_a_run_with_data_and_pictures_of_every_viewport() {
    let sandbox = Sandbox::new();
    sandbox.write("page.html", PAGE);
    let told = sandbox.loupe(&["capture", "page.html", "-o", "new/out"]);
    assert_eq!(told.code, 0, "{told:?}");
    let folder = sandbox.path().join("new/out");
    let records: Vec<_> = Reader::open(&folder).unwrap().cases().unwrap().map(Result::unwrap).collect();
    let viewports: Vec<_> = records.iter().map(|r| r.case.viewport.as_str()).collect();
    assert_eq!(viewports, ["desktop", "mobile"]);
    for (record, width) in records.iter().zip([1440, 780]) {
        let capture = store::read(&folder.join(&record.captures[0].path)).unwrap();
        assert!(capture.elements.iter().any(|element| element.tag == "h1"));
        let window = record.pictures.iter().find(|p| p.name == "initial window").unwrap();
        assert_eq!(image::image_dimensions(folder.join(&window.path)).unwrap().0, width);
        for stored in record.captures.iter().chain(&record.pictures) {
            assert!(told.stdout.contains(&format!("new/out/{}\n", stored.path)), "{}", told.stdout);
        }
    }
    assert_eq!(sandbox.loupe(&["report", "new/out"]).code, 0);

    let again = sandbox.loupe(&["capture", "page.html", "-o", "new/out"]);
    assert_eq!(again.code, 2, "{again:?}");
    assert!(again.stderr.contains("new/out") && again.stderr.contains("exists"), "{}", again.stderr);
}

#[test]
fn a_folder_is_captured_at_the_viewport_that_was_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("site/index.html", PAGE);
    let told = sandbox.loupe(&["capture", "site", "-o", "out", "--viewport", "mobile"]);
    assert_eq!(told.code, 0, "{told:?}");
    assert!(!told.stdout.is_empty() && told.stdout.lines().all(|line| line.starts_with("mobile ")), "{}", told.stdout);
}

#[test]
fn a_wrong_capture_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    sandbox.write("page.html", PAGE);
    for (arguments, seen) in [
        (["nowhere", "-o", "out", "--viewport=mobile"], "nowhere"),
        (["page.html", "-o", "out", "--viewport=mobil"], "did you mean `mobile`?"),
        (["page.html", "-o", "..", "--viewport=mobile"], "a folder of their own"),
    ] {
        let told = sandbox.loupe(&[&["capture"], &arguments[..]].concat());
        assert_eq!((told.code, told.stdout.as_str()), (2, ""), "{told:?}");
        assert!(told.stderr.contains(seen), "{}", told.stderr);
    }
    assert_eq!(files(sandbox.path()), BTreeSet::from(["page.html".to_owned()]));
}

#[test]
fn a_site_that_does_not_answer_is_no_success() {
    let sandbox = Sandbox::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let target = format!("http://127.0.0.1:{port}/");
    let told = sandbox.loupe(&["capture", &target, "-o", "out", "--viewport", "desktop"]);
    assert!([1, 3].contains(&told.code), "{told:?}");
    assert!(told.stderr.contains("no capture: ") && told.stderr.contains("ERR_CONNECTION_REFUSED"), "{}", told.stderr);
}

#[test]
fn a_picture_that_does_not_show_all_of_a_page_says_so() {
    let sandbox = Sandbox::new();
    for (height, cut) in [(30_000, false), (50_000, true)] {
        sandbox.write("page.html", &format!("{PAGE}<div style='height: {height}px'></div>"));
        let output = format!("captured-{height}");
        let told = sandbox.loupe(&["capture", "page.html", "--viewport", "desktop", "-o", &output]);
        assert_eq!(told.code, 0, "{told:?}");
        assert_eq!(told.stderr.contains("the full picture at desktop is cut"), cut, "{height}: {}", told.stderr);
        assert_eq!(told.stderr.contains("the first 40000 px"), cut, "{height}: {}", told.stderr);
    }
}
