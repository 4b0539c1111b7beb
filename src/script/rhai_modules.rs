//! Rhai's `import`, inside the library only.
//!
//! Rhai's own resolver accepts `..` and absolute paths; this one asks the library. Modules are kept for the life of
//! the engine. It deliberately gives a module nothing but the words: it does not see who imports it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Engine, EvalAltResult, Module, ModuleResolver, Position, Scope, Shared};

use super::fault::Fault;
use super::host::Host;
use super::rhai_engine::{LANGUAGE, names_in_scope};
use super::stage::Stage;

type Resolved = Result<Shared<Module>, Box<EvalAltResult>>;

/// Finds, compiles and keeps modules.
pub(super) struct Resolver<H: 'static> {
    stage: Rc<Stage<H>>,
    /// By the name of the file.
    ready: RefCell<BTreeMap<String, Shared<Module>>>,
    /// The modules that are being evaluated, outermost first.
    loading: RefCell<Vec<String>>,
}

impl<H: Host> Resolver<H> {
    pub fn new(stage: Rc<Stage<H>>) -> Self {
        Self { stage, ready: RefCell::default(), loading: RefCell::default() }
    }

    fn throw(&self, fault: Fault, importer: Option<&str>, position: Position) -> Box<EvalAltResult> {
        let place = importer.zip(position.line()).map(|(file, line)| self.stage.place(file, line, position.position()));
        let fault = self.stage.answer(fault, place);
        EvalAltResult::ErrorRuntime(fault.message.into(), position).into()
    }
}

impl<H: Host> ModuleResolver for Resolver<H> {
    fn resolve(&self, engine: &Engine, importer: Option<&str>, path: &str, position: Position) -> Resolved {
        let source = self.stage.module(path, LANGUAGE).map_err(|fault| self.throw(fault, importer, position))?;
        let name = source.name();
        if let Some(module) = self.ready.borrow().get(name) {
            return Ok(Shared::clone(module));
        }
        if let Some(fault) = self.stage.cycle(&self.loading.borrow(), name) {
            return Err(self.throw(fault, importer, position));
        }
        self.loading.borrow_mut().push(name.to_owned());
        let module = engine
            .compile_with_scope(&names_in_scope(&self.stage), source.text())
            .map_err(|error| EvalAltResult::ErrorParsing(*error.0, error.1).into())
            .and_then(|mut ast| {
                ast.set_source(name);
                Module::eval_ast_as_new(Scope::new(), &ast, engine)
            });
        self.loading.borrow_mut().pop();
        let module: Shared<Module> =
            module.map_err(|error| Box::new(EvalAltResult::ErrorInModule(name.to_owned(), error, position)))?.into();
        self.ready.borrow_mut().insert(name.to_owned(), Shared::clone(&module));
        Ok(module)
    }
}
