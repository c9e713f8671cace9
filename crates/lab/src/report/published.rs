//! The paper's results for comparison: mean accuracy by size of the grammar and length of the examples, from the figure
//! of its long version.

/// Training lengths, the columns of [`MEAN_ACCURACY`].
pub const LENGTHS: [usize; 6] = [6, 8, 10, 12, 14, 16];

/// n, 𝔭, and the mean accuracy at each length; one cell is empty in the figure.
pub const MEAN_ACCURACY: [(usize, usize, [Option<f64>; 6]); 12] = [
    (2, 2, [Some(0.98), Some(0.99), Some(0.96), Some(0.98), Some(0.94), Some(0.94)]),
    (2, 3, [Some(1.0), Some(0.98), Some(0.98), Some(0.98), Some(1.0), Some(0.96)]),
    (2, 4, [Some(0.91), Some(0.87), Some(0.85), Some(0.84), Some(0.87), Some(0.90)]),
    (2, 5, [Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0)]),
    (3, 2, [Some(0.89), Some(0.94), Some(0.84), Some(0.92), Some(0.89), Some(0.83)]),
    (3, 3, [Some(0.94), Some(0.94), Some(0.94), Some(0.95), Some(0.95), Some(0.97)]),
    (3, 4, [Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(0.95)]),
    (3, 5, [Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0)]),
    (4, 2, [Some(0.57), Some(0.58), Some(0.64), Some(0.66), Some(0.71), Some(0.85)]),
    (4, 3, [Some(0.91), Some(0.83), Some(0.93), Some(0.96), Some(0.92), Some(0.85)]),
    (4, 4, [Some(0.75), Some(0.86), Some(0.93), Some(0.97), Some(1.0), Some(0.91)]),
    (4, 5, [Some(1.0), Some(0.94), Some(1.0), Some(0.80), Some(1.0), None]),
];

/// The fraction of all runs in which the paper's learner found the language.
pub const EXACT_RECOVERY: f64 = 0.85;

/// The number of letters of the paper's grammars.
pub const LETTERS: usize = 4;

/// The paper's mean accuracy for grammars with n non-terminals and 𝔭 productions per non-terminal, from words up to
/// this length.
#[must_use]
pub fn mean_accuracy(nonterminals: usize, productions: usize, length: usize) -> Option<f64> {
    let column = LENGTHS.iter().position(|&known| known == length)?;
    let row = MEAN_ACCURACY.iter().find(|(n, p, _)| (*n, *p) == (nonterminals, productions))?;
    row.2[column]
}

#[cfg(test)]
mod tests {
    use super::super::statistics::mean;
    use super::*;

    #[test]
    fn the_mean_over_cells_is_the_papers() {
        let cells: Vec<f64> = MEAN_ACCURACY.iter().flat_map(|(_, _, row)| row).copied().flatten().collect();
        assert_eq!(cells.len(), 71);
        let mean = mean(cells).unwrap();
        assert!((mean - 0.922).abs() < 5e-4, "{mean}");
        assert_eq!(mean_accuracy(4, 2, 16), Some(0.85));
        assert_eq!(mean_accuracy(4, 5, 16), None);
        assert_eq!(mean_accuracy(5, 5, 16), None);
        assert_eq!(mean_accuracy(2, 2, 7), None);
    }
}
