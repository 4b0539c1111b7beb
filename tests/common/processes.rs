//! Processes that tests watch and end: a `loupe`, the browser that it started.
//!
//! Waiting is always for a condition; the bound is generous, because it only says when to give up.

use std::process::Command;
use std::time::{Duration, Instant};

/// Waits until `condition` holds.
pub fn wait_for(condition: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < until, "waited a minute for nothing");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The browser that a `loupe` started: its child with a DevTools port.
pub fn browser_of(loupe: u32) -> Option<u32> {
    let is_browser = |pid: &u32| {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains("--remote-debugging-port")
    };
    let threads = std::fs::read_dir(format!("/proc/{loupe}/task")).ok()?.flatten();
    let children = threads.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    let pids: Vec<u32> =
        children.flat_map(|c| c.split_whitespace().filter_map(|p| p.parse().ok()).collect::<Vec<_>>()).collect();
    pids.into_iter().find(is_browser)
}

/// Whether a process lives.
pub fn is_alive(pid: u32) -> bool {
    // A zombie is dead; it only waits for somebody to read its end.
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// Sends `name`, such as `KILL`, to a process that is there.
pub fn signal(name: &str, pid: u32) {
    assert!(Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().unwrap().success());
}
