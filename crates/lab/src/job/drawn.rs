//! The examples of a job.
//!
//! The words of the first run are those of the suites of the same name and seed; each further run has its own, unless all
//! are to have the same. They depend on the language, the draw and the run, and not on the learner: so learners of one
//! plan are compared on the same words.

use std::collections::BTreeSet;

use automata::{Examples, Word};

use crate::chance::{self, seed_of};
use crate::distinct::Spread;
use crate::examples::{self, ExampleError, ExampleSet, ExampleSettings, Shares};
use crate::languages::Target;
use crate::spec::{Lengths, Spec, Words};
use crate::suites;

/// Tells the seeds of later runs, and of wrong labels, from others.
const RUNS: u64 = 1 << 32;
const NOISE: u64 = 1 << 33;

/// Labelled words, and those of which the label is wrong.
pub(super) struct Drawn {
    pub(super) examples: Examples,
    pub(super) flipped: BTreeSet<Word>,
}

pub(super) fn draw(spec: &Spec, target: &Target) -> Result<Drawn, ExampleError> {
    let draw = &spec.draw;
    let run = if draw.same_words { 0 } else { spec.run };
    let of_run = |seed: u64| if run == 0 { seed } else { seed_of(seed, &[RUNS + run]) };
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
                seed: of_run(target.seed),
            };
            examples::draw(&target.dfa, &settings)?
        }
        Words::Blind { per_state, shortest } => {
            let (spread, how) = match draw.lengths {
                Lengths::Even => (Spread::Lengths, suites::Lengths::Even),
                Lengths::Uniform => (Spread::Words, suites::Lengths::Uniform),
            };
            let seed = of_run(seed_of(target.seed, &[per_state as u64, how as u64]));
            let wanted = per_state.saturating_mul(target.dfa.len());
            suites::blind(&target.dfa, shortest..=draw.depth, spread, wanted, seed)
        }
    };
    let flipped = flipped_words(&set, draw.noise, of_run(target.seed));
    Ok(Drawn { examples: set.with_flips(&flipped), flipped })
}

/// Each different word with this probability. Word by word and not row by row: what stands there many times would else be
/// outvoted by its own copies. At a higher rate the words of a lower one are among those flipped.
fn flipped_words(examples: &ExampleSet, rate: f64, seed: u64) -> BTreeSet<Word> {
    let mut random = chance::stream(seed_of(seed, &[NOISE]), 0);
    let words: BTreeSet<&Word> = examples.rows.iter().map(|example| &example.word).collect();
    words.into_iter().filter(|_| chance::happens(rate, &mut random)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Plan, built_in};
    use crate::spec::Language;

    fn jobs(plan: &str) -> Vec<Spec> {
        Plan::read(built_in(plan).unwrap()).unwrap().jobs
    }

    fn drawn(spec: &Spec) -> Drawn {
        draw(spec, &spec.language.draw(spec.seed).unwrap()).unwrap()
    }

    /// The first run of the paper's plan has the languages and words of the grid.
    #[test]
    fn the_first_run_is_that_of_the_suites() {
        let grid = suites::grid(8, examples::Draw::Even, 0).unwrap();
        let jobs_at_8 = jobs("paper").into_iter().filter(|job| job.draw.depth == 8 && job.run == 0);
        let jobs_at_8: Vec<Spec> = jobs_at_8.filter(|job| job.learner.name == "paper").collect();
        assert_eq!(jobs_at_8.len(), grid.len());
        for (job, set) in jobs_at_8.iter().zip(&grid).step_by(7) {
            assert_eq!(job.language.draw(0).unwrap().dfa, set.target, "{}", job.name);
            assert!(drawn(job).examples == Examples::from(&set.examples), "{}", job.name);
        }
        let tomita = jobs("tomita").into_iter().find(|job| job.language.name() == "tomita5").unwrap();
        assert!(drawn(&tomita).examples == Examples::from(&suites::tomita(5, 0).unwrap().examples));
        for (lengths, how) in [(Lengths::Even, suites::Lengths::Even), (Lengths::Uniform, suites::Lengths::Uniform)] {
            let dense = jobs("dense").into_iter().filter(|job| job.draw.lengths == lengths).nth(24).unwrap();
            let Words::Blind { per_state, .. } = dense.draw.words else { panic!("dense words are drawn blindly") };
            let Language::Automaton { states, index, .. } = dense.language else {
                panic!("dense languages are automata")
            };
            let set = suites::dense(states, per_state, how, index as usize, 0).unwrap();
            assert!(drawn(&dense).examples == Examples::from(&set.examples), "{}", dense.name);
        }
    }

    #[test]
    fn runs_differ_in_their_words_unless_these_are_to_stay_the_same() {
        let job = jobs("tomita").into_iter().find(|job| job.language.name() == "tomita4").unwrap();
        let run = |run: u64, same_words: bool| {
            let draw = crate::spec::Draw { same_words, ..job.draw.clone() };
            drawn(&Spec { run, draw, ..job.clone() }).examples
        };
        assert!(run(0, false) != run(1, false) && run(1, false) != run(2, false));
        assert!(run(0, false) == run(0, true) && run(0, true) == run(1, true));
    }

    #[test]
    fn labels_are_turned_word_by_word_and_more_of_them_at_a_higher_rate() {
        let job = jobs("noise").into_iter().find(|job| job.language.nonterminals() == Some(3)).unwrap();
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
