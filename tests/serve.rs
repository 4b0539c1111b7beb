//! The artifact server over real sockets: nothing leaves a root, and files come as a browser needs them.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use loupe::serve::{Answer, Root, Server};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A server with one folder and one page mounted, and what is around them.
struct Place {
    root: TempDir,
    server: Server,
    _runtime: Runtime,
}

/// What came back.
struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        let is_it = |line: &&str| line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case(name));
        self.head.lines().find(is_it).and_then(|line| line.split_once(':')).map(|(_, value)| value.trim())
    }
}

fn place() -> Place {
    let root = tempfile::tempdir().unwrap();
    let files = [
        ("secret.txt", "secret"),
        ("site/index.html", "start"),
        ("site/about.html", "about"),
        ("site/style.css", "body {}"),
        ("site/.well-known/x", "hidden files are files"),
        ("site/provenance.toml", "model = \"secret\""),
        ("site/docs/index.html", "docs"),
        ("site/empty/readme.txt", "x"),
        ("site/größe ☃.txt", "snow"),
        ("site/digits.bin", "0123456789"),
        ("pages/one.html", "page"),
        ("pages/one_files/a.js", "1"),
        ("pages/one.assets/b.css", "2"),
        ("pages/other.html", "secret"),
        ("pages/one.provenance.toml", "model = \"secret\""),
    ];
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(None)).unwrap();
    server.mount("site", &Root::Folder(root.path().join("site"))).unwrap();
    server.mount("page", &Root::File(root.path().join("pages/one.html"))).unwrap();
    Place { root, server, _runtime: runtime }
}

impl Place {
    fn send(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.server.port())).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Reply { status, head, body: bytes.get(end + 4..).unwrap_or_default().to_vec() }
    }

    fn ask(&self, method: &str, label: &str, path: &str, headers: &str) -> Reply {
        let host = format!("{label}.loupe.localhost:{}", self.server.port());
        self.send(&format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"))
    }

    fn get(&self, label: &str, path: &str) -> Reply {
        self.ask("GET", label, path, "")
    }

    fn below(&self, name: &str) -> std::path::PathBuf {
        self.root.path().join(name)
    }
}

#[test]
fn nothing_outside_the_root_is_handed_out() {
    let place = place();
    let site = place.below("site");
    symlink(place.below("secret.txt"), site.join("link.txt")).unwrap();
    symlink("../secret.txt", site.join("relative.txt")).unwrap();
    symlink(place.root.path(), site.join("up")).unwrap();
    symlink("/", site.join("all")).unwrap();
    symlink("/nowhere", site.join("broken.txt")).unwrap();
    let secret = place.below("secret.txt").display().to_string();
    let long = format!("/{}", "a/".repeat(20_000));
    let longer = format!("/{}.txt", "a".repeat(300));
    let paths = [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/docs/../../secret.txt",
        "/docs/%2E%2E/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/docs%2f..%2f..%2fsecret.txt",
        "/..%5csecret.txt",
        "/%252e%252e/secret.txt",
        "/.%2e/secret.txt",
        "//secret.txt",
        "/link.txt",
        "/relative.txt",
        "/up/secret.txt",
        "/all/etc/passwd",
        "/broken.txt",
        "/style.css%00.txt",
        "/%00",
        "/%ff%fe.txt",
        "/provenance.toml",
        "/empty/../provenance.toml",
        "/./provenance.toml",
        &secret,
        &long,
        &longer,
    ];
    for path in paths {
        let reply = place.get("site", path);
        assert!([403, 404].contains(&reply.status), "{path}: {}", reply.head);
        assert!(!String::from_utf8_lossy(&reply.body).contains("secret"), "{path}");
    }
    let endless = format!("/{}", "a".repeat(100_000));
    assert!([0, 400, 414, 431].contains(&place.get("site", &endless).status));
    assert_eq!(place.get("site", "/").body, b"start", "and the server is still there");
}

#[test]
fn links_inside_the_root_are_fine_and_so_is_a_linked_root() {
    let place = place();
    symlink("style.css", place.below("site/alias.css")).unwrap();
    assert_eq!(place.get("site", "/alias.css").body, b"body {}");
    symlink(place.below("site"), place.below("site-link")).unwrap();
    place.server.mount("linked", &Root::Folder(place.below("site-link"))).unwrap();
    assert_eq!(place.get("linked", "/").body, b"start");
}

#[test]
fn a_page_brings_its_sidecars_and_nothing_else() {
    let place = place();
    for (path, body) in [("/", "page"), ("/one.html", "page"), ("/one_files/a.js", "1"), ("/one.assets/b.css", "2")] {
        assert_eq!(place.get("page", path).body, body.as_bytes(), "{path}");
    }
    for path in ["/other.html", "/other", "/one.provenance.toml", "/one_files/../other.html", "/one_files"] {
        assert!([403, 404].contains(&place.get("page", path).status), "{path}");
    }
}

#[test]
fn every_label_is_an_artifact_of_its_own() {
    let place = place();
    let port = place.server.port();
    for host in ["page.loupe.localhost", "PAGE.LOUPE.LOCALHOST:1", &format!("page.loupe.localhost:{port}")] {
        let reply = place.send(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        assert_eq!(reply.body, b"page", "{host}");
    }
    for host in [
        "localhost",
        "127.0.0.1",
        "other.loupe.localhost",
        "page.localhost",
        "page.loupe.localhost.example.org",
        "x.page.loupe.localhost",
        "",
    ] {
        let reply = place.send(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        assert_eq!(reply.status, 421, "{host}");
    }
    place.server.unmount("page");
    assert_eq!(place.get("page", "/").status, 421);
    assert_eq!(place.get("site", "/").status, 200);
}

#[test]
fn navigations_get_the_start_page_and_others_a_404() {
    let place = place();
    let navigate = "Sec-Fetch-Mode: navigate\r\n";
    assert_eq!(place.ask("GET", "site", "/article/5", navigate).body, b"start");
    assert_eq!(place.ask("GET", "site", "/article/6/", "Accept: text/html,*/*\r\n").body, b"start");
    assert_eq!(place.ask("GET", "page", "/article/7", navigate).body, b"page");
    assert_eq!(place.ask("GET", "site", "/gone.html", navigate).status, 404);
    assert_eq!(place.ask("GET", "site", "/article/8", "Sec-Fetch-Mode: cors\r\nAccept: text/html\r\n").status, 404);
    assert_eq!(place.ask("GET", "site", "/data.json", "Accept: */*\r\n").status, 404);
    place.get("site", "/data.json");
    let misses: Vec<_> = place.server.take_misses("site").into_iter().map(|m| (m.path, m.answer, m.times)).collect();
    let miss = |path: &str, answer, times| (path.to_owned(), answer, times);
    assert_eq!(
        misses,
        [
            miss("/article/5", Answer::StartPage, 1),
            miss("/article/6/", Answer::StartPage, 1),
            miss("/article/8", Answer::Missing, 1),
            miss("/data.json", Answer::Missing, 2),
            miss("/gone.html", Answer::Missing, 1),
        ]
    );
    assert_eq!(place.server.take_misses("site"), [], "they are taken once");
}

#[test]
fn folders_and_clean_addresses_work_as_on_a_static_host() {
    let place = place();
    let reply = place.get("site", "//docs?x=1");
    assert_eq!((reply.status, reply.header("location")), (301, Some("/docs/?x=1")));
    assert_eq!(place.get("site", "/docs/").body, b"docs");
    assert_eq!(place.get("site", "/about").body, b"about");
    assert_eq!(place.get("site", "/about.html/").status, 404);
    assert_eq!(place.get("site", "/empty/").status, 404, "folders are not listed");
    assert_eq!(place.get("site", "/.well-known/x").status, 200);
    assert_eq!(place.get("site", "/gr%C3%B6%C3%9Fe%20%E2%98%83.txt?query#x").body, b"snow");
    assert_eq!(place.get("site", "/favicon.ico").status, 204);
    assert!(place.server.take_misses("site").iter().all(|miss| miss.path != "/favicon.ico"));
}

#[test]
fn types_are_right_and_nothing_is_cached() {
    let place = place();
    let types = [
        ("html", "text/html; charset=utf-8"),
        ("js", "text/javascript; charset=utf-8"),
        ("mjs", "application/javascript; charset=utf-8"),
        ("css", "text/css; charset=utf-8"),
        ("json", "application/json; charset=utf-8"),
        ("webmanifest", "application/manifest+json; charset=utf-8"),
        ("svg", "image/svg+xml; charset=utf-8"),
        ("txt", "text/plain; charset=utf-8"),
        ("woff2", "font/woff2"),
        ("wasm", "application/wasm"),
        ("avif", "image/avif"),
        ("webp", "image/webp"),
        ("png", "image/png"),
        ("mp4", "video/mp4"),
        ("unknown", "application/octet-stream"),
    ];
    for (extension, expected) in types {
        fs::write(place.below("site").join(format!("file.{extension}")), "x").unwrap();
        let reply = place.get("site", &format!("/file.{extension}"));
        assert_eq!(reply.header("content-type"), Some(expected), "{extension}");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
}

#[test]
fn ranges_heads_and_methods() {
    let place = place();
    let range = |range: &str| place.ask("GET", "site", "/digits.bin", &format!("Range: {range}\r\n"));
    let reply = range("bytes=2-4");
    assert_eq!((reply.status, reply.body.as_slice()), (206, &b"234"[..]));
    assert_eq!(reply.header("content-range"), Some("bytes 2-4/10"));
    assert_eq!(range("bytes=-2").body, b"89");
    assert_eq!(range("bytes=7-").body, b"789");
    let beyond = range("bytes=20-30");
    assert_eq!((beyond.status, beyond.header("content-range")), (416, Some("bytes */10")));
    assert_eq!(range("bytes=0-1,3-4").status, 200, "several ranges may be answered with the whole");

    let head = place.ask("HEAD", "site", "/digits.bin", "");
    assert_eq!((head.status, head.header("content-length"), head.body.len()), (200, Some("10"), 0));
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let reply = place.ask(method, "site", "/digits.bin", "Content-Length: 0\r\n");
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, HEAD")), "{method}");
    }
    assert_eq!(fs::read(place.below("site/digits.bin")).unwrap(), b"0123456789");
}

#[test]
fn what_cannot_be_read_is_forbidden_and_never_hangs() {
    let place = place();
    let pipe = place.below("site/pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert_eq!(place.get("site", "/pipe").status, 403);
    let locked = place.below("site/locked.txt");
    fs::write(&locked, "x").unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    // Permissions do not bind root.
    if fs::read(&locked).is_err() {
        assert_eq!(place.get("site", "/locked.txt").status, 403);
    }
}

#[test]
fn wrong_mounts_are_refused() {
    let place = place();
    let mount = |label: &str, path: &Path| place.server.mount(label, &Root::Folder(path.to_owned())).unwrap_err().title;
    let site = place.below("site");
    assert_eq!(mount("site", &site), "something is served as `site` already");
    for label in ["", "A", "a.b", "-a", "a-", "ä", &"a".repeat(64)] {
        assert_eq!(mount(label, &site), format!("`{label}` cannot be part of a host name"));
    }
    assert!(mount("gone", &place.below("gone")).ends_with("does not exist"));
    assert!(mount("file", &place.below("secret.txt")).ends_with("is not a folder"));
    assert!(place.server.mount("dir", &Root::File(site)).is_err());
}

#[test]
fn a_port_in_use_is_named() {
    let place = place();
    let port = place.server.port();
    let mistake = Runtime::new().unwrap().block_on(Server::start(Some(port))).unwrap_err();
    assert_eq!(mistake.title, format!("port {port} of 127.0.0.1 is in use"));
}

#[test]
fn a_dropped_server_lets_its_port_go() {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(None)).unwrap();
    let port = server.port();
    drop(server);
    // The listener goes with its task; connecting fails as soon as it has.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while TcpStream::connect(("127.0.0.1", port)).is_ok() {
        assert!(std::time::Instant::now() < deadline, "still listening");
        std::thread::yield_now();
    }
}

#[test]
fn many_clients_at_once_each_get_their_own() {
    let place = place();
    let labels: Vec<String> = (0..64).map(|n| format!("case-{n}")).collect();
    for label in &labels {
        let folder = place.below(label);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("index.html"), label.repeat(5000)).unwrap();
        place.server.mount(label, &Root::Folder(folder)).unwrap();
    }
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let (place, labels) = (&place, &labels);
            scope.spawn(move || {
                for label in labels.iter().cycle().skip(worker * 8).take(labels.len()) {
                    assert_eq!(place.get(label, "/").body, label.repeat(5000).as_bytes());
                }
            });
        }
    });
}

#[test]
fn an_answer_ends_its_connection() {
    let place = place();
    for path in ["/", "/nothing.css"] {
        let mut stream = TcpStream::connect(("127.0.0.1", place.server.port())).unwrap();
        // Only a connection that stays open takes as long.
        stream.set_read_timeout(Some(std::time::Duration::from_secs(10))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: site.loupe.localhost\r\n\r\n").unwrap();
        let mut told = String::new();
        stream.read_to_string(&mut told).expect("the server ends the connection");
        assert!(told.starts_with("HTTP/1.1 ") && told.contains("connection: close\r\n"), "{told}");
    }
}
