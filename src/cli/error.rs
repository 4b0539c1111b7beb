//! The one conversion of every room's errors into a diagnostic and an exit code.
//!
//! It deliberately prints nothing and adds no words of its own to what a room said, except where a room cannot know
//! what its error means to the person at the terminal.

use std::path::Path;

use crate::cli::exit::Exit;
use crate::diag::Diagnostic;
use crate::record;
use crate::run;

/// Why a command stopped: what to show, and what to tell the system.
#[derive(Debug)]
pub struct CommandError {
    /// The code to end with.
    pub exit: Exit,
    /// What is shown on stderr, one after the other. A study has all its mistakes told at once.
    pub diagnostics: Vec<Diagnostic>,
}

impl CommandError {
    /// The author's mistake: exit 2.
    pub fn mistake(diagnostic: Diagnostic) -> Self {
        Self { exit: Exit::Mistake, diagnostics: vec![diagnostic] }
    }

    /// Ours, or the machine's: exit 3.
    pub fn harness(diagnostic: Diagnostic) -> Self {
        Self { exit: Exit::Harness, diagnostics: vec![diagnostic] }
    }

    /// A file or folder could not be used: exit 3. `doing` completes "cannot …", such as `read`.
    pub fn disk(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        Self::harness(Diagnostic::new(format!("cannot {doing} `{}`", path.display())).received(error.to_string()))
    }
}

impl From<record::Error> for CommandError {
    /// What a caller named wrongly or combined wrongly is a mistake; what the disk did is not.
    fn from(error: record::Error) -> Self {
        let exit = match error {
            record::Error::NotARun { .. }
            | record::Error::Exists { .. }
            | record::Error::Complete { .. }
            | record::Error::Unfinished { .. }
            | record::Error::Differs { .. }
            | record::Error::Older { .. }
            | record::Error::Strangers { .. }
            | record::Error::Name { .. } => Exit::Mistake,
            record::Error::Disk { .. }
            | record::Error::Busy { .. }
            | record::Error::Format { .. }
            | record::Error::Damaged { .. } => Exit::Harness,
        };
        let near = match &error {
            record::Error::NotARun { path } => run::newest(path).or_else(|| run::newest(&path.join("runs"))),
            _ => None,
        };
        let mut diagnostic = Diagnostic::from(error);
        if let Some(near) = near {
            diagnostic.hints = vec![format!("the newest run in it is {}", near.display())];
        }
        Self { exit, diagnostics: vec![diagnostic] }
    }
}

impl From<Vec<Diagnostic>> for CommandError {
    /// A study, its scripts, or its hooks are wrong.
    fn from(mistakes: Vec<Diagnostic>) -> Self {
        Self { exit: Exit::Mistake, diagnostics: mistakes }
    }
}

impl From<run::Error> for CommandError {
    fn from(error: run::Error) -> Self {
        match error {
            run::Error::Mistakes(mistakes) => mistakes.into(),
            run::Error::Nothing(why) => Self { exit: Exit::Nothing, diagnostics: vec![*why] },
            run::Error::Harness(why) => Self::harness(*why),
            run::Error::Record(error) => error.into(),
            run::Error::Interrupted(folder) => Self {
                exit: Exit::Interrupted,
                diagnostics: vec![
                    Diagnostic::new("interrupted; what was found is kept")
                        .hint(format!("`loupe run --resume {}` goes on from there", folder.display())),
                ],
            },
        }
    }
}
