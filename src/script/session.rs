//! A conversation: lines typed one after another, which see what the earlier ones defined.
//!
//! All lines belong to one growing source, `repl`, so that an error in a function names the line where it was typed.
//! It deliberately reads no keyboard and keeps no history.

use std::cell::RefMut;
use std::rc::Rc;
use std::sync::Arc;

use super::error::ScriptError;
use super::host::Host;
use super::library::Library;
use super::limits::{Interrupt, Limits};
use super::lua_engine::LuaEngine;
use super::rhai_engine::RhaiEngine;
use super::rhai_session::RhaiSession;
use super::source::{Language, Source};
use super::stage::{Phase, Stage};
use super::validate::Given;
use super::value::Value;
use super::vocabulary::Vocabulary;

/// What became of an input.
#[derive(Debug, Clone, PartialEq)]
pub enum Evaluated {
    /// Its value; [`Value::Null`] if it has none. Several values of Lua are a list.
    Value(Value),
    /// Its value is not plain data; this says what it is: "function".
    Other(String),
    /// It goes on: append the next line and evaluate again. A text that ends in an empty line never goes on.
    Incomplete,
    /// What ended it. The session can be used further.
    Error(Box<ScriptError>),
}

/// A session of one language with its host.
///
/// Variables and functions stay from one input to the next. In Lua a `local` does not: it ends with its input, so
/// that a session writes `x = 1`, which a file must not. It lives on the thread that made it, which needs a stack of
/// [`STACK`](super::STACK) bytes if what is typed may use up every limit.
pub struct Session<H: 'static> {
    engine: Engine<H>,
    stage: Rc<Stage<H>>,
    language: Language,
    /// Everything that was typed.
    transcript: String,
}

enum Engine<H: 'static> {
    Rhai(Box<RhaiSession<H>>),
    Lua(LuaEngine<H>),
}

/// What an engine makes of an input.
pub(super) enum Typed {
    Ended(Given),
    Incomplete,
}

impl<H: Host> Session<H> {
    /// A session; `limits` hold for each input, and `interrupt` stops the one that runs.
    ///
    /// # Errors
    /// If the memory limit does not even hold the words.
    pub fn new(
        language: Language,
        vocabulary: Arc<Vocabulary<H>>,
        library: Arc<dyn Library + Send + Sync>,
        limits: Limits,
        interrupt: Interrupt,
        host: H,
    ) -> Result<Self, ScriptError> {
        let stage = Rc::new(Stage::new(vocabulary, library, limits, interrupt, host));
        stage.phase.set(Phase::Session);
        let engine = match language {
            Language::Rhai => Engine::Rhai(Box::new(RhaiSession::new(RhaiEngine::new(Rc::clone(&stage))))),
            Language::Lua => Engine::Lua(LuaEngine::new(Rc::clone(&stage))?),
        };
        Ok(Self { engine, stage, language, transcript: String::new() })
    }

    /// Evaluates what was typed.
    pub fn eval(&mut self, text: &str) -> Evaluated {
        self.stage.interrupt.reset();
        self.stage.restart();
        let before = self.transcript.matches('\n').count();
        let whole = format!("{}{text}\n", self.transcript);
        let source = Source::new("repl", whole.as_str(), self.language);
        self.stage.learn(&source);
        let may_go_on = !text.ends_with("\n\n");
        let result = match &mut self.engine {
            Engine::Rhai(session) => session.eval(text, before, &source, may_go_on),
            Engine::Lua(engine) => engine.eval(text, before, &source, may_go_on),
        };
        if !matches!(result, Ok(Typed::Incomplete)) {
            self.transcript = whole;
        }
        match self.stage.conclude(result) {
            Ok(Typed::Ended(Given::Plain(value))) => Evaluated::Value(value),
            Ok(Typed::Ended(Given::Function)) => Evaluated::Other("function".to_owned()),
            Ok(Typed::Ended(Given::Odd(what))) => Evaluated::Other(what),
            Ok(Typed::Incomplete) => Evaluated::Incomplete,
            Err(error) => Evaluated::Error(Box::new(error)),
        }
    }

    /// Whether a file may say `text` as a statement. Only Lua has expressions that are none.
    pub fn is_statement(&self, text: &str) -> bool {
        match &self.engine {
            Engine::Rhai(_) => true,
            Engine::Lua(engine) => engine.is_statement(text),
        }
    }

    /// The names that were defined so far, for completion.
    pub fn defined(&self) -> Vec<String> {
        match &self.engine {
            Engine::Rhai(session) => session.defined(),
            Engine::Lua(engine) => engine.defined(),
        }
    }

    /// The host.
    pub fn host_mut(&mut self) -> RefMut<'_, H> {
        self.stage.host()
    }

    /// Ends the session.
    pub fn into_host(self) -> H {
        drop(self.engine);
        self.stage.take_host()
    }
}
