//! A word as pictures: the matrices as it queries them, and its trees.

use automata::drawing::{Node, Query, TooManyEntries, TooManyLetters, matrices_svg, trees_svg};
use automata::{Direction, Letter};

use super::analysis::Analysis;
use super::subject::Subject;
use crate::input::Written;

/// Alphabets of more letters are drawn by those that occur in the word.
const MOST_COLUMNS: usize = 8;

/// The matrices as the word queries them.
pub(crate) fn matrices(subject: &Subject, written: &Written) -> Result<String, TooManyEntries> {
    let (matrices, alphabet) = (&subject.matrices, subject.matrices.alphabet());
    let n = matrices.names().len();
    let stranger = Letter::new(subject.alphabet().len());
    let word: Vec<Letter> = written.letters.iter().map(|letter| letter.unwrap_or(stranger)).collect();
    let (beliefs, confidence) =
        subject.beliefs(&word).unwrap_or_else(|| (Vec::new(), if subject.dfa.accepts(&[]) { 1.0 } else { 0.0 }));
    // Letters as the matrices number them.
    let known = |letter: &Option<Letter>| letter.and_then(|c| alphabet.find(subject.alphabet().name(c)));
    let mut places: Vec<usize> = (0..word.len()).collect();
    if subject.grammar.direction() == Direction::Right {
        places.reverse();
    }
    let read: Vec<Option<Letter>> = places.iter().map(|&at| known(&written.letters[at])).collect();
    let columns: Vec<Letter> =
        alphabet.letters().filter(|c| alphabet.len() <= MOST_COLUMNS || read.contains(&Some(*c))).collect();
    let row = |entry: &dyn Fn(Letter) -> f64| columns.iter().map(|&c| entry(c)).collect::<Vec<f64>>();
    matrices_svg(&Query {
        names: matrices.names().to_vec(),
        letters: columns.iter().map(|&c| alphabet.name(c).to_owned()).collect(),
        terminal: (0..n).map(|k| row(&|c| matrices.terminal(k, c))).collect(),
        step: (0..n).map(|k| (0..n).map(|i| row(&|c| matrices.step(k, i, c))).collect()).collect(),
        last: (0..n).map(|k| matrices.last(k)).collect(),
        word: read.iter().map(|letter| columns.iter().position(|&c| Some(c) == *letter)).collect(),
        spelled: places.iter().map(|&at| written.inner(at)).collect(),
        beliefs,
        confidence,
        title: format!("The matrices as the word {} queries them", written.shown),
    })
}

/// The first trees of an accepted word.
pub(crate) fn trees(subject: &Subject, analysis: &Analysis) -> Result<String, TooManyLetters> {
    let derivations = analysis.first_trees.as_deref().unwrap_or_default();
    let node = |node: &super::analysis::Node| Node {
        name: node.nonterminal.clone(),
        letter: node.letter.clone(),
        is_choice: node.choices > 1,
    };
    let trees: Vec<Vec<Node>> = derivations.iter().map(|tree| tree.nodes.iter().map(node).collect()).collect();
    let captions: Vec<String> = (1..=trees.len()).map(|i| format!("tree {i} of {}", analysis.trees.get())).collect();
    let title = format!("Parse trees of {}", analysis.shown);
    trees_svg(&trees, &captions, subject.grammar.direction() == Direction::Right, &title)
}
