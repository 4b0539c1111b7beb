//! What the environment says: the folders of PATH, the home folder, where loupe keeps what it installed.
//!
//! It deliberately is the only file that asks for environment variables; clap reads the `LOUPE_*` ones of options.

use std::path::PathBuf;

/// The environment of this process, read once.
#[derive(Debug, Clone)]
pub struct Environment {
    /// The folders of PATH, in order.
    pub path: Vec<PathBuf>,
    /// The person's home folder; absent in some containers and services.
    pub home: Option<PathBuf>,
    /// The folder for data that belongs to the person, not to a study: `$XDG_DATA_HOME/loupe`, else
    /// `~/.local/share/loupe`; absent where there is neither.
    pub data: Option<PathBuf>,
}

impl Environment {
    /// Reads it.
    pub fn read() -> Self {
        let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let path = std::env::var_os("PATH").unwrap_or_default();
        let home = folder("HOME");
        let data = folder("XDG_DATA_HOME").or_else(|| Some(home.as_ref()?.join(".local/share")));
        Self { path: std::env::split_paths(&path).collect(), home, data: data.map(|data| data.join("loupe")) }
    }

    /// The program `name` on PATH.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        self.path.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
    }
}
