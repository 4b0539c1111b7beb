//! Two runs beside each other, on a terminal: what changed with its causes, what only one of them has, and the sums.
//!
//! Deliberately does not decide which change fails a gate.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use super::evidence::plain;
use super::{Error, summary};
use crate::record::{Change, Comparison, Direction, Judged, Seen, Sums};

/// Writes the comparison.
///
/// # Errors
/// If `out` refuses.
pub fn write(found: &Comparison, colour: bool, out: &mut dyn Write) -> Result<(), Error> {
    if !found.changed.is_empty() {
        let mut table = Vec::new();
        let rows = found.changed.iter().map(changed).collect();
        summary::write_table(["", "verdict", "base", "head", "what changed"], rows, &[], &mut table)?;
        for line in String::from_utf8_lossy(&table).lines() {
            write_line(line, colour, out)?;
        }
    }
    for (head, seen) in [("added", &found.added), ("gone", &found.gone)] {
        if !seen.is_empty() {
            let rows = seen.iter().map(|Seen { case, verdict }| [one_line(&case.to_string()), told(*verdict)]);
            summary::write_table([head, ""], rows.collect(), &[], out)?;
        }
    }
    for sums in &found.sums {
        writeln!(out, "{}", plain(&line(sums, found.sums.len() > 1)))?;
    }
    Ok(())
}

/// Colours come last: the table would count them as letters.
fn write_line(line: &str, colour: bool, out: &mut dyn Write) -> std::io::Result<()> {
    match Direction::ALL.into_iter().find(|direction| line.starts_with(direction.word())) {
        Some(direction) => {
            let (word, rest) = line.split_at(direction.word().len());
            let style = style_of(direction, colour);
            writeln!(out, "{style}{word}{style:#}{rest}")
        }
        None => writeln!(out, "{line}"),
    }
}

fn changed(change: &Change) -> [String; 5] {
    let causes = change.causes.iter().map(|cause| format!("{}: {}", cause.kind.word(), cause.what));
    let causes: Vec<String> = causes.chain(change.unexplained.map(str::to_owned)).map(|cause| plain(&cause)).collect();
    [
        change.direction.word().to_owned(),
        one_line(&change.case.to_string()),
        told(change.base),
        told(change.head),
        causes.join("\n"),
    ]
}

fn told(verdict: Judged) -> String {
    let fallback = verdict.fallback.map(|fallback| format!(" ({fallback} with fallback locators)"));
    format!("{}{}", verdict.outcome, fallback.unwrap_or_default())
}

/// `2 of 40 verdicts changed: 1 worse, 1 better · 3 added`; with the condition in front where there are several.
fn line(sums: &Sums, several: bool) -> String {
    let Sums { both, worse, better, error, other, added, gone, .. } = sums;
    let kinds = [(Direction::Worse, worse), (Direction::Better, better), (Direction::Error, error)];
    let kinds = kinds.into_iter().chain([(Direction::Other, other)]).filter(|(_, count)| **count > 0);
    let kinds: Vec<String> = kinds.map(|(direction, count)| format!("{count} {}", direction.word())).collect();
    let mut text = if several { format!("{}: ", summary::condition(sums.condition.as_deref())) } else { String::new() };
    text += &match kinds.as_slice() {
        [] => format!("none of {both} verdicts changed"),
        kinds => format!("{} of {both} verdicts changed: {}", worse + better + error + other, kinds.join(", ")),
    };
    for (count, what) in [(added, "added"), (gone, "gone")].into_iter().filter(|(count, _)| **count > 0) {
        text += &format!(" · {count} {what}");
    }
    text
}

fn one_line(text: &str) -> String {
    plain(text).replace('\n', " ")
}

fn style_of(direction: Direction, colour: bool) -> Style {
    let foreground = match direction {
        Direction::Worse => AnsiColor::Red,
        Direction::Better => AnsiColor::Green,
        Direction::Error => AnsiColor::Magenta,
        Direction::Other => AnsiColor::Yellow,
    };
    if colour { foreground.on_default().bold() } else { Style::new() }
}
