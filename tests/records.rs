//! Stored runs: written, read, interrupted, resumed, merged, and refused. No browser.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]

mod stored;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use loupe::diag::Diagnostic;
use loupe::record::{CaseRecord, Error, Inputs, Outcome, Reader, Writer, merge};
use proptest::prelude::*;
use stored::{cases, copies, fixtures, inputs, passes, write_run};

fn sandbox() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn read(path: &Path) -> Vec<CaseRecord> {
    Reader::open(path).unwrap().cases().unwrap().map(Result::unwrap).collect()
}

fn said(error: Error) -> String {
    Diagnostic::from(error).render(loupe::diag::Severity::Error, false)
}

/// The error of a call that must not succeed.
fn refused<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => panic!("must be refused"),
        Err(error) => said(error),
    }
}

#[test]
fn the_stored_run_reads_as_its_model() {
    let path = fixtures().join("small");
    if stored::updating() {
        let _ = fs::remove_dir_all(&path);
        write_run(&fixtures(), "small", inputs(10), &cases());
    }
    let reader = Reader::open(&path).unwrap();
    assert_eq!(read(&path), cases(), "the format of a stored line changed: raise FORMAT, or keep old runs readable");
    assert_eq!(reader.inputs().planned, 10);
    assert_eq!(reader.inputs().digests, inputs(10).digests);
    let info = reader.info().unwrap();
    let [total] = info.totals.as_slice() else { panic!("one condition") };
    assert_eq!((total.scenarios.total(), total.captures.total()), (8, 2));
    assert_eq!((total.scenarios.failed, total.scenarios.flaky, total.captures.error), (2, 1, 1));
    assert_eq!(fs::read(path.join("inputs/briefs/magazine/brief.md")).unwrap(), copies()["briefs/magazine/brief.md"]);
}

#[test]
fn this_program_writes_the_bytes_of_the_stored_run() {
    let box_ = sandbox();
    let path = write_run(box_.path(), "small", inputs(10), &cases());
    for name in ["cases.jsonl", "inputs.json", "run.json"] {
        let (ours, theirs) =
            (fs::read_to_string(path.join(name)), fs::read_to_string(fixtures().join("small").join(name)));
        assert_eq!(ours.unwrap(), theirs.unwrap(), "{name}: new fields need a new FORMAT; LOUPE_UPDATE=1 rewrites");
    }
}

#[test]
fn nothing_looks_complete_before_the_end() {
    let box_ = sandbox();
    let mut writer = Writer::create(box_.path(), "a", inputs(2), &copies()).unwrap();
    let records = passes(2);
    writer.append(&records[1]).unwrap();
    assert!(!box_.path().join("a").exists());
    assert!(Reader::open(&box_.path().join("a")).unwrap().info().is_none(), "read with or without .partial");
    writer.append(&records[0]).unwrap();
    let path = writer.finish().unwrap();
    assert_eq!(path, box_.path().join("a"));
    assert!(!box_.path().join("a.partial").exists());
    assert_eq!(read(&path), records, "read in the order of the plan, not of the finish");
}

#[test]
fn a_run_without_all_planned_cases_cannot_be_finished() {
    let box_ = sandbox();
    let mut writer = Writer::create(box_.path(), "a", inputs(2), &copies()).unwrap();
    writer.append(&passes(1)[0]).unwrap();
    let text = refused(writer.finish());
    assert!(text.contains("1 of 2 cases") && text.contains("--resume"), "{text}");
    assert!(!box_.path().join("a").exists() && box_.path().join("a.partial").exists());
}

#[test]
fn runs_are_never_overwritten() {
    let box_ = sandbox();
    write_run(box_.path(), "a", inputs(1), &passes(1));
    let text = refused(Writer::create(box_.path(), "a", inputs(1), &copies()));
    assert!(text.contains("exists already"), "{text}");
    let _open = Writer::create(box_.path(), "b", inputs(1), &copies()).unwrap();
    assert!(refused(Writer::create(box_.path(), "b", inputs(1), &copies())).contains("b.partial exists already"));
}

#[test]
fn names_cannot_lead_out_of_the_run() {
    let box_ = sandbox();
    let runs = box_.path().join("runs");
    for (id, copy) in [("../a", "brief.md"), ("", "brief.md"), ("a", "../../brief.md"), ("a", "/tmp/brief.md")] {
        let copies = BTreeMap::from([(copy.to_owned(), Vec::new())]);
        assert!(refused(Writer::create(&runs, id, inputs(1), &copies)).contains("not a plain relative path"));
    }
    assert!(!runs.exists(), "nothing was created");
    let path = write_run(box_.path(), "b", inputs(1), &passes(1));
    let foreign = loupe::record::Stored { name: "x".into(), path: "../outside".into() };
    fs::write(box_.path().join("outside"), "secret").unwrap();
    assert!(matches!(Reader::open(&path).unwrap().bytes(&foreign), Err(Error::Name { .. })));
}

#[test]
fn other_formats_are_refused_before_their_content_is_read() {
    let box_ = sandbox();
    for (file, format) in [("run.json", "1.3"), ("inputs.json", "2.0"), ("run.json", "0.9"), ("inputs.json", "new")] {
        let path = write_run(box_.path(), &format!("{file}-{format}"), inputs(1), &passes(1));
        fs::write(path.join(file), format!("{{\"format\": \"{format}\", \"content\": {{\"unknown\": []}}}}")).unwrap();
        let text = refused(Reader::open(&path));
        assert!(text.contains(file) && text.contains(&format!("has format {format}")), "{text}");
        assert!(text.contains("use the version of loupe that wrote it, or a newer one"), "{text}");
    }
}

#[test]
fn what_is_no_run_is_named() {
    let box_ = sandbox();
    for path in [box_.path().to_owned(), box_.path().join("missing")] {
        let text = refused(Reader::open(&path));
        assert!(text.contains(&format!("{} is not a run", path.display())), "{text}");
    }
    let path = write_run(box_.path(), "a", inputs(1), &passes(1));
    fs::write(path.join("inputs.json"), "{").unwrap();
    assert!(refused(Reader::open(&path)).contains("inputs.json is damaged"));
}

#[test]
fn damage_in_the_middle_is_an_error_with_its_line() {
    let box_ = sandbox();
    let path = write_run(box_.path(), "a", inputs(3), &passes(3));
    let lines = fs::read_to_string(path.join("cases.jsonl")).unwrap();
    let with = |change: &dyn Fn(&mut Vec<String>)| {
        let mut all: Vec<String> = lines.lines().map(str::to_owned).collect();
        change(&mut all);
        fs::write(path.join("cases.jsonl"), all.join("\n") + "\n").unwrap();
        Reader::open(&path)
    };
    let text = refused(with(&|all| all[1].truncate(40)));
    assert!(text.contains("cases.jsonl:2 is damaged"), "{text}");
    let text = refused(with(&|all| all[1] = all[0].clone()));
    assert!(text.contains("cases.jsonl:2 is damaged") && text.contains("recorded twice"), "{text}");
    let text = refused(with(&|all| drop(all.pop())));
    assert!(text.contains("2 of 3 cases are left"), "a complete run that lost a line: {text}");
    fs::write(path.join("cases.jsonl"), &lines[..lines.len() - 1]).unwrap();
    let text = refused(Reader::open(&path));
    assert!(text.contains("cases.jsonl:3 is damaged") && text.contains("cut off"), "{text}");
    let reader = with(&|all| all[2] = all[2].replace("\"steps\":[]", "\"steps\":7")).unwrap();
    let last = reader.cases().unwrap().last().unwrap();
    assert!(refused(last).contains("cases.jsonl:3 is damaged"), "damage that only the whole line shows");
}

#[test]
fn a_torn_last_line_of_an_open_run_is_reported_and_its_case_runs_again() {
    let box_ = sandbox();
    let records = passes(3);
    let mut writer = Writer::create(box_.path(), "a", inputs(3), &copies()).unwrap();
    writer.append(&records[0]).unwrap();
    writer.append(&records[1]).unwrap();
    drop(writer);
    let lines = box_.path().join("a.partial/cases.jsonl");
    let half = &serde_json::to_string(&records[2]).unwrap()[..30];
    OpenOptions::new().append(true).open(&lines).unwrap().write_all(half.as_bytes()).unwrap();

    let reader = Reader::open(&box_.path().join("a")).unwrap();
    assert_eq!((reader.torn(), reader.len()), (Some(3), 2));

    let (mut writer, keys) = Writer::resume(&box_.path().join("a"), &inputs(3)).unwrap();
    assert_eq!(keys, BTreeSet::from([records[0].case.key.clone(), records[1].case.key.clone()]));
    writer.append(&records[2]).unwrap();
    let path = writer.finish().unwrap();
    assert_eq!(read(&path), records);
}

#[test]
fn only_the_same_run_is_resumed() {
    let box_ = sandbox();
    drop(Writer::create(box_.path(), "a", inputs(3), &copies()).unwrap());
    let path = box_.path().join("a");
    type Change = fn(&mut Inputs);
    let changes: [(Change, &str); 6] = [
        (
            |i| drop(i.digests.insert("briefs/magazine/brief.md".into(), "x".into())),
            "the input briefs/magazine/brief.md has changed",
        ),
        (|i| drop(i.digests.remove("scripts/magazine/flow.rhai")), "the input scripts/magazine/flow.rhai is gone"),
        (|i| drop(i.digests.insert("briefs/new.md".into(), "x".into())), "the input briefs/new.md is new"),
        (|i| i.settings.browser.version = "157".into(), "the browser was chromium-headless-shell 156.0.8000.1"),
        (|i| i.settings.seed = 8, "the seed was 7 and is 8"),
        (|i| i.planned = 4, "the number of cases was 3 and is 4"),
    ];
    for (change, text) in changes {
        let mut now = inputs(3);
        change(&mut now);
        let error = refused(Writer::resume(&path, &now));
        assert!(error.contains(text), "{error}");
    }
    let mut later = inputs(3);
    later.settings.started = "2026-12-01T00:00:00Z".into();
    let (_writer, keys) = Writer::resume(&path, &later).unwrap();
    assert!(keys.is_empty());
    assert!(refused(Writer::resume(&path, &later)).contains("another process writes to the run"));
}

#[test]
fn a_complete_run_is_not_resumed() {
    let box_ = sandbox();
    let path = write_run(box_.path(), "a", inputs(1), &passes(1));
    assert!(refused(Writer::resume(&path, &inputs(1))).contains("is complete"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Killed at any byte, resumed: the same record as an undisturbed run.
    #[test]
    fn resumed_equals_undisturbed(cut in 0.0..1.0) {
        let box_ = sandbox();
        let records = cases();
        let undisturbed = write_run(box_.path(), "whole", inputs(10), &records);
        let mut writer = Writer::create(box_.path(), "cut", inputs(10), &copies()).unwrap();
        for record in &records {
            writer.append(record).unwrap();
        }
        drop(writer);
        let lines = box_.path().join("cut.partial/cases.jsonl");
        let bytes = fs::read(&lines).unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a file's length")]
        fs::write(&lines, &bytes[..(bytes.len() as f64 * cut) as usize]).unwrap();

        let (mut writer, done) = Writer::resume(&box_.path().join("cut"), &inputs(10)).unwrap();
        prop_assert!(done.len() < records.len());
        for record in records.iter().filter(|record| !done.contains(&record.case.key)) {
            writer.append(record).unwrap();
        }
        let resumed = writer.finish().unwrap();
        prop_assert_eq!(fs::read(resumed.join("cases.jsonl")).unwrap(), fs::read(undisturbed.join("cases.jsonl")).unwrap());
    }
}

fn shards(runs: &Path, count: u64, records: &[CaseRecord]) -> Vec<PathBuf> {
    let part = |index: u64| {
        let shard = format!("{index}/{count}").parse::<loupe::record::Shard>().unwrap();
        let mine: Vec<_> = records.iter().filter(|record| shard.takes(&record.case.key)).cloned().collect();
        let mut inputs = inputs(mine.len() as u64);
        inputs.settings.selection.shard = Some(shard);
        write_run(runs, &format!("part-{index}"), inputs, &mine)
    };
    (1..=count).map(part).collect()
}

#[test]
fn shards_merged_equal_the_unsharded_run() {
    let box_ = sandbox();
    let whole = write_run(box_.path(), "whole", inputs(10), &cases());
    let parts = shards(box_.path(), 3, &cases());
    let merged = merge(&parts, box_.path(), "merged").unwrap();
    assert_eq!(read(&merged), read(&whole));
    let (merged, whole) = (Reader::open(&merged).unwrap(), Reader::open(&whole).unwrap());
    assert_eq!(merged.inputs(), whole.inputs());
    assert_eq!(merged.info().unwrap().totals, whole.info().unwrap().totals);
    for record in cases() {
        for file in record.pictures.iter().chain(&record.captures) {
            assert_eq!(merged.bytes(file).unwrap(), whole.bytes(file).unwrap());
        }
    }
    assert!(merged.folder().join("inputs/briefs/magazine/brief.md").is_file());
}

#[test]
fn a_merge_refuses_what_does_not_belong_together() {
    let box_ = sandbox();
    let parts = shards(box_.path(), 3, &cases());
    assert!(refused(merge(&parts[..2], box_.path(), "m")).contains("shard 3/3 is missing"));
    let mut other = inputs(1);
    other.settings.seed = 8;
    let other = write_run(box_.path(), "other", other, &passes(1));
    let text = refused(merge(&[parts.clone(), vec![other]].concat(), box_.path(), "m"));
    assert!(text.contains("other differs") && text.contains("the seed was 7 and is 8"), "{text}");
    let whole = write_run(box_.path(), "whole", inputs(1), &passes(1));
    assert!(refused(merge(&[parts.clone(), vec![whole]].concat(), box_.path(), "m")).contains("another division"));
    drop(Writer::create(box_.path(), "open", inputs(4), &copies()).unwrap());
    let open = box_.path().join("open.partial");
    assert!(refused(merge(&[parts, vec![open]].concat(), box_.path(), "m")).contains("0 of 4 cases"));
    assert!(!box_.path().join("m").exists() && !box_.path().join("m.partial").exists(), "nothing is left behind");
}

#[test]
fn duplicate_cases_must_agree() {
    let box_ = sandbox();
    let one = write_run(box_.path(), "one", inputs(2), &passes(2));
    let mut slower = passes(2);
    slower[0].duration_ms = 999;
    let same = write_run(box_.path(), "same", inputs(2), &slower);
    let merged = merge(&[one.clone(), same], box_.path(), "merged").unwrap();
    assert_eq!(read(&merged), passes(2), "the first one's record is kept");
    let mut different = passes(2);
    different[1].outcome = Outcome::Failed;
    let different = write_run(box_.path(), "different", inputs(2), &different);
    let text = refused(merge(&[one, different], box_.path(), "m"));
    assert!(text.contains("scenario 1` is passed there and failed elsewhere"), "{text}");
    assert!(!box_.path().join("m").exists() && !box_.path().join("m.partial").exists());
}

#[test]
fn failed_cases_can_be_asked_for() {
    let reader = Reader::open(&fixtures().join("small")).unwrap();
    let failed: BTreeSet<_> = cases()
        .into_iter()
        .filter(|r| matches!(r.outcome, Outcome::Failed | Outcome::Contract | Outcome::Error))
        .map(|r| r.case.key)
        .collect();
    assert_eq!(failed.len(), 5);
    assert_eq!(reader.failed_keys(), failed);
}

/// A full disk, as a file system of 64 KiB; only root may mount one.
#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let box_ = sandbox();
    let mount = |args: &[&str]| std::process::Command::new(args[0]).args(&args[1..]).arg(box_.path()).output();
    let mounted = mount(&["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"]);
    if !mounted.as_ref().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED a_full_disk_is_told_and_loses_nothing: mounting a tmpfs is not permitted here");
        return;
    }
    let told = std::panic::catch_unwind(|| fill_the_disk(box_.path()));
    mount(&["umount"]).unwrap();
    told.unwrap();
}

fn fill_the_disk(runs: &Path) {
    let records = passes(1000);
    let mut writer = Writer::create(runs, "a", inputs(1000), &copies()).unwrap();
    let (finished, error) = records
        .iter()
        .enumerate()
        .find_map(|(n, record)| writer.append(record).err().map(|error| (n, error)))
        .expect("1000 records do not fit into 64 KiB");
    let text = said(error);
    assert!(text.contains("cannot write") && text.contains("cases.jsonl") && text.contains("--resume"), "{text}");
    let picture = writer.shelf().picture(&records[0].case.key, "big", &[7; 70_000]);
    assert!(refused(picture).contains("big.png"));
    assert!(!writer.folder().join(format!("pictures/{}/big.png", records[0].case.key)).exists(), "no half picture");
    assert!(refused(writer.finish()).contains("of 1000 cases"));

    let reader = Reader::open(&runs.join("a")).unwrap();
    assert_eq!((reader.len(), reader.torn(), reader.info().is_none()), (finished, None, true));
    assert!(finished > 10);

    // With no room for the inputs there is no run at all.
    let big = BTreeMap::from([("brief.md".to_owned(), vec![b'x'; 200_000])]);
    assert!(refused(Writer::create(runs, "b", inputs(1), &big)).contains("brief.md"));
    assert!(!runs.join("b.partial").exists());
}
