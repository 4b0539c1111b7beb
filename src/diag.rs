//! The one shape and the one renderer of errors: file, line, caret, expected, received, call log, hint.
//!
//! It deliberately does not decide what an error means for the exit code or for a verdict; rooms and `cli` do.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::{Deserialize, Serialize};

/// A place in a text that an author wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file as the author named it: relative to the study where it can be.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1; absent where a language only knows lines.
    pub column: Option<usize>,
    /// The text of that line, kept so that the error can be shown later without the file.
    pub text: Option<String>,
}

impl Place {
    /// A place known by line and, perhaps, column; the line's text is cut out of `source`.
    pub fn in_source(file: impl Into<String>, source: &str, line: usize, column: Option<usize>) -> Self {
        let text = source.lines().nth(line.saturating_sub(1)).map(str::to_owned);
        Self { file: file.into(), line, column, text }
    }

    /// The place of byte `offset` in `source`.
    pub fn at_offset(file: impl Into<String>, source: &str, offset: usize) -> Self {
        let mut end = offset.min(source.len());
        while !source.is_char_boundary(end) {
            end -= 1;
        }
        let before = &source[..end];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        Self::in_source(file, source, line, Some(before[start..].chars().count() + 1))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |c| write!(f, ":{c}"))
    }
}

/// One error or warning, told so that its reader can act: what, where, expected, received, what was seen, what to do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// What happened, one sentence without a final full stop.
    pub title: String,
    /// Where.
    pub place: Option<Place>,
    /// A few words under the caret.
    pub label: Option<String>,
    /// What was expected.
    pub expected: Option<String>,
    /// What was seen instead.
    pub received: Option<String>,
    /// What a wait saw, oldest first.
    pub log: Vec<String>,
    /// The calls that led here, innermost first: a name and where it was called.
    pub trace: Vec<(String, Option<Place>)>,
    /// What to do.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic that only has a title yet.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds words under the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds what was expected.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds what was seen instead.
    #[must_use]
    pub fn received(mut self, received: impl Into<String>) -> Self {
        self.received = Some(received.into());
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The text for people; `colour` adds ANSI styles, `level` is the word in front.
    pub fn render(&self, level: Severity, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let level = match level {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(self.title.as_str());
        let group = match self.place.as_ref() {
            Some(place) if place.text.is_some() => {
                Group::with_title(title).element(snippet(place, self.label.as_deref()))
            }
            Some(place) => Group::with_title(title).element(Level::NOTE.message(format!("at {place}"))),
            None => Group::with_title(title),
        };
        let mut text = renderer.render(&[self.with_notes(group)]);
        text.push('\n');
        text
    }

    fn with_notes<'a>(&'a self, mut group: Group<'a>) -> Group<'a> {
        let facts = [("expected", &self.expected), ("received", &self.received)];
        for (name, value) in facts {
            if let Some(value) = value {
                group = group.element(Level::NOTE.with_name(Some(name)).message(value.as_str()));
            }
        }
        if !self.log.is_empty() {
            group = group.element(Level::NOTE.with_name(Some("call log")).message(self.log.join("\n")));
        }
        for (name, place) in &self.trace {
            let place = place.as_ref().map_or_else(|| "?".to_owned(), Place::to_string);
            group = group.element(Level::NOTE.with_name(Some("in")).message(format!("{name} at {place}")));
        }
        for hint in &self.hints {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        group
    }
}

/// How loud a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Work stopped.
    Error,
    /// Work went on.
    Warning,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.title),
            None => f.write_str(&self.title),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// The candidate nearest to `word`, if it is near enough to be worth saying.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(&word.to_lowercase(), &c.to_lowercase()), c))
        .filter(|(distance, c)| *distance <= (c.chars().count().max(word.chars().count()) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}

fn snippet<'a>(place: &'a Place, label: Option<&'a str>) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let text = place.text.as_deref().unwrap_or_default();
    let start = place.column.map_or_else(
        || text.len() - text.trim_start().len(),
        |column| text.char_indices().nth(column - 1).map_or(text.len(), |(i, _)| i),
    );
    let end = match place.column {
        Some(_) => {
            start
                + text[start..]
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || "_.-".contains(*c))
                    .map(char::len_utf8)
                    .sum::<usize>()
                    .max(usize::from(start < text.len()))
        }
        None => text.trim_end().len(),
    };
    let annotation = AnnotationKind::Primary.span(start..end.max(start));
    let annotation = match label {
        Some(label) => annotation.label(label),
        None => annotation,
    };
    Snippet::source(text).line_start(place.line).path(place.file.as_str()).annotation(annotation)
}
