//! The word that lets axe-core look at the page, and what is written down of it.
//!
//! What the engine cannot decide needs review: it is on the record, and deliberately neither passes nor fails.

use std::sync::Arc;

use super::Host;
use super::expectation::{conclude, row};
use super::rows::{STATING, need, shown};
use crate::browser::{Audited, Element, Look, Rule};
use crate::record::{Audit, AuditElement, AuditRule, Scope, Unreached, What};
use crate::script::{Args, Fault, FaultKind, Kind, Value, Word};

/// Which rules are run: WCAG 2.2 at levels A and AA, and what is good practice beyond it.
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/// How many elements of a rule a failure names; the record has more.
const NAMED: usize = 3;

pub(super) const WORDS: &[Word<Host>] = &[row(
    "accessible",
    &[
        need("state", Kind::Text, "What the state of the page is called: `initial`, `detail`, `empty`, `saved`, …"),
        STATING,
    ],
    "Expects that axe-core finds no violation in any frame of the page as it is now, its finite animations finished: WCAG 2.2 A and AA, and best practice. What it cannot decide *needs review*: that is recorded, and neither passes nor fails. Without axe-core it is an error of the harness; `loupe setup` installs it.",
    &[shown("accessible", &["\"initial\""])],
    accessible,
)];

fn accessible(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let (state, options) = (args.text(0), args.map(1));
    let live = host.live()?;
    let axe = live.axe.clone().map_err(|why| {
        Fault::new(FaultKind::Harness, "axe-core is missing, so that accessibility cannot be examined")
            .received(why)
            .hint("run `loupe setup`")
    })?;
    let (look, engine) = (live.page.look().clone(), Arc::clone(&axe));
    let audited = host.block(|page| async move { page.audit(&engine, &TAGS).await })?;
    let audit = recorded(state, audited, &look, &axe.digest);
    let result = verdict(&audit);
    host.notes.saw(What::Accessibility(Box::new(audit)));
    conclude(host, result, options)
}

fn recorded(state: String, audited: Audited, look: &Look, digest: &str) -> Audit {
    let Audited { found, frames, unreached } = audited;
    Audit {
        state,
        violations: found.violations.into_iter().map(rule).collect(),
        needs_review: found.incomplete.into_iter().map(rule).collect(),
        scope: Scope {
            viewport: [look.width, look.height],
            mobile: look.mobile,
            rules: found.rules,
            tags: TAGS.map(str::to_owned).into(),
            frames,
            unreached: unreached.into_iter().map(|(frame, why)| Unreached { frame, why }).collect(),
            version: found.version,
            digest: digest.to_owned(),
        },
    }
}

fn rule(found: Rule) -> AuditRule {
    let element = |element: &Element| AuditElement {
        locator: element.locator(),
        html: element.html.clone(),
        why: element.why.clone(),
    };
    let first = found.first.iter().map(element).collect();
    AuditRule { id: found.id, impact: found.impact, help: found.help, count: found.count, first }
}

fn verdict(audit: &Audit) -> Result<(), Fault> {
    if audit.violations.is_empty() {
        return Ok(());
    }
    let rules: Vec<&str> = audit.violations.iter().map(|rule| rule.id.as_str()).collect();
    let told: Vec<String> = audit.violations.iter().map(told).collect();
    Err(Fault::new(FaultKind::Artifact, format!("expect.accessible: {} violates {}", audit.state, rules.join(", ")))
        .expected("no violation of the rules of axe-core")
        .received(told.join("\n")))
}

/// A violated rule and its first elements, a line each.
fn told(rule: &AuditRule) -> String {
    let impact = rule.impact.as_deref().unwrap_or("no impact given");
    let mut lines = vec![format!("{} ({impact}, {}): {}", rule.id, elements(rule.count), rule.help)];
    // The other reasons are as many ways in which it could have been right; the record has them.
    let reason = |why: &str| why.split("; ").next().unwrap_or_default().to_owned();
    lines.extend(rule.first.iter().take(NAMED).map(|e| format!("  {}  {}  {}", e.locator, e.html, reason(&e.why))));
    if rule.count > NAMED as u64 {
        lines.push(format!("  and {} more", rule.count - NAMED as u64));
    }
    lines.join("\n")
}

fn elements(count: u64) -> String {
    format!("{count} element{}", if count == 1 { "" } else { "s" })
}
