//! Questions about undecided words, answered by a person or by a known language.

use std::io::{BufRead, Write};

use anyhow::Context;
use automata::{Alphabet, Dfa, Label, Letter, Word, equivalent};
use nerode::{Question, Session};

/// Who answers questions.
pub(crate) enum Who {
    Nobody,
    Person,
    Oracle(Dfa),
}

impl Who {
    /// Answers or skips a question of the session, or stops the questions.
    pub(crate) fn answer(&self, question: &Question, session: &mut Session) -> anyhow::Result<()> {
        match self {
            Who::Nobody => session.stop_asking(),
            // Found: no more questions.
            Who::Oracle(oracle) if is_same(&session.best(), oracle) => session.stop_asking(),
            Who::Oracle(oracle) => {
                let word = session.alphabet().read(&question.word)?;
                let accepted = accepts(oracle, session.alphabet(), &word);
                session.answer(&question.word, accepted.into())?;
            }
            Who::Person => match ask_person(&question.shown)? {
                Reply::Label(label) => session.answer(&question.word, label)?,
                Reply::Stop => session.stop_asking(),
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

fn is_same(answer: &Dfa, oracle: &Dfa) -> bool {
    let both = answer.alphabet().union(oracle.alphabet());
    equivalent(&answer.over(&both), &oracle.over(&both))
}

fn ask_person(shown: &str) -> anyhow::Result<Reply> {
    let mut input = std::io::stdin().lock();
    loop {
        eprint!("{shown} — in the language? [y/n/skip/stop] ");
        std::io::stderr().flush()?;
        let mut line = String::new();
        if input.read_line(&mut line).context("cannot read the answer")? == 0 {
            return Ok(Reply::Stop);
        }
        match line.trim().to_lowercase().as_str() {
            "y" | "yes" => return Ok(Reply::Label(Label::Accepted)),
            "n" | "no" => return Ok(Reply::Label(Label::Rejected)),
            "s" | "skip" => return Ok(Reply::Label(Label::Unlabelled)),
            "stop" | "q" | "quit" => return Ok(Reply::Stop),
            _ => eprintln!("reply y (yes), n (no), skip (ask another word) or stop (no more questions)"),
        }
    }
}

/// Whether a language, possibly over other letters, accepts the word. Letters match by name or by class.
pub(crate) fn accepts(dfa: &Dfa, alphabet: &Alphabet, word: &[Letter]) -> bool {
    let named: Option<Word> = word.iter().map(|letter| dfa.alphabet().letter_for(alphabet.name(*letter))).collect();
    named.is_some_and(|word| dfa.accepts(&word))
}
