//! All the words and constants that one kind of script may say.
//!
//! It deliberately describes nothing itself: each word does. Names that are reserved in one of the languages cannot
//! be words; [`illegal_name`] knows them.

use std::collections::BTreeMap;

use super::source::Language;
use super::value::Value;
use super::word::Word;

/// Words for a host of type `H`, and constants. Cheap to clone.
pub struct Vocabulary<H: 'static> {
    words: Vec<&'static Word<H>>,
    constants: BTreeMap<String, Value>,
}

impl<H> Clone for Vocabulary<H> {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), constants: self.constants.clone() }
    }
}

impl<H: 'static> Vocabulary<H> {
    /// The words of several tables, in their order.
    pub fn new(tables: &[&'static [Word<H>]]) -> Self {
        Self { words: tables.iter().flat_map(|table| table.iter()).collect(), constants: BTreeMap::new() }
    }

    /// Adds a constant, which scripts can read under `name` everywhere, and change nowhere.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.constants.insert(name.to_owned(), value);
        self
    }

    /// All words, in the order of the tables.
    pub fn words(&self) -> &[&'static Word<H>] {
        &self.words
    }

    /// The constants, sorted by name.
    pub fn constants(&self) -> &BTreeMap<String, Value> {
        &self.constants
    }

    /// The names of the modules, in the order of the tables.
    pub fn modules(&self) -> Vec<&'static str> {
        let mut modules = Vec::new();
        for word in self.words.iter().filter(|word| !word.module.is_empty()) {
            if !modules.contains(&word.module) {
                modules.push(word.module);
            }
        }
        modules
    }

    /// The words of a module; `""` for the words of their own.
    pub fn words_of<'a>(&'a self, module: &'a str) -> impl Iterator<Item = &'static Word<H>> + 'a {
        self.words.iter().copied().filter(move |word| word.module == module)
    }

    /// Every name that a script can say without a module before it.
    pub fn names(&self) -> Vec<&str> {
        let words = self.words_of("").map(|word| word.name);
        words.chain(self.modules()).chain(self.constants.keys().map(String::as_str)).collect()
    }
}

/// The language in which `name` is reserved, so that no word can have it.
pub fn illegal_name(name: &str) -> Option<Language> {
    if RESERVED_IN_LUA.contains(&name) {
        return Some(Language::Lua);
    }
    RESERVED_IN_RHAI.contains(&name).then_some(Language::Rhai)
}

const RESERVED_IN_LUA: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

const RESERVED_IN_RHAI: &[&str] = &[
    "Fn",
    "as",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "const",
    "continue",
    "curry",
    "debug",
    "default",
    "do",
    "else",
    "eval",
    "export",
    "false",
    "fn",
    "for",
    "go",
    "goto",
    "if",
    "import",
    "in",
    "is",
    "is_def_fn",
    "is_def_var",
    "is_shared",
    "let",
    "loop",
    "match",
    "module",
    "new",
    "nil",
    "null",
    "package",
    "print",
    "private",
    "protected",
    "public",
    "return",
    "shared",
    "spawn",
    "static",
    "super",
    "switch",
    "sync",
    "this",
    "thread",
    "throw",
    "true",
    "try",
    "type_of",
    "until",
    "use",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_exactly_where_both_parsers_take_them() {
        let words = ["goto", "match", "end", "print", "open", "type", "wait_for", "check", "select", "exit", "repeat"];
        for name in RESERVED_IN_LUA.iter().chain(RESERVED_IN_RHAI).chain(&words) {
            let lua = mlua::Lua::new().load(format!("local x = {{}} x.{name} = 1")).into_function().is_ok();
            let rhai = name_is_callable_in_rhai(name);
            assert_eq!(illegal_name(name).is_none(), lua && rhai, "{name}: lua {lua}, rhai {rhai}");
        }
    }

    fn name_is_callable_in_rhai(name: &str) -> bool {
        #[derive(Clone)]
        struct Receiver;
        let mut engine = rhai::Engine::new();
        engine.register_fn(name, |_: &mut Receiver| 7_i64);
        let mut scope = rhai::Scope::new();
        scope.push("receiver", Receiver);
        engine.eval_with_scope::<i64>(&mut scope, &format!("receiver.{name}()")).is_ok_and(|seven| seven == 7)
    }
}
