//! How numbers are written: with as many digits as are meaningful, and a dash for a missing number.

use super::statistics::Rate;

/// Written for a missing number.
pub(super) const NONE: &str = "–";

/// A share between 0 and 1, with three digits; 1 and 0 are written only if they are exact.
pub(super) fn share(value: Option<f64>) -> String {
    match value {
        None => NONE.to_owned(),
        Some(1.0) => "1".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(value) => format!("{:.3}", value.clamp(0.001, 0.999)),
    }
}

/// The same with two digits, for the cells of pictures.
pub(super) fn short_share(value: f64) -> String {
    match value {
        1.0 => "1".to_owned(),
        0.0 => "0".to_owned(),
        value => format!("{:.2}", value.clamp(0.0, 0.99))[1..].to_owned(),
    }
}

/// `57 of 60`.
pub(super) fn counts(rate: Rate) -> String {
    if rate.all == 0 { NONE.to_owned() } else { format!("{} of {}", rate.successes, rate.all) }
}

/// `95.0 %`.
pub(super) fn percent(rate: Rate) -> String {
    rate.share().map_or(NONE.to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// `86.3–98.3 %`.
pub(super) fn interval(rate: Rate) -> String {
    let (low, high) = rate.wilson();
    if rate.all == 0 { NONE.to_owned() } else { format!("{:.1}–{:.1} %", 100.0 * low, 100.0 * high) }
}

/// `57 of 60: 95.0 % (86.3–98.3)`.
pub(super) fn rate_in_full(rate: Rate) -> String {
    let (low, high) = rate.wilson();
    match rate.share() {
        None => NONE.to_owned(),
        Some(_) => format!("{}: {} ({:.1}–{:.1})", counts(rate), percent(rate), 100.0 * low, 100.0 * high),
    }
}

/// A difference in percentage points, with its sign.
pub(super) fn points(difference: f64) -> String {
    let text = format!("{:+.1}", 100.0 * difference);
    if text == "-0.0" { "+0.0".to_owned() } else { text }
}

/// A p-value.
pub(super) fn p(value: f64) -> String {
    if value < 0.0001 { "< 0.0001".to_owned() } else { format!("{value:.4}") }
}

/// Seconds with three significant digits.
pub(super) fn seconds(value: f64) -> String {
    match value {
        value if value < 0.1 => format!("{value:.4}"),
        value if value < 10.0 => format!("{value:.3}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

/// A count with its noun in the singular or plural.
pub(super) fn number_of(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_whole_is_written_so() {
        assert_eq!(share(Some(0.99999)), "0.999");
        assert_eq!(share(Some(1e-9)), "0.001");
        assert_eq!(share(Some(1.0)), "1");
        assert_eq!(short_share(0.996), ".99");
        assert_eq!(short_share(0.5), ".50");
        assert_eq!((short_share(1e-9), short_share(0.0)), (".00".to_owned(), "0".to_owned()));
        assert_eq!(points(-0.0001), "+0.0");
        assert_eq!(rate_in_full(Rate { successes: 57, all: 60 }), "57 of 60: 95.0 % (86.3–98.3)");
        assert_eq!(p(0.00001), "< 0.0001");
    }
}
