//! The script engines: Rhai and Lua over one vocabulary of words.
//!
//! Only plain data crosses the border, a word behaves the same in both languages, and a script reaches no disk,
//! network, clock or environment. This room deliberately knows no browser: a host type `H` brings the words.

mod fault;
mod value;
mod word;

pub use fault::{Fault, FaultKind};
pub use value::Value;
pub use word::{Args, Block, Call, Example, Kind, Param, Word};
