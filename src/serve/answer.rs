//! The answer to one request: its mount by Host, its file by path, and the headers around it.
//!
//! Bodies, ranges and types are the file service's work. It deliberately knows no folder and follows no link.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HOST, LOCATION};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use tower_http::services::ServeFile;

use super::mount::{Answer, Lead, Mount};
use super::{Mounts, SITE};

/// Answers one request, and ends its connection. Every case has an origin of its own, so that a browser context would
/// keep one idle connection, and we a file descriptor, for every case that it has seen.
pub(super) async fn answer(State(mounts): State<Arc<Mounts>>, request: Request) -> Response<Body> {
    let mut response = found(&mounts, request).await;
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

async fn found(mounts: &Mounts, request: Request) -> Response<Body> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "artifacts are read-only");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let label = label(request.uri(), request.headers());
    let Some(mount) = label.and_then(|label| mounts.get(&label)) else {
        return plain(StatusCode::MISDIRECTED_REQUEST, "no artifact has this host name");
    };
    let path = request.uri().path().to_owned();
    let Some(names) = names(&path) else {
        mount.miss(&path, Answer::Missing);
        return plain(StatusCode::NOT_FOUND, "not found");
    };
    match mount.lead(&names, path.ends_with('/')) {
        Lead::File(file) => serve(&file, request).await,
        Lead::Folder => to_folder(&names, request.uri().query()),
        Lead::Forbidden => {
            mount.miss(&path, Answer::Forbidden);
            plain(StatusCode::FORBIDDEN, "not part of the artifact, or not readable")
        }
        // Chromium asks for it by itself; that is not the page's mistake.
        Lead::Missing if path == "/favicon.ico" => plain(StatusCode::NO_CONTENT, ""),
        Lead::Missing => not_found(&mount, &path, &names, request).await,
    }
}

/// The start page for a person who navigated to a path that the page itself may route, else 404.
async fn not_found(mount: &Mount, path: &str, names: &[String], request: Request) -> Response<Body> {
    let looks_like_file = names.last().is_some_and(|name| name.contains('.'));
    if is_navigation(request.headers())
        && !looks_like_file
        && let Lead::File(file) = mount.start_page()
    {
        mount.miss(path, Answer::StartPage);
        return serve(&file, request).await;
    }
    mount.miss(path, Answer::Missing);
    plain(StatusCode::NOT_FOUND, "not found")
}

async fn serve(file: &std::path::Path, request: Request) -> Response<Body> {
    let served = ServeFile::new(file).ignore_multi_range_requests(true).try_call(request).await;
    let mut response = match served {
        Ok(response) => response.map(Body::new),
        Err(e) => return plain(StatusCode::FORBIDDEN, &format!("the file cannot be read: {}", e.kind())),
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(with_charset) = headers.get(CONTENT_TYPE).and_then(with_charset) {
        headers.insert(CONTENT_TYPE, with_charset);
    }
    response
}

/// The label of a host name such as `case-7.loupe.localhost:8080`.
fn label(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let host = uri.host().or_else(|| headers.get(HOST)?.to_str().ok())?;
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name).to_ascii_lowercase();
    name.strip_suffix(SITE).map(str::to_owned)
}

/// The decoded names of a path; `None` if one of them could be more than a name.
pub(super) fn names(path: &str) -> Option<Vec<String>> {
    let decode = |name: &str| {
        let name = percent_decode_str(name).decode_utf8().ok()?.into_owned();
        (name != ".." && !name.contains(['/', '\0'])).then_some(name)
    };
    path.split('/').filter(|name| !name.is_empty() && *name != ".").map(decode).collect()
}

fn is_navigation(headers: &HeaderMap) -> bool {
    match headers.get("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        None => headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|a| a.contains("text/html")),
    }
}

fn with_charset(kind: &HeaderValue) -> Option<HeaderValue> {
    let kind = kind.to_str().ok()?;
    let is_text = kind.starts_with("text/")
        || ["application/javascript", "application/json", "application/xml"].contains(&kind)
        || kind.ends_with("+json")
        || kind.ends_with("+xml");
    (is_text && !kind.contains("charset")).then(|| HeaderValue::from_str(&format!("{kind}; charset=utf-8")).ok())?
}

/// Sends the browser to the same folder with its final slash. The address is built anew from the names, so that
/// `//elsewhere` cannot lead to another host.
fn to_folder(names: &[String], query: Option<&str>) -> Response<Body> {
    let names: Vec<String> = names.iter().map(|n| utf8_percent_encode(n, NON_ALPHANUMERIC).to_string()).collect();
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    let mut response = plain(StatusCode::MOVED_PERMANENTLY, "the folder is one slash further");
    if let Ok(location) = HeaderValue::from_str(&format!("/{}/{query}", names.join("/"))) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

fn plain(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Body::from(text.to_owned()));
    *response.status_mut() = status;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
