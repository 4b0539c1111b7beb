//! `loupe run`: one execution over a study.
//!
//! It deliberately judges nothing: the record says how cases ended, and `Exit::of` what that means.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::cli::axe;
use crate::cli::engine::Engine;
use crate::cli::environment::Environment;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::progress::Progress;
use crate::cli::report::Reporters;
use crate::cli::terminal::Terminal;
use crate::cli::{BrowserArguments, Format};
use crate::diag::Diagnostic;
use crate::record::{CaseKey, Reader, Selection, Shard};
use crate::run::{self, News, Orders, Prepared};
use crate::study::Study;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Arguments {
    /// Run this study: its folder, or its loupe.toml
    #[arg(default_value = ".")]
    pub study: PathBuf,
    #[command(flatten)]
    selection: SelectionArguments,
    /// Run so many cases at a time
    #[arg(short, long, value_name = "N", env = "LOUPE_JOBS", hide_env = true, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// Go on with this interrupted run
    #[arg(long, value_name = "RUN", env = "LOUPE_RESUME", hide_env = true)]
    resume: Option<PathBuf>,
    /// Try a case again so often after trouble that is not the artifact's
    #[arg(long, value_name = "N", env = "LOUPE_RETRIES", default_value_t = 1, hide_env = true)]
    retries: u32,
    /// Derive the seeds of all cases from this number
    #[arg(long, value_name = "N", env = "LOUPE_SEED", default_value_t = 0, hide_env = true)]
    seed: u64,
    /// Serve artifacts on this port instead of any free one
    #[arg(long, value_name = "PORT", env = "LOUPE_PORT", hide_env = true)]
    port: Option<u16>,
    /// Keep the record in this folder instead of the study's `runs`
    #[arg(short, long, value_name = "DIR", env = "LOUPE_OUTPUT", hide_env = true)]
    pub output: Option<PathBuf>,
    /// List the cases that would run, and run none
    #[arg(long, env = "LOUPE_LIST", hide_env = true)]
    list: bool,
    /// List in this format
    #[arg(long, value_name = "FORMAT", env = "LOUPE_FORMAT", default_value = "text", hide_env = true)]
    format: Format,
    #[command(flatten)]
    reporters: Reporters,
    #[command(flatten)]
    pub browser: BrowserArguments,
}

/// Which cases a run consists of.
#[derive(Debug, Default, clap::Args)]
struct SelectionArguments {
    /// Run only cases whose scenario, arm or brief contains this text
    #[arg(short = 'k', long = "keyword", value_name = "SUBSTR", env = "LOUPE_KEYWORD", hide_env = true)]
    keyword: Option<String>,
    /// Run only this arm (can be repeated)
    #[arg(long, value_name = "ARM", env = "LOUPE_ARM", hide_env = true, value_delimiter = ',')]
    arm: Vec<String>,
    /// Run only this brief (can be repeated)
    #[arg(long, value_name = "BRIEF", env = "LOUPE_BRIEF", hide_env = true, value_delimiter = ',')]
    brief: Vec<String>,
    /// Run only at this viewport (can be repeated)
    #[arg(long, value_name = "VIEWPORT", env = "LOUPE_VIEWPORT", hide_env = true, value_delimiter = ',')]
    viewport: Vec<String>,
    /// Run only the K-th of N parts
    #[arg(long, value_name = "K/N", env = "LOUPE_SHARD", hide_env = true)]
    shard: Option<Shard>,
    /// Run only what did not pass in the newest run
    #[arg(long, env = "LOUPE_LAST_FAILED", hide_env = true)]
    last_failed: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    if arguments.list {
        return list(arguments, terminal);
    }
    let folder = study(arguments, terminal)?;
    Ok(Exit::of(&Reader::open(&folder)?))
}

/// Runs the study, tells about it in every way that was asked for, and returns the folder of its record.
pub(super) fn study(arguments: &Arguments, terminal: &mut Terminal) -> Result<PathBuf, CommandError> {
    let study = Study::load(&arguments.study)?;
    let prepared = Prepared::new(&study)?;
    let orders = arguments.orders(&study)?;
    warn_of_missing(&study, terminal);
    let folder = carry_out(&study, &prepared, &orders, &arguments.browser, arguments.port, terminal)?;
    arguments.reporters.write(&Reader::open(&folder)?, terminal)?;
    terminal.note(format_args!("the record is {}", folder.display()));
    Ok(folder)
}

/// Brings the machinery up, runs what was ordered while a bar tells how far it is, and returns the folder of the record.
pub(super) fn carry_out(
    study: &Study,
    prepared: &Prepared,
    orders: &Orders,
    browser: &BrowserArguments,
    port: Option<u16>,
    terminal: &mut Terminal,
) -> Result<PathBuf, CommandError> {
    // A mistake in the selection should not cost the start of a browser.
    prepared.plan(study, orders.seed, &orders.selection)?;
    let engine = Engine::start(browser, port, terminal, |server| run::reach(study, server))?;
    engine.end_at_second_interrupt();
    let mut progress = Progress::new(terminal);
    let mut hear = |news: News<'_>| progress.hear(&news);
    let folder = run::run(study, prepared, &engine.server, &engine.browsers, orders, &engine.interrupt, &mut hear);
    progress.end();
    Ok(folder?)
}

fn list(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let study = Study::load(&arguments.study)?;
    let orders = arguments.orders(&study)?;
    for case in Prepared::new(&study)?.plan(&study, orders.seed, &orders.selection)? {
        let condition = study.briefs.get(&case.brief).and_then(|brief| brief.condition.as_deref());
        match arguments.format {
            Format::Text => {
                let condition = condition.map(|condition| format!(" ({condition})")).unwrap_or_default();
                terminal.result(format_args!("{}  {case}{condition}\n", case.key))?;
            }
            Format::Json => {
                let mut line = serde_json::to_value(&case).expect("a case is plain data");
                line["condition"] = condition.into();
                terminal.result(format_args!("{line}\n"))?;
            }
        }
    }
    Ok(Exit::Holds)
}

impl Arguments {
    /// A resumed run keeps the seed and the selection that it began with.
    fn orders(&self, study: &Study) -> Result<Orders, CommandError> {
        let runs = self.output.clone().unwrap_or_else(|| run::home(study));
        let (seed, selection) = match &self.resume {
            Some(folder) => {
                let began = Reader::open(folder)?.inputs().settings.clone();
                self.must_agree(began.seed, &began.selection, &runs)?;
                (began.seed, began.selection)
            }
            None => (self.seed, self.selection.chosen(&runs)?),
        };
        let now = jiff::ZonedDateTime::now();
        Ok(Orders {
            runs,
            id: format!("{}-{}", now.strftime("%Y%m%d-%H%M%S"), short_hash(&now, &study.name)),
            started: told(&now),
            seed,
            selection,
            jobs: self.jobs.map_or_else(usual_jobs, usize::from),
            retries: self.retries,
            resume: self.resume.clone(),
            axe: axe::engine(&Environment::read()),
            injection: None,
        })
    }

    /// What is said again when a run is resumed must be what it began with: otherwise it would be silently ignored.
    fn must_agree(&self, seed: u64, selection: &Selection, runs: &Path) -> Result<(), CommandError> {
        let again = self.selection.chosen(runs)?;
        let same_cases = again == Selection::default() || again == *selection;
        if same_cases && (self.seed == 0 || self.seed == seed) {
            return Ok(());
        }
        Err(CommandError::mistake(
            Diagnostic::new("a resumed run keeps the seed and the cases that it began with")
                .expected("no other --seed, -k, --arm, --brief, --viewport, --shard or --last-failed beside --resume")
                .hint("leave them out, or start a new run without --resume"),
        ))
    }
}

impl SelectionArguments {
    fn chosen(&self, runs: &Path) -> Result<Selection, CommandError> {
        Ok(Selection {
            contains: self.keyword.clone(),
            arms: self.arm.clone(),
            briefs: self.brief.clone(),
            viewports: self.viewport.clone(),
            only: if self.last_failed { Some(failed_before(runs)?) } else { None },
            shard: self.shard,
        })
    }
}

fn failed_before(runs: &Path) -> Result<BTreeSet<CaseKey>, CommandError> {
    let Some(newest) = run::newest(runs) else {
        let seen = format!("no complete run in {}", runs.display());
        return Err(CommandError::mistake(
            Diagnostic::new("--last-failed needs a complete run before this one")
                .received(seen)
                .hint("run once without it, or say where the runs are with -o"),
        ));
    };
    let failed = Reader::open(&newest)?.failed_keys();
    if failed.is_empty() {
        let title = format!("nothing failed in {}", newest.display());
        return Err(CommandError { exit: Exit::Nothing, diagnostics: vec![Diagnostic::new(title)] });
    }
    Ok(failed)
}

/// A moment as records tell it.
pub(super) fn told(moment: &jiff::ZonedDateTime) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// An arm that nothing was found of may be one that is still to come, or a folder in the wrong place.
fn warn_of_missing(study: &Study, terminal: &mut Terminal) {
    for arm in study.arms.keys().filter(|arm| !study.artifacts.iter().any(|a| a.arm == **arm)) {
        terminal.warning(
            &Diagnostic::new(format!("there is no artifact of the arm `{arm}`"))
                .hint("`artifacts` in loupe.toml says where they are looked for"),
        );
    }
}

/// Two runs begun in one second need two names, of which the later one is the greater.
fn short_hash(now: &jiff::ZonedDateTime, name: &str) -> String {
    let text = format!("{name} {} {}", now.timestamp().as_nanosecond(), std::process::id());
    format!("{:03}{}", now.millisecond(), &crate::study::sha256(text.as_bytes())[..3])
}

/// Two jobs a core, because cases mostly wait; but not more than a browser can use.
pub(super) fn usual_jobs() -> usize {
    std::thread::available_parallelism().map_or(4, |cores| 2 * cores.get()).clamp(2, 12)
}
