//! What speaks for each production, as `result.json` holds it under `evidence`.

use automata::{Alphabet, Grammar};
use induction::Sample;
use induction::evidence::{Examples, weigh};
use induction::learner::Induced;
use induction::model::Model;
use serde::{Deserialize, Serialize};

/// A production as it is written, and what speaks for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) production: String,
    /// How much the model believes in it, where the grammar was read off one.
    pub(crate) confidence: Option<f64>,
    /// The accepted examples with a derivation that uses it.
    pub(crate) used: Words,
    /// The accepted examples that are rejected without it.
    pub(crate) lost: Words,
    /// The rejected examples that the grammar accepts, and that are rejected without it.
    pub(crate) mended: Words,
    /// The rejected examples that it takes part in, and that are rejected nevertheless.
    pub(crate) reached: Words,
}

/// Some examples.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Words {
    pub(crate) count: u64,
    /// The shortest of them.
    pub(crate) shortest: Vec<String>,
}

/// What speaks for each production of an answer; none when there are too many.
pub(crate) fn lines(induced: &Induced, sample: &Sample) -> Option<Vec<Line>> {
    of(&induced.grammar, induced.model.as_ref(), sample)
}

/// What speaks for each production of a grammar.
pub(crate) fn of(grammar: &Grammar, model: Option<&Model>, sample: &Sample) -> Option<Vec<Line>> {
    let words = |examples: &Examples| words(examples, sample.alphabet());
    let weighed = weigh(grammar, model, sample)?;
    let line = |one: &induction::evidence::Evidence| Line {
        production: one.text.clone(),
        confidence: one.confidence,
        used: words(&one.used),
        lost: words(&one.lost),
        mended: words(&one.mended),
        reached: words(&one.reached),
    };
    Some(weighed.iter().map(line).collect())
}

fn words(examples: &Examples, alphabet: &Alphabet) -> Words {
    Words { count: examples.count, shortest: examples.first.iter().map(|word| alphabet.write(word)).collect() }
}
