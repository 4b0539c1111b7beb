//! A small valid study, for tests that break it in one way or run it: two arms, two briefs, two viewports.
//!
//! Brief `b` has a flow of two scenarios; brief `c` is only captured. Arm `one` is correct; in arm `two` the button
//! does nothing.

use std::path::{Path, PathBuf};

use super::{Sandbox, Told};

const SETTINGS: &str = r#"name = "small"
protocol = "frontend-cohort"
artifacts = "artifacts/{arm}/{brief}/{sample}"

[arms.one]
[arms.two]

[[viewports]]
name = "wide"
width = 800
height = 600

[[viewports]]
name = "tall"
width = 400
height = 800

[timeouts]
scenario = 20
action = 1
expect = 1
"#;

const BRIEF: &str = r#"id = "b"
version = "1"
title = "A button"
facts = "facts.json"
flow = "flow.rhai"

[hooks.go]
testid = "go"
"#;

const FLOW: &str = r#"setup(|| { page.open(); });

scenario("the button says what it did", || {
    page.click("hook=go");
    expect.text("css=#out", facts.answers[0].text);
});

scenario("the page has a title", || {
    expect.title("t");
});
"#;

/// A page whose button does its work, or does nothing.
pub fn page(works: bool) -> String {
    let does = if works { "out.textContent = 'done'" } else { "" };
    format!(
        "<!doctype html><title>t</title><meta name=viewport content='width=device-width'>\
         <button data-testid=go onclick=\"{does}\">Go</button><p id=out></p>"
    )
}

/// A sandbox with the study in its folder `study`.
pub fn study() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("study/loupe.toml", SETTINGS);
    sandbox.write("study/briefs/b/brief.toml", BRIEF);
    sandbox.write("study/briefs/b/brief.md", "A button that says what it did.\n");
    sandbox.write("study/briefs/b/facts.json", "{ \"answers\": [ { \"id\": \"done\", \"text\": \"done\" } ] }\n");
    sandbox.write("study/scripts/flow.rhai", FLOW);
    sandbox.write("study/briefs/c/brief.toml", "id = \"c\"\nversion = \"1\"\ntitle = \"Only looked at\"\n");
    sandbox.write("study/briefs/c/brief.md", "Anything.\n");
    sandbox.write("study/artifacts/one/b/1/index.html", &page(true));
    sandbox.write("study/artifacts/two/b/1/index.html", &page(false));
    sandbox.write("study/artifacts/one/c/1/index.html", &page(true));
    sandbox
}

impl Sandbox {
    /// Replaces `from`, which must be there, in a file below the folder.
    pub fn replace(&self, file: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.path().join(file)).unwrap();
        assert!(text.contains(from), "{file} has no {from}");
        self.write(file, &text.replacen(from, to, 1));
    }

    /// The runs of the study, finished or not, sorted.
    pub fn runs(&self) -> Vec<PathBuf> {
        let runs = std::fs::read_dir(self.path().join("study/runs")).into_iter().flatten().flatten();
        let mut runs: Vec<_> = runs.map(|entry| entry.path()).collect();
        runs.sort();
        runs
    }

    /// The runs of the study that look complete.
    pub fn complete(&self) -> usize {
        self.runs().iter().filter(|run| looks_complete(run)).count()
    }
}

/// Whether a run's folder looks complete, by its name or by what is in it.
pub fn looks_complete(run: &Path) -> bool {
    run.join("run.json").exists() || run.extension().is_none_or(|extension| extension != "partial")
}

impl Told {
    /// Asserts how it ended, that stderr says each of `parts`, and that nothing panicked.
    #[track_caller]
    pub fn ended(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in:\n{}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked") && !self.stderr.contains("RUST_BACKTRACE"), "{}", self.stderr);
    }
}
