//! Hints for those who write one language with the habits of the other.
//!
//! It deliberately looks at one line of text and understands nothing: a hint may be beside the point, an error not.

use super::source::Language;

/// What to write instead of the other language's word in `line`, if there is one.
pub(super) fn foreign_habit(language: Language, line: &str) -> Option<&'static str> {
    let habits = match language {
        Language::Rhai => RHAI,
        Language::Lua => LUA,
    };
    let code = without_strings(line);
    habits.iter().find(|(habit, _)| says(&code, habit)).map(|(_, instead)| *instead)
}

/// The line without what stands in quotes.
fn without_strings(line: &str) -> String {
    line.split(['"', '\'', '`']).step_by(2).collect::<Vec<_>>().join(" ")
}

/// What Lua writes, and what Rhai writes for it.
const RHAI: &[(&str, &str)] = &[
    ("local", "Rhai declares with `let`: let x = 1;"),
    ("function", "Rhai writes a function as || { … } or |x| { … }, or with a name: fn name(x) { … }"),
    ("nil", "Rhai writes nothing as ()"),
    ("~=", "Rhai writes \"not equal\" as !="),
    ("elseif", "Rhai writes `else if`"),
    ("then", "Rhai writes if condition { … }"),
    ("end", "Rhai closes a block with }"),
    ("not", "Rhai negates with !"),
    ("and", "Rhai writes `and` as &&"),
    ("or", "Rhai writes `or` as ||"),
    ("..", "Rhai joins strings with +"),
    ("--", "Rhai begins a comment with //"),
];

/// What Rhai writes, and what Lua writes for it.
const LUA: &[(&str, &str)] = &[
    ("let", "Lua declares with `local`: local x = 1"),
    ("const", "Lua declares with `local`: local x <const> = 1"),
    ("fn", "Lua writes `function name(x) … end`"),
    ("|| {", "Lua writes a function as function() … end"),
    ("||{", "Lua writes a function as function() … end"),
    ("#{", "Lua writes a map as { key = value }"),
    ("!=", "Lua writes \"not equal\" as ~="),
    ("&&", "Lua writes && as `and`"),
    ("||", "Lua writes || as `or`"),
    ("+=", "Lua writes x = x + 1"),
    ("null", "Lua writes nothing as nil"),
    ("//", "Lua begins a comment with --"),
    ("!", "Lua negates with `not`"),
    ("[", "Lua writes a list as { a, b }"),
    ("}", "Lua closes a block with `end`"),
];

/// Whether `habit` is in `line`: a word as a whole word, a sign anywhere.
fn says(line: &str, habit: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if !habit.starts_with(is_word) {
        return line.contains(habit);
    }
    line.split(|c| !is_word(c)).any(|word| word == habit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_quotes_is_no_habit() {
        assert_eq!(foreign_habit(Language::Rhai, "page.click(\"text=this or that\") 5"), None);
    }

    #[test]
    fn words_are_whole_words() {
        assert_eq!(foreign_habit(Language::Rhai, "let locale = 1;"), None);
        assert!(foreign_habit(Language::Rhai, "local x = 1").is_some_and(|hint| hint.contains("let")));
        assert!(foreign_habit(Language::Lua, "if a != b then").is_some_and(|hint| hint.contains("~=")));
    }
}
