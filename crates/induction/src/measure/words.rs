//! Part 2 of the message: which words were given, if the answer is known (the size principle).
//!
//! Of the words of each length, p belong to the answer and q do not. If they were drawn from those that do and those that do
//! not, they are one of `C(accepted, p) · C(rejected, q)` sets. So a language that accepts fewer words is preferred, exactly
//! as far as the examples support it; a complete list costs nothing, and a word missing from a nearly complete list costs
//! something unless it belongs to the other side.
//!
//! How words were drawn is not known. The shortest of six codes is chosen, over all lengths:
//!
//! | words | code for one length |
//! |---|---|
//! | drawn separately from each side | how many belong, then `C(accepted, p) · C(rejected, q)` |
//! | drawn regardless of the language | `C(all, p + q)`: the same for every answer |
//! | accepted ones drawn, others picked by hand | how many belong, then `C(accepted, p) · C(all, q)` |
//! | rejected ones drawn, others picked by hand | how many belong, then `C(all, p) · C(rejected, q)` |
//! | accepted ones from walks, rejected ones drawn | `C(rejected, q)`, and the walks (see `walks`) |
//! | accepted ones from walks, others picked by hand | `C(all, q)`, and the walks |
//!
//! How many words of a length belong is said as a number up to p + q, except where a list is complete: the message may say up
//! to which length all rejected words are given, or all accepted ones, and that determines the number; or that all words are on
//! one side.
//!
//! Words with wrong labels were drawn neither from one side nor from the other: they are chosen among all words of their length.
//! If they were counted on the side that the answer puts them on, an answer would gain by accepting rejected words that look like
//! accepted ones.
//!
//! The second code says nothing about the answer and limits what the others can say. The last two are for near misses and the like,
//! which tell nothing of how many words of their side there are.

use automata::{Dfa, StateId};

use super::code::{choice_among, number};
use super::walks::Walks;
use crate::sample::Sample;

/// Maximum number of lengths for which words are counted. Beyond, their number is assumed to grow as before: by a constant
/// factor for each letter, to within the period of the automaton.
const COUNTED_LENGTHS: usize = 512;
/// The bits that say how words were drawn, log₂ 6.
const HOW: f64 = 2.584_962_500_721_156;

/// The number of given words of one length, by what the answer says of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) accepted: usize,
    pub(crate) rejected: usize,
    /// Words whose labels say the opposite.
    pub(crate) wrong: usize,
}

/// The bits that say which words were given, if the letters of the examples and the language are known; `drawn` has an entry
/// for each length. The letters of the automaton may be classes; characters that occur in no example are not counted. Also
/// says whether the accepted words are coded as walks.
pub(crate) fn words_bits(dfa: &Dfa, sample: &Sample, drawn: &[Drawn], walks: &Walks) -> (f64, bool) {
    let longest = drawn.len().saturating_sub(1);
    let sides = sides_by_length(dfa, sample, longest.min(COUNTED_LENGTHS));
    let bits = |walks| counted_words_bits(&sides, sample.alphabet().len(), drawn, walks);
    let (sets, all) = (bits(None), bits(Some(walks)));
    (all, all < sets)
}

/// The logarithms of the numbers of accepted and of rejected words of one length. Both are counted: where one side has nearly
/// all words, the difference says nothing of the other.
pub(crate) type Sides = [f64; 2];

/// The same, if both sides are known for some lengths from 0 on. Without walks, only the other codes are considered.
pub(crate) fn counted_words_bits(sides: &[Sides], letters: usize, drawn: &[Drawn], walks: Option<&Walks>) -> f64 {
    let (last, half) = (sides.len() - 1, sides.len() / 2);
    let growth = |side: usize| match last > half {
        true => (sides[last][side] - sides[half][side]) / (last - half) as f64,
        false => 0.0,
    };
    let letters = libm::log2(letters.max(1) as f64);
    let (mut both, mut regardless, mut by_hand) = (0.0, 0.0, [0.0; 2]);
    // Rejected words, drawn and picked by hand.
    let mut others_bits = [0.0; 2];
    let mut lists = [List::default(); 2];
    let mut all_how_many = 0.0;
    let all_wrong: usize = drawn.iter().map(|given| given.wrong).sum();
    let mut exceptions = 0.0;
    for (length, given) in drawn.iter().enumerate().skip(1) {
        let &Drawn { accepted: belong, rejected: others, wrong } = given;
        let all = length as f64 * letters;
        let [accepted, rejected] = match sides.get(length) {
            Some(&sides) => sides,
            None => [0, 1].map(|side| match sides[last][side] {
                none @ f64::NEG_INFINITY => none,
                known => (known + (length - last) as f64 * growth(side)).min(all),
            }),
        };
        let how_many = libm::log2((belong + others + 1) as f64);
        lists[0].go_on(is_complete(accepted, belong), how_many);
        lists[1].go_on(is_complete(rejected, others), how_many);
        if *given == Drawn::default() {
            continue;
        }
        if all_wrong > 0 {
            exceptions += libm::log2((all_wrong + 1) as f64) + choice_among(all, wrong);
        }
        all_how_many += how_many;
        let [from_accepted, from_rejected] = [choice_among(accepted, belong), choice_among(rejected, others)];
        both += how_many + from_accepted + from_rejected;
        regardless += choice_among(all, belong + others);
        by_hand[0] += how_many + from_accepted + choice_among(all, others);
        by_hand[1] += how_many + choice_among(all, belong) + from_rejected;
        others_bits[0] += from_rejected;
        others_bits[1] += choice_among(all, others);
    }
    // One bit says whether all given words are on one side; then one more says on which.
    let is_one_sided = drawn.iter().all(|given| given.rejected == 0) || drawn.iter().all(|given| given.accepted == 0);
    let [accepted, rejected] = lists.map(|list| match is_one_sided {
        true => 1.0 + list.bits().min(1.0 - all_how_many),
        false => 1.0 + list.bits(),
    });
    let codes = [both + accepted.min(rejected), regardless, by_hand[0] + accepted, by_hand[1] + rejected];
    let sets = codes.into_iter().fold(f64::INFINITY, f64::min);
    let Some(walks) = walks else { return HOW + exceptions + sets };
    HOW + exceptions + sets.min(walks.bits() + others_bits[0].min(others_bits[1]))
}

/// Whether all words of a number with this logarithm are given.
fn is_complete(log2_of_all: f64, given: usize) -> bool {
    (libm::exp2(log2_of_all) - given as f64).abs() < 0.5
}

/// A list of the words on one side, complete up to some length. There is no need to say how many of them belong.
#[derive(Clone, Copy, Default)]
struct List {
    lengths: usize,
    is_over: bool,
    saved: f64,
}

impl List {
    fn go_on(&mut self, is_complete: bool, how_many: f64) {
        self.is_over |= !is_complete;
        if !self.is_over {
            self.lengths += 1;
            self.saved += how_many;
        }
    }

    /// The bits to say whose list it is and how far it goes, less what it saves.
    fn bits(self) -> f64 {
        1.0 + number(0).min(number(self.lengths) - self.saved)
    }
}

/// The numbers of accepted and of rejected words of each length, over the letters of the sample.
fn sides_by_length(dfa: &Dfa, sample: &Sample, longest: usize) -> Vec<Sides> {
    // Number of letters of the sample that each letter of the automaton stands for. Words with other letters are rejected.
    let mut stands_for = vec![0.0; dfa.alphabet().len()];
    let names = sample.alphabet().names().iter();
    names.filter_map(|name| dfa.alphabet().letter_for(name)).for_each(|letter| stands_for[letter.index()] += 1.0);
    let steps: Vec<(usize, usize, f64)> = dfa
        .transitions()
        .map(|(from, letter, to)| (from.index(), to.index(), stands_for[letter.index()]))
        .filter(|(_, _, times)| *times > 0.0)
        .collect();
    let letters = sample.alphabet().len() as f64;
    let mut leaving = vec![letters; dfa.len()];
    steps.iter().for_each(|&(from, _, times)| leaving[from] -= times);
    count_sides(
        dfa.len() + 1,
        longest,
        |state| state < dfa.len() && dfa.is_accepting(StateId::new(state)),
        |here, next| {
            steps.iter().for_each(|&(from, to, times)| next[to] += here[from] * times);
            // The last place is that of words without a run.
            next[dfa.len()] = here[dfa.len()] * letters;
            next[dfa.len()] += here.iter().zip(&leaving).map(|(count, times)| count * times).sum::<f64>();
        },
    )
}

/// The numbers of accepted and of rejected words of each length, by the number of words that lead to each state: first one to
/// the state 0, then as `step` says.
pub(crate) fn count_sides(
    states: usize,
    longest: usize,
    is_accepting: impl Fn(usize) -> bool,
    step: impl Fn(&[f64], &mut [f64]),
) -> Vec<Sides> {
    let mut here = vec![0.0; states];
    here[0] = 1.0;
    // Counts are kept small: `scale` is the logarithm of what they were divided by.
    let (mut scale, mut counted) = (0.0, Vec::with_capacity(longest + 1));
    loop {
        let mut sides = [0.0; 2];
        here.iter().enumerate().for_each(|(state, count)| sides[usize::from(!is_accepting(state))] += count);
        counted.push(sides.map(|side| libm::log2(side) + scale));
        if counted.len() > longest {
            return counted;
        }
        let mut next = vec![0.0; states];
        step(&here, &mut next);
        let most = next.iter().copied().fold(0.0, f64::max);
        // What is rarer would soon be lost: longer words are extrapolated.
        if next.iter().any(|&count| count > 0.0 && count < most * libm::exp2(-900.0)) {
            return counted;
        }
        if most > libm::exp2(500.0) {
            next.iter_mut().for_each(|count| *count /= most);
            scale += libm::log2(most);
        }
        here = next;
    }
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Label, Regex};

    use super::*;

    fn sample(letters: &str, accepted: &[&str], rejected: &[&str]) -> Sample {
        let alphabet = Alphabet::of_chars(letters);
        let labelled = accepted.iter().map(|word| (word, Label::Accepted));
        let labelled = labelled.chain(rejected.iter().map(|word| (word, Label::Rejected)));
        let rows = labelled.map(|(word, label)| (alphabet.read(word).unwrap(), label));
        Sample::new(&Examples::of(&alphabet, rows), false).unwrap()
    }

    fn bits(pattern: &str, sample: &Sample) -> f64 {
        let dfa = Regex::parse(pattern, sample.alphabet()).unwrap().to_dfa().unwrap().over(sample.alphabet());
        words_bits(&dfa, sample, &drawn(&dfa, sample), &Walks::of(&dfa, sample)).0
    }

    fn drawn(dfa: &Dfa, sample: &Sample) -> Vec<Drawn> {
        let mut drawn = vec![Drawn::default(); sample.longest() + 1];
        for (word, _) in sample.rows() {
            match dfa.accepts(word) {
                true => drawn[word.len()].accepted += 1,
                false => drawn[word.len()].rejected += 1,
            }
        }
        drawn
    }

    #[test]
    fn a_complete_list_costs_nothing_but_the_counts() {
        let all = sample("ab", &["aa", "ab"], &["ba", "bb", "a", "b"]);
        // There is only one set of all words of a length.
        assert!((bits("a[ab]", &all) - HOW).abs() < 1e-9);
    }

    #[test]
    fn a_word_missing_from_a_list_is_evidence() {
        let few = sample("abcd", &["abab", "ababab", "abababab"], &["a", "b", "d"]);
        let with = bits("c|(ab)*", &few);
        let without = bits("(ab)*", &few);
        // Two bits for the word left out; two for how many words of this length belong, less two to say that all others do.
        assert!((without - with - 2.0).abs() < 1e-6, "{with} {without}");
    }

    #[test]
    fn tighter_languages_are_shorter_as_far_as_words_support_it() {
        let words = ["aabb", "abab", "bbaa", "baba", "abba", "baab"];
        let rejected = ["ccc", "cac", "bbc", "acc", "cab", "bcc"];
        let few = sample("abc", &words[..2], &rejected[..2]);
        let many = sample("abc", &words, &rejected);
        let gain = |sample: &Sample| bits("[a-c]{4}|", sample) - bits("[ab]{4}", sample);
        assert!(gain(&many) > gain(&few), "{} {}", gain(&many), gain(&few));
    }

    /// The number of accepted words against a list of all words.
    #[test]
    fn words_are_counted() {
        let all = sample("ab", &["a"], &["bbbbbb"]);
        let dfa = Regex::parse("(a|bb)*", all.alphabet()).unwrap().to_dfa().unwrap().over(all.alphabet());
        let count = |log: f64| libm::round(libm::exp2(log)) as u64;
        let counted: Vec<[u64; 2]> = sides_by_length(&dfa, &all, 6).iter().map(|sides| sides.map(count)).collect();
        assert_eq!(counted, [[1, 0], [1, 1], [2, 2], [3, 5], [5, 11], [8, 24], [13, 51]]);
    }

    /// Of sixteen letters, nearly all words of length 40 have a `c`; those without one are still counted.
    #[test]
    fn a_sparse_side_is_counted() {
        let without: Vec<String> =
            (0..20_u32).map(|i| format!("{i:040b}").replace('0', "a").replace('1', "b")).collect();
        let with: Vec<String> = without.iter().map(|word| format!("c{}", &word[1..])).collect();
        let [without, with] = [&without, &with].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
        // Walks would tell the two apart: they describe accepted words only.
        let bits = |pattern: &str, accepted: &[&str], rejected: &[&str]| {
            let sample = sample("abcdefghijklmnop", accepted, rejected);
            let dfa = Regex::parse(pattern, sample.alphabet()).unwrap().to_dfa().unwrap().over(sample.alphabet());
            counted_words_bits(&sides_by_length(&dfa, &sample, 40), 16, &drawn(&dfa, &sample), None)
        };
        let accepted = bits("[ab]*", &without, &with);
        let rejected = bits("[ab]*[c-p][a-p]*", &with, &without);
        assert!((accepted - rejected).abs() < 1e-6, "{accepted} {rejected}");
    }

    /// Of 64 letters, one word of 500 letters in 2^2500 has only two.
    #[test]
    fn a_very_sparse_side_is_extrapolated() {
        let letters: String = (0..64).map(|i| char::from(b'0' + i)).collect();
        let alphabet = Alphabet::of_chars(&letters);
        let dfa = Regex::parse("[01]*", &alphabet).unwrap().to_dfa().unwrap().over(&alphabet);
        let word = alphabet.read("0").unwrap();
        let sample = Sample::new(&Examples::of(&alphabet, [(word, Label::Accepted)]), false).unwrap();
        let sides = sides_by_length(&dfa, &sample, 500);
        let mut drawn = vec![Drawn::default(); 501];
        drawn[500] = Drawn { accepted: 20, rejected: 20, wrong: 0 };
        let bits = counted_words_bits(&sides, 64, &drawn, None);
        let exact = 20.0 * (500.0 + 3_000.0);
        assert!((bits - exact).abs() < 0.01 * exact, "{bits} {exact}");
    }

    /// An answer gains nothing by accepting words that are labelled as rejected, however much they look like accepted ones.
    #[test]
    fn wrong_words_do_not_pay() {
        let words = ["aabb", "abab", "bbaa", "baba", "abba", "baab", "aaaa", "bbbb"];
        let near = ["aabc", "abac", "bbac", "babc", "abbc", "baac"];
        let sample = sample("abc", &words, &near);
        let bits = |pattern: &str| {
            let dfa = Regex::parse(pattern, sample.alphabet()).unwrap().to_dfa().unwrap().over(sample.alphabet());
            let mut drawn = drawn(&dfa, &sample);
            let wrong = near.iter().filter(|word| dfa.accepts(&sample.alphabet().read(word).unwrap())).count();
            (drawn[4].accepted, drawn[4].wrong) = (drawn[4].accepted - wrong, wrong);
            words_bits(&dfa, &sample, &drawn, &Walks::of(&dfa, &sample)).0
        };
        assert!(bits("[ab]{4}") < bits("[ab]{3}[a-c]") - 4.0, "{} {}", bits("[ab]{4}"), bits("[ab]{3}[a-c]"));
    }

    /// Kraft's inequality: for each number of words of each length, over all sets of that many words and all ways to label some
    /// of them wrongly.
    #[test]
    fn words_have_a_code() {
        let words = ["a", "b", "aa", "ab", "ba", "bb"];
        for pattern in ["a[ab]*", "a|b|aa", "b+", "[ab]*", "(ab)+"] {
            let mut right = std::collections::BTreeMap::<(usize, usize), f64>::new();
            let mut noisy = right.clone();
            for labels in 1..3_usize.pow(words.len() as u32) {
                // Each word is missing, labelled as the pattern says, or wrongly.
                let given = (0..words.len() as u32).map(|i| labels / 3_usize.pow(i) % 3);
                let given: Vec<(&str, bool)> = words
                    .iter()
                    .zip(given)
                    .filter(|(_, kind)| *kind > 0)
                    .map(|(word, kind)| (*word, kind > 1))
                    .collect();
                let (bits, wrong) = bits_with_wrong(pattern, &given);
                let short = given.iter().filter(|(word, _)| word.len() == 1).count();
                let place = (short, given.len() - short);
                *noisy.entry(place).or_default() += libm::exp2(-bits - number(wrong));
                if wrong == 0 {
                    *right.entry(place).or_default() += libm::exp2(-bits);
                }
            }
            for sums in [right, noisy] {
                assert!(sums.values().all(|&sum| sum <= 1.0 + 1e-9), "{pattern} {sums:?}");
            }
        }
    }

    /// The bits of words of which some have the label that the pattern does not give them.
    fn bits_with_wrong(pattern: &str, given: &[(&str, bool)]) -> (f64, usize) {
        let alphabet = Alphabet::of_chars("ab");
        let dfa = Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap().over(&alphabet);
        let accepts = |word: &str| dfa.accepts(&alphabet.read(word).unwrap());
        let with = |label: bool| {
            let words = given.iter().filter(move |(word, is_wrong)| (accepts(word) != *is_wrong) == label);
            words.map(|(word, _)| *word).collect::<Vec<&str>>()
        };
        let sample = sample("ab", &with(true), &with(false));
        let mut drawn = vec![Drawn::default(); sample.longest() + 1];
        for &(word, is_wrong) in given {
            let drawn = &mut drawn[word.len()];
            *match (is_wrong, accepts(word)) {
                (true, _) => &mut drawn.wrong,
                (false, true) => &mut drawn.accepted,
                (false, false) => &mut drawn.rejected,
            } += 1;
        }
        let wrong = drawn.iter().map(|drawn| drawn.wrong).sum();
        (words_bits(&dfa, &sample, &drawn, &Walks::of(&dfa, &sample)).0, wrong)
    }
}
