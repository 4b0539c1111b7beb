//! Everything about a study that cases share: compiled flows, hooks, where artifacts are served.
//!
//! It deliberately starts nothing; a study whose flows are wrong is refused before any browser is needed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::{Error, plan};
use crate::api::{self, Host};
use crate::browser::locator::{HookSpec, Hooks, parse};
use crate::browser::{Look, Reach};
use crate::diag::Diagnostic;
use crate::protocol::Viewport;
use crate::record::{BriefUsed, Case, FlowUsed, Selection};
use crate::script::{Limits, Program, ScenarioDecl, Source, Value};
use crate::serve::Server;
use crate::study::{Artifact, Brief, Hook, NetworkMode, Script, Site, Study};

/// A study's flows, ready to run.
pub struct Prepared {
    briefs: BTreeMap<String, PreparedBrief>,
}

struct PreparedBrief {
    flow: plan::Flow,
    hooks: Hooks,
    /// The brief's scripts at each viewport, in their order: each viewport has its own constants.
    programs: BTreeMap<String, Vec<Program<Host>>>,
    /// Which of the scripts declares a scenario, and how long that may take, by its title.
    scripts: BTreeMap<String, (usize, Option<Duration>)>,
    looks: BTreeMap<String, Look>,
    /// Each of its flows with what that imports: its own script first.
    flows: Vec<Vec<Script>>,
}

impl Prepared {
    /// Reads every flow of the study and collects its scenarios.
    ///
    /// # Errors
    /// Every mistake in scripts and hooks.
    pub fn new(study: &Study) -> Result<Self, Vec<Diagnostic>> {
        let mut mistakes = Vec::new();
        if study.network.mode == NetworkMode::Replay {
            // Running it as `block` would look like a result.
            let title = "loupe.toml: the network mode \"replay\" does not work yet";
            mistakes.push(Diagnostic::new(title).expected("\"block\" or \"allow\"").received("\"replay\""));
        }
        let mut briefs = BTreeMap::new();
        for (id, brief) in &study.briefs {
            match prepare(study, brief) {
                Ok(prepared) => drop(briefs.insert(id.clone(), prepared)),
                Err(mut found) => mistakes.append(&mut found),
            }
        }
        if mistakes.is_empty() { Ok(Self { briefs }) } else { Err(mistakes) }
    }

    /// The scenarios that a brief's flows declare, in order.
    pub fn scenarios(&self, brief: &str) -> &[plan::Scenario] {
        self.briefs.get(brief).map_or(&[], |brief| &brief.flow.scenarios)
    }

    /// The cases of a run, in their order.
    ///
    /// # Errors
    /// [`Error::Mistakes`] for names that do not exist, [`Error::Nothing`].
    pub fn plan(&self, study: &Study, seed: u64, selection: &Selection) -> Result<Vec<Case>, Error> {
        let artifacts: Vec<[String; 3]> =
            study.artifacts.iter().map(|a| [a.arm.clone(), a.brief.clone(), a.sample.clone()]).collect();
        let flows = self.briefs.iter().map(|(id, b)| (id.clone(), b.flow.clone())).collect();
        let mut cases = plan::plan(&artifacts, &flows, seed, selection).map_err(|e| match e {
            plan::Error::Unknown(mistakes) => Error::Mistakes(mistakes),
            plan::Error::Nothing(why) => Error::Nothing(why),
        })?;
        for artifact in study.artifacts.iter().filter(|artifact| artifact.is_repaired()) {
            cases.iter_mut().filter(|case| case.names() == artifact.names()).for_each(|case| case.repaired = true);
        }
        Ok(cases)
    }

    /// What a run keeps of its inputs, so that later edits cannot change its meaning.
    pub fn copies(&self, study: &Study) -> BTreeMap<String, Vec<u8>> {
        let mut copies = BTreeMap::new();
        if study.root.is_none() {
            return copies;
        }
        let mut keep = |name: String, text: &str| drop(copies.insert(name, text.as_bytes().to_vec()));
        for (id, brief) in &study.briefs {
            keep(format!("briefs/{id}/brief.md"), &brief.text);
            keep(format!("briefs/{id}/facts.json"), &brief.facts_text);
        }
        for script in self.scripts() {
            keep(format!("scripts/{}", script.name), &script.text);
        }
        copies
    }

    /// The version of each script that judges.
    pub(super) fn evaluators(&self) -> BTreeMap<String, Option<u32>> {
        self.scripts().map(|script| (script.shown.clone(), script.evaluator)).collect()
    }

    /// What a run keeps of the brief `brief`, beside its files.
    pub(super) fn used(&self, brief: &Brief) -> BriefUsed {
        let prepared = self.briefs.get(&brief.id);
        let flow = |(index, scripts): (usize, &Vec<Script>)| {
            let declares = |(title, (script, _)): (&String, &(usize, _))| (*script == index).then(|| title.clone());
            FlowUsed {
                scripts: scripts.iter().map(|script| script.shown.clone()).collect(),
                scenarios: prepared.iter().flat_map(|p| &p.scripts).filter_map(declares).collect(),
            }
        };
        let flows = prepared.iter().flat_map(|p| p.flows.iter().enumerate()).map(flow).collect();
        BriefUsed { version: brief.version.clone(), condition: brief.condition.clone(), flows }
    }

    fn scripts(&self) -> impl Iterator<Item = &Script> {
        self.briefs.values().flat_map(|brief| brief.flows.iter().flatten())
    }

    /// The hooks of a brief, as they stand with one of its artifacts.
    pub(super) fn hooks(&self, artifact: &Artifact) -> Hooks {
        let mut hooks = self.briefs.get(&artifact.brief).map(|b| b.hooks.clone()).unwrap_or_default();
        let testids: Vec<String> = hooks.values().map(|hook| hook.testid.clone()).collect();
        let mentioned = artifact.mentions(&testids.iter().map(String::as_str).collect::<Vec<_>>());
        for hook in hooks.values_mut() {
            hook.mentioned = mentioned.contains(hook.testid.as_str());
        }
        hooks
    }

    /// How a case looks at its artifact.
    pub(super) fn look(&self, case: &Case) -> Look {
        self.briefs.get(&case.brief).and_then(|b| b.looks.get(&case.viewport)).cloned().unwrap_or_default()
    }

    /// The program of a scenario, with its own time limit.
    pub(super) fn program(&self, study: &Study, case: &Case) -> Option<Program<Host>> {
        let brief = self.briefs.get(&case.brief)?;
        let (script, own) = brief.scripts.get(case.scenario.as_ref()?)?;
        let program = brief.programs.get(&case.viewport)?.get(*script)?;
        let limits = Limits { time: own.unwrap_or(study.timeouts.scenario), ..program.limits.clone() };
        Some(Program {
            source: program.source.clone(),
            vocabulary: Arc::clone(&program.vocabulary),
            library: Arc::clone(&program.library),
            limits,
        })
    }
}

/// Which hosts the study's pages can reach, served by `server`.
pub fn reach(study: &Study, server: &Server) -> Reach {
    match study.network.mode {
        NetworkMode::Allow => Reach::All,
        NetworkMode::Block | NetworkMode::Replay => reach_of(&study.artifacts, &study.network.also, server.port()),
    }
}

/// Exactly what these artifacts need, served on `port`, and the origins in `also`.
pub fn reach_of<'a>(artifacts: impl IntoIterator<Item = &'a Artifact>, also: &[String], port: u16) -> Reach {
    let mut hosts = vec![format!("*.localhost:{port}")];
    hosts.extend(also.iter().cloned());
    hosts.extend(artifacts.into_iter().filter_map(|a| match &a.place {
        Site::Url(url) => Some(authority(url)),
        Site::Folder(_) | Site::File(_) => None,
    }));
    Reach::Only(hosts)
}

/// The `host:port` of an address; the port that the scheme implies is left out, as resolver rules want it.
fn authority(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest).to_owned()
}

fn prepare(study: &Study, brief: &Brief) -> Result<PreparedBrief, Vec<Diagnostic>> {
    let hooks = hooks(brief);
    let mut mistakes = fallback_mistakes(brief, &hooks);
    let looks = brief.viewports.iter().map(|v| (v.name.clone(), look(v))).collect();
    let mut programs = BTreeMap::new();
    for viewport in &brief.viewports {
        let here: Result<Vec<_>, _> =
            brief.flows.iter().map(|script| program(study, brief, viewport, script)).collect();
        match here {
            Ok(here) => drop(programs.insert(viewport.name.clone(), here)),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    let mut flow =
        plan::Flow { viewports: brief.viewports.iter().map(|v| v.name.clone()).collect(), scenarios: Vec::new() };
    let mut scripts = BTreeMap::new();
    for (index, program) in programs.values().next().into_iter().flatten().enumerate() {
        match program.collect(Host::default()) {
            Ok(declared) => {
                for scenario in declared {
                    let timeout = number(scenario.options.get("timeout"));
                    let timeout = timeout.map(|seconds| Duration::from_secs_f64(seconds.clamp(0.0, 3600.0)));
                    if scripts.insert(scenario.title.clone(), (index, timeout)).is_some() {
                        mistakes.push(declared_before(&brief.id, scenario));
                        continue;
                    }
                    flow.scenarios.push(plan::Scenario {
                        viewports: texts(scenario.options.get("viewports")),
                        about: texts(scenario.options.get("about")),
                        title: scenario.title,
                        place: scenario.place,
                    });
                }
            }
            Err(error) => mistakes.push(error.diagnostic),
        }
    }
    let imports = |flow: &Script| Ok([vec![flow.clone()], study.library.imports(flow)?].concat());
    let flows = brief.flows.iter().map(imports).collect::<Result<Vec<_>, Diagnostic>>();
    match flows {
        Ok(flows) if mistakes.is_empty() => Ok(PreparedBrief { flow, hooks, programs, scripts, looks, flows }),
        Ok(_) => Err(mistakes),
        Err(mistake) => Err([mistakes, vec![mistake]].concat()),
    }
}

/// Cases are known by their scenario's title.
fn declared_before(brief: &str, scenario: ScenarioDecl) -> Diagnostic {
    let title = format!("scenario \"{}\" is declared by two scripts of brief {brief}", scenario.title);
    let mistake = Diagnostic { place: scenario.place, ..Diagnostic::new(title) };
    mistake.expected("a title that no other script of the brief has")
}

fn program(study: &Study, brief: &Brief, viewport: &Viewport, script: &Script) -> Result<Program<Host>, Diagnostic> {
    let hook = |(name, hook): (&String, &Hook)| {
        (name.clone(), serde_json::json!({"testid": hook.testid, "facts": hook.facts, "by": hook.by}))
    };
    let hooks: serde_json::Map<_, _> = brief.hooks.iter().map(hook).collect();
    let about = serde_json::json!({"id": brief.id, "version": brief.version, "title": brief.title, "hooks": hooks, "params": brief.params});
    let size = serde_json::json!({"name": viewport.name, "width": viewport.width, "height": viewport.height, "mobile": viewport.mobile});
    let vocabulary = api::vocabulary(Value::from(brief.facts.clone()), about.into(), size.into());
    Ok(Program {
        source: Source::by_name(&script.shown, script.text.clone())?,
        vocabulary: Arc::new(vocabulary),
        library: Arc::new(study.library.clone()),
        limits: Limits::default(),
    })
}

fn hooks(brief: &Brief) -> Hooks {
    let spec = |hook: &Hook| HookSpec {
        testid: hook.testid.clone(),
        fallback: hook.fallback.clone(),
        identity: hook.identity.clone(),
        names: brief.names(hook),
        required: hook.required,
        mentioned: false,
    };
    brief.hooks.iter().map(|(name, hook)| (name.clone(), spec(hook))).collect()
}

fn fallback_mistakes(brief: &Brief, hooks: &Hooks) -> Vec<Diagnostic> {
    let fallbacks =
        brief.hooks.iter().flat_map(|(name, hook)| hook.fallback.iter().map(move |text| (name, hook, text)));
    let wrong = fallbacks.filter_map(|(name, hook, fallback)| {
        let error = parse(fallback, hooks).err()?;
        let title = format!("the fallback of hook \"{name}\" is not a locator: {}", error.message);
        let mistake = Diagnostic { place: hook.fallback_at.clone(), ..Diagnostic::new(title) };
        Some(error.hint.into_iter().fold(mistake.received(fallback.clone()), Diagnostic::hint))
    });
    wrong.collect()
}

/// How a viewport of a study looks at a page.
pub fn look(viewport: &Viewport) -> Look {
    Look {
        width: viewport.width,
        height: viewport.height,
        scale: viewport.scale,
        mobile: viewport.mobile,
        ..Look::default()
    }
}

fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Int(i) => Some(*i as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::List(items)) => {
            items.iter().filter_map(|v| if let Value::Text(t) = v { Some(t.clone()) } else { None }).collect()
        }
        _ => Vec::new(),
    }
}
