//! The stage on which tests show the pages of `fixtures/pages` to a real browser: one browser a test binary, one page
//! a test.
//!
//! It deliberately has a server of its own: that one answers `/__hang/…` never, which the product's must not.

#![expect(clippy::unwrap_used, reason = "helpers of a test may stop it")]
#![allow(dead_code, reason = "every test binary has its own copy of this module and uses a part of it")]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use loupe::browser::locator::{self, HookSpec, Hooks};
use loupe::browser::{Browser, Key, Look, Page, Patience, Reach, find};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

/// How long what must come may take on a machine with other work.
pub const PATIENT: Duration = Duration::from_secs(10);

struct Stage {
    runtime: Runtime,
    browser: Browser,
    port: u16,
}

static STAGE: LazyLock<Stage> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let found = find::find(&find::Choice::Any, &[]).unwrap();
    let (browser, port) = runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(serve(listener));
        let reach = Reach::Only(vec!["127.0.0.1".into(), "localhost".into(), "*.localhost".into()]);
        (Browser::launch(&found, &reach).await.unwrap(), port)
    });
    Stage { runtime, browser, port }
});

/// A page of `fixtures/pages` in a fresh browser state.
pub struct Scene {
    /// The page.
    pub page: Page,
    /// The hooks that locators may name.
    pub hooks: Hooks,
}

/// Opens the page called `name` on a desktop viewport and runs `test` on it.
pub fn on(name: &str, test: impl AsyncFnOnce(Scene)) {
    on_a(&Look::default(), name, test);
}

/// Opens the page called `name` as `look` says and runs `test` on it.
pub fn on_a(look: &Look, name: &str, test: impl AsyncFnOnce(Scene)) {
    let stage = &*STAGE;
    stage.runtime.block_on(async {
        let page = stage.browser.page(look).await.unwrap();
        let origin = format!("http://127.0.0.1:{}", stage.port);
        page.set_origin(&origin);
        let file = if name.contains(".html") { name.to_owned() } else { format!("{name}.html") };
        page.open(&format!("{origin}/{file}"), PATIENT).await.unwrap();
        test(Scene { page, hooks: Hooks::new() }).await;
    });
}

impl Scene {
    /// Declares a hook.
    pub fn hook(&mut self, name: &str, spec: HookSpec) {
        self.hooks.insert(name.to_owned(), HookSpec { testid: name.to_owned(), ..spec });
    }

    /// Asks the agent about a locator, with `patience` ms, and gives its whole reply.
    pub async fn ask(&self, at: &str, request: Value, patience: u64) -> Value {
        let locator = locator::parse(at, &self.hooks).unwrap();
        let grace = Duration::from_millis(200);
        let patience = Patience { total: Duration::from_millis(patience), grace };
        self.page.ask_about(&locator, request, patience).await.unwrap()
    }

    /// Asks the agent something that is about no element.
    pub async fn ask_page(&self, request: Value) -> Value {
        self.page.ask(&self.page.main_frame(), &request).await.unwrap()
    }

    /// The reply to a reading word.
    pub async fn read(&self, what: &str, at: &str) -> Value {
        self.ask(at, json!({"op": "read", "what": what}), 1000).await
    }

    /// What a reading word gives; null where it refuses.
    pub async fn value(&self, what: &str, at: &str) -> Value {
        self.read(what, at).await["value"].clone()
    }

    /// The text of an element.
    pub async fn text(&self, at: &str) -> String {
        self.value("text", at).await.as_str().unwrap_or_default().to_owned()
    }

    /// How many elements match.
    pub async fn count(&self, at: &str) -> u64 {
        self.value("count", at).await.as_u64().unwrap()
    }

    /// The reply to an expectation that should hold.
    pub async fn expect(&self, what: &str, at: &str, args: Value) -> Value {
        self.ask(at, json!({"op": "expect", "what": what, "args": args}), PATIENT.as_millis() as u64).await
    }

    /// The reply to an expectation that should not hold: it is waited for only briefly.
    pub async fn expect_not(&self, what: &str, at: &str, args: Value) -> Value {
        self.ask(at, json!({"op": "expect", "what": what, "args": args}), 300).await
    }

    /// The reply to an expectation about the page.
    pub async fn expect_page(&self, what: &str, args: Value, patience: u64) -> Value {
        self.ask_page(json!({"op": "expect", "what": what, "args": args, "timeout": patience})).await
    }

    /// The reply to a click that should succeed.
    pub async fn click(&self, at: &str) -> Value {
        self.click_within(at, PATIENT).await
    }

    /// The reply to a click that may take so long.
    pub async fn click_within(&self, at: &str, total: Duration) -> Value {
        let locator = locator::parse(at, &self.hooks).unwrap();
        self.page.click(&locator, 1, false, patience(total)).await.unwrap()
    }

    /// Presses a key where the focus is.
    pub async fn press(&self, key: &str) {
        let (key, modifiers) = Key::parse(key).unwrap();
        self.page.press(&key, modifiers, None, patience(PATIENT)).await.unwrap();
    }

    /// The reply to filling a field.
    pub async fn fill(&self, at: &str, text: &str) -> Value {
        let locator = locator::parse(at, &self.hooks).unwrap();
        self.page.fill(&locator, text, patience(Duration::from_secs(2))).await.unwrap()
    }
}

/// Patience of one length, and none with missing hooks.
pub fn patience(total: Duration) -> Patience {
    Patience { total, grace: Duration::ZERO }
}

async fn serve(listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(answer(stream));
    }
}

async fn answer(mut stream: TcpStream) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8_lossy(&head);
    let path = head.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default().to_owned();
    if path.starts_with("/__hang/") {
        // Holds the connection, and with it the request, until the browser gives up.
        let _ = stream.read_u8().await;
        return;
    }
    let file = pages().join(path.trim_start_matches('/'));
    let reply = match std::fs::read(&file) {
        Ok(body) => {
            [format!("HTTP/1.1 200 OK\r\ncontent-type: {}\r\n", kind(&file)).into_bytes(), rest(&body)].concat()
        }
        Err(_) => b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
    };
    let _ = stream.write_all(&reply).await;
}

fn rest(body: &[u8]) -> Vec<u8> {
    [format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len()).as_bytes(), body].concat()
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript",
    }
}

fn pages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/pages")
}
