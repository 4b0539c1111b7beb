//! What a person asks about a word: its text of help, examples in a language, and how a name goes on.
//!
//! It deliberately holds no text of its own about any word: the descriptions do.

use super::source::Language;
use super::value::Value;
use super::vocabulary::Vocabulary;
use super::word::{Call, Example, Kind, Param, Word};

impl<H: 'static> Vocabulary<H> {
    /// The word of this name: `page.click`, `scenario`.
    pub fn find(&self, name: &str) -> Option<&'static Word<H>> {
        let (module, name) = name.split_once('.').unwrap_or(("", name));
        self.words_of(module).find(|word| word.name == name)
    }

    /// The names that go on from `start`: modules, words and constants, or after a dot the words of a module.
    pub fn completions(&self, start: &str) -> Vec<String> {
        let names: Vec<String> = match start.split_once('.') {
            Some((module, _)) => self.words_of(module).map(Word::full_name).collect(),
            None => self.names().into_iter().map(str::to_owned).collect(),
        };
        names.into_iter().filter(|name| name.starts_with(start)).collect()
    }
}

impl<H> Word<H> {
    /// The call as it is written in a language, with the names of its options: `page.click(locator, [#{ timeout }])`.
    pub fn call_in(&self, language: Language) -> String {
        let params: Vec<_> = self.params.iter().map(|param| param_in(param, language)).collect();
        format!("{}({})", self.full_name(), params.join(", "))
    }

    /// The text of help: call, description, parameters, result, examples.
    pub fn help(&self, language: Language) -> String {
        let mut text = format!("{}\n\n{}\n", self.signature(), self.doc);
        let width = self.params.iter().map(|param| param.name.len()).max().unwrap_or_default();
        if !self.params.is_empty() {
            text.push('\n');
        }
        for param in self.params {
            text += &format!("  {:width$}  {}{}\n", param.name, param.kind, described(param));
            if let Kind::Options(keys) = param.kind {
                for key in keys {
                    text += &format!("  {:width$}    {}: {}{}\n", "", key.name, key.kind, described(key));
                }
            }
        }
        if !matches!(self.returns, Kind::Nothing) {
            text += &format!("\nReturns {}.\n", self.returns);
        }
        for example in self.examples {
            text += &format!("\n  {}\n", self.example(example, language));
        }
        text
    }

    /// An example as it is written in a language; a word that takes a function gets an empty one.
    pub fn example(&self, example: &Example, language: Language) -> String {
        let mut args: Vec<_> = example
            .args
            .iter()
            .map(|arg| {
                serde_json::from_str(arg)
                    .map_or_else(|_| (*arg).to_owned(), |json: serde_json::Value| literal(&json.into(), language))
            })
            .collect();
        if let Call::Block(_) = self.call {
            args.push(function_in(language).to_owned());
        }
        let end = if language == Language::Rhai { ";" } else { "" };
        format!("{}({}){end}", self.full_name(), args.join(", "))
    }
}

fn described(param: &Param) -> String {
    let optional = if param.optional { ", optional" } else { "" };
    match param.doc {
        "" => optional.to_owned(),
        doc => format!("{optional}: {doc}"),
    }
}

fn param_in(param: &Param, language: Language) -> String {
    let text = match param.kind {
        Kind::Options(keys) => {
            let names: Vec<_> = keys.iter().map(|key| key.name).collect();
            match language {
                Language::Rhai => format!("#{{ {} }}", names.join(", ")),
                Language::Lua => format!("{{ {} }}", names.join(", ")),
            }
        }
        Kind::Function => function_in(language).to_owned(),
        _ => param.name.to_owned(),
    };
    if param.optional { format!("[{text}]") } else { text }
}

fn function_in(language: Language) -> &'static str {
    match language {
        Language::Rhai => "|| { … }",
        Language::Lua => "function() … end",
    }
}

/// A value as it is written in a language.
pub fn literal(value: &Value, language: Language) -> String {
    let is_rhai = language == Language::Rhai;
    match value {
        Value::Null => if is_rhai { "()" } else { "nil" }.to_owned(),
        Value::List(items) => {
            let items = items.iter().map(|item| literal(item, language)).collect::<Vec<_>>().join(", ");
            match is_rhai {
                true => format!("[{items}]"),
                false => braces("{", &items),
            }
        }
        Value::Map(map) => {
            let between = if is_rhai { ": " } else { " = " };
            let entry = |(name, item): (&String, &Value)| {
                format!("{}{between}{}", key(name, language), literal(item, language))
            };
            let entries = map.iter().map(entry).collect::<Vec<_>>().join(", ");
            braces(if is_rhai { "#{" } else { "{" }, &entries)
        }
        // Strings of JSON are strings of both languages, but for escapes that examples do not use.
        plain => plain.to_string(),
    }
}

fn braces(open: &str, inside: &str) -> String {
    match inside {
        "" => format!("{open}}}"),
        inside => format!("{open} {inside} }}"),
    }
}

fn key(name: &str, language: Language) -> String {
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_numeric());
    match language {
        _ if is_name => name.to_owned(),
        Language::Rhai => Value::from(name).to_string(),
        Language::Lua => format!("[{}]", Value::from(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_back_by_their_languages() {
        let json = serde_json::json!({"a": [1, 2.5, "x\"y", true], "b c": {}, "d": {"e": []}});
        let value = Value::from(json);
        assert_eq!(literal(&value, Language::Rhai), r#"#{ a: [1, 2.5, "x\"y", true], "b c": #{}, d: #{ e: [] } }"#);
        assert_eq!(literal(&value, Language::Lua), r#"{ a = { 1, 2.5, "x\"y", true }, ["b c"] = {}, d = { e = {} } }"#);
        let engine = rhai::Engine::new();
        assert!(engine.eval::<rhai::Map>(&literal(&value, Language::Rhai)).is_ok());
        let lua = mlua::Lua::new();
        assert!(lua.load(format!("return {}", literal(&value, Language::Lua))).eval::<mlua::Table>().is_ok());
    }
}
