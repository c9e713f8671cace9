//! Codes for numbers, choices and orders, from which all others are made.

/// The bits of a number of unknown size, at least 0: Elias gamma code of its successor.
pub(super) fn number(n: usize) -> f64 {
    2.0 * libm::floor(libm::log2((n + 1) as f64)) + 1.0
}

/// The bits of a choice of `chosen` out of `all`.
pub(crate) fn choice(all: usize, chosen: usize) -> f64 {
    factorial(all) - factorial(chosen) - factorial(all - chosen)
}

/// The bits of a choice of `chosen` out of a number with this logarithm, or out of `chosen` if that is more.
pub(super) fn choice_among(log2_of_all: f64, chosen: usize) -> f64 {
    // Beyond, a million chosen ones make the approximation too long by at most half a bit.
    const EXACT: f64 = 40.0;
    if chosen == 0 {
        return 0.0;
    }
    if log2_of_all > EXACT {
        return chosen as f64 * log2_of_all - factorial(chosen);
    }
    choice((libm::round(libm::exp2(log2_of_all)) as usize).max(chosen), chosen)
}

/// The bits of one out of all orders, log₂ n!
pub(crate) fn factorial(n: usize) -> f64 {
    libm::lgamma(n as f64 + 1.0) / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_counted() {
        assert!((choice(10, 3) - libm::log2(120.0)).abs() < 1e-9);
        assert!((choice(7, 0)).abs() < 1e-9);
        assert!((factorial(4) - libm::log2(24.0)).abs() < 1e-9);
        assert_eq!([0, 1, 2, 3, 6, 7].map(number), [1.0, 3.0, 3.0, 5.0, 5.0, 7.0]);
    }

    /// As many zeros as the successor has digits after the first, then its digits.
    fn encoded(n: usize) -> String {
        let digits = format!("{:b}", n + 1);
        "0".repeat(digits.len() - 1) + &digits
    }

    /// The first number of a message, and the rest of the message.
    fn decoded(message: &str) -> (usize, &str) {
        let zeros = message.find('1').unwrap();
        let (digits, rest) = message[zeros..].split_at(zeros + 1);
        (usize::from_str_radix(digits, 2).unwrap() - 1, rest)
    }

    #[test]
    fn numbers_are_decoded() {
        let numbers: Vec<usize> = (0..300).chain([1_000_000, 1 << 40]).collect();
        assert!(numbers.iter().all(|&n| encoded(n).len() as f64 == number(n)));
        let message: String = numbers.iter().map(|&n| encoded(n)).collect();
        let mut rest = &message[..];
        for &n in &numbers {
            let (read, after) = decoded(rest);
            assert_eq!(read, n);
            rest = after;
        }
        assert_eq!(rest, "");
    }

    #[test]
    fn large_choices_are_close_to_exact() {
        let (all, chosen) = (1_usize << 41, 1_000);
        assert!((choice_among(41.0, chosen) - choice(all, chosen)).abs() < 0.01);
        assert_eq!(choice_among(f64::NEG_INFINITY, 0), 0.0);
        assert!(choice_among(3.0, 9).abs() < 1e-9);
    }
}
