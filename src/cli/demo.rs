//! `loupe demo`: sets up what is missing, runs the study that loupe carries with it, and checks what it found.
//!
//! The study has two correct artifacts, built in very different ways, and one that only looks right; what must be found
//! is written beside it, where no artifact sees it. It deliberately runs through the same door as any study.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde::Deserialize;

use crate::cli::carried;
use crate::cli::environment::Environment;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::terminal::Terminal;
use crate::cli::{BrowserArguments, run, setup};
use crate::diag::Diagnostic;
use crate::record::{CaseRecord, Outcome, Reader};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Unpack the demo study into this folder instead of loupe's own
    #[arg(short, long, value_name = "DIR", env = "LOUPE_OUTPUT", hide_env = true)]
    output: Option<PathBuf>,
    #[command(flatten)]
    browser: BrowserArguments,
}

/// What the study says must be found, by arm.
type Expected = BTreeMap<String, Arm>;

#[derive(Deserialize)]
struct Arm {
    defects: Vec<Defect>,
    skipped: Vec<String>,
}

#[derive(Deserialize)]
struct Defect {
    id: String,
    scenario: String,
    viewports: Vec<String>,
    /// Words that stand in the scenario's reasons: failing is not enough, it must fail because of the defect.
    says: String,
    /// Scenarios about something else that cannot but stumble over it.
    #[serde(default)]
    also: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    setup::prepare(terminal);
    let home = arguments.output.clone().or_else(|| Some(Environment::read().data?.join("demo")));
    let home = home.unwrap_or_else(|| PathBuf::from("loupe-demo"));
    // What another version unpacked would be part of the study: each has a folder of its own.
    let study = home.join(format!("magazine-{}", &carried::demo_digest()[..8]));
    unpack(&study).map_err(|e| CommandError::disk("write", &study, &e))?;
    let report = home.join("report.html");
    let folder = run::study(&whole(&study, &report, &arguments.browser), terminal)?;
    let surprises = surprises(&Reader::open(&folder)?)?;
    surprises.iter().for_each(|surprise| terminal.error(surprise));
    terminal.result(format_args!("\nThe report is {}\n", report.display()))?;
    if !surprises.is_empty() {
        return Ok(Exit::Fails);
    }
    terminal.result("As it should be: folio and kiosk pass, and every known defect of gloss was found.\n")?;
    Ok(Exit::Holds)
}

/// The arguments of `run`, as if they had been typed.
fn whole(study: &Path, report: &Path, browser: &BrowserArguments) -> run::Arguments {
    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        run: run::Arguments,
    }
    let html = format!("--reporter=list,html={}", report.display());
    let typed = ["run".as_ref(), study.as_os_str(), html.as_ref()];
    let mut run = Alone::parse_from(typed).run;
    run.browser = browser.clone();
    run
}

fn unpack(study: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(study)?;
    for (place, contents) in carried::demo() {
        let path = study.join(place);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, contents)?;
    }
    Ok(())
}

/// Where the run differs from what the study says must be found.
fn surprises(run: &Reader) -> Result<Vec<Diagnostic>, CommandError> {
    let rows: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(carried::DEMO_EXPECTED).expect("a test reads the same file");
    let arm = |(name, row)| serde_json::from_value(row).ok().map(|arm| (name, arm));
    let expected: Expected = rows.into_iter().filter_map(arm).collect();
    let mut unseen: usize = expected.values().flat_map(|arm| &arm.defects).map(|defect| defect.viewports.len()).sum();
    let mut surprises = Vec::new();
    for record in run.cases()? {
        let record = record?;
        let found = defects_of(&expected, &record);
        unseen -= found.len();
        surprises.extend(surprise(&expected, &record, &found));
    }
    if unseen > 0 {
        surprises.push(Diagnostic::new(format!("the demo did not look for {unseen} of its defects")));
    }
    Ok(surprises)
}

/// The defects that this case must notice.
fn defects_of<'a>(expected: &'a Expected, record: &CaseRecord) -> Vec<&'a Defect> {
    let (Some(scenario), Some(arm)) = (&record.case.scenario, expected.get(&record.case.arm)) else {
        return Vec::new();
    };
    let here = |d: &&Defect| d.scenario == *scenario && d.viewports.contains(&record.case.viewport);
    arm.defects.iter().filter(here).collect()
}

fn surprise(expected: &Expected, record: &CaseRecord, defects: &[&Defect]) -> Option<Diagnostic> {
    let scenario = record.case.scenario.clone().unwrap_or_default();
    let arm = expected.get(&record.case.arm);
    let skips = arm.is_some_and(|arm| arm.skipped.contains(&scenario));
    let stumbles = |d: &Defect| d.also.contains(&scenario) && d.viewports.contains(&record.case.viewport);
    let stumbles = arm.is_some_and(|arm| arm.defects.iter().any(stumbles));
    let wanted = match (defects.is_empty() && !stumbles, skips) {
        (true, true) => Outcome::Skipped,
        (true, false) => Outcome::Passed,
        _ => Outcome::Failed,
    };
    let reasons = record.reasons();
    let unsaid = defects.iter().find(|defect| !reasons.contains(&defect.says));
    if record.outcome == wanted && unsaid.is_none() {
        return None;
    }
    let because = unsaid.map_or_else(String::new, |defect| format!(", because of {} (\"{}\")", defect.id, defect.says));
    let title = format!("the demo found something else than it should in {}", record.case);
    Some(
        Diagnostic::new(title)
            .expected(format!("{wanted}{because}"))
            .received(format!("{}\n{reasons}", record.outcome)),
    )
}
