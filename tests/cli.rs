//! The command line as a person meets it: help, mistakes, exit codes, and where text goes.
//!
//! It deliberately examines no artifact; the commands that do have tests of their own.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod common;

use common::Sandbox;

/// A browser that is one for all that `doctor` asks.
const BROWSER: &str = "echo Chromium 1.2.3";

#[test]
fn no_arguments_show_the_help_as_a_mistake() {
    let told = Sandbox::new().loupe(&[]);
    assert_eq!(told.code, 2);
    assert_eq!(told.stdout, "");
    assert!(told.stderr.contains("Usage: loupe [OPTIONS] <COMMAND>"), "{}", told.stderr);
}

#[test]
fn help_and_version_are_results() {
    let sandbox = Sandbox::new();
    let help = sandbox.loupe(&["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    assert!(help.stdout.contains("  130  interrupted"), "{}", help.stdout);
    let version = sandbox.loupe(&["--version"]);
    assert_eq!(version.stdout, format!("loupe {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_command_in_the_help_exists() {
    let sandbox = Sandbox::new();
    let help = sandbox.loupe(&["--help"]).stdout;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names: Vec<_> = list.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    assert!(names.contains(&"doctor"), "{help}");
    for name in names {
        let told = sandbox.loupe(&[name, "--help"]);
        assert_eq!(told.code, 0, "{name}");
        assert!(told.stdout.contains(&format!("Usage: loupe {name}")), "{}", told.stdout);
    }
}

#[test]
fn a_misspelt_command_is_a_mistake_with_a_suggestion() {
    let told = Sandbox::new().loupe(&["docter"]);
    assert_eq!(told.code, 2);
    assert!(told.stderr.contains("a similar subcommand exists: 'doctor'"), "{}", told.stderr);
}

#[test]
fn a_missing_folder_is_named() {
    let told = Sandbox::new().loupe(&["-C", "nowhere", "doctor"]);
    assert_eq!(told.code, 2);
    assert_eq!(
        told.stderr,
        "error: cannot work in `nowhere`\n |\n = expected: a folder that exists, after -C\n = received: No such file or directory (os error 2)\n"
    );
}

#[test]
fn doctor_tells_what_is_missing_and_how_to_get_it() {
    let sandbox = Sandbox::new();
    let told = sandbox.loupe(&["doctor", "--browser", "no/such/program"]);
    assert_eq!(told.code, 3);
    let lines: Vec<_> = told.stdout.lines().collect();
    assert_eq!(lines[0], "missing  Chromium    no/such/program: not there");
    assert_eq!(lines[1].trim(), "fix: name another program with --browser, or leave it out");
    assert!(told.stdout.contains("fix: loupe setup"), "axe-core is not in the sandbox: {}", told.stdout);
}

#[test]
fn doctor_in_json_says_the_same() {
    let sandbox = Sandbox::new();
    sandbox.program("my-chromium", BROWSER);
    let told = sandbox.loupe(&["doctor", "--format", "json", "--browser", "bin/my-chromium"]);
    let findings: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    let things: Vec<_> = findings.as_array().unwrap().iter().map(|f| f["thing"].as_str().unwrap()).collect();
    assert_eq!(things, ["browser", "text-font", "emoji-font", "axe"]);
    assert_eq!(findings[0]["what"], "Chromium 1.2.3, full browser");
    assert_eq!(findings[3]["found"], false);
}

#[test]
fn options_are_also_variables_and_arguments_win() {
    let sandbox = Sandbox::new();
    sandbox.program("my-chromium", BROWSER);
    let mut command = sandbox.command(&["doctor"]);
    command.env("LOUPE_BROWSER", "no/such/program");
    assert_eq!(sandbox.finish(command).code, 3);
    let mut command = sandbox.command(&["doctor", "--browser", "bin/my-chromium"]);
    command.env("LOUPE_BROWSER", "no/such/program");
    assert!(sandbox.finish(command).stdout.starts_with("ok       Chromium    Chromium 1.2.3"));
}

#[test]
fn colour_follows_the_flag_then_the_environment() {
    let sandbox = Sandbox::new();
    assert!(!sandbox.loupe(&["doctor"]).stdout.contains('\x1b'), "not a terminal, and NO_COLOR");
    assert!(sandbox.loupe(&["--color", "always", "doctor"]).stdout.contains('\x1b'));
}

#[test]
fn a_reader_that_left_is_no_error() {
    let sandbox = Sandbox::new();
    sandbox.program("my-chromium", BROWSER);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = sandbox.command(&["completions", "bash"]);
    command.stdout(writer);
    let told = sandbox.finish(command);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_never_a_success() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["completions", "bash"]);
    command.stdout(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let told = sandbox.finish(command);
    assert_eq!(told.code, 3);
    assert!(told.stderr.starts_with("error: cannot write the result to stdout"), "{}", told.stderr);
}

#[test]
fn explain_knows_every_outcome_and_exit_code() {
    let sandbox = Sandbox::new();
    let all = sandbox.loupe(&["explain"]).stdout;
    let names: Vec<_> = all.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["passed", "failed", "contract", "skipped", "error", "0", "1", "2", "3", "4", "5", "130"]);
    for name in names {
        let told = sandbox.loupe(&["explain", name]);
        assert!(told.code == 0 && all.contains(told.stdout.trim_end()) && told.stdout.len() > 20, "{told:?}");
    }
    let told = sandbox.loupe(&["explain", "contrakt"]);
    assert_eq!(told.code, 2);
    assert!(
        told.stderr.contains("expected: one of passed, ") && told.stderr.contains("did you mean `contract`?"),
        "{told:?}"
    );
}

#[test]
fn completions_name_the_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let told = sandbox.loupe(&["completions", shell]);
        assert_eq!(told.code, 0);
        assert!(told.stdout.contains("doctor"), "{shell}");
    }
}

/// What a working npm leaves; `$1` is the version.
const NPM: &str = "test \"$1\" = ci && mkdir -p node_modules/axe-core && cd node_modules/axe-core &&
    echo '{\"version\":\"VERSION\"}' > package.json && echo 'axe' > axe.min.js";

fn pinned() -> String {
    let lock = std::fs::read_to_string(common::repository().join("package-lock.json")).unwrap();
    let lock: serde_json::Value = serde_json::from_str(&lock).unwrap();
    lock["packages"]["node_modules/axe-core"]["version"].as_str().unwrap().to_owned()
}

#[test]
fn setup_installs_axe_core_once() {
    let sandbox = Sandbox::new();
    sandbox.program("npm", &format!("echo called >> $HOME/calls; {}", NPM.replace("VERSION", &pinned())));
    // What else this machine lacks must not be installed by a test.
    sandbox.program("apt-get", "exit 1");
    for _ in 0..2 {
        let told = sandbox.loupe(&["setup"]);
        assert!(told.stdout.contains(&format!("ok       axe-core    {}  $TMP/home", pinned())), "{told:?}");
    }
    assert_eq!(std::fs::read_to_string(sandbox.path().join("home/calls")).unwrap(), "called\n");
}

#[test]
fn a_failed_npm_leaves_nothing_that_looks_installed() {
    let other = NPM.replace("VERSION", "0.0.1");
    let half = "mkdir -p node_modules/axe-core; echo no network >&2; exit 7";
    for (npm, seen) in [(half, "no network"), (other.as_str(), "is version 0.0.1"), ("true", "is not there")] {
        let sandbox = Sandbox::new();
        sandbox.program("npm", npm);
        sandbox.program("apt-get", "exit 1");
        let told = sandbox.loupe(&["setup"]);
        assert!(told.stderr.contains(seen), "{told:?}");
        assert!(told.stdout.contains("lacking  axe-core"), "{told:?}");
        let left = std::fs::read_dir(sandbox.path().join("home/.local/share/loupe")).unwrap();
        assert_eq!(left.count(), 0);
    }
}

/// A run with every kind of outcome.
fn stored() -> String {
    common::repository().join("fixtures/runs/small").display().to_string()
}

#[test]
fn report_tells_a_stored_run_in_several_ways_and_ends_with_its_verdict() {
    let sandbox = Sandbox::new();
    let ways = ["--reporter", "list", "--reporter", "junit=out.xml", "--reporter", "html=out.html"];
    let told = sandbox.loupe(&[&["report", &stored()], &ways[..]].concat());
    assert_eq!(told.code, 3, "the stored run has harness errors: {told:?}");
    assert!(told.stdout.starts_with("FAILED "), "{}", told.stdout);
    assert_eq!(told.stderr, "wrote out.xml\nwrote out.html\n");
    let junit = std::fs::read_to_string(sandbox.path().join("out.xml")).unwrap();
    let golden = common::repository().join("fixtures/runs/small.reports/junit.xml");
    // Pictures are named as the run was.
    assert_eq!(junit.replace(&stored(), "small"), std::fs::read_to_string(golden).unwrap());
    assert!(std::fs::read_to_string(sandbox.path().join("out.html")).unwrap().ends_with("</html>\n"));
    let left: Vec<_> = std::fs::read_dir(sandbox.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with('.')), "{left:?}");
}

#[test]
fn a_report_in_a_folder_has_the_pictures_of_the_run_beside_its_page() {
    let sandbox = Sandbox::new();
    for _ in 0..2 {
        let told = sandbox.loupe(&["report", &stored(), "--reporter", "html=told/site"]);
        assert_eq!((told.code, told.stderr.as_str()), (3, "wrote told/site/index.html\n"));
    }
    let folder = sandbox.path().join("told/site");
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let sources: Vec<_> = page.split("src=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(sources.len(), 2, "{sources:?}");
    for source in sources {
        let original = std::fs::read(format!("{}/{source}", stored())).unwrap();
        assert_eq!(std::fs::read(folder.join(source)).unwrap(), original);
    }
    sandbox.write("taken", "");
    let told = sandbox.loupe(&["report", &stored(), "--reporter", "html=taken"]);
    assert_eq!(told.code, 3);
    assert!(told.stderr.starts_with("error: cannot write `taken`"), "{}", told.stderr);
}

#[test]
fn a_report_that_cannot_be_written_or_read_names_the_file() {
    let sandbox = Sandbox::new();
    let told = sandbox.loupe(&["report", &stored(), "--reporter", "json=no/such/out.json"]);
    assert_eq!(told.code, 3);
    assert!(told.stderr.starts_with("error: cannot write `no/such/out.json`"), "{}", told.stderr);
    let told = sandbox.loupe(&["report", "home"]);
    assert_eq!(told.code, 2);
    assert!(told.stderr.starts_with("error: home is not a run"), "{}", told.stderr);
    let told = sandbox.loupe(&["report", "home", "--reporter", "jsn"]);
    assert_eq!(told.code, 2);
    assert!(told.stderr.contains("did you mean `json`?"), "{}", told.stderr);
}

#[test]
fn merge_wants_runs_and_a_new_folder() {
    let sandbox = Sandbox::new();
    let told = sandbox.loupe(&["merge", "home", "-o", "merged"]);
    assert_eq!(told.code, 2);
    let told = sandbox.loupe(&["merge", &stored(), &stored(), "-o", "merged"]);
    assert_eq!((told.code, told.stdout.as_str()), (3, "merged\n"), "equal verdicts are one: {}", told.stderr);
    let again = sandbox.loupe(&["merge", &stored(), "-o", "merged"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("exists already"), "{}", again.stderr);
}
