//! Digests of what a run used, so that a later edit cannot change what its record means.
//!
//! A digest says whether two inputs are the same, nothing else. It deliberately ignores times, owners and modes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use super::artifact::{PROVENANCE, sidecars};
use super::{Artifact, Study};
use crate::diag::Diagnostic;
use crate::record::Inputs;
use crate::sheet::unreadable;

impl Study {
    /// The digests of everything that a run over `artifacts` depends on, by a name relative to the study.
    ///
    /// # Errors
    /// One diagnostic for each input that cannot be read.
    pub fn inputs<'a>(
        &self,
        artifacts: impl IntoIterator<Item = &'a Artifact>,
    ) -> Result<BTreeMap<String, String>, Vec<Diagnostic>> {
        let mut inputs = BTreeMap::new();
        let mut mistakes = Vec::new();
        let mut add = |name: String, digest: Result<String, Diagnostic>| match digest {
            Ok(digest) => drop(inputs.insert(name, digest)),
            Err(mistake) => mistakes.push(mistake),
        };
        // A target alone has no words of an author around it.
        if let Some(root) = &self.root {
            self.written(root, &mut add);
        }
        for artifact in artifacts {
            let name = Inputs::name_of(artifact.names());
            if let Some(path) = artifact.place.provenance().filter(|path| path.exists()) {
                add(format!("{name}/{PROVENANCE}"), file(&path));
            }
            if let Some(original) = artifact.place.original().filter(|_| artifact.is_repaired()) {
                add(format!("{name}/original"), original.digest());
            }
            add(name, artifact.digest());
        }
        if mistakes.is_empty() { Ok(inputs) } else { Err(mistakes) }
    }

    /// What the study's author wrote in `root`.
    fn written(&self, root: &Path, add: &mut impl FnMut(String, Result<String, Diagnostic>)) {
        add("loupe.toml".to_owned(), file(&root.join("loupe.toml")));
        for brief in self.briefs.values() {
            let folder = format!("briefs/{}", brief.id);
            add(format!("{folder}/brief.toml"), file(&root.join(&folder).join("brief.toml")));
            add(format!("{folder}/brief.md"), Ok(sha256(brief.text.as_bytes())));
            add(format!("{folder}/facts"), Ok(sha256(brief.facts_text.as_bytes())));
            for flow in &brief.flows {
                match self.library.imports(flow) {
                    Ok(imports) => {
                        for script in imports.iter().chain([flow]) {
                            add(script.shown.clone(), Ok(sha256(script.text.as_bytes())));
                        }
                    }
                    Err(mistake) => add(flow.shown.clone(), Err(mistake)),
                }
            }
        }
        // A flow may import any of them.
        if root.join("scripts").is_dir() {
            add("scripts".to_owned(), tree(&root.join("scripts")));
        }
    }
}

/// The SHA-256 of `bytes`, as plain hex.
pub fn sha256(bytes: &[u8]) -> String {
    hex(Sha256::new_with_prefix(bytes))
}

/// The digest of a folder: of the sorted relative paths of its files, and what is in each.
///
/// A symbolic link counts as the path it holds. What it leads to inside the folder is counted under its own name, and
/// what it leads to outside is never served.
pub(super) fn tree(folder: &Path) -> Result<String, Diagnostic> {
    let mut hasher = Sha256::new();
    add_tree(&mut hasher, folder)?;
    Ok(hex(hasher))
}

/// The digest of a single page and its sidecars.
pub(super) fn page(page: &Path) -> Result<String, Diagnostic> {
    let mut hasher = Sha256::new();
    hasher.update(file(page)?);
    for folder in sidecars(page).iter().filter(|folder| folder.is_dir()) {
        add_tree(&mut hasher, folder)?;
    }
    Ok(hex(hasher))
}

fn add_tree(hasher: &mut Sha256, folder: &Path) -> Result<(), Diagnostic> {
    // The folder itself may be a link; only what is below it is taken literally.
    let folder = folder.canonicalize().map_err(|e| unreadable(folder, &folder.display().to_string(), &e))?;
    for entry in WalkDir::new(&folder).min_depth(1).sort_by_file_name() {
        let entry = entry
            .map_err(|e| Diagnostic::new(format!("`{}` cannot be read: {e}", e.path().unwrap_or(&folder).display())))?;
        let path = entry.path();
        let name = path.strip_prefix(&folder).expect("the walk stays below its start").as_os_str().as_bytes();
        if entry.depth() == 1 && name == PROVENANCE.as_bytes() {
            continue;
        }
        let content = match entry.file_type() {
            kind if kind.is_file() => file(path)?,
            kind if kind.is_symlink() => {
                let target = fs::read_link(path).map_err(|e| unreadable(path, &path.display().to_string(), &e))?;
                format!("-> {}", sha256(target.as_os_str().as_bytes()))
            }
            _ => continue,
        };
        // Both end in something that cannot be in them, so that no two trees are written alike.
        hasher.update(name);
        hasher.update([0]);
        hasher.update(content);
        hasher.update([b'\n']);
    }
    Ok(())
}

fn file(path: &Path) -> Result<String, Diagnostic> {
    let digest = || -> io::Result<String> {
        let mut hasher = Sha256::new();
        let mut file = File::open(path)?;
        let mut block = [0; 16 * 1024];
        loop {
            match file.read(&mut block)? {
                0 => return Ok(hex(hasher)),
                size => hasher.update(&block[..size]),
            }
        }
    };
    digest().map_err(|e| unreadable(path, &path.display().to_string(), &e))
}

fn hex(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
