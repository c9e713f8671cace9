//! Formulas over known facts, by the bits of facts and labels.
//!
//! The search begins with single facts and pairs of them, and then adds, replaces and deletes facts as long as the sum of bits
//! falls. A change in one place of a formula is judged without looking at the rest: there are words that the formula accepts
//! whatever stands in the place, words that it then rejects, and words for which the place decides.

use automata::{Formula, Literal};

use super::labels::Labels;
use super::store::Store;

/// Maximum numbers of clauses, and of facts in each.
const MOST_CLAUSES: usize = 6;
const MOST_LITERALS: usize = 4;
/// Maximum number of changes.
const MOST_CHANGES: usize = 40;

/// A formula over numbers of known facts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    pub(super) every: bool,
    pub(super) clauses: Vec<Vec<(usize, bool)>>,
    /// Bits of its facts and of the labels given the formula.
    pub(super) bits: f64,
}

pub(super) struct Joiner<'a> {
    pub(super) labels: &'a Labels,
    pub(super) store: &'a Store,
    /// The facts to choose from.
    pub(super) choices: Vec<usize>,
    /// All words.
    pub(super) full: Vec<u64>,
}

/// A place in a formula: a clause, or a new one; and a literal of it, or a new one.
type Place = (Option<usize>, Option<usize>);

impl Joiner<'_> {
    /// Single facts and pairs to begin with, cheapest first.
    pub(super) fn beginnings(&self, paired: usize, most: usize) -> Vec<Draft> {
        let mut drafts = Vec::new();
        for &fact in &self.choices {
            for holds in [true, false] {
                drafts.push(self.draft(true, vec![vec![(fact, holds)]]));
            }
        }
        let cheapest = |mut drafts: Vec<Draft>, most: usize| {
            drafts.sort_by(|a, b| a.bits.total_cmp(&b.bits));
            drafts.truncate(most);
            drafts
        };
        let mut found = cheapest(drafts, most);
        let few = &self.choices[..self.choices.len().min(paired)];
        // For each pair: which function of both, and its bits.
        let (mut pairs, mut differing) = (Vec::new(), Vec::new());
        let counts: Vec<[usize; 2]> =
            few.iter().map(|&fact| self.labels.count(&self.store.known()[fact].words)).collect();
        let totals = self.labels.totals();
        for (i, &a) in few.iter().enumerate() {
            for (j, &b) in few.iter().enumerate().skip(i + 1) {
                let both = self.count_both(a, b);
                let minus = |x: [usize; 2], y: [usize; 2]| [x[0] - y[0], x[1] - y[1]];
                let (only_a, only_b) = (minus(counts[i], both), minus(counts[j], both));
                let neither = minus(minus(totals, counts[i]), only_b);
                let known = self.store.known();
                let tier = |fact: usize| known[fact].tier.map_or(0.0, |tier| self.store.tier_price(tier));
                let shared = if known[a].tier == known[b].tier { tier(b) } else { 0.0 };
                let price = known[a].price + known[b].price + tier(a) + tier(b) - shared;
                for (cell, signs) in
                    [(both, [true, true]), (only_a, [true, false]), (only_b, [false, true]), (neither, [false; 2])]
                {
                    pairs.push((self.labels.bits(cell) + price, a, b, signs));
                }
                let differ = [only_a[0] + only_b[0], only_a[1] + only_b[1]];
                differing.push((self.labels.bits(differ) + 2.0 * price, a, b));
            }
        }
        pairs.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2, x.3).cmp(&(y.1, y.2, y.3))));
        differing.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for &(_, a, b, signs) in pairs.iter().take(most) {
            // The cell itself, and all others: each in the form to which clauses can be added.
            for accepts in [true, false] {
                let literals = [(a, signs[0] == accepts), (b, signs[1] == accepts)];
                found.push(self.draft(accepts, literals.iter().map(|&literal| vec![literal]).collect()));
                found.push(self.draft(!accepts, vec![literals.to_vec()]));
            }
        }
        for &(_, a, b) in differing.iter().take(most / 4) {
            for same in [false, true] {
                found.push(self.draft(true, vec![vec![(a, true), (b, !same)], vec![(a, false), (b, same)]]));
            }
        }
        found.into_iter().filter(|draft| self.is_right_way(draft)).collect()
    }

    /// Whether more accepted than rejected words satisfy it: otherwise its opposite is meant.
    fn is_right_way(&self, draft: &Draft) -> bool {
        let [accepted, rejected] = self.labels.count(&self.truth(draft));
        let [all_accepted, all_rejected] = self.labels.totals();
        accepted * all_rejected >= rejected * all_accepted
    }

    fn count_both(&self, a: usize, b: usize) -> [usize; 2] {
        let known = self.store.known();
        let (mut accepted, mut all) = (0, 0);
        for ((&a, &b), &labels) in known[a].words.iter().zip(&known[b].words).zip(self.labels.accepted()) {
            let both = a & b;
            accepted += (both & labels).count_ones() as usize;
            all += both.count_ones() as usize;
        }
        [accepted, all - accepted]
    }

    pub(super) fn draft(&self, every: bool, clauses: Vec<Vec<(usize, bool)>>) -> Draft {
        let mut draft = Draft { every, clauses, bits: 0.0 };
        draft.bits = self.price(&draft) + self.labels.bits(self.labels.count(&self.truth(&draft)));
        draft
    }

    /// The bits of the facts, about as in `measure`.
    fn price(&self, draft: &Draft) -> f64 {
        let mut tiers: Vec<usize> = Vec::new();
        let mut bits = 0.0;
        for &(fact, _) in draft.clauses.iter().flatten() {
            let known = &self.store.known()[fact];
            bits += known.price;
            if let Some(tier) = known.tier
                && !tiers.contains(&tier)
            {
                tiers.push(tier);
                bits += self.store.tier_price(tier);
            }
        }
        bits + 2.0 * draft.clauses.len() as f64
    }

    fn literal(&self, (fact, holds): (usize, bool), block: usize) -> u64 {
        let words = self.store.known()[fact].words[block];
        (if holds { words } else { !words }) & self.full[block]
    }

    fn clause(&self, every: bool, clause: &[(usize, bool)], but: Option<usize>, block: usize) -> u64 {
        let literals = clause
            .iter()
            .enumerate()
            .filter(|&(k, _)| Some(k) != but)
            .map(|(_, &literal)| self.literal(literal, block));
        match every {
            true => literals.fold(0, |any, literal| any | literal),
            false => literals.fold(self.full[block], |all, literal| all & literal),
        }
    }

    /// The words that satisfy a draft.
    pub(super) fn truth(&self, draft: &Draft) -> Vec<u64> {
        (0..self.full.len()).map(|block| self.others(draft, None, block)).collect()
    }

    fn others(&self, draft: &Draft, but: Option<usize>, block: usize) -> u64 {
        let clauses = draft.clauses.iter().enumerate().filter(|&(j, _)| Some(j) != but);
        let clauses = clauses.map(|(_, clause)| self.clause(draft.every, clause, None, block));
        match draft.every {
            true => clauses.fold(self.full[block], |all, clause| all & clause),
            false => clauses.fold(0, |any, clause| any | clause),
        }
    }

    /// The words that are accepted if the literal in a place does not hold, and those for which it decides.
    fn around(&self, draft: &Draft, (clause, literal): Place) -> (Vec<u64>, Vec<u64>) {
        let mut around = (Vec::with_capacity(self.full.len()), Vec::with_capacity(self.full.len()));
        for block in 0..self.full.len() {
            let others = self.others(draft, clause, block);
            let rest = match clause {
                Some(j) => self.clause(draft.every, &draft.clauses[j], literal, block),
                None => self.clause(draft.every, &[], None, block),
            };
            let (without, with) = match draft.every {
                true => (others & rest, others),
                false => (others, others | rest),
            };
            around.0.push(without);
            around.1.push(with & !without);
        }
        around
    }

    /// Changes a draft as long as its bits fall.
    pub(super) fn improve(&self, mut draft: Draft) -> Draft {
        for _ in 0..MOST_CHANGES {
            let mut best: Option<Draft> = None;
            let mut consider = |other: Draft| {
                if other.bits < best.as_ref().map_or(draft.bits, |best| best.bits) - 1e-6 {
                    best = Some(other);
                }
            };
            for j in 0..draft.clauses.len() {
                let size = draft.clauses[j].len();
                // Each literal, and the whole clause.
                for range in (0..size).map(|k| k..k + 1).chain(Some(0..size).filter(|_| size > 1)) {
                    let mut clauses = draft.clauses.clone();
                    clauses[j].drain(range);
                    clauses.retain(|clause| !clause.is_empty());
                    if !clauses.is_empty() {
                        consider(self.draft(draft.every, clauses));
                    }
                }
            }
            for place in places(&draft) {
                let (without, decides) = self.around(&draft, place);
                let (base, region) = (self.labels.count(&without), self.labels.count(&decides));
                let mut found: Option<(f64, usize, bool)> = None;
                for &fact in &self.choices {
                    let known = &self.store.known()[fact];
                    let (mut accepted, mut all) = (0, 0);
                    for ((&words, &decides), &labels) in known.words.iter().zip(&decides).zip(self.labels.accepted()) {
                        let both = words & decides;
                        accepted += (both & labels).count_ones() as usize;
                        all += both.count_ones() as usize;
                    }
                    let holding = [accepted, all - accepted];
                    for holds in [true, false] {
                        let counts = [0, 1]
                            .map(|side| base[side] + if holds { holding[side] } else { region[side] - holding[side] });
                        let tier = known.tier.map_or(0.0, |tier| self.store.tier_price(tier));
                        let is_used = draft
                            .clauses
                            .iter()
                            .flatten()
                            .any(|&(other, _)| self.store.known()[other].tier == known.tier);
                        let bits = self.labels.bits(counts) + known.price + if is_used { 0.0 } else { tier };
                        if bits < found.map_or(f64::INFINITY, |(bits, _, _)| bits) {
                            found = Some((bits, fact, holds));
                        }
                    }
                }
                if let Some((_, fact, holds)) = found {
                    let mut clauses = draft.clauses.clone();
                    match place {
                        (None, _) => clauses.push(vec![(fact, holds)]),
                        (Some(j), None) => clauses[j].push((fact, holds)),
                        (Some(j), Some(k)) => clauses[j][k] = (fact, holds),
                    }
                    consider(self.draft(draft.every, clauses));
                }
            }
            match best {
                Some(better) => draft = better,
                None => break,
            }
        }
        draft
    }

    /// The formula of a draft.
    pub(super) fn formula(&self, draft: &Draft) -> Formula {
        let literal = |&(fact, holds): &(usize, bool)| Literal { fact: self.store.known()[fact].fact.clone(), holds };
        let clauses = draft.clauses.iter().map(|clause| clause.iter().map(literal).collect()).collect();
        Formula { every: draft.every, clauses }
    }
}

fn places(draft: &Draft) -> Vec<Place> {
    let mut places = Vec::new();
    if draft.clauses.len() < MOST_CLAUSES {
        places.push((None, None));
    }
    for (j, clause) in draft.clauses.iter().enumerate() {
        if clause.len() < MOST_LITERALS {
            places.push((Some(j), None));
        }
        places.extend((0..clause.len()).map(|k| (Some(j), Some(k))));
    }
    places
}
