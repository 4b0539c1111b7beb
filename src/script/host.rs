//! What the engines tell their host beside the words it carries out.
//!
//! It deliberately says nothing about pages: those come in with the words.

use std::time::Duration;

use super::fault::Fault;
use super::value::Value;
use crate::diag::Place;

/// Whoever carries out the words. Moves to the engine's thread and back.
pub trait Host: Send + 'static {
    /// The script enters a step.
    fn enter_step(&mut self, name: &str);

    /// The script leaves the step it entered last; `ok` is false if an error ended it.
    fn leave_step(&mut self, ok: bool);

    /// The script printed something.
    fn note(&mut self, text: String);

    /// The next word is said at this place.
    fn at(&mut self, place: Option<Place>);

    /// A word was said: with these arguments (what was left out at the end is not among them), for so long, and, if it
    /// was refused, why.
    fn spoke(&mut self, word: &str, args: Vec<Value>, took: Duration, refused: Option<&Fault>);
}
