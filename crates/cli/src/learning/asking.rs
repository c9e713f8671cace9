//! Questions about undecided words, answered by a person or by a known language.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use anyhow::Context;
use automata::{Dfa, Label};
use induction::learner::Stop;
use nerode::{Question, Session};

use crate::output;

/// Who answers questions.
pub(crate) enum Who {
    Nobody,
    Person,
    Oracle(Dfa),
}

impl Who {
    /// Answers or skips a question of the session, or stops the questions. A question that is open when the session is
    /// stopped stays open.
    pub(crate) fn answer(&self, question: &Question, session: &mut Session) -> anyhow::Result<()> {
        match self {
            Who::Nobody => session.stop_asking(),
            Who::Oracle(oracle) => session.answer_from(oracle, question)?,
            Who::Person => match ask_person(&question.shown, &session.stopper())? {
                Some(Reply::Label(label)) => session.answer(&question.word, label)?,
                Some(Reply::Stop) => session.stop_asking(),
                None => {}
            },
        }
        Ok(())
    }
}

enum Reply {
    /// `Unlabelled` means skip.
    Label(Label),
    Stop,
}

/// Asks until there is a reply; `None` if the session is stopped first.
fn ask_person(shown: &str, stop: &Stop) -> anyhow::Result<Option<Reply>> {
    let say = |text: &str| output::print_error(text).context("cannot ask");
    loop {
        say(&format!("{shown} — in the language? [y/n/skip/stop] "))?;
        let Some(line) = read_line(stop)? else {
            // The answer begins on its own line.
            let _ = say("\n");
            return Ok(None);
        };
        match line.trim().to_lowercase().as_str() {
            // The end of the input.
            _ if line.is_empty() => return Ok(Some(Reply::Stop)),
            "y" | "yes" => return Ok(Some(Reply::Label(Label::Accepted))),
            "n" | "no" => return Ok(Some(Reply::Label(Label::Rejected))),
            "s" | "skip" => return Ok(Some(Reply::Label(Label::Unlabelled))),
            "stop" | "q" | "quit" => return Ok(Some(Reply::Stop)),
            _ => say("reply y (yes), n (no), skip (ask another word) or stop (no more questions)\n")?,
        }
    }
}

/// Time between two looks at the stop flag.
const PATIENCE: Duration = Duration::from_millis(50);

/// The next line of standard input, empty at its end; `None` if the session is stopped first. Reading cannot be
/// interrupted, so another thread does it, which is left behind.
fn read_line(stop: &Stop) -> anyhow::Result<Option<String>> {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        // Nobody waits any more after a stop.
        let _ = sender.send(read.map(|_| line));
    });
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => return line.map(Some).context("cannot read the answer"),
            Err(RecvTimeoutError::Timeout) if !stop.is_set() => {}
            Err(_) => return Ok(None),
        }
    }
}
