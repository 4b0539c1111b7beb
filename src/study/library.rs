//! The library of scripts: the study's own `scripts/`, then the shipped ones, which are part of the program.
//!
//! A name is a path below one of the two, never out of it. It deliberately does not compile anything.

use std::fs;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use super::evaluator::evaluator;
use crate::diag::{Diagnostic, did_you_mean};
use crate::sheet::Text;

/// The shipped scripts. A test compares the list with the folder `scripts/`.
const SHIPPED: [(&str, &str); 9] = [
    ("cohort/access.rhai", include_str!("../../scripts/cohort/access.rhai")),
    ("cohort/arrive.rhai", include_str!("../../scripts/cohort/arrive.rhai")),
    ("cohort/find.rhai", include_str!("../../scripts/cohort/find.rhai")),
    ("cohort/keep.rhai", include_str!("../../scripts/cohort/keep.rhai")),
    ("cohort/list.rhai", include_str!("../../scripts/cohort/list.rhai")),
    ("cohort/read.lua", include_str!("../../scripts/cohort/read.lua")),
    ("forma/flow.lua", include_str!("../../scripts/forma/flow.lua")),
    ("inbox/flow.rhai", include_str!("../../scripts/inbox/flow.rhai")),
    ("magazine/flow.rhai", include_str!("../../scripts/magazine/flow.rhai")),
];

/// Where scripts come from.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// The study's own scripts, if it has any.
    own: Option<PathBuf>,
}

/// A script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The name it was asked for by, as in `magazine/flow.rhai`.
    pub name: String,
    /// The name under which people find it: `scripts/magazine/flow.rhai`, or `shipped:magazine/flow.rhai`.
    pub shown: String,
    /// The version of the evaluator, as its header tells it.
    pub evaluator: Option<u32>,
    /// What it says.
    pub text: String,
}

impl Library {
    /// The shipped scripts alone.
    pub fn shipped() -> Self {
        Self::default()
    }

    /// The scripts of the study in `root`, and the shipped ones.
    pub fn of_study(root: &Path) -> Self {
        Self { own: root.join("scripts").canonicalize().ok().filter(|path| path.is_dir()) }
    }

    /// The script called `name`, which includes its extension.
    ///
    /// # Errors
    /// A diagnostic for a name that leads out of the library, or that nothing has; with a place, for a script whose
    /// header is wrong.
    pub fn find(&self, name: &str) -> Result<Script, Diagnostic> {
        let is_inside = |component| matches!(component, Component::Normal(_));
        if name.is_empty() || name.contains(['\\', '\0']) || !Path::new(name).components().all(is_inside) {
            return Err(Diagnostic::new(format!("`{name}` leads out of the scripts"))
                .expected("a path below scripts/, as in magazine/flow.rhai"));
        }
        if !is_script(name) {
            return Err(
                Diagnostic::new(format!("`{name}` is not named like a script")).expected("NAME.rhai or NAME.lua")
            );
        }
        if let Some(script) = self.find_own(name)? {
            return Ok(script);
        }
        match SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            Some((_, text)) => Script::new(name, format!("shipped:{name}"), (*text).to_owned()),
            None => Err(self.unknown(name)),
        }
    }

    /// The names of all scripts, sorted.
    pub fn names(&self) -> Vec<String> {
        let own = self.own.iter().flat_map(|own| {
            let name = move |path: &Path| Some(path.strip_prefix(own).ok()?.to_str()?.to_owned());
            let files = WalkDir::new(own).into_iter().filter_map(Result::ok);
            files.filter(|entry| entry.path().is_file()).filter_map(move |entry| name(entry.path()))
        });
        let mut names: Vec<String> =
            own.chain(SHIPPED.iter().map(|(name, _)| (*name).to_owned())).filter(|name| is_script(name)).collect();
        names.sort();
        names.dedup();
        names
    }

    fn find_own(&self, name: &str) -> Result<Option<Script>, Diagnostic> {
        let Some(own) = &self.own else { return Ok(None) };
        let path = own.join(name);
        if fs::symlink_metadata(&path).is_err() {
            return Ok(None);
        }
        let shown = format!("scripts/{name}");
        if path.canonicalize().is_ok_and(|real| !real.starts_with(own)) {
            return Err(Diagnostic::new(format!("`{shown}` is a symbolic link that leads out of the scripts")));
        }
        let Text { name: shown, body: text } = Text::read(&path, shown)?;
        Script::new(name, shown, text).map(Some)
    }

    fn unknown(&self, name: &str) -> Diagnostic {
        let names = self.names();
        let mistake = Diagnostic::new(format!("there is no script `{name}`"))
            .expected("a script in the study's scripts/, or a shipped one");
        match did_you_mean(name, names.iter().map(String::as_str)) {
            Some(near) => mistake.hint(format!("did you mean `{near}`?")),
            None if names.is_empty() => mistake,
            None => mistake.hint(format!("there are {}", names.join(", "))),
        }
    }
}

impl Script {
    fn new(name: &str, shown: String, text: String) -> Result<Self, Diagnostic> {
        Ok(Self { name: name.to_owned(), evaluator: evaluator(&shown, &text)?, shown, text })
    }
}

/// Whether a file is a script; `.d.lua` files only tell editors what there is.
fn is_script(name: &str) -> bool {
    !name.ends_with(".d.lua")
        && Path::new(name).extension().is_some_and(|extension| extension == "rhai" || extension == "lua")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_of_the_repository_is_shipped() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
        let repository = Library { own: folder.is_dir().then_some(folder) };
        assert_eq!(Library::shipped().names(), repository.names(), "add the missing ones to SHIPPED");
    }

    #[test]
    fn every_shipped_script_tells_its_version() {
        let shipped = Library::shipped();
        for name in shipped.names() {
            assert!(shipped.find(&name).unwrap().evaluator.is_some(), "{name} has no `evaluator: N` in its header");
        }
    }
}
