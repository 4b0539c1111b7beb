//! Two stored runs beside each other: what changed, and which of its causes are told. No browser.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod common;
mod stored;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Sandbox, Told};
use loupe::record::{CaseRecord, Inputs, Outcome};
use stored::{fixtures, inputs, write_run};

/// Verdicts of the scenarios that the model's flow declares, as (scenario, outcome).
const VERDICTS: [(&str, Outcome); 3] = [
    ("search keeps only the match", Outcome::Passed),
    ("Escape closes the article", Outcome::Failed),
    ("nothing sticks out", Outcome::Passed),
];

fn records(outcomes: [Outcome; 3]) -> Vec<CaseRecord> {
    let case = |(order, (title, _)): (u64, (&str, Outcome))| stored::case(order, "folio", "wide", Some(title));
    (0..).zip(VERDICTS).map(case).zip(outcomes).map(|(case, outcome)| CaseRecord::new(case, outcome)).collect()
}

fn with_artifact() -> Inputs {
    let mut inputs = inputs(3);
    inputs.digests.insert("artifacts/magazine/folio/1".into(), "a1".repeat(32));
    inputs.digests.insert("artifacts/magazine/gloss/1".into(), "b2".repeat(32));
    inputs
}

/// The run `base`, in which each scenario ended as [`VERDICTS`] says, and beside it `head`, after `change`.
fn runs(sandbox: &Sandbox, outcomes: [Outcome; 3], change: impl Fn(&mut Inputs)) -> [PathBuf; 2] {
    let base = write_run(sandbox.path(), "base", with_artifact(), &records(VERDICTS.map(|(_, outcome)| outcome)));
    let mut now = with_artifact();
    change(&mut now);
    [base, write_run(sandbox.path(), "head", now, &records(outcomes))]
}

fn compared(outcomes: [Outcome; 3], change: impl Fn(&mut Inputs)) -> (Told, serde_json::Value) {
    let sandbox = Sandbox::new();
    runs(&sandbox, outcomes, change);
    let told = sandbox.loupe(&["compare", "base", "head"]);
    let json = sandbox.loupe(&["compare", "base", "head", "--format", "json"]);
    assert_eq!(json.code, told.code, "both formats end alike: {json:?}");
    (told, serde_json::from_str(&json.stdout).unwrap())
}

/// The stored run, judged again with a later version of its flow, as the README shows it.
#[test]
fn the_stored_run_and_the_one_that_was_judged_again() {
    if stored::updating() {
        let _ = fs::remove_dir_all(fixtures().join("rejudged"));
        let mut again = stored::cases();
        let judged = again.iter_mut().find(|record| record.outcome == Outcome::Failed).unwrap();
        *judged = CaseRecord::new(judged.case.clone(), Outcome::Passed);
        let mut later = inputs(10);
        later.settings.started = "2026-12-01T09:30:00Z".into();
        later.digests.insert("scripts/magazine/flow.rhai".into(), "4c".repeat(32));
        later.evaluators.insert("scripts/magazine/flow.rhai".into(), Some(5));
        write_run(&fixtures(), "rejudged", later, &again);
    }
    let sandbox = Sandbox::new();
    let runs = fixtures().display().to_string();
    let told = sandbox.loupe(&["-C", &runs, "compare", "small", "rejudged"]);
    assert_eq!(told.code, 0, "{told:?}");
    assert!(told.stdout.contains("evaluator: scripts/magazine/flow.rhai, evaluator 4 -> 5\n"), "{}", told.stdout);
}

const ONE_FAILS_NOW: [Outcome; 3] = [Outcome::Failed, Outcome::Failed, Outcome::Passed];

#[test]
fn equal_runs_have_nothing_to_tell() {
    let (told, json) = compared(VERDICTS.map(|(_, outcome)| outcome), |inputs| {
        inputs.digests.insert("artifacts/magazine/folio/1".into(), "c3".repeat(32));
    });
    assert_eq!((told.code, told.stdout.as_str()), (0, "none of 3 verdicts changed\n"), "{told:?}");
    assert_eq!(json["changed"].as_array().unwrap().len(), 0);
}

#[test]
fn each_cause_is_told_and_no_other() {
    type Change = fn(&mut Inputs);
    let changes: [(Change, &str, &str); 11] = [
        (
            |i| drop(i.digests.insert("artifacts/magazine/folio/1".into(), "x".into())),
            "artifact",
            "the artifact is another one",
        ),
        (
            |i| drop(i.digests.insert("briefs/magazine/facts".into(), "x".into())),
            "brief",
            "briefs/magazine/facts changed, still version 3",
        ),
        (
            |i| {
                i.digests.insert("briefs/magazine/brief.md".into(), "x".into());
                i.briefs.get_mut("magazine").unwrap().version = "4".into();
            },
            "brief",
            "briefs/magazine/brief.md changed, version 3 -> 4",
        ),
        (
            |i| {
                i.digests.insert("scripts/magazine/flow.rhai".into(), "x".into());
                i.evaluators.insert("scripts/magazine/flow.rhai".into(), Some(5));
            },
            "evaluator",
            "scripts/magazine/flow.rhai, evaluator 4 -> 5",
        ),
        (
            |i| drop(i.digests.insert("shipped:cohort/list.rhai".into(), "x".into())),
            "evaluator",
            "shipped:cohort/list.rhai changed, evaluator still unknown",
        ),
        (
            |i| drop(i.briefs.get_mut("magazine").unwrap().flows[0].scripts.pop()),
            "evaluator",
            "shipped:cohort/list.rhai is used no more",
        ),
        (
            |i| {
                let scripts = &mut i.briefs.get_mut("magazine").unwrap().flows[0].scripts;
                scripts[1] = "scripts/cohort/list.rhai".into();
                i.digests.insert("scripts/cohort/list.rhai".into(), "x".into());
                i.evaluators.insert("scripts/cohort/list.rhai".into(), Some(2));
            },
            "evaluator",
            "shipped:cohort/list.rhai -> scripts/cohort/list.rhai, evaluator unknown -> 2",
        ),
        (|i| i.settings.protocol = "own".into(), "evaluator", "protocol: frontend-cohort -> own"),
        (
            |i| drop(i.settings.viewports.insert("wide".into(), "1280x800".into())),
            "evaluator",
            "viewport: 1440x1000 -> 1280x800",
        ),
        (|i| i.settings.tool = "loupe 0.2.0".into(), "engine", "loupe 0.1.0 -> loupe 0.2.0"),
        (
            |i| i.settings.browser.version = "157.0".into(),
            "engine",
            "chromium-headless-shell 156.0.8000.1 -> chromium-headless-shell 157.0",
        ),
    ];
    for (change, kind, what) in changes {
        let (told, json) = compared(ONE_FAILS_NOW, change);
        assert_eq!(told.code, 1, "{told:?}");
        assert!(told.stdout.contains(&format!("{kind}: {what}\n")), "{what}:\n{}", told.stdout);
        let changed = &json["changed"][0];
        assert_eq!(changed["causes"], serde_json::json!([{ "kind": kind, "what": what }]));
        assert_eq!(changed["unexplained"], serde_json::Value::Null);
    }
}

#[test]
fn what_the_case_does_not_depend_on_explains_nothing() {
    let (told, json) = compared(ONE_FAILS_NOW, |inputs| {
        inputs.digests.insert("artifacts/magazine/gloss/1".into(), "another artifact".into());
        inputs.digests.insert("scripts/other.rhai".into(), "another flow".into());
        inputs.digests.insert("briefs/inbox/facts".into(), "another brief".into());
        inputs.settings.viewports.insert("narrow".into(), "another viewport".into());
        inputs.settings.started = "later".into();
    });
    assert_eq!(told.code, 1);
    let line = told.stdout.lines().nth(1).unwrap();
    assert!(
        line.starts_with("worse  magazine / folio / 1 / wide: search keeps only the match  passed  failed"),
        "{line}"
    );
    assert!(line.ends_with("nothing changed that it depends on: the case is flaky"), "{line}");
    assert!(told.stdout.ends_with("\n1 of 3 verdicts changed: 1 worse\n"), "{}", told.stdout);
    assert_eq!(json["changed"][0]["causes"], serde_json::json!([]));
    assert_eq!(json["changed"][0]["direction"], "worse");
}

#[test]
fn what_an_address_serves_is_on_no_record() {
    let (told, _) = compared(ONE_FAILS_NOW, |inputs| {
        inputs.remote.insert("artifacts/magazine/folio/1".into());
    });
    assert!(
        told.stdout.contains("what the address served is not") && !told.stdout.contains("flaky"),
        "{}",
        told.stdout
    );
}

#[test]
fn the_exit_code_follows_the_worst_change() {
    use Outcome::{Contract, Error, Failed, Passed, Skipped};
    for (now, code, sums) in [
        ([Passed, Passed, Passed], 0, "1 better"),
        ([Skipped, Failed, Passed], 0, "1 other"),
        ([Contract, Failed, Passed], 1, "1 worse"),
        ([Failed, Passed, Error], 1, "1 worse, 1 better, 1 error"),
        ([Error, Failed, Passed], 3, "1 error"),
        ([Error, Passed, Passed], 3, "1 better, 1 error"),
    ] {
        let (told, _) = compared(now, |_| ());
        assert_eq!(told.code, code, "{now:?}: {told:?}");
        assert!(told.stdout.ends_with(&format!(" verdicts changed: {sums}\n")), "{now:?}: {}", told.stdout);
    }
}

#[test]
fn verdicts_of_one_run_only_are_listed_apart() {
    let sandbox = Sandbox::new();
    let all = records(VERDICTS.map(|(_, outcome)| outcome));
    let two = |range: std::ops::Range<usize>| {
        let mut inputs = with_artifact();
        inputs.planned = 2;
        (inputs, all[range].to_vec())
    };
    for (name, (inputs, records)) in [("base", two(0..2)), ("head", two(1..3))] {
        write_run(sandbox.path(), name, inputs, &records);
    }
    let told = sandbox.loupe(&["compare", "base", "head"]);
    assert_eq!(told.code, 0);
    let lines: Vec<_> = told.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "added",
        "magazine / folio / 1 / wide: nothing sticks out passed",
        "",
        "gone",
        "magazine / folio / 1 / wide: search keeps only the match passed",
        "",
        "none of 1 verdicts changed · 1 added · 1 gone",
    ];
    assert_eq!(lines, expected, "{}", told.stdout);
}

#[test]
fn what_cannot_be_compared_is_a_mistake_with_what_to_do() {
    let sandbox = Sandbox::new();
    let [base, head] = runs(&sandbox, ONE_FAILS_NOW, |_| ());
    let refused = |base: &str, head: &str, code: i32, parts: &[&str]| {
        let told = sandbox.loupe(&["compare", base, head]);
        assert_eq!((told.code, told.stdout.as_str()), (code, ""), "{told:?}");
        assert!(parts.iter().all(|part| told.stderr.contains(part)), "{told:?}");
    };
    refused("base", "home", 2, &["home is not a run"]);
    refused("base", "nowhere", 2, &["nowhere is not a run"]);
    write_run(sandbox.path(), "other", Inputs { planned: 1, ..with_artifact() }, &stored::passes(1));
    refused("base", "other", 2, &["have no case in common", "two runs of one study"]);
    drop(loupe::record::Writer::create(sandbox.path(), "open", with_artifact(), &stored::copies()).unwrap());
    refused("open", "head", 2, &["is not complete: 0 of 3 cases", "--resume"]);
    in_format(&head, "1.1");
    refused("base", "head", 2, &["head has format 1.1", "comparing needs 1.2", "run its study again"]);
    assert_eq!(sandbox.loupe(&["report", "head"]).code, 1, "an older run is still told");
    in_format(&base, "1.9");
    refused("base", "head", 3, &["inputs.json has format 1.9", "use the version of loupe that wrote it"]);
}

/// Makes a run one of another format; an older one has none of the newer fields.
fn in_format(run: &Path, number: &str) {
    for name in ["inputs.json", "run.json"] {
        let mut file: serde_json::Value = serde_json::from_str(&fs::read_to_string(run.join(name)).unwrap()).unwrap();
        file["format"] = number.into();
        let content = file["content"].as_object_mut().unwrap();
        content.retain(|key, _| !["evaluators", "briefs", "remote"].contains(&key.as_str()));
        content["settings"].as_object_mut().unwrap().retain(|key, _| !["protocol", "timeouts"].contains(&key.as_str()));
        fs::write(run.join(name), file.to_string()).unwrap();
    }
}

#[test]
fn a_comparison_leaves_both_runs_as_they_were() {
    let sandbox = Sandbox::new();
    let [base, _] = runs(&sandbox, ONE_FAILS_NOW, |_| ());
    let files = || {
        let walk = walkdir::WalkDir::new(&base).sort_by_file_name().into_iter().map(|entry| entry.unwrap().into_path());
        walk.filter(|path| path.is_file()).map(|path| (fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
    };
    let before = files();
    assert_eq!(sandbox.loupe(&["compare", "base", "head"]).code, 1);
    assert_eq!(files(), before);
    let small = fixtures().join("small").display().to_string();
    assert_eq!(sandbox.loupe(&["compare", &small, &small]).code, 0, "a run is equal to itself");
}
