//! Whether an answer is the smallest that agrees with the examples, and the only one of its size: proved, or refuted by
//! another automaton and the shortest word on which the two differ.
//!
//! *Minimal* means that no automaton with fewer states agrees with every example; automata are complete, so a dead state
//! counts. *Unique* means that besides no other language has an automaton of that size which does. What no example says
//! anything of is open: a transition that no word takes could as well lead elsewhere, a state in which no labelled word
//! ends could as well accept, and so could the empty word where it has no label. Each gives a rival, and the word that
//! decides is worth asking about.
//!
//! A bound that takes no solver comes first (prefixes that lead to different states, whatever the automaton), then the
//! solver, whose limit is counted in conflicts so that the verdict is the same on every machine.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::{Dfa, Word, minimize, separating_word};

use crate::sample::Sample;
use crate::symbolic::sat::{Asked, Budget, Exact, Found, Limit};

/// How much a proof may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofSettings {
    /// How many conflicts of the solver, in all.
    pub conflicts: u64,
}

impl Default for ProofSettings {
    fn default() -> Self {
        Self { conflicts: 100_000 }
    }
}

/// What was asked is so, is not so, or is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is so.
    Proved,
    /// It is not so.
    Refuted {
        /// An automaton that agrees with every example and is smaller, or as small; minimal and complete.
        automaton: Dfa,
        /// The shortest word on which it and the answer differ.
        word: Word,
    },
    /// It is not known.
    Unknown {
        /// Why not.
        why: Unproved,
    },
}

/// Why nothing was proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// The question was too hard, or was cut short.
    #[error(transparent)]
    Limit(#[from] Limit),
    /// The answer gets examples wrong, so others of its size may get as many right.
    #[error("the answer does not agree with the examples")]
    Inconsistent,
    /// The answer knows letters that the examples do not.
    #[error("the answer has letters that occur in no example")]
    OtherLetters,
    /// Whether an answer is unique is asked only when it is minimal.
    #[error("it is not known whether the answer is minimal")]
    PerhapsNotMinimal,
}

/// What is proved of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// No automaton with fewer states agrees with the examples.
    pub minimal: Verdict,
    /// Nor does that of any other language with as few.
    pub unique: Verdict,
    /// So many states are needed at the least: known without a solver.
    pub bound: usize,
    /// How many conflicts the solver met.
    pub conflicts: u64,
    /// Whether it was stopped from outside: another time it may come further.
    pub cut: bool,
}

/// Asks for proof of an answer. `known` are other answers, if there are any: one that agrees with every example and is
/// smaller, or as small, refutes where the solver comes to nothing. [`Prover`] does it in slices.
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
/// // Without the last word a second b may change nothing.
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
    /// The answer, if anything can be proved of it.
    dfa: Result<Dfa, Unproved>,
    /// The smallest other automaton that agrees with every example and has no more states, if one is known.
    other: Option<Dfa>,
    step: Step,
}

/// What comes next.
enum Step {
    /// The bound.
    Prepare,
    Minimal,
    /// Whether it is unique, since it is minimal.
    Unique,
}

impl Prover {
    /// A proof that has not begun.
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

    /// Goes on for about so much work, counted in visits of a node; at the end there is the proof, and nothing may be asked
    /// afterwards. It does not depend on the slices. What a slice may be exceeded by is said of [`Exact::advance`].
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

    /// What is known so far, when there is to be no more of it.
    #[must_use]
    pub fn stop(self) -> Proof {
        let why = self.dfa.as_ref().err().copied().unwrap_or(Unproved::Limit(Limit::Cut));
        self.concluded(Verdict::Unknown { why }, true)
    }

    /// All work so far, in visits of a node.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.exact.work()
    }

    fn begin_unique(&mut self) {
        if let Ok(dfa) = &self.dfa {
            self.exact.ask(Asked::Rival(dfa.clone()));
            self.step = Step::Unique;
        }
    }

    /// What was found, as a verdict on the answer: whatever agrees with the examples refutes it.
    fn verdict(&self, found: Found) -> Verdict {
        match (found, &self.dfa) {
            (Found::Automaton(other), Ok(dfa)) => refuted(dfa, &minimize(&other)),
            (Found::Unknown(limit), _) => Verdict::Unknown { why: limit.into() },
            _ => Verdict::Proved,
        }
    }

    /// The proof, when this is the verdict on what was asked last.
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

/// The answer over the sample's letters, minimal and complete, if anything can be proved of it.
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
    /// This, or where nothing is known the refutation by another automaton, if there is one.
    fn or_by(self, other: Option<&Dfa>, dfa: &Dfa) -> Self {
        match (self, other) {
            (Self::Unknown { .. }, Some(other)) => refuted(dfa, other),
            (verdict, _) => verdict,
        }
    }
}
