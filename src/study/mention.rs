//! Which test ids an artifact's own files write down: whether it says of a hook that it has it.
//!
//! A hook that an artifact mentions and does not show is behaviour to be judged; one that it never mentions is a broken
//! contract. This room deliberately parses no HTML or script: a word counts where it stands as the value of a `testid`, or
//! in quotation marks by itself, as scripts hand names on; not as the value of another attribute (`type="search"`), nor
//! somewhere in a text.

use std::collections::BTreeSet;
use std::path::Path;

use walkdir::WalkDir;

use super::artifact::{Artifact, Site, sidecars};

/// Larger files are pictures, fonts or films, not where hooks are written.
const MOST_BYTES: u64 = 8 << 20;

impl Artifact {
    /// Those of `words` that its files write as test ids. An artifact that is only an address has none that we can read.
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
    words
        .iter()
        .copied()
        .filter(|word| text.match_indices(word).any(|(at, _)| is_testid(&text, at, word.len())))
        .collect()
}

/// Whether the `length` bytes of `text` from `at` are written as a test id.
fn is_testid(text: &str, at: usize, length: usize) -> bool {
    let after = text[at + length..].trim_start_matches('\\').chars().next();
    let before = &text[..at];
    let quote = before.chars().next_back().filter(|mark| "\"'`".contains(*mark));
    let ends = match quote {
        Some(_) => after == quote,
        None => after.is_none_or(|c| c.is_whitespace() || ">/]".contains(c)),
    };
    let outside = before.strip_suffix(|mark| Some(mark) == quote).unwrap_or(before).trim_end_matches('\\');
    let Some(assigned) = outside.trim_end().strip_suffix(['=', ':']) else { return ends && quote.is_some() };
    let name = assigned.trim_end().trim_end_matches(['"', '\'', ']']);
    let begin = name.rfind(|c: char| !(c.is_alphanumeric() || "-_".contains(c))).map_or(0, |i| i + 1);
    let name = name[begin..].to_ascii_lowercase();
    ends && (name.ends_with("testid") || name.ends_with("test-id") || (quote.is_some() && !is_attribute(&name)))
}

/// Whether an attribute of this name says something else than a test id.
fn is_attribute(name: &str) -> bool {
    const OTHER: [&str; 14] = [
        "type",
        "id",
        "class",
        "classname",
        "name",
        "for",
        "htmlfor",
        "role",
        "href",
        "value",
        "placeholder",
        "title",
        "autocomplete",
        "enterkeyhint",
    ];
    OTHER.contains(&name) || ["data-", "aria-"].iter().any(|kind| name.starts_with(kind))
}

#[cfg(test)]
mod tests {
    use super::is_testid;

    #[test]
    fn a_word_counts_as_a_testid_or_alone_in_quotation_marks() {
        let mentions = |text: &str| text.match_indices("search").any(|(at, word)| is_testid(text, at, word.len()));
        for text in [
            r#"<input data-testid="search">"#,
            "<input data-testid=search>",
            "box.dataset.testid = 'search'",
            r#"box.setAttribute("data-testid", "search")"#,
            r#"jsx("input", { "data-testid": "search" })"#,
            r#"html += "<i data-testid=\"search\">""#,
            "const hooks = ['search', `save`]",
            "hook = 'search'",
            "[data-testid=search]",
        ] {
            assert!(mentions(text), "{text}");
        }
        for text in [
            r#"<input type="search" id="search" class='search'>"#,
            "Here you can search.",
            r#"<input data-testid="search-box">"#,
            r#"<label for="search">"#,
            r#"{ type: "search" }"#,
            r#"<div data-kind="search">"#,
        ] {
            assert!(!mentions(text), "{text}");
        }
    }
}
