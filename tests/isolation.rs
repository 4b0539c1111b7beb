//! No case sees another: whatever a page leaves behind, and however its page was used, the next case finds nothing.
//!
//! `fixtures/marks` leaves a mark in every place where a page can; after a reload it must see its own marks, so that
//! the test is known to look in the right places.

#![expect(clippy::unwrap_used, reason = "a browser that cannot be started is the end of its tests")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use loupe::browser::{Browser, Look, Page, Patience, Reach, find, locator};
use loupe::record::{Outcome, Reader};
use loupe::serve::{Root, Server};
use serde_json::{Value, json};

const PATIENT: Duration = Duration::from_secs(10);
const PHONE: Look = Look {
    width: 390,
    height: 844,
    scale: 3.0,
    mobile: true,
    dark: true,
    reduced_motion: true,
    more_contrast: false,
    forced_colors: false,
    print: false,
};

#[test]
fn a_renewed_page_is_like_a_new_one_in_headless_shell() {
    a_renewed_page_is_like_a_new_one("shell");
}

#[test]
fn a_renewed_page_is_like_a_new_one_in_full_chromium() {
    a_renewed_page_is_like_a_new_one("full");
}

fn a_renewed_page_is_like_a_new_one(binary: &str) {
    let found = find::find(&find::Choice::from(binary), &[]).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let server = Server::start(None).await.unwrap();
        let reach = Reach::Only(vec![format!("*.localhost:{}", server.port())]);
        let browser = Browser::launch(&found, &reach).await.unwrap();
        let visit = async |page: &Page, label: &str| {
            let origin = server.mount(label, &Root::Folder(marks())).unwrap();
            page.set_origin(&origin);
            page.open(&format!("{origin}/"), PATIENT).await.unwrap();
        };
        for look in [Look::default(), PHONE] {
            let fresh = browser.page(&look).await.unwrap();
            let kind = if look.mobile { "phone" } else { "desktop" };
            visit(&fresh, &format!("fresh-{kind}")).await;
            let wanted = seen(&fresh).await;

            // The page was something else before: a phone for the desktop, a desktop for the phone.
            let before = if look.mobile { Look::default() } else { PHONE };
            let mut page = browser.page(&before).await.unwrap();
            for round in 0..3 {
                visit(&page, &format!("used-{kind}-{round}")).await;
                use_it(&page).await;
                page.reload(PATIENT).await.unwrap();
                let marked = seen(&page).await["marks"].clone();
                for (place, mark) in marked.as_object().unwrap() {
                    assert_ne!(*mark, wanted["marks"][place], "{binary}: no mark was left in {place}");
                }
                page = page.renewed(&look).await.unwrap();
                visit(&page, &format!("next-{kind}-{round}")).await;
                assert_eq!(seen(&page).await, wanted, "{binary}, {kind}: a renewed page is told from a new one");
            }
        }
    });
}

/// Does what a case can do to a page: marks, clicks, keys, another size and other preferences.
async fn use_it(page: &Page) {
    let hooks = locator::Hooks::new();
    let button = locator::parse("css=button", &hooks).unwrap();
    let patience = Patience { total: PATIENT, grace: Duration::ZERO };
    assert_eq!(page.click(&button, 1, false, patience).await.unwrap()["ok"], true);
    let left = json!({"op": "expect", "what": "text", "at": locator::parse("css=p", &hooks).unwrap(), "args": {"expected": "left"}, "timeout": 10_000});
    assert_eq!(page.ask(&page.main_frame(), &left).await.unwrap()["ok"], true);
    page.clone().set_look(&Look { width: 500, height: 400, dark: true, print: true, ..page.look().clone() });
    page.point(200.0, 150.0).await.unwrap();
    page.evaluate("scrollTo(0, 500)", &Value::Null, PATIENT).await.unwrap();
}

async fn seen(page: &Page) -> Value {
    page.evaluate("() => look()", &Value::Null, PATIENT).await.unwrap()
}

#[test]
fn a_page_that_cannot_be_made_like_new_is_not_used_again() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let server = Server::start(None).await.unwrap();
        let reach = Reach::Only(vec![format!("*.localhost:{}", server.port())]);
        let browser = Browser::launch(&find::find(&find::Choice::Any, &[]).unwrap(), &reach).await.unwrap();
        let origin = server.mount("one", &Root::Folder(marks())).unwrap();
        for trouble in
            ["setTimeout(() => { console.log('in trouble'); for (;;); }, 0)", "console.log('in trouble'); open('/')"]
        {
            let page = browser.page(&Look::default()).await.unwrap();
            page.set_origin(&origin);
            page.open(&format!("{origin}/"), PATIENT).await.unwrap();
            page.evaluate(&format!("() => {{ {trouble} }}"), &Value::Null, PATIENT).await.unwrap();
            // A page left before its timer came would have no trouble at all.
            while !page.sightings().iter().any(|s| format!("{s:?}").contains("in trouble")) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            if trouble.contains("open") {
                assert!(page.popup(PATIENT).await.unwrap().renewed(&Look::default()).await.is_err(), "a popup");
            }
            assert!(page.renewed(&Look::default()).await.is_err(), "{trouble}");
        }
    });
}

#[test]
fn no_scenario_of_a_run_sees_another() {
    let study = tempfile::tempdir().unwrap();
    build_study(study.path());
    for browser in ["shell", "full"] {
        for jobs in ["1", "2"] {
            let runs = study.path().join(format!("{browser}-{jobs}"));
            let output = Command::new(env!("CARGO_BIN_EXE_loupe"))
                .arg("run")
                .arg(study.path())
                .args(["-k", "leaves", "--browser", browser, "-j", jobs, "-o"])
                .arg(&runs)
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
            let cases = Reader::open(&loupe::run::newest(&runs).unwrap()).unwrap();
            let outcomes: Vec<Outcome> = cases.cases().unwrap().map(|r| r.unwrap().outcome).collect();
            assert_eq!(outcomes, vec![Outcome::Passed; 16], "{browser}, {jobs} jobs");
        }
    }
}

/// One artifact, eight scenarios that are all the same, two viewports.
fn build_study(root: &Path) {
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "loupe.toml",
        "name = \"isolation\"\nprotocol = \"frontend-cohort\"\nartifacts = \"artifacts/{arm}/{brief}/{sample}\"\n[arms.a]\n[[viewports]]\nname = \"wide\"\nwidth = 800\nheight = 600\n[[viewports]]\nname = \"phone\"\nwidth = 390\nheight = 844\nmobile = true\n",
    );
    write("briefs/b/brief.toml", "id = \"b\"\nversion = \"1\"\ntitle = \"B\"\nflow = \"b.rhai\"\n");
    write("briefs/b/brief.md", "A page that leaves marks.\n");
    write(
        "scripts/b.rhai",
        r##"for n in 1..=8 {
    scenario(`leaves marks and finds none, ${n}`, || {
        let nothing = #{
            localStorage: [], sessionStorage: [], cookie: "", indexedDB: [], caches: [], serviceWorkers: 0,
            name: "", history: 2, state: ()
        };
        page.open();
        expect.equal(page.evaluate("() => look()").marks, nothing);
        page.click("css=button");
        expect.text("css=p", "left");
        page.reload();
        let marks = page.evaluate("() => look()").marks;
        for place in nothing.keys() {
            expect.that(marks[place] != nothing[place], `a mark stays in ${place}`);
        }
    });
}
"##,
    );
    for file in ["index.html", "worker.js"] {
        write(&format!("artifacts/a/b/1/{file}"), &std::fs::read_to_string(marks().join(file)).unwrap());
    }
}

fn marks() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/marks")
}
