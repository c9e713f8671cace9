//! Who parses: a grammar, with the beliefs of the model it was read off where there is one, or a model alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use automata::formats::{Document, grammar_text};
use automata::{Alphabet, Dfa, Direction, Grammar, Letter, Production, determinize, minimize};
use induction::confidence::Places;
use induction::extraction;
use induction::model::Model;
use induction::parse::{Beliefs, Forest, Matrices};

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
    /// Where each row of the matrices stands in a vector of beliefs.
    places: Vec<usize>,
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
        let matrices = match &named {
            Some((places, model)) => Matrices::of_model_in(model, &grammar, places),
            None => Matrices::of_grammar(&grammar),
        };
        let place = |name: &String| {
            let a = grammar.nonterminals().find(|&a| grammar.name(a) == name)?;
            named.as_ref().map_or(Some(a.index()), |(places, _)| places.place(a))
        };
        let places = matrices.names().iter().filter_map(place).collect();
        let model = named.map(|(_, model)| model);
        Ok(Self { texts: texts(&grammar), grammar, dfa, model, threshold: None, matrices, places })
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
            places: (0..matrices.names().len()).collect(),
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
        let rows = beliefs.iter().map(|u| self.places.iter().map(|&at| u[at]).collect()).collect();
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
