//! The run as one JSON document, for programs.
//!
//! The cases are the stored records, unchanged; this file deliberately adds no second shape for them.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use super::overview::{Overview, gather};
use super::{Error, summary};
use crate::record::{BriefUsed, FORMAT, Reader, Settings, Total};

#[derive(Serialize)]
struct Head<'a> {
    format: &'static str,
    complete: bool,
    totals: Vec<Told>,
    settings: &'a Settings,
    planned: u64,
    digests: &'a BTreeMap<String, String>,
    evaluators: &'a BTreeMap<String, Option<u32>>,
    briefs: &'a BTreeMap<String, BriefUsed>,
}

/// The totals of one condition.
#[derive(Serialize)]
struct Told {
    headline: String,
    #[serde(flatten)]
    total: Total,
}

/// Writes the report: `{"run": {…}, "accessibility": […], "assets": […], "cases": […]}`, one case a line.
///
/// # Errors
/// If the run cannot be read or `out` refuses.
pub fn write(run: &Reader, out: &mut dyn Write) -> Result<(), Error> {
    let head = Head {
        format: FORMAT,
        complete: run.info().is_some(),
        totals: run.totals().into_iter().map(|total| Told { headline: summary::result(&total), total }).collect(),
        settings: &run.inputs().settings,
        planned: run.inputs().planned,
        digests: &run.inputs().digests,
        evaluators: &run.inputs().evaluators,
        briefs: &run.inputs().briefs,
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
