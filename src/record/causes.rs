//! What changed between two runs of all that one verdict depends on.
//!
//! Only what the case itself depends on counts: another flow's script, another artifact, another arm's label deliberately
//! explain nothing.

use super::{Case, Cause, CauseKind, FlowUsed, Inputs, evaluator_shown};

/// Everything that changed of what `case` depends on.
pub(super) fn between(base: &Inputs, head: &Inputs, case: &Case) -> Vec<Cause> {
    let cause = |kind| move |what| Cause { kind, what };
    let artifact = artifact(base, head, case).into_iter().map(cause(CauseKind::Artifact));
    let brief = brief(base, head, case).into_iter().map(cause(CauseKind::Brief));
    let scripts = scripts(base, head, case).into_iter().map(cause(CauseKind::Evaluator));
    let settings = settings(base, head, case).into_iter().map(cause(CauseKind::Evaluator));
    let engine = engine(base, head).into_iter().map(cause(CauseKind::Engine));
    artifact.chain(brief).chain(scripts).chain(settings).chain(engine).collect()
}

fn artifact(base: &Inputs, head: &Inputs, case: &Case) -> Option<String> {
    let name = Inputs::name_of(case.names());
    (base.digests.get(&name) != head.digests.get(&name)).then(|| "the artifact is another one".to_owned())
}

fn brief(base: &Inputs, head: &Inputs, case: &Case) -> Vec<String> {
    let version = |inputs: &Inputs| inputs.briefs.get(&case.brief).map(|brief| brief.version.clone());
    let files = ["brief.toml", "brief.md", "facts"].into_iter().filter_map(|file| {
        let name = format!("briefs/{}/{file}", case.brief);
        (base.digests.get(&name) != head.digests.get(&name)).then(|| format!("{name} changed"))
    });
    let mut changed: Vec<String> = files.collect();
    if let (false, Some(was), Some(is)) = (changed.is_empty(), version(base), version(head)) {
        changed.push(if was == is { format!("still version {is}") } else { format!("version {was} -> {is}") });
        return vec![changed.join(", ")];
    }
    changed
}

/// The scripts that the scenario consists of.
fn scripts(base: &Inputs, head: &Inputs, case: &Case) -> Vec<String> {
    let [before, after] = [base, head].map(|inputs| flow(inputs, case).map_or(&[][..], |flow| &flow.scripts));
    let same = |names: &[String], name: &str| names.iter().find(|other| in_library(other) == in_library(name)).cloned();
    let gone = before.iter().filter(|name| same(after, name).is_none()).map(|name| format!("{name} is used no more"));
    let changed = after.iter().filter_map(|name| {
        let Some(was) = same(before, name) else { return Some(format!("{name} is used now")) };
        if base.digests.get(&was) == head.digests.get(name) {
            return None;
        }
        let which = if was == *name { was.clone() } else { format!("{was} -> {name}") };
        let version = |inputs: &Inputs, name: &str| evaluator_shown(inputs.evaluators.get(name).copied().flatten());
        Some(match (version(base, &was), version(head, name)) {
            (was, is) if was == is => format!("{which} changed, evaluator still {is}"),
            (was, is) => format!("{which}, evaluator {was} -> {is}"),
        })
    });
    gone.chain(changed).collect()
}

/// What flows call a script, whether it is the study's own or the shipped one.
fn in_library(name: &str) -> &str {
    name.strip_prefix("shipped:").or_else(|| name.strip_prefix("scripts/")).unwrap_or(name)
}

fn flow<'a>(inputs: &'a Inputs, case: &Case) -> Option<&'a FlowUsed> {
    let title = case.scenario.as_ref()?;
    inputs.briefs.get(&case.brief)?.flows.iter().find(|flow| flow.scenarios.contains(title))
}

fn settings(base: &Inputs, head: &Inputs, case: &Case) -> Vec<String> {
    let (was, is) = (&base.settings, &head.settings);
    let viewport = |inputs: &Inputs| inputs.settings.viewports.get(&case.viewport).cloned().unwrap_or_default();
    let pairs = [
        ("protocol", was.protocol.clone(), is.protocol.clone()),
        ("viewport", viewport(base), viewport(head)),
        ("network", was.network.clone(), is.network.clone()),
        ("time limits", was.timeouts.clone(), is.timeouts.clone()),
    ];
    let changed = pairs.into_iter().filter(|(_, was, is)| was != is);
    changed.map(|(name, was, is)| format!("{name}: {was} -> {is}")).collect()
}

fn engine(base: &Inputs, head: &Inputs) -> Vec<String> {
    let (was, is) = (&base.settings, &head.settings);
    let pairs = [(was.tool.clone(), is.tool.clone()), (was.browser.to_string(), is.browser.to_string())];
    pairs.into_iter().filter(|(was, is)| was != is).map(|(was, is)| format!("{was} -> {is}")).collect()
}
