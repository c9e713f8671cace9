//! The code for formulas over facts.
//!
//! A formula first lists the sets of letters that its gaps exclude (tiers), each once; then its clauses, and for each fact its
//! kind, its letters and numbers. The order of clauses, and of the facts of a clause, costs nothing. A fact on a tier pays only
//! for letters of that tier.

use automata::{Fact, Formula, Gap, Letter, Literal, Pattern};

use super::answer::KIND;
use super::code::{choice, factorial, number};

/// The bits of a formula over this many letters, and of whether the empty word is as it says; infinite if a fact has no code.
#[must_use]
pub fn formula_bits(formula: &Formula, letters: usize) -> f64 {
    const FORM: f64 = 1.0;
    const EMPTY_WORD: f64 = 1.0;
    let tiers = tiers(formula);
    let sets: f64 = tiers.iter().map(|tier| tier_bits(tier.len(), letters)).sum();
    let clause_bits = |clause: &Vec<Literal>| {
        let literals: f64 = clause.iter().map(|literal| literal_bits(literal, &tiers, letters)).sum();
        number(clause.len().saturating_sub(1)) + literals - factorial(distinct(clause))
    };
    let clauses: f64 = formula.clauses.iter().map(clause_bits).sum();
    KIND + FORM + EMPTY_WORD + number(tiers.len()) + sets + number(formula.clauses.len()) + clauses
        - factorial(distinct(&formula.clauses))
}

/// The bits of a set of this many of all letters.
pub(crate) fn tier_bits(size: usize, letters: usize) -> f64 {
    libm::log2(letters.max(1) as f64) + choice(letters, size.min(letters))
}

/// The bits of one fact, if its formula has no other tier than its own.
pub(crate) fn fact_bits(literal: &Literal, letters: usize) -> f64 {
    let mut tiers = Vec::new();
    add_tiers(&literal.fact, &mut tiers);
    literal_bits(literal, &tiers, letters)
}

/// The sets that gaps exclude, in the order of their first use.
fn tiers(formula: &Formula) -> Vec<&[Letter]> {
    let mut tiers = Vec::new();
    formula.clauses.iter().flatten().for_each(|literal| add_tiers(&literal.fact, &mut tiers));
    tiers
}

fn add_tiers<'a>(fact: &'a Fact, tiers: &mut Vec<&'a [Letter]>) {
    let Fact::Has(pattern) = fact else { return };
    for gap in pattern.gaps() {
        if let Gap::Without(set) = gap
            && !tiers.contains(&&set[..])
        {
            tiers.push(set);
        }
    }
}

fn distinct<T: Ord>(items: &[T]) -> usize {
    let mut sorted: Vec<&T> = items.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

fn literal_bits(literal: &Literal, tiers: &[&[Letter]], letters: usize) -> f64 {
    const SIGN: f64 = 1.0;
    // A complete prefix code for the kinds.
    const PATTERN: f64 = 1.0;
    const COUNT: f64 = 2.0;
    const LENGTH: f64 = 3.0;
    const BOUND: f64 = 2.0;
    let modulo = |modulus: usize| number(modulus.saturating_sub(2)) + libm::log2(modulus as f64);
    SIGN + match &literal.fact {
        Fact::Has(pattern) => PATTERN + pattern_bits(pattern, tiers, letters),
        Fact::CountModulo { letters: set, modulus, .. } => COUNT + set_bits(set.len(), letters) + modulo(*modulus),
        Fact::LengthModulo { modulus, .. } => LENGTH + modulo(*modulus),
        Fact::Length { least, most: None } => LENGTH + BOUND + number(*least),
        Fact::Length { least: 0, most: Some(most) } => LENGTH + BOUND + number(*most),
        Fact::Length { least, most: Some(most) } => LENGTH + BOUND + number(*least) + number(most - least),
        _ => f64::INFINITY,
    }
}

fn pattern_bits(pattern: &Pattern, tiers: &[&[Letter]], letters: usize) -> f64 {
    // All gaps adjacent, all free, all on one tier, or each by itself.
    const GAPS: f64 = 2.0;
    const PLAIN: f64 = 1.0;
    let which_tier = libm::log2(tiers.len().max(1) as f64);
    let anchors = match pattern.anchors() {
        (false, false) => 1.0,
        _ => 3.0,
    };
    let tier = the_tier(pattern);
    let (mut gaps, base) = match tier {
        Some(tier) => (which_tier, tier),
        None => (0.0, &[][..]),
    };
    if tier.is_none() && !is_uniform(pattern) {
        gaps += pattern.inner_gaps().iter().map(|gap| mixed_bits(gap, which_tier)).sum::<f64>();
        let (first, last) = (&pattern.gaps()[0], &pattern.gaps()[pattern.letters().len()]);
        // An anchor is adjacent or on a tier.
        let ends = [first, last].into_iter().filter(|gap| **gap != Gap::Free);
        gaps += ends.map(|gap| if *gap == Gap::Adjacent { 1.0 } else { 1.0 + which_tier }).sum::<f64>();
    }
    let in_tier = |set: &Vec<Letter>| set.len() == 1 && (tier.is_none() || base.binary_search(&set[0]).is_ok());
    let each = if pattern.letters().iter().all(in_tier) {
        let among = if tier.is_some() { base.len() } else { letters };
        pattern.letters().len() as f64 * libm::log2(among.max(1) as f64)
    } else {
        pattern.letters().iter().map(|set| place_bits(set.len(), letters)).sum()
    };
    let count = if pattern.anchors().1 { 0.0 } else { number(pattern.least() - 1) };
    GAPS + gaps + number(pattern.letters().len() - 1) + anchors + PLAIN + each + count
}

/// The tier of a pattern that has the same one in all its gaps, between letters and at its anchors.
fn the_tier(pattern: &Pattern) -> Option<&[Letter]> {
    let (first, last) = (&pattern.gaps()[0], &pattern.gaps()[pattern.letters().len()]);
    let ends = [first, last].into_iter().filter(|gap| **gap != Gap::Free);
    let mut gaps = pattern.inner_gaps().iter().chain(ends);
    let Some(Gap::Without(tier)) = gaps.next() else { return None };
    gaps.all(|gap| matches!(gap, Gap::Without(other) if other == tier)).then_some(tier)
}

/// Whether all inner gaps are adjacent, or all are free, and anchors are adjacent.
fn is_uniform(pattern: &Pattern) -> bool {
    let (first, last) = (&pattern.gaps()[0], &pattern.gaps()[pattern.letters().len()]);
    let inner = pattern.inner_gaps();
    let alike = inner.iter().all(|gap| *gap == Gap::Adjacent) || inner.iter().all(|gap| *gap == Gap::Free);
    alike && [first, last].into_iter().all(|gap| !matches!(gap, Gap::Without(_)))
}

fn mixed_bits(gap: &Gap, which_tier: f64) -> f64 {
    match gap {
        Gap::Adjacent => 1.0,
        Gap::Free => 2.0,
        Gap::Without(_) => 2.0 + which_tier,
    }
}

/// One letter, any letter, or another set.
fn place_bits(size: usize, letters: usize) -> f64 {
    match size {
        1 => 1.0 + libm::log2(letters as f64),
        size if size >= letters => 2.0,
        size => 2.0 + libm::log2(letters as f64) + choice(letters, size),
    }
}

/// A set to count: one letter, or several.
fn set_bits(size: usize, letters: usize) -> f64 {
    match size {
        1 => 1.0 + libm::log2(letters as f64),
        size => 1.0 + libm::log2(letters as f64) + choice(letters, size.min(letters)),
    }
}
