//! What loupe itself holds in memory over a long run. See README.md here.
//!
//! The run is a process of its own; its resident size is sampled from outside, with how many cases are on the record at
//! that moment. The browser's processes deliberately do not count.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench stops at the first surprise and talks to people"
)]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use loupe::record::Reader;

/// Cases unless `LOUPE_CASES` says otherwise: scenarios at two viewports. Two captures come on top.
const CASES: usize = 500;

const PAGE: &str = "<!doctype html><html lang=en><title>Tiny</title><h1>Tiny</h1>
<button onclick=\"document.querySelector('output').textContent = 'Done'\">Do</button><output></output>";

/// Every fifth scenario leaves a picture and a capture, as flows do.
fn flow(scenarios: usize) -> String {
    let mut flow = String::from("setup(|| page.open());\n");
    for i in 0..scenarios {
        let kept = if i % 5 == 0 { "capture.shot(\"shot\"); capture.take(\"done\");" } else { "" };
        let body = format!("page.click(\"css=button\"); expect.text(\"css=output\", \"Done\"); {kept}");
        writeln!(flow, "scenario(\"the button does it, {i}\", || {{ {body} }});").unwrap();
    }
    flow
}

fn main() {
    let scenarios = std::env::var("LOUPE_CASES").map_or(CASES, |n| n.parse().expect("LOUPE_CASES is a number")) / 2;
    let study = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = study.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "loupe.toml",
        "name = \"memory\"\nprotocol = \"frontend-cohort\"\nartifacts = \"artifacts/{arm}/{brief}/{sample}\"\n[arms.a]\n\
         [[viewports]]\nname = \"desktop\"\nwidth = 1440\nheight = 1000\n\
         [[viewports]]\nname = \"mobile\"\nwidth = 390\nheight = 844\nmobile = true\n",
    );
    write("artifacts/a/tiny/1/index.html", PAGE);
    write("briefs/tiny/brief.md", "A button that does it.");
    write("briefs/tiny/facts.json", "{}");
    write(
        "briefs/tiny/brief.toml",
        "id = \"tiny\"\nversion = \"1\"\ntitle = \"Tiny\"\nfacts = \"facts.json\"\nflow = \"tiny.rhai\"\n",
    );
    write("scripts/tiny.rhai", &flow(scenarios));

    let samples = sampled(study.path(), scenarios * 2 + 2);
    let last = samples.last().unwrap().0;
    let peak = samples.iter().map(|(_, kib)| *kib).max().unwrap();
    println!("{last} cases; peak {:.1} MiB (bar 200)", mib(peak));
    // The median of what was resident while this tenth of the cases ran.
    let tenth = |number: usize| {
        let of_it = |n: usize| (n * 10).div_ceil(last) == number;
        let mut seen: Vec<u64> = samples.iter().filter(|(n, _)| of_it(*n)).map(|(_, kib)| *kib).collect();
        seen.sort_unstable();
        seen[seen.len() / 2]
    };
    for number in 1..=10 {
        println!("  to {:3} % of the cases {:6.1} MiB", number * 10, mib(tenth(number)));
    }
    for (viewport, from, to) in [("first", 2, 5), ("second", 7, 10)] {
        let growth = (tenth(to) as f64 - tenth(from) as f64) / (last as f64 / 10.0 * (to - from) as f64);
        println!("at the {viewport} viewport: {growth:.2} KiB a case");
    }
}

/// How many cases were on the record and how many KiB were resident, over one run.
fn sampled(study: &Path, planned: usize) -> Vec<(usize, u64)> {
    let runs = study.join("runs");
    let mut loupe = Command::new(env!("CARGO_BIN_EXE_loupe"))
        .args(["-q", "run", "-j", "2"])
        .arg(study)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut samples = Vec::new();
    let ended = loop {
        if let Some(ended) = loupe.try_wait().unwrap() {
            break ended;
        }
        let partial = fs::read_dir(&runs).ok().and_then(|mut entries| entries.next()?.ok());
        let lines = partial.and_then(|run| fs::read(run.path().join("cases.jsonl")).ok());
        let cases = lines.map_or(0, |lines| lines.iter().filter(|byte| **byte == b'\n').count());
        let status = fs::read_to_string(format!("/proc/{}/status", loupe.id())).unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        if let (true, Some(kib)) = (cases > 0, resident) {
            samples.push((cases, kib.parse().unwrap()));
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(ended.success(), "every case must pass: {ended}");
    let run = Reader::open(&loupe::run::newest(&runs).unwrap()).unwrap();
    assert_eq!(run.len() as usize, planned);
    samples
}

fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}
