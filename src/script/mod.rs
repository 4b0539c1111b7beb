//! The script engines: Rhai and Lua over one vocabulary of words.
//!
//! Only plain data crosses the border, a word behaves the same in both languages, and a script reaches no disk,
//! network, clock or environment. This room deliberately knows no browser: a host type `H` brings the words.

mod error;
mod fault;
mod habits;
mod help;
mod host;
mod library;
mod limits;
mod lua_calls;
mod lua_engine;
mod lua_errors;
mod lua_values;
mod program;
mod rhai_engine;
mod rhai_errors;
mod rhai_modules;
mod rhai_session;
mod rhai_values;
mod session;
mod source;
mod stage;
mod stub;
mod validate;
mod value;
mod vocabulary;
mod word;

pub use error::ScriptError;
pub use fault::{Fault, FaultKind};
pub use help::literal;
pub use host::Host;
pub use library::Library;
pub use limits::{Interrupt, Limits, STACK};
pub use program::{Program, ScenarioDecl};
pub use session::{Evaluated, Session};
pub use source::{Language, Source};
pub use stub::{lua_definitions, reference};
pub use validate::{Given, validate};
pub use value::Value;
pub use vocabulary::{Vocabulary, illegal_name};
pub use word::{Args, Block, Call, Example, Kind, Param, Word};
