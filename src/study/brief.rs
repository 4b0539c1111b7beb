//! A brief: the design-blind text the generator got, its facts, its hooks and its flow.
//!
//! It deliberately does not compile the flow nor parse locators; the engines above do.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::facts;
use super::hook::Hook;
use super::library::{Library, Script};
use crate::diag::Diagnostic;
use crate::protocol::Viewport;
use crate::sheet::{Found, Mistakes, OneOrMore, Table, Text, read as read_toml};

/// What was asked.
#[derive(Debug, Clone)]
pub struct Brief {
    /// Its id: the name of its folder.
    pub id: String,
    /// Its version; a changed brief is a new version.
    pub version: String,
    /// What people call it.
    pub title: String,
    /// Under which condition its artifacts are made, if not the usual one: results of different conditions are never
    /// totalled together.
    pub condition: Option<String>,
    /// Exactly what the generator got: `brief.md`.
    pub text: String,
    /// The content that the brief fixes: a map; the lists of maps in it carry stable ids.
    pub facts: Value,
    /// The facts as written, for digests and copies; empty where the brief has none.
    pub facts_text: String,
    /// The controls that the brief obliges the interface to expose, by name.
    pub hooks: BTreeMap<String, Hook>,
    /// What else its flows have to know, for scripts to read as `brief.params`: a map.
    pub params: Value,
    /// How a person would use it: one or several scripts, each in its language; none where the brief is only captured.
    /// Each is found in the study's `scripts/`, else among the shipped ones.
    pub flows: Vec<Script>,
    /// The viewports at which its artifacts are examined: its own, else the study's, else the protocol's.
    pub viewports: Vec<Viewport>,
}

impl Brief {
    /// Reads `briefs/<id>/`; what is wrong is added to `mistakes`.
    pub(super) fn read(root: &Path, id: &str, library: &Library, mistakes: &Mistakes) -> Option<Self> {
        let folder = root.join("briefs").join(id);
        let shown = |file: &str| format!("briefs/{id}/{file}");
        let text = mistakes.keep(read_prose(&folder.join("brief.md"), shown("brief.md")));
        let sheet = mistakes.keep(Text::read(&folder.join("brief.toml"), shown("brief.toml")))?;
        let brief = read_toml(&sheet, mistakes, |table| {
            let declared = table.need::<String>("id");
            let version = table.need::<String>("version");
            let title = table.need::<String>("title");
            let condition = table.get::<String>("condition").map(|found| found.value);
            let flows = flows(table, library);
            let params = table.get::<Map<String, Value>>("params").map(|found| found.value).unwrap_or_default();
            let facts = facts_of(table, &folder, id, mistakes);
            let viewports = Viewport::read_all(table);
            let hooks = Hook::read_all(table, facts.as_ref().map(|(facts, _)| facts));
            let declared = declared?;
            if declared.value != id {
                table.mistake(
                    Diagnostic::new("the brief's id is not the name of its folder")
                        .at(declared.place)
                        .expected(id)
                        .received(declared.value),
                );
            }
            let (facts, facts_text) = facts.unwrap_or_default();
            Some(Self {
                id: id.to_owned(),
                version: version?.value,
                title: title?.value,
                condition,
                text: String::new(),
                facts,
                facts_text,
                hooks,
                params: params.into(),
                flows,
                viewports,
            })
        })?;
        Some(Self { text: text?, ..brief })
    }

    /// The identities that a hook may find: each fact's id, and the text that gives it away. Empty for a hook without
    /// facts.
    pub fn names(&self, hook: &Hook) -> Vec<(String, String)> {
        let list = hook.facts.as_ref().and_then(|name| self.facts.get(name)).and_then(Value::as_array);
        let by = hook.by.as_deref().unwrap_or_default();
        let name = |fact: &Value| Some((fact.get("id")?.as_str()?.to_owned(), fact.get(by)?.as_str()?.to_owned()));
        list.into_iter().flatten().filter_map(name).collect()
    }
}

fn read_prose(path: &Path, name: String) -> Result<String, Diagnostic> {
    let text = Text::read(path, name)?;
    if text.body.trim().is_empty() {
        return Err(Diagnostic::new(format!("`{}` is empty", text.name))
            .expected("exactly what the generator got")
            .at(text.at(0)));
    }
    Ok(text.body)
}

fn flows(table: &mut Table<'_>, library: &Library) -> Vec<Script> {
    let Some(Found { value: OneOrMore(names), place }) = table.get("flow") else { return Vec::new() };
    let mut flows: Vec<Script> = Vec::new();
    for name in names {
        match library.find(&name) {
            Ok(script) if flows.contains(&script) => {
                table.mistake(Diagnostic::new(format!("the flow names `{name}` twice")).at(place.clone()));
            }
            Ok(script) => {
                library.imports(&script).map_err(|mistake| table.mistake(mistake)).ok();
                flows.push(script);
            }
            Err(mistake) => {
                // A place in the script itself says more.
                let place = mistake.place.clone().unwrap_or_else(|| place.clone());
                table.mistake(mistake.at(place));
            }
        }
    }
    flows
}

/// The facts, and their text; `None` where there are none, or where they could not be read.
fn facts_of(table: &mut Table<'_>, folder: &Path, id: &str, mistakes: &Mistakes) -> Option<(Value, String)> {
    let Found { value: file, place } = table.get::<String>("facts")?;
    let text = Text::read(&folder.join(&file), format!("briefs/{id}/{file}"));
    let text = mistakes.keep(text.map_err(|mistake| match mistake.place {
        Some(_) => mistake,
        None => mistake.at(place),
    }))?;
    let facts = facts::parse(&text, mistakes)?;
    Some((facts, text.body))
}
