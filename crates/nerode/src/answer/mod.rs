//! The answer: everything known about what was learned, computed once, in one type.
//!
//! [`Answer`] is what `result.json` holds. The terminal, the report and the output folder show its fields; nothing is
//! computed a second time elsewhere. No time is in it: it is a function of examples, options and seed alone, unless the
//! session was stopped, and then `stop_reason` says so.

pub mod ambiguity;
pub mod evidence;
pub mod proof;

use automata::formats::grammar_text;
use automata::{Alphabet, Dfa, Grammar, Nfa, NfaBuilder, Regex, StateId, TooManyStates, describe, difference};
use induction::Sample;
use induction::learner::{BlockRecord, Engine, Induced, Noise, StopReason, paper_steps};
use induction::model::{Model, Shape};
use induction::selection::Origin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use ambiguity::Ambiguity;
pub use evidence::Evidence;
pub use proof::{Claim, Proof};

use crate::Error;
use crate::error::bail;
use crate::options::{Options, SCHEMA_VERSION, Side};
use induction::learner::Way;

/// Everything known about what was learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The form of this answer.
    pub schema_version: u32,
    /// Whether it agrees with every example.
    pub consistent: bool,
    /// How many examples it gets wrong.
    pub errors: u64,
    /// How many labelled examples there were, each word as often as it was labelled.
    pub examples: u64,
    /// How many different words were given.
    pub words: u64,
    /// How many of these are accepted.
    pub accepted: u64,
    /// How many words came without a label and were left out.
    pub unlabelled: usize,
    /// The first examples that it gets wrong.
    pub wrong: Vec<Wrong>,
    /// The letters of the automaton, in order; classes are written in brackets.
    pub alphabet: Vec<String>,
    /// The letters of the examples.
    pub letters: usize,
    /// The length of the longest example.
    pub longest: usize,
    /// Productions of the grammar.
    pub productions: usize,
    /// Non-terminals of the grammar.
    pub nonterminals: usize,
    /// States of the grammar's automaton.
    pub nfa_states: usize,
    /// States of the minimal complete automaton.
    pub dfa_states: usize,
    /// How many of these lead to an accepted word.
    pub live_states: usize,
    /// The regular expression; none when it would be too long to be of use.
    pub regex: Option<String>,
    /// The language in plain words.
    pub description: String,
    /// The same as a list of facts, each proved.
    pub facts: Vec<String>,
    /// Whether the facts together are the language.
    pub facts_are_complete: bool,
    /// Whether some word has several parse trees; none when the grammar is too large to find out.
    pub ambiguous: Option<bool>,
    /// A shortest word with several parse trees.
    pub ambiguous_word: Option<Ambiguity>,
    /// The evidence for each production; none when there are too many.
    pub evidence: Option<Vec<Evidence>>,
    /// The length of its description in bits.
    pub bits: f64,
    /// On which side of a letter non-terminals stand.
    pub direction: Side,
    /// The shape of the model that it was read off, if it was.
    pub shape: Option<Shape>,
    /// How it was found, in words: `neural`, `neural then repaired`, `search`, `symbolic`, `classes`, `rival`, `given`,
    /// `trivial`.
    pub origin: String,
    /// Which engine found it.
    pub engine: Origin,
    /// What the letters of the answer are: those of the examples, or classes.
    pub way: Way,
    /// How often it was found independently.
    pub finds: u32,
    /// Whether no smaller automaton agrees with the examples.
    pub minimal: Claim,
    /// Whether no other language of this size does.
    pub unique: Claim,
    /// What was proved, if that was asked for.
    pub proof: Option<Proof>,
    /// What became of the empty word.
    pub empty_word: EmptyWord,
    /// Other languages that agree with the examples and are about as simple.
    pub alternatives: Alternatives,
    /// Words that they disagree on, the best to ask about first.
    pub undecided: Vec<Undecided>,
    /// Whether labels were taken to be possibly wrong: a rate, `auto`, or none.
    pub noise: Option<NoiseOption>,
    /// Examples that are probably mislabelled, the most certain first.
    pub mislabelled: Vec<Suspect>,
    /// How many questions were answered.
    pub questions: usize,
    /// Which engine was asked for.
    pub learner: Engine,
    /// Steps of the paper's protocol, where it was followed.
    pub paper_steps: Option<u64>,
    /// Restarts trained.
    pub restarts: u64,
    /// Training steps, summed over all restarts.
    pub steps: u64,
    /// Nodes visited by search.
    pub moves: u64,
    /// Conflicts met by the solver.
    pub conflicts: u64,
    /// Seed for all randomness.
    pub seed: u64,
    /// Why the session ended.
    pub stop_reason: StopReason,
}

/// An example that the answer gets wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wrong {
    /// The word.
    pub word: String,
    /// Whether it was labelled as belonging to the language.
    pub label: bool,
    /// How often.
    pub times: u32,
}

/// What became of the empty word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmptyWord {
    /// Whether the answer accepts it.
    pub accepted: bool,
    /// Whether an example says so; otherwise the simpler automaton decided.
    pub labelled: bool,
}

/// Other answers, as lists of equal length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alternatives {
    /// How many there are.
    pub count: usize,
    /// The states of each.
    pub states: Vec<usize>,
    /// The bits of each.
    pub bits: Vec<f64>,
    /// The expression of each, where it was learned as one.
    pub regexes: Vec<Option<String>>,
    /// A shortest word that tells each from the answer.
    pub words: Vec<String>,
    /// Whether each accepts that word.
    #[serde(default)]
    pub accepts: Vec<bool>,
    /// How the language of each lies to that of the answer.
    #[serde(default)]
    pub relations: Vec<Relation>,
}

/// How another language lies to the answer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// It has all words of the answer, and more.
    Looser,
    /// It has only words of the answer.
    Tighter,
    /// Each has words that the other lacks.
    Otherwise,
}

/// A word that plausible answers disagree on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Undecided {
    /// The word.
    pub word: String,
    /// How many of the answers accept it.
    pub accepted_by: usize,
    /// How many answers there are.
    pub of: usize,
}

/// An example that is probably mislabelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suspect {
    /// The word.
    pub word: String,
    /// How it was labelled.
    pub label: bool,
    /// How often.
    pub times: u32,
    /// How many of the best answers doubt the label.
    pub doubted_by: usize,
    /// How many were asked.
    pub of: usize,
}

/// Whether labels may be wrong, as the answer says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NoiseOption {
    /// At this rate.
    Rate(f64),
    /// `auto`: at an unknown rate.
    Auto(String),
}

/// What was learned from, in numbers, before any question.
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

/// What a session ends with: the answer, and the objects that it speaks of.
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
    /// The model that the grammar was read off, if it was.
    pub model: Option<Model>,
    /// The letters of the examples.
    pub letters: Alphabet,
    /// All examples, including answers to questions.
    pub sample: Sample,
    /// How the model was trained, as far as that was recorded.
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
        // Another consistent answer that is smaller, or as small, refutes; to prove anything takes more.
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
                .then(|| paper_steps(given.letters, given.longest).min(options.steps.unwrap_or(u64::MAX))),
            restarts: induced.spent.restarts,
            steps: induced.spent.steps,
            moves: induced.spent.visits,
            conflicts: induced.spent.conflicts,
            seed: options.seed,
            stop_reason: induced.stop_reason,
        }
    }

    /// Reads `result.json`. One that another version wrote is refused as such.
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

    /// The answer as `result.json` holds it.
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

/// Two languages are compared in so many pairs of states.
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

/// The kinds of origin that results speak of.
fn origin(origin: Origin) -> &'static str {
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
