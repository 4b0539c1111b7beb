//! Starting Chromium so that it cannot outlive us, and so that it reaches nothing that it should not.
//!
//! The process gets its own group (a terminal's Ctrl-C must not reach it) and dies with the *thread* that started it,
//! which is why that thread does nothing else and lives as long as the browser. It deliberately knows no protocol
//! beyond the address that Chromium prints.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::error::{Error, Result};
use super::find::{Flavour, Found};
use super::profile::Profile;

/// How long Chromium may take to print its address.
const START_DEADLINE: Duration = Duration::from_secs(30);

/// Which hosts pages can reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Only these `host` or `host:port` patterns; every other name and address fails to resolve.
    Only(Vec<String>),
    /// Everything.
    All,
}

/// A running Chromium. Dropping it kills the whole process group and removes the profile.
pub struct Process {
    group: Pid,
    ended: Option<std::thread::JoinHandle<()>>,
}

/// Starts `chromium` and returns it with the address of its DevTools socket.
pub fn launch(chromium: &Found, reach: &Reach) -> Result<(Process, String)> {
    launch_within(START_DEADLINE, chromium, reach)
}

fn launch_within(deadline: Duration, chromium: &Found, reach: &Reach) -> Result<(Process, String)> {
    let profile = Profile::create().map_err(|e| Error::Launch(format!("cannot make a profile folder: {e}")))?;
    let mut command = Command::new(&chromium.path);
    command
        .args(flags(chromium.flavour, reach))
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0);
    die_with_parent(&mut command);

    let (tell, told) = mpsc::channel();
    let path = chromium.path.display().to_string();
    let ended = std::thread::Builder::new()
        .name("chromium-keeper".into())
        .spawn(move || keep(command, profile, &tell))
        .map_err(|e| Error::Launch(format!("cannot start a thread: {e}")))?;

    let mut lines = Vec::new();
    let mut group = None;
    let started = std::time::Instant::now();
    loop {
        match told.recv_timeout(deadline.saturating_sub(started.elapsed())) {
            Ok(News::Spawned(pid)) => group = Some(pid),
            Ok(News::Line(line)) => match (line.strip_prefix("DevTools listening on "), group) {
                (Some(url), Some(group)) => return Ok((Process { group, ended: Some(ended) }, url.to_owned())),
                _ => lines.push(line),
            },
            Ok(News::Failed(why)) => return Err(Error::Launch(format!("{path}: {why}"))),
            Err(end) => {
                drop(group.map(|group| Process { group, ended: Some(ended) }));
                let why = match end {
                    mpsc::RecvTimeoutError::Timeout => format!("printed no address within {deadline:?}"),
                    mpsc::RecvTimeoutError::Disconnected => "ended at once".to_owned(),
                };
                let said = match &lines[lines.len().saturating_sub(5)..] {
                    [] => "it said nothing".to_owned(),
                    tail => format!("it said:\n  {}", tail.join("\n  ")),
                };
                return Err(Error::Launch(format!("{path} {why}; {said}")));
            }
        }
    }
}

enum News {
    Spawned(Pid),
    Line(String),
    Failed(String),
}

/// The keeper's whole life: start, relay what Chromium says, wait for its end, sweep up.
fn keep(mut command: Command, profile: Profile, tell: &mpsc::Sender<News>) {
    // Nobody listens any more once the address was printed; the lines must be drained all the same.
    let say = |news| drop(tell.send(news));
    let mut child: Child = match command.spawn() {
        Ok(child) => child,
        Err(e) => return say(News::Failed(format!("cannot be run: {e}"))),
    };
    say(News::Spawned(Pid::from_child(&child)));
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).split(b'\n').map_while(std::io::Result::ok) {
            say(News::Line(String::from_utf8_lossy(&line).trim_end().to_owned()));
        }
    }
    // Waiting can only fail for a child that was already waited for.
    let _ = child.wait();
    drop(profile);
}

impl Process {
    /// Kills Chromium and everything it started.
    pub fn kill(&self) {
        // It may be gone already.
        let _ = kill_process_group(self.group, Signal::KILL);
    }

    /// The process id, which is also the group's.
    pub fn pid(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        if let Some(keeper) = self.ended.take() {
            // The keeper cannot panic; if it did, there is nothing left to sweep up.
            let _ = keeper.join();
        }
    }
}

#[expect(unsafe_code, reason = "a parent-death signal can only be set between fork and exec")]
fn die_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    // SAFETY: the closure makes two system calls and allocates nothing, as a forked child of a threaded process must.
    unsafe {
        command.pre_exec(|| {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            Ok(())
        });
    }
}

/// The command line. What is off is off because it costs time, talks to the network, or changes what a page sees.
fn flags(flavour: Flavour, reach: &Reach) -> Vec<String> {
    let mut flags: Vec<String> = [
        "--remote-debugging-port=0",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        "--disable-back-forward-cache",
        "--disable-breakpad",
        "--disable-client-side-phishing-detection",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-dev-shm-usage",
        "--disable-domain-reliability",
        "--disable-extensions",
        "--disable-field-trial-config",
        "--disable-hang-monitor",
        "--disable-ipc-flooding-protection",
        "--disable-popup-blocking",
        "--disable-prompt-on-repost",
        "--disable-quic",
        "--disable-search-engine-choice-screen",
        "--disable-sync",
        "--disable-gpu",
        "--force-color-profile=srgb",
        "--metrics-recording-only",
        "--mute-audio",
        // Without a screen there is no mouse either; to a page, a desktop has one that hovers. Phones are emulated.
        "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
        "--password-store=basic",
        // One renderer a page: frames of other sites are reached through their page, in both binaries alike.
        "--disable-site-isolation-trials",
        // The omnibox features start two more renderers for every window.
        "--disable-features=IsolateOrigins,site-per-process,WebUIOmniboxPopup,WebUIOmniboxAimPopup,PaintHolding,HttpsUpgrades,Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,BackForwardCache",
    ]
    .map(str::to_owned)
    .into();
    if flavour == Flavour::Full {
        flags.extend(["--headless=new".to_owned(), "--no-startup-window".to_owned()]);
    }
    if rustix::process::geteuid().is_root() {
        // Chromium refuses to build its sandbox as root.
        flags.push("--no-sandbox".to_owned());
    }
    if let Reach::Only(hosts) = reach {
        flags.push(format!(
            "--host-resolver-rules={} , MAP * ~NOTFOUND",
            hosts.iter().map(|h| let_through(h)).collect::<Vec<_>>().join(" , ")
        ));
    }
    flags
}

/// The resolver rule for one allowed `host` or `host:port`. Exclusions know no ports, mappings do.
fn let_through(host: &str) -> String {
    match host.rsplit_once(':') {
        // Chromium takes every name under localhost for this machine; a mapping needs an address.
        Some((name, port)) if name.ends_with("localhost") => format!("MAP {host} 127.0.0.1:{port}"),
        Some(_) => format!("MAP {host} {host}"),
        None => format!("EXCLUDE {host}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a program with this body in place of Chromium. Another process writes it: a file that a thread of
    /// ours holds open for writing while a second one forks could not be started.
    fn launched(body: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let (text, path) = (folder.path().join("text"), folder.path().join("chromium"));
        std::fs::write(&text, format!("#!/bin/sh\n{body}\n")).unwrap();
        assert!(Command::new("install").args(["-m", "755"]).arg(text).arg(&path).status().unwrap().success());
        let found = Found { path, version: String::new(), flavour: Flavour::Shell };
        launch_within(Duration::from_millis(500), &found, &Reach::All).err().unwrap().to_string()
    }

    #[test]
    fn a_browser_that_never_speaks_is_not_waited_for_forever() {
        let why = launched("exec sleep 600");
        assert!(why.ends_with("/chromium printed no address within 500ms; it said nothing"), "{why}");
    }

    #[test]
    fn a_browser_that_ends_at_once_is_quoted() {
        let why = launched("echo one >&2; echo no display >&2; exit 7");
        assert!(why.ends_with("/chromium ended at once; it said:\n  one\n  no display"), "{why}");
    }
}
