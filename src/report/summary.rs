//! A whole run in one sentence and one table, the same in every format.
//!
//! Which outcome fails a gate is deliberately not decided here.

use std::io::Write;

use crate::record::{BriefUsed, CaseKind, Counts, Error, Outcome, Reader, Total, evaluator_shown};

/// How the cases of one arm at one brief ended; repaired samples have a row of their own.
pub(super) struct Row {
    pub brief: String,
    /// The brief's condition, if that is not the usual one.
    pub condition: Option<String>,
    /// The arm, labelled where its samples are repaired.
    pub arm: String,
    pub scenarios: Counts,
    pub captures: Counts,
}

/// One row a brief and arm, in the order of the plan.
pub(super) fn table(run: &Reader) -> Result<Vec<Row>, Error> {
    let mut rows: Vec<Row> = Vec::new();
    for record in run.cases()? {
        let record = record?;
        let (brief, arm) = (&record.case.brief, record.case.labelled(&record.case.arm));
        let position = rows.iter().position(|row| row.brief == *brief && row.arm == arm).unwrap_or(rows.len());
        if position == rows.len() {
            let condition = run.inputs().condition(brief).map(str::to_owned);
            let (scenarios, captures) = (Counts::default(), Counts::default());
            rows.push(Row { brief: brief.clone(), condition, arm, scenarios, captures });
        }
        let counts = match record.case.kind {
            CaseKind::Scenario => &mut rows[position].scenarios,
            CaseKind::Capture => &mut rows[position].captures,
        };
        counts.add(record.outcome, record.flaky);
    }
    Ok(rows)
}

/// Every brief that was used, with its version and its condition.
pub(super) fn briefs(run: &Reader) -> Vec<String> {
    let told = |(id, brief): (&String, &BriefUsed)| {
        let condition = brief.condition.as_ref().map(|condition| format!(", {condition}")).unwrap_or_default();
        format!("{id}, version {}{condition}", brief.version)
    };
    run.inputs().briefs.iter().map(told).collect()
}

/// Every script that judged, with the version of its evaluator and the beginning of its digest.
pub(super) fn scripts(run: &Reader) -> Vec<String> {
    let inputs = run.inputs();
    let told = |(name, version): (&String, &Option<u32>)| {
        let digest = inputs.digests.get(name).map(String::as_str).unwrap_or_default();
        format!("{name}, evaluator {} ({digest:.12})", evaluator_shown(*version))
    };
    inputs.evaluators.iter().map(told).collect()
}

/// What people call a condition.
pub(super) fn condition(condition: Option<&str>) -> &str {
    condition.unwrap_or("usual condition")
}

/// Writes a table for a terminal, and an empty line; the columns `right` are aligned to the right.
pub(super) fn write_table<const N: usize>(
    head: [&str; N],
    rows: Vec<[String; N]>,
    right: &[usize],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(head);
    table.add_rows(rows);
    for (_, column) in table.column_iter_mut().enumerate().filter(|(index, _)| right.contains(index)) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    for line in table.to_string().lines() {
        writeln!(out, "{}", line.strip_prefix(' ').unwrap_or(line).trim_end())?;
    }
    writeln!(out)
}

/// The run in one line; where it has several conditions, each for itself.
pub(super) fn headline(run: &Reader) -> String {
    match run.totals().as_slice() {
        [total] => result(total),
        totals => {
            let told =
                totals.iter().map(|total| format!("{}: {}", condition(total.condition.as_deref()), result(total)));
            told.collect::<Vec<_>>().join("; ")
        }
    }
}

/// One condition in one line: `2 of 8 scenarios failed`.
pub(super) fn result(total: &Total) -> String {
    let counts = total.scenarios;
    let ran = counts.total() - counts.skipped;
    if counts.failed > 0 {
        return format!("{} of {} failed", counts.failed, scenarios(ran));
    }
    if counts.contract > 0 {
        return format!("{} of {} could not be judged: hooks are missing", counts.contract, scenarios(ran));
    }
    match counts.error + total.captures.error {
        0 if ran == 0 => "No scenario was run".to_owned(),
        0 if ran == 1 => "The scenario passed".to_owned(),
        0 => format!("All {} passed", scenarios(ran)),
        errors => format!("{} of {} passed; {errors} harness problem{}", counts.passed, scenarios(ran), s(errors)),
    }
}

/// The counts that are not zero: `3 passed (1 flaky)`, `2 failed`, `2 captures`.
pub(super) fn counts(total: &Total) -> Vec<String> {
    let (scenarios, captures) = (total.scenarios, total.captures);
    let count = |outcome: &Outcome| match (outcome, scenarios.of(*outcome)) {
        (_, 0) => None,
        (Outcome::Passed, n) if scenarios.flaky > 0 => Some(format!("{n} passed ({} flaky)", scenarios.flaky)),
        (_, n) => Some(format!("{n} {outcome}")),
    };
    let mut counts: Vec<String> = Outcome::ALL.iter().filter_map(count).collect();
    let total = captures.total();
    match captures.error {
        0 if total == 0 => {}
        0 => counts.push(format!("{total} capture{}", s(total))),
        lost => counts.push(format!("{total} capture{} ({lost} not taken)", s(total))),
    }
    counts
}

fn scenarios(count: u64) -> String {
    format!("{count} scenario{}", s(count))
}

fn s(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
