//! How fast a case is, beside a Playwright script that does the same steps on the same binary. See README.md here.
//!
//! Whole runs are measured, with the record and its pictures on the disk; the start of the browser is left out on both
//! sides. Pairs alternate, and only ratios within a pair are told.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench stops at the first surprise and talks to people"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use loupe::browser::find::{self, Choice};
use loupe::record::Selection;
use loupe::run::{self, Arranged, Browsers, Orders, Prepared};
use loupe::script::Interrupt;
use loupe::serve::Server;
use loupe::study::Study;

const ROUNDS: usize = 5;
const CASES: usize = 24;

fn main() {
    let playwright = std::env::var_os("PLAYWRIGHT").map(PathBuf::from);
    let Some(playwright) = playwright.filter(|p| p.join("node_modules/playwright-core").is_dir()) else {
        println!("speed: PLAYWRIGHT must name a folder with node_modules/playwright-core; see tests/bench/README.md");
        return;
    };
    let study = tempfile::tempdir().unwrap();
    build_study(study.path());
    for which in ["shell", "full"] {
        let found = find::find(&Choice::from(which), &[]).unwrap();
        for jobs in [1, 2] {
            let mut ratios: Vec<f64> = Vec::new();
            for round in 0..ROUNDS {
                let ours = || loupe_ms(study.path(), &found, jobs, round);
                let theirs = || playwright_ms(&playwright, &found.path, jobs);
                let (ours, theirs) = if round % 2 == 0 {
                    let ours = ours();
                    (ours, theirs())
                } else {
                    let theirs = theirs();
                    (ours(), theirs)
                };
                println!(
                    "{which} {jobs} jobs: loupe {ours:.0} ms, playwright {theirs:.0} ms a case, ratio {:.2}",
                    theirs / ours
                );
                ratios.push(theirs / ours);
            }
            ratios.sort_by(f64::total_cmp);
            println!("{which} {jobs} jobs: median ratio {:.2} of {ROUNDS} pairs\n", ratios[ROUNDS / 2]);
        }
    }
}

fn loupe_ms(study: &Path, found: &find::Found, jobs: usize, round: usize) -> f64 {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let study = Study::load(study).unwrap();
    let prepared = Prepared::new(&study).unwrap();
    let server = runtime.block_on(Server::start(None)).unwrap();
    let reach = run::reach(&study, &server);
    let browsers = Browsers::start(Arranged::Local(found.clone()), reach, runtime.handle().clone()).unwrap();
    let runs = tempfile::tempdir().unwrap();
    let run_once = |id: String, keyword: &str| {
        let orders = Orders {
            runs: runs.path().to_owned(),
            id,
            started: "bench".into(),
            seed: 0,
            selection: Selection {
                contains: Some("search".into()),
                arms: vec![keyword.into()],
                ..Selection::default()
            },
            jobs,
            retries: 0,
            resume: None,
            axe: Err("no flow of this bench needs it".into()),
            injection: None,
        };
        let began = Instant::now();
        let folder = run::run(&study, &prepared, &server, &browsers, &orders, &Interrupt::new(), &mut |_| {}).unwrap();
        let each = began.elapsed().as_secs_f64() * 1000.0;
        let info = loupe::record::Reader::open(&folder).unwrap();
        for record in info.cases().unwrap() {
            let record = record.unwrap();
            assert_eq!(record.outcome, loupe::record::Outcome::Passed, "every case must pass: {:?}", record.diagnostic);
        }
        each
    };
    run_once(format!("warm-{round}"), "warm");
    run_once(format!("timed-{round}"), "timed") / CASES as f64
}

fn playwright_ms(folder: &Path, executable: &Path, jobs: usize) -> f64 {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cohort");
    let output = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/playwright.mjs"))
        .arg(executable)
        .arg(fixtures.join("artifacts/magazine/folio/1"))
        .arg(fixtures.join("briefs/magazine/facts.json"))
        .args([jobs.to_string(), CASES.to_string()])
        .current_dir(folder)
        .output()
        .unwrap();
    let told: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    told["ms"].as_f64().unwrap()
}

/// The magazine with many samples of one correct artifact, at the desktop only.
fn build_study(root: &Path) {
    let magazine = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cohort");
    let copy = |from: &str, to: &str| {
        let to = root.join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(magazine.join(from), to).unwrap();
    };
    for file in ["brief.md", "facts.json"] {
        copy(&format!("briefs/magazine/{file}"), &format!("briefs/magazine/{file}"));
    }
    let brief = std::fs::read_to_string(magazine.join("briefs/magazine/brief.toml")).unwrap();
    std::fs::write(root.join("briefs/magazine/brief.toml"), with_flow(&brief, "search.rhai")).unwrap();
    std::fs::create_dir_all(root.join("scripts")).unwrap();
    std::fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/search.rhai"),
        root.join("scripts/search.rhai"),
    )
    .unwrap();
    std::fs::write(
        root.join("loupe.toml"),
        "name = \"bench\"\nprotocol = \"frontend-cohort\"\nartifacts = \"artifacts/{arm}/{brief}/{sample}\"\n[arms.warm]\n[arms.timed]\n[[viewports]]\nname = \"desktop\"\nwidth = 1440\nheight = 1000\n",
    )
    .unwrap();
    for (arm, samples) in [("warm", 1), ("timed", CASES)] {
        for sample in 1..=samples {
            for file in std::fs::read_dir(magazine.join("artifacts/magazine/folio/1")).unwrap() {
                let name = file.unwrap().file_name().into_string().unwrap();
                copy(
                    &format!("artifacts/magazine/folio/1/{name}"),
                    &format!("artifacts/{arm}/magazine/{sample}/{name}"),
                );
            }
        }
    }
}

/// The brief's sheet with another flow.
fn with_flow(sheet: &str, flow: &str) -> String {
    let line = |line: &str| if line.starts_with("flow = ") { format!("flow = \"{flow}\"") } else { line.to_owned() };
    sheet.lines().map(line).collect::<Vec<_>>().join("\n")
}
