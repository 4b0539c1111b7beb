//! What the functions of a Lua state do when a script calls them.
//!
//! A call of Rust into a script is told about its errors while their stack stands. It deliberately binds no names:
//! the engine does.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Error, Function, Lua, MultiValue, Table, Value as LuaValue};

use super::error::Raised;
use super::fault::Fault;
use super::host::Host;
use super::lua_errors::{Carried, current_place, explain_bare, explain_syntax, limit_of, message_of};
use super::lua_values::{given, lua_value};
use super::source::{Language, Source};
use super::stage::Stage;
use super::word::{Args, Block, Word};

/// What the functions of the state hold.
pub(super) struct Shared<H: 'static> {
    pub stage: Rc<Stage<H>>,
    /// Lua's own, before the prelude put another in its place.
    pub xpcall: Function,
    /// What the innermost error was, told while its stack still stood.
    pub raised: Rc<RefCell<Option<Raised>>>,
    /// Tells the story of an error into `raised`.
    pub teller: Function,
    /// The modules of words by their addresses, to notice `page:click()`.
    pub modules: RefCell<BTreeMap<&'static str, usize>>,
    /// The names that a file sees; only a session may add to them.
    pub names: Table,
    pub blocks: Blocks,
}

/// The functions that a file declared, and the modules that it loaded.
#[derive(Default)]
pub(super) struct Blocks {
    pub setups: RefCell<Vec<Function>>,
    pub scenarios: RefCell<Vec<Function>>,
    pub loaded: RefCell<BTreeMap<String, LuaValue>>,
    pub loading: RefCell<Vec<String>>,
}

impl<H: Host> Shared<H> {
    pub fn say(&self, lua: &Lua, word: &'static Word<H>, args: MultiValue) -> mlua::Result<LuaValue> {
        if self.is_method_call(word, &args) {
            let full = word.full_name();
            let fault = Fault::script(format!("{full} is called with a dot, not a colon"));
            return Err(self.raise(lua, fault.hint(format!("write {full}(…)"))));
        }
        let place = current_place(&self.stage, lua);
        let given = args.iter().map(given).collect();
        let value = self.stage.say(word, given, place).map_err(Error::external)?;
        lua_value(lua, value)
    }

    fn is_method_call(&self, word: &Word<H>, args: &MultiValue) -> bool {
        let Some(LuaValue::Table(first)) = args.front() else { return false };
        self.modules.borrow().get(word.module).is_some_and(|module| *module == first.to_pointer() as usize)
    }

    pub fn say_block(
        &self,
        lua: &Lua,
        word: &'static Word<H>,
        block: Block,
        mut args: MultiValue,
    ) -> mlua::Result<LuaValue> {
        let place = current_place(&self.stage, lua);
        let given = args.iter().map(given).collect();
        let admitted = self.stage.admit(word, given, place.as_ref()).map_err(Error::external)?;
        let Some(LuaValue::Function(function)) = args.pop_back() else {
            unreachable!("the judge of arguments lets a block through only with a function at its end")
        };
        let declared = match block {
            Block::Step => return self.step(lua, admitted, function),
            Block::Setup => self.stage.admit_declaration(word).map(|()| self.blocks.setups.borrow_mut().push(function)),
            Block::Scenario => self
                .stage
                .admit_declaration(word)
                .and_then(|()| self.stage.declare(admitted, place))
                .map(|()| self.blocks.scenarios.borrow_mut().push(function)),
        };
        declared.map(|()| LuaValue::Nil).map_err(|fault| self.raise(lua, fault))
    }

    fn step(&self, lua: &Lua, mut args: Args, function: Function) -> mlua::Result<LuaValue> {
        let name = args.text(0);
        {
            let mut host = self.stage.host();
            host.at(current_place(&self.stage, lua));
            host.enter_step(&name);
        }
        let result = self.protect(function);
        self.stage.host().leave_step(result.is_ok());
        result
            .map(|mut values| values.pop_front().unwrap_or_default())
            .map_err(|raised| Error::external(Carried(raised)))
    }

    /// Calls a function of the script; an error is told while its stack stands.
    pub fn protect(&self, function: Function) -> Result<MultiValue, Raised> {
        self.raised.take();
        let raised = match self.xpcall.call::<MultiValue>((function, self.teller.clone())) {
            Err(error) => explain_bare(&self.stage, &LuaValue::Error(Box::new(error))),
            Ok(mut values) => match values.pop_front() {
                Some(LuaValue::Boolean(true)) => return Ok(values),
                // Lua tells nobody when memory is over.
                _ => self
                    .raised
                    .take()
                    .unwrap_or_else(|| explain_bare(&self.stage, &values.pop_front().unwrap_or_default())),
            },
        };
        if raised.fault.kind.is_latched() {
            self.stage.answer(raised.fault.clone(), raised.place.clone());
        }
        Err(raised)
    }

    /// What a script gets of an error that it caught, unless it may not catch it.
    pub fn caught(&self, lua: &Lua, error: LuaValue) -> mlua::Result<LuaValue> {
        if let Some(fault) = limit_of(&self.stage, &error) {
            self.stage.answer(fault, current_place(&self.stage, lua));
        }
        if let Some(fault) = self.stage.latched() {
            return Err(Error::external(fault));
        }
        match error {
            LuaValue::Error(error) => lua.create_string(message_of(&error)).map(LuaValue::String),
            other => Ok(other),
        }
    }

    pub fn require(&self, lua: &Lua, name: &LuaValue) -> mlua::Result<LuaValue> {
        let LuaValue::String(name) = name else {
            let fault = Fault::script(format!("require: expected string, got {}", name.type_name()));
            return Err(self.raise(lua, fault));
        };
        let found = self.stage.module(&name.to_string_lossy(), Language::Lua);
        let source = found.map_err(|fault| self.raise(lua, fault))?;
        let blocks = &self.blocks;
        if let Some(value) = blocks.loaded.borrow().get(source.name()) {
            return Ok(value.clone());
        }
        if let Some(fault) = self.stage.cycle(&blocks.loading.borrow(), source.name()) {
            return Err(self.raise(lua, fault));
        }
        blocks.loading.borrow_mut().push(source.name().to_owned());
        let result = match compile(&self.stage, lua, &source, &self.names) {
            Ok(file) => self.protect(file),
            // Nothing ran yet, so no stack says who loads it.
            Err(raised) => {
                Err(Raised { trace: vec![("require".to_owned(), current_place(&self.stage, lua))], ..raised })
            }
        };
        blocks.loading.borrow_mut().pop();
        let mut values = result.map_err(|raised| Error::external(Carried(raised)))?;
        let value = values.pop_front().filter(|value| !value.is_nil()).unwrap_or(LuaValue::Boolean(true));
        blocks.loaded.borrow_mut().insert(source.name().to_owned(), value.clone());
        Ok(value)
    }

    pub fn raise(&self, lua: &Lua, fault: Fault) -> Error {
        raise(&self.stage, lua, fault)
    }
}

/// Compiles a source that sees `names` as its globals.
pub(super) fn compile<H: Host>(
    stage: &Stage<H>,
    lua: &Lua,
    source: &Source,
    names: &Table,
) -> Result<Function, Raised> {
    compile_raw(lua, source, names).map_err(|error| explain_syntax(stage, &error, source))
}

/// Compiles a source, with Lua's own error.
pub(super) fn compile_raw(lua: &Lua, source: &Source, names: &Table) -> mlua::Result<Function> {
    let chunk = lua.load(source.text()).set_name(format!("@{}", source.name()));
    chunk.set_mode(ChunkMode::Text).set_environment(names.clone()).into_function()
}

/// A fault that did not go through a word, as Lua throws it.
pub(super) fn raise<H: Host>(stage: &Stage<H>, lua: &Lua, fault: Fault) -> Error {
    Error::external(stage.answer(fault, current_place(stage, lua)))
}

/// A name as a message shows it.
pub(super) fn shown(name: &LuaValue) -> String {
    match name {
        LuaValue::String(name) => name.to_string_lossy(),
        other => other.type_name().to_owned(),
    }
}
