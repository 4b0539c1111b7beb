//! One case from its page to its record.
//!
//! The artifact gets an origin of its own and the page a context that no case of another origin left a trace in, so
//! that no case can see another. After
//! trouble of ours the case is tried again on a fresh page; what the first attempts ended with stays on the record.

use serde_json::json;

use super::Error;
use super::crew::Ship;
use super::loaded::loaded;
use super::outcome::{End, conclude};
use crate::api::{Host, Live, Notebook, Waits};
use crate::browser::locator::{self, Hooks, Locator};
use crate::browser::{self, Freeze, Frozen, Page, Patience};
use crate::capture::store;
use crate::diag::Diagnostic;
use crate::record::{Attempt, Case, CaseKind, CaseRecord, Loaded, Outcome};
use crate::script::FaultKind;
use crate::serve::{Root, Server};
use crate::study::{Artifact, NetworkMode, Site};

/// What one attempt found.
struct Attempted {
    end: End,
    notes: Notebook,
    /// Pictures and captures that were taken outside the script.
    frozen: Vec<(String, Frozen)>,
    picture: Option<(String, Vec<u8>)>,
    loaded: Vec<Loaded>,
}

/// Carries out `case` on `page`; `None` if it was interrupted.
pub(super) fn perform(ship: &Ship<'_>, case: Case, page: browser::Result<Page>) -> Option<Result<CaseRecord, Error>> {
    let started_ms = ship.began.elapsed().as_millis() as u64;
    let mut page = Some(page);
    let mut attempts = Vec::new();
    loop {
        let page = page.take().unwrap_or_else(|| ship.browsers.page(&ship.prepared.look(&case)));
        let found = attempt(ship, &case, page)?;
        if found.end.worth_retrying && attempts.len() < ship.retries as usize {
            attempts.push(Attempt { outcome: found.end.outcome, diagnostic: found.end.diagnostic });
            continue;
        }
        let duration_ms = (ship.began.elapsed().as_millis() as u64).saturating_sub(started_ms);
        return Some(recorded(ship, case, found, attempts).map(|mut record| {
            (record.started_ms, record.duration_ms) = (started_ms, duration_ms);
            record
        }));
    }
}

fn attempt(ship: &Ship<'_>, case: &Case, page: browser::Result<Page>) -> Option<Attempted> {
    let trouble = |why: Diagnostic| Attempted {
        end: End::trouble(why),
        notes: Notebook::default(),
        frozen: Vec::new(),
        picture: None,
        loaded: Vec::new(),
    };
    let page = match page {
        Ok(page) => page,
        Err(e) => return Some(trouble(Diagnostic::new(e.to_string()))),
    };
    let artifact =
        ship.study.artifacts.iter().find(|a| is_of(a, case)).expect("the plan names only artifacts of the study");
    let mounted = match Mounted::new(ship.server, artifact, case) {
        Ok(mounted) => mounted,
        Err(why) => return Some(trouble(why)),
    };
    page.set_origin(&mounted.origin);
    let mut hooks = ship.hooks.of(ship.prepared, artifact);
    if let Some(injection) = ship.injection {
        let script = injection.scripts.get(&case.brief).map_or("", String::as_str);
        if let Err(e) = ship.browsers.runtime().block_on(page.inject(script)) {
            return Some(trouble(Diagnostic::new(e.to_string())));
        }
        if let Some(hook) = injection.removed.as_ref().and_then(|name| hooks.get_mut(name)) {
            hook.testid.push_str(" (taken away)");
            hook.mentioned = false;
        }
    }
    let live = Live {
        page,
        openers: Vec::new(),
        origin: mounted.origin.clone(),
        start: mounted.start.clone(),
        hooks,
        waits: Waits { action: ship.study.timeouts.action, expect: ship.study.timeouts.expect },
        axe: ship.axe.clone(),
        runtime: ship.browsers.runtime().clone(),
        interrupt: ship.interrupt.clone(),
    };
    let (mut attempted, page) = match case.kind {
        CaseKind::Scenario => scenario(ship, case, live)?,
        CaseKind::Capture => capture(ship, live),
    };
    let requests = std::mem::take(&mut attempted.notes.requests);
    attempted.loaded = loaded(&requests, &mounted.origin, mounted.served(), &ship.digests);
    let settled = attempted.end.outcome != Outcome::Error;
    if let (true, true, Some(page)) = (settled, leaves_no_trace(ship, artifact), page) {
        ship.browsers.take_back(page, ship.prepared.look(case));
    }
    Some(attempted)
}

/// Whether everything that a case stores in its page belongs to the origin of that case alone. Other hosts, and an
/// artifact's own address, are the same for every case.
fn leaves_no_trace(ship: &Ship<'_>, artifact: &Artifact) -> bool {
    let network = &ship.study.network;
    ship.injection.is_none()
        && network.mode == NetworkMode::Block
        && network.also.is_empty()
        && !matches!(artifact.place, Site::Url(_))
}

fn scenario(ship: &Ship<'_>, case: &Case, live: Live) -> Option<(Attempted, Option<Page>)> {
    let program = ship.prepared.program(ship.study, case).expect("the plan names only scenarios of prepared flows");
    let title = case.scenario.as_deref().unwrap_or_default();
    let (host, result) = program.run(title, Host::new(live), ship.interrupt);
    let (notes, page) = host.close();
    let end = conclude(result, &notes)?;
    // What it looked like when it went wrong; a page that cannot be pictured any more has nothing to show.
    let telling = matches!(end.outcome, Outcome::Failed | Outcome::Contract | Outcome::Error);
    let pictured = page.as_ref().filter(|_| telling);
    let picture = pictured.and_then(|page| ship.browsers.runtime().block_on(page.picture(None)).ok());
    let picture = picture.map(|png| ("at the end".to_owned(), png));
    Some((Attempted { end, notes, frozen: Vec::new(), picture, loaded: Vec::new() }, page))
}

fn capture(ship: &Ship<'_>, live: Live) -> (Attempted, Option<Page>) {
    let url = crate::api::address(&live.origin, &live.start);
    let (page, patience) = (live.page.clone(), ship.study.timeouts.action);
    let content = content(&live.hooks);
    let frozen = ship.browsers.runtime().block_on(async {
        page.open(&url, patience).await.map_err(browser::Error::about_the_artifact)?;
        // A page that fills itself late is pictured when it has content; one that never has any, as it is.
        for place in &content {
            let patience = Patience { total: ship.study.timeouts.expect, grace: ship.study.timeouts.expect };
            page.ask_about(place, json!({"op": "expect", "what": "visible"}), patience).await?;
        }
        page.freeze(&Freeze { name: "initial".to_owned(), sweep: true }).await
    });
    let (notes, page) = Host::new(live).close();
    let (end, frozen) = match frozen {
        Ok(frozen) => (
            End { outcome: Outcome::Passed, fallback: None, diagnostic: None, worth_retrying: false },
            vec![("initial".to_owned(), frozen)],
        ),
        Err(e) => (no_capture(&e), Vec::new()),
    };
    (Attempted { end, notes, frozen, picture: None, loaded: Vec::new() }, page)
}

/// Where the brief's facts are seen, by the hooks that show them.
fn content(hooks: &Hooks) -> Vec<Locator> {
    let showing = hooks.iter().filter(|(_, hook)| !hook.names.is_empty());
    showing.filter_map(|(name, _)| locator::parse(&format!("hook={name} >> visible >> nth=0"), hooks).ok()).collect()
}

/// A page that hangs or crashes is the artifact's doing, also where it was only to be looked at.
fn no_capture(error: &browser::Error) -> End {
    let diagnostic = Diagnostic::new(format!("no capture: {error}"));
    match crate::api::whose(error) {
        FaultKind::Artifact => {
            End { outcome: Outcome::Failed, fallback: None, diagnostic: Some(diagnostic), worth_retrying: false }
        }
        _ => End::trouble(diagnostic),
    }
}

fn recorded(ship: &Ship<'_>, case: Case, found: Attempted, attempts: Vec<Attempt>) -> Result<CaseRecord, Error> {
    let Attempted { end, notes, frozen, picture, loaded } = found;
    let mut record = CaseRecord::new(case, end.outcome);
    record.fallback = end.fallback;
    record.flaky = !attempts.is_empty() && end.outcome == Outcome::Passed;
    record.attempts = attempts;
    record.diagnostic = end.diagnostic;
    record.soft = notes.soft;
    record.observations = notes.observations;
    record.steps = notes.steps;
    record.loaded = loaded;
    for (name, png) in notes.pictures.iter().chain(&picture) {
        record.pictures.push(ship.shelf.picture(&record.case.key, name, png)?);
    }
    let taken = notes.captures.into_iter().map(|t| (t.name, t.capture, t.pictures));
    let own = frozen
        .into_iter()
        .map(|(name, f)| (name, f.capture, vec![("window".to_owned(), f.window), ("full".to_owned(), f.full)]));
    for (name, capture, pictures) in taken.chain(own) {
        record.captures.push(ship.shelf.capture(&record.case.key, &name, "capture.zst", &store::encode(&capture))?);
        for (part, png) in pictures {
            record.pictures.push(ship.shelf.picture(&record.case.key, &format!("{name} {part}"), &png)?);
        }
    }
    Ok(record)
}

/// An artifact on an origin of its own, for as long as this lives.
struct Mounted<'a> {
    server: &'a Server,
    label: Option<String>,
    origin: String,
    start: String,
}

impl<'a> Mounted<'a> {
    fn new(server: &'a Server, artifact: &Artifact, case: &Case) -> Result<Self, Diagnostic> {
        let root = match &artifact.place {
            Site::Url(url) => {
                let origin = crate::api::origin_of(url);
                return Ok(Self { server, label: None, origin, start: url.clone() });
            }
            Site::Folder(path) => Root::Folder(path.clone()),
            Site::File(path) => Root::File(path.clone()),
        };
        let label = format!("c{}", case.key);
        let origin = server.mount(&label, &root)?;
        Ok(Self {
            server,
            label: Some(label),
            origin: origin.trim_end_matches('/').to_owned(),
            start: artifact.start.clone(),
        })
    }
}

impl Mounted<'_> {
    /// Under which name the artifact is served, if it is ours to serve.
    fn served(&self) -> Option<(&Server, &str)> {
        Some((self.server, self.label.as_deref()?))
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        if let Some(label) = &self.label {
            // What it asked for and did not get was seen by the browser, too.
            drop(self.server.unmount(label));
        }
    }
}

fn is_of(artifact: &Artifact, case: &Case) -> bool {
    artifact.arm == case.arm && artifact.brief == case.brief && artifact.sample == case.sample
}
