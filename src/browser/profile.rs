//! A profile folder per browser, removed with it; and removed at the next start if we were killed before we could.
//!
//! It deliberately never touches a folder whose owner is alive.

use std::io;
use std::path::Path;

const PREFIX: &str = "loupe-profile-";

/// A profile folder that is removed when dropped.
pub struct Profile {
    folder: tempfile::TempDir,
}

impl Profile {
    /// Makes a new folder, after sweeping away those whose owners are dead.
    pub fn create() -> io::Result<Self> {
        let home = tempfile::env::temp_dir();
        sweep(&home);
        let prefix = format!("{PREFIX}{}-", std::process::id());
        Ok(Self { folder: tempfile::Builder::new().prefix(&prefix).tempdir_in(home)? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn sweep(home: &Path) {
    let Ok(entries) = std::fs::read_dir(home) else { return };
    for stale in entries.flatten().map(|e| e.path()).filter(|p| is_stale(p)) {
        // Another loupe may be sweeping at the same moment; what is left is swept next time.
        let _ = std::fs::remove_dir_all(stale);
    }
}

fn is_stale(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let Some(owner) = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()) else { return false };
    let Some(pid) = owner.parse().ok().and_then(rustix::process::Pid::from_raw) else { return false };
    matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}
