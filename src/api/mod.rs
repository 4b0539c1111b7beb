//! The words that scripts may say, one table of plain data per module.
//!
//! From these tables come both languages' bindings, the errors about arguments, `scripts/API.md`, the editor stubs,
//! and the REPL's help; nothing describes a word a second time. Tables deliberately hold no logic: a word's function is
//! the few lines below it, and what it does to a page is the browser's room.

mod access;
mod action;
mod audit;
mod capturing;
mod expectation;
mod flow;
mod host;
mod navigation;
mod notebook;
mod reading;
mod reply;
mod rows;
mod statistics;

use crate::script::{Value, Vocabulary};

pub use host::{Host, Live, Waits};
pub use navigation::{address, origin_of};
pub use notebook::{Notebook, Taken};
pub use reply::whose;

/// Every word, with the constants of one case: the brief's facts, the brief, and the viewport.
pub fn vocabulary(facts: Value, brief: Value, viewport: Value) -> Vocabulary<Host> {
    Vocabulary::new(&[
        flow::WORDS,
        navigation::WORDS,
        action::WORDS,
        reading::WORDS,
        expectation::WORDS,
        access::WORDS,
        audit::WORDS,
        capturing::WORDS,
        statistics::WORDS,
    ])
    .with("facts", facts)
    .with("brief", brief)
    .with("viewport", viewport)
}
