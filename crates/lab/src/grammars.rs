//! Random grammars, drawn as in the paper.
//!
//! Each non-terminal has a geometrically distributed number of productions, each `A → c` or `A → B c`. Two repairs
//! follow: a grammar without any `A → c` is given one, and each non-terminal that is unreachable from the start symbol
//! is added to a production of a reachable one. After that the language is not empty, since some `A → c` is reachable.

use std::collections::BTreeSet;

use automata::{Body, Direction, Grammar, Letter, Nonterminal, Production};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::chance;

/// Maximum number of letters, and of non-terminals: more productions would not fit in memory.
const MOST_SYMBOLS: usize = 1 << 20;
/// Maximum mean number of productions per non-terminal.
const MOST_PRODUCTIONS: f64 = 1e4;
/// Maximum mean number of productions in total.
const MOST_IN_ALL: f64 = 1e7;

/// Settings for drawing grammars.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrammarSettings {
    /// The number t of letters.
    pub letters: usize,
    /// The number n of non-terminals, including the start symbol.
    pub nonterminals: usize,
    /// The mean number 𝔭 of productions per non-terminal, at least 1. Duplicates are removed, so there may be fewer.
    pub productions: f64,
    /// The probability p_T that a production is of the form `A → c`.
    pub terminal: f64,
}

/// The middle of the paper's grid.
impl Default for GrammarSettings {
    fn default() -> Self {
        Self { letters: 4, nonterminals: 3, productions: 3.0, terminal: 0.4 }
    }
}

/// Why a grammar cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GrammarError {
    /// No letters, or too many.
    #[error("a random grammar has 1 to {MOST_SYMBOLS} letters, not {0}")]
    Letters(usize),
    /// No non-terminals, or too many.
    #[error("a random grammar has 1 to {MOST_SYMBOLS} non-terminals, not {0}")]
    Nonterminals(usize),
    /// The mean number of productions is out of range.
    #[error("a random grammar has 1 to {MOST_PRODUCTIONS} productions per non-terminal on average, not {0}")]
    Productions(f64),
    /// Too many productions in total.
    #[error(
        "{0} non-terminals with {1} productions each are too many: a random grammar has at most {MOST_IN_ALL} in all"
    )]
    TooMany(usize, f64),
    /// The probability is out of range.
    #[error("the probability of a production A -> c must be between 0 and 1, not {0}")]
    Terminal(f64),
}

/// A random left-regular grammar with a non-empty language and only reachable non-terminals: `S`, which is the start
/// symbol, `A1`, `A2`, …
pub fn random_grammar(settings: &GrammarSettings, seed: u64) -> Result<Grammar, GrammarError> {
    let &GrammarSettings { letters, nonterminals, productions, terminal } = settings;
    match settings {
        _ if !(1..=MOST_SYMBOLS).contains(&letters) => return Err(GrammarError::Letters(letters)),
        _ if !(1..=MOST_SYMBOLS).contains(&nonterminals) => return Err(GrammarError::Nonterminals(nonterminals)),
        _ if !(1.0..=MOST_PRODUCTIONS).contains(&productions) => return Err(GrammarError::Productions(productions)),
        _ if nonterminals as f64 * productions > MOST_IN_ALL => {
            return Err(GrammarError::TooMany(nonterminals, productions));
        }
        _ if !(0.0..=1.0).contains(&terminal) => return Err(GrammarError::Terminal(terminal)),
        _ => {}
    }
    let mut draw = Draw { letters, nonterminals, random: chance::stream(seed, 0) };
    let mut drawn: BTreeSet<Production> = BTreeSet::new();
    for head in (0..nonterminals).map(Nonterminal::new) {
        for _ in 0..draw.geometric(1.0 / productions) {
            let body = if chance::happens(terminal, &mut draw.random) {
                Body::Letter(draw.letter())
            } else {
                Body::Step(draw.nonterminal(), draw.letter())
            };
            drawn.insert(Production { head, body });
        }
    }
    if !drawn.iter().any(|production| matches!(production.body, Body::Letter(_))) {
        drawn.insert(Production { head: draw.nonterminal(), body: Body::Letter(draw.letter()) });
    }
    // The non-terminals have been treated alike so far, so the first can be the start symbol.
    let start = Nonterminal::new(0);
    let mut reached = Reached::new(nonterminals, &drawn);
    reached.add(start);
    for lost in (0..nonterminals).map(Nonterminal::new) {
        if !reached.contains(lost) {
            let head = reached.list[chance::below(reached.list.len(), &mut draw.random)];
            drawn.insert(Production { head, body: Body::Step(lost, draw.letter()) });
            reached.add(lost);
        }
    }
    let names = (0..nonterminals).map(|i| if i == 0 { "S".to_owned() } else { format!("A{i}") }).collect();
    Ok(Grammar::new(crate::letters(letters), Direction::Left, names, start, drawn))
}

/// The random draws for a grammar.
struct Draw {
    letters: usize,
    nonterminals: usize,
    random: ChaCha8Rng,
}

impl Draw {
    fn letter(&mut self) -> Letter {
        Letter::new(chance::below(self.letters, &mut self.random))
    }

    fn nonterminal(&mut self) -> Nonterminal {
        Nonterminal::new(chance::below(self.nonterminals, &mut self.random))
    }

    /// The number of trials up to the first success: 1, 2, 3, …, with mean 1 / `success`.
    fn geometric(&mut self, success: f64) -> usize {
        let mut tries = 1;
        while !chance::happens(success, &mut self.random) {
            tries += 1;
        }
        tries
    }
}

/// The non-terminals reachable from the start symbol, in the order in which they were found.
struct Reached {
    bodies: Vec<Vec<Nonterminal>>,
    known: Vec<bool>,
    list: Vec<Nonterminal>,
}

impl Reached {
    fn new(nonterminals: usize, productions: &BTreeSet<Production>) -> Self {
        let mut bodies = vec![Vec::new(); nonterminals];
        for production in productions {
            bodies[production.head.index()].extend(production.body.nonterminal());
        }
        Self { bodies, known: vec![false; nonterminals], list: Vec::new() }
    }

    fn contains(&self, nonterminal: Nonterminal) -> bool {
        self.known[nonterminal.index()]
    }

    /// Marks a non-terminal and everything it derives as reached.
    fn add(&mut self, nonterminal: Nonterminal) {
        let mut waiting = vec![nonterminal];
        while let Some(next) = waiting.pop() {
            if !std::mem::replace(&mut self.known[next.index()], true) {
                self.list.push(next);
                waiting.extend(&self.bodies[next.index()]);
            }
        }
    }
}
