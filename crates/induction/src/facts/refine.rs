//! Formulas made tighter and looser, by all bits.
//!
//! The search over labels leaves open which of several facts with the same words is meant. Here each fact of a formula is
//! exchanged for its neighbours: a letter more or less at either end, another gap, another number of occurrences, an end, a
//! letter in or out of its tier or of a set. The shortest whole message decides, so a rare pattern is extended while it still
//! matches the same words (it *closes*), and a wide one is loosened where words demand it.

use automata::{Fact, Formula, Gap, Letter, Literal, Machine, Pattern};

use super::store::Store;
use super::text::Text;
use super::total::Pricing;

/// Labels may cost this much more after a step, if the words pay for it.
const SLACK: f64 = 24.0;
/// Of the neighbours of a fact, this many are priced completely.
const MOST_PRICED: usize = 48;
/// and no more than this many are kept at a time.
const MANY_PRICED: usize = 1_000;
/// An arbitrary letter is exchanged only in patterns with fewer letters, times those of the alphabet.
const MOST_EXCHANGED: usize = 4_096;

/// A formula being refined.
#[derive(Clone, Debug)]
pub(super) struct Refined {
    pub(super) formula: Formula,
    /// For each literal in order, the words that have its fact, and its automaton.
    facts: Vec<(Vec<u64>, Machine)>,
    pub(super) total: f64,
    pub(super) wrong: usize,
    /// The next literal to look at, and how many were looked at since the last change.
    at: usize,
    idle: usize,
}

pub(super) struct Refiner<'a> {
    pub(super) text: &'a Text,
    pub(super) store: &'a Store,
    pub(super) pricing: Pricing<'a>,
    pub(super) lengths: &'a [usize],
}

impl Refiner<'_> {
    /// A formula to begin with; `None` if it is too large.
    pub(super) fn begin(&self, formula: Formula) -> Option<Refined> {
        let machine = |literal: &Literal| Some((self.words(&literal.fact), self.pricing.machine(&literal.fact)?));
        let facts: Vec<(Vec<u64>, Machine)> = formula.clauses.iter().flatten().map(machine).collect::<Option<_>>()?;
        let truth = self.truth(&formula, &facts);
        let machines: Vec<&Machine> = facts.iter().map(|(_, machine)| machine).collect();
        let total = self.pricing.total(&formula, &machines, &truth)?;
        let wrong = self.pricing.wrong(self.pricing.labels.count(&truth));
        Some(Refined { formula, facts, total, wrong, at: 0, idle: 0 })
    }

    /// Looks at one literal, and takes its best neighbour. Returns whether nothing is left to improve.
    pub(super) fn advance(&self, refined: &mut Refined) -> bool {
        // After the literals, it is the turn of the tiers.
        let at = refined.at % (refined.facts.len() + 1);
        let changed = if at < refined.facts.len() { self.change(refined, at) } else { self.change_tiers(refined) };
        refined.at = at + 1;
        refined.idle = if changed { 0 } else { refined.idle + 1 };
        refined.idle > refined.facts.len()
    }

    /// Takes a letter into a tier or out of it, in all facts at once.
    fn change_tiers(&self, refined: &mut Refined) -> bool {
        let mut tiers: Vec<Vec<Letter>> = Vec::new();
        for literal in refined.formula.clauses.iter().flatten() {
            let Fact::Has(pattern) = &literal.fact else { continue };
            let sets =
                pattern.gaps().iter().filter_map(|gap| if let Gap::Without(set) = gap { Some(set) } else { None });
            tiers.extend(sets.cloned());
        }
        tiers.sort_unstable();
        tiers.dedup();
        let now = self.pricing.label_bits(&self.truth(&refined.formula, &refined.facts));
        let mut candidates: Vec<(f64, Formula, Vec<Vec<u64>>)> = Vec::new();
        for tier in &tiers {
            for letter in (0..self.text.letters()).map(Letter::new) {
                let mut set = tier.clone();
                match set.binary_search(&letter) {
                    Ok(at) => drop(set.remove(at)),
                    Err(at) => set.insert(at, letter),
                }
                let Some(formula) = with_tier(&refined.formula, tier, &set) else { continue };
                let literals = formula.clauses.iter().flatten().zip(refined.formula.clauses.iter().flatten());
                let words = literals.zip(&refined.facts).map(|((new, old), (words, _))| match new == old {
                    true => words.clone(),
                    false => self.words(&new.fact),
                });
                let words: Vec<Vec<u64>> = words.collect();
                let bits = self.pricing.label_bits(&self.truth_of(&formula, &words));
                if bits <= now + SLACK {
                    candidates.push((bits, formula, words));
                }
            }
        }
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        candidates.truncate(MOST_PRICED);
        let mut best: Option<Refined> = None;
        for (_, formula, words) in candidates {
            let machines = formula.clauses.iter().flatten().map(|literal| self.pricing.machine(&literal.fact));
            let facts = words.into_iter().zip(machines).map(|(words, machine)| Some((words, machine?)));
            let Some(facts) = facts.collect::<Option<_>>() else { continue };
            let Some(other) = self.priced(formula, facts) else { continue };
            if self.is_better(&other, best.as_ref().unwrap_or(refined)) {
                best = Some(other);
            }
        }
        self.take(refined, best)
    }

    fn is_better(&self, other: &Refined, known: &Refined) -> bool {
        let wrong = |refined: &Refined| if self.pricing.noise { 0 } else { refined.wrong };
        (wrong(other), other.total) < (wrong(known), known.total - 1e-6)
    }

    /// Exchanges or deletes a literal; returns whether the message got shorter.
    fn change(&self, refined: &mut Refined, at: usize) -> bool {
        let (clause, literal) = place(&refined.formula, at);
        let mut best: Option<Refined> = None;
        let mut consider = |other: Refined| {
            if self.is_better(&other, best.as_ref().unwrap_or(refined)) {
                best = Some(other);
            }
        };
        // Without the literal, and without its clause: the one makes the language smaller where the other makes it larger.
        let size = refined.formula.clauses[clause].len();
        let whole = Some(0..size).filter(|_| size > 1);
        for range in std::iter::once(literal..literal + 1).chain(whole) {
            if range.len() == refined.facts.len() {
                continue;
            }
            let mut formula = refined.formula.clone();
            formula.clauses[clause].drain(range.clone());
            formula.clauses.retain(|clause| !clause.is_empty());
            let mut facts = refined.facts.clone();
            facts.drain(at - literal + range.start..at - literal + range.end);
            self.priced(formula, facts).into_iter().for_each(&mut consider);
        }
        for (other, words) in self.forms(&refined.formula.clauses[clause][literal], &refined.facts[at].0) {
            let Some(machine) = self.pricing.machine(&other.fact) else { continue };
            let (mut formula, mut facts) = (refined.formula.clone(), refined.facts.clone());
            formula.clauses[clause][literal] = other;
            facts[at] = (words, machine);
            self.priced(formula, facts).into_iter().for_each(&mut consider);
        }
        let Fact::Has(pattern) = &refined.formula.clauses[clause][literal].fact else {
            return self.take(refined, best);
        };
        // First by labels, which are cheap; then the best ones by all bits.
        let now = self.pricing.label_bits(&self.truth(&refined.formula, &refined.facts));
        let mut facts = refined.facts.clone();
        let mut candidates: Vec<(f64, Pattern, Vec<u64>)> = Vec::new();
        neighbours(pattern, self.text.letters(), |other| {
            facts[at].0 = self.text.having(&other);
            let truth = self.truth(&refined.formula, &facts);
            let bits = self.pricing.label_bits(&truth);
            if bits <= now + SLACK {
                candidates.push((bits, other, std::mem::take(&mut facts[at].0)));
            }
            if candidates.len() > MANY_PRICED {
                shorten(&mut candidates);
            }
        });
        shorten(&mut candidates);
        for (_, other, words) in candidates {
            let mut formula = refined.formula.clone();
            formula.clauses[clause][literal].fact = Fact::Has(other);
            let Some(machine) = self.pricing.machine(&formula.clauses[clause][literal].fact) else { continue };
            let mut facts = refined.facts.clone();
            facts[at] = (words, machine);
            self.priced(formula, facts).into_iter().for_each(&mut consider);
        }
        self.take(refined, best)
    }

    /// Other literals that the same words satisfy, as far as they were found, each with the words that have its fact: labels do
    /// not tell them apart, but a tighter one may be worth its bits.
    fn forms(&self, literal: &Literal, words: &[u64]) -> Vec<(Literal, Vec<u64>)> {
        let others: Vec<u64> = words.iter().zip(super::all(self.text)).map(|(words, all)| all & !words).collect();
        let mut found: Vec<(Literal, Vec<u64>)> = Vec::new();
        for (words, holds) in [(words, literal.holds), (&others, !literal.holds)] {
            for fact in self.store.of_words(words) {
                let other = Literal { fact: fact.clone(), holds };
                if other != *literal && !found.iter().any(|(known, _)| *known == other) {
                    found.push((other, words.to_vec()));
                }
            }
        }
        found
    }

    fn take(&self, refined: &mut Refined, best: Option<Refined>) -> bool {
        let Some(best) = best else { return false };
        let at = refined.at;
        *refined = Refined { at, ..best };
        true
    }

    fn priced(&self, formula: Formula, facts: Vec<(Vec<u64>, Machine)>) -> Option<Refined> {
        let truth = self.truth(&formula, &facts);
        let machines: Vec<&Machine> = facts.iter().map(|(_, machine)| machine).collect();
        let total = self.pricing.total(&formula, &machines, &truth)?;
        let wrong = self.pricing.wrong(self.pricing.labels.count(&truth));
        Some(Refined { formula, facts, total, wrong, at: 0, idle: 0 })
    }

    /// The words that have a fact.
    pub(super) fn words(&self, fact: &Fact) -> Vec<u64> {
        match fact {
            Fact::Has(pattern) => self.text.having(pattern),
            fact => super::counts::having(self.text, self.lengths, fact),
        }
    }

    fn truth(&self, formula: &Formula, facts: &[(Vec<u64>, Machine)]) -> Vec<u64> {
        truth_of(formula, self.text.words(), |fact, block| facts[fact].0[block])
    }

    fn truth_of(&self, formula: &Formula, facts: &[Vec<u64>]) -> Vec<u64> {
        truth_of(formula, self.text.words(), |fact, block| facts[fact][block])
    }
}

/// The words that satisfy a formula, by the words that have each of its facts.
pub(super) fn truth_of(formula: &Formula, words: usize, facts: impl Fn(usize, usize) -> u64) -> Vec<u64> {
    let of_block = |block: usize| {
        let full = super::full(words, block);
        let (mut all, mut any, mut number) = (full, 0, 0);
        for clause in &formula.clauses {
            let (mut every, mut some) = (full, 0);
            for literal in clause {
                let words = facts(number, block);
                let holds = (if literal.holds { words } else { !words }) & full;
                (every, some, number) = (every & holds, some | holds, number + 1);
            }
            (all, any) = (all & some, any | every);
        }
        if formula.every { all } else { any }
    };
    (0..words.div_ceil(64)).map(of_block).collect()
}

/// The formula with another set in place of a tier; `None` if that is no pattern.
fn with_tier(formula: &Formula, tier: &[Letter], set: &[Letter]) -> Option<Formula> {
    let mut formula = formula.clone();
    for literal in formula.clauses.iter_mut().flatten() {
        let Fact::Has(pattern) = &literal.fact else { continue };
        let moved = |gap: &Gap| match gap {
            Gap::Without(old) if old == tier => Gap::Without(set.to_vec()),
            gap => gap.clone(),
        };
        let gaps = pattern.gaps().iter().map(moved).collect();
        literal.fact = Fact::Has(Pattern::new(pattern.letters().to_vec(), gaps, pattern.least())?);
    }
    Some(formula)
}

/// The clause of a literal, and its number in it.
pub(super) fn place(formula: &Formula, mut at: usize) -> (usize, usize) {
    for (i, clause) in formula.clauses.iter().enumerate() {
        match at.checked_sub(clause.len()) {
            None => return (i, at),
            Some(rest) => at = rest,
        }
    }
    (0, 0)
}

/// The cheapest ones; of equals, the first.
fn shorten<T, U>(candidates: &mut Vec<(f64, T, U)>) {
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    candidates.truncate(MOST_PRICED);
}

/// Visits the patterns that differ from this one in one respect.
pub(super) fn neighbours(pattern: &Pattern, letters: usize, mut visit: impl FnMut(Pattern)) {
    let length = pattern.letters().len();
    let (sets, gaps, least) = (pattern.letters(), pattern.gaps(), pattern.least());
    let tier = gaps.iter().find_map(|gap| if let Gap::Without(set) = gap { Some(set.clone()) } else { None });
    let mut add = |sets: Vec<Vec<Letter>>, gaps: Vec<Gap>, least: usize| {
        let least = if gaps.last() == Some(&Gap::Free) { least } else { 1 };
        Pattern::new(sets, gaps, least).filter(|other| other != pattern).into_iter().for_each(&mut visit);
    };
    let single = |letter: usize| vec![Letter::new(letter)];
    // The other kinds of gap.
    let kinds: Vec<Gap> = [Gap::Adjacent, Gap::Free].into_iter().chain(tier.clone().map(Gap::Without)).collect();
    let readable: Vec<usize> = match &tier {
        Some(tier) => tier.iter().map(|letter| letter.index()).collect(),
        None => (0..letters).collect(),
    };
    // One letter more at either end, or any letter.
    let any: Vec<Letter> = (0..letters).map(Letter::new).collect();
    for gap in &kinds {
        for set in readable.iter().map(|&letter| single(letter)).chain([any.clone()]) {
            let mut longer = sets.to_vec();
            longer.push(set.clone());
            let mut wider = gaps.to_vec();
            wider.insert(length, gap.clone());
            add(longer, wider, least);
            let mut longer = sets.to_vec();
            longer.insert(0, set);
            let mut wider = gaps.to_vec();
            wider.insert(1, gap.clone());
            add(longer, wider, least);
        }
    }
    // One letter less.
    if length > 1 {
        for i in 0..length {
            let (mut shorter, mut narrower) = (sets.to_vec(), gaps.to_vec());
            shorter.remove(i);
            let after = i + usize::from(i == 0);
            narrower.remove(after.min(length - 1).max(1));
            add(shorter, narrower, least);
        }
    }
    // Other letters, and sets.
    for i in (0..length).filter(|&i| sets[i].len() < letters || length * letters <= MOST_EXCHANGED) {
        for letter in 0..letters {
            let letter = Letter::new(letter);
            let mut other = sets.to_vec();
            match other[i].binary_search(&letter) {
                Ok(at) => drop(other[i].remove(at)),
                Err(at) => {
                    let mut replaced = sets.to_vec();
                    replaced[i] = vec![letter];
                    add(replaced, gaps.to_vec(), least);
                    other[i].insert(at, letter);
                }
            }
            add(other, gaps.to_vec(), least);
        }
    }
    // Other numbers, ends and gaps.
    if least > 1 {
        add(sets.to_vec(), gaps.to_vec(), least - 1);
    }
    add(sets.to_vec(), gaps.to_vec(), least + 1);
    for i in 0..=length {
        for gap in kinds.iter().filter(|gap| **gap != gaps[i]) {
            let mut other = gaps.to_vec();
            other[i] = gap.clone();
            add(sets.to_vec(), other, least);
        }
    }
    for gap in &kinds {
        let other: Vec<Gap> = gaps
            .iter()
            .enumerate()
            .map(|(i, old)| if i == 0 || i == length { old.clone() } else { gap.clone() })
            .collect();
        add(sets.to_vec(), other, least);
    }
}
