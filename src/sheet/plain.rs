//! The plain values that a key may hold, and how to name what stands there instead.
//!
//! It deliberately converts nothing between kinds, except a whole number where any number will do.

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
