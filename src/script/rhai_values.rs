//! Values between Rhai and plain data.
//!
//! It deliberately converts no functions and no ranges: they cannot cross, and are named for the judge of arguments.

use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};

use super::validate::Given;
use super::value::{Budget, Value};

/// What a script gave as an argument.
pub(super) fn given(dynamic: &Dynamic) -> Given {
    if dynamic.is::<FnPtr>() {
        return Given::Function;
    }
    match plain(dynamic, &mut Budget::default()) {
        Ok(value) => Given::Plain(value),
        Err(what) => Given::Odd(what),
    }
}

/// Plain data, or what it is that is none.
pub(super) fn plain(dynamic: &Dynamic, budget: &mut Budget) -> Result<Value, String> {
    budget.take()?;
    if dynamic.is_unit() {
        return Ok(Value::Null);
    }
    if let Ok(b) = dynamic.as_bool() {
        return Ok(Value::Bool(b));
    }
    if let Ok(i) = dynamic.as_int() {
        return Ok(Value::Int(i));
    }
    if let Ok(x) = dynamic.as_float() {
        return Ok(Value::Float(x));
    }
    if let Ok(c) = dynamic.as_char() {
        return Ok(Value::Text(c.to_string()));
    }
    if let Some(text) = dynamic.read_lock::<ImmutableString>() {
        return Ok(Value::Text(text.to_string()));
    }
    if let Some(items) = dynamic.read_lock::<Array>() {
        return budget.deeper(|budget| items.iter().map(|item| plain(item, budget)).collect()).map(Value::List);
    }
    if let Some(map) = dynamic.read_lock::<Map>() {
        let entry = |(key, item): (&_, _), budget: &mut Budget| Ok((ToString::to_string(key), plain(item, budget)?));
        return budget.deeper(|budget| map.iter().map(|pair| entry(pair, budget)).collect()).map(Value::Map);
    }
    Err(match dynamic.type_name() {
        "Fn" => "function".to_owned(),
        name if name.ends_with("Module") => "module".to_owned(),
        name if name.contains("Range") => "range".to_owned(),
        name => name.to_owned(),
    })
}

/// A value as Rhai holds it.
pub(super) fn dynamic(value: Value) -> Dynamic {
    match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(b) => b.into(),
        Value::Int(i) => i.into(),
        Value::Float(x) => x.into(),
        Value::Text(text) => text.into(),
        Value::List(items) => items.into_iter().map(dynamic).collect::<Array>().into(),
        Value::Map(map) => map.into_iter().map(|(key, value)| (key.into(), dynamic(value))).collect::<Map>().into(),
    }
}
