//! The README as a test: its commands run and end well, and its tables say what the program says.
//!
//! It deliberately does not install anything: of the commands that do, only the spelling is checked.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod common;

use std::fs;
use std::path::Path;

use common::{Sandbox, repository};

/// Commands that the tests cannot run: they install, or they are the tests.
const NOT_RUN: &[&str] = &["cargo run --release -- setup", "cargo test --release"];

/// A command of the README and the lines it is said to print.
struct Example {
    line: usize,
    command: String,
    output: Vec<String>,
}

fn readme() -> String {
    fs::read_to_string(repository().join("README.md")).unwrap()
}

#[test]
fn every_command_runs() {
    let sandbox = Sandbox::new();
    copy(&repository().join("fixtures"), &sandbox.path().join("fixtures"));
    let examples = examples(&readme());
    assert!(!examples.is_empty());
    for example in examples {
        for command in example.command.split(" && ").filter(|command| !NOT_RUN.contains(command)) {
            let arguments = ["cargo run --release -- ", "loupe "].iter().find_map(|start| command.strip_prefix(start));
            let arguments = arguments.unwrap_or_else(|| panic!("README.md:{}: not of this project", example.line));
            let told = sandbox.loupe(&arguments.split_whitespace().collect::<Vec<_>>());
            assert_eq!(told.code, 0, "README.md:{}: `{command}`\n{}{}", example.line, told.stdout, told.stderr);
            let seen = told.stdout + &told.stderr;
            assert!(matches(&example.output, &seen), "README.md:{}: `{command}` printed\n{seen}", example.line);
        }
    }
}

#[test]
fn the_exit_codes_are_those_of_the_help() {
    let help = Sandbox::new().loupe(&["--help"]).stdout;
    let codes = help.split("Exit codes:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let readme = readme();
    for line in codes.lines() {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        assert!(readme.contains(&format!("| {code} | {meaning} |")), "README.md lacks exit code {code}");
    }
}

#[test]
fn continuous_integration_runs_the_command_of_the_readme() {
    let command = "cargo run --release -- setup && cargo test --release";
    assert!(examples(&readme()).iter().any(|example| example.command == command));
    assert!(fs::read_to_string(repository().join(".ci/run")).unwrap().contains(&format!("\n{command} || exit\n")));
}

#[test]
fn outputs_are_compared_line_by_line() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&shown("a\n…\nd …"), "a\nb\nc\nd 5\n"));
    assert!(!matches(&shown("a\nc"), "a\nb\nc\n"));
    assert!(!matches(&shown("a\n…\nz"), "a\nb\n"));
    assert!(matches(&[], "anything"));
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (i, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            examples.push(Example { line: i + 1, command: command.to_owned(), output: Vec::new() });
        } else if inside {
            examples.last_mut().expect("a console block begins with a command").output.push(line.to_owned());
        }
    }
    examples
}

/// Whether `seen` is what `shown` says: `…` alone stands for any lines, at the end of a line for any rest. A command
/// that is shown without any output may print what it likes.
fn matches(shown: &[String], seen: &str) -> bool {
    let fits = |shown: &str, seen: &str| match shown.strip_suffix('…') {
        Some(start) => seen.starts_with(start),
        None => shown == seen.trim_end(),
    };
    fn walk(shown: &[String], seen: &[&str], fits: &dyn Fn(&str, &str) -> bool) -> bool {
        match (shown, seen) {
            ([], seen) => seen.is_empty(),
            ([gap, rest @ ..], seen) if gap == "…" => {
                (0..=seen.len()).any(|skipped| walk(rest, &seen[skipped..], fits))
            }
            ([first, rest @ ..], [line, lines @ ..]) => fits(first, line) && walk(rest, lines, fits),
            (_, []) => false,
        }
    }
    shown.is_empty() || walk(shown, &seen.lines().collect::<Vec<_>>(), &fits)
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        // Links are left out: those in fixtures lead nowhere on purpose.
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else if entry.file_type().is_file() {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
