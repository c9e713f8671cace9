//! Pictures of a word: the matrices that it queries, and its parse trees.

use automata::drawing::{Node, Query, TooManyEntries, TooManyLetters, matrices_svg, trees_svg};
use automata::{Direction, Letter, Nonterminal, Production};

use super::analysis::Analysis;
use super::subject::Subject;
use crate::examples::Written;

/// Of larger alphabets, only letters that occur in the word are drawn.
const MOST_COLUMNS: usize = 8;

/// Non-terminals without a name in the grammar are drawn from this belief on: then it shows in the sums.
const LEAST_SEEN: f64 = 0.002;

/// The matrices that the word queries.
pub fn matrices(subject: &Subject, written: &Written) -> Result<String, TooManyEntries> {
    let (matrices, alphabet) = (&subject.matrices, subject.matrices.alphabet());
    let stranger = Letter::new(subject.alphabet().len());
    let word: Vec<Letter> = written.letters.iter().map(|letter| letter.unwrap_or(stranger)).collect();
    let (beliefs, confidence) =
        subject.beliefs(&word).unwrap_or_else(|| (Vec::new(), if subject.dfa.accepts(&[]) { 1.0 } else { 0.0 }));
    let takes_part = |k: &usize| *k < subject.columns || beliefs.iter().any(|u| u[*k] >= LEAST_SEEN);
    let rows: Vec<usize> = (0..matrices.names().len()).filter(takes_part).collect();
    let names: Vec<String> = rows.iter().map(|&k| matrices.names()[k].clone()).collect();
    // Letters in the numbering of the matrices.
    let known = |letter: &Option<Letter>| letter.and_then(|c| alphabet.find(subject.alphabet().name(c)));
    let mut places: Vec<usize> = (0..word.len()).collect();
    if subject.grammar.direction() == Direction::Right {
        places.reverse();
    }
    let read: Vec<Option<Letter>> = places.iter().map(|&at| known(&written.letters[at])).collect();
    let columns: Vec<Letter> =
        alphabet.letters().filter(|c| alphabet.len() <= MOST_COLUMNS || read.contains(&Some(*c))).collect();
    let row = |entry: &dyn Fn(Letter) -> f64| columns.iter().map(|&c| entry(c)).collect::<Vec<f64>>();
    // The same productions as in the table: the grammar's, or the model's if it parses alone.
    let forest = subject.forest(&word);
    let drawn = |a: Nonterminal| names[..subject.columns].iter().position(|name| name == forest.grammar().name(a));
    let fired = |i: usize| {
        let place = |p: Production| match p.body.nonterminal() {
            None => Some((drawn(p.head)?, None)),
            Some(b) => Some((drawn(p.head)?, Some(drawn(b)?))),
        };
        forest.fired(i).filter_map(place).collect()
    };
    let start = drawn(forest.grammar().start());
    let roots = match start {
        Some(start) => Vec::from_iter(forest.is_accepted().then_some(start)),
        None => forest.roots().into_iter().filter_map(drawn).collect(),
    };
    let others = &names[subject.columns..];
    let note = "only in the model, not in the answer; their beliefs are part of the sums";
    matrices_svg(&Query {
        letters: columns.iter().map(|&c| alphabet.name(c).to_owned()).collect(),
        terminal: rows.iter().map(|&k| row(&|c| matrices.terminal(k, c))).collect(),
        step: rows.iter().map(|&k| rows.iter().map(|&i| row(&|c| matrices.step(k, i, c))).collect()).collect(),
        last: rows.iter().map(|&k| matrices.last(k)).collect(),
        word: read.iter().map(|letter| columns.iter().position(|&c| Some(c) == *letter)).collect(),
        spelled: places.iter().map(|&at| written.inner(at)).collect(),
        beliefs: beliefs.iter().map(|u| rows.iter().map(|&k| u[k]).collect()).collect(),
        fired: (1..=word.len()).map(fired).collect(),
        roots,
        confidence,
        note: (!others.is_empty()).then(|| format!("{}: {note}", others.join(", "))),
        title: format!("Matrices queried by the word {}", written.shown),
        names,
    })
}

/// The first trees of an accepted word.
pub fn trees(subject: &Subject, analysis: &Analysis) -> Result<String, TooManyLetters> {
    let derivations = analysis.first_trees.as_deref().unwrap_or_default();
    let node = |node: &super::analysis::Node| Node {
        name: node.nonterminal.clone(),
        letter: node.letter.clone(),
        is_choice: node.choices > 1,
    };
    let trees: Vec<Vec<Node>> = derivations.iter().map(|tree| tree.nodes.iter().map(node).collect()).collect();
    let captions: Vec<String> = (1..=trees.len()).map(|i| format!("tree {i} of {}", analysis.trees)).collect();
    let title = format!("Parse trees of {}", analysis.shown);
    trees_svg(&trees, &captions, subject.grammar.direction() == Direction::Right, &title)
}
