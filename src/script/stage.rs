//! What both engines share while a script is evaluated: the host, the count of what was used up, what was declared,
//! and the fault that nothing may swallow.
//!
//! It deliberately knows no language: an engine converts, says where, and asks the stage.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::error::{Raised, ScriptError};
use super::fault::{Fault, FaultKind};
use super::host::Host;
use super::library::{Library, file_name};
use super::limits::{Interrupt, Limits};
use super::program::ScenarioDecl;
use super::source::{Language, Source};
use super::validate::{Given, validate};
use super::value::Value;
use super::vocabulary::Vocabulary;
use super::word::{Args, Call, Word};
use crate::diag::{Place, did_you_mean};

/// What may be said at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The top of a file: scenarios are declared, and there is no page.
    Collect,
    /// A scenario runs.
    Scenario,
    /// Somebody types.
    Session,
}

/// The shared state of one engine.
pub(super) struct Stage<H: 'static> {
    pub vocabulary: Arc<Vocabulary<H>>,
    pub limits: Limits,
    pub interrupt: Interrupt,
    pub phase: Cell<Phase>,
    /// The scenarios in the order of their declaration; the engine keeps their functions in the same order.
    pub declared: RefCell<Vec<ScenarioDecl>>,
    library: Arc<dyn Library + Send + Sync>,
    /// Absent only after the engine ended.
    host: RefCell<Option<H>>,
    sources: RefCell<BTreeMap<String, Source>>,
    deadline: Cell<Option<Instant>>,
    operations: Cell<u64>,
    latched: RefCell<Option<Raised>>,
    /// The last fault that a word answered: a script that catches it holds only its message.
    answered: RefCell<Option<Raised>>,
}

impl<H: Host> Stage<H> {
    pub fn new(
        vocabulary: Arc<Vocabulary<H>>,
        library: Arc<dyn Library + Send + Sync>,
        limits: Limits,
        interrupt: Interrupt,
        host: H,
    ) -> Self {
        let stage = Self {
            vocabulary,
            limits,
            interrupt,
            phase: Cell::new(Phase::Collect),
            declared: RefCell::default(),
            library,
            host: RefCell::new(Some(host)),
            sources: RefCell::default(),
            deadline: Cell::new(None),
            operations: Cell::new(0),
            latched: RefCell::default(),
            answered: RefCell::default(),
        };
        stage.restart();
        stage
    }

    /// Forgets what was used up and what was latched: the next input of a session starts afresh.
    pub fn restart(&self) {
        // A limit of forever has no deadline.
        self.deadline.set(Instant::now().checked_add(self.limits.time));
        self.operations.set(0);
        self.latched.take();
        self.answered.take();
    }

    /// The host. Never held while a script runs.
    pub fn host(&self) -> RefMut<'_, H> {
        RefMut::map(self.host.borrow_mut(), |host| host.as_mut().expect("the host leaves last"))
    }

    /// Takes the host away, after the engine ended.
    pub fn take_host(&self) -> H {
        self.host.take().expect("the host leaves once")
    }

    /// Says a word: judges the arguments, tells the host the place, calls.
    pub fn say(&self, word: &Word<H>, given: Vec<Given>, place: Option<Place>) -> Result<Value, Fault> {
        let args = self.admit(word, given, place.as_ref())?;
        let Call::Plain(call) = word.call else { return Ok(Value::Null) };
        let (told, began) = (args.told(), Instant::now());
        let answer = {
            let mut host = self.host();
            host.at(place.clone());
            // A panic must not take the host and what it has seen with it.
            catch_unwind(AssertUnwindSafe(|| call(&mut host, args)))
        };
        let answer = answer.unwrap_or_else(|panic| {
            let why = panic.downcast_ref::<String>().map(String::as_str);
            let why = why.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
            Err(Fault::new(FaultKind::Harness, format!("{} panicked: {why}", word.full_name()))
                .hint("this is a defect of loupe, not of the script or the artifact"))
        });
        self.host().spoke(&word.full_name(), told, began.elapsed(), answer.as_ref().err());
        answer.map_err(|fault| self.answer(fault, place))
    }

    /// Whether a word may be said now, with these arguments.
    pub fn admit(&self, word: &Word<H>, given: Vec<Given>, place: Option<&Place>) -> Result<Args, Fault> {
        self.check().map_err(|fault| self.answer(fault, place.cloned()))?;
        if word.live && self.phase.get() == Phase::Collect {
            let fault = Fault::script(format!("{} is only available inside a scenario", word.full_name()))
                .hint("the top of a file only declares: move the call into scenario(…) or setup(…)");
            return Err(self.answer(fault, place.cloned()));
        }
        validate(word, given).map_err(|fault| self.answer(fault, place.cloned()))
    }

    /// Whether the script may declare something now.
    pub fn admit_declaration(&self, word: &Word<H>) -> Result<(), Fault> {
        let name = word.full_name();
        match self.phase.get() {
            Phase::Collect => Ok(()),
            Phase::Scenario => Err(Fault::script(format!("{name} is not available inside a scenario"))
                .hint("declare at the top of the file; inside a scenario, step(name, function) names a part")),
            Phase::Session => Err(Fault::script(format!("{name} declares a part of a file: it is not available here"))),
        }
    }

    /// Notes a scenario.
    ///
    /// # Errors
    /// A script fault if there is one of the same title.
    pub fn declare(&self, mut args: Args, place: Option<Place>) -> Result<(), Fault> {
        let title = args.text(0);
        let mut declared = self.declared.borrow_mut();
        if let Some(first) = declared.iter().find(|scenario| scenario.title == title) {
            let first = first.place.as_ref().map_or_else(|| "?".to_owned(), Place::to_string);
            return Err(Fault::script(format!("scenario \"{title}\" is declared twice"))
                .hint(format!("the first is at {first}; every title must be its own")));
        }
        declared.push(ScenarioDecl { title, options: args.map(1), place });
        Ok(())
    }

    /// Counts operations, and says whether the script must stop.
    pub fn tick(&self, count: u64) -> Result<(), Fault> {
        let used = self.operations.get() + count;
        self.operations.set(used);
        if used > self.limits.operations {
            return Err(self.limit(format!("{} operations", self.limits.operations)));
        }
        // The clock is not asked at every single operation.
        match count > 1 || used.is_multiple_of(256) {
            true => self.check(),
            false => Ok(()),
        }
    }

    /// Whether the script must stop: something was latched, somebody interrupts, or its time is over.
    pub fn check(&self) -> Result<(), Fault> {
        if let Some(fault) = self.latched() {
            return Err(fault);
        }
        if self.interrupt.is_cancelled() {
            return Err(Fault::new(FaultKind::Interrupted, "interrupted"));
        }
        match self.deadline.get() {
            Some(deadline) if Instant::now() >= deadline => Err(self.limit(in_seconds(self.limits.time))),
            _ => Ok(()),
        }
    }

    /// The fault of a limit that was hit.
    pub fn limit(&self, which: impl std::fmt::Display) -> Fault {
        let what = match self.phase.get() {
            Phase::Collect => "the file",
            Phase::Scenario => "the scenario",
            Phase::Session => "the input",
        };
        Fault::new(FaultKind::Limit, format!("{what} hit its limit of {which}"))
    }

    /// Remembers a fault that goes into the script, for ever if nothing may swallow it. The first latched one stays.
    pub fn answer(&self, fault: Fault, place: Option<Place>) -> Fault {
        let raised = Raised::new(fault.clone(), place);
        if fault.kind.is_latched() {
            self.latched.borrow_mut().get_or_insert(raised);
        } else {
            *self.answered.borrow_mut() = Some(raised);
        }
        fault
    }

    /// The fault behind a message that a script caught and threw again.
    pub fn recall(&self, message: &str) -> Option<Raised> {
        self.answered.borrow().clone().filter(|raised| raised.fault.message == message)
    }

    /// The latched fault: nothing after it can be believed.
    pub fn latched(&self) -> Option<Fault> {
        self.latched.borrow().as_ref().map(|raised| raised.fault.clone())
    }

    /// What an evaluation ended with: a latched fault wins over whatever the script made of it.
    pub fn conclude<T>(&self, result: Result<T, Raised>) -> Result<T, ScriptError> {
        let latched = self.latched.take();
        match (latched, result) {
            (None, result) => result.map_err(ScriptError::from),
            (Some(latched), Ok(_)) => Err(latched.into()),
            // The way it came out is its trace only if it is the same fault.
            (Some(latched), Err(raised)) if raised.fault == latched.fault => {
                Err(Raised { place: latched.place.or(raised.place), ..raised }.into())
            }
            (Some(latched), Err(_)) => Err(latched.into()),
        }
    }

    /// Makes a source known, so that places can show its lines.
    pub fn learn(&self, source: &Source) {
        self.sources.borrow_mut().insert(source.name().to_owned(), source.clone());
    }

    /// A place in a source that was learnt.
    pub fn place(&self, file: &str, line: usize, column: Option<usize>) -> Place {
        match self.sources.borrow().get(file) {
            Some(source) => source.place(line, column),
            None => Place { file: file.to_owned(), line, column, text: None },
        }
    }

    /// The place that stands in front of a message, as in `flow.lua:3: message`, and the message.
    pub fn leading_place<'a>(&self, text: &'a str) -> Option<(Place, &'a str)> {
        self.sources.borrow().values().find_map(|source| {
            let (line, message) = text.strip_prefix(source.name())?.strip_prefix(':')?.split_once(": ")?;
            Some((source.place(line.parse().ok()?, None), message))
        })
    }

    /// Finds the module that a script asked for, and learns its source.
    pub fn module(&self, name: &str, language: Language) -> Result<Source, Fault> {
        let found = file_name(name, language).and_then(|file| self.library.find(&file));
        let source = found.map_err(|mistake| Fault {
            expected: mistake.expected,
            hint: mistake.hints.into_iter().next(),
            ..Fault::script(format!("cannot load the module \"{name}\": {}", mistake.title))
        })?;
        self.learn(&source);
        Ok(source)
    }

    /// The fault of a module that is asked for while it is being loaded; `loading` are those, outermost first.
    pub fn cycle(&self, loading: &[String], name: &str) -> Option<Fault> {
        let start = loading.iter().position(|loading| loading == name)?;
        let cycle = loading[start..].iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(" → ");
        Some(Fault::script(format!("modules load each other: {cycle}")))
    }

    /// The fault of a name that nothing has; `candidates` are the names that a language adds.
    pub fn undefined<'a>(&'a self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Fault {
        let names = self.vocabulary.names();
        let fault = Fault::script(format!("undefined name `{name}`"));
        if let Some(word) = self.vocabulary.words().iter().find(|word| !word.module.is_empty() && word.name == name) {
            return fault.hint(format!("did you mean `{}`?", word.full_name()));
        }
        match did_you_mean(name, names.into_iter().chain(candidates)) {
            Some(near) => fault.hint(format!("did you mean `{near}`?")),
            None => fault,
        }
    }

    /// The fault of a word that its module does not have.
    pub fn unknown_word(&self, module: &str, name: &str) -> Fault {
        let fault = Fault::script(format!("`{module}` has no word `{name}`"));
        let names: Vec<_> = self.vocabulary.words_of(module).map(|word| word.name).collect();
        match did_you_mean(name, names.iter().copied()) {
            Some(near) => fault.hint(format!("did you mean `{module}.{near}`?")),
            None => fault.hint(format!("`{module}` has {}", names.join(", "))),
        }
    }

    /// The fault of writing to a constant or a word.
    pub fn read_only(&self, name: &str, language: Language) -> Fault {
        let copy = match language {
            Language::Rhai => format!("change a copy: let mine = {name};"),
            Language::Lua => "copy what you want to change into a table of your own".to_owned(),
        };
        Fault::script(format!("`{name}` is read-only")).hint(copy)
    }
}

fn in_seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
