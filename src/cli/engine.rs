//! What every command that opens pages needs: a runtime, the artifact server, a browser, and Ctrl-C.
//!
//! It deliberately knows no command.

use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

use crate::browser::{Reach, find};
use crate::cli::BrowserArguments;
use crate::cli::environment::Environment;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::terminal::Terminal;
use crate::diag::Diagnostic;
use crate::run::{Arranged, Browsers};
use crate::script::Interrupt;
use crate::serve::Server;

/// The running machinery. Fields are dropped in this order: the browser goes before what it runs on.
pub(super) struct Engine {
    pub browsers: Browsers,
    pub server: Server,
    pub interrupt: Interrupt,
    // Everything above works on it.
    runtime: Runtime,
}

impl Engine {
    /// Brings everything up. `reach` says which hosts pages may reach, once the server's port is known.
    pub fn start(
        browser: &BrowserArguments,
        port: Option<u16>,
        terminal: &mut Terminal,
        reach: impl FnOnce(&Server) -> Reach,
    ) -> Result<Self, CommandError> {
        let runtime = Runtime::new()
            .map_err(|e| CommandError::harness(Diagnostic::new("cannot start the runtime").received(e.to_string())))?;
        let arranged = browser.arranged()?;
        if let Arranged::Remote(url) = &arranged {
            let warning =
                Diagnostic::new(format!("the browser at {url} reaches what it likes; nothing is blocked there"))
                    .hint("start it with the resolver rules that the study needs, or let loupe start one");
            terminal.warning(&warning);
        }
        let help = match &arranged {
            Arranged::Local(_) => "`loupe doctor` says what is missing",
            Arranged::Remote(_) => "is it running, with --remote-debugging-port, and is this still its address?",
        };
        let server = runtime.block_on(Server::start(port)).map_err(CommandError::harness)?;
        let browsers = Browsers::start(arranged, reach(&server), runtime.handle().clone())
            .map_err(|e| CommandError::harness(Diagnostic::new(e.to_string()).hint(help)))?;
        let interrupt = Interrupt::new();
        let pressed = interrupt.clone();
        runtime.spawn(async move {
            // If signals cannot be had, Ctrl-C ends the process as it always does.
            while tokio::signal::ctrl_c().await.is_ok() {
                pressed.cancel();
            }
        });
        Ok(Self { browsers, server, interrupt, runtime })
    }

    /// From now on a second Ctrl-C ends the process at once. The first lets workers finish what they are at; whoever
    /// presses again does not want to wait for that. The record is resumable either way, and the browser dies with us.
    pub fn end_at_second_interrupt(&self) {
        self.runtime.spawn(async {
            // If signals cannot be had, Ctrl-C ends the process as it always does.
            let Ok(mut pressed) = signal(SignalKind::interrupt()) else { return };
            pressed.recv().await;
            pressed.recv().await;
            std::process::exit(Exit::Interrupted.code().into());
        });
    }
}

impl BrowserArguments {
    fn arranged(&self) -> Result<Arranged, CommandError> {
        match &self.cdp {
            Some(url) if !is_socket(url) => Err(CommandError::mistake(
                Diagnostic::new("--cdp takes the address of a browser's socket")
                    .expected("ws://HOST:PORT/devtools/browser/ID")
                    .received(url.as_str())
                    .hint("a browser with --remote-debugging-port=PORT tells it at http://HOST:PORT/json/version"),
            )),
            Some(url) => Ok(Arranged::Remote(url.clone())),
            None => find::find(&self.choice(), &Environment::read().path)
                .map(Arranged::Local)
                .map_err(CommandError::harness),
        }
    }
}

fn is_socket(url: &str) -> bool {
    url.starts_with("ws://") || url.starts_with("wss://")
}
