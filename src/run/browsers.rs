//! The browser of a run: started once, shared by all workers, and started anew when it died.
//!
//! It deliberately gives out pages only; nobody else holds a browser across cases.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::runtime::Handle;

use crate::browser::find::Found;
use crate::browser::{Browser, Error, Look, Page, Reach};
use crate::record;

/// Where a browser comes from.
#[derive(Debug, Clone)]
pub enum Arranged {
    /// A program on this machine.
    Local(Found),
    /// One that runs elsewhere, by its `ws://…/devtools/browser/…` address.
    Remote(String),
}

/// The browser of a run.
pub struct Browsers {
    arranged: Arranged,
    reach: Reach,
    runtime: Handle,
    current: Mutex<Arc<Browser>>,
}

impl Browsers {
    /// Starts the browser.
    ///
    /// # Errors
    /// [`Error::Launch`].
    pub fn start(arranged: Arranged, reach: Reach, runtime: Handle) -> Result<Self, Error> {
        let first = runtime.block_on(bring_up(&arranged, &reach))?;
        Ok(Self { arranged, reach, runtime, current: Mutex::new(Arc::new(first)) })
    }

    /// Where the page layer runs.
    pub fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Opens a page in a fresh context; a browser that died is replaced first.
    ///
    /// # Errors
    /// As [`Browser::page`], and [`Error::Launch`].
    pub fn page(&self, look: &Look) -> Result<Page, Error> {
        let browser = self.living()?;
        self.runtime.block_on(browser.page(look))
    }

    /// Begins to open a page; the future can be awaited later.
    ///
    /// # Errors
    /// [`Error::Launch`], when a new browser was needed and did not start.
    pub fn warm(&self, look: Look) -> Result<tokio::task::JoinHandle<Result<Page, Error>>, Error> {
        let browser = self.living()?;
        Ok(self.runtime.spawn(async move { browser.page(&look).await }))
    }

    /// Kills the browser, as a test of what happens then.
    pub fn kill(&self) {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).kill();
    }

    /// The browser as the record names it.
    pub fn told(&self) -> record::Browser {
        let product = self.current.lock().unwrap_or_else(PoisonError::into_inner).product.clone();
        let version = product.split_once('/').map_or(product.as_str(), |(_, v)| v).to_owned();
        let name = match &self.arranged {
            Arranged::Local(found) => format!("chromium {}", found.flavour.word()),
            Arranged::Remote(_) => "chromium remote".to_owned(),
        };
        record::Browser { name, version }
    }

    fn living(&self) -> Result<Arc<Browser>, Error> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.is_gone() {
            *current = Arc::new(self.runtime.block_on(bring_up(&self.arranged, &self.reach))?);
        }
        Ok(current.clone())
    }
}

async fn bring_up(arranged: &Arranged, reach: &Reach) -> Result<Browser, Error> {
    match arranged {
        Arranged::Local(found) => Browser::launch(found, reach).await,
        Arranged::Remote(url) => Browser::attach(url).await,
    }
}
