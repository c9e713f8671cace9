//! A learner stops when told to, and stops by itself when nothing is left to do.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use automata::{Alphabet, Dfa, Examples, Label, Regex, Word};
use common::Numbers;
use induction::Sample;
use induction::learner::{
    Data, Engine, Executor, Job, Learner, Noise, Outcome, Settings, Spent, Stop, StopReason, Threads, Way,
};
use induction::proof::Verdict;

fn small() -> Settings {
    Settings { restarts: 16, steps: 300, visits: 300_000, ..Settings::default() }
}

/// Stops the learner at a slice, and counts the slices after it.
struct Watched {
    threads: Threads,
    stop: Stop,
    at: u64,
    slices: Arc<AtomicU64>,
}

impl Executor for Watched {
    fn begin(&mut self, jobs: Vec<Box<dyn Job>>, data: &Arc<Data>) {
        self.threads.begin(jobs, data);
    }

    fn advance(&mut self) -> Option<Vec<Outcome>> {
        if self.slices.fetch_add(1, Ordering::Relaxed) + 1 == self.at {
            self.stop.stop();
        }
        self.threads.advance()
    }

    fn spent(&self) -> Spent {
        self.threads.spent()
    }

    fn cut(&mut self) -> Vec<Outcome> {
        self.threads.cut()
    }
}

/// Learns until a slice. Returns the reason for the end, the number of slices, and whether the answer is an honest one.
fn stopped(examples: &Examples, settings: &Settings, at: u64) -> (StopReason, u64, bool) {
    let (stop, slices) = (Stop::new(), Arc::new(AtomicU64::new(0)));
    let executor = Watched { threads: Threads::inline(), stop: stop.clone(), at, slices: Arc::clone(&slices) };
    let sample = Sample::new(examples, settings.noise != Noise::None).unwrap();
    let mut learner = Learner::with_executor(sample, settings.clone(), Box::new(executor)).unwrap();
    let reason = learner.learn(&stop).unwrap();
    let induced = learner.induced(reason);
    let is_honest = induced.certificate.examples == examples.len() as u64
        && (induced.certificate.wrong == 0) == induced.certificate.is_consistent();
    (reason, slices.load(Ordering::Relaxed), is_honest)
}

fn labelled(truth: &Dfa, words: impl Iterator<Item = String>) -> Examples {
    let words = words.map(|word| truth.alphabet().read(&word).unwrap());
    Examples::of(truth.alphabet(), words.map(|word: Word| (word.clone(), Label::from(truth.accepts(&word)))))
}

fn language(pattern: &str, letters: &str) -> Dfa {
    Regex::parse(pattern, &Alphabet::of_chars(letters)).unwrap().to_dfa().unwrap()
}

fn random_words(letters: &str, count: usize, lengths: (usize, usize)) -> impl Iterator<Item = String> {
    let mut numbers = Numbers(11);
    let letters: Vec<char> = letters.chars().collect();
    (0..count).map(move |_| {
        let length = lengths.0 + numbers.below(lengths.1 - lengths.0 + 1);
        (0..length).map(|_| letters[numbers.below(letters.len())]).collect()
    })
}

/// Examples that keep every engine busy.
fn inputs() -> Vec<(&'static str, Examples, Settings)> {
    let alphabet = Alphabet::of_chars("ab");
    let mut numbers = Numbers(3);
    let labels: BTreeMap<String, bool> =
        random_words("ab", 60, (3, 9)).map(|word| (word, numbers.below(2) == 0)).collect();
    let rows = labels.into_iter().map(|(word, accepted)| (alphabet.read(&word).unwrap(), Label::from(accepted)));
    let by_chance = Examples::of(&alphabet, rows);
    let date = language("20[01][0-9]-[01][0-9]", "0129-");
    let dates =
        labelled(&date, random_words("0129-", 60, (5, 8)).chain(["2010-12", "2019-01", "2001-10"].map(String::from)));
    let facts = language("([bcd]|a[acd]*[cd])*a*", "abcd");
    let facts = labelled(&facts, random_words("abcd", 120, (4, 9)));
    vec![
        ("by chance", by_chance.clone(), small()),
        ("noisy", by_chance, Settings { noise: Noise::Auto, ..small() }),
        ("strings", dates, Settings { way: Way::Both, ..small() }),
        ("facts", facts.clone(), small()),
        ("facts alone", facts, Settings { engine: Engine::Facts, ..small() }),
    ]
}

#[test]
fn nothing_is_begun_after_a_stop() {
    for (name, examples, settings) in inputs() {
        let (reason, slices, is_honest) = stopped(&examples, &settings, 0);
        assert!(reason != StopReason::Cut && is_honest && slices > 0, "{name}: {reason:?}");
        for part in 0..8 {
            let at = 1 + (slices - 1) * part / 8;
            let (reason, done, is_honest) = stopped(&examples, &settings, at);
            // The stop is seen before the next slice, unless this one was the last.
            assert!(done == at && is_honest, "{name}: {done} slices, stopped at {at} of {slices}");
            assert!(reason == StopReason::Cut || at == slices, "{name}: {reason:?} at {at} of {slices}");
        }
    }
}

/// Labels by chance, so that nothing is settled soon, and accepted words that look like walks.
#[test]
fn a_spent_budget_is_an_end() {
    let settings = Settings { restarts: 16, steps: 100, visits: 1_000, conflicts: 100, ..Settings::default() };
    for (name, examples, _) in inputs() {
        let (reason, ..) = stopped(&examples, &settings, 0);
        assert_ne!(reason, StopReason::Cut, "{name}");
    }
}

/// The default asks the solver before it trusts that an answer was found often.
#[test]
fn what_the_solver_proves_is_reported_as_proved() {
    let truth = language("((a|b)(a|b)(a|b))*", "ab");
    let examples = labelled(&truth, random_words("ab", 400, (0, 9)));
    let mut learner = Learner::new(Sample::new(&examples, true).unwrap(), Settings::default(), 1).unwrap();
    assert_eq!(learner.learn(&Stop::new()).unwrap(), StopReason::Proved);
    let induced = learner.induced(StopReason::Proved);
    assert_eq!(induced.dfa.len(), 3);
    let proof = induced.proof.unwrap();
    assert_eq!((proof.minimal, proof.unique), (Verdict::Proved, Verdict::Proved));
}
