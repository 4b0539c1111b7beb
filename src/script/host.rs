//! What the engines tell their host beside the words it carries out.
//!
//! It deliberately says nothing about pages: those come in with the words.

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
}
