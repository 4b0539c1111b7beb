//! The frontend cohort: its correct artifacts pass every scenario, and each known defect of the polished ones is noticed, by
//! the scenario that is about it and for its own reason, while nothing else fails.
//!
//! This is the slowest of all tests. It deliberately runs the product as a person would, by its command line.

#![expect(clippy::unwrap_used, reason = "a study that cannot be run is the end of its test")]

use std::collections::BTreeMap;
use std::path::Path;

use loupe::record::{CaseRecord, Outcome, Reader};
use serde_json::Value;

/// Arm, viewport, scenario.
type Key = (String, String, String);

#[test]
fn the_magazine_is_judged_as_expected() {
    judged_as_expected("magazine");
}

#[test]
fn the_inbox_is_judged_as_expected() {
    judged_as_expected("inbox");
}

#[test]
fn forma_is_judged_as_expected() {
    judged_as_expected("forma");
}

fn judged_as_expected(brief: &str) {
    let cohort = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cohort");
    let text = std::fs::read_to_string(cohort.join(format!("expected/{brief}.json"))).unwrap();
    let rows: Value = serde_json::from_str(&text).unwrap();
    let runs = tempfile::tempdir().unwrap();
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_loupe"))
        .args(["run", "--brief", brief, "-j", "4", "--quiet", "--output"])
        .args([runs.path(), &cohort])
        .output()
        .unwrap();
    assert_eq!(told.status.code(), Some(1), "gloss fails, so the run does: {}", String::from_utf8_lossy(&told.stderr));

    let seen = judged(&loupe::run::newest(runs.path()).unwrap());
    let wanted: BTreeMap<Key, Outcome> = seen.keys().map(|key| (key.clone(), wanted(&rows, key))).collect();
    let outcomes: BTreeMap<Key, Outcome> = seen.iter().map(|(key, record)| (key.clone(), record.outcome)).collect();
    let differing: Vec<_> = outcomes
        .iter()
        .filter(|(key, outcome)| wanted[*key] != **outcome)
        .map(|(key, outcome)| format!("{key:?}: {outcome:?} instead of {:?}: {}", wanted[key], seen[key].reasons()))
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(seen.values().all(|record| !record.flaky), "nothing needed a second attempt");
    for defect in rows["gloss"]["defects"].as_array().unwrap() {
        noticed(defect, &seen);
    }
}

fn judged(run: &Path) -> BTreeMap<Key, CaseRecord> {
    let reader = Reader::open(run).unwrap();
    let records = reader.cases().unwrap().map(Result::unwrap);
    let scenarios = records.filter(|record| record.case.scenario.is_some());
    scenarios
        .map(|record| {
            let case = &record.case;
            ((case.arm.clone(), case.viewport.clone(), case.scenario.clone().unwrap()), record)
        })
        .collect()
}

fn wanted(rows: &Value, (arm, viewport, scenario): &Key) -> Outcome {
    let row = &rows[arm];
    let broken = row["defects"].as_array().unwrap().iter().any(|defect| {
        texts(&defect["viewports"]).contains(&viewport.as_str())
            && (defect["scenario"] == **scenario || texts(&defect["also"]).contains(&scenario.as_str()))
    });
    match (broken, texts(&row["skipped"]).contains(&scenario.as_str())) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Skipped,
        (false, false) => Outcome::Passed,
    }
}

/// Each defect is told where it is looked for, and by its own words.
fn noticed(defect: &Value, seen: &BTreeMap<Key, CaseRecord>) {
    for viewport in texts(&defect["viewports"]) {
        let scenario = defect["scenario"].as_str().unwrap();
        let reasons = seen[&("gloss".to_owned(), viewport.to_owned(), scenario.to_owned())].reasons();
        let says = defect["says"].as_str().unwrap();
        assert!(reasons.contains(says), "{} at {viewport} does not say \"{says}\": {reasons}", defect["id"]);
    }
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
