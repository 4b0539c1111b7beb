//! Pictures of a page, as PNG bytes.
//!
//! The viewport is deliberately never resized for a picture: that would grow `100vh` sections and fire breakpoints.

use std::time::Duration;

use base64::Engine;
use chromiumoxide::cdp::browser_protocol::page::{CaptureScreenshotFormat, CaptureScreenshotParams, Viewport};

use super::error::{Error, Result};
use super::page::Page;
use super::wire::within;

/// How long one picture may take; a page of 30 000 px needs some seconds on a busy machine.
const SHOT_DEADLINE: Duration = Duration::from_secs(30);

/// A rectangle of the document in CSS px.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip {
    /// From the document's left edge.
    pub x: f64,
    /// From the document's top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Page {
    /// The viewport as it is seen now, or a part of the document whether it is in view or not.
    ///
    /// # Errors
    /// Chromium sometimes refuses a picture just after a load; it is asked once more after the page drew two frames,
    /// and the second refusal is the error.
    pub async fn picture(&self, clip: Option<Clip>) -> Result<Vec<u8>> {
        match self.shoot(clip).await {
            Err(Error::Protocol { .. }) => {
                let drawn = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(''))))";
                self.evaluate_in_agent(drawn, Duration::from_secs(2)).await?;
                self.shoot(clip).await
            }
            other => other,
        }
    }

    async fn shoot(&self, clip: Option<Clip>) -> Result<Vec<u8>> {
        let mut command = CaptureScreenshotParams {
            format: Some(CaptureScreenshotFormat::Png),
            // A third of the time for three times the bytes; the bytes are the same picture.
            optimize_for_speed: Some(true),
            ..Default::default()
        };
        command.clip = clip.map(|c| Viewport { x: c.x, y: c.y, width: c.width, height: c.height, scale: 1.0 });
        command.capture_beyond_viewport = Some(clip.is_some());
        let returns = within(SHOT_DEADLINE, "a picture", self.call(command)).await?;
        base64::engine::general_purpose::STANDARD
            .decode(AsRef::<[u8]>::as_ref(&returns.data))
            .map_err(|e| Error::Protocol { method: "Page.captureScreenshot".into(), message: e.to_string() })
    }
}
