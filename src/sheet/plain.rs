//! The plain values that a key may hold, and how to name what stands there instead.
//!
//! It deliberately converts nothing between kinds, except a whole number where any number will do.

use serde_json::{Map, Value as Json};
use toml::de::DeValue;

/// A kind of value that can be read from a key.
pub trait Plain: Sized {
    /// The kind in words: "a text".
    const KIND: &'static str;

    /// The value, if it is of this kind.
    fn from_toml(value: &DeValue<'_>) -> Option<Self>;
}

impl Plain for String {
    const KIND: &'static str = "a text that is not empty";

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
    }
}

impl Plain for bool {
    const KIND: &'static str = "true or false";

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        value.as_bool()
    }
}

impl Plain for i64 {
    const KIND: &'static str = "a whole number";

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        let number = value.as_integer()?;
        Self::from_str_radix(number.as_str(), number.radix()).ok()
    }
}

impl Plain for f64 {
    const KIND: &'static str = "a number";

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        match value.as_float() {
            Some(number) => number.as_str().parse().ok().filter(|n: &Self| n.is_finite()),
            #[expect(clippy::cast_precision_loss, reason = "sizes and seconds are far below 2^53")]
            None => i64::from_toml(value).map(|number| number as Self),
        }
    }
}

impl Plain for Vec<String> {
    const KIND: &'static str = "a list of texts";

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        value.as_array()?.iter().map(|item| String::from_toml(item.get_ref())).collect()
    }
}

/// One text, or a list of at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneOrMore(pub Vec<String>);

impl Plain for OneOrMore {
    const KIND: &'static str = "a text, or a list of texts";

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        let one = String::from_toml(value).map(|text| vec![text]);
        one.or_else(|| Vec::from_toml(value)).filter(|texts| !texts.is_empty()).map(Self)
    }
}

/// A table that is handed on as it is.
impl Plain for Map<String, Json> {
    const KIND: &'static str = "a table of texts, numbers, lists and tables";

    fn from_toml(value: &DeValue<'_>) -> Option<Self> {
        value.as_table()?.iter().map(|(key, value)| Some((key.get_ref().to_string(), json(value.get_ref())?))).collect()
    }
}

/// The value in the words of JSON; a date is none.
fn json(value: &DeValue<'_>) -> Option<Json> {
    Some(match value {
        DeValue::String(text) => Json::from(text.as_ref()),
        DeValue::Integer(_) => i64::from_toml(value)?.into(),
        DeValue::Float(_) => f64::from_toml(value)?.into(),
        DeValue::Boolean(flag) => (*flag).into(),
        DeValue::Datetime(_) => return None,
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect::<Option<Vec<_>>>()?.into(),
        DeValue::Table(_) => Map::from_toml(value)?.into(),
    })
}

/// What stands there, in words.
pub(super) fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.trim().is_empty() => "an empty text".to_owned(),
        DeValue::String(text) => format!("the text \"{text}\""),
        DeValue::Integer(number) => format!("the whole number {}", number.as_str()),
        DeValue::Float(number) => format!("the number {}", number.as_str()),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(items) => format!("a list of {}", items.len()),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
