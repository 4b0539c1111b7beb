//! Clicks, typing and waits on pages that move, cover, redraw, and take their time.

mod stage;

use std::time::{Duration, Instant};

use loupe::browser::locator;
use serde_json::json;
use stage::{on, patience};

const BRIEF: Duration = Duration::from_millis(700);

#[test]
fn bars_that_stick_to_the_edges_are_escaped() {
    on("sticky", async |s| {
        for id in ["#middle", "#last", "#middle"] {
            let reply = s.click(id).await;
            assert_eq!(reply["ok"], true, "{id}: {reply}");
            assert_eq!(s.text(id).await, "Hit");
        }
    });
    on("inner-scroll", async |s| {
        s.click("#row-55").await;
        assert_eq!(s.text("#row-55").await, "Row 55 hit");
        let scrolled = async || {
            let code = "[scrollY, scroller.scrollTop, document.documentElement.scrollTop]";
            s.page.evaluate(code, &json!(null), Duration::from_secs(5)).await.unwrap()
        };
        let row = locator::parse("#row-1", &s.hooks).unwrap();
        assert!(scrolled().await[1].as_f64().unwrap() > 0.0, "the click scrolled the region");
        assert_eq!(s.page.scroll_to(&row, patience(BRIEF)).await.unwrap()["ok"], true);
        assert_eq!(scrolled().await, json!([0, 0, 0]), "only the region was ever scrolled");
    });
}

#[test]
fn what_never_rests_is_refused_and_the_mover_named() {
    let movers = [
        ("endless-animation", "#drift", "animation `drift`"),
        ("endless-animation", "#turn", "animation `turn`"),
        ("script-animation", "#moving", "a script moves it"),
    ];
    for (page, at, mover) in movers {
        on(page, async |s| {
            let reply = s.click_within(at, BRIEF).await;
            assert_eq!(reply["error"], "not-stable", "{at}: {reply}");
            assert!(reply["message"].as_str().unwrap().contains(mover), "{at}: {reply}");
        });
    }
    on("endless-animation", async |s| {
        assert_eq!(s.click("#slide").await["ok"], true);
        assert_eq!(s.text("#slide").await, "Hit", "what comes to rest is clicked");
    });
}

#[test]
fn a_covered_control_is_refused_until_it_is_free() {
    on("cookie-overlay", async |s| {
        let reply = s.click_within("#buy", BRIEF).await;
        assert_eq!(reply["error"], "covered");
        assert!(reply["message"].as_str().unwrap().contains("<div class=\"cookie-banner\">"), "{reply}");
        s.click("role=button[name=Accept]").await;
        s.click("#buy").await;
        assert_eq!(s.text("#buy").await, "Bought");
    });
}

#[test]
fn a_frame_that_is_covered_from_outside_keeps_the_click() {
    for site in ["iframe-covered", "iframe-covered.html?cross"] {
        on(site, async |s| {
            let button = "frame=#inner >> #count";
            let reply = s.click_within(button, BRIEF).await;
            assert_eq!(reply["error"], "covered", "{site}: {reply}");
            assert!(reply["message"].as_str().unwrap().contains("covered by <div class=\"banner\">"), "{reply}");
            assert_eq!((s.text("#outside").await, s.text(button).await), ("0".into(), "Count".into()), "{site}");
            assert_eq!(s.click("#accept").await["ok"], true, "{site}: nothing is kept from the page afterwards");
            let reply = s.click(button).await;
            assert_eq!((&reply["ok"], s.text(button).await.as_str()), (&json!(true), "Clicked 1"), "{site}: {reply}");
            assert_eq!(s.text("#outside").await, "1", "{site}: only the press on the banner's own button");
        });
    }
}

#[test]
fn a_press_that_would_meet_something_else_is_kept_from_it() {
    on("overlay-on-approach", async |s| {
        let reply = s.click_within("#target", BRIEF).await;
        assert_eq!(reply["error"], "covered", "{reply}");
        assert!(format!("{}", reply["log"]).contains("panel"), "{reply}");
        assert_eq!(s.text("#said").await, "nothing", "neither the button nor the panel was pressed");
    });
    on("rerender", async |s| {
        let reply = s.click("#press").await;
        assert_eq!(reply["ok"], true, "{reply}");
        assert_eq!(s.text("#clicks").await, "1", "missed once, then received once");
    });
}

#[test]
fn a_card_is_clicked_beside_its_own_buttons() {
    on("card", async |s| {
        s.click("#card").await;
        assert_eq!(s.text("#said").await, "opened");
        s.click("#save").await;
        assert_eq!(s.text("#said").await, "saved");
    });
}

#[test]
fn fields_of_every_type_are_filled() {
    let fills = [
        ("name", "Zoë 日本 🎈"),
        ("mail", "a@b.example"),
        ("phone", "+48 12"),
        ("day", "2024-02-29"),
        ("amount", "7"),
        ("loud", "20"),
        ("colour", "#ff8800"),
        ("story", "Twice\nor more"),
    ];
    on("form", async |s| {
        for (id, text) in fills {
            let reply = s.fill(&format!("#{id}"), text).await;
            assert_eq!(reply["ok"], true, "{id}: {reply}");
            assert_eq!(s.value("value", &format!("#{id}")).await, text, "{id}");
            assert!(s.text("#events").await.contains(&format!("input:{id}")), "{id} tells the page");
        }
        let day = s.fill("#day", "2024-02-30").await;
        assert_eq!(day["error"], "not-editable", "no such day: {day}");
        assert_eq!(s.fill("#send", "x").await["error"], "not-editable");
    });
}

#[test]
fn a_control_out_of_sight_is_worked_by_its_label() {
    on("form", async |s| {
        let agree = locator::parse("label=\"I agree\"", &s.hooks).unwrap();
        assert_eq!(s.value("visible", "#agree").await, false);
        assert_eq!(s.value("operable", "#agree").await, true);
        for wanted in [true, true, false] {
            let reply = s.page.set_checked(&agree, wanted, patience(Duration::from_secs(3))).await.unwrap();
            assert_eq!(reply["ok"], true, "{reply}");
            assert_eq!(s.value("checked", "#agree").await, wanted);
        }
    });
}

#[test]
fn rich_text_is_replaced_and_a_read_only_field_refused() {
    on("contenteditable", async |s| {
        s.fill("#rich", "Neu é").await;
        assert_eq!(s.text("#rich").await, "Neu é");
        assert!(s.text("#events").await.contains("insertText:true"), "typed, not set");
        assert_eq!(s.fill("#fixed", "x").await["error"], "not-editable");
    });
}

#[test]
fn options_are_chosen_by_value_or_label() {
    on("select", async |s| {
        let choose = async |at: &str, choices: &[&str]| {
            let choices: Vec<_> = choices.iter().map(|c| (*c).to_owned()).collect();
            let at = locator::parse(at, &s.hooks).unwrap();
            s.page.select(&at, &choices, patience(BRIEF)).await.unwrap()
        };
        assert_eq!(choose("#colour", &["green"]).await["ok"], true);
        assert_eq!(s.value("value", "#colour").await, "g");
        assert_eq!(s.text("#events").await, "input:colour change:colour");
        let blue = choose("#colour", &["mauve"]).await;
        assert_eq!(blue["candidates"], json!(["Choose", "Red", "Green", "Blue"]), "{blue}");
        assert_eq!(choose("#colour", &["Blue"]).await["error"], "not-enabled");
        choose("#sizes", &["Small", "Large"]).await;
        assert_eq!(s.value("value", "#sizes").await, json!(["Small", "Large"]));
        assert_eq!(choose("#custom", &["One"]).await["error"], "not-editable");
    });
}

#[test]
fn waits_end_with_the_change_and_not_with_the_deadline() {
    on("late", async |s| {
        let start = Instant::now();
        assert_eq!(s.expect("visible", "role=heading[name=Arrived]", json!({})).await["ok"], true);
        assert_eq!(s.expect("enabled", "#soon", json!({})).await["ok"], true);
        assert_eq!(s.expect("hidden", "#gone", json!({})).await["ok"], true);
        assert!(start.elapsed() < Duration::from_secs(5), "the deadline is 10 s, the change comes after 0.3 s");
    });
    on("search-clear", async |s| {
        s.fill("#search", "alph").await;
        let items = |expected: &[&str]| json!({ "expected": expected });
        assert_eq!(s.expect("items", "[data-testid=item]", items(&["Alpha", "Alphabet"])).await["ok"], true);
        s.fill("#search", "").await;
        assert_eq!(s.expect("items", "[data-testid=item]", items(&["Alpha", "Alphabet", "Beta"])).await["ok"], true);
        s.fill("#search", "zzz").await;
        assert_eq!(s.expect("visible", "#none", json!({})).await["ok"], true);
        assert_eq!(s.expect("count", "[data-testid=item] >> visible", json!({"expected": 0})).await["ok"], true);
    });
}

#[test]
fn a_failed_expectation_tells_what_it_saw() {
    on("hooks", async |s| {
        let reply = s.expect_not("text", "h3 >> nth=0", json!({"expected": "The Short Walk"})).await;
        assert_eq!((&reply["ok"], &reply["error"]), (&json!(false), &json!("timeout")));
        assert_eq!((&reply["expected"], &reply["received"]), (&json!("The Short Walk"), &json!("The Long Walk")));
        assert_eq!(reply["log"], json!(["h3 >> nth=0 is <h3>The Long Walk", "The Long Walk"]), "each sentence once");
        let missing = s.expect_not("visible", "#nope", json!({})).await;
        assert_eq!((&missing["error"], &missing["received"]), (&json!("missing"), &json!("nothing matches #nope")));
    });
}

#[test]
fn focus_is_polled_and_lost_focus_is_said() {
    on("focus-return-late", async |s| {
        for (opener, returned) in [("#good", true), ("#bad", false)] {
            s.click(opener).await;
            s.press("Escape").await;
            let reply = s.ask(opener, json!({"op": "expect", "what": "focused", "args": {}}), 1500).await;
            assert_eq!(reply["ok"], returned, "{opener}: {reply}");
            if !returned {
                assert_eq!(reply["received"], "focus is nowhere (body)");
            }
        }
    });
    on("tab-order", async |s| {
        let focused = s.page.evaluate("document.hasFocus()", &json!(null), Duration::from_secs(5)).await.unwrap();
        assert_eq!(focused, true);
        let mut order = Vec::new();
        for _ in 0..4 {
            s.press("Tab").await;
            order.push(s.ask_page(json!({"op": "read", "what": "active"})).await["value"]["id"].clone());
        }
        assert_eq!(order, ["one", "two", "three", "shadow"]);
    });
}

#[test]
fn addresses_are_awaited_without_a_load() {
    on("history-navigation", async |s| {
        s.click("#late").await;
        let reply = s.expect_page("url", json!({"expected": "/late"}), 5000).await;
        assert_eq!(reply["ok"], true, "{reply}");
        assert_eq!(s.text("#where").await, "/late");
    });
    on("hash-navigation", async |s| {
        s.click("text=\"Story two\"").await;
        assert_eq!(s.expect_page("url", json!({"expected": "#/story/*"}), 5000).await["ok"], true);
        assert_eq!(s.expect_page("url", json!({"expected": "#/story/one"}), 200).await["ok"], false);
    });
}

#[test]
fn settling_names_what_does_not_settle() {
    let busy = [
        ("hanging-font", Some("font: Absent")),
        ("hanging-load", Some("/__hang/picture.png")),
        ("endless-polling", Some("<p id=\"count\"> keeps changing")),
        ("lazy-images", None),
        ("nbsp", None),
    ];
    for (page, named) in busy {
        on(page, async |s| {
            let cap = if named.is_some() { 800 } else { 8000 };
            let reply = s.ask_page(json!({"op": "settle_dom", "quiet_ms": 300, "cap_ms": cap, "timeout": cap})).await;
            assert_eq!(reply["settled"], named.is_none(), "{page}: {reply}");
            let pending = reply["pending"].to_string().replace("\\\"", "\"");
            assert!(named.is_none_or(|name| pending.contains(name)), "{page}: {pending}");
        });
    }
}

#[test]
fn a_pages_own_policy_does_not_bind_the_agent() {
    on("strict-policy", async |s| {
        assert_eq!(s.click("role=button[name=Pressable]").await["ok"], true);
        assert_eq!(s.text("p").await, "Text");
    });
}

#[test]
fn what_is_drawn_anew_while_it_is_used_is_looked_for_again() {
    on("redrawn", async |s| {
        for (turn, choice) in ["two", "one"].into_iter().cycle().take(20).enumerate() {
            let at = locator::parse("#choice", &s.hooks).unwrap();
            let patience = patience(Duration::from_secs(5));
            let reply = s.page.select(&at, &[choice.to_owned()], patience).await.unwrap();
            assert_eq!(reply["ok"], true, "turn {turn}: {reply}");
            assert_eq!(s.text("#said").await, choice);
            let button = locator::parse("#button", &s.hooks).unwrap();
            let reply = s.page.focus(&button, patience).await.unwrap();
            assert_eq!(reply["ok"], true, "turn {turn}: {reply}");
        }
    });
}
