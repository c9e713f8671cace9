//! Repair: what was read off a model, mended by exact and discrete steps.
//!
//! A trained model is often right but for a production or two. Productions are flipped one by one, each flip judged by
//! replaying every example; then whatever no example needs is taken away, and non-terminals that can be one are made
//! one. So what is left is there for a reason.
//!
//! What is made small is the [`Cost`]: wrong examples first, and structure as far as it is paid for. Without noise a wrong
//! example outweighs everything; with noise it costs what it takes to name it as an exception, so that structure which
//! costs more and only explains mislabelled words is taken away.

mod productions;
mod score;
#[cfg(test)]
mod tests;

use rand_core::Rng;

pub(crate) use productions::{Flip, Productions};
pub(crate) use score::Scorer;

use crate::description::production_bits;
use crate::random;

/// What wrong examples and structure cost, in the same unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cost {
    /// Only wrong examples count.
    Errors,
    /// Every example counts, however much it takes to get it right; then every production.
    Exact,
    /// So many bits a wrong example; structure is paid for by its description.
    Bits(f64),
}

/// Bits are counted in parts of this size.
const PARTS: f64 = 64.0;

impl Cost {
    fn error(self) -> u64 {
        match self {
            Self::Errors => 1,
            Self::Exact => 1 << 20,
            Self::Bits(error) => (PARTS * error) as u64 + 1,
        }
    }

    fn structure(self, productions: &Productions) -> u64 {
        match self {
            Self::Errors => 0,
            Self::Exact => productions.len() as u64,
            Self::Bits(_) => {
                let ends = productions.ends().count_ones() as usize;
                let (reading, used) = (productions.len() - ends, productions.used());
                let bits = production_bits(productions.letters(), used, reading, ends.min(used));
                (PARTS * bits.max(0.0)) as u64
            }
        }
    }

    fn of(self, errors: u64, productions: &Productions) -> u64 {
        self.error().saturating_mul(errors).saturating_add(self.structure(productions))
    }

    /// How many errors there may be for the cost to stay below `cost`.
    fn errors_below(self, cost: u64, productions: &Productions) -> Option<u64> {
        Some(cost.checked_sub(self.structure(productions) + 1)? / self.error())
    }
}

/// A grammar mended and pruned: what it costs while it is mended, and while it is pruned.
pub(crate) fn repair(
    scorer: &mut Scorer,
    productions: Productions,
    (mending, pruning): (Cost, Cost),
    budget: u64,
    random: &mut impl Rng,
) -> (Productions, u64) {
    let mut repair = Repair::new(scorer, productions, mending, budget);
    if repair.errors > 0 {
        repair.mend(random);
    }
    repair.cost = pruning;
    repair.budget = repair.budget.max(budget);
    repair.prune(random);
    (repair.productions, repair.errors)
}

/// A grammar under repair.
struct Repair<'s> {
    scorer: &'s mut Scorer,
    productions: Productions,
    cost: Cost,
    errors: u64,
    /// How many replays are left.
    budget: u64,
}

impl<'s> Repair<'s> {
    fn new(scorer: &'s mut Scorer, productions: Productions, cost: Cost, budget: u64) -> Self {
        scorer.load(&productions);
        let errors = scorer.errors(productions.ends(), u64::MAX);
        Self { scorer, productions, cost, errors, budget }
    }

    /// Flips what makes the cost smaller, in random order, until nothing does or the budget is used up.
    fn mend(&mut self, random: &mut impl Rng) {
        let mut flips: Vec<Flip> = self.productions.flips().collect();
        // A flip is looked at again until none since the last that helped did.
        let mut idle = 0;
        while idle < flips.len() && self.budget > 0 {
            random::shuffle(&mut flips, random);
            for &flip in &flips {
                idle = if self.try_flip(flip) { 0 } else { idle + 1 };
                if idle >= flips.len() || self.budget == 0 {
                    break;
                }
            }
        }
    }

    /// Takes away what is not needed: productions one by one, and one of two non-terminals where one will do.
    fn prune(&mut self, random: &mut impl Rng) {
        loop {
            let before = self.productions.len();
            self.merge_nonterminals();
            let mut flips: Vec<Flip> = self.productions.flips().filter(|flip| self.productions.has(*flip)).collect();
            random::shuffle(&mut flips, random);
            for flip in flips {
                self.try_flip(flip);
            }
            if self.productions.len() == before || self.budget == 0 {
                return;
            }
        }
    }

    fn merge_nonterminals(&mut self) {
        let n = self.productions.nonterminals();
        for gone in (1..n).rev() {
            for kept in 0..gone {
                if self.productions.uses(gone) && self.productions.uses(kept) {
                    let mut merged = self.productions.clone();
                    merged.merge(kept, gone);
                    self.try_productions(merged);
                }
            }
        }
    }

    fn current(&self) -> u64 {
        self.cost.of(self.errors, &self.productions)
    }

    fn try_flip(&mut self, flip: Flip) -> bool {
        let cost = self.current();
        self.productions.flip(flip);
        self.reload(flip);
        if self.judge(cost) {
            return true;
        }
        self.productions.flip(flip);
        self.reload(flip);
        false
    }

    fn reload(&mut self, flip: Flip) {
        if let Flip::Edge((letter, ..)) = flip {
            self.scorer.load_letter(&self.productions, letter);
        }
    }

    fn try_productions(&mut self, other: Productions) -> bool {
        let cost = self.current();
        let before = std::mem::replace(&mut self.productions, other);
        self.scorer.load(&self.productions);
        if self.judge(cost) {
            return true;
        }
        self.productions = before;
        self.scorer.load(&self.productions);
        false
    }

    /// Whether what is loaded costs less than `cost`; if so its errors are noted.
    fn judge(&mut self, cost: u64) -> bool {
        let Some(limit) = self.cost.errors_below(cost, &self.productions) else { return false };
        self.budget = self.budget.saturating_sub(1);
        let errors = self.scorer.errors(self.productions.ends(), limit);
        let better = errors <= limit;
        if better {
            self.errors = errors;
        }
        better
    }
}
