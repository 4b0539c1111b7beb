//! A script as a text with a name and a language.
//!
//! It deliberately reads no file: whoever finds scripts brings their text.

use std::path::Path;
use std::sync::Arc;

use crate::diag::{Diagnostic, Place};

/// The two script languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// Rhai, files ending in `.rhai`.
    Rhai,
    /// Lua 5.4, files ending in `.lua`.
    Lua,
}

impl Language {
    /// The ending of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Rhai => "rhai",
            Self::Lua => "lua",
        }
    }

    /// The language of a file name, by its ending.
    pub fn of(name: &str) -> Option<Self> {
        match Path::new(name).extension()?.to_str()? {
            "rhai" => Some(Self::Rhai),
            "lua" => Some(Self::Lua),
            _ => None,
        }
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Rhai => "Rhai",
            Self::Lua => "Lua",
        })
    }
}

/// A script. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    /// Where each line begins, so that a place costs no search through the text.
    lines: Arc<[usize]>,
    language: Language,
}

impl Source {
    /// A script in `language`; `name` is what errors call it.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>, language: Language) -> Self {
        let text = text.into();
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { name: name.into(), text, lines, language }
    }

    /// A script in the language that the ending of `name` says.
    ///
    /// # Errors
    /// A diagnostic if the ending is neither `.rhai` nor `.lua`.
    pub fn by_name(name: &str, text: impl Into<Arc<str>>) -> Result<Self, Diagnostic> {
        match Language::of(name) {
            Some(language) => Ok(Self::new(name, text, language)),
            None => Err(Diagnostic::new(format!("`{name}` is in no language that loupe knows"))
                .expected("a file that ends in .rhai or .lua")),
        }
    }

    /// What errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it says.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text of a line, counted from 1.
    pub fn line(&self, line: usize) -> Option<&str> {
        let start = *self.lines.get(line.checked_sub(1)?)?;
        let end = self.lines.get(line).map_or(self.text.len(), |next| next - 1);
        Some(self.text[start..end].trim_end_matches('\r'))
    }

    /// A place in it, with the text of the line.
    pub fn place(&self, line: usize, column: Option<usize>) -> Place {
        Place { file: self.name.to_string(), line, column, text: self.line(line).map(str::to_owned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_either_kind_of_line_end() {
        let source = Source::new("x.lua", "one\r\ntwo\n\nfour", Language::Lua);
        let lines: Vec<_> = (0..6).map(|n| source.line(n)).collect();
        assert_eq!(lines, [None, Some("one"), Some("two"), Some(""), Some("four"), None]);
    }

    #[test]
    fn the_ending_says_the_language() {
        assert_eq!(Source::by_name("a/b.rhai", "").map(|s| s.language()), Ok(Language::Rhai));
        assert_eq!(Source::by_name("b.lua", "").map(|s| s.language()), Ok(Language::Lua));
        assert!(Source::by_name("b.js", "").is_err());
    }
}
