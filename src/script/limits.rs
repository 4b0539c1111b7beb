//! What a script may use up, and the handle that stops it.
//!
//! It deliberately enforces nothing: the engines ask the stage, which counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bytes of stack for a thread that runs scripts. A tree of calls and expressions as deep as the limits allow takes
/// between 4 and 8 MiB; a stack that overflows would end the program and every other scenario with it.
pub const STACK: usize = 16 << 20;

/// The limits of one evaluation: collecting a file, running a scenario, or one input of a session.
///
/// One call of a library function of Lua that is written in C (`string.find` with a pattern that backtracks, say) is
/// not interrupted; a word has deadlines of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Wall clock from the start. [`Duration::MAX`] means none.
    pub time: Duration,
    /// Operations: evaluated nodes in Rhai, virtual machine instructions in Lua (counted in ten thousands).
    pub operations: u64,
    /// Bytes that a Lua state may hold. Rhai counts no bytes; there `text` and `items` bound each value.
    pub memory: usize,
    /// Nested calls of functions. Exact in Rhai; in Lua looked at every ten thousand instructions, which a runaway
    /// recursion cannot escape.
    pub call_depth: usize,
    /// Bytes of one string in Rhai.
    pub text: usize,
    /// Entries of one list or map in Rhai, nested ones included. A map that grows by assigning to new keys is only
    /// bounded by the operations: at the default it reaches some 250 MiB.
    pub items: usize,
}

impl Default for Limits {
    /// 30 s, fifty million operations, 64 MiB, 64 nested calls, strings of 4 MiB, 100 000 items.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(30),
            operations: 50_000_000,
            memory: 64 << 20,
            call_depth: 64,
            text: 4 << 20,
            items: 100_000,
        }
    }
}

/// Stops a running script from another thread. Cheap to clone; all clones are one handle.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A handle that has not been used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the script at its next operation or word.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody stopped it.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Forgets that it was used, so that a session can go on.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
