//! Lists: lengths of which most words are given (at least two in three), all with one label.
//!
//! If three of the four words of one letter are given, all rejected, the fourth was probably left out because it is
//! accepted: whoever drew or wrote down rejected words would have included it otherwise. This has two uses:
//!
//! - A description also encodes which words a list names among those that it could have named. The fewer it could have
//!   named, the fewer bits that takes. Alternatively, the words are encoded among all words of their length, which is
//!   assumed to be as likely: three of four words may be all that someone thought of.
//! - Some restarts assume that lists are complete, since no example would lead to such an answer.
//!
//! A length with words of both labels is not a list: there, words may be missing by chance. Longer lengths after it are not
//! lists either. A part of a sample has no lists, and neither has a sample after questions: its words were selected for
//! reasons other than their label. With noise, lists say nothing, since one wrong label makes or breaks them.
//!
//! Among words up to length 16 drawn uniformly, hardly any accepted ones are short. There, lists raised the exact answers
//! from 53 to 57 of 60 on the paper's grid, and from 56 to 57 and 53 to 54 on others drawn like it. The share of two in
//! three is deliberate: with one half, more questions had to be asked. Words left out regardless of their label are assumed
//! to be as likely as the opposite; otherwise three of the four words of one letter would mislead even among a hundred
//! words.

use automata::{Counts, Dfa, Label, Word, enumerate};

use crate::description::choice;
use crate::sample::Sample;

/// Maximum number of words that are assumed to be left out because of their label.
const MOST_SUPPOSED: u64 = 8;

/// The words of one length, most of them given, all with one label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct List {
    length: usize,
    accepted: bool,
    given: u64,
    /// Number of words of this length.
    all: u64,
}

/// The lists of a sample, of length 1, 2, and so on up to the first length that is not a list.
fn lists(sample: &Sample) -> impl Iterator<Item = List> {
    let letters = sample.alphabet().len() as u64;
    // A part of a sample, or words asked about, were selected for other reasons; and nobody gives most words over
    // classes.
    let tells = sample.is_as_given() && !sample.alphabet().has_classes();
    let entries = if tells { sample.entries() } else { &[] };
    let mut lengths = entries.chunk_by(|a, b| a.length == b.length);
    let mut all = 1_u64;
    (1..).map_while(move |length| {
        let entries = lengths.next().filter(|entries| entries[0].length as usize == length)?;
        let given = entries.len() as u64;
        all = all.saturating_mul(letters);
        let [accepted, rejected] = [|counts: Counts| counts.accepted, |counts: Counts| counts.rejected]
            .map(|times| entries.iter().any(|entry| times(entry.counts) > 0));
        (3 * given / 2 >= all && accepted != rejected).then_some(List { length, accepted, given, all })
    })
}

/// The bits that say which words the lists name, given the language. The automaton is complete over the sample's
/// letters.
pub(crate) fn listing_bits(dfa: &Dfa, sample: &Sample) -> f64 {
    if lists(sample).all(|list| list.given == list.all) {
        return 0.0;
    }
    // Number of words of the length that lead to each state.
    let mut here = vec![0_u64; dfa.len()];
    here[dfa.initial().index()] = 1;
    let bits = lists(sample).map(|list| {
        let mut next = vec![0; dfa.len()];
        dfa.transitions().for_each(|(from, _, to)| next[to.index()] += here[from.index()]);
        here = next;
        let accepted: u64 = dfa.accepting().map(|state| here[state.index()]).sum();
        let could = if list.accepted { accepted } else { list.all - accepted };
        let which = |of: u64| choice(of as usize, list.given as usize);
        // An answer that cannot name them all is wrong anyway.
        either(which(could.max(list.given)), which(list.all))
    });
    bits.sum()
}

/// The bits of a mixture of two codes with equal weight: `most` if the label had nothing to do with what was left out,
/// and `fewest` if it had.
fn either(fewest: f64, most: f64) -> f64 {
    fewest + 1.0 - libm::log2(1.0 + libm::exp2(fewest - most))
}

/// The sample plus the words that its lists leave out, with the other label; as many lists as together leave out only a
/// few words. `None` if they leave out none.
pub(crate) fn supposed(sample: &Sample) -> Option<Sample> {
    let mut left_out = 0;
    let few = lists(sample).take_while(|list| {
        left_out += list.all - list.given;
        left_out <= MOST_SUPPOSED
    });
    let short = few.filter(|list| list.given < list.all);
    let more: Vec<(Word, Counts)> = short.flat_map(|list| missing(sample, list)).collect();
    if more.is_empty() { None } else { sample.and(&more, true).ok() }
}

/// The words that a list leaves out, with the opposite label.
fn missing(sample: &Sample, list: List) -> Vec<(Word, Counts)> {
    let label = Counts::from(Label::from(!list.accepted));
    // Words of one length are in alphabet order in both.
    let of_length = sample.entries().iter().filter(|entry| entry.length as usize == list.length);
    let mut given = of_length.map(|entry| sample.word(entry)).peekable();
    let all = enumerate(&Dfa::constant(sample.alphabet().clone(), true));
    let all = all.skip_while(|word| word.len() < list.length).take_while(|word| word.len() == list.length);
    let left_out = all.filter(|word| given.next_if(|next| **next == word[..]).is_none());
    left_out.map(|word| (word, label)).collect()
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Label, Regex, minimize};

    use super::*;

    fn sample(accepted: &[&str], rejected: &[&str]) -> Sample {
        let alphabet = Alphabet::of_chars("abcd");
        let labelled = [(accepted, Label::Accepted), (rejected, Label::Rejected)];
        let rows =
            labelled.iter().flat_map(|(words, label)| words.iter().map(|word| (alphabet.read(word).unwrap(), *label)));
        Sample::new(&Examples::of(&alphabet, rows), false).unwrap()
    }

    fn bits(pattern: &str, sample: &Sample) -> f64 {
        listing_bits(&minimize(&Regex::parse(pattern, sample.alphabet()).unwrap().to_dfa().unwrap()), sample)
    }

    #[test]
    fn what_a_list_leaves_out_is_probably_of_the_other_label() {
        let sample = sample(&["abab"], &["a", "b", "d"]);
        // No bits if c could not be named, two if it could; the mixture combines both.
        assert!((bits("c|abab", &sample) + libm::log2(0.5 + 0.5 * 0.25)).abs() < 1e-9);
        assert!((bits("abab", &sample) - 2.0).abs() < 1e-9);
        let supposed = supposed(&sample).unwrap();
        let word = supposed.alphabet().read("c").unwrap();
        let added: Vec<_> = supposed.rows().filter(|(_, counts)| counts.accepted > 0).map(|(word, _)| word).collect();
        assert_eq!((supposed.words(), added[0]), (sample.words() + 1, &word[..]));
    }

    #[test]
    fn parts_and_what_was_asked_for_have_no_lists() {
        let given = sample(&["abab"], &["a", "b", "d"]);
        let dd = given.alphabet().read("dd").unwrap();
        let asked = given.and(&[(dd, Label::Rejected.into())], false).unwrap();
        let not_asked = given.and(&[], false).unwrap();
        assert_eq!([&given, &given.reversed(), &not_asked].map(|sample| lists(sample).count()), [1; 3]);
        for sample in [given.picked(|_| true), asked] {
            assert_eq!(lists(&sample).count(), 0);
            assert_eq!(bits("abab", &sample), 0.0);
            assert!(supposed(&sample).is_none());
        }
    }

    #[test]
    fn both_labels_are_no_list_and_few_words_are_none() {
        let none = [sample(&["c", "abab"], &["a", "b"]), sample(&["abab"], &["a", "b"]), sample(&["abab"], &["ab"])];
        for sample in none {
            assert_eq!(lists(&sample).count(), 0);
            assert_eq!(bits("abab", &sample), 0.0);
            assert!(supposed(&sample).is_none());
        }
    }

    #[test]
    fn lists_that_leave_out_many_are_not_supposed_complete() {
        let letters = || "abcd".chars();
        let three = letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| format!("{a}{b}{c}"))));
        let two = letters().flat_map(|a| letters().map(move |b| format!("{a}{b}")));
        let (two, three): (Vec<String>, Vec<String>) = (two.collect(), three.collect());
        let shown = |of_two: usize, of_three: usize| {
            let longer = two[..of_two].iter().chain(&three[..of_three]).map(String::as_str);
            sample(&["abab"], &["a", "b", "c"].into_iter().chain(longer).collect::<Vec<_>>())
        };
        let added = |sample: &Sample| supposed(sample).unwrap().words() - sample.words();
        assert_eq!(added(&shown(11, 62)), 8);
        assert_eq!(added(&shown(11, 61)), 6);
        assert_eq!(lists(&shown(11, 43)).count(), 3);
        assert_eq!(lists(&shown(11, 42)).count(), 2);
        // Fewer than two in three words of two letters are given, so longer ones are not examined.
        assert_eq!(lists(&shown(10, 64)).count(), 1);
    }

    #[test]
    fn words_of_one_letter_leave_nothing_out() {
        let alphabet = Alphabet::of_chars("a");
        let words = ["a", "aa", "aaa"].map(|word| (alphabet.read(word).unwrap(), Label::Accepted));
        let rows = words.into_iter().chain([(alphabet.read("aaaa").unwrap(), Label::Rejected)]);
        let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
        assert_eq!(lists(&sample).count(), 4);
        assert_eq!(bits("aaaaa", &sample), 0.0);
        assert!(supposed(&sample).is_none());
    }

    #[test]
    fn wrong_answers_have_bits_too() {
        let sample = sample(&["abab"], &["a", "b", "d"]);
        assert!(bits("a|b|c|d", &sample).is_finite());
    }
}
