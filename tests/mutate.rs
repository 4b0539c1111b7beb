//! `loupe mutate` on a small page: what is noticed, what survives, what harms nobody, and what a missing hook becomes.
//!
//! It deliberately asks for few faults; that every fault has a script is a test beside the table.

#![expect(clippy::unwrap_used, reason = "a study that cannot be built is the end of its test")]

mod common;

use std::fs;

use common::{Sandbox, repository};
use serde_json::Value;

/// `fixtures/lessons` in a sandbox.
fn lessons() -> Sandbox {
    let sandbox = Sandbox::new();
    let from = repository().join("fixtures/lessons");
    for entry in walkdir::WalkDir::new(&from).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file()) {
        let name = entry.path().strip_prefix(&from).unwrap().to_str().unwrap().to_owned();
        sandbox.write(&name, &fs::read_to_string(entry.path()).unwrap());
    }
    sandbox
}

/// The verdicts by fault, and the exit code.
fn verdicts(sandbox: &Sandbox, faults: &str) -> (Vec<(String, String)>, i32) {
    let told = sandbox.loupe(&["mutate", "--format", "json", "--fault", faults]);
    let found: Value = serde_json::from_str(&told.stdout).unwrap_or_else(|e| panic!("{e}: {told:?}"));
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    (
        found["rows"].as_array().unwrap().iter().map(|row| (text(row, "fault"), text(row, "verdict"))).collect(),
        told.code,
    )
}

#[test]
fn faults_are_killed_harmless_changes_accepted_and_missing_hooks_told_as_such() {
    let sandbox = lessons();
    let page = sandbox.path().join("artifacts/plain/lessons/1/index.html");
    let before = fs::read(&page).unwrap();
    let faults = "search-ignored,save-does-nothing,status-unchanged,shuffled,hook-removed:save,hook-doubled:search";
    let (found, code) = verdicts(&sandbox, faults);
    let wanted = [
        ("search-ignored", "killed"),
        ("save-does-nothing", "killed"),
        ("unsave-does-nothing", "killed"),
        ("status-unchanged", "not-applicable"),
        ("shuffled", "accepted"),
        ("hook-removed:save", "contract"),
        ("hook-removed:saved-only", "contract"),
        ("hook-doubled:search", "contract"),
    ];
    let wanted: Vec<_> = wanted.iter().map(|(fault, verdict)| ((*fault).to_owned(), (*verdict).to_owned())).collect();
    assert_eq!((found, code), (wanted, 0));
    assert_eq!(fs::read(page).unwrap(), before, "no file is touched");
    assert!(!sandbox.path().join("runs").exists(), "no record is left beside the artifacts' own");
}

#[test]
fn a_flow_that_does_not_look_lets_faults_survive() {
    let sandbox = lessons();
    let lax = "// evaluator: 1\nscenario(\"search\", #{ about: [\"search\"] }, || {\n    page.open();\n    page.fill(\"hook=search\", \"bow\");\n});\n";
    sandbox.write("scripts/lax.rhai", lax);
    let brief = fs::read_to_string(sandbox.path().join("briefs/lessons/brief.toml")).unwrap();
    let lines: Vec<&str> =
        brief.lines().map(|line| if line.starts_with("flow = ") { "flow = \"lax.rhai\"" } else { line }).collect();
    sandbox.write("briefs/lessons/brief.toml", &lines.join("\n"));
    let told = sandbox.loupe(&["mutate", "--fault", "search-ignored"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(told.stdout.contains("search-ignored in lessons / plain / 1 / desktop survived"), "{told:?}");
    assert!(told.stdout.contains("harmful faults     0 of 1 killed (0.0 %)"), "{told:?}");
}

#[test]
fn what_does_not_exist_is_named() {
    let sandbox = lessons();
    let told = sandbox.loupe(&["mutate", "--fault", "serch-ignored"]);
    assert_eq!((told.code, told.stdout.as_str()), (4, ""));
    assert!(told.stderr.contains("no fault's name contains serch-ignored"), "{told:?}");
    let told = sandbox.loupe(&["mutate", "--artifact", "plain/knots"]);
    assert_eq!((told.code, told.stdout.as_str()), (4, ""));
}
