//! Two runs beside each other: every verdict that changed, and what changed of all that it depends on.
//!
//! A pure function of the two records, which stay as they are. Verdicts are compared by how they ended; their wording is
//! evidence. It deliberately does not say which of several causes it was.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Case, CaseRecord, Error, Outcome, Reader, What, causes, format};

/// The first format that keeps everything a verdict depends on.
const NEEDED: &str = "1.2";

/// What [`compare`] finds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The folder of the run that was first.
    pub base: String,
    /// The folder of the run beside it.
    pub head: String,
    /// How many verdicts are what, for each condition by itself.
    pub sums: Vec<Sums>,
    /// The verdicts that changed, in the order of the plan.
    pub changed: Vec<Change>,
    /// Those that only the second run has.
    pub added: Vec<Seen>,
    /// Those that only the first run has.
    pub gone: Vec<Seen>,
}

/// How many verdicts of one condition are what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Sums {
    /// The condition; none for the usual one.
    pub condition: Option<String>,
    /// In both runs.
    pub both: u64,
    /// Changed for the worse.
    pub worse: u64,
    /// Changed for the better.
    pub better: u64,
    /// Ended in a harness error, which the first run's did not.
    pub error: u64,
    /// Changed otherwise.
    pub other: u64,
    /// Only in the second run.
    pub added: u64,
    /// Only in the first run.
    pub gone: u64,
}

/// A verdict that changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Of which case.
    pub case: Case,
    /// For better or worse.
    pub direction: Direction,
    /// How it ended in the first run.
    pub base: Judged,
    /// How it ended in the second.
    pub head: Judged,
    /// What changed of all that it depends on.
    pub causes: Vec<Cause>,
    /// What is to be thought of it where nothing did.
    pub unexplained: Option<&'static str>,
}

/// A verdict that only one of the runs has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seen {
    /// Of which case.
    pub case: Case,
    /// How it ended.
    pub verdict: Judged,
}

/// How a case ended, and with fallback locators, if that was needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// How it ended.
    pub outcome: Outcome,
    /// How it ended with the fallback locators.
    pub fallback: Option<Outcome>,
}

/// Where a verdict went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// More stands against the artifact.
    Worse,
    /// Less does.
    Better,
    /// A harness error took its place.
    Error,
    /// Neither: it was skipped, or was not judged before.
    Other,
}

/// Something that changed of what a verdict depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// Of which kind.
    pub kind: CauseKind,
    /// What, in words.
    pub what: String,
}

/// What a verdict depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// The site under examination.
    Artifact,
    /// The brief or its facts.
    Brief,
    /// What judges: scripts, protocol, viewport, limits.
    Evaluator,
    /// What looks: this program, the browser, axe-core.
    Engine,
}

/// Compares two complete runs.
///
/// # Errors
/// If one cannot be read, is not complete, is too old to tell what judged, or they have no case in common.
pub fn compare(base: &Reader, head: &Reader) -> Result<Comparison, Error> {
    [base, head].into_iter().try_for_each(must_tell_all)?;
    let mut before = BTreeMap::new();
    for record in base.cases()? {
        let record = record?;
        before.insert(record.case.key.clone(), known(record));
    }
    let mut found = Comparison {
        base: base.folder().display().to_string(),
        head: head.folder().display().to_string(),
        sums: Vec::new(),
        changed: Vec::new(),
        added: Vec::new(),
        gone: Vec::new(),
    };
    let mut both = 0;
    for record in head.cases()? {
        let now = known(record?);
        let sums = found.sums_of(head, &now.case);
        let Some(then) = before.remove(&now.case.key) else {
            sums.added += 1;
            found.added.push(Seen { case: now.case, verdict: now.verdict });
            continue;
        };
        both += 1;
        sums.both += 1;
        if let Some(direction) = direction(then.verdict, now.verdict) {
            *sums.of(direction) += 1;
            found.changed.push(change((base, then), (head, now), direction));
        }
    }
    if both == 0 {
        return Err(Error::Strangers { base: base.folder().to_owned(), head: head.folder().to_owned() });
    }
    let mut gone: Vec<Known> = before.into_values().collect();
    gone.sort_by_key(|known| known.case.order);
    for Known { case, verdict, .. } in gone {
        found.sums_of(base, &case).gone += 1;
        found.gone.push(Seen { case, verdict });
    }
    found.sums.sort_by(|a, b| a.condition.cmp(&b.condition));
    Ok(found)
}

/// What is kept of a record while the other run is read.
struct Known {
    case: Case,
    verdict: Judged,
    /// The engine of its audits, if it had any.
    axe: Option<String>,
}

fn known(record: CaseRecord) -> Known {
    let axe = record.observations.iter().find_map(|observation| match &observation.what {
        What::Accessibility(audit) => Some(format!("axe-core {} ({:.8})", audit.scope.version, audit.scope.digest)),
        _ => None,
    });
    let verdict = Judged { outcome: record.outcome, fallback: record.fallback };
    Known { case: record.case, verdict, axe }
}

fn must_tell_all(run: &Reader) -> Result<(), Error> {
    let path = run.folder().to_owned();
    if !format::is_at_least(run.format(), NEEDED) {
        return Err(Error::Older { path, found: run.format().to_owned(), needed: NEEDED });
    }
    match run.info() {
        Some(_) => Ok(()),
        None => Err(Error::Unfinished { path, seen: run.len() as u64, planned: run.inputs().planned }),
    }
}

fn change((base, then): (&Reader, Known), (head, now): (&Reader, Known), direction: Direction) -> Change {
    let (before, after) = (base.inputs(), head.inputs());
    let mut causes = causes::between(before, after, &now.case);
    if let (Some(a), Some(b)) = (&then.axe, &now.axe)
        && a != b
    {
        causes.push(Cause { kind: CauseKind::Engine, what: format!("{a} -> {b}") });
    }
    let is_remote = after.remote.contains(&super::Inputs::name_of(now.case.names()));
    let is_ours = [then.verdict, now.verdict].iter().any(|verdict| verdict.outcome == Outcome::Error);
    let unexplained = match (causes.is_empty(), is_ours, is_remote) {
        (false, ..) => None,
        (_, true, _) => Some("nothing changed that is on the record: trouble of the harness comes and goes"),
        (_, _, true) => Some("nothing changed that is on the record: what the address served is not"),
        _ => Some("nothing changed that it depends on: the case is flaky"),
    };
    Change { case: now.case, direction, base: then.verdict, head: now.verdict, causes, unexplained }
}

/// Where a verdict went; `None` if it stayed.
fn direction(base: Judged, head: Judged) -> Option<Direction> {
    if base == head {
        return None;
    }
    let weight = |judged: Judged| match judged.outcome {
        Outcome::Passed | Outcome::Skipped => Some(0),
        // A broken contract proves nothing against the control, unless the fallback found that it fails.
        Outcome::Contract if judged.fallback != Some(Outcome::Failed) => Some(1),
        Outcome::Contract => Some(2),
        Outcome::Failed => Some(3),
        Outcome::Error => None,
    };
    Some(match (weight(base), weight(head)) {
        (_, None) => Direction::Error,
        (Some(before), Some(after)) if after > before => Direction::Worse,
        (Some(before), Some(after)) if after < before => Direction::Better,
        _ => Direction::Other,
    })
}

impl Comparison {
    /// The sums of the condition that `case` has in `run`.
    fn sums_of(&mut self, run: &Reader, case: &Case) -> &mut Sums {
        let condition = run.inputs().condition(&case.brief);
        let position = self.sums.iter().position(|sums| sums.condition.as_deref() == condition);
        let position = position.unwrap_or_else(|| {
            self.sums.push(Sums { condition: condition.map(str::to_owned), ..Sums::default() });
            self.sums.len() - 1
        });
        &mut self.sums[position]
    }

    /// Whether a verdict went this way.
    pub fn has(&self, direction: Direction) -> bool {
        self.changed.iter().any(|change| change.direction == direction)
    }
}

impl Sums {
    fn of(&mut self, direction: Direction) -> &mut u64 {
        match direction {
            Direction::Worse => &mut self.worse,
            Direction::Better => &mut self.better,
            Direction::Error => &mut self.error,
            Direction::Other => &mut self.other,
        }
    }
}

impl Direction {
    /// All of them, the gravest first.
    pub const ALL: [Self; 4] = [Self::Worse, Self::Error, Self::Other, Self::Better];

    /// The word for people and files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Error => "error",
            Self::Other => "other",
        }
    }
}

impl CauseKind {
    /// The word for people and files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Artifact => "artifact",
            Self::Brief => "brief",
            Self::Evaluator => "evaluator",
            Self::Engine => "engine",
        }
    }
}
