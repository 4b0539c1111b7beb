//! Which version of a script judged: the line `evaluator: N` among the comments that begin it.
//!
//! Authors raise it when they change what is judged. It deliberately does not replace the digest, which tells every
//! change, also of a comment.

use crate::diag::{Diagnostic, Place};

/// The version that a script tells in its header; `None` where it tells none. `shown` is how the script is known to
/// people.
///
/// # Errors
/// A diagnostic with its place for what is no version, or for a second one.
pub(super) fn evaluator(shown: &str, text: &str) -> Result<Option<u32>, Diagnostic> {
    let mark = if shown.ends_with(".lua") { "--" } else { "//" };
    let mut version = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let begin = offset;
        offset += line.len();
        if line.trim().is_empty() {
            continue;
        }
        let Some(comment) = line.trim_start().strip_prefix(mark) else { break };
        let Some(value) = told(comment) else { continue };
        // Where nothing follows the colon, the caret stands behind it.
        let at = begin + line.trim_end().len() - value.len();
        let place = Place::at_offset(shown, text, at);
        let number = value.parse::<u32>().ok().filter(|number| *number > 0 && value.starts_with(char::is_numeric));
        let Some(number) = number else {
            let mistake = Diagnostic::new("the version of an evaluator is a whole number").at(place);
            let seen = if value.is_empty() { "nothing" } else { value };
            return Err(mistake.expected("1 or more, as in `evaluator: 4`").received(seen));
        };
        if version.replace(number).is_some() {
            return Err(Diagnostic::new("the script tells its evaluator's version twice").at(place));
        }
    }
    Ok(version)
}

/// What follows `evaluator:` in a comment.
fn told(comment: &str) -> Option<&str> {
    let (key, value) = comment.split_once(':')?;
    key.trim().eq_ignore_ascii_case("evaluator").then(|| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_tells_the_version_in_either_language() {
        assert_eq!(evaluator("a.rhai", "// evaluator: 1\nlet x = 1;"), Ok(Some(1)));
        assert_eq!(evaluator("a.lua", "-- The shelf.\n\n--   Evaluator : 12  \r\nlocal x"), Ok(Some(12)));
        assert_eq!(evaluator("a.lua", "// evaluator: 1\n"), Ok(None), "a comment of the other language");
        assert_eq!(
            evaluator("a.rhai", "// The evaluator is: 3\nlet x;\n// evaluator: 4"),
            Ok(None),
            "behind the header"
        );
        assert_eq!(evaluator("a.rhai", ""), Ok(None));
    }

    #[test]
    fn what_is_no_version_is_told_with_its_place() {
        for (value, column) in [("four", 15), ("-1", 15), ("+1", 15), ("0", 15), ("1.5", 15), ("1 2", 15), ("", 14)] {
            let mistake = evaluator("scripts/a.rhai", &format!("// a\n// evaluator: {value}\n")).unwrap_err();
            let place = mistake.place.unwrap();
            assert_eq!((place.file.as_str(), place.line, place.column), ("scripts/a.rhai", 2, Some(column)), "{value}");
            assert_eq!(mistake.received.as_deref(), Some(if value.is_empty() { "nothing" } else { value }));
        }
        let twice = evaluator("a.rhai", "// evaluator: 1\n// evaluator: 1\n").unwrap_err();
        assert_eq!(twice.place.unwrap().line, 2);
    }
}
