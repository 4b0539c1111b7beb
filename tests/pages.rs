//! What a page does to the browser around it: dialogs, windows, navigation, errors, traces, loops.

mod stage;

use std::time::Duration;

use loupe::browser::{Arrival, DialogAnswer, Error, Look, Sight};
use serde_json::{Value, json};
use stage::{PATIENT, Scene, on, on_a};

/// What the page did so far, once `count` of it are of the wanted kind; it is asked again until they are.
async fn sights<T>(s: &Scene, count: usize, wanted: impl Fn(&Sight) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    for _ in 0..200 {
        found.extend(s.page.take_sightings().iter().filter_map(|sighting| wanted(&sighting.what)));
        if found.len() >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    found
}

fn dialog(sight: &Sight) -> Option<(String, String, bool)> {
    match sight {
        Sight::Dialog { dialog, message, accepted } => Some((dialog.clone(), message.clone(), *accepted)),
        _ => None,
    }
}

#[test]
fn dialogs_are_answered_and_recorded() {
    on("dialogs", async |s| {
        let answers = [
            (DialogAnswer::Dismiss, "#confirm", "confirm false"),
            (DialogAnswer::Accept, "#confirm", "confirm true"),
            (DialogAnswer::Dismiss, "#prompt", "prompt null"),
            (DialogAnswer::Text("Ada".into()), "#prompt", "prompt Ada"),
            (DialogAnswer::Dismiss, "#twice", "both closed"),
        ];
        for (answer, at, said) in answers {
            s.page.set_dialog_answer(answer);
            assert_eq!(s.click(at).await["ok"], true);
            assert_eq!(s.expect("text", "#said", json!({"expected": said})).await["ok"], true, "{at}");
        }
        let seen = sights(&s, 6, dialog).await;
        assert_eq!(seen[0], ("confirm".into(), "Delete it?".into(), false));
        assert_eq!(seen.iter().map(|(_, message, _)| message.as_str()).skip(4).collect::<Vec<_>>(), ["one", "two"]);
    });
    on("dialog-at-load", async |s| {
        assert_eq!(s.text("#after").await, "The rest of the page.");
        assert_eq!(sights(&s, 1, dialog).await.len(), 1);
    });
}

#[test]
fn leaving_a_page_that_asks_is_accepted_and_recorded() {
    on("beforeunload", async |s| {
        s.fill("#draft", "unsaved").await;
        let next = s.page.url().replace("beforeunload", "nbsp");
        s.page.open(&next, PATIENT).await.unwrap();
        assert_eq!(s.text("#word").await, "extraordinary");
        assert_eq!(sights(&s, 1, dialog).await[0].0, "beforeunload");
    });
}

#[test]
fn every_kind_of_popup_is_a_page_and_its_opener_stays_usable() {
    for at in ["#blank", "#noopener", "#open", "#form"] {
        on("popups", async |s| {
            assert_eq!(s.click(at).await["ok"], true, "{at}");
            let popup = Scene { page: s.page.popup(PATIENT).await.unwrap(), hooks: s.hooks.clone() };
            assert_eq!(popup.expect("text", "h1", json!({"expected": "Popup"})).await["ok"], true, "{at}");
            s.click("#count").await;
            assert_eq!(s.text("#count").await, "Clicked 1", "{at}");
            popup.page.close().await.unwrap();
            s.click("#count").await;
            assert_eq!(s.text("#count").await, "Clicked 2", "{at}");
        });
    }
}

#[test]
fn navigation_inside_a_document_returns_at_once_and_history_works() {
    on("hash-navigation", async |s| {
        let story = format!("{}#/story/one", s.page.url());
        assert_eq!(s.page.open(&story, PATIENT).await.unwrap(), Arrival::SameDocument);
        assert_eq!(s.expect("text", "#where", json!({"expected": "Story one"})).await["ok"], true);
        s.click("text=\"Story two\"").await;
        assert_eq!(s.expect("text", "#where", json!({"expected": "Story two"})).await["ok"], true);
        s.page.travel(-1, PATIENT).await.unwrap();
        assert_eq!(s.expect("text", "#where", json!({"expected": "Story one"})).await["ok"], true);
        s.page.travel(1, PATIENT).await.unwrap();
        assert_eq!(s.expect("text", "#where", json!({"expected": "Story two"})).await["ok"], true);
    });
}

#[test]
fn a_load_that_never_comes_is_no_error() {
    on("hanging-load", async |s| {
        assert_eq!(s.click("role=button").await["ok"], true);
        assert_eq!(s.text("role=button").await, "Hit");
    });
}

#[test]
fn a_script_that_never_ends_is_ended_and_the_page_lives() {
    for at in ["#loop", "#later"] {
        on("infinite-loop", async |s| {
            let locator = loupe::browser::locator::parse(at, &s.hooks).unwrap();
            let patience = stage::patience(Duration::from_secs(1));
            let hung = |e: &Error| matches!(e, Error::Hung { .. } | Error::Timeout { .. });
            let mut noticed = s.page.click(&locator, 1, false, patience).await.is_err_and(|e| hung(&e));
            // The second loop begins a little after the click.
            for _ in 0..100 {
                if noticed {
                    break;
                }
                let spoke = s.page.ask(&s.page.main_frame(), &json!({"op": "read", "what": "title"})).await;
                noticed = spoke.is_err_and(|e| hung(&e));
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            assert!(noticed, "{at}: a held page is noticed");
            // Noticing may already have freed it; the next question does at the latest.
            let read = json!({"op": "read", "what": "title"});
            let first = s.page.ask(&s.page.main_frame(), &read).await;
            assert!(first.is_ok() || s.page.ask(&s.page.main_frame(), &read).await.is_ok(), "{at}: and freed");
            assert_eq!(s.text("p").await, "Still here", "{at}");
        });
    }
}

#[test]
fn console_errors_and_rejections_are_seen() {
    on("console", async |s| {
        let level = |sight: &Sight| match sight {
            Sight::Console { level, text, .. } => Some((level.clone(), text.clone())),
            _ => None,
        };
        let seen = sights(&s, 6, level).await;
        let levels: Vec<_> = seen.iter().map(|(level, _)| level.as_str()).collect();
        assert_eq!(levels, ["log", "info", "warning", "error", "debug", "assert"]);
        assert_eq!(seen[3].1, "an error");
    });
    on("rejections", async |s| {
        s.click("#throw").await;
        s.click("#reject").await;
        let thrown = |sight: &Sight| match sight {
            Sight::Exception { text, .. } => Some(format!("error {text}")),
            Sight::Rejection { text, .. } => Some(format!("rejection {text}")),
            _ => None,
        };
        let seen = sights(&s, 4, thrown).await;
        let expected = [
            ("error", "uncaught in a timer"),
            ("rejection", "rejected at load"),
            ("error", "undefined_function"),
            ("rejection", "rejected by click"),
        ];
        for (kind, text) in expected {
            assert!(seen.iter().any(|s| s.starts_with(kind) && s.contains(text)), "{kind} {text}: {seen:?}");
        }
        assert_eq!(seen.len(), 4, "a handled rejection is none: {seen:?}");
    });
}

#[test]
fn failed_and_remote_requests_are_seen() {
    on("failing-requests", async |s| {
        assert_eq!(s.expect("text", "#fetch", json!({"expected": "refused"})).await["ok"], true);
        let url = |sight: &Sight| match sight {
            Sight::RequestFailed { url, .. } => Some(format!("failed {url}")),
            Sight::Remote { url, refused, .. } => Some(format!("remote {url} {refused}")),
            _ => None,
        };
        let seen = sights(&s, 4, url).await.join("\n");
        for part in
            ["not-there.png", "cdn.example.invalid/style.css true", "cdn.example.invalid/script.js true", "127.0.0.2"]
        {
            assert!(seen.contains(part), "{part}: {seen}");
        }
    });
}

#[test]
fn downloads_are_refused_and_the_page_stays() {
    on("download", async |s| {
        let name = |sight: &Sight| match sight {
            Sight::Download { name, .. } => Some(name.clone()),
            _ => None,
        };
        for (at, file) in [("#blob", "made.txt"), ("#download", "swatch.svg")] {
            s.click(at).await;
            assert_eq!(sights(&s, 1, name).await, [file], "{at}");
        }
        s.click("#after").await;
        assert_eq!(s.text("#after").await, "Hit");
    });
}

#[test]
fn no_page_finds_what_another_left() {
    let found = async |s: &Scene| {
        s.ask("#found", json!({"op": "expect", "what": "contains", "args": {"expected": "found"}}), 10_000).await;
        s.text("#found").await
    };
    on("storage", async |s| {
        assert_eq!(found(&s).await, "found nothing");
        s.click("#leave").await;
        let left =
            ["localStorage", "sessionStorage", "cookie", "windowName", "history", "indexedDB", "cache", "worker"];
        let all = json!({"expected": format!("found {}", left.join(" "))});
        let reply = s.expect("text", "#found", all).await;
        assert_eq!(reply["ok"], true, "the page leaves a trace of every kind: {reply}");
    });
    on("storage", async |s| assert_eq!(found(&s).await, "found nothing"));
    on("service-worker", async |s| {
        s.click("#install").await;
        assert_eq!(s.expect("text", "#state", json!({"expected": "installed"})).await["ok"], true);
    });
    on("service-worker", async |s| assert_eq!(s.text("#from").await, "from the server"));
}

#[test]
fn a_phone_is_a_phone_and_a_desk_is_none() {
    let phone = Look { width: 390, height: 844, scale: 3.0, mobile: true, ..Look::default() };
    on("touch", async |s| {
        assert_eq!(s.text("#facts").await, "touch false coarse false hover true");
        s.click("#target").await;
        assert_eq!(s.text("#events").await, "mousedown click");
    });
    on_a(&phone, "touch", async |s| {
        assert_eq!(s.text("#facts").await, "touch true coarse true hover false");
        let reply = s.click("#target").await;
        assert_eq!(reply["ok"], true, "{reply}");
        assert_eq!(s.text("#events").await, "touchstart mousedown click");
    });
    on_a(&phone, "no-viewport-meta", async |s| assert_eq!(s.text("#width").await, "980"));
    on_a(&phone, "touch", async |s| {
        let width = s.page.evaluate("innerWidth", &Value::Null, PATIENT).await.unwrap();
        assert_eq!(width, 390);
    });
}

#[test]
fn preferences_hold_after_a_reload() {
    let asked = Look { dark: true, reduced_motion: true, ..Look::default() };
    let pages = [("dark", "#scheme", "light", "dark"), ("reduced-motion", "#asked", "full", "reduced")];
    for (page, at, usual, preferred) in pages {
        on(page, async |s| assert_eq!(s.text(at).await, usual));
        on_a(&asked, page, async |s| {
            assert_eq!(s.text(at).await, preferred);
            s.page.reload(PATIENT).await.unwrap();
            assert_eq!(s.text(at).await, preferred, "after a reload");
        });
    }
}

#[test]
fn text_beyond_the_us_keyboard_arrives_trusted() {
    on("ime", async |s| {
        s.fill("#field", "é日本🎈").await;
        assert_eq!(s.value("value", "#field").await, "é日本🎈");
        assert!(s.text("#events").await.contains("input true é日本🎈"));
        let field = loupe::browser::locator::parse("#field", &s.hooks).unwrap();
        s.page.type_into(&field, "aß🎈", stage::patience(PATIENT)).await.unwrap();
        assert!(s.value("value", "#field").await.as_str().unwrap().contains("aß🎈"));
        assert!(s.text("#events").await.contains("keydown true a"), "a key is a key");
    });
}

#[test]
fn a_search_that_waits_for_an_input_method_reads_what_was_filled_or_typed() {
    on("composing", async |s| {
        s.fill("#search", "日本語").await;
        assert_eq!(s.expect("text", "#searched", json!({"expected": "日本語"})).await["ok"], true);
        assert_eq!((s.text("#inputs").await, s.text("#compositions").await), ("1".into(), String::new()));
        s.fill("#search", "").await;
        assert_eq!(s.text("#inputs").await, "2", "clearing is one input, too");
        let field = loupe::browser::locator::parse("#search", &s.hooks).unwrap();
        s.page.type_into(&field, "aé語", stage::patience(PATIENT)).await.unwrap();
        assert_eq!(s.expect("text", "#searched", json!({"expected": "aé語"})).await["ok"], true);
        assert_eq!(s.text("#compositions").await, "(é)(語)", "what no key gives is composed");
    });
}

#[test]
fn what_a_closed_details_holds_is_not_seen_until_it_is_opened() {
    on("details", async |s| {
        assert_eq!(s.expect("hidden", "#inside", json!({})).await["ok"], true);
        assert_eq!(s.expect_not("visible", "#inside", json!({})).await["ok"], false);
        assert_eq!(s.value("items", "p").await, json!(["Inside the open one"]), "only what is seen is an item");
        assert_eq!(s.click_within("#inside", Duration::from_millis(300)).await["ok"], false);
        s.click("text=More").await;
        assert_eq!(s.expect("visible", "#inside", json!({})).await["ok"], true);
        assert_eq!(s.text("#inside").await, "Inside the closed one");
        s.click("text=More").await;
        assert_eq!(s.expect("hidden", "#inside", json!({})).await["ok"], true);
    });
}
