//! The page's sections on accessibility and on assets.
//!
//! It only lays out what `report::overview` gathered; deliberately nothing is counted a second time.

use std::collections::BTreeSet;

use askama::Template;

use crate::record::{Audit, AuditRule};
use crate::report::evidence::plain;
use crate::report::overview::{Assets, Audited, Overview};

/// Both sections; empty ones are left out.
#[derive(Template)]
#[template(path = "overview.html", config = "src/report/page/askama.toml")]
pub(super) struct Sections {
    audits: Vec<Row>,
    /// Each engine that was used, in a sentence.
    engines: Vec<String>,
    assets: Vec<Artifact>,
}

struct Row {
    artifact: String,
    case: String,
    viewport: String,
    state: String,
    fails: bool,
    violations: String,
    review: String,
    scope: String,
}

struct Artifact {
    artifact: String,
    summary: String,
    lists: [(&'static str, Vec<String>); 3],
    files: Vec<File>,
}

struct File {
    name: String,
    cells: [String; 5],
}

/// The sections of `overview`.
pub(super) fn sections(overview: &Overview) -> Sections {
    let audits = &overview.accessibility;
    let engine = |row: &Audited| {
        let scope = &row.audit.scope;
        format!("axe-core {} (SHA-256 {}), rules tagged {}.", scope.version, scope.digest, scope.tags.join(", "))
    };
    let engines: BTreeSet<String> = audits.iter().map(engine).collect();
    Sections {
        audits: audits.iter().map(row).collect(),
        engines: engines.iter().map(|engine| plain(engine)).collect(),
        assets: overview.assets.iter().map(artifact).collect(),
    }
}

fn row(row: &Audited) -> Row {
    let audit = &row.audit;
    Row {
        artifact: plain(&row.artifact),
        case: plain(row.case.as_str()),
        viewport: plain(&row.viewport),
        state: plain(&audit.state),
        fails: !audit.violations.is_empty(),
        violations: rules(&audit.violations),
        review: rules(&audit.needs_review),
        scope: plain(&scope(audit)),
    }
}

/// Rules with the number of their elements, a line each.
fn rules(rules: &[AuditRule]) -> String {
    if rules.is_empty() {
        return "none".to_owned();
    }
    let told = rules.iter().map(|rule| {
        let impact = rule.impact.as_ref().map(|impact| format!(" ({impact})")).unwrap_or_default();
        format!("{} {}{impact}", rule.count, rule.id)
    });
    plain(&told.collect::<Vec<_>>().join("\n"))
}

fn scope(audit: &Audit) -> String {
    let scope = &audit.scope;
    let [width, height] = scope.viewport;
    let s = if scope.frames.len() == 1 { "" } else { "s" };
    let mut lines = vec![format!("{width}x{height}, {} rules, {} document{s}", scope.rules, scope.frames.len())];
    lines.extend(scope.unreached.iter().map(|frame| format!("not {}: {}", frame.frame, frame.why)));
    lines.join("\n")
}

fn artifact(assets: &Assets) -> Artifact {
    let remote = |(url, remote): (&String, &crate::report::overview::Remote)| {
        let end = if remote.blocked { "nothing came" } else { "answered" };
        plain(&format!("{} {url} ({end})", remote.kind.word()))
    };
    let names = |names: &[String]| names.iter().map(|name| plain(name)).collect::<Vec<_>>();
    let bytes: u64 = assets.loaded.values().map(|file| file.bytes).sum();
    let record = if assets.declared { "" } else { "; nothing is declared" };
    let summary = format!(
        "{} files, {bytes} bytes; {} unrecorded, {} unused, {} remote{record}",
        assets.loaded.len(),
        assets.unrecorded.len(),
        assets.unused.len(),
        assets.remote.len()
    );
    let file = |(name, file): (&String, &crate::report::overview::File)| File {
        name: plain(name),
        cells: [
            file.kind.word().to_owned(),
            file.bytes.to_string(),
            file.digest.as_deref().map(|digest| plain(digest.get(..16).unwrap_or(digest))).unwrap_or_default(),
            file.source.as_deref().map(plain).unwrap_or_default(),
            file.licence.as_deref().map(plain).unwrap_or_default(),
        ],
    };
    Artifact {
        artifact: plain(&assets.artifact),
        summary,
        lists: [
            ("Unrecorded: pictures, fonts and media without a declared source", names(&assets.unrecorded)),
            ("Unused: declared and never loaded", names(&assets.unused)),
            ("Remote: asked of another host", assets.remote.iter().map(remote).collect()),
        ],
        files: assets.loaded.iter().map(file).collect(),
    }
}
