//! One execution over a study: plan, cases, record.
//!
//! Judging a finished run and telling about it are deliberately not done here.

pub mod plan;
