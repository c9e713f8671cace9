//! The examples of a job.
//!
//! They depend on the language, the draw and the run, not on the learner, so the learners of a plan are compared on the
//! same words. Each run has its own words, unless `same_words` is set or the draw fixes their seed.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use automata::{Dfa, Examples, Word};

use crate::chance::{self, seed_of};
use crate::distinct::{self, Spread};
use crate::examples::{self, Example, ExampleSet, ExampleSettings, Shares};
use crate::kinds::Kind;
use crate::languages::Target;
use crate::spec::{Language, Lengths, Spec, Words};
use crate::stamina::{self, Walks};
use crate::strings::{self, Strings};
use crate::textbook;

/// Separate the seeds of later runs, and of wrong labels, from others.
const RUNS: u64 = 1 << 32;
const NOISE: u64 = 1 << 33;

/// Labelled words, and those with a wrong label.
pub(crate) struct Drawn {
    pub(crate) examples: Examples,
    pub(super) flipped: BTreeSet<Word>,
}

pub(crate) fn draw(spec: &Spec, target: &Target) -> Result<Drawn, String> {
    let draw = &spec.draw;
    let of_run = |seed: u64| of_run(spec, seed);
    let set = match draw.words {
        Words::ByLabel { positives, negatives, repeat, kinds, empty_word } => {
            let settings = ExampleSettings {
                depth: draw.depth,
                positives: Some(positives),
                negatives: Some(negatives),
                shares: if kinds { Shares::EQUAL } else { Shares::RANDOM },
                draw: match draw.lengths {
                    Lengths::Uniform => examples::Draw::Uniform,
                    Lengths::Even => examples::Draw::Even,
                },
                even_random: true,
                empty_word,
                balance: repeat,
                seed: words_seed(spec, target),
            };
            examples::draw(&target.dfa, &settings).map_err(|error| error.to_string())?
        }
        Words::Blind { per_state, shortest } => {
            let (spread, number) = match draw.lengths {
                Lengths::Even => (Spread::Lengths, 0),
                Lengths::Uniform => (Spread::Words, 1),
            };
            let seed = || of_run(seed_of(target.seed, &[per_state as u64, number]));
            let wanted = per_state.saturating_mul(target.dfa.len());
            let seed = draw.words_seed.unwrap_or_else(seed);
            blind(&target.dfa, shortest..=draw.depth, spread, wanted, seed)
        }
        Words::Strings { count } => {
            let (_, strings) = strings(spec, count)?;
            return Ok(Drawn { examples: strings.labelled(), flipped: BTreeSet::new() });
        }
        Words::Short { all, longer } => {
            let seed = words_seed(spec, target);
            textbook::short(&target.dfa, all, longer, draw.depth, seed).map_err(|error| error.to_string())?
        }
        Words::Drawn { positives, negatives } => {
            let seed = words_seed(spec, target);
            textbook::drawn(&target.dfa, positives, negatives, draw.depth, seed)
        }
        Words::Walks { count, percent } => {
            let Walks { examples, .. } = walks(spec, target, count)?;
            let given = (examples.len() as f64 * percent / 100.0) as usize;
            labelled(&target.dfa, examples.into_iter().take(given))
        }
        Words::Balanced { count, shortest } => {
            let words =
                balanced(&target.dfa, shortest..=draw.depth, count, &BTreeSet::new(), words_seed(spec, target), 0);
            labelled(&target.dfa, words)
        }
    };
    let [seed, stream] = draw.labels_seed.unwrap_or_else(|| [seed_of(of_run(target.seed), &[NOISE]), 0]);
    let flipped = flipped_words(&set, draw.noise, seed, stream);
    Ok(Drawn { examples: set.with_flips(&flipped), flipped })
}

/// The everyday language of a job, and its strings.
pub(super) fn strings(spec: &Spec, count: usize) -> Result<(strings::Language, Strings), String> {
    let Language::Everyday { name } = &spec.language else { return Err("only everyday languages have strings".into()) };
    let language = strings::named(name).ok_or_else(|| format!("there is no everyday language named {name}"))?;
    let strings = Strings::examples(&language, count, strings_seed(spec));
    Ok((language, strings))
}

/// The seed of the strings of a job.
pub(super) fn strings_seed(spec: &Spec) -> u64 {
    spec.draw.words_seed.unwrap_or(spec.seed.wrapping_add(spec.words_run()))
}

/// The seed of a run.
fn of_run(spec: &Spec, seed: u64) -> u64 {
    match spec.words_run() {
        0 => seed,
        run => seed_of(seed, &[RUNS + run]),
    }
}

/// The seed of the words of a job.
pub(super) fn words_seed(spec: &Spec, target: &Target) -> u64 {
    spec.draw.words_seed.unwrap_or_else(|| of_run(spec, target.seed))
}

/// The words of random walks of a job.
pub(super) fn walks(spec: &Spec, target: &Target, count: usize) -> Result<Walks, String> {
    let walks = stamina::walks(&target.dfa, count, spec.draw.depth, words_seed(spec, target));
    walks.ok_or_else(|| "random walks give too few words of one label".to_owned())
}

/// As many accepted as rejected words, and as many of each length, none of them `taken`. They are drawn from the random
/// streams `stream` and `stream + 1`.
pub(super) fn balanced(
    target: &Dfa,
    lengths: RangeInclusive<usize>,
    count: usize,
    taken: &BTreeSet<Word>,
    seed: u64,
    stream: u64,
) -> BTreeSet<Word> {
    let mut words = BTreeSet::new();
    let halves = [count.div_ceil(2), count / 2];
    for ((class, wanted), stream) in [target, &target.complement()].into_iter().zip(halves).zip(stream..) {
        let mut random = chance::stream(seed, stream);
        words.append(&mut distinct::draw(class, lengths.clone(), Spread::Lengths, wanted, taken, &mut random));
    }
    words
}

/// Distinct words drawn regardless of labels.
fn blind(target: &Dfa, lengths: RangeInclusive<usize>, spread: Spread, wanted: usize, seed: u64) -> ExampleSet {
    let everything = Dfa::constant(target.alphabet().clone(), true);
    let words = distinct::draw(&everything, lengths, spread, wanted, &BTreeSet::new(), &mut chance::stream(seed, 0));
    labelled(target, words)
}

/// The words with their labels, accepted ones first.
fn labelled(target: &Dfa, words: impl IntoIterator<Item = Word>) -> ExampleSet {
    let kind = |word: &Word| if target.accepts(word) { Kind::Positive } else { Kind::Random };
    let mut rows: Vec<Example> = words.into_iter().map(|word| Example { kind: kind(&word), word }).collect();
    rows.sort_by_key(|example| example.kind);
    ExampleSet { alphabet: target.alphabet().clone(), rows }
}

/// Each distinct word with this probability. Words are flipped, not rows: otherwise the copies of a frequent word would
/// outvote it. The words flipped at a lower rate are among those flipped at a higher one.
fn flipped_words(examples: &ExampleSet, rate: f64, seed: u64, stream: u64) -> BTreeSet<Word> {
    let mut random = chance::stream(seed, stream);
    let words: BTreeSet<&Word> = examples.rows.iter().map(|example| &example.word).collect();
    words.into_iter().filter(|_| chance::happens(rate, &mut random)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Plan, built_in};

    fn jobs(plan: &str) -> Vec<Spec> {
        Plan::read(built_in(plan).unwrap()).unwrap().jobs
    }

    fn drawn(spec: &Spec) -> Drawn {
        draw(spec, &spec.language.draw(spec.seed).unwrap()).unwrap()
    }

    #[test]
    fn runs_differ_in_their_words_unless_these_are_to_stay_the_same() {
        let job = jobs("smoke").into_iter().find(|job| job.language.name() == "tomita4").unwrap();
        let run = |run: u64, same_words: bool| {
            let draw = crate::spec::Draw { same_words, ..job.draw.clone() };
            drawn(&Spec { run, draw, ..job.clone() }).examples
        };
        assert!(run(0, false) != run(1, false) && run(1, false) != run(2, false));
        assert!(run(0, false) == run(0, true) && run(0, true) == run(1, true));
    }

    #[test]
    fn labels_are_turned_word_by_word_and_more_of_them_at_a_higher_rate() {
        let job = jobs("paper").into_iter().find(|job| job.language.nonterminals() == Some(3)).unwrap();
        let at = |noise: f64| drawn(&Spec { draw: crate::spec::Draw { noise, ..job.draw.clone() }, ..job.clone() });
        let (none, some, more) = (at(0.0), at(0.02), at(0.1));
        assert!(none.flipped.is_empty() && some.flipped.is_subset(&more.flipped));
        assert!(!some.flipped.is_empty() && some.flipped.len() < more.flipped.len());
        for ((word, right), (same, counts)) in none.examples.iter().zip(some.examples.iter()) {
            assert_eq!(word, same);
            let flipped = some.flipped.contains(&Word::from(word.to_vec()));
            let expected = if flipped { (right.rejected, right.accepted) } else { (right.accepted, right.rejected) };
            assert_eq!((counts.accepted, counts.rejected), expected);
        }
    }
}
