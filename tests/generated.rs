//! The files that are generated from the table of words are the ones in the repository, and the table itself is sound.
//!
//! `LOUPE_UPDATE=1 cargo test --release --test generated` writes them anew.

use std::collections::BTreeMap;
use std::path::Path;

use loupe::script::{Kind, Param, Value, Vocabulary, illegal_name, lua_definitions, reference};

fn vocabulary() -> Vocabulary<loupe::api::Host> {
    let map = || Value::Map(BTreeMap::new());
    loupe::api::vocabulary(map(), map(), map())
}

/// Compares a file of the repository with what it should say.
fn is_current(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("LOUPE_UPDATE").is_some() {
        std::fs::write(&path, expected).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name} is out of date: LOUPE_UPDATE=1 cargo test --release --test generated");
}

#[test]
fn the_reference_is_current() {
    is_current("scripts/API.md", &reference(&vocabulary()));
}

#[test]
fn the_definitions_for_editors_are_current() {
    is_current("scripts/loupe.d.lua", &lua_definitions(&vocabulary()));
}

#[test]
fn every_word_can_be_said_in_both_languages_and_is_described() {
    let vocabulary = vocabulary();
    let mut names: Vec<_> = vocabulary.words().iter().map(|word| word.full_name()).collect();
    for word in vocabulary.words() {
        let name = word.full_name();
        assert_eq!(illegal_name(word.name), None, "{name}");
        assert_eq!(illegal_name(word.module), None, "{name}");
        assert!(!word.doc.is_empty(), "{name}");
        for param in word.params {
            is_described(&name, param);
        }
        let before_function = word.params.iter().filter(|param| !matches!(param.kind, Kind::Function));
        let optional: Vec<_> = before_function.map(|param| param.optional).collect();
        assert!(optional.is_sorted(), "{name}: what is needed comes before what may be left out");
    }
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "a word is in the table twice");
}

fn is_described(word: &str, param: &Param) {
    assert!(!param.doc.is_empty(), "{word}: {} has no description", param.name);
    if let Kind::Options(keys) = param.kind {
        for key in keys {
            assert!(key.optional, "{word}: {} must be optional", key.name);
            is_described(word, key);
        }
    }
}
