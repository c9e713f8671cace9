//! The solver, with a limit that is counted in conflicts.
//!
//! A conflict is what a solver learns from: a partial answer that cannot be completed. Their number is the work done, the
//! same on every machine. A clock outside may stop it too, and then that is said.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};

/// What may be spent on questions, and what was.
pub struct Budget<'a> {
    most: u64,
    spent: u64,
    cut: bool,
    stopped: &'a dyn Fn() -> bool,
}

impl<'a> Budget<'a> {
    /// So many conflicts, unless someone says stop before.
    #[must_use]
    pub fn new(most: u64, stopped: &'a dyn Fn() -> bool) -> Self {
        Self { most, spent: 0, cut: false, stopped }
    }

    /// How many conflicts there were.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether it was stopped from outside.
    #[must_use]
    pub fn was_cut(&self) -> bool {
        self.cut
    }

    pub(super) fn stopped(&self) -> &'a dyn Fn() -> bool {
        self.stopped
    }

    /// Asks whether to stop, and remembers if so.
    pub(super) fn asks_to_stop(&mut self) -> bool {
        self.cut = self.cut || (self.stopped)();
        self.cut
    }
}

/// What a solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Satisfiable,
    Unsatisfiable,
    /// The budget is used up.
    Exhausted,
    /// Someone said stop.
    Cut,
}

/// A solver and its clauses.
pub(super) struct Solver<'a> {
    inner: batsat::Solver<Limits<'a>>,
    clause: Vec<Lit>,
}

impl<'a> Solver<'a> {
    pub(super) fn new(stopped: &'a dyn Fn() -> bool) -> Self {
        let limits = Limits { conflicts: 0, most: 0, stopped, asked: Cell::new(0), cut: Cell::new(false) };
        Self { inner: batsat::Solver::new(SolverOpts::default(), limits), clause: Vec::new() }
    }

    /// So many new variables, numbered one after the other: the first.
    pub(super) fn variables(&mut self, count: usize) -> u32 {
        let first = self.inner.num_vars();
        for _ in 0..count {
            self.inner.new_var_default();
        }
        first
    }

    pub(super) fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        self.clause.clear();
        self.clause.extend(clause);
        // When nothing can satisfy it the next question is answered so.
        self.inner.add_clause_reuse(&mut self.clause);
    }

    pub(super) fn solve(&mut self, budget: &mut Budget<'_>) -> Verdict {
        // The solver looks at its limit only now and then, and may have gone beyond it.
        let left = budget.most.saturating_sub(budget.spent);
        if left == 0 {
            return Verdict::Exhausted;
        }
        let limits = self.inner.cb_mut();
        limits.most = limits.conflicts + left;
        let before = limits.conflicts;
        let result = self.inner.solve_limited(&[]);
        let limits = self.inner.cb();
        budget.spent += limits.conflicts - before;
        match result {
            found if found == lbool::TRUE => Verdict::Satisfiable,
            found if found == lbool::FALSE => Verdict::Unsatisfiable,
            _ if limits.cut.get() => {
                budget.cut = true;
                Verdict::Cut
            }
            _ => Verdict::Exhausted,
        }
    }

    /// Whether a variable is true in the model found last.
    pub(super) fn is_true(&self, variable: u32) -> bool {
        self.inner.value_lit(yes(variable)) == lbool::TRUE
    }
}

/// That a variable is true.
pub(super) fn yes(variable: u32) -> Lit {
    Lit::new(Var::unsafe_from_idx(variable), true)
}

/// That a variable is false.
pub(super) fn no(variable: u32) -> Lit {
    Lit::new(Var::unsafe_from_idx(variable), false)
}

/// How often the solver asks whether to go on before whoever may stop it is asked: it asks at each decision.
const PATIENCE: u32 = 256;

struct Limits<'a> {
    conflicts: u64,
    most: u64,
    stopped: &'a dyn Fn() -> bool,
    asked: Cell<u32>,
    cut: Cell<bool>,
}

impl Callbacks for Limits<'_> {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        self.asked.set((self.asked.get() + 1) % PATIENCE);
        if self.asked.get() == 0 && (self.stopped)() {
            self.cut.set(true);
        }
        self.cut.get() || self.conflicts >= self.most
    }
}
