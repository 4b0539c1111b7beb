//! Finds a Chromium on this machine and asks it for its version.
//!
//! It deliberately does not launch a page, install anything, or read the environment: `cli` hands over what the
//! environment says, and installing is the work of `loupe setup`.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::diag::Diagnostic;

/// How long a program may take to tell its version; a cold disk needs seconds, a healthy one some 20 ms.
const VERSION_LIMIT: Duration = Duration::from_secs(20);

/// The binaries themselves, called directly: distributions put a shell script of the same name on PATH, and Debian's
/// adds flags of its own that change what is painted.
const SHELL_PLACES: &[&str] =
    &["/usr/lib/chromium/chromium-headless-shell", "/usr/lib64/chromium-browser/headless_shell"];
const FULL_PLACES: &[&str] = &[
    "/usr/lib/chromium/chromium",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const SHELL_NAMES: &[&str] = &["chromium-headless-shell", "chrome-headless-shell", "headless_shell"];
const FULL_NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Which Chromium is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Choice {
    /// The headless shell where there is one, else a full Chromium.
    #[default]
    Any,
    /// Only the headless shell: starts faster and paints the same.
    Shell,
    /// Only a full Chromium, which also has the browser around the page.
    Full,
    /// Exactly this program.
    At(PathBuf),
}

impl From<&str> for Choice {
    /// `any`, `shell`, `full`, or else the path of a program.
    fn from(text: &str) -> Self {
        match text {
            "" | "any" => Self::Any,
            "shell" => Self::Shell,
            "full" => Self::Full,
            path => Self::At(path.into()),
        }
    }
}

/// The two builds of Chromium, which cost and isolate differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// `chromium-headless-shell`: the renderer without a browser around it.
    Shell,
    /// The whole browser, run with `--headless`.
    Full,
}

impl Flavour {
    /// One word: `shell` or `full`, as records and the command line say it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Full => "full",
        }
    }

    /// The version text of both builds is the same, so only the program's name tells them apart.
    fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if name.contains("headless") { Self::Shell } else { Self::Full }
    }
}

/// A Chromium that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The program to start.
    pub path: PathBuf,
    /// Which build it is.
    pub flavour: Flavour,
    /// The version as the program tells it, such as `Chromium 156.0.8078.114`.
    pub version: String,
}

/// Finds the chosen Chromium; `path` lists the folders of the environment's PATH.
///
/// # Errors
/// None answers: the diagnostic names every place that was looked at and what was wrong there.
pub fn find(choice: &Choice, path: &[PathBuf]) -> Result<Found, Diagnostic> {
    if let Choice::At(program) = choice {
        return ask(program, VERSION_LIMIT).map_err(|why| {
            Diagnostic::new(format!("the chosen browser `{}` cannot be used", program.display()))
                .expected("the path of a Chromium program, or one of: any, shell, full")
                .received(why)
                .hint("leave the choice out to use what is installed, or run `loupe setup` to install one")
        });
    }
    let looked = match first(candidates(choice, path)) {
        Ok(found) => return Ok(found),
        Err(looked) => looked,
    };
    let wanted = match choice {
        Choice::Shell => "a Chromium headless shell",
        Choice::Full => "a full Chromium",
        _ => "a Chromium",
    };
    Err(Diagnostic::new(format!("{wanted} was not found"))
        .expected(format!("{wanted} at one of the places below"))
        .received(looked.join("\n"))
        .hint("run `loupe setup` to install one, or name a program with `--browser PATH` (or LOUPE_BROWSER)"))
}

/// The first that answers, or what was wrong at each.
fn first(candidates: Vec<PathBuf>) -> Result<Found, Vec<String>> {
    let mut looked = Vec::new();
    for candidate in candidates {
        match ask(&candidate, VERSION_LIMIT) {
            Ok(found) => return Ok(found),
            Err(why) => looked.push(format!("{}: {why}", candidate.display())),
        }
    }
    Err(looked)
}

fn candidates(choice: &Choice, path: &[PathBuf]) -> Vec<PathBuf> {
    let build = |places: &[&str], names: &[&str]| -> Vec<PathBuf> {
        let on_path = path.iter().flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        places.iter().map(PathBuf::from).chain(on_path).collect()
    };
    let shell = || build(SHELL_PLACES, SHELL_NAMES);
    let full = || build(FULL_PLACES, FULL_NAMES);
    match choice {
        Choice::Shell => shell(),
        Choice::Full => full(),
        Choice::Any => [shell(), full()].concat(),
        Choice::At(program) => vec![program.clone()],
    }
}

/// Runs `program --version`; the error is what went wrong, in a few words.
fn ask(program: &Path, limit: Duration) -> Result<Found, String> {
    if !program.exists() {
        return Err("not there".to_owned());
    }
    let child = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // A wrapper script has children; all of them are to go when the time is up.
        .process_group(0)
        .spawn()
        .map_err(|e| format!("cannot be started: {e}"))?;
    let (text, status) = finish(child, limit)?;
    if !status.success() {
        return Err(format!("`--version` failed with {status}"));
    }
    let line = text.lines().next().unwrap_or_default();
    // Debian adds "built on …"; who built it is not part of the version.
    let version = line.split(" built on ").next().unwrap_or(line).trim();
    if !(version.to_lowercase().contains("chrom") && version.contains(|c: char| c.is_ascii_digit())) {
        return Err(format!("does not call itself a Chromium: `--version` says {version:?}"));
    }
    Ok(Found { path: program.to_owned(), flavour: Flavour::of(program), version: version.to_owned() })
}

/// What the child says, and how it ended; after the limit the child and all of its own children are killed.
fn finish(mut child: Child, limit: Duration) -> Result<(String, ExitStatus), String> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a running process has a positive id");
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let stdout = child.stdout.take().expect("stdout was asked to be piped");
        let mut bytes = Vec::new();
        // A program that closes early or says nonsense is judged by what did arrive.
        let _ = stdout.take(64 * 1024).read_to_end(&mut bytes);
        let status = child.wait();
        // Nobody listens any more once the limit has passed.
        let _ = send.send((String::from_utf8_lossy(&bytes).into_owned(), status));
    });
    match receive.recv_timeout(limit) {
        Ok((text, status)) => Ok((text, status.map_err(|e| format!("cannot be waited for: {e}"))?)),
        Err(_) => {
            // An error means that it ended by itself just now, which is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
            Err(format!("did not tell its version within {} s", limit.as_secs_f32()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program made of shell text. Another process writes it: a file that some thread of ours still holds open for
    /// writing while a second thread forks could not be started.
    fn program(folder: &Path, name: &str, body: &str) -> PathBuf {
        let path = folder.join(name);
        let script = "printf '#!/bin/sh\n%s\n' \"$1\" > \"$0\" && chmod 755 \"$0\"";
        let status = Command::new("sh").arg("-c").arg(script).arg(&path).arg(body).status().unwrap();
        assert!(status.success());
        path
    }

    #[test]
    fn a_chosen_program_is_taken_as_it_is_and_named_by_its_build() {
        let folder = tempfile::tempdir().unwrap();
        let path = program(folder.path(), "my-headless_shell", "echo 'Chromium 1.2.3 built on Debian'");
        let found = find(&Choice::At(path.clone()), &[]).unwrap();
        assert_eq!(found, Found { path, flavour: Flavour::Shell, version: "Chromium 1.2.3".to_owned() });
    }

    #[test]
    fn programs_that_do_not_answer_as_a_chromium_say_why() {
        let folder = tempfile::tempdir().unwrap();
        let why = |name: &str, body: &str| {
            let path = program(folder.path(), name, body);
            find(&Choice::At(path), &[]).unwrap_err().received.unwrap()
        };
        assert!(why("failing", "exit 3").contains("exit status: 3"));
        assert!(why("other", "echo Firefox 12").contains("says \"Firefox 12\""));
        assert!(why("silent", "true").contains("says \"\""));
        let missing = find(&Choice::At("/no/such/program".into()), &[]).unwrap_err();
        assert_eq!(missing.received.as_deref(), Some("not there"));
        let folder_itself = find(&Choice::At(folder.path().into()), &[]).unwrap_err();
        assert!(folder_itself.received.unwrap().contains("cannot be started"));
    }

    #[test]
    fn a_program_that_hangs_is_ended_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let note = folder.path().join("child");
        let path = program(folder.path(), "hanging", &format!("sleep 60 & echo $! > {}; wait", note.display()));
        assert!(ask(&path, Duration::from_millis(300)).unwrap_err().contains("0.3 s"));
        let child: i32 = std::fs::read_to_string(&note).unwrap().trim().parse().unwrap();
        let gone = || {
            let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            stat.is_empty() || stat.contains(") Z ")
        };
        let started = std::time::Instant::now();
        while !gone() {
            assert!(started.elapsed() < Duration::from_secs(5), "the child {child} outlived its group");
            std::thread::yield_now();
        }
    }

    #[test]
    fn path_is_searched_in_order_and_every_place_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = [folder.path().join("a"), folder.path().join("b")];
        path.iter().for_each(|p| std::fs::create_dir(p).unwrap());
        program(&path[0], "chromium", "exit 1");
        program(&path[1], "chromium", "echo Chromium 5");
        let on_path = |choice| {
            let mut places = candidates(&choice, &path);
            places.retain(|place| place.starts_with(&folder));
            places
        };
        assert_eq!(first(on_path(Choice::Full)).unwrap().path, path[1].join("chromium"));
        let looked = first(on_path(Choice::Shell)).unwrap_err();
        assert_eq!(looked.len(), SHELL_NAMES.len() * path.len());
        assert!(looked.iter().all(|line| line.ends_with("not there")), "{looked:?}");
        program(&path[1], "headless_shell", "echo Chromium 6");
        assert_eq!(first(on_path(Choice::Any)).unwrap().flavour, Flavour::Shell, "the shell is preferred");
    }
}
