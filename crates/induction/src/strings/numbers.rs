//! Numbers: a month is no pair of digits, but one from 01 to 12.
//!
//! What people count has bounds that have names: hours, minutes, days, bytes. Other bounds are believed where both sides of
//! them are known: 41 belongs, 42 does not. Either way an interval is a class of numbers as `[a-f]` is one of letters, with
//! bits to write it and bits for each number of it; it comes out as the expression that people write for it.

use serde::{Deserialize, Serialize};

use super::bits::{CLASS, log2, number};
use super::cost::priced;
use super::covers::{Cover, How};
use super::letters::{Chars, Letters, Set};
use super::pattern::{Found, Pattern};
use super::words::Words;

/// Months, hours, days, minutes, bytes, hundredths.
const COUNTED: [(u32, u32); 6] = [(1, 12), (0, 23), (1, 31), (0, 59), (0, 255), (0, 100)];
/// What it takes to say which of these, or that a bound is the usual one.
const WHICH: f64 = 3.0;
const USUAL: f64 = 1.0;
/// Numbers have at most so many digits.
const MOST_DIGITS: usize = 4;

/// Numbers from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Interval {
    least: u32,
    greatest: u32,
    /// How many digits they have, zeros in front; none if they have no zeros in front.
    padded: Option<usize>,
}

/// The cheapest interval that has all words and no forbidden one, if the words are numbers.
pub(super) fn interval(
    letters: &Letters,
    words: &Words,
    forbidden: &[Chars],
    without: Set,
    weight: f64,
) -> Option<Found> {
    let digits = letters.digits().filter(|_| words.alone)?;
    if without.meets(letters.within(&letters.named[digits].class)) {
        return None;
    }
    let length = words[0].len();
    let same = words.iter().all(|word| word.len() == length);
    let ways = [(same && length > 1).then_some(Some(length)), Some(None)];
    let mut best = None;
    for padded in ways.into_iter().flatten() {
        let numbers: Option<Vec<u32>> = words.iter().map(|word| value(letters, word, padded)).collect();
        let Some(numbers) = numbers else { continue };
        let not: Vec<u32> = forbidden.iter().filter_map(|word| value(letters, word, padded)).collect();
        for interval in intervals(&numbers, &not, padded) {
            best = Found::better(best, Some(priced(letters, interval.pattern(letters, digits), words)), weight);
        }
    }
    best
}

/// The number that a word is, if it is one of that form.
fn value(letters: &Letters, word: Chars, padded: Option<usize>) -> Option<u32> {
    let fits = match padded {
        Some(length) => word.len() == length,
        None => word.len() == 1 || word.first().is_some_and(|&first| letters.char(first) != '0'),
    };
    let number = |number: u32, &c: &u8| Some(number * 10 + letters.char(c).to_digit(10)?);
    (fits && word.len() <= MOST_DIGITS).then(|| word.iter().try_fold(0, number))?
}

/// Intervals worth trying.
fn intervals(numbers: &[u32], not: &[u32], padded: Option<usize>) -> Vec<Interval> {
    let (Some(&min), Some(&max)) = (numbers.iter().min(), numbers.iter().max()) else { return Vec::new() };
    let below = not.iter().copied().filter(|&number| number < min).max();
    let above = not.iter().copied().filter(|&number| number > max).min();
    let fits = |interval: &Interval| {
        let &Interval { least, greatest, padded } = interval;
        let right = padded.is_none_or(|length| digits_of(greatest).len() == length);
        let within = least <= min && greatest >= max && (least, greatest) != (min, min);
        right && within && !not.iter().any(|number| (least..=greatest).contains(number))
    };
    let interval = |(least, greatest): (u32, u32)| Interval { least, greatest, padded };
    let mut all: Vec<Interval> = COUNTED.map(interval).to_vec();
    let end = end_of(padded);
    let mut lows = vec![0];
    lows.extend(below.filter(|&below| below == 0).map(|_| 1));
    lows.extend(below.filter(|below| below + 1 == min && min > 1).map(|_| min));
    let mut highs: Vec<u32> = end.into_iter().collect();
    highs.extend(above.filter(|above| above - 1 == max).map(|_| max));
    for least in lows {
        // From 0 to the end is any number at all, for which a class of digits is enough.
        let bounded = highs.iter().filter(|&&greatest| least > 0 || Some(greatest) != end);
        all.extend(bounded.map(|&greatest| interval((least, greatest))));
    }
    all.retain(fits);
    all
}

/// The greatest number of so many digits.
fn end_of(padded: Option<usize>) -> Option<u32> {
    padded.map(|length| 10_u32.pow(length as u32) - 1)
}

fn digits_of(number: u32) -> Vec<u8> {
    number.to_string().bytes().map(|c| c - b'0').collect()
}

impl Interval {
    /// The bits of its bounds.
    pub(super) fn bits(self) -> f64 {
        if COUNTED.contains(&(self.least, self.greatest)) {
            return WHICH;
        }
        let end = end_of(self.padded);
        let spelled = log2(f64::from(end.unwrap_or(self.greatest).max(10)));
        let low = if self.least <= 1 { USUAL } else { spelled };
        let high = if Some(self.greatest) == end { USUAL } else { spelled };
        low + high
    }

    /// The bits to state it: whether zeros stand in front, how many digits, and both bounds or which of the usual pairs.
    pub(super) fn stated(self) -> f64 {
        const FLAG: f64 = 1.0;
        let digits = self.padded.unwrap_or(digits_of(self.greatest).len());
        let bounds = match COUNTED.contains(&(self.least, self.greatest)) {
            true => log2(COUNTED.len() as f64),
            false => {
                let spelled = digits as f64 * log2(10.0);
                let low = if self.least <= 1 { 1.0 } else { spelled };
                let high = if self.greatest == 10_u32.pow(digits as u32) - 1 { 0.0 } else { spelled };
                2.0 * FLAG + low + high
            }
        };
        FLAG + number(digits - 1) + FLAG + bounds
    }

    /// The bits of each number of it.
    pub(super) fn bits_each(self) -> f64 {
        log2(f64::from(self.greatest - self.least + 1))
    }

    /// The numbers as rows of digits.
    fn pattern(self, letters: &Letters, digits: usize) -> Pattern {
        let written = |number: u32, length: usize| {
            let digits = digits_of(number);
            [vec![0; length - digits.len()], digits].concat()
        };
        let mut rows = Vec::new();
        match self.padded {
            Some(length) => rows = rows_between(&written(self.least, length), &written(self.greatest, length)),
            // Without zeros in front there is a row or more for each length.
            None => {
                let (shortest, longest) = (digits_of(self.least).len(), digits_of(self.greatest).len());
                for length in shortest..=longest {
                    let first = if length == 1 { 0 } else { 10_u32.pow(length as u32 - 1) };
                    let last = 10_u32.pow(length as u32) - 1;
                    let bounds = [self.least.max(first), self.greatest.min(last)].map(|bound| written(bound, length));
                    rows.extend(rows_between(&bounds[0], &bounds[1]));
                }
            }
        }
        let one = |&(first, last): &(u8, u8)| {
            let cover = digit(letters, digits, first, last);
            Pattern::Run { cover, without: Set::default(), min: 1, max: Some(1) }
        };
        let rows = Pattern::choice(rows.iter().map(|row| Pattern::sequence(row.iter().map(one))));
        Pattern::Number { interval: self, rows: Box::new(rows) }
    }
}

/// A class of digits.
fn digit(letters: &Letters, digits: usize, first: u8, last: u8) -> Cover {
    let kind = &letters.named[digits];
    let char = |digit: u8| char::from(b'0' + digit);
    match (first, last) {
        (0, 9) => Cover { set: kind.set, size: 10, how: How::Named(digits), except: Set::default(), bits: CLASS },
        _ => Cover::range(letters, kind, char(first), char(last), Set::default()),
    }
}

/// Rows of ranges of digits that have all numbers from one to another, both of the same length, and each of them once.
fn rows_between(least: &[u8], greatest: &[u8]) -> Vec<Vec<(u8, u8)>> {
    let (Some((&low, least)), Some((&high, greatest))) = (least.split_first(), greatest.split_first()) else {
        return vec![Vec::new()];
    };
    let headed = |first: u8, last: u8, rows: Vec<Vec<(u8, u8)>>| {
        rows.into_iter().map(move |row| [vec![(first, last)], row].concat()).collect::<Vec<_>>()
    };
    if low == high {
        return headed(low, high, rows_between(least, greatest));
    }
    let (zeros, nines) = (vec![0; least.len()], vec![9; least.len()]);
    let (low_is_whole, high_is_whole) = (least == zeros, greatest == nines);
    let mut rows = Vec::new();
    if !low_is_whole {
        rows.extend(headed(low, low, rows_between(least, &nines)));
    }
    let (first, last) = (low + u8::from(!low_is_whole), high - u8::from(!high_is_whole));
    if first <= last {
        rows.extend(headed(first, last, vec![vec![(0, 9); least.len()]]));
    }
    if !high_is_whole {
        rows.extend(headed(high, high, rows_between(&zeros, greatest)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kraft's inequality over the intervals of numbers of one and two digits.
    #[test]
    fn intervals_have_a_code() {
        let mut sum = 0.0;
        for greatest in 0..100 {
            for least in 0..=greatest {
                let paddings = [None, Some(1), Some(2)];
                let fits = |padded: &Option<usize>| padded.is_none_or(|digits| digits_of(greatest).len() <= digits);
                let bits = |padded| libm::exp2(-Interval { least, greatest, padded }.stated());
                sum += paddings.into_iter().filter(fits).map(bits).sum::<f64>();
            }
        }
        assert!(sum <= 1.0 && sum > 0.2, "{sum}");
    }

    #[test]
    fn rows_of_digits_have_just_the_numbers_between() {
        for least in 0..1000_u32 {
            for greatest in (least..1000).step_by(7) {
                let digits = |number: u32| [number / 100, number / 10 % 10, number % 10].map(|digit| digit as u8);
                let rows = rows_between(&digits(least), &digits(greatest));
                let has = |number: u32| {
                    let fits = |row: &&Vec<(u8, u8)>| {
                        row.iter().zip(digits(number)).all(|(&(first, last), digit)| (first..=last).contains(&digit))
                    };
                    rows.iter().filter(fits).count()
                };
                for number in [0, least.saturating_sub(1), least, least.midpoint(greatest), greatest, greatest + 1, 999]
                {
                    let expected = usize::from((least..=greatest).contains(&number) && number < 1000);
                    assert!(number > 999 || has(number) == expected, "{number} in {least}..={greatest}");
                }
            }
        }
    }
}
