//! No text makes an engine panic, hang or forget its host.

use std::time::Duration;

use loupe::script::{Interrupt, Language, Limits};
use proptest::prelude::*;

use crate::mock::{Desk, program, scenario};

/// Pieces of both languages, so that some of the texts get far.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "page", ".", "click", "text", "echo", "(", ")", "{", "}", "[", "]", "\"a\"", "'b'", "1", "2.5", ",", ";", "||",
        "|x|", "let", "local", "x", "=", "==", "+", "..", "#{", ":", "if", "then", "else", "end", "while", "loop",
        "true", "for", "in", "do", "function", "fn", "return", "throw", "error", "try", "catch", "pcall", "nil", "()",
        "facts", "step", "scenario", "skip", "note", "print", "é", "\n", "//", "--", "`", "${", "\\", "import",
        "require", "as", "break",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_ends_in_a_result(text in text()) {
        let limits = Limits { operations: 50_000, time: Duration::from_secs(20), ..Limits::default() };
        for language in [Language::Rhai, Language::Lua] {
            for text in [text.clone(), scenario(language, &text)] {
                let (desk, end) = program(language, &text, &[], limits.clone()).run("t", Desk::default(), &Interrupt::new());
                prop_assert_eq!(desk.depth, 0, "every step that was entered was left");
                if let Err(error) = end {
                    prop_assert!(!error.fault.message.is_empty());
                    prop_assert!(!crate::mock::told(&error).is_empty());
                }
            }
        }
    }
}
