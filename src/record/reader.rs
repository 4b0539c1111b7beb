//! Reads a run: complete or interrupted, without a browser, one case at a time.
//!
//! A torn last line is what an interruption leaves and is only reported; any other damage is an error with its line.
//! Reading deliberately never repairs: only [`super::Writer::resume`] writes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::totals::Totals;
use super::{CaseKey, CaseKind, CaseRecord, Error, Inputs, Outcome, RunInfo, Stored, Total, format};

/// A run on the disk.
pub struct Reader {
    folder: PathBuf,
    inputs: Inputs,
    format: String,
    info: Option<RunInfo>,
    index: Vec<Line>,
    whole: u64,
    torn: Option<usize>,
    totals: Totals,
}

/// What is known of a line without keeping it.
struct Line {
    order: u64,
    key: CaseKey,
    outcome: Outcome,
    number: usize,
    start: u64,
    length: usize,
}

/// The parts of a line that the index needs.
#[derive(Deserialize)]
struct Glance {
    case: GlanceCase,
    outcome: Outcome,
    flaky: bool,
}

#[derive(Deserialize)]
struct GlanceCase {
    key: CaseKey,
    kind: CaseKind,
    brief: String,
    order: u64,
}

impl Reader {
    /// Opens a run; `path` is its folder, with or without `.partial`. Every line is looked at once.
    ///
    /// # Errors
    /// If there is no run, its format is not readable, or it is damaged.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let folder = folder_of(path)?;
        let (inputs, format) = format::read(&folder.join("inputs.json"))?;
        let end = folder.join("run.json");
        let info = if end.exists() { Some(format::read(&end)?.0) } else { None };
        let mut reader =
            Self { folder, inputs, format, info, index: Vec::new(), whole: 0, torn: None, totals: Totals::default() };
        reader.look_at_lines()?;
        Ok(reader)
    }

    fn look_at_lines(&mut self) -> Result<(), Error> {
        let path = self.lines_path();
        let mut lines = BufReader::new(File::open(&path).map_err(Error::disk("read", &path))?);
        let mut seen = BTreeSet::new();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if lines.read_until(b'\n', &mut line).map_err(Error::disk("read", &path))? == 0 {
                break;
            }
            if !line.ends_with(b"\n") {
                self.torn = Some(number);
                break;
            }
            let glance: Glance = serde_json::from_slice(&line).map_err(|e| self.damaged(number, &e.to_string()))?;
            if !seen.insert(glance.case.key.clone()) {
                return Err(self.damaged(number, &format!("the case {} is recorded twice", glance.case.key)));
            }
            let GlanceCase { kind, brief, .. } = &glance.case;
            self.totals.add(&self.inputs, brief, *kind, glance.outcome, glance.flaky);
            self.index.push(Line {
                order: glance.case.order,
                key: glance.case.key,
                outcome: glance.outcome,
                number,
                start: self.whole,
                length: line.len(),
            });
            self.whole += line.len() as u64;
        }
        self.index.sort_by(|a, b| (a.order, &a.key).cmp(&(b.order, &b.key)));
        match (&self.info, self.torn) {
            (Some(_), Some(number)) => Err(self.damaged(number, "the last line of a complete run is cut off")),
            (Some(_), None) if self.totals.cases() != self.inputs.planned => {
                let (seen, planned) = (self.totals.cases(), self.inputs.planned);
                Err(self.damaged(seen as usize + 1, &format!("{seen} of {planned} cases are left")))
            }
            _ => Ok(()),
        }
    }

    /// The run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The conditions and inputs.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The format that it was written in.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// What was written at the end; absent as long as the run is not complete.
    pub fn info(&self) -> Option<&RunInfo> {
        self.info.as_ref()
    }

    /// The line of an interrupted run that was cut off and does not count.
    pub fn torn(&self) -> Option<usize> {
        self.torn
    }

    /// How many cases are on the record.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether no case is on the record.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The cases on the record.
    pub fn keys(&self) -> BTreeSet<CaseKey> {
        self.index.iter().map(|line| line.key.clone()).collect()
    }

    /// The cases that neither passed nor were skipped.
    pub fn failed_keys(&self) -> BTreeSet<CaseKey> {
        let good = |line: &&Line| matches!(line.outcome, Outcome::Passed | Outcome::Skipped);
        self.index.iter().filter(|line| !good(line)).map(|line| line.key.clone()).collect()
    }

    /// How the cases on the record ended, for each condition by itself: the usual one first. Never empty.
    pub fn totals(&self) -> Vec<Total> {
        self.totals.list()
    }

    /// The finished cases in the order of the plan, read one at a time.
    ///
    /// # Errors
    /// If the file cannot be opened; each item, if it cannot be read.
    pub fn cases(&self) -> Result<impl Iterator<Item = Result<CaseRecord, Error>> + '_, Error> {
        self.cases_of(&Outcome::ALL)
    }

    /// Those of [`Reader::cases`] that ended with one of `outcomes`; the others are not even read.
    ///
    /// # Errors
    /// As [`Reader::cases`].
    pub fn cases_of<'a>(
        &'a self,
        outcomes: &'a [Outcome],
    ) -> Result<impl Iterator<Item = Result<CaseRecord, Error>> + 'a, Error> {
        let path = self.lines_path();
        let mut file = File::open(&path).map_err(Error::disk("read", &path))?;
        let lines = self.index.iter().filter(|line| outcomes.contains(&line.outcome));
        Ok(lines.map(move |line| self.read_line(&mut file, line)))
    }

    /// The record of one case; `None` if it is not on the record.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn case(&self, key: &CaseKey) -> Result<Option<CaseRecord>, Error> {
        let Some(line) = self.index.iter().find(|line| line.key == *key) else { return Ok(None) };
        let path = self.lines_path();
        let mut file = File::open(&path).map_err(Error::disk("read", &path))?;
        self.read_line(&mut file, line).map(Some)
    }

    /// The bytes of a picture or capture.
    ///
    /// # Errors
    /// If its path leads out of the run, or it cannot be read.
    pub fn bytes(&self, stored: &Stored) -> Result<Vec<u8>, Error> {
        if !format::is_plain(&stored.path) {
            return Err(Error::Name { name: stored.path.clone() });
        }
        let path = self.folder.join(&stored.path);
        fs::read(&path).map_err(Error::disk("read", &path))
    }

    /// Bytes of whole lines.
    pub(super) fn whole(&self) -> u64 {
        self.whole
    }

    pub(super) fn counted(&self) -> Totals {
        self.totals.clone()
    }

    fn read_line(&self, file: &mut File, line: &Line) -> Result<CaseRecord, Error> {
        let mut bytes = vec![0; line.length];
        file.seek(SeekFrom::Start(line.start))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(Error::disk("read", &self.lines_path()))?;
        serde_json::from_slice(&bytes).map_err(|e| self.damaged(line.number, &e.to_string()))
    }

    fn lines_path(&self) -> PathBuf {
        self.folder.join("cases.jsonl")
    }

    fn damaged(&self, line: usize, reason: &str) -> Error {
        Error::Damaged { path: self.lines_path(), line: Some(line), reason: reason.to_owned() }
    }
}

/// The folder of the run at `path`, which is named with or without `.partial`.
pub(super) fn folder_of(path: &Path) -> Result<PathBuf, Error> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let folder = if path.exists() { path.to_owned() } else { PathBuf::from(partial) };
    if folder.join("inputs.json").is_file() { Ok(folder) } else { Err(Error::NotARun { path: path.to_owned() }) }
}
