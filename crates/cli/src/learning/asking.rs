//! Questions about words that the examples leave undecided, put to a person or to a language that is known.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};

use anyhow::Context;
use automata::formats::Label;
use automata::{Dfa, Letter, Word, equivalent};
use induction::Counts;
use induction::learner::Undecided;

use crate::input::Given;

/// Who answers.
pub(crate) enum Who {
    Nobody,
    Person,
    Oracle(Dfa),
}

/// The questions of a run.
pub(crate) struct Asking {
    who: Who,
    most: usize,
    /// The names of the letters, by number.
    alphabet: automata::Alphabet,
    answers: Vec<(Word, Label)>,
    skipped: BTreeSet<Word>,
    over: bool,
}

impl Asking {
    /// Questions that were asked before are not asked again.
    pub(crate) fn new(who: Who, most: usize, before: &[(Vec<u32>, bool)], given: &Given) -> anyhow::Result<Self> {
        let alphabet = given.examples.alphabet.clone();
        let word = |numbers: &[u32]| -> Option<Word> {
            numbers.iter().map(|&n| ((n as usize) < alphabet.len()).then(|| Letter::new(n as usize))).collect()
        };
        let label = |accepted: bool| if accepted { Label::Accepted } else { Label::Rejected };
        let answers = before.iter().map(|(numbers, accepted)| Some((word(numbers)?, label(*accepted))));
        let answers = answers.collect::<Option<Vec<_>>>().context("the checkpoint belongs to other letters")?;
        Ok(Self { who, most, alphabet, answers, skipped: BTreeSet::new(), over: false })
    }

    pub(crate) fn answers(&self) -> &[(Word, Label)] {
        &self.answers
    }

    pub(crate) fn count(&self) -> usize {
        self.answers.len()
    }

    /// The answers as a sample counts them.
    pub(crate) fn counted(&self) -> Vec<(Word, Counts)> {
        Self::count_of(&self.answers)
    }

    /// Answers as a sample counts them.
    pub(crate) fn count_of(answers: &[(Word, Label)]) -> Vec<(Word, Counts)> {
        let counts = |label: &Label| match label {
            Label::Accepted => Counts { accepted: 1, rejected: 0 },
            _ => Counts { accepted: 0, rejected: 1 },
        };
        answers.iter().map(|(word, label)| (word.clone(), counts(label))).collect()
    }

    /// Whether the answer is the language of who is asked, who then has nothing more to say.
    pub(crate) fn is_settled_by(&self, answer: &Dfa) -> bool {
        let Who::Oracle(oracle) = &self.who else { return false };
        let both = answer.alphabet().union(oracle.alphabet());
        equivalent(&answer.over(&both), &oracle.over(&both))
    }

    /// Whether somebody would answer a question.
    pub(crate) fn is_open(&self) -> bool {
        !self.over && self.answers.len() < self.most && !matches!(self.who, Who::Nobody)
    }

    /// The answer to the next question, if one of these words is to be asked about and there is somebody to answer.
    pub(crate) fn next<'a>(
        &mut self,
        open: impl Iterator<Item = &'a Undecided> + Clone,
    ) -> anyhow::Result<Option<(Word, Label)>> {
        while self.is_open() {
            let mut open = open.clone().map(|open| &open.word);
            let asked =
                |word: &Word| self.skipped.contains(word) || self.answers.iter().any(|(known, _)| known == word);
            let Some(word) = open.find(|word| !asked(word)).cloned() else { return Ok(None) };
            let accepted = match &self.who {
                Who::Nobody => return Ok(None),
                Who::Oracle(dfa) => Some(accepts(dfa, &self.alphabet, &word)),
                Who::Person => self.ask_person(&word)?,
            };
            match accepted {
                Some(accepted) => {
                    let label = if accepted { Label::Accepted } else { Label::Rejected };
                    self.answers.push((word.clone(), label));
                    return Ok(Some((word, label)));
                }
                None => {
                    self.skipped.insert(word);
                }
            }
        }
        Ok(None)
    }

    /// None when the person skips the word; `over` is set when there is to be no more.
    fn ask_person(&mut self, word: &Word) -> anyhow::Result<Option<bool>> {
        let mut input = std::io::stdin().lock();
        loop {
            eprint!("{} — in the language? [y/n/skip/stop] ", self.alphabet.show(word));
            std::io::stderr().flush()?;
            let mut line = String::new();
            if input.read_line(&mut line).context("cannot read the answer")? == 0 {
                self.over = true;
                return Ok(None);
            }
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => return Ok(Some(true)),
                "n" | "no" => return Ok(Some(false)),
                "s" | "skip" => return Ok(None),
                "stop" | "q" | "quit" => {
                    self.over = true;
                    return Ok(None);
                }
                _ => eprintln!("y for yes, n for no, skip for another word, stop for no more questions"),
            }
        }
    }
}

/// Whether a language over perhaps other letters has the word; letters are the same by name, or lie in a class.
pub(crate) fn accepts(dfa: &Dfa, alphabet: &automata::Alphabet, word: &Word) -> bool {
    let named: Option<Word> = word.iter().map(|letter| dfa.alphabet().letter_for(alphabet.name(*letter))).collect();
    named.is_some_and(|word| dfa.accepts(&word))
}
