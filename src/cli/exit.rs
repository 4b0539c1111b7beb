//! The exit codes: what a script around `loupe` may branch on.
//!
//! Of errors it deliberately does not decide which one applies: `cli::error` does.

use std::process::ExitCode;

use crate::record::{Outcome, Reader};

/// How a command ended. The numbers are part of the interface and never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: the work was done and every gate holds.
    Holds,
    /// 1: the artifacts fail a gate.
    Fails,
    /// 2: the author's mistake: arguments, study, brief, script.
    Mistake,
    /// 3: a harness error: browser, server, disk; the verdict is incomplete.
    Harness,
    /// 4: the selection matches nothing.
    Nothing,
    /// 5: the evidence does not suffice for a verdict.
    Insufficient,
    /// 130: interrupted; what was finished is kept and can be resumed.
    Interrupted,
}

impl Exit {
    /// Every code with its number and meaning, in order; help and the README show this table.
    pub const ALL: [(Self, u8, &'static str); 7] = [
        (Self::Holds, 0, "the work was done and every gate holds"),
        (Self::Fails, 1, "the artifacts fail a gate"),
        (Self::Mistake, 2, "the author's mistake: arguments, study, brief, script"),
        (Self::Harness, 3, "a harness error: browser, server, disk; the verdict is incomplete"),
        (Self::Nothing, 4, "the selection matches nothing"),
        (Self::Insufficient, 5, "the evidence does not suffice for a verdict"),
        (Self::Interrupted, 130, "interrupted; what was finished is kept and can be resumed"),
    ];

    /// The number the system gets.
    pub fn code(self) -> u8 {
        Self::ALL.iter().find(|(exit, ..)| *exit == self).expect("the table has every variant").1
    }

    /// What a run's record deserves. What is ours comes first: with cases missing or broken the verdict is not complete,
    /// however many artifacts have failed already.
    pub fn of(run: &Reader) -> Self {
        let ended = |outcome| run.totals().iter().any(|total| total.of(outcome) > 0);
        if run.info().is_none() || ended(Outcome::Error) {
            Self::Harness
        } else if ended(Outcome::Failed) || ended(Outcome::Contract) {
            Self::Fails
        } else {
            Self::Holds
        }
    }

    /// The table of codes as text for help pages, one line each.
    pub fn table() -> String {
        Self::ALL.iter().map(|(_, code, meaning)| format!("  {code:>3}  {meaning}\n")).collect()
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
