//! A word: one thing a script may say, described once, as plain data.
//!
//! Both bindings, argument errors, `scripts/API.md`, the editor stubs, and the REPL's help read this description;
//! there is deliberately no second place where a word is described, and no logic here but validation's data.

use super::fault::Fault;
use super::value::Value;

/// A word of the vocabulary, for a host of type `H`.
pub struct Word<H: 'static> {
    /// The module it belongs to (`page`), or `""` for a word of its own (`scenario`).
    pub module: &'static str,
    /// Its name, legal in both languages.
    pub name: &'static str,
    /// Its parameters, in order.
    pub params: &'static [Param],
    /// What it returns.
    pub returns: Kind,
    /// What it does: a sentence, then details.
    pub doc: &'static str,
    /// Whether it needs a running scenario: then it is an error at the top of a file.
    pub live: bool,
    /// Calls that a test runs in both languages.
    pub examples: &'static [Example],
    /// What it runs.
    pub call: Call<H>,
}

impl<H> Word<H> {
    /// Its name as scripts say it: `page.click`, `scenario`.
    pub fn full_name(&self) -> String {
        match self.module {
            "" => self.name.to_owned(),
            module => format!("{module}.{}", self.name),
        }
    }

    /// How it is called: `page.click(locator: string, [options: map])`.
    pub fn signature(&self) -> String {
        let parameter = |p: &Param| match p.optional {
            true => format!("[{}: {}]", p.name, p.kind),
            false => format!("{}: {}", p.name, p.kind),
        };
        format!("{}({})", self.full_name(), self.params.iter().map(parameter).collect::<Vec<_>>().join(", "))
    }
}

/// How a word is carried out.
pub enum Call<H: 'static> {
    /// Plain data in, plain data out. The arguments are validated and complete: one per parameter.
    Plain(fn(&mut H, Args) -> Result<Value, Fault>),
    /// A word that takes a function (always its last argument) and is carried out by the engine itself.
    Block(Block),
}

/// The words that take a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block {
    /// `scenario(name, [options,] fn)`: declares a scenario.
    Scenario,
    /// `setup(fn)`: runs before each scenario.
    Setup,
    /// `step(name, fn)`: names a part of a scenario; returns what the function returned.
    Step,
}

/// One parameter.
pub struct Param {
    /// Its name, as documentation and errors say it.
    pub name: &'static str,
    /// What it accepts.
    pub kind: Kind,
    /// Whether it may be left out.
    pub optional: bool,
    /// What it means, with units.
    pub doc: &'static str,
}

/// What a parameter accepts or a word returns.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Nothing at all.
    Nothing,
    /// Any plain data.
    Any,
    /// A truth value.
    Bool,
    /// A whole number; a float without a fraction is accepted.
    Int,
    /// A number; integers are accepted and become floats.
    Number,
    /// A string.
    Text,
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// A list whose items are all of one kind.
    List(&'static Kind),
    /// A map with keys of the author's choosing.
    Map,
    /// A map with exactly these keys, each optional.
    Options(&'static [Param]),
    /// Any one of several kinds; the first that fits is taken.
    OneOf(&'static [Kind]),
    /// A function (only the last parameter of a [`Call::Block`] word).
    Function,
}

impl std::fmt::Display for Kind {
    /// The kind as messages and documentation say it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::Any => f.write_str("any"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("integer"),
            Self::Number => f.write_str("number"),
            Self::Text => f.write_str("string"),
            Self::Choice(texts) => {
                write!(f, "{}", texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(" or "))
            }
            Self::List(kind) => write!(f, "list of {kind}"),
            Self::Map | Self::Options(_) => f.write_str("map"),
            Self::OneOf(kinds) => {
                write!(f, "{}", kinds.iter().map(Self::to_string).collect::<Vec<_>>().join(" or "))
            }
            Self::Function => f.write_str("function"),
        }
    }
}

/// A call that documents a word and is executed by a test.
pub struct Example {
    /// The arguments as JSON.
    pub args: &'static [&'static str],
    /// The expected result as JSON; `None` if the call is only shown and run, its result not compared.
    pub result: Option<&'static str>,
    /// A page to run it on, by its name in `fixtures/pages`, if it needs one.
    pub page: Option<&'static str>,
}

/// The validated arguments of one call: exactly one value per parameter, [`Value::Null`] where it was left out.
pub struct Args {
    values: Vec<Value>,
}

impl Args {
    /// Wraps values that were validated against a word's parameters.
    pub fn new(values: Vec<Value>) -> Self {
        Self { values }
    }

    /// The arguments as they were given: without what was left out at the end.
    pub fn told(&self) -> Vec<Value> {
        let given = self.values.iter().rposition(|v| *v != Value::Null).map_or(0, |last| last + 1);
        self.values[..given].to_vec()
    }

    /// Takes the argument at `index`.
    pub fn take(&mut self, index: usize) -> Value {
        self.values.get_mut(index).map(std::mem::take).unwrap_or_default()
    }

    /// Takes a string argument; empty if it was left out.
    pub fn text(&mut self, index: usize) -> String {
        match self.take(index) {
            Value::Text(s) => s,
            _ => String::new(),
        }
    }

    /// Takes a number, if it was given.
    pub fn number(&mut self, index: usize) -> Option<f64> {
        match self.take(index) {
            Value::Float(x) => Some(x),
            Value::Int(i) => Some(i as f64),
            _ => None,
        }
    }

    /// Takes a truth value, if it was given.
    pub fn bool(&mut self, index: usize) -> Option<bool> {
        match self.take(index) {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// Takes a list; empty if it was left out.
    pub fn list(&mut self, index: usize) -> Vec<Value> {
        match self.take(index) {
            Value::List(items) => items,
            _ => Vec::new(),
        }
    }

    /// Takes a map; empty if it was left out.
    pub fn map(&mut self, index: usize) -> std::collections::BTreeMap<String, Value> {
        match self.take(index) {
            Value::Map(map) => map,
            _ => std::collections::BTreeMap::new(),
        }
    }
}
