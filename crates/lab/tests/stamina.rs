//! Problems of the kind of StaMInA are as the competition describes them.

use std::collections::BTreeSet;

use automata::Word;
use lab::plan::{Plan, built_in};
use lab::spec::Spec;
use lab::stamina::{Walks, random_automaton, walks};
use lab::{job, report};

#[test]
fn automata_have_about_the_states_asked_for() {
    for letters in [2, 5, 10, 20, 50] {
        for seed in 0..3 {
            let dfa = random_automaton(letters, 50, seed).unwrap();
            assert!((45..=55).contains(&dfa.trimmed().len()), "{letters} letters");
            assert_eq!((dfa.alphabet().len(), &dfa), (letters, &random_automaton(letters, 50, seed).unwrap()));
        }
    }
    assert_ne!(random_automaton(5, 50, 0), random_automaton(5, 50, 1));
}

#[test]
fn walks_have_both_labels_and_tests_are_apart() {
    for letters in [2, 10, 50] {
        let dfa = random_automaton(letters, 50, 7).unwrap();
        let Walks { examples, tests } = walks(&dfa, 2000, 100, 1).unwrap();
        let distinct: BTreeSet<&Word> = examples.iter().collect();
        assert!(distinct.is_disjoint(&tests.iter().collect()), "{letters} letters");
        assert!(distinct.len() < examples.len(), "short walks are repeated");
        for words in [examples.iter().collect::<Vec<_>>(), tests.iter().collect()] {
            let accepted = words.iter().filter(|word| dfa.accepts(word)).count();
            assert!((words.len() / 5..=words.len() * 4 / 5).contains(&accepted), "{letters} letters: {accepted}");
        }
        assert_eq!(walks(&dfa, 2000, 100, 1), Some(Walks { examples, tests }));
    }
}

/// Sparser examples are among the others, and the tests stay the same.
#[test]
fn a_problem_is_learned_and_scored() {
    let plan = Plan::read(built_in("stamina").unwrap()).unwrap();
    let is_wanted = |job: &&Spec| job.language.name() == "stamina-t2-k50-0" && job.learner.name == "edsm";
    let jobs: Vec<&Spec> = plan.jobs.iter().filter(is_wanted).collect();
    let records: Vec<_> = jobs.iter().map(|job| job::run(&Spec { seconds: None, ..(*job).clone() }, 1, &())).collect();
    let examples: Vec<u64> = records.iter().map(|record| record.data.as_ref().unwrap().examples).collect();
    assert!(examples.windows(2).all(|two| two[0].abs_diff(2 * two[1]) < 2), "{examples:?}");
    let tested = |i: usize| records[i].answer.as_ref().unwrap().tested.clone().unwrap();
    assert!(tested(0).balanced_rate >= 0.98, "all words of the easiest kind: {:?}", tested(0));
    assert!((0..4).all(|i| tested(i).fresh_words == tested(0).fresh_words && tested(i).pairs_accuracy.is_none()));
    let study = report::Study { name: "stamina".to_owned(), records, ..report::Study::default() };
    let text = report::markdown(&report::document(&study));
    assert!(text.contains("## StaMInA") && text.contains("| letters | 100 % | 50 % | 25 % | 12.5 % |"), "{text}");
}
