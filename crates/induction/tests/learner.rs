//! The learner as a whole: right answers, the same ones however they are come by, and honest about what is open.

mod common;

use std::sync::Arc;

use automata::formats::grammar_text;
use automata::{Alphabet, Dfa, Direction, Examples, Label, Regex, Word, enumerate, equivalent, minimize};
use common::{examples, letters};
use induction::Sample;
use induction::learner::{
    Data, Engine, Executor, Induced, Job, LearnError, Learner, Noise, Outcome, Settings, Spent, Step, Stop, StopReason,
    Threads, read_job,
};
use induction::proof::{ProofSettings, Verdict, prove};
use induction::selection::Origin;
use proptest::prelude::*;

/// Budgets that a test has time for.
fn small() -> Settings {
    Settings { restarts: 64, steps: 1_500, visits: 2_000_000, ..Settings::default() }
}

fn language(pattern: &str, alphabet: &str) -> Dfa {
    let alphabet = Alphabet::of_chars(alphabet);
    minimize(&Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap())
}

/// All words up to a length, labelled.
fn all_rows(dfa: &Dfa, longest: usize) -> Vec<(Word, Label)> {
    let everything = Dfa::constant(dfa.alphabet().clone(), true);
    let words = enumerate(&everything).take_while(|word| word.len() <= longest);
    words.map(|word| (word.clone(), dfa.accepts(&word).into())).collect()
}

fn all_words(dfa: &Dfa, longest: usize) -> Examples {
    Examples::of(dfa.alphabet(), all_rows(dfa, longest))
}

/// All words over a and b up to four letters, labelled by chance.
fn by_chance(seed: u64) -> Examples {
    let mut numbers = common::Numbers(seed);
    let mut rows = all_rows(&language("[ab]*", "ab"), 4);
    rows.iter_mut().filter(|_| numbers.below(2) == 0).for_each(|(_, label)| *label = Label::Rejected);
    Examples::of(&letters(2), rows)
}

fn learned(examples: &Examples, settings: Settings, threads: usize) -> Induced {
    let noise = settings.noise != Noise::None;
    let mut learner = Learner::new(Sample::new(examples, noise).unwrap(), settings, threads).unwrap();
    let reason = learner.learn(&Stop::new()).unwrap();
    learner.induced(reason)
}

/// Everything that a result says, but for the model's parameters, which other tests compare.
fn said(induced: &Induced) -> String {
    let Induced { grammar, dfa, certificate, bits, origin, finds, alternatives, undecided, spent, stop_reason, .. } =
        induced;
    let grammar = grammar_text::write(grammar);
    let model = induced.model.as_ref().map(|model| model.parameters().to_vec());
    format!(
        "{grammar} {dfa:?} {certificate:?} {bits} {origin:?} {finds} {alternatives:?} {undecided:?} {spent:?} {stop_reason:?} {model:?}"
    )
}

#[test]
fn every_engine_learns_the_papers_example() {
    let truth = language("[ab]*c+", "abc");
    let words = all_words(&truth, 5);
    for engine in [Engine::Auto, Engine::Neural, Engine::Search, Engine::Rpni, Engine::Edsm, Engine::Sat] {
        let induced = learned(&words, Settings { engine, ..small() }, 2);
        assert_eq!(induced.dfa, truth, "{engine:?}");
        assert!(induced.certificate.is_consistent());
        assert_eq!(induced.certificate.examples, words.len() as u64);
    }
}

#[test]
fn the_solver_gives_the_smallest_or_says_that_the_budget_was_too_small() {
    // Labels by chance: only what is small is to be had for them.
    let words = by_chance(3);
    let sat = Settings { engine: Engine::Sat, ..small() };
    let induced = learned(&words, sat.clone(), 1);
    assert_eq!(induced.stop_reason, StopReason::Finished);
    assert!(induced.certificate.is_consistent());
    let sample = Sample::new(&words, false).unwrap();
    let proof = prove(&sample, &induced.dfa, &[], ProofSettings::default());
    assert_eq!(proof.minimal, Verdict::Proved);
    // The solver looks at its limit now and then, so it may go a little beyond it, but then it is used up.
    for conflicts in 1..induced.spent.conflicts {
        let spent = learned(&words, Settings { conflicts, ..sat.clone() }, 1).spent.conflicts;
        assert!(spent <= conflicts + 20, "{spent} of {conflicts}");
    }
    // What is smallest read from one end may be large read from the other.
    let backward = Settings { direction: Direction::Right, ..sat.clone() };
    assert_eq!(Learner::new(sample, backward, 1).unwrap_err(), LearnError::BackwardSat);
    let little = learned(&words, Settings { conflicts: 0, ..sat.clone() }, 1);
    assert_eq!((little.stop_reason, little.origin), (StopReason::Budget, Origin::Trivial));
    let noisy = Settings { noise: Noise::Auto, ..sat };
    assert_eq!(Learner::new(Sample::new(&words, false).unwrap(), noisy, 1).unwrap_err(), LearnError::NoisySat);
}

#[test]
fn the_default_asks_the_model_and_says_so() {
    let induced = learned(&all_words(&language("[ab]*c+", "abc"), 5), small(), 2);
    assert_eq!(induced.stop_reason, StopReason::Proved);
    assert!(matches!(induced.origin, Origin::Neural | Origin::Repaired), "{:?}", induced.origin);
    assert!(induced.model.is_some() && induced.shape.is_some() && induced.spent.restarts > 0);
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let truth = language("(0|1(01*0)*1)*", "01");
    for noise in [Noise::None, Noise::Rate(0.05)] {
        let words = all_words(&truth, 7);
        let answers = [1, 2, 3].map(|threads| said(&learned(&words, Settings { noise, ..small() }, threads)));
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0], answers[2]);
    }
}

#[test]
fn a_learner_that_was_cut_goes_on_as_if_it_had_not_been() {
    // Labels by chance: nobody will agree on what they mean.
    let words = by_chance(7);
    let settings = Settings { restarts: 96, steps: 300, visits: 300_000, ..Settings::default() };
    let sample = || Sample::new(&words, false).unwrap();
    let unbroken = learned(&words, settings.clone(), 1);
    let mut learner = Learner::new(sample(), settings.clone(), 1).unwrap();
    let mut cuts = 0;
    let reason = loop {
        let text = learner.checkpoint();
        learner = Learner::new(sample(), settings.clone(), 2).unwrap();
        learner.resume(&text, &[]).unwrap();
        assert_eq!(learner.checkpoint(), text);
        cuts += 1;
        if let Some(reason) = learner.advance(&Stop::new()).unwrap() {
            break reason;
        }
    };
    assert!(cuts > 3, "there were only {cuts} stages");
    assert_eq!(said(&learner.induced(reason)), said(&unbroken));
}

#[test]
fn a_learner_goes_on_from_any_step() {
    let words = all_words(&language("(0|1(01*0)*1)*", "01"), 6);
    let settings = Settings { restarts: 64, steps: 100, visits: 100_000, ..Settings::default() };
    let sample = || Sample::new(&words, false).unwrap();
    let unbroken = learned(&words, settings.clone(), 2);
    let mut learner = Learner::new(sample(), settings.clone(), 1).unwrap();
    let mut numbers = common::Numbers(11);
    let reason = loop {
        if let Step::Done(reason) = learner.step().unwrap() {
            break reason;
        }
        // Jobs under way are begun again, so not at every step, or it would never end.
        if numbers.below(40) == 0 {
            let text = learner.checkpoint();
            learner = Learner::new(sample(), settings.clone(), 2).unwrap();
            learner.resume(&text, &[]).unwrap();
        }
    };
    assert_eq!(said(&learner.induced(reason)), said(&unbroken));
}

/// Does every job as another machine would: the job and what it came to travel as text.
struct Elsewhere {
    threads: Threads,
    data: Option<Arc<Data>>,
}

impl Executor for Elsewhere {
    fn begin(&mut self, jobs: Vec<Box<dyn Job>>, data: &Arc<Data>) {
        let travelled = |job: &dyn Job| read_job(&serde_json::from_str(&job.write().to_string()).unwrap()).unwrap();
        self.threads.begin(jobs.iter().map(|job| travelled(&**job)).collect(), data);
        self.data = Some(Arc::clone(data));
    }

    fn advance(&mut self) -> Option<Vec<Outcome>> {
        let data = self.data.as_ref().unwrap();
        let travelled = |outcome: Outcome| {
            Outcome::read(serde_json::from_str(&outcome.write().to_string()).unwrap(), data).unwrap()
        };
        Some(self.threads.advance()?.into_iter().map(travelled).collect())
    }

    fn spent(&self) -> Spent {
        self.threads.spent()
    }

    fn cut(&mut self) -> Vec<Outcome> {
        self.threads.cut()
    }
}

#[test]
fn jobs_may_be_done_elsewhere() {
    // Labels by chance, so that every engine has its turns.
    let words = by_chance(7);
    for engine in [Engine::Auto, Engine::Sat] {
        let settings = Settings { engine, restarts: 96, steps: 300, visits: 300_000, ..Settings::default() };
        let executor = Elsewhere { threads: Threads::inline(), data: None };
        let sample = Sample::new(&words, false).unwrap();
        let mut learner = Learner::with_executor(sample, settings.clone(), Box::new(executor)).unwrap();
        let reason = learner.learn(&Stop::new()).unwrap();
        assert_eq!(said(&learner.induced(reason)), said(&learned(&words, settings, 2)));
    }
}

/// The order of the examples says nothing, and neither do the names of letters.
#[test]
fn order_and_names_of_letters_do_not_matter() {
    for (pattern, longest) in [("[ab]*c+", 4), ("(ab|c)*", 5), ("a*b?c*", 4), ("([ac]b)*|b", 5), ("[abc]*abc", 5)] {
        let truth = language(pattern, "abc");
        let mut rows = all_rows(&truth, longest);
        let first = learned(&Examples::of(truth.alphabet(), rows.clone()), small(), 1);
        assert_eq!(first.dfa, truth, "{pattern}");
        rows.reverse();
        rows.rotate_left(7);
        let again = learned(&Examples::of(truth.alphabet(), rows), small(), 1);
        assert_eq!(said(&again), said(&first), "{pattern}");
        // Another order of the alphabet trains other restarts, but they find the same language in as many bits.
        let renamed = pattern.replace('a', "z");
        let other = language(&renamed, "bcz");
        let induced = learned(&all_words(&other, longest), small(), 1);
        assert_eq!(induced.dfa, other, "{renamed}");
        assert!((induced.bits - first.bits).abs() < 1e-9, "{pattern}: {} and {}", induced.bits, first.bits);
    }
}

#[test]
fn merging_by_how_words_go_on_refuses_noise() {
    let sample = Sample::new(&examples(&letters(2), &["+a", "-b"]), false).unwrap();
    let noisy = Settings { engine: Engine::Walks, noise: Noise::Auto, ..small() };
    assert_eq!(Learner::new(sample, noisy, 1).unwrap_err(), LearnError::NoisyWalks);
}

/// Two automata of one size agree with all examples, and the solver lists them: no engine needs to look further.
#[test]
fn the_shortest_of_all_smallest_automata_is_settled() {
    let words = examples(&letters(2), &["+", "+a", "-b", "-ba", "+aa", "-ab", "-aab", "-baa"]);
    let settings = Settings { visits: 1_000_000_000, ..Settings::default() };
    let induced = learned(&words, settings, 1);
    assert_eq!(induced.stop_reason, StopReason::Settled);
    assert_eq!(induced.spent.visits, 0, "search was not needed");
    assert!(induced.certificate.is_consistent());
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let words = examples(&letters(2), &["+a", "-b"]);
    let new = |words: &Examples, settings| Learner::new(Sample::new(words, false).unwrap(), settings, 1).unwrap();
    let text = new(&words, small()).checkpoint();
    let told = |mut learner: Learner, text: &str| learner.resume(text, &[]).unwrap_err().to_string();
    let other = examples(&letters(2), &["+b", "-a"]);
    assert_eq!(told(new(&other, small()), &text), "the checkpoint belongs to other examples");
    let seed = Settings { seed: 1, ..small() };
    assert_eq!(told(new(&words, seed), &text), "the checkpoint belongs to other settings");
    assert!(told(new(&words, small()), "{}").starts_with("not a checkpoint of a learner"));
}

#[test]
fn one_label_alone_is_refused() {
    let refused = |rows: &[&str]| {
        let sample = Sample::new(&examples(&letters(2), rows), false).unwrap();
        Learner::new(sample, small(), 1).map(drop).unwrap_err()
    };
    assert!(matches!(refused(&["+a", "+b"]), LearnError::OneLabel { words: 2, label: "accepted", .. }));
    assert!(matches!(refused(&["-a"]), LearnError::OneLabel { words: 1, label: "rejected", .. }));
    assert!(refused(&[]).to_string().contains("no word"));
    let sample = Sample::new(&examples(&letters(2), &["+a", "-b"]), true).unwrap();
    let settings = Settings { noise: Noise::Rate(0.5), ..small() };
    assert!(matches!(Learner::new(sample, settings, 1), Err(LearnError::NoiseRate { .. })));
}

#[test]
fn words_read_from_their_ends_give_a_right_regular_grammar() {
    let truth = language("ab*(c|bb)", "abc");
    let induced = learned(&all_words(&truth, 5), Settings { direction: Direction::Right, ..small() }, 2);
    assert_eq!(induced.dfa, truth);
    assert_eq!(induced.grammar.direction(), Direction::Right);
    assert!(induced.certificate.is_consistent());
}

#[test]
fn mislabelled_words_are_named() {
    let truth = language("[ab]*c+", "abc");
    let mut rows = all_rows(&truth, 7);
    let mut flipped = Vec::new();
    for (i, (word, label)) in rows.iter_mut().enumerate().skip(50) {
        if i % 97 == 0 {
            *label = Label::from(*label == Label::Rejected);
            flipped.push(word.clone());
        }
    }
    let words = Examples::of(truth.alphabet(), rows);
    for noise in [Noise::Rate(0.01), Noise::Auto] {
        let induced = learned(&words, Settings { noise, ..small() }, 2);
        assert_eq!(induced.dfa, truth, "{noise:?}");
        let mut named: Vec<Word> = induced.suspects.iter().map(|suspect| suspect.word.clone()).collect();
        named.sort();
        assert_eq!(named, flipped);
    }
}

#[test]
fn what_a_list_leaves_out_has_the_other_label() {
    let truth = language("a[ab]*b|cb*", "abcd");
    let begins_with_a = language("a[ab]*b", "abcd");
    // Long accepted words begin with a; of the short words there are all that are rejected.
    let long = all_rows(&begins_with_a, 7).into_iter().filter(|(word, label)| match label {
        Label::Accepted => word.len() > 4,
        _ => word.len() == 5 && !truth.accepts(word),
    });
    let short = all_rows(&truth, 2).into_iter().filter(|(_, label)| *label == Label::Rejected);
    let rows: Vec<(Word, Label)> = short.chain(long).collect();
    let words = Examples::of(truth.alphabet(), rows.clone());
    for engine in [Engine::Auto, Engine::Neural] {
        assert_eq!(learned(&words, Settings { engine, ..small() }, 2).dfa, truth, "{engine:?}");
    }
    // One rejected word of a letter alone is no list.
    let few = rows.into_iter().filter(|(word, _)| word.len() != 1 || word == &truth.alphabet().read("a").unwrap());
    let words = Examples::of(truth.alphabet(), few);
    assert_eq!(learned(&words, small(), 2).dfa, begins_with_a);
}

#[test]
fn questions_lead_to_the_language() {
    let truth = language("(a|bb)*", "ab");
    let words = examples(&letters(2), &["+a", "-b", "+bb", "-ab"]);
    let mut learner = Learner::new(Sample::new(&words, false).unwrap(), small(), 1).unwrap();
    for _ in 0..40 {
        let reason = learner.learn(&Stop::new()).unwrap();
        let induced = learner.induced(reason);
        for open in &induced.undecided {
            assert!(0 < open.accepted_by && open.accepted_by < open.of, "an undecided word splits the answers");
        }
        if induced.dfa == truth {
            return;
        }
        let open = induced.undecided.first().expect("there is something to ask as long as the answer is wrong");
        let label = Label::from(truth.accepts(&open.word));
        learner.tell(&[(open.word.clone(), label)]).unwrap();
    }
    panic!("forty questions were not enough");
}

#[test]
fn it_begins_from_what_it_is_given() {
    // From two words nobody would guess it; given, it agrees with them and is kept as an alternative or the answer.
    let given = grammar_text::read("S -> a\nS -> S b\nS -> S a\n").unwrap();
    let words = examples(&letters(2), &["+a", "-b"]);
    let settings = Settings { start_from: Some(given.clone()), ..small() };
    let mut learner = Learner::new(Sample::new(&words, false).unwrap(), settings, 1).unwrap();
    let truth = language("a[ab]*", "ab");
    assert!(learner.pool().candidates().iter().any(|known| known.dfa == truth && known.origin == Origin::Given));
    learner.learn(&Stop::new()).unwrap();
    assert!(learner.pool().candidates().iter().any(|known| known.dfa == truth));
}

#[test]
fn a_large_sample_is_learned_from_its_core_and_checked_whole() {
    // What follows six c's is rare among all words, and rarer in a core.
    let truth = language("[ab]*a|c{6}[abc]*", "abc");
    let words = all_words(&truth, 9);
    assert!(words.len() > 25_000, "a core is taken of {} words", words.len());
    let induced = learned(&words, Settings { restarts: 128, ..small() }, 2);
    assert_eq!(induced.certificate.examples, words.len() as u64);
    assert!(induced.certificate.is_consistent());
    assert_eq!(induced.dfa, truth);
}

#[test]
fn who_watches_can_stop_it() {
    let words = examples(&letters(2), &["+a", "-b"]);
    let mut learner = Learner::new(Sample::new(&words, false).unwrap(), small(), 1).unwrap();
    let stop = Stop::new();
    stop.stop();
    assert_eq!(learner.learn(&stop).unwrap(), StopReason::Cut);
    // There is an answer all the same, and it says what it gets wrong.
    assert_eq!(learner.induced(StopReason::Cut).certificate.wrong, 1);
}

#[test]
fn what_is_cut_is_no_worse_than_merging() {
    // Long words labelled by chance: their smallest automata have hundreds of states, more than most runs may come to.
    let mut numbers = common::Numbers(7);
    let alphabet = Alphabet::of_chars("ab");
    let word = |numbers: &mut common::Numbers| (0..14).map(|_| ['a', 'b'][numbers.below(2)]).collect::<String>();
    let words: std::collections::BTreeSet<String> = (0..1_200).map(|_| word(&mut numbers)).collect();
    let label = |numbers: &mut common::Numbers| [Label::Accepted, Label::Rejected][numbers.below(2)];
    let rows = words.iter().map(|word| (alphabet.read(word).unwrap(), label(&mut numbers)));
    let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
    let mut learner = Learner::new(sample, small(), 2).unwrap();
    // The search for a formula has the first turn, and merging the second.
    assert_eq!(learner.advance(&Stop::new()).unwrap(), None);
    assert_eq!(learner.advance(&Stop::new()).unwrap(), None);
    let induced = learner.induced(StopReason::Cut);
    assert!(induced.certificate.is_consistent());
    assert!(induced.dfa.len() > 100, "{}", induced.dfa.len());
}

#[test]
fn the_papers_budget_is_the_same_at_every_length() {
    for (longest, most, steps) in [(2, u64::MAX, 30_000), (4, u64::MAX, 30_000), (4, 200, 200)] {
        let settings = Settings { engine: Engine::Paper, steps: most, ..small() };
        let induced = learned(&all_words(&language("[ab]*c+", "abc"), longest), settings, 1);
        assert_eq!((induced.spent.restarts, induced.spent.steps), (1, steps));
        assert_eq!(induced.stop_reason, StopReason::Finished);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Whatever was labelled how: the default finds an answer that agrees with it, and what it says is open is open.
    #[test]
    fn the_answer_agrees_with_the_examples(
        labels in prop::collection::btree_map("[ab]{0,5}", any::<bool>(), 2..14),
        seed in any::<u64>(),
    ) {
        prop_assume!(labels.values().any(|label| *label) && labels.values().any(|label| !label));
        let alphabet = Alphabet::of_chars("ab");
        let rows = labels.iter().map(|(word, accepted)| (alphabet.read(word).unwrap(), Label::from(*accepted)));
        let words = Examples::of(&alphabet, rows);
        let settings = Settings { restarts: 32, steps: 200, visits: 200_000, seed, ..Settings::default() };
        let induced = learned(&words, settings, 2);
        prop_assert!(induced.certificate.is_consistent());
        for (word, counts) in words.iter() {
            prop_assert_eq!(induced.dfa.accepts(word), counts.accepted > 0);
        }
        for other in &induced.alternatives {
            prop_assert!(!equivalent(&other.dfa, &induced.dfa));
            prop_assert!(words.iter().all(|(word, counts)| other.dfa.accepts(word) == (counts.accepted > 0)));
        }
        for open in &induced.undecided {
            prop_assert!(words.iter().all(|(word, _)| *word != open.word[..]), "a labelled word is not open");
        }
        prop_assert_eq!(induced.empty_word_chosen, !labels.contains_key(""));
    }
}
