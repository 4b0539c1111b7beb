//! The room of the browser: everything that speaks to a Chromium.
//!
//! It deliberately knows no script and no record.

pub mod agent;
pub mod find;
pub mod locator;
