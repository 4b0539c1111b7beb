//! The sandbox in which tests run the `loupe` program: a folder and an environment of its own.
//!
//! It deliberately knows nothing of studies: tests write the files they need.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]
#![allow(dead_code, reason = "every test binary has its own copy of this module and uses a part of it")]

pub mod processes;
pub mod small;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A temporary folder in which `loupe` is run; gone when dropped.
pub struct Sandbox {
    folder: tempfile::TempDir,
}

/// What a finished program left.
#[derive(Debug)]
pub struct Told {
    /// The exit code; -1 where a signal ended it.
    pub code: i32,
    /// stdout, with the sandbox's folder written as `$TMP`.
    pub stdout: String,
    /// stderr, likewise.
    pub stderr: String,
}

impl Sandbox {
    /// An empty one.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("loupe-test-").tempdir().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        Self { folder }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file below the folder.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a shell program into the folder `bin`, which is the first of the sandbox's PATH. Another process writes
    /// it: a file that a thread of ours holds open for writing while a second one forks could not be started.
    pub fn program(&self, name: &str, body: &str) {
        let text = self.write(&format!("{name}.txt"), &format!("#!/bin/sh\n{body}\n"));
        fs::create_dir_all(self.path().join("bin")).unwrap();
        let to = self.path().join("bin").join(name);
        assert!(Command::new("install").args(["-m", "755"]).arg(text).arg(to).status().unwrap().success());
    }

    /// `loupe` with these arguments, ready to be changed and run: it sees nothing of the tests' own environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
        command
            .args(arguments)
            .current_dir(self.path())
            .env_clear()
            .env("PATH", format!("{}/bin:/usr/local/bin:/usr/bin:/bin", self.path().display()))
            .env("HOME", self.path().join("home"))
            .env("LANG", "C.UTF-8")
            .env("COLUMNS", "100")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    /// Runs `loupe` with these arguments to its end.
    pub fn loupe(&self, arguments: &[&str]) -> Told {
        self.finish(self.command(arguments))
    }

    /// Runs a command of [`Self::command`] to its end.
    pub fn finish(&self, mut command: Command) -> Told {
        let output = command.output().unwrap();
        Told {
            code: output.status.code().unwrap_or(-1),
            stdout: self.normal(&output.stdout),
            stderr: self.normal(&output.stderr),
        }
    }

    /// Text as it would be in any other sandbox.
    pub fn normal(&self, bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).replace(&self.path().display().to_string(), "$TMP")
    }
}

/// Where the tests' own environment has axe-core; `loupe setup` puts it there.
pub fn axe() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share"))).unwrap();
    let text = fs::read_to_string(repository().join("package.json")).unwrap();
    let package: serde_json::Value = serde_json::from_str(&text).unwrap();
    let version = package["dependencies"]["axe-core"].as_str().unwrap();
    let script = data.join(format!("loupe/axe-core-{version}/node_modules/axe-core/axe.min.js"));
    assert!(script.is_file(), "this test needs {}: run `loupe setup`", script.display());
    script
}

/// The repository's own folder.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
