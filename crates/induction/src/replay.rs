//! The words of a sample, run through a grammar all at once.
//!
//! What can be derived from the first i letters depends on these letters alone, so each prefix of the sample is read
//! once: a node comes after its parent, and one pass from front to back gives every node its set of non-terminals.
//! Extraction compares thresholds by it; whoever has a grammar counts by it what the grammar gets wrong.

use automata::{Alphabet, Grammar, Letter, StateId};

use crate::bits::{self, Sets};
use crate::sample::Sample;

/// How many examples the grammar gets wrong, each word as often as it was labelled, the empty word included. A word
/// with a letter that the grammar does not know is rejected by it.
///
/// ```
/// use automata::formats::grammar_text;
/// use automata::{Examples, Label};
/// use induction::{Sample, errors};
///
/// let grammar = grammar_text::read("S -> a\nS -> S b\n")?;
/// let word = |text| grammar.alphabet().read(text).unwrap();
/// let rows = vec![(word("abb"), Label::Accepted), (word("ba"), Label::Rejected), (word("b"), Label::Accepted)];
/// let sample = Sample::new(&Examples::of(grammar.alphabet(), rows), false)?;
/// assert_eq!(errors(&grammar, &sample), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn errors(grammar: &Grammar, sample: &Sample) -> u64 {
    // An automaton reads every grammar forwards, right-regular ones and those with A → B and A → ε too.
    let nfa = grammar.to_nfa().trimmed();
    let beginning = nfa.len();
    let mut edges: Vec<Edge> = Vec::new();
    for (from, letter, to) in nfa.edges() {
        edges.push((letter.index(), from.index(), to.index()));
        if nfa.is_initial(from) {
            edges.push((letter.index(), beginning, to.index()));
        }
    }
    edges.sort_unstable();
    let mut moves = Moves::default();
    moves.fill(nfa.alphabet().len(), nfa.len(), edges);
    let mut replay = Replay::new(sample, nfa.alphabet(), nfa.len());
    replay.walk(&moves);
    let empty = sample.empty_word();
    let empty_errors = if nfa.accepts_empty_word() { empty.rejected } else { empty.accepted };
    u64::from(empty_errors) + replay.errors(nfa.accepting().map(StateId::index))
}

/// `A_to → A_from letter`, or `A_to → letter` when `from` is the number of non-terminals: where words begin.
pub(crate) type Edge = (usize, usize, usize);

/// Where each letter leads from each non-terminal: for each letter and source the targets, as blocks that are not zero.
#[derive(Default)]
pub(crate) struct Moves {
    states: usize,
    /// `[letters][states + 1]`, and the end: where the blocks of a source begin. The last source is the beginning.
    offsets: Vec<usize>,
    blocks: Vec<(usize, u64)>,
}

impl Moves {
    /// Takes these edges, sorted, in place of those before; what was allocated is used again.
    pub(crate) fn fill(&mut self, letters: usize, states: usize, edges: impl IntoIterator<Item = Edge>) {
        self.states = states;
        self.offsets.clear();
        self.blocks.clear();
        for (letter, from, to) in edges {
            let row = letter * (states + 1) + from;
            debug_assert!(row + 1 >= self.offsets.len(), "edges come sorted");
            self.offsets.resize(row + 1, self.blocks.len());
            let (block, bit) = bits::place(to);
            match self.blocks[self.offsets[row]..].last_mut() {
                Some((last, mask)) if *last == block => *mask |= bit,
                _ => self.blocks.push((block, bit)),
            }
        }
        self.offsets.resize(letters * (states + 1) + 1, self.blocks.len());
    }

    /// Adds to `set` what `letter` leads to from `from`.
    fn follow(&self, letter: Letter, from: usize, set: &mut [u64]) {
        let row = letter.index() * (self.states + 1) + from;
        for &(block, mask) in &self.blocks[self.offsets[row]..self.offsets[row + 1]] {
            set[block] |= mask;
        }
    }
}

/// A sample with room for a set of non-terminals at each node.
pub(crate) struct Replay<'a> {
    sample: &'a Sample,
    /// For each letter of the sample the grammar's letter of that name, or its class.
    letters: Vec<Option<Letter>>,
    states: usize,
    /// For each node what the prefix can be derived from.
    sets: Sets,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(sample: &'a Sample, alphabet: &Alphabet, states: usize) -> Self {
        let letters = sample.alphabet().names().iter().map(|name| alphabet.letter_for(name)).collect();
        Self { sample, letters, states, sets: Sets::new(sample.parents().len(), states) }
    }

    /// Gives every node its set.
    pub(crate) fn walk(&mut self, moves: &Moves) {
        let nodes = self.sample.parents().iter().zip(self.sample.letters()).enumerate();
        for (node, (&parent, &letter)) in nodes.skip(1) {
            let (before, set) = self.sets.earlier_and(parent as usize, node);
            set.fill(0);
            match (self.letters[letter.index()], parent) {
                (None, _) => {}
                (Some(letter), 0) => moves.follow(letter, self.states, set),
                (Some(letter), _) => {
                    for from in bits::ones(before) {
                        moves.follow(letter, from, set);
                    }
                }
            }
        }
    }

    /// How many examples are wrong when words may end in `last`; the empty word is not counted.
    pub(crate) fn errors(&self, last: impl IntoIterator<Item = usize>) -> u64 {
        let mut accepting = Sets::new(1, self.states);
        for state in last {
            accepting.insert(0, state);
        }
        let wrong = self.sample.entries().iter().map(|entry| {
            let accepted = bits::intersect(self.sets.set(entry.node as usize), accepting.set(0));
            u64::from(if accepted { entry.counts.rejected } else { entry.counts.accepted })
        });
        wrong.sum()
    }
}
