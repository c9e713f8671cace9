//! The red and blue states in canonical order, updated after each change from the first changed row on.

use super::{NONE, Quotient, RED, Slot};
use crate::work::Pause;

/// The red and blue states in canonical order: by the shortest word that leads to each, then lexicographically.
#[derive(Clone, Default)]
pub(in super::super) struct Survey {
    /// The red states, by number.
    pub(in super::super) red: Vec<u32>,
    /// `[red]`: the rank of each red state in that order.
    pub(in super::super) rank: Vec<u32>,
    /// The blue states.
    pub(in super::super) blue: Vec<Slot>,
    /// For each row read, the number of red and blue states found before it.
    found_before: Vec<(usize, usize)>,
}

impl Quotient {
    /// Finds all red and blue states. Rows before the first one that changed since the last call are not read again,
    /// because their targets are the same.
    pub(in super::super) fn survey(&mut self, survey: &mut Survey) -> Result<(), Pause> {
        if survey.red.is_empty() {
            survey.red.push(0);
            survey.rank.push(0);
        }
        survey.rank.resize(self.len(), NONE);
        let first = self.changed_rows.drain(..).map(|red| survey.rank[red as usize]).min();
        // A red state that was not found yet has no rank, and its row was not read.
        if let Some(first) = first.map(|rank| rank as usize).filter(|&rank| rank < survey.found_before.len()) {
            let (red, blue) = survey.found_before[first];
            for gone in survey.red.drain(red..) {
                survey.rank[gone as usize] = NONE;
            }
            survey.blue.truncate(blue);
            survey.found_before.truncate(first);
        }
        while let Some(&red) = survey.red.get(survey.found_before.len()) {
            self.meter.check()?;
            self.meter.add(1 + self.letters as u64 / CELLS);
            survey.found_before.push((survey.red.len(), survey.blue.len()));
            let begin = red as usize * self.letters;
            for (slot, &place) in self.table.iter().enumerate().skip(begin).take(self.letters) {
                if place == NONE {
                    continue;
                }
                if place & RED == 0 {
                    survey.blue.push(Slot(slot));
                } else if survey.rank[(place ^ RED) as usize] == NONE {
                    survey.rank[(place ^ RED) as usize] = survey.red.len() as u32;
                    survey.red.push(place ^ RED);
                }
            }
        }
        Ok(())
    }

    /// The transitions between red states in canonical numbering, as they are or as they would be after a merge: the
    /// index of each such cell, and its target. They determine how the tree is folded: quotients with the same core are
    /// equal.
    pub(in super::super) fn core(&mut self, merge: Option<(u32, Slot)>) -> Vec<u32> {
        self.meter.add(self.table.len() as u64 / CELLS);
        let mut name = vec![NONE; self.len()];
        let mut order = vec![0];
        name[0] = 0;
        let mut core = Vec::new();
        let mut read = 0;
        while read < order.len() {
            let begin = order[read] as usize * self.letters;
            for letter in 0..self.letters {
                let place = match merge {
                    Some((red, slot)) if slot.0 == begin + letter => red | RED,
                    _ => self.table[begin + letter],
                };
                if place == NONE || place & RED == 0 {
                    continue;
                }
                let to = (place ^ RED) as usize;
                if name[to] == NONE {
                    name[to] = order.len() as u32;
                    order.push(to as u32);
                }
                core.extend([read as u32, letter as u32, name[to]]);
            }
            read += 1;
        }
        core
    }
}

/// Table cells read in the time of one node visit.
pub(super) const CELLS: u64 = 8;
