//! Values between Lua and plain data.
//!
//! A table with the keys 1 to n is a list, one with strings a map; an empty one is an empty list until a declared
//! kind says otherwise. It deliberately converts no functions and no mixed tables.

use std::collections::BTreeMap;

use mlua::{Lua, Table, Value as LuaValue};

use super::lua_errors::message_of;
use super::validate::Given;
use super::value::{Budget, Value};

/// The field of a metatable that marks a constant; its `__index` holds the entries.
pub(super) const CONSTANT: &str = "__constant";

/// What a script gave as an argument.
pub(super) fn given(value: &LuaValue) -> Given {
    if let LuaValue::Function(_) = value {
        return Given::Function;
    }
    match plain(value, &mut Budget::default()) {
        Ok(value) => Given::Plain(value),
        Err(what) => Given::Odd(what),
    }
}

/// Plain data, or what it is that is none.
pub(super) fn plain(value: &LuaValue, budget: &mut Budget) -> Result<Value, String> {
    budget.take()?;
    match value {
        LuaValue::Nil => Ok(Value::Null),
        LuaValue::Boolean(b) => Ok(Value::Bool(*b)),
        LuaValue::Integer(i) => Ok(Value::Int(*i)),
        LuaValue::Number(x) => Ok(Value::Float(*x)),
        LuaValue::String(text) => match text.to_str() {
            Ok(text) => Ok(Value::Text(text.to_owned())),
            Err(_) => Err("a string that is not UTF-8".to_owned()),
        },
        LuaValue::Table(table) => budget.deeper(|budget| plain_table(&behind(table), budget)),
        LuaValue::Error(error) => Ok(Value::Text(message_of(error))),
        other => Err(other.type_name().to_owned()),
    }
}

/// The table that holds the entries: a constant stands in front of its own.
pub(super) fn behind(table: &Table) -> Table {
    let entries = table.metatable().and_then(|meta| {
        let is_constant = meta.raw_get::<bool>(CONSTANT).unwrap_or_default();
        is_constant.then(|| meta.raw_get::<Table>("__index").ok()).flatten()
    });
    entries.unwrap_or_else(|| table.clone())
}

fn plain_table(table: &Table, budget: &mut Budget) -> Result<Value, String> {
    let mut map = BTreeMap::new();
    let mut list = BTreeMap::new();
    for pair in table.pairs::<LuaValue, LuaValue>() {
        let (key, item) = pair.map_err(|error| error.to_string())?;
        let item = plain(&item, budget)?;
        match key {
            LuaValue::Integer(i) => drop(list.insert(i, item)),
            LuaValue::String(key) => {
                let key = key.to_str().map_err(|_| "a table with a key that is not UTF-8".to_owned())?;
                map.insert(key.to_owned(), item);
            }
            other => return Err(format!("a table with a {} as a key", other.type_name())),
        }
    }
    match (list.is_empty(), map.is_empty()) {
        (true, false) => Ok(Value::Map(map)),
        (false, false) => Err("a table that is both a list and a map".to_owned()),
        _ if list.keys().copied().eq(1..=list.len() as i64) => Ok(Value::List(list.into_values().collect())),
        _ => Err("a list with holes".to_owned()),
    }
}

/// A value as Lua holds it. [`Value::Null`] in a list leaves a hole: Lua has nothing else for it.
pub(super) fn lua_value(lua: &Lua, value: Value) -> mlua::Result<LuaValue> {
    Ok(match value {
        Value::Null => LuaValue::Nil,
        Value::Bool(b) => LuaValue::Boolean(b),
        Value::Int(i) => LuaValue::Integer(i),
        Value::Float(x) => LuaValue::Number(x),
        Value::Text(text) => LuaValue::String(lua.create_string(text)?),
        Value::List(items) => {
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for (i, item) in items.into_iter().enumerate() {
                table.raw_set(i + 1, lua_value(lua, item)?)?;
            }
            LuaValue::Table(table)
        }
        Value::Map(map) => {
            let table = lua.create_table_with_capacity(0, map.len())?;
            for (key, item) in map {
                table.raw_set(key, lua_value(lua, item)?)?;
            }
            LuaValue::Table(table)
        }
    })
}

/// A value that scripts can read but not change: every table in it stands behind an empty one, whose metatable
/// `guard` fills in.
pub(super) fn constant(lua: &Lua, value: Value, guard: &impl Fn(&Table) -> mlua::Result<()>) -> mlua::Result<LuaValue> {
    let entries = match value {
        Value::List(items) => {
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for (i, item) in items.into_iter().enumerate() {
                table.raw_set(i + 1, constant(lua, item, guard)?)?;
            }
            table
        }
        Value::Map(map) => {
            let table = lua.create_table_with_capacity(0, map.len())?;
            for (key, item) in map {
                table.raw_set(key, constant(lua, item, guard)?)?;
            }
            table
        }
        plain => return lua_value(lua, plain),
    };
    shield(lua, entries, guard).map(LuaValue::Table)
}

/// An empty table in front of `entries`, so that assigning to an entry is noticed.
pub(super) fn shield(lua: &Lua, entries: Table, guard: &impl Fn(&Table) -> mlua::Result<()>) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    meta.raw_set("__index", entries)?;
    meta.raw_set(CONSTANT, true)?;
    meta.raw_set("__metatable", false)?;
    guard(&meta)?;
    let front = lua.create_table()?;
    front.set_metatable(Some(meta))?;
    Ok(front)
}
