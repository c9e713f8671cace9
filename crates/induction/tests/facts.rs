//! Formulas over facts: recovered from enough words, from accepted words alone, and with exceptions.

mod common;

use automata::{Alphabet, Dfa, Examples, Fact, Formula, Gap, Label, Letter, Literal, Pattern, Word, equivalent};
use common::Numbers;
use induction::Sample;
use induction::learner::{Engine, Induced, Learner, Settings, Stop};

fn learner(examples: &Examples) -> Learner {
    let settings = Settings { engine: Engine::Facts, ..Settings::default() };
    Learner::new(Sample::new(examples, false).unwrap(), settings, 1).unwrap()
}

fn learned(examples: &Examples) -> Induced {
    let mut learner = learner(examples);
    let reason = learner.learn(&Stop::new()).unwrap();
    learner.induced(reason)
}

/// Letters one by one, with `…` for a free gap, `^` for the start and `$` for the end.
fn has(text: &str) -> Fact {
    let (mut letters, mut gaps, mut next) = (Vec::new(), vec![Gap::Free], Gap::Adjacent);
    for sign in text.chars() {
        match sign {
            '^' => gaps[0] = Gap::Adjacent,
            '…' => next = Gap::Free,
            '$' => {}
            letter => {
                if !letters.is_empty() {
                    gaps.push(std::mem::replace(&mut next, Gap::Adjacent));
                }
                letters.push(vec![Letter::new(letter as usize - 'a' as usize)]);
            }
        }
    }
    gaps.push(if text.ends_with('$') { Gap::Adjacent } else { Gap::Free });
    Fact::Has(Pattern::new(letters, gaps, 1).unwrap())
}

fn count(letters: &str, modulus: usize, remainder: usize) -> Fact {
    let letters = letters.chars().map(|letter| Letter::new(letter as usize - 'a' as usize)).collect();
    Fact::CountModulo { letters, modulus, remainder }
}

fn formula(every: bool, clauses: &[&[(Fact, bool)]]) -> Formula {
    let literal = |(fact, holds): &(Fact, bool)| Literal { fact: fact.clone(), holds: *holds };
    Formula { every, clauses: clauses.iter().map(|clause| clause.iter().map(literal).collect()).collect() }
}

/// As many words of each label, of 8 to 19 letters.
fn words(dfa: &Dfa, of_each: [usize; 2], seed: u64) -> Vec<(Word, Label)> {
    let mut numbers = Numbers(seed);
    let mut left = of_each;
    let mut rows: Vec<(Word, Label)> = Vec::new();
    // The empty word is never drawn.
    while left != [0, 0] {
        let word: Word = (0..8 + numbers.below(12)).map(|_| Letter::new(numbers.below(dfa.alphabet().len()))).collect();
        let accepted = dfa.accepts(&word);
        let left = &mut left[usize::from(!accepted)];
        if *left > 0 && !rows.iter().any(|(known, _)| *known == word) {
            *left -= 1;
            rows.push((word, accepted.into()));
        }
    }
    rows
}

#[test]
fn formulas_are_recovered() {
    let alphabet = Alphabet::of_chars("abcdefgh");
    let formulas = [
        formula(true, &[&[(has("ab"), false)], &[(has("c…d…c"), false)]]),
        formula(false, &[&[(has("abc"), true)], &[(has("^d"), true)]]),
        formula(true, &[&[(has("ef"), false), (has("a$"), true)]]),
        formula(false, &[&[(count("bdefh", 3, 1), true)]]),
        formula(true, &[&[(count("acdg", 2, 1), true)], &[(has("hb"), false)]]),
        formula(
            true,
            &[&[(count("acd", 2, 1), true), (has("h"), true)], &[(count("acd", 2, 1), false), (has("h"), false)]],
        ),
        formula(true, &[&[(count("bce", 4, 2), true)]]),
    ];
    for (i, formula) in formulas.iter().enumerate() {
        let dfa = formula.automaton(&alphabet, 10_000).unwrap();
        let examples = Examples::of(&alphabet, words(&dfa, [400, 400], i as u64 + 1));
        let induced = learned(&examples);
        assert!(induced.certificate.is_consistent(), "{formula:?}: {:?}", induced.formula);
        // The empty word is not among the examples.
        let without = |dfa: &Dfa| automata::difference(dfa, &only_empty_word(&alphabet), 10_000).unwrap();
        assert!(equivalent(&without(&induced.dfa), &without(&dfa)), "{formula:?}: {:?}", induced.formula);
    }
}

fn only_empty_word(alphabet: &Alphabet) -> Dfa {
    let none: Vec<Vec<Option<usize>>> = vec![vec![None; alphabet.len()]];
    Dfa::new(alphabet.clone(), 0, [0], &none).unwrap()
}

/// A letter that stands beside a factor of all words is found whatever its name.
#[test]
fn letters_beside_a_factor_are_found_under_any_name() {
    let alphabet = Alphabet::new((0..40).map(|i| format!("l{i:02}"))).unwrap();
    let single = |letter: usize| vec![Letter::new(letter)];
    for beside in [1, 36] {
        let gaps = vec![Gap::Free, Gap::Adjacent, Gap::Without(single(beside))];
        let after_last = Pattern::new(vec![single(20), single(30)], gaps, 1).unwrap();
        let dfa = formula(true, &[&[(Fact::Has(after_last), false)]]).automaton(&alphabet, 1_000).unwrap();
        let mut numbers = Numbers(9);
        let mut word = || {
            let mut word: Vec<Letter> = (0..24).map(|_| Letter::new(numbers.below(40))).collect();
            word[numbers.below(24)] = Letter::new(beside);
            let at = numbers.below(23);
            (word[at], word[at + 1]) = (Letter::new(20), Letter::new(30));
            Word::from(word)
        };
        let rows: Vec<Word> = (0..600).map(|_| word()).collect();
        let rows = rows.into_iter().map(|word| (word.clone(), dfa.accepts(&word).into()));
        let induced = learned(&Examples::of(&alphabet, rows));
        assert!(equivalent(&induced.dfa, &dfa), "{beside}: {:?}", induced.formula);
    }
}

/// At least four of three letters, among sixteen: what is found does not depend on the names of the letters.
#[test]
fn thresholds_are_found_under_any_name() {
    let alphabet = Alphabet::of_chars("abcdefghijklmnop");
    for [first, second, third] in [[0, 1, 2], [3, 9, 14]] {
        let set = vec![[first, second, third].map(Letter::new).to_vec()];
        let many = Pattern::new(set, vec![Gap::Free; 2], 4).unwrap();
        let dfa = formula(true, &[&[(Fact::Has(many), true)]]).automaton(&alphabet, 1_000).unwrap();
        let mut places: Vec<usize> = vec![first, second, third];
        places.extend((0..16).filter(|letter| ![first, second, third].contains(letter)));
        let plain = Pattern::new(vec![[0, 1, 2].map(Letter::new).to_vec()], vec![Gap::Free; 2], 4).unwrap();
        let plain = formula(true, &[&[(Fact::Has(plain), true)]]).automaton(&alphabet, 1_000).unwrap();
        // The same words under other names.
        let rows = words(&plain, [500, 500], 4).into_iter().map(|(word, label)| {
            (word.iter().map(|letter| Letter::new(places[letter.index()])).collect::<Word>(), label)
        });
        let induced = learned(&Examples::of(&alphabet, rows));
        assert!(equivalent(&induced.dfa, &dfa), "{first}: {:?}", induced.formula);
    }
}

/// Words of a and b among random ones are more than words with a few a: the words decide, where labels do not.
#[test]
fn the_tightest_of_facts_that_explain_the_labels_is_found() {
    let alphabet = Alphabet::of_chars("abcdefghijklmnopqrstuvwxyz");
    let mut numbers = Numbers(2);
    let mut word = |letters: usize| -> Word { (0..20).map(|_| Letter::new(numbers.below(letters))).collect() };
    let rows: Vec<(Word, Label)> =
        (0..100).flat_map(|_| [(word(2), Label::Accepted), (word(26), Label::Rejected)]).collect();
    let induced = learned(&Examples::of(&alphabet, rows));
    let others: Vec<Vec<Letter>> = vec![(2..26).map(Letter::new).collect()];
    let others = Fact::Has(Pattern::new(others, vec![Gap::Free; 2], 1).unwrap());
    let dfa = formula(true, &[&[(others, false)]]).automaton(&alphabet, 1_000).unwrap();
    assert!(equivalent(&induced.dfa, &dfa), "{:?}", induced.formula);
}

/// Strictly local and strictly piecewise languages need no rejected words.
#[test]
fn accepted_words_are_enough_for_what_is_forbidden() {
    let alphabet = Alphabet::of_chars("abcd");
    // Words of fewer letters are not drawn.
    let short = Fact::Length { least: 0, most: Some(7) }.automaton(&alphabet);
    let long = |dfa: &Dfa| automata::difference(dfa, &short, 10_000).unwrap();
    let all = [(["ab", "cc"], 600), (["d…a", "b…b…c"], 600), (["^ab", "ccc"], 1_500), (["ab$", "cd$"], 1_500)];
    for (i, (forbidden, number)) in all.into_iter().enumerate() {
        let clauses = forbidden.map(|text| vec![Literal { fact: has(text), holds: false }]);
        let dfa = Formula { every: true, clauses: clauses.to_vec() }.automaton(&alphabet, 1_000).unwrap();
        let examples = Examples::of(&alphabet, words(&dfa, [number, 0], i as u64 + 1));
        let induced = learned(&examples);
        assert!(equivalent(&long(&induced.dfa), &long(&dfa)), "{forbidden:?}: {:?}", induced.formula);
    }
}

/// A few words that contradict a formula are stated with it, and the answer agrees with all of them.
#[test]
fn a_nearly_right_formula_has_exceptions() {
    let alphabet = Alphabet::of_chars("abcdefgh");
    let dfa = formula(true, &[&[(has("ab"), false)], &[(has("c…d…c"), false)]]).automaton(&alphabet, 1_000).unwrap();
    let mut rows = words(&dfa, [300, 300], 5);
    for number in [7, 311] {
        rows[number].1 = (!dfa.accepts(&rows[number].0)).into();
    }
    let wrong: Vec<String> = [7, 311].iter().map(|&number: &usize| alphabet.write(&rows[number].0)).collect();
    let examples = Examples::of(&alphabet, rows);
    let induced = learned(&examples);
    assert!(induced.certificate.is_consistent());
    let sentence = induced.formula.unwrap();
    assert!(sentence.contains("except for"), "{sentence}");
    assert!(wrong.iter().all(|word| sentence.contains(word)), "{sentence}: {wrong:?}");
    // Saved and resumed, it says the same.
    let mut learner = self::learner(&examples);
    let reason = learner.learn(&Stop::new()).unwrap();
    let mut again = self::learner(&examples);
    again.resume(&learner.checkpoint(), &[]).unwrap();
    assert_eq!(again.induced(reason).formula, Some(sentence));
}

/// What the examples leave open is asked in a few letters: no word has `ba` or `dd`.
#[test]
fn questions_about_formulas_are_short() {
    let alphabet = Alphabet::of_chars("abcd");
    let formula = formula(true, &[&[(has("ab"), false)], &[(has("cd"), false)]]);
    let dfa = formula.automaton(&alphabet, 1_000).unwrap();
    let open =
        self::formula(true, &[&[(has("ba"), false)], &[(has("dd"), false)]]).automaton(&alphabet, 1_000).unwrap();
    let rows = words(&dfa, [300, 300], 3).into_iter().filter(|(word, _)| open.accepts(word));
    let induced = learned(&Examples::of(&alphabet, rows));
    assert!(induced.certificate.is_consistent());
    assert!(!induced.alternatives.is_empty());
    let shortest = induced.undecided.iter().map(|open| open.word.len()).min().unwrap();
    assert!(shortest <= 3, "{:?}", induced.undecided);
}

/// Wrong labels are exceptions, as with the other engines.
#[test]
fn wrong_labels_do_not_hide_a_formula() {
    let alphabet = Alphabet::of_chars("abcdefgh");
    let dfa = formula(true, &[&[(has("ab"), false)], &[(has("c…d…c"), false)]]).automaton(&alphabet, 1_000).unwrap();
    let mut rows = words(&dfa, [300, 300], 5);
    for number in [3, 99, 310, 450, 599] {
        rows[number].1 = (!dfa.accepts(&rows[number].0)).into();
    }
    let settings = Settings { engine: Engine::Facts, noise: induction::learner::Noise::Auto, ..Settings::default() };
    let examples = Examples::of(&alphabet, rows);
    let mut learner = Learner::new(Sample::new(&examples, true).unwrap(), settings, 1).unwrap();
    let reason = learner.learn(&Stop::new()).unwrap();
    let induced = learner.induced(reason);
    assert_eq!(induced.certificate.wrong, 5, "{:?}", induced.formula);
    let without = |dfa: &Dfa| automata::difference(dfa, &only_empty_word(&alphabet), 10_000).unwrap();
    assert!(equivalent(&without(&induced.dfa), &without(&dfa)), "{:?}", induced.formula);
}

#[test]
fn too_many_letters_are_refused() {
    let alphabet = Alphabet::new((0..2_000).map(|i| format!("l{i}"))).unwrap();
    let rows =
        [(Word::from(vec![Letter::new(0)]), Label::Accepted), (Word::from(vec![Letter::new(1)]), Label::Rejected)];
    let settings = Settings { engine: Engine::Facts, ..Settings::default() };
    let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
    let error = Learner::new(sample, settings, 1).unwrap_err();
    assert_eq!(error.to_string(), "there are 2000 letters; facts are looked for among at most 1024");
}
