//! Regular grammars, left- and right-regular, and their way to and from automata.
//!
//! A left-regular grammar derives a word from its last letter to its first: `A → B c` says that a word of `A` is a word
//! of `B` followed by `c`. Read forwards, that is an edge from `B` to `A` on `c`, so the non-terminals are the states,
//! the start symbol is where words end, and one extra state, from which `A → c` leads to `A`, is where they begin. A
//! right-regular grammar (`A → c B`) is the mirror image, and is converted by mirroring.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use crate::alphabet::Alphabet;
use crate::dfa::Dfa;
use crate::formats::grammar_text::can_be_nonterminal;
use crate::ids::{Letter, Nonterminal, StateId};
use crate::nfa::{Nfa, NfaBuilder};
use crate::reach::{Successors, reachable};

/// The usual name of a start symbol.
const START: &str = "S";
/// What the state is called that stands for no non-terminal.
const EMPTY_WORD: &str = "ε";

/// Which side of a letter the non-terminal stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// `A → B c`.
    #[default]
    Left,
    /// `A → c B`.
    Right,
}

impl Direction {
    /// The other one.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        }
    }
}

/// What a non-terminal may be rewritten to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// `A → ε`.
    Empty,
    /// `A → B`.
    Unit(Nonterminal),
    /// `A → c`.
    Letter(Letter),
    /// `A → B c`, or `A → c B` in a right-regular grammar.
    Step(Nonterminal, Letter),
}

impl Body {
    /// The non-terminal on the right-hand side, if there is one.
    #[must_use]
    pub fn nonterminal(self) -> Option<Nonterminal> {
        match self {
            Body::Unit(b) | Body::Step(b, _) => Some(b),
            Body::Empty | Body::Letter(_) => None,
        }
    }

    /// The letter on the right-hand side, if there is one.
    #[must_use]
    pub fn letter(self) -> Option<Letter> {
        match self {
            Body::Letter(c) | Body::Step(_, c) => Some(c),
            Body::Empty | Body::Unit(_) => None,
        }
    }
}

/// A rule `head → body`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Production {
    /// The non-terminal that is rewritten.
    pub head: Nonterminal,
    /// What it is rewritten to.
    pub body: Body,
}

/// A regular grammar: named non-terminals, one of them the start symbol, and productions, sorted, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    alphabet: Alphabet,
    direction: Direction,
    names: Vec<String>,
    start: Nonterminal,
    productions: Vec<Production>,
}

impl Grammar {
    /// A grammar of these productions; duplicates collapse.
    ///
    /// # Panics
    /// When a production or the start symbol names a non-terminal or letter that is not there.
    #[must_use]
    pub fn new(
        alphabet: Alphabet,
        direction: Direction,
        names: Vec<String>,
        start: Nonterminal,
        productions: impl IntoIterator<Item = Production>,
    ) -> Self {
        let productions: BTreeSet<Production> = productions.into_iter().collect();
        let known = |nonterminal: Nonterminal| nonterminal.index() < names.len();
        assert!(known(start), "the start symbol has a name");
        for Production { head, body } in &productions {
            assert!(known(*head) && body.nonterminal().is_none_or(known), "every non-terminal has a name");
            assert!(body.letter().is_none_or(|c| c.index() < alphabet.len()), "every letter is in the alphabet");
        }
        Self { alphabet, direction, names, start, productions: productions.into_iter().collect() }
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// Left- or right-regular.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The start symbol.
    #[must_use]
    pub fn start(&self) -> Nonterminal {
        self.start
    }

    /// The non-terminals in order.
    pub fn nonterminals(&self) -> impl DoubleEndedIterator<Item = Nonterminal> + ExactSizeIterator + Clone + use<> {
        (0..self.names.len()).map(Nonterminal::new)
    }

    /// The name of a non-terminal.
    #[must_use]
    pub fn name(&self, nonterminal: Nonterminal) -> &str {
        &self.names[nonterminal.index()]
    }

    /// The productions, sorted by head, then body.
    #[must_use]
    pub fn productions(&self) -> &[Production] {
        &self.productions
    }

    /// The same productions over a larger alphabet. Where a class has become several letters, each production has too.
    ///
    /// # Panics
    /// When `larger` lacks a letter of this grammar.
    #[must_use]
    pub fn over(&self, larger: &Alphabet) -> Self {
        let letters = self.alphabet.embedding(larger);
        let mut productions = Vec::with_capacity(self.productions.len());
        for &Production { head, body } in &self.productions {
            let Some(letter) = body.letter() else {
                productions.push(Production { head, body });
                continue;
            };
            productions.extend(
                letters.of(letter).iter().map(|&c| Production {
                    head,
                    body: body.nonterminal().map_or(Body::Letter(c), |b| Body::Step(b, c)),
                }),
            );
        }
        Self::new(larger.clone(), self.direction, self.names.clone(), self.start, productions)
    }

    /// The grammar of the reversed words: the same productions, read in the other direction.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { direction: self.direction.reversed(), ..self.clone() }
    }

    /// A grammar of the same language in the direction asked for.
    #[must_use]
    pub fn directed(&self, direction: Direction) -> Self {
        if direction == self.direction { self.clone() } else { Self::from_nfa(&self.to_nfa(), direction) }
    }

    /// The same language without `A → ε` and `A → B`, except from the start symbol.
    #[must_use]
    pub fn normalized(&self) -> Self {
        let stands_for = self.units();
        let mut has_empty = FixedBitSet::with_capacity(self.names.len());
        has_empty.extend(self.productions.iter().filter(|p| p.body == Body::Empty).map(|p| p.head.index()));
        let derives_empty = |a: Nonterminal| stands_for.of(a).iter().any(|b| has_empty.contains(b.index()));
        let mut productions = Vec::new();
        for head in self.nonterminals() {
            // What A may become by units alone, it may do; the start symbol keeps its units instead.
            let sources = if head == self.start { vec![head] } else { stands_for.of(head) };
            for source in sources {
                for &Production { body, .. } in self.productions_of(source) {
                    match body {
                        Body::Empty => {}
                        Body::Unit(_) if head != self.start => {}
                        Body::Step(b, c) if derives_empty(b) => {
                            productions.push(Production { head, body: Body::Letter(c) });
                            productions.push(Production { head, body });
                        }
                        body => productions.push(Production { head, body }),
                    }
                }
            }
        }
        if derives_empty(self.start) {
            productions.push(Production { head: self.start, body: Body::Empty });
        }
        Self::new(self.alphabet.clone(), self.direction, self.names.clone(), self.start, productions)
    }

    /// The same language without useless non-terminals: each that stays derives some word and is met in some
    /// derivation from the start symbol, which stays in any case.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        let count = self.names.len();
        let uses = self.productions.iter().filter_map(|p| Some((p.head.index(), p.body.nonterminal()?.index())));
        let ends = self.productions.iter().filter(|p| p.body.nonterminal().is_none()).map(|p| p.head.index());
        let productive = reachable(count, ends, uses.clone().map(|(head, body)| (body, head)));
        let kept = |p: &&Production| p.body.nonterminal().is_none_or(|b| productive.contains(b.index()));
        let mut useful = reachable(
            count,
            [self.start.index()],
            self.productions.iter().filter(kept).filter_map(|p| Some((p.head.index(), p.body.nonterminal()?.index()))),
        );
        useful.intersect_with(&productive);
        useful.insert(self.start.index());

        let mut new_name = vec![None; count];
        for (new, old) in useful.ones().enumerate() {
            new_name[old] = Some(Nonterminal::new(new));
        }
        let renamed = |old: Nonterminal| new_name[old.index()];
        let productions = self.productions.iter().filter(kept).filter_map(|p| {
            let body = match p.body {
                Body::Unit(b) => Body::Unit(renamed(b)?),
                Body::Step(b, c) => Body::Step(renamed(b)?, c),
                other => other,
            };
            Some(Production { head: renamed(p.head)?, body })
        });
        let names = useful.ones().map(|old| self.names[old].clone()).collect();
        let start = renamed(self.start).expect("the start symbol is kept");
        Self::new(self.alphabet.clone(), self.direction, names, start, productions)
    }

    /// The same grammar with other names for its non-terminals, in order.
    ///
    /// # Panics
    /// When there are not as many names as non-terminals.
    #[must_use]
    pub fn renamed(self, names: Vec<String>) -> Self {
        assert_eq!(names.len(), self.names.len(), "a name for each non-terminal");
        Self { names, ..self }
    }

    /// The same grammar with the usual names: `S` for the start symbol, and `A1`, `A2`, … for the others in order.
    #[must_use]
    pub fn with_usual_names(self) -> Self {
        let start = self.start.index();
        let mut names: Vec<String> = (1..self.names.len()).map(|number| format!("A{number}")).collect();
        names.insert(start, START.to_owned());
        self.renamed(names)
    }

    /// The automaton of the same language: a state for each non-terminal, in order, and one more.
    #[must_use]
    pub fn to_nfa(&self) -> Nfa {
        let mut builder = NfaBuilder::with_states(self.alphabet.clone(), self.names.len() + 1);
        let state = |a: Nonterminal| StateId::new(a.index());
        let beginning = StateId::new(self.names.len());
        builder.initial(beginning);
        // As if left-regular. Where A stands in a body, whatever A becomes by units alone may stand.
        let stands_for = self.units();
        for &Production { head, body } in &self.productions {
            match body {
                Body::Empty => builder.initial(state(head)),
                Body::Unit(_) => {}
                Body::Letter(c) => builder.edge(beginning, c, state(head)),
                Body::Step(b, c) => {
                    for b in stands_for.of(b) {
                        builder.edge(state(b), c, state(head));
                    }
                }
            }
        }
        for end in stands_for.of(self.start) {
            builder.accepting(state(end));
        }
        let nfa = builder.build();
        match self.direction {
            Direction::Left => nfa,
            Direction::Right => nfa.reversed(),
        }
    }

    /// The same automaton, its states named by the non-terminals. The one more derives the empty word alone: `ε`.
    #[must_use]
    pub fn to_named_nfa(&self) -> Nfa {
        let names = self.names.iter().cloned().chain([EMPTY_WORD.to_owned()]).collect();
        self.to_nfa().with_names(names)
    }

    /// A grammar of the language of `nfa`: `S`, and a non-terminal `A1`, `A2`, … for each useful state in order, as
    /// extraction from a trained model yields it. The productions are `S → Aᵢ` where words may end, `Aᵢ → c`,
    /// `Aᵢ → Aⱼ c`, and `S → ε` when the empty word is accepted.
    #[must_use]
    pub fn from_nfa(nfa: &Nfa, direction: Direction) -> Self {
        let (nfa, entered) = oriented(nfa, direction);
        let others = (1..=entered.count_ones(..)).map(|number| format!("A{number}"));
        let names = std::iter::once(START.to_owned()).chain(others).collect();
        Self::of_states(&nfa, &entered.ones().collect::<Vec<_>>(), None, direction, names)
    }

    /// The same with the names of the states as non-terminals: the inverse of [`Grammar::to_named_nfa`], up to useless
    /// symbols and unit productions. `None` if the automaton has no names or they do not fit.
    #[must_use]
    pub fn from_named_nfa(nfa: &Nfa, direction: Direction) -> Option<Self> {
        let (nfa, entered) = oriented(nfa, direction);
        let own = nfa.names()?;
        let start = entered.ones().find(|&state| own[state] == START);
        // A state called S is the start symbol, which then has no unit productions and is in no body.
        let ends = || nfa.accepting().map(StateId::index).filter(|&end| entered.contains(end));
        let fits = |start| ends().eq([start]) && nfa.edges_from(StateId::new(start)).is_empty();
        if start.is_some_and(|start| !fits(start)) {
            return None;
        }
        let mut others: Vec<usize> = entered.ones().filter(|&state| Some(state) != start).collect();
        // States may be numbered in another order than the non-terminals were.
        others.sort_by_cached_key(|&state| by_number(&own[state]));
        let own_names = others.iter().map(|&state| own[state].clone());
        let names: Vec<String> = std::iter::once(START.to_owned()).chain(own_names).collect();
        let differ = names.iter().collect::<BTreeSet<_>>().len() == names.len();
        let are_valid = differ && names.iter().all(|name| can_be_nonterminal(name));
        are_valid.then(|| Self::of_states(&nfa, &others, start, direction, names))
    }

    /// A grammar with a non-terminal for each of these states, after the start symbol, which may stand for a state too.
    fn of_states(nfa: &Nfa, others: &[usize], first: Option<usize>, direction: Direction, names: Vec<String>) -> Self {
        let start = Nonterminal::new(0);
        let mut nonterminal = vec![None; nfa.len()];
        for (number, &state) in others.iter().enumerate() {
            nonterminal[state] = Some(Nonterminal::new(number + 1));
        }
        if let Some(first) = first {
            nonterminal[first] = Some(start);
        }
        let mut productions = Vec::new();
        if nfa.accepts_empty_word() {
            productions.push(Production { head: start, body: Body::Empty });
        }
        for end in nfa.accepting().filter_map(|state| nonterminal[state.index()]).filter(|&end| end != start) {
            productions.push(Production { head: start, body: Body::Unit(end) });
        }
        for (from, letter, to) in nfa.edges() {
            let head = nonterminal[to.index()].expect("an edge enters it");
            if let Some(b) = nonterminal[from.index()] {
                productions.push(Production { head, body: Body::Step(b, letter) });
            }
            if nfa.is_initial(from) {
                productions.push(Production { head, body: Body::Letter(letter) });
            }
        }
        Self::new(nfa.alphabet().clone(), direction, names, start, productions)
    }

    /// A grammar of the language of `dfa`, as [`Grammar::from_nfa`] makes it.
    #[must_use]
    pub fn from_dfa(dfa: &Dfa, direction: Direction) -> Self {
        Self::from_nfa(&Nfa::from(dfa), direction)
    }

    /// The productions that rewrite `head`, sorted.
    #[must_use]
    pub fn productions_of(&self, head: Nonterminal) -> &[Production] {
        let begin = self.productions.partition_point(|p| p.head < head);
        let end = self.productions.partition_point(|p| p.head <= head);
        &self.productions[begin..end]
    }

    /// What each non-terminal becomes by unit productions alone.
    fn units(&self) -> Units {
        let units = self.productions.iter().filter_map(|p| match p.body {
            Body::Unit(b) => Some((p.head.index(), b.index())),
            _ => None,
        });
        let graph = Successors::new(self.names.len(), units);
        let closure = |a: Nonterminal| match graph.of(a.index()) {
            [] => None,
            _ => Some(graph.reachable([a.index()]).ones().map(Nonterminal::new).collect()),
        };
        Units { closures: self.nonterminals().map(closure).collect() }
    }
}

/// For each non-terminal with unit productions, those it becomes by them alone, itself included.
struct Units {
    closures: Vec<Option<Vec<Nonterminal>>>,
}

impl Units {
    /// Those that may stand where `a` does, itself included.
    fn of(&self, a: Nonterminal) -> Vec<Nonterminal> {
        self.closures[a.index()].clone().unwrap_or_else(|| vec![a])
    }
}

/// The useful part of an automaton, as if for a left-regular grammar, and its states that an edge enters: the others
/// derive nothing but the empty word, which is said elsewhere.
fn oriented(nfa: &Nfa, direction: Direction) -> (Nfa, FixedBitSet) {
    let nfa = match direction {
        Direction::Left => nfa.trimmed(),
        Direction::Right => nfa.trimmed().reversed(),
    };
    let mut entered = FixedBitSet::with_capacity(nfa.len());
    entered.extend(nfa.edges().map(|(_, _, to)| to.index()));
    (nfa, entered)
}

/// A key that sorts A2 before A10.
fn by_number(name: &str) -> (String, u64) {
    let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (prefix.to_owned(), name[prefix.len()..].parse().unwrap_or(0))
}
