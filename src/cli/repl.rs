//! `loupe repl`: a live page, and the words of scripts typed line by line.
//!
//! Typing and evaluating share one thread with a stack that holds a script's limits; Ctrl-C while a word runs stops
//! that word only. Inputs from a pipe are a program: they end with the code of the worst of them. At a terminal it
//! deliberately keeps no verdicts: what was typed can be saved as a scenario and run.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;

use rustyline::error::ReadlineError;

use crate::api::{self, Host, Live, Waits};
use crate::browser::Look;
use crate::cli::BrowserArguments;
use crate::cli::axe;
use crate::cli::engine::Engine;
use crate::cli::environment::Environment;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::saved::{self, Said};
use crate::cli::terminal::Terminal;
use crate::cli::typing::{self, Editor};
use crate::diag::{Diagnostic, did_you_mean};
use crate::protocol::Protocol;
use crate::record::What;
use crate::run;
use crate::script::{Evaluated, FaultKind, Language, Limits, Program, STACK, Session, Source, Value, literal};
use crate::serve::Root;
use crate::study::{self, Artifact, Library, Site, Timeouts};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Open this first: a folder, an html file, or an address
    target: Option<String>,
    /// Type in this language: rhai or lua
    #[arg(long, value_name = "LANG", env = "LOUPE_LANG", default_value = "rhai", hide_env = true)]
    #[arg(value_parser = ["rhai", "lua"])]
    lang: String,
    /// Look at the page at this viewport of the default protocol
    #[arg(long, value_name = "VIEWPORT", env = "LOUPE_VIEWPORT", default_value = "desktop", hide_env = true)]
    viewport: String,
    #[command(flatten)]
    browser: BrowserArguments,
}

const COMMANDS: &[(&str, &str)] = &[
    (":help [WORD]", "what a word does; without one, all words"),
    (":shot [FILE]", "a picture of the viewport, as PNG"),
    (":save FILE", "what was typed so far, as a scenario"),
    (":quit", "end (also Ctrl-D)"),
];

pub(super) fn run(arguments: &Arguments, terminal: &mut Terminal) -> Result<Exit, CommandError> {
    let look = look(&arguments.viewport)?;
    let artifact = arguments.target.as_deref().map(study::target).transpose().map_err(CommandError::mistake)?;
    let engine =
        Engine::start(&arguments.browser, None, terminal, |server| run::reach_of(artifact.iter(), &[], server.port()))?;
    std::thread::scope(|scope| {
        let conversation = || converse(arguments, &engine, look, artifact.as_ref(), terminal);
        let thread = std::thread::Builder::new().name("repl".into()).stack_size(STACK);
        let spoken = thread.spawn_scoped(scope, conversation).map(std::thread::ScopedJoinHandle::join);
        match spoken {
            Ok(Ok(ended)) => ended,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(e) => Err(CommandError::harness(Diagnostic::new("cannot start a thread").received(e.to_string()))),
        }
    })
}

fn look(viewport: &str) -> Result<Look, CommandError> {
    let viewports = Protocol::usual().viewports;
    if let Some(found) = viewports.iter().find(|v| v.name == viewport) {
        return Ok(run::look(found));
    }
    let names: Vec<&str> = viewports.iter().map(|v| v.name.as_str()).collect();
    let mistake =
        Diagnostic::new(format!("an unknown viewport, `{viewport}`")).expected(format!("one of {}", names.join(", ")));
    Err(CommandError::mistake(
        did_you_mean(viewport, names).into_iter().fold(mistake, |m, near| m.hint(format!("did you mean `{near}`?"))),
    ))
}

/// The conversation itself.
struct Talk<'a> {
    session: Session<Host>,
    language: Language,
    said: Vec<Said>,
    engine: &'a Engine,
    shots: u32,
    /// How the worst input ended.
    worst: Exit,
}

fn converse(
    arguments: &Arguments,
    engine: &Engine,
    look: Look,
    artifact: Option<&Artifact>,
    terminal: &mut Terminal,
) -> Result<Exit, CommandError> {
    let language = if arguments.lang == "lua" { Language::Lua } else { Language::Rhai };
    let size = serde_json::json!({"name": arguments.viewport, "width": look.width, "height": look.height, "mobile": look.mobile});
    let vocabulary = Arc::new(api::vocabulary(Value::Null, Value::Null, size.into()));
    let host = Host::new(live(engine, &look, artifact)?);
    let limits = Limits { time: std::time::Duration::MAX, ..Limits::default() };
    let session = Session::new(
        language,
        Arc::clone(&vocabulary),
        Arc::new(Library::shipped()),
        limits,
        engine.interrupt.clone(),
        host,
    );
    let session = session.map_err(|e| CommandError::harness(e.diagnostic))?;
    let mut talk = Talk { session, language, said: Vec::new(), engine, shots: 0, worst: Exit::Holds };
    let history = Environment::read().data.map(|data| data.join("history"));
    let mut editor = typing::editor(&vocabulary, language, history.as_deref())?;
    terminal.note(format_args!("{language} · :help lists the words, Ctrl-D ends"));
    if artifact.is_some() {
        talk.say("page.open()", terminal)?;
    }
    loop {
        editor.learn(talk.session.defined());
        match read(&mut editor, &mut talk, terminal) {
            Ok(true) => {}
            Ok(false) => break,
            Err(stopped) => return Err(stopped),
        }
    }
    editor.keep(history.as_deref());
    // A person saw what went wrong; whoever wrote a pipe has only the code.
    Ok(if std::io::stdin().is_terminal() { Exit::Holds } else { talk.worst })
}

/// Reads one input and answers it; false at the end.
fn read(editor: &mut Editor, talk: &mut Talk<'_>, terminal: &mut Terminal) -> Result<bool, CommandError> {
    let mut text = String::new();
    loop {
        let prompt = if text.is_empty() { "> " } else { ". " };
        match editor.line(prompt) {
            Ok(line) if text.is_empty() && line.trim_start().starts_with(':') => {
                return talk.command(line.trim(), terminal);
            }
            Ok(line) => {
                text.push_str(&line);
                text.push('\n');
                if text.trim().is_empty()
                    || talk.say(
                        text.trim_end_matches('\n').to_owned() + if line.is_empty() { "\n\n" } else { "" },
                        terminal,
                    )?
                {
                    return Ok(true);
                }
            }
            // At the prompt, Ctrl-C drops what was begun.
            Err(ReadlineError::Interrupted) => return Ok(true),
            Err(ReadlineError::Eof) => {
                // What was begun and goes no further is said to be unfinished, not dropped.
                if !text.trim().is_empty() {
                    talk.say(text + "\n\n", terminal)?;
                }
                return Ok(false);
            }
            Err(e) => {
                return Err(CommandError::harness(Diagnostic::new("cannot read the keyboard").received(e.to_string())));
            }
        }
    }
}

impl Talk<'_> {
    /// Evaluates an input and shows its answer; false if it goes on.
    fn say(&mut self, text: impl AsRef<str>, terminal: &mut Terminal) -> Result<bool, CommandError> {
        let text = text.as_ref();
        let answer = self.session.eval(text);
        self.tell_notes(terminal)?;
        match answer {
            Evaluated::Incomplete => return Ok(false),
            Evaluated::Value(Value::Null) => {}
            Evaluated::Value(value) => terminal.result(format_args!("{}\n", literal(&value, self.language)))?,
            Evaluated::Other(what) => terminal.result(format_args!("({what})\n"))?,
            Evaluated::Error(error) => {
                self.failed(&error.diagnostic, exit_of(error.fault.kind), terminal);
                return Ok(true);
            }
        }
        let text = text.trim().to_owned();
        self.said.push(Said { is_statement: self.session.is_statement(&text), text });
        Ok(true)
    }

    /// Shows what an input printed, noted, or expected softly in vain. Nothing keeps a session's observations.
    fn tell_notes(&mut self, terminal: &mut Terminal) -> Result<(), CommandError> {
        let (seen, soft) = {
            let mut host = self.session.host_mut();
            (std::mem::take(&mut host.notes.observations), std::mem::take(&mut host.notes.soft))
        };
        for observation in seen {
            match observation.what {
                What::Note { text, data } => {
                    let data = if data.is_null() {
                        String::new()
                    } else {
                        format!(" {}", literal(&data.into(), self.language))
                    };
                    terminal.result(format_args!("{text}{data}\n"))?;
                }
                What::Accessibility(audit) => terminal.result(format_args!("{audit}\n"))?,
                _ => {}
            }
        }
        soft.iter().for_each(|failure| self.failed(failure, Exit::Fails, terminal));
        Ok(())
    }

    fn command(&mut self, line: &str, terminal: &mut Terminal) -> Result<bool, CommandError> {
        let (name, rest) = line.split_once(' ').map_or((line, ""), |(name, rest)| (name, rest.trim()));
        match name {
            ":quit" | ":q" | ":exit" => return Ok(false),
            ":help" | ":h" => self.help(rest, terminal)?,
            ":shot" => self.shot(rest, terminal)?,
            ":save" => self.save(rest, terminal)?,
            _ => {
                let known = COMMANDS.iter().map(|(usage, _)| usage.split(' ').next().unwrap_or(usage));
                let mistake = Diagnostic::new(format!("there is no {name}"));
                let near = did_you_mean(name, known).map(|near| format!("did you mean {near}?"));
                let mistake = mistake.hint(near.unwrap_or_else(|| ":help lists the commands".to_owned()));
                self.failed(&mistake, Exit::Mistake, terminal);
            }
        }
        Ok(true)
    }

    fn help(&mut self, word: &str, terminal: &mut Terminal) -> Result<(), CommandError> {
        let vocabulary = api::vocabulary(Value::Null, Value::Null, Value::Null);
        if !word.is_empty() {
            return match vocabulary.find(word) {
                Some(found) => terminal.result(format_args!("{}\n", found.help(self.language).trim_end())),
                None => {
                    let names: Vec<String> = vocabulary.words().iter().map(|w| w.full_name()).collect();
                    let near = did_you_mean(word, names.iter().map(String::as_str));
                    let mistake = Diagnostic::new(format!("there is no word `{word}`"));
                    let mistake = near.into_iter().fold(mistake, |d, near| d.hint(format!("did you mean `{near}`?")));
                    self.failed(&mistake, Exit::Mistake, terminal);
                    Ok(())
                }
            };
        }
        for word in vocabulary.words() {
            let first = word.doc.split_inclusive(". ").next().unwrap_or(word.doc);
            terminal.result(format_args!("{:<22} {}\n", word.full_name(), first.trim()))?;
        }
        for (usage, what) in COMMANDS {
            terminal.result(format_args!("{usage:<22} {what}\n"))?;
        }
        Ok(())
    }

    fn shot(&mut self, file: &str, terminal: &mut Terminal) -> Result<(), CommandError> {
        self.shots += 1;
        let path =
            if file.is_empty() { PathBuf::from(format!("shot-{}.png", self.shots)) } else { PathBuf::from(file) };
        let page = self.session.host_mut().live().map(|live| live.page.clone());
        let taken = page
            .map_err(|e| e.to_string())
            .and_then(|page| self.engine.browsers.runtime().block_on(page.picture(None)).map_err(|e| e.to_string()));
        match taken.and_then(|png| std::fs::write(&path, png).map_err(|e| e.to_string())) {
            Ok(()) => terminal.result(format_args!("{}\n", path.display()))?,
            Err(why) => {
                let trouble = Diagnostic::new(format!("no picture in `{}`", path.display())).received(why);
                self.failed(&trouble, Exit::Harness, terminal);
            }
        }
        Ok(())
    }

    fn save(&mut self, file: &str, terminal: &mut Terminal) -> Result<(), CommandError> {
        let expected = format!(":save FILE.{}", self.language.extension());
        if file.is_empty() || Language::of(file) != Some(self.language) {
            let mistake = Diagnostic::new("a scenario is saved in a file of its language").expected(expected);
            self.failed(&mistake, Exit::Mistake, terminal);
            return Ok(());
        }
        let text = saved::scenario(&self.said, self.session.defined(), self.language);
        // Never over a file that somebody wrote.
        let created = std::fs::OpenOptions::new().write(true).create_new(true).open(file);
        if let Err(e) = created.and_then(|mut f| std::io::Write::write_all(&mut f, text.as_bytes())) {
            let trouble = Diagnostic::new(format!("cannot save `{file}`")).received(e.to_string());
            self.failed(&trouble, Exit::Harness, terminal);
            return Ok(());
        }
        terminal.result(format_args!("{file}\n"))?;
        // What cannot be told apart from a file's own way of writing is better known now than when it is run.
        if let Err(error) = self.program(file, text).collect(Host::default()) {
            terminal.warning(&error.diagnostic.hint("the saved scenario does not run as it is"));
        }
        Ok(())
    }

    /// Shows what went wrong with an input, and remembers it if nothing worse did.
    fn failed(&mut self, what: &Diagnostic, exit: Exit, terminal: &mut Terminal) {
        terminal.error(what);
        if exit.code() > self.worst.code() {
            self.worst = exit;
        }
    }

    /// What was saved, as a file that could be run.
    fn program(&self, file: &str, text: String) -> Program<Host> {
        Program {
            source: Source::new(file, text, self.language),
            vocabulary: Arc::new(api::vocabulary(Value::Null, Value::Null, Value::Null)),
            library: Arc::new(Library::shipped()),
            limits: Limits::default(),
        }
    }
}

fn exit_of(fault: FaultKind) -> Exit {
    match fault {
        FaultKind::Skip => Exit::Holds,
        FaultKind::Artifact | FaultKind::Contract => Exit::Fails,
        FaultKind::Script | FaultKind::Limit => Exit::Mistake,
        FaultKind::Harness => Exit::Harness,
        FaultKind::Interrupted => Exit::Interrupted,
    }
}

fn live(engine: &Engine, look: &Look, artifact: Option<&Artifact>) -> Result<Live, CommandError> {
    let harness = |e: crate::browser::Error| CommandError::harness(Diagnostic::new(e.to_string()));
    let page = engine.browsers.page(look).map_err(harness)?;
    let served = |root: Root| engine.server.mount("repl", &root).map_err(CommandError::harness);
    let (origin, start) = match artifact.map(|a| (&a.place, &a.start)) {
        None => ("about:".to_owned(), "about:blank".to_owned()),
        Some((Site::Url(url), _)) => (api::origin_of(url), url.clone()),
        Some((Site::Folder(path), start)) => (served(Root::Folder(path.clone()))?, start.clone()),
        Some((Site::File(path), start)) => (served(Root::File(path.clone()))?, start.clone()),
    };
    let origin = origin.trim_end_matches('/').to_owned();
    page.set_origin(&origin);
    let waits = Timeouts::default();
    Ok(Live {
        page,
        openers: Vec::new(),
        origin,
        start,
        hooks: crate::browser::locator::Hooks::new(),
        waits: Waits { action: waits.action, expect: waits.expect },
        axe: axe::engine(&Environment::read()),
        runtime: engine.browsers.runtime().clone(),
        interrupt: engine.interrupt.clone(),
    })
}
