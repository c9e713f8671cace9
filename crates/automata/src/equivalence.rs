//! Whether two automata accept the same language, and if not, a shortest separating word.
//!
//! This is Hopcroft and Karp's test as described by Almeida, Moreira and Reis: assume that the two initial states are
//! equivalent, merge them, and follow the consequences letter by letter; two merged states of which only one accepts
//! refute the assumption. Union-find records the assumptions, so at most n + m − 1 pairs are examined instead of n · m.
//!
//! Pairs are examined breadth-first, so the first refutation found is a shortest one. Proof: let w be a shortest
//! separating word. Along w there is always an assumed pair that the rest of w separates. If the next pair (p, q) is
//! skipped because p and q have been merged already, then they are connected by pairs assumed no later, and since the
//! rest of w separates p from q, it separates the two states of one of those pairs.

use crate::dfa::{Dfa, MISSING};
use crate::ids::Letter;
use crate::{Word, over_union};

/// A shortest word that exactly one of the automata accepts, or `None` if their languages are equal. The languages are
/// compared over the union of their alphabets.
///
/// ```
/// use automata::{Alphabet, Regex, separating_word};
/// let abc = Alphabet::of_chars("abc");
/// let dfa = |pattern| Regex::parse(pattern, &abc)?.to_dfa();
/// let (a, b) = (dfa("(a|b)*cc*")?, dfa("[ab]*c")?);
/// let word = separating_word(&a, &b).unwrap();
/// assert_eq!(abc.write(&word), "cc");
/// assert_eq!(separating_word(&a, &dfa("[ab]*c+")?), None);
/// # Ok::<(), automata::RegexError>(())
/// ```
#[must_use]
pub fn separating_word(a: &Dfa, b: &Dfa) -> Option<Word> {
    let (a, b) = over_union(a, b);
    let pair = PairOfAutomata { dead: (a.len() + b.len()) as u32, a: &a, b: &b };
    let mut merged = Merged::new(a.len() + b.len() + 1);
    let mut supposed: Vec<Supposed> = Vec::new();

    let start = (a.initial().index() as u32, (a.len() + b.initial().index()) as u32);
    let mut suppose = |supposed: &mut Vec<Supposed>, (p, q): (u32, u32), from: u32, letter: u32| {
        if !merged.merge(p, q) {
            return false;
        }
        supposed.push(Supposed { p, q, from, letter });
        pair.accepts(p) != pair.accepts(q)
    };
    if suppose(&mut supposed, start, 0, 0) {
        return Some(Word::empty());
    }
    let mut read = 0;
    while read < supposed.len() {
        let Supposed { p, q, .. } = supposed[read];
        for letter in 0..a.alphabet().len() {
            let next = (pair.next(p, letter), pair.next(q, letter));
            if suppose(&mut supposed, next, read as u32, letter as u32) {
                return Some(spell(&supposed));
            }
        }
        read += 1;
    }
    None
}

/// Whether the languages are equal, over the union of the alphabets.
#[must_use]
pub fn equivalent(a: &Dfa, b: &Dfa) -> bool {
    separating_word(a, b).is_none()
}

/// The word that leads to the last assumed pair.
fn spell(supposed: &[Supposed]) -> Word {
    let mut letters = Vec::new();
    let mut at = supposed.len() - 1;
    while at != 0 {
        letters.push(Letter::new(supposed[at].letter as usize));
        at = supposed[at].from as usize;
    }
    letters.reverse();
    Word::from(letters)
}

/// A pair assumed to be equivalent, with the pair and letter that led to it.
struct Supposed {
    p: u32,
    q: u32,
    from: u32,
    letter: u32,
}

/// The states of both automata in one numbering: those of `a`, then those of `b`, then one dead state for all
/// missing transitions.
struct PairOfAutomata<'a> {
    a: &'a Dfa,
    b: &'a Dfa,
    dead: u32,
}

impl PairOfAutomata<'_> {
    #[inline]
    fn next(&self, state: u32, letter: usize) -> u32 {
        if state == self.dead {
            return state;
        }
        let state = state as usize;
        let (next, offset) = if state < self.a.len() {
            (self.a.row(state)[letter], 0)
        } else {
            (self.b.row(state - self.a.len())[letter], self.a.len() as u32)
        };
        if next == MISSING { self.dead } else { next + offset }
    }

    #[inline]
    fn accepts(&self, state: u32) -> bool {
        let state = state as usize;
        if state < self.a.len() {
            self.a.accepting_set().contains(state)
        } else {
            self.b.accepting_set().contains(state - self.a.len())
        }
    }
}

/// Union-find with path halving and union by size.
struct Merged {
    /// The parent or, for a root, the negated size of its tree.
    parent: Vec<i32>,
}

impl Merged {
    fn new(states: usize) -> Self {
        Self { parent: vec![-1; states] }
    }

    #[inline]
    fn find(&mut self, mut state: u32) -> u32 {
        loop {
            let parent = self.parent[state as usize];
            if parent < 0 {
                return state;
            }
            let grandparent = self.parent[parent as usize];
            if grandparent < 0 {
                return parent as u32;
            }
            self.parent[state as usize] = grandparent;
            state = grandparent as u32;
        }
    }

    /// Merges the classes of `p` and `q`; returns false if they were already the same.
    #[inline]
    fn merge(&mut self, p: u32, q: u32) -> bool {
        let (p, q) = (self.find(p), self.find(q));
        if p == q {
            return false;
        }
        let (large, small) = if self.parent[p as usize] <= self.parent[q as usize] { (p, q) } else { (q, p) };
        self.parent[large as usize] += self.parent[small as usize];
        self.parent[small as usize] = large as i32;
        true
    }
}
