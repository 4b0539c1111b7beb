//! axe-core over a page as it is now: in the isolated world of every frame, and the parts merged in the first.
//!
//! Its own way into frames, messages between windows, would reach no isolated world and could be heard by the page. So
//! each frame is asked by itself, in the order in which the engine wants the parts. Animations are held meanwhile, as
//! they are for a capture. The engine fetches nothing. This deliberately judges nothing.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::error::{Error, Result};
use super::page::{FrameId, Page};
use crate::study::sha256;

/// One frame may take this long; 5 000 elements take a second or two on a busy machine.
const FRAME_CAP: Duration = Duration::from_secs(20);

/// How many elements of a rule are told.
const FIRST: u32 = 5;

/// The engine's script.
pub struct Axe {
    source: String,
    /// SHA-256 of the script, plain hex.
    pub digest: String,
}

impl Axe {
    /// The engine whose script is `source`.
    pub fn new(source: String) -> Self {
        Self { digest: sha256(source.as_bytes()), source }
    }
}

/// What the engine said of a page.
#[derive(Debug)]
pub struct Audited {
    /// What it found.
    pub found: Found,
    /// The addresses of the documents it looked at, without the page's own origin; the page's first.
    pub frames: Vec<String>,
    /// The frames it did not look into, and why.
    pub unreached: Vec<(String, String)>,
}

/// What the engine found.
#[derive(Debug, Deserialize)]
pub struct Found {
    /// Rules that are broken.
    pub violations: Vec<Rule>,
    /// Rules that it could not decide.
    pub incomplete: Vec<Rule>,
    /// How many rules were run.
    pub rules: u64,
    /// The engine's version.
    pub version: String,
}

/// What one rule found.
#[derive(Debug, Deserialize)]
pub struct Rule {
    /// Its name.
    pub id: String,
    /// How bad it is, in the engine's words.
    pub impact: Option<String>,
    /// What it asks for.
    pub help: String,
    /// How many elements it is about.
    pub count: u64,
    /// The first of them.
    pub first: Vec<Element>,
}

/// An element that a rule is about.
#[derive(Debug, Deserialize)]
pub struct Element {
    /// A selector for each document on the way to it; a list of selectors where it lies in shadow trees.
    target: Vec<Target>,
    /// The beginning of its HTML.
    pub html: String,
    /// Why, in the engine's words.
    pub why: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Target {
    Plain(String),
    Shadow(Vec<String>),
}

impl Element {
    /// A locator that finds it.
    pub fn locator(&self) -> String {
        let last = self.target.len().saturating_sub(1);
        let step = |(i, target): (usize, &Target)| {
            let prefix = if i < last { "frame=" } else { "css=" };
            match target {
                Target::Plain(selector) => format!("{prefix}{selector}"),
                Target::Shadow(path) => {
                    let (inner, hosts) =
                        path.split_last().map_or(("", &[][..]), |(inner, hosts)| (inner.as_str(), hosts));
                    let hosts: String = hosts.iter().map(|host| format!("css={host} >> ")).collect();
                    format!("{hosts}{prefix}{inner}")
                }
            }
        };
        self.target.iter().enumerate().map(step).collect::<Vec<_>>().join(" >> ")
    }
}

/// What one frame answers.
#[derive(Deserialize)]
struct Part {
    partial: Value,
    frames: Vec<Child>,
}

/// A frame inside it that the engine wants to be asked next.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Child {
    frame_selector: Value,
    frame_context: Value,
    /// Whether its sandbox forbids scripts.
    mute: bool,
}

/// A frame that is to be asked.
struct Next {
    frame: Result<FrameId, String>,
    /// Where its element is.
    place: String,
    context: Value,
    mute: bool,
}

impl Page {
    /// Runs the rules with any of `tags` over every frame of the page.
    ///
    /// # Errors
    /// [`Error::Timeout`] where the engine does not finish; otherwise as [`Page::ask`].
    pub async fn audit(&self, axe: &Axe, tags: &[&str]) -> Result<Audited> {
        // Preloading would let the engine fetch style sheets and media in the page's name.
        let options = json!({
            "runOnly": {"type": "tag", "values": tags}, "resultTypes": ["violations", "incomplete"], "preload": false,
            "reporter": "v2",
        });
        let mut held = Vec::new();
        let until = Instant::now() + FRAME_CAP;
        let audited = loop {
            match self.audit_frames(axe, &options, &mut held).await {
                // The document was replaced meanwhile: the next one is looked at.
                Err(e) if e.is_stale_document() && Instant::now() < until => held.clear(),
                other => break other,
            }
        };
        for frame in &held {
            // A frame that went away meanwhile has nothing left to be let go.
            let _ = self.in_our_world(frame, r#"loupe.freeze({ phase: "release" })"#, soon(), "an audit").await;
        }
        audited.map_err(|e| match e {
            // That the engine is slow is no fault of the page.
            Error::Hung { after, .. } => Error::Timeout { what: "axe-core".into(), after },
            other => other,
        })
    }

    async fn audit_frames(&self, axe: &Axe, options: &Value, held: &mut Vec<FrameId>) -> Result<Audited> {
        let main = self.main_frame();
        let (mut parts, mut reached, mut unreached) = (Vec::new(), Vec::new(), Vec::new());
        let mut met = Vec::new();
        let mut upcoming =
            vec![Next { frame: Ok(main.clone()), place: String::new(), context: Value::Null, mute: false }];
        while let Some(Next { frame, place, context, mute }) = upcoming.pop() {
            let name = frame.as_ref().ok().and_then(|frame| self.name_of(frame)).unwrap_or(place);
            let part = match &frame {
                Ok(frame) => {
                    met.push(frame.clone());
                    match mute {
                        // No timer of the engine would ever end there.
                        true => Err(Error::Outside("its sandbox forbids scripts, and with them the engine".into())),
                        false => self.audit_frame(axe, options, frame, &context, held).await,
                    }
                }
                Err(why) => Err(Error::Outside(why.clone())),
            };
            match (frame, part) {
                (Ok(frame), Ok(part)) => {
                    reached.push(name);
                    parts.push(part.partial);
                    // The engine wants the parts with each frame directly before those inside it.
                    for child in part.frames.into_iter().rev() {
                        upcoming.push(self.child(&frame, child).await);
                    }
                }
                (_, Err(e)) if parts.is_empty() => return Err(e),
                (_, part) => {
                    unreached.push((name, part.err().map(|e| e.to_string()).unwrap_or_default()));
                    parts.push(Value::Null);
                }
            }
        }
        for frame in self.frames() {
            if !met.contains(&frame) {
                let why = "the engine does not look into it: it is hidden from assistive technology, or no iframe";
                unreached.push((self.name_of(&frame).unwrap_or_default(), why.to_owned()));
            }
        }
        let text = format!("({FINISH})({}, {options}, {FIRST})", Value::Array(parts));
        let found = read(&self.in_our_world(&main, &text, Instant::now() + FRAME_CAP, "axe-core").await?)?;
        Ok(Audited { found, frames: reached, unreached })
    }

    /// The frame's own part. It has been held before, so that no animation is half-way.
    async fn audit_frame(
        &self,
        axe: &Axe,
        options: &Value,
        frame: &FrameId,
        context: &Value,
        held: &mut Vec<FrameId>,
    ) -> Result<Part> {
        if self.address_of(frame).starts_with("chrome-error:") {
            return Err(Error::Outside("its document could not be loaded".into()));
        }
        if !self.has_document(frame, soon()).await? {
            return Err(Error::Outside("it has no document, or one in another process".into()));
        }
        self.in_our_world(frame, r#"loupe.freeze({ phase: "hold" })"#, soon(), "a frame").await?;
        held.push(frame.clone());
        let text = format!("{}\n;({PART})({context}, {options})", axe.source);
        read(&self.in_our_world(frame, &text, Instant::now() + FRAME_CAP, "axe-core").await?)
    }

    async fn child(&self, parent: &FrameId, child: Child) -> Next {
        let place = match &child.frame_selector {
            Value::String(selector) => selector.clone(),
            other => other.to_string(),
        };
        let expression = format!("axe.utils.shadowSelect({})", child.frame_selector);
        let frame = self.frame_shown_by(parent, &expression, soon(), "axe-core").await.map_err(|e| e.to_string());
        Next { frame, place, context: child.frame_context, mute: child.mute }
    }

    /// The address of a frame's document, without the page's own origin; none where that would tell nothing.
    fn name_of(&self, frame: &FrameId) -> Option<String> {
        let address = self.address_of(frame);
        (!address.is_empty() && !address.starts_with("chrome-error:")).then(|| self.without_origin(&address))
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(2)
}

fn read<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T> {
    let unreadable = |e| Error::Protocol { method: "axe-core".into(), message: format!("unreadable answer: {e}") };
    serde_json::from_str(text).map_err(unreadable)
}

/// Asks one frame. What lies inside it must be asked for first: the engine forgets the document when it is done.
const PART: &str = r"async (context, options) => {
    const isMute = (el) => Boolean(el?.hasAttribute('sandbox') && !el.sandbox.contains('allow-scripts'));
    const contexts = axe.utils.getFrameContexts(context ?? document, options);
    const frames = contexts.map((frame) => ({ ...frame, mute: isMute(axe.utils.shadowSelect(frame.frameSelector)) }));
    const partial = await axe.runPartial(context ?? document, options);
    return JSON.stringify({ frames, partial });
}";

/// Merges the parts and tells of them what is kept.
const FINISH: &str = r"async (parts, options, most) => {
    const all = await axe.finishRun(parts, options);
    const why = (node) => [...node.any, ...node.all, ...node.none].map((check) => check.message).join('; ').slice(0, 400);
    const element = (node) => ({ target: node.target, html: node.html.replace(/\s+/g, ' ').slice(0, 300), why: why(node) });
    const rule = ({ id, impact, help, nodes }) => ({ id, impact, help, count: nodes.length, first: nodes.slice(0, most).map(element) });
    const { violations, incomplete, passes, inapplicable } = all;
    const rules = new Set([violations, incomplete, passes, inapplicable].flat().map(({ id }) => id)).size;
    return JSON.stringify({ violations: violations.map(rule), incomplete: incomplete.map(rule), rules, version: all.testEngine.version });
}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_becomes_a_locator() {
        let locator = |target: Value| {
            let element = json!({"target": target, "html": "", "why": ""});
            serde_json::from_value::<Element>(element).unwrap().locator()
        };
        assert_eq!(locator(json!(["#a > b"])), "css=#a > b");
        assert_eq!(locator(json!(["iframe", "#a"])), "frame=iframe >> css=#a");
        assert_eq!(locator(json!([["x-card", "#a"]])), "css=x-card >> css=#a");
        assert_eq!(locator(json!([["x-card", "iframe"], "p"])), "css=x-card >> frame=iframe >> css=p");
    }
}
