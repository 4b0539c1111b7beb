//! The only values that cross between Rust and a script: plain data.
//!
//! Functions, handles and cyclic tables deliberately do not cross; the callbacks of `scenario`, `setup` and `step`
//! stay inside their engine.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Plain data, the same in Rhai, Lua, JSON and TOML.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(into = "serde_json::Value", from = "serde_json::Value")]
pub enum Value {
    /// `()` in Rhai, `nil` in Lua.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A measurement.
    Float(f64),
    /// A string.
    Text(String),
    /// An ordered list.
    List(Vec<Value>),
    /// A map with string keys, sorted.
    Map(BTreeMap<String, Value>),
}

impl Value {
    /// The name of this value's type as messages say it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "bool",
            Self::Int(_) => "integer",
            Self::Float(_) => "number",
            Self::Text(_) => "string",
            Self::List(_) => "list",
            Self::Map(_) => "map",
        }
    }
}

impl From<serde_json::Value> for Value {
    fn from(json: serde_json::Value) -> Self {
        use serde_json::Value as J;
        match json {
            J::Null => Self::Null,
            J::Bool(b) => Self::Bool(b),
            J::Number(n) => n.as_i64().map_or_else(|| Self::Float(n.as_f64().unwrap_or(f64::NAN)), Self::Int),
            J::String(s) => Self::Text(s),
            J::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            J::Object(map) => Self::Map(map.into_iter().map(|(k, v)| (k, Self::from(v))).collect()),
        }
    }
}

impl From<Value> for serde_json::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(b),
            Value::Int(i) => Self::from(i),
            // JSON knows no NaN and no infinity; they become null rather than a wrong number.
            Value::Float(x) => Self::from(x),
            Value::Text(s) => Self::String(s),
            Value::List(items) => items.into_iter().map(Self::from).collect(),
            Value::Map(map) => map.into_iter().map(|(k, v)| (k, Self::from(v))).collect(),
        }
    }
}

impl fmt::Display for Value {
    /// The value as JSON, the one notation that reads the same to authors of both languages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", serde_json::Value::from(self.clone()))
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Self::Float(x)
    }
}

impl From<i64> for Value {
    fn from(i: i64) -> Self {
        Self::Int(i)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Self::Text(s.to_owned())
    }
}

impl From<String> for Value {
    fn from(s: String) -> Self {
        Self::Text(s)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(item: Option<T>) -> Self {
        item.map_or(Self::Null, Into::into)
    }
}

/// How much one argument may hold: a cycle or a giant is refused instead of followed.
#[derive(Debug)]
pub(super) struct Budget {
    depth: usize,
    items: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { depth: 64, items: 1_000_000 }
    }
}

impl Budget {
    /// Takes one value.
    pub fn take(&mut self) -> Result<(), String> {
        self.items = self.items.checked_sub(1).ok_or("a value of more than 1 000 000 items")?;
        Ok(())
    }

    /// Goes into a list or a map.
    pub fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.depth = self.depth.checked_sub(1).ok_or("a value that holds itself, or is nested deeper than 64")?;
        let result = inside(self);
        self.depth += 1;
        result
    }
}
