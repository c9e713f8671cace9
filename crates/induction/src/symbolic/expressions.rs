//! A search over short expressions, shortest first, in the manner of AlphaRegex and Paresy.
//!
//! An expression is known by what it matches: one bit for each infix of the examples. The bits of `xy`, `x|y` and `x*` follow
//! from those of `x` and `y` alone, because infixes of infixes are infixes. So expressions are made from the bottom up in the
//! order of their cost, and of those that match the same infixes only the first is kept. The first that matches every
//! accepted word and no rejected one is a shortest expression that agrees with the examples.
//!
//! The number of expressions grows exponentially with their length, so this is for languages that a person would write down
//! in a line, from few words. Costs are those of `measure`, rounded to half bits, except that each operator of a chain
//! costs the same.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use automata::{Alphabet, Letter, Regex, RegexNode};

use crate::letter_order::letters_by_use;
use crate::sample::Sample;

/// Maximum number of infixes. Of more words, the shortest are used.
const MOST_INFIXES: usize = 1_000;
/// Maximum number of expressions kept.
const MOST_KEPT: usize = 400_000;
/// Total work, in pairs of infixes that are looked up: about half a second.
const MOST_WORK: u64 = 400_000_000;
/// Expressions that agree with the examples and take this many half bits more than the first are worth a look, too.
const SLACK: usize = 8;
/// Maximum number of expressions to return.
const MOST_FOUND: usize = 12;
/// Up to this many letters all classes are tried, beyond only single letters, all letters, and all but one.
const FEW_LETTERS: usize = 4;
/// Letters and classes are repeated up to this many times by a count.
const MOST_TIMES: u32 = 6;

/// Costs in half bits.
const CONCATENATION: usize = 4;
const ALTERNATION: usize = 8;
const REPETITION: usize = 8;
/// The longest expressions.
const MOST_COST: usize = 120;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Leaf(usize),
    Star,
    Plus,
    Optional,
    Times(u32),
    Concat,
    Alt,
}

#[derive(Clone, Copy)]
struct Made {
    op: Op,
    left: u32,
    right: u32,
}

/// Where the enumeration stands: at which cost, which operator, and which operands.
#[derive(Clone, Copy, Default)]
struct Cursor {
    cost: usize,
    stage: usize,
    left_cost: usize,
    left: usize,
    right: usize,
}

/// A search in slices.
pub(crate) struct Expressions {
    alphabet: Alphabet,
    leaves: Vec<(usize, Vec<Letter>)>,
    infixes: usize,
    /// The pairs of infixes that each infix is made of, and where those of each infix begin.
    splits: Vec<(u32, u32)>,
    begins: Vec<u32>,
    accepted: Vec<u64>,
    rejected: Vec<u64>,
    /// Bits of each kept expression, `width` numbers each.
    width: usize,
    bits: Vec<u64>,
    made: Vec<Made>,
    seen: HashSet<Box<[u64]>>,
    levels: Vec<Vec<u32>>,
    cursor: Cursor,
    found: Vec<u32>,
    /// Nothing beyond this cost is worth a look.
    last_cost: usize,
    work: u64,
}

impl Expressions {
    /// A search for expressions of at most this many bits. The letters are those of the sample.
    pub(crate) fn new(sample: &Sample, most_bits: f64) -> Self {
        let alphabet = sample.alphabet().clone();
        let mut infixes: BTreeSet<(usize, &[Letter])> = BTreeSet::from([(0, &[][..])]);
        let mut words = Vec::new();
        let by_use = letters_by_use(sample);
        let rank = |letter: &Letter| by_use.iter().position(|other| other == letter);
        // A word of n letters has about n²/2 infixes.
        let mut rows: Vec<_> = sample.rows().filter(|(word, _)| word.len() * word.len() / 2 <= MOST_INFIXES).collect();
        rows.sort_by_cached_key(|(word, _)| (word.len(), word.iter().map(rank).collect::<Vec<_>>()));
        for (word, counts) in rows {
            let new = |(from, to): (usize, usize)| (to - from, &word[from..to]);
            let spans = (0..word.len()).flat_map(|from| (from + 1..=word.len()).map(move |to| (from, to)));
            let more: Vec<_> = spans.map(new).filter(|infix| !infixes.contains(infix)).collect();
            if infixes.len() + more.len() > MOST_INFIXES {
                continue;
            }
            infixes.extend(more);
            words.push((word, counts.accepted > counts.rejected));
        }
        let infixes: Vec<&[Letter]> = infixes.into_iter().map(|(_, infix)| infix).collect();
        let number = |infix: &[Letter]| infixes.partition_point(|other| (other.len(), *other) < (infix.len(), infix));
        let (mut splits, mut begins) = (Vec::new(), vec![0]);
        for infix in &infixes {
            let pairs = (0..=infix.len()).map(|at| (number(&infix[..at]) as u32, number(&infix[at..]) as u32));
            splits.extend(pairs);
            begins.push(splits.len() as u32);
        }
        let width = infixes.len().div_ceil(64);
        let (mut accepted, mut rejected) = (vec![0; width], vec![0; width]);
        for (word, belongs) in words {
            set(if belongs { &mut accepted } else { &mut rejected }, number(word));
        }
        Self {
            leaves: leaves(&alphabet, &by_use),
            alphabet,
            infixes: infixes.len(),
            splits,
            begins,
            accepted,
            rejected,
            width,
            bits: Vec::new(),
            made: Vec::new(),
            seen: HashSet::new(),
            levels: vec![Vec::new(); MOST_COST + 1],
            cursor: Cursor::default(),
            found: Vec::new(),
            last_cost: ((2.0 * most_bits.max(0.0)) as usize).min(MOST_COST),
            work: 0,
        }
        .with_single_letters(&infixes)
    }

    /// The letters and classes, by what they match.
    fn with_single_letters(mut self, infixes: &[&[Letter]]) -> Self {
        for leaf in 0..self.leaves.len() {
            let mut bits = vec![0; self.width];
            let singles = infixes.iter().enumerate().filter(|(_, infix)| infix.len() == 1);
            singles.filter(|(_, infix)| self.leaves[leaf].1.contains(&infix[0])).for_each(|(i, _)| set(&mut bits, i));
            let cost = self.leaves[leaf].0;
            self.keep(Made { op: Op::Leaf(leaf), left: 0, right: 0 }, &bits, cost);
        }
        self
    }

    /// Goes on for about this much work. Returns the expressions that agree with the examples, shortest first.
    pub(crate) fn advance(&mut self, work: u64) -> ControlFlow<Vec<Regex>> {
        let until = self.work.saturating_add(work).min(MOST_WORK);
        let mut bits = vec![0; self.width];
        while self.work < until {
            let next = self.next().filter(|_| self.made.len() < MOST_KEPT && self.found.len() < MOST_FOUND);
            let Some((made, cost)) = next else { return ControlFlow::Break(self.regexes()) };
            self.apply(made, &mut bits);
            self.keep(made, &bits, cost);
        }
        match self.work >= MOST_WORK {
            true => ControlFlow::Break(self.regexes()),
            false => ControlFlow::Continue(()),
        }
    }

    /// What was found so far.
    pub(crate) fn regexes(&self) -> Vec<Regex> {
        self.found.iter().map(|&i| Regex::new(self.alphabet.clone(), self.node(i))).collect()
    }

    fn node(&self, i: u32) -> RegexNode {
        let Made { op, left, right } = self.made[i as usize];
        match op {
            Op::Leaf(leaf) => RegexNode::class(self.leaves[leaf].1.clone()),
            Op::Star => RegexNode::repeat(self.node(left), 0, None),
            Op::Plus => RegexNode::repeat(self.node(left), 1, None),
            Op::Optional => RegexNode::repeat(self.node(left), 0, Some(1)),
            Op::Times(times) => RegexNode::repeat(self.node(left), times, Some(times)),
            Op::Concat => RegexNode::concat([self.node(left), self.node(right)]),
            Op::Alt => RegexNode::alt([self.node(left), self.node(right)]),
        }
    }

    /// The next expression to try, with its cost.
    fn next(&mut self) -> Option<(Made, usize)> {
        loop {
            let Cursor { cost, stage, left_cost, left, right } = self.cursor;
            if cost > self.last_cost {
                return None;
            }
            match UNARY.get(stage) {
                Some(&(op, price)) => {
                    let operands = cost.checked_sub(price).map_or(&[][..], |cost| &self.levels[cost]);
                    match operands.get(left) {
                        Some(&operand) => {
                            self.cursor.left += 1;
                            let is_leaf = matches!(self.made[operand as usize].op, Op::Leaf(_));
                            if is_leaf || !matches!(op, Op::Times(_)) {
                                return Some((Made { op, left: operand, right: 0 }, cost));
                            }
                        }
                        None => self.cursor = Cursor { cost, stage: stage + 1, ..Cursor::default() },
                    }
                }
                None => {
                    let (op, price) = match stage - UNARY.len() {
                        0 => (Op::Concat, CONCATENATION),
                        1 => (Op::Alt, ALTERNATION),
                        _ => {
                            self.cursor = Cursor { cost: cost + 1, ..Cursor::default() };
                            continue;
                        }
                    };
                    let both = cost.checked_sub(price).filter(|both| left_cost <= *both);
                    // Alternatives have no order.
                    let both = both.filter(|both| op == Op::Concat || 2 * left_cost <= *both);
                    let Some(both) = both else {
                        self.cursor = Cursor { cost, stage: stage + 1, ..Cursor::default() };
                        continue;
                    };
                    let (lefts, rights) = (&self.levels[left_cost], &self.levels[both - left_cost]);
                    match (lefts.get(left), rights.get(right)) {
                        (Some(&left), Some(&right)) => {
                            self.cursor.right += 1;
                            return Some((Made { op, left, right }, cost));
                        }
                        (Some(_), None) if !rights.is_empty() => {
                            self.cursor = Cursor { left: left + 1, right: 0, ..self.cursor };
                        }
                        _ => self.cursor = Cursor { left_cost: left_cost + 1, left: 0, right: 0, ..self.cursor },
                    }
                }
            }
        }
    }

    /// What an expression matches.
    fn apply(&mut self, made: Made, bits: &mut [u64]) {
        let of = |i: u32| &self.bits[i as usize * self.width..][..self.width];
        let (x, y) = (of(made.left), of(made.right));
        let pairs = |i: usize| &self.splits[self.begins[i] as usize..self.begins[i + 1] as usize];
        bits.fill(0);
        let mut work = self.width as u64;
        match made.op {
            Op::Leaf(_) => {}
            Op::Optional => {
                bits.copy_from_slice(x);
                set(bits, 0);
            }
            Op::Alt => bits.iter_mut().zip(x.iter().zip(y)).for_each(|(bits, (x, y))| *bits = x | y),
            Op::Concat => {
                for i in 0..self.infixes {
                    let mut pairs = pairs(i).iter();
                    if pairs.any(|&(u, v)| has(x, u as usize) && has(y, v as usize)) {
                        set(bits, i);
                    }
                }
                work += self.splits.len() as u64;
            }
            Op::Star | Op::Plus => {
                set(bits, 0);
                for i in 1..self.infixes {
                    let mut pairs = pairs(i)[1..].iter();
                    if pairs.any(|&(u, v)| has(x, u as usize) && has(bits, v as usize)) {
                        set(bits, i);
                    }
                }
                if made.op == Op::Plus && !has(x, 0) {
                    bits[0] &= !1;
                }
                work += self.splits.len() as u64;
            }
            Op::Times(times) => {
                // A letter or class: what has this many letters, all of them of the class.
                let is_made = |i: usize| {
                    let (mut i, mut count) = (i, 0);
                    while i != 0 {
                        let [_, (first, rest), ..] = pairs(i) else { return false };
                        if !has(x, *first as usize) {
                            return false;
                        }
                        (i, count) = (*rest as usize, count + 1);
                    }
                    count == times
                };
                (1..self.infixes).filter(|&i| is_made(i)).for_each(|i| set(bits, i));
                work += self.splits.len() as u64;
            }
        }
        self.work += work;
    }

    /// Keeps an expression unless another matches the same infixes.
    fn keep(&mut self, made: Made, bits: &[u64], cost: usize) {
        if cost > MOST_COST || self.seen.contains(bits) {
            return;
        }
        self.seen.insert(bits.into());
        let i = self.made.len() as u32;
        self.made.push(made);
        self.bits.extend_from_slice(bits);
        self.levels[cost].push(i);
        let agrees = |words: &[u64], all: bool| {
            words.iter().zip(bits).all(|(words, bits)| words & if all { !bits } else { *bits } == 0)
        };
        if agrees(&self.accepted, true) && agrees(&self.rejected, false) {
            if self.found.is_empty() {
                self.last_cost = self.last_cost.min(cost + SLACK);
            }
            self.found.push(i);
        }
    }
}

/// The operators with one operand and their costs.
const UNARY: [(Op, usize); 3 + MOST_TIMES as usize - 1] = [
    (Op::Star, REPETITION),
    (Op::Plus, REPETITION),
    (Op::Optional, REPETITION),
    (Op::Times(2), 16),
    (Op::Times(3), 20),
    (Op::Times(4), 20),
    (Op::Times(5), 20),
    (Op::Times(6), 20),
];

/// Letters and classes with their costs in half bits. Budgets end the search somewhere among expressions of one cost, and of
/// those that match the same infixes the first is kept: so the letters are not in the order of their names.
fn leaves(alphabet: &Alphabet, letters: &[Letter]) -> Vec<(usize, Vec<Letter>)> {
    let count = letters.len();
    let mut sets: Vec<Vec<Letter>> = letters.iter().map(|&letter| vec![letter]).collect();
    if count <= FEW_LETTERS {
        let of = |subset: u32| {
            letters.iter().enumerate().filter(move |(i, _)| subset >> i & 1 == 1).map(|(_, &letter)| letter)
        };
        sets.extend((0..1_u32 << count).map(|subset| of(subset).collect::<Vec<_>>()).filter(|set| set.len() > 1));
    } else {
        sets.push(letters.to_vec());
        let but = |one: &Letter| letters.iter().copied().filter(|letter| letter != one).collect();
        sets.extend(letters.iter().map(but).collect::<Vec<Vec<Letter>>>());
    }
    sets.iter_mut().for_each(|set| set.sort_unstable());
    let cost = |set: &[Letter]| {
        let regex = Regex::new(alphabet.clone(), RegexNode::class(set.to_vec()));
        libm::round(2.0 * (crate::measure::expression_bits(&regex) - crate::measure::KIND)) as usize
    };
    sets.into_iter().map(|set| (cost(&set), set)).collect()
}

fn has(bits: &[u64], i: usize) -> bool {
    bits[i / 64] >> (i % 64) & 1 == 1
}

fn set(bits: &mut [u64], i: usize) {
    bits[i / 64] |= 1 << (i % 64);
}

#[cfg(test)]
mod tests {
    use automata::{Examples, Label};

    use super::*;

    fn sample(pattern: &str, letters: &str, longest: usize) -> Sample {
        let alphabet = Alphabet::of_chars(letters);
        let dfa = Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap().over(&alphabet);
        let all = automata::enumerate(&automata::Dfa::constant(alphabet.clone(), true));
        let words = all.take_while(|word| word.len() <= longest);
        let rows = words.map(|word| {
            let label = Label::from(dfa.accepts(&word));
            (word, label)
        });
        Sample::new(&Examples::of(&alphabet, rows), false).unwrap()
    }

    fn shortest(sample: &Sample, slice: u64) -> Vec<String> {
        let mut search = Expressions::new(sample, 60.0);
        loop {
            if let ControlFlow::Break(found) = search.advance(slice) {
                return found.iter().map(ToString::to_string).collect();
            }
        }
    }

    #[test]
    fn a_shortest_expression_is_found() {
        for (pattern, letters, longest) in
            [("[01]{2}0[01]*", "01", 4), ("(ab)*", "ab", 4), ("[01]*1[01]{4}", "01", 6), ("a*b*c*", "abc", 3)]
        {
            assert_eq!(shortest(&sample(pattern, letters, longest), u64::MAX)[0], pattern);
        }
    }

    #[test]
    fn slices_change_nothing() {
        let sample = sample("(a|bb)*", "ab", 4);
        assert_eq!(shortest(&sample, u64::MAX), shortest(&sample, 5_000));
    }

    /// The budgets end both searches at the same expressions, renamed.
    #[test]
    fn names_of_letters_do_not_matter() {
        let alphabet = Alphabet::of_chars("abc");
        let renamed = |letter: usize| (letter + 1) % 3;
        let languages = |words: &[Vec<usize>], labels: &[bool], rename: &dyn Fn(usize) -> usize| {
            let rows = words.iter().zip(labels).map(|(word, &label)| {
                let word: Vec<Letter> = word.iter().map(|&letter| Letter::new(letter)).collect();
                (word.into_iter().collect::<automata::Word>(), Label::from(label))
            });
            let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
            let dfa = |text: &String| Regex::parse(text, &alphabet).unwrap().to_dfa().unwrap().over(&alphabet);
            let moved = |dfa: automata::Dfa| {
                let rows = dfa.states().map(|state| {
                    let mut row = vec![None; 3];
                    for letter in alphabet.letters() {
                        row[rename(letter.index())] = dfa.next(state, letter).map(automata::StateId::index);
                    }
                    row
                });
                let accepting = dfa.accepting().map(automata::StateId::index);
                let rows: Vec<Vec<Option<usize>>> = rows.collect();
                automata::minimize(
                    &automata::Dfa::new(alphabet.clone(), dfa.initial().index(), accepting, &rows).unwrap(),
                )
            };
            shortest(&sample, u64::MAX).iter().map(dfa).map(moved).collect::<Vec<_>>()
        };
        for (seed, pattern) in ["[ab]*c", "(a|bc)*", "a[ac]*b|c", "[abc]*ba[abc]*", "(b|ca*)*a"].iter().enumerate() {
            let dfa = Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap().over(&alphabet);
            let mut random = crate::random::stream(seed as u64, 0);
            let mut below = |bound: u64| crate::random::below(bound, &mut random) as usize;
            let words: Vec<Vec<usize>> = (0..25).map(|_| (0..=below(7)).map(|_| below(3)).collect()).collect();
            let letters = |word: &Vec<usize>| word.iter().map(|&letter| Letter::new(letter)).collect::<Vec<_>>();
            let labels: Vec<bool> = words.iter().map(|word| dfa.accepts(&letters(word))).collect();
            let moved: Vec<Vec<usize>> = words.iter().map(|word| word.iter().map(|&c| renamed(c)).collect()).collect();
            let (one, other) = (languages(&words, &labels, &renamed), languages(&moved, &labels, &|letter| letter));
            assert!(!one.is_empty() && one == other, "{pattern}");
        }
    }

    /// What the bits say an expression matches is what its automaton accepts.
    #[test]
    fn bits_agree_with_automata() {
        let sample = sample("(a|bb)*", "ab", 4);
        let mut search = Expressions::new(&sample, 16.0);
        while search.advance(1_000_000).is_continue() {}
        let infixes: Vec<_> = sample.rows().map(|(word, _)| word.to_vec()).collect();
        assert_eq!(infixes.len(), search.infixes);
        for i in (0..search.made.len() as u32).step_by(7) {
            let dfa = Regex::new(search.alphabet.clone(), search.node(i)).to_dfa().unwrap().over(&search.alphabet);
            let bits = &search.bits[i as usize * search.width..][..search.width];
            for (number, word) in infixes.iter().enumerate() {
                assert_eq!(has(bits, number), dfa.accepts(word), "{:?}", search.node(i));
            }
        }
    }
}
