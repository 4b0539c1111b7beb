//! The run as JUnit XML, for build servers: one suite a brief, arm and viewport.
//!
//! An artifact's defect is a failure, a missing hook a failure of type `contract`, our own trouble an error, and what
//! does not apply is skipped. The counts of its root are what the format wants, of all test cases in the file; results are
//! told for each condition by itself, in the report's name. Deliberately writes no time stamps: the record has no clock.

use std::io::Write;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};

use super::evidence::{plain_diagnostic, worth_telling};
use super::{Error, summary};
use crate::diag::Severity;
use crate::record::{CaseRecord, Outcome, Reader};

/// Writes the report.
///
/// # Errors
/// If the run cannot be read or `out` refuses.
pub fn write(run: &Reader, out: &mut dyn Write) -> Result<(), Error> {
    let mut suites: Vec<TestSuite> = Vec::new();
    for record in run.cases()? {
        let record = record?;
        let name = format!("{} / {} / {}", record.case.brief, record.case.arm, record.case.viewport);
        let test = test_case(run, &record);
        match suites.iter_mut().find(|suite| suite.name.as_str() == name) {
            Some(suite) => {
                suite.add_test_case(test);
            }
            None => {
                let mut suite = TestSuite::new(name);
                if let Some(condition) = run.inputs().condition(&record.case.brief) {
                    suite.add_property(("condition", condition));
                }
                suite.add_test_case(test);
                suites.push(suite);
            }
        }
    }
    let mut report = Report::new(format!("{}: {}", run.inputs().settings.study, summary::headline(run)));
    report.add_test_suites(suites);
    let xml = report.to_string().map_err(|error| Error::Write(std::io::Error::other(error)))?;
    Ok(out.write_all(xml.as_bytes())?)
}

fn test_case(run: &Reader, record: &CaseRecord) -> TestCase {
    let case = &record.case;
    let mut test = TestCase::new(case.title(), status(run, record));
    test.set_classname(format!("{}.{}.{}.{}", case.brief, case.arm, case.labelled(&case.sample), case.viewport));
    test.set_time(Duration::from_millis(record.duration_ms));
    test
}

fn status(run: &Reader, record: &CaseRecord) -> TestCaseStatus {
    let mut status = match record.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Failed | Outcome::Contract => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Skipped => TestCaseStatus::skipped(),
        Outcome::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    for attempt in &record.attempts {
        let mut rerun = TestRerun::new(NonSuccessKind::Error);
        rerun.set_type("harness");
        rerun.set_message(attempt.diagnostic.as_ref().map_or("harness error", |d| d.title.as_str()));
        status.add_rerun(rerun);
    }
    if record.outcome == Outcome::Passed {
        return status;
    }
    if let Some(diagnostic) = record.diagnostic.iter().chain(&record.soft).next() {
        status.set_message(diagnostic.title.as_str());
    }
    if record.outcome != Outcome::Skipped {
        status.set_type(if record.outcome == Outcome::Error { "harness" } else { record.outcome.word() });
        status.set_description(description(run, record));
    }
    status
}

fn description(run: &Reader, record: &CaseRecord) -> String {
    let mut text = String::new();
    if let Some(fallback) = record.fallback {
        text.push_str(&format!("with the fallback locators: {fallback}\n"));
    }
    for diagnostic in record.diagnostic.iter().chain(&record.soft) {
        text.push_str(&plain_diagnostic(diagnostic).render(Severity::Error, false));
    }
    for evidence in worth_telling(&record.observations) {
        text.push_str(&format!("{}: {}\n", evidence.kind, evidence.text));
    }
    for picture in &record.pictures {
        text.push_str(&format!("picture: {}\n", run.folder().join(&picture.path).display()));
    }
    text
}
