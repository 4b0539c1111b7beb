//! The pictures beside a capture: right pixels on tall pages, bars once, nothing resized, blank ones reported.

use loupe::browser::Look;

use super::stage::{by_id, desktop, evaluate, freeze, pixels, play, site};

#[test]
fn a_section_as_high_as_the_window_stays_so_and_the_page_hears_of_no_resize() {
    let site = site(
        r#"<!doctype html><body style="margin: 0"><div id="hero" style="height: 100vh; background: rgb(255, 0, 0)">hero</div>
        <div style="height: 2280px; background: rgb(0, 0, 255)">rest</div><script>
        sizes = []; addEventListener('resize', () => sizes.push([innerWidth, innerHeight]))</script>"#,
    );
    play(async {
        let page = site.page(&desktop()).await;
        let frozen = freeze(&page).await;
        assert_eq!(by_id(&frozen.capture, "hero").rect.unwrap().height, 800.0);
        let full = pixels(&frozen.full);
        assert_eq!(
            f64::from(full.width()),
            frozen.capture.page.client[0],
            "as wide as the document, without the scroll bar"
        );
        assert_eq!(full.height(), 3080);
        assert_eq!((full.get_pixel(900, 790).0, full.get_pixel(900, 810).0), ([255, 0, 0], [0, 0, 255]));
        assert_eq!(pixels(&frozen.window).dimensions(), (1000, 800));
        assert_eq!(evaluate(&page, "[innerWidth, innerHeight]").await, serde_json::json!([1000, 800]));
        let sizes = evaluate(&page, "sizes").await;
        assert!(sizes.as_array().unwrap().iter().all(|size| *size == serde_json::json!([1000, 800])), "{sizes}");
    });
}

#[test]
fn no_unit_of_the_window_grows_with_the_picture() {
    let bands = ["height: 100vh", "min-height: 100vh", "min-height: 100dvh", "height: 100lvh", "min-height: 50svh"];
    let colours = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255]];
    let drawn =
        |(band, [r, g, b]): (&&str, &[u8; 3])| format!("<div style='{band}; background: rgb({r}, {g}, {b})'></div>");
    let body: String = bands.iter().zip(&colours).map(drawn).collect();
    let full = pixels(&site(&format!("<!doctype html><body style='margin: 0'>{body}")).capture().full);
    assert_eq!(full.height(), 4 * 800 + 400);
    for (n, colour) in colours.iter().enumerate() {
        let (first, last) = (800 * n as u32, (800 * (n as u32 + 1)).min(full.height()) - 1);
        assert_eq!((full.get_pixel(500, first).0, full.get_pixel(500, last).0), (*colour, *colour), "{}", bands[n]);
    }
}

#[test]
fn a_sticky_header_is_pictured_once_at_the_top() {
    let site = site(
        r#"<!doctype html><body style="margin: 0">
        <header style="position: sticky; top: 0; height: 60px; background: rgb(0, 128, 0)">head</header>
        <div style="height: 5000px">rest</div>"#,
    );
    let full = pixels(&site.capture().full);
    let green: Vec<u32> = (0..full.height()).filter(|y| full.get_pixel(900, *y).0 == [0, 128, 0]).collect();
    assert_eq!(green, (0..60).collect::<Vec<u32>>());
}

#[test]
fn the_bottom_of_a_page_of_30_000_pixels_is_where_it_belongs() {
    let site = site(
        r#"<!doctype html><body style="margin: 0"><div style="height: 29990px">top</div>
        <div style="height: 10px; background: rgb(200, 0, 200)"></div>"#,
    );
    let frozen = site.capture();
    let full = pixels(&frozen.full);
    assert_eq!(full.height(), 30_000);
    let at = |y| full.get_pixel(500, y).0;
    assert_eq!((at(29_989), at(29_990), at(29_999)), ([255, 255, 255], [200, 0, 200], [200, 0, 200]));
    let facts = frozen.capture.pictures.full.unwrap();
    assert_eq!((facts.pixels[1], facts.cut_from), (30_000, None));
}

#[test]
fn a_page_written_from_right_to_left_is_pictured_as_it_stands_in_the_window() {
    let page = |width: &str| {
        site(&format!(
            r#"<!doctype html><html dir="rtl"><body style="margin: 0"><div style="width: {width}; height: 2000px;
            background: linear-gradient(270deg, rgb(255, 0, 0) 30px, rgb(0, 0, 255) 30px)">text</div>"#
        ))
        .capture()
    };
    let fit = page("100%");
    let [_, _, width, height] = fit.capture.pictures.full.unwrap().shows;
    let full = pixels(&fit.full);
    assert_eq!(full.dimensions(), (width as u32, height as u32));
    assert_eq!((full.get_pixel(full.width() - 5, 1990).0, full.get_pixel(5, 1990).0), ([255, 0, 0], [0, 0, 255]));
    let wide = page("1500px").capture;
    assert_eq!(wide.page.extent[0], 1500.0);
    assert_eq!(wide.pictures.full.unwrap().shows[2], wide.page.client[0], "what overflows to the left is not pictured");
}

#[test]
fn a_page_too_tall_for_a_picture_is_cut_and_says_so() {
    let frozen = site(r#"<!doctype html><body style="margin: 0"><div style="height: 90000px">top</div>"#).capture();
    let facts = frozen.capture.pictures.full.unwrap();
    assert_eq!((facts.pixels[1], facts.cut_from), (40_000, Some(90_000.0)));
    assert_eq!((facts.shows[1], facts.shows[3]), (0.0, 40_000.0));
}

#[test]
fn a_blank_picture_is_reported_where_text_should_be_seen_and_not_elsewhere() {
    let invisible = site(r#"<!doctype html><p style="color: rgb(255, 255, 255)">white on white</p>"#).capture().capture;
    let parts: Vec<_> = invisible.state.unsettled.iter().map(|u| u.part.as_str()).collect();
    assert_eq!(parts, ["picture"], "{:?}", invisible.state);
    assert_eq!(invisible.pictures.window.unwrap().uniform.as_deref(), Some("#ffffff"));
    let empty = site(r#"<!doctype html><body style="background: rgb(1, 2, 3)">"#).capture().capture;
    assert_eq!(empty.state.unsettled, []);
    assert_eq!(empty.pictures.window.unwrap().uniform.as_deref(), Some("#010203"));
    let text = site("<!doctype html><p>text").capture().capture;
    assert_eq!(text.pictures.window.unwrap().uniform, None);
}

#[test]
fn a_phone_is_pictured_in_its_own_pixels_and_a_missing_viewport_meta_zooms_it_out() {
    let body = r#"<body style="margin: 0"><div style="height: 3000px; background: rgb(0, 0, 255)">text</div>
        <div id="end" style="height: 10px; background: rgb(255, 0, 0)"></div>"#;
    let meta = r#"<meta name="viewport" content="width=device-width, initial-scale=1">"#;
    let phone = Look { width: 390, height: 844, scale: 2.0, mobile: true, ..Look::default() };
    let capture = |html: &str| {
        let site = site(html);
        play(async { freeze(&site.page(&phone).await).await })
    };
    let fit = capture(&format!("<!doctype html>{meta}{body}"));
    assert_eq!((fit.capture.page.window, fit.capture.page.zoom), ([390.0, 844.0], 1.0));
    assert!(fit.capture.page.media.coarse_pointer && !fit.capture.page.media.hover);
    let desktop = site("<!doctype html><p>text").capture().capture.page.media;
    assert!(desktop.hover && !desktop.coarse_pointer, "{desktop:?}");
    let full = pixels(&fit.full);
    assert_eq!(full.dimensions(), (780, 6020));
    assert_eq!((full.get_pixel(700, 5990).0, full.get_pixel(700, 6010).0), ([0, 0, 255], [255, 0, 0]));

    let unfit = capture(&format!("<!doctype html>{body}"));
    assert_eq!((unfit.capture.page.meta_viewport, unfit.capture.page.window[0]), (None, 980.0));
    assert!(unfit.capture.page.zoom < 0.5, "{}", unfit.capture.page.zoom);
    let full = pixels(&unfit.full);
    let [_, _, width, height] = unfit.capture.pictures.full.unwrap().shows;
    let ratio = f64::from(full.width()) / width;
    assert!((f64::from(full.height()) / height - ratio).abs() < 0.01, "{:?} of {width} x {height}", full.dimensions());
    let bottom = full.get_pixel(full.width() / 2, full.height() - (4.0 * ratio) as u32 - 1).0;
    assert_eq!(bottom, [255, 0, 0]);
}
