//! What this machine has of the things loupe needs, and the one-line fix for each that is missing.
//!
//! It deliberately changes nothing; `setup` does.

use std::path::{Path, PathBuf};

use serde::Serialize;
use walkdir::WalkDir;

use crate::browser::find::{self, Choice, Flavour};
use crate::cli::axe;
use crate::cli::environment::Environment;

/// The things that loupe looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thing {
    /// A Chromium that answers.
    Browser,
    /// Any font: without one Chromium paints no text at all, and every picture lies.
    TextFont,
    /// A font with emoji: without one they are painted as empty boxes.
    EmojiFont,
    /// The accessibility engine that is put into pages.
    Axe,
}

impl Thing {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Browser => "Chromium",
            Self::TextFont => "text font",
            Self::EmojiFont => "emoji font",
            Self::Axe => "axe-core",
        }
    }

    /// Whether no run can be believed without it.
    pub fn is_needed(self) -> bool {
        matches!(self, Self::Browser | Self::TextFont)
    }

    /// The packages of Debian that bring it, the preferred one first; none where apt cannot help.
    pub fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Browser => &["chromium-headless-shell", "chromium"],
            Self::TextFont => &["fonts-liberation"],
            Self::EmojiFont => &["fonts-noto-color-emoji"],
            Self::Axe => &[],
        }
    }
}

/// One thing, as it was found.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// Which.
    pub thing: Thing,
    /// Whether no run can be believed without it.
    pub needed: bool,
    /// Whether it is there.
    pub found: bool,
    /// Its version or kind where it was found, else what is the matter.
    pub what: String,
    /// Where it is.
    pub place: Option<PathBuf>,
    /// The one-line fix for what is missing.
    pub fix: Option<String>,
}

/// Looks for everything; takes some 100 ms.
pub fn inspect(environment: &Environment, browser: &Choice) -> Vec<Finding> {
    vec![
        look_for_browser(environment, browser),
        look_for_font(environment, Thing::TextFont, |_| true),
        look_for_font(environment, Thing::EmojiFont, |name| name.contains("emoji")),
        look_for_axe(environment),
    ]
}

/// Whether everything is there that a run needs.
pub fn suffices(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.found || !finding.needed)
}

fn look_for_browser(environment: &Environment, choice: &Choice) -> Finding {
    match find::find(choice, &environment.path) {
        Ok(found) => {
            let flavour = match found.flavour {
                Flavour::Shell => "headless shell",
                Flavour::Full => "full browser",
            };
            there(Thing::Browser, format!("{}, {flavour}", found.version), Some(found.path))
        }
        Err(diagnostic) => {
            let (what, fix) = match choice {
                Choice::At(program) => (
                    format!("{}: {}", program.display(), diagnostic.received.unwrap_or_default()),
                    "name another program with --browser, or leave it out".to_owned(),
                ),
                Choice::Full => (diagnostic.title, install_line("chromium")),
                _ => (diagnostic.title, fix(environment, Thing::Browser)),
            };
            missing(Thing::Browser, what, fix)
        }
    }
}

fn look_for_font(environment: &Environment, thing: Thing, fits: impl Fn(&str) -> bool) -> Finding {
    let mut folders: Vec<PathBuf> =
        ["/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts"]
            .map(Into::into)
            .into();
    if let Some(home) = &environment.home {
        folders.extend([".local/share/fonts", ".fonts", "Library/Fonts"].map(|folder| home.join(folder)));
    }
    let files = folders.iter().flat_map(|folder| WalkDir::new(folder).sort_by_file_name()).filter_map(Result::ok);
    let found = files.map(walkdir::DirEntry::into_path).find(|file| is_font(file) && fits(&name_of(file)));
    match found {
        Some(file) => there(thing, name_of(&file), Some(file)),
        None => missing(thing, "no such file in the system's folders of fonts".to_owned(), fix(environment, thing)),
    }
}

fn look_for_axe(environment: &Environment) -> Finding {
    match axe::find(environment) {
        Ok(path) => there(Thing::Axe, axe::version(), Some(path)),
        Err(why) if environment.data.is_none() => missing(Thing::Axe, why, "set HOME, then loupe setup".to_owned()),
        Err(why) => missing(Thing::Axe, why, "loupe setup".to_owned()),
    }
}

/// The line that gets a thing of the distribution: set-up does it where it may.
fn fix(environment: &Environment, thing: Thing) -> String {
    if environment.program("apt-get").is_none() {
        return format!("install it by this system's own means: {}", thing.name());
    }
    match rustix::process::geteuid().is_root() {
        true => "loupe setup".to_owned(),
        false => install_line(thing.packages()[0]),
    }
}

/// How a person with rights installs one package of Debian.
pub fn install_line(package: &str) -> String {
    format!("sudo apt-get install -y --no-install-recommends {package}")
}

fn is_font(file: &Path) -> bool {
    let kind = file.extension().unwrap_or_default().to_ascii_lowercase();
    ["ttf", "otf", "ttc"].iter().any(|known| kind == *known)
}

fn name_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn there(thing: Thing, what: String, place: Option<PathBuf>) -> Finding {
    Finding { thing, needed: thing.is_needed(), found: true, what, place, fix: None }
}

fn missing(thing: Thing, what: String, fix: String) -> Finding {
    Finding { thing, needed: thing.is_needed(), found: false, what, place: None, fix: Some(fix) }
}
