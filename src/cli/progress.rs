//! How far a run is: a bar with an estimate on a terminal, and nothing elsewhere.
//!
//! It deliberately tells no verdict in detail; the reporters do, when the run is over.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::terminal::{Loudness, Terminal};
use crate::record::Outcome;
use crate::run::News;

/// The progress of one run.
pub(super) struct Progress {
    bar: ProgressBar,
    bad: u64,
    errors: u64,
}

impl Progress {
    /// A bar on stderr, if that is a terminal and nobody asked for quiet.
    pub fn new(terminal: &Terminal) -> Self {
        let shown = std::io::stderr().is_terminal() && !matches!(terminal.loudness(), Loudness::Quiet);
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{bar:32} {pos}/{len} {msg} {elapsed} (about {eta} left)");
        bar.set_style(style.expect("the template names only what indicatif knows"));
        Self { bar, bad: 0, errors: 0 }
    }

    /// Takes the news in.
    pub fn hear(&mut self, news: &News<'_>) {
        match news {
            News::Planned(left, before) => {
                self.bar.set_length((left + before) as u64);
                self.bar.set_position(*before as u64);
                self.bar.reset_eta();
                self.bar.enable_steady_tick(Duration::from_millis(200));
            }
            News::Finished(record) => {
                self.bad += u64::from(matches!(record.outcome, Outcome::Failed | Outcome::Contract));
                self.errors += u64::from(record.outcome == Outcome::Error);
                self.bar.inc(1);
                self.bar.set_message(match (self.bad, self.errors) {
                    (bad, 0) => format!("{bad} not passed ·"),
                    (bad, errors) => format!("{bad} not passed, {errors} errors ·"),
                });
            }
        }
    }

    /// Clears the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
