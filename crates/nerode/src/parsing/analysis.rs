//! The analysis of one word.

use automata::{Body, Direction, Edit, Letter, Nonterminal, Production, Spelling, Typed, nearest};
use induction::parse::{Forest, Rejection, Tree};
use serde::Serialize;

use super::subject::Subject;
use crate::count::Count;
use crate::examples::{Reader, Written};

/// Maximum number of nearest accepted words.
const NEAREST: usize = 5;

/// The analysis of a word; as JSON, the output of `nerode parse --json`.
#[derive(Serialize)]
pub struct Analysis {
    /// The word as read.
    pub word: String,
    /// Whether it is accepted.
    pub accepted: bool,
    /// The first unknown letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown_letter: Option<String>,
    /// o(w), if there is a model.
    pub confidence: Option<f64>,
    /// Number of parse trees.
    pub trees: Count,
    /// The first of them, from the root down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_trees: Option<Vec<Derivation>>,
    /// The columns of the beliefs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonterminals: Option<Vec<String>>,
    /// Letter by letter, in reading order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    /// Why it is rejected, if it is.
    pub rejection: Option<Lost>,
    /// The word as shown on a line.
    #[serde(skip)]
    pub shown: String,
}

/// A letter that was read.
#[derive(Serialize)]
pub struct Step {
    /// Its place in the word, from 1.
    pub position: usize,
    /// The letter.
    pub letter: String,
    /// The belief in each non-terminal after it.
    pub beliefs: Vec<f64>,
    /// The productions used: those that apply to a non-terminal believed before the letter.
    pub productions: Vec<String>,
    /// Those of them that the model doubts.
    #[serde(skip)]
    pub doubted: Vec<String>,
}

/// A parse tree.
#[derive(Serialize)]
pub struct Derivation {
    /// The derivation in one line.
    pub text: String,
    /// Its nodes, root first.
    pub nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Serialize)]
pub struct Node {
    /// The non-terminal.
    pub nonterminal: String,
    /// The production applied.
    pub production: String,
    /// The letter below it; ε if there is none.
    pub letter: Option<String>,
    /// Number of possible productions here.
    pub choices: usize,
}

/// Why a word is rejected, and the nearest accepted words.
#[derive(Serialize)]
pub struct Lost {
    /// The position of the letter from which nothing matches, from 1; none if the word ends too early.
    pub died_at: Option<usize>,
    /// The letter.
    pub letter: Option<String>,
    /// Whether the letter is unknown.
    #[serde(skip)]
    pub is_unknown: bool,
    /// The threshold that o(w) does not reach, if some belief is left.
    #[serde(skip)]
    pub unsure: Option<f64>,
    /// The non-terminals that derive the whole word.
    pub derived_from: Vec<String>,
    /// The longest accepted prefix.
    pub longest_accepted_prefix: Option<String>,
    /// The same as shown to a person.
    #[serde(skip)]
    pub prefix_shown: Option<String>,
    /// The nearest accepted words.
    pub nearest: Option<Near>,
    /// Why there is no nearest word.
    #[serde(skip)]
    pub nothing_near: &'static str,
}

/// The accepted words at the smallest edit distance.
#[derive(Serialize)]
pub struct Near {
    /// The number of edits.
    pub distance: usize,
    /// Some of them, with their edits.
    pub words: Vec<Correction>,
    /// Whether these are all.
    pub all: bool,
}

/// An accepted word, and the edits that lead to it.
#[derive(Serialize)]
pub struct Correction {
    /// The word as read.
    pub word: String,
    /// The written word with `[+c]` for an inserted letter, `[-c]` for a deleted one, `[b>c]` for a replaced one.
    pub edits: String,
    /// The word as shown on a line.
    #[serde(skip)]
    pub shown: String,
}

impl Analysis {
    /// Analyses a word; without `trees`, neither trees nor the table are made.
    pub fn new(subject: &Subject, reader: &Reader, written: &Written, trees: Option<usize>) -> Self {
        let stranger = Letter::new(subject.alphabet().len());
        let word: Vec<Letter> = written.letters.iter().map(|letter| letter.unwrap_or(stranger)).collect();
        let forest = subject.forest(&word);
        let accepted = forest.is_accepted();
        let beliefs = subject.beliefs(&word);
        Self {
            word: written.text.clone(),
            shown: written.shown.clone(),
            accepted,
            unknown_letter: written.unknown.clone(),
            confidence: subject.model.as_ref().and_then(|_| Some(beliefs.as_ref()?.1)),
            trees: Count(forest.count()),
            first_trees: trees.map(|count| {
                forest.trees().take(count).map(|tree| derivation(subject, &forest, &tree, written)).collect()
            }),
            nonterminals: trees.map(|_| subject.matrices.names()[..subject.columns].to_vec()),
            steps: trees.map(|_| steps(subject, &forest, beliefs.as_ref().map_or(&[], |(rows, _)| rows), written)),
            rejection: forest.rejection().map(|rejection| lost(subject, reader, rejection, written)),
        }
    }

    /// The number of trees as text.
    pub fn count(&self) -> String {
        let is_one = self.trees.0 == 1_u32.into();
        format!("{} tree{}", self.trees, if is_one { "" } else { "s" })
    }
}

/// The index in the word of the i-th letter in reading order.
fn place(direction: Direction, length: usize, i: usize) -> usize {
    match direction {
        Direction::Left => i - 1,
        Direction::Right => length - i,
    }
}

fn steps(subject: &Subject, forest: &Forest, beliefs: &[Vec<f64>], written: &Written) -> Vec<Step> {
    let step = |i: usize| {
        let at = place(subject.grammar.direction(), forest.letters(), i);
        let text = |production: Production| subject.text(&production).to_owned();
        let doubted = forest.fired(i).filter(|&production| subject.doubts(production)).map(text).collect();
        let beliefs = beliefs.get(i - 1).map_or(Vec::new(), |row| row[..subject.columns].to_vec());
        let productions = forest.fired(i).map(text).collect();
        Step { position: at + 1, letter: written.piece(at), beliefs, productions, doubted }
    };
    (1..=forest.letters()).map(step).collect()
}

fn derivation(subject: &Subject, forest: &Forest, tree: &Tree, written: &Written) -> Derivation {
    let grammar = forest.grammar();
    let mut i = forest.letters();
    let mut nodes = Vec::new();
    for (depth, production) in tree.productions().iter().enumerate() {
        let at_root = depth == 0 && production.head != grammar.start();
        // The root is below S → A, and S may have chosen another A.
        let others = if at_root { forest.options(i, grammar.start()).count() - 1 } else { 0 };
        let letter = match production.body {
            Body::Empty => Some("ε".to_owned()),
            Body::Unit(_) => None,
            Body::Letter(_) | Body::Step(..) => Some(written.piece(place(grammar.direction(), forest.letters(), i))),
        };
        nodes.push(Node {
            nonterminal: grammar.name(production.head).to_owned(),
            production: subject.text(production).to_owned(),
            letter,
            choices: forest.options(i, production.head).count() + others,
        });
        i -= usize::from(production.body.letter().is_some());
    }
    Derivation { text: tree.to_string(), nodes }
}

fn lost(subject: &Subject, reader: &Reader, rejection: Rejection, written: &Written) -> Lost {
    let name = |a: Nonterminal| subject.grammar.name(a).to_owned();
    let unsure = subject.threshold().filter(|_| rejection == Rejection::Unsure);
    let (died_at, derived_from) = match rejection {
        Rejection::Died { index } => (Some(index), Vec::new()),
        Rejection::Outside { nonterminals } => (None, nonterminals.into_iter().map(name).collect()),
        Rejection::Unsure => (None, Vec::new()),
    };
    let known: Vec<Letter> = written.letters.iter().map_while(|letter| *letter).collect();
    let prefix = subject.longest_accepted(&known).map(|length| {
        let pieces: Vec<String> = (0..length).map(|at| written.inner(at)).collect();
        match as_written(subject, &pieces) {
            Some(text) => (subject.alphabet().show_text(text.clone()), text),
            None => (reader.show(&known[..length]), reader.write(&known[..length])),
        }
    });
    let (prefix_shown, longest_accepted_prefix) = prefix.unzip();
    let typed: Typed = written.letters.iter().copied().collect();
    let (near, nothing_near) = match nearest(&subject.dfa, &typed, NEAREST) {
        Ok(Some(found)) => {
            let correction = |one: automata::Correction| {
                let (pieces, marked) = edited(subject, &one.edits, written);
                let word = as_written(subject, &pieces).unwrap_or_else(|| reader.write(&one.word));
                let shown = subject.alphabet().show_text(word.clone());
                Correction { word, edits: reader.join(&marked), shown }
            };
            let words = found.corrections.into_iter().map(correction).collect();
            (Some(Near { distance: found.distance, words, all: found.all }), "")
        }
        Ok(None) => (None, "the language is empty"),
        Err(_) => (None, "the word and the automaton are too large for a search of nearest words"),
    };
    Lost {
        died_at: died_at.map(|index| index + 1),
        letter: died_at.map(|index| written.piece(index)),
        is_unknown: died_at.is_some_and(|index| written.letters[index].is_none()),
        unsure,
        derived_from,
        longest_accepted_prefix,
        prefix_shown,
        nearest: near,
        nothing_near,
    }
}

/// Letters that may be classes, as written: a kept class keeps its original character.
fn as_written(subject: &Subject, pieces: &[String]) -> Option<String> {
    match subject.alphabet().spelling() {
        Spelling::Classes => Some(pieces.concat()),
        Spelling::Tokens if subject.alphabet().has_classes() => Some(pieces.join(" ")),
        _ => None,
    }
}

/// The corrected word letter by letter, and the written word with marks at the edits.
fn edited(subject: &Subject, edits: &[Edit], written: &Written) -> (Vec<String>, Vec<String>) {
    let (mut pieces, mut marked) = (Vec::new(), Vec::new());
    let mut at = 0;
    for edit in edits {
        let new = edit.letter().map(|letter| subject.alphabet().write(&[letter]));
        match (edit, new) {
            (Edit::Keep(_), _) => {
                pieces.push(written.inner(at));
                marked.push(written.inner(at));
            }
            (Edit::Insert(_), Some(new)) => {
                marked.push(format!("[+{new}]"));
                pieces.push(new);
            }
            (Edit::Replace(_), Some(new)) => {
                marked.push(format!("[{}>{new}]", written.inner(at)));
                pieces.push(new);
            }
            _ => marked.push(format!("[-{}]", written.inner(at))),
        }
        at += usize::from(!matches!(edit, Edit::Insert(_)));
    }
    (pieces, marked)
}
