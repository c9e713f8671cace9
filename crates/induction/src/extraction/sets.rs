//! A model whose start selector is a perceptron, read off as an automaton of sets.
//!
//! A perceptron says for each set of non-terminals whether words that derive exactly this set are accepted. So the
//! result is not a grammar with a start symbol, but the automaton of the sets that words derive with the productions
//! whose belief reaches the threshold.

use std::collections::BTreeMap;

use automata::{Alphabet, Dfa};

use crate::model::reference::Start;
use crate::model::{Layout, Selector, Weights};

/// Maximum number of sets; there may be 2^n' of them.
const MOST_SETS: usize = 20_000;

/// The automaton of the sets of non-terminals that words derive, at temperature 1: a word is accepted if the selector's
/// output for its set is above one half. `None` if there are more than 20,000 sets.
///
/// # Panics
/// When the number of letters is not that of the layout, or the number of parameters is not [`Selector::parameters`].
#[must_use]
pub fn extract_sets(
    alphabet: &Alphabet,
    layout: Layout,
    selector: Selector,
    parameters: &[f64],
    threshold: f64,
) -> Option<Dfa> {
    assert_eq!(alphabet.len(), layout.letters(), "one column for each letter");
    let weights = Weights::with_selector(layout, selector, parameters, 1.0);
    let start = Start::new(layout, selector, parameters, &weights);
    let accepts = |set: &Vec<bool>| {
        let u: Vec<f64> = set.iter().map(|&there| f64::from(u8::from(there))).collect();
        start.forward(&u).output > 0.5
    };
    let (sets, rows) = reachable_sets(&weights, layout, threshold)?;
    let accepting = sets.iter().enumerate().filter(|(_, set)| accepts(set)).map(|(i, _)| i + 1);
    Some(Dfa::new(alphabet.clone(), 0, accepting, &rows).expect("next states are in range"))
}

/// The sets that words derive, numbered from 1 in order of discovery, and the target of each letter. State 0 has read
/// nothing.
#[allow(clippy::type_complexity, reason = "two lists that belong together")]
fn reachable_sets(
    weights: &Weights,
    layout: Layout,
    threshold: f64,
) -> Option<(Vec<Vec<bool>>, Vec<Vec<Option<usize>>>)> {
    let n = layout.nonterminals();
    let next = |set: Option<&Vec<bool>>, c: usize| -> Vec<bool> {
        let head = |k: usize| match set {
            None => weights.terminal[c * n + k] >= threshold,
            Some(set) => (0..n).any(|i| set[i] && weights.step[(c * n + k) * n + i] >= threshold),
        };
        (0..n).map(head).collect()
    };
    let mut numbers: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let mut sets: Vec<Vec<bool>> = Vec::new();
    let mut rows = Vec::new();
    while rows.len() <= sets.len() {
        if sets.len() > MOST_SETS {
            return None;
        }
        let from = rows.len().checked_sub(1).map(|i| sets[i].clone());
        let mut row = Vec::new();
        for c in 0..layout.letters() {
            let set = next(from.as_ref(), c);
            let number = *numbers.entry(set.clone()).or_insert_with(|| {
                sets.push(set);
                sets.len()
            });
            row.push(Some(number));
        }
        rows.push(row);
    }
    Some((sets, rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Shape;

    /// A shift register with one bit fewer than there are non-terminals; the last of these says that a word has begun.
    fn register(n: usize) -> Option<Dfa> {
        let layout = Layout::new(Shape::Nfa, n, 2);
        let mut parameters = vec![-9.0; Selector::TwoLayers.parameters(layout)];
        let begun = n - 1;
        for c in 0..2 {
            parameters[layout.terminal(c, begun)] = 9.0;
            parameters[layout.step(c, begun, begun)] = 9.0;
            (1..begun).for_each(|k| parameters[layout.step(c, k, k - 1)] = 9.0);
        }
        parameters[layout.step(1, 0, begun)] = 9.0; // the second letter goes in
        extract_sets(&Alphabet::of_chars("ab"), layout, Selector::TwoLayers, &parameters, 0.95)
    }

    #[test]
    fn too_many_sets_are_not_read_off() {
        assert_eq!(register(5).map(|dfa| dfa.len()), Some(1 + (1 << 4)));
        assert_eq!(register(24), None);
    }
}
