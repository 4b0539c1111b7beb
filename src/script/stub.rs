//! The two files generated from a vocabulary: the reference for people, and the definitions for Lua editors.
//!
//! It deliberately writes nothing to disk: tests compare the text with the files of the repository.

use std::fmt::Write;

use super::source::Language;
use super::value::Value;
use super::vocabulary::Vocabulary;
use super::word::{Call, Kind, Param, Word};

/// The reference in Markdown, `scripts/API.md`.
pub fn reference<H: 'static>(vocabulary: &Vocabulary<H>) -> String {
    let mut text = String::from(
        "# The words of scripts\n\n\
         Generated from the table of words; do not edit. Words are said alike in Rhai and in Lua; `[x]` may be left out.\n\n",
    );
    let modules: Vec<_> = std::iter::once("").chain(vocabulary.modules()).collect();
    for module in &modules {
        let words: Vec<_> = vocabulary.words_of(module).collect();
        if words.is_empty() {
            continue;
        }
        let title = title(module);
        let links: Vec<_> =
            words.iter().map(|word| format!("[{}](#{})", word.name, anchor(&word.full_name()))).collect();
        add(&mut text, format_args!("- **[{title}](#{})**: {}\n", anchor(title), links.join(" · ")));
    }
    constants(&mut text, vocabulary);
    for module in modules {
        let mut words = vocabulary.words_of(module).peekable();
        if words.peek().is_some() {
            add(&mut text, format_args!("\n## {}\n", title(module)));
        }
        words.for_each(|word| describe(&mut text, word));
    }
    text
}

fn title(module: &str) -> &str {
    if module.is_empty() { "by themselves" } else { module }
}

/// The anchor that Markdown renderers give a heading.
fn anchor(heading: &str) -> String {
    heading.chars().filter(|c| *c != '.').map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn constants<H: 'static>(text: &mut String, vocabulary: &Vocabulary<H>) {
    let names: Vec<_> = vocabulary.constants().keys().map(|name| format!("`{name}`")).collect();
    if !names.is_empty() {
        add(text, format_args!("\nConstants, which can be read everywhere: {}.\n", names.join(", ")));
    }
}

fn describe<H>(text: &mut String, word: &Word<H>) {
    add(text, format_args!("\n### {}\n\n", word.full_name()));
    let (rhai, lua) = (word.call_in(Language::Rhai), word.call_in(Language::Lua));
    match rhai == lua {
        true => add(text, format_args!("```text\n{rhai}\n```\n\n")),
        false => add(text, format_args!("```text\n{rhai}\n{lua}\n```\n\n")),
    }
    add(text, format_args!("{}\n", word.doc));
    if word.live {
        text.push_str("Only inside a scenario.\n");
    }
    if !word.params.is_empty() {
        text.push('\n');
    }
    for param in word.params {
        line(text, "", param);
        if let Kind::Options(keys) = param.kind {
            keys.iter().for_each(|key| line(text, "  ", key));
        }
    }
    if !matches!(word.returns, Kind::Nothing) {
        add(text, format_args!("\nReturns: {}\n", word.returns));
    }
    for language in [Language::Rhai, Language::Lua].into_iter().filter(|_| !word.examples.is_empty()) {
        let examples: Vec<_> = word.examples.iter().map(|example| word.example(example, language)).collect();
        add(text, format_args!("\n```{}\n{}\n```\n", language.extension(), examples.join("\n")));
    }
}

fn line(text: &mut String, indent: &str, param: &Param) {
    let optional = if param.optional { ", optional" } else { "" };
    let doc = if param.doc.is_empty() { String::new() } else { format!(": {}", param.doc) };
    add(text, format_args!("{indent}- `{}` ({}{optional}){doc}\n", param.name, param.kind));
}

/// The definitions for Lua's language server, `scripts/loupe.d.lua`.
pub fn lua_definitions<H: 'static>(vocabulary: &Vocabulary<H>) -> String {
    let mut text = String::from("---@meta\n-- Generated from the table of words; do not edit.\n");
    for (name, value) in vocabulary.constants() {
        add(&mut text, format_args!("\n---@type {}\n{name} = {}\n", type_of(value), default_of(value)));
    }
    for word in vocabulary.words_of("") {
        define(&mut text, word);
    }
    for module in vocabulary.modules() {
        add(&mut text, format_args!("\n---@class loupe.{module}\n{module} = {{}}\n"));
        vocabulary.words_of(module).for_each(|word| define(&mut text, word));
    }
    text
}

fn define<H>(text: &mut String, word: &Word<H>) {
    let name = word.full_name();
    for param in word.params {
        if let Kind::Options(keys) = param.kind {
            add(text, format_args!("\n---@class loupe.{name}.{}\n", param.name));
            for key in keys {
                add(text, format_args!("---@field {}? {} {}", key.name, lua_type(&key.kind, &name, key.name), key.doc));
                end_line(text);
            }
        }
    }
    text.push('\n');
    for line in word.doc.lines() {
        add(text, format_args!("---{line}\n"));
    }
    for param in word.params {
        let optional = if param.optional { "?" } else { "" };
        let kind = lua_type(&param.kind, &name, param.name);
        add(text, format_args!("---@param {}{optional} {kind} {}", parameter_name(param), param.doc));
        end_line(text);
    }
    if !matches!(word.returns, Kind::Nothing) {
        add(text, format_args!("---@return {}\n", lua_type(&word.returns, &name, "result")));
    }
    // The function comes last, and what is optional before it may be left out.
    if let (Call::Block(_), true) = (&word.call, word.params.iter().any(|param| param.optional)) {
        let needed = word.params.iter().filter(|param| !param.optional);
        let needed: Vec<_> =
            needed.map(|p| format!("{}: {}", parameter_name(p), lua_type(&p.kind, &name, p.name))).collect();
        add(
            text,
            format_args!("---@overload fun({}): {}\n", needed.join(", "), lua_type(&word.returns, &name, "result")),
        );
    }
    let params: Vec<_> = word.params.iter().map(parameter_name).collect();
    add(text, format_args!("function {name}({}) end\n", params.join(", ")));
}

/// A parameter's name, unless Lua reserves it.
fn parameter_name(param: &Param) -> String {
    match super::vocabulary::illegal_name(param.name) {
        Some(Language::Lua) => format!("{}_", param.name),
        _ => param.name.to_owned(),
    }
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end().len());
    text.push('\n');
}

fn lua_type(kind: &Kind, word: &str, param: &str) -> String {
    match kind {
        Kind::Nothing => "nil".to_owned(),
        Kind::Any => "any".to_owned(),
        Kind::Bool => "boolean".to_owned(),
        Kind::Int => "integer".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Text => "string".to_owned(),
        Kind::Choice(texts) => texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join("|"),
        Kind::List(kind) => match kind {
            Kind::OneOf(_) | Kind::Choice(_) => format!("({})[]", lua_type(kind, word, param)),
            _ => format!("{}[]", lua_type(kind, word, param)),
        },
        Kind::Map => "table<string, any>".to_owned(),
        Kind::Options(_) => format!("loupe.{word}.{param}"),
        Kind::OneOf(kinds) => kinds.iter().map(|kind| lua_type(kind, word, param)).collect::<Vec<_>>().join("|"),
        Kind::Function => "fun(): any".to_owned(),
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "any",
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::Float(_) => "number",
        Value::Text(_) => "string",
        Value::List(_) => "any[]",
        Value::Map(_) => "table<string, any>",
    }
}

/// A value of the same type, since a definition must not show one study's data.
fn default_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nil",
        Value::Bool(_) => "false",
        Value::Int(_) => "0",
        Value::Float(_) => "0.0",
        Value::Text(_) => "\"\"",
        Value::List(_) | Value::Map(_) => "{}",
    }
}

fn add(text: &mut String, more: std::fmt::Arguments) {
    text.write_fmt(more).expect("a string takes all text");
}
