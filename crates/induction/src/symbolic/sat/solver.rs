//! The solver, with a limit in conflicts.
//!
//! A solver learns from conflicts: partial assignments that cannot be completed. Their number measures the work, and is
//! the same on every machine.
//!
//! The solver runs in *portions*. It cannot be interrupted in mid-search without effect: when called again it keeps
//! what it has learned but starts its restart schedule anew. So portions have a fixed size, and its results do not
//! depend on how the caller slices the work.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};

/// Conflicts per portion.
const PORTION: u64 = 2_000;
/// Maximum number of decisions per portion, in addition to one per variable, since that many may precede the first
/// conflict.
const DECISIONS: u64 = 50_000;
/// Cost of a conflict, a decision and a clause, in node visits.
const CONFLICT_WORK: u64 = 500;
const DECISION_WORK: u64 = 50;
const CLAUSE_WORK: u64 = 8;

/// A budget of conflicts, and the number used.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    most: u64,
    spent: u64,
}

impl Budget {
    /// This many conflicts.
    #[must_use]
    pub fn new(most: u64) -> Self {
        Self { most, spent: 0 }
    }

    /// Number of conflicts used.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

/// The result of a portion.
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
    /// Total work so far, in node visits.
    work: u64,
}

impl Solver {
    pub(super) fn new() -> Self {
        let limits = Limits { conflicts: 0, most: 0, decisions: Cell::new(0), most_decisions: 0 };
        let inner = batsat::Solver::new(SolverOpts::default(), limits);
        Self { inner, clause: Vec::new(), work: 0 }
    }

    /// Total work so far, in node visits.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Creates this many variables with consecutive numbers, and returns the first.
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
        // If the clause cannot be satisfied, the next call reports it.
        self.inner.add_clause_reuse(&mut self.clause);
    }

    /// Looks for a model, for one portion.
    pub(super) fn solve(&mut self, budget: &mut Budget) -> Verdict {
        // The solver checks its limit only now and then, so it may have exceeded it.
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

    /// Whether a variable is true in the last model.
    pub(super) fn is_true(&self, variable: u32) -> bool {
        self.inner.value_lit(yes(variable)) == lbool::TRUE
    }
}

/// The positive literal.
pub(super) fn yes(variable: u32) -> Lit {
    Lit::new(Var::unsafe_from_idx(variable), true)
}

/// The negative literal.
pub(super) fn no(variable: u32) -> Lit {
    Lit::new(Var::unsafe_from_idx(variable), false)
}

struct Limits {
    conflicts: u64,
    most: u64,
    /// Number of calls of `stop`, which the solver makes at each decision.
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
