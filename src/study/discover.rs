//! Finding artifacts: walking the study along the pattern, and checking what was found.
//!
//! It deliberately lists only the folders that the pattern leads through, and opens no file but provenance.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::artifact::{Artifact, Site, is_page, sidecars, start_page};
use super::pattern::{Binding, Hole, Pattern, Segment};
use super::provenance::Provenance;
use super::settings::Settings;
use crate::diag::{Diagnostic, Place, did_you_mean};
use crate::sheet::{Found, Mistakes, unreadable};

/// All artifacts of the study in `root`, ordered by brief, arm and sample; `briefs` are the ids that exist.
pub(super) fn artifacts(root: &Path, settings: &Settings, briefs: &[String], mistakes: &Mistakes) -> Vec<Artifact> {
    let mut search = Search { root, settings, briefs, mistakes, found: BTreeMap::new(), reported: BTreeSet::new() };
    if let Some(pattern) = &settings.pattern {
        search.along(pattern);
    }
    for remote in &settings.remote {
        let binding = Binding {
            arm: Some(remote.arm.clone()),
            brief: Some(remote.brief.clone()),
            sample: Some(remote.sample.clone()),
        };
        if let Some(key) = search.known(&binding, &remote.place, &remote.url) {
            search.add(key, Site::Url(remote.url.clone()), remote.url.clone(), &remote.place);
        }
    }
    search.found.into_values().collect()
}

/// Orders samples as people count: 2 before 10.
type Key = (String, String, u64, String);

struct Search<'a> {
    root: &'a Path,
    settings: &'a Settings,
    briefs: &'a [String],
    mistakes: &'a Mistakes,
    found: BTreeMap<Key, Artifact>,
    /// Arms and briefs that were reported as unknown, to say it once and not for every sample.
    reported: BTreeSet<(&'static str, String)>,
}

impl Search<'_> {
    fn along(&mut self, pattern: &Found<Pattern>) {
        let mut ends = BTreeMap::new();
        walk(self.root, &pattern.value.segments, &[Binding::default()], self.mistakes, &mut ends);
        if ends.is_empty() && self.mistakes.is_empty() {
            self.mistakes.add(
                Diagnostic::new("no artifacts found")
                    .at(pattern.place.clone())
                    .expected("folders with an index.html, or .html files, at this pattern")
                    .received(format!("nothing that matches below {}", self.root.display())),
            );
        }
        if !pattern.value.has(Hole::Brief) && self.briefs.len() != 1 {
            self.mistakes.add(
                Diagnostic::new("the pattern of the artifacts has no {brief}")
                    .at(pattern.place.clone())
                    .expected("{brief}, unless the study has one brief only")
                    .received(pattern.value.text.as_str()),
            );
            return;
        }
        let root = self.root;
        let shown = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
        let sites = ends.into_iter().map(|(path, bindings)| (page_or_folder(&path, &shown(&path)), path, bindings));
        let sites: Vec<_> = sites.collect();
        let originals: Vec<Site> = sites.iter().filter_map(|(site, ..)| site.as_ref().ok()?.0.original()).collect();
        // What a repaired artifact keeps beside it is no sample.
        let is_sample =
            |found: &Result<(Site, String), _>| found.as_ref().ok().is_none_or(|(s, _)| !originals.contains(s));
        for (found, path, bindings) in sites.into_iter().filter(|(found, ..)| is_sample(found)) {
            let shown = shown(&path);
            let binding = self.best(&bindings);
            let Some(key) = self.known(binding, &pattern.place, &shown) else { continue };
            let (site, start) = match found {
                Ok(found) => found,
                Err(mistake) => {
                    self.mistakes.add(mistake.at(pattern.place.clone()));
                    continue;
                }
            };
            self.add(key, site, start, &pattern.place);
        }
    }

    /// The reading of a path whose arm and brief exist; of several, the one with the longest arm, so that `a-b-1` is of
    /// arm `a-b` although there is an arm `a`.
    fn best<'b>(&self, bindings: &'b [Binding]) -> &'b Binding {
        let exists = |binding: &&Binding| {
            binding.arm.as_ref().is_some_and(|arm| self.settings.arms.contains_key(arm))
                && binding.brief.as_ref().is_none_or(|brief| self.briefs.contains(brief))
        };
        let longest = |binding: &&Binding| binding.arm.as_ref().map(String::len);
        bindings.iter().filter(exists).max_by_key(longest).unwrap_or(&bindings[0])
    }

    /// The key of what was found, if its arm and brief exist.
    fn known(&mut self, binding: &Binding, place: &Place, shown: &str) -> Option<Key> {
        let arm = binding.arm.clone().unwrap_or_default();
        let brief = binding.brief.clone().or_else(|| self.briefs.first().cloned())?;
        let sample = binding.sample.clone().unwrap_or_else(|| "1".to_owned());
        let arms: Vec<String> = self.settings.arms.keys().cloned().collect();
        let arm_is_known = self.check("arm", &arm, &arms, "declare it: [arms.NAME]", place, shown);
        let briefs = self.briefs.to_vec();
        let brief_is_known = self.check("brief", &brief, &briefs, "a brief is a folder briefs/NAME", place, shown);
        let number = sample.parse().unwrap_or(u64::MAX);
        (arm_is_known && brief_is_known).then_some((brief, arm, number, sample))
    }

    fn check(
        &mut self,
        what: &'static str,
        id: &str,
        known: &[String],
        hint: &str,
        place: &Place,
        shown: &str,
    ) -> bool {
        if known.iter().any(|k| k == id) {
            return true;
        }
        // A study without any was told so already.
        if !known.is_empty() && self.reported.insert((what, id.to_owned())) {
            let hint = match did_you_mean(id, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => hint.replace("NAME", id),
            };
            self.mistakes.add(
                Diagnostic::new(format!("an artifact is of the unknown {what} `{id}`"))
                    .at(place.clone())
                    .expected(known.join(", "))
                    .received(shown)
                    .hint(hint),
            );
        }
        false
    }

    fn add(&mut self, key: Key, place: Site, start: String, declared: &Place) {
        let path = place.provenance();
        let original = place.original();
        let provenance = path.and_then(|path| {
            let shown = path.strip_prefix(self.root).unwrap_or(&path).display().to_string();
            Provenance::read(&path, shown, original.as_ref(), self.mistakes)
        });
        let is_repaired = provenance.as_ref().is_some_and(|provenance| provenance.repaired);
        if let Some(original) = original.filter(|original| !is_repaired && original.opens()) {
            self.mistakes.add(
                Diagnostic::new("an original is kept beside an artifact that is not said to be repaired")
                    .at(declared.clone())
                    .received(format!("`{}` beside `{}`", original.name(), place.name()))
                    .hint("say `repaired = true` in the artifact's provenance.toml, or give the folder another name"),
            );
        }
        let (brief, arm, _, sample) = key.clone();
        if let Some(other) = self.found.get(&key) {
            self.mistakes.add(
                Diagnostic::new(format!("two artifacts are sample `{sample}` of `{arm}` at `{brief}`"))
                    .at(declared.clone())
                    .received(format!("{} and {}", other.place, place)),
            );
            return;
        }
        self.found.insert(key, Artifact { arm, brief, sample, place, start, provenance });
    }
}

/// Goes down one name of the pattern; what fits its whole length ends up in `ends`, with every way to read it.
fn walk(
    at: &Path,
    segments: &[Segment],
    bindings: &[Binding],
    mistakes: &Mistakes,
    ends: &mut BTreeMap<PathBuf, Vec<Binding>>,
) {
    let Some((segment, rest)) = segments.split_first() else {
        ends.entry(at.to_owned()).or_default().extend_from_slice(bindings);
        return;
    };
    if let Some(name) = segment.literal() {
        let next = at.join(name);
        if next.exists() {
            walk(&next, rest, bindings, mistakes, ends);
        }
        return;
    }
    for name in names(at, mistakes) {
        let path = at.join(&name);
        let is_page = is_page(&path) && path.is_file();
        if rest.is_empty() && !path.exists() && bindings.iter().any(|bound| !segment.fit(&name, bound).is_empty()) {
            // Left out, it would be a sample that nobody misses.
            let gone = path.metadata().err().map(|e| unreadable(&path, &path.display().to_string(), &e));
            gone.into_iter().for_each(|mistake| mistakes.add(mistake.expected("an artifact")));
            continue;
        }
        if rest.is_empty() && !path.is_dir() && !is_page || !rest.is_empty() && !path.is_dir() {
            continue;
        }
        // `{sample}` finds `1.html` as well as the folder `1`.
        let stem = (is_page && segment.is_open_ended()).then(|| name.rsplit_once('.').map(|(stem, _)| stem));
        let name = stem.flatten().unwrap_or(&name);
        let fits: Vec<Binding> = bindings.iter().flat_map(|bound| segment.fit(name, bound)).collect();
        if !fits.is_empty() {
            walk(&path, rest, &fits, mistakes, ends);
        }
    }
}

/// The names in a folder, sorted, without hidden ones and without the sidecars of single pages.
fn names(folder: &Path, mistakes: &Mistakes) -> Vec<String> {
    let entries = match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(entries) => entries,
        Err(e) => {
            mistakes.add(unreadable(folder, &folder.display().to_string(), &e));
            return Vec::new();
        }
    };
    let mut names = Vec::new();
    for entry in &entries {
        match entry.file_name().into_string() {
            Ok(name) => names.push(name),
            Err(name) => mistakes.add(
                Diagnostic::new(format!("the name `{}` is not UTF-8", name.to_string_lossy()))
                    .received(format!("a name in {}", folder.display())),
            ),
        }
    }
    let belonging: BTreeSet<PathBuf> =
        names.iter().map(|name| folder.join(name)).filter(|path| is_page(path)).flat_map(|p| sidecars(&p)).collect();
    names.retain(|name| !name.starts_with('.') && !belonging.contains(&folder.join(name)));
    names.sort();
    names
}

/// What the path is, and what to open first. A page named `index.html` stands for its folder, whose other files it
/// needs.
fn page_or_folder(path: &Path, shown: &str) -> Result<(Site, String), Diagnostic> {
    if path.is_dir() {
        return start_page(path, shown).map(|start| (Site::Folder(path.to_owned()), start));
    }
    match path.parent() {
        Some(folder) if path.file_name().is_some_and(|name| name == "index.html") => {
            Ok((Site::Folder(folder.to_owned()), "/".to_owned()))
        }
        _ => Ok((Site::File(path.to_owned()), "/".to_owned())),
    }
}
