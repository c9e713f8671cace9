//! The smallest automaton that agrees with every example, or none within the budget.

use super::{Learner, Watch};
use crate::selection::{Candidate, Origin};
use crate::symbolic::sat::{Budget, Exact, Found};

impl Learner {
    /// Asks for automata of more and more states, from the fewest that are possible. All examples are asked about, for
    /// the solver finds those that matter by itself.
    pub(super) fn find_smallest(&mut self, watch: &dyn Watch) {
        self.report("sat", watch);
        let stopped = || watch.stopped();
        let left = self.settings.conflicts.saturating_sub(self.spent.conflicts - self.spent_before.conflicts);
        let mut budget = Budget::new(left, &stopped);
        let mut exact = Exact::new(&self.whole, &stopped);
        let mut states = exact.bound();
        let found = loop {
            match exact.automaton(states, &mut budget) {
                Found::Automaton(dfa) => break Some(dfa),
                Found::Nothing => states += 1,
                Found::Unknown(_) => break None,
            }
        };
        self.spent.conflicts += budget.spent();
        if let Some(dfa) = found {
            self.pool.add(Candidate::from_dfa(&dfa, self.core.jury(), Origin::Sat));
        }
    }
}
