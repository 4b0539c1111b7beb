//! The browser of a run: started once, shared by all workers, and started anew when it died.
//!
//! Pages are used again where that leaves no trace; see `browser::renew`. It deliberately gives out pages only; nobody
//! else holds a browser across cases.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

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
    /// Used pages that were made like new.
    idle: Arc<Mutex<Vec<Page>>>,
}

/// How many idle pages are kept. Each worker needs two, one in use and one made ready, for each look.
const MOST_IDLE: usize = 8;

impl Browsers {
    /// Starts the browser.
    ///
    /// # Errors
    /// [`Error::Launch`].
    pub fn start(arranged: Arranged, reach: Reach, runtime: Handle) -> Result<Self, Error> {
        let first = runtime.block_on(bring_up(&arranged, &reach))?;
        Ok(Self { arranged, reach, runtime, current: Mutex::new(Arc::new(first)), idle: Arc::default() })
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

    /// Begins to make a page ready, a new one or one as good; the future can be awaited later.
    ///
    /// # Errors
    /// [`Error::Launch`], when a new browser was needed and did not start.
    pub fn warm(&self, look: Look) -> Result<JoinHandle<Result<Page, Error>>, Error> {
        let browser = self.living()?;
        let idle = {
            let mut idle = lock(&self.idle);
            idle.retain(|page| !page.is_over());
            idle.iter().position(|page| *page.look() == look).map(|at| idle.swap_remove(at))
        };
        Ok(self.runtime.spawn(async move {
            match idle {
                Some(page) => Ok(page),
                None => browser.page(&look).await,
            }
        }))
    }

    /// Takes back a page that served its case, for another one of the same `look` and of another origin.
    pub fn take_back(&self, page: Page, look: Look) {
        let idle = self.idle.clone();
        self.runtime.spawn(async move {
            // A page that cannot be made like new is gone with this, and its context with it.
            let Ok(page) = page.renewed(&look).await else { return };
            let mut idle = lock(&idle);
            if idle.len() < MOST_IDLE {
                idle.push(page);
            }
        });
    }

    /// Kills the browser, as a test of what happens then.
    pub fn kill(&self) {
        lock(&self.current).kill();
    }

    /// The browser as the record names it.
    pub fn told(&self) -> record::Browser {
        let product = lock(&self.current).product.clone();
        let version = product.split_once('/').map_or(product.as_str(), |(_, v)| v).to_owned();
        let name = match &self.arranged {
            Arranged::Local(found) => format!("chromium {}", found.flavour.word()),
            Arranged::Remote(_) => "chromium remote".to_owned(),
        };
        record::Browser { name, version }
    }

    fn living(&self) -> Result<Arc<Browser>, Error> {
        let mut current = lock(&self.current);
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
