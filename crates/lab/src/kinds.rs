//! Why a word is rejected: the paper's kinds of negative examples, as regular languages.
//!
//! Take the minimal automaton without its dead state. A rejected word either follows a path that ends in a state that
//! does not accept, or reaches a letter without a transition: it *falls off*. If that letter is the last one, the word
//! has an invalid postfix; if the rest is a suffix of some accepted word, it has an invalid infix; otherwise it has no
//! special kind.
//!
//! So one complete automaton gives the kind of any word: the trimmed automaton, a state for having just fallen off, and
//! then the deterministic automaton of all suffixes of accepted words. With the states of one kind accepting, it
//! recognises the language of this kind, which can be counted, listed and sampled like any other.

use automata::{Alphabet, Dfa, NfaBuilder, StateId, TooManyStates, Word, determinize, enumerate};
use serde::{Deserialize, Serialize};

/// The kind of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A word of the language.
    Positive,
    /// A word whose path ends in a state that does not accept.
    NonAccepting,
    /// A path a₁ … aₖ followed by a letter without a transition.
    InvalidPostfix,
    /// Like [`Kind::InvalidPostfix`], followed by at least one letter b₁ … bₗ of a path that ends in an accepting
    /// state.
    InvalidInfix,
    /// Any rejected word.
    Random,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 5] =
        [Kind::Positive, Kind::NonAccepting, Kind::InvalidPostfix, Kind::InvalidInfix, Kind::Random];
    /// The kinds of rejected words, in order.
    pub const NEGATIVE: [Kind; 4] = [Kind::NonAccepting, Kind::InvalidPostfix, Kind::InvalidInfix, Kind::Random];

    /// The name in files: `positive`, `non-accepting`, …
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Positive => "positive",
            Kind::NonAccepting => "non-accepting",
            Kind::InvalidPostfix => "invalid-postfix",
            Kind::InvalidInfix => "invalid-infix",
            Kind::Random => "random",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The complete automaton that gives the kind of every word.
#[derive(Clone, Debug)]
pub struct Kinds {
    alphabet: Alphabet,
    initial: usize,
    rows: Vec<Vec<Option<usize>>>,
    /// The kind of the words that lead to each state.
    kind: Vec<Kind>,
}

impl Kinds {
    /// The kinds of words for a language; `limit` bounds the number of states of the automaton of suffixes.
    pub fn new(language: &Dfa, limit: usize) -> Result<Self, TooManyStates> {
        // Minimise first: equivalent states do not affect the kinds, but might exceed the limit.
        let paths = automata::minimize(language).trimmed();
        let alphabet = paths.alphabet().clone();
        let fallen = paths.len();
        let to = |next: Option<StateId>, missing: usize| Some(next.map_or(missing, StateId::index));
        let mut rows: Vec<Vec<Option<usize>>> = Vec::new();
        let mut kind = Vec::new();
        for state in paths.states() {
            rows.push(alphabet.letters().map(|letter| to(paths.next(state, letter), fallen)).collect());
            kind.push(if paths.is_accepting(state) { Kind::Positive } else { Kind::NonAccepting });
        }
        if !paths.is_complete() {
            let ends = ends(&paths, limit)?;
            let place = |state: StateId| fallen + 1 + state.index();
            let row = |state| alphabet.letters().map(|letter| ends.next(state, letter).map(place)).collect();
            rows.push(row(ends.initial()));
            kind.push(Kind::InvalidPostfix);
            for state in ends.states() {
                rows.push(row(state));
                kind.push(if ends.is_accepting(state) { Kind::InvalidInfix } else { Kind::Random });
            }
        }
        Ok(Self { alphabet, initial: paths.initial().index(), rows, kind })
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of states.
    pub(crate) fn states(&self) -> usize {
        self.rows.len()
    }

    /// The most specific kind of a word: [`Kind::Random`] only if no other applies.
    #[must_use]
    pub fn of(&self, word: &Word) -> Kind {
        let step = |state: usize, letter: usize| self.rows[state][letter].expect("the automaton is complete");
        self.kind[word.iter().fold(self.initial, |state, letter| step(state, letter.index()))]
    }

    /// The language of the words of these kinds.
    #[must_use]
    pub fn language(&self, kinds: &[Kind]) -> Dfa {
        let accepting = (0..self.rows.len()).filter(|&state| kinds.contains(&self.kind[state]));
        let dfa = Dfa::new(self.alphabet.clone(), self.initial, accepting, &self.rows);
        dfa.expect("every number is that of a state").trimmed()
    }

    /// All words of these kinds with at most `depth` letters, each with its kind: by length, then by kind, then letter
    /// by letter. They are generated lazily, so there may be more than fit in memory.
    pub fn all(&self, kinds: &[Kind], depth: usize) -> impl Iterator<Item = (Word, Kind)> + use<> {
        let words = |&kind: &Kind| {
            let words = enumerate(&self.language(&[kind])).take_while(move |word| word.len() <= depth);
            (kind, words.peekable())
        };
        let mut lists: Vec<_> = kinds.iter().map(words).collect();
        std::iter::from_fn(move || {
            let next = lists.iter_mut().enumerate().filter_map(|(i, (_, words))| Some((words.peek()?.len(), i))).min();
            let (kind, words) = &mut lists[next?.1];
            Some((words.next()?, *kind))
        })
    }
}

/// All suffixes of accepted words, as a complete automaton: every state is initial.
fn ends(paths: &Dfa, limit: usize) -> Result<Dfa, TooManyStates> {
    let mut builder = NfaBuilder::with_states(paths.alphabet().clone(), paths.len());
    for state in paths.states() {
        builder.initial(state);
    }
    for state in paths.accepting() {
        builder.accepting(state);
    }
    for (from, letter, to) in paths.transitions() {
        builder.edge(from, letter, to);
    }
    Ok(automata::minimize(&determinize(&builder.build(), limit)?))
}
