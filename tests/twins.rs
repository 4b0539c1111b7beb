//! One flow in two languages: Rhai and Lua say the same of every case, by the same steps and the same words to the page.
//!
//! It deliberately uses whole flows on a correct and on a broken artifact; single words are compared in `languages`.

#![expect(clippy::unwrap_used, reason = "a study that cannot be built is the end of its test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use loupe::record::{Outcome, Reader, What};

/// For each arm and scenario: how it ended, its steps, and the words that the script said to the page.
type Verdicts = BTreeMap<(String, String), (Outcome, Vec<String>, Vec<String>)>;

#[test]
fn a_flow_says_the_same_in_both_languages() {
    let home = tempfile::tempdir().unwrap();
    let rhai = run(&study(home.path(), "rhai"));
    let lua = run(&study(home.path(), "lua"));
    assert_eq!(rhai.len(), 2 * 21, "two artifacts, 21 scenarios");
    assert!(rhai.values().any(|verdict| verdict.0 == Outcome::Failed), "there is something to disagree about");
    for (case, verdict) in &rhai {
        assert_eq!(&lua[case], verdict, "{case:?}");
    }
    assert_eq!(lua.len(), rhai.len());
}

/// The magazine of the cohort, with one correct and one broken artifact, in a folder of its own and with the flow in one
/// language.
fn study(home: &Path, language: &str) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let study = home.join(language);
    for part in ["loupe.toml", "briefs/magazine", "artifacts/magazine/folio", "artifacts/magazine/gloss"] {
        copy(&fixtures.join("cohort").join(part), &study.join(part));
    }
    let flow = format!("flow.{language}");
    copy(&fixtures.join("twins").join(&flow), &study.join("scripts").join(&flow));
    let brief = study.join("briefs/magazine/brief.toml");
    let text = std::fs::read_to_string(&brief).unwrap();
    let lines = text
        .lines()
        .map(|line| if line.starts_with("flow = ") { format!("flow = \"{flow}\"") } else { line.to_owned() });
    std::fs::write(brief, lines.collect::<Vec<_>>().join("\n")).unwrap();
    study
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        let target = if entry.depth() == 0 { to.to_owned() } else { target };
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else {
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn run(study: &Path) -> Verdicts {
    let output = Command::new(env!("CARGO_BIN_EXE_loupe"))
        .args(["run", "-j", "4", "--viewport", "desktop"])
        .arg(study)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "gloss fails, so the run does: {told}");
    let newest = loupe::run::newest(&study.join("runs")).unwrap();
    let records = Reader::open(&newest).unwrap().cases().unwrap().map(Result::unwrap).collect::<Vec<_>>();
    let scenarios = records.into_iter().filter(|record| record.case.scenario.is_some());
    scenarios
        .map(|record| {
            let steps = record.steps.iter().map(|s| format!("{} {}", s.name, s.ok)).collect();
            // Without their arguments: in which order a page asks for its files is its own affair.
            let said = |what: &What| match what {
                What::Word { name, .. } => Some(name.clone()),
                _ => None,
            };
            let words = record.observations.iter().filter_map(|o| said(&o.what)).collect();
            ((record.case.arm, record.case.scenario.unwrap()), (record.outcome, steps, words))
        })
        .collect()
}
