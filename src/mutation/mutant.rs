//! A fault as it is put into the pages of one brief.
//!
//! It deliberately knows no artifact: the script is the same for all that answer a brief.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::faults::{FAULTS, Fault, Kind};
use crate::study::{Brief, Hook};

/// The scripts, in the order in which they need each other.
const SCRIPTS: [&str; 6] = [
    include_str!("faults/toolkit.js"),
    include_str!("faults/find.js"),
    include_str!("faults/read.js"),
    include_str!("faults/keep.js"),
    include_str!("faults/page.js"),
    include_str!("faults/harmless.js"),
];

/// One fault, and at which hook where it needs one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The fault.
    pub fault: &'static Fault,
    /// The hook that is removed or doubled.
    pub hook: Option<String>,
}

/// Every fault; those of hooks once for each hook that one of the briefs requires.
pub fn mutants<'a>(briefs: impl IntoIterator<Item = &'a Brief>) -> Vec<Mutant> {
    let required = |brief: &'a Brief| brief.hooks.iter().filter(|(_, hook)| hook.required);
    let named = |(name, hook): (&'a String, &'a Hook)| (name.clone(), hook.facts.is_some());
    let hooks: BTreeSet<(String, bool)> = briefs.into_iter().flat_map(required).map(named).collect();
    let each = |fault: &'static Fault| -> Vec<Mutant> {
        // Of what shows facts there are many; doubled, it would show them twice, and that is no matter of hooks.
        let fits = |of_facts: bool| fault.id != "hook-doubled" || !of_facts;
        match fault.kind {
            Kind::Hook => hooks
                .iter()
                .filter(|(_, of_facts)| fits(*of_facts))
                .map(|(hook, _)| Mutant { fault, hook: Some(hook.clone()) })
                .collect(),
            _ => vec![Mutant { fault, hook: None }],
        }
    };
    FAULTS.iter().flat_map(each).collect()
}

impl Mutant {
    /// Its name: the fault's id, and the hook's name behind a colon.
    pub fn name(&self) -> String {
        match &self.hook {
            Some(hook) => format!("{}:{hook}", self.fault.id),
            None => self.fault.id.to_owned(),
        }
    }

    /// What is wrong then, in a sentence.
    pub fn says(&self) -> String {
        let hook = self.hook.as_ref().map_or_else(String::new, |hook| format!(" (`{hook}`)"));
        format!("{}{hook}", self.fault.says)
    }

    /// The script that puts it into the pages of `brief`.
    pub fn script(&self, brief: &Brief) -> String {
        let hooks: serde_json::Map<String, Value> =
            brief.hooks.iter().map(|(name, hook)| (name.clone(), hook.testid.clone().into())).collect();
        let item = brief.hooks.get("item");
        let config = json!({
            "hooks": hooks,
            "items": item.and_then(|hook| brief.facts.get(hook.facts.as_ref()?)).unwrap_or(&json!([])),
            "by": item.and_then(|hook| hook.by.as_deref()).unwrap_or("title"),
            "listed": brief.params.get("listed").unwrap_or(&json!([])),
            "filter": brief.params.get("filter").unwrap_or(&Value::Null),
        });
        let (id, hook) = (Value::from(self.fault.id), Value::from(self.hook.clone()));
        // Frames inside a page are the page's own affair.
        format!(
            "if (window === window.top) {{ const CONFIG = {config}; const FAULTS = {{}};\n{}\nFAULTS[{id}]({hook}); }}",
            SCRIPTS.concat()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_the_table_has_a_script_and_the_other_way_round() {
        let scripts = SCRIPTS.concat();
        let defined: BTreeSet<&str> =
            scripts.lines().filter_map(|line| line.strip_prefix("  '")?.split_once("': (")).map(|(id, _)| id).collect();
        assert_eq!(defined, FAULTS.iter().map(|fault| fault.id).collect());
    }
}
