//! `loupe mutate`: puts known faults into pages that are right, and says which scenarios notice.
//!
//! First every scenario runs without a fault; only what passes then can notice one. It deliberately keeps no records unless
//! it is told where: they judge the flows, not the artifacts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::cli::engine::Engine;
use crate::cli::environment::Environment;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::progress::Progress;
use crate::cli::terminal::Terminal;
use crate::cli::{BrowserArguments, Format, axe, run as runs};
use crate::diag::Diagnostic;
use crate::mutation::{Kind, Matrix, Mutant, Row, concerned, judge, mutants};
use crate::record::{Case, CaseKey, CaseRecord, Outcome, Reader, Selection};
use crate::run::{self, Injection, News, Orders, Prepared};
use crate::study::Study;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Ask the flows of this study: its folder, or its loupe.toml
    #[arg(default_value = ".")]
    study: PathBuf,
    /// Put faults only into artifacts whose `brief/arm/sample` contains this text (can be repeated)
    #[arg(long, value_name = "SUBSTR", env = "LOUPE_ARTIFACT", hide_env = true, value_delimiter = ',')]
    artifact: Vec<String>,
    /// Put in only faults whose name contains this text (can be repeated)
    #[arg(long, value_name = "SUBSTR", env = "LOUPE_FAULT", hide_env = true, value_delimiter = ',')]
    fault: Vec<String>,
    /// Look only at this viewport (can be repeated)
    #[arg(long, value_name = "VIEWPORT", env = "LOUPE_VIEWPORT", hide_env = true, value_delimiter = ',')]
    viewport: Vec<String>,
    /// Run so many cases at a time
    #[arg(short, long, value_name = "N", env = "LOUPE_JOBS", hide_env = true, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// Keep the records of all runs in this folder
    #[arg(short, long, value_name = "DIR", env = "LOUPE_OUTPUT", hide_env = true)]
    output: Option<PathBuf>,
    /// List the faults, and run nothing
    #[arg(long, env = "LOUPE_LIST", hide_env = true)]
    list: bool,
    /// Tell it in this format
    #[arg(long, value_name = "FORMAT", env = "LOUPE_FORMAT", default_value = "text", hide_env = true)]
    format: Format,
    #[command(flatten)]
    browser: BrowserArguments,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let study = Study::load(&arguments.study)?;
    let mutants = arguments.mutants(&study)?;
    if arguments.list {
        list(&mutants, arguments.format, terminal)?;
        return Ok(Exit::Holds);
    }
    let prepared = Prepared::new(&study)?;
    let cases = arguments.cases(&study, &prepared, &mutants)?;
    let scratch = tempfile::tempdir().map_err(|e| {
        CommandError::harness(Diagnostic::new("no temporary folder could be made").received(e.to_string()))
    })?;
    let folder = arguments.output.as_deref().unwrap_or(scratch.path());
    let engine = Engine::start(&arguments.browser, None, terminal, |server| run::reach(&study, server))?;
    engine.end_at_second_interrupt();
    let lab = Lab { study: &study, prepared: &prepared, engine: &engine, folder, jobs: arguments.jobs };
    terminal.note(format_args!("{} scenarios run without a fault", cases.len()));
    let baseline = lab.run("baseline", cases, None, terminal)?;
    let matrix = lab.matrix(&mutants, &baseline, terminal)?;
    tell(&matrix, arguments.format, terminal)?;
    Ok(exit(&matrix))
}

fn exit(matrix: &Matrix) -> Exit {
    let totals = matrix.totals();
    match (totals.errors, totals.all_noticed()) {
        (0, true) => Exit::Holds,
        (0, false) => Exit::Fails,
        _ => Exit::Harness,
    }
}

fn tell(matrix: &Matrix, format: Format, terminal: &mut Terminal) -> Result<(), CommandError> {
    match format {
        Format::Text => terminal.result(matrix)?,
        Format::Json => {
            let told = serde_json::json!({"totals": matrix.totals(), "rows": matrix.rows});
            terminal.result(format_args!("{told}\n"))?;
        }
    }
    Ok(())
}

fn list(mutants: &[Mutant], format: Format, terminal: &mut Terminal) -> Result<(), CommandError> {
    let wide = mutants.iter().map(|mutant| mutant.name().len()).max().unwrap_or(0);
    for mutant in mutants {
        let (name, kind) = (mutant.name(), mutant.fault.kind);
        match format {
            Format::Text => terminal.result(format_args!("{name:wide$}  {}\n", mutant.says()))?,
            Format::Json => {
                let told = serde_json::json!({"fault": name, "says": mutant.says(), "kind": kind, "topics": mutant.fault.topics});
                terminal.result(format_args!("{told}\n"))?;
            }
        }
    }
    Ok(())
}

impl Arguments {
    fn mutants(&self, study: &Study) -> Result<Vec<Mutant>, CommandError> {
        let all = mutants(study.briefs.values());
        let wanted =
            |mutant: &Mutant| self.fault.is_empty() || self.fault.iter().any(|text| mutant.name().contains(text));
        let chosen: Vec<Mutant> = all.into_iter().filter(wanted).collect();
        if chosen.is_empty() {
            let title = format!("no fault's name contains {}", self.fault.join(" or "));
            return Err(nothing(Diagnostic::new(title).hint("`loupe mutate --list` names them")));
        }
        Ok(chosen)
    }

    /// The scenarios of the chosen artifacts that may have something to say.
    fn cases(&self, study: &Study, prepared: &Prepared, mutants: &[Mutant]) -> Result<BTreeSet<CaseKey>, CommandError> {
        let selection = Selection { viewports: self.viewport.clone(), ..Selection::default() };
        let planned = prepared.plan(study, 0, &selection)?;
        let chosen = |case: &Case| {
            let name = format!("{}/{}/{}", case.brief, case.arm, case.sample);
            self.artifact.is_empty() || self.artifact.iter().any(|text| name.contains(text))
        };
        let topical = |case: &Case| {
            let about = topics(prepared, case);
            mutants.iter().any(|m| {
                m.fault.kind != Kind::Harmful || about.iter().any(|topic| m.fault.topics.contains(&topic.as_str()))
            })
        };
        let keys: BTreeSet<CaseKey> = planned
            .iter()
            .filter(|case| case.scenario.is_some() && chosen(case) && topical(case))
            .map(|case| case.key.clone())
            .collect();
        if keys.is_empty() {
            let title = "no scenario of these artifacts is about these faults";
            return Err(nothing(
                Diagnostic::new(title)
                    .hint("scenarios say what they are about: `scenario(name, #{ about: [\"search\"] }, …)`"),
            ));
        }
        Ok(keys)
    }
}

fn nothing(diagnostic: Diagnostic) -> CommandError {
    CommandError { exit: Exit::Nothing, diagnostics: vec![diagnostic] }
}

/// What the case's scenario is about.
fn topics<'a>(prepared: &'a Prepared, case: &Case) -> &'a [String] {
    let declared = prepared.scenarios(&case.brief).iter().find(|s| Some(&s.title) == case.scenario.as_ref());
    declared.map_or(&[], |scenario| &scenario.about)
}

/// Where faults are put in.
struct Lab<'a> {
    study: &'a Study,
    prepared: &'a Prepared,
    engine: &'a Engine,
    folder: &'a Path,
    jobs: Option<u16>,
}

impl Lab<'_> {
    fn matrix(
        &self,
        mutants: &[Mutant],
        baseline: &[CaseRecord],
        terminal: &mut Terminal,
    ) -> Result<Matrix, CommandError> {
        let mut matrix = Matrix::default();
        let places = self.places(baseline);
        for mutant in mutants {
            let of_place = |passed: &Vec<(&CaseRecord, &[String])>| -> BTreeSet<CaseKey> {
                concerned(mutant, passed).into_iter().map(|record| record.case.key.clone()).collect()
            };
            let chosen: BTreeMap<&Place<'_>, BTreeSet<CaseKey>> =
                places.iter().map(|(place, passed)| (place, of_place(passed))).collect();
            let keys: BTreeSet<CaseKey> = chosen.values().flatten().cloned().collect();
            terminal.note(format_args!("{}: {} scenarios", mutant.name(), keys.len()));
            let records =
                if keys.is_empty() { Vec::new() } else { self.run(&mutant.name(), keys, Some(mutant), terminal)? };
            for (place, keys) in chosen {
                let here: Vec<&CaseRecord> = records.iter().filter(|record| keys.contains(&record.case.key)).collect();
                let [brief, arm, sample, viewport] = place.map(str::to_owned);
                let verdict = judge(mutant, &here);
                let (fault, says, kind) = (mutant.name(), mutant.says(), mutant.fault.kind);
                matrix.rows.push(Row { fault, says, kind, brief, arm, sample, viewport, verdict });
            }
        }
        Ok(matrix)
    }

    /// What passed without a fault, by artifact and viewport; those of which nothing passed are there, too.
    fn places<'a>(&'a self, baseline: &'a [CaseRecord]) -> BTreeMap<Place<'a>, Vec<(&'a CaseRecord, &'a [String])>> {
        let mut places: BTreeMap<Place<'a>, Vec<(&'a CaseRecord, &'a [String])>> = BTreeMap::new();
        for record in baseline {
            let case = &record.case;
            let place = places.entry([&case.brief, &case.arm, &case.sample, &case.viewport]).or_default();
            if record.outcome == Outcome::Passed {
                place.push((record, topics(self.prepared, case)));
            }
        }
        places
    }

    fn run(
        &self,
        name: &str,
        only: BTreeSet<CaseKey>,
        mutant: Option<&Mutant>,
        terminal: &mut Terminal,
    ) -> Result<Vec<CaseRecord>, CommandError> {
        let scripts =
            |mutant: &Mutant| self.study.briefs.iter().map(|(id, brief)| (id.clone(), mutant.script(brief))).collect();
        let removed = |mutant: &Mutant| (mutant.fault.id == "hook-removed").then(|| mutant.hook.clone()).flatten();
        let orders = Orders {
            runs: self.folder.to_owned(),
            id: name.replace(':', "-"),
            started: runs::told(&jiff::ZonedDateTime::now()),
            seed: 0,
            selection: Selection { only: Some(only), ..Selection::default() },
            jobs: self.jobs.map_or_else(runs::usual_jobs, usize::from),
            retries: 1,
            resume: None,
            axe: axe::engine(&Environment::read()),
            injection: mutant.map(|mutant| Injection { scripts: scripts(mutant), removed: removed(mutant) }),
        };
        let mut progress = Progress::new(terminal);
        let mut hear = |news: News<'_>| progress.hear(&news);
        let Engine { server, browsers, interrupt, .. } = self.engine;
        let folder = run::run(self.study, self.prepared, server, browsers, &orders, interrupt, &mut hear);
        progress.end();
        let reader = Reader::open(&folder?)?;
        let records = reader.cases()?.collect::<Result<Vec<_>, _>>()?;
        Ok(records)
    }
}

/// Brief, arm, sample, viewport.
type Place<'a> = [&'a str; 4];
