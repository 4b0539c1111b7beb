//! A person's hands: pointer, touch and keyboard, as trusted events.
//!
//! It deliberately aims at coordinates only; finding an element and proving that it can be hit is `action`'s work.

use std::future::Future;

use chromiumoxide::cdp::browser_protocol::input::{
    DispatchKeyEventParams, DispatchKeyEventType, DispatchMouseEventParams, DispatchMouseEventType,
    ImeSetCompositionParams, InsertTextParams, MouseButton,
};

use serde_json::json;

use super::error::Result;
use super::keys::{Key, Modifiers};
use super::page::Page;
use super::wire::{COMMAND_DEADLINE, within};

/// Left button pressed, in CDP's bit field.
const LEFT: i64 = 1;

impl Page {
    /// Moves the pointer to a point of the viewport, in CSS px.
    pub fn point(&self, x: f64, y: f64) -> impl Future<Output = Result<()>> + Send + use<> {
        let moved = self.call(DispatchMouseEventParams::new(DispatchMouseEventType::MouseMoved, x, y));
        async move { moved.await.map(drop) }
    }

    /// Clicks `times` at a point with the left button; on a phone it is a tap.
    ///
    /// All events are sent before the first reply is awaited.
    pub fn press_at(&self, x: f64, y: f64, times: i64) -> impl Future<Output = Result<()>> + Send + use<> {
        let replies: Vec<_> = if self.look().mobile { self.taps(x, y, times) } else { self.clicks(x, y, times) };
        async move { futures::future::try_join_all(replies).await.map(drop) }
    }

    fn clicks(&self, x: f64, y: f64, times: i64) -> Vec<futures::future::BoxFuture<'static, Result<()>>> {
        let mut sent = vec![boxed(self.point(x, y))];
        for count in 1..=times {
            for kind in [DispatchMouseEventType::MousePressed, DispatchMouseEventType::MouseReleased] {
                let mut event = DispatchMouseEventParams::new(kind.clone(), x, y);
                event.button = Some(MouseButton::Left);
                event.buttons = Some(if kind == DispatchMouseEventType::MousePressed { LEFT } else { 0 });
                event.click_count = Some(count);
                sent.push(discard(self.call(event)));
            }
        }
        sent
    }

    fn taps(&self, x: f64, y: f64, times: i64) -> Vec<futures::future::BoxFuture<'static, Result<()>>> {
        // Not the generated type: it leaves an empty list out, and Chromium insists on it.
        let touch = |kind: &str, points: serde_json::Value| {
            let event = json!({"type": kind, "touchPoints": points});
            discard(within(
                COMMAND_DEADLINE,
                "Input.dispatchTouchEvent",
                self.call_json("Input.dispatchTouchEvent", event),
            ))
        };
        (0..times)
            .flat_map(|_| [touch("touchStart", json!([{"x": x, "y": y}])), touch("touchEnd", json!([]))])
            .collect()
    }

    /// Presses and releases a key, with modifiers held.
    pub fn press_key(&self, key: &Key, modifiers: Modifiers) -> impl Future<Output = Result<()>> + Send + use<> {
        let text = key.text(modifiers);
        let down_kind = if text.is_some() { DispatchKeyEventType::KeyDown } else { DispatchKeyEventType::RawKeyDown };
        let event = |kind| {
            let mut event = DispatchKeyEventParams::new(kind);
            event.modifiers = Some(modifiers.bits());
            event.key = Some(key.name(modifiers));
            event.code = Some(key.code.to_owned());
            event.windows_virtual_key_code = Some(key.number);
            event
        };
        let mut down = event(down_kind);
        down.commands = key.editing_commands(modifiers);
        down.unmodified_text = text.clone();
        down.text = text;
        let (down, up) = (self.call(down), self.call(event(DispatchKeyEventType::KeyUp)));
        async move { futures::future::try_join(down, up).await.map(drop) }
    }

    /// Types text key by key; characters that no US key gives arrive as an input method would bring them.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        for character in text.chars() {
            match Key::of_character(character) {
                Some((key, modifiers)) => self.press_key(&key, modifiers).await?,
                None => self.compose(&character.to_string()).await?,
            }
        }
        Ok(())
    }

    /// Brings text in at once, as paste or dictation would.
    pub fn insert_text(&self, text: &str) -> impl Future<Output = Result<()>> + Send + use<> {
        let inserted = self.call(InsertTextParams::new(text));
        async move { inserted.await.map(drop) }
    }

    /// Brings text in through an input method: composition events, then the text.
    async fn compose(&self, text: &str) -> Result<()> {
        let end = text.encode_utf16().count() as i64;
        let composing = self.call(ImeSetCompositionParams::new(text, end, end));
        let inserted = self.insert_text(text);
        composing.await?;
        inserted.await
    }
}

fn discard<T: Send>(
    reply: impl Future<Output = Result<T>> + Send + 'static,
) -> futures::future::BoxFuture<'static, Result<()>> {
    Box::pin(async move { reply.await.map(drop) })
}

fn boxed(reply: impl Future<Output = Result<()>> + Send + 'static) -> futures::future::BoxFuture<'static, Result<()>> {
    Box::pin(reply)
}
