//! `loupe capture`: a page at rest, frozen at each viewport.
//!
//! The target is run as a study of its own whose brief asks for nothing, so that what is stored is a run like any other:
//! `loupe report` tells about it. It deliberately has no way of capturing beside that of runs.

use std::path::{Path, PathBuf};

use crate::capture::{Picture, store};
use crate::cli::BrowserArguments;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::run::{carry_out, told, usual_jobs};
use crate::cli::terminal::Terminal;
use crate::diag::Diagnostic;
use crate::record::{CaseRecord, Reader, Selection};
use crate::run::{Orders, Prepared};
use crate::study::{self, Study};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Capture this: a folder, an html file, or an address
    target: String,
    /// Keep the captures in this folder, which must not exist yet
    #[arg(short, long, value_name = "DIR", env = "LOUPE_OUTPUT", hide_env = true)]
    output: PathBuf,
    /// Capture only at this viewport of the default protocol (can be repeated)
    #[arg(long, value_name = "VIEWPORT", env = "LOUPE_VIEWPORT", hide_env = true, value_delimiter = ',')]
    viewport: Vec<String>,
    #[command(flatten)]
    browser: BrowserArguments,
}

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let study = Study::of_target(study::target(&arguments.target).map_err(CommandError::mistake)?);
    let prepared = Prepared::new(&study)?;
    let orders = arguments.orders()?;
    let folder = carry_out(&study, &prepared, &orders, &arguments.browser, None, terminal)
        .map_err(|why| stopped(why, &arguments.output))?;
    let run = Reader::open(&folder)?;
    for record in run.cases()? {
        tell(&run, &record?, terminal)?;
    }
    Ok(Exit::of(&run))
}

impl Arguments {
    fn orders(&self) -> Result<Orders, CommandError> {
        let Some(name) = self.output.file_name().and_then(|name| name.to_str()) else {
            let mistake = Diagnostic::new("the captures need a folder of their own");
            return Err(CommandError::mistake(
                mistake
                    .expected("the name of a folder that does not exist yet, after -o")
                    .received(self.output.display().to_string()),
            ));
        };
        Ok(Orders {
            runs: self.output.parent().unwrap_or(&self.output).to_owned(),
            id: name.to_owned(),
            started: told(&jiff::ZonedDateTime::now()),
            seed: 0,
            selection: Selection { viewports: self.viewport.clone(), ..Selection::default() },
            jobs: usual_jobs(),
            retries: 1,
            resume: None,
            axe: Err("a capture is not audited".to_owned()),
            injection: None,
        })
    }
}

/// What was stored for one viewport, or why nothing was.
fn tell(run: &Reader, record: &CaseRecord, terminal: &mut Terminal) -> Result<(), CommandError> {
    record.diagnostic.iter().for_each(|why| terminal.error(why));
    for stored in record.captures.iter().chain(&record.pictures) {
        let path = run.folder().join(&stored.path);
        terminal.result(format_args!(
            "{:<10} {:<16} {}\n",
            record.case.viewport,
            record.case.labelled(&stored.name),
            path.display()
        ))?;
    }
    for stored in &record.captures {
        let capture = store::read(&run.folder().join(&stored.path))
            .map_err(|e| CommandError::harness(Diagnostic::new(format!("cannot read back the capture: {e}"))))?;
        if let Some(Picture { cut_from: Some(height), shows, .. }) = capture.pictures.full {
            let cut = Diagnostic::new(format!("the full picture at {} is cut", record.case.viewport));
            terminal.warning(&cut.expected(format!("{height} px")).received(format!("the first {} px", shows[3])));
        }
    }
    Ok(())
}

/// Captures are begun anew, not resumed: there is no study to resume them with.
fn stopped(mut why: CommandError, output: &Path) -> CommandError {
    if why.exit == Exit::Interrupted {
        why.diagnostics = vec![
            Diagnostic::new(format!("interrupted; what was captured is in {}.partial", output.display()))
                .hint("remove that folder to capture again"),
        ];
    }
    why
}
