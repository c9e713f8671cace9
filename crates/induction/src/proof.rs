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

use automata::{Dfa, Word, minimize, separating_word};

use crate::sample::Sample;
use crate::symbolic::sat::{Budget, Exact, Found, Limit};

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
    #[error("the answer has letters that the examples have not")]
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
/// smaller, or as small, refutes where the solver comes to nothing. `stopped` may cut it short.
///
/// ```
/// use automata::formats::abbadingo::{Examples, Label};
/// use automata::{Alphabet, Regex};
/// use induction::Sample;
/// use induction::proof::{ProofSettings, Verdict, prove};
///
/// let alphabet = Alphabet::of_chars("ab");
/// let label = |word: &str| if word.matches('b').count() % 2 == 0 { Label::Accepted } else { Label::Rejected };
/// let sample = |words: &[&str]| {
///     let rows = words.iter().map(|word| Ok((alphabet.read(word)?, label(word))));
///     let rows = rows.collect::<Result<_, automata::WordError>>()?;
///     Ok::<_, Box<dyn std::error::Error>>(Sample::new(&Examples { alphabet: alphabet.clone(), rows }, false)?)
/// };
/// let even = Regex::parse("(a|ba*b)*", &alphabet)?.to_dfa()?;
///
/// let proof = prove(&sample(&["", "a", "b", "ba", "bb"])?, &even, &[], ProofSettings::default(), &|| false);
/// assert_eq!((proof.minimal, proof.unique), (Verdict::Proved, Verdict::Proved));
///
/// // Without the last word a second b may change nothing.
/// let proof = prove(&sample(&["", "a", "b", "ba"])?, &even, &[], ProofSettings::default(), &|| false);
/// let Verdict::Refuted { word, .. } = proof.unique else { panic!("this is open") };
/// assert_eq!(alphabet.write(&word), "bb");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prove(sample: &Sample, dfa: &Dfa, known: &[&Dfa], settings: ProofSettings, stopped: &dyn Fn() -> bool) -> Proof {
    let mut exact = Exact::new(sample, stopped);
    let mut budget = Budget::new(settings.conflicts, stopped);
    let [minimal, unique] = match fit(sample, dfa, &exact) {
        Err(why) => [(); 2].map(|()| Verdict::Unknown { why }),
        Ok(dfa) => {
            let known = known.iter().filter_map(|other| fit(sample, other, &exact).ok());
            let known: Vec<Dfa> = known.filter(|other| other.len() <= dfa.len() && *other != dfa).collect();
            let smallest = known.into_iter().min_by_key(Dfa::len);
            let smaller = smallest.as_ref().filter(|other| other.len() < dfa.len());
            let minimal = match exact.bound() == dfa.len() {
                true => Verdict::Proved,
                false => verdict(exact.automaton(dfa.len() - 1, &mut budget), &dfa).or_by(smaller, &dfa),
            };
            let unique = match &minimal {
                Verdict::Proved => verdict(exact.rival(&dfa, &mut budget), &dfa).or_by(smallest.as_ref(), &dfa),
                Verdict::Refuted { .. } => minimal.clone(),
                Verdict::Unknown { .. } => {
                    Verdict::Unknown { why: Unproved::PerhapsNotMinimal }.or_by(smallest.as_ref(), &dfa)
                }
            };
            [minimal, unique]
        }
    };
    Proof { minimal, unique, bound: exact.bound(), conflicts: budget.spent(), cut: budget.was_cut() }
}

/// The answer over the sample's letters, minimal and complete, if anything can be proved of it.
fn fit(sample: &Sample, dfa: &Dfa, exact: &Exact<'_>) -> Result<Dfa, Unproved> {
    if dfa.alphabet().union(sample.alphabet()) != *sample.alphabet() {
        return Err(Unproved::OtherLetters);
    }
    let dfa = minimize(&dfa.over(sample.alphabet()));
    if exact.agrees(&dfa) { Ok(dfa) } else { Err(Unproved::Inconsistent) }
}

/// What was found, as a verdict on the answer: whatever agrees with the examples refutes it.
fn verdict(found: Found, dfa: &Dfa) -> Verdict {
    match found {
        Found::Nothing => Verdict::Proved,
        Found::Unknown(limit) => Verdict::Unknown { why: limit.into() },
        Found::Automaton(other) => refuted(dfa, &minimize(&other)),
    }
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
