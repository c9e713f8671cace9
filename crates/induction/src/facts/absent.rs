//! Facts from accepted words alone: what never occurs although one would expect it.
//!
//! Without rejected words nothing tells two labels apart, but a factor or a subsequence that is missing in a thousand words,
//! although its parts are frequent, is probably forbidden; and so are letters that never stand in some place from the start or the
//! end. Each such fact costs its bits and makes the language smaller, which shortens the code for the words. Those that pay are
//! kept, the best first: strictly local and strictly piecewise languages.

use automata::{Fact, Formula, Gap, Letter, Literal, Machine, Pattern};

use super::full;
use super::places;
use super::text::{Text, and, shift, star};
use super::total::Pricing;

/// Longer facts are not looked for.
const LONGEST: usize = 6;
/// Patterns of each length that are extended,
const BEAM: usize = 200;
/// by the letters that occur most often.
const MOST_LETTERS: usize = 256;
/// Missing patterns that are tried,
const TRIED: usize = 64;
/// and the most that a formula has.
const MOST: usize = 24;
/// A pattern must be expected at least this often.
const LEAST_EXPECTED: f64 = 4.0;

/// The shortest conjunction of such facts; `None` if none pays.
pub(super) fn formula(text: &Text, pricing: &Pricing<'_>) -> Option<Formula> {
    let mut facts: Vec<(f64, Literal)> = Vec::new();
    for free in [false, true] {
        let missing = missing(text, free).into_iter();
        facts.extend(missing.map(|(expected, pattern)| (expected, Literal { fact: Fact::Has(pattern), holds: false })));
    }
    let shares = shares(text);
    for (pattern, seen) in places::seen_in_places(text) {
        // Words that one would expect to have another letter there.
        let expected = text.words() as f64 * (1.0 - seen.iter().map(|&letter| shares[letter]).sum::<f64>());
        if expected >= LEAST_EXPECTED {
            facts.push((expected, Literal { fact: Fact::Has(pattern), holds: true }));
        }
    }
    facts.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    facts.truncate(TRIED);
    let truth: Vec<u64> = (0..text.words().div_ceil(64)).map(|block| full(text.words(), block)).collect();
    let machine = |(expected, literal): (f64, Literal)| {
        let machine = pricing.machine(&literal.fact)?;
        Some(((expected, literal), machine))
    };
    let (facts, machines): (Vec<(f64, Literal)>, Vec<Machine>) = facts.into_iter().filter_map(machine).unzip();
    let of = |chosen: &[usize]| {
        let literal = |&i: &usize| vec![facts[i].1.clone()];
        let formula = Formula { every: true, clauses: chosen.iter().map(literal).collect() };
        let machines: Vec<&Machine> = chosen.iter().map(|&i| &machines[i]).collect();
        let total = pricing.total(&formula, &machines, &truth)?;
        Some((total, formula))
    };
    let all = Fact::Length { least: 0, most: None };
    let anything = all.machine(pricing.alphabet);
    let mut best = pricing.words_bits(&anything, &truth) + pricing.label_bits(&truth) + 3.0;
    let (mut chosen, mut answer): (Vec<usize>, Option<Formula>) = (Vec::new(), None);
    while chosen.len() < MOST {
        let mut step: Option<(f64, usize, Formula)> = None;
        for i in (0..facts.len()).filter(|i| !chosen.contains(i)) {
            let more: Vec<usize> = chosen.iter().copied().chain([i]).collect();
            if let Some((total, formula)) = of(&more)
                && total < step.as_ref().map_or(best, |step| step.0) - 1e-6
            {
                step = Some((total, i, formula));
            }
        }
        let Some((total, i, formula)) = step else { break };
        (best, answer) = (total, Some(formula));
        chosen.push(i);
    }
    answer
}

/// The frequency of each letter.
fn shares(text: &Text) -> Vec<f64> {
    let all: f64 = text.inside().iter().map(|block| f64::from(block.count_ones())).sum();
    let times = |letter: usize| text.at(letter).iter().map(|block| f64::from(block.count_ones())).sum::<f64>();
    (0..text.letters()).map(|letter| times(letter) / all.max(1.0)).collect()
}

/// The patterns that do not occur although all letters but their last occur, with the number of times that one would expect.
fn missing(text: &Text, free: bool) -> Vec<(f64, Pattern)> {
    let letters = text.letters();
    let shares = shares(text);
    let mut found = Vec::new();
    let mut frequent: Vec<usize> = (0..letters).collect();
    frequent.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
    frequent.truncate(MOST_LETTERS);
    let mut nodes: Vec<(Vec<Letter>, Vec<u64>)> =
        frequent.iter().map(|&letter| (vec![Letter::new(letter)], text.at(letter).to_vec())).collect();
    for length in 2..=LONGEST {
        let mut grown: Vec<(usize, Vec<Letter>, Vec<u64>)> = Vec::new();
        for (word, ends) in &nodes {
            let mut reached = ends.clone();
            shift(&mut reached);
            if free {
                star(&mut reached, text.inside());
            }
            and(&mut reached, text.inside());
            let positions: u32 = reached.iter().map(|block| block.count_ones()).sum();
            for &letter in &frequent {
                let mut ends = reached.clone();
                and(&mut ends, text.at(letter));
                let times: u32 = ends.iter().map(|block| block.count_ones()).sum();
                let longer: Vec<Letter> = word.iter().copied().chain([Letter::new(letter)]).collect();
                if times > 0 {
                    grown.push((times as usize, longer, ends));
                    continue;
                }
                let expected = f64::from(positions) * shares[letter];
                let implied = found.iter().any(|(_, known): &(f64, Vec<Letter>)| is_part(known, &longer, free));
                if expected >= LEAST_EXPECTED && !implied {
                    found.push((expected, longer));
                }
            }
        }
        if length < LONGEST {
            grown.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            grown.truncate(BEAM);
            nodes = grown.into_iter().map(|(_, word, ends)| (word, ends)).collect();
        }
    }
    let gap = if free { Gap::Free } else { Gap::Adjacent };
    let pattern = |word: Vec<Letter>| {
        let inner = vec![gap.clone(); word.len() - 1];
        let gaps = [Gap::Free].into_iter().chain(inner).chain([Gap::Free]).collect();
        Pattern::new(word.into_iter().map(|letter| vec![letter]).collect(), gaps, 1)
    };
    found.into_iter().filter_map(|(expected, word)| Some((expected, pattern(word)?))).collect()
}

/// Whether a word has this part, as a factor or with gaps.
fn is_part(part: &[Letter], word: &[Letter], free: bool) -> bool {
    match free {
        false => word.windows(part.len()).any(|window| window == part),
        true => {
            let mut rest = word.iter();
            part.iter().all(|letter| rest.any(|other| other == letter))
        }
    }
}
