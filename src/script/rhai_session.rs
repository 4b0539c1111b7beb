//! Rhai, one input after another.
//!
//! Rhai keeps variables in a scope, but neither functions nor imports from one text to the next; both are kept here
//! as compiled pieces and put in front of each input. It deliberately keeps no text.

use rhai::{AST, Dynamic, Engine, LexError, ParseError, ParseErrorType, Scope};

use super::error::Raised;
use super::host::Host;
use super::rhai_engine::{RhaiEngine, function_names};
use super::rhai_errors::{explain, explain_syntax};
use super::rhai_values::given;
use super::session::Typed;
use super::source::Source;

/// The memory of a session.
pub(super) struct RhaiSession<H: 'static> {
    engine: RhaiEngine<H>,
    scope: Scope<'static>,
    /// The functions of earlier inputs.
    functions: AST,
    /// The imports of earlier inputs.
    imports: AST,
}

impl<H: Host> RhaiSession<H> {
    pub fn new(mut engine: RhaiEngine<H>) -> Self {
        // Imports of earlier inputs are not in the text; names are looked up when they are used.
        engine.engine_mut().set_strict_variables(false);
        Self { engine, scope: Scope::new(), functions: AST::empty(), imports: AST::empty() }
    }

    /// Evaluates `text`, which begins after `before` lines of the source.
    pub fn eval(&mut self, text: &str, before: usize, source: &Source, may_go_on: bool) -> Result<Typed, Raised> {
        let stage = self.engine.stage();
        let padded = format!("{}{text}", "\n".repeat(before));
        let input = match compile(self.engine.engine(), &padded, source) {
            Ok(input) => input,
            Err(error) if may_go_on && is_incomplete(&error, &padded) => return Ok(Typed::Incomplete),
            Err(error) => return Err(explain_syntax(stage, &error, source)),
        };
        let mut whole = self.imports.merge(&self.functions).merge(&input);
        whole.set_source(source.name());
        let result = self.engine.engine().eval_ast_with_scope::<Dynamic>(&mut self.scope, &whole);
        let ended = result.map_err(|error| explain(stage, *error, source.name(), &function_names(&whole)))?;
        self.functions = self.functions.merge(&input.clone_functions_only());
        if text.trim_start().starts_with("import ")
            && let Ok(import) = compile(self.engine.engine(), &padded, source)
        {
            self.imports = self.imports.merge(&import);
        }
        Ok(Typed::Ended(given(&ended)))
    }

    /// The names of variables and functions.
    pub fn defined(&self) -> Vec<String> {
        let variables = self.scope.iter().map(|(name, ..)| name.to_owned());
        let functions = function_names(&self.functions).into_iter().map(|(name, _)| name);
        variables.chain(functions.filter(|name| !name.starts_with("anon$"))).collect()
    }
}

fn compile(engine: &Engine, text: &str, source: &Source) -> Result<AST, ParseError> {
    let mut ast = engine.compile(text)?;
    ast.set_source(source.name());
    Ok(ast)
}

/// Whether the text is only wrong because it ends here.
fn is_incomplete(error: &ParseError, text: &str) -> bool {
    match &*error.0 {
        ParseErrorType::UnexpectedEOF => true,
        // A string in back quotes goes on over lines, one in double quotes does not.
        ParseErrorType::BadInput(LexError::UnterminatedString) => text.matches('`').count() % 2 == 1,
        _ => is_at_end(error, text.trim_end()),
    }
}

/// Whether an error is behind the last character.
fn is_at_end(error: &ParseError, text: &str) -> bool {
    let (Some(line), Some(column)) = (error.1.line(), error.1.position()) else { return true };
    let last = text.lines().count();
    line > last || (line == last && column > text.lines().last().unwrap_or_default().chars().count())
}
