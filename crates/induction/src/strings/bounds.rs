//! Bounds of numbers, to ask about: is there a 32 after 31, a year 0000?
//!
//! Of the numbers in one place some are known to belong and some not. Beyond the greatest that belongs an answer lets some
//! through or none: what it says there is the more doubtful the more numbers were seen none of which went so far, or the
//! fewer were seen that stop where it does. On each side what is most doubtful is asked about.

use std::collections::BTreeSet;

use super::bits::log2;
use super::near::PRIOR;

/// The numbers that were met in one place, all with as many digits.
#[derive(Clone, Debug, Default)]
pub(super) struct Met {
    /// How many were given that belong.
    pub(super) given: usize,
    pub(super) accepted: BTreeSet<u32>,
    pub(super) rejected: BTreeSet<u32>,
}

impl Met {
    /// Whether a number is between two that belong.
    pub(super) fn is_between(&self, number: u32) -> bool {
        self.accepted.range(..=number).next().is_some() && self.accepted.range(number..).next().is_some()
    }

    /// What to ask about below the least and above the greatest, each with the doubt in bits; `is_in` is what the answer
    /// says, and no number is greater than `end`.
    pub(super) fn asked(&self, end: u32, is_in: impl Fn(u32) -> bool) -> Vec<(u32, f64)> {
        let (Some(&least), Some(&greatest)) = (self.accepted.first(), self.accepted.last()) else { return Vec::new() };
        let width = f64::from(greatest - least + 1);
        let doubt = |number: u32, beyond: u32| {
            let surprise = self.given as f64 * log2((width + f64::from(beyond)) / width);
            (number, if is_in(number) { surprise - PRIOR } else { -surprise })
        };
        // On either side numbers are told by how far they are from what is known.
        let side = |room: u32, closed: Option<u32>, at: &dyn Fn(u32) -> u32| {
            let most = closed.map_or(room, |closed| closed - 1);
            let through = (1..=most).take_while(|&beyond| is_in(at(beyond))).last().unwrap_or(0);
            let tried = [1, through, through + 1, most, most.div_ceil(2)];
            let tried = tried.into_iter().filter(|beyond| (1..=most).contains(beyond));
            tried.map(|beyond| doubt(at(beyond), beyond)).max_by(|a, b| a.1.total_cmp(&b.1))
        };
        let above = self.rejected.range(greatest..).next().map(|number| number - greatest);
        let below = self.rejected.range(..least).next_back().map(|number| least - number);
        let sides =
            [side(end - greatest, above, &|beyond| greatest + beyond), side(least, below, &|beyond| least - beyond)];
        sides.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Met;

    /// How many questions it takes until both bounds are known, if the answer believes in the closest bounds that agree.
    fn questions(given: &[u32], bounds: std::ops::RangeInclusive<u32>, end: u32) -> usize {
        let mut met = Met { given: given.len(), accepted: given.iter().copied().collect(), ..Met::default() };
        for asked in 0.. {
            let (least, greatest) = (*met.accepted.first().unwrap(), *met.accepted.last().unwrap());
            let open = met.asked(end, |number| (least..=greatest).contains(&number));
            let Some(&(number, _)) = open.first() else {
                assert_eq!(least..=greatest, bounds);
                return asked;
            };
            assert!(asked < 40, "it comes to an end");
            if bounds.contains(&number) {
                met.accepted.insert(number)
            } else {
                met.rejected.insert(number)
            };
        }
        unreachable!()
    }

    #[test]
    fn bounds_that_were_seen_take_a_question_each() {
        assert_eq!(questions(&[1, 4, 7, 9, 12], 1..=12, 99), 2);
        assert_eq!(questions(&[0, 4, 7, 59], 0..=59, 99), 1);
        assert_eq!(questions(&[0, 99], 0..=99, 99), 0);
    }

    #[test]
    fn others_are_found_in_the_end() {
        assert!(questions(&[10, 12, 20], 3..=31, 99) <= 20);
    }
}
