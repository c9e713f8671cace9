//! Smallest automata and proofs, against a list of all automata of up to four states over two letters.

mod common;

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use automata::{Alphabet, Dfa, Letter, Regex, Word, minimize};
use common::{Numbers, letters, sample};
use induction::proof::{Proof, ProofSettings, Prover, Unproved, Verdict, prove};
use induction::symbolic::sat::{Asked, Budget, Exact, Found, Limit};
use induction::{Sample, certify};
use proptest::prelude::*;

const LETTERS: usize = 2;
const MOST_STATES: usize = 4;
const LONGEST: usize = 4;
const PLENTY: u64 = 1_000_000;

/// All words to a length, shorter ones first.
fn words() -> Vec<Word> {
    let mut words = vec![Word::empty()];
    let mut read = 0;
    while words[read].len() < LONGEST {
        for letter in 0..LETTERS {
            words.push(words[read].iter().copied().chain([Letter::new(letter)]).collect());
        }
        read += 1;
    }
    words
}

/// A language by its minimal automaton: its states, and which of the words to a length it has, a bit each.
struct Language {
    states: usize,
    has: u32,
    table: Vec<[usize; LETTERS]>,
    accepting: Vec<bool>,
}

impl Language {
    fn dfa(&self) -> Dfa {
        let rows: Vec<Vec<Option<usize>>> =
            self.table.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
        let accepting = (0..self.states).filter(|&state| self.accepting[state]);
        Dfa::new(letters(LETTERS), 0, accepting, &rows).unwrap()
    }
}

/// Every table of up to four states is written down; kept are those that are numbered breadth-first and minimal.
static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let words = words();
    let mut languages = Vec::new();
    for states in 1..=MOST_STATES {
        for number in 0..states.pow((states * LETTERS) as u32) {
            let target = |at: usize| number / states.pow(at as u32) % states;
            let table: Vec<[usize; LETTERS]> =
                (0..states).map(|state| std::array::from_fn(|letter| target(state * LETTERS + letter))).collect();
            if !is_breadth_first(&table) {
                continue;
            }
            for accepting in 0..1 << states {
                let accepting: Vec<bool> = (0..states).map(|state| accepting >> state & 1 == 1).collect();
                if !is_minimal(&table, &accepting) {
                    continue;
                }
                let accepts = |word: &Word| accepting[word.iter().fold(0, |at, letter| table[at][letter.index()])];
                let has = words.iter().enumerate().fold(0, |has, (i, word)| has | u32::from(accepts(word)) << i);
                languages.push(Language { states, has, table: table.clone(), accepting });
            }
        }
    }
    languages
});

fn is_breadth_first(table: &[[usize; LETTERS]]) -> bool {
    let mut met = 1;
    for (state, row) in table.iter().enumerate() {
        if state >= met {
            return false;
        }
        for &next in row {
            if next > met {
                return false;
            }
            met += usize::from(next == met);
        }
    }
    met == table.len()
}

fn is_minimal(table: &[[usize; LETTERS]], accepting: &[bool]) -> bool {
    let states = table.len();
    let mut apart = vec![vec![false; states]; states];
    for _ in 0..states {
        for a in 0..states {
            for b in 0..states {
                apart[a][b] |= accepting[a] != accepting[b] || (0..LETTERS).any(|c| apart[table[a][c]][table[b][c]]);
            }
        }
    }
    (0..states).all(|a| (0..a).all(|b| apart[a][b]))
}

/// The languages of the fewest states that agree with labels; none if they take more than four.
fn smallest(labelled: u32, accepted: u32) -> Vec<&'static Language> {
    let agree = |language: &&Language| language.has & labelled == accepted & labelled;
    let agreeing: Vec<&Language> = LANGUAGES.iter().filter(agree).collect();
    let fewest = agreeing.iter().map(|language| language.states).min();
    agreeing.into_iter().filter(|language| Some(language.states) == fewest).collect()
}

fn sample_of(labelled: u32, accepted: u32) -> Sample {
    let rows = words().into_iter().enumerate().filter(|(i, _)| labelled >> i & 1 == 1);
    sample(&letters(LETTERS), rows.map(|(i, word)| (word, accepted >> i & 1 == 1)).collect())
}

fn prepared(sample: &Sample) -> Exact {
    let mut exact = Exact::new(Arc::new(sample.clone()));
    assert!(exact.prepare(u64::MAX).is_break());
    exact
}

/// The smallest size at which there is an automaton, from the bound up.
fn size_found(sample: &Sample, most: usize) -> Option<usize> {
    let mut exact = prepared(sample);
    let mut budget = Budget::new(PLENTY);
    (exact.bound()..=most).find(|&states| match exact.automaton(states, &mut budget) {
        Found::Automaton(dfa) => {
            assert!(certify(&dfa, sample).is_consistent());
            assert!(dfa.len() == states);
            true
        }
        Found::Nothing => false,
        Found::Unknown(limit) => panic!("{limit}"),
    })
}

fn proved(sample: &Sample, dfa: &Dfa) -> Proof {
    prove(sample, dfa, &[], ProofSettings { conflicts: PLENTY })
}

/// Checks a refutation by its own word.
fn refuted<'a>(verdict: &'a Verdict, dfa: &Dfa, sample: &Sample) -> Option<&'a Dfa> {
    let Verdict::Refuted { automaton, word } = verdict else { return None };
    assert!(certify(automaton, sample).is_consistent());
    assert_ne!(automaton.accepts(word), dfa.accepts(word));
    assert!(automaton.len() <= dfa.len());
    assert_eq!(*automaton, minimize(automaton));
    Some(automaton)
}

/// Holds everything against the list, for one sample.
fn check(labelled: u32, accepted: u32) {
    let sample = sample_of(labelled, accepted);
    let smallest = smallest(labelled, accepted);
    let fewest = smallest.first().map(|language| language.states);
    assert_eq!(size_found(&sample, MOST_STATES), fewest);
    for language in smallest.iter().take(3) {
        let dfa = language.dfa();
        let proof = proved(&sample, &dfa);
        assert_eq!(proof.minimal, Verdict::Proved);
        assert!(proof.bound <= dfa.len());
        match smallest.len() {
            1 => assert_eq!(proof.unique, Verdict::Proved),
            _ => assert_eq!(refuted(&proof.unique, &dfa, &sample).expect("there are others").len(), dfa.len()),
        }
    }
    let larger = LANGUAGES.iter().find(|language| {
        language.has & labelled == accepted & labelled && fewest.is_some_and(|fewest| language.states > fewest)
    });
    if let Some(language) = larger {
        let dfa = language.dfa();
        let proof = proved(&sample, &dfa);
        assert!(refuted(&proof.minimal, &dfa, &sample).expect("there are smaller ones").len() < dfa.len());
        assert!(refuted(&proof.unique, &dfa, &sample).is_some());
    }
}

#[test]
fn there_are_as_many_languages_as_are_known() {
    // Domaratzki, Kisman and Shallit: the number of languages over two letters by the states of their minimal automata.
    let count = |states| LANGUAGES.iter().filter(|language| language.states == states).count();
    assert_eq!([1, 2, 3, 4].map(count), [2, 24, 1028, 56014]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn few_random_labels(labelled: u32, sparser: u32, accepted: u32) {
        check(labelled & sparser & (u32::MAX >> 1), accepted);
    }

    #[test]
    fn labels_of_a_language(labelled: u32, sparser: u32, number: proptest::sample::Index) {
        let language = &LANGUAGES[number.index(LANGUAGES.len())];
        check((labelled | sparser) & (u32::MAX >> 1), language.has);
    }
}

#[test]
fn all_words_but_one_of_small_languages() {
    for language in LANGUAGES.iter().filter(|language| language.states <= 2) {
        let all = u32::MAX >> 1;
        check(all, language.has);
        (0..31).step_by(3).for_each(|left_out| check(all & !(1 << left_out), language.has));
    }
}

/// Long words of a random automaton of ten states: they have few endings in common.
fn long_words(words: usize) -> (Sample, Dfa) {
    let mut numbers = Numbers(7);
    let rows: Vec<Vec<Option<usize>>> = (0..10).map(|_| (0..2).map(|_| Some(numbers.below(10))).collect()).collect();
    let accepting: Vec<usize> = (0..10).filter(|_| numbers.below(2) == 0).collect();
    let dfa = minimize(&Dfa::new(letters(2), 0, accepting, &rows).unwrap());
    let words: Vec<Word> =
        (0..words).map(|_| (0..7 + numbers.below(4)).map(|_| Letter::new(numbers.below(2))).collect()).collect();
    let rows = words.into_iter().map(|word| (word.clone(), dfa.accepts(&word))).collect();
    (sample(&letters(2), rows), dfa)
}

#[test]
fn the_limit_of_conflicts_is_kept_and_told() {
    let (sample, dfa) = long_words(60);
    for conflicts in [0, 1, 10] {
        let proof = prove(&sample, &dfa, &[], ProofSettings { conflicts });
        assert_eq!(proof.minimal, Verdict::Unknown { why: Unproved::Limit(Limit::Conflicts) });
        assert_eq!(proof.unique, Verdict::Unknown { why: Unproved::PerhapsNotMinimal });
        assert!(proof.conflicts <= conflicts + 1 && !proof.cut);
    }
    let mut prover = Prover::new(Arc::new(sample), &dfa, &[], ProofSettings { conflicts: PLENTY });
    assert!(prover.advance(1).is_continue());
    let proof = prover.stop();
    assert_eq!(proof.minimal, Verdict::Unknown { why: Unproved::Limit(Limit::Cut) });
    assert!(proof.cut);
}

#[test]
fn answers_that_are_known_refute_where_the_solver_comes_to_nothing() {
    let ab = letters(2);
    let rows = ["+", "+a", "-b", "-ba"].map(|row| (ab.read(&row[1..]).unwrap(), &row[..1] == "+"));
    let sample = sample(&ab, rows.to_vec());
    let dfa = |pattern| minimize(&Regex::parse(pattern, &ab).unwrap().to_dfa().unwrap());
    let nothing = ProofSettings { conflicts: 0 };
    let (answer, rival, wrong, larger) = (dfa("a*"), dfa("(a|ba*b)*"), dfa("b*"), dfa("aa?a?"));

    let proof = prove(&sample, &answer, &[&answer, &wrong, &larger, &rival], nothing);
    assert_eq!((proof.minimal, proof.conflicts), (Verdict::Proved, 0));
    assert!(refuted(&proof.unique, &answer, &sample).is_some());

    // Where it is not known whether something smaller agrees, a rival of the same size still tells.
    let (hard, truth) = long_words(60);
    let other = prepared(&hard).rival(&truth, &mut Budget::new(PLENTY));
    let Found::Automaton(other) = other else { panic!("sixty words leave this open") };
    let other = minimize(&other);
    assert_eq!(other.len(), truth.len());
    let proof = prove(&hard, &truth, &[&other], nothing);
    assert_eq!(proof.minimal, Verdict::Unknown { why: Unproved::Limit(Limit::Conflicts) });
    assert_eq!(refuted(&proof.unique, &truth, &hard), Some(&other));

    // And what is smaller refutes both.
    let larger = dfa("a*|a*bb");
    let proof = prove(&sample, &larger, &[&rival, &answer], nothing);
    assert!(refuted(&proof.minimal, &larger, &sample).is_some_and(|other| other.len() < larger.len()));
    assert_eq!(proof.minimal, proof.unique);
}

/// All automata of two states over two letters, by brute force, against rivals of rivals until there are no more.
#[test]
fn rivals_are_listed_to_the_last_one() {
    let ab = letters(2);
    let mut all: Vec<Dfa> = Vec::new();
    for number in 0..64_usize {
        let to = |bit: usize| Some(number >> bit & 1);
        let accepting = (0..2).filter(|state| number >> (4 + state) & 1 == 1);
        let dfa = minimize(&Dfa::new(ab.clone(), 0, accepting, &[vec![to(0), to(1)], vec![to(2), to(3)]]).unwrap());
        if dfa.len() == 2 && !all.contains(&dfa) {
            all.push(dfa);
        }
    }
    for rows in [&["+", "-a"][..], &["+", "+a", "-b"], &["-", "+ab", "-b"], &["+aa", "-a", "+bb"]] {
        let words: Vec<_> = rows.iter().map(|row| (ab.read(&row[1..]).unwrap(), &row[..1] == "+")).collect();
        let sample = sample(&ab, words.clone());
        let agrees = |dfa: &Dfa| words.iter().all(|(word, accepted)| dfa.accepts(word) == *accepted);
        let expected = all.iter().filter(|dfa| agrees(dfa)).count();
        let mut exact = prepared(&sample);
        let Found::Automaton(first) = exact.automaton(2, &mut Budget::new(PLENTY)) else { panic!("{rows:?}") };
        let mut known = vec![minimize(&first)];
        loop {
            exact.ask(Asked::Rival(known.clone()));
            let found = loop {
                if let ControlFlow::Break(found) = exact.advance(u64::MAX, &mut Budget::new(PLENTY)) {
                    break found;
                }
            };
            let Found::Automaton(other) = found else { break };
            let other = minimize(&other);
            assert!(agrees(&other) && !known.contains(&other), "{rows:?}");
            known.push(other);
        }
        assert_eq!(known.len(), expected, "{rows:?}");
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let (sample, dfa) = long_words(60);
    let proof = || prove(&sample, &dfa, &[], ProofSettings { conflicts: 2_000 });
    assert_eq!(proof(), proof());
    let found = || {
        let mut budget = Budget::new(2_000);
        (prepared(&sample).automaton(dfa.len(), &mut budget), budget.spent())
    };
    assert_eq!(found(), found());
}

#[test]
fn what_no_example_uses_is_open() {
    let ab = letters(2);
    let rows = ["+", "+a", "-b", "-ba"].map(|row| (ab.read(&row[1..]).unwrap(), &row[..1] == "+"));
    let sample = sample(&ab, rows.to_vec());
    let only_a = automata::Regex::parse("a*", &ab).unwrap().to_dfa().unwrap();
    let proof = proved(&sample, &only_a);
    assert_eq!((proof.minimal, proof.bound), (Verdict::Proved, 2));
    let Verdict::Refuted { automaton, word } = proof.unique else { panic!("nothing is said of bb") };
    assert_eq!((ab.write(&word).as_str(), automaton.len()), ("bb", 2));
}

#[test]
fn an_empty_word_without_a_label_is_open() {
    let ab = letters(2);
    let begins_with_a = automata::Regex::parse("a.*", &ab).unwrap().to_dfa().unwrap();
    let labelled: Vec<(Word, bool)> =
        words().into_iter().map(|word| (word.clone(), begins_with_a.accepts(&word))).collect();
    let proof = proved(&sample(&ab, labelled.clone()), &begins_with_a);
    assert_eq!((proof.minimal, proof.unique), (Verdict::Proved, Verdict::Proved));
    let proof = proved(&sample(&ab, labelled[1..].to_vec()), &begins_with_a);
    let Verdict::Refuted { automaton, word } = proof.unique else { panic!("the empty word may be either") };
    assert!(word.is_empty() && automaton.accepts(&word) && automaton.len() == 3);
}

#[test]
fn what_cannot_be_proved_says_why() {
    let (ab, abc) = (letters(2), letters(3));
    let rows = [(ab.read("a").unwrap(), true), (ab.read("b").unwrap(), false)];
    let sample = sample(&ab, rows.to_vec());
    let why = |dfa: &Dfa| match proved(&sample, dfa) {
        Proof { minimal: Verdict::Unknown { why }, unique, .. } => {
            assert_eq!(unique, Verdict::Unknown { why });
            why
        }
        proof => panic!("{proof:?}"),
    };
    assert_eq!(why(&Dfa::constant(ab.clone(), true)), Unproved::Inconsistent);
    assert_eq!(why(&Dfa::constant(abc, true)), Unproved::OtherLetters);
}

#[test]
fn without_letters_there_is_the_empty_word() {
    let none = Alphabet::of_chars("");
    let sample = sample(&none, vec![(Word::empty(), true)]);
    let proof = proved(&sample, &Dfa::constant(none, true));
    assert_eq!((proof.minimal, proof.unique), (Verdict::Proved, Verdict::Proved));
}

#[test]
fn a_question_that_is_too_large_is_not_asked() {
    let sample = sample_of(0b111, 0b010);
    let mut budget = Budget::new(PLENTY);
    let found = prepared(&sample).automaton(1_000, &mut budget);
    assert_eq!((found, budget.spent()), (Found::Unknown(Limit::TooLarge), 0));
}

/// What is proved in slices of this much work, and the most by which one was exceeded.
fn proved_in_slices(sample: &Sample, dfa: &Dfa, conflicts: u64, slice: u64) -> (Proof, u64) {
    let mut prover = Prover::new(Arc::new(sample.clone()), dfa, &[], ProofSettings { conflicts });
    let mut excess = 0;
    loop {
        let before = prover.work();
        let state = prover.advance(slice);
        excess = excess.max((prover.work() - before).saturating_sub(slice));
        if let ControlFlow::Break(proof) = state {
            return (proof, excess);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// The verdicts and the number of conflicts are the same however the work is cut.
    #[test]
    fn proofs_are_the_same_in_slices(labelled: u32, number: usize, conflicts in prop_oneof![0..40_u64, Just(PLENTY)]) {
        let language = &LANGUAGES[number % LANGUAGES.len()];
        let sample = sample_of(labelled, language.has);
        let whole = prove(&sample, &language.dfa(), &[], ProofSettings { conflicts });
        for slice in [1, 777] {
            prop_assert_eq!(&proved_in_slices(&sample, &language.dfa(), conflicts, slice).0, &whole);
        }
    }
}

/// One that takes many portions of the solver.
#[test]
fn a_hard_proof_is_the_same_in_slices_which_are_bounded() {
    let (sample, dfa) = long_words(60);
    let whole = prove(&sample, &dfa, &[], ProofSettings { conflicts: 10_000 });
    assert!(whole.conflicts > 4_000, "{} conflicts are not many", whole.conflicts);
    let (proof, excess) = proved_in_slices(&sample, &dfa, 10_000, 1_000);
    assert_eq!(proof, whole);
    // A portion of the solver: 2,000 conflicts and at most 50,000 decisions.
    assert!(excess <= 2_000 * 500 + 50_000 * 50 + 10_000, "{excess} beyond a slice");
}

/// Thousands of letters and a long word: neither comparing prefixes nor making clauses is done in one go.
#[test]
fn slices_of_a_large_question_are_bounded() {
    const LETTERS: usize = 3_000;
    let mut numbers = Numbers(5);
    let mut rows: Vec<(Word, bool)> = (0..LETTERS)
        .map(|i| ([i, numbers.below(LETTERS)].map(Letter::new).into_iter().collect(), numbers.below(2) == 0))
        .collect();
    rows.push(((0..20_000).map(|_| Letter::new(numbers.below(LETTERS))).collect(), true));
    let alphabet = Alphabet::new((0..LETTERS).map(|i| format!("l{i}"))).unwrap();
    let sample = Arc::new(sample(&alphabet, rows));
    let nodes = sample.parents().len() as u64;
    let mut exact = Exact::new(sample);
    let mut excess = 0;
    let mut budget = Budget::new(100);
    exact.ask(Asked::Automaton(4));
    loop {
        let before = exact.work();
        let state = exact.advance(10_000, &mut budget);
        excess = excess.max((exact.work() - before).saturating_sub(10_000));
        if state.is_break() {
            break;
        }
    }
    let variables = 4 * nodes + 50 * LETTERS as u64;
    let of_the_solver = 2_000 * 500 + (50_000 + variables) * 50;
    // A pass over the sample, and two prefixes compared.
    assert!(excess <= of_the_solver + 2 * nodes + 500_000 + 100 * LETTERS as u64, "{excess} beyond a slice");
}
