//! Runs all words of a sample through a grammar at once.
//!
//! What derives the first i letters depends only on these letters, so each prefix of the sample is read once: nodes
//! come after their parents, and one forward pass gives every node its set of non-terminals. Extraction uses this to
//! compare thresholds, and it counts the errors of any grammar.

use automata::{Alphabet, Grammar, Letter, StateId};

use crate::bits::{self, Sets};
use crate::sample::Sample;

/// Number of examples that the grammar gets wrong, counting repetitions and the empty word. A word with an unknown letter is
/// rejected.
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
    // An automaton reads every grammar forwards, also right-regular ones and those with A → B and A → ε.
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

/// `A_to → A_from letter`, or `A_to → letter` if `from` is the number of non-terminals, which stands for the start of
/// words.
pub(crate) type Edge = (usize, usize, usize);

/// Where each letter leads from each non-terminal: for each letter and source, the non-zero blocks of the targets.
#[derive(Default)]
pub(crate) struct Moves {
    states: usize,
    /// `[letters][states + 1]`, and the end: where the blocks of a source begin. The last source is the start of words.
    offsets: Vec<usize>,
    blocks: Vec<(usize, u64)>,
}

impl Moves {
    /// Replaces the edges by these, which are sorted, and reuses the memory.
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

    /// Adds the targets of `letter` from `from` to `set`.
    fn follow(&self, letter: Letter, from: usize, set: &mut [u64]) {
        let row = letter.index() * (self.states + 1) + from;
        for &(block, mask) in &self.blocks[self.offsets[row]..self.offsets[row + 1]] {
            set[block] |= mask;
        }
    }
}

/// A sample with a set of non-terminals at each node.
pub(crate) struct Replay<'a> {
    sample: &'a Sample,
    /// For each letter of the sample, the grammar's letter of that name, or its class.
    letters: Vec<Option<Letter>>,
    states: usize,
    /// For each node, the non-terminals that derive the prefix.
    sets: Sets,
}

impl<'a> Replay<'a> {
    pub(crate) fn new(sample: &'a Sample, alphabet: &Alphabet, states: usize) -> Self {
        let letters = sample.alphabet().names().iter().map(|name| alphabet.letter_for(name)).collect();
        Self { sample, letters, states, sets: Sets::new(sample.parents().len(), states) }
    }

    /// Computes the set of every node.
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

    /// Number of wrong examples if words may end in `last`, without the empty word.
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
