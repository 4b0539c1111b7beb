//! The run as one page: overview, what failed with its evidence, our own problems, everything else.
//!
//! The page runs no script, asks for nothing but pictures that lie beside it, and forbids itself all else. One case at a
//! time is in memory, with its pictures. Every text goes through the templates' escaping; there is deliberately no way
//! around.

mod matrix;
mod overview;
mod picture;

use std::io::Write;

use askama::Template;

use super::evidence::{Evidence, evidence, plain, plain_diagnostic};
use super::overview::{Overview, gather};
use super::{AGAINST_THE_ARTIFACT, Error, summary};
use crate::diag::{Diagnostic, Place};
use crate::record::{CaseRecord, Outcome, Reader, Total};
use matrix::Matrix;
use picture::Picture;

pub use picture::Pictures;

#[derive(Template)]
#[template(path = "head.html", config = "src/report/page/askama.toml")]
struct Head {
    style: &'static str,
    /// Sources of pictures, for the policy.
    allowed: &'static str,
    study: String,
    headline: String,
    totals: Vec<Totalled>,
    /// Set if the run was interrupted.
    progress: Option<String>,
    facts: Vec<(&'static str, String)>,
    matrices: Vec<Matrix>,
    sections: Vec<Section>,
    /// Where else the page can be read: an anchor, a heading, how many entries.
    more: Vec<(&'static str, &'static str, usize)>,
}

/// The results of one condition.
struct Totalled {
    /// Its name and its result, where there are several.
    told: Option<String>,
    counts: Vec<String>,
}

/// A part of the page: its anchor, its heading, which cases it holds, and how many.
struct Section {
    id: &'static str,
    title: &'static str,
    outcomes: &'static [Outcome],
    /// How many, for each condition by itself.
    count: String,
}

#[derive(Template)]
#[template(path = "case.html", config = "src/report/page/askama.toml")]
struct Case {
    key: String,
    outcome: Outcome,
    title: String,
    artifact: String,
    viewport: String,
    duration: String,
    flaky: bool,
    fallback: Option<Outcome>,
    /// Passed and skipped cases are folded away.
    folded: bool,
    reasons: Vec<Reason>,
    attempts: Vec<Reason>,
    trouble: Vec<Evidence>,
    story: Vec<(String, Evidence)>,
    pictures: Vec<Picture>,
}

/// A diagnostic with its line of source cut at the caret.
struct Reason {
    told: Diagnostic,
    source: Option<Source>,
}

struct Source {
    place: String,
    before: String,
    marked: String,
    after: String,
}

/// Writes the page.
///
/// # Errors
/// If the run cannot be read or `out` refuses. A picture that cannot be read is told in its place.
pub fn write(run: &Reader, pictures: Pictures, out: &mut dyn Write) -> Result<(), Error> {
    let gathered = gather(run)?;
    out.write_all(render(&head(run, pictures, &gathered)?)?.as_bytes())?;
    for section in sections(run) {
        writeln!(out, "<section id=\"{0}\" aria-labelledby=\"{0}-title\">", section.id)?;
        writeln!(out, "<h2 id=\"{}-title\">{} <span>{}</span></h2>", section.id, section.title, section.count)?;
        for record in run.cases_of(section.outcomes)? {
            out.write_all(render(&case(run, pictures, &record?))?.as_bytes())?;
        }
        writeln!(out, "</section>")?;
    }
    out.write_all(render(&overview::sections(&gathered))?.as_bytes())?;
    let tool = askama::filters::escape(&run.inputs().settings.tool, askama::filters::Html);
    let tool = tool.map(|tool| tool.to_string()).unwrap_or_default();
    Ok(writeln!(out, "<footer>Written by {tool}.</footer>\n</main>\n</body>\n</html>")?)
}

fn render(template: &impl Template) -> Result<String, Error> {
    template.render().map_err(|error| Error::Write(std::io::Error::other(error)))
}

fn head(run: &Reader, pictures: Pictures, gathered: &Overview) -> Result<Head, Error> {
    let settings = &run.inputs().settings;
    let viewports = settings.viewports.iter().map(|(name, size)| format!("{name} {size}"));
    let (done, planned) = (run.len(), run.inputs().planned);
    let progress = run.info().is_none().then(|| format!("Interrupted: {done} of {planned} cases are on the record."));
    let totals = run.totals();
    let several = totals.len() > 1;
    let totalled = |total: &Total| Totalled {
        told: several
            .then(|| plain(&format!("{}: {}", summary::condition(total.condition.as_deref()), summary::result(total)))),
        counts: summary::counts(total),
    };
    Ok(Head {
        style: include_str!("page/page.css"),
        allowed: pictures.allowed(),
        study: plain(&settings.study),
        headline: if several { "Results by condition".to_owned() } else { summary::headline(run) },
        totals: totals.iter().map(totalled).collect(),
        progress,
        facts: vec![
            ("Run", run.info().map(|info| info.id.clone()).unwrap_or_default()),
            ("Began", settings.started.clone()),
            ("Browser", settings.browser.to_string()),
            ("Viewports", viewports.collect::<Vec<_>>().join("\n")),
            ("Network", settings.network.clone()),
            ("Protocol", settings.protocol.clone()),
            ("Time limits", settings.timeouts.clone()),
            ("Briefs", summary::briefs(run).join("\n")),
            ("Scripts", summary::scripts(run).join("\n")),
            ("Seed", settings.seed.to_string()),
        ],
        matrices: matrix::matrices(run)?,
        sections: sections(run),
        more: [
            ("accessibility", "Accessibility", gathered.accessibility.len()),
            ("assets", "Assets", gathered.assets.len()),
        ]
        .into_iter()
        .filter(|(.., count)| *count > 0)
        .collect(),
    })
}

/// The parts that hold anything.
fn sections(run: &Reader) -> Vec<Section> {
    let totals = run.totals();
    let section = |id, title, outcomes: &'static [Outcome]| {
        let counts = totals.iter().map(|total| outcomes.iter().map(|outcome| total.of(*outcome)).sum::<u64>());
        let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
        let any = counts.iter().any(|count| count != "0");
        any.then(|| Section { id, title, outcomes, count: counts.join(" + ") })
    };
    let all = [
        section("defects", "Against the artifacts", &AGAINST_THE_ARTIFACT),
        section("harness", "Harness problems", &[Outcome::Error]),
        section("passed", "Passed", &[Outcome::Passed]),
        section("skipped", "Skipped", &[Outcome::Skipped]),
    ];
    all.into_iter().flatten().collect()
}

fn case(run: &Reader, pictures: Pictures, record: &CaseRecord) -> Case {
    let trouble = record.observations.iter().filter(|o| o.what.is_trouble());
    Case {
        key: plain(record.case.key.as_str()),
        outcome: record.outcome,
        title: plain(record.case.title()),
        artifact: plain(&record.case.artifact()),
        viewport: plain(&record.case.viewport),
        duration: seconds(record.duration_ms),
        flaky: record.flaky,
        fallback: record.fallback,
        folded: matches!(record.outcome, Outcome::Passed | Outcome::Skipped),
        reasons: record.diagnostic.iter().chain(&record.soft).map(reason).collect(),
        attempts: record.attempts.iter().filter_map(|attempt| attempt.diagnostic.as_ref()).map(reason).collect(),
        trouble: trouble.map(|o| evidence(&o.what)).collect(),
        story: story(record),
        pictures: record.pictures.iter().map(|stored| pictures.of(run, stored)).collect(),
    }
}

/// What happened, in the order of time: the steps, and every observation.
fn story(record: &CaseRecord) -> Vec<(String, Evidence)> {
    let steps = record.steps.iter().map(|step| {
        let end = if step.ok { "" } else { ", not to its end" };
        let text = plain(&format!("{}, {} ms{end}", step.name, step.took_ms));
        (step.at_ms, Evidence { kind: "step", text })
    });
    let seen = record.observations.iter().map(|o| (o.at_ms, evidence(&o.what)));
    let mut story: Vec<(u64, Evidence)> = steps.chain(seen).collect();
    // Stable: a step stands before the first word that was spoken in it.
    story.sort_by_key(|(at, _)| *at);
    story.into_iter().map(|(at, evidence)| (seconds(at), evidence)).collect()
}

fn seconds(ms: u64) -> String {
    format!("{}.{:02} s", ms / 1000, ms % 1000 / 10)
}

fn reason(diagnostic: &Diagnostic) -> Reason {
    let told = plain_diagnostic(diagnostic);
    let source = told.place.as_ref().map(source);
    Reason { told, source }
}

/// The line of `place`, cut where the caret would stand.
fn source(place: &Place) -> Source {
    let text = place.text.as_deref().unwrap_or_default();
    let start = place.column.map_or(text.len(), |column| {
        text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(start, _)| start)
    });
    let (before, rest) = text.split_at(start);
    let end = rest.find(|c: char| !c.is_alphanumeric() && !"_.".contains(c)).unwrap_or(rest.len());
    let (marked, after) = rest.split_at(end);
    Source { place: place.to_string(), before: before.trim_start().into(), marked: marked.into(), after: after.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_the_caret_stands() {
        let place = Place { file: "f".into(), line: 1, column: Some(5), text: Some("  é expect.items(1)".into()) };
        let source = source(&place);
        assert_eq!([&source.before, &source.marked, &source.after], ["é ", "expect.items", "(1)"]);
        let beyond = super::source(&Place { column: Some(99), ..place });
        assert_eq!([&beyond.before, &beyond.marked], ["é expect.items(1)", ""]);
    }
}
