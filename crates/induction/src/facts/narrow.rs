//! Facts that explain a part of the labels for certain: true of all accepted words, or of accepted words only.

use automata::{Formula, Literal};

use super::join::Joiner;

/// Maximum number of facts.
const MOST: usize = 8;
/// A part of the labels that is smaller than this is not worth a search of its own.
const LEAST_EXPLAINED: f64 = 0.25;

impl Joiner<'_> {
    /// The formula that all accepted words satisfy and most rejected ones do not, and the one that no rejected word satisfies
    /// and most accepted ones do: those of them that explain a good part of the labels.
    pub(super) fn narrowings(&self) -> Vec<Formula> {
        [true, false].into_iter().filter_map(|every| self.narrowing(every)).collect()
    }

    /// Adds the literal that leaves the fewest labels open, as long as it pays.
    fn narrowing(&self, every: bool) -> Option<Formula> {
        // The words that must stay, and those that are open.
        let keep: Vec<u64> = match every {
            true => self.labels.accepted().to_vec(),
            false => self.full.iter().zip(self.labels.accepted()).map(|(full, accepted)| full & !accepted).collect(),
        };
        let others: Vec<u64> = self.full.iter().zip(&keep).map(|(full, keep)| full & !keep).collect();
        let all: u32 = others.iter().map(|block| block.count_ones()).sum();
        // On the kept side whenever its fact is (in an *or*, is not) as the literal says.
        let removes = |fact: usize, holds: bool, block: usize| {
            let words = self.store.known()[fact].words[block];
            if holds == every { !words } else { words }
        };
        let spares =
            |fact: usize, holds: bool| (0..keep.len()).all(|block| removes(fact, holds, block) & keep[block] == 0);
        let candidates: Vec<(usize, bool)> = (self.choices.iter())
            .flat_map(|&fact| [(fact, true), (fact, false)])
            .filter(|&(fact, holds)| spares(fact, holds))
            .collect();
        let (mut open, mut chosen) = (others, Vec::new());
        while chosen.len() < MOST {
            let removed = |&(fact, holds): &(usize, bool)| -> u32 {
                open.iter().enumerate().map(|(block, open)| (open & removes(fact, holds, block)).count_ones()).sum()
            };
            let best = candidates
                .iter()
                .map(|literal| (removed(literal), literal))
                .reduce(|a, b| if b.0 > a.0 { b } else { a });
            // Each explained label saves about a bit.
            let Some((count, &(fact, holds))) = best else { break };
            if f64::from(count) <= self.store.known()[fact].price {
                break;
            }
            open.iter_mut().enumerate().for_each(|(block, open)| *open &= !removes(fact, holds, block));
            chosen.push((fact, holds));
        }
        let left: u32 = open.iter().map(|block| block.count_ones()).sum();
        if f64::from(all - left) < LEAST_EXPLAINED * f64::from(all) || left == 0 {
            return None;
        }
        let literal = |&(fact, holds): &(usize, bool)| Literal { fact: self.store.known()[fact].fact.clone(), holds };
        Some(Formula { every, clauses: chosen.iter().map(|chosen| vec![literal(chosen)]).collect() })
    }
}
