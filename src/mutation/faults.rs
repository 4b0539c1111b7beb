//! The table of faults: one definition of each, its script aside.
//!
//! It deliberately says nothing of pages: what a fault does there stands in `faults/*.js` under the same id.

use serde::Serialize;

/// A known fault, or a change that is none.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Its id.
    pub id: &'static str,
    /// What is wrong then, in a sentence.
    pub says: &'static str,
    /// What a flow has to say of it.
    pub kind: Kind,
    /// Whose business it is: scenarios that say of themselves to be about one of these must notice it.
    pub topics: &'static [&'static str],
}

/// What a flow has to say of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// That it fails.
    Harmful,
    /// Nothing: the page is as right as before.
    Harmless,
    /// That the contract is broken; not that the control fails.
    Hook,
}

const fn harmful(id: &'static str, says: &'static str, topics: &'static [&'static str]) -> Fault {
    Fault { id, says, kind: Kind::Harmful, topics }
}

const fn harmless(id: &'static str, says: &'static str) -> Fault {
    Fault { id, says, kind: Kind::Harmless, topics: &[] }
}

const fn hook(id: &'static str, says: &'static str) -> Fault {
    Fault { id, says, kind: Kind::Hook, topics: &[] }
}

/// All of them, in the order in which they are told.
pub const FAULTS: [Fault; 54] = [
    harmful("item-missing", "One item is not listed.", &["facts"]),
    harmful("titles-swapped", "Two listed items have each other's title.", &["facts"]),
    harmful("fact-left-out", "A field that each listed item must show is left out.", &["facts"]),
    harmful("search-ignored", "What is typed into the search has no effect.", &["search"]),
    harmful("search-finds-all", "The search finds everything.", &["search"]),
    harmful("search-reads-bodies", "The search also finds words that stand in bodies only.", &["search"]),
    harmful("search-minds-accents", "The search tells accented letters from plain ones.", &["search"]),
    harmful("search-minds-case", "The search tells capital letters from small ones.", &["search"]),
    harmful("search-wants-whole-titles", "The search finds whole titles only.", &["search"]),
    harmful("filter-ignored", "Choosing in the filter has no effect.", &["filter"]),
    harmful("filter-drops-search", "Choosing in the filter forgets what was searched for.", &["filter"]),
    harmful("no-way-back", "The control that leads back from an empty result does nothing.", &["empty"]),
    harmful("empty-unsaid", "Nothing says that the result is empty.", &["empty"]),
    harmful("detail-stays-shut", "An item cannot be opened.", &["detail"]),
    harmful("detail-stays-shut-for-keys", "An item cannot be opened by keyboard.", &["keyboard"]),
    harmful("detail-stays-open", "An open item cannot be closed by its control.", &["detail"]),
    harmful("body-of-another", "One item shows the text of another when opened.", &["body"]),
    harmful("body-cut", "The last paragraph of an open item is cut off.", &["body"]),
    harmful("escape-ignored", "Escape does not close the dialog.", &["escape"]),
    harmful("focus-stays-outside", "The focus does not move into the dialog.", &["focus"]),
    harmful("focus-lost", "The focus does not go back when the dialog is closed.", &["focus"]),
    harmful("background-live", "What lies behind the dialog can be used.", &["modal"]),
    harmful("save-does-nothing", "Saving has no effect.", &["save"]),
    harmful("unsave-does-nothing", "What was saved cannot be taken back.", &["save"]),
    harmful("saved-forgotten", "What was saved is forgotten when an item is closed.", &["saved-kept"]),
    harmful("saved-view-shows-all", "The saved view shows everything.", &["saved-view"]),
    harmful("status-unchanged", "Choosing a status has no effect.", &["status"]),
    harmful("feedback-silent", "Nothing tells that a status was changed.", &["feedback"]),
    harmful("filter-stale", "An item stays in the filtered list after it got another status.", &["status-filter"]),
    harmful("undo-does-nothing", "Taking a change back has no effect.", &["undo"]),
    harmful("script-error", "A script throws an error that nothing catches.", &["errors"]),
    harmful("rejected-promise", "A promise is rejected and nothing handles it.", &["errors"]),
    harmful("remote-font", "A font is asked of another host.", &["resources"]),
    harmful("remote-image", "A picture is asked of another host.", &["resources"]),
    harmful("remote-script", "A script is asked of another host.", &["resources"]),
    harmful("broken-image", "A picture is not there.", &["images", "resources"]),
    harmful("sideways", "The page scrolls sideways.", &["overflow"]),
    harmful("label-removed", "The search box has no name.", &["names"]),
    harmful("focus-ring-removed", "Nothing shows where the focus is.", &["focus-visible"]),
    harmful("not-tabbable", "Tab passes over the controls that open items.", &["tab-order"]),
    harmful("hover-only", "A control of each item is seen only while a pointer is over it.", &["hover"]),
    harmful("small-target", "A control is too small for a finger.", &["tap-targets"]),
    harmful("never-still", "Something moves on and on, also where reduced motion is asked for.", &["motion"]),
    harmless("late-render", "Everything appears 0.7 s later."),
    harmless("re-rendered", "The items are put into the page anew after each change of the search."),
    harmless("renamed-classes", "The class attributes of everything but controls have another text."),
    harmless("extra-wrappers", "Each control that opens an item is wrapped into another element."),
    harmless("shuffled", "The items stand in another order."),
    harmless("upper-cased", "All text is shown in capital letters."),
    harmless("extra-item", "The list has an entry that has nothing to do with the facts."),
    harmless(
        "slow-animation",
        "Items and the open item fade in, half a second long, unless reduced motion is asked for.",
    ),
    harmless("other-font", "All text is shown in another font."),
    hook("hook-removed", "The hook is missing; the control works."),
    hook("hook-doubled", "The hook stands at two elements."),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_fault_has_its_own_id_and_topics_where_it_harms() {
        let ids: BTreeSet<_> = FAULTS.iter().map(|fault| fault.id).collect();
        assert_eq!(ids.len(), FAULTS.len());
        for fault in &FAULTS {
            assert_eq!(fault.kind == Kind::Harmful, !fault.topics.is_empty(), "{}", fault.id);
        }
    }
}
