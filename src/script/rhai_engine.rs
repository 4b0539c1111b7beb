//! Rhai over the vocabulary.
//!
//! Modules are constants of one marker type; a word is one raw function for each number of arguments, which looks at
//! its receiver. It deliberately judges no arguments and keeps no limits: the stage does.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, CorePackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{AST, Dynamic, Engine, EvalAltResult, FLOAT, FnPtr, INT, NativeCallContext, OptimizationLevel, Scope};

use super::error::Raised;
use super::fault::Fault;
use super::host::Host;
use super::rhai_errors::{explain, explain_syntax};
use super::rhai_modules::Resolver;
use super::rhai_values::{dynamic, given};
use super::source::{Language, Source};
use super::stage::{Phase, Stage};
use super::word::{Block, Call, Word};
use crate::diag::Place;

pub(super) type Answer = Result<Dynamic, Box<EvalAltResult>>;

/// The function that is called after the last line of a file, when everything is declared and imports still stand.
const END_OF_FILE: &str = "__end_of_file";

/// The value that `page` has. Its name decides which word is meant.
#[derive(Clone, Copy)]
pub(super) struct Module(pub &'static str);

/// A Rhai engine that says the words of a stage.
pub(super) struct RhaiEngine<H: 'static> {
    engine: Engine,
    stage: Rc<Stage<H>>,
    blocks: Rc<Blocks>,
}

/// The functions that a file declared, and what to do with them.
#[derive(Default)]
struct Blocks {
    setups: RefCell<Vec<FnPtr>>,
    scenarios: RefCell<Vec<FnPtr>>,
    wanted: RefCell<Option<String>>,
    reached_end: Cell<bool>,
}

impl<H: Host> RhaiEngine<H> {
    pub fn new(stage: Rc<Stage<H>>) -> Self {
        let blocks = Rc::<Blocks>::default();
        let mut engine = bare_engine(&stage);
        engine.set_module_resolver(Resolver::new(Rc::clone(&stage)));
        bind_constants(&mut engine, &stage);
        bind_output(&mut engine, &stage);
        bind_progress(&mut engine, &stage);
        bind_words(&mut engine, &stage, &blocks);
        bind_end_of_file(&mut engine, &stage, &blocks);
        refuse(&mut engine, &stage);
        Self { engine, stage, blocks }
    }

    /// Evaluates a file; then, if one is wanted, the setups and the scenario of that title.
    pub fn perform(&self, source: &Source, title: Option<&str>) -> Result<(), Raised> {
        self.blocks.wanted.replace(title.map(str::to_owned));
        self.blocks.reached_end.set(false);
        let names = names_in_scope(&self.stage);
        let compiled = self.engine.compile_with_scope(&names, source.text());
        let file = compiled.map_err(|error| explain_syntax(&self.stage, &error, source))?;
        let mut whole = file.merge(&self.compile_own(&format!("{END_OF_FILE}()")));
        whole.set_source(source.name());
        let result = self.engine.eval_ast::<Dynamic>(&whole);
        result.map(drop).map_err(|error| {
            let mut raised = explain(&self.stage, *error, source.name(), &function_names(&whole));
            if self.blocks.reached_end.get() {
                // The outermost call is ours, of the scenario's function.
                raised.trace.pop();
            }
            raised
        })?;
        match self.blocks.reached_end.get() {
            true => Ok(()),
            false => Err(Raised::new(
                Fault::script(format!("{} returns before its end", source.name()))
                    .hint("remove the `return` at the top of the file: what follows it would never be declared"),
                None,
            )),
        }
    }

    /// The engine itself, for a session.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine itself, to set it up for a session.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// The stage.
    pub fn stage(&self) -> &Stage<H> {
        &self.stage
    }

    fn compile_own(&self, text: &str) -> AST {
        self.engine.compile(text).expect("our own text is correct")
    }
}

/// The names that the compiler has to know for it to report the ones that nothing has.
pub(super) fn names_in_scope<H: Host>(stage: &Stage<H>) -> Scope<'static> {
    let mut scope = Scope::new();
    for name in stage.vocabulary.modules().into_iter().chain(stage.vocabulary.constants().keys().map(String::as_str)) {
        scope.push_constant(name, ());
    }
    scope
}

/// The names and numbers of parameters of the functions in a script.
pub(super) fn function_names(ast: &AST) -> Vec<(String, usize)> {
    ast.iter_functions().map(|function| (function.name.to_owned(), function.params.len())).collect()
}

fn bare_engine<H: Host>(stage: &Stage<H>) -> Engine {
    let mut engine = Engine::new_raw();
    // Time and randomness stay out; so do blobs, which have no counterpart in Lua.
    CorePackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    // The optimiser would inline the placeholders of `names_in_scope`.
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_strict_variables(true);
    engine.disable_symbol("eval");
    // Rhai's own defaults differ between debug and release builds.
    engine.set_max_expr_depths(64, 64);
    engine.set_max_call_levels(stage.limits.call_depth);
    engine.set_max_string_size(stage.limits.text);
    engine.set_max_array_size(stage.limits.items);
    engine.set_max_map_size(stage.limits.items);
    engine
}

fn bind_constants<H: Host>(engine: &mut Engine, stage: &Stage<H>) {
    let mut values = BTreeMap::new();
    for module in stage.vocabulary.modules() {
        values.insert(module.to_owned(), Dynamic::from(Module(module)));
    }
    for (name, value) in stage.vocabulary.constants() {
        values.insert(name.clone(), dynamic(value.clone()).into_read_only());
    }
    engine.register_type_with_name::<Module>("module");
    // A resolver, because closures capture constants of the scope, and functions do not see them. An index above 0
    // is a variable of the script.
    #[expect(deprecated, reason = "marked so only because the callback's signature may change")]
    engine.on_var(move |name, index, _| Ok(if index > 0 { None } else { values.get(name).cloned() }));
}

fn bind_output<H: Host>(engine: &mut Engine, stage: &Rc<Stage<H>>) {
    let printing = Rc::clone(stage);
    engine.on_print(move |text| printing.host().note(text.to_owned()));
    let debugging = Rc::clone(stage);
    engine.on_debug(move |text, _, _| debugging.host().note(text.to_owned()));
}

fn bind_progress<H: Host>(engine: &mut Engine, stage: &Rc<Stage<H>>) {
    let stage = Rc::clone(stage);
    engine.on_progress(move |_| {
        let fault = stage.tick(1).err()?;
        stage.answer(fault, None);
        Some(Dynamic::UNIT)
    });
}

fn bind_words<H: Host>(engine: &mut Engine, stage: &Rc<Stage<H>>, blocks: &Rc<Blocks>) {
    let words = stage.vocabulary.words();
    for word in words.iter().filter(|word| word.module.is_empty()) {
        // One more than it takes, so that the judge can say what is too much.
        for count in 0..=word.params.len() + 1 {
            let (stage, blocks, word) = (Rc::clone(stage), Rc::clone(blocks), *word);
            engine.register_raw_fn(word.name, vec![TypeId::of::<Dynamic>(); count], move |context, args| {
                match word.call {
                    Call::Plain(_) => say(&stage, word, &context, args),
                    Call::Block(block) => say_block(&stage, &blocks, word, block, &context, args),
                }
            });
        }
    }
    let in_modules = || words.iter().copied().filter(|word| !word.module.is_empty());
    for name in in_modules().map(|word| word.name).collect::<BTreeSet<_>>() {
        let same: Rc<[&'static Word<H>]> = in_modules().filter(|word| word.name == name).collect();
        let most = same.iter().map(|word| word.params.len()).max().unwrap_or_default();
        for count in 0..=most + 1 {
            let mut kinds = vec![TypeId::of::<Dynamic>(); count + 1];
            kinds[0] = TypeId::of::<Module>();
            let (stage, same) = (Rc::clone(stage), Rc::clone(&same));
            engine.register_raw_fn(name, kinds, move |context, args| {
                let module = args[0].clone_cast::<Module>().0;
                match same.iter().find(|word| word.module == module) {
                    Some(word) => say(&stage, word, &context, &mut args[1..]),
                    None => raise(&stage, stage.unknown_word(module, name), &context),
                }
            });
        }
    }
}

fn say<H: Host>(
    stage: &Stage<H>,
    word: &'static Word<H>,
    context: &NativeCallContext,
    args: &mut [&mut Dynamic],
) -> Answer {
    let given = args.iter().map(|arg| given(arg)).collect();
    let place = place_of_call(stage, context);
    match stage.say(word, given, place) {
        Ok(value) => Ok(dynamic(value)),
        Err(fault) => Err(thrown(fault, context)),
    }
}

fn say_block<H: Host>(
    stage: &Stage<H>,
    blocks: &Blocks,
    word: &'static Word<H>,
    block: Block,
    context: &NativeCallContext,
    args: &mut [&mut Dynamic],
) -> Answer {
    let place = place_of_call(stage, context);
    let given = args.iter().map(|arg| given(arg)).collect();
    let admitted = stage.admit(word, given, place.as_ref()).map_err(|fault| thrown(fault, context))?;
    let function = args.last().map(|function| function.clone_cast::<FnPtr>()).expect("a block's last is a function");
    let declared = match block {
        Block::Step => return step(stage, admitted, function, context),
        Block::Setup => stage.admit_declaration(word).map(|()| blocks.setups.borrow_mut().push(function)),
        Block::Scenario => stage
            .admit_declaration(word)
            .and_then(|()| stage.declare(admitted, place))
            .map(|()| blocks.scenarios.borrow_mut().push(function)),
    };
    declared.map(|()| Dynamic::UNIT).or_else(|fault| raise(stage, fault, context))
}

fn step<H: Host>(
    stage: &Stage<H>,
    mut args: super::word::Args,
    function: FnPtr,
    context: &NativeCallContext,
) -> Answer {
    let name = args.text(0);
    {
        let mut host = stage.host();
        host.at(place_of_call(stage, context));
        host.enter_step(&name);
    }
    let result = function.call_within_context::<Dynamic>(context, ());
    stage.host().leave_step(result.is_ok());
    result
}

fn bind_end_of_file<H: Host>(engine: &mut Engine, stage: &Rc<Stage<H>>, blocks: &Rc<Blocks>) {
    let (stage, blocks) = (Rc::clone(stage), Rc::clone(blocks));
    engine.register_raw_fn(END_OF_FILE, [], move |context: NativeCallContext, _: &mut [&mut Dynamic]| -> Answer {
        blocks.reached_end.set(true);
        let Some(title) = blocks.wanted.take() else { return Ok(Dynamic::UNIT) };
        let scenario = match stage.scenario(&title) {
            Ok(number) => blocks.scenarios.borrow()[number].clone(),
            Err(fault) => return raise(&stage, fault, &context),
        };
        stage.phase.set(Phase::Scenario);
        let setups = blocks.setups.borrow().clone();
        for function in setups.into_iter().chain([scenario]) {
            drop(function.call_within_context::<Dynamic>(&context, ())?);
        }
        Ok(Dynamic::UNIT)
    });
}

/// Functions of Rhai itself that a script must not have: they wait by the clock, or end a scenario unseen.
fn refuse<H: Host>(engine: &mut Engine, stage: &Rc<Stage<H>>) {
    const WAIT: &str = "wait for something: page.wait_for(locator), or an expectation, which waits by itself";
    const LEAVE: &str = "leave a function with `return`, a scenario with skip(reason) or fail(message)";
    let any = TypeId::of::<Dynamic>();
    for (name, kinds, hint) in [
        ("sleep", vec![TypeId::of::<INT>()], WAIT),
        ("sleep", vec![TypeId::of::<FLOAT>()], WAIT),
        ("exit", vec![], LEAVE),
        ("exit", vec![any], LEAVE),
    ] {
        let stage = Rc::clone(stage);
        engine.register_raw_fn(name, kinds, move |context: NativeCallContext, _: &mut [&mut Dynamic]| -> Answer {
            raise(&stage, Fault::script(format!("`{name}` is not available")).hint(hint), &context)
        });
    }
}

/// Throws a fault that did not go through a word.
fn raise<H: Host>(stage: &Stage<H>, fault: Fault, context: &NativeCallContext) -> Answer {
    Err(thrown(stage.answer(fault, place_of_call(stage, context)), context))
}

/// A fault as Rhai throws it: what a script catches is the message, and what is latched cannot be caught.
fn thrown(fault: Fault, context: &NativeCallContext) -> Box<EvalAltResult> {
    let position = context.call_position();
    match fault.kind.is_latched() {
        true => EvalAltResult::ErrorTerminated(Dynamic::UNIT, position).into(),
        false => EvalAltResult::ErrorRuntime(fault.message.into(), position).into(),
    }
}

fn place_of_call<H: Host>(stage: &Stage<H>, context: &NativeCallContext) -> Option<Place> {
    let position = context.call_position();
    Some(stage.place(context.call_source()?, position.line()?, position.position()))
}

/// The language that this engine speaks.
pub(super) const LANGUAGE: Language = Language::Rhai;
