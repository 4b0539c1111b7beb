//! Which words an artifact's own files contain: whether it says of a hook that it has it.
//!
//! A hook that an artifact mentions and does not show is behaviour to be judged; one that it never mentions is a broken
//! contract. This room deliberately understands no HTML or script: a word is looked for as it is written.

use std::collections::BTreeSet;
use std::path::Path;

use walkdir::WalkDir;

use super::artifact::{Artifact, Site, sidecars};

/// Larger files are pictures, fonts or films, not where hooks are written.
const MOST_BYTES: u64 = 8 << 20;

impl Artifact {
    /// Those of `words` that stand in its files. An artifact that is only an address has none that we can read.
    pub fn mentions<'a>(&self, words: &[&'a str]) -> BTreeSet<&'a str> {
        let places = match &self.place {
            Site::Folder(folder) => vec![folder.clone()],
            Site::File(page) => std::iter::once(page.clone()).chain(sidecars(page)).collect(),
            Site::Url(_) => Vec::new(),
        };
        let mut found = BTreeSet::new();
        for file in places.iter().flat_map(|place| WalkDir::new(place).into_iter().flatten()) {
            let small = file.metadata().is_ok_and(|m| m.is_file() && m.len() <= MOST_BYTES);
            if found.len() < words.len() && small {
                found.extend(in_file(file.path(), words));
            }
        }
        found
    }
}

fn in_file<'a>(path: &Path, words: &[&'a str]) -> Vec<&'a str> {
    // A file that cannot be read is told where it is served; here it only mentions nothing.
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    words.iter().copied().filter(|word| text.contains(word)).collect()
}
