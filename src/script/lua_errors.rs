//! Lua's errors told in the words that both languages share.
//!
//! Places are read from the stack at the moment of the error, since Lua keeps none; Lua knows lines, not columns. It
//! deliberately leaves Lua's own text where it is clear.

use mlua::{Error, Lua, Value as LuaValue};

use super::error::Raised;
use super::fault::Fault;
use super::habits::foreign_habit;
use super::host::Host;
use super::lua_values::plain;
use super::source::{Language, Source};
use super::stage::Stage;
use super::value::{Budget, Value};
use crate::diag::Place;

/// What Lua says when memory is over, without a place: a script's own `error` has one.
const NO_MEMORY: &str = "not enough memory";

/// What Lua says when there is no stack left to handle the error that there is no stack left.
const IN_HANDLER: &str = "error in error handling";

/// Stands for an error whose story is kept already, so that it is not told again from further out.
#[derive(Debug)]
pub(super) struct Carried(pub Raised);

impl std::fmt::Display for Carried {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fault.fmt(f)
    }
}

impl std::error::Error for Carried {}

/// The message of an error value, as a script gets to see it.
pub(super) fn message_of(error: &Error) -> String {
    if let Some(carried) = error.downcast_ref::<Carried>() {
        return carried.0.fault.message.clone();
    }
    match error.downcast_ref::<Fault>() {
        Some(fault) => fault.message.clone(),
        None => error.to_string(),
    }
}

/// An error at the moment it is raised, with the stack that raised it.
pub(super) fn explain<H: Host>(stage: &Stage<H>, lua: &Lua, error: &LuaValue) -> Raised {
    if let LuaValue::Error(error) = error
        && let Some(Carried(raised)) = error.downcast_ref::<Carried>()
    {
        return raised.clone();
    }
    let frames = frames(stage, lua);
    let (fault, remembered, at) = fault_of(stage, error, &frames);
    let place = remembered.or_else(|| frames.get(at).map(|frame| frame.place.clone()));
    let trace = frames.windows(2).skip(at).map(|pair| (pair[0].function.clone(), Some(pair[1].place.clone())));
    Raised { fault, place, trace: trace.collect() }
}

/// An error value without a stack: what Lua raises when memory is over.
pub(super) fn explain_bare<H: Host>(stage: &Stage<H>, error: &LuaValue) -> Raised {
    let (fault, place, _) = fault_of(stage, error, &[]);
    Raised::new(fault, place)
}

/// A file that does not compile.
pub(super) fn explain_syntax<H: Host>(stage: &Stage<H>, error: &Error, source: &Source) -> Raised {
    let Error::SyntaxError { message, .. } = error else {
        return Raised::new(fault_of_error(stage, error), Some(source.place(1, None)));
    };
    let (line, text) = after_place(message).unwrap_or((1, message));
    let fault = Fault::script(text.to_owned());
    let fault = match source.line(line).and_then(|text| foreign_habit(Language::Lua, text)) {
        Some(habit) => fault.hint(habit),
        None => fault,
    };
    Raised::new(fault, Some(source.place(line, None)))
}

/// The fault of a limit, if that is what the error is about.
pub(super) fn limit_of<H: Host>(stage: &Stage<H>, error: &LuaValue) -> Option<Fault> {
    let text = match error {
        LuaValue::String(text) => text.to_string_lossy(),
        LuaValue::Error(error) => match root(error) {
            Error::MemoryError(_) => NO_MEMORY.to_owned(),
            Error::RuntimeError(text) => text.clone(),
            _ => return None,
        },
        _ => return None,
    };
    if text == NO_MEMORY {
        return Some(stage.limit(format!("{} MiB of memory", stage.limits.memory as f64 / f64::from(1 << 20))));
    }
    let is_depth = text.ends_with("stack overflow") || text.contains("stack overflow (") || text == IN_HANDLER;
    is_depth.then(|| depth(stage))
}

/// The fault of too many nested calls.
pub(super) fn depth<H: Host>(stage: &Stage<H>) -> Fault {
    stage.limit(format!("{} nested calls", stage.limits.call_depth))
}

/// The place of the innermost line of a script.
pub(super) fn current_place<H: Host>(stage: &Stage<H>, lua: &Lua) -> Option<Place> {
    (0..16).find_map(|level| {
        lua.inspect_stack(level, |frame| {
            let line = frame.current_line()?;
            let source = frame.source().source?;
            Some(stage.place(source.strip_prefix('@')?, line, None))
        })?
    })
}

/// One call of a function of a script.
struct Frame {
    place: Place,
    function: String,
    /// The place as Lua writes it in front of messages.
    prefix: String,
}

fn frames<H: Host>(stage: &Stage<H>, lua: &Lua) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut word = None;
    for level in 0..400 {
        let seen = lua.inspect_stack(level, |frame| {
            let name = frame.names().name.map(|name| name.into_owned());
            let source = frame.source();
            let file = source.source.as_deref().and_then(|source| source.strip_prefix('@')).map(str::to_owned);
            let short = source.short_src.as_deref().unwrap_or_default().to_owned();
            (name, file, frame.current_line(), short)
        });
        match seen {
            None => break,
            Some((name, Some(file), Some(line), short)) => {
                // A function that a word called has no name; the word's is better than none.
                if let (Some(inner), Some(word)) = (frames.last_mut(), word.take())
                    && inner.function.is_empty()
                {
                    inner.function = word;
                }
                let place = stage.place(&file, line, None);
                frames.push(Frame { prefix: format!("{short}:{line}: "), place, function: name.unwrap_or_default() });
            }
            Some((name, ..)) => word = name.or(word),
        }
    }
    for frame in frames.iter_mut().filter(|frame| frame.function.is_empty()) {
        frame.function = "function".to_owned();
    }
    frames
}

/// The fault in an error value, its place if it is remembered, and the number of the frame that it names.
fn fault_of<H: Host>(stage: &Stage<H>, error: &LuaValue, frames: &[Frame]) -> (Fault, Option<Place>, usize) {
    if let Some(fault) = limit_of(stage, error) {
        return (fault, None, 0);
    }
    let text = match error {
        LuaValue::Error(error) => {
            let fault = fault_of_error(stage, error);
            let place = stage.recall(&fault.message).and_then(|raised| raised.place);
            return (fault, place, 0);
        }
        LuaValue::String(text) => text.to_string_lossy(),
        LuaValue::Nil => return (Fault::script("the script threw an error without a message"), None, 0),
        other => {
            let what = match plain(other, &mut Budget::default()) {
                Ok(Value::Text(text)) => return (Fault::script(text), None, 0),
                Ok(value) => value.to_string(),
                Err(what) => format!("a {what}"),
            };
            return (Fault::script(format!("the script threw {what}")), None, 0);
        }
    };
    let named = frames.iter().position(|frame| text.starts_with(&frame.prefix));
    let mut message = named.map_or(text.as_str(), |at| &text[frames[at].prefix.len()..]);
    let mut place = None;
    // A coroutine's error carries the place in the coroutine behind the place that resumed it.
    while let Some((inner, rest)) = stage.leading_place(message) {
        (place, message) = (Some(inner), rest);
    }
    match stage.recall(message) {
        Some(raised) => (raised.fault, raised.place, named.unwrap_or_default()),
        None => (told(message), place, named.unwrap_or_default()),
    }
}

fn fault_of_error<H: Host>(stage: &Stage<H>, error: &Error) -> Fault {
    if let Some(fault) = error.downcast_ref::<Fault>() {
        return fault.clone();
    }
    match root(error) {
        Error::MemoryError(_) => limit_of(stage, &LuaValue::Error(Box::new(error.clone())))
            .unwrap_or_else(|| Fault::script("not enough memory")),
        Error::RuntimeError(text) => told(text.split("\nstack traceback:").next().unwrap_or_default()),
        other => Fault::script(other.to_string()),
    }
}

/// Lua's message with a hint where one helps.
fn told(message: &str) -> Fault {
    let fault = Fault::script(message);
    if message.starts_with("attempt to index a nil value") {
        return fault.hint("the name before the dot or bracket is nil: is it spelt right, and does it exist?");
    }
    if message.starts_with("attempt to call a nil value") {
        return fault.hint("there is no such function");
    }
    fault
}

fn root(error: &Error) -> &Error {
    match error {
        Error::CallbackError { cause, .. } | Error::WithContext { cause, .. } => root(cause),
        other => other,
    }
}

/// The line and the rest of a message of the form `file:line: rest`.
fn after_place(message: &str) -> Option<(usize, &str)> {
    message.match_indices(':').find_map(|(i, _)| {
        let (line, rest) = message[i + 1..].split_once(": ")?;
        Some((line.parse().ok()?, rest))
    })
}
