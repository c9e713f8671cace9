//! Deterministic automata, complete or partial.
//!
//! The transitions are one flat table with a row per state and a column per letter. In a *partial* automaton some
//! entries are missing, and a word that needs one of them is rejected. A *complete* automaton has a dead state instead.

use fixedbitset::FixedBitSet;

use crate::alphabet::Alphabet;
use crate::ids::{Letter, StateId};
use crate::reach::reachable;

/// A missing transition in the table.
pub(crate) const MISSING: u32 = u32::MAX;

/// A deterministic finite automaton with at least one state.
#[derive(Clone, PartialEq, Eq)]
pub struct Dfa {
    alphabet: Alphabet,
    initial: StateId,
    accepting: FixedBitSet,
    /// `table[state · letters + letter]` is the next state, or [`MISSING`].
    table: Vec<u32>,
}

/// Why these numbers do not form an automaton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DfaError {
    /// There is no state.
    #[error("an automaton needs at least one state")]
    NoStates,
    /// A state number that is out of range.
    #[error("{role} {state} is out of range; the last state is {}", states.saturating_sub(1))]
    NoSuchState {
        /// Where the number was used.
        role: &'static str,
        /// The number given.
        state: usize,
        /// The number of states.
        states: usize,
    },
    /// A row whose length is not the number of letters.
    #[error("state {state} has {found} transitions, but the alphabet has {expected} letters")]
    RowLength {
        /// The state.
        state: usize,
        /// Its number of transitions.
        found: usize,
        /// The number of letters.
        expected: usize,
    },
}

impl Dfa {
    /// Builds an automaton from rows of next states, one per letter in alphabet order, `None` for a missing transition.
    pub fn new(
        alphabet: Alphabet,
        initial: usize,
        accepting: impl IntoIterator<Item = usize>,
        rows: &[Vec<Option<usize>>],
    ) -> Result<Self, DfaError> {
        let states = rows.len();
        let check = |role, state| {
            if state < states { Ok(state) } else { Err(DfaError::NoSuchState { role, state, states }) }
        };
        if states == 0 {
            return Err(DfaError::NoStates);
        }
        let mut table = Vec::with_capacity(states * alphabet.len());
        for (state, row) in rows.iter().enumerate() {
            if row.len() != alphabet.len() {
                return Err(DfaError::RowLength { state, found: row.len(), expected: alphabet.len() });
            }
            for next in row {
                table.push(match next {
                    Some(next) => check("next state", *next)? as u32,
                    None => MISSING,
                });
            }
        }
        let mut set = FixedBitSet::with_capacity(states);
        for state in accepting {
            set.insert(check("accepting state", state)?);
        }
        Ok(Self::from_table(alphabet, StateId::new(check("initial state", initial)?), set, table))
    }

    /// Builds an automaton from its table, which must be in range.
    pub(crate) fn from_table(alphabet: Alphabet, initial: StateId, accepting: FixedBitSet, table: Vec<u32>) -> Self {
        debug_assert_eq!(table.len(), accepting.len() * alphabet.len());
        debug_assert!(initial.index() < accepting.len());
        debug_assert!(table.iter().all(|&next| next == MISSING || (next as usize) < accepting.len()));
        Self { alphabet, initial, accepting, table }
    }

    /// The complete automaton with one state that accepts every word, or none.
    #[must_use]
    pub fn constant(alphabet: Alphabet, everything: bool) -> Self {
        let mut accepting = FixedBitSet::with_capacity(1);
        accepting.set(0, everything);
        let table = vec![0; alphabet.len()];
        Self::from_table(alphabet, StateId::new(0), accepting, table)
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of states: at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is always a state")]
    pub fn len(&self) -> usize {
        self.accepting.len()
    }

    /// The states in order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + Clone + use<> {
        (0..self.len()).map(StateId::new)
    }

    /// The initial state.
    #[must_use]
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The accepting states in order.
    pub fn accepting(&self) -> impl Iterator<Item = StateId> + '_ {
        self.accepting.ones().map(StateId::new)
    }

    /// Whether words may end at `state`.
    #[must_use]
    #[inline]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.accepting.contains(state.index())
    }

    pub(crate) fn accepting_set(&self) -> &FixedBitSet {
        &self.accepting
    }

    /// The next state, unless the transition is missing.
    #[must_use]
    #[inline]
    pub fn next(&self, state: StateId, letter: Letter) -> Option<StateId> {
        let next = self.table[state.index() * self.alphabet.len() + letter.index()];
        (next != MISSING).then(|| StateId::new(next as usize))
    }

    /// The row of `state` in the raw table.
    #[inline]
    pub(crate) fn row(&self, state: usize) -> &[u32] {
        &self.table[state * self.alphabet.len()..(state + 1) * self.alphabet.len()]
    }

    /// All transitions as (from, letter, to), sorted.
    pub fn transitions(&self) -> impl Iterator<Item = (StateId, Letter, StateId)> + '_ {
        self.states().flat_map(move |from| {
            self.alphabet.letters().filter_map(move |letter| Some((from, letter, self.next(from, letter)?)))
        })
    }

    /// The state that `word` leads to, unless a transition is missing.
    #[must_use]
    pub fn run(&self, word: &[Letter]) -> Option<StateId> {
        word.iter().try_fold(self.initial, |state, &letter| self.next(state, letter))
    }

    /// Whether `word` is in the language.
    #[must_use]
    pub fn accepts(&self, word: &[Letter]) -> bool {
        self.run(word).is_some_and(|state| self.is_accepting(state))
    }

    /// Whether no transition is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.table.contains(&MISSING)
    }

    /// The same language without missing transitions: they lead to a new dead state, numbered last.
    #[must_use]
    pub fn completed(&self) -> Self {
        if self.is_complete() {
            return self.clone();
        }
        let dead = StateId::new(self.len()).index() as u32;
        let mut table = self.table.clone();
        table.extend(std::iter::repeat_n(dead, self.alphabet.len()));
        for next in &mut table {
            if *next == MISSING {
                *next = dead;
            }
        }
        let mut accepting = self.accepting.clone();
        accepting.grow(self.len() + 1);
        Self::from_table(self.alphabet.clone(), self.initial, accepting, table)
    }

    /// The states from which some word is accepted.
    #[must_use]
    pub fn live_states(&self) -> FixedBitSet {
        reachable(self.len(), self.accepting.ones(), self.pairs().map(|(from, to)| (to, from)))
    }

    /// The same language, restricted to the states that some accepted word visits, in their old order; the initial
    /// state is always kept. Transitions to other states become missing.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        let mut useful = reachable(self.len(), [self.initial.index()], self.pairs());
        useful.intersect_with(&self.live_states());
        useful.insert(self.initial.index());
        let kept: Vec<u32> = useful.ones().map(|state| state as u32).collect();
        self.renumbered(&kept)
    }

    /// Only the states in `kept`, which includes the initial one, numbered by their position there.
    fn renumbered(&self, kept: &[u32]) -> Self {
        let mut new_name = vec![MISSING; self.len()];
        for (new, &old) in kept.iter().enumerate() {
            new_name[old as usize] = new as u32;
        }
        let mut accepting = FixedBitSet::with_capacity(kept.len());
        let mut table = Vec::with_capacity(kept.len() * self.alphabet.len());
        for (new, &old) in kept.iter().enumerate() {
            accepting.set(new, self.accepting.contains(old as usize));
            table.extend(self.row(old as usize).iter().map(|&next| match next {
                MISSING => MISSING,
                next => new_name[next as usize],
            }));
        }
        let initial = StateId::new(new_name[self.initial.index()] as usize);
        Self::from_table(self.alphabet.clone(), initial, accepting, table)
    }

    /// The same automaton without unreachable states, numbered breadth-first from the initial state in alphabet order.
    /// Two automata are isomorphic exactly when their canonical forms are equal.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let mut seen = FixedBitSet::with_capacity(self.len());
        let mut order = Vec::with_capacity(self.len());
        seen.insert(self.initial.index());
        order.push(self.initial.index() as u32);
        let mut read = 0;
        while read < order.len() {
            for &next in self.row(order[read] as usize) {
                if next != MISSING && !seen.put(next as usize) {
                    order.push(next);
                }
            }
            read += 1;
        }
        self.renumbered(&order)
    }

    /// Whether the reachable parts are equal up to the names of the states.
    #[must_use]
    pub fn is_isomorphic_to(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }

    /// The same language over a larger alphabet: transitions on new letters are missing, and where a class becomes
    /// several letters, each has the transitions of the class.
    ///
    /// # Panics
    /// If `larger` lacks a letter of this automaton.
    #[must_use]
    pub fn over(&self, larger: &Alphabet) -> Self {
        if *larger == self.alphabet {
            return self.clone();
        }
        let letters = self.alphabet.embedding(larger);
        let mut table = vec![MISSING; self.len() * larger.len()];
        for (from, letter, to) in self.transitions() {
            for letter in letters.of(letter) {
                table[from.index() * larger.len() + letter.index()] = to.index() as u32;
            }
        }
        Self::from_table(larger.clone(), self.initial, self.accepting.clone(), table)
    }

    /// The words over other letters that this automaton accepts; each letter is read as the class or shape that has it, and
    /// those that nothing stands for have no transition.
    #[must_use]
    pub fn within(&self, letters: &Alphabet) -> Self {
        let read: Vec<Option<Letter>> = letters.names().iter().map(|name| self.alphabet.letter_for(name)).collect();
        let mut table = Vec::with_capacity(self.len() * letters.len());
        for state in self.states() {
            let next = |letter: &Option<Letter>| letter.and_then(|letter| self.next(state, letter));
            table.extend(read.iter().map(|letter| next(letter).map_or(MISSING, |next| next.index() as u32)));
        }
        Self::from_table(letters.clone(), self.initial, self.accepting.clone(), table)
    }

    /// The words over the same alphabet that this automaton rejects.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut complete = self.completed();
        complete.accepting.toggle_range(..);
        complete
    }

    /// Whether no word is accepted.
    #[must_use]
    pub fn is_empty_language(&self) -> bool {
        !self.live_states().contains(self.initial.index())
    }

    /// Whether every word over the alphabet is accepted.
    #[must_use]
    pub fn is_universal(&self) -> bool {
        self.complement().is_empty_language()
    }

    /// Whether only finitely many words are accepted: no cycle among the states that accepted words visit.
    #[must_use]
    pub fn is_finite_language(&self) -> bool {
        let trimmed = self.trimmed();
        trimmed.is_empty_language() || trimmed.forward_order().is_some()
    }

    /// The states in topological order, unless there is a cycle.
    pub(crate) fn forward_order(&self) -> Option<Vec<usize>> {
        // Remove states without incoming edges until none is left, or only cycles remain.
        let mut incoming = vec![0_usize; self.len()];
        for (_, to) in self.pairs() {
            incoming[to] += 1;
        }
        let mut order: Vec<usize> = (0..self.len()).filter(|&state| incoming[state] == 0).collect();
        let mut read = 0;
        while read < order.len() {
            for &next in self.row(order[read]).iter().filter(|&&next| next != MISSING) {
                incoming[next as usize] -= 1;
                if incoming[next as usize] == 0 {
                    order.push(next as usize);
                }
            }
            read += 1;
        }
        (order.len() == self.len()).then_some(order)
    }

    /// The transitions as pairs of states, without letters.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        (0..self.len()).flat_map(|from| {
            self.row(from).iter().filter(|&&next| next != MISSING).map(move |&next| (from, next as usize))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(table: &[&[i64]]) -> Vec<Vec<Option<usize>>> {
        table.iter().map(|row| row.iter().map(|&next| usize::try_from(next).ok()).collect()).collect()
    }

    /// (a|b)*cc*, partial: after a c, only c has a transition.
    fn paper() -> Dfa {
        Dfa::new(Alphabet::of_chars("abc"), 0, [1], &rows(&[&[0, 0, 1], &[-1, -1, 1]])).unwrap()
    }

    fn accepts(dfa: &Dfa, text: &str) -> bool {
        dfa.accepts(&dfa.alphabet().read(text).unwrap())
    }

    #[test]
    fn completing_changes_no_word() {
        let complete = paper().completed();
        assert_eq!(complete.len(), 3);
        assert!(complete.is_complete());
        for text in ["", "c", "abcc", "ca", "caa", "b"] {
            assert_eq!(accepts(&complete, text), accepts(&paper(), text), "{text}");
        }
        assert_eq!(complete.trimmed(), paper());
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let alphabet = Alphabet::of_chars("a");
        let error = Dfa::new(alphabet.clone(), 0, [], &rows(&[&[7]])).unwrap_err();
        assert_eq!(error.to_string(), "next state 7 is out of range; the last state is 0");
        assert_eq!(Dfa::new(alphabet.clone(), 0, [], &[]), Err(DfaError::NoStates));
        assert!(matches!(Dfa::new(alphabet, 0, [], &rows(&[&[0, 0]])), Err(DfaError::RowLength { .. })));
    }

    #[test]
    fn canonical_form_ignores_names() {
        let renamed =
            Dfa::new(Alphabet::of_chars("abc"), 2, [0], &rows(&[&[-1, -1, 0], &[0, 0, 0], &[2, 2, 0]])).unwrap();
        assert!(renamed.is_isomorphic_to(&paper()));
        assert!(!renamed.complement().is_isomorphic_to(&paper()));
    }

    #[test]
    fn emptiness_finiteness_universality() {
        let ab = Alphabet::of_chars("ab");
        let everything = Dfa::constant(ab.clone(), true);
        let nothing = Dfa::constant(ab.clone(), false);
        let finite = Dfa::new(ab, 0, [2], &rows(&[&[1, 2], &[2, -1], &[-1, -1]])).unwrap();
        assert!(everything.is_universal() && !everything.is_finite_language());
        assert!(nothing.is_empty_language() && nothing.is_finite_language() && !nothing.is_universal());
        assert!(finite.is_finite_language() && !finite.is_empty_language());
        assert!(finite.completed().is_finite_language(), "the dead state's loop is on no accepted path");
        assert!(!paper().is_finite_language());
    }

    #[test]
    fn without_letters_the_only_word_is_the_empty_one() {
        let only_empty = Dfa::constant(Alphabet::of_chars(""), true);
        assert!(only_empty.accepts(&[]));
        assert!(only_empty.is_universal() && only_empty.is_finite_language());
    }
}
