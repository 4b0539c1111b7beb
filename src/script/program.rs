//! A file of scenarios: collected once, then run scenario by scenario.
//!
//! Each run has an engine of its own, so that scenarios cannot leak into each other, and evaluates the file again to
//! get at the functions. It deliberately knows neither retries nor outcomes.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::error::{Raised, ScriptError};
use super::fault::Fault;
use super::host::Host;
use super::library::Library;
use super::limits::{Interrupt, Limits, STACK};
use super::lua_engine::LuaEngine;
use super::rhai_engine::RhaiEngine;
use super::source::{Language, Source};
use super::stage::Stage;
use super::value::Value;
use super::vocabulary::Vocabulary;
use crate::diag::Place;

/// A script file and what it may say.
///
/// Collecting and running happen on a thread of their own, whose stack holds whatever the limits allow.
pub struct Program<H: 'static> {
    /// The file.
    pub source: Source,
    /// The words and constants.
    pub vocabulary: Arc<Vocabulary<H>>,
    /// Where its modules are.
    pub library: Arc<dyn Library + Send + Sync>,
    /// What it may use up, each time it is collected or run.
    pub limits: Limits,
}

/// A scenario as its file declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioDecl {
    /// Its title, of which there is only one in a file.
    pub title: String,
    /// Its options, valid by the description of the word `scenario`.
    pub options: BTreeMap<String, Value>,
    /// Where it is declared.
    pub place: Option<Place>,
}

impl<H: Host> Program<H> {
    /// Evaluates the file to see which scenarios it declares, in their order. Words that need a page fail.
    ///
    /// # Errors
    /// Whatever is wrong with the file; also if it declares no scenario, or two of one title.
    pub fn collect(&self, host: H) -> Result<Vec<ScenarioDecl>, ScriptError> {
        on_own_stack(|| self.collect_here(host))
    }

    /// Runs one scenario: the file, then what `setup` was given, in order, then the scenario's function. The host
    /// comes back whatever happens.
    ///
    /// # Errors
    /// The fault that ended the scenario, with its place.
    pub fn run(&self, title: &str, host: H, interrupt: &Interrupt) -> (H, Result<(), ScriptError>) {
        on_own_stack(|| self.run_here(title, host, interrupt))
    }

    fn collect_here(&self, host: H) -> Result<Vec<ScenarioDecl>, ScriptError> {
        let stage = self.stage(host, &Interrupt::new());
        let result = self.perform(&stage, None);
        stage.conclude(result)?;
        match stage.declared.take() {
            declared if declared.is_empty() => Err(self.declares_nothing()),
            declared => Ok(declared),
        }
    }

    fn declares_nothing(&self) -> ScriptError {
        let fault = Fault::script(format!("{} declares no scenario", self.source.name()));
        let hint = match self.source.language() {
            Language::Rhai => "declare one: scenario(\"title\", || { … });",
            Language::Lua => "declare one: scenario(\"title\", function() … end)",
        };
        Raised::new(fault.hint(hint), Some(self.source.place(1, None))).into()
    }

    fn run_here(&self, title: &str, host: H, interrupt: &Interrupt) -> (H, Result<(), ScriptError>) {
        let stage = self.stage(host, interrupt);
        let result = self.perform(&stage, Some(title));
        let result = stage.conclude(result.map_err(|raised| Raised {
            // Rhai forgets where it was stopped from outside; the scenario is better than nowhere.
            place: raised.place.or_else(|| stage.declared_at(title)),
            ..raised
        }));
        (stage.take_host(), result)
    }

    fn stage(&self, host: H, interrupt: &Interrupt) -> Rc<Stage<H>> {
        let stage = Stage::new(
            Arc::clone(&self.vocabulary),
            Arc::clone(&self.library),
            self.limits.clone(),
            interrupt.clone(),
            host,
        );
        stage.learn(&self.source);
        Rc::new(stage)
    }

    fn perform(&self, stage: &Rc<Stage<H>>, title: Option<&str>) -> Result<(), Raised> {
        match self.source.language() {
            Language::Rhai => RhaiEngine::new(Rc::clone(stage)).perform(&self.source, title),
            Language::Lua => LuaEngine::new(Rc::clone(stage))?.perform(&self.source, title),
        }
    }
}

/// Runs `work` on a thread with room for what the limits allow.
fn on_own_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("script".to_owned()).stack_size(STACK);
        let running = thread.spawn_scoped(scope, work).expect("the system gives a thread to each running scenario");
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

impl<H: Host> Stage<H> {
    /// Where the scenario of this title was declared.
    fn declared_at(&self, title: &str) -> Option<Place> {
        self.declared.borrow().iter().find(|scenario| scenario.title == title)?.place.clone()
    }

    /// The number of the scenario of this title.
    ///
    /// # Errors
    /// A script fault if the file declares none.
    pub(super) fn scenario(&self, title: &str) -> Result<usize, Fault> {
        let declared = self.declared.borrow();
        declared
            .iter()
            .position(|scenario| scenario.title == title)
            .ok_or_else(|| Fault::script(format!("the file declares no scenario \"{title}\"")))
    }
}
