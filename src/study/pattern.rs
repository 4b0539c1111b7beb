//! The pattern that says where artifacts are: `artifacts/{arm}/{brief}/{sample}`, or `{brief}/arm-{arm}/run-{sample}.html`.
//!
//! It deliberately knows nothing of the disk; it splits names, and another file walks.

use crate::diag::{Diagnostic, did_you_mean};

/// What a placeholder stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hole {
    Arm,
    Brief,
    Sample,
}

const HOLES: [(&str, Hole); 3] = [("arm", Hole::Arm), ("brief", Hole::Brief), ("sample", Hole::Sample)];

/// What the placeholders stand for in one path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Binding {
    pub arm: Option<String>,
    pub brief: Option<String>,
    pub sample: Option<String>,
}

impl Binding {
    /// With one more; `None` if the same placeholder already stands for something else.
    fn with(&self, hole: Hole, value: &str) -> Option<Self> {
        let mut binding = self.clone();
        let slot = match hole {
            Hole::Arm => &mut binding.arm,
            Hole::Brief => &mut binding.brief,
            Hole::Sample => &mut binding.sample,
        };
        match slot {
            Some(bound) if bound != value => return None,
            _ => *slot = Some(value.to_owned()),
        }
        Some(binding)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Hole(Hole),
}

/// One name of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment(Vec<Part>);

/// A path with placeholders, relative to the study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    pub text: String,
    pub segments: Vec<Segment>,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A diagnostic, without a place, for a pattern that could not tell arms apart, or is not a relative path.
    pub(super) fn parse(text: &str) -> Result<Self, Diagnostic> {
        if text.starts_with('/') {
            return Err(Diagnostic::new("the pattern of the artifacts must be relative to the study").received(text));
        }
        let names = text.split('/').filter(|name| !name.is_empty() && *name != ".");
        let pattern = Self { text: text.to_owned(), segments: names.map(Segment::parse).collect::<Result<_, _>>()? };
        if !pattern.has(Hole::Arm) {
            return Err(Diagnostic::new("the pattern of the artifacts has no {arm}")
                .expected("a path such as artifacts/{arm}/{brief}/{sample}")
                .received(text));
        }
        Ok(pattern)
    }

    /// Whether `hole` occurs in it.
    pub(super) fn has(&self, hole: Hole) -> bool {
        self.segments.iter().any(|segment| segment.0.contains(&Part::Hole(hole)))
    }
}

impl Segment {
    fn parse(name: &str) -> Result<Self, Diagnostic> {
        let mut parts = Vec::new();
        let mut rest = name;
        while let Some(open) = rest.find('{') {
            let Some(close) = rest[open..].find('}').map(|i| open + i) else {
                return Err(
                    Diagnostic::new("a placeholder in the pattern of the artifacts is not closed").received(name)
                );
            };
            if open > 0 {
                parts.push(Part::Literal(rest[..open].to_owned()));
            }
            parts.push(Part::Hole(hole(&rest[open + 1..close])?));
            rest = &rest[close + 1..];
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest.to_owned()));
        }
        Ok(Self(parts))
    }

    /// The name itself, if it has no placeholder.
    pub(super) fn literal(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part::Literal(name)] => Some(name),
            _ => None,
        }
    }

    /// Whether it ends in a placeholder, so that it leaves a page's extension open.
    pub(super) fn is_open_ended(&self) -> bool {
        matches!(self.0.last(), Some(Part::Hole(_)))
    }

    /// Every way in which `name` fits, given what is bound already.
    pub(super) fn fit(&self, name: &str, bound: &Binding) -> Vec<Binding> {
        let mut found = Vec::new();
        fit(&self.0, name, bound, &mut found);
        found
    }
}

fn fit(parts: &[Part], name: &str, bound: &Binding, found: &mut Vec<Binding>) {
    match parts.split_first() {
        None if name.is_empty() => found.push(bound.clone()),
        None => {}
        Some((Part::Literal(text), rest)) => {
            if let Some(name) = name.strip_prefix(text.as_str()) {
                fit(rest, name, bound, found);
            }
        }
        Some((Part::Hole(hole), rest)) => {
            let ends = name.char_indices().map(|(at, c)| at + c.len_utf8());
            for (value, tail) in ends.map(|end| name.split_at(end)) {
                if let Some(bound) = bound.with(*hole, value) {
                    fit(rest, tail, &bound, found);
                }
            }
        }
    }
}

fn hole(name: &str) -> Result<Hole, Diagnostic> {
    if let Some((_, hole)) = HOLES.iter().find(|(known, _)| *known == name) {
        return Ok(*hole);
    }
    let mistake = Diagnostic::new(format!("unknown placeholder {{{name}}} in the pattern of the artifacts"))
        .expected("{arm}, {brief} or {sample}");
    Err(match did_you_mean(name, HOLES.iter().map(|(known, _)| *known)) {
        Some(near) => mistake.hint(format!("did you mean {{{near}}}?")),
        None => mistake,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(segment: &str, name: &str) -> Vec<(Option<String>, Option<String>)> {
        let pattern = Segment::parse(segment).unwrap();
        pattern.fit(name, &Binding::default()).into_iter().map(|b| (b.arm, b.sample)).collect()
    }

    #[test]
    fn a_segment_splits_a_name_in_every_possible_way() {
        let pair = |arm: &str, sample: &str| (Some(arm.to_owned()), Some(sample.to_owned()));
        assert_eq!(fits("arm-{arm}", "arm-b"), [(Some("b".to_owned()), None)]);
        assert_eq!(fits("arm-{arm}", "b"), []);
        assert_eq!(fits("{arm}-{sample}", "a-b-1"), [pair("a", "b-1"), pair("a-b", "1")]);
        assert_eq!(fits("{arm}{sample}.html", "é1.html"), [pair("é", "1")]);
        assert_eq!(fits("{arm}-{arm}", "a-a").len(), 1, "the same placeholder stands for the same text");
        assert_eq!(fits("{arm}-{arm}", "a-b"), []);
    }

    #[test]
    fn a_pattern_that_cannot_tell_arms_apart_is_refused() {
        for (text, title) in [
            ("artifacts/{brief}/{sample}", "the pattern of the artifacts has no {arm}"),
            ("artifacts/{amr}", "unknown placeholder {amr} in the pattern of the artifacts"),
            ("artifacts/{arm", "a placeholder in the pattern of the artifacts is not closed"),
            ("/srv/{arm}", "the pattern of the artifacts must be relative to the study"),
        ] {
            assert_eq!(Pattern::parse(text).unwrap_err().title, title);
        }
    }
}
