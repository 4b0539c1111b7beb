//! What a capture holds: trees, text, fonts, grounds, resources, limits; and that equal pages give equal bytes.

use loupe::capture::{Realm, Resource, store};

use super::stage::{PATIENCE, by_id, desktop, freeze, mount, open, play, site};

#[test]
fn open_shadow_trees_and_frames_are_written_down_and_closed_ones_are_named_opaque() {
    let site = site(
        r#"<!doctype html><x-open id="open"><b id="slotted">slotted</b></x-open><x-closed id="closed"></x-closed>
        <iframe id="frame" style="border: 5px solid; margin: 20px" srcdoc="<body style='margin: 10px'><p id='inner'>in a frame"></iframe><script>
        const define = (name, mode, html) => customElements.define(name, class extends HTMLElement {
            connectedCallback() { this.attachShadow({ mode }).innerHTML = html } });
        define('x-open', 'open', '<section id="inside">shadow <slot></slot></section>');
        define('x-closed', 'closed', '<p>secret</p>');</script>"#,
    );
    let capture = site.capture().capture;
    assert_eq!(by_id(&capture, "inside").realm, Realm::Shadow);
    let slotted = capture.elements.iter().position(|e| e.id == "slotted").unwrap();
    let above: Vec<_> = capture.ancestors(slotted).map(|i| capture.elements[i].tag.as_str()).collect();
    assert_eq!(above, ["slot", "section", "x-open", "body", "html"]);
    assert_eq!(capture.elements[slotted].realm, Realm::Page);
    let opaque: Vec<_> = capture.elements.iter().filter_map(|e| Some((e.id.as_str(), e.opaque.as_deref()?))).collect();
    assert_eq!(opaque, [("closed", "a closed shadow root")]);
    let (frame, inner) = (by_id(&capture, "frame").rect.unwrap(), by_id(&capture, "inner"));
    assert_eq!(inner.realm, Realm::Frame);
    assert_eq!(inner.rect.unwrap().x, frame.x + 5.0 + 10.0);
    assert!(!capture.runs.iter().any(|run| run.text.contains("secret")));
}

#[test]
fn the_ground_under_a_text_is_what_is_painted_there() {
    let site = site(
        r#"<!doctype html><body style="margin: 0; background: rgb(0, 0, 0)">
        <p id="blended" style="background: rgba(255, 255, 255, 0.5); color: rgb(255, 0, 0)">half white on black</p>
        <div style="position: relative; height: 100px"><div style="position: absolute; inset: 0; background: oklch(1 0 0)"></div>
        <p id="over" style="position: relative">over a sibling</p></div>
        <p id="gradient" style="background: linear-gradient(rgb(255, 0, 0), rgb(0, 0, 255))">on a gradient</p>"#,
    );
    let capture = site.capture().capture;
    let ground = |id: &str| {
        let run = capture.runs.iter().find(|run| capture.elements[run.element as usize].id == id).unwrap();
        (run.ground.colours.join(" "), run.ground.unsure.clone().unwrap_or_default())
    };
    assert_eq!(ground("blended"), ("#808080".into(), String::new()));
    assert_eq!(
        ground("over"),
        ("#ffffff".into(), String::new()),
        "oklch() is translated and the sibling lies under the text"
    );
    assert_eq!(ground("gradient"), ("#ff0000 #0000ff".into(), "gradient".into()));
}

#[test]
fn text_has_lines_and_the_face_that_painted_it() {
    let site = site(
        r#"<!doctype html><p id="p" style="width: 220px; font: 16px Nowhere Sans, monospace">The quick brown fox jumps
        over the lazy dog, and then it rests for a while.</p>"#,
    );
    let capture = site.capture().capture;
    let [run] = &capture.runs[..] else { panic!("one run, not {}", capture.runs.len()) };
    assert!(run.lines.len() > 1);
    let joined = run.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
    assert_eq!(joined, run.text);
    assert!(run.lines.iter().all(|line| line.rect.width <= 220.5 && !line.text.is_empty()));
    let font = &capture.fonts[run.font as usize];
    assert!(font.family.contains("Nowhere Sans") && font.script == "latin");
    assert!(!font.painted.is_empty() && font.painted.iter().all(|face| face.family != "Nowhere Sans" && !face.custom));
}

#[test]
fn missing_resources_are_told_by_kind_and_by_whose_fault_they_are() {
    let site = site(
        r#"<!doctype html><link rel="stylesheet" href="https://cdn.example/frame.css"><link rel="stylesheet" href="gone.css">
        <script src="https://cdn.example/a.js"></script><img src="gone.png" alt=""><p>text"#,
    );
    let integrity = site.capture().capture.integrity;
    let told = |kind| integrity.missing(kind).iter().map(|f| (f.what.as_str(), f.refused)).collect::<Vec<_>>();
    assert_eq!(told(Resource::Styles), [("/gone.css", false), ("https://cdn.example/frame.css", true)]);
    assert_eq!(told(Resource::Scripts), [("https://cdn.example/a.js", true)]);
    assert_eq!(told(Resource::Images), [("/gone.png", false)]);
    assert_eq!(told(Resource::Fonts), []);
}

#[test]
fn what_was_missing_on_an_earlier_page_of_a_flow_is_not_missing_on_this_one() {
    let site = site(r#"<!doctype html><link rel="stylesheet" href="first.css"><p>first"#)
        .with("second.html", br#"<!doctype html><link rel="stylesheet" href="second.css"><p>second"#);
    play(async {
        let page = site.page(&desktop()).await;
        page.open(&format!("{}/second.html", site.origin), PATIENCE).await.unwrap();
        let missing = freeze(&page).await.capture.integrity.styles;
        assert_eq!(missing.iter().map(|f| f.what.as_str()).collect::<Vec<_>>(), ["/second.css"]);
    });
}

#[test]
fn the_small_facts_are_there() {
    let site = site(
        r##"<!doctype html><html lang="fi"><title>Small  facts</title><meta name="viewport" content="width=device-width">
        <style>li::before { content: "→"; position: absolute; left: 3px; top: 4px; width: 5px; height: 6px }
        li { position: relative; list-style: none } #clip { width: 50px; overflow: hidden; white-space: nowrap }</style>
        <a href="#there">in</a><a href="#nowhere">dead</a><a href="/other?x=1" target="_blank">out</a><ul id="there"><li id="li">item</li></ul>
        <button aria-expanded="false" disabled>Save</button><input id="in" value="typed"><p id="clip">far too long a text</p>
        <svg width="24" height="24" viewBox="0 0 24 24"><path d="M0 0h9" stroke="rgb(255, 0, 0)"/></svg>
        <form id="form"><input name="id"><input name="attributes"><input name="childNodes"></form><img name="fonts" alt="">"##,
    );
    let capture = site.capture().capture;
    assert_eq!(
        (capture.page.title.as_str(), capture.page.lang.as_str(), capture.page.url.as_str()),
        ("Small facts", "fi", "/")
    );
    let links: Vec<_> = capture.links.iter().map(|l| (l.to.as_str(), l.target.as_str(), l.found)).collect();
    assert_eq!(links, [("/#there", "", Some(true)), ("/#nowhere", "", Some(false)), ("/other?x=1", "_blank", None)]);
    let (li, before) = (by_id(&capture, "li").rect.unwrap(), &capture.pseudos[0]);
    assert_eq!((before.kind.as_str(), before.content.as_str()), ("before", "\"→\""));
    assert_eq!(before.rect.unwrap(), [li.x + 3.0, li.y + 4.0, 5.0, 6.0].into());
    let button = capture.elements.iter().find(|e| e.tag == "button").unwrap();
    assert_eq!((button.role.as_str(), button.name.as_str()), ("button", "Save"));
    assert!(button.attributes.contains_key("disabled") && button.attributes["aria-expanded"] == "false");
    assert_eq!(by_id(&capture, "in").attributes["value"], "typed");
    let clip = capture.elements.iter().position(|e| e.id == "clip").unwrap();
    let scroller = capture.scrollers.iter().find(|s| s.element as usize == clip).unwrap();
    assert!(scroller.content[0] > scroller.client[0] && capture.px(clip, "font-size") == Some(16.0));
    assert_eq!(
        (capture.drawings[0].shapes, capture.drawings[0].colours.join(" ").contains("rgb(255, 0, 0)")),
        (1, true)
    );
    assert_eq!(by_id(&capture, "form").tag, "form", "a form whose fields hide its own properties is read all the same");
}

#[test]
fn a_page_2_000_deep_is_written_down_and_one_of_25_000_elements_is_cut() {
    let deep = site(
        "<!doctype html><body><script>let at = document.body; for (let i = 0; i < 2000; i++) at = at.appendChild(document.createElement('div'));
        at.id = 'bottom'; at.textContent = 'deep'</script>",
    );
    let capture = deep.capture().capture;
    let bottom = capture.elements.iter().position(|e| e.id == "bottom").unwrap();
    assert_eq!(capture.ancestors(bottom).count(), 2001);
    assert_eq!((capture.page.truncated, capture.elements[bottom].unseen.as_deref()), (0, None));
    let many = site("<!doctype html><body><script>document.body.innerHTML = '<i>x</i>'.repeat(25000)</script>");
    let capture = many.capture().capture;
    assert_eq!((capture.elements.len(), capture.page.truncated), (20_000, 25_002 - 20_000));
}

#[test]
fn captures_of_one_page_are_equal_byte_for_byte_and_a_typical_one_is_small() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cohort/artifacts/magazine");
    let artifacts: Vec<_> = walkdir::WalkDir::new(folder)
        .into_iter()
        .flatten()
        .filter(|e| e.file_name() == "index.html")
        .map(|e| e.path().parent().unwrap().to_owned())
        .collect();
    assert!(artifacts.len() >= 3, "the demo has three artifacts");
    for artifact in artifacts {
        let stored = |_| {
            let origin = mount(&artifact);
            play(async { store::encode(&freeze(&open(&origin, &desktop()).await).await.capture) })
        };
        let [first, second] = [0, 1].map(stored);
        assert!(first == second, "{} differs between two captures", artifact.display());
        assert!(first.len() < 100_000, "{}: {} bytes", artifact.display(), first.len());
    }
}

#[test]
fn what_a_page_does_to_its_globals_does_not_reach_the_capture() {
    let site = site(
        "<!doctype html><p id='p'>text</p><script>Element.prototype.getBoundingClientRect = () => { throw 1 };
        window.getComputedStyle = () => null; JSON.stringify = () => '{}'; Array.prototype.push = () => 0; loupe = 3
        document.title = `loupe is ${loupe}`</script>",
    );
    play(async {
        let page = site.page(&desktop()).await;
        let capture = freeze(&page).await.capture;
        assert!(by_id(&capture, "p").rect.unwrap().height > 0.0);
        assert_eq!(capture.page.title, "loupe is 3", "nor does the agent reach the page");
    });
}
