//! What speaks for each production of an answer: how the model believed in it, and what the examples make of it.
//!
//! A grammar is an argument, and its productions are the steps. For each of them this module says
//!
//! - its *confidence* σ(P), where a model has one;
//! - how many accepted examples *use* it: some derivation of the word does;
//! - how many examples *need* it: every derivation of the word uses it, so that without it the word would be rejected. An
//!   accepted example is lost then; a rejected one that the grammar accepts by mistake is mended;
//! - how many rejected examples it *reaches*: it takes part in deriving some prefix of the word that is not empty, and the
//!   word is rejected nevertheless, because something else is absent. They are why the grammar does not go on from there.
//!
//! All of it comes from one pass over the words. What is derived from the first i letters depends on these alone; for
//! each non-terminal that derives them the pass keeps the productions of *some* derivation (a union over the ways that lead
//! there) and those of *every* derivation (an intersection): sets of bits, one bit a production. Words come in the order of
//! a dictionary, so that what they share is read once and the memory is that of the longest word.
//!
//! The obvious alternative, removing each production and replaying all examples, takes one replay per production. The
//! intersection above gives exactly the same counts.
//!
//! Productions are those of the [normal form](automata::Grammar::normalized), in which extracted grammars are already; and
//! removing one means from there. Those that are written on one line, over several classes of characters, are taken together.
//! Examples are counted as often as they were labelled.

mod pass;

use automata::formats::grammar_text;
use automata::{Direction, Grammar, Letter, Production, Word};

use crate::confidence::Places;
use crate::model::Model;
use crate::sample::Sample;
use pass::Pass;

/// How many words are named for each thing that is said.
pub const NAMED: usize = 5;
/// Grammars of more productions are not weighed: nobody reads that.
const MOST_PRODUCTIONS: usize = 20_000;

/// What speaks for a production.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The production as it is written.
    pub text: String,
    /// What it stands for: one production, or one for each class of characters on the line.
    pub productions: Vec<Production>,
    /// How much the model believes in it; none when the grammar was not read off a model, and for `S → ε`.
    pub confidence: Option<f64>,
    /// The accepted examples with a derivation that uses it.
    pub used: Examples,
    /// The accepted examples that are rejected without it.
    pub lost: Examples,
    /// The rejected examples that the grammar accepts, and that are rejected without it.
    pub mended: Examples,
    /// The rejected examples that it reaches, and that are rejected nevertheless.
    pub reached: Examples,
}

/// Some of the examples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// How many there are, each word as often as it was labelled.
    pub count: u64,
    /// The first of the words over the sample's letters, shorter ones first: at most [`NAMED`].
    pub first: Vec<Word>,
}

impl Examples {
    /// Adds a word that was labelled so often.
    fn add(&mut self, times: u32, word: &[Letter], direction: Direction) {
        self.count += u64::from(times);
        if times == 0 || (self.first.len() == NAMED && self.first[NAMED - 1].len() < word.len()) {
            return;
        }
        let word = match direction {
            Direction::Left => Word::from(word.to_vec()),
            Direction::Right => word.iter().rev().copied().collect(),
        };
        if let Err(at) = self.first.binary_search(&word) {
            self.first.insert(at, word);
            self.first.truncate(NAMED);
        }
    }
}

/// What speaks for each production of a grammar, in the order in which they are written. Letters are matched by name, a
/// character also with the class that has it. None when there are too many productions for anybody to read.
///
/// ```
/// use automata::formats::grammar_text;
/// use automata::{Examples, Label};
/// use induction::{Sample, evidence::weigh};
///
/// let grammar = grammar_text::read("S -> a\nS -> S b\n")?;
/// let word = |text| grammar.alphabet().read(text).unwrap();
/// let rows = vec![(word("a"), Label::Accepted), (word("abb"), Label::Accepted), (word("aba"), Label::Rejected)];
/// let sample = Sample::new(&Examples::of(grammar.alphabet(), rows), false)?;
///
/// let evidence = weigh(&grammar, None, &sample).expect("these are few productions");
/// assert_eq!(evidence[1].text, "S -> S b");
/// assert_eq!((evidence[1].used.count, evidence[1].lost.count, evidence[1].reached.count), (1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn weigh(grammar: &Grammar, model: Option<&Model>, sample: &Sample) -> Option<Vec<Evidence>> {
    let grammar = grammar.normalized();
    if grammar.productions().len() > MOST_PRODUCTIONS {
        return None;
    }
    let beliefs = model.and_then(|model| Some((Places::of(model, &grammar)?, model.weights())));
    let mut evidence: Vec<Evidence> = Vec::new();
    for line in grammar_text::lines(&grammar) {
        let confidence =
            beliefs.as_ref().and_then(|(places, weights)| places.confidence(weights, *line.productions.first()?));
        evidence.push(Evidence {
            text: line.text,
            productions: line.productions,
            confidence,
            used: Examples::default(),
            lost: Examples::default(),
            mended: Examples::default(),
            reached: Examples::default(),
        });
    }
    let mut pass = Pass::new(&grammar, evidence.iter().map(|one| &one.productions[..]), sample.alphabet());
    match grammar.direction() {
        Direction::Left => count(&mut pass, sample, Direction::Left, &mut evidence),
        Direction::Right => count(&mut pass, &sample.reversed(), Direction::Right, &mut evidence),
    }
    Some(evidence)
}

/// Takes all words through the pass and notes what it says of them.
fn count(pass: &mut Pass, sample: &Sample, direction: Direction, evidence: &mut [Evidence]) {
    let mut entries: Vec<_> = sample.entries().iter().collect();
    // In the order of a dictionary.
    entries.sort_unstable_by_key(|entry| entry.begin);
    let words = entries.into_iter().map(|entry| (sample.word(entry), entry.counts));
    for (word, counts) in std::iter::once((&[][..], sample.empty_word())).chain(words) {
        let read = pass.read(word);
        if read.accepted {
            read.some().for_each(|at| evidence[at].used.add(counts.accepted, word, direction));
            for at in read.every() {
                evidence[at].lost.add(counts.accepted, word, direction);
                evidence[at].mended.add(counts.rejected, word, direction);
            }
        } else if counts.rejected > 0 {
            read.fired().for_each(|at| evidence[at].reached.add(counts.rejected, word, direction));
        }
    }
}
