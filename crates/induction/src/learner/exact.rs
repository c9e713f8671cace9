//! The smallest automaton that agrees with every example, or none within the budget.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Learner, Watch};
use crate::selection::{Candidate, Origin};
use crate::symbolic::sat::{Asked, Budget, Exact, Found};

/// How much is done between two looks at who watches.
const SLICE: u64 = 1_000_000;

impl Learner {
    /// Asks for automata of more and more states, from the fewest that are possible. All examples are asked about, for
    /// the solver finds those that matter by itself.
    pub(super) fn find_smallest(&mut self, watch: &dyn Watch) {
        self.report("sat", watch);
        let left = self.settings.conflicts.saturating_sub(self.spent.conflicts - self.spent_before.conflicts);
        let mut budget = Budget::new(left);
        let mut exact = Exact::new(Arc::new(self.whole.clone()));
        while exact.prepare(SLICE).is_continue() && !watch.stopped() {}
        let mut states = exact.bound();
        exact.ask(Asked::Automaton(states));
        let found = loop {
            if watch.stopped() {
                break None;
            }
            match exact.advance(SLICE, &mut budget) {
                ControlFlow::Continue(()) => {}
                ControlFlow::Break(Found::Automaton(dfa)) => break Some(dfa),
                ControlFlow::Break(Found::Nothing) => {
                    states += 1;
                    exact.ask(Asked::Automaton(states));
                }
                ControlFlow::Break(Found::Unknown(_)) => break None,
            }
        };
        self.spent.conflicts += budget.spent();
        if let Some(dfa) = found {
            self.pool.add(Candidate::from_dfa(&dfa, self.core.jury(), Origin::Sat));
        }
    }
}
