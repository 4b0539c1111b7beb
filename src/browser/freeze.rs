//! Freezing a page: brought to rest, swept, written down, and pictured.
//!
//! The order is what makes a capture honest: settle; hold animations; remember the page as it was before anybody
//! scrolled; scroll everything into view once and back; hold again; write everything down; take the pictures. Every
//! part has a deadline, and what misses it is recorded in the capture, never an error. It deliberately judges nothing.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::error::{Error, Result};
use super::page::Page;
use super::shot::Clip;
use crate::capture::{Capture, Failure, PROPERTIES, Picture, Resource, State, Unsettled};

/// The document must not change for this long to count as quiet; shorter than the loading screens that pages feign.
const QUIET: Duration = Duration::from_millis(500);
/// A part of the document that has changed for this long, and is the only one that still does, never stops.
const TICKING: Duration = Duration::from_secs(2);
/// After the sweep, what was scrolled to must have come in, one staggered piece after another.
const SWEPT_QUIET: Duration = Duration::from_millis(200);
/// Load, fonts, images, and the document together have this long to come to rest.
const SETTLE_CAP: Duration = Duration::from_secs(5);
/// After that, the network has this long to become quiet.
const NETWORK_CAP: Duration = Duration::from_secs(3);
/// Scrolling through the page may take this long; 0.75 windows take two frames.
const SWEEP_CAP: Duration = Duration::from_secs(8);
/// What did not settle at first gets this long again after the sweep.
const SECOND_CAP: Duration = Duration::from_secs(1);
/// The walk over 20 000 elements takes a second or two on a busy machine.
const WALK_CAP: Duration = Duration::from_secs(20);
/// A full picture is at most this many device pixels high; taller pages are cut and say so.
const TALLEST: f64 = 40_000.0;
/// A full picture is at most this many windows wide.
const WIDEST: f64 = 2.0;

/// How to freeze a page.
#[derive(Debug, Clone)]
pub struct Freeze {
    /// Name of the state, stored in the capture.
    pub name: String,
    /// Whether to scroll through the page first. Right for a page nobody used; in the middle of a flow it would be an
    /// act of its own, such as closing an open menu.
    pub sweep: bool,
}

/// A frozen page with its pictures.
#[derive(Debug)]
pub struct Frozen {
    /// The data.
    pub capture: Capture,
    /// PNG of the window.
    pub window: Vec<u8>,
    /// PNG of the whole document.
    pub full: Vec<u8>,
}

/// What the agent writes down.
#[derive(Deserialize)]
struct Written {
    capture: Capture,
    /// Elements that might hold a closed shadow tree.
    hosts: Vec<usize>,
}

impl Page {
    /// Freezes the page in the state it is in, and lets it go on afterwards.
    ///
    /// # Errors
    /// Only what prevents a capture at all: the page hung, crashed, or went elsewhere; no picture could be taken.
    pub async fn freeze(&self, how: &Freeze) -> Result<Frozen> {
        let mut unsettled = self.settle().await?;
        self.phase(&json!({ "phase": "hold" }), SECOND_CAP).await?;
        if how.sweep {
            self.phase(&json!({ "phase": "rest" }), WALK_CAP).await?;
            unsettled.extend(self.sweep(unsettled.is_empty()).await?);
            self.phase(&json!({ "phase": "hold" }), SECOND_CAP).await?;
        }
        let request = json!({ "phase": "full", "properties": PROPERTIES, "compare": how.sweep });
        let Written { mut capture, hosts } = read(&self.phase(&request, WALK_CAP).await?)?;
        self.ask_browser(&mut capture, &hosts).await?;
        capture.complete();
        let (window, full) = self.pictures(&mut capture, &mut unsettled).await?;
        self.phase(&json!({ "phase": "release" }), SECOND_CAP).await?;
        unsettled.sort();
        unsettled.dedup();
        self.find_missing(&mut capture);
        capture.state = State { name: how.name.clone(), swept: how.sweep, unsettled };
        Ok(Frozen { capture, window, full })
    }

    async fn phase(&self, options: &Value, patience: Duration) -> Result<String> {
        self.evaluate_in_agent(&format!("loupe.freeze({options})"), patience).await
    }

    async fn settle(&self) -> Result<Vec<Unsettled>> {
        let mut pending = self.settle_document(SETTLE_CAP).await?;
        if self.busy().is_empty() {
            return Ok(pending);
        }
        let until = Instant::now() + NETWORK_CAP;
        while !self.busy().is_empty() && Instant::now() < until {
            // A body that brings no more bytes ends by the clock, without an event.
            let slice = Duration::from_millis(50);
            self.state.wait(slice, |inner| inner.network.busy().is_empty().then_some(())).await?;
        }
        if pending.is_empty() {
            pending = self.settle_document(SECOND_CAP).await?;
        }
        pending.extend(self.busy().into_iter().map(|url| unsettled("network", self.without_origin(&url))));
        Ok(pending)
    }

    async fn settle_document(&self, cap: Duration) -> Result<Vec<Unsettled>> {
        let (quiet, cap_ms, ticking) = (millis(QUIET), millis(cap), millis(TICKING));
        let options = json!({ "phase": "settle", "quiet_ms": quiet, "cap_ms": cap_ms, "ticking_ms": ticking });
        let until = Instant::now() + cap;
        // A page may still be on its way to another document; that one is settled then.
        let text = loop {
            match self.phase(&options, cap).await {
                Err(e) if e.is_stale_document() && Instant::now() < until => {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                other => break other?,
            }
        };
        let reply: Value = read(&text)?;
        Ok(self.told(&reply["pending"]))
    }

    async fn sweep(&self, was_settled: bool) -> Result<Vec<Unsettled>> {
        let cap = if was_settled { SWEEP_CAP } else { SECOND_CAP };
        let (sweep, rest, quiet) = (millis(SWEEP_CAP), millis(cap), millis(SWEPT_QUIET));
        let options = json!({ "phase": "sweep", "cap_ms": sweep, "rest_ms": rest, "quiet_ms": quiet });
        let reply: Value = read(&self.phase(&options, SWEEP_CAP + cap).await?)?;
        Ok(self.told(&reply["pending"]))
    }

    /// The agent's list of what did not settle, each as `part: detail`.
    fn told(&self, pending: &Value) -> Vec<Unsettled> {
        let texts = pending.as_array().into_iter().flatten().filter_map(Value::as_str);
        texts
            .map(|text| {
                let (part, detail) = text.split_once(": ").unwrap_or(("document", text));
                let part = match part {
                    "font" => "fonts",
                    "image" => "images",
                    other => other,
                };
                unsettled(part, self.without_origin(detail))
            })
            .collect()
    }

    async fn pictures(&self, capture: &mut Capture, unsettled: &mut Vec<Unsettled>) -> Result<(Vec<u8>, Vec<u8>)> {
        let page = &capture.page;
        let seen = [page.scrolled[0], page.scrolled[1], page.window[0], page.window[1]];
        let height = page.extent[1].min((TALLEST / page.scale).floor());
        // A page that is written from right to left overflows to the left, where Chromium takes no pictures.
        let most = if page.direction == "rtl" { page.client[0] } else { page.window[0] * WIDEST };
        let width = page.extent[0].min(most);
        let whole = [0.0, 0.0, width, height];
        let cut_from = (height < page.extent[1]).then_some(page.extent[1]);
        let clip = Clip { x: 0.0, y: 0.0, width, height };
        let (window, window_facts) = self.checked_picture(None, seen, capture, unsettled).await?;
        let (full, full_facts) = self.checked_picture(Some(clip), whole, capture, unsettled).await?;
        capture.pictures.window = Some(window_facts);
        capture.pictures.full = Some(Picture { cut_from, ..full_facts });
        Ok((window, full))
    }

    /// A picture that is not blank where text is seen; a blank one is taken again once, and then reported.
    async fn checked_picture(
        &self,
        clip: Option<Clip>,
        shows: [f64; 4],
        capture: &Capture,
        unsettled: &mut Vec<Unsettled>,
    ) -> Result<(Vec<u8>, Picture)> {
        let mut png = self.picture(clip).await?;
        let mut uniform = one_colour(&png);
        if uniform.is_some() && shows_text(capture, shows) {
            self.phase(&json!({ "phase": "drawn" }), SECOND_CAP).await?;
            png = self.picture(clip).await?;
            uniform = one_colour(&png);
            if let Some(colour) = &uniform {
                unsettled.push(self::unsettled("picture", format!("all {colour} although text is seen")));
            }
        }
        let pixels = size_of(&png).ok_or_else(|| Error::Outside("the browser's picture is not a PNG".into()))?;
        Ok((png, Picture { pixels, shows, cut_from: None, uniform }))
    }

    /// Writes down what was missing, from the network's book and from what the document itself says.
    fn find_missing(&self, capture: &mut Capture) {
        let requests = self.state.lock().network.of_document().to_vec();
        for request in requests.into_iter().filter(super::network::Request::failed) {
            let kind = match request.resource.as_str() {
                "Stylesheet" => Resource::Styles,
                "Font" => Resource::Fonts,
                "Script" => Resource::Scripts,
                "Image" => Resource::Images,
                _ => continue,
            };
            let why = request.failure.clone().or_else(|| request.status.map(|status| format!("status {status}")));
            // Whatever is remote and has no answer was refused by the resolver rules.
            let refused = request.remote && request.status.is_none();
            capture
                .integrity
                .add(kind, Failure { what: self.without_origin(&request.url), why: why.unwrap_or_default(), refused });
        }
        let known = |what: &str, why: &str| Failure { what: what.to_owned(), why: why.to_owned(), refused: false };
        for sheet in &mut capture.sheets {
            // A sheet that failed looks like an empty one to the page; a pending one is not there yet.
            if !sheet.loaded {
                capture.integrity.add(Resource::Styles, known(&sheet.href, "still loading"));
            }
            sheet.loaded &= !capture.integrity.styles.iter().any(|failure| failure.what == sheet.href);
        }
        for face in &capture.font_faces {
            match face.status.as_str() {
                "error" => capture.integrity.add(Resource::Fonts, known(&face.family, "could not be loaded")),
                "loading" => capture.integrity.add(Resource::Fonts, known(&face.family, "still loading")),
                _ => {}
            }
        }
        for image in capture.images.iter().filter(|image| !image.loaded && !image.src.is_empty()) {
            capture.integrity.add(Resource::Images, known(&image.src, "not loaded"));
        }
    }

    /// An address of the page's own origin without the origin.
    pub(super) fn without_origin(&self, text: &str) -> String {
        let url = self.url();
        match url.split_once("://").map(|(scheme, rest)| (scheme, rest.split('/').next().unwrap_or(rest))) {
            Some((scheme, host)) if !host.is_empty() => text.replace(&format!("{scheme}://{host}"), ""),
            _ => text.to_owned(),
        }
    }
}

fn unsettled(part: &str, detail: String) -> Unsettled {
    Unsettled { part: part.to_owned(), detail }
}

fn millis(duration: Duration) -> u64 {
    duration.as_millis() as u64
}

fn read<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T> {
    let unreadable = |e| Error::Protocol { method: "freeze".into(), message: format!("unreadable answer: {e}") };
    serde_json::from_str(text).map_err(unreadable)
}

fn shows_text(capture: &Capture, [x, y, width, height]: [f64; 4]) -> bool {
    let area = crate::capture::Rect { x, y, width, height };
    let seen = |element: u32| capture.elements.get(element as usize).is_some_and(|e| e.unseen.is_none());
    capture
        .runs
        .iter()
        .any(|run| seen(run.element) && run.lines.iter().any(|line| line.rect.intersection(area).is_some()))
}

/// Width and height from a PNG's header.
fn size_of(png: &[u8]) -> Option<[u32; 2]> {
    let number = |from: usize| Some(u32::from_be_bytes(png.get(from..from + 4)?.try_into().ok()?));
    (png.get(..8)? == b"\x89PNG\r\n\x1a\n").then_some([number(16)?, number(20)?])
}

/// The one colour of a picture, if it has only one.
fn one_colour(png: &[u8]) -> Option<String> {
    // One colour packs very small: only such files are worth unpacking.
    let [width, height] = size_of(png)?;
    if png.len() as u64 > u64::from(width) * u64::from(height) / 16 + 4096 {
        return None;
    }
    let pixels = image::load_from_memory_with_format(png, image::ImageFormat::Png).ok()?.into_rgb8();
    let [r, g, b] = pixels.pixels().next()?.0;
    pixels.pixels().all(|pixel| pixel.0 == [r, g, b]).then(|| format!("#{r:02x}{g:02x}{b:02x}"))
}
