//! Who checks the checker: known faults, put into pages that are right, and what a flow says then.
//!
//! A flow that passes a page with a fault in it does not check what the fault breaks. A fault is a few lines of script that
//! run in the page before its own (`faults/`); the artifact's files stay as they are. Faults know places of a page by the
//! brief's hooks, under the names of the frontend cohort, and content by the brief's facts. This room deliberately runs
//! nothing: it makes the scripts, says which scenarios are about a fault, and judges the records.

mod faults;
mod judge;
mod matrix;
mod mutant;

pub use faults::{FAULTS, Fault, Kind};
pub use judge::{Verdict, concerned, judge};
pub use matrix::{Matrix, Row, Totals};
pub use mutant::{Mutant, mutants};
