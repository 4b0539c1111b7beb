//! The run as annotations of GitHub's workflow log.
//!
//! One line a defect, at its place in the flow; it deliberately says nothing about what passed.

use std::io::Write;

use super::Error;
use super::evidence::plain;
use crate::diag::Diagnostic;
use crate::record::{CaseRecord, Outcome, Reader};

/// Writes the annotations. `root` is the study's folder as seen from the repository's, with a `/` at its end, or empty:
/// it goes in front of file names, or the annotations would not find their lines.
///
/// # Errors
/// If the run cannot be read or `out` refuses.
pub fn write(run: &Reader, root: &str, out: &mut dyn Write) -> Result<(), Error> {
    for record in run.cases()? {
        let record = record?;
        match record.outcome {
            Outcome::Failed | Outcome::Contract | Outcome::Error => {
                let mut told = record.diagnostic.iter().chain(&record.soft).peekable();
                if told.peek().is_none() {
                    annotate("error", root, &record, None, out)?;
                }
                for diagnostic in told {
                    annotate("error", root, &record, Some(diagnostic), out)?;
                }
            }
            Outcome::Passed if record.flaky => {
                let last = record.attempts.last().and_then(|attempt| attempt.diagnostic.as_ref());
                annotate("warning", root, &record, last, out)?;
            }
            Outcome::Passed | Outcome::Skipped => {}
        }
    }
    Ok(())
}

fn annotate(
    level: &str,
    root: &str,
    record: &CaseRecord,
    diagnostic: Option<&Diagnostic>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let kind = match record.outcome {
        Outcome::Error => "harness problem",
        Outcome::Passed => "flaky",
        _ => record.outcome.word(),
    };
    let mut properties = vec![format!("title={}", property(&format!("{kind}: {}", record.case)))];
    if let Some(place) = diagnostic.and_then(|diagnostic| diagnostic.place.as_ref()) {
        properties.push(format!("file={}", property(&format!("{root}{}", place.file))));
        properties.push(format!("line={}", place.line));
        properties.extend(place.column.map(|column| format!("col={column}")));
    }
    let message = diagnostic.map_or_else(|| record.outcome.to_string(), message);
    Ok(writeln!(out, "::{level} {}::{}", properties.join(","), escaped(&message))?)
}

fn message(diagnostic: &Diagnostic) -> String {
    let mut lines = vec![diagnostic.title.clone()];
    lines.extend(diagnostic.expected.iter().map(|text| format!("expected: {text}")));
    lines.extend(diagnostic.received.iter().map(|text| format!("received: {text}")));
    lines.extend(diagnostic.hints.iter().map(|text| format!("hint: {text}")));
    lines.join("\n")
}

/// A message in a workflow command: line ends would end the command.
fn escaped(text: &str) -> String {
    plain(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a workflow command, which `:` and `,` would end as well.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
