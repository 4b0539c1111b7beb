//! The overview of a brief: scenarios by artifact and viewport.
//!
//! Holds one small cell a case; deliberately nothing of a case's evidence.

use crate::record::{Error, Outcome, Reader};
use crate::report::evidence::plain;

/// One brief.
pub(super) struct Matrix {
    pub brief: String,
    /// Its condition, if that is not the usual one.
    pub condition: Option<String>,
    /// The artifacts (`arm / sample`) and how many columns each has.
    pub artifacts: Vec<(String, usize)>,
    /// The viewports of all artifacts, in the artifacts' order.
    pub viewports: Vec<String>,
    pub rows: Vec<Row>,
}

/// One scenario, or the captures.
pub(super) struct Row {
    pub title: String,
    /// One cell a column; a scenario need not apply at every viewport.
    pub cells: Vec<Option<Cell>>,
}

/// One case.
pub(super) struct Cell {
    pub key: String,
    pub outcome: Outcome,
    pub flaky: bool,
    /// The whole case in words, for those who do not see the column.
    pub label: String,
}

/// What is known of a brief while its cases are read.
#[derive(Default)]
struct Gathered {
    brief: String,
    columns: Vec<(String, String)>,
    titles: Vec<String>,
    cells: Vec<(usize, usize, Cell)>,
}

/// One matrix a brief, everything in the order of the plan.
pub(super) fn matrices(run: &Reader) -> Result<Vec<Matrix>, Error> {
    let mut briefs: Vec<Gathered> = Vec::new();
    for record in run.cases()? {
        let record = record?;
        let case = &record.case;
        let position = position_of(
            &mut briefs,
            |gathered| gathered.brief == case.brief,
            || Gathered { brief: case.brief.clone(), ..Gathered::default() },
        );
        let gathered = &mut briefs[position];
        let column = (case.labelled(&format!("{} / {}", case.arm, case.sample)), case.viewport.clone());
        let column = position_of(&mut gathered.columns, |known| *known == column, || column.clone());
        let row = position_of(&mut gathered.titles, |known| known == case.title(), || case.title().to_owned());
        let cell = Cell {
            key: plain(case.key.as_str()),
            outcome: record.outcome,
            flaky: record.flaky,
            label: plain(&format!("{case}: {}", record.outcome)),
        };
        gathered.cells.push((row, column, cell));
    }
    let condition = |gathered: &Gathered| run.inputs().condition(&gathered.brief).map(plain);
    Ok(briefs.into_iter().map(|gathered| Matrix { condition: condition(&gathered), ..matrix(gathered) }).collect())
}

fn position_of<T>(items: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    items.iter().position(is_it).unwrap_or_else(|| {
        items.push(new());
        items.len() - 1
    })
}

fn matrix(gathered: Gathered) -> Matrix {
    let mut rows: Vec<Row> = gathered
        .titles
        .iter()
        .map(|title| Row { title: plain(title), cells: gathered.columns.iter().map(|_| None).collect() })
        .collect();
    for (row, column, cell) in gathered.cells {
        rows[row].cells[column] = Some(cell);
    }
    let mut artifacts: Vec<(String, usize)> = Vec::new();
    for (artifact, _) in &gathered.columns {
        match artifacts.last_mut() {
            Some((last, count)) if *last == plain(artifact) => *count += 1,
            _ => artifacts.push((plain(artifact), 1)),
        }
    }
    let viewports = gathered.columns.iter().map(|(_, viewport)| plain(viewport)).collect();
    Matrix { brief: plain(&gathered.brief), condition: None, artifacts, viewports, rows }
}
