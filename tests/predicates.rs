//! Rendered, seen, operable: three questions, each answered with its reason.

mod stage;

use loupe::browser::Look;
use serde_json::{Value, json};
use stage::{on, on_a};

#[test]
fn what_is_clipped_away_is_rendered_but_not_seen() {
    on("clipping", async |s| {
        let ids = s
            .page
            .evaluate(
                "[...document.querySelectorAll('[id^=no-], [id^=yes-]')].map((el) => el.id)",
                &json!(null),
                std::time::Duration::from_secs(5),
            )
            .await
            .unwrap();
        let ids = ids.as_array().unwrap();
        assert!(ids.len() > 15);
        for id in ids.iter().map(|id| id.as_str().unwrap()) {
            let seen = s.read("visible", &format!("#{id}")).await;
            assert_eq!(seen["value"], id.starts_with("yes"), "{id}: {seen}");
            assert_eq!(seen["why"].is_string(), id.starts_with("no"), "{id}: a refusal has a reason: {seen}");
            assert_eq!(s.value("rendered", &format!("#{id}")).await, true, "{id}");
        }
    });
}

#[test]
fn each_reason_names_what_is_in_the_way() {
    let reasons = [
        ("clipping", "visible", "#no-collapsed", "clipped to nothing by overflow-y: hidden on <div>"),
        ("clipping", "visible", "#no-far-left", "outside what the page can scroll to"),
        ("clipping", "visible", "#no-fixed-away", "fixed outside the viewport"),
        ("opacity", "visible", "#own", "opacity: 0"),
        ("opacity", "visible", "#inherited", "opacity: 0 on <div class=\"veil\">"),
        ("details", "rendered", "#inside", "inside the closed <details id=\"closed\">"),
        ("display-contents", "rendered", "#empty", "display: contents without rendered content"),
        ("inert", "operable", "#inert", "inert on <div>"),
        ("inert", "operable", "#disabled", "disabled"),
        ("inert", "operable", "#fieldset", "disabled on <fieldset>"),
        ("inert", "operable", "#aria", "aria-disabled on <div>"),
        ("cookie-overlay", "operable", "#buy", "covered by <div class=\"cookie-banner\">"),
    ];
    for (page, predicate, at, why) in reasons {
        on(page, async |s| {
            let reply = s.read(predicate, at).await;
            assert_eq!((&reply["value"], &reply["why"]), (&json!(false), &json!(why)), "{page} {at}");
        });
    }
}

#[test]
fn display_contents_counts_through_its_content() {
    on("display-contents", async |s| {
        for id in ["#text", "#element", "#button"] {
            for predicate in ["rendered", "visible", "operable"] {
                assert_eq!(s.value(predicate, id).await, true, "{id} {predicate}");
            }
        }
        s.click("#button").await;
        assert_eq!(s.text("#said").await, "pressed");
    });
}

#[test]
fn opacity_multiplies_and_fades_are_awaited() {
    on("opacity", async |s| {
        for (id, seen) in [("own", false), ("inherited", false), ("product", false), ("half", true)] {
            assert_eq!(s.value("visible", &format!("#{id}")).await, seen, "{id}");
        }
        assert_eq!(s.expect("visible", "#fade", json!({})).await["ok"], true);
    });
    on("reveal", async |s| {
        assert_eq!(s.value("visible", "#last").await, false, "not revealed before anybody scrolled");
        assert_eq!(s.value("rendered", "#last").await, true);
    });
}

#[test]
fn the_background_of_a_modal_dialog_is_not_operable() {
    on("modal", async |s| {
        assert_eq!(s.value("operable", "#behind").await, true);
        s.click("#open").await;
        let behind = s.read("operable", "#behind").await;
        assert_eq!(behind["why"], "behind the modal <dialog id=\"first\" aria-label=\"First\">");
        assert_eq!(s.value("visible", "#behind").await, true, "it can still be looked at");
        assert_eq!(s.value("operable", "#second-open").await, true);
    });
}

#[test]
fn asking_whether_something_is_operable_leaves_the_page_where_it_was() {
    on("sticky", async |s| {
        assert_eq!(s.value("operable", "#last").await, true);
        let y = s.page.evaluate("scrollY", &json!(null), std::time::Duration::from_secs(5)).await.unwrap();
        assert_eq!(y, 0);
    });
}

#[test]
fn sideways_scrolling_is_what_a_person_can_do() {
    let phone = Look { width: 390, height: 844, mobile: true, ..Look::default() };
    let received = async |s: &stage::Scene| -> Value { s.expect_page("no_overflow", json!({}), 100).await };
    on_a(&phone, "overflow", async |s| {
        let reply = received(&s).await;
        assert_eq!(reply["ok"], false);
        let said = reply["received"].as_str().unwrap();
        assert!(said.ends_with(" px: <table id=\"wide\">"), "only what widens the page: {said}");
    });
    on("rtl", async |s| {
        let reply = received(&s).await;
        assert!(reply["received"].as_str().unwrap().contains("<div id=\"wide\">"), "{reply}");
        assert_eq!(s.value("visible", "#far").await, true, "it can be scrolled to");
    });
    for fine in ["overflow-hidden", "subpixel", "nbsp"] {
        on(fine, async |s| assert_eq!(received(&s).await["ok"], true, "{fine}"));
    }
    on("overflow-hidden", async |s| {
        assert_eq!(s.value("visible", "#lost").await, false, "nobody can scroll there");
        assert_eq!(s.value("visible", "#wide").await, true);
    });
}
