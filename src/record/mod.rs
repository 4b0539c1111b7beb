//! What a run leaves behind: one line per finished case, its pictures and captures, and the inputs it used.
//!
//! Append-only until the folder is renamed; a folder with `run.json` is complete. Stored formats use relative paths,
//! sorted maps, and tagged enums only. This room deliberately has no clock (ids and times are given), judges nothing,
//! and knows neither browser nor script: words' arguments arrive as JSON.

mod case;
mod observation;
mod outcome;

pub use case::{Case, CaseKey, CaseKind};
pub use observation::{HookState, Observation, What};
pub use outcome::{Attempt, CaseRecord, Outcome, Step, Stored, Verdict};
