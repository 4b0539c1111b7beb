//! The plan: which cases a run consists of, and in which order.
//!
//! A pure function of the study, its flows, the seed, and the selection. It deliberately looks at no disk and no clock,
//! so that the same plan comes out on every machine that runs a part of it.

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Place, did_you_mean};
use crate::record::{Case, Selection};
use crate::study::Study;

/// What the plan needs to know of a brief.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    /// The names of the brief's viewports, in order.
    pub viewports: Vec<String>,
    /// The scenarios its flow declares, in order.
    pub scenarios: Vec<Scenario>,
}

/// A declared scenario.
#[derive(Debug, Clone, Default)]
pub struct Scenario {
    /// Its title.
    pub title: String,
    /// The only viewports at which it applies; empty for all.
    pub viewports: Vec<String>,
    /// The topics it is about, in the author's words; `mutate` asks them.
    pub about: Vec<String>,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// Why there is nothing to run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The author or the caller named something that is not there.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Unknown(Vec<Diagnostic>),
    /// Everything named exists, but no case is all of it.
    #[error("{0}")]
    Nothing(Box<Diagnostic>),
}

/// The [`plan`] of a study. `scenarios` are what the briefs' flows declare, by brief; a brief without a flow is only
/// captured.
///
/// # Errors
/// As [`plan`].
pub fn plan_study(
    study: &Study,
    mut scenarios: BTreeMap<String, Vec<Scenario>>,
    seed: u64,
    selection: &Selection,
) -> Result<Vec<Case>, Error> {
    let artifacts: Vec<[String; 3]> =
        study.artifacts.iter().map(|a| [a.arm.clone(), a.brief.clone(), a.sample.clone()]).collect();
    let flow = |(id, brief): (&String, &crate::study::Brief)| {
        let viewports = brief.viewports.iter().map(|viewport| viewport.name.clone()).collect();
        (id.clone(), Flow { viewports, scenarios: scenarios.remove(id).unwrap_or_default() })
    };
    let flows = study.briefs.iter().map(flow).collect();
    plan(&artifacts, &flows, seed, selection)
}

/// The cases of `selection`: for every artifact (arm, brief, sample) and viewport, the scenarios of the brief's flow as
/// declared, then a capture.
///
/// A shard may be empty where the selection is not: it has nothing to do, and its record is still needed for the merge.
///
/// # Errors
/// If a name is unknown, or the selection is empty.
pub fn plan(
    artifacts: &[[String; 3]],
    flows: &BTreeMap<String, Flow>,
    seed: u64,
    selection: &Selection,
) -> Result<Vec<Case>, Error> {
    let mistakes = unknown_names(artifacts, flows, selection);
    if !mistakes.is_empty() {
        return Err(Error::Unknown(mistakes));
    }
    let all = every_case(artifacts, flows, seed);
    let total = all.len();
    let mut selected: Vec<Case> = all.into_iter().filter(|case| is_selected(case, selection)).collect();
    if selected.is_empty() {
        return Err(Error::Nothing(Box::new(nothing(total, selection))));
    }
    if let Some(shard) = selection.shard {
        selected.retain(|case| shard.takes(&case.key));
    }
    Ok(selected)
}

fn every_case(artifacts: &[[String; 3]], flows: &BTreeMap<String, Flow>, seed: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    for [arm, brief, sample] in artifacts {
        let Some(flow) = flows.get(brief) else { continue };
        for viewport in &flow.viewports {
            let here = |scenario: &&Scenario| scenario.viewports.is_empty() || scenario.viewports.contains(viewport);
            let scenarios = flow.scenarios.iter().filter(here).map(|scenario| Some(scenario.title.as_str()));
            for scenario in scenarios.chain([None]) {
                cases.push(Case::new(seed, cases.len() as u64, [arm, brief, sample], viewport, scenario));
            }
        }
    }
    cases
}

fn is_selected(case: &Case, selection: &Selection) -> bool {
    let named = |names: &[String], name: &String| names.is_empty() || names.contains(name);
    let contains = selection.contains.as_ref().is_none_or(|part| {
        let part = part.to_lowercase();
        [case.title(), &case.arm, &case.brief].iter().any(|text| text.to_lowercase().contains(&part))
    });
    contains
        && named(&selection.arms, &case.arm)
        && named(&selection.briefs, &case.brief)
        && named(&selection.viewports, &case.viewport)
        && selection.only.as_ref().is_none_or(|keys| keys.contains(&case.key))
}

fn unknown_names(artifacts: &[[String; 3]], flows: &BTreeMap<String, Flow>, selection: &Selection) -> Vec<Diagnostic> {
    let arms: Vec<&str> = artifacts.iter().map(|[arm, ..]| arm.as_str()).collect();
    let briefs: Vec<&str> = artifacts.iter().map(|[_, brief, _]| brief.as_str()).collect();
    let viewports: Vec<&str> = flows.values().flat_map(|flow| &flow.viewports).map(String::as_str).collect();
    let asked = [("arm", &selection.arms, &arms), ("brief", &selection.briefs, &briefs)];
    let asked = asked.into_iter().chain([("viewport", &selection.viewports, &viewports)]);
    let mut mistakes: Vec<Diagnostic> = asked
        .flat_map(|(what, names, known)| names.iter().filter_map(move |name| unknown(what, name, known)))
        .collect();
    for flow in flows.values() {
        let known: Vec<&str> = flow.viewports.iter().map(String::as_str).collect();
        for scenario in &flow.scenarios {
            for mut mistake in scenario.viewports.iter().filter_map(|name| unknown("viewport", name, &known)) {
                mistake.title = format!("scenario \"{}\" wants {}", scenario.title, mistake.title);
                mistake.place.clone_from(&scenario.place);
                mistakes.push(mistake);
            }
        }
    }
    mistakes
}

fn unknown(what: &str, name: &str, known: &[&str]) -> Option<Diagnostic> {
    if known.contains(&name) {
        return None;
    }
    let mut names = known.to_vec();
    names.sort_unstable();
    names.dedup();
    let mistake = Diagnostic::new(format!("an unknown {what}, `{name}`"))
        .expected(format!("one of {}", names.join(", ")))
        .received(name);
    Some(match did_you_mean(name, names.iter().copied()) {
        Some(near) => mistake.hint(format!("did you mean `{near}`?")),
        None => mistake,
    })
}

fn nothing(total: usize, selection: &Selection) -> Diagnostic {
    let mut asked: Vec<String> = Vec::new();
    asked.extend(selection.contains.iter().map(|part| format!("-k \"{part}\"")));
    asked.extend(selection.arms.iter().map(|arm| format!("--arm {arm}")));
    asked.extend(selection.briefs.iter().map(|brief| format!("--brief {brief}")));
    asked.extend(selection.viewports.iter().map(|viewport| format!("--viewport {viewport}")));
    asked.extend(selection.only.iter().map(|keys| format!("the {} cases that failed last time", keys.len())));
    if asked.is_empty() {
        return Diagnostic::new("nothing is selected: the study has no artifacts")
            .hint("put sites where the pattern `artifacts` in loupe.toml finds them");
    }
    Diagnostic::new("nothing is selected")
        .expected(format!("at least one of the study's {total} cases"))
        .received(format!("none is all of: {}", asked.join(", ")))
        .hint("--list shows the cases of a selection")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
        words.map(str::to_owned).to_vec()
    }

    fn artifacts() -> Vec<[String; 3]> {
        let artifact = |arm: &str, brief: &str| [arm.to_owned(), brief.to_owned(), "1".to_owned()];
        vec![artifact("folio", "magazine"), artifact("gloss", "magazine"), artifact("gloss", "board")]
    }

    fn flows() -> BTreeMap<String, Flow> {
        let scenario = |title: &str, viewports: Vec<String>| Scenario {
            title: title.into(),
            viewports,
            about: vec![],
            place: None,
        };
        let magazine = Flow {
            viewports: words(["wide", "narrow"]),
            scenarios: vec![scenario("search", vec![]), scenario("nothing sticks out", words(["narrow"]))],
        };
        let board = Flow { viewports: words(["wide"]), scenarios: vec![scenario("move a Task", vec![])] };
        BTreeMap::from([("magazine".to_owned(), magazine), ("board".to_owned(), board)])
    }

    fn titles(selection: &Selection) -> Vec<String> {
        let cases = plan(&artifacts(), &flows(), 1, selection).unwrap();
        cases.iter().map(|case| format!("{} {} {} {}", case.brief, case.arm, case.viewport, case.title())).collect()
    }

    #[test]
    fn the_order_is_artifact_viewport_scenario_capture() {
        assert_eq!(
            titles(&Selection::default()),
            [
                "magazine folio wide search",
                "magazine folio wide capture",
                "magazine folio narrow search",
                "magazine folio narrow nothing sticks out",
                "magazine folio narrow capture",
                "magazine gloss wide search",
                "magazine gloss wide capture",
                "magazine gloss narrow search",
                "magazine gloss narrow nothing sticks out",
                "magazine gloss narrow capture",
                "board gloss wide move a Task",
                "board gloss wide capture",
            ]
        );
    }

    #[test]
    fn selections_narrow_each_other() {
        let base = Selection::default();
        let part = |text: &str| Selection { contains: Some(text.into()), ..base.clone() };
        assert_eq!(titles(&part("TASK")), ["board gloss wide move a Task"]);
        assert_eq!(titles(&part("folio")).len(), 5);
        assert_eq!(titles(&part("capture")).len(), 5);
        let both = Selection { arms: words(["gloss"]), viewports: words(["narrow"]), ..part("search") };
        assert_eq!(titles(&both), ["magazine gloss narrow search"]);
        let several = Selection { briefs: words(["board", "magazine"]), ..base.clone() };
        assert_eq!(titles(&several).len(), 12);
        let all = plan(&artifacts(), &flows(), 1, &base).unwrap();
        let only = Selection { only: Some(BTreeSet::from([all[3].key.clone()])), ..base };
        assert_eq!(plan(&artifacts(), &flows(), 1, &only).unwrap(), [all[3].clone()], "order and seed stay");
    }

    #[test]
    fn nothing_selected_is_not_an_unknown_name() {
        let none = Selection { contains: Some("zebra".into()), arms: words(["folio"]), ..Selection::default() };
        let Err(Error::Nothing(told)) = plan(&artifacts(), &flows(), 1, &none) else { panic!("nothing matches") };
        assert_eq!(told.received.as_deref().unwrap(), "none is all of: -k \"zebra\", --arm folio");
        assert!(matches!(plan(&[], &flows(), 1, &Selection::default()), Err(Error::Nothing(_))));
    }

    #[test]
    fn unknown_names_are_all_told_with_a_suggestion() {
        let typo = Selection { arms: words(["folia"]), viewports: words(["wide", "watch"]), ..Selection::default() };
        let mut flows = flows();
        let place = Place { file: "flow.rhai".into(), line: 3, column: Some(1), text: None };
        let scenarios = &mut flows.get_mut("board").unwrap().scenarios;
        scenarios[0].viewports = words(["wode"]);
        scenarios[0].place = Some(place.clone());
        let Err(Error::Unknown(told)) = plan(&artifacts(), &flows, 1, &typo) else { panic!("names are unknown") };
        let titles: Vec<&str> = told.iter().map(|d| d.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "an unknown arm, `folia`",
                "an unknown viewport, `watch`",
                "scenario \"move a Task\" wants an unknown viewport, `wode`"
            ]
        );
        assert_eq!(told[0].hints, ["did you mean `folio`?"]);
        assert_eq!((&told[2].place, &told[2].hints[0]), (&Some(place), &"did you mean `wide`?".to_owned()));
    }

    #[test]
    fn the_demo_study_is_planned_at_its_own_viewports() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cohort");
        let study = Study::load(&root).unwrap();
        let search = Scenario { title: "search".into(), ..Scenario::default() };
        let scenarios = BTreeMap::from([("magazine".to_owned(), vec![search])]);
        let cases = plan_study(&study, scenarios, 1, &Selection::default()).unwrap();
        // Each artifact at 2 viewports: a capture, and for those of the magazine a scenario.
        let of_magazine = study.artifacts.iter().filter(|artifact| artifact.brief == "magazine").count();
        let captures = study.artifacts.len() * 2;
        assert!(of_magazine >= 3 && captures > of_magazine * 2);
        assert_eq!(cases.len(), captures + of_magazine * 2);
        let bare = plan_study(&study, BTreeMap::new(), 1, &Selection::default()).unwrap();
        assert!(bare.len() == captures && bare.iter().all(|case| case.scenario.is_none()));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Every case is in exactly one shard, with the order and seed it has without shards.
        #[test]
        fn shards_partition_the_plan(count in 1_u64..9, scenarios in 0_usize..12, seed: u64) {
            let flow = Flow {
                viewports: words(["wide", "narrow"]),
                scenarios: (0..scenarios).map(|n| Scenario { title: format!("s{n}"), ..Scenario::default() }).collect(),
            };
            let flows = BTreeMap::from([("magazine".to_owned(), flow)]);
            let artifacts = &artifacts()[..2];
            let whole = plan(artifacts, &flows, seed, &Selection::default()).unwrap();
            let mut merged: Vec<Case> = (1..=count)
                .flat_map(|index| {
                    let shard = Some(format!("{index}/{count}").parse().unwrap());
                    plan(artifacts, &flows, seed, &Selection { shard, ..Selection::default() }).unwrap()
                })
                .collect();
            merged.sort_by_key(|case| case.order);
            prop_assert_eq!(merged, whole);
        }
    }
}
