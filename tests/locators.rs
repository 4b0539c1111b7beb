//! Every kind of locator, on pages that make it hard.

mod stage;

use loupe::browser::locator::HookSpec;
use serde_json::json;
use stage::on;

#[test]
fn text_is_compared_as_a_person_reads_it() {
    on("nbsp", async |s| {
        assert_eq!(s.value("texts", "p").await, json!(["a b c", "a b c", "a b c", "extraordinary"]));
        assert_eq!(s.count("text=\"a b c\"").await, 3);
        assert_eq!(s.count("text=\"b c\"").await, 0, "quoted text is meant whole");
        assert_eq!(s.count("p >> has-text=extraordinary").await, 1);
    });
}

#[test]
fn css_letters_do_not_change_the_text() {
    on("text-transform", async |s| {
        assert_eq!(s.text("role=button[name=\"save ARTICLE\"]").await, "Save article");
        assert_eq!(s.text("role=heading").await, "Saved stories");
        assert_eq!(s.count("text=\"STRASSE IN KRAKÓW\"").await, 1, "ß is SS, ó is Ó");
    });
}

#[test]
fn open_shadow_roots_and_slots_are_reached_and_closed_ones_are_not() {
    on("shadow", async |s| {
        let reached = [
            (".act", "x-card act"),
            ("role=button[name=\"Slotted title\"]", "x-card act"),
            ("text=\"slotted title\"", "x-card act"),
            ("x-outer >> x-inner >> button", "x-inner deep"),
            ("role=button[name=deep]", "x-inner deep"),
        ];
        for (at, said) in reached {
            s.page.evaluate("said.textContent = ''", &json!(null), std::time::Duration::from_secs(5)).await.unwrap();
            let reply = s.click(at).await;
            assert_eq!(reply["ok"], true, "{at}: {reply}");
            assert_eq!(s.text("#said").await, said, "{at}");
        }
        assert_eq!(s.text(".act").await, "Slotted title", "slotted text is where it is shown");
        assert_eq!(s.count("x-card >> .act >> span").await, 1, "css inside a shadow tree finds slotted elements");
        assert_eq!(s.count(".closed").await + s.count("text=\"Closed button\"").await, 0);
    });
}

#[test]
fn roles_and_names_come_from_everywhere() {
    let matches = [
        ("banner", 1),
        ("navigation[name=\"main\"]", 1),
        ("main", 1),
        ("heading[level=1]", 1),
        ("heading[name=\"part two\"][level=2]", 1),
        ("heading[level=3][name=third]", 1),
        ("button[name=\"close it\"]", 1),
        ("button[name=\"search\"]", 1),
        ("button[name=\"gear\"]", 1),
        ("button[name=\"icon\"]", 1),
        ("link[name=\"new item\"]", 1),
        ("link[name=\"go next\"]", 1),
        ("link[name=\"no link\"]", 0),
        ("button[name=\"tip\"]", 1),
        ("button[name=\"two words\"]", 1),
        ("button[name=\"submit\"]", 1),
        ("button[name=\"press me\"]", 1),
        ("button[name=\"from far\"]", 1),
        ("button[name=\"bold\"][pressed]", 1),
        ("button[name=\"bold\"][pressed=false]", 0),
        ("button[name=\"still a button\"]", 1),
        ("list", 0),
        ("listitem", 1),
        ("group[name=\"group\"]", 1),
        ("radio[name=\"one\"][checked=false]", 1),
        ("figure[name=\"caption\"]", 1),
        ("table[name=\"numbers\"]", 1),
        ("columnheader", 1),
        ("cell[name=\"cell\"]", 1),
        ("searchbox[name=\"find\"]", 1),
        ("checkbox[name=\"ticked\"][checked]", 1),
        ("combobox", 2),
        ("button[name=\"more\"][expanded]", 1),
        ("region", 1),
        ("img", 2),
        ("switch[checked=mixed]", 1),
        ("button[name=\"second role\"]", 1),
    ];
    on("roles", async |s| {
        for (role, expected) in matches {
            let found = s.value("texts", &format!("role={role}")).await;
            assert_eq!(found.as_array().map(Vec::len), Some(expected), "role={role}: {found}");
        }
    });
}

#[test]
fn what_the_accessibility_tree_leaves_out_has_no_role() {
    on("inert", async |s| {
        for silent in ["Inert", "Silent"] {
            assert_eq!(s.count(&format!("role=button[name=\"{silent}\"]")).await, 0, "{silent}");
            assert_eq!(s.count(&format!("text=\"{silent}\"")).await, 1, "{silent}");
        }
        assert_eq!(s.count("role=button[disabled]").await, 3, "a fieldset's legend stays enabled");
    });
    on("modal", async |s| {
        assert_eq!(s.count("role=button[name=Behind]").await, 1);
        s.click("#open").await;
        assert_eq!(s.count("role=button[name=Behind]").await, 0, "the background of a modal dialog is inert");
        s.click("#second-open").await;
        assert_eq!(s.count("role=button[name=Close]").await, 1, "only the upper dialog's");
        s.click("role=button[name=Close]").await;
        assert_eq!(s.count("role=dialog[name=First]").await, 1, "the lower one is still open");
    });
}

#[test]
fn labels_of_every_kind() {
    let labelled = [
        ("full name", "name"),
        ("E-mail (work)", "mail"),
        ("\"phone\"", "phone"),
        ("given by", "giver"),
        ("day", "day"),
        ("\"I agree\"", "agree"),
        ("story", "story"),
        ("files", "files"),
    ];
    on("form", async |s| {
        for (label, id) in labelled {
            let request = json!({"op": "read", "what": "attribute", "args": {"name": "id"}});
            assert_eq!(s.ask(&format!("label={label}"), request, 500).await["value"], id, "{label}");
        }
        assert_eq!(s.count("placeholder=city").await, 1);
        assert_eq!(s.count("title=\"sends it\"").await, 1);
    });
}

#[test]
fn clobbered_names_and_patched_prototypes_change_nothing() {
    on("clobbering", async |s| {
        let reply = s.click("role=button[name=Inside]").await;
        assert_eq!(reply["ok"], true, "{reply}");
        assert_eq!(s.text("role=button").await, "Hit");
        assert_eq!(s.text("#loupe").await, "Called loupe");
        assert_eq!(s.count("#form >> input").await, 6);
        assert_eq!(s.count("alt=quer").await, 1);
        assert_eq!(s.value("operable", "#form").await, true);
    });
}

#[test]
fn many_and_deep_elements_are_no_trouble() {
    on("large", async |s| {
        assert_eq!(s.count("role=button[name=\"Save 4999\"]").await, 1);
        assert_eq!(s.count("text=\"title 77\"").await, 1);
        assert_eq!(s.count("[data-testid=row] >> has-text=title 77 >> role=button").await, 11);
        let reply = s.click("role=button[name=\"Save 2500\"]").await;
        assert_eq!(reply["ok"], true, "{reply}");
    });
    on("deep", async |s| {
        s.click("role=button[name=\"At the bottom\"]").await;
        assert_eq!(s.text("text=hit").await, "Hit");
    });
}

#[test]
fn frames_are_stepped_into() {
    for page in ["iframe-same", "iframe-cross"] {
        on(page, async |s| {
            assert_eq!(s.text("frame=#inner >> role=heading").await, "Inner", "{page}");
            assert_eq!(s.count("role=heading").await, 1, "{page}: a frame's content is not the page's");
            let reply = s.click("frame=#inner >> #count").await;
            assert_eq!(reply["ok"], true, "{page}: {reply}");
            assert_eq!(s.text("frame=#inner >> #count").await, "Clicked 1", "{page}");
            s.click("frame=#inner >> frame=#nested >> role=button").await;
            assert_eq!(s.text("frame=#inner >> frame=#nested >> role=button").await, "nested hit", "{page}");
        });
    }
}

#[test]
fn one_element_is_meant_and_the_candidates_are_named() {
    on("hooks", async |s| {
        let many = s.read("text", "h3").await;
        assert_eq!((&many["error"], &many["ok"]), (&json!("ambiguous"), &json!(false)));
        assert_eq!(many["candidates"], json!(["<h3>The Long Walk", "<h3>The Long"]), "hidden twins are not named");
        assert_eq!(s.text("h3 >> nth=0").await, "The Long Walk");
        assert_eq!(s.text("h3 >> visible >> nth=-1").await, "The Long");
        assert_eq!(s.read("text", "#nope").await["error"], "missing");
        assert_eq!(s.read("text", "but[").await["error"], "bad-locator");
    });
}

#[test]
fn hooks_are_found_doubled_or_missing() {
    on("hooks", async |mut s| {
        for name in ["menu", "double", "absent"] {
            s.hook(name, HookSpec::default());
        }
        s.hook("search", HookSpec { fallback: vec!["role=searchbox".into()], ..HookSpec::default() });
        let menu = s.read("text", "hook=menu").await;
        assert_eq!((&menu["value"], &menu["hook"]["state"]), (&json!("Menu"), &json!("found")), "its twin is hidden");
        let double = s.read("text", "hook=double").await;
        assert_eq!((&double["error"], &double["hook"]["state"]), (&json!("ambiguous-hook"), &json!("ambiguous")));
        assert_eq!(s.read("text", "hook=absent").await["error"], "missing-hook");
        let stand_in = s.read("name", "hook=search").await;
        assert_eq!(stand_in["value"], "Find", "{stand_in}");
        assert_eq!(
            stand_in["hook"],
            json!({"name": "search", "state": "missing", "used_fallback": true, "fallback": "role=searchbox"})
        );
        let known = json!({"op": "read", "what": "name", "known": ["search"]});
        assert_eq!(s.ask("hook=search", known, 400).await["error"], "missing-hook", "once seen, no stand-in");
        let hidden = s.expect_not("hidden", "hook=search", json!({})).await;
        assert_eq!(hidden["ok"], false, "a stand-in that is seen is not hidden: {hidden}");
        let gone = json!({"op": "expect", "what": "hidden", "known": ["search"], "args": {}});
        assert_eq!(s.ask("hook=search", gone, 400).await["ok"], true);
    });
    on("search-clear", async |mut s| {
        s.hook("search", HookSpec { fallback: vec!["role=button".into()], ..HookSpec::default() });
        assert_eq!(s.value("name", "hook=search").await, "Search");
        s.page.evaluate("search.remove()", &json!(null), std::time::Duration::from_secs(5)).await.unwrap();
        assert_eq!(s.read("name", "hook=search").await["error"], "missing-hook", "it was here, so no stand-in");
    });
}

#[test]
fn items_are_identified_by_what_they_show() {
    on("hooks", async |mut s| {
        let names = [("walk", "The long walk"), ("long", "The Long"), ("unseen", "Unseen")];
        let names = names.map(|(id, name)| (id.to_owned(), name.to_owned())).to_vec();
        s.hook("story", HookSpec { names, ..HookSpec::default() });
        s.hook("entry", HookSpec { identity: Some("data-key".into()), ..HookSpec::default() });
        assert_eq!(
            s.value("items", "hook=story").await,
            json!(["walk", "long"]),
            "the longest title, and only seen ones"
        );
        assert_eq!(s.value("items", "hook=entry").await, json!(["k1", "k2"]));
        assert_eq!(s.value("items", "h3").await, json!(["The Long Walk", "The Long"]));
        let swapped = json!({"expected": ["long", "walk"]});
        assert_eq!(s.expect("items", "hook=story", swapped.clone()).await["ok"], true);
        let ordered = s.expect_not("items", "hook=story", json!({"expected": ["long", "walk"], "ordered": true})).await;
        assert_eq!((&ordered["ok"], &ordered["received"]), (&json!(false), &json!(["walk", "long"])));
        let one = s.expect_not("items", "hook=story", json!({"expected": ["walk"]})).await;
        assert_eq!(one["ok"], false, "an extra item is a difference");
    });
}
