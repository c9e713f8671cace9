//! Lists: lengths of which most words are given (at least two in three), all with one label.
//!
//! If three of the four words of one letter are given, all rejected, the fourth was probably left out because it is
//! accepted: whoever drew or wrote down rejected words would have included it otherwise. The measure says how much that is
//! worth; but no example leads to such an answer, so some restarts assume that lists are complete.
//!
//! A length with words of both labels is not a list: there, words may be missing by chance. Longer lengths after it are not
//! lists either. A part of a sample has no lists, and neither has a sample after questions: its words were selected for
//! reasons other than their label. With noise, lists say nothing, since one wrong label makes or breaks them. The share of
//! two in three is deliberate: with one half, more questions had to be asked.

use automata::{Counts, Dfa, Label, Word, enumerate};

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
    use automata::{Alphabet, Examples, Label};

    use super::*;

    fn sample(accepted: &[&str], rejected: &[&str]) -> Sample {
        let alphabet = Alphabet::of_chars("abcd");
        let labelled = [(accepted, Label::Accepted), (rejected, Label::Rejected)];
        let rows =
            labelled.iter().flat_map(|(words, label)| words.iter().map(|word| (alphabet.read(word).unwrap(), *label)));
        Sample::new(&Examples::of(&alphabet, rows), false).unwrap()
    }

    #[test]
    fn what_a_list_leaves_out_is_probably_of_the_other_label() {
        let sample = sample(&["abab"], &["a", "b", "d"]);
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
            assert!(supposed(&sample).is_none());
        }
    }

    #[test]
    fn both_labels_are_no_list_and_few_words_are_none() {
        let none = [sample(&["c", "abab"], &["a", "b"]), sample(&["abab"], &["a", "b"]), sample(&["abab"], &["ab"])];
        for sample in none {
            assert_eq!(lists(&sample).count(), 0);
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
        assert!(supposed(&sample).is_none());
    }
}
