//! A target without a study: a folder, a page or an address given on the command line.
//!
//! It deliberately looks for no `loupe.toml`; a caller that wants a study loads one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::artifact::{Artifact, Site, is_page, start_page};
use super::{Arm, Brief, Library, Network, Provenance, Study, Timeouts};
use crate::diag::Diagnostic;
use crate::protocol::Protocol;
use crate::sheet::Mistakes;

/// The brief of which a target is: nothing was asked.
const BRIEF: &str = "target";

/// The artifact at `target`: an address, a folder with a page, or a page. Its arm is named after it.
///
/// # Errors
/// A diagnostic when there is no such thing, or nothing that can be opened.
pub fn target(target: &str) -> Result<Artifact, Diagnostic> {
    if is_url(target) {
        let host = target.split_once("://").map_or(target, |(_, rest)| rest).split(['/', '?', '#']).next();
        return artifact(host.unwrap_or(target), Site::Url(target.to_owned()), target.to_owned());
    }
    let path = Path::new(target);
    let meta = path.metadata().map_err(|e| {
        crate::sheet::unreadable(path, target, &e).hint("a target is a folder, an .html file, or a web address")
    })?;
    // `.` and `..` have no name of their own.
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = full.file_name().map_or_else(|| target.to_owned(), |name| name.to_string_lossy().into_owned());
    if meta.is_dir() {
        let start = start_page(path, target)?;
        return artifact(&name, Site::Folder(path.to_owned()), start);
    }
    if !meta.is_file() || !is_page(path) {
        return Err(Diagnostic::new(format!("`{target}` is not a page"))
            .expected("a folder, an .html file, or a web address")
            .received(if meta.is_file() { "another kind of file" } else { "neither a file nor a folder" }));
    }
    artifact(&name, Site::File(path.to_owned()), "/".to_owned())
}

impl Study {
    /// The study that `target` alone is: captured at the viewports of the usual protocol, with no brief to speak of.
    pub fn of_target(target: Artifact) -> Self {
        let protocol = Protocol::usual();
        let viewports = protocol.viewports.clone();
        let brief = Brief {
            id: BRIEF.to_owned(),
            version: String::new(),
            title: String::new(),
            condition: None,
            text: String::new(),
            facts: serde_json::Value::Null,
            facts_text: String::new(),
            hooks: BTreeMap::new(),
            params: serde_json::json!({}),
            flows: Vec::new(),
            viewports: viewports.clone(),
        };
        Self {
            name: target.arm.clone(),
            root: None,
            protocol,
            viewports,
            network: Network::default(),
            timeouts: Timeouts::default(),
            arms: [(target.arm.clone(), Arm { label: target.arm.clone() })].into(),
            briefs: [(BRIEF.to_owned(), brief)].into(),
            artifacts: vec![target],
            library: Library::shipped(),
        }
    }
}

/// Whether `text` is a web address, rather than a path.
pub(super) fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '[') && !rest.contains(' '))
}

fn artifact(arm: &str, place: Site, start: String) -> Result<Artifact, Diagnostic> {
    let mistakes = Mistakes::default();
    let path = place.provenance();
    let read =
        |path: &PathBuf| Provenance::read(path, path.display().to_string(), place.original().as_ref(), &mistakes);
    let provenance = path.as_ref().and_then(read);
    match mistakes.into_vec().into_iter().next() {
        Some(mistake) => Err(mistake),
        None => {
            let (brief, sample) = (BRIEF.to_owned(), "1".to_owned());
            Ok(Artifact { arm: arm.to_owned(), brief, sample, place, start, provenance })
        }
    }
}
