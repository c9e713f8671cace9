//! Proofs that an answer is the smallest one that agrees with the examples, and the only one of its size. A refutation
//! is another automaton and the shortest word on which the two differ.
//!
//! *Minimal* means that no automaton with fewer states agrees with every example; automata are complete, so a dead
//! state counts. *Unique* means that no other language has an automaton of that size which does. Whatever no example
//! covers is open: an unused transition may lead elsewhere, a state in which no labelled word ends may accept or not,
//! and so may the empty word if it is unlabelled. Each of these gives a rival, and the word that decides is a good
//! question.
//!
//! First comes a lower bound without the solver (prefixes that must lead to different states), then the solver. Its
//! limit is counted in conflicts, so that the verdict is the same on every machine.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Dfa, Word, minimize, separating_word};

use crate::sample::Sample;
use crate::symbolic::sat::{Asked, Budget, Exact, Found, Limit};

/// The budget of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofSettings {
    /// Maximum number of conflicts of the solver, in total.
    pub conflicts: u64,
}

impl Default for ProofSettings {
    fn default() -> Self {
        Self { conflicts: 100_000 }
    }
}

/// The result for one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim is true.
    Proved,
    /// The claim is false.
    Refuted {
        /// An automaton that agrees with every example and is smaller, or as small; minimal and complete.
        automaton: Dfa,
        /// The shortest word on which it and the answer differ.
        word: Word,
    },
    /// Not known.
    Unknown {
        /// The reason.
        why: Unproved,
    },
}

/// Why nothing was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// The problem was too hard, or the proof was stopped.
    #[error(transparent)]
    Limit(#[from] Limit),
    /// The answer gets examples wrong, so others of its size may be as good.
    #[error("the answer does not agree with the examples")]
    Inconsistent,
    /// The answer has letters that the examples do not have.
    #[error("the answer has letters that occur in no example")]
    OtherLetters,
    /// Uniqueness is examined only if the answer is minimal.
    #[error("it is not known whether the answer is minimal")]
    PerhapsNotMinimal,
}

/// The verdicts on an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether no automaton with fewer states agrees with the examples.
    pub minimal: Verdict,
    /// Whether no other language with as few states does.
    pub unique: Verdict,
    /// Lower bound on the number of states, known without the solver.
    pub bound: usize,
    /// Number of conflicts of the solver.
    pub conflicts: u64,
    /// Whether the proof was stopped from outside, so that more time may decide it.
    pub cut: bool,
}

/// Tries to prove an answer minimal and unique. `known` are other answers, if any: one that agrees with every example and
/// is smaller, or as small, is a refutation even if the solver fails. [`Prover`] does the same in slices.
///
/// ```
/// use automata::{Alphabet, Examples, Label, Regex};
/// use induction::Sample;
/// use induction::proof::{ProofSettings, Verdict, prove};
///
/// let alphabet = Alphabet::of_chars("ab");
/// let label = |word: &str| Label::from(word.matches('b').count() % 2 == 0);
/// let sample = |words: &[&str]| {
///     let rows = words.iter().map(|word| Ok((alphabet.read(word)?, label(word))));
///     let rows = rows.collect::<Result<Vec<_>, automata::WordError>>()?;
///     Ok::<_, Box<dyn std::error::Error>>(Sample::new(&Examples::of(&alphabet, rows), false)?)
/// };
/// let even = Regex::parse("(a|ba*b)*", &alphabet)?.to_dfa()?;
///
/// let proof = prove(&sample(&["", "a", "b", "ba", "bb"])?, &even, &[], ProofSettings::default());
/// assert_eq!((proof.minimal, proof.unique), (Verdict::Proved, Verdict::Proved));
///
/// // Without the last word, a second b may change nothing.
/// let proof = prove(&sample(&["", "a", "b", "ba"])?, &even, &[], ProofSettings::default());
/// let Verdict::Refuted { word, .. } = proof.unique else { panic!("this is open") };
/// assert_eq!(alphabet.write(&word), "bb");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prove(sample: &Sample, dfa: &Dfa, known: &[&Dfa], settings: ProofSettings) -> Proof {
    let mut prover = Prover::new(Arc::new(sample.clone()), dfa, known, settings);
    loop {
        if let ControlFlow::Break(proof) = prover.advance(u64::MAX) {
            return proof;
        }
    }
}

/// [`prove`] in slices.
pub struct Prover {
    exact: Exact,
    budget: Budget,
    /// The answer, if anything can be proved about it.
    dfa: Result<Dfa, Unproved>,
    /// The smallest other known automaton that agrees with every example and has no more states.
    other: Option<Dfa>,
    step: Step,
}

/// The next step.
enum Step {
    /// Find the lower bound.
    Prepare,
    Minimal,
    /// Ask whether it is unique; it is minimal.
    Unique,
}

impl Prover {
    /// A new proof.
    #[must_use]
    pub fn new(sample: Arc<Sample>, dfa: &Dfa, known: &[&Dfa], settings: ProofSettings) -> Self {
        let exact = Exact::new(Arc::clone(&sample));
        let dfa = fit(&sample, dfa, &exact);
        let other = dfa.as_ref().ok().and_then(|dfa| {
            let known = known.iter().filter_map(|other| fit(&sample, other, &exact).ok());
            known.filter(|other| other.len() <= dfa.len() && other != dfa).min_by_key(Dfa::len)
        });
        Self { exact, budget: Budget::new(settings.conflicts), dfa, other, step: Step::Prepare }
    }

    /// Continues for about this much work, in node visits. Returns the proof when finished, after which it must not be
    /// called again. The proof does not depend on the slices. [`Exact::advance`] says by how much a slice may be
    /// exceeded.
    pub fn advance(&mut self, work: u64) -> ControlFlow<Proof> {
        if let Step::Prepare = self.step {
            if self.exact.prepare(work).is_break() {
                match &self.dfa {
                    Err(why) => return ControlFlow::Break(self.concluded(Verdict::Unknown { why: *why }, false)),
                    Ok(dfa) if self.exact.bound() == dfa.len() => self.begin_unique(),
                    Ok(dfa) => {
                        self.exact.ask(Asked::Automaton(dfa.len() - 1));
                        self.step = Step::Minimal;
                    }
                }
            }
            return ControlFlow::Continue(());
        }
        let ControlFlow::Break(found) = self.exact.advance(work, &mut self.budget) else {
            return ControlFlow::Continue(());
        };
        let found = self.verdict(found);
        match (&self.step, &found) {
            (Step::Minimal, Verdict::Proved) => {
                self.begin_unique();
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(self.concluded(found, false)),
        }
    }

    /// The verdicts so far, without further work.
    #[must_use]
    pub fn stop(self) -> Proof {
        let why = self.dfa.as_ref().err().copied().unwrap_or(Unproved::Limit(Limit::Cut));
        self.concluded(Verdict::Unknown { why }, true)
    }

    /// Total work so far, in node visits.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.exact.work()
    }

    fn begin_unique(&mut self) {
        if let Ok(dfa) = &self.dfa {
            self.exact.ask(Asked::Rival(vec![dfa.clone()]));
            self.step = Step::Unique;
        }
    }

    /// A solver result as a verdict: any automaton that agrees with the examples is a refutation.
    fn verdict(&self, found: Found) -> Verdict {
        match (found, &self.dfa) {
            (Found::Automaton(other), Ok(dfa)) => refuted(dfa, &minimize(&other)),
            (Found::Unknown(limit), _) => Verdict::Unknown { why: limit.into() },
            _ => Verdict::Proved,
        }
    }

    /// The proof, given the verdict on the last question.
    fn concluded(&self, verdict: Verdict, cut: bool) -> Proof {
        let (bound, conflicts) = (self.exact.bound(), self.budget.spent());
        let Ok(dfa) = &self.dfa else {
            return Proof { minimal: verdict.clone(), unique: verdict, bound, conflicts, cut };
        };
        let other = self.other.as_ref();
        let (minimal, unique) = match self.step {
            Step::Unique => (Verdict::Proved, verdict.or_by(other, dfa)),
            Step::Prepare | Step::Minimal => {
                let minimal = verdict.or_by(other.filter(|other| other.len() < dfa.len()), dfa);
                let unique = match &minimal {
                    Verdict::Unknown { .. } => Verdict::Unknown { why: Unproved::PerhapsNotMinimal }.or_by(other, dfa),
                    known => known.clone(),
                };
                (minimal, unique)
            }
        };
        Proof { minimal, unique, bound, conflicts, cut }
    }
}

/// The answer over the sample's letters, minimal and complete, if anything can be proved about it.
fn fit(sample: &Sample, dfa: &Dfa, exact: &Exact) -> Result<Dfa, Unproved> {
    if dfa.alphabet().union(sample.alphabet()) != *sample.alphabet() {
        return Err(Unproved::OtherLetters);
    }
    let dfa = minimize(&dfa.over(sample.alphabet()));
    if exact.agrees(&dfa) { Ok(dfa) } else { Err(Unproved::Inconsistent) }
}

fn refuted(dfa: &Dfa, other: &Dfa) -> Verdict {
    let word = separating_word(dfa, other).expect("it is smaller, or was asked to be another");
    Verdict::Refuted { automaton: other.clone(), word }
}

impl Verdict {
    /// This verdict, or, if unknown, a refutation by another automaton if there is one.
    fn or_by(self, other: Option<&Dfa>, dfa: &Dfa) -> Self {
        match (self, other) {
            (Self::Unknown { .. }, Some(other)) => refuted(dfa, other),
            (verdict, _) => verdict,
        }
    }
}
