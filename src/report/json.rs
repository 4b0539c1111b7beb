//! The run as one JSON document, for programs.
//!
//! The cases are the stored records, unchanged; this file deliberately adds no second shape for them.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use super::overview::{Overview, gather};
use super::{Error, summary};
use crate::record::{BriefUsed, Counts, FORMAT, Reader, Settings};

#[derive(Serialize)]
struct Head<'a> {
    format: &'static str,
    complete: bool,
    headline: String,
    settings: &'a Settings,
    planned: u64,
    digests: &'a BTreeMap<String, String>,
    evaluators: &'a BTreeMap<String, Option<u32>>,
    briefs: &'a BTreeMap<String, BriefUsed>,
    scenarios: Counts,
    captures: Counts,
}

/// Writes the report: `{"run": {…}, "accessibility": […], "assets": […], "cases": […]}`, one case a line.
///
/// # Errors
/// If the run cannot be read or `out` refuses.
pub fn write(run: &Reader, out: &mut dyn Write) -> Result<(), Error> {
    let head = Head {
        format: FORMAT,
        complete: run.info().is_some(),
        headline: summary::headline(run),
        settings: &run.inputs().settings,
        planned: run.inputs().planned,
        digests: &run.inputs().digests,
        evaluators: &run.inputs().evaluators,
        briefs: &run.inputs().briefs,
        scenarios: run.scenarios(),
        captures: run.captures(),
    };
    let Overview { accessibility, assets } = gather(run)?;
    let (accessibility, assets) = (json(&accessibility), json(&assets));
    write!(
        out,
        "{{\"run\": {},\n\"accessibility\": {accessibility},\n\"assets\": {assets},\n\"cases\": [",
        json(&head)
    )?;
    let mut gap = "\n";
    for record in run.cases()? {
        write!(out, "{gap}{}", json(&record?))?;
        gap = ",\n";
    }
    Ok(writeln!(out, "\n]}}")?)
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data with string keys always becomes JSON")
}
