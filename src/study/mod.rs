//! A study on disk: briefs x arms x samples, judged under one protocol.
//!
//! Everything that an author can get wrong is found here, at once and with its place, so that no later room meets a
//! half-valid study. It deliberately runs nothing, serves nothing, and does not understand locators or scripts.

mod artifact;
mod brief;
mod digest;
mod discover;
mod evaluator;
mod facts;
mod hook;
mod imports;
mod library;
mod mention;
mod pattern;
mod provenance;
mod settings;
mod target;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::diag::Diagnostic;
use crate::protocol::{Protocol, Viewport};
use crate::sheet::{Mistakes, Text};

pub use artifact::{Artifact, PROVENANCE, Site, sidecars};
pub use brief::Brief;
pub use digest::sha256;
pub use hook::Hook;
pub use library::{Library, Script};
pub use provenance::{Asset, Provenance};
pub use settings::{Arm, Network, NetworkMode, Timeouts};
pub use target::target;

/// A study that was read whole and found free of mistakes.
#[derive(Debug, Clone)]
pub struct Study {
    /// What people call it.
    pub name: String,
    /// The folder that holds `loupe.toml`; none where a target is examined alone.
    pub root: Option<PathBuf>,
    /// How its artifacts are to be examined.
    pub protocol: Protocol,
    /// The viewports of every brief that names none of its own.
    pub viewports: Vec<Viewport>,
    /// What artifacts may reach.
    pub network: Network,
    /// How long things may take.
    pub timeouts: Timeouts,
    /// What generates, by id.
    pub arms: BTreeMap<String, Arm>,
    /// What was asked, by id.
    pub briefs: BTreeMap<String, Brief>,
    /// The sites under examination, ordered by brief, arm and sample.
    pub artifacts: Vec<Artifact>,
    /// Where its scripts come from.
    pub library: Library,
}

impl Study {
    /// Reads the study in the folder `path`, or whose `loupe.toml` is `path`.
    ///
    /// # Errors
    /// Every mistake that could be found in one look, in the order of the files.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let root = folder_of(path).map_err(|mistake| vec![mistake])?;
        let mistakes = Mistakes::default();
        let study = Self::read(root, &mistakes);
        match study {
            Some(study) if mistakes.is_empty() => Ok(study),
            _ => Err(mistakes.into_vec()),
        }
    }

    fn read(root: &Path, mistakes: &Mistakes) -> Option<Self> {
        let text = mistakes.keep(Text::read(&root.join("loupe.toml"), "loupe.toml").map_err(|mut d| {
            d.hints.push("a study is a folder with a loupe.toml".to_owned());
            d
        }))?;
        let settings = settings::read(&text, mistakes);
        let library = Library::of_study(root);
        let folders = brief_folders(root, mistakes);
        let read = |id: &String| Brief::read(root, id, &library, mistakes).map(|brief| (id.clone(), brief));
        let mut briefs: BTreeMap<String, Brief> = folders.iter().filter_map(read).collect();

        let settings = settings?;
        let protocol = Protocol::find(&settings.protocol, root, mistakes);
        let artifacts = discover::artifacts(root, &settings, &folders, mistakes);
        let protocol = protocol?;
        let viewports = if settings.viewports.is_empty() { protocol.viewports.clone() } else { settings.viewports };
        for brief in briefs.values_mut().filter(|brief| brief.viewports.is_empty()) {
            brief.viewports.clone_from(&viewports);
        }
        Some(Self {
            name: settings.name.value,
            root: Some(root.to_owned()),
            protocol,
            viewports,
            network: settings.network,
            timeouts: settings.timeouts,
            arms: settings.arms,
            briefs,
            artifacts,
            library,
        })
    }
}

/// The folder of the study that `path` names.
fn folder_of(path: &Path) -> Result<&Path, Diagnostic> {
    let shown = path.display().to_string();
    let wanted = |mistake: Diagnostic| mistake.expected("a folder with a loupe.toml");
    let one_page = format!("`loupe capture {shown} -o DIR` freezes one page, `loupe repl {shown}` explores it");
    if path.to_str().is_some_and(target::is_url) {
        let mistake = Diagnostic::new(format!("`{shown}` is a web address, not a study"));
        return Err(wanted(mistake).hint(one_page));
    }
    // The error says more than `exists` would: a part of the path may be a file, or not permitted.
    let meta = path.metadata().map_err(|e| wanted(crate::sheet::unreadable(path, &shown, &e)))?;
    if meta.is_dir() {
        return Ok(path);
    }
    if path.file_name().is_some_and(|name| name == "loupe.toml") {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return Ok(folder.unwrap_or(Path::new(".")));
    }
    let mistake = wanted(Diagnostic::new(format!("`{shown}` is not a study"))).received("another kind of file");
    Err(if artifact::is_page(path) { mistake.hint(one_page) } else { mistake })
}

/// The ids of the briefs: the names of the folders in `briefs/`, sorted.
fn brief_folders(root: &Path, mistakes: &Mistakes) -> Vec<String> {
    let folder = root.join("briefs");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) => {
            mistakes.add(
                crate::sheet::unreadable(&folder, "briefs", &e)
                    .hint("a study keeps each brief in briefs/<id>/brief.toml"),
            );
            return Vec::new();
        }
    };
    let is_brief =
        |entry: &fs::DirEntry| entry.path().is_dir() && !entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut ids: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(is_brief)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    ids.sort();
    if ids.is_empty() {
        mistakes.add(
            Diagnostic::new("the study has no briefs")
                .hint("put what was asked into briefs/<id>/ (brief.toml, brief.md)"),
        );
    }
    ids
}
