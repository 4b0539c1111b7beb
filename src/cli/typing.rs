//! The line editor of the REPL: completion and hints from the table of words, and a history.
//!
//! It deliberately evaluates nothing.

use std::path::Path;
use std::sync::Arc;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::api::Host;
use crate::cli::error::CommandError;
use crate::diag::Diagnostic;
use crate::script::{Language, Vocabulary};

/// A line editor that knows the words.
pub(super) struct Editor(rustyline::Editor<Words, DefaultHistory>);

/// Makes the editor; `history` is read if it is there.
pub(super) fn editor(
    vocabulary: &Arc<Vocabulary<Host>>,
    language: Language,
    history: Option<&Path>,
) -> Result<Editor, CommandError> {
    // Several candidates are listed, not tried one after another.
    let manner = rustyline::Config::builder().completion_type(rustyline::CompletionType::List).build();
    let mut editor = rustyline::Editor::with_config(manner)
        .map_err(|e| CommandError::harness(Diagnostic::new("cannot use this terminal").received(e.to_string())))?;
    editor.set_helper(Some(Words { vocabulary: Arc::clone(vocabulary), language, defined: Vec::new() }));
    if let Some(history) = history {
        // A first session has none; an unreadable one costs nothing but itself.
        let _ = editor.load_history(history);
    }
    Ok(Editor(editor))
}

impl Editor {
    /// Reads one line.
    pub fn line(&mut self, prompt: &str) -> Result<String, ReadlineError> {
        let line = self.0.readline(prompt)?;
        let _ = self.0.add_history_entry(&line);
        Ok(line)
    }

    /// Completes these names, too.
    pub fn learn(&mut self, defined: Vec<String>) {
        if let Some(words) = self.0.helper_mut() {
            words.defined = defined;
        }
    }

    /// Writes the history down.
    pub fn keep(&mut self, history: Option<&Path>) {
        let Some(history) = history else { return };
        // A history that cannot be kept is no reason to end badly.
        let _ = history.parent().map(std::fs::create_dir_all);
        let _ = self.0.save_history(history);
    }
}

struct Words {
    vocabulary: Arc<Vocabulary<Host>>,
    language: Language,
    defined: Vec<String>,
}

/// Where the name under the cursor begins.
fn name_start(line: &str) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == ':';
    line.char_indices().rev().take_while(|(_, c)| is_name(*c)).last().map_or(line.len(), |(i, _)| i)
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let start = name_start(&line[..at]);
        let begun = &line[start..at];
        let mut found = self.vocabulary.completions(begun);
        found.extend(self.defined.iter().filter(|name| name.starts_with(begun)).cloned());
        if start == 0 && begun.starts_with(':') {
            let commands = [":help ", ":shot ", ":save ", ":quit"];
            found.extend(commands.iter().filter(|c| c.starts_with(begun)).map(ToString::to_string));
        }
        Ok((start, found))
    }
}

impl Hinter for Words {
    type Hint = String;

    /// After an opening parenthesis, the word's parameters.
    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<String> {
        let begun = line.get(..at)?.strip_suffix('(').filter(|_| at == line.len())?;
        let word = self.vocabulary.find(&begun[name_start(begun)..])?;
        word.call_in(self.language).split_once('(').map(|(_, parameters)| parameters.to_owned())
    }
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
