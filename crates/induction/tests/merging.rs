//! Merging with trees and a journal does what the textbook does with copies of automata.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use automata::{Alphabet, Dfa, Examples, Label, Letter, Word, equivalent};
use induction::Sample;
use induction::symbolic::{Merging, Randomness, Rule, merge, merge_many, merge_widely};
use proptest::prelude::*;

/// An automaton with some states known to accept, some known to reject. State 0 is the initial one.
#[derive(Clone)]
struct Known {
    next: BTreeMap<(usize, usize), usize>,
    accepts: BTreeMap<usize, bool>,
}

impl Known {
    fn tree(rows: &[(Word, bool)]) -> Self {
        let mut tree = Self { next: BTreeMap::new(), accepts: BTreeMap::new() };
        for (word, accepted) in rows {
            let mut state = 0;
            for letter in word.iter() {
                let new = tree.next.len() + 1;
                state = *tree.next.entry((state, letter.index())).or_insert(new);
            }
            tree.accepts.insert(state, *accepted);
        }
        tree
    }

    /// Two states taken for one, and then whatever the same letter leads to; red states keep their names. With the
    /// number of labels that agreed.
    fn merged(&self, red: usize, blue: usize, all_red: &BTreeSet<usize>) -> Option<(Self, usize)> {
        let mut result = self.clone();
        let mut equal = vec![(red, blue)];
        while let Some((p, q)) = equal.pop() {
            if p == q {
                continue;
            }
            let (p, q) = if all_red.contains(&q) { (q, p) } else { (p, q) };
            assert!(!all_red.contains(&q), "two red states are never merged");
            if let Some(label) = result.accepts.remove(&q)
                && *result.accepts.entry(p).or_insert(label) != label
            {
                return None;
            }
            let name = |state: usize| if state == q { p } else { state };
            equal.iter_mut().for_each(|pair| *pair = (name(pair.0), name(pair.1)));
            for ((from, letter), to) in std::mem::take(&mut result.next) {
                let other = *result.next.entry((name(from), letter)).or_insert(name(to));
                equal.push((other, name(to)));
            }
        }
        let score = self.accepts.len() - result.accepts.len();
        Some((result, score))
    }

    /// The red states and those one letter beyond, by the shortest words that lead to them.
    fn survey(&self, all_red: &BTreeSet<usize>) -> (Vec<usize>, Vec<usize>) {
        let (mut red, mut blue, mut waiting) = (vec![0], Vec::new(), VecDeque::from([0]));
        while let Some(state) = waiting.pop_front() {
            for (_, &to) in self.next.range((state, 0)..(state + 1, 0)) {
                if !all_red.contains(&to) {
                    blue.push(to);
                } else if !red.contains(&to) {
                    red.push(to);
                    waiting.push_back(to);
                }
            }
        }
        (red, blue)
    }

    /// Whether an accepted word leads through a state.
    fn is_live(&self, state: usize) -> bool {
        let mut after = self.next.range((state, 0)..(state + 1, 0));
        self.accepts.get(&state) == Some(&true) || after.any(|(_, &to)| self.is_live(to))
    }

    fn to_dfa(&self, alphabet: &Alphabet, red: &[usize]) -> Dfa {
        let number = |state: &usize| red.iter().position(|other| other == state);
        let row = |&state: &usize| {
            alphabet.letters().map(|letter| self.next.get(&(state, letter.index())).and_then(number)).collect()
        };
        let accepting = (0..red.len()).filter(|&i| self.accepts.get(&red[i]) == Some(&true));
        Dfa::new(alphabet.clone(), 0, accepting, &red.iter().map(row).collect::<Vec<_>>()).unwrap()
    }
}

fn naive(alphabet: &Alphabet, rows: &[(Word, bool)], rule: Rule, dead_ends: bool) -> Dfa {
    let mut known = Known::tree(rows);
    let mut all_red = BTreeSet::from([0]);
    loop {
        let (red, mut blue) = known.survey(&all_red);
        blue.retain(|&state| !dead_ends || known.is_live(state));
        if blue.is_empty() {
            return known.to_dfa(alphabet, &red);
        }
        if rule == Rule::Rpni {
            blue.truncate(1);
        }
        let merges_of = |&b: &usize| -> Vec<(Known, usize)> {
            let merges = red.iter().filter_map(|&r| known.merged(r, b, &all_red));
            if rule == Rule::Rpni { merges.take(1).collect() } else { merges.collect() }
        };
        let merges: Vec<Vec<(Known, usize)>> = blue.iter().map(merges_of).collect();
        match merges.iter().position(Vec::is_empty) {
            Some(stuck) => {
                all_red.insert(blue[stuck]);
            }
            None => {
                let highest = merges.iter().flatten().map(|(_, score)| *score).max().unwrap();
                known = merges.into_iter().flatten().find(|(_, score)| *score == highest).unwrap().0;
            }
        }
    }
}

fn sample_of(alphabet: &Alphabet, rows: &[(Word, bool)]) -> Sample {
    let rows = rows.iter().map(|(word, accepted)| (word.clone(), Label::from(*accepted)));
    Sample::new(&Examples::of(alphabet, rows), true).unwrap()
}

fn letters(count: usize) -> Alphabet {
    Alphabet::of_chars(&"abcd"[..count])
}

/// Automata of up to `most` states, complete or with holes.
fn automaton(most: usize, most_letters: usize) -> impl Strategy<Value = Dfa> {
    (1..=most, 1..=most_letters, 0..2_u32).prop_flat_map(|(states, count, hole)| {
        let next = prop_oneof![4 => (0..states).prop_map(Some), hole => Just(None)];
        let rows = prop::collection::vec(prop::collection::vec(next, count), states);
        (rows, prop::collection::vec(any::<bool>(), states)).prop_map(move |(rows, accepts)| {
            Dfa::new(letters(count), 0, (0..accepts.len()).filter(|&q| accepts[q]), &rows).unwrap()
        })
    })
}

/// Words, each once and with one label: that of a language, or whatever chance says.
fn rows() -> impl Strategy<Value = (Alphabet, Vec<(Word, bool)>)> {
    (automaton(6, 4), any::<bool>(), 0..70_usize).prop_flat_map(|(dfa, by_language, most)| {
        let word = prop::collection::vec(0..dfa.alphabet().len(), 0..9)
            .prop_map(|word| word.into_iter().map(Letter::new).collect::<Word>());
        prop::collection::btree_map(word, any::<bool>(), 0..=most).prop_map(move |rows| {
            let label = |(word, chance): (Word, bool)| {
                let label = if by_language { dfa.accepts(&word) } else { chance };
                (word, label)
            };
            (dfa.alphabet().clone(), rows.into_iter().map(label).collect())
        })
    })
}

fn agrees(dfa: &Dfa, rows: &[(Word, bool)]) -> bool {
    rows.iter().all(|(word, accepted)| dfa.accepts(word) == *accepted)
}

fn with_chance(strength: f64, seed: u64) -> Merging {
    Merging { randomness: Some(Randomness { strength, seed }), ..Merging::by(Rule::Edsm) }
}

/// All words to a length, labelled by a language.
fn all_words(dfa: &Dfa, longest: usize) -> Vec<(Word, bool)> {
    let mut words = vec![Word::empty()];
    let mut begin = 0;
    for _ in 0..longest {
        let end = words.len();
        for i in begin..end {
            let longer = |letter| words[i].iter().copied().chain([letter]).collect();
            let longer: Vec<Word> = dfa.alphabet().letters().map(longer).collect();
            words.extend(longer);
        }
        begin = end;
    }
    words.into_iter().map(|word| (word.clone(), dfa.accepts(&word))).collect()
}

proptest! {
    #[test]
    fn it_is_what_the_textbook_does((alphabet, rows) in rows()) {
        let sample = sample_of(&alphabet, &rows);
        for (rule, dead_ends) in [Rule::Rpni, Rule::Edsm].into_iter().flat_map(|rule| [(rule, false), (rule, true)]) {
            let dfa = merge(&sample, &Merging { dead_ends, ..Merging::by(rule) }).unwrap();
            prop_assert!(agrees(&dfa, &rows));
            prop_assert_eq!(&dfa, &dfa.canonical());
            prop_assert_eq!(&dfa, &naive(&alphabet, &rows, rule, dead_ends), "{:?} {}", rule, dead_ends);
        }
    }

    #[test]
    fn a_beam_of_one_is_plain_merging((alphabet, rows) in rows(), width in 2..6_usize) {
        let sample = sample_of(&alphabet, &rows);
        for dead_ends in [false, true] {
            let how = Merging { dead_ends, ..Merging::by(Rule::Edsm) };
            prop_assert_eq!(merge_widely(&sample, &how, 1), vec![merge(&sample, &how).unwrap()]);
            let found = merge_widely(&sample, &how, width);
            prop_assert!(!found.is_empty() && found.len() <= width);
            prop_assert!(found.iter().all(|dfa| agrees(dfa, &rows)));
            prop_assert!(found.is_sorted_by_key(Dfa::len));
            prop_assert!((1..found.len()).all(|i| !found[..i].contains(&found[i])), "each is found once");
            let few = Merging { most_states: Some(found[0].len() - 1), ..how };
            prop_assert!(merge_widely(&sample, &few, width).iter().all(|dfa| dfa.len() < found[0].len()));
        }
    }

    #[test]
    fn threads_change_nothing((alphabet, rows) in rows(), seed: u64) {
        let sample = sample_of(&alphabet, &rows);
        let how = Merging::by(Rule::Edsm);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| (merge_widely(&sample, &how, 4), merge_many(&sample, &how, 7, seed)))
        };
        let (found, many) = with(1);
        prop_assert_eq!(many.len(), 7);
        prop_assert!(many.iter().all(|dfa| agrees(dfa, &rows)));
        prop_assert_eq!(&many[1], &merge(&sample, &how).unwrap());
        prop_assert_eq!((found, many), with(3));
    }

    #[test]
    fn chance_contradicts_no_example((alphabet, rows) in rows(), seed: u64, strength in 0.0..20.0) {
        let sample = sample_of(&alphabet, &rows);
        let dfa = merge(&sample, &with_chance(strength, seed)).unwrap();
        prop_assert!(agrees(&dfa, &rows));
        prop_assert_eq!(Some(dfa), merge(&sample, &with_chance(strength, seed)));
        let plain = merge(&sample, &Merging::by(Rule::Edsm));
        prop_assert_eq!(merge(&sample, &with_chance(0.0, seed)), plain);
    }

    #[test]
    fn what_is_said_twice_is_said_once((alphabet, rows) in rows(), times in 2..4_usize) {
        let repeated: Vec<(Word, bool)> = rows.iter().flat_map(|row| std::iter::repeat_n(row.clone(), times)).collect();
        for rule in [Rule::Rpni, Rule::Edsm] {
            for tolerance in [0.0, 0.05] {
                let how = Merging { tolerance, ..Merging::by(rule) };
                let once = merge(&sample_of(&alphabet, &rows), &how);
                prop_assert_eq!(merge(&sample_of(&alphabet, &repeated), &how), once);
            }
        }
    }

    #[test]
    fn a_limit_is_kept_or_the_answer_is_none((alphabet, rows) in rows(), states in 1..8_usize, visits in 0..2000_u64) {
        let sample = sample_of(&alphabet, &rows);
        for rule in [Rule::Rpni, Rule::Edsm] {
            let free = merge(&sample, &Merging::by(rule)).unwrap();
            let few = merge(&sample, &Merging { most_states: Some(states), ..Merging::by(rule) });
            prop_assert_eq!(few, (free.len() <= states).then(|| free.clone()));
            let quick = merge(&sample, &Merging { most_visits: Some(visits), ..Merging::by(rule) });
            prop_assert!(quick.is_none_or(|dfa| dfa == free));
        }
    }

    /// Contradictions are voted on or tolerated; either way every state accepts by the majority of its words.
    #[test]
    fn tolerant_states_accept_by_majority(
        (alphabet, rows) in rows(),
        flips in prop::collection::vec(any::<bool>(), 70),
        tolerance in 0.0..0.6,
    ) {
        let flipped = rows.iter().zip(&flips).map(|((word, label), flip)| (word.clone(), label ^ flip));
        let flipped: Vec<(Word, bool)> = flipped.collect();
        let doubled: Vec<(Word, bool)> = rows.iter().chain(&flipped).cloned().collect();
        for rule in [Rule::Rpni, Rule::Edsm] {
            let how = Merging { tolerance, ..Merging::by(rule) };
            let dfa = merge(&sample_of(&alphabet, &flipped), &how).unwrap();
            let mut votes = vec![0_i64; dfa.len()];
            for (word, accepted) in &flipped {
                let state = dfa.run(word).expect("every example is in the automaton");
                votes[state.index()] += if *accepted { 1 } else { -1 };
            }
            prop_assert!(dfa.states().all(|state| dfa.is_accepting(state) == (votes[state.index()] > 0)));
            // Half of these words are said to be both, and tell nothing.
            let agreed: Vec<(Word, bool)> = rows.iter().filter(|row| flipped.contains(row)).cloned().collect();
            let strict = merge(&sample_of(&alphabet, &doubled), &Merging::by(rule)).unwrap();
            prop_assert!(agrees(&strict, &agreed));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// All words to length 2n + 1 have everything that tells n states apart.
    #[test]
    fn all_short_words_give_the_language_back(target in automaton(4, 2)) {
        let rows = all_words(&target, 9);
        let sample = sample_of(target.alphabet(), &rows);
        let dead_ends = Merging { dead_ends: true, ..Merging::by(Rule::Edsm) };
        for how in [Merging::by(Rule::Rpni), Merging::by(Rule::Edsm), dead_ends] {
            let dfa = merge(&sample, &how).unwrap();
            prop_assert!(equivalent(&dfa, &target));
            prop_assert_eq!(automata::minimize(&dfa).len(), automata::minimize(&target).len());
        }
    }
}

#[test]
fn nothing_said_is_one_state() {
    for count in [0, 2] {
        for rule in [Rule::Rpni, Rule::Edsm] {
            let dfa = merge(&sample_of(&letters(count), &[]), &Merging::by(rule)).unwrap();
            assert_eq!((dfa.len(), dfa.accepting().count(), dfa.transitions().count()), (1, 0, 0));
            let only_empty = merge(&sample_of(&letters(count), &[(Word::empty(), true)]), &Merging::by(rule)).unwrap();
            assert!(only_empty.accepts(&[]) && only_empty.len() == 1);
        }
    }
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// Words of parity, of which one label in twenty is wrong: merging that tolerates it finds the language all the same.
#[test]
fn wrong_labels_are_seen_through() {
    let row = |next: [usize; 2]| next.map(Some).to_vec();
    let target = Dfa::new(letters(2), 0, [0, 2], &[row([1, 2]), row([0, 1]), row([2, 0])]).unwrap();
    let mut numbers = Numbers(1);
    let mut rows = Vec::new();
    for _ in 0..1500 {
        let length = numbers.below(13);
        let word: Word = (0..length).map(|_| Letter::new(numbers.below(2))).collect();
        let label = target.accepts(&word) ^ (numbers.below(20) == 0);
        rows.push((word, label));
    }
    let sample = sample_of(&letters(2), &rows);
    let strict = merge(&sample, &Merging::by(Rule::Edsm)).unwrap();
    let tolerant = merge(&sample, &Merging { tolerance: 0.05, ..Merging::by(Rule::Edsm) }).unwrap();
    assert!(equivalent(&tolerant, &target), "{} states", tolerant.len());
    assert!(strict.len() > 10 * tolerant.len());
}
