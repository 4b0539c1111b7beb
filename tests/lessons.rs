//! What the first frontend iterations learned, sentence by sentence: each test is named after one, and shows on a small page
//! that this evaluator has learned it.
//!
//! It deliberately goes through the command line and the shipped flows, as every study does.

#![expect(clippy::unwrap_used, reason = "a study that cannot be run is the end of its test")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Sandbox, Told, repository};
use loupe::capture::store;
use loupe::record::{CaseRecord, Outcome, Reader, What};

const FIND: &str = "found";
const BODY: &str = "every item is complete when opened";
const FOCUS: &str = "focus returns to what opened a modal";
const SAVE: &str = "a listed item is saved and taken back";
const FILTER: &str = "each choice of the filter shows its own items";
const BOTH: &str = "search and filter work together";
const KEPT: &str = "what was saved is kept while moving about";
const LAST: &str = "the last saved item can be taken back while it is read";
const RELOAD: &str = "what a reload keeps is noted";

/// The study of `fixtures/lessons` in a folder of its own.
struct Lesson(Sandbox);

impl Lesson {
    /// With these switches of its page on.
    fn new(quirks: &[&str]) -> Self {
        let sandbox = Sandbox::new();
        let from = repository().join("fixtures/lessons");
        for entry in walkdir::WalkDir::new(&from).into_iter().map(Result::unwrap).filter(|e| e.file_type().is_file()) {
            let name = entry.path().strip_prefix(&from).unwrap().to_str().unwrap().to_owned();
            sandbox.write(&name, &fs::read_to_string(entry.path()).unwrap());
        }
        let lesson = Self(sandbox);
        let list: Vec<String> = quirks.iter().map(|quirk| format!("'{quirk}'")).collect();
        lesson.edit(PAGE, "/*quirks*/", &list.join(", "));
        lesson
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.0.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has {from}");
        fs::write(path, text.replace(from, to)).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> (PathBuf, Vec<CaseRecord>) {
        let told = self.0.loupe(&[&["run"], arguments].concat());
        assert!([0, 1].contains(&told.code), "{told:?}");
        let folder = loupe::run::newest(&self.0.path().join("runs")).unwrap();
        let records = Reader::open(&folder).unwrap().cases().unwrap().map(Result::unwrap).collect();
        (folder, records)
    }

    /// The record of one scenario, run by itself.
    fn of(&self, scenario: &str) -> CaseRecord {
        let (_, records) = self.run(&["-k", scenario]);
        records.into_iter().find(|record| record.case.scenario.as_deref() == Some(scenario)).unwrap()
    }
}

const PAGE: &str = "artifacts/plain/lessons/1/index.html";

fn outcome(quirks: &[&str], scenario: &str) -> Outcome {
    Lesson::new(quirks).of(scenario).outcome
}

#[test]
fn a_persistent_search_or_category_choice_is_not_automatically_a_usability_defect() {
    let (_, records) = Lesson::new(&["remembers"]).run(&[]);
    let bad: Vec<String> = records.iter().filter(|r| r.outcome != Outcome::Passed).map(CaseRecord::reasons).collect();
    assert!(records.len() > 15 && bad.is_empty(), "{bad:?}");
}

#[test]
fn an_early_evaluator_left_session_storage_intact_so_one_scenario_contaminated_the_next() {
    // One after the other, so that what a scenario leaves is there for the next, if anything is.
    let (_, records) = Lesson::new(&["remembers"]).run(&["-j", "1", "-k", FIND]);
    assert!(records.len() > 2 && records.iter().all(|r| r.outcome == Outcome::Passed));
}

#[test]
fn browser_state_is_cleared_between_checks_and_kept_during_each_complete_flow() {
    let record = Lesson::new(&["remembers"]).of(RELOAD);
    let note = record.observations.iter().find_map(|seen| match &seen.what {
        What::Note { text, data } if text == "saved after a reload" => data.as_bool(),
        _ => None,
    });
    assert_eq!((record.outcome, note), (Outcome::Passed, Some(true)), "what the flow saved outlives its reload");
}

#[test]
fn earlier_reports_are_retained_separately() {
    let lesson = Lesson::new(&[]);
    let (first, _) = lesson.run(&["-k", SAVE]);
    let before = fs::read(first.join("cases.jsonl")).unwrap();
    let (second, _) = lesson.run(&["-k", SAVE]);
    assert_ne!(first, second);
    assert_eq!(fs::read(first.join("cases.jsonl")).unwrap(), before);
}

#[test]
fn counting_rows_can_conceal_incorrect_results() {
    let record = Lesson::new(&["wrong-row"]).of(FILTER);
    let told = record.diagnostic.clone().unwrap();
    let count = |list: &Option<String>| list.as_ref().unwrap().matches(',').count();
    assert_eq!(record.outcome, Outcome::Failed);
    assert_eq!(count(&told.expected), count(&told.received), "as many rows as expected, and not those");
}

#[test]
fn it_compares_identities_combines_search_with_filtering_checks_bodies_and_waits_for_rendering() {
    assert_eq!(outcome(&["drops"], BOTH), Outcome::Failed);
    assert_eq!(outcome(&["cut"], BODY), Outcome::Failed);
    let late = Lesson::new(&["late"]);
    let (folder, records) = late.run(&[]);
    assert!(records.iter().all(|r| r.outcome == Outcome::Passed), "what comes late is waited for");
    let capture = records.iter().find(|r| r.case.scenario.is_none()).unwrap();
    let file = folder.join(&capture.captures[0].path);
    let seen = store::read(&file).unwrap().runs;
    assert!(seen.iter().any(|run| run.text.contains("Carrick Bend")), "the capture has the list that came late");
}

#[test]
fn verified_input_data_is_retained_so_that_a_later_revision_cannot_change_an_older_run() {
    let lesson = Lesson::new(&[]);
    let (first, _) = lesson.run(&["-k", SAVE]);
    let facts = "briefs/lessons/facts.json";
    let before = fs::read_to_string(first.join("inputs").join(facts)).unwrap();
    lesson.edit(facts, "It lies flat", "It lies very flat");
    let (second, _) = lesson.run(&["-k", SAVE]);
    assert_eq!(fs::read_to_string(first.join("inputs").join(facts)).unwrap(), before);
    let digest = |run: &Path| Reader::open(run).unwrap().inputs().digests.clone();
    assert_ne!(digest(&first), digest(&second), "each run says which facts it was judged by");
}

#[test]
fn a_missing_test_hook_is_a_contract_failure_not_proof_that_the_control_cannot_work() {
    let record = Lesson::new(&["unhooked"]).of(BOTH);
    assert_eq!((record.outcome, record.fallback), (Outcome::Contract, Some(Outcome::Passed)), "{}", record.reasons());
}

#[test]
fn inspect_the_artifact_before_translating_a_selector_failure_into_a_score() {
    let record = Lesson::new(&["unhooked", "deaf"]).of(BOTH);
    assert_eq!((record.outcome, record.fallback), (Outcome::Contract, Some(Outcome::Failed)), "both facts, apart");
    assert!(!record.pictures.is_empty(), "and a picture to look at");
    assert!(record.observations.iter().any(|seen| matches!(&seen.what, What::Contract { fallback: Some(_), .. })));
}

#[test]
fn a_polished_opening_screen_cannot_demonstrate_that_saving_removing_or_leaving_works() {
    let quirks = ["saves-nothing", "stuck"];
    assert_eq!(outcome(&[], "an item is opened and closed by pointer"), Outcome::Passed);
    assert_eq!(outcome(&quirks, "an item is opened and closed by pointer"), Outcome::Failed);
    assert_eq!(outcome(&quirks, SAVE), Outcome::Failed);
}

#[test]
fn review_those_transitions_directly() {
    let Told { stdout, .. } =
        Sandbox::new().loupe(&["run", "--list", repository().join("fixtures/cohort").to_str().unwrap()]);
    for scenario in [SAVE, KEPT, LAST, "an item is opened and closed by keyboard", "a listed task takes every status"] {
        assert!(stdout.contains(scenario), "the cohort's flows have `{scenario}`");
    }
}

#[test]
fn uppercase_styling_is_tolerated_while_complete_content_is_still_required() {
    assert_eq!(outcome(&["upper"], BODY), Outcome::Passed);
    assert_eq!(outcome(&["upper", "cut"], BODY), Outcome::Failed);
}

#[test]
fn removing_the_last_saved_item_may_legitimately_close_its_detail_view() {
    assert_eq!(outcome(&["closes-itself"], LAST), Outcome::Passed);
    assert_eq!(outcome(&[], LAST), Outcome::Passed);
}

#[test]
fn evaluator_versions_and_the_verdicts_that_they_change_are_recorded() {
    let lesson = Lesson::new(&["cut"]);
    let (first, _) = lesson.run(&["-k", BODY]);
    // An evaluator that asks for less: its own copy of the flow, under a new version.
    let flow = fs::read_to_string(repository().join("scripts/cohort/read.lua")).unwrap();
    let asked = "for _, paragraph in ipairs(item.body) do";
    assert!(flow.contains(asked));
    let laxer = flow.replace(asked, "for _, paragraph in ipairs({ item.body[1] }) do");
    lesson.0.write("scripts/cohort/read.lua", &laxer.replace("evaluator: 1", "evaluator: 2"));
    let (second, _) = lesson.run(&["-k", BODY]);
    let told = lesson.0.loupe(&["compare", first.to_str().unwrap(), second.to_str().unwrap()]);
    assert!(told.stdout.contains("evaluator 1 -> 2"), "{told:?}");
}

#[test]
fn corrections_to_test_assumptions_preserve_artifacts_and_genuine_failures() {
    let lesson = Lesson::new(&["cut"]);
    let page = fs::read(lesson.0.path().join(PAGE)).unwrap();
    let flow = fs::read_to_string(repository().join("scripts/cohort/read.lua")).unwrap();
    let corrected = flow.replace("evaluator: 1", "evaluator: 2").replace("timeout = 1", "timeout = 2");
    lesson.0.write("scripts/cohort/read.lua", &corrected);
    assert_eq!(lesson.of(BODY).outcome, Outcome::Failed);
    assert_eq!(fs::read(lesson.0.path().join(PAGE)).unwrap(), page);
}

#[test]
fn dialog_visibility_and_focus_restoration_need_not_settle_in_the_same_task() {
    assert_eq!(outcome(&["focus-late"], FOCUS), Outcome::Passed);
}

#[test]
fn it_waits_briefly_for_stable_focus_on_the_opener_resolved_again_if_the_interface_rerenders() {
    // The list is drawn anew twice before the focus comes; the element that opened the dialog is gone for good.
    let record = Lesson::new(&["focus-late"]).of(FOCUS);
    let focused = |what: &What| matches!(what, What::Word { name, refused: None, took_ms, .. } if name == "expect.focused" && *took_ms >= 200);
    assert!(record.observations.iter().any(|seen| focused(&seen.what)), "it was waited for");
}

#[test]
fn a_bounded_wait_keeps_races_from_looking_like_defects_while_persistent_focus_loss_fails() {
    let record = Lesson::new(&["focus-lost"]).of(FOCUS);
    assert_eq!(record.outcome, Outcome::Failed, "a verdict, not a harness error");
    assert!(record.reasons().contains("focus is nowhere"), "{}", record.reasons());
}
