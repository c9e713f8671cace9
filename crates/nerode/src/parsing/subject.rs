//! What parses: a grammar, with the beliefs of the model it was read off if any, or a model alone.

use std::collections::BTreeMap;

use automata::formats::grammar_text;
use automata::{
    Alphabet, Dfa, Direction, Grammar, Letter, Nonterminal, Production, TooManyStates, determinize, minimize,
};
use induction::confidence::Places;
use induction::extraction;
use induction::model::{Model, Weights};
use induction::parse::{Beliefs, Forest, Matrices};

use crate::answer::evidence::is_doubt;

/// A grammar that parses words, and a model that supplies beliefs.
pub struct Subject {
    /// In normal form, as used in trees.
    pub grammar: Grammar,
    /// The minimal automaton.
    pub dfa: Dfa,
    /// The model that the grammar was read off.
    pub model: Option<Model>,
    /// The threshold, if the model alone decides.
    threshold: Option<f64>,
    /// The matrices that a word queries.
    pub matrices: Matrices,
    /// Number of rows of the matrices that belong to the grammar; a model may have others, which take part in its sums.
    pub columns: usize,
    /// The index of each row of the matrices in a vector of beliefs.
    stands: Vec<usize>,
    /// The model's non-terminals for those of the grammar, and its beliefs.
    places: Option<(Places, Weights)>,
    texts: BTreeMap<Production, String>,
}

impl Subject {
    /// A grammar in normal form with its minimal automaton, and the model that it was read off, if any.
    #[must_use]
    pub fn of_grammar(grammar: Grammar, dfa: Dfa, model: Option<Model>) -> Self {
        let named = model.and_then(|model| Some((Places::of(&model, &grammar)?, model)));
        let find = |name: &String| grammar.nonterminals().find(|&a| grammar.name(a) == name);
        let (matrices, stands) = match &named {
            Some((places, model)) => Matrices::of_model_in(model, &grammar, places),
            None => {
                let matrices = Matrices::of_grammar(&grammar);
                let stands = matrices.names().iter().filter_map(find).map(Nonterminal::index).collect();
                (matrices, stands)
            }
        };
        let columns = matrices.names().iter().take_while(|name| find(name).is_some()).count();
        let (places, model) = named.map(|(places, model)| ((places, model.weights()), model)).unzip();
        Self { texts: texts(&grammar), grammar, dfa, model, threshold: None, matrices, columns, stands, places }
    }

    /// A model alone, which decides at this threshold, or at the default one.
    pub fn of_model(
        model: Model,
        direction: Direction,
        threshold: Option<f64>,
        most_states: usize,
    ) -> Result<Self, TooManyStates> {
        let usual = extraction::Reading::of(model.layout().shape()).threshold;
        let threshold = threshold.unwrap_or(usual);
        let grammar = Forest::of_model(&model, &[], threshold, direction).grammar().clone();
        let dfa = determinize(&grammar.to_nfa(), most_states)?;
        let matrices = Matrices::of_model(&model);
        Ok(Self {
            columns: matrices.names().len(),
            stands: (0..matrices.names().len()).collect(),
            places: None,
            texts: texts(&grammar),
            grammar,
            dfa: minimize(&dfa),
            model: Some(model),
            threshold: Some(threshold),
            matrices,
        })
    }

    /// The letters of the grammar.
    pub fn alphabet(&self) -> &Alphabet {
        self.grammar.alphabet()
    }

    /// The derivations of a word over the grammar's letters.
    pub fn forest(&self, word: &[Letter]) -> Forest {
        match (&self.model, self.threshold) {
            (Some(model), Some(threshold)) => Forest::of_model(model, word, threshold, self.grammar.direction()),
            _ => Forest::of_grammar(&self.grammar, word),
        }
    }

    /// The threshold for o(w), if a model alone decides.
    pub fn threshold(&self) -> Option<f64> {
        self.threshold
    }

    /// The length of the longest accepted prefix of a word with known letters; by the model if it alone decides.
    pub fn longest_accepted(&self, word: &[Letter]) -> Option<usize> {
        let (Some(model), Some(threshold)) = (&self.model, self.threshold) else {
            let mut state = Some(self.dfa.initial());
            let mut longest = None;
            for i in 0..=word.len() {
                let Some(here) = state else { break };
                longest = self.dfa.is_accepting(here).then_some(i).or(longest);
                state = word.get(i).and_then(|&letter| self.dfa.next(here, letter));
            }
            return longest;
        };
        let direction = self.grammar.direction();
        let accepts = |o: Option<f64>| o.is_some_and(|o| o >= threshold);
        match direction {
            Direction::Left => {
                let beliefs = Beliefs::of_model(model, word, direction)?;
                (1..=word.len()).rev().find(|&i| accepts(beliefs.confidence_after(i)))
            }
            // When reading from the end, each prefix must be read anew.
            Direction::Right => (1..=word.len()).rev().find(|&i| {
                accepts(Beliefs::of_model(model, &word[..i], direction).map(|beliefs| beliefs.confidence()))
            }),
        }
    }

    /// Whether the model doubts a production of the grammar: it expresses the language through others.
    pub fn doubts(&self, production: Production) -> bool {
        let belief = self.places.as_ref().and_then(|(places, weights)| places.confidence(weights, production));
        belief.is_some_and(is_doubt)
    }

    /// The beliefs after each letter, in the order of the matrices' names, and o(w); `None` for the empty word with a
    /// model.
    pub fn beliefs(&self, word: &[Letter]) -> Option<(Vec<Vec<f64>>, f64)> {
        let beliefs = match &self.model {
            Some(model) => {
                let stranger = Letter::new(model.alphabet().len());
                let known = |letter: &Letter| {
                    let name = self.alphabet().names().get(letter.index());
                    name.and_then(|name| model.alphabet().find(name)).unwrap_or(stranger)
                };
                let word: Vec<Letter> = word.iter().map(known).collect();
                Beliefs::of_model(model, &word, self.grammar.direction())?
            }
            None => Beliefs::of_grammar(&self.grammar, word),
        };
        let rows = beliefs.iter().map(|u| self.stands.iter().map(|&at| u[at]).collect()).collect();
        Some((rows, beliefs.confidence()))
    }

    /// A production as text.
    pub fn text(&self, production: &Production) -> &str {
        self.texts.get(production).map_or("", String::as_str)
    }
}

fn texts(grammar: &Grammar) -> BTreeMap<Production, String> {
    let lines = grammar_text::lines(grammar).into_iter();
    lines.flat_map(|line| line.productions.into_iter().map(move |p| (p, line.text.clone()))).collect()
}
