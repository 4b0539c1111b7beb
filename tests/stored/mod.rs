//! The model of the stored run in `fixtures/runs/small`: every kind of outcome, of evidence, and of file, once.
//!
//! `LOUPE_UPDATE=1` writes the fixture anew from this model. It deliberately does not come from a real run: a browser's
//! next version must not change it.

#![allow(dead_code, reason = "every test binary has its own copy of this module and uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use loupe::diag::{Diagnostic, Place};
use loupe::record::{
    Attempt, Audit, AuditElement, AuditRule, BriefUsed, Browser, Case, CaseRecord, Declared, FlowUsed, HookState,
    Inputs, Loaded, LoadedKind, Observation, Outcome, Scope, Selection, Settings, Step, Stored, Unreached, What,
    Writer,
};
use serde_json::json;

pub const SEED: u64 = 7;

/// The folder of stored runs.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/runs")
}

/// Whether expectations are to be written anew instead of compared.
pub fn updating() -> bool {
    std::env::var_os("LOUPE_UPDATE").is_some()
}

pub fn inputs(planned: u64) -> Inputs {
    Inputs {
        settings: Settings {
            tool: "loupe 0.1.0".to_owned(),
            study: "magazine".to_owned(),
            started: "2026-11-30T09:30:00Z".to_owned(),
            seed: SEED,
            browser: Browser { name: "chromium-headless-shell".to_owned(), version: "156.0.8000.1".to_owned() },
            viewports: BTreeMap::from([
                ("wide".to_owned(), "1440x1000".to_owned()),
                ("narrow".to_owned(), "390x844 mobile @2".to_owned()),
            ]),
            network: "block".to_owned(),
            protocol: "frontend-cohort".to_owned(),
            timeouts: "scenario 30 s, action 10 s, expectation 5 s".to_owned(),
            selection: Selection::default(),
        },
        planned,
        assets: BTreeMap::from([(
            "magazine / folio / 1".to_owned(),
            vec![declared("pictures/pier.webp"), declared("fonts/tern.woff2")],
        )]),
        digests: BTreeMap::from([
            ("briefs/magazine/brief.md".to_owned(), "1f".repeat(32)),
            ("scripts/magazine/flow.rhai".to_owned(), "2e".repeat(32)),
            ("shipped:cohort/list.rhai".to_owned(), "3d".repeat(32)),
        ]),
        evaluators: BTreeMap::from([
            ("scripts/magazine/flow.rhai".to_owned(), Some(4)),
            ("shipped:cohort/list.rhai".to_owned(), None),
        ]),
        briefs: BTreeMap::from([("magazine".to_owned(), brief())]),
        remote: BTreeSet::new(),
    }
}

fn declared(file: &str) -> Declared {
    Declared { file: file.to_owned(), source: "https://example.org/pool".to_owned(), licence: "CC0-1.0".to_owned() }
}

fn brief() -> BriefUsed {
    let scripts = ["scripts/magazine/flow.rhai", "shipped:cohort/list.rhai"].map(str::to_owned).to_vec();
    let titles = ["search keeps only the match", "Escape closes the article", "nothing sticks out"];
    let scenarios = titles.map(str::to_owned).into_iter().chain(["saved articles only".to_owned()]).collect();
    BriefUsed { version: "3".to_owned(), condition: None, flows: vec![FlowUsed { scripts, scenarios }] }
}

pub fn copies() -> BTreeMap<String, Vec<u8>> {
    BTreeMap::from([("briefs/magazine/brief.md".to_owned(), b"An editorial magazine.\n".to_vec())])
}

pub fn case(order: u64, arm: &str, viewport: &str, scenario: Option<&str>) -> Case {
    Case::new(SEED, order, [arm, "magazine", "1"], viewport, scenario)
}

/// `count` plain passes.
pub fn passes(count: u64) -> Vec<CaseRecord> {
    let case = |n: u64| case(n, "folio", "wide", Some(&format!("scenario {n}")));
    (0..count).map(|n| CaseRecord::new(case(n), Outcome::Passed)).collect()
}

/// The cases of the stored run, in the order of its plan.
pub fn cases() -> Vec<CaseRecord> {
    vec![
        passed_with_steps(),
        CaseRecord::new(case(1, "folio", "narrow", Some("search keeps only the match")), Outcome::Passed),
        flaky(),
        capture_taken(),
        failed(),
        failed_softly(),
        contract(),
        skipped(),
        error(),
        capture_not_taken(),
    ]
}

fn passed_with_steps() -> CaseRecord {
    let mut record = CaseRecord::new(case(0, "folio", "wide", Some("search keeps only the match")), Outcome::Passed);
    record.steps.push(Step { name: "type the title".into(), depth: 0, ok: true, at_ms: 12, took_ms: 30 });
    record.observations = vec![
        seen(2, What::Word { name: "page.open".into(), args: vec![], took_ms: 9, refused: None }),
        seen(
            12,
            What::Word {
                name: "page.fill".into(),
                args: vec![json!("hook=search"), json!("Salt & Light")],
                took_ms: 30,
                refused: None,
            },
        ),
        seen(50, What::Note { text: "items".into(), data: json!({ "count": 1 }) }),
        seen(51, What::Navigation { url: "http://folio.localhost/#search".into() }),
        seen(52, What::Dialog { dialog: "confirm".into(), message: "Leave?".into(), answer: "accept".into() }),
        seen(53, What::Popup { url: "about:blank".into() }),
        seen(54, What::Download { url: "http://folio.localhost/a.pdf".into(), name: "a.pdf".into() }),
    ];
    record.observations.push(seen(90, What::Accessibility(Box::new(audit("initial", [1440, 1000])))));
    record.loaded = vec![
        local("index.html", LoadedKind::Document, 2_048),
        local("pictures/pier.webp", LoadedKind::Picture, 90_112),
        local("pictures/<gull>.png", LoadedKind::Picture, 512),
    ];
    (record.started_ms, record.duration_ms) = (40, 380);
    record
}

fn audit(state: &str, viewport: [u32; 2]) -> Audit {
    let first = vec![element("css=p.over", "<p class=\"over\">", "a background gradient hides the contrast")];
    Audit {
        state: state.to_owned(),
        violations: vec![],
        needs_review: vec![AuditRule { first, ..rule("color-contrast", "serious", "Text must stand out") }],
        scope: Scope {
            viewport,
            mobile: viewport[0] < 500,
            rules: 91,
            tags: vec!["wcag2a".into(), "best-practice".into()],
            frames: vec!["/".into()],
            unreached: vec![],
            version: "4.14.1".into(),
            digest: "3d".repeat(32),
        },
    }
}

fn rule(id: &str, impact: &str, help: &str) -> AuditRule {
    AuditRule { id: id.into(), impact: Some(impact.into()), help: help.into(), count: 1, first: vec![] }
}

fn element(locator: &str, html: &str, why: &str) -> AuditElement {
    AuditElement { locator: locator.into(), html: html.into(), why: why.into() }
}

fn local(file: &str, kind: LoadedKind, bytes: u64) -> Loaded {
    Loaded::Artifact { file: file.into(), kind, bytes, digest: Some("4c".repeat(32)) }
}

fn flaky() -> CaseRecord {
    let mut record = CaseRecord::new(case(2, "folio", "wide", Some("Escape closes the article")), Outcome::Passed);
    record.flaky = true;
    record.attempts.push(Attempt {
        outcome: Outcome::Error,
        diagnostic: Some(Diagnostic::new("the browser died while `page.click` waited")),
    });
    record.duration_ms = 1210;
    record
}

fn capture_taken() -> CaseRecord {
    let mut record = CaseRecord::new(case(3, "folio", "wide", None), Outcome::Passed);
    record.pictures.push(Stored { name: "viewport".into(), path: picture(&record) });
    record
        .captures
        .push(Stored { name: "start".into(), path: format!("captures/{}/start.capture.zst", record.case.key) });
    record.duration_ms = 640;
    record
}

fn failed() -> CaseRecord {
    let mut record = CaseRecord::new(case(4, "gloss", "wide", Some("search keeps only the match")), Outcome::Failed);
    let place = Place {
        file: "scripts/magazine/flow.rhai".into(),
        line: 14,
        column: Some(5),
        text: Some("    expect.items(\"hook=article\", [one.id]);".into()),
    };
    let mut diagnostic = Diagnostic::new("`hook=article` shows other items than expected")
        .at(place.clone())
        .label("waited 5 s")
        .expected("[\"salt\"]")
        .received("[\"salt\", \"tide <b>&amp;</b>\"]")
        .hint("the list still shows what the search should hide");
    diagnostic.log = vec!["found 12 elements".into(), "found 2 elements".into()];
    diagnostic.trace = vec![("only".into(), Some(Place { column: None, text: None, line: 30, ..place.clone() }))];
    record.diagnostic = Some(diagnostic);
    record.pictures.push(Stored { name: "failure".into(), path: picture(&record) });
    record.observations = vec![
        seen(
            60,
            What::Console {
                level: "error".into(),
                text: "cannot read `id` of null".into(),
                source: Some("http://gloss.localhost/app.js:7:3".into()),
            },
        ),
        seen(61, What::Console { level: "log".into(), text: "hello".into(), source: None }),
        seen(
            62,
            What::UncaughtError {
                text: "TypeError: x is null".into(),
                source: Some("http://gloss.localhost/app.js:9:1".into()),
            },
        ),
        seen(63, What::UnhandledRejection { text: "offline".into(), source: None }),
        seen(
            64,
            What::FailedRequest {
                url: "http://gloss.localhost/cover.webp".into(),
                resource: "image".into(),
                reason: "404".into(),
            },
        ),
        seen(
            65,
            What::RemoteAttempt {
                url: "https://cdn.example.invalid/font.woff2".into(),
                resource: "font".into(),
                blocked: true,
            },
        ),
        Observation {
            at_ms: 5070,
            place: Some(place),
            what: What::Word {
                name: "expect.items".into(),
                args: vec![json!("hook=article"), json!(["salt"])],
                took_ms: 5003,
                refused: Some("shows other items than expected".into()),
            },
        },
        seen(5071, What::Omitted { count: 40 }),
    ];
    record.duration_ms = 5400;
    record
}

fn failed_softly() -> CaseRecord {
    let mut record = CaseRecord::new(case(5, "gloss", "narrow", Some("nothing sticks out")), Outcome::Failed);
    record
        .soft
        .push(Diagnostic::new("the page scrolls sideways").expected("0 px").received("48 px, by <nav class=\"top\">"));
    let mut audit = audit("detail", [390, 844]);
    let first = vec![element("css=#menu > button", "<button><svg/></button>", "Element has no text")];
    audit.violations.push(AuditRule { count: 2, first, ..rule("button-name", "critical", "Buttons must have a name") });
    let lost =
        Unreached { frame: "https://ads.example.invalid/".into(), why: "its document could not be loaded".into() };
    audit.scope.unreached.push(lost);
    record.observations.push(seen(80, What::Accessibility(Box::new(audit))));
    record.loaded = vec![Loaded::Remote {
        url: "https://cdn.example.invalid/font.woff2".into(),
        kind: LoadedKind::Font,
        bytes: 0,
        blocked: true,
    }];
    record.soft.push(Diagnostic::new("<script>alert(\"title\")</script> sticks out"));
    record.duration_ms = 700;
    record
}

fn contract() -> CaseRecord {
    let mut record = CaseRecord::new(case(6, "gloss", "wide", Some("saved articles only")), Outcome::Contract);
    record.fallback = Some(Outcome::Passed);
    record.diagnostic = Some(
        Diagnostic::new("the hook `saved-filter` is missing").expected("one element with data-testid=\"saved-filter\""),
    );
    record.observations = vec![seen(
        20,
        What::Contract {
            hook: "saved-filter".into(),
            state: HookState::Missing,
            fallback: Some("role=button[name=\"Saved\"]".into()),
        },
    )];
    record
}

fn skipped() -> CaseRecord {
    let mut record = CaseRecord::new(case(7, "gloss", "wide", Some("Escape closes the article")), Outcome::Skipped);
    record.diagnostic = Some(Diagnostic::new("articles open as pages here"));
    record
}

fn error() -> CaseRecord {
    let mut record = CaseRecord::new(case(8, "gloss", "narrow", Some("Escape closes the article")), Outcome::Error);
    let died = Diagnostic::new("the browser could not be started").hint("run `loupe doctor`");
    record.attempts.push(Attempt { outcome: Outcome::Error, diagnostic: Some(died.clone()) });
    record.diagnostic = Some(died);
    record
}

fn capture_not_taken() -> CaseRecord {
    let mut record = CaseRecord::new(case(9, "gloss", "wide", None), Outcome::Error);
    record.diagnostic = Some(Diagnostic::new("the renderer crashed"));
    record.observations = vec![seen(9, What::Crash { reason: "out of memory".into() })];
    record
}

fn seen(at_ms: u64, what: What) -> Observation {
    Observation { at_ms, place: None, what }
}

fn picture(record: &CaseRecord) -> String {
    let name = if record.outcome == Outcome::Passed { "viewport" } else { "failure" };
    format!("pictures/{}/{name}.png", record.case.key)
}

/// Writes `records` as a run and finishes it.
pub fn write_run(runs: &Path, id: &str, inputs: Inputs, records: &[CaseRecord]) -> PathBuf {
    let mut writer = Writer::create(runs, id, inputs, &copies()).unwrap();
    for record in records {
        for stored in &record.pictures {
            let kept = writer.shelf().picture(&record.case.key, &stored.name, &png()).unwrap();
            assert_eq!(kept, *stored);
        }
        for stored in &record.captures {
            let kept = writer.shelf().capture(&record.case.key, &stored.name, "capture.zst", b"frozen").unwrap();
            assert_eq!(kept, *stored);
        }
        writer.append(record).unwrap();
    }
    writer.finish().unwrap()
}

/// A small picture: a page with a bar, a headline, and two columns.
fn png() -> Vec<u8> {
    let page = image::RgbImage::from_fn(96, 64, |x, y| match (x, y) {
        (_, 0..8) => image::Rgb([38, 52, 66]),
        (8..70, 16..22) => image::Rgb([60, 60, 60]),
        (8..44, 28..58) | (52..88, 28..58) => image::Rgb([214, 206, 190]),
        _ => image::Rgb([250, 248, 243]),
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    page.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}
