//! What must be seen wherever results are shown: that an artifact was repaired, and which condition a total is of. No
//! browser.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod common;
mod stored;

use std::path::Path;

use common::Sandbox;
use common::small::study;
use loupe::record::{BriefUsed, Case, CaseRecord, Inputs, Outcome};
use stored::{inputs, write_run};

const FORMATS: [&str; 5] = ["list", "json", "junit", "github", "html"];

/// Three scenarios of magazine and two of forma, which has a condition of its own; sample 2 of magazine is repaired.
fn records() -> Vec<CaseRecord> {
    let cases = [
        ("magazine", "1", "one", Outcome::Passed),
        ("magazine", "1", "two", Outcome::Passed),
        ("magazine", "2", "one", Outcome::Failed),
        ("forma", "1", "one", Outcome::Failed),
        ("forma", "1", "two", Outcome::Failed),
    ];
    let record = |(order, (brief, sample, title, outcome)): (u64, (&str, &str, &str, Outcome))| {
        let mut case = Case::new(7, order, ["folio", brief, sample], "wide", Some(title));
        case.repaired = sample == "2";
        CaseRecord::new(case, outcome)
    };
    (0..).zip(cases).map(record).collect()
}

fn with_condition(condition: Option<&str>) -> Inputs {
    let mut inputs = inputs(5);
    let forma = BriefUsed { version: "1".into(), condition: condition.map(str::to_owned), flows: Vec::new() };
    inputs.briefs.insert("forma".into(), forma);
    inputs
}

fn run(folder: &Path, name: &str, condition: Option<&str>) {
    write_run(folder, name, with_condition(condition), &records());
}

fn told(sandbox: &Sandbox, format: &str) -> String {
    sandbox.loupe(&["report", "run", "--reporter", format]).stdout
}

#[test]
fn a_repaired_artifact_is_labelled_in_every_report() {
    let sandbox = Sandbox::new();
    run(sandbox.path(), "run", None);
    for (format, label) in [
        ("list", "FAILED magazine / folio / 2 (repaired) / wide: one\n"),
        ("list", "folio (repaired) "),
        ("json", "\"sample\":\"2\",\"repaired\":true"),
        ("junit", "classname=\"magazine.folio.2 (repaired).wide\""),
        ("github", "title=failed%3A magazine / folio / 2 (repaired) / wide%3A one"),
        ("html", "scope=\"colgroup\">folio / 2 (repaired)</th>"),
        ("html", "<span class=\"where\">magazine / folio / 2 (repaired), wide</span>"),
    ] {
        let told = told(&sandbox, format);
        assert!(told.contains(label), "{format} lacks {label}:\n{told}");
        assert!(!told.contains("1 (repaired)"), "{format} labels the other sample");
    }
}

#[test]
fn a_repaired_artifact_is_labelled_in_comparisons_and_lists() {
    let sandbox = study();
    run(sandbox.path(), "base", None);
    let mut again = records();
    again[2].outcome = Outcome::Passed;
    write_run(sandbox.path(), "head", with_condition(None), &again);
    let told = sandbox.loupe(&["compare", "base", "head"]);
    assert!(told.stdout.contains("better  magazine / folio / 2 (repaired) / wide: one"), "{}", told.stdout);
    let json = sandbox.loupe(&["compare", "base", "head", "--format", "json"]).stdout;
    assert!(json.contains("\"repaired\": true"), "{json}");

    sandbox.write("study/artifacts/two/b/1/provenance.toml", "repaired = true\n");
    sandbox.write("study/artifacts/two/b/1.original/index.html", "<!doctype html>");
    let list = sandbox.loupe(&["run", "study", "--list", "--arm", "two"]).stdout;
    assert!(list.lines().all(|line| line.contains("  b / two / 1 (repaired) / ")), "the original is no sample: {list}");
    let list = sandbox.loupe(&["run", "study", "--list", "--arm", "two", "--format", "json"]).stdout;
    assert!(list.lines().all(|line| line.contains("\"repaired\":true")), "{list}");
}

#[test]
fn totals_are_of_one_condition_in_every_report() {
    let sandbox = Sandbox::new();
    run(sandbox.path(), "run", Some("own photographs"));
    let list = told(&sandbox, "list");
    let last: Vec<_> = list.lines().rev().take(2).collect();
    assert_eq!(
        last,
        [
            "magazine, own photographs: 2 of 2 scenarios failed · 2 failed · run",
            "magazine, usual condition: 1 of 3 scenarios failed · 2 passed, 1 failed · run",
        ]
    );
    assert!(list.contains("\nforma (own photographs)  folio "), "{list}");

    let json: serde_json::Value = serde_json::from_str(&told(&sandbox, "json")).unwrap();
    let totals = json["run"]["totals"].as_array().unwrap();
    let seen = |index: usize| (totals[index]["condition"].as_str(), totals[index]["scenarios"]["failed"].as_u64());
    assert_eq!((totals.len(), seen(0), seen(1)), (2, (None, Some(1)), (Some("own photographs"), Some(2))));

    let junit = told(&sandbox, "junit");
    let name = "name=\"magazine: usual condition: 1 of 3 scenarios failed; own photographs: 2 of 2 scenarios failed\"";
    assert!(
        junit.contains(name) && junit.contains("<property name=\"condition\" value=\"own photographs\"/>"),
        "{junit}"
    );

    let html = told(&sandbox, "html");
    assert!(html.contains("<h2 class=\"condition\">own photographs: 2 of 2 scenarios failed</h2>"));
    assert!(html.contains("Against the artifacts</a> 1 + 2") && html.contains("<h2>Brief forma, own photographs</h2>"));

    // What is pooled would be three failures of five scenarios, or two passes beside three failures.
    for format in FORMATS {
        let told = told(&sandbox, format);
        assert!(!told.contains("3 of 5") && !told.contains("3 failed"), "{format} pools:\n{told}");
    }
    // Annotations are one line a defect, and no total at all.
    assert_eq!(told(&sandbox, "github").lines().filter(|line| line.starts_with("::error ")).count(), 3);
    assert_eq!(told(&sandbox, "github").lines().count(), 3);
    let stored = std::fs::read_to_string(sandbox.path().join("run/run.json")).unwrap();
    assert_eq!(stored.matches("\"failed\":").count(), 4, "scenarios and captures of two conditions: {stored}");
}

#[test]
fn one_condition_is_one_total() {
    let sandbox = Sandbox::new();
    run(sandbox.path(), "run", None);
    let list = told(&sandbox, "list");
    assert!(list.ends_with("\nmagazine: 3 of 5 scenarios failed · 2 passed, 3 failed · run\n"), "{list}");
    assert!(told(&sandbox, "html").contains("<h1>3 of 5 scenarios failed</h1>"));
}

#[test]
fn comparisons_are_summed_by_condition() {
    let sandbox = Sandbox::new();
    run(sandbox.path(), "base", Some("own photographs"));
    let mut again = records();
    again.iter_mut().for_each(|record| record.outcome = Outcome::Passed);
    again[..3].iter_mut().for_each(|record| record.case.order += 10);
    write_run(sandbox.path(), "head", with_condition(Some("own photographs")), &again);
    let told = sandbox.loupe(&["compare", "base", "head"]);
    let ends =
        "\nusual condition: 1 of 3 verdicts changed: 1 better\nown photographs: 2 of 2 verdicts changed: 2 better\n";
    assert!(told.stdout.ends_with(ends), "{}", told.stdout);
}

#[test]
fn a_list_of_cases_tells_the_condition() {
    let sandbox = study();
    sandbox.replace("study/briefs/c/brief.toml", "version", "condition = \"own photographs\"\nversion");
    let list = sandbox.loupe(&["run", "study", "--list", "--viewport", "wide"]).stdout;
    assert!(list.contains("c / one / 1 / wide: capture (own photographs)\n"), "{list}");
    assert!(list.contains("b / one / 1 / wide: capture\n"), "{list}");
    let list = sandbox.loupe(&["run", "study", "--list", "--brief", "c", "--format", "json"]).stdout;
    assert!(list.lines().all(|line| line.contains("\"condition\":\"own photographs\"")), "{list}");
}
