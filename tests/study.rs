//! Studies are read whole, and everything that is found is where its author put it.
//!
//! Studies that are wrong have their own file, `broken.rs`.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use loupe::study::{NetworkMode, Site, Study, sidecars, target};
use tempfile::TempDir;

/// A folder with these files; missing folders are made.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn with_pattern(pattern: &str, pages: &[&str]) -> TempDir {
    let settings = format!(
        "name = \"small\"\nprotocol = \"frontend-cohort\"\nartifacts = \"{pattern}\"\n\
         [arms.a]\nlabel = \"The first\"\n[arms.a-b]\n"
    );
    let brief = "id = \"page\"\nversion = \"1\"\ntitle = \"A page\"\n";
    let mut files = vec![
        ("loupe.toml", settings.as_str()),
        ("briefs/page/brief.toml", brief),
        ("briefs/page/brief.md", "Make a page."),
    ];
    files.extend(pages.iter().map(|page| (*page, "<!doctype html>")));
    folder(&files)
}

/// Loads it, failing with the rendered mistakes.
fn load(root: &Path) -> Study {
    Study::load(root).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

/// Brief, arm, sample, place below the study, and start of each artifact.
fn listing(root: &TempDir) -> Vec<String> {
    let root = root.path();
    let study = load(root);
    let place = |site: &Site| match site {
        Site::Folder(path) => format!("{}/", path.strip_prefix(root).unwrap().display()),
        Site::File(path) => path.strip_prefix(root).unwrap().display().to_string(),
        Site::Url(url) => url.clone(),
    };
    study
        .artifacts
        .iter()
        .map(|a| format!("{} {} {} {} {}", a.brief, a.arm, a.sample, place(&a.place), a.start))
        .collect()
}

#[test]
fn a_small_study_has_the_defaults() {
    let root = with_pattern("artifacts/{arm}/{brief}/{sample}", &["artifacts/a/page/1/index.html"]);
    let study = load(root.path());
    assert_eq!(study.name, "small");
    assert_eq!(study.protocol.id, "frontend-cohort");
    assert_eq!(study.viewports, study.protocol.viewports);
    assert_eq!(study.network.mode, NetworkMode::Block);
    assert_eq!(study.timeouts.expect, Duration::from_secs(5));
    assert_eq!(study.arms["a"].label, "The first");
    assert_eq!(study.arms["a-b"].label, "a-b");
    let brief = &study.briefs["page"];
    assert_eq!((brief.version.as_str(), brief.text.as_str()), ("1", "Make a page."));
    assert_eq!(brief.viewports, study.viewports);
    assert!(brief.flows.is_empty());
    assert_eq!(load(&root.path().join("loupe.toml")).artifacts, study.artifacts, "the file stands for its folder");
}

#[test]
fn artifacts_are_folders_or_pages_in_a_fixed_order() {
    let pages = [
        "artifacts/a/page/10/index.html",
        "artifacts/a/page/2.html",
        "artifacts/a/page/2.original.html",
        "artifacts/a/page/2_files/index.html",
        "artifacts/a/page/2.provenance.toml",
        "artifacts/a/page/.cache/index.html",
        "artifacts/a/page/notes.txt",
        "artifacts/a-b/page/one/only page.html",
    ];
    let root = with_pattern("artifacts/{arm}/{brief}/{sample}", &pages);
    fs::write(root.path().join("artifacts/a/page/2.provenance.toml"), "model = \"m\"\nrepaired = true").unwrap();
    assert_eq!(
        listing(&root),
        [
            "page a 2 artifacts/a/page/2.html /",
            "page a 10 artifacts/a/page/10/ /",
            "page a-b one artifacts/a-b/page/one/ /only%20page.html",
        ]
    );
    assert!(load(root.path()).artifacts[0].provenance.as_ref().unwrap().repaired);
}

#[test]
fn other_peoples_layouts_are_found() {
    let cases: [(&str, &[&str], &[&str]); 5] = [
        (
            "{brief}/arm-{arm}/run-{sample}.html",
            &["page/arm-a/run-1.html", "page/arm-a/run-2.html", "page/arm-a/other.html"],
            &["page a 1 page/arm-a/run-1.html /", "page a 2 page/arm-a/run-2.html /"],
        ),
        // The declared arm decides how a name is split.
        ("out/{arm}-{sample}/index.html", &["out/a-b-1/index.html"], &["page a-b 1 out/a-b-1/ /"]),
        ("out/{arm}-{sample}/dist", &["out/a-1/dist/index.html", "out/a-2/x"], &["page a 1 out/a-1/dist/ /"]),
        ("{arm}.html", &["a.html"], &["page a 1 a.html /"]),
        ("./out//{arm}/", &["out/a/index.html"], &["page a 1 out/a/ /"]),
    ];
    for (pattern, pages, expected) in cases {
        assert_eq!(listing(&with_pattern(pattern, pages)), expected, "{pattern}");
    }
}

#[test]
fn an_original_is_kept_and_is_no_sample() {
    let cases: [(&str, &str, [&str; 3]); 4] = [
        (
            "{arm}/{brief}/{sample}",
            "a/page/1/provenance.toml",
            ["a/page/1/index.html", "a/page/1.original/index.html", "a/page/2.html"],
        ),
        (
            "{arm}/{brief}/{sample}",
            "a/page/1.provenance.toml",
            ["a/page/1.html", "a/page/1.original.html", "a/page/2.html"],
        ),
        (
            "{brief}/arm-{arm}/run-{sample}.html",
            "page/arm-a/run-1.provenance.toml",
            ["page/arm-a/run-1.html", "page/arm-a/run-1.original.html", "page/arm-a/run-2.html"],
        ),
        (
            "{arm}/{sample}/index.html",
            "a/1/provenance.toml",
            ["a/1/index.html", "a/1.original/index.html", "a/2/index.html"],
        ),
    ];
    for (pattern, provenance, pages) in cases {
        let root = with_pattern(pattern, &pages);
        fs::write(root.path().join(provenance), "repaired = true\n").unwrap();
        let study = load(root.path());
        let seen: Vec<_> = study.artifacts.iter().map(|a| (a.sample.as_str(), a.is_repaired())).collect();
        assert_eq!(seen, [("1", true), ("2", false)], "{pattern}");
        let inputs = || study.inputs(&study.artifacts).unwrap();
        let before = inputs();
        fs::write(root.path().join(pages[1]), "<!doctype html>other").unwrap();
        let changed: Vec<_> = inputs().into_iter().filter(|(name, digest)| before[name] != *digest).collect();
        assert_eq!(changed.len(), 1, "{pattern}: {changed:?}");
        assert_eq!(changed[0].0, "artifacts/page/a/1/original");
    }
}

#[test]
fn a_target_that_is_repaired_is_known_as_such() {
    let root = folder(&[
        ("site/index.html", ""),
        ("site.original/index.html", ""),
        ("site/provenance.toml", "repaired = true"),
    ]);
    let place = root.path().join("site").display().to_string();
    assert!(target(&place).unwrap().is_repaired());
    fs::remove_dir_all(root.path().join("site.original")).unwrap();
    assert_eq!(target(&place).unwrap_err().title, "the original of a repaired artifact is missing");
}

#[test]
fn a_brief_may_have_a_condition() {
    let root = with_pattern("artifacts/{arm}/{brief}/{sample}", &["artifacts/a/page/1/index.html"]);
    assert_eq!(load(root.path()).briefs["page"].condition, None);
    let brief = "id = \"page\"\nversion = \"1\"\ntitle = \"A page\"\ncondition = \"own photographs\"\n";
    fs::write(root.path().join("briefs/page/brief.toml"), brief).unwrap();
    assert_eq!(load(root.path()).briefs["page"].condition.as_deref(), Some("own photographs"));
}

#[test]
fn an_address_is_an_artifact_too() {
    let root = with_pattern("artifacts/{arm}/{brief}/{sample}", &["artifacts/a/page/1/index.html"]);
    let mut text = fs::read_to_string(root.path().join("loupe.toml")).unwrap();
    text += "[[artifact]]\narm = \"a\"\nbrief = \"page\"\nsample = \"live\"\nurl = \"https://example.org/x\"\n";
    fs::write(root.path().join("loupe.toml"), text).unwrap();
    assert_eq!(listing(&root)[1], "page a live https://example.org/x https://example.org/x");
}

#[test]
fn a_target_needs_no_study() {
    let root = folder(&[("site/index.html", "x"), ("page.html", "x"), ("notes.txt", "x"), ("empty/readme", "x")]);
    let at = |name: &str| root.path().join(name).display().to_string();
    let site = target(&at("site")).unwrap();
    assert_eq!((site.arm.as_str(), site.place), ("site", Site::Folder(root.path().join("site"))));
    assert_eq!(target(&at("page.html")).unwrap().place, Site::File(root.path().join("page.html")));
    let url = target("http://localhost:3000/a?b").unwrap();
    assert_eq!((url.arm.as_str(), url.start.as_str()), ("localhost:3000", "http://localhost:3000/a?b"));
    for (name, title) in [("notes.txt", "is not a page"), ("empty", "has no index.html"), ("gone", "does not exist")] {
        let mistake = target(&at(name)).unwrap_err();
        assert!(mistake.title.contains(title), "{mistake:?}");
    }
    assert!(target("ftp://example.org").is_err());
}

#[test]
fn digests_follow_what_a_browser_can_get() {
    let root = folder(&[
        ("site/index.html", "one"),
        ("site/a/b.js", "two"),
        ("page.html", "x"),
        ("page_files/a.css", "y"),
        ("outside", "z"),
    ]);
    let at = |name: &str| root.path().join(name);
    let digest = |name: &str| target(&at(name).display().to_string()).unwrap().digest().unwrap();
    let before = digest("site");
    assert_eq!(before.len(), 64);
    assert_eq!(digest("site"), before);

    fs::write(at("site/provenance.toml"), "model = \"m\"").unwrap();
    assert_eq!(digest("site"), before, "provenance is not part of the site");
    symlink(at("outside"), at("site/link")).unwrap();
    let linked = digest("site");
    assert_ne!(linked, before, "a link is recorded");
    fs::write(at("outside"), "changed").unwrap();
    assert_eq!(digest("site"), linked, "and never followed");
    fs::rename(at("site/a"), at("site/c")).unwrap();
    assert_ne!(digest("site"), linked, "names count");

    let page = digest("page.html");
    fs::write(sidecars(&at("page.html"))[0].join("a.css"), "changed").unwrap();
    assert_ne!(digest("page.html"), page, "sidecars belong to the page");
}

#[test]
fn inputs_name_what_a_run_depends_on() {
    let root = with_pattern("artifacts/{arm}/{brief}/{sample}", &["artifacts/a/page/1/index.html"]);
    let study = load(root.path());
    let inputs = study.inputs(&study.artifacts).unwrap();
    let names: Vec<&str> = inputs.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["artifacts/page/a/1", "briefs/page/brief.md", "briefs/page/brief.toml", "briefs/page/facts", "loupe.toml"]
    );
    fs::remove_file(root.path().join("loupe.toml")).unwrap();
    assert!(study.inputs(&study.artifacts).unwrap_err()[0].title.ends_with("loupe.toml` does not exist"));
}

#[test]
fn the_demo_study_is_free_of_mistakes() {
    let study = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cohort"));
    for brief in study.briefs.values() {
        let names = brief.names(&brief.hooks["item"]);
        assert!(names.len() >= 12 && names.iter().all(|(id, title)| !id.is_empty() && !title.is_empty()));
        assert_eq!(brief.names(&brief.hooks["search"]), []);
        assert!(brief.flows.len() > 3 && brief.params["searches"].is_array());
    }
}

#[test]
fn a_byte_order_mark_is_no_mistake() {
    let root = with_pattern("artifacts/{arm}/{brief}/{sample}", &["artifacts/a/page/1/index.html"]);
    for name in ["loupe.toml", "briefs/page/brief.toml"] {
        let path = root.path().join(name);
        fs::write(&path, format!("\u{feff}{}", fs::read_to_string(&path).unwrap())).unwrap();
    }
    load(root.path());
}

#[test]
fn a_studys_own_scripts_and_protocols_win() {
    let root = with_pattern("artifacts/{arm}/{brief}/{sample}", &["artifacts/a/page/1/index.html"]);
    let write = |name: &str, text: &str| {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("scripts/magazine/flow.rhai", "// my own");
    write("scripts/notes.md", "not a script");
    let viewport = "[[viewports]]\nname = \"square\"\nwidth = 500\nheight = 500\n";
    write("protocols/frontend-cohort.toml", &format!("id = \"frontend-cohort\"\ntitle = \"Mine\"\n{viewport}"));
    let study = load(root.path());
    assert_eq!(study.protocol.title, "Mine");
    assert_eq!(study.viewports[0].name, "square");
    let script = study.library.find("magazine/flow.rhai").unwrap();
    assert_eq!((script.shown.as_str(), script.text.as_str()), ("scripts/magazine/flow.rhai", "// my own"));
    assert!(!study.library.names().contains(&"notes.md".to_owned()));
    for name in ["", "/etc/passwd.lua", "a/../../b.lua", "..\\b.lua", "a\0.lua", "./../b.lua"] {
        assert!(study.library.find(name).unwrap_err().title.ends_with("leads out of the scripts"), "{name:?}");
    }
}
