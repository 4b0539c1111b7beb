//! The agent: one script in an isolated world of every frame, where locators, waits and expectations run.
//!
//! It deliberately contains no Rust logic: `page` evaluates [`SOURCE`] once per document and then calls
//! `loupe.run({op, …})`, which answers one flat JSON text, `loupe.frame(at, timeout)`, which answers an
//! element, or `loupe.freeze({phase, …})`, which writes the page down for a capture.

/// The agent's script. Evaluating it again in the same world changes nothing.
///
/// An element whose id is `loupe` is reachable as a global too, so only an own property counts as installed.
pub const SOURCE: &str = concat!(
    "if (!Object.hasOwn(globalThis, 'loupe')) Object.defineProperty(globalThis, 'loupe', { value: (() => {\n'use strict';\n",
    "const ROLES = new Set(`",
    include_str!("agent/roles.txt"),
    "`.trim().split(/\\s+/));\n",
    include_str!("agent/dom.js"),
    include_str!("agent/seen.js"),
    include_str!("agent/operable.js"),
    include_str!("agent/role.js"),
    include_str!("agent/name.js"),
    include_str!("agent/find.js"),
    include_str!("agent/wait.js"),
    include_str!("agent/read.js"),
    include_str!("agent/expect.js"),
    include_str!("agent/act.js"),
    include_str!("agent/settle.js"),
    include_str!("agent/still.js"),
    include_str!("agent/freeze-styles.js"),
    include_str!("agent/freeze-text.js"),
    include_str!("agent/freeze-facts.js"),
    include_str!("agent/freeze.js"),
    include_str!("agent/run.js"),
    "return loupe;\n})() });\nundefined;\n",
);
