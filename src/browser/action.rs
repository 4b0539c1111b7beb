//! What a person does to one element: the agent brings it to the point, real input follows, and the agent confirms
//! that the input reached it.
//!
//! An action is tried again while it only missed (something moved in between), never after it was received. Every
//! answer is the agent's own reply, `{ok, …}`, with `error` and `message` where it refused. This room deliberately
//! judges nothing: whose fault a refusal is, the words decide.

use std::time::{Duration, Instant};

use chromiumoxide::cdp::browser_protocol::dom::SetFileInputFilesParams;
use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;
use serde_json::{Value, json};

use super::error::Result;
use super::keys::{Key, Modifiers};
use super::locator::{Locator, Step, Text};
use super::page::{FrameId, Page};

const POINTER: &[&str] = &["seen", "enabled", "stable", "hit"];
/// How often the pointer may act without any element receiving it.
const MOST_UNSEEN: usize = 3;
const TYPING: &[&str] = &["seen", "enabled", "editable"];

/// How to look for an element.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// How long in all.
    pub total: Duration,
    /// How long a hook with a fallback may be missing before its fallback is used.
    pub grace: Duration,
}

/// The document in which a locator ends, and where that document begins in the page's viewport.
struct Place {
    frame: FrameId,
    x: f64,
    y: f64,
    /// The documents around it, outermost first.
    around: Vec<Around>,
}

/// A document that shows the next one in a frame of its own.
struct Around {
    document: FrameId,
    /// Where this document begins in the page's viewport.
    x: f64,
    y: f64,
    /// The agent's locator of the frame's element in it.
    at: Value,
}

impl Page {
    /// Asks the agent about `locator`: `request` without `at`, `timeout` and `grace`, which are filled in.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn ask_about(&self, locator: &Locator, request: Value, patience: Patience) -> Result<Value> {
        let until = Instant::now() + patience.total;
        let place = self.place(locator, until).await?;
        self.ask_at(&place, locator, request, until, patience).await
    }

    /// Clicks an element `times` times (2 is a double click); with `force` also where something covers it.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn click(&self, locator: &Locator, times: i64, force: bool, patience: Patience) -> Result<Value> {
        let need = if force { &["seen"][..] } else { POINTER };
        self.with_pointer(locator, need, patience, async |x, y| self.press_at(x, y, times).await).await
    }

    /// Rests the pointer on an element.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn hover(&self, locator: &Locator, patience: Patience) -> Result<Value> {
        self.with_pointer(locator, &["seen", "stable", "hit"], patience, async |x, y| self.point(x, y).await).await
    }

    /// Replaces a field's text (an empty text clears it).
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn fill(&self, locator: &Locator, text: &str, patience: Patience) -> Result<Value> {
        let request = json!({"op": "fill_prepare", "text": text});
        let (ready, prepared) = self.ready_and(locator, TYPING, &request, patience).await?;
        let Some(prepared) = prepared else { return Ok(ready) };
        if prepared["ok"] != true {
            return Ok(prepared);
        }
        if prepared["mode"] == "type" {
            if text.is_empty() {
                let (delete, none) = (Key::parse("Delete").expect("a named key").0, Modifiers::default());
                self.press_key(&delete, none).await?;
            } else {
                self.insert_text(text).await?;
            }
        }
        self.follow(patience.total).await?;
        Ok(ready)
    }

    /// Types into an element key by key, where the caret is.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn type_into(&self, locator: &Locator, text: &str, patience: Patience) -> Result<Value> {
        let focused = self.focus_for(locator, TYPING, patience).await?;
        if focused["ok"] == true {
            self.type_text(text).await?;
            self.follow(patience.total).await?;
        }
        Ok(focused)
    }

    /// Presses a key, with the focus on `locator` or, without one, where it is.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn press(
        &self,
        key: &Key,
        modifiers: Modifiers,
        locator: Option<&Locator>,
        patience: Patience,
    ) -> Result<Value> {
        let focused = match locator {
            Some(locator) => self.focus_for(locator, &["rendered"], patience).await?,
            None => json!({"ok": true}),
        };
        if focused["ok"] == true {
            self.press_key(key, modifiers).await?;
            self.follow(patience.total).await?;
        }
        Ok(focused)
    }

    /// Ticks or unticks a control by clicking it, unless it is so already.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn set_checked(&self, locator: &Locator, wanted: bool, patience: Patience) -> Result<Value> {
        let (place, ready) = self.ready(locator, &["rendered"], patience).await?;
        if ready["ok"] != true {
            return Ok(ready);
        }
        let state = async || self.ask(&place.frame, &json!({"op": "checked_state"})).await;
        let before = state().await?;
        if before["ok"] != true || before["value"] == wanted {
            return Ok(before);
        }
        let clicked = self.click(locator, 1, false, patience).await?;
        if clicked["ok"] != true {
            return Ok(clicked);
        }
        let now = state().await?;
        // A control that was drawn anew is another element: then the click itself is what we know.
        if now["ok"] == true && now["value"] != wanted {
            let message = format!("{} was clicked but its state did not change", text(&clicked["element"]));
            return Ok(json!({"ok": false, "error": "unchanged", "message": message, "log": clicked["log"]}));
        }
        Ok(clicked)
    }

    /// Chooses options of a `<select>` by value or label.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn select(&self, locator: &Locator, choices: &[String], patience: Patience) -> Result<Value> {
        self.after_ready(locator, &["seen", "enabled"], json!({"op": "choose", "choices": choices}), patience).await
    }

    /// Chooses by name in a group: an option of a `<select>`, or the radio button, chip, tab or link called so.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn choose(&self, group: &Locator, name: &str, patience: Patience) -> Result<Value> {
        let mut at = group.clone();
        at.text = format!("{} >> choice=\"{name}\"", group.text);
        at.steps.push(Step::Choice(Text { text: name.to_owned(), exact: true }));
        let (_, ready) = self.ready(&at, &[], patience).await?;
        match ready["tag"].as_str() {
            Some("select") => self.select(&at, &[name.to_owned()], patience).await,
            Some(_) => self.click(&at, 1, false, patience).await,
            None => Ok(ready),
        }
    }

    /// Gives an element the focus.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn focus(&self, locator: &Locator, patience: Patience) -> Result<Value> {
        self.focus_for(locator, &["rendered"], patience).await
    }

    /// Brings an element into view.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn scroll_to(&self, locator: &Locator, patience: Patience) -> Result<Value> {
        self.after_ready(locator, &["rendered"], json!({"op": "scroll"}), patience).await
    }

    /// Gives files to an `<input type=file>`; `paths` are files on the browser's disk.
    ///
    /// # Errors
    /// As [`Page::ask`].
    pub async fn upload(&self, locator: &Locator, paths: &[String], patience: Patience) -> Result<Value> {
        let (place, ready) = self.ready(locator, &["enabled"], patience).await?;
        if ready["ok"] != true {
            return Ok(ready);
        }
        let world = self.our_world(&place.frame)?;
        let mut target = EvaluateParams::new("loupe.target()");
        target.unique_context_id = Some(world);
        let object = self.call(target).await?.result.object_id;
        let mut files = SetFileInputFilesParams::new(paths.to_vec());
        files.object_id = object;
        self.call(files).await?;
        Ok(ready)
    }

    async fn with_pointer(
        &self,
        locator: &Locator,
        need: &[&str],
        patience: Patience,
        input: impl AsyncFn(f64, f64) -> Result<()>,
    ) -> Result<Value> {
        let until = Instant::now() + patience.total;
        let mut missed: Vec<Value> = Vec::new();
        let mut unseen = 0;
        loop {
            let left = Patience { total: until.saturating_duration_since(Instant::now()), ..patience };
            let (place, mut ready) = self.ready(locator, need, left).await?;
            if ready["ok"] != true {
                add_log(&mut ready, missed);
                return Ok(ready);
            }
            let document = self.document(&place.frame);
            let (x, y) = (number(&ready["x"]) + place.x, number(&ready["y"]) + place.y);
            input(x, y).await?;
            self.follow(left.total).await?;
            if !need.contains(&"hit") || self.document(&place.frame) != document {
                return Ok(ready);
            }
            let confirmed = self.ask(&place.frame, &json!({"op": "confirm"})).await?;
            if confirmed["hit"] == true || self.document(&place.frame) != document {
                return Ok(ready);
            }
            // A press that nothing saw may have worked where we cannot look: it is not repeated for long.
            unseen += usize::from(confirmed["received"].is_null());
            let received = confirmed["received"].as_str().unwrap_or("nothing");
            missed.push(format!("the pointer met {received} instead of {}", text(&ready["element"])).into());
            if Instant::now() >= until || unseen >= MOST_UNSEEN {
                let message = format!("{} was not reached: {received} received the pointer", text(&ready["element"]));
                let mut refused = json!({"ok": false, "error": "covered", "message": message, "log": ready["log"]});
                add_log(&mut refused, missed);
                return Ok(refused);
            }
        }
    }

    async fn focus_for(&self, locator: &Locator, need: &[&str], patience: Patience) -> Result<Value> {
        self.after_ready(locator, need, json!({"op": "focus"}), patience).await
    }

    /// Readies the element and then carries out one more request on it; the reply that refuses, or the first.
    async fn after_ready(&self, locator: &Locator, need: &[&str], request: Value, patience: Patience) -> Result<Value> {
        let (ready, done) = self.ready_and(locator, need, &request, patience).await?;
        let Some(done) = done else { return Ok(ready) };
        self.follow(patience.total).await?;
        Ok(if done["ok"] == true { ready } else { done })
    }

    /// Both replies, the second absent where the first refuses. What the page drew anew in between is looked for again.
    async fn ready_and(
        &self,
        locator: &Locator,
        need: &[&str],
        request: &Value,
        patience: Patience,
    ) -> Result<(Value, Option<Value>)> {
        let until = Instant::now() + patience.total;
        loop {
            let left = Patience { total: until.saturating_duration_since(Instant::now()), ..patience };
            let (place, ready) = self.ready(locator, need, left).await?;
            if ready["ok"] != true {
                return Ok((ready, None));
            }
            let done = self.ask(&place.frame, request).await?;
            if done["error"] != "gone" || Instant::now() >= until {
                return Ok((ready, Some(done)));
            }
        }
    }

    async fn ready(&self, locator: &Locator, need: &[&str], patience: Patience) -> Result<(Place, Value)> {
        let until = Instant::now() + patience.total;
        let mut tries = 0;
        loop {
            let mut place = self.place(locator, until).await?;
            let request = json!({"op": "ready", "need": need, "tries": tries});
            let mut reply = self.ask_at(&place, locator, request, until, patience).await?;
            if reply["ok"] != true || locator.frames.is_empty() {
                return Ok((place, reply));
            }
            // Bringing the element into view may have scrolled the documents around its frame.
            place = self.place(locator, until).await?;
            let why = if need.contains(&"hit") { self.kept_from_frame(&place, &reply).await? } else { None };
            let Some(why) = why else { return Ok((place, reply)) };
            if Instant::now() >= until {
                // No pointer follows, so nothing is watched for any more.
                self.ask(&place.frame, &json!({"op": "confirm"})).await?;
                let message = format!("{} is not reached: {why}", text(&reply["element"]));
                add_log(&mut reply, vec![message.clone().into()]);
                let refused = json!({"ok": false, "error": "covered", "message": message, "log": reply["log"], "hook": reply["hook"]});
                return Ok((place, refused));
            }
            tries += 1;
        }
    }

    /// Why the point that the innermost document offers is not reached through the documents around it.
    async fn kept_from_frame(&self, place: &Place, reply: &Value) -> Result<Option<String>> {
        let (x, y) = (number(&reply["x"]) + place.x, number(&reply["y"]) + place.y);
        for around in &place.around {
            let request = json!({"op": "frame_hit", "at": around.at, "x": x - around.x, "y": y - around.y});
            let answer = self.ask(&around.document, &request).await?;
            if let Some(why) = answer["why"].as_str().or(answer["message"].as_str()) {
                return Ok(Some(why.to_owned()));
            }
        }
        Ok(None)
    }

    async fn ask_at(
        &self,
        place: &Place,
        locator: &Locator,
        mut request: Value,
        until: Instant,
        patience: Patience,
    ) -> Result<Value> {
        request["at"] = serde_json::to_value(locator).expect("a locator is plain data");
        request["timeout"] = Value::from(until.saturating_duration_since(Instant::now()).as_millis() as u64);
        request["grace"] = Value::from(patience.grace.as_millis() as u64);
        self.ask(&place.frame, &request).await
    }

    async fn place(&self, locator: &Locator, until: Instant) -> Result<Place> {
        let mut place = Place { frame: self.main_frame(), x: 0.0, y: 0.0, around: Vec::new() };
        for step in &locator.frames {
            let at = serde_json::to_value(step).expect("a locator is plain data");
            let left = until.saturating_duration_since(Instant::now());
            let inner = self.frame_in(&place.frame, &at, left).await?;
            let begin = self.ask(&place.frame, &json!({"op": "frame_box", "at": at})).await?;
            place.around.push(Around { document: place.frame, x: place.x, y: place.y, at });
            let (x, y) = (place.x + number(&begin["x"]), place.y + number(&begin["y"]));
            place = Place { frame: inner, x, y, around: place.around };
        }
        Ok(place)
    }
}

fn add_log(reply: &mut Value, lines: Vec<Value>) {
    match &mut reply["log"] {
        Value::Array(log) => log.extend(lines),
        other => *other = lines.into(),
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("the element")
}
