//! Protocols: how artifacts are to be examined, as data.
//!
//! A shipped protocol is a file beside this one; a study brings its own under `protocols/`, which wins. For now a
//! protocol says which viewports count; it deliberately does not yet hold rubrics, questions or judge prompts.

mod viewport;

use std::path::Path;

use crate::diag::{Diagnostic, did_you_mean};
use crate::sheet::{Found, Mistakes, Text, read};

pub use viewport::Viewport;

const SHIPPED: [(&str, &str); 1] = [("frontend-cohort", include_str!("frontend-cohort.toml"))];

/// How artifacts are to be examined.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    /// What a study calls it by: the name of its file.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// The viewports that count where a study names none of its own.
    pub viewports: Vec<Viewport>,
}

impl Protocol {
    /// The protocol that a study in `root` calls `wanted`: its own `protocols/<id>.toml`, else a shipped one. What is
    /// wrong with it is added to `mistakes`.
    pub fn find(wanted: &Found<String>, root: &Path, mistakes: &Mistakes) -> Option<Self> {
        let id = wanted.value.as_str();
        if !id.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)) {
            mistakes.add(
                Diagnostic::new("a protocol is called by its name, not by a path")
                    .at(wanted.place.clone())
                    .expected("letters, digits, `-` and `_`")
                    .received(id),
            );
            return None;
        }
        let name = format!("protocols/{id}.toml");
        let own = root.join(&name);
        if own.symlink_metadata().is_ok() {
            return Self::read(id, &mistakes.keep(Text::read(&own, name))?, mistakes);
        }
        match SHIPPED.iter().find(|(shipped, _)| *shipped == id) {
            Some((_, body)) => {
                Self::read(id, &Text { name: format!("shipped:{id}.toml"), body: (*body).to_owned() }, mistakes)
            }
            None => {
                mistakes.add(unknown(wanted));
                None
            }
        }
    }

    /// The protocol of those who examine an artifact without a study: the first shipped one.
    pub fn usual() -> Self {
        let (id, body) = SHIPPED[0];
        let mistakes = Mistakes::default();
        let text = Text { name: format!("shipped:{id}.toml"), body: body.to_owned() };
        Self::read(id, &text, &mistakes).expect("a test reads every shipped protocol")
    }

    fn read(id: &str, text: &Text, mistakes: &Mistakes) -> Option<Self> {
        read(text, mistakes, |table| {
            let declared = table.need::<String>("id");
            let title = table.need::<String>("title");
            let viewports = Viewport::read_all(table);
            if !table.has("viewports") {
                table.mistake(Diagnostic::new(format!("protocol `{id}` has no [[viewports]]")).at(table.place()));
            }
            let declared = declared?;
            if declared.value != id {
                table.mistake(
                    Diagnostic::new("the protocol's id is not the name of its file")
                        .at(declared.place)
                        .expected(id)
                        .received(declared.value.as_str()),
                );
            }
            Some(Self { id: declared.value, title: title?.value, viewports })
        })
    }
}

fn unknown(wanted: &Found<String>) -> Diagnostic {
    let known = || SHIPPED.iter().map(|(id, _)| *id);
    let hint = match did_you_mean(&wanted.value, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "shipped protocols: {}; a study's own is protocols/{}.toml",
            known().collect::<Vec<_>>().join(", "),
            wanted.value
        ),
    };
    Diagnostic::new(format!("there is no protocol `{}`", wanted.value)).at(wanted.place.clone()).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Place;

    #[test]
    fn every_shipped_protocol_reads_without_mistakes() {
        for (id, body) in SHIPPED {
            let mistakes = Mistakes::default();
            let place = Place::in_source("loupe.toml", body, 1, None);
            let wanted = Found { value: id.to_owned(), place };
            let protocol = Protocol::find(&wanted, Path::new("/nowhere"), &mistakes);
            assert_eq!(mistakes.into_vec(), vec![]);
            assert!(!protocol.expect("no mistakes").viewports.is_empty());
        }
    }
}
