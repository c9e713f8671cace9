//! The evidence for each production of an answer: the model's belief in it, and the examples that use it.
//!
//! For each production this module gives
//!
//! - its *confidence* σ(P), if there is a model;
//! - how many accepted examples *use* it: some derivation of the word does;
//! - how many examples *need* it: every derivation of the word uses it, so that without it the word would be rejected.
//!   An accepted example is then lost; a rejected one that the grammar wrongly accepts is mended;
//! - how many rejected examples it *reaches*: it helps to derive some non-empty prefix of the word, but the word is
//!   rejected because another production is missing. These examples show why the grammar does not continue there.
//!
//! All of this takes one pass over the words. What derives the first i letters depends only on these. For each
//! non-terminal that derives them, the pass keeps the productions of *some* derivation (a union over the alternatives)
//! and those of *every* derivation (an intersection), as sets of bits, one bit per production. Words come in
//! lexicographic order, so that shared prefixes are read once and the memory is that of the longest word.
//!
//! The obvious alternative, removing each production and replaying all examples, takes one replay per production. The
//! intersection gives exactly the same counts.
//!
//! Productions are those of the [normal form](automata::Grammar::normalized), which extracted grammars already have,
//! and removal refers to that form. Productions written on one line, over several character classes, are taken
//! together. Examples count as often as they were labelled.

mod pass;

use automata::formats::grammar_text;
use automata::{Direction, Grammar, Letter, Production, Word};

use crate::confidence::Places;
use crate::model::Model;
use crate::sample::Sample;
use pass::Pass;

/// Maximum number of words named per count.
pub const NAMED: usize = 5;
/// Maximum number of productions; nobody reads more.
const MOST_PRODUCTIONS: usize = 20_000;

/// The evidence for a production.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The production as text.
    pub text: String,
    /// The productions it stands for: one, or one for each character class on the line.
    pub productions: Vec<Production>,
    /// The model's belief in it; `None` if the grammar was not read off a model, and for `S → ε`.
    pub confidence: Option<f64>,
    /// The accepted examples with a derivation that uses it.
    pub used: Examples,
    /// The accepted examples that are rejected without it.
    pub lost: Examples,
    /// The rejected examples that the grammar wrongly accepts, and that are rejected without it.
    pub mended: Examples,
    /// The rejected examples that it reaches.
    pub reached: Examples,
}

/// A subset of the examples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// Their number, counting repetitions.
    pub count: u64,
    /// The first of the words over the sample's letters, shortest first; at most [`NAMED`].
    pub first: Vec<Word>,
}

impl Examples {
    /// Adds a word that was labelled this often.
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

/// The evidence for each production of a grammar, in the order in which they are written. Letters are matched by name, a
/// character also with a class that contains it. `None` if there are too many productions.
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

/// Passes all words and records the evidence.
fn count(pass: &mut Pass, sample: &Sample, direction: Direction, evidence: &mut [Evidence]) {
    let mut entries: Vec<_> = sample.entries().iter().collect();
    // Lexicographic order.
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
