//! The artifact server: many artifacts at once, each on an origin of its own, read-only, on loopback.
//!
//! An artifact called `case-7` is at `http://case-7.loupe.localhost:PORT/`: one port and one mount for each label of the Host
//! header, so that artifacts share neither storage nor cookies. Nothing outside a mount's root is ever handed out, not
//! by `..`, not by an escape, not by a symbolic link. It deliberately changes no byte of what it serves, lists no folder,
//! and lets nothing be cached, so that every case sees the files as they are.

mod answer;
mod mount;

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::diag::Diagnostic;
use mount::Mount;

pub use mount::{Answer, Miss, Root};

/// The site that every origin belongs to. Chromium takes every name under localhost for this machine.
const SITE: &str = ".loupe.localhost";

/// A running server; it ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    port: u16,
    mounts: Arc<Mounts>,
    stop: CancellationToken,
}

/// The mounts by label.
#[derive(Debug, Default)]
struct Mounts(RwLock<HashMap<String, Arc<Mount>>>);

impl Server {
    /// Starts on `port` of 127.0.0.1, or on a free one. Must be called on a tokio runtime, which then does the work.
    ///
    /// # Errors
    /// A diagnostic when the port is in use or may not be used.
    pub async fn start(port: Option<u16>) -> Result<Self, Diagnostic> {
        let wanted = port.unwrap_or(0);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).await.map_err(|e| no_port(wanted, &e))?;
        let port = listener.local_addr().map_err(|e| no_port(wanted, &e))?.port();
        // Small answers must not wait for the acknowledgement of the one before; a socket that cannot is only slower.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let server = Self { port, mounts: Arc::default(), stop: CancellationToken::new() };
        let app = Router::new().fallback(answer::answer).with_state(Arc::clone(&server.mounts));
        let serving = axum::serve(listener, app).with_graceful_shutdown(server.stop.clone().cancelled_owned());
        tokio::spawn(serving.into_future());
        Ok(server)
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Serves `root` under `label`, at once, and gives its origin: `http://<label>.loupe.localhost:<port>`. Nothing is scanned.
    ///
    /// Labels are origins of their own below one site, so that one renderer can show one artifact after the other.
    ///
    /// # Errors
    /// A diagnostic for a label that cannot be part of a host name or is in use, or a root that does not exist.
    pub fn mount(&self, label: &str, root: &Root) -> Result<String, Diagnostic> {
        if !is_label(label) {
            return Err(Diagnostic::new(format!("`{label}` cannot be part of a host name"))
                .expected("1 to 63 of a-z, 0-9 and -, neither first nor last a -"));
        }
        let mount = Arc::new(Mount::new(root)?);
        let mut mounts = self.mounts.0.write().unwrap_or_else(PoisonError::into_inner);
        if mounts.contains_key(label) {
            return Err(Diagnostic::new(format!("something is served as `{label}` already")));
        }
        mounts.insert(label.to_owned(), mount);
        Ok(format!("http://{label}{SITE}:{}", self.port))
    }

    /// The file that answers `path`, an address's path, under `label`: its name in the root, with `/`, and where it is.
    pub fn file(&self, label: &str, path: &str) -> Option<(String, PathBuf)> {
        self.mounts.get(label)?.named(&answer::names(path)?, path.ends_with('/'))
    }

    /// Stops serving `label`, and gives what was asked for in vain and not yet taken.
    pub fn unmount(&self, label: &str) -> Vec<Miss> {
        let removed = self.mounts.0.write().unwrap_or_else(PoisonError::into_inner).remove(label);
        removed.map(|mount| mount.take_misses()).unwrap_or_default()
    }

    /// Takes what was asked of `label` in vain since the last time, by path.
    pub fn take_misses(&self, label: &str) -> Vec<Miss> {
        self.mounts.get(label).map(|mount| mount.take_misses()).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Mounts {
    fn get(&self, label: &str) -> Option<Arc<Mount>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(label).cloned()
    }
}

fn is_label(label: &str) -> bool {
    let is_fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=63).contains(&label.len()) && label.chars().all(is_fine) && !label.starts_with('-') && !label.ends_with('-')
}

fn no_port(port: u16, error: &io::Error) -> Diagnostic {
    let hint = "leave the port out to have a free one chosen";
    match error.kind() {
        ErrorKind::AddrInUse => Diagnostic::new(format!("port {port} of 127.0.0.1 is in use")).hint(hint),
        ErrorKind::PermissionDenied => Diagnostic::new(format!("port {port} of 127.0.0.1 may not be used")).hint(hint),
        _ => Diagnostic::new(format!("cannot listen on 127.0.0.1: {error}")),
    }
}
