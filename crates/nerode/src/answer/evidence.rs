//! The evidence for each production.

use automata::{Alphabet, Grammar};
use induction::Sample;
use induction::evidence::{Examples, weigh};
use induction::model::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The evidence for one production.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// The production as text.
    pub production: String,
    /// The model's belief in it, if the grammar was read off a model.
    pub confidence: Option<f64>,
    /// The accepted examples with a derivation that uses it.
    pub used: Words,
    /// The accepted examples that are rejected without it.
    pub lost: Words,
    /// The rejected examples that the grammar wrongly accepts, and that are rejected without it.
    pub mended: Words,
    /// The rejected examples that use it for a prefix.
    pub reached: Words,
}

/// The note for a belief that is marked with °.
pub const DOUBTED: &str =
    "° below 0.5: the model doubts this production; other productions say the same, or repair added it";

/// Whether a belief is so low that the model expresses the production in other ways.
pub fn is_doubt(belief: f64) -> bool {
    belief < 0.5
}

impl Evidence {
    /// The belief as shown, marked if it is low; `None` without a model.
    pub fn belief(&self) -> Option<String> {
        let mark = |belief: f64| if is_doubt(belief) { "°" } else { "" };
        self.confidence.map(|belief| format!("{belief:.3}{}", mark(belief)))
    }

    /// Whether the belief is marked.
    pub fn is_doubted(&self) -> bool {
        self.confidence.is_some_and(is_doubt)
    }
}

/// Some examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Words {
    /// Their number.
    pub count: u64,
    /// The shortest of them.
    pub shortest: Vec<String>,
}

/// The evidence for each production of a grammar; `None` if there are too many productions.
pub fn of(grammar: &Grammar, model: Option<&Model>, sample: &Sample) -> Option<Vec<Evidence>> {
    let words = |examples: &Examples| words(examples, sample.alphabet());
    let weighed = weigh(grammar, model, sample)?;
    let line = |one: &induction::evidence::Evidence| Evidence {
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
