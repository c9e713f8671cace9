//! Codes for the smallest parts of patterns: numbers, bounds, choices.

/// Bits of a printable character.
pub(super) const CHAR: f64 = 6.6;
/// Bits to choose a class.
pub(super) const CLASS: f64 = 4.0;
/// Bounds further apart than this are seldom meant,
const WIDE: usize = 3;
/// and cost more bits for each number between them,
const WIDE_BITS: f64 = 2.0;
/// up to this many.
const WIDEST: f64 = 30.0;

pub(super) fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// The logarithm of a small number, from a table.
pub(super) fn log2_of(x: usize) -> f64 {
    static SMALL: std::sync::LazyLock<[f64; 128]> =
        std::sync::LazyLock::new(|| std::array::from_fn(|x| log2(x as f64)));
    SMALL.get(x).copied().unwrap_or_else(|| log2(x as f64))
}

/// Elias's gamma code of a number from 0.
pub(super) fn number(x: usize) -> f64 {
    f64::from(2 * (x + 1).ilog2() + 1)
}

/// The bits of a sequence of choices in which each alternative was taken this often, with the frequencies themselves.
pub(super) fn which(counts: &[usize]) -> f64 {
    let all = counts.iter().sum::<usize>().max(1);
    let one = |&count: &usize| if count == 0 { 0.0 } else { -(count as f64) * log2(count as f64 / all as f64) };
    counts.iter().map(one).sum::<f64>() + 0.5 * counts.len().saturating_sub(1) as f64 * log2(all as f64 + 1.0)
}

/// Bounds of a number of repetitions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    pub(super) min: usize,
    /// None for any number.
    pub(super) max: Option<usize>,
}

impl Times {
    pub(super) const ONCE: Self = Self { min: 1, max: Some(1) };
    pub(super) const OPTIONAL: Self = Self { min: 0, max: Some(1) };

    pub(super) fn has(self, count: usize) -> bool {
        count >= self.min && self.max.is_none_or(|max| count <= max)
    }

    /// The bits of the bounds of a run, which is mostly one character.
    pub(super) fn bits(self) -> f64 {
        self.bits_besides(Self::ONCE)
    }

    /// The bits of the bounds: two say whether these are the usual ones, a fixed number, two bounds, or a lower bound alone.
    pub(super) fn bits_besides(self, usual: Self) -> f64 {
        const FORM: f64 = 2.0;
        match (self.min, self.max) {
            _ if self == usual => FORM,
            (min, Some(max)) if min == max => FORM + number(min),
            (min, Some(max)) => {
                let spread = max - min;
                let wide = if spread >= WIDE { (spread as f64 * WIDE_BITS).min(WIDEST) } else { 0.0 };
                FORM + number(min) + number(spread) + wide
            }
            (min, None) => FORM + number(min),
        }
    }

    /// The bits of these counts, given the bounds. Without an upper bound each repetition is followed by another with the
    /// same probability, that of the mean; where all counts are equal the mean is not trusted.
    pub(super) fn data(self, counts: &[usize]) -> f64 {
        let many = counts.len() as f64;
        match self.max {
            // Present or absent: how often is worth knowing.
            Some(1) if self.min == 0 => {
                let present = counts.iter().filter(|count| **count == 1).count();
                which(&[counts.len() - present, present])
            }
            Some(max) => many * log2_of(max - self.min + 1),
            None => {
                let mean = counts.iter().map(|&count| (count - self.min) as f64).sum::<f64>() / many.max(1.0);
                let ends = 1.0 / (1.0 + mean.max(0.5));
                -many * (log2(ends) + mean * log2(1.0 - ends))
            }
        }
    }
}

/// Bounds worth trying for what was counted and what was asked about besides: those that were seen, at least the least, at
/// least one.
pub(super) fn times(counts: &[usize], told: &[usize]) -> Vec<Times> {
    let all = || counts.iter().chain(told).copied();
    let (min, max) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let mut ways = vec![Times { min, max: Some(max) }];
    if max > 1 || max > min {
        ways.push(Times { min, max: None });
    }
    if min > 1 {
        ways.push(Times { min: 1, max: None });
    }
    ways
}
