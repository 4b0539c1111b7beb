//! Going places: open, back, forward, reload; each bounded, none hung by a page that never finishes loading.
//!
//! A navigation is done when the new document is interactive; `load` is then awaited with a cap, and a page that
//! misses it is told as such, not failed. It deliberately never waits for a quiet network: expectations wait for what
//! they need.

use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::page::{
    GetNavigationHistoryParams, NavigateParams, NavigateToHistoryEntryParams, ReloadParams,
};

use super::error::{Error, Result};
use super::page::Page;
use super::wire::within;

/// How long `load` may come after the document is interactive before we go on without it.
const LOAD_CAP: Duration = Duration::from_secs(3);

/// How a navigation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// The `load` event fired.
    Loaded,
    /// The document is interactive, but something it waits for hangs.
    Interactive,
    /// The document stayed the same: a hash or a history entry of its own.
    SameDocument,
    /// There was nowhere to go: no such history entry.
    Nowhere,
}

impl Page {
    /// Opens `url` and waits until its document is interactive.
    ///
    /// # Errors
    /// [`Error::Navigation`] with Chromium's reason; [`Error::Hung`] when the document does not become interactive
    /// within `patience`.
    pub async fn open(&self, url: &str, patience: Duration) -> Result<Arrival> {
        let before = self.loader();
        let reply = within(patience, url, self.call(NavigateParams::new(url))).await;
        let returns = match reply {
            // The reply comes with the answer's first bytes; a server that sends none is not a hung page.
            Err(Error::Timeout { after, .. }) => {
                return Err(Error::Navigation { url: url.to_owned(), reason: format!("no answer within {after:?}") });
            }
            other => other?,
        };
        if let Some(reason) = returns.error_text.filter(|r| !r.is_empty()) {
            return Err(Error::Navigation { url: url.to_owned(), reason });
        }
        match returns.loader_id {
            None => Ok(Arrival::SameDocument),
            Some(_) => self.arrive(&before, url, patience).await,
        }
    }

    /// Loads the document again.
    ///
    /// # Errors
    /// As [`Page::open`].
    pub async fn reload(&self, patience: Duration) -> Result<Arrival> {
        let before = self.loader();
        self.call(ReloadParams::default()).await?;
        self.arrive(&before, "the page again", patience).await
    }

    /// One step through the history, back (`-1`) or forward (`1`).
    ///
    /// # Errors
    /// As [`Page::open`].
    pub async fn travel(&self, step: i64, patience: Duration) -> Result<Arrival> {
        let history = self.call(GetNavigationHistoryParams::default()).await?;
        let wanted = history.current_index + step;
        let Some(entry) = usize::try_from(wanted).ok().and_then(|i| history.entries.get(i)) else {
            return Ok(Arrival::Nowhere);
        };
        // The empty page that every context starts with is ours, not a place that a person could go back to.
        if entry.url == "about:blank" && wanted == 0 {
            return Ok(Arrival::Nowhere);
        }
        let before = self.loader();
        self.call(NavigateToHistoryEntryParams::new(entry.id)).await?;
        let (id, target) = (entry.id, entry.url.clone());
        let arrived = self
            .state
            .wait(patience, |inner| {
                let main = inner.main()?;
                (main.loader != before || main.url == target).then(|| main.loader != before)
            })
            .await?;
        match arrived {
            Some(true) => self.arrive(&before, &target, patience).await,
            Some(false) => Ok(Arrival::SameDocument),
            None => Err(Error::Hung { what: format!("history entry {id}"), after: patience }),
        }
    }

    /// If an action just made the page leave for another document, waits until that document is interactive (at most
    /// `patience`; what does not arrive is left for later words to find).
    ///
    /// # Errors
    /// Crash, close and loss of the browser.
    pub async fn follow(&self, patience: Duration) -> Result<()> {
        if !self.state.lock().leaving {
            return Ok(());
        }
        self.state
            .wait(patience, |inner| (!inner.leaving && inner.main().is_some_and(|f| f.interactive)).then_some(()))
            .await?;
        Ok(())
    }

    fn loader(&self) -> String {
        self.state.lock().main().map(|f| f.loader.clone()).unwrap_or_default()
    }

    /// Waits for a document after `before`; another navigation may have overtaken ours, and its document will do.
    async fn arrive(&self, before: &str, what: &str, patience: Duration) -> Result<Arrival> {
        let interactive = self
            .state
            .wait(patience, |inner| {
                let main = inner.main()?;
                (main.loader != before && main.interactive && main.our_world.is_some()).then_some(main.loaded)
            })
            .await?;
        match interactive {
            None => {
                self.free();
                Err(Error::Hung { what: format!("opening {what}"), after: patience })
            }
            Some(true) => Ok(Arrival::Loaded),
            Some(false) => {
                let loaded =
                    self.state.wait(LOAD_CAP.min(patience), |inner| inner.main()?.loaded.then_some(())).await?;
                Ok(if loaded.is_some() { Arrival::Loaded } else { Arrival::Interactive })
            }
        }
    }
}
