//! The demo study in both languages: the two correct artifacts pass, every known defect of the third is found, and Rhai
//! and Lua agree on every case.
//!
//! This is the slowest of all tests. It deliberately runs the product as a person would, by its command line.

#![expect(clippy::unwrap_used, reason = "a study that cannot be built is the end of its tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use loupe::record::{Outcome, Reader};

/// How a case ended, its steps, and everything it says of why it failed.
type Verdicts = BTreeMap<(String, String, String), (Outcome, Vec<String>, String)>;

#[test]
fn both_languages_find_every_defect_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let rhai = run(&copy_with_flow(home.path(), "rhai"));
    let lua = run(&copy_with_flow(home.path(), "lua"));

    let expected = expected(rhai.keys());
    let found: BTreeMap<_, Outcome> = rhai.iter().map(|(case, verdict)| (case.clone(), verdict.0)).collect();
    assert_eq!(found.len(), 3 * 2 * 21, "three artifacts, two viewports, 21 scenarios");
    assert_eq!(found, expected, "the Rhai flow finds what expected.json says");
    let comparable = |verdicts: &Verdicts| -> Vec<_> {
        verdicts.iter().map(|(case, (outcome, steps, _))| (case.clone(), *outcome, steps.clone())).collect()
    };
    assert_eq!(comparable(&lua), comparable(&rhai), "the Lua flow says the same, in the same steps");
    for verdicts in [&rhai, &lua] {
        assert_eq!(defects_noticed(verdicts), 19 * 2 - 1, "every defect, each for its own reason");
    }
}

/// The study in a folder of its own, with the flow in one language.
fn copy_with_flow(home: &Path, language: &str) -> PathBuf {
    let magazine = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/magazine");
    let study = home.join(language);
    for entry in walkdir::WalkDir::new(&magazine).into_iter().filter_entry(|e| e.file_name() != "runs") {
        let entry = entry.unwrap();
        let to = study.join(entry.path().strip_prefix(&magazine).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(to).unwrap();
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
    let brief = study.join("briefs/magazine/brief.toml");
    let text = std::fs::read_to_string(&brief).unwrap();
    let changed = text.replace("magazine/flow.rhai", &format!("magazine/flow.{language}"));
    assert!(changed.contains(&format!("flow.{language}")));
    std::fs::write(brief, changed).unwrap();
    study
}

/// Runs all scenarios of the study and returns how each ended and which steps it took.
fn run(study: &Path) -> Verdicts {
    let output = Command::new(env!("CARGO_BIN_EXE_loupe")).arg("run").arg(study).args(["-j", "4"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "gloss fails, so the run does: {told}");
    let newest = loupe::run::newest(&study.join("runs")).unwrap();
    let reader = Reader::open(&newest).unwrap();
    let records = reader.cases().unwrap().map(Result::unwrap).filter(|r| r.case.scenario.is_some());
    records
        .map(|r| {
            let steps = r.steps.iter().map(|s| format!("{} {}", s.name, s.ok)).collect();
            let reasons = r.reasons();
            ((r.case.arm, r.case.viewport, r.case.scenario.unwrap()), (r.outcome, steps, reasons))
        })
        .collect()
}

/// How many defects were noticed for their own reason; says which was not.
fn defects_noticed(verdicts: &Verdicts) -> usize {
    let rows: serde_json::Value = serde_json::from_str(include_str!("../fixtures/magazine/expected.json")).unwrap();
    let mut noticed = 0;
    for defect in rows["gloss"]["defects"].as_array().unwrap() {
        for viewport in defect["viewports"].as_array().unwrap() {
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            let case = ("gloss".to_owned(), text(viewport), text(&defect["scenario"]));
            let reasons = &verdicts[&case].2;
            assert!(
                reasons.contains(&text(&defect["says"])),
                "{case:?} does not say \"{}\": {reasons}",
                text(&defect["says"])
            );
            noticed += 1;
        }
    }
    noticed
}

fn expected<'a>(
    cases: impl Iterator<Item = &'a (String, String, String)>,
) -> BTreeMap<(String, String, String), Outcome> {
    let text = include_str!("../fixtures/magazine/expected.json");
    let rows: serde_json::Value = serde_json::from_str(text).unwrap();
    let strings = |list: &serde_json::Value| -> BTreeSet<String> {
        list.as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect()
    };
    cases
        .map(|case| {
            let (arm, viewport, scenario) = case;
            let row = &rows[arm];
            let defects = row["defects"].as_array().unwrap();
            let broken =
                defects.iter().any(|d| d["scenario"] == **scenario && strings(&d["viewports"]).contains(viewport));
            let skipped = strings(&row["skipped"]).contains(scenario);
            let outcome = if broken {
                Outcome::Failed
            } else if skipped {
                Outcome::Skipped
            } else {
                Outcome::Passed
            };
            (case.clone(), outcome)
        })
        .collect()
}
