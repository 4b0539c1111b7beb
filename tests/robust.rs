//! What happens to a run when things die: the browser, loupe itself, pages that hang.
//!
//! Each test builds a small study of its own and runs the program on it. Waiting is always for a condition; the bounds
//! are generous, because they only say when to give up.

#![expect(clippy::unwrap_used, reason = "a study that cannot be built is the end of its tests")]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::processes::{browser_of, is_alive, signal, wait_for};
use loupe::record::{Outcome, Reader};

const GOOD: &str = "<!doctype html><title>t</title><meta name=viewport content='width=device-width'><button data-testid=go onclick=\"out.textContent='done'\">Go</button><p id=out></p>";

#[test]
fn a_killed_browser_costs_no_case() {
    let study = study(&[("good", 60, GOOD)], "");
    let mut loupe = start(&study);
    wait_for(|| finished_lines(&study) >= 3);
    signal("KILL", browser_of(loupe.id()).unwrap());
    let status = loupe.wait().unwrap();
    assert_eq!(status.code(), Some(0), "everything passes in the end");
    let verdicts = verdicts(&newest(&study));
    assert_eq!(verdicts.len(), 60);
    assert!(verdicts.values().all(|(outcome, _)| *outcome == Outcome::Passed));
    let retried = verdicts.values().filter(|(_, attempts)| *attempts > 0).count();
    assert!(retried >= 1, "the case that the browser died under is on the record as retried");
}

#[test]
fn a_killed_loupe_leaves_no_browser_and_can_be_resumed() {
    let study = study(&[("good", 60, GOOD)], "");
    let mut loupe = start(&study);
    wait_for(|| finished_lines(&study) >= 3);
    let browser = browser_of(loupe.id()).unwrap();
    signal("KILL", loupe.id());
    loupe.wait().unwrap();
    wait_for(|| !is_alive(browser));
    let partial = only_run(&study);
    assert!(partial.to_string_lossy().ends_with(".partial") && !partial.join("run.json").exists());

    let before = finished_lines(&study);
    assert!((3..60).contains(&before), "killed in the middle, after {before}");
    let resumed = loupe_run(&study).arg("--resume").arg(&partial).output().unwrap();
    assert_eq!(resumed.status.code(), Some(0), "{}", String::from_utf8_lossy(&resumed.stderr));
    let resumed = verdicts(&newest(&study));

    let undisturbed = self::study(&[("good", 60, GOOD)], "");
    assert_eq!(loupe_run(&undisturbed).output().unwrap().status.code(), Some(0));
    let undisturbed = verdicts(&newest(&undisturbed));
    assert_eq!(resumed.keys().collect::<Vec<_>>(), undisturbed.keys().collect::<Vec<_>>());
    assert!(resumed.iter().all(|(key, (outcome, _))| undisturbed[key].0 == *outcome));
}

#[test]
fn pages_that_hang_do_not_stop_the_others() {
    let forever = "<!doctype html><title>t</title><button data-testid=go>Go</button><p id=out></p><script>setTimeout(() => { for (;;); }, 0)</script>";
    let alerts = "<!doctype html><title>t</title><script>for (;;) alert('again')</script>";
    let study = study(
        &[("good", 80, GOOD), ("forever", 10, forever), ("alerts", 10, alerts)],
        "[timeouts]\nscenario = 20\naction = 1\nexpect = 1\n",
    );
    let output = loupe_run(&study).args(["-j", "4"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let reader = Reader::open(&newest(&study)).unwrap();
    for record in reader.cases().unwrap().map(Result::unwrap) {
        let good = record.case.arm == "good";
        let wanted = if good { Outcome::Passed } else { Outcome::Failed };
        assert_eq!(record.outcome, wanted, "{}: {:?}", record.case, record.diagnostic);
        if !good {
            let said = record.diagnostic.unwrap().title;
            assert!(said.contains("hung"), "{said}");
        }
    }
}

#[test]
fn shards_merged_equal_the_whole() {
    let study = study(&[("good", 7, GOOD)], "");
    let runs = |name: &str| study.join(name);
    let run = |out: &str, more: &[&str]| {
        let output = loupe_run(&study).arg("-o").arg(runs(out)).args(more).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 4)), "{}", String::from_utf8_lossy(&output.stderr));
        loupe::run::newest(&runs(out))
    };
    let whole = run("whole", &[]).unwrap();
    let shards: Vec<PathBuf> =
        ["1/2", "2/2"].iter().filter_map(|k| run(&k.replace('/', "of"), &["--shard", k])).collect();
    let merged = study.join("merged/all");
    let output =
        Command::new(env!("CARGO_BIN_EXE_loupe")).arg("merge").args(&shards).arg("-o").arg(&merged).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(verdicts(&merged), verdicts(&whole));
}

/// A study with one brief, a short flow, and so many samples of each arm, all of one page.
fn study(arms: &[(&str, usize, &str)], more: &str) -> Study {
    let root = tempfile::Builder::new().prefix("loupe-robust-").tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = root.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let declared: String = arms.iter().map(|(arm, ..)| format!("[arms.{arm}]\n")).collect();
    write(
        "loupe.toml",
        &format!(
            "name = \"robust\"\nprotocol = \"frontend-cohort\"\nartifacts = \"artifacts/{{arm}}/{{brief}}/{{sample}}\"\n{declared}[[viewports]]\nname = \"wide\"\nwidth = 800\nheight = 600\n{more}"
        ),
    );
    write("briefs/b/brief.toml", "id = \"b\"\nversion = \"1\"\ntitle = \"B\"\nflow = \"b.rhai\"\n[hooks.go]\n");
    write("briefs/b/brief.md", "A button.\n");
    write(
        "scripts/b.rhai",
        "scenario(\"the button answers\", || { page.open(); page.click(\"hook=go\"); expect.text(\"css=#out\", \"done\"); });\n",
    );
    for (arm, samples, page) in arms {
        for sample in 1..=*samples {
            write(&format!("artifacts/{arm}/b/{sample}/index.html"), page);
        }
    }
    Study(root)
}

/// A study that goes with its test.
struct Study(tempfile::TempDir);

impl std::ops::Deref for Study {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// The scenarios only: captures of the same pages would take longer and show nothing more.
fn loupe_run(study: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
    command.arg("run").arg(study).args(["-k", "button"]);
    command
}

fn start(study: &Path) -> Child {
    loupe_run(study).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn only_run(study: &Path) -> PathBuf {
    std::fs::read_dir(study.join("runs")).unwrap().next().unwrap().unwrap().path()
}

fn newest(study: &Path) -> PathBuf {
    loupe::run::newest(&study.join("runs")).expect("a complete run")
}

fn finished_lines(study: &Path) -> usize {
    let runs = std::fs::read_dir(study.join("runs")).into_iter().flatten().flatten();
    runs.map(|run| std::fs::read_to_string(run.path().join("cases.jsonl")).map_or(0, |t| t.lines().count())).sum()
}

/// Outcomes and numbers of retries by case.
fn verdicts(run: &Path) -> BTreeMap<String, (Outcome, usize)> {
    let reader = Reader::open(run).unwrap();
    reader.cases().unwrap().map(Result::unwrap).map(|r| (r.case.to_string(), (r.outcome, r.attempts.len()))).collect()
}
