//! Whether the demo study ends the same every time. See README.md here.
//!
//! `LOUPE_ROUNDS` runs (20 unless said otherwise) of the whole study; compared are how every case ended and every reason
//! it gives. How long things take deliberately does not count.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench stops at the first surprise and talks to people"
)]

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use loupe::diag::Diagnostic;
use loupe::record::{CaseRecord, Reader};

/// What a case says, by its name.
type Verdicts = BTreeMap<String, String>;

fn main() {
    let rounds = std::env::var("LOUPE_ROUNDS").map_or(20, |n| n.parse().expect("LOUPE_ROUNDS is a number"));
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cohort");
    // Reasons name addresses.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let first = round(&study, &port);
    let mut different = 0;
    for number in 2..=rounds {
        let now = round(&study, &port);
        assert!(now.keys().eq(first.keys()), "every round has the same cases");
        let changed: Vec<_> = first.iter().filter(|(case, verdict)| now[*case] != **verdict).collect();
        println!("round {number}: {} of {} cases differ from the first", changed.len(), first.len());
        for (case, verdict) in &changed {
            println!("  {case}\n    first: {verdict}\n    now:   {}", now[*case]);
        }
        different += changed.len();
    }
    println!("{rounds} rounds of {} cases: {different} differences", first.len());
    if different > 0 {
        std::process::exit(1);
    }
}

/// Runs the study once.
fn round(study: &Path, port: &str) -> Verdicts {
    let runs = tempfile::tempdir().unwrap();
    let mut loupe = Command::new(env!("CARGO_BIN_EXE_loupe"));
    let output = loupe.arg("run").arg(study).arg("-o").arg(runs.path()).args(["--port", port]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "one artifact of the demo fails, so the run does: {told}");
    let run = Reader::open(&loupe::run::newest(runs.path()).unwrap()).unwrap();
    run.cases().unwrap().map(Result::unwrap).map(|record| (record.case.to_string(), verdict(&record))).collect()
}

fn verdict(record: &CaseRecord) -> String {
    let told = |d: &Diagnostic| {
        let parts = [Some(&d.title), d.expected.as_ref(), d.received.as_ref()];
        let place = d.place.as_ref().map(ToString::to_string).unwrap_or_default();
        format!(
            "{place} {}",
            parts.into_iter().flatten().map(|part| format!("{part:?}")).collect::<Vec<_>>().join(" | ")
        )
    };
    let reasons: Vec<_> = record.diagnostic.iter().chain(&record.soft).map(told).collect();
    let flaky = if record.flaky { " (flaky)" } else { "" };
    format!("{}{flaky} {} {}", record.outcome, reasons.join(" ;; "), record.attempts.len())
}
