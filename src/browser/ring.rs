//! Whether a person sees where the keyboard is: pictures with and without the focus, compared pixel by pixel.
//!
//! Computed styles tell too little: an outline may be cut off, covered, or of the colour of the page. It deliberately
//! judges no contrast.

use std::time::Duration;

use image::{ImageFormat, RgbImage};
use serde_json::{Value, json};

use super::action::Patience;
use super::error::{Error, Result};
use super::locator::Locator;
use super::page::Page;
use super::shot::Clip;

/// How far around an element its focus may show, in CSS px.
const AROUND: f64 = 8.0;

/// How long what the focus changes may take to come to rest.
const FADING: Duration = Duration::from_millis(400);

/// The least difference of a channel that an eye is trusted to notice.
const NOTICEABLE: u8 = 24;

/// How much the focus changes.
#[derive(Debug, Clone, Copy)]
pub struct Ring {
    /// Device pixels that are different with the focus, and the same before and after it.
    pub changed: usize,
    /// Half of the element's circumference, in device pixels.
    pub needed: usize,
}

impl Page {
    /// Focuses the element as a keyboard does and looks whether that is seen; `None` where it does not take the focus.
    /// The answer is the agent's.
    ///
    /// # Errors
    /// As [`Page::ask`], and [`Error::Protocol`] for a picture that cannot be read.
    pub async fn focus_ring(&self, locator: &Locator, patience: Patience) -> Result<(Value, Option<Ring>)> {
        if !locator.frames.is_empty() {
            let message = "focus inside frames is not looked at";
            return Ok((json!({"ok": false, "error": "bad-locator", "message": message}), None));
        }
        let main = self.main_frame();
        let ready = self.ask_about(locator, json!({"op": "ready", "need": ["seen", "enabled"]}), patience).await?;
        if ready["ok"] != true {
            return Ok((ready, None));
        }
        // Twice without and once with: what changes by itself is no ring.
        let place = self.ask(&main, &json!({"op": "focus_shown"})).await?;
        if place["ok"] != true {
            return Ok((place, None));
        }
        let with = self.looks().await?;
        self.ask(&main, &json!({"op": "focus_taken"})).await?;
        let without = self.looks().await?;
        let later = self.looks().await?;
        if place["focused"] != true {
            return Ok((ready, None));
        }
        let number = |key: &str| place[key].as_f64().unwrap_or_default();
        let part = Clip { x: number("x"), y: number("y"), width: number("width"), height: number("height") };
        let scale = self.look().scale;
        Ok((ready, Some(compare(&with, &without, &later, part, scale))))
    }

    /// The viewport, once what fades has faded.
    async fn looks(&self) -> Result<RgbImage> {
        let still = format!(
            "Promise.race([Promise.allSettled(document.getAnimations().filter(a => a.effect?.getComputedTiming().endTime < 1000).map(a => a.finished)), new Promise(done => setTimeout(done, {}))]).then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done('')))))",
            FADING.as_millis()
        );
        self.evaluate_in_agent(&still, Duration::from_secs(2)).await?;
        let png = self.picture(None).await?;
        let image = image::load_from_memory_with_format(&png, ImageFormat::Png);
        Ok(image
            .map_err(|e| Error::Protocol { method: "Page.captureScreenshot".into(), message: e.to_string() })?
            .into_rgb8())
    }
}

fn compare(with: &RgbImage, without: &RgbImage, later: &RgbImage, part: Clip, scale: f64) -> Ring {
    let edge = |from: f64, most: u32| (from * scale).clamp(0.0, f64::from(most)) as u32;
    let (width, height) = with.dimensions();
    let columns = edge(part.x - AROUND, width)..edge(part.x + part.width + AROUND, width);
    let rows = edge(part.y - AROUND, height)..edge(part.y + part.height + AROUND, height);
    let differ = |a: &RgbImage, b: &RgbImage, x, y| {
        let (a, b) = (a.get_pixel_checked(x, y), b.get_pixel_checked(x, y));
        a.zip(b).is_none_or(|(a, b)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > NOTICEABLE))
    };
    let changed = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    let changed = changed.filter(|&(x, y)| differ(with, without, x, y) && !differ(without, later, x, y)).count();
    Ring { changed, needed: ((part.width + part.height) * scale) as usize }
}
