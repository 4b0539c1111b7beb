//! The stage: one browser, one server, and pages written by the tests.
//!
//! It deliberately has no expectations of its own.

#![expect(clippy::unwrap_used, reason = "a stage that cannot be built is the end of its tests")]

use std::future::Future;
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loupe::browser::{Browser, Freeze, Frozen, Look, Page, Reach, find};
use loupe::capture::{Capture, Element};
use loupe::serve::{Root, Server};
use tokio::runtime::Runtime;

/// Time for anything that is not what a test is about.
pub const PATIENCE: Duration = Duration::from_secs(20);

struct Stage {
    runtime: Runtime,
    browser: Browser,
    server: Server,
    /// Port of a server that takes connections and never answers.
    silent: u16,
}

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| {
        let runtime = Runtime::new().unwrap();
        let path: Vec<_> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
        let found = find::find(&find::Choice::from(""), &path).expect("these tests need a Chromium");
        let reach = Reach::Only(vec!["127.0.0.1".into(), "*.localhost".into()]);
        let browser = runtime.block_on(Browser::launch(&found, &reach)).unwrap();
        let server = runtime.block_on(Server::start(None)).unwrap();
        Stage { browser, server, silent: silent_server(), runtime }
    })
}

fn silent_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 512]);
            kept.push(stream);
        }
    });
    port
}

/// Runs a test's future on the stage's runtime.
pub fn play<T>(future: impl Future<Output = T>) -> T {
    stage().runtime.block_on(future)
}

/// A site: `index.html` and more files, served on an origin of its own as long as this lives.
pub struct Site {
    folder: tempfile::TempDir,
    pub origin: String,
}

/// Serves a page; `SILENT` in it becomes the address of a server that never answers.
pub fn site(html: &str) -> Site {
    let folder = tempfile::tempdir().unwrap();
    let silent = format!("http://127.0.0.1:{}", stage().silent);
    std::fs::write(folder.path().join("index.html"), html.replace("SILENT", &silent)).unwrap();
    let origin = mount(folder.path());
    Site { folder, origin }
}

impl Site {
    /// Adds a file.
    pub fn with(self, name: &str, bytes: &[u8]) -> Self {
        std::fs::write(self.folder.path().join(name), bytes).unwrap();
        self
    }

    /// Opens the site as a page of that look.
    pub async fn page(&self, look: &Look) -> Page {
        open(&self.origin, look).await
    }

    /// Freezes it as nobody used it.
    pub fn capture(&self) -> Frozen {
        play(async { freeze(&self.page(&desktop()).await).await })
    }
}

/// Serves a folder on an origin of its own.
pub fn mount(folder: &Path) -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let label = format!("page-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    stage().server.mount(&label, &Root::Folder(folder.to_owned())).unwrap()
}

/// Opens an address.
pub async fn open(origin: &str, look: &Look) -> Page {
    let page = stage().browser.page(look).await.unwrap();
    page.set_origin(origin);
    page.open(&format!("{origin}/"), PATIENCE).await.unwrap();
    page
}

/// Freezes a page with a sweep.
pub async fn freeze(page: &Page) -> Frozen {
    page.freeze(&Freeze { name: "rest".into(), sweep: true }).await.unwrap()
}

/// A desktop of 1000 x 800.
pub fn desktop() -> Look {
    Look { width: 1000, height: 800, ..Look::default() }
}

/// What a page's script says.
pub async fn evaluate(page: &Page, code: &str) -> serde_json::Value {
    page.evaluate(code, &serde_json::Value::Null, PATIENCE).await.unwrap()
}

/// The element with an id.
pub fn by_id<'a>(capture: &'a Capture, id: &str) -> &'a Element {
    capture.elements.iter().find(|e| e.id == id).unwrap_or_else(|| panic!("no element has the id {id}"))
}

/// A picture's pixels.
pub fn pixels(png: &[u8]) -> image::RgbImage {
    image::load_from_memory(png).unwrap().into_rgb8()
}
