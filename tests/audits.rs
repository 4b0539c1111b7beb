//! axe-core over real pages: every frame and open shadow tree is reached, what is undecided needs review, and without the
//! engine nothing is judged.
//!
//! Whether its rules are right is deliberately its authors' business.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod common;
mod stage;

use std::sync::LazyLock;

use loupe::browser::{Audited, Axe, Rule};
use loupe::record::{Audit, CaseRecord, Outcome, What};

use common::Sandbox;
use stage::{Scene, on};

static AXE: LazyLock<Axe> = LazyLock::new(|| Axe::new(std::fs::read_to_string(common::axe()).unwrap()));

async fn audit(scene: &Scene) -> Audited {
    scene.page.audit(&AXE, &["wcag2a", "wcag2aa", "best-practice"]).await.unwrap()
}

fn of<'a>(rules: &'a [Rule], id: &str) -> &'a Rule {
    let ids: Vec<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
    rules.iter().find(|rule| rule.id == id).unwrap_or_else(|| panic!("no {id} among {ids:?}"))
}

#[test]
fn every_frame_and_open_shadow_tree_is_looked_into() {
    on("violations", async |scene| {
        scene.expect_page("settled", serde_json::json!({}), 5000).await;
        let audited = audit(&scene).await;
        let found = &audited.found.violations;
        assert_eq!(of(found, "image-alt").first[0].locator(), "css=#bare");
        assert_eq!(of(found, "button-name").first[0].locator(), "css=x-card >> css=#dumb");
        let labels = of(found, "label");
        let places: Vec<String> = labels.first.iter().map(|element| element.locator()).collect();
        assert_eq!(places, ["frame=#near >> css=#nameless", "frame=#far >> css=#nameless"], "one in a frame each");
        for place in &places {
            assert_eq!(scene.count(place).await, 1, "{place} is a locator");
        }
        assert!(labels.first[0].html.contains("nameless") && labels.first[0].why.contains("label"), "{labels:?}");
        assert_eq!(audited.frames[..2], ["/violations.html", "/violations-inner.html"], "{:?}", audited.frames);
        assert!(audited.frames[2].contains("localhost"), "the frame of another site: {:?}", audited.frames);
        let hidden: Vec<&str> = audited.unreached.iter().map(|(frame, _)| frame.as_str()).collect();
        assert_eq!(hidden, ["/violations-inner.html?hidden"]);
        assert!(audited.found.rules > 50, "{}", audited.found.rules);
    });
}

#[test]
fn a_frame_that_shows_no_document_is_told_and_the_rest_is_judged() {
    on("accessible", async |scene| {
        let add = "() => new Promise((done) => {
            const frame = document.createElement('iframe');
            Object.assign(frame, { title: 'Lost', onload: () => done(1), src: 'http://nowhere.invalid/' });
            document.querySelector('main').append(frame);
        })";
        scene.page.evaluate(add, &serde_json::Value::Null, stage::PATIENT).await.unwrap();
        let audited = audit(&scene).await;
        assert_eq!(audited.unreached.len(), 1, "{:?}", audited.unreached);
        assert!(audited.unreached[0].1.contains("could not be loaded"), "{:?}", audited.unreached);
        assert_eq!(audited.frames, ["/accessible.html"]);
        assert!(audited.found.violations.is_empty(), "{:?}", audited.found);
    });
}

#[test]
fn sandboxed_frames_are_looked_into_unless_scripts_are_forbidden_there() {
    on("accessible", async |scene| {
        let add = "() => Promise.all(['allow-scripts', ''].map((sandbox) => new Promise((done) => {
            const frame = document.createElement('iframe');
            frame.setAttribute('sandbox', sandbox);
            const srcdoc = `<!doctype html><html lang=en><title>t</title><input id='x${sandbox}'>`;
            Object.assign(frame, { title: `Sandbox ${sandbox}`, onload: () => done(1), srcdoc });
            document.querySelector('main').append(frame);
        })))";
        scene.page.evaluate(add, &serde_json::Value::Null, stage::PATIENT).await.unwrap();
        let audited = audit(&scene).await;
        assert_eq!(of(&audited.found.violations, "label").count, 1);
        let [(_, why)] = audited.unreached.as_slice() else { panic!("{:?}", audited.unreached) };
        assert!(why.contains("sandbox forbids scripts"), "{why}");
    });
}

#[test]
fn finite_animations_are_finished_and_endless_ones_go_on() {
    on("accessible", async |scene| {
        // Its text begins at a tenth of its opacity, for a long time.
        let audited = audit(&scene).await;
        assert!(audited.found.violations.is_empty(), "{:?}", audited.found.violations);
    });
    on("endless-animation", async |scene| {
        audit(&scene).await;
        let running = "() => document.getAnimations().filter((a) => a.playState === 'running').length";
        let running = scene.page.evaluate(running, &serde_json::Value::Null, stage::PATIENT).await.unwrap();
        assert!(running.as_u64() > Some(0), "what was held runs again");
    });
}

#[test]
fn the_page_notices_nothing() {
    on("accessible", async |scene| {
        audit(&scene).await;
        let seen = "() => ['axe' in window, document.documentElement.outerHTML.includes('axe')]";
        let seen = scene.page.evaluate(seen, &serde_json::Value::Null, stage::PATIENT).await.unwrap();
        assert_eq!(seen, serde_json::json!([false, false]));
        assert_eq!(scene.page.requests().len(), 1, "the engine asks for nothing: {:?}", scene.page.requests());
    });
}

#[test]
fn what_cannot_be_decided_needs_review() {
    on("undecided", async |scene| {
        let audited = audit(&scene).await;
        assert!(audited.found.violations.is_empty(), "{:?}", audited.found.violations);
        let undecided = of(&audited.found.incomplete, "color-contrast");
        assert_eq!(undecided.first[0].locator(), "css=#over");
        assert!(undecided.first[0].why.contains("gradient"), "{undecided:?}");
    });
}

/// A study of one page whose only scenario audits it softly; its record.
fn run(sandbox: &Sandbox, page: &str, more: &[&str]) -> (i32, CaseRecord, String) {
    let text = std::fs::read_to_string(common::repository().join(format!("fixtures/pages/{page}.html"))).unwrap();
    sandbox.write("study/a/b/1/index.html", &text);
    sandbox.write("study/loupe.toml", "name = \"s\"\nprotocol = \"frontend-cohort\"\nartifacts = \"{arm}/{brief}/{sample}\"\n[arms.a]\nlabel = \"A\"\n");
    sandbox.write("study/briefs/b/brief.md", "Make it.");
    sandbox.write("study/briefs/b/facts.json", "{}");
    sandbox.write(
        "study/briefs/b/brief.toml",
        "id = \"b\"\nversion = \"1\"\ntitle = \"B\"\nfacts = \"facts.json\"\nflow = \"flow.rhai\"\n",
    );
    let flow = "scenario(\"accessible\", || { page.open(); expect.accessible(\"initial\", #{ soft: true }); note(\"went on\"); });";
    sandbox.write("study/scripts/flow.rhai", flow);
    let mut command = sandbox.command(&[&["run", "study", "--viewport", "mobile", "-k", "accessible"], more].concat());
    if !more.contains(&"--retries") {
        command.env("XDG_DATA_HOME", common::axe().ancestors().nth(5).unwrap());
    }
    let told = sandbox.finish(command);
    let run = loupe::record::Reader::open(&loupe::run::newest(&sandbox.path().join("study/runs")).unwrap()).unwrap();
    let record = run.cases().unwrap().next().unwrap().unwrap();
    (told.code, record, format!("{}{}", told.stdout, told.stderr))
}

fn audits(record: &CaseRecord) -> Vec<&Audit> {
    let audits = record.observations.iter().filter_map(|o| match &o.what {
        What::Accessibility(audit) => Some(audit.as_ref()),
        _ => None,
    });
    audits.collect()
}

#[test]
fn violations_fail_with_the_evidence_and_the_scope_is_on_the_record() {
    let sandbox = Sandbox::new();
    let (code, record, told) = run(&sandbox, "violations", &[]);
    assert_eq!((code, record.outcome), (1, Outcome::Failed), "{told}");
    assert_eq!(record.soft[0].title, "expect.accessible: initial violates button-name, image-alt");
    assert!(record.soft[0].received.as_ref().unwrap().contains("css=#bare"), "{:?}", record.soft[0]);
    let audits = audits(&record);
    let [audit] = audits.as_slice() else { panic!("{audits:?}") };
    assert_eq!((audit.state.as_str(), audit.violating()), ("initial", 2));
    let scope = &audit.scope;
    assert_eq!((scope.viewport, scope.mobile, scope.tags.len()), ([390, 844], true, 6));
    assert_eq!(scope.digest, AXE.digest, "the digest is that of the file");
    assert!(common::axe().display().to_string().contains(&scope.version), "{}", scope.version);
    assert!(!scope.unreached.is_empty(), "the frame of a blocked host was not reached: {scope:?}");
    let went_on = |w: &What| matches!(w, What::Note { text, .. } if text == "went on");
    assert!(record.observations.iter().any(|o| went_on(&o.what)), "a soft expectation goes on");
}

#[test]
fn what_needs_review_passes_no_judgement() {
    let (code, record, told) = run(&Sandbox::new(), "undecided", &[]);
    assert_eq!((code, record.outcome), (0, Outcome::Passed), "{told}");
    assert_eq!((audits(&record)[0].violating(), audits(&record)[0].reviewable()), (0, 1));
}

#[test]
fn without_the_engine_it_is_an_error_of_ours_with_the_fix() {
    let (code, record, told) = run(&Sandbox::new(), "violations", &["--retries", "0"]);
    assert_eq!((code, record.outcome), (3, Outcome::Error), "{told}");
    let diagnostic = record.diagnostic.as_ref().unwrap();
    assert!(diagnostic.title.contains("axe-core is missing"), "{diagnostic:?}");
    assert!(diagnostic.hints.iter().any(|hint| hint.contains("loupe setup")), "{diagnostic:?}");
    assert!(audits(&record).is_empty(), "nothing was looked at");
}

#[test]
fn our_own_report_is_accessible() {
    let sandbox = Sandbox::new();
    let run = common::repository().join("fixtures/runs/small");
    sandbox.loupe(&["report", run.to_str().unwrap(), "--reporter", "html=told.html"]);
    for (look, viewport) in [("desktop", "1440x1000"), ("mobile", "390x844")] {
        let mut command = sandbox.command(&["repl", "told.html", "--viewport", look]);
        command.env("XDG_DATA_HOME", common::axe().ancestors().nth(5).unwrap());
        let typed = sandbox.write("typed", "page.evaluate(\"() => { for (const d of document.querySelectorAll('details')) d.open = true }\")\nexpect.accessible(\"open\")\n");
        let told = sandbox.finish({
            command.stdin(std::fs::File::open(typed).unwrap());
            command
        });
        assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
        assert!(told.stdout.contains(&format!("open at {viewport}: 0 violations")), "{}", told.stdout);
    }
}
