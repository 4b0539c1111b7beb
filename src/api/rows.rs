//! The pieces that rows share: parameters that many words have, and short ways to write a row.

use crate::script::{Example, Kind, Param};

/// A parameter that must be given.
pub(super) const fn need(name: &'static str, kind: Kind, doc: &'static str) -> Param {
    Param { name, kind, optional: false, doc }
}

/// A parameter that may be left out.
pub(super) const fn may(name: &'static str, kind: Kind, doc: &'static str) -> Param {
    Param { name, kind, optional: true, doc }
}

/// An example that is run; its result is not compared.
pub(super) const fn shown(page: &'static str, args: &'static [&'static str]) -> Example {
    Example { args, result: None, page: Some(page) }
}

/// An example that is run and whose result is compared.
pub(super) const fn gives(page: &'static str, args: &'static [&'static str], result: &'static str) -> Example {
    Example { args, result: Some(result), page: Some(page) }
}

/// An example that needs no page.
pub(super) const fn plain(args: &'static [&'static str], result: &'static str) -> Example {
    Example { args, result: Some(result), page: None }
}

/// The locator of one element.
pub(super) const ONE: Param = need("locator", Kind::Text, "Which element; exactly one must match.");

/// A locator of any number of elements.
pub(super) const MANY: Param = need("locator", Kind::Text, "Which elements; none, one, or several may match.");

const TIMEOUT: Param = may("timeout", Kind::Number, "Seconds to wait; the study's usual time if left out.");

/// Options of actions and of reading one element.
pub(super) const WAITING: Param = may("options", Kind::Options(&[TIMEOUT]), "How long to wait.");

/// Options of clicks.
pub(super) const CLICKING: Param = may(
    "options",
    Kind::Options(&[
        TIMEOUT,
        may("force", Kind::Bool, "Click also where something covers the element or nothing proves that it was hit."),
    ]),
    "How long to wait, and how strictly.",
);

const SOFT: Param = may("soft", Kind::Bool, "Record the failure and go on; the scenario fails at its end.");
const MESSAGE: Param = may("message", Kind::Text, "What to say instead of the usual first line.");

/// Options of expectations.
pub(super) const EXPECTING: Param =
    may("options", Kind::Options(&[TIMEOUT, SOFT, MESSAGE]), "How long to wait and how to fail.");

/// Options of `expect.items`.
pub(super) const EXPECTING_ITEMS: Param = may(
    "options",
    Kind::Options(&[
        TIMEOUT,
        SOFT,
        MESSAGE,
        may("ordered", Kind::Bool, "Whether their order matters; it does not if left out."),
    ]),
    "How long to wait and how to compare.",
);

/// Options of expectations that wait for nothing.
pub(super) const STATING: Param = may("options", Kind::Options(&[SOFT, MESSAGE]), "How to fail.");
