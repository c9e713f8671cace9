//! What surrounds a learner on the command line: progress while it works, questions, results as text, JSON and files.

pub(crate) mod again;
pub(crate) mod asking;
pub(crate) mod evidence;
pub(crate) mod folder;
mod page;
pub(crate) mod progress;
pub(crate) mod proving;
pub(crate) mod result;
pub(crate) mod saved;
pub(crate) mod told;

use automata::{BigUint, Description, Grammar, Nfa, NfaBuilder, Regex, StateId, Word, ambiguous_word, describe};
use induction::learner::{Engine, Induced, Settings, paper_steps};
use induction::parse::Forest;
use induction::proof::Proof;
use induction::selection::Origin;

/// A run that is over, for whoever tells of it.
pub(crate) struct Run<'a> {
    pub(crate) induced: &'a Induced,
    pub(crate) settings: &'a Settings,
    pub(crate) summary: &'a told::Summary,
    /// What to type to have the answer again.
    pub(crate) command: String,
    /// How many questions were answered.
    pub(crate) questions: usize,
    /// What was proved, if that was asked for.
    pub(crate) proof: Option<&'a Proof>,
    /// What speaks for each production, if somebody will read it.
    pub(crate) evidence: Option<Vec<evidence::Line>>,
}

impl Run<'_> {
    /// The expression, unless it is too long for anybody.
    pub(crate) fn regex(&self) -> Option<String> {
        let learned = self.induced.expression.clone();
        learned.or_else(|| Regex::from_dfa(&self.induced.dfa).ok().map(|regex| regex.to_string()))
    }

    /// The language in plain words.
    pub(crate) fn description(&self) -> Description {
        describe(&self.induced.dfa)
    }

    /// Whether the grammar is ambiguous, by [`ambiguity`]; nothing where it is too large to find out in passing.
    pub(crate) fn ambiguity(&self) -> Option<Option<(Word, BigUint)>> {
        const MOST_NONTERMINALS: usize = 300;
        let grammar = &self.induced.grammar;
        (grammar.nonterminals().len() <= MOST_NONTERMINALS).then(|| ambiguity(grammar))
    }

    /// The automaton of the grammar, numbered as one reads it.
    pub(crate) fn nfa(&self) -> Nfa {
        with_one_beginning(&self.induced.grammar.to_nfa().trimmed()).numbered_breadth_first()
    }

    /// The steps that the paper's protocol was given, if it was followed.
    pub(crate) fn paper_steps(&self) -> Option<u64> {
        (self.settings.engine == Engine::Paper)
            .then(|| paper_steps(self.summary.letters, self.summary.longest).min(self.settings.steps))
    }
}

/// An automaton in which the empty word needs no state of its own: if nothing leads into or out of the state that accepts
/// it, another one where words begin, and which they do not come back to, accepts it as well.
fn with_one_beginning(nfa: &Nfa) -> Nfa {
    let entered = |state: StateId| nfa.edges().any(|(_, _, to)| to == state);
    let left = |state: StateId| !nfa.edges_from(state).is_empty();
    let beginnings = || nfa.initial().filter(|&state| !entered(state));
    let alone = beginnings().find(|&state| !left(state) && nfa.is_accepting(state));
    let (Some(alone), Some(other)) = (alone, beginnings().find(|&state| left(state))) else { return nfa.clone() };
    let mut builder = NfaBuilder::with_states(nfa.alphabet().clone(), nfa.len());
    nfa.initial().filter(|&state| state != alone).for_each(|state| builder.initial(state));
    nfa.accepting().chain([other]).for_each(|state| builder.accepting(state));
    nfa.edges().for_each(|(from, letter, to)| builder.edge(from, letter, to));
    builder.build().trimmed()
}

/// A shortest word with several trees, and how many it has; none when every word has one.
pub(crate) fn ambiguity(grammar: &Grammar) -> Option<(Word, BigUint)> {
    let word = ambiguous_word(grammar)?;
    let trees = Forest::of_grammar(grammar, &word).count();
    Some((word, trees))
}

/// Whether a grammar is ambiguous, as a person reads it.
pub(crate) fn ambiguity_told(grammar: &Grammar, found: Option<&(Word, BigUint)>) -> String {
    match found {
        None => "unambiguous: every word has one tree".to_owned(),
        Some((word, trees)) => {
            format!("ambiguous: {} has {trees} trees, and no shorter word has two", grammar.alphabet().show(word))
        }
    }
}

/// The kinds of origin that results speak of.
pub(crate) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Neural => "neural",
        Origin::Repaired => "neural then repaired",
        Origin::Search => "search",
        Origin::Rpni | Origin::Edsm | Origin::Sat => "symbolic",
        Origin::Classes => "classes",
        Origin::Rival => "rival",
        Origin::Given => "given",
        Origin::Trivial => "trivial",
    }
}

#[cfg(test)]
mod tests {
    use automata::formats::grammar_text;
    use automata::{determinize, equivalent};

    use super::*;

    #[test]
    fn the_empty_word_needs_no_state_of_its_own() {
        for (grammar, states) in [
            ("S -> ε\nS -> A\nA -> a\nA -> A b", 2),
            ("S -> A\nA -> a\nA -> A b", 2),
            ("S -> ε", 1),
            ("%right\nS -> ε\nS -> a S\nS -> b", 2),
        ] {
            let nfa = grammar_text::read(grammar).unwrap().to_nfa().trimmed();
            let one = with_one_beginning(&nfa);
            assert_eq!(one.len(), states, "{grammar}");
            assert!(equivalent(&determinize(&nfa, 100).unwrap(), &determinize(&one, 100).unwrap()), "{grammar}");
        }
    }
}
