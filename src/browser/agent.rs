//! The agent: one script in an isolated world of every frame, where locators, waits and expectations run.
//!
//! It deliberately contains no Rust logic: `page` evaluates [`SOURCE`] once per document and then calls
//! `loupe.run(request)`, which answers one flat JSON text, `loupe.frame(at, timeout)`, which answers an `<iframe>`, or
//! `loupe.freeze({phase, …})`, which writes the page down for a capture.
//!
//! `at` is a [`Locator`](super::locator::Locator); times are in ms. Requests about elements may also have `grace` (how
//! long a hook with a fallback may be missing; 1000) and `known` (names of hooks that were seen before: their fallback
//! is no longer used).
//!
//! | op | request | answer beside `ok` |
//! |---|---|---|
//! | `read` | `what`, `at`, `args` (`name` of an attribute, `property` of a style), `timeout` for one element | `value`, `why` |
//! | `expect` | `what`, `at`, `args` (`expected`, `name`, `ordered`), `timeout` | `expected`, `received` |
//! | `wait` | `at`, `state`: attached, detached, visible, hidden, operable; `timeout` | `element` |
//! | `ready` | `at`, `need`: rendered, seen, enabled, editable, stable, hit; `tries` before, `timeout` | `x`, `y`, `box`, `element`, `tag`, `type`, `editable` |
//! | `confirm` | | `hit`, `received`: whether the input since `ready` met the element |
//! | `fill_prepare` | `text` | `mode`: `type` (its text is selected: type) or `set` (done) |
//! | `choose` | `choices` | `chosen` |
//! | `focus`, `scroll`, `checked_state` | | `focused`, nothing, `value` |
//! | `focus_shown`, `focus_taken` | | `focused`, `x`, `y`, `width`, `height`: where focus would show; nothing |
//! | `stop` | `hooks`: `name`, `testid`, `names` of each | `value`: the element with the focus, as `page.tab_stops` tells it |
//! | `scroll_to` | `y` | `value`: where the page is scrolled to |
//! | `settle_dom` | `quiet_ms`, `cap_ms` | `settled`, `pending` |
//! | `frame_box` | `at` | `x`, `y`: where the frame's content begins |
//! | `frame_hit` | `at`, `x`, `y` | `why` a pointer there does not reach the frame |
//!
//! From `confirm` to `focus_taken` they are about the element that the last `ready` found. Answers about elements
//! have `log` (what was seen, oldest first) and `hook` (`name`, `state`: found, missing, ambiguous; `used_fallback`, `fallback`: which).
//! A refusal is `ok: false` with `error` (missing, missing-hook, ambiguous, ambiguous-hook, not-rendered, not-seen,
//! not-enabled, not-editable, not-stable, covered, timeout, bad-locator, bad-request, agent), `message`, `candidates`.

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
    include_str!("agent/access.js"),
    include_str!("agent/settle.js"),
    include_str!("agent/still.js"),
    include_str!("agent/freeze-styles.js"),
    include_str!("agent/freeze-text.js"),
    include_str!("agent/freeze-facts.js"),
    include_str!("agent/freeze.js"),
    include_str!("agent/run.js"),
    "return loupe;\n})() });\nundefined;\n",
);
