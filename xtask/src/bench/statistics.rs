//! How figures of a few dozen sets are told: with their uncertainty, and by the middle.

use serde_json::Value;

/// The normal deviate that 95 % lie within.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's interval: where the true share lies with 95 % certainty, when so many of all were seen. It stays between 0
/// and 1 and says something when none or all were.
pub(super) fn wilson(seen: usize, all: usize) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    let n = all as f64;
    let share = seen as f64 / n;
    let middle = share + Z * Z / (2.0 * n);
    let width = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - width) / scale).max(0.0), ((middle + width) / scale).min(1.0))
}

/// `57 of 60 (86–98 %)`.
pub(super) fn share(seen: usize, all: usize) -> String {
    if all == 0 {
        return "–".to_owned();
    }
    let (least, most) = wilson(seen, all);
    format!("{seen} of {all} ({:.0}–{:.0} %)", 100.0 * least, 100.0 * most)
}

/// The value that this part of all is at most: linear between neighbours. Not a number when there are none.
pub(super) fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = part * last as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    // Equal ones first: between two that are infinite there is no difference to take a part of.
    if low == high { low } else { low + (high - low) * at.fract() }
}

/// The mean. Not a number when there are none.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The numbers of a field.
pub(super) fn numbers(lines: &[&Value], field: &str) -> Vec<f64> {
    lines.iter().filter_map(|line| line[field].as_f64()).collect()
}

/// The times in seconds; one that was cut took at least its limit.
pub(super) fn times(lines: &[&Value]) -> Vec<f64> {
    lines.iter().filter_map(|line| line["seconds"].as_f64().or(line["limit_seconds"].as_f64())).collect()
}

/// The sum of a field.
pub(super) fn sum(lines: &[&Value], field: &str) -> u64 {
    lines.iter().filter_map(|line| line[field].as_u64()).sum()
}

/// How many have a field that is true.
pub(super) fn count(lines: &[&Value], field: &str) -> usize {
    lines.iter().filter(|line| line[field] == true).count()
}

/// How many were cut when their time was over.
pub(super) fn cut(lines: &[&Value]) -> usize {
    lines.iter().filter(|line| line["stop"] == "cut" || line["seconds"].is_null()).count()
}

/// A time in seconds, one that is not known as such.
pub(super) fn time(seconds: f64) -> String {
    if seconds.is_finite() { super::time(seconds) } else { "–".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_is_as_in_the_tables() {
        let near = |(least, most): (f64, f64), wanted: (f64, f64)| {
            assert!(
                (least - wanted.0).abs() < 5e-4 && (most - wanted.1).abs() < 5e-4,
                "{least} {most}, not {wanted:?}"
            );
        };
        near(wilson(57, 60), (0.863, 0.983));
        near(wilson(0, 10), (0.0, 0.278));
        near(wilson(10, 10), (0.722, 1.0));
        near(wilson(5, 10), (0.237, 0.763));
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn wilson_solves_its_equation() {
        // Both ends p are where the share seen is just Z deviations away from p.
        for all in [1, 7, 35, 60] {
            for seen in 0..=all {
                let (least, most) = wilson(seen, all);
                for p in [least, most].into_iter().filter(|p| *p > 1e-12 && *p < 1.0 - 1e-12) {
                    let away = (seen as f64 / all as f64 - p).abs() / (p * (1.0 - p) / all as f64).sqrt();
                    assert!((away - Z).abs() < 1e-6, "{seen} of {all}: {away}");
                }
            }
        }
    }

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(quantile(&[4.0, 1.0, 2.0, 3.0], 0.5), 2.5);
        assert_eq!(quantile(&[1.0, f64::INFINITY, f64::INFINITY], 0.75), f64::INFINITY);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
