//! The code for formulas over facts.
//!
//! A formula first lists the sets of letters that its gaps exclude (tiers), each once; then its clauses, and for each fact its
//! kind, its letters and numbers. The order of clauses, and of the facts of a clause, costs nothing. A fact on a tier pays only
//! for letters of that tier.
//!
//! A formula may have exceptions: their number, and the length and the letters of each; their order costs nothing. The words
//! are spelled out although the receiver will be told them again among the examples. So an exception costs about as much as
//! the branch for this word costs in an automaton, and a language that needs many is better described otherwise.

use automata::{Fact, Formula, Gap, Letter, Literal, Pattern, Rule};

use super::answer::KIND;
use super::code::{choice, factorial, number};

/// The bits of a formula with exceptions over this many letters.
#[must_use]
pub fn rule_bits(rule: &Rule, letters: usize) -> f64 {
    // The empty word is no exception: the formula says what it is.
    let word_bits = |word: &Vec<Letter>| number(word.len().saturating_sub(1)) + word.len() as f64 * log2(letters);
    let words: f64 = rule.exceptions().iter().map(word_bits).sum();
    let count = rule.exceptions().len();
    formula_bits(rule.formula(), letters) + number(count) + words - factorial(count)
}

fn log2(n: usize) -> f64 {
    libm::log2(n.max(1) as f64)
}

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
    log2(letters) + choice(letters, size.min(letters))
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
    let modulo = |modulus: usize| number(modulus.saturating_sub(2)) + log2(modulus);
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
    let which_tier = log2(tiers.len());
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
        pattern.letters().len() as f64 * log2(among)
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
        1 => 1.0 + log2(letters),
        size if size >= letters => 2.0,
        size => 2.0 + log2(letters) + choice(letters, size),
    }
}

/// A set to count: one letter, or several.
fn set_bits(size: usize, letters: usize) -> f64 {
    match size {
        1 => 1.0 + log2(letters),
        size => 1.0 + log2(letters) + choice(letters, size.min(letters)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(bits: impl IntoIterator<Item = f64>) -> f64 {
        bits.into_iter().map(|bits| libm::exp2(-bits)).sum()
    }

    fn sets() -> [Vec<Letter>; 3] {
        let (a, b) = (Letter::new(0), Letter::new(1));
        [vec![a], vec![b], vec![a, b]]
    }

    /// Many facts over two letters: all patterns of one and two places, counts and lengths.
    fn facts() -> Vec<Fact> {
        let gaps: Vec<Gap> = [Gap::Adjacent, Gap::Free].into_iter().chain(sets().map(Gap::Without)).collect();
        let mut facts = Vec::new();
        for first in &gaps {
            for last in &gaps {
                for least in 1..6 {
                    for a in sets() {
                        let pattern = Pattern::new(vec![a.clone()], vec![first.clone(), last.clone()], least);
                        facts.extend(pattern.map(Fact::Has));
                        for (b, gap) in sets().into_iter().flat_map(|b| gaps.iter().map(move |gap| (b.clone(), gap))) {
                            let gaps = vec![first.clone(), gap.clone(), last.clone()];
                            facts.extend(Pattern::new(vec![a.clone(), b], gaps, least).map(Fact::Has));
                        }
                    }
                }
            }
        }
        for modulus in 2..40 {
            for remainder in 0..modulus {
                facts.push(Fact::LengthModulo { modulus, remainder });
                facts.extend(sets().map(|letters| Fact::CountModulo { letters, modulus, remainder }));
            }
        }
        for least in 0..30 {
            facts.extend((0..30).map(|more| Fact::Length { least, most: Some(least + more) }));
            facts.push(Fact::Length { least, most: None });
        }
        facts.sort_unstable();
        facts.dedup();
        facts
    }

    fn literals() -> Vec<Literal> {
        facts().into_iter().flat_map(|fact| [true, false].map(|holds| Literal { fact: fact.clone(), holds })).collect()
    }

    /// Kraft's inequality over formulas of one fact, and of two facts without tiers.
    #[test]
    fn formulas_have_a_code() {
        let formula = |clauses: &[&[&Literal]]| {
            let clauses =
                clauses.iter().map(|clause| clause.iter().map(|&literal| literal.clone()).collect()).collect();
            // The other form, and whether the empty word is as it says, cost a bit each.
            formula_bits(&Formula { every: true, clauses }, 2) - 2.0
        };
        let literals = literals();
        let singles = sum_of(literals.iter().map(|literal| formula(&[&[literal]])));
        let plain: Vec<&Literal> = literals.iter().filter(|literal| tiers_of(&literal.fact) == 0).step_by(7).collect();
        let mut pairs = 0.0;
        for (i, a) in plain.iter().enumerate() {
            for b in &plain[i + 1..] {
                pairs += sum_of([formula(&[&[a, b]]), formula(&[&[a], &[b]])]);
            }
        }
        let sum = singles + pairs;
        assert!(sum <= 0.2, "{sum}");
    }

    fn tiers_of(fact: &Fact) -> usize {
        let mut tiers = Vec::new();
        add_tiers(fact, &mut tiers);
        tiers.len()
    }

    /// Each fact has a code among all facts on the tiers that its formula lists, so clauses of any number of facts have one.
    #[test]
    fn facts_have_a_code() {
        let [a, b, both] = sets();
        let lists = [vec![], vec![&a], vec![&both], vec![&a, &b], vec![&b, &both], vec![&a, &b, &both]];
        let literals = literals();
        for listed in lists {
            let listed: Vec<&[Letter]> = listed.into_iter().map(|tier| &tier[..]).collect();
            let is_listed = |one: &&Literal| {
                let mut tiers = Vec::new();
                add_tiers(&one.fact, &mut tiers);
                tiers.iter().all(|tier| listed.contains(tier))
            };
            let sum = sum_of(literals.iter().filter(is_listed).map(|one| literal_bits(one, &listed, 2)));
            assert!(sum <= 1.0 && sum > 0.3, "{listed:?} {sum}");
        }
    }

    /// Kraft's inequality over formulas of two facts, on one tier or on two.
    #[test]
    fn formulas_on_tiers_have_a_code() {
        let literals = literals();
        let on_tiers: Vec<&Literal> = literals.iter().filter(|one| tiers_of(&one.fact) > 0).collect();
        assert!(on_tiers.len() > 3_000, "{}", on_tiers.len());
        let mut sums = [0.0; 3];
        for (i, a) in on_tiers.iter().enumerate().step_by(5) {
            for b in on_tiers[i + 1..].iter().step_by(11) {
                let formula = |clauses: Vec<Vec<Literal>>| Formula { every: true, clauses };
                let (a, b) = (Literal::clone(a), Literal::clone(b));
                let formulas = [formula(vec![vec![a.clone(), b.clone()]]), formula(vec![vec![a], vec![b]])];
                // The other form, and whether the empty word is as it says, cost a bit each.
                let sum = sum_of(formulas.iter().map(|formula| formula_bits(formula, 2) - 2.0));
                sums[tiers(&formulas[0]).len().min(3) - 1] += sum;
            }
        }
        assert!(sums.iter().sum::<f64>() <= 0.2 / 55.0 && sums.iter().all(|&sum| sum > 0.0), "{sums:?}");
    }

    /// The same formula with all sets of up to two exceptions of up to six letters: no more than the formula itself.
    #[test]
    fn exceptions_have_a_code() {
        let all = Formula { every: true, clauses: Vec::new() };
        let mut words: Vec<Vec<Letter>> = vec![Vec::new()];
        for at in 0..63 {
            let longer = [0, 1].map(|letter| words[at].iter().copied().chain([Letter::new(letter)]).collect());
            words.extend(longer);
        }
        let words = &words[1..];
        let mut bits = vec![rule_bits(&Rule::new(all.clone(), Vec::new()), 2)];
        for (i, a) in words.iter().enumerate() {
            bits.push(rule_bits(&Rule::new(all.clone(), vec![a.clone()]), 2));
            let pairs =
                words[i + 1..].iter().map(|b| rule_bits(&Rule::new(all.clone(), vec![a.clone(), b.clone()]), 2));
            bits.extend(pairs);
        }
        let (sum, alone) = (sum_of(bits), libm::exp2(-formula_bits(&all, 2)));
        assert!(sum <= alone && sum > alone / 2.0, "{sum} of {alone}");
    }
}
