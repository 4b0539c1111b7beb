//! How a page is brought to rest and left: lazy pictures, reveals, animations, what does not settle, scroll positions.

use loupe::browser::Freeze;

use super::stage::{by_id, desktop, evaluate, freeze, pixels, play, site};

const REVEAL: &str = r#"<!doctype html><title>reveal</title><style>
    .reveal { opacity: 0; transform: translateY(20px); transition: opacity 5s, transform 5s }
    .reveal.on { opacity: 1; transform: none }
    </style><div style="height: 3000px">top</div><p id="late" class="reveal">revealed</p><p id="always">plain</p><script>
    new IntersectionObserver(all => all.forEach(e => e.isIntersecting && e.target.classList.add('on')))
        .observe(document.querySelector('.reveal'));
    </script>"#;

#[test]
fn content_that_appears_on_scroll_is_seen_after_the_sweep_and_was_not_before() {
    let capture = site(REVEAL).capture().capture;
    let late = by_id(&capture, "late");
    assert_eq!(late.unseen, None, "the slow transition was finished");
    let before = late.rest.as_ref().expect("it was different at rest");
    assert_eq!((before.unseen.as_deref(), before.opacity), (Some("opacity: 0"), 0.0));
    assert_eq!(by_id(&capture, "always").rest, None, "what did not change has no difference");
    assert!(capture.state.swept && capture.state.unsettled.is_empty(), "{:?}", capture.state);
    assert_eq!(capture.page.scrolled, [0.0, 0.0]);
}

#[test]
fn a_capture_in_a_flow_scrolls_nothing_and_lets_the_page_go_on() {
    let site = site(
        r#"<!doctype html><style>#spin { width: 9px; height: 9px; animation: spin 1s linear infinite }
        @keyframes spin { to { rotate: 1turn } }</style><div id="spin"></div><div style="height: 4000px"></div>
        <script>scrolls = 0; addEventListener('scroll', () => scrolls++)</script>"#,
    );
    play(async {
        let page = site.page(&desktop()).await;
        evaluate(
            &page,
            "new Promise(done => { scrollTo(0, 700); requestAnimationFrame(() => requestAnimationFrame(done)) })",
        )
        .await;
        let frozen = page.freeze(&Freeze { name: "menu open".into(), sweep: false }).await.unwrap();
        assert_eq!(frozen.capture.page.scrolled, [0.0, 700.0]);
        assert_eq!((frozen.capture.state.name.as_str(), frozen.capture.state.swept), ("menu open", false));
        assert!(frozen.capture.elements.iter().all(|e| e.rest.is_none()));
        assert_eq!(evaluate(&page, "[scrolls, scrollY]").await, serde_json::json!([1, 700]));
        let state = "document.getAnimations()[0].playState";
        assert_eq!(evaluate(&page, state).await, "running", "the animation was let go");
    });
}

#[test]
fn lazy_images_all_arrive_and_keep_saying_that_they_are_lazy() {
    let images: String =
        (0..30).map(|i| format!(r#"<p style="height: 600px"><img loading="lazy" src="{i}.png" alt=""></p>"#)).collect();
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(40, 30, image::Rgb([200, 0, 0])).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let site = (0..30)
        .fold(site(&format!("<!doctype html>{images}")), |site, i| site.with(&format!("{i}.png"), png.get_ref()));
    let frozen = site.capture();
    assert_eq!(frozen.capture.images.len(), 30);
    assert!(frozen.capture.images.iter().all(|i| i.loaded && i.lazy && i.natural == [40.0, 30.0]));
    assert!(frozen.capture.integrity.is_whole());
    let last = frozen.capture.elements.iter().rfind(|e| e.tag == "img").and_then(|e| e.rect).unwrap();
    assert_eq!(pixels(&frozen.full).get_pixel(last.x as u32 + 5, last.y as u32 + 5).0, [200, 0, 0]);
}

#[test]
fn an_endless_animation_is_stopped_at_its_start_and_written_down() {
    let site = site(
        r#"<!doctype html><style>body { margin: 0 }
        #mark { width: 100px; height: 100px; background: rgb(10, 20, 30); animation: go 700ms ease-in-out infinite alternate }
        @keyframes go { to { transform: translateX(300px) } }
        #enter { animation: enter 3s 1s both } @keyframes enter { from { opacity: 0 } }</style>
        <div id="mark"></div><p id="enter">entering</p><x-shadow></x-shadow><script>
        customElements.define('x-shadow', class extends HTMLElement { connectedCallback() {
            this.attachShadow({ mode: 'open' }).innerHTML = '<style>p { animation: blink 1s infinite } @keyframes blink { to { opacity: 0 } }</style><p>in a shadow</p>';
        } })</script>"#,
    );
    let frozen = site.capture();
    let [first, second] = &frozen.capture.animations[..] else { panic!("{:?}", frozen.capture.animations) };
    assert_eq!((first.name.as_str(), first.duration, first.iterations), ("go", 700.0, None));
    assert_eq!((first.properties.as_slice(), first.timeline.as_str()), (["transform".to_owned()].as_slice(), "time"));
    assert_eq!((second.name.as_str(), second.kind.as_str()), ("blink", "css"));
    assert_eq!(by_id(&frozen.capture, "mark").rect.unwrap().x, 0.0);
    assert_eq!(pixels(&frozen.window).get_pixel(50, 50).0, [10, 20, 30]);
    let entered = by_id(&frozen.capture, "enter");
    assert_eq!(
        (&entered.unseen, &entered.rest),
        (&None, &None),
        "a finite entrance is over before anything is looked at"
    );
}

#[test]
fn a_reveal_bound_to_scrolling_is_seen_as_if_it_were_scrolled_to() {
    let site = site(
        r#"<!doctype html><style>.view { animation: fade linear both; animation-timeline: view(); animation-range: entry }
        @keyframes fade { from { opacity: 0 } }</style>
        <div style="height: 2000px">top</div><p id="view" class="view">revealed</p><div style="height: 2000px"></div>"#,
    );
    let capture = site.capture().capture;
    assert_eq!(by_id(&capture, "view").unseen, None);
    assert_eq!(capture.animations[0].timeline, "view");
}

#[test]
fn what_never_settles_is_named_and_stops_nothing() {
    let site = site(
        r#"<!doctype html><style>@font-face { font-family: Never; src: url(SILENT/never.woff2) }
        p { font-family: Never, serif }</style><p id="text">text</p><img src="SILENT/never.png" alt="">
        <b id="busy"></b><script>setInterval(() => busy.textContent += '.', 20)</script>"#,
    );
    let capture = site.capture().capture;
    let unsettled: Vec<_> = capture.state.unsettled.iter().map(|u| (u.part.as_str(), u.detail.as_str())).collect();
    let named = |part: &str, word: &str| unsettled.iter().any(|(p, detail)| *p == part && detail.contains(word));
    assert!(named("fonts", "Never") && named("images", "never.png"), "{unsettled:?}");
    assert!(named("document", "busy") && named("load", "interactive"), "{unsettled:?}");
    assert_eq!(capture.integrity.fonts[0].what, "Never");
    assert_eq!(by_id(&capture, "text").unseen, None);
}

#[test]
fn a_feigned_loading_screen_is_waited_out() {
    let site = site(
        r#"<!doctype html><div id="app">Loading…</div><script>
        setTimeout(() => { app.innerHTML = '<h1 id="done">Here it is</h1>' }, 400)</script>"#,
    );
    assert_eq!(by_id(&site.capture().capture, "done").unseen, None);
}

#[test]
fn parts_that_scroll_by_themselves_are_swept_and_put_back() {
    let rows: String =
        (0..60).map(|i| format!(r#"<p class="row" id="row-{i}" style="opacity: 0">row {i}</p>"#)).collect();
    let site = site(&format!(
        r#"<!doctype html><body style="margin: 0; overflow: hidden"><main id="main" style="height: 100vh; overflow: auto">{rows}</main><script>
        main.scrollTop = 120;
        const io = new IntersectionObserver(all => all.forEach(e => {{ if (e.isIntersecting) e.target.style.opacity = 1 }}));
        document.querySelectorAll('.row').forEach(row => io.observe(row));</script>"#
    ));
    play(async {
        let page = site.page(&desktop()).await;
        let capture = freeze(&page).await.capture;
        let hidden: Vec<_> = capture.elements.iter().filter(|e| e.unseen.is_some()).map(ToString::to_string).collect();
        assert_eq!(hidden, [""; 0]);
        assert!(by_id(&capture, "row-59").rest.is_some());
        assert_eq!(evaluate(&page, "main.scrollTop").await, 120);
        let scroller = capture.scrollers.iter().find(|s| capture.describe(s.element as usize) == "main#main").unwrap();
        assert_eq!((scroller.client[1], scroller.scrolled[1]), (800.0, 120.0));
    });
}
