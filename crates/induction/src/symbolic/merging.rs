//! The choice of the next merge: by order (RPNI) or by evidence (EDSM).
//!
//! *RPNI* (Oncina and García 1992) takes the first blue state in canonical order and merges it into the first red state
//! that allows it; if there is none, the blue state becomes red. Given all short words it identifies the language.
//!
//! *EDSM*, evidence-driven state merging (Lang, Pearlmutter and Price 1998, the winner of Abbadingo), looks at all pairs of
//! a blue and a red state. A blue state that cannot be merged into any red one becomes red, the shallowest first. When every
//! blue state has a possible merge, the merge with the most agreeing labels is made.
//!
//! # Dead ends
//! If a language has few words, most words lead to a state from which nothing is accepted. Such a state has only rejected
//! words, which agree with everything else that is rejected: merges with it seem well supported and are often wrong. But it
//! needs no state at all, because a partial automaton rejects whatever has no transition. So with `dead_ends`, a tree
//! without accepted words is left alone and finally dropped; it still contradicts merges that would make its words accepted.
//! On languages drawn as in the paper this finds half as many again. Dense languages have no dead state, and there it is
//! better switched off.
//!
//! # Noise
//! If labels are wrong at a rate η, a merge may contradict as many of them as η explains, by Chernoff's bound (the test is
//! in `noise`). States accept by majority. As without noise, a pair that was refused once stays refused.

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
    /// The one with the most agreeing labels.
    Edsm,
}

/// Randomness in the choice of merges: `strength` times a Gumbel variate is added to each pair's score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Randomness {
    /// Scale of the random part of a score, in labels.
    pub strength: f64,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Settings of state merging.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merging {
    /// Which merge is made.
    pub rule: Rule,
    /// Randomness, only for [`Rule::Edsm`].
    pub randomness: Option<Randomness>,
    /// The assumed rate of wrong labels, below one half. With 0, the automaton agrees with every example that no other
    /// example contradicts.
    pub tolerance: f64,
    /// Whether states without a known accepted word are left out instead of merged.
    pub dead_ends: bool,
    /// Maximum number of states of the automaton.
    pub most_states: Option<usize>,
    /// Maximum number of node visits: a measure of work that is the same on every machine.
    pub most_visits: Option<u64>,
}

impl Merging {
    /// Merging by this rule, without noise, randomness or limits.
    #[must_use]
    pub fn by(rule: Rule) -> Self {
        Self { rule, randomness: None, tolerance: 0.0, dead_ends: false, most_states: None, most_visits: None }
    }
}

/// Folds a sample into an automaton, in canonical numbering; `None` if a limit is exceeded.
///
/// The automaton is partial: a transition that no example takes is missing, and a state accepts if an accepted word ends
/// there. A word with both labels counts by majority, and not at all on a tie.
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
///     // Here the merger can be kept for later, or dropped.
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
    /// A new run.
    #[must_use]
    pub fn new(sample: Arc<Sample>, how: &Merging) -> Self {
        let run = Run::new(&sample, how);
        Self { sample, run }
    }

    /// Continues for about this many node visits; other work is converted to visits. When finished, returns the
    /// automaton, or `None` if a limit was exceeded; after that it must not be called again. The result does not depend
    /// on the slices.
    ///
    /// A slice may be exceeded by the letters of the alphabet, or by the cells of the automaton when it is built.
    pub fn advance(&mut self, visits: u64) -> ControlFlow<Option<Dfa>> {
        self.run.advance(&self.sample, visits)
    }

    /// Total work so far, in visits.
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

/// The next step of a run.
enum Step {
    Unfold,
    /// One merge or promotion, in canonical order.
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

    /// One step; false when nothing is left to do.
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
