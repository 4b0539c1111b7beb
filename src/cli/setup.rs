//! `loupe setup`: installs what `doctor` misses, by apt-get and npm.
//!
//! It deliberately never asks for a password: who may not install packages is told the line to run.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::browser::find::Choice;
use crate::cli::environment::Environment;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::machine::{self, Finding, Thing};
use crate::cli::terminal::{Loudness, Terminal};
use crate::cli::{axe, doctor};
use crate::diag::Diagnostic;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let findings = prepare(terminal);
    terminal.result(doctor::table(&findings))?;
    Ok(doctor::verdict(&findings))
}

/// Installs what is missing and says what is there now. What could not be installed was told as a warning, with what
/// to do; whether that matters is up to the caller.
pub(super) fn prepare(terminal: &mut Terminal) -> Vec<Finding> {
    let environment = Environment::read();
    let before = machine::inspect(&environment, &Choice::Any);
    let missing: Vec<Thing> = before.iter().filter(|f| !f.found).map(|f| f.thing).collect();
    if missing.is_empty() {
        return before;
    }
    let mut trouble = Vec::new();
    if missing.iter().any(|thing| !thing.packages().is_empty()) {
        trouble.extend(install_packages(&missing, &environment, terminal).err());
    }
    if missing.contains(&Thing::Axe) {
        terminal.note(format_args!("installing axe-core {} …", axe::version()));
        trouble.extend(axe::install(&environment, terminal.loudness() == Loudness::Verbose).err());
    }
    for diagnostic in trouble.iter().flat_map(|stopped| &stopped.diagnostics) {
        terminal.warning(diagnostic);
    }
    machine::inspect(&environment, &Choice::Any)
}

fn install_packages(missing: &[Thing], environment: &Environment, terminal: &mut Terminal) -> Result<(), CommandError> {
    let wanted: Vec<&[&str]> = missing.iter().map(|thing| thing.packages()).filter(|p| !p.is_empty()).collect();
    let Some(apt_get) = environment.program("apt-get") else {
        let things: Vec<&str> = missing.iter().filter(|t| !t.packages().is_empty()).map(|t| t.name()).collect();
        return Err(CommandError::harness(
            Diagnostic::new(format!("cannot install {}: there is no apt-get on PATH", things.join(", ")))
                .hint("install them by this system's own means, then run `loupe doctor`"),
        ));
    };
    if !rustix::process::geteuid().is_root() {
        let packages: Vec<&str> = wanted.iter().map(|packages| packages[0]).collect();
        return Err(CommandError::harness(
            Diagnostic::new("packages can only be installed by root")
                .hint(format!("run: sudo apt-get update && {}", machine::install_line(&packages.join(" ")))),
        ));
    }
    apt(&apt_get, &["update"], terminal)?;
    for packages in wanted {
        install_one_of(packages, &apt_get, terminal)?;
    }
    Ok(())
}

/// Installs the first package that this release of the distribution has.
fn install_one_of(packages: &[&str], apt_get: &Path, terminal: &mut Terminal) -> Result<(), CommandError> {
    let mut last = Ok(());
    for package in packages {
        last = apt(apt_get, &["install", "-y", "--no-install-recommends", package], terminal);
        if last.is_ok() {
            break;
        }
    }
    last
}

fn apt(apt_get: &Path, arguments: &[&str], terminal: &mut Terminal) -> Result<(), CommandError> {
    let line = format!("apt-get {}", arguments.join(" "));
    terminal.note(format_args!("{line} …"));
    let failed = |seen: String| {
        CommandError::harness(
            Diagnostic::new(format!("`{line}` failed")).received(seen).hint("run it by hand to see what is the matter"),
        )
    };
    let mut command = Command::new(apt_get);
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    if terminal.loudness() == Loudness::Verbose {
        // apt tells its story on stdout, which is for results only.
        command.stdout(std::io::stderr()).stderr(Stdio::inherit());
    }
    let output = command.output().map_err(|e| failed(e.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(failed(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim()).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use anstream::ColorChoice;

    use super::*;

    /// An environment whose apt-get has only the packages named in `has`, and what it was asked for.
    fn install(missing: &[Thing], has: &str) -> (Result<(), CommandError>, String) {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let body = format!(
            "#!/bin/sh\necho \"$@\" >> {}\n[ $1 = update ] && exit 0\ncase ' {has} ' in *\" $4 \"*) ;; *) echo E: none; exit 100;; esac",
            log.display()
        );
        // Another process writes the program: see the tests of `browser::find`.
        let write = "cat > \"$0\" && chmod 755 \"$0\"";
        let mut shell = Command::new("sh")
            .args(["-c", write])
            .arg(folder.path().join("apt-get"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut shell.stdin.take().unwrap(), body.as_bytes()).unwrap();
        assert!(shell.wait().unwrap().success());
        let environment = Environment { path: vec![folder.path().into()], home: None, data: None };
        let mut terminal = Terminal::new(ColorChoice::Never, Loudness::Quiet);
        let result = install_packages(missing, &environment, &mut terminal);
        (result, fs::read_to_string(&log).unwrap_or_default())
    }

    #[test]
    fn packages_are_installed_by_root_and_named_to_others() {
        let (result, asked) =
            install(&[Thing::Browser, Thing::EmojiFont, Thing::Axe], "chromium fonts-noto-color-emoji");
        if !rustix::process::geteuid().is_root() {
            let hint = &result.unwrap_err().diagnostics[0].hints[0];
            assert!(hint.contains("chromium-headless-shell fonts-noto-color-emoji"), "{hint}");
            return;
        }
        result.unwrap();
        let packages: Vec<_> = asked.lines().filter_map(|line| line.split(' ').nth(3)).collect();
        assert_eq!(packages, ["chromium-headless-shell", "chromium", "fonts-noto-color-emoji"], "{asked}");
        assert!(asked.starts_with("update\n"));
    }

    #[test]
    fn a_failing_or_missing_apt_get_is_a_harness_error() {
        let stopped = install(&[Thing::TextFont], "").0.unwrap_err();
        assert_eq!(stopped.exit, Exit::Harness);
        let none = Environment { path: Vec::new(), home: None, data: None };
        let mut terminal = Terminal::new(ColorChoice::Never, Loudness::Quiet);
        let stopped = install_packages(&[Thing::TextFont], &none, &mut terminal).unwrap_err();
        assert_eq!(stopped.diagnostics[0].title, "cannot install text font: there is no apt-get on PATH");
    }
}
