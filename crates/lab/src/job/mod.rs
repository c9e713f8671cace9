//! A job: from its specification to its record.
//!
//! ```text
//!   Spec ──► language ──► examples ──► learner ──► answer, held against the language ──► Record
//!            (languages)  (drawn)      (learning,   (evaluation)
//!                                       training)
//! ```
//!
//! The record is a function of the specification: no clock, no randomness except from the seed, the same for any number
//! of threads. Only the watcher may stop the learner early, and then the record says so.

pub(crate) mod drawn;
mod evaluation;
mod learning;
mod progression;
mod strings;
mod testing;
mod training;

use std::collections::BTreeSet;

use automata::{
    Counts, DEFAULT_STATE_LIMIT, Dfa, Examples, Grammar, Letter, Nfa, Regex, Word, count_to, determinize, minimize,
    separating_word,
};
use induction::Sample;
use induction::learner::{Spent, StopReason};
use induction::measure::{automaton_bits, grammar_bits};
use induction::model::Shape;
use induction::proof::{ProofSettings, Verdict, prove};
use induction::selection::{Candidate, Origin};

use crate::languages::Target;
use crate::record::{Answer, Claim, Data, FORMAT, Failure, Miss, Model, Questions, Record, Suspects, Truth};
use crate::spec::{Language, Method, Spec, Words};
use drawn::Drawn;

pub use progression::{Frame, Progression, progression};

/// Descriptions whose lengths differ by less are equally long.
const SAME_BITS: f64 = 1e-9;
/// A model that gets this share of the examples right has fitted them, even if not all of its entries are sharp.
const FITTED: f64 = 0.99;

/// Watches a job, and has the clock.
pub trait Watch: Sync {
    /// Whether the learner should stop as soon as possible.
    fn stopped(&self) -> bool {
        false
    }

    /// Whether nobody wants the record any more, so that the job should end as soon as possible.
    fn abandoned(&self) -> bool {
        false
    }

    /// Called when learning begins and when it ends.
    fn learning(&self, begins: bool) {
        let _ = begins;
    }
}

/// No watcher.
impl Watch for () {}

/// Returns an error if the job was abandoned.
fn check_wanted(watch: &dyn Watch) -> Result<(), String> {
    if watch.abandoned() { Err("stopped".to_owned()) } else { Ok(()) }
}

/// Runs a job. If it fails, the record has an error.
#[must_use]
pub fn run(spec: &Spec, threads: usize, watch: &dyn Watch) -> Record {
    let mut record = empty(spec);
    if let Err(error) = fill(&mut record, spec, threads, watch) {
        record.error = Some(error);
        record.answer = None;
    }
    record
}

/// The record of a failed job, without any results.
#[must_use]
pub fn failed(spec: &Spec, error: String) -> Record {
    Record { error: Some(error), ..empty(spec) }
}

fn empty(spec: &Spec) -> Record {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Record { format: FORMAT, version, spec: spec.clone(), truth: None, data: None, answer: None, error: None }
}

/// The result of any learner.
struct Learned {
    grammar: Grammar,
    dfa: Dfa,
    /// The expression shown to a user, if there was one.
    expression: Option<String>,
    bits: f64,
    /// Number of examples whose labels it contradicts.
    errors: u64,
    origin: Origin,
    shape: Option<Shape>,
    finds: u32,
    truth_finds: Option<u32>,
    /// The numbers of states of other consistent answers.
    others: Vec<usize>,
    spent: Spent,
    epochs: u64,
    stop_reason: StopReason,
    questions: Option<Questions>,
    /// The words believed to be mislabelled, if requested.
    suspects: Option<BTreeSet<Word>>,
    model: Option<Model>,
}

fn fill(record: &mut Record, spec: &Spec, threads: usize, watch: &dyn Watch) -> Result<(), String> {
    spec.check().map_err(|error| error.to_string())?;
    let target = spec.language.draw(spec.seed).map_err(|error| error.to_string())?;
    record.truth = Some(truth(spec, &target));
    let drawn = drawn::draw(spec, &target)?;
    check_wanted(watch)?;
    let sample = Sample::new(&drawn.examples, true).map_err(|error| error.to_string())?;
    record.data = Some(data(&drawn, &sample));
    if let (Words::Strings { count }, Method::Learn(how)) = (&spec.draw.words, &spec.learner.method) {
        record.answer = Some(strings::answer(spec, &target, *count, how, &drawn, threads, watch)?);
        return Ok(());
    }
    let case = Case::new(spec, &target, &drawn.examples, &sample);
    watch.learning(true);
    let learned = match &spec.learner.method {
        Method::Learn(how) => learning::learn(&case, how, threads, watch),
        Method::Train(how) => training::train(&case, how, watch),
    };
    watch.learning(false);
    let learned = learned?;
    let consistent = learned.errors == 0;
    check_wanted(watch)?;
    let mut answer = answer(spec, &target, &drawn, &case, &learned)?;
    check_wanted(watch)?;
    if let Some(data) = &mut record.data {
        claim_of_truth(data, &case, &learned);
        if drawn.flipped.is_empty() {
            let of_truth = proved(spec, &sample, &target.dfa);
            (data.truth_is_minimal, data.truth_is_unique) = of_truth.or((data.truth_is_minimal, data.truth_is_unique));
            let of_answer = match (answer.exact, consistent) {
                (true, _) => of_truth,
                (false, true) => proved(spec, &sample, &learned.dfa),
                (false, false) => Claims::default(),
            };
            (answer.minimal, answer.unique) = of_answer.or((answer.minimal, answer.unique));
        }
    }
    record.answer = Some(answer);
    Ok(())
}

/// The task of a learner, and the truth.
struct Case<'a> {
    spec: &'a Spec,
    examples: &'a Examples,
    sample: &'a Sample,
    target: &'a Target,
    /// The truth in its shortest description, for words as the learner reads them.
    truth: Candidate,
}

impl<'a> Case<'a> {
    fn new(spec: &'a Spec, target: &'a Target, examples: &'a Examples, sample: &'a Sample) -> Self {
        let right = matches!(&spec.learner.method, Method::Learn(how) if how.right);
        let reversed = |dfa: &Dfa| {
            let back = determinize(&Nfa::from(dfa).reversed(), DEFAULT_STATE_LIMIT);
            back.map_or_else(|_| dfa.clone(), |back| minimize(&back))
        };
        let (dfa, grammar, read) = match right {
            false => (target.dfa.clone(), target.grammar.clone(), sample.clone()),
            true => (reversed(&target.dfa), target.grammar.reversed(), sample.reversed()),
        };
        let by_states = Candidate::from_dfa(&dfa, &read, Origin::Given);
        let by_grammar = Candidate::new(&grammar, &read, Origin::Given);
        let truth = by_grammar.filter(|grammar| grammar.bits < by_states.bits).unwrap_or(by_states).shortened();
        Self { spec, examples, sample, target, truth }
    }

    /// The seed of the learner.
    fn seed(&self) -> u64 {
        self.spec.learner_seed()
    }
}

fn truth(spec: &Spec, target: &Target) -> Truth {
    Truth {
        letters: target.dfa.alphabet().len(),
        states: target.dfa.len(),
        nonterminals: target.grammar.nonterminals().len(),
        productions: target.grammar.productions().len(),
        words_to_depth: count_to(&target.dfa, spec.draw.depth).to_string(),
        words_to_evaluation_depth: count_to(&target.dfa, spec.evaluation_depth).to_string(),
        finite: target.dfa.is_finite_language(),
        bits: automaton_bits(&target.dfa).min(grammar_bits(&target.grammar)),
        formula: target.formula.clone(),
    }
}

fn data(drawn: &Drawn, sample: &Sample) -> Data {
    let words = drawn.examples.len() as u64;
    let belongs =
        |word: &[Letter], counts: Counts| (counts.accepted > 0) != drawn.flipped.contains(&Word::from(word.to_vec()));
    let positives = drawn.examples.iter().filter(|(word, counts)| belongs(word, *counts)).count() as u64;
    Data {
        examples: sample.examples(),
        words,
        positives,
        negatives: words - positives,
        longest: sample.longest(),
        flipped: drawn.flipped.len() as u64,
        truth_is_minimal: Claim::Unknown,
        truth_is_unique: Claim::Unknown,
    }
}

/// Whether an automaton is the smallest that agrees with the examples, and the only one of its size.
#[derive(Clone, Copy, Default)]
struct Claims {
    minimal: Claim,
    unique: Claim,
}

impl Claims {
    /// These claims, with unknown ones taken from what was known before.
    fn or(self, (minimal, unique): (Claim, Claim)) -> (Claim, Claim) {
        let or = |new: Claim, old: Claim| if new == Claim::Unknown { old } else { new };
        (or(self.minimal, minimal), or(self.unique, unique))
    }
}

/// What can be proved about an automaton, if proofs are requested. The limit is in conflicts, not in time.
fn proved(spec: &Spec, sample: &Sample, dfa: &Dfa) -> Claims {
    if spec.proofs == 0 {
        return Claims::default();
    }
    let claim = |verdict: &Verdict| match verdict {
        Verdict::Proved => Claim::Proved,
        Verdict::Refuted { .. } => Claim::Refuted,
        Verdict::Unknown { .. } => Claim::Unknown,
    };
    let proof = prove(sample, dfa, &[], ProofSettings { conflicts: spec.proofs });
    Claims { minimal: claim(&proof.minimal), unique: claim(&proof.unique) }
}

/// What the consistent answers found imply for the truth: a smaller one, or another as small, refutes its claims.
fn claim_of_truth(data: &mut Data, case: &Case, learned: &Learned) {
    if data.flipped > 0 {
        return;
    }
    let states = case.target.dfa.len();
    let own = (learned.errors == 0 && learned.dfa != case.target.dfa).then_some(learned.dfa.len());
    let smallest = learned.others.iter().copied().chain(own).min().unwrap_or(usize::MAX);
    data.truth_is_minimal = refuted(smallest < states);
    data.truth_is_unique = refuted(smallest <= states);
}

fn refuted(refuted: bool) -> Claim {
    if refuted { Claim::Refuted } else { Claim::Unknown }
}

fn answer(spec: &Spec, target: &Target, drawn: &Drawn, case: &Case, learned: &Learned) -> Result<Answer, String> {
    let (truth, dfa) = (&target.dfa, &learned.dfa);
    let evaluation = evaluation::to_depth(truth, dfa, spec.evaluation_depth).map_err(|error| error.to_string())?;
    let by_length = evaluation::by_length(truth, dfa, 2 * spec.draw.depth).ok();
    let word = separating_word(truth, dfa);
    let exact = word.is_none();
    let consistent = learned.errors == 0;
    let described = described(case, learned);
    let is_tied = (case.truth.total(None) - described.total(None)).abs() <= SAME_BITS;
    let smallest_other = learned.others.iter().copied().min().unwrap_or(usize::MAX);
    let suspects = learned.suspects.as_ref().map(|named| {
        let rightly = named.intersection(&drawn.flipped).count() as u64;
        Suspects { flipped: drawn.flipped.len() as u64, rightly, wrongly: named.len() as u64 - rightly }
    });
    Ok(Answer {
        exact,
        separating_word: word.as_ref().map(|word| truth.alphabet().write(word)),
        separating_length: word.as_ref().map(|word| word.len()),
        states: dfa.len(),
        nonterminals: learned.grammar.nonterminals().len(),
        productions: learned.grammar.productions().len(),
        bits: learned.bits,
        evaluation,
        by_length,
        consistent,
        errors: learned.errors,
        minimal: refuted(consistent && smallest_other < dfa.len()),
        unique: refuted(consistent && smallest_other <= dfa.len()),
        origin: learned.origin,
        shape: learned.shape,
        finds: learned.finds,
        truth_finds: learned.truth_finds,
        restarts: learned.spent.restarts,
        epochs: learned.epochs,
        steps: learned.spent.steps,
        visits: learned.spent.visits,
        stop_reason: learned.stop_reason,
        failure: (!exact).then(|| failure(drawn, case, learned, &described)),
        miss: match learned.truth_finds {
            _ if exact => None,
            None => Some(Miss::NeverFound),
            Some(_) if is_tied => Some(Miss::Tied),
            Some(_) => Some(Miss::NotPreferred),
        },
        questions: learned.questions.clone(),
        suspects,
        strings: None,
        tested: testing::test(spec, target, drawn, dfa),
        expression: match spec.language {
            Language::Exercise { .. } => {
                let written = || Regex::from_dfa(dfa).ok().map(|regex| regex.to_string());
                learned.expression.clone().or_else(written)
            }
            _ => None,
        },
        model: learned.model.clone(),
    })
}

/// The answer as a candidate, with the bits it was found with.
fn described(case: &Case, learned: &Learned) -> Candidate {
    Candidate { bits: learned.bits, ..Candidate::from_dfa(&learned.dfa, case.sample, Origin::Given) }
}

/// How a wrong answer failed.
fn failure(drawn: &Drawn, case: &Case, learned: &Learned, answer: &Candidate) -> Failure {
    if drawn.flipped.is_empty() {
        // The truth agrees with every example.
        return match (learned.errors, &learned.model) {
            (0, _) if answer.total(None) <= case.truth.total(None) + SAME_BITS => Failure::UndecidedByTheData,
            (0, _) => Failure::SharpButWrong,
            (_, Some(model)) if model.accuracy < FITTED => Failure::NotFitted,
            (_, Some(model)) if model.unsharp > 0 => Failure::NotSharp,
            (_, Some(_)) => Failure::SharpButWrong,
            (_, None) => Failure::NotFitted,
        };
    }
    // With wrong labels, structure is weighed against exceptions.
    let words = Some(case.sample.words());
    if answer.total(words) <= case.truth.total(words) + SAME_BITS {
        return Failure::UndecidedByTheData;
    }
    let right = |word: &[Letter]| learned.dfa.accepts(word) == case.target.dfa.accepts(word);
    match drawn.examples.iter().all(|(word, _)| right(word)) {
        true => Failure::SharpButWrong,
        false => Failure::NotFitted,
    }
}
