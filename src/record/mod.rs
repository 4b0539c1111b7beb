//! What a run leaves behind: one line per finished case, its pictures and captures, and the inputs it used.
//!
//! Append-only until the folder is renamed; a folder with `run.json` is complete. Stored formats use relative paths,
//! sorted maps, and tagged enums only. This room deliberately has no clock (ids and times are given), judges nothing,
//! and knows neither browser nor script: words' arguments arrive as JSON.

mod audit;
mod case;
mod causes;
mod compare;
mod error;
mod format;
mod loaded;
mod merge;
mod observation;
mod outcome;
mod reader;
mod settings;
mod shelf;
mod totals;
mod used;
mod writer;

pub use audit::{Audit, AuditElement, AuditRule, Scope, Unreached};
pub use case::{Case, CaseKey, CaseKind};
pub use compare::{Cause, CauseKind, Change, Comparison, Direction, Judged, Seen, Sums, compare};
pub use error::Error;
pub use format::FORMAT;
pub use loaded::{Declared, Loaded, LoadedKind};
pub use merge::merge;
pub use observation::{HookState, Observation, What};
pub use outcome::{Attempt, CaseRecord, Outcome, Step, Stored, Verdict};
pub use reader::Reader;
pub use settings::{Browser, Counts, Inputs, RunInfo, Selection, Settings, Shard, TOOL};
pub use shelf::Shelf;
pub use totals::Total;
pub use used::{BriefUsed, FlowUsed, evaluator_shown};
pub use writer::Writer;
