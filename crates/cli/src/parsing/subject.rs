//! Who parses: a grammar, with the beliefs of the model it was read off where there is one, or a model alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use automata::formats::{Document, grammar_text};
use automata::{Alphabet, Dfa, Direction, Grammar, Letter, Nonterminal, Production, determinize, minimize};
use induction::confidence::Places;
use induction::extraction;
use induction::model::{Model, Weights};
use induction::parse::{Beliefs, Forest, Matrices};

use crate::learning::evidence::is_doubt;
use crate::operand::{Reading, too_many_states};

/// A grammar that words are parsed by, and a model whose beliefs are told.
pub(crate) struct Subject {
    /// In normal form: what trees are made of.
    pub(crate) grammar: Grammar,
    /// The minimal automaton.
    pub(crate) dfa: Dfa,
    /// The model that the grammar was read off.
    pub(crate) model: Option<Model>,
    /// The threshold, where the model alone decides.
    threshold: Option<f64>,
    pub(crate) matrices: Matrices,
    /// So many rows of the matrices are the grammar's; a model may have others, which take part in its sums.
    pub(crate) columns: usize,
    /// Where each row of the matrices stands in a vector of beliefs.
    stands: Vec<usize>,
    /// Where the grammar's non-terminals are in the model, and what that believes.
    places: Option<(Places, Weights)>,
    texts: BTreeMap<Production, String>,
}

/// What the caller says of the model.
pub(crate) struct Told {
    /// Whether the model alone is to parse.
    pub(crate) by_model: bool,
    pub(crate) threshold: Option<f64>,
}

impl Subject {
    pub(crate) fn open(operand: &str, reading: &Reading, told: &Told) -> anyhow::Result<Self> {
        let path = Path::new(operand);
        let is_model = path.extension().is_some_and(|ending| ending == "safetensors") && path.is_file();
        if is_model {
            let model = read_model(path)?;
            return Self::of_model(operand, model, Direction::Left, reading, told);
        }
        let (grammar, dfa) = language(operand, reading)?;
        let in_folder = path.join("model.safetensors");
        let model = if path.is_dir() && in_folder.exists() { Some(read_model(&in_folder)?) } else { None };
        if told.by_model {
            let Some(model) = model else {
                bail!("{operand} has no model: its grammar was found otherwise, or is no run")
            };
            return Self::of_model(operand, model, grammar.direction(), reading, told);
        }
        if told.threshold.is_some() {
            bail!("--threshold is for a model: --model parses by that of a run, or give its model.safetensors");
        }
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
        Ok(Self { texts: texts(&grammar), grammar, dfa, model, threshold: None, matrices, columns, stands, places })
    }

    fn of_model(
        name: &str,
        model: Model,
        direction: Direction,
        reading: &Reading,
        told: &Told,
    ) -> anyhow::Result<Self> {
        let usual = extraction::Reading::of(model.layout().shape()).threshold;
        let threshold = told.threshold.unwrap_or(usual);
        let grammar = Forest::of_model(&model, &[], threshold, direction).grammar().clone();
        let dfa = determinize(&grammar.to_nfa(), reading.max_states)
            .map_err(|error| too_many_states(name, error, reading.max_states))?;
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

    pub(crate) fn alphabet(&self) -> &Alphabet {
        self.grammar.alphabet()
    }

    /// The derivations of a word over the grammar's letters.
    pub(crate) fn forest(&self, word: &[Letter]) -> Forest {
        match (&self.model, self.threshold) {
            (Some(model), Some(threshold)) => Forest::of_model(model, word, threshold, self.grammar.direction()),
            _ => Forest::of_grammar(&self.grammar, word),
        }
    }

    /// What o(w) must reach, where a model alone decides.
    pub(crate) fn threshold(&self) -> Option<f64> {
        self.threshold
    }

    /// How much of a word, of known letters, is its longest accepted beginning: by the model where it alone decides.
    pub(crate) fn longest_accepted(&self, word: &[Letter]) -> Option<usize> {
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
            // Read from its end, each beginning is read anew.
            Direction::Right => (1..=word.len()).rev().find(|&i| {
                accepts(Beliefs::of_model(model, &word[..i], direction).map(|beliefs| beliefs.confidence()))
            }),
        }
    }

    /// Whether the model hardly believes in a production of the grammar: it reads the language through others.
    pub(crate) fn doubts(&self, production: Production) -> bool {
        let belief = self.places.as_ref().and_then(|(places, weights)| places.confidence(weights, production));
        belief.is_some_and(is_doubt)
    }

    /// What is believed after each letter, entry by entry of the matrices' names, and o(w); nothing is of the empty word
    /// by a model.
    pub(crate) fn beliefs(&self, word: &[Letter]) -> Option<(Vec<Vec<f64>>, f64)> {
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

    /// A production as it is written.
    pub(crate) fn text(&self, production: &Production) -> &str {
        self.texts.get(production).map_or("", String::as_str)
    }
}

/// The grammar of an operand in normal form, and its minimal automaton. The folder of a run stands for the grammar in it;
/// what is no grammar has one with a non-terminal for each state.
pub(crate) fn language(operand: &str, reading: &Reading) -> anyhow::Result<(Grammar, Dfa)> {
    let path = Path::new(operand);
    let in_folder: Option<PathBuf> = Some(path.join("grammar.txt")).filter(|file| path.is_dir() && file.exists());
    let operand = in_folder.as_deref().and_then(Path::to_str).unwrap_or(operand);
    let [language] = reading.languages([operand])?;
    let dfa = language.minimal_dfa(reading)?;
    let grammar = match &language.document {
        Document::Grammar(grammar) => grammar.clone(),
        other => Grammar::from_nfa(&other.to_nfa().with_context(|| language.name.clone())?, Direction::Left),
    };
    Ok((grammar.normalized(), dfa))
}

/// The model in a file.
pub(crate) fn read_model(path: &Path) -> anyhow::Result<Model> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Model::from_safetensors(&bytes).with_context(|| path.display().to_string())
}

fn texts(grammar: &Grammar) -> BTreeMap<Production, String> {
    let lines = grammar_text::lines(grammar).into_iter();
    lines.flat_map(|line| line.productions.into_iter().map(move |p| (p, line.text.clone()))).collect()
}
