//! Rhai and Lua say the same words in the same way, within the same limits, and tell the same errors.
//!
//! No browser here: the words belong to a mock host.

mod any_text;
mod described;
mod diagnostics;
mod limits;
mod mock;
mod modules;
mod parity;
mod sandbox;
mod session;
