//! The answer: everything known about what was learned, computed once, in one type.
//!
//! [`Answer`] is the content of `result.json`. The terminal, the report and the output folder show its fields and
//! compute nothing again. It contains no times: it depends only on examples, options and seed, unless the session was
//! stopped, which `stop_reason` records.

pub mod ambiguity;
pub mod evidence;
pub mod proof;

use automata::formats::grammar_text;
use automata::{Alphabet, Dfa, Grammar, Nfa, NfaBuilder, Regex, StateId, TooManyStates, describe, difference};
use induction::Sample;
use induction::learner::{BlockRecord, Engine, Induced, Noise, StopReason};
use induction::model::{Model, Shape};
use induction::selection::Origin;
use induction::training;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use ambiguity::Ambiguity;
pub use evidence::Evidence;
pub use proof::{Claim, Proof};

use crate::Error;
use crate::error::bail;
use crate::options::{Options, SCHEMA_VERSION, Side, version};
use induction::learner::Way;

/// Everything known about what was learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Version of this format.
    #[serde(deserialize_with = "version")]
    pub schema_version: u32,
    /// Whether it agrees with every example.
    pub consistent: bool,
    /// Number of examples it gets wrong.
    pub errors: u64,
    /// Number of labelled examples, counting repetitions.
    pub examples: u64,
    /// Number of distinct words.
    pub words: u64,
    /// Number of distinct words that are accepted.
    pub accepted: u64,
    /// Number of words without a label, which were left out.
    pub unlabelled: usize,
    /// The first examples that it gets wrong.
    pub wrong: Vec<Wrong>,
    /// The letters of the automaton, in order; classes are in brackets.
    pub alphabet: Vec<String>,
    /// Number of letters of the examples.
    pub letters: usize,
    /// The length of the longest example.
    pub longest: usize,
    /// Number of productions of the grammar.
    pub productions: usize,
    /// Number of non-terminals of the grammar.
    pub nonterminals: usize,
    /// Number of states of the grammar's automaton.
    pub nfa_states: usize,
    /// Number of states of the minimal complete automaton.
    pub dfa_states: usize,
    /// How many of these can reach acceptance.
    pub live_states: usize,
    /// The regular expression; none if it is too long to be useful.
    pub regex: Option<String>,
    /// The language in plain words.
    pub description: String,
    /// The formula over facts that the language was learned as, in words, if that is its shortest description.
    #[serde(default)]
    pub formula: Option<String>,
    /// The language as a list of facts, each proved.
    pub facts: Vec<String>,
    /// Whether the facts together define the language.
    pub facts_are_complete: bool,
    /// Whether some word has several parse trees; none if the grammar is too large to find out.
    pub ambiguous: Option<bool>,
    /// A shortest word with several parse trees.
    pub ambiguous_word: Option<Ambiguity>,
    /// The evidence for each production; none if there are too many.
    pub evidence: Option<Vec<Evidence>>,
    /// The length of its description in bits.
    pub bits: f64,
    /// Side of the letter on which a production has its non-terminal.
    pub direction: Side,
    /// The shape of the model that it was read off, if any.
    pub shape: Option<Shape>,
    /// How it was found, in words: `neural`, `neural then repaired`, `search`, `symbolic`, `facts`, `classes`, `rival`, `given`,
    /// `trivial`.
    pub origin: String,
    /// The engine that found it.
    pub engine: Origin,
    /// What the letters of the answer are: those of the examples, or classes.
    pub way: Way,
    /// Number of independent finds.
    pub finds: u32,
    /// Whether no smaller automaton agrees with the examples.
    pub minimal: Claim,
    /// Whether no other language of this size does.
    pub unique: Claim,
    /// The proof, if it was requested.
    pub proof: Option<Proof>,
    /// The label of the empty word.
    pub empty_word: EmptyWord,
    /// Other languages that agree with the examples and are about as simple.
    pub alternatives: Alternatives,
    /// Words on which they disagree, the best question first.
    pub undecided: Vec<Undecided>,
    /// Whether labels may be wrong: a rate, `auto`, or none.
    pub noise: Option<NoiseOption>,
    /// Examples that are probably mislabelled, most certain first.
    pub mislabelled: Vec<Suspect>,
    /// Number of questions answered.
    pub questions: usize,
    /// The requested engine.
    pub learner: Engine,
    /// Number of steps of the paper's protocol, if it was used.
    pub paper_steps: Option<u64>,
    /// Restarts trained.
    pub restarts: u64,
    /// Training steps, summed over all restarts.
    pub steps: u64,
    /// Node visits of the search.
    pub moves: u64,
    /// Conflicts of the solver.
    pub conflicts: u64,
    /// Seed for all randomness.
    pub seed: u64,
    /// Why the session ended.
    pub stop_reason: StopReason,
}

/// The replay of all examples through the answer, by code that no engine uses: a part of [`Answer`], with words as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of this format.
    #[serde(deserialize_with = "version")]
    pub schema_version: u32,
    /// Whether the answer agrees with every example.
    pub consistent: bool,
    /// Number of labelled examples, counting repetitions.
    pub examples: u64,
    /// Number of examples that it gets wrong.
    pub errors: u64,
    /// The first of these.
    pub wrong: Vec<Wrong>,
}

/// An example that the answer gets wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wrong {
    /// The word.
    pub word: String,
    /// Its label: whether it is in the language.
    pub label: bool,
    /// How often it has this label.
    pub times: u32,
}

/// The label of the empty word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmptyWord {
    /// Whether the answer accepts it.
    pub accepted: bool,
    /// Whether an example labels it; otherwise it is the simpler automaton's choice.
    pub labelled: bool,
}

/// Alternative answers, as lists of equal length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alternatives {
    /// Number of alternatives.
    pub count: usize,
    /// The states of each.
    pub states: Vec<usize>,
    /// The bits of each.
    pub bits: Vec<f64>,
    /// The expression of each, if it was learned as one.
    pub regexes: Vec<Option<String>>,
    /// A shortest word that separates each from the answer.
    pub words: Vec<String>,
    /// Whether each accepts that word.
    #[serde(default)]
    pub accepts: Vec<bool>,
    /// How the language of each relates to that of the answer.
    #[serde(default)]
    pub relations: Vec<Relation>,
}

/// How another language relates to the answer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// It contains all words of the answer, and more.
    Looser,
    /// It contains only words of the answer, but not all.
    Tighter,
    /// Each has words that the other does not have.
    Otherwise,
}

/// A word on which plausible answers disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Undecided {
    /// The word.
    pub word: String,
    /// How many of the answers accept it.
    pub accepted_by: usize,
    /// Number of answers.
    pub of: usize,
}

/// An example that is probably mislabelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suspect {
    /// The word.
    pub word: String,
    /// Its label: whether it is in the language.
    pub label: bool,
    /// How often it has this label.
    pub times: u32,
    /// How many of the best answers contradict the label.
    pub doubted_by: usize,
    /// Number of answers compared.
    pub of: usize,
}

/// Whether labels may be wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NoiseOption {
    /// At this rate.
    Rate(f64),
    /// `auto`: at an unknown rate.
    Auto(String),
}

/// Statistics of the examples, before any question.
pub(crate) struct Given {
    words: u64,
    accepted: u64,
    unlabelled: usize,
    letters: usize,
    longest: usize,
    pub(crate) questions: usize,
}

impl Given {
    pub(crate) fn of(sample: &Sample) -> Self {
        Self {
            words: sample.words(),
            accepted: sample.rows().filter(|(_, counts)| counts.accepted > counts.rejected).count() as u64,
            unlabelled: sample.unlabelled(),
            letters: sample.alphabet().len(),
            longest: sample.longest(),
            questions: 0,
        }
    }
}

/// The result of a session: the answer, and the objects that it describes.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Everything known.
    pub answer: Answer,
    /// The grammar.
    pub grammar: Grammar,
    /// Its automaton, numbered breadth-first.
    pub nfa: Nfa,
    /// The minimal complete automaton.
    pub dfa: Dfa,
    /// The model that the grammar was read off, if any.
    pub model: Option<Model>,
    /// The letters of the examples.
    pub letters: Alphabet,
    /// All examples, including answers to questions.
    pub sample: Sample,
    /// The recorded trainings of the model.
    pub training: Vec<BlockRecord>,
}

impl Learned {
    pub(crate) fn new(
        induced: Induced,
        sample: Sample,
        training: Vec<BlockRecord>,
        proof: Option<induction::proof::Proof>,
        options: &Options,
        way: Way,
        given: &Given,
    ) -> Self {
        let nfa = with_one_beginning(&induced.grammar.to_named_nfa().trimmed()).numbered_breadth_first();
        let answer = Answer::of(&induced, &sample, &nfa, proof.as_ref(), options, way, given);
        let Induced { grammar, dfa, model, letters, .. } = induced;
        Self { answer, grammar, nfa, dfa, model, letters, sample, training }
    }
}

impl Answer {
    fn of(
        induced: &Induced,
        sample: &Sample,
        nfa: &Nfa,
        proof: Option<&induction::proof::Proof>,
        options: &Options,
        way: Way,
        given: &Given,
    ) -> Self {
        let words = &induced.letters;
        let states = induced.dfa.len();
        let smallest = induced.alternatives.iter().map(|other| other.dfa.len()).min().unwrap_or(usize::MAX);
        let consistent = induced.certificate.is_consistent();
        // Another consistent answer that is smaller, or as small, is a refutation; a proof takes more.
        let claim = |verdict: Option<&induction::proof::Verdict>, refuted: bool| match verdict.map(Claim::of) {
            None | Some(Claim::Unknown) if consistent && refuted => Claim::Refuted,
            claim => claim.unwrap_or(Claim::Unknown),
        };
        let description = describe(&induced.dfa);
        let ambiguous = ambiguity::of_answer(&induced.grammar);
        let regex = induced.expression.clone();
        let regex = regex.or_else(|| Regex::from_dfa(&induced.dfa).ok().map(|regex| regex.to_string()));
        Self {
            schema_version: SCHEMA_VERSION,
            consistent,
            errors: induced.certificate.wrong,
            examples: induced.certificate.examples,
            words: given.words,
            accepted: given.accepted,
            unlabelled: given.unlabelled,
            wrong: induced
                .certificate
                .first_wrong
                .iter()
                .map(|wrong| Wrong { word: words.write(&wrong.word), label: wrong.accepted, times: wrong.times })
                .collect(),
            alphabet: induced.dfa.alphabet().names().to_vec(),
            letters: given.letters,
            longest: given.longest,
            productions: grammar_text::productions(&induced.grammar).len(),
            nonterminals: induced.grammar.nonterminals().len(),
            nfa_states: nfa.len(),
            dfa_states: states,
            live_states: induced.dfa.trimmed().len(),
            regex,
            description: description.sentence(),
            formula: induced.formula.clone(),
            facts: description.sentences(),
            facts_are_complete: description.complete,
            ambiguous: ambiguous.as_ref().map(Option::is_some),
            ambiguous_word: ambiguous.flatten(),
            evidence: evidence::of(&induced.grammar, induced.model.as_ref(), sample),
            bits: induced.bits,
            direction: options.direction,
            shape: induced.shape,
            origin: origin(induced.origin).to_owned(),
            engine: induced.origin,
            way,
            finds: induced.finds,
            minimal: claim(proof.map(|proof| &proof.minimal), smallest < states),
            unique: claim(proof.map(|proof| &proof.unique), smallest <= states),
            proof: proof.map(|proof| Proof::of(proof, &induced.dfa)),
            empty_word: EmptyWord {
                accepted: induced.dfa.is_accepting(induced.dfa.initial()),
                labelled: !induced.empty_word_chosen,
            },
            alternatives: Alternatives::of(induced),
            undecided: induced
                .undecided
                .iter()
                .map(|open| Undecided { word: words.write(&open.word), accepted_by: open.accepted_by, of: open.of })
                .collect(),
            noise: match options.noise {
                Noise::None => None,
                Noise::Rate(rate) => Some(NoiseOption::Rate(rate)),
                Noise::Auto => Some(NoiseOption::Auto("auto".to_owned())),
            },
            mislabelled: induced
                .suspects
                .iter()
                .map(|suspect| Suspect {
                    word: words.write(&suspect.word),
                    label: suspect.accepted,
                    times: suspect.times,
                    doubted_by: suspect.doubted_by,
                    of: suspect.of,
                })
                .collect(),
            questions: given.questions,
            learner: options.learner,
            paper_steps: (options.learner == Engine::Paper)
                .then(|| training::Settings::paper().steps.min(options.steps.unwrap_or(u64::MAX))),
            restarts: induced.spent.restarts,
            steps: induced.spent.steps,
            moves: induced.spent.visits,
            conflicts: induced.spent.conflicts,
            seed: options.seed,
            stop_reason: induced.stop_reason,
        }
    }

    /// Reads `result.json`. A file written by another version is rejected with a message that says so.
    pub fn read(text: &str) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Version {
            #[serde(default)]
            schema_version: u32,
        }
        let not_a_result = |error: serde_json::Error| Error::new(format_args!("not a result of nerode: {error}"));
        let Version { schema_version } = serde_json::from_str(text).map_err(not_a_result)?;
        if schema_version != SCHEMA_VERSION {
            bail!(
                "this result has schema version {schema_version}, but this nerode reads version {SCHEMA_VERSION}; learn again"
            );
        }
        serde_json::from_str(text).map_err(not_a_result)
    }

    /// The replay of all examples through the answer.
    #[must_use]
    pub fn certificate(&self) -> Certificate {
        Certificate {
            schema_version: SCHEMA_VERSION,
            consistent: self.consistent,
            examples: self.examples,
            errors: self.errors,
            wrong: self.wrong.clone(),
        }
    }

    /// The answer as in `result.json`.
    #[must_use]
    pub fn write(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and text can be written") + "\n"
    }
}

impl Alternatives {
    fn of(induced: &Induced) -> Self {
        let others = || induced.alternatives.iter();
        let accepts = |other: &induction::learner::Alternative| {
            other.dfa.alphabet().read(&other.word).is_ok_and(|word| other.dfa.accepts(&word))
        };
        Self {
            count: induced.alternatives.len(),
            states: others().map(|other| other.dfa.len()).collect(),
            bits: others().map(|other| other.bits).collect(),
            regexes: others().map(|other| other.expression.clone()).collect(),
            words: others().map(|other| other.word.clone()).collect(),
            accepts: others().map(accepts).collect(),
            relations: others().map(|other| relation(&induced.dfa, &other.dfa)).collect(),
        }
    }
}

/// Maximum number of state pairs in a comparison of two languages.
const COMPARED: usize = 1 << 20;

fn relation(answer: &Dfa, other: &Dfa) -> Relation {
    let both = answer.alphabet().union(other.alphabet());
    let (answer, other) = (answer.over(&both), other.over(&both));
    let is_empty = |difference: Result<Dfa, TooManyStates>| difference.is_ok_and(|words| words.is_empty_language());
    if is_empty(difference(&answer, &other, COMPARED)) {
        Relation::Looser
    } else if is_empty(difference(&other, &answer, COMPARED)) {
        Relation::Tighter
    } else {
        Relation::Otherwise
    }
}

/// The names of origins in results.
fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Neural => "neural",
        Origin::Repaired => "neural then repaired",
        Origin::Search => "search",
        Origin::Expressions => "expressions",
        Origin::Rpni | Origin::Edsm | Origin::Sat | Origin::Walks => "symbolic",
        Origin::Facts => "facts",
        Origin::Classes => "classes",
        Origin::Rival => "rival",
        Origin::Given => "given",
        Origin::Trivial => "trivial",
    }
}
/// The automaton without a separate state for the empty word: if that state has no transitions, another initial state
/// that words do not return to accepts it instead.
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
    let one = builder.build();
    let one = match nfa.names() {
        Some(names) => one.with_names(names.to_vec()),
        None => one,
    };
    one.trimmed()
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
