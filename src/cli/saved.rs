//! What was typed in a session, as a file with one scenario that runs as it is.
//!
//! A session is looser than a file: it takes bare expressions, and what one input defines the next one sees. It
//! deliberately writes no file.

use crate::script::Language;

/// An input as a scenario repeats it.
pub(super) struct Said {
    /// What was typed.
    pub text: String,
    /// Whether a file may say it as it is; if not, it is an expression of Lua.
    pub is_statement: bool,
}

/// The file; `defined` are the names that the session knows.
pub(super) fn scenario(said: &[Said], mut defined: Vec<String>, language: Language) -> String {
    // Rhai has functions and imports at the top of a file only.
    let is_top =
        |said: &&Said| language == Language::Rhai && ["fn ", "import "].iter().any(|s| said.text.starts_with(s));
    let (top, inside): (Vec<&Said>, Vec<&Said>) = said.iter().partition(is_top);
    let top: String = top.into_iter().map(|said| statement(said, language) + "\n").collect();
    let inside: String = inside.into_iter().map(|said| indented(&statement(said, language))).collect();
    match language {
        Language::Rhai => format!("{top}scenario(\"saved from a session\", || {{\n{inside}}});\n"),
        Language::Lua => {
            defined.sort();
            // A file must declare what a session may just assign.
            let names =
                if defined.is_empty() { String::new() } else { indented(&format!("local {}", defined.join(", "))) };
            format!("scenario(\"saved from a session\", function()\n{names}{inside}end)\n")
        }
    }
}

fn statement(said: &Said, language: Language) -> String {
    let text = said.text.trim();
    match language {
        Language::Rhai if text.ends_with(';') || text.starts_with("fn ") => text.to_owned(),
        Language::Rhai => format!("{text};"),
        Language::Lua if said.is_statement => text.to_owned(),
        Language::Lua => format!("local _ = {text}"),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(inputs: &[(&str, bool)]) -> Vec<Said> {
        inputs
            .iter()
            .map(|(text, is_statement)| Said { text: (*text).to_owned(), is_statement: *is_statement })
            .collect()
    }

    #[test]
    fn rhai_gets_its_semicolons_and_its_functions_at_the_top() {
        let said = said(&[("let m = #{ a: 1 }", true), ("fn f(x) {\n  x\n}", true), ("f(m.a);", true)]);
        let expected =
            "fn f(x) {\n  x\n}\nscenario(\"saved from a session\", || {\n    let m = #{ a: 1 };\n    f(m.a);\n});\n";
        assert_eq!(scenario(&said, vec!["m".into(), "f".into()], Language::Rhai), expected);
    }

    #[test]
    fn lua_gets_its_names_declared_and_its_expressions_kept() {
        let said = said(&[("t = {}", true), ("#t", false), ("page.title()", true)]);
        let expected = "scenario(\"saved from a session\", function()\n    local a, t\n    t = {}\n    local _ = #t\n    page.title()\nend)\n";
        assert_eq!(scenario(&said, vec!["t".into(), "a".into()], Language::Lua), expected);
    }
}
