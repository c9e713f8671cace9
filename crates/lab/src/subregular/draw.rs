//! Random formulas.
//!
//! A formula is drawn again until its language can be learned from words that are drawn from it and its complement:
//! both have many words of every length, and each fact decides some of the words. Otherwise a formula of four facts would
//! often be one of a single fact for all that the words show.

use std::collections::BTreeSet;

use automata::{Alphabet, Dfa, Letter};
use rand_core::Rng;

use super::facts::{Fact, Pattern};
use super::formula::{Formula, Rule};
use super::product::Product;
use super::recipe::{Class, Form, Recipe};
use super::{LENGTHS, letters};
use crate::chance;

/// Maximum number of attempts.
const TRIES: u64 = 5000;
/// Maximum number of states of all facts together, and of the language.
const PRODUCT: usize = 4000;
const STATES: usize = 150;
/// Both the language and its complement have at least this many words of each length.
const WORDS: f64 = 100_000.0;
/// Every simpler formula is wrong about at least this fraction of the words that are drawn: five of a thousand.
const SHOWS: f64 = 0.005;
/// How often a factor is tied to the beginning or to the end of the word.
const TIED: f64 = 0.15;

/// A random language.
#[derive(Clone, Debug, PartialEq)]
pub struct Subregular {
    /// The formula.
    pub formula: Formula,
    /// The minimal automaton.
    pub dfa: Dfa,
}

/// The language of a recipe; `None` if no formula of many was usable.
#[must_use]
pub fn draw(recipe: &Recipe, seed: u64) -> Option<Subregular> {
    let alphabet = letters(recipe.letters);
    (0..TRIES).find_map(|number| {
        let formula = Drawer { recipe, random: chance::stream(seed, number) }.formula();
        // A fact that is there twice decides nothing.
        if formula.facts.iter().collect::<BTreeSet<_>>().len() < formula.facts.len() {
            return None;
        }
        let product = formula.product(&alphabet, PRODUCT)?;
        if !is_usable(&formula, &product, &alphabet) {
            return None;
        }
        let dfa = product.language(|facts| formula.rule.holds(facts));
        (dfa.len() <= STATES).then_some(Subregular { formula, dfa })
    })
}

/// Whether the words of a formula show what it says: no simpler formula gives nearly all of them the same label.
fn is_usable(formula: &Formula, product: &Product, alphabet: &Alphabet) -> bool {
    let (shortest, longest) = LENGTHS.into_inner();
    let labels: Vec<bool> = product.holds().iter().map(|facts| formula.rule.holds(facts)).collect();
    let differs = |(facts, &label): (&Vec<bool>, &bool)| -> Vec<bool> {
        simpler(formula, facts).into_iter().map(|other| other != label).collect()
    };
    let differs: Vec<Vec<bool>> = product.holds().iter().zip(&labels).map(differs).collect();
    // The fraction of the drawn words with another label, for each simpler formula, summed over lengths and labels.
    let mut differing = vec![0.0; differs[0].len()];
    let mut all = 1.0;
    for (length, shares) in product.shares(longest).iter().enumerate() {
        if length >= shortest {
            for label in [true, false] {
                let of_label = || (0..labels.len()).filter(|&state| labels[state] == label);
                let share: f64 = of_label().map(|state| shares[state]).sum();
                if share * all < WORDS {
                    return false;
                }
                for (other, sum) in differing.iter_mut().enumerate() {
                    let different = of_label().filter(|&state| differs[state][other]);
                    *sum += different.map(|state| shares[state]).sum::<f64>() / share;
                }
            }
        }
        all *= alphabet.len() as f64;
    }
    let groups = 2 * (longest - shortest + 1);
    differing.iter().all(|&sum| sum / groups as f64 >= SHOWS)
}

/// The labels that simpler formulas give to a word, from the truth of each fact: one of the facts is taken to be always
/// true, or always false, or `xor` is replaced by `or`.
fn simpler(formula: &Formula, facts: &[bool]) -> Vec<bool> {
    let mut labels = Vec::new();
    for i in 0..facts.len() {
        for constant in [true, false] {
            let mut facts = facts.to_vec();
            facts[i] = constant;
            labels.push(formula.rule.holds(&facts));
        }
    }
    labels.extend(formula.rule.without_xor().map(|rule| rule.holds(facts)));
    labels
}

struct Drawer<'a, R> {
    recipe: &'a Recipe,
    random: R,
}

impl<R: Rng> Drawer<'_, R> {
    fn formula(&mut self) -> Formula {
        let tier = self.tier();
        let facts = (0..self.recipe.literals).map(|number| self.fact(number, tier.as_ref())).collect();
        Formula { facts, rule: self.rule() }
    }

    fn below(&mut self, bound: usize) -> usize {
        chance::below(bound, &mut self.random)
    }

    fn happens(&mut self, probability: f64) -> bool {
        chance::happens(probability, &mut self.random)
    }

    /// A random set of letters of the size that the recipe gives.
    fn tier(&mut self) -> Option<BTreeSet<Letter>> {
        let size = self.recipe.tier?;
        let mut tier = BTreeSet::new();
        while tier.len() < size.min(self.recipe.letters) {
            tier.insert(Letter::new(self.below(self.recipe.letters)));
        }
        Some(tier)
    }

    fn fact(&mut self, number: usize, tier: Option<&BTreeSet<Letter>>) -> Fact {
        let Recipe { class, form, width, count, .. } = *self.recipe;
        if form == Form::Prefix && number == 0 {
            let prefix = vec![self.letter(None)];
            return Fact::Occurs(Pattern { tier: None, blocks: vec![prefix], start: true, end: false, times: 1 });
        }
        let is_first = number == usize::from(form == Form::Prefix);
        match class {
            Class::Zp | Class::Reg if is_first => {
                let modulus = count.unwrap_or(2);
                let letters = tier.cloned().unwrap_or_else(|| BTreeSet::from([Letter::new(0)]));
                return Fact::Count { letters, modulus, remainder: self.below(modulus) };
            }
            _ => {}
        }
        let own;
        let tier = match class {
            // The second fact is on another tier, and every other one on none.
            Class::SF if number == 1 => {
                own = self.tier();
                own.as_ref()
            }
            Class::SF if number > 1 => None,
            Class::Zp | Class::Reg => None,
            _ => tier,
        };
        let shortest = if self.needs_two() { 2 } else { 1 };
        let size = if is_first { width } else { shortest + self.below(width.max(shortest) - shortest + 1) };
        let letters: Vec<Letter> = (0..size).map(|_| self.letter(tier)).collect();
        let mut pattern = Pattern { tier: tier.cloned(), blocks: Vec::new(), start: false, end: false, times: 1 };
        let piecewise = self.happens(0.5);
        match class {
            Class::SP | Class::CoSP | Class::PT => pattern.blocks = each(letters),
            Class::Reg if piecewise => pattern.blocks = each(letters),
            Class::PLT | Class::TPLT => pattern.blocks = self.cut(letters),
            Class::LTT | Class::TLTT => {
                let most = count.unwrap_or(2);
                pattern.times = if is_first { most } else { 1 + self.below(most) };
                pattern.blocks = vec![letters];
            }
            _ => {
                if size > 1 && self.happens(TIED) {
                    let start = self.happens(0.5);
                    (pattern.start, pattern.end) = (start, !start);
                }
                pattern.blocks = vec![letters];
            }
        }
        Fact::Occurs(pattern)
    }

    /// Whether patterns of one letter would not be of the class: without a letter, the language is one over fewer.
    fn needs_two(&self) -> bool {
        let simple = [Class::SL, Class::CoSL, Class::TSL, Class::TcoSL, Class::SP, Class::CoSP];
        simple.contains(&self.recipe.class) || self.recipe.width >= 4
    }

    fn letter(&mut self, tier: Option<&BTreeSet<Letter>>) -> Letter {
        match tier {
            Some(tier) => {
                let place = self.below(tier.len());
                *tier.iter().nth(place).expect("it is below the size")
            }
            None => Letter::new(self.below(self.recipe.letters)),
        }
    }

    /// Blocks of a sequence of letters: at least two, and not all of one letter if there are more letters than two.
    fn cut(&mut self, letters: Vec<Letter>) -> Vec<Vec<Letter>> {
        let last = letters.len() - 1;
        if last < 2 {
            return each(letters);
        }
        let mut cuts = BTreeSet::from([1 + self.below(last)]);
        for at in 1..=last {
            if cuts.len() + 1 < last && self.happens(0.3) {
                cuts.insert(at);
            }
        }
        let mut blocks = vec![Vec::new()];
        for (at, letter) in letters.into_iter().enumerate() {
            if cuts.contains(&at) {
                blocks.push(Vec::new());
            }
            blocks.last_mut().expect("there is one").push(letter);
        }
        blocks
    }

    fn rule(&mut self) -> Rule {
        let all: Vec<usize> = (0..self.recipe.literals).collect();
        let fact = |&number: &usize| Rule::Fact(number);
        match self.recipe.form {
            Form::None => Rule::all(all.iter().map(|&number| Rule::literal(number, false)).collect()),
            Form::Some => Rule::any(all.iter().map(fact).collect()),
            Form::Mixed => self.mixed(&all),
            Form::If => {
                let (if_these, then) = all.split_at(all.len() / 2);
                let if_these = Rule::all(if_these.iter().map(fact).collect());
                Rule::If(Box::new([if_these, Rule::any(then.iter().map(fact).collect())]))
            }
            Form::Xor => {
                let xor = Rule::Xor(Box::new([Rule::Fact(0), Rule::Fact(1)]));
                let also = all[2..].iter().map(|&number| Rule::literal(number, self.happens(0.5)));
                Rule::all([xor].into_iter().chain(also.collect::<Vec<_>>()).collect())
            }
            Form::Prefix => {
                let prefix = Rule::literal(0, self.happens(0.5));
                Rule::All(vec![prefix, self.mixed(&all[1..])])
            }
        }
    }

    /// Facts and their opposites: one, two joined by `and` or `or`, or clauses of two.
    fn mixed(&mut self, numbers: &[usize]) -> Rule {
        let parts: Vec<Rule> = numbers.iter().map(|&number| Rule::literal(number, self.happens(0.5))).collect();
        if parts.len() == 2 && self.happens(0.5) {
            return Rule::all(parts);
        }
        Rule::all(parts.chunks(2).map(|clause| Rule::any(clause.to_vec())).collect())
    }
}

/// Each letter as a block.
fn each(letters: Vec<Letter>) -> Vec<Vec<Letter>> {
    letters.into_iter().map(|letter| vec![letter]).collect()
}
