//! The run command from end to end: what is selected, how it ends, and what Ctrl-C leaves.
//!
//! What wrong input does is deliberately tested elsewhere (`mistakes.rs`), and so is what dies on its own (`robust.rs`).

#![expect(clippy::unwrap_used, reason = "a study that cannot be built is the end of its tests")]

mod common;

use std::collections::BTreeMap;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use common::Sandbox;
use common::processes::{browser_of, is_alive, signal, wait_for};
use common::small::{page, study};
use loupe::record::{Outcome, Reader};

/// The cases that `--list` tells, without their keys.
fn listed(sandbox: &Sandbox, more: &[&str]) -> Vec<String> {
    let told = sandbox.loupe(&[&["run", "study", "--list", "--browser", "/nonexistent"], more].concat());
    told.ended(0, &[]);
    told.stdout.lines().map(|line| line.split_once("  ").unwrap().1.to_owned()).collect()
}

#[test]
fn options_select_and_list_needs_no_browser() {
    let sandbox = study();
    let all = listed(&sandbox, &[]);
    // Two artifacts of b with two scenarios and a capture, one of c with a capture, each at two viewports.
    assert_eq!(all.len(), 2 * (2 * 3 + 1), "{all:?}");
    let only = |fits: &dyn Fn(&str) -> bool| all.iter().filter(|case| fits(case)).cloned().collect::<Vec<_>>();
    assert_eq!(listed(&sandbox, &["-k", "BUTTON"]), only(&|case| case.contains("button")));
    assert_eq!(listed(&sandbox, &["--arm", "two"]), only(&|case| case.contains(" / two / ")));
    assert_eq!(listed(&sandbox, &["--brief", "c"]), only(&|case| case.starts_with("c / ")));
    assert_eq!(listed(&sandbox, &["--viewport", "tall"]), only(&|case| case.contains(" / tall: ")));
    assert_eq!(listed(&sandbox, &["--arm", "one,two", "--viewport", "wide", "--viewport", "tall"]), all);
    let both = listed(&sandbox, &["--arm", "one", "--viewport", "wide", "-k", "title"]);
    assert_eq!(both, ["b / one / 1 / wide: the page has a title"]);
    assert!(sandbox.runs().is_empty(), "a list runs nothing");
}

#[test]
fn nothing_selected_is_told_before_a_browser_starts() {
    let sandbox = study();
    let none = ["run", "study", "--browser", "/nonexistent"];
    let told = sandbox.loupe(&[&none[..], &["--brief", "c", "--arm", "two"]].concat());
    told.ended(4, &["nothing is selected", "--list"]);
    sandbox.loupe(&[&none[..], &["-k", "no such"]].concat()).ended(4, &["nothing is selected", "-k \"no such\""]);
    let told = sandbox.loupe(&[&none[..], &["--arm", "onne"]].concat());
    told.ended(2, &["an unknown arm, `onne`", "did you mean `one`?"]);
    assert!(sandbox.runs().is_empty());
}

#[test]
fn what_failed_is_run_again_until_it_holds() {
    let sandbox = study();
    let run = |more: &[&str]| sandbox.loupe(&[&["run", "study"], more].concat());
    let first = run(&["--viewport", "wide"]);
    first.ended(1, &["the record is study/runs/"]);
    assert!(first.stdout.starts_with("FAILED b / two / 1 / wide: the button says what it did\n"), "{}", first.stdout);
    assert!(first.stdout.contains("scripts/flow.rhai:5:12"), "{}", first.stdout);
    assert_eq!(listed(&sandbox, &["--last-failed"]), ["b / two / 1 / wide: the button says what it did"]);

    let before = contents(&sandbox.runs()[0]);

    sandbox.write("study/artifacts/two/b/1/index.html", &page(true));
    let second = run(&["--last-failed"]);
    second.ended(0, &[]);
    assert!(second.stdout.contains("The scenario passed · 1 passed · "), "{}", second.stdout);
    run(&["--last-failed"]).ended(4, &["nothing failed in"]);
    let runs = sandbox.runs();
    assert_eq!((runs.len(), sandbox.complete()), (2, 2));
    assert_eq!(contents(&runs[0]), before, "a run is never changed: judging again is a new one beside it");

    let [base, head] = [&runs[0], &runs[1]].map(|run| run.display().to_string());
    let compared = sandbox.loupe(&["compare", &base, &head]);
    compared.ended(0, &[]);
    assert!(compared.stdout.contains("artifact: the artifact is another one\n"), "{}", compared.stdout);
}

/// Every file of a folder, and what is in it.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.is_file()).map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_end() {
    let sandbox = study();
    for sample in 2..=40 {
        sandbox.write(&format!("study/artifacts/one/b/{sample}/index.html"), &page(true));
    }
    let arguments = ["run", "study", "--viewport", "wide", "-k", "button", "-j", "2"];
    let mut loupe = start(&sandbox, &arguments);
    wait_for(|| sandbox.runs().first().is_some_and(|run| lines(run) >= 3));
    let browser = browser_of(loupe.id()).unwrap();
    signal("INT", loupe.id());
    let (code, said) = end(&mut loupe);
    assert_eq!(code, Some(130), "{said}");
    let partial = sandbox.runs().remove(0);
    assert!(said.contains(&format!("--resume {}", relative(&sandbox, &partial))), "{said}");
    assert_eq!(sandbox.complete(), 0);
    assert!((3..41).contains(&lines(&partial)), "in the middle");
    wait_for(|| !is_alive(browser));

    // Said again with all its options, as people do who fetch the line from their history.
    let began = relative(&sandbox, &partial);
    let resumed = [&arguments[..], &["--resume", &began]].concat();
    sandbox.loupe(&resumed).ended(1, &[]);
    let undisturbed = [&arguments[..], &["-o", "elsewhere"]].concat();
    sandbox.loupe(&undisturbed).ended(1, &[]);
    let elsewhere = loupe::run::newest(&sandbox.path().join("elsewhere")).unwrap();
    assert_eq!(outcomes(&sandbox.runs()[0]), outcomes(&elsewhere));
}

/// A capture of a page whose server never answers cannot be interrupted; the process can.
#[test]
fn a_second_interrupt_ends_at_once() {
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", mute.local_addr().unwrap());
    let sandbox = study();
    sandbox.replace("study/loupe.toml", "action = 1", "action = 600");
    let remote = format!("[[artifact]]\narm = \"one\"\nbrief = \"c\"\nsample = \"9\"\nurl = \"{url}\"\n\n[timeouts]");
    sandbox.replace("study/loupe.toml", "[timeouts]", &remote);
    let mut loupe = start(&sandbox, &["run", "study", "--arm", "one", "--brief", "c", "--viewport", "wide"]);
    let (held, _) = mute.accept().unwrap();
    let browser = browser_of(loupe.id()).unwrap();
    // Two signals may be taken for one, so it is pressed until it works.
    wait_for(|| {
        signal("INT", loupe.id());
        !is_alive(loupe.id())
    });
    assert_eq!(end(&mut loupe).0, Some(130));
    wait_for(|| !is_alive(browser));
    assert_eq!((sandbox.runs().len(), sandbox.complete()), (1, 0), "what was begun can be resumed");
    drop(held);
}

#[test]
fn names_may_be_long_and_in_any_script() {
    let sandbox = study();
    let title = "ключ «до» 😀 ".repeat(40);
    sandbox.replace("study/scripts/flow.rhai", "the button says what it did", title.trim());
    let folder = sandbox.path().join("ünï 😀 a'b");
    std::fs::rename(sandbox.path().join("study"), &folder).unwrap();
    let told =
        sandbox.loupe(&["run", "ünï 😀 a'b", "--arm", "two", "--viewport", "wide", "--reporter", "html=out.html"]);
    told.ended(1, &["the record is ünï 😀 a'b/runs/"]);
    assert!(std::fs::read_to_string(sandbox.path().join("out.html")).unwrap().contains(title.trim()));
}

fn start(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    let mut command = sandbox.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for its end: the code, and what it said.
fn end(loupe: &mut Child) -> (Option<i32>, String) {
    let mut said = String::new();
    loupe.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (loupe.wait().unwrap().code(), said)
}

fn lines(run: &Path) -> usize {
    std::fs::read_to_string(run.join("cases.jsonl")).map_or(0, |text| text.lines().count())
}

fn relative(sandbox: &Sandbox, run: &Path) -> String {
    run.strip_prefix(sandbox.path()).unwrap().display().to_string()
}

fn outcomes(run: &Path) -> BTreeMap<String, Outcome> {
    let reader = Reader::open(run).unwrap();
    reader.cases().unwrap().map(Result::unwrap).map(|record| (record.case.to_string(), record.outcome)).collect()
}
