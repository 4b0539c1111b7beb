//! A session over a pipe: values, errors that end nothing, what is saved runs, and Ctrl-C stops a word, not the session.
//!
//! Completion and editing belong to the line editor and are deliberately not tested here.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod common;

use std::io::Write;
use std::net::TcpListener;
use std::process::{Child, Stdio};

use common::{Sandbox, Told, repository};

fn begin(sandbox: &Sandbox, arguments: &[&str]) -> Child {
    let mut command = sandbox.command(&[&["repl"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Types all lines and ends the session.
fn end(sandbox: &Sandbox, mut session: Child, lines: &[&str]) -> Told {
    let typed: String = lines.iter().map(|line| format!("{line}\n")).collect();
    session.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = session.wait_with_output().unwrap();
    Told {
        code: output.status.code().unwrap_or(-1),
        stdout: sandbox.normal(&output.stdout),
        stderr: sandbox.normal(&output.stderr),
    }
}

/// What was answered, without the prompts.
fn answers(told: &Told) -> Vec<String> {
    let lines = told.stdout.lines().map(|line| line.trim_start_matches(['>', '.', ' ']).to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

const PAGE: &str = "<!doctype html><title>Two</title><button onclick=\"this.textContent = 'Done'\">Do</button>";

/// What is saved runs, as the flow of a study.
fn runs(sandbox: &Sandbox, flow: &str) {
    sandbox.write("study/loupe.toml", "name = \"saved\"\nprotocol = \"frontend-cohort\"\nartifacts = \"{arm}/{brief}/{sample}\"\n[arms.a]\nlabel = \"A\"\n");
    sandbox.write("study/a/b/1/index.html", PAGE);
    sandbox.write("study/briefs/b/brief.md", "Make it.");
    sandbox.write("study/briefs/b/facts.json", "{}");
    let brief = format!("id = \"b\"\nversion = \"1\"\ntitle = \"B\"\nfacts = \"facts.json\"\nflow = \"{flow}\"\n");
    sandbox.write("study/briefs/b/brief.toml", &brief);
    let saved = std::fs::read_to_string(sandbox.path().join(flow)).unwrap();
    sandbox.write(&format!("study/scripts/{flow}"), &saved);
    let told = sandbox.loupe(&["run", "study", "--viewport", "desktop"]);
    assert_eq!(told.code, 0, "{saved}\n{}{}", told.stdout, told.stderr);
}

#[test]
fn a_session_in_rhai_answers_and_what_it_saves_runs() {
    let sandbox = Sandbox::new();
    sandbox.write("page/index.html", PAGE);
    let lines = [
        "page.title()",
        "let m = #{ a: 1 }",
        "fn twice(x) {",
        "  x * 2",
        "}",
        "twice(m.a)",
        "page.clck(\"css=button\")",
        "page.click(\"css=button\")",
        "print(page.text(\"css=button\"))",
        ":save saved.rhai",
    ];
    let told = end(&sandbox, begin(&sandbox, &["page"]), &lines);
    assert_eq!(told.code, 2, "a word was misspelt: {told:?}");
    assert_eq!(answers(&told), ["\"Two\"", "2", "Done", "saved.rhai"], "{told:?}");
    assert!(told.stderr.contains("did you mean `page.click`?"), "{}", told.stderr);
    runs(&sandbox, "saved.rhai");
}

#[test]
fn a_session_in_lua_answers_and_what_it_saves_runs() {
    let sandbox = Sandbox::new();
    let page = sandbox.write("page.html", PAGE).display().to_string();
    let lines = [
        "t = page.texts(\"css=button\")",
        "#t",
        "function twice(x)",
        "  return x * 2",
        "end",
        "twice(#t)",
        "page.click(\"css=button\")",
        "expect.text(\"css=button\", \"Undone\", { soft = true, timeout = 0.1 })",
        ":help page.clck",
        ":save saved.rhai",
        ":save saved.lua",
        ":save saved.lua",
    ];
    let told = end(&sandbox, begin(&sandbox, &[&page, "--lang", "lua"]), &lines);
    assert_eq!(answers(&told), ["1", "2", "false", "saved.lua"], "{told:?}");
    for seen in ["Undone", "did you mean `page.click`?", ":save FILE.lua", "cannot save `saved.lua`"] {
        assert!(told.stderr.contains(seen), "{seen}: {}", told.stderr);
    }
    // The soft failure would be one of the saved scenario, too.
    let saved = std::fs::read_to_string(sandbox.path().join("saved.lua")).unwrap();
    let kept: Vec<_> = saved.lines().filter(|line| !line.contains("Undone")).collect();
    assert_eq!(kept.len() + 1, saved.lines().count(), "{saved}");
    sandbox.write("saved.lua", &kept.join("\n"));
    runs(&sandbox, "saved.lua");
}

#[test]
fn an_interrupt_stops_the_word_and_the_session_goes_on() {
    let sandbox = Sandbox::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = format!("http://{}/", silent.local_addr().unwrap());
    let session = begin(&sandbox, &[&target]);
    // The page is asked for, and the answer never comes.
    let _asked = silent.accept().unwrap();
    let pid = rustix::process::Pid::from_child(&session);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let told = end(&sandbox, session, &["40 + 2"]);
    assert_eq!((told.code, answers(&told)), (130, vec!["42".to_owned()]), "{told:?}");
    assert!(told.stderr.contains("error: interrupted"), "{}", told.stderr);
}

#[test]
fn what_is_piped_ends_with_the_code_of_its_worst_input() {
    let sandbox = Sandbox::new();
    sandbox.write("page/index.html", PAGE);
    let absent = "expect.visible(\"css=#absent\", #{ timeout: 0.1 })";
    let soft = "expect.visible(\"css=#absent\", #{ timeout: 0.1, soft: true })";
    let cases: [(&[&str], i32, &str); 7] = [
        (&["page.title()", "skip(\"not here\")"], 0, "not here"),
        (&[absent, "page.title()"], 1, "expect.visible"),
        (&[soft, "page.title()"], 1, "expect.visible"),
        (&["page.clck(\"css=button\")", absent], 2, "did you mean `page.click`?"),
        (&["fn twice(x) {"], 2, "`}` is missing"),
        (&[":sve x.rhai"], 2, "did you mean :save?"),
        (&[absent, ":shot nowhere/shot.png"], 3, "no picture in `nowhere/shot.png`"),
    ];
    for (lines, code, said) in cases {
        let told = end(&sandbox, begin(&sandbox, &["page"]), lines);
        assert_eq!(told.code, code, "{lines:?}: {told:?}");
        assert!(told.stderr.contains(said), "{lines:?}: {}", told.stderr);
    }
}

#[test]
fn a_session_needs_no_target_and_refuses_a_wrong_one() {
    let sandbox = Sandbox::new();
    let told = end(&sandbox, begin(&sandbox, &[]), &["stats.median([5, 1, 2])", "page.url()"]);
    assert_eq!((told.code, answers(&told)), (0, vec!["2.0".to_owned(), "\"about:blank\"".to_owned()]), "{told:?}");
    let told = sandbox.loupe(&["repl", "nowhere"]);
    assert_eq!((told.code, told.stdout.as_str()), (2, ""), "{told:?}");
    let readme = repository().join("README.md").display().to_string();
    assert_eq!(sandbox.loupe(&["repl", &readme]).code, 2);
    let told = sandbox.loupe(&["repl", "--viewport", "desktp"]);
    assert!(told.code == 2 && told.stderr.contains("did you mean `desktop`?"), "{told:?}");
}
