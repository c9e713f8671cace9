//! The shortest grammar that is known for a language.
//!
//! A learner and a reader want few productions. The minimal deterministic automaton is canonical, but may be
//! exponentially larger than necessary: `[01]*1[01]{4}` takes 82 productions from its 32 states, and 14 from the six
//! positions that remain after [`reduce`]. There is no best way to a small non-deterministic automaton, so several are
//! compared:
//!
//! - the minimal deterministic automaton;
//! - the given automaton, reduced;
//! - the minimal deterministic automaton, reduced;
//! - the minimal deterministic automaton of the reversed words, read backwards, as it is and reduced. What depends on the
//!   end of a word is often small there.

use crate::determinize::determinize;
use crate::dfa::Dfa;
use crate::formats::grammar_text;
use crate::grammar::{Body, Direction, Grammar, Production};
use crate::minimize::minimize;
use crate::nfa::Nfa;
use crate::reduce::reduce;

/// Maximum number of states when an automaton is made deterministic that may turn out small.
const STATE_LIMIT: usize = 100_000;

/// A grammar of the language of `nfa` with as few productions as are known to suffice, as [`grammar_text`] writes them.
/// Of equally many productions, it has the fewest non-terminals; of equally many of these, it is the minimal
/// deterministic automaton's.
///
/// `dfa` is an automaton of the same language, if one is known; it need not be minimal. Without it, one is made unless it
/// takes more than 100,000 states. If only a deterministic automaton is known, `nfa` is `&Nfa::from(&dfa)`.
///
/// The productions are those of [`Grammar::from_nfa`], except that S takes the place of the only non-terminal in which
/// words end if no production uses that one. So S is in no body, and `S → ε` concerns the empty word alone.
///
/// ```
/// use automata::{Alphabet, Direction, Grammar, Regex, shortest_grammar};
///
/// let regex = Regex::parse("[01]*1[01]{4}", &Alphabet::of_chars("01"))?;
/// assert_eq!(Grammar::from_dfa(&regex.to_dfa()?, Direction::Left).productions().len(), 82);
/// assert_eq!(shortest_grammar(&regex.to_nfa()?, None, Direction::Left).productions().len(), 14);
/// # Ok::<(), automata::RegexError>(())
/// ```
#[must_use]
pub fn shortest_grammar(nfa: &Nfa, dfa: Option<&Dfa>, direction: Direction) -> Grammar {
    let grammars = equivalent_automata(nfa, dfa).into_iter();
    let grammars = grammars.map(|nfa| with_short_start(Grammar::from_nfa(&nfa, direction)));
    let length = |grammar: &Grammar| (grammar_text::productions(grammar).len(), grammar.nonterminals().len());
    grammars.min_by_key(length).expect("there is at least one automaton")
}

/// An automaton of the language of `nfa` with as few useful states as are known to suffice, and of these one with the
/// fewest edges. It is the minimal deterministic automaton, complete, unless another has fewer useful states.
///
/// `dfa` is as for [`shortest_grammar`].
#[must_use]
pub fn smallest_automaton(nfa: &Nfa, dfa: Option<&Dfa>) -> Nfa {
    let states = |nfa: &Nfa| nfa.useful_states().count_ones(..);
    let all = equivalent_automata(nfa, dfa);
    let deterministic = all.first().filter(|first| is_deterministic(first)).map_or(usize::MAX, states);
    let smaller = all.iter().filter(|nfa| states(nfa) < deterministic);
    let smallest = smaller.min_by_key(|nfa| (states(nfa), nfa.edges().count())).or(all.first());
    smallest.cloned().expect("there is at least one automaton")
}

fn is_deterministic(nfa: &Nfa) -> bool {
    let one_each = |state| nfa.edges_from(state).windows(2).all(|pair| pair[0].0 < pair[1].0);
    nfa.initial().count() <= 1 && nfa.states().all(one_each)
}

/// Automata of the language of `nfa`: first the minimal deterministic one if it can be made, then others.
fn equivalent_automata(nfa: &Nfa, dfa: Option<&Dfa>) -> Vec<Nfa> {
    let made = || determinize(&nfa.trimmed(), STATE_LIMIT.max(2 * nfa.len())).ok();
    let minimal = dfa.map(minimize).or_else(|| made().map(|dfa| minimize(&dfa)));
    let minimal = minimal.map(|dfa| Nfa::from(&dfa));
    let mut all: Vec<Nfa> = minimal.iter().cloned().collect();
    if minimal.as_ref() != Some(nfa) {
        all.extend(reduced_both_ways(nfa));
    }
    if let Some(minimal) = &minimal {
        all.extend(reduced_both_ways(minimal));
    }
    // A state that words visit takes a production. The reverse of a deterministic automaton becomes minimal when it is
    // made deterministic, so there is little hope if it has many more states than there are edges already.
    let edges = all.iter().map(|nfa| nfa.edges().count()).min().unwrap_or(0);
    let limit = if minimal.is_some() { 4 * edges + 1 } else { STATE_LIMIT };
    if let Ok(backwards) = determinize(&minimal.as_ref().unwrap_or(nfa).trimmed().reversed(), limit) {
        let turned = Nfa::from(&minimize(&backwards)).reversed().trimmed();
        let reduced = reduced_both_ways(&turned);
        all.push(turned.numbered_breadth_first());
        all.extend(reduced);
    }
    all
}

/// The automaton reduced beginning forwards, and beginning backwards: the first step may rule out a better second one.
fn reduced_both_ways(nfa: &Nfa) -> [Nfa; 2] {
    [reduce(nfa), reduce(&nfa.reversed()).reversed().numbered_breadth_first()]
}

/// The same grammar without `S → A` if that is its only unit production and A is in no other body: S then has the
/// productions of A.
fn with_short_start(grammar: Grammar) -> Grammar {
    let start = grammar.start();
    let mut units = grammar.productions().iter().filter(|production| matches!(production.body, Body::Unit(_)));
    let (Some(&unit), None) = (units.next(), units.next()) else { return grammar };
    let Some(end) = unit.body.nonterminal() else { return grammar };
    let is_used = |production: &Production| *production != unit && production.body.nonterminal() == Some(end);
    if unit.head != start || grammar.productions().iter().any(is_used) {
        return grammar;
    }
    let productions = grammar.productions().iter().filter(|production| **production != unit);
    let productions =
        productions.map(|&Production { head, body }| Production { head: if head == end { start } else { head }, body });
    let names = grammar.nonterminals().map(|a| grammar.name(a).to_owned()).collect();
    let short = Grammar::new(grammar.alphabet().clone(), grammar.direction(), names, start, productions);
    short.trimmed().with_usual_names()
}
