//! Every malformed study in `fixtures/broken/` is refused with the text that stands beside it in `expected.txt`.
//!
//! The folders are named by their fate. `LOUPE_UPDATE=1 cargo test --release --test broken` writes the texts anew; read
//! the difference before it is committed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use loupe::diag::Severity;
use loupe::study::Study;
use proptest::prelude::*;

fn rendered(study: &Path) -> String {
    let mistakes = Study::load(study).expect_err("the study is broken");
    let text: Vec<String> = mistakes.iter().map(|mistake| mistake.render(Severity::Error, false)).collect();
    text.join("\n").replace(&study.display().to_string(), "STUDY")
}

#[test]
fn every_broken_study_is_refused_with_place_and_reason() {
    let update = std::env::var_os("LOUPE_UPDATE").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/broken");
    let mut fates: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    fates.sort();
    let mut different = Vec::new();
    for study in &fates {
        let text = rendered(study);
        if update {
            fs::write(study.join("expected.txt"), &text).unwrap();
        }
        let expected = fs::read_to_string(study.join("expected.txt")).unwrap_or_default();
        if text != expected {
            different.push(format!("{}:\n{text}", study.display()));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(fates.len() > 25, "the fixtures are there");
}

#[test]
fn what_may_not_be_read_is_named() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("loupe.toml");
    fs::write(&file, "name = \"x\"").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    // Permissions do not bind root: there the file is read, and is wrong for other reasons.
    let expected =
        if fs::read(&file).is_ok() { "`loupe.toml` has no `protocol`" } else { "`loupe.toml` may not be read" };
    assert_eq!(Study::load(root.path()).unwrap_err()[0].title, expected);
}

const FILES: [(&str, &str); 3] = [
    (
        "loupe.toml",
        "name = \"é\"\nprotocol = \"frontend-cohort\"\nartifacts = \"{arm}/{brief}-{sample}\"\n[arms.a]\nlabel = \"ü\"\n\
         [[viewports]]\nname = \"x\"\nwidth = 300\nheight = 300\n[network]\nalso = [\"a:1\"]\n[timeouts]\nexpect = 2\n",
    ),
    (
        "briefs/b/brief.toml",
        "id = \"b\"\nversion = \"1\"\ntitle = \"日本\"\nfacts = \"facts.json\"\n\
         [hooks.article]\nfacts = \"articles\"\nby = \"title\"\n",
    ),
    (
        "briefs/b/facts.json",
        "{ \"articles\": [ { \"id\": \"ä\", \"title\": \"Ä\" }, { \"id\": \"b\", \"title\": \"B\" } ] }\n",
    ),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens to a study's files, reading them ends in a study or in mistakes that can be shown.
    #[test]
    fn damage_never_panics(which in 0..3usize, at in any::<prop::sample::Index>(), gone in 0..12usize, new in "[ -~é\n\"\\[\\]{}=,]{0,6}") {
        let root = tempfile::tempdir().unwrap();
        for (index, (name, text)) in FILES.iter().enumerate() {
            let mut bytes = text.as_bytes().to_vec();
            if index == which {
                let start = at.index(bytes.len());
                let end = (start + gone).min(bytes.len());
                bytes.splice(start..end, new.bytes());
            }
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        fs::write(root.path().join("briefs/b/brief.md"), "Make it.").unwrap();
        fs::create_dir(root.path().join("a")).unwrap();
        fs::write(root.path().join("a/b-1.html"), "x").unwrap();
        if let Err(mistakes) = Study::load(root.path()) {
            prop_assert!(!mistakes.is_empty());
            for mistake in mistakes {
                prop_assert!(!mistake.render(Severity::Error, false).is_empty());
            }
        }
    }
}
