//! Facts from accepted words alone: what never occurs although one would expect it.
//!
//! Without rejected words nothing tells two labels apart, but a factor or a subsequence that is missing in a thousand words,
//! although its parts are frequent, is probably forbidden; and so are a factor that no word begins or ends with, and letters that
//! never stand in some place from the start or the end. Each such fact costs its bits and makes the language smaller, which shortens the code for the words. Those that pay are
//! kept, the best first: strictly local and strictly piecewise languages.
//!
//! Patterns grow letter by letter. Only their letters are kept, and the positions where they end are found again when it is their
//! turn: sets of positions of hundreds of patterns in a large sample would fill the memory.

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;

use automata::{Fact, Formula, Gap, Letter, Literal, Machine, Pattern};

use super::places;
use super::text::{Text, and, back, shift, star};
use super::total::Pricing;
use super::{STEP, all};

/// Longer facts are not looked for.
const LONGEST: usize = 6;
/// Patterns of each length that are extended,
const BEAM: usize = 200;
/// by the letters that occur most often.
const MOST_LETTERS: usize = 256;
/// Missing patterns that are tried,
const TRIED: usize = 64;
/// those that are priced in a step,
const PRICED_OF_STEP: usize = 8;
/// and the most that a formula has.
const MOST: usize = 24;
/// A pattern must be expected at least this often.
const LEAST_EXPECTED: f64 = 4.0;

/// How the letters of a pattern stand in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Factor,
    /// A factor at the start of words,
    AtStart,
    /// or at the end; it grows from its last letter.
    AtEnd,
    Subsequence,
}

/// Factors first: one that is missing everywhere is not looked for at the ends.
const WAYS: [Way; 4] = [Way::Factor, Way::AtStart, Way::AtEnd, Way::Subsequence];

impl Way {
    /// The positions of the next letter.
    fn reached(self, text: &Text, word: &[Letter]) -> Vec<u64> {
        let step = |here: &mut [u64]| match self {
            Way::AtEnd => back(here),
            Way::Factor | Way::AtStart => shift(here),
            Way::Subsequence => {
                shift(here);
                star(here, text.inside());
            }
        };
        let mut here = match self {
            Way::Factor | Way::Subsequence => text.inside(),
            Way::AtStart => text.starts(),
            Way::AtEnd => text.ends(),
        }
        .to_vec();
        if self == Way::AtEnd {
            step(&mut here);
        }
        and(&mut here, text.inside());
        for at in 0..word.len() {
            let letter = word[if self == Way::AtEnd { word.len() - 1 - at } else { at }];
            and(&mut here, text.at(letter.index()));
            step(&mut here);
            and(&mut here, text.inside());
        }
        here
    }

    /// A word with its next letter.
    fn with(self, word: &[Letter], letter: Letter) -> Vec<Letter> {
        match self {
            Way::AtEnd => [letter].into_iter().chain(word.iter().copied()).collect(),
            _ => word.iter().copied().chain([letter]).collect(),
        }
    }

    /// The patterns that a word with this pattern has, too: those with its newest letter, for without it the pattern occurs.
    fn parts(self, word: &[Letter]) -> Vec<(Way, Vec<Letter>)> {
        let Some((&last, rest)) = word.split_last() else { return Vec::new() };
        let chosen = |mask: usize| {
            let kept = rest.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, &letter)| letter);
            (self, kept.chain([last]).collect())
        };
        let factor = |part: &[Letter]| (Way::Factor, part.to_vec());
        match self {
            Way::Factor => (1..rest.len()).map(|from| factor(&word[from..])).collect(),
            Way::AtStart => (0..rest.len()).map(|from| factor(&word[from..])).collect(),
            Way::AtEnd => (2..=word.len()).map(|to| factor(&word[..to])).collect(),
            Way::Subsequence => (1..(1_usize << rest.len()) - 1).map(chosen).collect(),
        }
    }

    fn pattern(self, word: Vec<Letter>) -> Option<Pattern> {
        let gap = if self == Way::Subsequence { Gap::Free } else { Gap::Adjacent };
        let mut gaps = vec![gap; word.len() + 1];
        if self != Way::AtStart {
            gaps[0] = Gap::Free;
        }
        if self != Way::AtEnd {
            gaps[word.len()] = Gap::Free;
        }
        Pattern::new(word.into_iter().map(|letter| vec![letter]).collect(), gaps, 1)
    }
}

/// The search for the shortest conjunction of such facts.
pub(super) struct Absent {
    /// The frequency of each letter.
    shares: Vec<f64>,
    /// The letters that occur most often.
    frequent: Vec<usize>,
    ways: VecDeque<Way>,
    /// Patterns of one length that are extended: the next one, and what was found so far.
    words: Vec<Vec<Letter>>,
    at: usize,
    children: Vec<(usize, usize, Letter)>,
    missing: Vec<(f64, Way, Vec<Letter>)>,
    known: BTreeSet<(Way, Vec<Letter>)>,
    choice: Option<Choice>,
}

impl Absent {
    pub(super) fn new(text: &Text) -> Self {
        let shares = shares(text);
        let mut frequent: Vec<usize> = (0..text.letters()).collect();
        frequent.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
        frequent.truncate(MOST_LETTERS);
        let (children, missing, known) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self {
            shares,
            frequent,
            ways: WAYS.into(),
            words: vec![Vec::new()],
            at: 0,
            children,
            missing,
            known,
            choice: None,
        }
    }

    /// Does one step; returns the formula at the end, or `None` if none pays.
    pub(super) fn advance(&mut self, text: &Text, pricing: &Pricing<'_>) -> ControlFlow<Option<Formula>> {
        if let Some(choice) = &mut self.choice {
            return choice.advance(pricing);
        }
        match self.ways.front() {
            Some(&way) => {
                self.extend(way, text);
            }
            None => self.choice = Some(self.choice(text, pricing)),
        }
        ControlFlow::Continue(())
    }

    /// Extends some patterns, and goes on to longer ones after the last. Returns the work.
    fn extend(&mut self, way: Way, text: &Text) -> usize {
        let mut work = 0;
        while self.at < self.words.len() && work < STEP {
            let word = &self.words[self.at];
            let reached = way.reached(text, word);
            let (counts, counted) = counts(text, &reached, &self.frequent);
            work += counted + (3 * word.len() + 1) * text.blocks();
            let positions: usize = counts.iter().sum();
            for (&letter, times) in self.frequent.iter().zip(counts) {
                if times > 0 {
                    self.children.push((times, self.at, Letter::new(letter)));
                    continue;
                }
                let expected = positions as f64 * self.shares[letter];
                if expected >= LEAST_EXPECTED {
                    let longer = way.with(word, Letter::new(letter));
                    if !way.parts(&longer).iter().any(|part| self.known.contains(part)) {
                        self.known.insert((way, longer.clone()));
                        self.missing.push((expected, way, longer));
                    }
                }
            }
            self.at += 1;
        }
        if self.at == self.words.len() {
            self.lengthen(way);
        }
        work
    }

    /// The patterns of the next length that occur most often; or the next way, if they are long enough.
    fn lengthen(&mut self, way: Way) {
        let (words, mut children) = (std::mem::take(&mut self.words), std::mem::take(&mut self.children));
        let length = words.first().map_or(0, Vec::len) + 1;
        self.at = 0;
        if length < LONGEST {
            children.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| words[a.1].cmp(&words[b.1])).then(a.2.cmp(&b.2)));
            children.truncate(if length == 1 { MOST_LETTERS } else { BEAM });
            self.words = children.into_iter().map(|(_, word, letter)| way.with(&words[word], letter)).collect();
        }
        if self.words.is_empty() {
            self.ways.pop_front();
            self.words.push(Vec::new());
        }
    }

    /// The facts to choose from.
    fn choice(&mut self, text: &Text, pricing: &Pricing<'_>) -> Choice {
        let mut missing = std::mem::take(&mut self.missing);
        missing.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, &a.2).cmp(&(b.1, &b.2))));
        missing.truncate(TRIED);
        let literal = |pattern: Pattern, holds: bool| Literal { fact: Fact::Has(pattern), holds };
        let missing = missing.into_iter();
        let mut facts: Vec<(f64, Literal)> =
            missing.filter_map(|(expected, way, word)| Some((expected, literal(way.pattern(word)?, false)))).collect();
        for (pattern, seen) in places::seen_in_places(text) {
            // Words that one would expect to have another letter there.
            let expected = text.words() as f64 * (1.0 - seen.iter().map(|&letter| self.shares[letter]).sum::<f64>());
            if expected >= LEAST_EXPECTED {
                facts.push((expected, literal(pattern, true)));
            }
        }
        facts.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        facts.truncate(TRIED);
        let facts = facts.into_iter().filter_map(|(_, literal)| Some((pricing.machine(&literal.fact)?, literal)));
        let (facts, truth): (Vec<(Machine, Literal)>, Vec<u64>) = (facts.collect(), all(text));
        let anything = Fact::Length { least: 0, most: None }.machine(pricing.alphabet);
        let best = pricing.words_bits(&anything, &truth) + pricing.label_bits(&truth) + 3.0;
        Choice { facts, truth, chosen: Vec::new(), best, answer: None, at: 0, next: None }
    }
}

/// Facts that are added one by one as long as that pays.
struct Choice {
    facts: Vec<(Machine, Literal)>,
    truth: Vec<u64>,
    chosen: Vec<usize>,
    best: f64,
    answer: Option<Formula>,
    /// The next fact to price, and the best one of those before it.
    at: usize,
    next: Option<(f64, usize, Formula)>,
}

impl Choice {
    fn advance(&mut self, pricing: &Pricing<'_>) -> ControlFlow<Option<Formula>> {
        let end = (self.at + PRICED_OF_STEP).min(self.facts.len());
        for i in (self.at..end).filter(|i| !self.chosen.contains(i)) {
            let chosen = || self.chosen.iter().copied().chain([i]).map(|i| &self.facts[i]);
            let formula =
                Formula { every: true, clauses: chosen().map(|(_, literal)| vec![literal.clone()]).collect() };
            let machines: Vec<&Machine> = chosen().map(|(machine, _)| machine).collect();
            if let Some(total) = pricing.total(&formula, &machines, &self.truth)
                && total < self.next.as_ref().map_or(self.best, |next| next.0) - 1e-6
            {
                self.next = Some((total, i, formula));
            }
        }
        self.at = end;
        if end < self.facts.len() {
            return ControlFlow::Continue(());
        }
        let Some((total, i, formula)) = self.next.take() else { return ControlFlow::Break(self.answer.take()) };
        (self.best, self.answer, self.at) = (total, Some(formula), 0);
        self.chosen.push(i);
        match self.chosen.len() {
            MOST.. => ControlFlow::Break(self.answer.take()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// The frequency of each letter.
fn shares(text: &Text) -> Vec<f64> {
    let all: f64 = text.inside().iter().map(|block| f64::from(block.count_ones())).sum();
    let times = |letter: usize| text.at(letter).iter().map(|block| f64::from(block.count_ones())).sum::<f64>();
    (0..text.letters()).map(|letter| times(letter) / all.max(1.0)).collect()
}

/// How often each of these letters stands in a set of positions, and the work: position by position, or letter by letter if
/// there are many positions.
fn counts(text: &Text, set: &[u64], letters: &[usize]) -> (Vec<usize>, usize) {
    /// What a position costs, in blocks of positions of a letter.
    const VISIT: usize = 4;
    let positions: usize = set.iter().map(|block| block.count_ones() as usize).sum();
    let (one_by_one, by_letter) = (VISIT * positions, letters.len() * text.blocks());
    if by_letter <= one_by_one {
        let both = |letter: &usize| set.iter().zip(text.at(*letter)).map(|(a, b)| (a & b).count_ones() as usize).sum();
        return (letters.iter().map(both).collect(), by_letter);
    }
    let mut counts = vec![0; text.letters()];
    text.visit(set, |letter, _, _| counts[letter] += 1);
    (letters.iter().map(|&letter| counts[letter]).collect(), one_by_one + letters.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over many letters, too, a step is short, and of a pattern only its letters are kept.
    #[test]
    fn steps_are_bounded() {
        let letters = 100;
        let word =
            |word: usize| (0..60).map(|at| Letter::new((word * word + 7 * at * (word + at)) % letters)).collect();
        let words: Vec<Vec<Letter>> = (0..600).map(word).collect();
        let text = Text::new(letters, words.iter().map(|word| &word[..]));
        let mut absent = Absent::new(&text);
        let (mut steps, mut all) = (0, 0);
        while let Some(&way) = absent.ways.front() {
            let work = absent.extend(way, &text);
            assert!(work < STEP + (letters + 3 * LONGEST) * text.blocks());
            assert!(absent.words.len() <= MOST_LETTERS.max(BEAM));
            assert!(absent.children.len() <= MOST_LETTERS.max(BEAM) * letters);
            (steps, all) = (steps + 1, all + work);
        }
        assert!(steps > all / STEP);
    }
}
