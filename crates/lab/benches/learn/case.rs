//! One set learned: how long it took, what came of it, and if that is not the truth, why.

use std::time::{Duration, Instant};

use automata::{Dfa, Examples, Grammar, separating_word};
use induction::learner::{Induced, Learner, Settings, Step, StopReason};
use induction::search::{self, Search};
use induction::selection::{Candidate, Origin};
use induction::{Sample, certify};
use serde_json::{Value, json};

/// With how many threads everything is measured.
pub(crate) const THREADS: usize = 2;
/// Descriptions whose lengths differ by less are equally long.
const SAME_BITS: f64 = 1e-9;
/// How many nodes a search visits between two looks at the clock.
const PIECE: u64 = 20_000_000;

/// A clock that says stop.
pub(crate) struct Clock {
    begin: Instant,
    limit: Duration,
}

impl Clock {
    pub(crate) fn of(seconds: f64) -> Self {
        Self { begin: Instant::now(), limit: Duration::from_secs_f64(seconds) }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.begin.elapsed() >= self.limit
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }
}

/// A language to be learned.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) name: &'a str,
    /// The minimal automaton.
    pub(crate) target: &'a Dfa,
    /// The grammar that was drawn, if one was: it may be the shortest description of the truth.
    pub(crate) grammar: Option<&'a Grammar>,
}

impl Case<'_> {
    /// Learns it from examples that are all right.
    pub(crate) fn run(&self, examples: &Examples, settings: Settings, seconds: f64) -> Value {
        let sample = Sample::new(examples, false).expect("the examples are labelled one way");
        let (learner, induced, took) = learn(sample.clone(), settings, seconds);
        let mut line = self.outcome(&induced, took);
        if induced.dfa != *self.target {
            line["miss"] = self.miss(&learner, &induced, &sample);
        }
        line
    }

    /// What can be said whether it is the truth or not.
    pub(crate) fn outcome(&self, induced: &Induced, seconds: f64) -> Value {
        json!({
            "set": self.name, "seconds": seconds, "consistent": induced.certificate.is_consistent(),
            "errors": induced.certificate.wrong, "exact": induced.dfa == *self.target, "states": induced.dfa.len(),
            "target_states": self.target.len(), "bits": induced.bits, "origin": induced.origin, "finds": induced.finds,
            "stop": induced.stop_reason, "restarts": induced.spent.restarts, "visits": induced.spent.visits,
        })
    }

    /// Why the answer is not the truth, and whether anybody could have known.
    fn miss(&self, learner: &Learner, induced: &Induced, sample: &Sample) -> Value {
        let known = learner.pool().candidates().iter().find(|candidate| candidate.dfa == *self.target);
        let listing = Candidate::from_dfa(&induced.dfa, sample, Origin::Given).listing;
        let bits = induced.bits + listing;
        let kind = match known {
            None => "never found",
            Some(truth) if (truth.bits_with_listing() - bits).abs() <= SAME_BITS => "tied",
            Some(_) => "not preferred",
        };
        let described = [
            Some(Candidate::from_dfa(self.target, sample, Origin::Given)),
            self.grammar.and_then(|grammar| Candidate::new(grammar, sample, Origin::Given)),
            known.cloned(),
        ];
        let truth_bits = described.iter().flatten().map(Candidate::bits_with_listing).fold(f64::INFINITY, f64::min);
        let both_agree = induced.certificate.is_consistent() && certify(self.target, sample).is_consistent();
        let word = separating_word(self.target, &induced.dfa).map(|word| sample.alphabet().show(&word));
        json!({
            "kind": kind, "bits": bits, "truth_bits": truth_bits, "separating_word": word,
            "undecided": both_agree && bits <= truth_bits + SAME_BITS,
        })
    }
}

/// Learns, and says how long that took, from the sample to the answer.
pub(crate) fn learn(sample: Sample, settings: Settings, seconds: f64) -> (Learner, Induced, f64) {
    let clock = Clock::of(seconds);
    let mut learner = Learner::new(sample, settings, THREADS).expect("there are words of both labels");
    let reason = loop {
        if clock.stopped() {
            learner.cut().expect("the settings are good");
            break StopReason::Cut;
        }
        if let Step::Done(reason) = learner.step().expect("the settings are good") {
            break reason;
        }
    };
    let induced = learner.induced(reason);
    let took = clock.seconds();
    (learner, induced, took)
}

/// Searches for an automaton that is known to have so many states.
pub(crate) fn given_size(case: &Case<'_>, examples: &Examples, states: usize, seconds: f64) -> Value {
    let sample = Sample::new(examples, false).expect("the examples are labelled one way");
    let workers = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().expect("two threads can be had");
    let clock = Clock::of(seconds);
    let mut search = Search::new(&sample, search::Settings::new(states), &[]).expect("a size that can be searched for");
    workers.install(|| {
        while !search.solved() && !clock.stopped() {
            search.advance(PIECE);
        }
    });
    let (found, _) = search.best();
    let (took, dfa) = (clock.seconds(), automata::minimize(&found));
    let certificate = certify(&dfa, &sample);
    let stop = if search.solved() { "settled" } else { "cut" };
    json!({
        "set": case.name, "seconds": took, "consistent": certificate.is_consistent(), "errors": certificate.wrong,
        "exact": dfa == *case.target, "states": dfa.len(), "target_states": case.target.len(), "stop": stop,
        "visits": search.visits(),
    })
}
