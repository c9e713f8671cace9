//! `nerode completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Answer, output};

/// Print a completion script for a shell.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  nerode completions bash > ~/.local/share/bash-completion/completions/nerode")]
pub(crate) struct Arguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Arguments::command(), "nerode", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Answer::Yes)
}
