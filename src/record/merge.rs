//! Merges the shards of one run into one run.
//!
//! Only what was made under the same conditions is merged, and only when nothing is missing; a merge deliberately never
//! chooses between two answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::{CaseKey, CaseRecord, Error, Inputs, Reader, Writer, shelf};

/// Merges complete runs into `runs/<id>`, which is returned. Cases that several of them hold must have equal verdicts.
///
/// # Errors
/// If a run is incomplete, was made under other conditions, a shard is missing, or two verdicts differ; then nothing is
/// left behind.
pub fn merge(shards: &[PathBuf], runs: &Path, id: &str) -> Result<PathBuf, Error> {
    let readers = shards.iter().map(|path| Reader::open(path)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = readers.first() else { return Err(Error::NotARun { path: runs.to_owned() }) };
    for reader in &readers {
        if reader.info().is_none() {
            let (seen, planned) = (reader.len() as u64, reader.inputs().planned);
            return Err(Error::Unfinished { path: reader.folder().to_owned(), seen, planned });
        }
        let what = first.inputs().changes(&beside(first, reader.inputs()));
        if !what.is_empty() {
            return Err(Error::Differs { path: reader.folder().to_owned(), what });
        }
    }
    if let Some(missing) = missing_shard(&readers) {
        return Err(Error::Differs { path: first.folder().to_owned(), what: vec![missing] });
    }
    let mut writer = Writer::create(runs, id, merged_inputs(&readers), &kept_inputs(first)?)?;
    match fill(&mut writer, &readers) {
        Ok(()) => writer.finish(),
        Err(error) => {
            // Everything in it is still in the shards.
            let _ = fs::remove_dir_all(writer.folder());
            Err(error)
        }
    }
}

fn fill(writer: &mut Writer, readers: &[Reader]) -> Result<(), Error> {
    let mut holder: BTreeMap<CaseKey, &Reader> = BTreeMap::new();
    for reader in readers {
        for record in reader.cases()? {
            let record = record?;
            match holder.get(&record.case.key) {
                Some(earlier) => must_agree(earlier, &record)?,
                None => {
                    copy_files(&record, reader, writer.folder())?;
                    writer.append(&record)?;
                    holder.insert(record.case.key, reader);
                }
            }
        }
    }
    Ok(())
}

fn must_agree(earlier: &Reader, record: &CaseRecord) -> Result<(), Error> {
    let Some(other) = earlier.case(&record.case.key)? else { return Ok(()) };
    if other.verdict() == record.verdict() {
        return Ok(());
    }
    let what = match (other.outcome, record.outcome) {
        (one, two) if one == two => format!("`{}` is {one} for other reasons elsewhere", record.case),
        (one, two) => format!("`{}` is {one} there and {two} elsewhere", record.case),
    };
    Err(Error::Differs { path: earlier.folder().to_owned(), what: vec![what] })
}

fn copy_files(record: &CaseRecord, from: &Reader, to: &Path) -> Result<(), Error> {
    for stored in record.pictures.iter().chain(&record.captures) {
        shelf::write(&to.join(&stored.path), &from.bytes(stored)?)?;
    }
    Ok(())
}

/// Shards 1 to N must all be there: a merge without one of them would look complete.
fn missing_shard(readers: &[Reader]) -> Option<String> {
    let parts: Vec<_> = readers.iter().filter_map(|reader| reader.inputs().settings.selection.shard).collect();
    let count = parts.first()?.count();
    if parts.len() != readers.len() || parts.iter().any(|part| part.count() != count) {
        return Some("some of the runs are shards of another division".to_owned());
    }
    let missing = (1..=count).find(|index| parts.iter().all(|part| part.index() != *index))?;
    Some(format!("shard {missing}/{count} is missing"))
}

/// `inputs` as they would be beside `first`: which shard a run is, and how many cases it has, are no differences.
fn beside(first: &Reader, inputs: &Inputs) -> Inputs {
    let mut inputs = inputs.clone();
    inputs.settings.selection.shard = first.inputs().settings.selection.shard;
    inputs.planned = first.inputs().planned;
    inputs
}

fn merged_inputs(readers: &[Reader]) -> Inputs {
    let mut inputs = readers[0].inputs().clone();
    inputs.settings.selection.shard = None;
    let starts = readers.iter().map(|reader| &reader.inputs().settings.started);
    inputs.settings.started = starts.min().cloned().unwrap_or_default();
    inputs.planned = readers.iter().flat_map(Reader::keys).collect::<BTreeSet<_>>().len() as u64;
    inputs
}

fn kept_inputs(reader: &Reader) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let folder = reader.folder().join("inputs");
    let mut copies = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&folder).into_iter().filter_map(Result::ok) {
        let Ok(name) = entry.path().strip_prefix(&folder) else { continue };
        if entry.file_type().is_file() {
            let bytes = fs::read(entry.path()).map_err(Error::disk("read", entry.path()))?;
            copies.insert(name.to_string_lossy().into_owned(), bytes);
        }
    }
    Ok(copies)
}
