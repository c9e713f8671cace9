//! The fixed suites for comparing learners: sets of examples that stay the same from version to version, so that
//! results of different dates can be compared.
//!
//! A set is a language and a draw, both specified completely. Most suites are older than plans, which is why some have
//! their own seeds.

use crate::chance::seed_of;
use crate::spec::{Draw, Language, Lengths, Words};
use crate::strings;
use crate::subregular::{LENGTHS, Recipe, recipes};
use crate::textbook::{Exercise, exercises};

/// The names of all suites.
pub const NAMES: [&str; 24] = [
    "grid-8-uniform",
    "grid-8-even",
    "grid-16-uniform",
    "grid-16-even",
    "tomita",
    "noise-0",
    "noise-0.01",
    "noise-0.02",
    "noise-0.05",
    "noise-0.1",
    "questions",
    "strings-10",
    "strings-20",
    "strings-50",
    "strings-200",
    "textbook-short",
    "textbook-drawn",
    "subregular-100",
    "subregular-1000",
    "subregular-10000",
    "stamina-100",
    "stamina-50",
    "stamina-25",
    "stamina-12.5",
];

/// Number of grammars per configuration of the grid.
const GRID_GRAMMARS: u64 = 5;
/// Number of words per class in a set of the grid.
const GRID_WORDS: usize = 2000;
/// Maximum number of words per class in a Tomita set, their maximum length, and how many sets each language has.
const TOMITA_WORDS: usize = 250;
const TOMITA_LONGEST: usize = 15;
const TOMITA_SETS: u64 = 5;
/// Number of words per class before the first question.
const FEW_WORDS: usize = 10;
/// Everyday words are shorter.
const STRINGS_LONGEST: usize = 256;
/// In an exercise all words of up to this length are given, for alphabets of two letters and of more,
const EXERCISE_SHORT: [usize; 2] = [4, 3];
/// and this many longer ones; or so many words of each class. No word is longer than this.
const EXERCISE_LONGER: usize = 12;
const EXERCISE_WORDS: usize = 10;
const EXERCISE_LONGEST: usize = 8;

/// As in the competition.
const STAMINA_LETTERS: [usize; 5] = [2, 5, 10, 20, 50];
const STAMINA_STATES: usize = 50;
const STAMINA_WORDS: usize = 20_000;
const STAMINA_SETS: u64 = 5;
const STAMINA_LONGEST: usize = 100;

/// A set of a suite: its language, its examples, and the run, which is the seed of its learners.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// The language.
    pub language: Language,
    /// Its examples. The draw has the name of the suite.
    pub draw: Draw,
    /// The number of the run.
    pub run: u64,
}

/// The suite with this name. The seed of its plan is 0.
#[must_use]
pub fn suite(name: &str) -> Option<Vec<Set>> {
    let known = NAMES.into_iter().find(|known| *known == name)?;
    let parts: Vec<&str> = known.split('-').collect();
    match parts[..] {
        ["grid", depth, lengths] => {
            let lengths = if lengths == "even" { Lengths::Even } else { Lengths::Uniform };
            Some(grid(|_| Draw { lengths, ..grid_draw(known, depth.parse().expect("a number")) }))
        }
        ["noise", rate] => Some(grid(|number| Draw {
            noise: rate.parse().expect("a rate"),
            labels_seed: Some([0, number]),
            ..grid_draw(known, 8)
        })),
        ["questions"] => Some(grid(|number| Draw {
            words: by_label(FEW_WORDS, false, true),
            words_seed: Some(number),
            ..grid_draw(known, 8)
        })),
        ["tomita"] => Some(tomita(known)),
        ["strings", count] => Some(everyday(known, count.parse().expect("a number"))),
        ["textbook", "short"] => Some(textbook(known, |exercise| {
            let [two, more] = EXERCISE_SHORT;
            let all = if exercise.letters.chars().count() <= 2 { two } else { more };
            Words::Short { all, longer: EXERCISE_LONGER }
        })),
        ["textbook", "drawn"] => {
            Some(textbook(known, |_| Words::Drawn { positives: EXERCISE_WORDS, negatives: EXERCISE_WORDS }))
        }
        ["subregular", count] => Some(subregular(known, count.parse().expect("a number"))),
        ["stamina", percent] => Some(stamina(known, percent.parse().expect("a number"))),
        _ => None,
    }
}

/// The grid of the paper: four letters, n in 2, 3, 4 and 𝔭 in 2, 3, 4, 5, with five grammars each, numbered in this order.
fn grid(draw: impl Fn(u64) -> Draw) -> Vec<Set> {
    let mut sets = Vec::new();
    for nonterminals in 2..=4 {
        for productions in 2..=5 {
            for index in 0..GRID_GRAMMARS {
                let language = Language::Grammar { letters: 4, nonterminals, productions, index, reversed: false };
                sets.push(Set { language, draw: draw(sets.len() as u64), run: 0 });
            }
        }
    }
    sets
}

/// 2,000 positive words up to the depth, repeated if there are fewer, and 2,000 negative ones, a quarter of each kind.
fn grid_draw(name: &str, depth: usize) -> Draw {
    Draw {
        name: name.to_owned(),
        depth,
        lengths: Lengths::Even,
        words: by_label(GRID_WORDS, true, true),
        noise: 0.0,
        same_words: false,
        words_seed: None,
        labels_seed: None,
    }
}

/// At most 250 words of each class, evenly by length; another draw for each of five runs.
fn tomita(name: &str) -> Vec<Set> {
    let set = |number: usize, run: u64| Set {
        language: Language::Tomita { number },
        draw: Draw {
            words: by_label(TOMITA_WORDS, false, false),
            words_seed: Some(seed_of(run, &[number as u64])),
            ..grid_draw(name, TOMITA_LONGEST)
        },
        run,
    };
    (0..TOMITA_SETS).flat_map(|run| (1..=7).map(move |number| set(number, run))).collect()
}

/// The everyday languages, each with this many strings, half of them near misses.
fn everyday(name: &str, count: usize) -> Vec<Set> {
    let set = |entry: strings::Entry| Set {
        language: Language::Everyday { name: entry.name },
        draw: Draw { words: Words::Strings { count }, words_seed: Some(0), ..grid_draw(name, STRINGS_LONGEST) },
        run: 0,
    };
    strings::entries().into_iter().map(set).collect()
}

/// The textbook exercises with these words. The seed of the words is the place of the exercise, from 0.
fn textbook(name: &str, words: impl Fn(&Exercise) -> Words) -> Vec<Set> {
    let set = |(place, exercise): (usize, Exercise)| Set {
        language: exercise.language(),
        draw: Draw { words: words(&exercise), words_seed: Some(place as u64), ..grid_draw(name, EXERCISE_LONGEST) },
        run: 0,
    };
    exercises().into_iter().enumerate().map(set).collect()
}

/// The subregular languages, each with this many words of 20 to 29 letters, half of them accepted. The seed of the words
/// is that of the language.
fn subregular(name: &str, count: usize) -> Vec<Set> {
    let (shortest, longest) = LENGTHS.into_inner();
    let set = |recipe: Recipe| Set {
        language: Language::Subregular { recipe },
        draw: Draw { words: Words::Balanced { count, shortest }, ..grid_draw(name, longest) },
        run: 0,
    };
    recipes().into_iter().map(set).collect()
}

/// Automata of about 50 states, five for each number of letters. The part of the examples that a sparser suite gives is
/// among that of the others.
fn stamina(name: &str, percent: f64) -> Vec<Set> {
    let set = |letters: usize, index: u64| Set {
        language: Language::Stamina { letters, states: STAMINA_STATES, index },
        draw: Draw { words: Words::Walks { count: STAMINA_WORDS, percent }, ..grid_draw(name, STAMINA_LONGEST) },
        run: 0,
    };
    STAMINA_LETTERS.into_iter().flat_map(|letters| (0..STAMINA_SETS).map(move |index| set(letters, index))).collect()
}

fn by_label(words: usize, repeat: bool, kinds: bool) -> Words {
    Words::ByLabel { positives: words, negatives: words, repeat, kinds, empty_word: true }
}
