//! All verdicts of one execution: fault by artifact and viewport, what they add up to, and how people read them.
//!
//! It deliberately adds nothing up over kinds: a rate of kills and a rate of false alarms are two answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use super::faults::Kind;
use super::judge::Verdict;

/// Everything that was found.
#[derive(Debug, Default, Serialize)]
pub struct Matrix {
    /// One row a fault and artifact and viewport.
    pub rows: Vec<Row>,
}

/// What became of one fault in one artifact at one viewport.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The fault's name.
    pub fault: String,
    /// What is wrong with it, in a sentence.
    pub says: String,
    /// What a flow has to say of it.
    pub kind: Kind,
    /// The brief.
    pub brief: String,
    /// The arm.
    pub arm: String,
    /// The sample.
    pub sample: String,
    /// The viewport.
    pub viewport: String,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// What the verdicts add up to.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Harmful faults that were noticed by a scenario about them.
    pub killed: usize,
    /// Harmful faults that were not.
    pub survived: usize,
    /// Harmless changes that were not held against a page.
    pub accepted: usize,
    /// Harmless changes that were.
    pub flagged: usize,
    /// Hook faults that were told as a broken contract.
    pub contract: usize,
    /// Hook faults that were told as anything else.
    pub misjudged: usize,
    /// Faults that changed nothing where they were put.
    pub without_effect: usize,
    /// Faults about which no scenario says anything there.
    pub not_applicable: usize,
    /// Trouble of ours.
    pub errors: usize,
}

impl Matrix {
    /// What the verdicts add up to.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for row in &self.rows {
            let counter = match row.verdict {
                Verdict::Killed { .. } => &mut totals.killed,
                Verdict::Survived => &mut totals.survived,
                Verdict::Accepted => &mut totals.accepted,
                Verdict::Flagged { .. } => &mut totals.flagged,
                Verdict::Contract { .. } => &mut totals.contract,
                Verdict::Misjudged { .. } => &mut totals.misjudged,
                Verdict::WithoutEffect => &mut totals.without_effect,
                Verdict::NotApplicable => &mut totals.not_applicable,
                Verdict::Error { .. } => &mut totals.errors,
            };
            *counter += 1;
        }
        totals
    }
}

impl Totals {
    /// Whether the flows noticed everything that was there to notice, and nothing else.
    pub fn all_noticed(&self) -> bool {
        self.survived + self.flagged + self.misjudged == 0
    }
}

/// One letter a verdict; the legend below the table names them.
fn letter(verdict: &Verdict) -> char {
    match verdict {
        Verdict::Killed { .. } => 'K',
        Verdict::Survived => 'S',
        Verdict::Accepted => 'a',
        Verdict::Flagged { .. } => 'F',
        Verdict::Contract { .. } => 'C',
        Verdict::Misjudged { .. } => 'M',
        Verdict::WithoutEffect => '-',
        Verdict::NotApplicable => '.',
        Verdict::Error { .. } => 'E',
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: BTreeSet<(&str, &str)> = self.rows.iter().map(Row::column).collect();
        let wide = self.rows.iter().map(|row| row.fault.len()).max().unwrap_or(0);
        let heads: Vec<String> = columns.iter().map(|(brief, viewport)| format!("{brief} {viewport}")).collect();
        writeln!(f, "{:wide$}  {}", "", heads.join("  "))?;
        for of_fault in self.rows.chunk_by(|a, b| a.fault == b.fault) {
            let mut cells: BTreeMap<(&str, &str), String> = BTreeMap::new();
            for row in of_fault {
                cells.entry(row.column()).or_default().push(letter(&row.verdict));
            }
            let cell = |(column, head): (&(&str, &str), &String)| {
                format!("{:1$}", cells.get(column).map_or("", String::as_str), head.len())
            };
            let line: Vec<String> = columns.iter().zip(&heads).map(cell).collect();
            writeln!(f, "{:wide$}  {}", of_fault[0].fault, line.join("  ").trim_end())?;
        }
        writeln!(
            f,
            "\nOne letter an artifact: K killed · S survived · a accepted · F flagged · C contract · M misjudged · - without effect"
        )?;
        writeln!(f, "· . no scenario is about it · E harness error")?;
        for row in self.rows.iter().filter(|row| "SFME".contains(letter(&row.verdict))) {
            writeln!(f, "{}", row.trouble())?;
        }
        let Totals { killed, survived, accepted, flagged, contract, misjudged, without_effect, not_applicable, errors } =
            self.totals();
        writeln!(
            f,
            "\nharmful faults     {killed} of {} killed{}",
            killed + survived,
            share(killed, killed + survived)
        )?;
        writeln!(f, "harmless changes   {flagged} of {} flagged", accepted + flagged)?;
        writeln!(f, "hook faults        {contract} of {} told as a broken contract", contract + misjudged)?;
        writeln!(
            f,
            "not counted        {without_effect} without effect, {not_applicable} not applicable, {errors} harness errors"
        )
    }
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 { String::new() } else { format!(" ({:.1} %)", 100.0 * part as f64 / whole as f64) }
}

impl Row {
    fn column(&self) -> (&str, &str) {
        (&self.brief, &self.viewport)
    }

    /// What an author has to look at.
    fn trouble(&self) -> String {
        let place = format!("{} / {} / {} / {}", self.brief, self.arm, self.sample, self.viewport);
        let what = match &self.verdict {
            Verdict::Survived => format!("survived: no scenario about it failed. {}", self.says),
            Verdict::Flagged { by } => format!("flagged, though it harms nobody, by {}", by.join("; ")),
            Verdict::Misjudged { by } => format!("not told as a broken contract: {}", by.join("; ")),
            Verdict::Error { by } => format!("harness error in {}", by.join("; ")),
            _ => String::new(),
        };
        format!("{} in {place} {what}", self.fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_told_apart_and_what_is_wrong_is_named() {
        let row = |fault: &str, kind, verdict| Row {
            fault: fault.to_owned(),
            says: "Something.".to_owned(),
            kind,
            brief: "magazine".to_owned(),
            arm: "folio".to_owned(),
            sample: "1".to_owned(),
            viewport: "desktop".to_owned(),
            verdict,
        };
        let rows = vec![
            row("one", Kind::Harmful, Verdict::Killed { by: vec!["a".into()] }),
            row("two", Kind::Harmful, Verdict::Survived),
            row("three", Kind::Harmless, Verdict::Accepted),
            row("four", Kind::Hook, Verdict::WithoutEffect),
        ];
        let matrix = Matrix { rows };
        let told = matrix.to_string();
        assert!(told.contains("harmful faults     1 of 2 killed (50.0 %)"), "{told}");
        assert!(told.contains("harmless changes   0 of 1 flagged"), "{told}");
        assert!(told.contains("two in magazine / folio / 1 / desktop survived"), "{told}");
        assert!(!matrix.totals().all_noticed());
    }
}
