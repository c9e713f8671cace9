//! The solver, with a limit that is counted in conflicts.
//!
//! A conflict is what a solver learns from: a partial answer that cannot be completed. Their number is the work done, the
//! same on every machine.
//!
//! It is asked in *portions*: the solver cannot be put aside in the midst of its search, and when it is asked again it goes
//! on with all it has learned but begins its restarts anew. So that what it finds does not depend on who asks it how
//! often, the portions are always the same, and nobody can make them smaller.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};

/// How many conflicts a portion has.
const PORTION: u64 = 2_000;
/// How many decisions it has at the most, beside one for each variable: as many may come before the first conflict.
const DECISIONS: u64 = 50_000;
/// In how much time a conflict is met, and a decision made, in visits of a node.
const CONFLICT_WORK: u64 = 500;
const DECISION_WORK: u64 = 50;
const CLAUSE_WORK: u64 = 8;

/// What may be spent on questions, and what was.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    most: u64,
    spent: u64,
}

impl Budget {
    /// So many conflicts.
    #[must_use]
    pub fn new(most: u64) -> Self {
        Self { most, spent: 0 }
    }

    /// How many conflicts there were.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

/// What a solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Satisfiable,
    Unsatisfiable,
    /// The budget is used up.
    Exhausted,
    /// The portion is used up.
    Unfinished,
}

/// A solver and its clauses.
pub(super) struct Solver {
    inner: batsat::Solver<Limits>,
    clause: Vec<Lit>,
    /// All work so far, in visits of a node.
    work: u64,
}

impl Solver {
    pub(super) fn new() -> Self {
        let limits = Limits { conflicts: 0, most: 0, decisions: Cell::new(0), most_decisions: 0 };
        let inner = batsat::Solver::new(SolverOpts::default(), limits);
        Self { inner, clause: Vec::new(), work: 0 }
    }

    /// All work so far, in visits of a node.
    pub(super) fn work(&self) -> u64 {
        self.work
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
        self.work += CLAUSE_WORK;
        // When nothing can satisfy it the next question is answered so.
        self.inner.add_clause_reuse(&mut self.clause);
    }

    /// Looks for a model, for one portion.
    pub(super) fn solve(&mut self, budget: &mut Budget) -> Verdict {
        // The solver looks at its limit only now and then, and may have gone beyond it.
        let left = budget.most.saturating_sub(budget.spent);
        if left == 0 {
            return Verdict::Exhausted;
        }
        let variables = u64::from(self.inner.num_vars());
        let limits = self.inner.cb_mut();
        let before = limits.conflicts;
        limits.most = before + left.min(PORTION);
        limits.decisions.set(0);
        limits.most_decisions = DECISIONS + variables;
        let result = self.inner.solve_limited(&[]);
        let limits = self.inner.cb();
        let (conflicts, decisions) = (limits.conflicts - before, limits.decisions.get());
        budget.spent += conflicts;
        self.work += CONFLICT_WORK * conflicts + DECISION_WORK * decisions;
        match result {
            found if found == lbool::TRUE => Verdict::Satisfiable,
            found if found == lbool::FALSE => Verdict::Unsatisfiable,
            _ if budget.spent >= budget.most => Verdict::Exhausted,
            _ => Verdict::Unfinished,
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

struct Limits {
    conflicts: u64,
    most: u64,
    /// How often the solver asked whether to go on: it asks at each decision.
    decisions: Cell<u64>,
    most_decisions: u64,
}

impl Callbacks for Limits {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        self.decisions.set(self.decisions.get() + 1);
        self.conflicts >= self.most || self.decisions.get() >= self.most_decisions
    }
}
