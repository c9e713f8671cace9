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

/// What is said of a belief that is marked with °.
pub(crate) const DOUBTED: &str =
    "° below 0.5: the model hardly believes in this production: it says the same through others, or was repaired";

/// Whether a belief in a production of the answer is no confidence in it: the model says the same otherwise.
pub(crate) fn is_doubt(belief: f64) -> bool {
    belief < 0.5
}

impl Line {
    /// The belief as it is shown, marked where it is a doubt; none where there is no model.
    pub(crate) fn belief(&self) -> Option<String> {
        let mark = |belief: f64| if is_doubt(belief) { "°" } else { "" };
        self.confidence.map(|belief| format!("{belief:.3}{}", mark(belief)))
    }

    /// Whether the belief is marked.
    pub(crate) fn is_doubted(&self) -> bool {
        self.confidence.is_some_and(is_doubt)
    }
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
