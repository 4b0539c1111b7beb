//! The one judge of arguments, so that a mistake reads the same in both languages.
//!
//! It deliberately does not know where a value came from: an engine hands over what was given, converted.

use std::collections::BTreeMap;

use super::fault::Fault;
use super::value::Value;
use super::word::{Args, Block, Call, Kind, Param, Word};
use crate::diag::did_you_mean;

/// One argument as an engine received it.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// Plain data.
    Plain(Value),
    /// A function of the script.
    Function,
    /// Something that cannot cross, and what it is: "a cyclic list".
    Odd(String),
}

/// The arguments of one call, complete and of the declared kinds; a function stands as [`Value::Null`].
///
/// # Errors
/// A script fault that names the argument, what was expected and what was given, and the signature.
pub fn validate<H>(word: &Word<H>, given: Vec<Given>) -> Result<Args, Fault> {
    arguments(word, given)
        .map_err(|mistake| Fault {
            message: format!("{}: {}", word.full_name(), mistake.message),
            hint: Some(mistake.hint.unwrap_or_else(|| format!("the call is {}", word.signature()))),
            ..mistake
        })
        .map(Args::new)
}

fn arguments<H>(word: &Word<H>, mut given: Vec<Given>) -> Result<Vec<Value>, Fault> {
    let params = word.params;
    if given.len() > params.len() {
        let most = params.len();
        return Err(Fault::script(format!("expected at most {}, got {}", arguments_in_words(most), given.len())));
    }
    if belongs_at_the_end(word, &given) {
        let missing = params.len() - given.len();
        given.splice(given.len() - 1..given.len() - 1, std::iter::repeat_n(Given::Plain(Value::Null), missing));
    }
    given.resize(params.len(), Given::Plain(Value::Null));
    params.iter().zip(given).map(|(param, given)| argument(param, given)).collect()
}

/// Whether the last argument is the function of a block, or the options after parameters that were left out.
fn belongs_at_the_end<H>(word: &Word<H>, given: &[Given]) -> bool {
    let (Some(end), Some(place)) = (word.params.last(), given.len().checked_sub(1)) else { return false };
    match &given[place] {
        Given::Function => matches!(word.call, Call::Block(Block::Scenario | Block::Setup | Block::Step)),
        Given::Plain(Value::Map(_)) => {
            let stands_for = &word.params[place];
            let takes_maps = matches!(stands_for.kind, Kind::Any | Kind::Map | Kind::Options(_) | Kind::OneOf(_));
            matches!(end.kind, Kind::Options(_)) && stands_for.optional && !takes_maps
        }
        _ => false,
    }
}

fn argument(param: &Param, given: Given) -> Result<Value, Fault> {
    let name = param.name;
    let value = match given {
        Given::Plain(value) => value,
        Given::Function if matches!(param.kind, Kind::Function) => return Ok(Value::Null),
        Given::Function => return Err(mismatch(&format!("argument \"{name}\""), &param.kind, "function")),
        Given::Odd(what) => return Err(mismatch(&format!("argument \"{name}\""), &param.kind, &what)),
    };
    if value == Value::Null && param.optional {
        return Ok(value);
    }
    if value == Value::Null && !matches!(param.kind, Kind::Any | Kind::Nothing) {
        return Err(Fault::script(format!("argument \"{name}\" is missing: expected {}", param.kind)));
    }
    fit(&format!("argument \"{name}\""), &param.kind, value)
}

/// Makes `value` one of `kind`, or says what is wrong with `what`.
fn fit(what: &str, kind: &Kind, value: Value) -> Result<Value, Fault> {
    match (kind, value) {
        (Kind::Any, value)
        | (Kind::Nothing, value @ Value::Null)
        | (Kind::Bool, value @ Value::Bool(_))
        | (Kind::Int, value @ Value::Int(_))
        | (Kind::Number, value @ Value::Float(_))
        | (Kind::Text, value @ Value::Text(_))
        | (Kind::Map, value @ Value::Map(_)) => Ok(value),
        // Above 2^53 a float no longer says which whole number was meant.
        (Kind::Int, Value::Float(x)) if x.fract() == 0.0 && x.abs() <= 9_007_199_254_740_992.0 => {
            Ok(Value::Int(x as i64))
        }
        (Kind::Number, Value::Int(i)) => Ok(Value::Float(i as f64)),
        (Kind::Choice(texts), Value::Text(text)) => choose(what, texts, text),
        (Kind::List(kind), Value::List(items)) => list(what, kind, items),
        // Lua writes an empty list and an empty map alike.
        (Kind::Map, Value::List(items)) if items.is_empty() => Ok(Value::Map(BTreeMap::new())),
        (Kind::Options(_), Value::List(items)) if items.is_empty() => Ok(Value::Map(BTreeMap::new())),
        (Kind::Options(keys), Value::Map(map)) => options(what, keys, map),
        (Kind::OneOf(kinds), value) => kinds
            .iter()
            .find_map(|one| fit(what, one, value.clone()).ok())
            .ok_or_else(|| mismatch(what, kind, value.kind()).received(excerpt(&value))),
        (_, value) => Err(mismatch(what, kind, value.kind()).received(excerpt(&value))),
    }
}

fn choose(what: &str, texts: &[&str], text: String) -> Result<Value, Fault> {
    if texts.contains(&text.as_str()) {
        return Ok(Value::Text(text));
    }
    let mut fault = mismatch(what, &Kind::Text, "").received(format!("\"{text}\""));
    fault.message = format!("{what}: \"{text}\" is not one of {}", quoted(texts));
    fault.expected = Some(quoted(texts));
    fault.hint = did_you_mean(&text, texts.iter().copied()).map(|near| format!("did you mean \"{near}\"?"));
    Err(fault)
}

fn list(what: &str, kind: &Kind, items: Vec<Value>) -> Result<Value, Fault> {
    let items = items.into_iter().enumerate();
    items
        .map(|(i, item)| fit(&format!("{what}: item {}", i + 1), kind, item))
        .collect::<Result<_, _>>()
        .map(Value::List)
}

fn options(what: &str, keys: &[Param], map: BTreeMap<String, Value>) -> Result<Value, Fault> {
    let mut fitted = BTreeMap::new();
    for (key, value) in map {
        let Some(param) = keys.iter().find(|param| param.name == key) else {
            let names: Vec<_> = keys.iter().map(|param| param.name).collect();
            let hint = match did_you_mean(&key, names.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("the keys are {}", quoted(&names)),
            };
            return Err(Fault::script(format!("{what}: unknown key \"{key}\"")).hint(hint));
        };
        if value != Value::Null {
            fitted.insert(key, fit(&format!("{what}: key \"{}\"", param.name), &param.kind, value)?);
        }
    }
    Ok(Value::Map(fitted))
}

fn mismatch(what: &str, kind: &Kind, got: &str) -> Fault {
    Fault::script(format!("{what}: expected {kind}, got {got}")).expected(kind.to_string()).received(got)
}

/// The value for the `received` line, cut where it would fill the screen.
fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn quoted(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(", ")
}

fn arguments_in_words(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: &[Param] = &[
        Param { name: "timeout", kind: Kind::Number, optional: true, doc: "" },
        Param { name: "soft", kind: Kind::Bool, optional: true, doc: "" },
    ];

    fn judge(kind: Kind, optional: bool, given: Vec<Given>) -> Result<Value, String> {
        let params: &'static [Param] = Box::leak(Box::new([Param { name: "it", kind, optional, doc: "" }]));
        let word = Word::<()> {
            module: "page",
            name: "say",
            params,
            returns: Kind::Nothing,
            doc: "",
            live: false,
            examples: &[],
            call: Call::Plain(|_, _| Ok(Value::Null)),
        };
        validate(&word, given).map(|mut args| args.take(0)).map_err(|fault| fault.message)
    }

    fn plain(value: impl Into<Value>) -> Vec<Given> {
        vec![Given::Plain(value.into())]
    }

    fn map(key: &str, value: impl Into<Value>) -> Value {
        Value::Map(BTreeMap::from([(key.to_owned(), value.into())]))
    }

    #[test]
    fn what_fits_is_taken_and_numbers_change_their_kind_only_without_loss() {
        assert_eq!(judge(Kind::Int, false, plain(2.0)), Ok(Value::Int(2)));
        assert_eq!(judge(Kind::Number, false, plain(2_i64)), Ok(Value::Float(2.0)));
        assert_eq!(judge(Kind::Text, true, vec![]), Ok(Value::Null));
        assert_eq!(judge(Kind::Any, false, vec![]), Ok(Value::Null));
        assert_eq!(judge(Kind::Options(OPTIONS), false, plain(Vec::<Value>::new())), Ok(Value::Map(BTreeMap::new())));
        assert_eq!(judge(Kind::Options(OPTIONS), false, plain(map("timeout", 2_i64))), Ok(map("timeout", 2.0)));
        assert_eq!(judge(Kind::OneOf(&[Kind::Text, Kind::List(&Kind::Text)]), false, plain("a")), Ok("a".into()));
        assert!(judge(Kind::Int, false, plain(2.5)).is_err());
        assert!(judge(Kind::Int, false, plain(f64::NAN)).is_err());
        assert!(judge(Kind::Int, false, plain(1e300)).is_err());
    }

    #[test]
    fn options_come_last_even_where_what_is_before_them_is_left_out() {
        const PARAMS: &[Param] = &[
            Param { name: "key", kind: Kind::Text, optional: false, doc: "" },
            Param { name: "locator", kind: Kind::Text, optional: true, doc: "" },
            Param { name: "options", kind: Kind::Options(OPTIONS), optional: true, doc: "" },
        ];
        let word = Word::<()> {
            module: "page",
            name: "press",
            params: PARAMS,
            returns: Kind::Nothing,
            doc: "",
            live: false,
            examples: &[],
            call: Call::Plain(|_, _| Ok(Value::Null)),
        };
        let options = || Given::Plain(map("timeout", 1.0));
        let mut args = validate(&word, vec![Given::Plain("Enter".into()), options()]).unwrap();
        assert_eq!((args.text(0), args.take(1), args.take(2)), ("Enter".to_owned(), Value::Null, map("timeout", 1.0)));
        let fault = validate(&word, vec![options()]).err().unwrap();
        assert_eq!(fault.message, "page.press: argument \"key\": expected string, got map");
    }

    #[test]
    fn mistakes_name_the_word_the_argument_and_both_kinds() {
        let cases = [
            (judge(Kind::Text, false, plain(5_i64)), "page.say: argument \"it\": expected string, got integer"),
            (judge(Kind::Text, false, vec![]), "page.say: argument \"it\" is missing: expected string"),
            (
                judge(Kind::Text, false, vec![Given::Function]),
                "page.say: argument \"it\": expected string, got function",
            ),
            (
                judge(Kind::Any, false, vec![Given::Odd("a cyclic list".into())]),
                "page.say: argument \"it\": expected any, got a cyclic list",
            ),
            (
                judge(Kind::List(&Kind::Text), false, plain(vec![Value::from("a"), Value::Int(1)])),
                "page.say: argument \"it\": item 2: expected string, got integer",
            ),
            (
                judge(Kind::Options(OPTIONS), false, plain(map("timeout", "x"))),
                "page.say: argument \"it\": key \"timeout\": expected number, got string",
            ),
            (
                judge(Kind::Options(OPTIONS), false, plain(map("timout", 1_i64))),
                "page.say: argument \"it\": unknown key \"timout\"",
            ),
            (
                judge(Kind::Choice(&["visible", "hidden"]), false, plain("visble")),
                "page.say: argument \"it\": \"visble\" is not one of \"visible\", \"hidden\"",
            ),
            (
                judge(Kind::Text, false, [plain("a"), plain("b")].concat()),
                "page.say: expected at most 1 argument, got 2",
            ),
        ];
        for (seen, expected) in cases {
            assert_eq!(seen, Err(expected.to_owned()));
        }
    }
}
