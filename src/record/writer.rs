//! Writes a run: opened before anything happens, one durable line per finished case, renamed when all are there.
//!
//! Keeps nothing of a case in memory, and deliberately never deletes what a run has found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::shelf::Shelf;
use super::totals::Totals;
use super::{CaseKey, CaseRecord, Error, Inputs, Reader, RunInfo, format, reader};

/// The one writer of an open run.
pub struct Writer {
    partial: PathBuf,
    complete: PathBuf,
    id: String,
    inputs: Inputs,
    lines: File,
    /// Bytes of whole lines; what lies beyond is the rest of a failed write.
    whole: u64,
    totals: Totals,
}

impl Writer {
    /// Opens `runs/<id>.partial`. `copies` are the texts whose later edits must not change the run's meaning (brief,
    /// facts, flow), by their path in the study; they are kept under `inputs/`.
    ///
    /// # Errors
    /// If the run exists, a name is no plain relative path, or the disk refuses; then no folder is left behind.
    pub fn create(runs: &Path, id: &str, inputs: Inputs, copies: &BTreeMap<String, Vec<u8>>) -> Result<Self, Error> {
        if let Some(name) = copies.keys().map(String::as_str).chain([id]).find(|name| !format::is_plain(name)) {
            return Err(Error::Name { name: name.to_owned() });
        }
        let complete = runs.join(id);
        let partial = runs.join(format!("{id}.partial"));
        if let Some(path) = [&complete, &partial].into_iter().find(|path| path.exists()) {
            return Err(Error::Exists { path: path.clone() });
        }
        fs::create_dir_all(&partial).map_err(Error::disk("create", &partial))?;
        let opened = fill(&partial, &inputs, copies).and_then(|()| open_lines(&partial));
        match opened {
            Ok(lines) => {
                Ok(Self { partial, complete, id: id.to_owned(), inputs, lines, whole: 0, totals: Totals::default() })
            }
            Err(error) => {
                // Nothing was found yet, so nothing is lost; the first error is the one worth telling.
                let _ = fs::remove_dir_all(&partial);
                Err(error)
            }
        }
    }

    /// Opens an interrupted run again and tells which cases are finished. A last line that was cut off is dropped: its
    /// case runs again. `path` is the run's folder with or without `.partial`; `now` is what the run would begin with
    /// today, with its own seed and selection ([`Reader::inputs`]).
    ///
    /// # Errors
    /// If the run is complete, open elsewhere, damaged, or `now` is not what it began with.
    pub fn resume(path: &Path, now: &Inputs) -> Result<(Self, BTreeSet<CaseKey>), Error> {
        let partial = reader::folder_of(path)?;
        let name = partial.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(id) = name.strip_suffix(".partial").map(str::to_owned) else {
            let end = partial.join("run.json");
            return Err(match end.exists() {
                true => Error::Complete { path: partial },
                false => {
                    Error::Damaged { path: end, line: None, reason: "a complete run has it, and it is gone".into() }
                }
            });
        };
        // Locked before it is read, or another process might add a line in between.
        let mut lines = open_lines(&partial)?;
        let reader = Reader::open(&partial)?;
        let what = reader.inputs().changes(now);
        if !what.is_empty() {
            return Err(Error::Differs { path: partial, what });
        }
        let path = partial.join("cases.jsonl");
        let whole = reader.whole();
        lines.set_len(whole).map_err(Error::disk("shorten", &path))?;
        lines.seek(SeekFrom::End(0)).map_err(Error::disk("read", &path))?;
        let (inputs, keys, totals) = (reader.inputs().clone(), reader.keys(), reader.counted());
        let complete = partial.with_file_name(&id);
        Ok((Self { partial, complete, id, inputs, lines, whole, totals }, keys))
    }

    /// The conditions and inputs of the run.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The open folder.
    pub fn folder(&self) -> &Path {
        &self.partial
    }

    /// Where workers put the pictures and captures of cases.
    pub fn shelf(&self) -> Shelf {
        Shelf::new(self.partial.clone())
    }

    /// Puts a finished case on the record. When this returns, the line is on the disk.
    ///
    /// # Errors
    /// If the disk refuses. The record then ends after the case before, as if this one had not run.
    pub fn append(&mut self, record: &CaseRecord) -> Result<(), Error> {
        let mut line = serde_json::to_vec(record).expect("plain data with string keys always becomes JSON");
        line.push(b'\n');
        let path = self.partial.join("cases.jsonl");
        if let Err(error) = self.lines.write_all(&line).and_then(|()| self.lines.sync_data()) {
            // Half a line must not precede the next one. If even this fails, the reader drops the torn line.
            let _ = self.lines.set_len(self.whole).and_then(|()| self.lines.seek(SeekFrom::End(0)));
            return Err(Error::disk("write", &path)(error));
        }
        self.whole += line.len() as u64;
        let case = &record.case;
        self.totals.add(&self.inputs, &case.brief, case.kind, record.outcome, record.flaky);
        Ok(())
    }

    /// Writes `run.json` and gives the folder its final name, which is returned.
    ///
    /// # Errors
    /// If planned cases are missing or the disk refuses; the run then stays resumable.
    pub fn finish(self) -> Result<PathBuf, Error> {
        let (seen, planned) = (self.totals.cases(), self.inputs.planned);
        if seen != planned {
            return Err(Error::Unfinished { path: self.partial, seen, planned });
        }
        let info = RunInfo { id: self.id, settings: self.inputs.settings, totals: self.totals.list() };
        format::write(&self.partial.join("run.json"), &info)?;
        if self.complete.exists() {
            return Err(Error::Exists { path: self.complete });
        }
        fs::rename(&self.partial, &self.complete).map_err(Error::disk("rename", &self.partial))?;
        Ok(self.complete)
    }
}

fn fill(partial: &Path, inputs: &Inputs, copies: &BTreeMap<String, Vec<u8>>) -> Result<(), Error> {
    for (name, bytes) in copies {
        let path = partial.join("inputs").join(name);
        let folder = path.parent().expect("a plain name was joined to a folder");
        fs::create_dir_all(folder).map_err(Error::disk("create", folder))?;
        fs::write(&path, bytes).map_err(Error::disk("write", &path))?;
    }
    File::create(partial.join("cases.jsonl")).map_err(Error::disk("create", partial))?;
    // Last, because a folder with inputs.json is a run.
    format::write(&partial.join("inputs.json"), inputs)
}

/// Opens the lines for writing at their end and locks them for this process.
fn open_lines(partial: &Path) -> Result<File, Error> {
    let path = partial.join("cases.jsonl");
    let lines = OpenOptions::new().write(true).open(&path).map_err(Error::disk("open", &path))?;
    match lines.try_lock() {
        Ok(()) => Ok(lines),
        Err(TryLockError::WouldBlock) => Err(Error::Busy { path: partial.to_owned() }),
        Err(TryLockError::Error(error)) => Err(Error::disk("lock", &path)(error)),
    }
}
