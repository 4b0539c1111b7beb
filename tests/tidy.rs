//! The drawing of the house as a test: floors, sizes, names, and what lies at the top level.
//!
//! It deliberately reads text only: an import hidden by a macro would pass, and nobody here hides imports.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::repository;

/// Every room from the roof to the ground, floor by floor as lib.rs draws them. A room sees only rooms further down,
/// so no two rooms can ever need each other.
#[rustfmt::skip]
const ROOMS: &[&str] = &[
    "main", "cli", // face
    "run", "report", "mutation", // work
    "api", // words
    "script", "browser", "serve", // engines
    "study", "protocol", "record", "capture", // nouns
    "sheet", "stats", "diag", // ground
];

/// Imports that would go down and are forbidden all the same; the reason is part of the failure.
const FORBIDDEN: &[(&str, &[&str], &str)] = &[
    ("report", &["api", "script", "browser", "serve"], "a report is a pure function of records"),
    ("script", &["browser", "serve"], "an engine of scripts knows words, not what they do"),
    ("browser", &["serve", "record"], "the browser tells what it sees; what is kept is decided above"),
];

const TOP_LEVEL: &[&str] = &[
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "checks",
    "fixtures",
    "package-lock.json",
    "package.json",
    "scripts",
    "src",
    "tests",
];

/// What building and running leave beside them, all of it ignored by git.
const LEFTOVERS: &[&str] = &["target", "node_modules", "runs"];

#[test]
fn imports_only_go_down() {
    let depth = |room: &str| {
        let known = ROOMS.iter().position(|name| *name == room);
        known.unwrap_or_else(|| panic!("the room `{room}` has no floor: add it to ROOMS and to the map in lib.rs"))
    };
    let mut wrong = Vec::new();
    for file in sources("rs") {
        let room = room_of(&file);
        if room == "lib" {
            continue;
        }
        for (line, target) in imports(&product_code(&file)) {
            let place = format!("{}:{line}: {room} -> {target}", file.display());
            let forbidden = FORBIDDEN.iter().find(|(from, to, _)| *from == room && to.contains(&target.as_str()));
            if let Some((.., reason)) = forbidden {
                wrong.push(format!("{place}: forbidden, {reason}"));
            } else if depth(&target) < depth(&room) {
                wrong.push(format!("{place}: goes up"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    let mut wrong = Vec::new();
    for (kind, comments) in [("rs", &["//!"][..]), ("js", &["//", "/*"])] {
        for file in sources(kind) {
            let text = read(&file);
            if !comments.iter().any(|comment| text.starts_with(comment)) {
                wrong.push(format!("{}: does not begin with `{}`", file.display(), comments[0]));
            }
            let lines = text.lines().count();
            if lines > 400 {
                wrong.push(format!("{}: {lines} lines, the ceiling is 400", file.display()));
            }
            let name = file.file_stem().unwrap().to_str().unwrap();
            if ["util", "utils", "helper", "helpers", "common", "manager", "imp", "misc"].contains(&name) {
                wrong.push(format!("{}: the name does not say what it is for", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_face_prints_and_reads_the_environment_and_exits() {
    let words = ["println!(", "print!(", "dbg!(", "std::env", "env::var", "process::exit", "io::stdout", "io::stderr"];
    let mut wrong = Vec::new();
    for file in sources("rs") {
        if ["cli", "main"].contains(&room_of(&file).as_str()) {
            continue;
        }
        for (i, line) in product_code(&file).lines().enumerate() {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                wrong.push(format!("{}:{}: {word}", file.display(), i + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "outside cli:\n{}", wrong.join("\n"));
}

#[test]
fn the_top_level_holds_only_what_the_card_names() {
    let seen: Vec<String> = fs::read_dir(repository())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.') && !LEFTOVERS.contains(&name.as_str()))
        .collect();
    let extra: Vec<_> = seen.iter().filter(|name| !TOP_LEVEL.contains(&name.as_str())).collect();
    assert!(extra.is_empty(), "{extra:?}");
}

#[test]
fn lock_files_name_no_place_of_download_but_the_public_index() {
    let cargo = read(&repository().join("Cargo.lock"));
    let sources: BTreeSet<_> = cargo.lines().filter(|line| line.starts_with("source = ")).collect();
    assert_eq!(Vec::from_iter(sources), ["source = \"registry+https://github.com/rust-lang/crates.io-index\""]);
    let npm = read(&repository().join("package-lock.json"));
    assert!(!npm.contains("\"resolved\"") && !npm.contains("://"), "write it with --omit-lockfile-registry-resolved");
}

#[test]
fn the_map_in_the_front_page_names_every_room() {
    let front = read(&repository().join("src/lib.rs"));
    let map = front.split("pub mod").next().unwrap();
    for module in front.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')) {
        assert!(map.contains(module), "src/lib.rs: the map does not name `{module}`");
    }
}

#[test]
fn imports_are_read_in_every_form() {
    let code = "use crate::diag::Place;\n// crate::cli\nuse crate::{record::Case, study::{Brief, Arm},\n    stats};\nfn f() { crate::api::g() }\n";
    let found: Vec<_> = imports(&without_comments(code)).into_iter().collect();
    let expected = [(1, "diag"), (3, "record"), (3, "study"), (4, "stats"), (5, "api")];
    assert_eq!(found, expected.map(|(line, room)| (line, room.to_owned())));
}

/// Every file of `src` with this extension.
fn sources(kind: &str) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(repository().join("src")).sort_by_file_name();
    let files = walk.into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|file| file.extension().is_some_and(|seen| seen == kind)).collect()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// `src/browser/find.rs` is of the room `browser`, `src/diag.rs` of `diag`.
fn room_of(file: &Path) -> String {
    let below = file.strip_prefix(repository().join("src")).unwrap();
    let first = Path::new(below.components().next().unwrap().as_os_str());
    first.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// The file without comments and without what is compiled for tests only; lines keep their numbers.
fn product_code(file: &Path) -> String {
    let text = read(file);
    // House rule: the tests of a file are its last item.
    without_comments(text.split("#[cfg(test)]\nmod ").next().unwrap())
}

fn without_comments(code: &str) -> String {
    let kept = code.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line });
    kept.collect::<Vec<_>>().join("\n")
}

/// The rooms that `crate::…` paths name, with their lines.
fn imports(code: &str) -> BTreeSet<(usize, String)> {
    let mut found = BTreeSet::new();
    for (at, prefix) in code.match_indices("crate::") {
        let rest = &code[at + prefix.len()..];
        let heads = if rest.starts_with('{') { heads_of_group(rest) } else { vec![0] };
        for head in heads {
            let room: String = rest[head..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.insert((code[..at + prefix.len() + head].matches('\n').count() + 1, room));
        }
    }
    found
}

/// Where the paths begin in `{a::b, c::{d, e}, f}`, as offsets.
fn heads_of_group(text: &str) -> Vec<usize> {
    let mut depth = 0;
    let mut expecting = false;
    let mut heads = Vec::new();
    for (i, c) in text.char_indices() {
        match c {
            '{' => {
                depth += 1;
                expecting = depth == 1;
            }
            '}' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            ',' => expecting = depth == 1,
            c if expecting && !c.is_whitespace() => {
                heads.push(i);
                expecting = false;
            }
            _ => {}
        }
    }
    heads
}
