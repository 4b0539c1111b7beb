//! Making a used page like a new one, for the next case.
//!
//! A new context costs a new renderer process, and every document in it starts cold; that is a third of a short case.
//! A page can be used again when the next document comes from another origin of the same site: storage, caches and
//! workers belong to origins, and what belongs to the page itself is washed off here: the document, the history, the
//! window's name, cookies, and whatever was set through its session. What cannot be washed for certain is thrown away
//! instead: a page that hung, crashed or opened others. It deliberately makes no page for an origin that was used before.

use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::network::ClearBrowserCookiesParams;
use chromiumoxide::cdp::browser_protocol::page::ResetNavigationHistoryParams;
use chromiumoxide::cdp::browser_protocol::storage::ClearDataForOriginParams;
use chromiumoxide::cdp::js_protocol::runtime::EvaluateParams;

use super::error::{Error, Result};
use super::look::Look;
use super::navigate::Arrival;
use super::page::Page;
use super::wire::{COMMAND_DEADLINE, within};

/// How often a page is used again: what a renderer gathers over many documents should not grow without end.
pub(super) const LIVES: u32 = 50;

/// A page that cannot leave its document within this time is not worth keeping.
const LEAVING: Duration = Duration::from_secs(2);

impl Page {
    /// The page as good as new, to be looked at as `look`. Other handles of it find it closed.
    ///
    /// # Errors
    /// Why it cannot be used again; it is then to be dropped.
    pub async fn renewed(self, look: &Look) -> Result<Self> {
        let origin = self.state.lock().origin.clone().unwrap_or_default();
        let used_up = self.lives == 0 || self.state.lock().has_opened;
        let left = if used_up { Arrival::Nowhere } else { self.open("about:blank", LEAVING).await? };
        if left != Arrival::Loaded {
            return Err(Error::Closed);
        }
        let mut unname = EvaluateParams::new("window.name = ''");
        unname.return_by_value = Some(true);
        let washed = async {
            tokio::try_join!(
                self.call(unname),
                self.call(ClearDataForOriginParams::new(origin, "all")),
                self.call(ClearBrowserCookiesParams::default()),
                self.call(ResetNavigationHistoryParams::default()),
            )
        };
        within(COMMAND_DEADLINE, "making a page like new", washed).await?;
        self.context.set_look(look);
        let state = self.context.reattach(&self.state).await?;
        Ok(Self::new(state, self.wire.clone(), self.context.clone(), look.clone(), self.lives - 1))
    }
}
