//! The fixed suites for comparing learners. Each set is a function of its name and the suite's seed.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use automata::formats::grammar_text;
use automata::{DEFAULT_STATE_LIMIT, Dfa, Grammar, Word, determinize, minimize};
use serde::{Deserialize, Serialize};

use crate::chance::{self, seed_of};
use crate::dfas::{NoSuchSize, random_dfa_of_size};
use crate::distinct::{self, Spread};
use crate::examples::{Draw, Example, ExampleError, ExampleSet, ExampleSettings, Shares, draw};
use crate::kinds::Kind;
use crate::languages::{Target, paper_grammar};

/// Number of grammars per configuration of the grid.
const GRID_GRAMMARS: usize = 5;
/// Number of words per class in a set of the grid.
const GRID_WORDS: usize = 2000;
/// Maximum number of words per class in a Tomita set.
const TOMITA_WORDS: usize = 250;
/// Maximum length of words in Tomita sets and dense sets.
const LONGEST: usize = 15;
/// Minimum length of words in a dense set with even lengths, since there are only seven shorter words.
const DENSE_SHORTEST: usize = 3;

/// A language and examples of it.
#[derive(Clone, Debug)]
pub struct GridSet {
    /// `n3-p2-0`: non-terminals, productions, number.
    pub name: String,
    /// The number n of non-terminals.
    pub n: usize,
    /// The mean number 𝔭 of productions per non-terminal.
    pub p: usize,
    /// The number of the grammar among those with this n and 𝔭.
    pub index: usize,
    /// The minimal automaton of the language.
    pub target: Dfa,
    /// The grammar that was drawn.
    pub grammar: Grammar,
    /// The examples.
    pub examples: ExampleSet,
}

/// The grid of the paper: four letters, n in 2, 3, 4 and 𝔭 in 2, 3, 4, 5, with five grammars each. A set has 2,000
/// positive words up to the depth, repeated if there are fewer, and 2,000 negative ones, a quarter of each kind. Random
/// negative words have even lengths however the others are drawn and make up for missing kinds. The empty word is
/// included. There are fewer words only if not as many exist up to the depth. The grammars depend only on the seed.
/// Fails if a class has no words up to the depth, or more than 2,000 and all are requested.
pub fn grid(depth: usize, draw: Draw, seed: u64) -> Result<Vec<GridSet>, ExampleError> {
    let mut sets = Vec::new();
    for n in 2..=4 {
        for p in 2..=5 {
            for index in 0..GRID_GRAMMARS {
                sets.push(grid_set(n, p, index, depth, draw, seed)?);
            }
        }
    }
    Ok(sets)
}

fn grid_set(n: usize, p: usize, index: usize, depth: usize, draw_by: Draw, seed: u64) -> Result<GridSet, ExampleError> {
    let Target { grammar, dfa: target, seed } =
        paper_grammar(4, n, p, index as u64, seed).expect("most languages of the paper's settings reject most words");
    let settings = ExampleSettings {
        depth,
        positives: Some(GRID_WORDS),
        negatives: Some(GRID_WORDS),
        shares: Shares::EQUAL,
        draw: draw_by,
        even_random: true,
        empty_word: true,
        balance: true,
        seed,
    };
    let examples = draw(&target, &settings)?;
    Ok(GridSet { name: format!("n{n}-p{p}-{index}"), n, p, index, target, grammar, examples })
}

fn minimal(grammar: &Grammar) -> Dfa {
    let dfa = determinize(&grammar.to_nfa(), DEFAULT_STATE_LIMIT);
    minimize(&dfa.expect("a grammar of a few non-terminals has few sets of them"))
}

/// A named language and examples of it.
#[derive(Clone, Debug)]
pub struct NamedSet {
    /// `tomita4`, or `dense-k20-w50-even-0`.
    pub name: String,
    /// The minimal automaton of the language.
    pub target: Dfa,
    /// The examples.
    pub examples: ExampleSet,
}

/// The Tomita language with this number, 1 to 7, with at most 250 words of each class up to length 15, evenly by
/// length, including the empty word. `None` for any other number.
#[must_use]
pub fn tomita(number: usize, seed: u64) -> Option<NamedSet> {
    let target = minimal(&tomita_grammar(number)?);
    let settings = ExampleSettings {
        depth: LONGEST,
        positives: Some(TOMITA_WORDS),
        negatives: Some(TOMITA_WORDS),
        shares: Shares::RANDOM,
        draw: Draw::Even,
        even_random: true,
        empty_word: true,
        balance: false,
        seed: seed_of(seed, &[number as u64]),
    };
    let examples = draw(&target, &settings).expect("there are words of both classes");
    Some(NamedSet { name: format!("tomita{number}"), target, examples })
}

/// The grammar of the Tomita language with this number.
pub(crate) fn tomita_grammar(number: usize) -> Option<Grammar> {
    const GRAMMARS: [&str; 7] = [
        include_str!("../../../testdata/languages/tomita1.txt"),
        include_str!("../../../testdata/languages/tomita2.txt"),
        include_str!("../../../testdata/languages/tomita3.txt"),
        include_str!("../../../testdata/languages/tomita4.txt"),
        include_str!("../../../testdata/languages/tomita5.txt"),
        include_str!("../../../testdata/languages/tomita6.txt"),
        include_str!("../../../testdata/languages/tomita7.txt"),
    ];
    let text = GRAMMARS.get(number.checked_sub(1)?)?;
    Some(grammar_text::read(text).expect("the grammars are tested"))
}

/// The lengths of words in a dense set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lengths {
    /// 3 to 15 letters, with equal numbers of each length.
    Even,
    /// Every word of at most 15 letters is equally likely, so nearly all are long.
    Uniform,
}

/// A random minimal automaton with exactly `states` states over two letters, and `words_per_state` words per state,
/// distinct and drawn regardless of labels. The empty word is treated like any other. The automaton depends only on its
/// size, the index and the seed.
pub fn dense(
    states: usize,
    words_per_state: usize,
    lengths: Lengths,
    index: usize,
    seed: u64,
) -> Result<NamedSet, NoSuchSize> {
    let seed = seed_of(seed, &[states as u64, index as u64]);
    let target = random_dfa_of_size(states, 2, seed)?;
    let (range, spread, how) = match lengths {
        Lengths::Even => (DENSE_SHORTEST..=LONGEST, Spread::Lengths, "even"),
        Lengths::Uniform => (0..=LONGEST, Spread::Words, "uniform"),
    };
    let wanted = words_per_state.saturating_mul(states);
    let examples = blind(&target, range, spread, wanted, seed_of(seed, &[words_per_state as u64, lengths as u64]));
    let name = format!("dense-k{states}-w{words_per_state}-{how}-{index}");
    Ok(NamedSet { name, target, examples })
}

/// Distinct words drawn regardless of labels.
pub(crate) fn blind(
    target: &Dfa,
    lengths: RangeInclusive<usize>,
    spread: Spread,
    wanted: usize,
    seed: u64,
) -> ExampleSet {
    let alphabet = target.alphabet().clone();
    let everything = Dfa::constant(alphabet.clone(), true);
    let words = distinct::draw(&everything, lengths, spread, wanted, &BTreeSet::new(), &mut chance::stream(seed, 0));
    let kind = |word: &Word| if target.accepts(word) { Kind::Positive } else { Kind::Random };
    let mut rows: Vec<Example> = words.into_iter().map(|word| Example { kind: kind(&word), word }).collect();
    rows.sort_by_key(|example| example.kind);
    ExampleSet { alphabet, rows }
}
