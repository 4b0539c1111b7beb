//! Where `import` and `require` find modules.
//!
//! A module is named by its path below a library, without its ending. The library deliberately decides alone what
//! there is: no engine touches the disk.

use super::source::{Language, Source};
use crate::diag::Diagnostic;
use crate::study;

/// A collection of modules.
pub trait Library {
    /// The module of this file name, which has its ending: `magazine/search.rhai`.
    ///
    /// # Errors
    /// A diagnostic, without a place, for a name that leads out of the library, or that nothing has.
    fn find(&self, name: &str) -> Result<Source, Diagnostic>;
}

impl Library for study::Library {
    fn find(&self, name: &str) -> Result<Source, Diagnostic> {
        let script = Self::find(self, name)?;
        Source::by_name(&script.shown, script.text)
    }
}

/// The file name of the module that a script asked for.
///
/// # Errors
/// A diagnostic if the name has an ending: then it is a file, not a module, or of the other language.
pub(super) fn file_name(module: &str, language: Language) -> Result<String, Diagnostic> {
    match Language::of(module) {
        Some(_) => Err(Diagnostic::new(format!("`{module}` is a file name, not the name of a module")).hint(format!(
            "leave the ending away: {language} finds \"{}\"",
            module.trim_end_matches(".rhai").trim_end_matches(".lua")
        ))),
        None => Ok(format!("{module}.{}", language.extension())),
    }
}
