//! What the pages of a case asked for, as the record tells it: files of the artifact with size and digest, and other hosts.
//!
//! It deliberately looks at the artifact's own files, not at what came over the wire: their digest is what a licence is
//! about, and a video of which only the beginning was fetched is the same video.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::browser::Request;
use crate::record::{Loaded, LoadedKind};
use crate::serve::Server;
use crate::study::sha256;

/// How many different things one case tells of: a page that asks for endless addresses must not fill the record.
const MOST: usize = 1_000;

/// Sizes and digests of files, each read once a run.
#[derive(Default)]
pub(super) struct Digests(Mutex<BTreeMap<PathBuf, Option<(u64, String)>>>);

impl Digests {
    /// The size and digest of a file, if it can be read.
    fn of(&self, path: &Path) -> Option<(u64, String)> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let look = || std::fs::read(path).ok().map(|bytes| (bytes.len() as u64, sha256(&bytes)));
        known.entry(path.to_owned()).or_insert_with(look).clone()
    }
}

/// What `requests` loaded, each thing once, in the order in which it was first asked for. `served` names the artifact on the server;
/// none where it is an address.
pub(super) fn loaded(
    requests: &[Request],
    origin: &str,
    served: Option<(&Server, &str)>,
    digests: &Digests,
) -> Vec<Loaded> {
    let mut all: Vec<Loaded> = Vec::new();
    for request in requests {
        let Some(one) = one(request, origin, served, digests) else { continue };
        if all.len() < MOST && !all.iter().any(|known| is_same(known, &one)) {
            all.push(one);
        }
    }
    all
}

/// The same file or address. Reached once, it was not blocked, whatever came of asking again.
fn is_same(known: &Loaded, other: &Loaded) -> bool {
    match (known, other) {
        (Loaded::Artifact { file: a, .. }, Loaded::Artifact { file: b, .. }) => a == b,
        (Loaded::Remote { url: a, .. }, Loaded::Remote { url: b, .. }) => a == b,
        _ => false,
    }
}

fn one(request: &Request, origin: &str, served: Option<(&Server, &str)>, digests: &Digests) -> Option<Loaded> {
    let kind = kind(request);
    if request.remote {
        let (url, bytes) = (request.url.clone(), request.bytes);
        return Some(Loaded::Remote { url, kind, bytes, blocked: request.status.is_none() });
    }
    if request.failed() {
        return None;
    }
    let path = request.url.strip_prefix(origin)?.split(['?', '#']).next().unwrap_or_default();
    let Some((server, label)) = served else {
        request.status?;
        return Some(Loaded::Artifact { file: path.to_owned(), kind, bytes: request.bytes, digest: None });
    };
    // A case may end before the answer is there; which file it would be is known all the same.
    let (file, real) = server.file(label, path)?;
    let (bytes, digest) = digests.of(&real)?;
    Some(Loaded::Artifact { file, kind, bytes, digest: Some(digest) })
}

/// What it is: by who asked for it, else by what came. A picture that a script fetches is a picture.
fn kind(request: &Request) -> LoadedKind {
    let by_content = match request.mime.split('/').next().unwrap_or_default() {
        "image" => LoadedKind::Picture,
        "font" => LoadedKind::Font,
        "audio" | "video" => LoadedKind::Media,
        _ => LoadedKind::Data,
    };
    match request.resource.as_str() {
        "Document" if by_content == LoadedKind::Data => LoadedKind::Document,
        "Stylesheet" => LoadedKind::Stylesheet,
        "Script" => LoadedKind::Script,
        "Image" => LoadedKind::Picture,
        "Font" => LoadedKind::Font,
        "Media" => LoadedKind::Media,
        _ => by_content,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(url: &str, resource: &str, mime: &str) -> Request {
        let (url, resource, mime) = (url.to_owned(), resource.to_owned(), mime.to_owned());
        Request { url, resource, status: Some(200), mime, bytes: 7, failure: None, remote: false }
    }

    #[test]
    fn a_kind_follows_who_asked_and_then_what_came() {
        let kind = |resource, mime| kind(&request("http://a/x", resource, mime));
        assert_eq!(kind("Document", "text/html"), LoadedKind::Document);
        assert_eq!(kind("Document", "image/png"), LoadedKind::Picture, "a picture in a frame");
        assert_eq!(kind("Fetch", "image/webp"), LoadedKind::Picture);
        assert_eq!(kind("Fetch", "application/json"), LoadedKind::Data);
        assert_eq!(kind("Font", "application/octet-stream"), LoadedKind::Font);
        assert_eq!(kind("Other", "video/mp4"), LoadedKind::Media);
    }

    #[test]
    fn of_an_address_each_path_is_told_once_and_what_failed_is_not() {
        let failed = Request { status: Some(404), ..request("http://a/lost.png", "Image", "") };
        let refused = Request { status: None, remote: true, ..request("http://b/f.woff2", "Font", "") };
        let asked =
            [request("http://a/x.png?1", "Image", ""), request("http://a/x.png?2", "Image", ""), failed, refused];
        let told = loaded(&asked, "http://a", None, &Digests::default());
        let picture = Loaded::Artifact { file: "/x.png".into(), kind: LoadedKind::Picture, bytes: 7, digest: None };
        let font = Loaded::Remote { url: "http://b/f.woff2".into(), kind: LoadedKind::Font, bytes: 7, blocked: true };
        assert_eq!(told, [picture, font]);
    }
}
