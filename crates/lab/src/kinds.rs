//! Why a word is rejected: the paper's kinds of negative examples, as regular languages.
//!
//! Take the minimal automaton without its dead state. A word that is not accepted either walks along it and ends where
//! no word may end, or at some letter there is no way on: it *falls off*. If that letter is the last one, the word has
//! an invalid postfix; if what follows is the end of some accepted word, it has an invalid infix; and if not even
//! that, nothing of interest can be said of it.
//!
//! So one complete automaton says the kind of any word: the trimmed automaton, a state for having just fallen off, and
//! then the deterministic automaton of all that accepted words may end in. With the states of one kind accepting, it
//! is the language of this kind, which can be counted, listed and drawn from like any other.

use automata::{Alphabet, Dfa, NfaBuilder, StateId, TooManyStates, Word, determinize, enumerate};
use serde::{Deserialize, Serialize};

/// What a word is an example of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A word of the language.
    Positive,
    /// A word whose path ends in a state that does not accept.
    NonAccepting,
    /// A path a₁ … aₖ and a letter that leads nowhere from there.
    InvalidPostfix,
    /// As [`Kind::InvalidPostfix`], and then at least one letter b₁ … bₗ of a path that ends in an accepting state.
    InvalidInfix,
    /// Any word that is rejected.
    Random,
}

impl Kind {
    /// All of them, in order.
    pub const ALL: [Kind; 5] =
        [Kind::Positive, Kind::NonAccepting, Kind::InvalidPostfix, Kind::InvalidInfix, Kind::Random];
    /// Those of rejected words, in order.
    pub const NEGATIVE: [Kind; 4] = [Kind::NonAccepting, Kind::InvalidPostfix, Kind::InvalidInfix, Kind::Random];

    /// Its name in files: `positive`, `non-accepting`, …
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

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The complete automaton that says of every word what kind it is.
#[derive(Clone, Debug)]
pub struct Kinds {
    alphabet: Alphabet,
    initial: usize,
    rows: Vec<Vec<Option<usize>>>,
    /// The kind of the words that lead to each state.
    kind: Vec<Kind>,
}

impl Kinds {
    /// The kinds of words for a language; `limit` bounds the states that it takes to know what words may end in.
    pub fn new(language: &Dfa, limit: usize) -> Result<Self, TooManyStates> {
        // Minimal first: two states that only a larger automaton tells apart would make no difference of kind, but
        // might be too many.
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

    /// How many states it has.
    pub(crate) fn states(&self) -> usize {
        self.rows.len()
    }

    /// The kind of a word, as special as can be: [`Kind::Random`] is what is of no other kind.
    #[must_use]
    pub fn of(&self, word: &Word) -> Kind {
        let step = |state: usize, letter: usize| self.rows[state][letter].expect("the automaton is complete");
        self.kind[word.iter().fold(self.initial, |state, letter| step(state, letter.index()))]
    }

    /// The words that are of one of these kinds.
    #[must_use]
    pub fn language(&self, kinds: &[Kind]) -> Dfa {
        let accepting = (0..self.rows.len()).filter(|&state| kinds.contains(&self.kind[state]));
        let dfa = Dfa::new(self.alphabet.clone(), self.initial, accepting, &self.rows);
        dfa.expect("every number is that of a state").trimmed()
    }

    /// All words of these kinds with at most `depth` letters, each with its kind: by length, then by kind, then letter
    /// by letter. Nothing is kept, so there may be more of them than fit anywhere.
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

/// Whatever an accepted word may end in, as a complete automaton: words may begin anywhere.
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
