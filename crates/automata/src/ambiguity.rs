//! Whether a grammar is ambiguous, and the first word with two derivations.
//!
//! A regular grammar is ambiguous if two different trees have the same word at their leaves. The trees are those of the
//! [normal form](Grammar::normalized) without `S → S`, in which no derivation loops without reading: these are the
//! trees that a parse forest counts.
//!
//! In a regular grammar a tree is a comb, so it corresponds to a path of an automaton, read letter by letter. Two trees
//! of one word are two paths that read the same letters: a walk through pairs of states. The pairs start equal and
//! diverge where the trees differ; whether they have diverged is remembered, since they may meet again. The first
//! accepting pair that has diverged gives the answer.

use hashbrown::HashSet;

use crate::Word;
use crate::grammar::{Body, Direction, Grammar};
use crate::ids::{Letter, Nonterminal, StateId};
use crate::nfa::{Nfa, NfaBuilder};

/// The first word in canonical order, shorter words first, that the grammar derives in two ways; `None` if it is
/// unambiguous.
///
/// Exact for words of any length. With n non-terminals at most about 2n² pairs are visited, and for each of them the
/// productions that read the same letter after both.
///
/// ```
/// use automata::{ambiguous_word, formats::grammar_text};
/// let grammar = grammar_text::read("S -> A | B\nA -> a | A a\nB -> b | A b | B b\n")?;
/// assert_eq!(ambiguous_word(&grammar), None);
///
/// // Where the last b of A ends and the first b of B begins is left open.
/// let grammar = grammar_text::read("S -> B\nA -> a | A a | A b\nB -> A b | B b\n")?;
/// let word = ambiguous_word(&grammar).expect("it is ambiguous");
/// assert_eq!(grammar.alphabet().write(&word), "abb");
/// # Ok::<(), automata::formats::FormatError>(())
/// ```
#[must_use]
pub fn ambiguous_word(grammar: &Grammar) -> Option<Word> {
    first_of_two_paths(&paths_of_trees(grammar))
}

/// The automaton whose accepting paths correspond one to one to the trees of the grammar, except the tree of ε, of
/// which there is at most one.
fn paths_of_trees(grammar: &Grammar) -> Nfa {
    let normal = grammar.normalized();
    let start = normal.start();
    let count = normal.nonterminals().len();
    // A node stands for its non-terminal, A. The start symbol reached by `S → A` is a separate node for each such A, so
    // that it is distinguished from S and from A.
    let node = |a: Nonterminal| StateId::new(a.index());
    let start_by_way_of = |a: Nonterminal| StateId::new(count + 1 + a.index());
    let beginning = StateId::new(count);
    let mut builder = NfaBuilder::with_states(normal.alphabet().clone(), 2 * count + 1);
    let mut is_unit = vec![false; count];
    for production in normal.productions() {
        match production.body {
            Body::Unit(a) if a != start => is_unit[a.index()] = true,
            _ => {}
        }
    }
    let ends = |a: Nonterminal| [Some(node(a)), is_unit[a.index()].then(|| start_by_way_of(a))].into_iter().flatten();
    let units = || normal.nonterminals().filter(|a| is_unit[a.index()]);
    builder.initial(beginning);
    builder.accepting(node(start));
    units().for_each(|a| builder.accepting(start_by_way_of(a)));
    for production in normal.productions() {
        // As in a left-regular grammar: from the leaf up.
        let Some(c) = production.body.letter() else { continue };
        let below = match production.body {
            Body::Step(b, _) if b == start => [node(b)].into_iter().chain(units().map(start_by_way_of)).collect(),
            Body::Step(b, _) => vec![node(b)],
            _ => vec![beginning],
        };
        for from in below {
            ends(production.head).for_each(|to| builder.edge(from, c, to));
        }
    }
    let paths = builder.build().trimmed();
    match normal.direction() {
        Direction::Left => paths,
        Direction::Right => paths.reversed(),
    }
}

/// Two states that the same word leads to, the smaller one first, and whether the paths differ.
type Pair = (StateId, StateId, bool);

/// The pairs that a word is the first to reach, and the last letter of that word.
struct Reached {
    pairs: Vec<Pair>,
    /// The index of the entry for the word without its last letter.
    before: usize,
    letter: Letter,
}

/// The first word that two different accepting paths spell.
fn first_of_two_paths(nfa: &Nfa) -> Option<Word> {
    let is_end = |&(p, q, parted): &Pair| parted && nfa.is_accepting(p) && nfa.is_accepting(q);
    let mut seen: HashSet<Pair> = HashSet::new();
    let mut begin = Vec::new();
    for p in nfa.initial() {
        begin.extend(nfa.initial().filter(|&q| p <= q).map(|q| (p, q, p != q)));
    }
    seen.extend(begin.iter().copied());
    if begin.iter().any(is_end) {
        return Some(Word::empty());
    }
    // Words are visited in canonical order, each with all the pairs that no earlier word reached.
    let mut reached = vec![Reached { pairs: begin, before: 0, letter: Letter::new(0) }];
    let mut read = 0;
    while read < reached.len() {
        let mut next: Vec<(Letter, Pair)> = Vec::new();
        for &pair in &reached[read].pairs {
            follow(nfa, pair, |letter, pair| {
                if !seen.contains(&pair) {
                    next.push((letter, pair));
                }
            });
        }
        next.sort_unstable();
        for run in next.chunk_by(|a, b| a.0 == b.0) {
            let pairs: Vec<Pair> = run.iter().map(|&(_, pair)| pair).filter(|&pair| seen.insert(pair)).collect();
            if pairs.is_empty() {
                continue;
            }
            let found = pairs.iter().any(is_end);
            reached.push(Reached { pairs, before: read, letter: run[0].0 });
            if found {
                return Some(spell(&reached));
            }
        }
        // The pairs of this word are no longer needed, only its last letter.
        reached[read].pairs = Vec::new();
        read += 1;
    }
    None
}

/// Calls `visit` with each pair that one letter leads to.
fn follow(nfa: &Nfa, (p, q, parted): Pair, mut visit: impl FnMut(Letter, Pair)) {
    let mut others = nfa.edges_from(q);
    for run in nfa.edges_from(p).chunk_by(|a, b| a.0 == b.0) {
        let letter = run[0].0;
        others = &others[others.partition_point(|edge| edge.0 < letter)..];
        let same = &others[..others.partition_point(|edge| edge.0 == letter)];
        for &(_, to) in run {
            for &(_, other) in same {
                visit(letter, (to.min(other), to.max(other), parted || to != other));
            }
        }
    }
}

/// The word of the last entry.
fn spell(reached: &[Reached]) -> Word {
    let mut letters = Vec::new();
    let mut at = reached.len() - 1;
    while at != 0 {
        letters.push(reached[at].letter);
        at = reached[at].before;
    }
    letters.reverse();
    Word::from(letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::grammar_text;

    fn first(text: &str) -> Option<String> {
        let grammar = grammar_text::read(text).unwrap();
        ambiguous_word(&grammar).map(|word| grammar.alphabet().write(&word))
    }

    #[test]
    fn two_roots_make_two_trees() {
        assert_eq!(first("S -> A | B\nA -> a | A a\nB -> b | B a\n"), None);
        assert_eq!(first("S -> A | B\nA -> a | A a\nB -> b | A a\n").as_deref(), Some("aa"));
    }

    #[test]
    fn the_start_symbol_and_what_it_stands_on_are_two_nodes() {
        // By S → b, and by S → A, A → b.
        assert_eq!(first("S -> A | b\nA -> a | b\n").as_deref(), Some("b"));
        // A → S c and A → A c on the same A: only the path through S differs.
        assert_eq!(first("S -> A\nA -> a | S c | A c\n").as_deref(), Some("ac"));
    }

    #[test]
    fn going_round_without_reading_is_no_second_derivation() {
        assert_eq!(first("S -> S | a | S b\n"), None);
        assert_eq!(first("S -> ε | A\nA -> A | a\n"), None);
    }

    #[test]
    fn paths_may_part_and_meet_again() {
        let text = "S -> D\nA -> a\nB -> A b\nC -> A b\nD -> B c | C c | D d\n";
        assert_eq!(first(text).as_deref(), Some("abc"));
        assert_eq!(first(&text.replace("C -> A b", "C -> A d")), None);
    }

    #[test]
    fn right_regular_grammars_are_read_forwards() {
        assert_eq!(first("S -> a A | a B\nA -> b A | c\nB -> b B | d\n"), None);
        assert_eq!(first("S -> a A | a B | b S\nA -> b A | c\nB -> b | b B | c\n").as_deref(), Some("ac"));
    }
}
