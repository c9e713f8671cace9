//! Which merge comes next: by order (RPNI) or by evidence (EDSM).
//!
//! *RPNI* (Oncina and García 1992) takes the first blue state in canonical order and merges it into the first red state
//! that it can be merged into; if there is none, it becomes red. Given all short words it finds the language itself.
//!
//! *EDSM*, evidence-driven state merging (Lang, Pearlmutter and Price 1998, the winner of Abbadingo), looks at all pairs of
//! a blue and a red state. As soon as a blue state cannot be merged into any red one it becomes red, the shallowest
//! first; only when all blue states have somewhere to go the merge is made for which most labels speak.
//!
//! # Dead ends
//! Where a language has few words, most words lead to a state from which nothing is accepted any more. What is known of
//! such a state are rejected words alone, and they agree with whatever else is rejected: merges with it look well founded
//! and are often wrong. But it needs no state at all, for what falls off a partial automaton is rejected. So with
//! `dead_ends` a tree without an accepted word is left alone, and in the end left out; it still contradicts merges that
//! would make its words accepted. On languages drawn as in the paper that finds half as many again; on dense languages,
//! which have no dead state, it is better not to look for one.
//!
//! # Noise
//! When labels are supposed to be wrong at a rate η, a merge may contradict some: as many as η explains, by Chernoff's
//! bound (`noise` has the test). States accept by majority. A pair refused once stays refused, as without noise.

use std::ops::ControlFlow;
use std::sync::Arc;

use automata::Dfa;
use serde::{Deserialize, Serialize};

use super::fringe::{Choice, Fringe, Halt};
use crate::sample::Sample;

/// Which of the possible merges is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    /// The first one in canonical order.
    Rpni,
    /// The one for which most labels speak.
    Edsm,
}

/// Chance in the choice of merges: `strength` times a number from Gumbel's distribution is added to each pair's score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Randomness {
    /// How much a merge may gain by chance, in labels.
    pub strength: f64,
    /// Where the numbers come from.
    pub seed: u64,
}

/// How states are merged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merging {
    /// Which merge is made.
    pub rule: Rule,
    /// Chance in the choice, of use with [`Rule::Edsm`] alone.
    pub randomness: Option<Randomness>,
    /// The rate, below one half, at which labels are supposed to be wrong; with 0 none is, and the automaton agrees with
    /// every example that is not contradicted by another.
    pub tolerance: f64,
    /// Whether states from which no accepted word is known are left out instead of merged.
    pub dead_ends: bool,
    /// How many states the automaton may have.
    pub most_states: Option<usize>,
    /// How many nodes of the tree may be looked at, over and over: the work, counted so that it is the same everywhere.
    pub most_visits: Option<u64>,
}

impl Merging {
    /// Merging by this rule, strictly, without chance or limit.
    #[must_use]
    pub fn by(rule: Rule) -> Self {
        Self { rule, randomness: None, tolerance: 0.0, dead_ends: false, most_states: None, most_visits: None }
    }
}

/// The automaton that a sample is folded into, in canonical numbering; none when it would go beyond a limit.
///
/// It is partial: a transition that no example takes is missing, and a state accepts if an accepted word ends there. A
/// word that was labelled both ways counts by the majority, and not at all if there is none.
///
/// ```
/// use automata::{Alphabet, Examples, Label, Regex};
/// use induction::Sample;
/// use induction::symbolic::{Merging, Rule, merge};
///
/// // An even number of b's.
/// let words = ["", "a", "b", "aa", "ab", "ba", "bb", "aab", "aba", "abb", "baa", "bab", "abab"];
/// let label = |word: &str| Label::from(word.matches('b').count() % 2 == 0);
/// let alphabet = Alphabet::of_chars("ab");
/// let rows = words.map(|word| Ok((alphabet.read(word)?, label(word))));
/// let rows = rows.into_iter().collect::<Result<Vec<_>, automata::WordError>>()?;
/// let sample = Sample::new(&Examples::of(&alphabet, rows), false)?;
/// let dfa = merge(&sample, &Merging::by(Rule::Edsm)).expect("no limit was given");
/// assert_eq!(Regex::from_dfa(&dfa)?.to_string(), "(a|ba*b)*");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn merge(sample: &Sample, how: &Merging) -> Option<Dfa> {
    let mut run = Run::new(sample, how);
    loop {
        if let ControlFlow::Break(found) = run.advance(sample, u64::MAX) {
            return found;
        }
    }
}

/// [`merge`] in slices.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
///
/// use automata::{Alphabet, Examples, Label};
/// use induction::Sample;
/// use induction::symbolic::{Merger, Merging, Rule, merge};
///
/// let alphabet = Alphabet::of_chars("ab");
/// let rows = vec![(alphabet.read("ab")?, Label::Accepted), (alphabet.read("ba")?, Label::Rejected)];
/// let sample = Arc::new(Sample::new(&Examples::of(&alphabet, rows), false)?);
/// let how = Merging::by(Rule::Rpni);
/// let mut merger = Merger::new(Arc::clone(&sample), &how);
/// let found = loop {
///     // Here the merger can be put away, or dropped.
///     if let ControlFlow::Break(found) = merger.advance(1) {
///         break found;
///     }
/// };
/// assert_eq!(found, merge(&sample, &how));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Merger {
    sample: Arc<Sample>,
    run: Run,
}

impl Merger {
    /// A run that has not begun.
    #[must_use]
    pub fn new(sample: Arc<Sample>, how: &Merging) -> Self {
        let run = Run::new(&sample, how);
        Self { sample, run }
    }

    /// Goes on for about so many visits of nodes; other work is counted as the visits that take as long. At the end there
    /// is the automaton, or none when it would go beyond a limit; nothing may be asked afterwards. The result does not depend
    /// on the slices.
    ///
    /// A slice may be exceeded by the letters of the alphabet, or by the cells of the automaton when it is made.
    pub fn advance(&mut self, visits: u64) -> ControlFlow<Option<Dfa>> {
        self.run.advance(&self.sample, visits)
    }

    /// All work so far, in visits.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.run.fringe.work()
    }
}

/// A run without its sample.
struct Run {
    rule: Rule,
    fringe: Fringe,
    step: Step,
}

/// What a run does next.
enum Step {
    Unfold,
    /// One merge or promotion, in order.
    InOrder,
    Settle,
    Choose,
    Make(Choice),
}

impl Run {
    fn new(sample: &Sample, how: &Merging) -> Self {
        Self { rule: how.rule, fringe: Fringe::new(sample.alphabet().len(), how), step: Step::Unfold }
    }

    fn advance(&mut self, sample: &Sample, visits: u64) -> ControlFlow<Option<Dfa>> {
        self.fringe.begin_slice(visits);
        loop {
            match self.step(sample) {
                Ok(true) => {}
                Ok(false) => return ControlFlow::Break(Some(self.fringe.finished(sample))),
                Err(Halt::Paused) => return ControlFlow::Continue(()),
                Err(Halt::Beyond) => return ControlFlow::Break(None),
            }
        }
    }

    /// One step; false when there is nothing left to do.
    fn step(&mut self, sample: &Sample) -> Result<bool, Halt> {
        let fringe = &mut self.fringe;
        self.step = match self.step {
            Step::Unfold => {
                fringe.unfold(sample)?;
                match self.rule {
                    Rule::Rpni => Step::InOrder,
                    Rule::Edsm => Step::Settle,
                }
            }
            Step::InOrder if fringe.step_in_order()? => Step::InOrder,
            Step::Settle if fringe.settle()? => Step::Choose,
            Step::InOrder | Step::Settle => return Ok(false),
            Step::Choose => Step::Make(fringe.best()?),
            Step::Make(choice) => {
                fringe.make(choice)?;
                Step::Settle
            }
        };
        Ok(true)
    }
}
