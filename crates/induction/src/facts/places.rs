//! Letters in a place, sets of letters, and factors beside a letter: facts that do not grow from a single frequent letter.
//!
//! "The third letter is an a or a b" is a pattern of two arbitrary letters and a set. Grown letter by letter it would have to
//! pass through "begins with any letter", which says nothing. So each place from the start and from the end is looked at by
//! itself: how often each letter stands there says which set tells the labels apart best, as a split of a decision tree does.
//! The same holds for sets of letters that words contain somewhere, and "no bc after the last a" is a factor with a condition on
//! what stands before or after it.

use automata::{Gap, Letter, Pattern};

use super::labels::Labels;
use super::mine::{Found, LEAST_GAIN};
use super::text::{Text, and, back, shift};
use crate::measure::tier_bits;

/// Places from the start,
const PLACES: usize = 24;
/// and from the end, where place k takes 2ᵏ states: the last one with at most [`super::total::MOST_STATES`].
const PLACES_FROM_END: usize = 11;
/// Letters that stand beside a factor: the most telling ones.
const BESIDE: usize = 32;

/// A place from the start or from the end of words, with its position in each word that has it.
struct Place {
    number: usize,
    from_end: bool,
    positions: Vec<u64>,
}

fn places(text: &Text) -> Vec<Place> {
    let mut places = Vec::new();
    for from_end in [false, true] {
        let mut positions = if from_end { text.ends() } else { text.starts() }.to_vec();
        for number in 0..if from_end { PLACES_FROM_END } else { PLACES } {
            match (from_end, number) {
                (true, _) => back(&mut positions),
                (false, 0) => {}
                (false, _) => shift(&mut positions),
            }
            and(&mut positions, text.inside());
            if positions.iter().all(|&block| block == 0) {
                break;
            }
            places.push(Place { number, from_end, positions: positions.clone() });
        }
    }
    places
}

/// Letters and sets of letters in a place, counted from the start and from the end of words.
pub(super) fn of_places(text: &Text, labels: &Labels) -> Vec<Found> {
    let mut found = Vec::new();
    for place in places(text) {
        let mut counts = vec![[0_usize; 2]; text.letters()];
        text.visit(&place.positions, |letter, word| counts[letter][usize::from(!labels.of(word))] += 1);
        for Telling { letters, gain } in telling_sets(&counts, labels) {
            found.extend(place.with(&letters, text.letters()).map(|pattern| Found { pattern, gain }));
        }
    }
    found
}

/// For each place that every word has: the letters that stand there, if some do not, and the pattern that says so.
pub(super) fn seen_in_places(text: &Text) -> Vec<(Pattern, Vec<usize>)> {
    let mut found = Vec::new();
    for place in places(text) {
        let (mut seen, mut words) = (vec![false; text.letters()], 0);
        text.visit(&place.positions, |letter, _| {
            seen[letter] = true;
            words += 1;
        });
        let seen: Vec<usize> = (0..seen.len()).filter(|&letter| seen[letter]).collect();
        if words == text.words() && seen.len() < text.letters() {
            found.extend(place.with(&named(seen.clone()), text.letters()).map(|pattern| (pattern, seen)));
        }
    }
    found
}

impl Place {
    /// The pattern with a set in this place.
    fn with(&self, set: &[Letter], letters: usize) -> Option<Pattern> {
        let &Self { number: place, from_end, .. } = self;
        let any: Vec<Letter> = (0..letters).map(Letter::new).collect();
        let mut sets = vec![any; place];
        let mut gaps = vec![Gap::Adjacent; place + 2];
        if from_end {
            sets.insert(0, set.to_vec());
            gaps[0] = Gap::Free;
        } else {
            sets.push(set.to_vec());
            gaps[place + 1] = Gap::Free;
        }
        Pattern::new(sets, gaps, 1)
    }
}

/// A set of letters, and what it says about the labels.
struct Telling {
    letters: Vec<Letter>,
    gain: f64,
}

/// The single letters that say something, and the best set, if words are divided by which letter they have in a place.
fn telling_sets(counts: &[[usize; 2]], labels: &Labels) -> Vec<Telling> {
    let occurring = |&letter: &usize| counts[letter][0] + counts[letter][1] > 0;
    let mut order: Vec<usize> = (0..counts.len()).filter(occurring).collect();
    order.sort_by(|&a, &b| by_share(counts[a], counts[b]).then(a.cmp(&b)));
    let gain = |letters: &[usize]| {
        let sum = |side: usize| letters.iter().map(|&letter| counts[letter][side]).sum();
        labels.gain([sum(0), sum(1)])
    };
    let singles = order.iter().map(|&letter| (gain(&[letter]), vec![letter]));
    let sets = (2..order.len()).map(|size| (gain(&order[..size]), order[..size].to_vec()));
    // A set has to pay for its letters.
    let net = |(gain, set): &(f64, Vec<usize>)| gain - tier_bits(set.len(), counts.len());
    let best = sets.max_by(|a, b| net(a).total_cmp(&net(b)));
    let telling = singles.chain(best).filter(|(gain, _)| *gain > LEAST_GAIN);
    telling.map(|(gain, set)| Telling { letters: named(set), gain }).collect()
}

/// Most accepted first.
fn by_share(a: [usize; 2], b: [usize; 2]) -> std::cmp::Ordering {
    (b[0] * (a[0] + a[1])).cmp(&(a[0] * (b[0] + b[1])))
}

fn named(mut letters: Vec<usize>) -> Vec<Letter> {
    letters.sort_unstable();
    letters.into_iter().map(Letter::new).collect()
}

/// The best sets of letters of which words contain one: those that mostly accepted words have, or mostly rejected ones.
pub(super) fn of_sets(text: &Text, labels: &Labels) -> Vec<Found> {
    let having: Vec<Vec<u64>> = (0..text.letters()).map(|letter| text.words_of(text.at(letter))).collect();
    let counts: Vec<[usize; 2]> = having.iter().map(|words| labels.count(words)).collect();
    let mut order: Vec<usize> = (0..text.letters()).filter(|&letter| counts[letter] != [0, 0]).collect();
    order.sort_by(|&a, &b| by_share(counts[a], counts[b]).then(a.cmp(&b)));
    let mut found = Vec::new();
    for reversed in [false, true] {
        if reversed {
            order.reverse();
        }
        let mut words = vec![0; text.words().div_ceil(64)];
        let mut best: Option<(f64, f64, usize)> = None;
        for (i, &letter) in order.iter().enumerate() {
            words.iter_mut().zip(&having[letter]).for_each(|(words, more)| *words |= more);
            let gain = labels.gain(labels.count(&words));
            let net = gain - tier_bits(i + 1, text.letters());
            if i > 0 && best.is_none_or(|(most, ..)| net > most) {
                best = Some((net, gain, i + 1));
            }
        }
        let Some((_, gain, size)) = best.filter(|(_, gain, _)| *gain > LEAST_GAIN) else { continue };
        let pattern = Pattern::new(vec![named(order[..size].to_vec())], vec![Gap::Free; 2], 1);
        found.extend(pattern.map(|pattern| Found { pattern, gain }));
    }
    found
}

/// A factor where some letter does not stand before or after it, or after the last or before the first time that it does.
pub(super) fn beside(text: &Text, labels: &Labels, factor: &Pattern) -> Vec<Found> {
    let mut found = Vec::new();
    let (sets, inner) = (factor.letters(), factor.inner_gaps());
    let beside = |letter: usize| vec![Letter::new(letter)];
    for letter in (0..text.letters()).take(BESIDE) {
        let other = beside(letter);
        if sets.contains(&other) {
            continue;
        }
        let without = || Gap::Without(other.clone());
        let with_ends = |first: Gap, last: Gap| {
            let gaps = [first].into_iter().chain(inner.iter().cloned()).chain([last]).collect();
            Pattern::new(sets.to_vec(), gaps, 1)
        };
        let after_last = || {
            let sets = [other.clone()].into_iter().chain(sets.iter().cloned()).collect();
            let gaps = [Gap::Free, without()].into_iter().chain(inner.iter().cloned()).chain([without()]).collect();
            Pattern::new(sets, gaps, 1)
        };
        let before_first = || {
            let sets = sets.iter().cloned().chain([other.clone()]).collect();
            let gaps = [without()].into_iter().chain(inner.iter().cloned()).chain([without(), Gap::Free]).collect();
            Pattern::new(sets, gaps, 1)
        };
        let patterns = [with_ends(without(), Gap::Free), with_ends(Gap::Free, without()), after_last(), before_first()];
        for pattern in patterns.into_iter().flatten() {
            let gain = labels.gain(labels.count(&text.having(&pattern)));
            if gain > LEAST_GAIN {
                found.push(Found { pattern, gain });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Fact};

    use super::super::total::MOST_STATES;
    use super::*;

    /// All words of three and four letters, labelled by a rule.
    fn labelled(alphabet: &Alphabet, rule: impl Fn(&str) -> bool) -> (Text, Labels) {
        let names: Vec<&str> = alphabet.names().iter().map(String::as_str).collect();
        let mut words = vec![String::new()];
        let mut all = Vec::new();
        for _ in 0..4 {
            words = words.iter().flat_map(|word| names.iter().map(move |name| format!("{word}{name}"))).collect();
            all.extend(words.iter().filter(|word| word.len() > 2).cloned());
        }
        let read: Vec<_> = all.iter().map(|word| alphabet.read(word).unwrap()).collect();
        let text = Text::new(alphabet.len(), read.iter().map(|word| &word[..]));
        (text, Labels::new(all.iter().map(|word| rule(word)).collect()))
    }

    fn best(found: &[Found], text: &Text, labels: &Labels) -> bool {
        found.iter().any(|found| {
            let words = text.having(&found.pattern);
            let others: Vec<u64> =
                (0..labels.len().div_ceil(64)).map(|block| super::super::full(labels.len(), block)).collect();
            let others: Vec<u64> = others.iter().zip(&words).map(|(all, words)| all & !words).collect();
            words == labels.accepted() || others == labels.accepted()
        })
    }

    #[test]
    fn letters_in_a_place_are_found() {
        let alphabet = Alphabet::of_chars("abcdef");
        let at = |word: &str, place: usize| word.as_bytes()[place];
        let rules: [&dyn Fn(&str) -> bool; 4] = [
            &|word| at(word, 2) == b'b',
            &|word| at(word, word.len() - 3) == b'e',
            &|word| at(word, 1) <= b'c',
            &|word| !b"ad".contains(&at(word, word.len() - 2)),
        ];
        for rule in rules {
            let (text, labels) = labelled(&alphabet, rule);
            assert!(best(&of_places(&text, &labels), &text, &labels));
        }
    }

    /// Of long words, too, no place is offered whose automaton the search would not build.
    #[test]
    fn places_have_small_automata() {
        let alphabet = Alphabet::of_chars("ab");
        let words: Vec<Vec<Letter>> = (0..64_usize)
            .map(|word| (0..40).map(|at| Letter::new(word * (at + 7) * (at + word + 3) / 5 % 2)).collect())
            .collect();
        let text = Text::new(2, words.iter().map(|word| &word[..]));
        assert_eq!(places(&text).len(), PLACES + PLACES_FROM_END);
        for place in places(&text) {
            let fact = Fact::Has(place.with(&[Letter::new(0)], 2).unwrap());
            assert!(fact.machine_within(&alphabet, MOST_STATES).is_some(), "{}", place.number);
        }
    }

    #[test]
    fn sets_that_words_contain_are_found() {
        let (text, labels) = labelled(&Alphabet::of_chars("abcdef"), |word| word.bytes().all(|letter| letter < b'd'));
        assert!(best(&of_sets(&text, &labels), &text, &labels));
    }

    #[test]
    fn factors_beside_a_letter_are_found() {
        let alphabet = Alphabet::of_chars("abcd");
        let letters: Vec<Letter> = alphabet.letters().collect();
        let factor =
            Pattern::new(vec![vec![letters[1]], vec![letters[2]]], vec![Gap::Free, Gap::Adjacent, Gap::Free], 1);
        let after_last = |word: &str| word.rfind('a').is_some_and(|at| word[at..].contains("bc"));
        let rules: [&dyn Fn(&str) -> bool; 4] = [
            &after_last,
            &|word| word.find('a').is_some_and(|at| word[..at].contains("bc")),
            &|word| word.find("bc").is_some_and(|at| !word[..at].contains('a')),
            &|word| word.rfind("bc").is_some_and(|at| !word[at..].contains('a')),
        ];
        for rule in rules {
            let (text, labels) = labelled(&alphabet, rule);
            assert!(best(&beside(&text, &labels, factor.as_ref().unwrap()), &text, &labels));
        }
    }
}
