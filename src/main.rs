//! The `loupe` program: hands the arguments to the command line and the exit code back to the system.
//!
//! It deliberately does nothing else; `loupe::cli` is its table of contents.

use std::process::ExitCode;

fn main() -> ExitCode {
    loupe::cli::main(std::env::args_os()).into()
}
