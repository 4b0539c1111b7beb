//! Rhai's errors told in the words that both languages share.
//!
//! The innermost place is the primary one; the chain of calls is the trace. It deliberately leaves Rhai's own text
//! only where there is nothing clearer to say.

use rhai::{Dynamic, EvalAltResult as Error, ParseError, ParseErrorType, Position};

use super::error::Raised;
use super::fault::Fault;
use super::habits::foreign_habit;
use super::host::Host;
use super::rhai_engine::LANGUAGE;
use super::rhai_values::plain;
use super::source::Source;
use super::stage::Stage;
use super::value::{Budget, Value};
use crate::diag::Place;

/// A run-time error of a script whose main file is `file`; `functions` are the names and arities that it defines.
pub(super) fn explain<H: Host>(stage: &Stage<H>, error: Error, file: &str, functions: &[(String, usize)]) -> Raised {
    let mut file = file.to_owned();
    let mut trace = Vec::new();
    let mut error = error;
    loop {
        error = match error {
            Error::ErrorInFunctionCall(name, source, inner, position) => {
                let place = place(stage, &file, position);
                trace.push((function_name(&name, place.as_ref()), place));
                if !source.is_empty() {
                    file = source;
                }
                *inner
            }
            Error::ErrorInModule(module, inner, position) => {
                trace.push(("import".to_owned(), place(stage, &file, position)));
                file = module;
                *inner
            }
            _ => break,
        };
    }
    trace.reverse();
    let position = error.take_position();
    let innermost = place(stage, &file, position);
    let raised = match &error {
        Error::ErrorRuntime(value, _) => thrown(stage, value, innermost),
        Error::ErrorParsing(error, _) => Raised::new(syntax(stage, error, innermost.as_ref()), innermost),
        error => Raised::new(told(stage, error, innermost.as_ref(), functions), innermost),
    };
    Raised { trace, ..raised }
}

/// A file that does not compile.
pub(super) fn explain_syntax<H: Host>(stage: &Stage<H>, error: &ParseError, source: &Source) -> Raised {
    let place = place(stage, source.name(), error.1);
    Raised::new(syntax(stage, &error.0, place.as_ref()), place)
}

fn place<H: Host>(stage: &Stage<H>, file: &str, position: Position) -> Option<Place> {
    Some(stage.place(file, position.line()?, position.position()))
}

/// A closure has no name; the word at the place of its call is better than none.
fn function_name(name: &str, place: Option<&Place>) -> String {
    if !name.starts_with("anon$") {
        return name.to_owned();
    }
    let rest = place.and_then(|place| {
        let skipped = place.column?.checked_sub(1)?;
        Some(place.text.as_ref()?.chars().skip(skipped).take_while(|c| c.is_alphanumeric() || *c == '_').collect())
    });
    rest.filter(|word: &String| !word.is_empty()).unwrap_or_else(|| "closure".to_owned())
}

/// What a script threw, or a word answered.
fn thrown<H: Host>(stage: &Stage<H>, value: &Dynamic, place: Option<Place>) -> Raised {
    let message = match plain(value, &mut Budget::default()) {
        Ok(Value::Text(text)) => text,
        Ok(Value::Null) => "the script threw an error without a message".to_owned(),
        Ok(value) => format!("the script threw {value}"),
        Err(what) => format!("the script threw a {what}"),
    };
    let remembered = stage.recall(&message);
    remembered.unwrap_or_else(|| Raised::new(Fault::script(message), place))
}

fn told<H: Host>(stage: &Stage<H>, error: &Error, place: Option<&Place>, functions: &[(String, usize)]) -> Fault {
    match error {
        Error::ErrorVariableNotFound(name, _) => stage.undefined(name, functions.iter().map(|(name, _)| name.as_str())),
        Error::ErrorFunctionNotFound(signature, _) => function_not_found(stage, signature, place, functions),
        Error::ErrorDotExpr(text, _) if text.starts_with("Unknown property '") => {
            property_not_found(stage, text, place)
        }
        Error::ErrorIndexingType(signature, _) => {
            let kind = kind_name(signature.split(" [").next().unwrap_or_default());
            Fault::script(format!("{kind} cannot be indexed")).hint("only lists, maps and strings have entries")
        }
        Error::ErrorArrayBounds(length, index, _) => {
            Fault::script(format!("index {index} is outside a list of {length}")).hint("the first entry is 0")
        }
        Error::ErrorAssignmentToConstant(name, _) => stage.read_only(name, LANGUAGE),
        Error::ErrorNonPureMethodCallOnConstant(name, _) => {
            Fault::script(format!("`{name}` would change a constant")).hint("change a copy: let mine = …; mine.sort();")
        }
        Error::ErrorMismatchDataType(expected, got, _) => {
            let (expected, got) = (kind_name(expected), kind_name(got));
            Fault::script(format!("expected {expected}, got {got}")).expected(expected).received(got)
        }
        Error::ErrorModuleNotFound(name, _) => Fault::script(format!("undefined module `{name}`"))
            .hint(format!("import it first: import \"{name}\" as {name};")),
        Error::ErrorFor(_) => Fault::script("`for` needs a list, a map's keys() or a range"),
        Error::ErrorStackOverflow(_) => stage.limit(format!("{} nested calls", stage.limits.call_depth)),
        Error::ErrorDataTooLarge(what, _) => {
            let limits = &stage.limits;
            stage.limit(match what.as_str() {
                "Length of string" => format!("{} bytes in a string", limits.text),
                _ => format!("{} items in a list or map", limits.items),
            })
        }
        Error::ErrorTooManyVariables(_) | Error::ErrorTooManyModules(_) => stage.limit("variables and modules"),
        Error::ErrorTerminated(..) => stage.check().err().unwrap_or_else(|| Fault::script("the script was stopped")),
        Error::ErrorArithmetic(text, _) => Fault::script(format!("arithmetic: {}", lower_first(text))),
        error => Fault::script(lower_first(&error.to_string())),
    }
}

fn function_not_found<H: Host>(
    stage: &Stage<H>,
    signature: &str,
    place: Option<&Place>,
    functions: &[(String, usize)],
) -> Fault {
    let (name, kinds) = signature.split_once(" (").unwrap_or((signature, ""));
    let kinds: Vec<_> =
        kinds.trim_end_matches(')').split(", ").filter(|kind| !kind.is_empty()).map(kind_name).collect();
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return Fault::script(format!("`{name}` is not defined for {}", kinds.join(" and ")));
    }
    if name.starts_with("anon$") {
        return Fault::script("this closure cannot be called here")
            .hint("a closure made in another module can only be called there, and with as many arguments as it takes");
    }
    if kinds.first() == Some(&"module".to_owned()) {
        let module = place.and_then(receiver).unwrap_or_default();
        return stage.unknown_word(&module, name);
    }
    let same: Vec<_> = functions.iter().filter(|(function, _)| function == name).collect();
    if let Some((_, arity)) = same.first() {
        let arguments = if *arity == 1 { "argument" } else { "arguments" };
        return Fault::script(format!("`{name}` takes {arity} {arguments}, got {}", kinds.len()));
    }
    let mut fault = stage.undefined(name, functions.iter().map(|(name, _)| name.as_str()));
    fault.message = format!("undefined function `{name}` for ({})", kinds.join(", "));
    fault
}

fn property_not_found<H: Host>(stage: &Stage<H>, text: &str, place: Option<&Place>) -> Fault {
    let mut quoted = text.split('\'').skip(1).step_by(2);
    let (name, kind) = (quoted.next().unwrap_or_default(), kind_name(quoted.next().unwrap_or_default()));
    match place.and_then(receiver) {
        Some(module) if kind == "module" => stage.unknown_word(&module, name),
        _ => Fault::script(format!("{kind} has no property `{name}`")),
    }
}

/// The name before the dot before a place.
fn receiver(place: &Place) -> Option<String> {
    let before: String = place.text.as_ref()?.chars().take(place.column?.checked_sub(1)?).collect();
    let before = before.trim_end().strip_suffix('.')?.trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + 1);
    Some(before[start..].to_owned())
}

fn syntax<H: Host>(stage: &Stage<H>, error: &ParseErrorType, place: Option<&Place>) -> Fault {
    // What is wrong is often noticed only on the next line.
    let lines =
        place.map(|place| [Some(place.clone()), place.line.checked_sub(1).map(|l| stage.place(&place.file, l, None))]);
    let habit = lines.into_iter().flatten().flatten().find_map(|place| foreign_habit(LANGUAGE, place.text.as_deref()?));
    let fault = match error {
        ParseErrorType::VariableUndefined(name) => {
            let fault = stage.undefined(name, []);
            let inside =
                "a function sees its parameters and the words, not the variables around it; a closure || … does";
            return match foreign_habit(LANGUAGE, name) {
                Some(habit) => fault.hint(habit),
                None if fault.hint.is_none() => fault.hint(inside),
                None => fault,
            };
        }
        ParseErrorType::ModuleUndefined(name) => Fault::script(format!("undefined module `{name}`"))
            .hint(format!("import it first: import \"{name}\" as {name};")),
        ParseErrorType::Reserved(name) => Fault::script(format!("`{name}` is reserved in Rhai")),
        ParseErrorType::UnexpectedEOF => {
            Fault::script("the script ends too early").hint("a bracket, a brace or a string is not closed")
        }
        ParseErrorType::MissingToken(token, purpose) => Fault::script(format!("`{token}` is missing {purpose}")),
        ParseErrorType::ExprTooDeep => {
            Fault::script("too many expressions inside each other").hint("move the inner ones into a function")
        }
        ParseErrorType::AssignmentToConstant(name) => return stage.read_only(name, LANGUAGE),
        error => Fault::script(lower_first(&error.to_string())),
    };
    match habit {
        Some(habit) => fault.hint(habit),
        None => fault,
    }
}

/// Rhai's name of a type in the words that both languages share.
fn kind_name(name: &str) -> String {
    match name.trim() {
        "()" => "nothing",
        "i64" => "integer",
        "f64" => "number",
        "array" | "Array" => "list",
        "Fn" => "function",
        "&str | ImmutableString | String" | "string" | "char" => "string",
        other => other,
    }
    .to_owned()
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
