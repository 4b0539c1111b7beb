//! The report on a terminal: what stands against artifacts first, with its evidence, then our own problems, the table,
//! and one closing line.
//!
//! Deliberately does not decide whether there is a terminal: the caller says if colour is wanted.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use super::evidence::{plain, plain_diagnostic, worth_telling};
use super::{AGAINST_THE_ARTIFACT, Error, overview, summary};
use crate::diag::Severity;
use crate::record::{CaseRecord, Counts, Outcome, Reader, Total};

/// How many observations of one case are shown; the record and the other reports hold all.
const EVIDENCE: usize = 8;

/// Writes the report.
///
/// # Errors
/// If the run cannot be read or `out` refuses.
pub fn write(run: &Reader, colour: bool, out: &mut dyn Write) -> Result<(), Error> {
    for record in run.cases_of(&AGAINST_THE_ARTIFACT)? {
        write_case(run, &record?, colour, out)?;
    }
    let mut first = true;
    for record in run.cases_of(&[Outcome::Error])? {
        if std::mem::take(&mut first) {
            writeln!(out, "Harness problems, not counted against any artifact\n")?;
        }
        write_case(run, &record?, colour, out)?;
    }
    write_table(&summary::table(run)?, out)?;
    for line in overview::gather(run)?.accessibility_lines() {
        writeln!(out, "{}\n", plain(&line))?;
    }
    write_end(run, colour, out)
}

fn write_case(run: &Reader, record: &CaseRecord, colour: bool, out: &mut dyn Write) -> Result<(), Error> {
    let style = style_of(record.outcome, colour);
    let head = plain(&record.case.to_string()).replace('\n', " ");
    writeln!(out, "{style}{}{style:#} {head}", record.outcome.word().to_uppercase())?;
    if let Some(fallback) = record.fallback {
        writeln!(out, "  with the fallback locators: {fallback}")?;
    }
    for diagnostic in record.diagnostic.iter().chain(&record.soft) {
        out.write_all(indented(&plain_diagnostic(diagnostic).render(Severity::Error, colour)).as_bytes())?;
    }
    let told = worth_telling(&record.observations);
    for evidence in told.iter().take(EVIDENCE) {
        writeln!(out, "  {}: {}", evidence.kind, first_line(&evidence.text))?;
    }
    if told.len() > EVIDENCE {
        writeln!(out, "  … and {} more observations", told.len() - EVIDENCE)?;
    }
    for picture in &record.pictures {
        writeln!(out, "  picture: {}", plain(&run.folder().join(&picture.path).display().to_string()))?;
    }
    Ok(writeln!(out)?)
}

/// Stacks of errors are in the record; a terminal shows what happened.
fn first_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_some() { format!("{first} …") } else { first.to_owned() }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect()
}

fn write_table(rows: &[summary::Row], out: &mut dyn Write) -> Result<(), Error> {
    let mut brief = "";
    let cells = rows.iter().map(|row| {
        let condition = row.condition.as_ref().map(|condition| format!(" ({condition})")).unwrap_or_default();
        let name = if row.brief == brief { String::new() } else { format!("{}{condition}", row.brief) };
        brief = &row.brief;
        let [passed, failed, contract, skipped, error] = Outcome::ALL.map(|outcome| number(row.scenarios.of(outcome)));
        let flaky = number(row.scenarios.flaky);
        [plain(&name), plain(&row.arm), passed, failed, contract, skipped, error, flaky, taken(row.captures)]
    });
    let [passed, failed, contract, skipped, error] = Outcome::ALL.map(Outcome::word);
    let head = ["", "", passed, failed, contract, skipped, error, "flaky", "captures"];
    Ok(summary::write_table(head, cells.collect(), &[2, 3, 4, 5, 6, 7, 8], out)?)
}

fn number(count: u64) -> String {
    if count == 0 { "-".to_owned() } else { count.to_string() }
}

fn taken(captures: Counts) -> String {
    match captures.error {
        0 => number(captures.total()),
        _ => format!("{} of {}", captures.passed, captures.total()),
    }
}

fn write_end(run: &Reader, colour: bool, out: &mut dyn Write) -> Result<(), Error> {
    let (planned, done) = (run.inputs().planned, run.len());
    let folder = plain(&run.folder().display().to_string());
    if run.info().is_none() {
        writeln!(
            out,
            "The run is not complete: {done} of {planned} cases are on the record; --resume {folder} goes on"
        )?;
    }
    let totals = run.totals();
    for total in &totals {
        let style = style_of(worst(total), colour);
        let condition = summary::condition(total.condition.as_deref());
        let condition = if totals.len() > 1 { format!(", {condition}") } else { String::new() };
        let study = plain(&format!("{}{condition}", run.inputs().settings.study)).replace('\n', " ");
        let counts = summary::counts(total).join(", ");
        writeln!(out, "{style}{study}: {}{style:#} · {counts} · {folder}", summary::result(total))?;
    }
    Ok(())
}

fn worst(total: &Total) -> Outcome {
    let order = [Outcome::Failed, Outcome::Contract, Outcome::Error];
    order.into_iter().find(|outcome| total.of(*outcome) > 0).unwrap_or(Outcome::Passed)
}

fn style_of(outcome: Outcome, colour: bool) -> Style {
    let foreground = match outcome {
        Outcome::Passed => AnsiColor::Green,
        Outcome::Failed => AnsiColor::Red,
        Outcome::Contract => AnsiColor::Yellow,
        Outcome::Skipped => AnsiColor::BrightBlack,
        Outcome::Error => AnsiColor::Magenta,
    };
    if colour { foreground.on_default().bold() } else { Style::new() }
}
