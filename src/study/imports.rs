//! What a script imports, as it is written: the names behind `import` and `require`, and what these import in turn.
//!
//! A run's verdicts depend on all of them. It deliberately evaluates nothing: a name that a script puts together while
//! it runs is not found here, and a name that nothing has is left to the engine, which tells it with its place.

use std::path::Path;

use super::library::{Library, Script};
use crate::diag::Diagnostic;

impl Library {
    /// The scripts that `script` imports, directly or not, each once, in the order in which they are met.
    ///
    /// # Errors
    /// The mistake in one of them, with its place.
    pub fn imports(&self, script: &Script) -> Result<Vec<Script>, Diagnostic> {
        let mut found: Vec<Script> = Vec::new();
        let mut open = vec![script.clone()];
        while let Some(importer) = open.pop() {
            for name in named(&importer) {
                match self.find(&name) {
                    Ok(import) if import == *script || found.contains(&import) => {}
                    Ok(import) => {
                        open.push(import.clone());
                        found.push(import);
                    }
                    Err(mistake) if mistake.place.is_some() => return Err(mistake),
                    Err(_) => {}
                }
            }
        }
        Ok(found)
    }
}

/// The file names of the modules that a script names.
fn named(script: &Script) -> Vec<String> {
    let extension = Path::new(&script.name).extension().unwrap_or_default().to_string_lossy();
    let (word, comment) = if extension == "lua" { ("require", "--") } else { ("import", "//") };
    let lines = script.text.lines().filter(|line| !line.trim_start().starts_with(comment));
    lines.flat_map(|line| behind(line, word)).map(|module| format!("{module}.{extension}")).collect()
}

/// The quoted texts that follow `word` in a line.
fn behind<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(word).filter_map(move |(at, _)| {
        let is_part = line[..at].ends_with(|c: char| c.is_alphanumeric() || "_.".contains(c));
        let rest = line[at + word.len()..].trim_start().trim_start_matches('(').trim_start();
        let quote = rest.chars().next().filter(|c| !is_part && "\"'`".contains(*c))?;
        rest[1..].split_once(quote).map(|(module, _)| module)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(name: &str, text: &str) -> Script {
        Script { name: name.to_owned(), shown: format!("scripts/{name}"), evaluator: None, text: text.to_owned() }
    }

    #[test]
    fn names_are_found_in_either_language_and_not_in_comments() {
        let rhai =
            "// import \"no\" as no;\nimport \"cohort/list\" as list;\nfn f() { import `b` as b; reimport \"no\" }";
        assert_eq!(named(&script("a.rhai", rhai)), ["cohort/list.rhai", "b.rhai"]);
        let lua =
            "-- require \"no\"\nlocal a = require(\"x/a\")\nlocal b, c = require 'b', require( \"c\" )\nrequire(name)";
        assert_eq!(named(&script("a.lua", lua)), ["x/a.lua", "b.lua", "c.lua"]);
    }

    #[test]
    fn what_is_imported_indirectly_counts_and_circles_end() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join("scripts").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("a.rhai", "import \"b\" as b; import \"gone\" as gone;");
        write("b.rhai", "import \"a\" as a; import \"c\" as c;");
        write("c.rhai", "// evaluator: 3\nimport \"cohort/list\" as list;");
        let library = Library::of_study(root.path());
        let imports = |library: &Library| library.imports(&library.find("a.rhai").unwrap());
        let told: Vec<_> = imports(&library).unwrap().into_iter().map(|s| (s.shown, s.evaluator)).collect();
        let expected = [("scripts/b.rhai", None), ("scripts/c.rhai", Some(3)), ("shipped:cohort/list.rhai", Some(1))];
        assert_eq!(told, expected.map(|(name, version)| (name.to_owned(), version)));
        write("c.rhai", "// evaluator: three\n");
        assert_eq!(imports(&library).unwrap_err().place.unwrap().to_string(), "scripts/c.rhai:1:15");
    }
}
