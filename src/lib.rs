//! `loupe` examines generated user interfaces in a real Chromium.
//!
//! The house has six floors; imports only go down (`tests/tidy.rs` reads the `use crate::` lines and enforces it):
//!
//! ```text
//! 5 face     cli/                          one command, one file; the only room that prints, reads env, exits
//! 4 work     run/  report/  mutation/      plan -> cases -> record · records -> bytes (report sees floors 0-1 only) ·
//!                                          known faults, and who noticed them
//! 3 words    api/                          the words scripts may say: one table of plain data per module
//! 2 engines  script/  browser/  serve/     Rhai+Lua, knows no browser · Chromium over CDP, knows no script · artifacts
//! 1 nouns    study/  protocol/  record/  capture/
//! 0 ground   stats/  diag  sheet/         arithmetic · the one shape of errors · files that authors write
//! ```

pub mod api;
pub mod browser;
pub mod capture;
pub mod cli;
pub mod diag;
pub mod mutation;
pub mod protocol;
pub mod record;
pub mod report;
pub mod run;
pub mod script;
pub mod serve;
pub mod sheet;
pub mod stats;
pub mod study;
