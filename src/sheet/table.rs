//! A TOML table whose reader asks for keys: what was never asked for is unknown, and that is a mistake.
//!
//! The list of known keys is therefore written once, in the code that reads them. It deliberately offers no way to
//! look at keys without naming them.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::plain::describe;
use super::{Mistakes, Plain, Text};
use crate::diag::{Diagnostic, Place, did_you_mean};

/// A value, and where in its file it stands.
#[derive(Debug, Clone)]
pub struct Found<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// A table that is being read.
pub struct Table<'a> {
    text: &'a Text,
    mistakes: &'a Mistakes,
    name: String,
    start: usize,
    entries: &'a DeTable<'a>,
    asked: Vec<&'static str>,
}

/// Parses `text` as TOML and has `reader` read it. Mistakes are added to `mistakes`; a file that is not TOML is not
/// handed to the reader at all.
pub fn read<T>(text: &Text, mistakes: &Mistakes, reader: impl FnOnce(&mut Table<'_>) -> Option<T>) -> Option<T> {
    let root = mistakes.keep(DeTable::parse(&text.body).map_err(|e| not_toml(text, &e)))?;
    Table::new(text, mistakes, format!("`{}`", text.name), 0, root.get_ref()).finish(reader)
}

/// The first thing that is wrong: what follows it is mostly its consequence.
fn not_toml(text: &Text, error: &toml::de::Error) -> Diagnostic {
    let place = text.at(error.span().map_or(0, |span| span.start));
    let message = error.message().lines().collect::<Vec<_>>().join("; ");
    Diagnostic::new(format!("not valid TOML: {message}")).at(place)
}

impl<'a> Table<'a> {
    fn new(text: &'a Text, mistakes: &'a Mistakes, name: String, start: usize, entries: &'a DeTable<'a>) -> Self {
        Self { text, mistakes, name, start, entries, asked: Vec::new() }
    }

    fn finish<T>(mut self, reader: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let result = reader(&mut self);
        for key in self.entries.keys() {
            if !self.asked.contains(&key.get_ref().as_ref()) {
                self.mistakes.add(self.unknown(key));
            }
        }
        result
    }

    /// The value of `key`; `None` if it is absent, or of another kind (which is a mistake).
    pub fn get<T: Plain>(&mut self, key: &'static str) -> Option<Found<T>> {
        let value = self.entry(key)?;
        let place = self.place_of(value);
        match T::from_toml(value.get_ref()) {
            Some(value) => Some(Found { value, place }),
            None => self.wrong_kind(key, T::KIND, value),
        }
    }

    /// The value of `key`, whose absence is a mistake.
    pub fn need<T: Plain>(&mut self, key: &'static str) -> Option<Found<T>> {
        if !self.has(key) {
            self.asked.push(key);
            self.mistakes.add(
                Diagnostic::new(format!("{} has no `{key}`", self.name))
                    .at(self.place())
                    .expected(format!("`{key}` = {}", T::KIND)),
            );
            return None;
        }
        self.get(key)
    }

    /// Has `reader` read the table under `key`, if there is one.
    pub fn table<T>(&mut self, key: &'static str, reader: impl FnOnce(&mut Table<'a>) -> Option<T>) -> Option<T> {
        let value = self.entry(key)?;
        let Some(entries) = value.get_ref().as_table() else {
            return self.wrong_kind(key, "a table", value);
        };
        self.inner(format!("[{key}]"), value, entries).finish(reader)
    }

    /// Has `reader` read every table of the list `[[key]]`, in the order of the file; empty if there is none.
    pub fn tables<T>(&mut self, key: &'static str, reader: impl Fn(&mut Table<'a>) -> Option<T>) -> Vec<T> {
        let Some(value) = self.entry(key) else { return Vec::new() };
        let Some(items) = value.get_ref().as_array() else {
            return self.wrong_kind(key, "a list of tables", value).unwrap_or_default();
        };
        let each = |item: &'a Spanned<DeValue<'a>>| match item.get_ref().as_table() {
            Some(entries) => self.inner(format!("[[{key}]]"), item, entries).finish(&reader),
            None => self.wrong_kind(key, "a list of tables", item),
        };
        items.iter().filter_map(each).collect()
    }

    /// Has `reader` read every table `[key.NAME]`, by name; empty if there is none.
    pub fn named<T>(
        &mut self,
        key: &'static str,
        reader: impl Fn(&str, &mut Table<'a>) -> Option<T>,
    ) -> BTreeMap<String, T> {
        let Some(value) = self.entry(key) else { return BTreeMap::new() };
        let Some(entries) = value.get_ref().as_table() else {
            return self.wrong_kind(key, "a table of tables", value).unwrap_or_default();
        };
        let each = |(name, item): (&'a Spanned<_>, &'a Spanned<DeValue<'a>>)| {
            let name: &str = AsRef::<str>::as_ref(name.get_ref());
            let Some(inner) = item.get_ref().as_table() else {
                return self.wrong_kind(key, "a table of tables", item);
            };
            let table = self.inner(format!("[{key}.{name}]"), item, inner);
            table.finish(|table| reader(name, table)).map(|read| (name.to_owned(), read))
        };
        entries.iter().filter_map(each).collect()
    }

    /// Whether `key` is there at all.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Where the table begins.
    pub fn place(&self) -> Place {
        self.text.at(self.start)
    }

    /// The table in words, as in `[hooks.search]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a mistake.
    pub fn mistake(&self, mistake: Diagnostic) {
        self.mistakes.add(mistake);
    }

    fn entry(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.asked.push(key);
        self.entries.get(key)
    }

    fn inner(&self, name: String, value: &Spanned<DeValue<'_>>, entries: &'a DeTable<'a>) -> Table<'a> {
        Table::new(self.text, self.mistakes, name, value.span().start, entries)
    }

    /// Where a value stands; for a text, its first character and not the quote before it.
    fn place_of(&self, value: &Spanned<DeValue<'_>>) -> Place {
        let start = value.span().start;
        let quoted = self.text.body[start..].starts_with(['"', '\'']);
        self.text.at(start + usize::from(quoted && !value.span().is_empty()))
    }

    fn wrong_kind<T>(&self, key: &str, kind: &str, value: &Spanned<DeValue<'_>>) -> Option<T> {
        self.mistakes.add(
            Diagnostic::new(format!("`{key}` of {} must be {kind}", self.name))
                .at(self.place_of(value))
                .expected(kind)
                .received(describe(value.get_ref())),
        );
        None
    }

    fn unknown(&self, key: &Spanned<std::borrow::Cow<'_, str>>) -> Diagnostic {
        let name = key.get_ref().as_ref();
        let hint = match did_you_mean(name, self.asked.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys known here are {}", self.asked.join(", ")),
        };
        Diagnostic::new(format!("unknown key `{name}` in {}", self.name))
            .at(self.text.at(key.span().start))
            .label("not known here")
            .hint(hint)
    }
}
