//! Reports of stored runs: expected bytes, and hostile text in every field. No browser.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod stored;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use loupe::record::{CaseRecord, Outcome, Reader, Writer};
use loupe::report::{self, github, html, json, junit, terminal};
use stored::{cases, copies, fixtures, inputs, passes, write_run};

type Report = fn(&Reader, &mut dyn Write) -> Result<(), report::Error>;

const REPORTS: [(&str, Report); 5] = [
    ("terminal.txt", |run, out| terminal::write(run, false, out)),
    ("report.json", json::write),
    ("junit.xml", junit::write),
    ("github.txt", |run, out| github::write(run, "fixtures/magazine/", out)),
    ("report.html", page),
];

fn page(run: &Reader, out: &mut dyn Write) -> Result<(), report::Error> {
    html::write(run, html::Pictures::Embedded, out)
}

fn text(run: &Path, write: Report) -> String {
    let mut out = Vec::new();
    write(&Reader::open(run).unwrap(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn run_of(records: &[CaseRecord]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = write_run(folder.path(), "run", inputs(records.len() as u64), records);
    (folder, path)
}

#[test]
fn the_stored_run_is_told_as_expected() {
    let root = format!("{}/", fixtures().display());
    for (name, write) in REPORTS {
        let told = text(&fixtures().join("small"), write).replace(&root, "");
        let expected = fixtures().join("small.reports").join(name);
        if stored::updating() {
            fs::create_dir_all(expected.parent().unwrap()).unwrap();
            fs::write(&expected, &told).unwrap();
        }
        let expected = fs::read_to_string(&expected).unwrap();
        assert!(told == expected, "{name} differs; LOUPE_UPDATE=1 rewrites it\n{told}");
    }
}

#[test]
fn a_report_is_a_function_of_the_records() {
    let run = fixtures().join("small");
    for (name, write) in REPORTS {
        assert!(text(&run, write) == text(&run, write), "{name}");
    }
}

/// `record` with `text` in every field that a page, a script, or a study fills.
fn with_text_everywhere(record: &CaseRecord, text: &str) -> CaseRecord {
    let mut json = serde_json::to_value(record).unwrap();
    poison(&mut json, text);
    serde_json::from_value(json).unwrap()
}

fn poison(json: &mut serde_json::Value, text: &str) {
    // Names of variants, and what the program itself chooses, are not text from outside.
    const OURS: [&str; 8] = ["from", "kind", "outcome", "fallback", "state", "key", "path", "seed"];
    match json {
        serde_json::Value::String(s) => *s = format!("{s}{text}"),
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| poison(item, text)),
        serde_json::Value::Object(map) => {
            map.iter_mut()
                .filter(|(name, _)| !OURS.contains(&name.as_str()))
                .for_each(|(_, value)| poison(value, text));
        }
        _ => {}
    }
}

#[test]
fn no_field_of_a_record_becomes_markup() {
    let hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>]]>&amp;";
    let records: Vec<_> = cases().iter().map(|record| with_text_everywhere(record, hostile)).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = inputs(records.len() as u64);
    for field in [&mut inputs.settings.tool, &mut inputs.settings.study, &mut inputs.settings.started] {
        field.push_str(hostile);
    }
    inputs.settings.network.push_str(hostile);
    inputs.settings.protocol.push_str(hostile);
    inputs.settings.timeouts.push_str(hostile);
    inputs.evaluators.insert(hostile.to_owned(), None);
    inputs.briefs.get_mut("magazine").unwrap().version.push_str(hostile);
    inputs.settings.browser.name.push_str(hostile);
    inputs.settings.browser.version.push_str(hostile);
    inputs.settings.viewports.insert(hostile.to_owned(), hostile.to_owned());
    let mut writer = Writer::create(folder.path(), "run", inputs, &copies()).unwrap();
    records.iter().for_each(|record| writer.append(record).unwrap());
    let run = writer.finish().unwrap();

    let beside = text(&run, |run, out| html::write(run, html::Pictures::Beside, out));
    let page = text(&run, page) + beside.as_str();
    assert!(page.matches("alert(1)").count() > 120, "the text is shown, not dropped");
    for markup in ["<script", "<img src=x", "\"'>", "onerror=alert(2)>"] {
        assert!(!page.contains(markup), "{markup} survived");
    }
    let xml = text(&run, junit::write);
    assert!(xml.contains("&lt;script") && !xml.contains("<script") && !xml.contains("]]><"));
    let parsed: serde_json::Value = serde_json::from_str(&text(&run, json::write)).unwrap();
    assert_eq!(parsed["cases"].as_array().unwrap().len(), records.len());
}

#[test]
fn no_field_of_a_record_steers_a_terminal_or_adds_an_annotation() {
    let hostile = "\u{1b}[2J\r\n::error::forged, a:b %0A\u{202e}";
    let records: Vec<_> = cases().iter().map(|record| with_text_everywhere(record, hostile)).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(folder.path(), "run", inputs(records.len() as u64), &copies()).unwrap();
    records.iter().for_each(|record| writer.append(record).unwrap());
    let run = writer.finish().unwrap();
    for (name, write) in REPORTS {
        let told = text(&run, write);
        assert!(told.contains("forged"), "{name}");
        assert!(!told.contains(['\u{1b}', '\r']), "{name} lets control characters through");
    }
    let annotations = text(&run, |run, out| github::write(run, "", out));
    assert_eq!(annotations.lines().count(), 7, "{annotations}");
    assert!(annotations.lines().all(|line| line.matches("::").count() >= 2 && !line.starts_with("::error::")));
    assert!(annotations.contains("a%3Ab %250A"), "properties are escaped, and so is what looks escaped");
}

#[test]
fn an_interrupted_run_says_so_everywhere_it_is_shown_to_people() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(folder.path(), "run", inputs(3), &copies()).unwrap();
    writer.append(&passes(1)[0]).unwrap();
    let run = writer.folder().to_owned();
    assert!(text(&run, REPORTS[0].1).contains("not complete: 1 of 3 cases are on the record"));
    assert!(text(&run, page).contains("Interrupted: 1 of 3 cases"));
    assert!(text(&run, json::write).contains("\"complete\":false"));
}

#[test]
fn headlines_tell_the_worst_that_is_known() {
    let ended = |outcomes: &[Outcome]| {
        let mut records = passes(outcomes.len() as u64);
        for (record, outcome) in records.iter_mut().zip(outcomes) {
            record.outcome = *outcome;
        }
        let (_folder, run) = run_of(&records);
        let told = text(&run, REPORTS[0].1);
        told.lines().last().unwrap().rsplit_once(" · ").unwrap().0.to_owned()
    };
    use Outcome::{Contract, Error, Failed, Passed, Skipped};
    assert_eq!(ended(&[Passed]), "magazine: The scenario passed · 1 passed");
    assert_eq!(ended(&[Passed, Passed, Skipped]), "magazine: All 2 scenarios passed · 2 passed, 1 skipped");
    assert_eq!(ended(&[Passed, Failed, Error]), "magazine: 1 of 3 scenarios failed · 1 passed, 1 failed, 1 error");
    assert_eq!(
        ended(&[Passed, Contract]),
        "magazine: 1 of 2 scenarios could not be judged: hooks are missing · 1 passed, 1 contract"
    );
    assert_eq!(ended(&[Passed, Error]), "magazine: 1 of 2 scenarios passed; 1 harness problem · 1 passed, 1 error");
    assert_eq!(ended(&[Skipped]), "magazine: No scenario was run · 1 skipped");
}

#[test]
fn a_lost_picture_is_told_in_its_place() {
    let (_folder, run) = run_of(&cases());
    fs::remove_dir_all(run.join("pictures")).unwrap();
    let page = text(&run, page);
    assert_eq!(page.matches("class=\"lost\"").count(), 2);
}

#[test]
fn a_reader_that_goes_away_is_an_error_of_writing() {
    struct Gone;
    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let run = Reader::open(&fixtures().join("small")).unwrap();
    for (name, write) in REPORTS {
        match write(&run, &mut Gone) {
            Err(report::Error::Write(error)) => assert_eq!(error.kind(), io::ErrorKind::BrokenPipe, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}
