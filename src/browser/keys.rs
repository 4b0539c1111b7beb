//! The keys of a US keyboard, and the names people give them (`Enter`, `Shift+Tab`, `Control+A`).
//!
//! It deliberately knows no other layout: what is not on these keys is brought in as an input method would.

use crate::diag::did_you_mean;

/// Modifier keys held down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modifiers {
    /// Alt.
    pub alt: bool,
    /// Control.
    pub control: bool,
    /// Command or Windows.
    pub meta: bool,
    /// Shift.
    pub shift: bool,
}

impl Modifiers {
    /// CDP's bit field.
    pub(super) fn bits(self) -> i64 {
        i64::from(self.alt) | i64::from(self.control) << 1 | i64::from(self.meta) << 2 | i64::from(self.shift) << 3
    }

    /// Whether a key pressed with these types its character.
    fn types(self) -> bool {
        !(self.alt || self.control || self.meta)
    }
}

/// One key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    plain: &'static str,
    shifted: &'static str,
    /// The physical key (`KeyA`).
    pub(super) code: &'static str,
    /// The Windows virtual key code, which is what `keyCode` shows.
    pub(super) number: i64,
    text: Option<&'static str>,
}

impl Key {
    /// Reads `Enter`, `a`, `Shift+Tab`, `Control+A`.
    ///
    /// # Errors
    /// What is wrong with the name, with a suggestion.
    pub fn parse(name: &str) -> Result<(Self, Modifiers), String> {
        let mut modifiers = Modifiers::default();
        let mut parts: Vec<&str> = name.split('+').collect();
        // "+" itself is a key: "Shift++" ends in two empty parts.
        if name.ends_with('+') {
            parts.truncate(parts.len() - 2);
            parts.push("+");
        }
        let last = parts.pop().unwrap_or_default();
        for part in parts {
            match part.to_lowercase().as_str() {
                "alt" | "option" => modifiers.alt = true,
                "control" | "ctrl" => modifiers.control = true,
                "meta" | "cmd" | "command" => modifiers.meta = true,
                "shift" => modifiers.shift = true,
                _ => {
                    return Err(format!(
                        "unknown modifier \"{part}\" in \"{name}\"; there are Alt, Control, Meta and Shift"
                    ));
                }
            }
        }
        if let Some(key) = NAMED.iter().find(|k| k.plain.eq_ignore_ascii_case(last)) {
            return Ok((*key, modifiers));
        }
        let mut characters = last.chars();
        if let (Some(character), None) = (characters.next(), characters.next())
            && let Some((key, own)) = Self::of_character(character)
        {
            return Ok((key, Modifiers { shift: modifiers.shift || own.shift, ..modifiers }));
        }
        let near = did_you_mean(last, NAMED.iter().map(|k| k.plain));
        let hint = near.map_or(String::new(), |n| format!("; did you mean \"{n}\"?"));
        Err(format!("unknown key \"{last}\"{hint}"))
    }

    /// The key and modifiers that type `character` on a US keyboard.
    pub fn of_character(character: char) -> Option<(Self, Modifiers)> {
        let mut buffer = [0; 4];
        let text: &str = character.encode_utf8(&mut buffer);
        let named = match character {
            '\n' | '\r' => Some("Enter"),
            '\t' => Some("Tab"),
            ' ' => Some("Space"),
            _ => None,
        };
        if let Some(name) = named {
            return NAMED.iter().find(|k| k.plain == name).map(|k| (*k, Modifiers::default()));
        }
        let plain = PRINTING.iter().find(|k| k.plain == text).map(|k| (*k, Modifiers::default()));
        let shifted = || PRINTING.iter().find(|k| k.shifted == text);
        plain.or_else(|| shifted().map(|k| (*k, Modifiers { shift: true, ..Modifiers::default() })))
    }

    /// What `KeyboardEvent.key` says.
    pub(super) fn name(&self, modifiers: Modifiers) -> String {
        match self.plain {
            "Space" => " ".to_owned(),
            _ if modifiers.shift => self.shifted.to_owned(),
            plain => plain.to_owned(),
        }
    }

    /// The text the key brings in, if it brings any.
    pub(super) fn text(&self, modifiers: Modifiers) -> Option<String> {
        let printed = if modifiers.shift { self.shifted } else { self.plain };
        modifiers.types().then(|| self.text.or((self.code_prints()).then_some(printed))).flatten().map(str::to_owned)
    }

    /// Shortcuts that the browser's window would carry out; without one, the page must be told.
    pub(super) fn editing_commands(&self, modifiers: Modifiers) -> Option<Vec<String>> {
        let command = match (modifiers.control || modifiers.meta, self.code) {
            (true, "KeyA") => "selectAll",
            (true, "KeyC") => "copy",
            (true, "KeyV") => "paste",
            (true, "KeyX") => "cut",
            (true, "KeyZ") if modifiers.shift => "redo",
            (true, "KeyZ") => "undo",
            _ => return None,
        };
        Some(vec![command.to_owned()])
    }

    fn code_prints(&self) -> bool {
        self.plain.chars().count() == 1
    }
}

const fn named(name: &'static str, code: &'static str, number: i64, text: Option<&'static str>) -> Key {
    Key { plain: name, shifted: name, code, number, text }
}

const fn printing(plain: &'static str, shifted: &'static str, code: &'static str, number: i64) -> Key {
    Key { plain, shifted, code, number, text: None }
}

const NAMED: &[Key] = &[
    named("Enter", "Enter", 13, Some("\r")),
    named("Tab", "Tab", 9, None),
    named("Space", "Space", 32, Some(" ")),
    named("Escape", "Escape", 27, None),
    named("Backspace", "Backspace", 8, None),
    named("Delete", "Delete", 46, None),
    named("Insert", "Insert", 45, None),
    named("Home", "Home", 36, None),
    named("End", "End", 35, None),
    named("PageUp", "PageUp", 33, None),
    named("PageDown", "PageDown", 34, None),
    named("ArrowLeft", "ArrowLeft", 37, None),
    named("ArrowUp", "ArrowUp", 38, None),
    named("ArrowRight", "ArrowRight", 39, None),
    named("ArrowDown", "ArrowDown", 40, None),
    named("ContextMenu", "ContextMenu", 93, None),
    named("F1", "F1", 112, None),
    named("F2", "F2", 113, None),
    named("F3", "F3", 114, None),
    named("F4", "F4", 115, None),
    named("F5", "F5", 116, None),
    named("F6", "F6", 117, None),
    named("F7", "F7", 118, None),
    named("F8", "F8", 119, None),
    named("F9", "F9", 120, None),
    named("F10", "F10", 121, None),
    named("F11", "F11", 122, None),
    named("F12", "F12", 123, None),
];

const PRINTING: &[Key] = &[
    printing("a", "A", "KeyA", 65),
    printing("b", "B", "KeyB", 66),
    printing("c", "C", "KeyC", 67),
    printing("d", "D", "KeyD", 68),
    printing("e", "E", "KeyE", 69),
    printing("f", "F", "KeyF", 70),
    printing("g", "G", "KeyG", 71),
    printing("h", "H", "KeyH", 72),
    printing("i", "I", "KeyI", 73),
    printing("j", "J", "KeyJ", 74),
    printing("k", "K", "KeyK", 75),
    printing("l", "L", "KeyL", 76),
    printing("m", "M", "KeyM", 77),
    printing("n", "N", "KeyN", 78),
    printing("o", "O", "KeyO", 79),
    printing("p", "P", "KeyP", 80),
    printing("q", "Q", "KeyQ", 81),
    printing("r", "R", "KeyR", 82),
    printing("s", "S", "KeyS", 83),
    printing("t", "T", "KeyT", 84),
    printing("u", "U", "KeyU", 85),
    printing("v", "V", "KeyV", 86),
    printing("w", "W", "KeyW", 87),
    printing("x", "X", "KeyX", 88),
    printing("y", "Y", "KeyY", 89),
    printing("z", "Z", "KeyZ", 90),
    printing("1", "!", "Digit1", 49),
    printing("2", "@", "Digit2", 50),
    printing("3", "#", "Digit3", 51),
    printing("4", "$", "Digit4", 52),
    printing("5", "%", "Digit5", 53),
    printing("6", "^", "Digit6", 54),
    printing("7", "&", "Digit7", 55),
    printing("8", "*", "Digit8", 56),
    printing("9", "(", "Digit9", 57),
    printing("0", ")", "Digit0", 48),
    printing("-", "_", "Minus", 189),
    printing("=", "+", "Equal", 187),
    printing("[", "{", "BracketLeft", 219),
    printing("]", "}", "BracketRight", 221),
    printing("\\", "|", "Backslash", 220),
    printing(";", ":", "Semicolon", 186),
    printing("'", "\"", "Quote", 222),
    printing("`", "~", "Backquote", 192),
    printing(",", "<", "Comma", 188),
    printing(".", ">", "Period", 190),
    printing("/", "?", "Slash", 191),
];
