//! Lua 5.4 over the vocabulary.
//!
//! Modules are tables of closures behind a table that cannot be changed; names that nothing has are errors. It
//! deliberately judges no arguments and keeps no limits: the stage does.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Error, Function, HookTriggers, Lua, LuaOptions, MultiValue, StdLib, Table, Value as LuaValue, VmState};

use super::error::Raised;
use super::fault::Fault;
use super::host::Host;
use super::lua_calls::{Blocks, Shared, compile, compile_raw, raise, shown};
use super::lua_errors::{depth, explain, explain_bare, explain_syntax};
use super::lua_values::{behind, constant, given, shield};
use super::session::Typed;
use super::source::{Language, Source};
use super::stage::{Phase, Stage};
use super::validate::Given;
use super::value::Value;
use super::word::{Call, Word};

/// How often the hook looks at limits and interrupts, in instructions.
const HOOK_EVERY: u32 = 10_000;

/// A Lua state that says the words of a stage.
pub(super) struct LuaEngine<H: 'static> {
    lua: Lua,
    shared: Rc<Shared<H>>,
}

impl<H: Host> LuaEngine<H> {
    /// A state with all words and constants.
    ///
    /// # Errors
    /// A limit fault if the memory does not even hold those.
    pub fn new(stage: Rc<Stage<H>>) -> Result<Self, Raised> {
        let limits = &stage.limits;
        let memory = limits.memory;
        let built = build(&stage).and_then(|engine| engine.lua.set_memory_limit(memory).map(|_| engine));
        built.map_err(|error| explain_bare(&stage, &LuaValue::Error(Box::new(error))))
    }

    /// Evaluates a file; then, if one is wanted, the setups and the scenario of that title.
    pub fn perform(&self, source: &Source, title: Option<&str>) -> Result<(), Raised> {
        let shared = &self.shared;
        let file = compile(&shared.stage, &self.lua, source, &shared.names)?;
        shared.protect(file)?;
        let Some(title) = title else { return Ok(()) };
        let number = shared.stage.scenario(title).map_err(|fault| Raised::new(fault, None))?;
        shared.stage.phase.set(Phase::Scenario);
        let setups = shared.blocks.setups.borrow().clone();
        let scenario = shared.blocks.scenarios.borrow()[number].clone();
        for function in setups.into_iter().chain([scenario]) {
            shared.protect(function)?;
        }
        Ok(())
    }
}

impl<H: Host> LuaEngine<H> {
    /// Evaluates `text` of a session, which begins after `before` lines of the source.
    pub fn eval(&self, text: &str, before: usize, source: &Source, may_go_on: bool) -> Result<Typed, Raised> {
        let shared = &self.shared;
        let padding = "\n".repeat(before);
        let typed = |prefix| Source::new(source.name(), format!("{padding}{prefix}{text}"), Language::Lua);
        let try_to = |prefix| compile_raw(&self.lua, &typed(prefix), &shared.names);
        // An expression is no statement of Lua; what it returns is its value.
        let function = match (try_to("return "), try_to("")) {
            (Ok(function), _) | (Err(_), Ok(function)) => function,
            (Err(one), Err(other)) if may_go_on && (is_incomplete(&one) || is_incomplete(&other)) => {
                return Ok(Typed::Incomplete);
            }
            (_, Err(error)) => return Err(explain_syntax(&shared.stage, &error, source)),
        };
        let values = shared.protect(function)?;
        let mut values: Vec<_> = values.iter().map(given).collect();
        match values.len() {
            0 => Ok(Typed::Ended(Given::Plain(Value::Null))),
            1 => Ok(Typed::Ended(values.remove(0))),
            _ => Ok(Typed::Ended(together(values))),
        }
    }

    /// Whether `text` is complete without a `return` before it.
    pub fn is_statement(&self, text: &str) -> bool {
        compile_raw(&self.lua, &Source::new("input", text, Language::Lua), &self.shared.names).is_ok()
    }

    /// The names that a session defined.
    pub fn defined(&self) -> Vec<String> {
        self.shared.names.pairs::<String, LuaValue>().flatten().map(|(name, _)| name).collect()
    }
}

/// Whether the text is only wrong because it ends here; a string in quotes cannot go on in the next line.
fn is_incomplete(error: &Error) -> bool {
    match error {
        Error::SyntaxError { message, incomplete_input } => {
            *incomplete_input && !message.contains(": unfinished string")
        }
        _ => false,
    }
}

/// Several values as a list, if all are plain data.
fn together(values: Vec<Given>) -> Given {
    let mut list = Vec::new();
    for value in values {
        match value {
            Given::Plain(value) => list.push(value),
            odd => return odd,
        }
    }
    Given::Plain(Value::List(list))
}

fn build<H: Host>(stage: &Rc<Stage<H>>) -> mlua::Result<LuaEngine<H>> {
    let libraries = StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::UTF8 | StdLib::COROUTINE;
    let lua = Lua::new_with(libraries, LuaOptions::new())?;
    let raised = Rc::<RefCell<Option<Raised>>>::default();
    let shared = Rc::new(Shared {
        stage: Rc::clone(stage),
        xpcall: lua.globals().get("xpcall")?,
        teller: teller(&lua, stage, &raised)?,
        raised,
        modules: RefCell::default(),
        names: lua.create_table()?,
        blocks: Blocks::default(),
    });
    run_prelude(&lua, &shared)?;
    bind_words(&lua, &shared)?;
    bind_constants(&lua, stage)?;
    bind_names(&lua, &shared)?;
    bind_hook(&lua, stage)?;
    Ok(LuaEngine { lua, shared })
}

fn teller<H: Host>(lua: &Lua, stage: &Rc<Stage<H>>, raised: &Rc<RefCell<Option<Raised>>>) -> mlua::Result<Function> {
    let (stage, raised) = (Rc::clone(stage), Rc::clone(raised));
    lua.create_function(move |lua, error: LuaValue| {
        raised.replace(Some(explain(&stage, lua, &error)));
        Ok(error)
    })
}

fn run_prelude<H: Host>(lua: &Lua, shared: &Rc<Shared<H>>) -> mlua::Result<()> {
    let engine = lua.create_table()?;
    let (caught, noting, requiring) = (Rc::clone(shared), Rc::clone(shared), Rc::clone(shared));
    engine.set("caught", lua.create_function(move |lua, error: LuaValue| caught.caught(lua, error))?)?;
    engine.set(
        "note",
        lua.create_function(move |_, text: mlua::LuaString| {
            noting.stage.host().note(text.to_string_lossy());
            Ok(())
        })?,
    )?;
    engine.set("require", lua.create_function(move |lua, name: LuaValue| requiring.require(lua, &name))?)?;
    engine.set("entries", lua.create_function(|_, table: Table| Ok(behind(&table)))?)?;
    lua.load(include_str!("lua_prelude.lua")).set_name("=loupe").call(engine)
}

fn bind_words<H: Host>(lua: &Lua, shared: &Rc<Shared<H>>) -> mlua::Result<()> {
    let vocabulary = &shared.stage.vocabulary;
    let globals = lua.globals();
    for word in vocabulary.words_of("") {
        globals.set(word.name, word_function(lua, shared, word)?)?;
    }
    for module in vocabulary.modules() {
        let words = lua.create_table()?;
        for word in vocabulary.words_of(module) {
            words.set(word.name, word_function(lua, shared, word)?)?;
        }
        let meta = lua.create_table()?;
        let missing = Rc::clone(shared);
        meta.set(
            "__index",
            lua.create_function(move |lua, (_, name): (Table, LuaValue)| -> mlua::Result<()> {
                Err(missing.raise(lua, missing.stage.unknown_word(module, &shown(&name))))
            })?,
        )?;
        words.set_metatable(Some(meta))?;
        let front = shield(lua, words, &|meta| guard(lua, &shared.stage, module, meta))?;
        shared.modules.borrow_mut().insert(module, front.to_pointer() as usize);
        globals.set(module, front)?;
    }
    Ok(())
}

fn bind_constants<H: Host>(lua: &Lua, stage: &Rc<Stage<H>>) -> mlua::Result<()> {
    for (name, value) in stage.vocabulary.constants() {
        let value = constant(lua, value.clone(), &|meta| guard(lua, stage, name, meta))?;
        lua.globals().set(name.as_str(), value)?;
    }
    Ok(())
}

/// Fills in the metatable of something that `name` holds and nobody may change.
fn guard<H: Host>(lua: &Lua, stage: &Rc<Stage<H>>, name: &str, meta: &Table) -> mlua::Result<()> {
    let (stage, name) = (Rc::clone(stage), name.to_owned());
    meta.raw_set(
        "__newindex",
        lua.create_function(move |lua, _: MultiValue| -> mlua::Result<()> {
            Err(raise(&stage, lua, stage.read_only(&name, Language::Lua)))
        })?,
    )?;
    meta.raw_set("__len", lua.create_function(|_, front: Table| Ok(behind(&front).raw_len()))?)
}

/// Makes undefined names errors, for reading and for writing.
fn bind_names<H: Host>(lua: &Lua, shared: &Rc<Shared<H>>) -> mlua::Result<()> {
    let globals = lua.globals();
    let strict = lua.create_table()?;
    let reading = Rc::clone(shared);
    strict.set(
        "__index",
        lua.create_function(move |lua, (globals, name): (Table, LuaValue)| -> mlua::Result<()> {
            let known: Vec<String> = globals.pairs::<String, LuaValue>().flatten().map(|(name, _)| name).collect();
            let fault = reading.stage.undefined(&shown(&name), known.iter().map(String::as_str));
            Err(reading.raise(lua, fault))
        })?,
    )?;
    globals.set_metatable(Some(strict))?;
    let meta = lua.create_table()?;
    let writing = Rc::clone(shared);
    meta.set("__index", globals.clone())?;
    meta.set("__metatable", false)?;
    meta.set(
        "__newindex",
        lua.create_function(move |lua, (names, name, value): (Table, LuaValue, LuaValue)| {
            let stage = &writing.stage;
            let text = shown(&name);
            if stage.vocabulary.names().contains(&text.as_str()) {
                return Err(writing.raise(lua, stage.read_only(&text, Language::Lua)));
            }
            if stage.phase.get() == Phase::Session {
                return names.raw_set(name, value);
            }
            let hint = match value {
                LuaValue::Function(_) => format!("write `local function {text}(…) … end`"),
                _ => format!("write `local {text} = …`"),
            };
            Err(writing.raise(lua, Fault::script(format!("assignment to the undeclared name `{text}`")).hint(hint)))
        })?,
    )?;
    globals.set("_G", shared.names.clone())?;
    shared.names.set_metatable(Some(meta))
}

fn bind_hook<H: Host>(lua: &Lua, stage: &Rc<Stage<H>>) -> mlua::Result<()> {
    let every = u64::from(HOOK_EVERY).min(stage.limits.operations.max(1)) as u32;
    let stage = Rc::clone(stage);
    // The global hook also reaches coroutines.
    lua.set_global_hook(HookTriggers::new().every_nth_instruction(every), move |lua, _| {
        let judged = stage.tick(u64::from(every)).and_then(|()| match is_too_deep(lua, stage.limits.call_depth) {
            true => Err(depth(&stage)),
            false => Ok(()),
        });
        match judged {
            Ok(()) => Ok(VmState::Continue),
            Err(fault) => Err(raise(&stage, lua, fault)),
        }
    })
}

/// Whether more than `limit` functions of scripts call each other.
fn is_too_deep(lua: &Lua, limit: usize) -> bool {
    if lua.inspect_stack(limit, |_| ()).is_none() {
        return false;
    }
    let is_script = |level| lua.inspect_stack(level, |frame| frame.current_line().is_some());
    (0..).map_while(is_script).filter(|is_script| *is_script).take(limit + 1).count() > limit
}

fn word_function<H: Host>(lua: &Lua, shared: &Rc<Shared<H>>, word: &'static Word<H>) -> mlua::Result<Function> {
    let shared = Rc::clone(shared);
    lua.create_function(move |lua, args: MultiValue| match word.call {
        Call::Plain(_) => shared.say(lua, word, args),
        Call::Block(block) => shared.say_block(lua, word, block, args),
    })
}
