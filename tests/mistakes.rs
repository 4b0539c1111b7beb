//! Wrong input to the whole command: a valid small study, broken in one way, and what the program then says.
//!
//! Every case asserts the exit code, that stderr names the thing and its place, that nothing panicked, and that no run
//! is left that looks complete. Most are found before a browser starts. What readers of single files say in detail is
//! deliberately tested beside them.

#![expect(clippy::unwrap_used, reason = "a study that cannot be built is the end of its tests")]

mod common;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use common::Sandbox;
use common::small::{looks_complete, study};

const BOTH: &[&str] = &["run", "study"];

/// Breaks the study, runs it, and asserts that it is refused as the author's mistake that says `parts`.
#[track_caller]
fn refused(breaking: impl FnOnce(&Sandbox), parts: &[&str]) {
    let sandbox = study();
    breaking(&sandbox);
    sandbox.loupe(BOTH).ended(2, parts);
    assert_eq!(sandbox.runs(), Vec::<std::path::PathBuf>::new(), "nothing was begun");
}

#[test]
fn what_is_no_study_is_named() {
    let sandbox = study();
    sandbox.write("empty/note.txt", "");
    for (target, parts) in [
        ("nowhere", ["`nowhere` does not exist", "expected: a folder with a loupe.toml"]),
        ("empty", ["`loupe.toml` does not exist", "the path empty/loupe.toml"]),
        ("empty/note.txt", ["`empty/note.txt` is not a study", "another kind of file"]),
        ("study/artifacts/one/b/1", ["`loupe.toml` does not exist", "a study is a folder with a loupe.toml"]),
        // Inside a study, too: a page must not stand for the study that it lies in.
        (
            "study/artifacts/one/b/1/index.html",
            ["index.html` is not a study", "`loupe capture study/artifacts/one/b/1/index.html -o DIR`"],
        ),
        ("http://127.0.0.1:9/", ["is a web address, not a study", "`loupe repl http://127.0.0.1:9/`"]),
    ] {
        sandbox.loupe(&["run", target]).ended(2, &parts);
    }
    assert_eq!(sandbox.loupe(&["run", "study/loupe.toml", "--list"]).code, 0, "this file may be named");
}

#[test]
fn a_malformed_loupe_toml() {
    let file = "study/loupe.toml";
    let told = |from: &str, to: &str, parts: &[&str]| refused(|s| s.replace(file, from, to), parts);
    told("protocol =", "protcol =", &["unknown key `protcol`", "loupe.toml:2:1", "did you mean `protocol`?"]);
    told("[arms.two]", "[arms.one]", &["duplicate key", "loupe.toml:6:7"]);
    told("\"tall\"", "\"wide\"", &["loupe.toml:14:9", "wide"]);
    told("width = 800", "width = \"800\"", &["loupe.toml:10:10", "a whole number", "the text \"800\""]);
    told("[timeouts]", "[timeouts", &["not valid TOML", "loupe.toml:18:10"]);
    refused(|s| drop(s.write(file, "")), &["`loupe.toml` has no `name`", "loupe.toml:1:1"]);
    refused(|s| drop(fs::remove_file(s.path().join(file))), &["`loupe.toml` does not exist"]);
}

#[test]
fn a_malformed_brief() {
    let file = "study/briefs/b/brief.toml";
    let told = |from: &str, to: &str, parts: &[&str]| refused(|s| s.replace(file, from, to), parts);
    told("version", "verzion", &["unknown key `verzion`", "briefs/b/brief.toml:2:1", "did you mean `version`?"]);
    told("id = \"b\"", "id = \"x\"", &["briefs/b/brief.toml:1:7", "expected: b", "received: x"]);
    told("testid = \"go\"", "testid = \"go\"\n[hooks.go]", &["duplicate key", "briefs/b/brief.toml:9:8"]);
    told("flow.rhai", "flwo.rhai", &["no script `flwo.rhai`", "briefs/b/brief.toml:5:9", "did you mean `flow.rhai`?"]);
    told("facts.json", "fact.json", &["`briefs/b/fact.json` does not exist", "briefs/b/brief.toml:4:10"]);
    let fallback =
        ["the fallback of hook \"go\" is not a locator", "briefs/b/brief.toml:9:13", "did you mean \"button\"?"];
    told("testid = \"go\"", "testid = \"go\"\nfallback = \"role=buton\"", &fallback);
    refused(|s| drop(s.write("study/briefs/b/brief.md", "")), &["`briefs/b/brief.md` is empty"]);
}

#[test]
fn malformed_facts() {
    let file = "study/briefs/b/facts.json";
    let told = |text: &str, parts: &[&str]| refused(|s| drop(s.write(file, text)), parts);
    told("", &["`briefs/b/facts.json` is empty", "briefs/b/facts.json:1:1", "expected: { \"articles\""]);
    told("{\n  \"a\": [ { \"id\" \"x\" } ] }", &["not valid JSON: expected `:`", "briefs/b/facts.json:2:17"]);
    let twice = "{ \"a\": [ { \"id\": \"x\" },\n  { \"id\": \"x\" } ] }";
    told(twice, &["two items of `a` have the id `x`", "briefs/b/facts.json:2:6", "the first is at"]);
    told("[]", &["facts must be a map of lists", "received: a list"]);
}

#[test]
fn a_script_that_is_no_script_is_found_before_anything_runs() {
    let rhai = |text: &str, parts: &[&str]| refused(|s| drop(s.write("study/scripts/flow.rhai", text)), parts);
    rhai("scenario(\"a\", || {\n  page.open()\n  page.back();\n});", &["`;` is missing", "scripts/flow.rhai:3:3"]);
    rhai("scenari(\"a\", || {});", &["`scenari`", "scripts/flow.rhai:1:1", "did you mean `scenario`?"]);
    rhai("\nscenario(1, || {});", &["expected string, got integer", "scripts/flow.rhai:2:1", "received: 1"]);
    rhai("", &["scripts/flow.rhai declares no scenario"]);
    refused(
        |s| drop(fs::write(s.path().join("study/scripts/flow.rhai"), b"\n\xff\xfe")),
        &["not UTF-8", "scripts/flow.rhai:2:1"],
    );
    let lua = |text: &str, parts: &[&str]| {
        let breaking = |s: &Sandbox| {
            s.write("study/scripts/flow.lua", text);
            s.replace("study/briefs/b/brief.toml", "flow.rhai", "flow.lua");
        };
        refused(breaking, parts);
    };
    lua("scenario(\"a\", function()\n  page.open(\nend)", &["unexpected symbol near 'end'", "scripts/flow.lua:3"]);
    lua("scenari(\"a\", function() end)", &["`scenari`", "scripts/flow.lua:1", "did you mean `scenario`?"]);
    lua("\nscenario(1, function() end)", &["expected string, got integer", "scripts/flow.lua:2", "received: 1"]);
    lua("", &["scripts/flow.lua declares no scenario"]);
}

/// What only shows when a scenario runs is an `error` of that scenario: the others are told, the verdict is not whole.
#[test]
fn a_wrong_word_in_a_scenario_is_never_held_against_an_artifact() {
    let rhai =
        "scenario(\"unknown\", || {\n  page.clik(\"css=a\");\n});\nscenario(\"type\", || {\n  page.click(12);\n});\n";
    let lua = "scenario(\"unknown\", function()\n  page.clik(\"css=a\")\nend)\nscenario(\"type\", function()\n  page.click(12)\nend)\n";
    for (language, text) in [("rhai", rhai), ("lua", lua)] {
        let sandbox = study();
        sandbox.write(&format!("study/scripts/flow.{language}"), text);
        sandbox.replace("study/briefs/b/brief.toml", "flow.rhai", &format!("flow.{language}"));
        let told = sandbox.loupe(&["run", "study", "--arm", "one", "--brief", "b", "--viewport", "wide"]);
        told.ended(3, &[]);
        let lines = [format!("flow.{language}:2:"), format!("flow.{language}:5:")];
        for part in [lines[0].as_str(), &lines[1], "`page` has no word `clik`", "expected string, got integer"] {
            assert!(told.stdout.contains(part), "no {part:?} in:\n{}", told.stdout);
        }
        assert!(told.stdout.contains("0 of 2 scenarios passed; 2 harness problems"), "{}", told.stdout);
    }
}

#[test]
fn windows_files_are_files() {
    let sandbox = study();
    for file in ["loupe.toml", "briefs/b/brief.toml", "briefs/b/brief.md", "briefs/b/facts.json", "scripts/flow.rhai"] {
        let path = sandbox.path().join("study").join(file);
        let text = fs::read_to_string(&path).unwrap().replace('\n', "\r\n");
        fs::write(&path, format!("\u{feff}{text}")).unwrap();
    }
    sandbox.loupe(&["run", "study", "--arm", "one", "-k", "button"]).ended(0, &[]);
    sandbox.replace("study/scripts/flow.rhai", "    expect.text(", "    expct.text(");
    sandbox.loupe(BOTH).ended(2, &["`expct`", "scripts/flow.rhai:5:5"]);
}

#[test]
fn an_artifact_that_cannot_be_read() {
    let sample = |s: &Sandbox| s.path().join("study/artifacts/one/b/1");
    let index = |s: &Sandbox| sample(s).join("index.html");
    let pattern = "loupe.toml:3:14";
    refused(|s| fs::remove_file(index(s)).unwrap(), &["`artifacts/one/b/1` has no index.html", "no page", pattern]);
    refused(
        |s| {
            fs::remove_file(index(s)).unwrap();
            symlink("/nonexistent", index(s)).unwrap();
        },
        &["`artifacts/one/b/1/index.html` is a symbolic link to nothing", pattern],
    );
    refused(
        |s| {
            fs::remove_file(index(s)).unwrap();
            fs::create_dir(index(s)).unwrap();
        },
        &["`artifacts/one/b/1/index.html` is not a file", pattern],
    );
    refused(
        |s| {
            fs::remove_dir_all(sample(s)).unwrap();
            symlink("/nonexistent", sample(s)).unwrap();
        },
        &["artifacts/one/b/1` is a symbolic link to nothing", "expected: an artifact"],
    );
    refused(
        |s| fs::create_dir(s.path().join("study/artifacts/one/b").join(OsStr::from_bytes(b"\xff"))).unwrap(),
        &["is not UTF-8", "a name in study/artifacts/one/b"],
    );
    let facts = "study/briefs/b/facts.json";
    refused(
        |s| {
            fs::remove_file(s.path().join(facts)).unwrap();
            fs::create_dir(s.path().join(facts)).unwrap();
        },
        &["`briefs/b/facts.json` is a folder, not a file", "briefs/b/brief.toml:4:10"],
    );
}

#[test]
fn an_arm_without_artifacts_is_told() {
    let sandbox = study();
    fs::remove_dir_all(sandbox.path().join("study/artifacts/two")).unwrap();
    let told = sandbox.loupe(&["run", "study", "--browser", "/nonexistent"]);
    assert!(told.stderr.starts_with("warning: there is no artifact of the arm `two`"), "{}", told.stderr);
}

/// An address that nobody answers at was not examined.
#[test]
fn an_address_that_refuses_is_no_verdict_on_the_artifact() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let sandbox = study();
    let url = format!("http://127.0.0.1:{port}/");
    let remote = format!("[timeouts]\n[[artifact]]\narm = \"one\"\nbrief = \"b\"\nsample = \"9\"\nurl = \"{url}\"\n#");
    sandbox.replace("study/loupe.toml", "[timeouts]\nscenario", &format!("{remote}\n# scenario"));
    sandbox.replace("study/loupe.toml", "action = 1\nexpect = 1\n", "");
    fs::remove_dir_all(sandbox.path().join("study/artifacts/one/b/1")).unwrap();
    let told = sandbox.loupe(&["run", "study", "--arm", "one", "--brief", "b", "--viewport", "wide"]);
    told.ended(3, &[]);
    let said = format!("the artifact at {url} cannot be reached: net::ERR_CONNECTION_REFUSED");
    assert!(told.stdout.contains(&said) && !told.stdout.contains("FAILED"), "{}", told.stdout);
}

#[test]
fn a_browser_that_is_missing_or_none() {
    let sandbox = study();
    sandbox.program("ends", "test \"$1\" = --version && echo Chromium 1.2.3 && exit; echo no display >&2; exit 7");
    sandbox.program("lies", "test \"$1\" = --version && echo Chromium 1.2.3 && exit; echo DevTools listening on x >&2");
    sandbox.program("fox", "echo Firefox 12");
    for (browser, parts) in [
        ("/nonexistent", ["the chosen browser `/nonexistent` cannot be used", "received: not there"]),
        ("bin/fox", ["the chosen browser `bin/fox` cannot be used", "Firefox 12"]),
        ("bin/ends", ["bin/ends ended at once; it said:", "no display"]),
        ("bin/lies", ["no DevTools connection at x", "`loupe doctor`"]),
    ] {
        sandbox.loupe(&["run", "study", "--browser", browser]).ended(3, &parts);
    }
    let told = sandbox.loupe(&["run", "study", "--cdp", "http://127.0.0.1:1"]);
    told.ended(2, &["--cdp takes", "expected: ws://", "received: http://127.0.0.1:1"]);
    let told = sandbox.loupe(&["run", "study", "--cdp", "ws://127.0.0.1:1/x"]);
    told.ended(3, &["no DevTools connection at ws://127.0.0.1:1/x", "is it running"]);
    assert!(sandbox.runs().is_empty(), "nothing was begun");
}

/// Where the browser lies in one of its usual places, no PATH is needed; else it is missed, and `doctor` agrees.
#[test]
fn an_empty_path() {
    let sandbox = study();
    let without = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        command.env("PATH", "");
        sandbox.finish(command)
    };
    let found = without(&["doctor", "--format", "json"])
        .stdout
        .contains("\"thing\": \"browser\",\n    \"needed\": true,\n    \"found\": true");
    let told = without(&["run", "study", "--arm", "one", "--brief", "c", "--viewport", "wide"]);
    told.ended(if found { 0 } else { 3 }, if found { &[] } else { &["loupe setup"] });
    assert_eq!(sandbox.complete(), usize::from(found));
}

#[test]
fn a_port_in_use() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let sandbox = study();
    let told = sandbox.loupe(&["run", "study", "--port", &port]);
    told.ended(3, &[&format!("port {port} of 127.0.0.1 is in use"), "leave the port out"]);
    assert!(sandbox.runs().is_empty());
}

#[test]
fn an_output_that_cannot_be_written() {
    let sandbox = study();
    sandbox.write("file", "kept");
    for (output, part) in [
        ("file", "cannot create file/"),
        ("file/below", "cannot create file/below/"),
        ("/proc/x", "cannot create /proc/x/"),
    ] {
        sandbox.loupe(&["run", "study", "-o", output]).ended(3, &[part]);
    }
    assert_eq!(fs::read_to_string(sandbox.path().join("file")).unwrap(), "kept");
}

/// A small disk of its own, mounted in a namespace that goes with the process.
#[test]
fn a_full_disk_keeps_what_was_found_and_can_be_resumed() {
    let sandbox = study();
    fs::create_dir(sandbox.path().join("disk")).unwrap();
    let script = "mount -t tmpfs -o size=48k none disk || exit 77
        \"$LOUPE\" run study -o disk --viewport wide > /dev/null; echo code $?
        ls disk; find disk -name run.json
        mount -o remount,size=64m disk
        \"$LOUPE\" run study -o disk --resume disk/*.partial > /dev/null; echo code $?
        ls disk; find disk -name run.json -printf '%f\\n'";
    let mut command = Command::new("unshare");
    let rights = if rustix::process::geteuid().is_root() { "-m" } else { "-rm" };
    command.args([rights, "sh", "-c", script]).current_dir(sandbox.path()).env("LOUPE", env!("CARGO_BIN_EXE_loupe"));
    let output = command.output();
    let Some(output) = output.ok().filter(|o| o.status.code() != Some(77) && !o.stdout.is_empty()) else {
        eprintln!("SKIPPED a_full_disk…: this machine does not let a test mount a small disk");
        return;
    };
    let (told, said) = (sandbox.normal(&output.stdout), sandbox.normal(&output.stderr));
    let lines: Vec<&str> = told.lines().collect();
    let [first, partial, second, complete, end] = lines[..] else { panic!("{told}{said}") };
    assert_eq!((first, second, end), ("code 3", "code 1", "run.json"), "{told}{said}");
    assert_eq!(partial, format!("{complete}.partial"));
    assert!(
        said.contains("cannot write disk/") && said.contains("No space left") && said.contains("--resume"),
        "{said}"
    );
    assert!(!said.contains("panicked"), "{said}");
}

/// A complete run of arm `two`, made once for each test that damages it.
fn damaged(damage: impl FnOnce(&Path)) -> (Sandbox, String) {
    let sandbox = study();
    sandbox.loupe(&["run", "study", "--arm", "two", "--viewport", "wide"]).ended(1, &[]);
    let run = sandbox.runs().remove(0);
    damage(&run);
    let run = run.strip_prefix(sandbox.path()).unwrap().display().to_string();
    (sandbox, run)
}

/// What is said, and what is done to a run before.
type Damage<'a> = (&'a str, &'a dyn Fn(&Path));

/// Every command that reads a run says what is wrong with it, and none makes another of it.
#[test]
fn a_damaged_run() {
    let cut = |path: &Path, length| fs::File::options().write(true).open(path).unwrap().set_len(length).unwrap();
    let (sandbox, run) = damaged(|_| {});
    let keep = sandbox.path().join("keep");
    let copy = |from: &Path, to: &Path| {
        let _ = fs::remove_dir_all(to);
        assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
    };
    let folder = sandbox.path().join(&run);
    copy(&folder, &keep);
    let damages: [Damage<'_>; 5] = [
        ("run.json is damaged", &|run| cut(&run.join("run.json"), 0)),
        ("inputs.json is damaged", &|run| cut(&run.join("inputs.json"), 40)),
        ("cases.jsonl:1 is damaged", &|run| cut(&run.join("cases.jsonl"), 40)),
        ("cases.jsonl: No such file", &|run| fs::remove_file(run.join("cases.jsonl")).unwrap()),
        ("has format 9.", &|run| {
            let path = run.join("inputs.json");
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replacen("\"format\": \"1.", "\"format\": \"9.", 1)).unwrap();
        }),
    ];
    for (said, damage) in damages {
        copy(&keep, &folder);
        damage(&folder);
        for command in [
            &["report", &run][..],
            &["merge", &run, "-o", "study/runs/merged"],
            &["run", "study", "--resume", &run],
            &["run", "study", "--last-failed"],
        ] {
            sandbox.loupe(command).ended(3, &[said]);
            assert_eq!(sandbox.runs().len(), 1, "{command:?} made another run");
        }
    }
}

#[test]
fn an_interrupted_run_that_cannot_go_on() {
    let (sandbox, run) = damaged(|run| fs::remove_file(run.join("run.json")).unwrap());
    sandbox.loupe(&["run", "study", "--resume", &run]).ended(3, &["run.json is damaged", "it is gone"]);
    let partial = format!("{run}.partial");
    fs::rename(sandbox.path().join(&run), sandbox.path().join(&partial)).unwrap();
    let told = sandbox.loupe(&["run", "study", "--resume", &run, "-k", "title"]);
    told.ended(2, &["keeps the seed and the cases that it began with", "leave them out"]);
    sandbox.loupe(&["report", &run]).ended(3, &[]);
    sandbox.loupe(&["merge", &run, "-o", "merged"]).ended(2, &["is not complete", "--resume"]);
    sandbox
        .loupe(&["run", "study", "--last-failed"])
        .ended(2, &["needs a complete run", "no complete run in study/runs"]);
    sandbox.replace("study/briefs/b/brief.md", "button", "knob");
    sandbox.loupe(&["run", "study", "--resume", &run]).ended(2, &["briefs/b/brief.md has changed"]);
    assert!(!looks_complete(&sandbox.path().join(partial)) && sandbox.runs().len() == 1);
}

#[test]
fn a_run_that_is_there_already_and_what_is_no_run() {
    let (sandbox, run) = damaged(|_| {});
    sandbox.loupe(&["run", "study", "--resume", &run]).ended(2, &[&format!("the run {run} is complete")]);
    sandbox.loupe(&["merge", &run, "-o", &run]).ended(2, &[&format!("{run} exists already")]);
    sandbox.loupe(&["report", "study"]).ended(2, &["study is not a run", &format!("the newest run in it is {run}")]);
    sandbox.loupe(&["run", "study", "--resume", "study/runs/none"]).ended(2, &["study/runs/none is not a run"]);
    assert_eq!(sandbox.complete(), 1);
}
