//! Subregular languages have the properties that define their classes, and their words are drawn as the plan says.

use std::collections::{BTreeMap, BTreeSet};

use automata::{Alphabet, Dfa, Letter, Word, enumerate};
use lab::plan::{Plan, built_in};
use lab::spec::{Language, Spec};
use lab::study::export;
use lab::subregular::{Class, Fact, Form, Formula, LENGTHS, Recipe, Subregular, draw, letters, recipes};
use lab::{job, pairs, report};
use proptest::prelude::*;

/// All words of up to this length.
fn words(alphabet: &Alphabet, depth: usize) -> impl Iterator<Item = Word> {
    enumerate(&Dfa::constant(alphabet.clone(), true)).take_while(move |word| word.len() <= depth)
}

/// The languages of a class over four letters.
fn of_class(class: Class) -> impl Iterator<Item = (Recipe, Subregular)> {
    let wanted = move |recipe: &Recipe| recipe.class == class && recipe.letters == 4;
    recipes().into_iter().filter(wanted).map(|recipe| (recipe, draw(&recipe, recipe.index).unwrap()))
}

/// Whether the language is closed under suffix substitution: if u x v and u' x v' are in it and x has `width` - 1
/// letters, so is u x v'. Then it is strictly local. Words may have up to 7 letters; a state stands for all u that lead
/// to it.
fn is_strictly_local(dfa: &Dfa, width: usize) -> bool {
    let word: Vec<Word> = words(dfa.alphabet(), 4).collect();
    let run = |from: &[Letter], to: &[Letter]| dfa.accepts(&[from, to].concat());
    let mut heads: BTreeMap<usize, &Word> = BTreeMap::new();
    for head in &word {
        heads.entry(dfa.run(head).unwrap().index()).or_insert(head);
    }
    word.iter().filter(|x| x.len() == width - 1).all(|x| {
        let live: Vec<Vec<Letter>> = heads.values().map(|head| [&head[..], x].concat()).collect();
        let live: Vec<_> = live.into_iter().filter(|head| word.iter().any(|tail| run(head, tail))).collect();
        word.iter().all(|tail| {
            let accepted = live.iter().filter(|head| run(head, tail)).count();
            accepted == 0 || accepted == live.len()
        })
    })
}

#[test]
fn strictly_local_languages_are_closed_under_suffix_substitution() {
    for (recipe, language) in of_class(Class::SL).filter(|(recipe, _)| recipe.width <= 4) {
        // Factors with an end take one more letter: the end.
        assert!(is_strictly_local(&language.dfa, recipe.width + 1), "{}", recipe.name());
    }
    let (_, parity) = of_class(Class::Zp).next().unwrap();
    assert!(!is_strictly_local(&parity.dfa, 4), "counting is not local");
    let (_, later) = of_class(Class::CoSP).next().unwrap();
    assert!(!is_strictly_local(&later.dfa, 4), "a subsequence is not local");
}

/// Whether all words with one letter removed from a word of the language are in it, which gives all subsequences.
fn is_closed_under_subsequence(dfa: &Dfa, depth: usize) -> bool {
    let shorter = |word: &Word, i: usize| dfa.accepts(&[&word[..i], &word[i + 1..]].concat());
    words(dfa.alphabet(), depth).filter(|word| dfa.accepts(word)).all(|word| (0..word.len()).all(|i| shorter(&word, i)))
}

#[test]
fn strictly_piecewise_languages_are_closed_under_subsequence() {
    for (recipe, language) in of_class(Class::SP) {
        assert!(is_closed_under_subsequence(&language.dfa, 7), "{}", recipe.name());
    }
    for (recipe, language) in of_class(Class::CoSP) {
        assert!(is_closed_under_subsequence(&language.dfa.complement(), 7), "{}", recipe.name());
    }
    let (_, local) = of_class(Class::SL).next().unwrap();
    assert!(!is_closed_under_subsequence(&local.dfa, 7));
}

/// Letters that are not on the tier change nothing.
#[test]
fn tiers_erase_the_other_letters() {
    for class in [Class::TSL, Class::TcoSL, Class::TLT, Class::TLTT, Class::TPLT] {
        for (recipe, Subregular { formula, dfa }) in of_class(class) {
            let tier = match &formula.facts[0] {
                Fact::Occurs(pattern) => pattern.tier.clone().unwrap(),
                Fact::Count { .. } => panic!("{} counts nothing", recipe.name()),
            };
            assert_eq!(Some(tier.len()), recipe.tier);
            for word in words(dfa.alphabet(), 6) {
                let projected: Word = word.iter().copied().filter(|letter| tier.contains(letter)).collect();
                assert_eq!(dfa.accepts(&word), dfa.accepts(&projected), "{}", recipe.name());
            }
        }
    }
}

#[test]
fn formulas_and_automata_agree() {
    for recipe in recipes().into_iter().filter(|recipe| recipe.letters == 4) {
        let Subregular { formula, dfa } = draw(&recipe, recipe.index).unwrap();
        assert_eq!(dfa, formula.to_dfa(dfa.alphabet()));
        for word in words(dfa.alphabet(), 7) {
            assert_eq!(
                formula.accepts(&word),
                dfa.accepts(&word),
                "{}: {}",
                recipe.name(),
                dfa.alphabet().write(&word)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Random formulas of all kinds over three letters, where patterns overlap themselves all the time.
    #[test]
    fn random_formulas_and_automata_agree(class in 0_usize..16, form in 0_usize..6, width in 2_usize..5, seed: u64) {
        let forms = [Form::None, Form::Some, Form::Mixed, Form::If, Form::Xor, Form::Prefix];
        let (class, form) = (Class::ALL[class], forms[form]);
        let recipe = Recipe {
            class, form, width, letters: 3, literals: 2, tier: Some(2), count: Some(2), index: 0, held_out: false,
        };
        if let Some(Subregular { formula, dfa }) = draw(&recipe, seed) {
            for word in words(dfa.alphabet(), 8) {
                prop_assert_eq!(formula.accepts(&word), dfa.accepts(&word), "{}", formula.text(dfa.alphabet()));
            }
        }
    }
}

/// The language of each recipe, as the suite has it.
fn language(recipe: Recipe) -> (Dfa, String) {
    let target = Language::Subregular { recipe }.draw(0).unwrap_or_else(|error| panic!("{}: {error}", recipe.name()));
    (target.dfa, target.formula.unwrap())
}

#[test]
fn the_suite_has_every_class_over_every_alphabet_in_both_halves() {
    let recipes = recipes();
    assert_eq!(recipes.len(), 120);
    assert_eq!(recipes.iter().filter(|recipe| recipe.held_out).count(), 60);
    let mut seen = BTreeSet::new();
    for class in Class::ALL {
        for letters in [4, 16, 64] {
            assert!(recipes.iter().any(|recipe| (recipe.class, recipe.letters) == (class, letters)), "{class}");
        }
        for held_out in [true, false] {
            assert!(recipes.iter().any(|recipe| (recipe.class, recipe.held_out) == (class, held_out)), "{class}");
        }
    }
    for recipe in recipes {
        let (dfa, formula) = language(recipe);
        assert_eq!(dfa.alphabet(), &letters(recipe.letters));
        assert!((2..=150).contains(&dfa.len()), "{}: {formula}", recipe.name());
        assert!(seen.insert((recipe.letters, formula.clone())), "{}: {formula} is there twice", recipe.name());
    }
}

fn distance_is_one(a: &[Letter], b: &[Letter]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    match long.len() - short.len() {
        0 => a != b && short[same + 1..] == long[same + 1..],
        1 => short[same..] == long[same + 1..],
        _ => false,
    }
}

#[test]
fn pairs_are_one_edit_apart_and_straddle_the_border() {
    for recipe in recipes().into_iter().step_by(7) {
        let (dfa, formula) = language(recipe);
        let draw = |seed| pairs::draw(&dfa, LENGTHS, 60, &BTreeSet::new(), seed, 4);
        let drawn = draw(1);
        assert_eq!(drawn.len(), 60, "{formula}");
        for pair in &drawn {
            assert!(dfa.accepts(&pair.accepted) && !dfa.accepts(&pair.rejected));
            assert!(distance_is_one(&pair.accepted, &pair.rejected));
            assert!(LENGTHS.contains(&pair.accepted.len()) && LENGTHS.contains(&pair.rejected.len()));
        }
        assert!(draw(1) == drawn && draw(2) != drawn, "{formula}");
        let taken = drawn.iter().map(|pair| pair.accepted.clone()).collect();
        let others = pairs::draw(&dfa, LENGTHS, 60, &taken, 1, 4);
        assert!(others.iter().all(|pair| !taken.contains(&pair.accepted)), "{formula}");
    }
    let everything = Dfa::constant(letters(2), true);
    assert!(pairs::draw(&everything, 1..=3, 5, &BTreeSet::new(), 0, 0).is_empty());
}

fn jobs(set: &str) -> Vec<Spec> {
    let plan = Plan::read(built_in("subregular").unwrap()).unwrap();
    plan.jobs.into_iter().filter(|job| job.set_name() == set).collect()
}

#[test]
fn examples_are_half_and_half_of_every_length() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = Plan::read(built_in("subregular").unwrap()).unwrap();
    plan.jobs.retain(|job| job.learner.name == "edsm" && job.draw.name != "subregular-10000");
    plan.jobs = plan.jobs.into_iter().step_by(17).collect();
    for set in export(&plan, folder.path()).unwrap() {
        let text = std::fs::read_to_string(folder.path().join(format!("{}.jsonl", set.set))).unwrap();
        let mut counts: BTreeMap<(usize, bool), usize> = BTreeMap::new();
        for line in text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let length = line["word"].as_str().unwrap().chars().count();
            *counts.entry((length, line["label"] == 1)).or_default() += 1;
        }
        assert_eq!(counts.keys().map(|key| key.0).collect::<BTreeSet<_>>(), LENGTHS.collect(), "{}", set.set);
        assert_eq!(counts.len(), 20, "{}", set.set);
        assert!(counts.values().all(|&count| count == set.examples / 20), "{}: {counts:?}", set.set);
    }
}

/// Merging is quick; its record has both accuracies, and the report shows them.
#[test]
fn a_job_is_tested_on_fresh_words_and_on_pairs() {
    let spec = jobs("tsl-t4-w2-6.subregular-1000.r0").into_iter().find(|job| job.learner.name == "edsm").unwrap();
    let record = job::run(&Spec { seconds: None, ..spec.clone() }, 1, &());
    let tested = record.answer.as_ref().unwrap().tested.clone().unwrap();
    assert_eq!((tested.fresh_words, tested.pairs), (2000, 1000));
    assert!((0.4..=1.0).contains(&tested.fresh_accuracy) && (0.4..=1.0).contains(&tested.pairs_accuracy.unwrap()));
    assert!(record.truth.as_ref().unwrap().formula.as_ref().unwrap().contains(" on "));
    assert_eq!(lab::record::Record::from_json(&record.to_json()).unwrap(), record);
    let study = report::Study { name: "subregular".to_owned(), records: vec![record], ..report::Study::default() };
    let text = report::markdown(&report::document(&study));
    assert!(text.contains("## Subregular languages") && text.contains("TSL"), "{text}");
}

/// Figures of different days are of the same languages: what was drawn once stays.
#[test]
fn the_languages_stay_the_same() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for recipe in recipes() {
        let (_, formula) = language(recipe);
        // FNV-1a: any change shows.
        hash = formula.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    }
    assert_eq!(format!("{hash:016x}"), "1b83617d072a941f");
}

/// A formula is written as people would say it.
#[test]
fn formulas_are_written_in_short() {
    let text = |recipe: Recipe| language(recipe).1;
    let of = |class, letters| recipes().into_iter().find(|recipe| (recipe.class, recipe.letters) == (class, letters));
    assert!(text(of(Class::SP, 4).unwrap()).starts_with("no "));
    assert!(text(of(Class::Zp, 16).unwrap()).contains(" mod 3 = "));
    let empty = Formula { facts: Vec::new(), rule: lab::subregular::Rule::All(Vec::new()) };
    assert!(empty.accepts(&[]));
}
