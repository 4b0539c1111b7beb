//! Files that authors write, read as text and as TOML, so that every mistake comes with its place.
//!
//! It deliberately does not know what a study, a brief or a protocol means: the rooms above say which keys they
//! expect, and what a value has to be. A reader goes on after a mistake, so that one look shows all of them.

mod plain;
mod table;
mod text;

use std::cell::RefCell;

use crate::diag::Diagnostic;

pub use plain::{OneOrMore, Plain};
pub use table::{Found, Table, read};
pub use text::Text;
pub(crate) use text::unreadable;

/// The mistakes found so far, in the order in which they were found.
///
/// Shared by reference between the readers of one study: reading goes on with whatever could be read, and the caller
/// asks at the end whether anything was wrong.
#[derive(Debug, Default)]
pub struct Mistakes(RefCell<Vec<Diagnostic>>);

impl Mistakes {
    /// Adds one.
    pub fn add(&self, mistake: Diagnostic) {
        self.0.borrow_mut().push(mistake);
    }

    /// Keeps the value of a success, or adds the mistake.
    pub fn keep<T>(&self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|mistake| self.add(mistake)).ok()
    }

    /// Whether nothing was wrong so far.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// All of them: file after file in the order in which the files were read, and each from its top to its end.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        let mut mistakes = self.0.into_inner();
        let file = |mistake: &Diagnostic| mistake.place.as_ref().map(|place| place.file.clone());
        let files: Vec<Option<String>> = mistakes.iter().map(file).collect();
        mistakes.sort_by_cached_key(|mistake| {
            let name = file(mistake);
            let place = mistake.place.as_ref().map(|place| (place.line, place.column));
            (files.iter().position(|file| *file == name), place)
        });
        mistakes
    }
}
