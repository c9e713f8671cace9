//! Letters in a place, sets of letters, and factors beside a letter: facts that do not grow from a single frequent letter.
//!
//! "The third letter is an a or a b" is a pattern of two arbitrary letters and a set. Grown letter by letter it would have to
//! pass through "begins with any letter", which says nothing. So each place from the start and from the end is looked at by
//! itself: how often each letter stands there says which set tells the labels apart best, as a split of a decision tree does.
//! The same holds for sets of letters that words contain somewhere, or a number of times, and "no bc after the last a" is a factor with a condition on
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
        text.visit(&place.positions, |letter, word, _| counts[letter][usize::from(!labels.of(word))] += 1);
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
        text.visit(&place.positions, |letter, _, _| {
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

/// The best sets of letters that are counted: accepted words have at least a number of them, or rejected ones. Letters that one
/// side has more often than the other come first.
pub(super) fn of_numbers(text: &Text, labels: &Labels) -> Vec<Found> {
    let counts: Vec<Vec<u32>> = (0..text.letters()).map(|letter| text.counts(text.at(letter))).collect();
    let [accepted, rejected] = labels.totals().map(|total| total.max(1) as f64);
    let lead = |counts: &Vec<u32>| {
        let (mut of, mut all) = ([0.0; 2], 0.0);
        for (word, &count) in counts.iter().enumerate() {
            of[usize::from(!labels.of(word))] += f64::from(count);
            all += f64::from(count);
        }
        // A frequent letter differs more by chance.
        (of[0] / accepted - of[1] / rejected) / libm::sqrt(f64::max(all, 1.0))
    };
    let leads: Vec<f64> = counts.iter().map(lead).collect();
    let mut order: Vec<usize> = (0..text.letters()).collect();
    order.sort_by(|&a, &b| leads[b].total_cmp(&leads[a]).then(a.cmp(&b)));
    let mut found = Vec::new();
    for reversed in [false, true] {
        if reversed {
            order.reverse();
        }
        let mut sums = vec![0; text.words()];
        let mut best: Option<(f64, f64, usize, usize)> = None;
        for size in 1..text.letters() {
            sums.iter_mut().zip(&counts[order[size - 1]]).for_each(|(sum, count)| *sum += count);
            let mut by_sum = [[0_usize; 2]; Pattern::MOST + 1];
            for (word, &sum) in sums.iter().enumerate() {
                by_sum[(sum as usize).min(Pattern::MOST)][usize::from(!labels.of(word))] += 1;
            }
            let price = tier_bits(size, text.letters());
            let mut at_least = [0; 2];
            for least in (1..=Pattern::MOST).rev() {
                (at_least[0], at_least[1]) = (at_least[0] + by_sum[least][0], at_least[1] + by_sum[least][1]);
                let gain = labels.gain(at_least);
                if least > 1 && best.is_none_or(|(most, ..)| gain - price > most) {
                    best = Some((gain - price, gain, size, least));
                }
            }
        }
        let Some((_, gain, size, least)) = best.filter(|(_, gain, ..)| *gain > LEAST_GAIN) else { continue };
        let pattern = Pattern::new(vec![named(order[..size].to_vec())], vec![Gap::Free; 2], least);
        found.extend(pattern.map(|pattern| Found { pattern, gain }));
    }
    found
}

/// A factor where some letter does not stand before or after it, or after the last or before the first time that it does.
///
/// Such a letter does not occur in the factor, so only the first and the last place of the factor in each word matter. One pass
/// over the letters outside of both counts the words for all letters at once.
pub(super) fn beside(text: &Text, labels: &Labels, factor: &Pattern) -> Vec<Found> {
    let outside = Outside::new(text, labels, factor);
    let all = labels.count(&outside.having);
    let (sets, inner) = (factor.letters(), factor.inner_gaps());
    let mut found = Vec::new();
    for letter in 0..text.letters() {
        let other = vec![Letter::new(letter)];
        if sets.iter().any(|set| set.contains(&other[0])) {
            continue;
        }
        let without = || Gap::Without(other.clone());
        let with = |sets: Vec<Vec<Letter>>, first: Vec<Gap>, last: Vec<Gap>| {
            Pattern::new(sets, first.into_iter().chain(inner.iter().cloned()).chain(last).collect(), 1)
        };
        let after = || [other.clone()].into_iter().chain(sets.iter().cloned()).collect();
        let before = || sets.iter().cloned().chain([other.clone()]).collect();
        let [with_before, with_after, with_any] = [&outside.before, &outside.after, &outside.any].map(|of| of[letter]);
        let minus = |x: [usize; 2], y: [usize; 2]| [x[0] - y[0], x[1] - y[1]];
        let mut add = |counts: [usize; 2], pattern: &dyn Fn() -> Option<Pattern>| {
            let gain = labels.gain(counts);
            if gain > LEAST_GAIN {
                found.extend(pattern().map(|pattern| Found { pattern, gain }));
            }
        };
        add(minus(all, with_before), &|| with(sets.to_vec(), vec![without()], vec![Gap::Free]));
        add(minus(all, with_after), &|| with(sets.to_vec(), vec![Gap::Free], vec![without()]));
        add(minus(with_any, with_after), &|| with(after(), vec![Gap::Free, without()], vec![without()]));
        add(minus(with_any, with_before), &|| with(before(), vec![without()], vec![without(), Gap::Free]));
    }
    found
}

/// Which letters stand outside of a factor, in the words that have it.
struct Outside {
    /// The words that have the factor.
    having: Vec<u64>,
    /// For each letter, how many accepted and rejected ones have it before the first factor,
    before: Vec<[usize; 2]>,
    /// after the last one,
    after: Vec<[usize; 2]>,
    /// and anywhere.
    any: Vec<[usize; 2]>,
}

impl Outside {
    fn new(text: &Text, labels: &Labels, factor: &Pattern) -> Self {
        let ends = text.ends_of(factor);
        let mut places: Vec<Option<(usize, usize)>> = vec![None; text.words()];
        text.visit(&ends, |_, word, position| {
            places[word] = Some((places[word].map_or(position, |(first, _)| first), position));
        });
        let mut counts = [(); 3].map(|()| vec![[0_usize; 2]; text.letters()]);
        // Positions come in order, so each word is counted once for each letter.
        let mut seen = [(); 3].map(|()| vec![usize::MAX; text.letters()]);
        text.visit(text.inside(), |letter, word, position| {
            let Some((first, last)) = places[word] else { return };
            for (kind, is_there) in [position < first, position > last, true].into_iter().enumerate() {
                if is_there && seen[kind][letter] != word {
                    seen[kind][letter] = word;
                    counts[kind][letter][usize::from(!labels.of(word))] += 1;
                }
            }
        });
        let [before, after, any] = counts;
        Self { having: text.words_of(&ends), before, after, any }
    }
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

    #[test]
    fn sets_that_are_counted_are_found() {
        let mut number = 5_usize;
        let mut next = |below: usize| {
            number = (number * 1_103_515_245 + 12_345) % (1 << 31);
            (number >> 8) % below
        };
        let words: Vec<Vec<Letter>> =
            (0..600).map(|_| (0..20 + next(9)).map(|_| Letter::new(next(8))).collect()).collect();
        let text = Text::new(8, words.iter().map(|word| &word[..]));
        for (set, least) in [([1, 4, 6], 9), ([0, 1, 2], 12), ([5, 6, 7], 3)] {
            let number = |word: &Vec<Letter>| word.iter().filter(|letter| set.contains(&letter.index())).count();
            for more in [true, false] {
                let labels = Labels::new(words.iter().map(|word| (number(word) >= least) == more).collect());
                assert!(best(&of_numbers(&text, &labels), &text, &labels), "{set:?} {least}");
            }
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

    /// Whatever the names of the letters, and however many there are: what is counted in one pass is what each pattern has.
    #[test]
    fn all_letters_are_looked_for_beside_a_factor() {
        let letters = 60;
        let mut number = 1_usize;
        let mut next = |below: usize| {
            number = (number * 1_103_515_245 + 12_345) % (1 << 31);
            (number >> 8) % below
        };
        let single = |letter: usize| vec![Letter::new(letter)];
        let gaps = vec![Gap::Free, Gap::Adjacent, Gap::Free];
        let factor = Pattern::new(vec![single(3), single(7)], gaps, 1).unwrap();
        for other in [0, 31, 59] {
            let mut word = || {
                let mut word: Vec<usize> = (0..20).map(|_| next(letters)).collect();
                word[next(20)] = other;
                let at = next(19);
                (word[at], word[at + 1]) = (3, 7);
                word.into_iter().map(Letter::new).collect()
            };
            let words: Vec<Vec<Letter>> = (0..400).map(|_| word()).collect();
            let text = Text::new(letters, words.iter().map(|word| &word[..]));
            let is_free = |word: &Vec<Letter>| {
                let last = word.windows(2).rposition(|pair| pair == [Letter::new(3), Letter::new(7)]).unwrap_or(0);
                !word[last..].contains(&Letter::new(other))
            };
            let labels = Labels::new(words.iter().map(is_free).collect());
            let found = beside(&text, &labels, &factor);
            assert!(best(&found, &text, &labels), "{other}");
            for Found { pattern, gain } in found {
                assert_eq!(gain, labels.gain(labels.count(&text.having(&pattern))), "{pattern:?}");
            }
        }
    }
}
