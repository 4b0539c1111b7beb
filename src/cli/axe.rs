//! Where axe-core is: the exact version that `package-lock.json` pins, in the person's data folder, so that a loupe
//! started in any folder finds the same one.
//!
//! It deliberately does not look into `node_modules` folders: what lies there is some other project's choice.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde::Deserialize;

use crate::browser::Axe;
use crate::cli::environment::Environment;
use crate::cli::error::CommandError;
use crate::diag::Diagnostic;

const PACKAGE: &str = include_str!("../../package.json");
const LOCK: &str = include_str!("../../package-lock.json");

#[derive(Deserialize)]
struct Package {
    version: String,
}

/// The version that this loupe is made for.
pub fn version() -> String {
    #[derive(Deserialize)]
    struct Wanted {
        dependencies: std::collections::BTreeMap<String, String>,
    }
    let mut wanted: Wanted = serde_json::from_str(PACKAGE).expect("package.json is part of the program");
    wanted.dependencies.remove("axe-core").expect("package.json pins axe-core")
}

/// The script, where it is installed in the wanted version; else what is the matter.
pub fn find(environment: &Environment) -> Result<PathBuf, String> {
    let home = home(environment).ok_or("neither HOME nor XDG_DATA_HOME names a folder")?;
    look(&home)
}

/// The engine, ready to be put into pages; else what is the matter.
pub fn engine(environment: &Environment) -> Result<Arc<Axe>, String> {
    let path = find(environment)?;
    let source = fs::read_to_string(&path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
    Ok(Arc::new(Axe::new(source)))
}

/// Installs it by `npm ci`: in a folder of its own first, which gets its name once it is complete.
///
/// # Errors
/// npm is missing or fails, or the disk does.
pub fn install(environment: &Environment, verbose: bool) -> Result<PathBuf, CommandError> {
    let home = home(environment).ok_or_else(|| {
        CommandError::harness(Diagnostic::new("there is no folder to keep axe-core in").hint("set HOME"))
    })?;
    let npm = environment.program("npm").ok_or_else(|| {
        CommandError::harness(
            Diagnostic::new("axe-core cannot be installed: npm is not on PATH")
                .hint("install Node.js with npm (on Debian: `apt-get install npm`), then run `loupe setup`"),
        )
    })?;
    let parent = home.parent().expect("the folder was joined to another");
    fs::create_dir_all(parent).map_err(|e| CommandError::disk("create", parent, &e))?;
    let building = tempfile::Builder::new()
        .prefix("axe-core.partial-")
        .tempdir_in(parent)
        .map_err(|e| CommandError::disk("create a folder in", parent, &e))?;
    for (name, text) in [("package.json", PACKAGE), ("package-lock.json", LOCK)] {
        let path = building.path().join(name);
        fs::write(&path, text).map_err(|e| CommandError::disk("write", &path, &e))?;
    }
    npm_ci(&npm, building.path(), verbose)?;
    look(building.path())
        .map_err(|why| CommandError::harness(Diagnostic::new("npm installed no axe-core").received(why)))?;
    // What lies there is not the wanted version, or setup would not have come here.
    let _ = fs::remove_dir_all(&home);
    fs::rename(building.path(), &home).map_err(|e| CommandError::disk("create", &home, &e))?;
    Ok(script(&home))
}

fn npm_ci(npm: &Path, folder: &Path, verbose: bool) -> Result<(), CommandError> {
    let failed = |seen: String| {
        CommandError::harness(
            Diagnostic::new("`npm ci` could not install axe-core")
                .received(seen)
                .hint("check the network and npm's own settings, then run `loupe setup`"),
        )
    };
    let output = Command::new(npm)
        .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(if verbose { Stdio::inherit() } else { Stdio::piped() })
        .output()
        .map_err(|e| failed(e.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    Err(failed(format!("{}\n{}", output.status, told.trim()).trim().to_owned()))
}

fn home(environment: &Environment) -> Option<PathBuf> {
    Some(environment.data.as_ref()?.join(format!("axe-core-{}", version())))
}

fn look(home: &Path) -> Result<PathBuf, String> {
    let script = script(home);
    if !script.is_file() {
        return Err(format!("{} is not there", script.display()));
    }
    let package = script.with_file_name("package.json");
    let text = fs::read_to_string(&package).map_err(|e| format!("{}: {e}", package.display()))?;
    let seen: Package = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", package.display()))?;
    if seen.version != version() {
        return Err(format!("{} is version {}", script.display(), seen.version));
    }
    Ok(script)
}

fn script(home: &Path) -> PathBuf {
    home.join("node_modules/axe-core/axe.min.js")
}
