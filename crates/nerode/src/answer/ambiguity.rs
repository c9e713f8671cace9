//! Whether some word has several parse trees.

use automata::{Grammar, ambiguous_word};
use induction::parse::Forest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::count::Count;

/// Maximum number of non-terminals of a grammar that is examined by default.
const MOST_NONTERMINALS: usize = 300;

/// A shortest word with several parse trees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ambiguity {
    /// The word.
    pub word: String,
    /// Number of parse trees.
    pub trees: Count,
}

/// A shortest word with several parse trees; `None` if every word has one.
#[must_use]
pub fn find(grammar: &Grammar) -> Option<Ambiguity> {
    let word = ambiguous_word(grammar)?;
    let trees = Count(Forest::of_grammar(grammar, &word).count());
    Some(Ambiguity { word: grammar.alphabet().write(&word), trees })
}

/// The same; `None` if the grammar is too large to be examined by default.
pub(super) fn of_answer(grammar: &Grammar) -> Option<Option<Ambiguity>> {
    (grammar.nonterminals().len() <= MOST_NONTERMINALS).then(|| find(grammar))
}

/// Whether a grammar is ambiguous, as a sentence.
#[must_use]
pub fn sentence(grammar: &Grammar, found: Option<&Ambiguity>) -> String {
    match found {
        None => "unambiguous: every word has one parse tree".to_owned(),
        Some(Ambiguity { word, trees }) => {
            let shown = grammar.alphabet().show_text(word.clone());
            format!("ambiguous: {shown} has {trees} parse trees, and no shorter word has two")
        }
    }
}
