//! The pool of candidates: one per language, best first.
//!
//! Engines find grammars, automata and expressions, but what counts is the language. Each candidate is minimised, scored on
//! every example, and given its shortest description. Candidates with the same language are merged, and the pool counts how
//! often a language was found. Fewer errors are better; ties go to the fewest bits of answer and words (`measure`). With
//! noise, exceptions are part of that sum.

use std::cmp::Reverse;

use automata::{
    Body, Counts, Dfa, Direction, Formula, Grammar, Letter, Nfa, Production, Regex, Rule, StateId, describe,
    determinize, minimize, shortest_grammar,
};
use serde::{Deserialize, Serialize};

use crate::measure::{
    Drawn, KIND, Walks, automaton_bits, exception_bits, expression_bits, grammar_bits, number_bits, rule_bits,
    words_bits, wrong_label_bits,
};
use crate::model::{Model, Shape};
use crate::sample::Sample;

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// All words, or none: needs no engine.
    Trivial,
    /// Given by the caller.
    Given,
    /// State merging in lexicographic order.
    Rpni,
    /// Evidence-driven state merging.
    Edsm,
    /// The smallest automaton, found by a SAT solver.
    Sat,
    /// Read off a trained model, unchanged.
    Neural,
    /// Read off a trained model, then repaired or pruned.
    Repaired,
    /// Annealed search.
    Search,
    /// State merging by how accepted words go on.
    Walks,
    /// A short expression that agrees with the examples, found by listing expressions.
    Expressions,
    /// A short formula over facts about words.
    Facts,
    /// A neighbour of another answer, found in the search for rivals.
    Rival,
    /// A pattern over character classes.
    Classes,
}

/// A candidate answer with its scores.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The grammar as found, without useless symbols.
    pub grammar: Grammar,
    /// The minimal complete automaton.
    pub dfa: Dfa,
    /// Number of examples it gets wrong, counting repetitions.
    pub errors: u64,
    /// Number of distinct words it gets wrong.
    pub wrong_words: u64,
    /// Bits that say which other words have some wrong labels among more right ones, and how many labels of each word are wrong.
    pub wrong_labels: f64,
    /// The expression, if that is its shortest description.
    pub expression: Option<Regex>,
    /// The formula over facts, perhaps with exceptions, if that is its shortest description.
    pub rule: Option<Rule>,
    /// Whether shorter descriptions were looked for.
    pub shortened: bool,
    /// Whether the accepted words are described most briefly as walks.
    pub walks: bool,
    /// Whether a pattern over classes is its shortest description.
    pub pattern: bool,
    /// Bits of its shortest description.
    pub bits: f64,
    /// Bits that say which words were given, if the answer is known.
    pub words: f64,
    /// How it was first found, or found in its shortest form.
    pub origin: Origin,
    /// The shape of the model that it was read off, if any.
    pub shape: Option<Shape>,
    /// That model.
    pub model: Option<Model>,
    /// Number of independent finds.
    pub finds: u32,
    /// Whether it was learned from all examples, so that none is left to confirm it.
    pub from_all: bool,
}

/// Maximum number of states of a useful candidate.
const STATE_LIMIT: usize = 20_000;

impl Candidate {
    /// Scores a grammar on a sample; `None` if its automaton is too large.
    #[must_use]
    pub fn new(grammar: &Grammar, sample: &Sample, origin: Origin) -> Option<Self> {
        let nfa = grammar.over(sample.alphabet()).to_nfa();
        Some(Self::of(&determinize(&nfa, STATE_LIMIT).ok()?, Some(grammar), sample, origin))
    }

    /// Scores an automaton on a sample.
    #[must_use]
    pub fn from_dfa(dfa: &Dfa, sample: &Sample, origin: Origin) -> Self {
        Self::of(&dfa.over(sample.alphabet()), None, sample, origin)
    }

    /// The candidate with this grammar and its automaton, scored on a sample over the same letters.
    pub(crate) fn restored(grammar: &Grammar, dfa: &Dfa, sample: &Sample, origin: Origin) -> Self {
        Self::of(dfa, Some(grammar), sample, origin)
    }

    /// The same candidate, scored on another sample over the same letters.
    #[must_use]
    pub fn judged(self, sample: &Sample) -> Self {
        let again = Self::restored(&self.grammar, &self.dfa, sample, self.origin);
        let again = match self.expression {
            Some(regex) => again.described(regex),
            None => again,
        };
        let again = match self.rule {
            Some(rule) => again.stated(rule),
            None => again,
        };
        Self {
            finds: self.finds,
            shortened: self.shortened,
            shape: self.shape,
            model: self.model,
            from_all: self.from_all,
            ..again
        }
    }

    fn of(dfa: &Dfa, grammar: Option<&Grammar>, sample: &Sample, origin: Origin) -> Self {
        let dfa = with_judged_empty_word(dfa, sample.empty_word());
        let Judged { errors, wrong_words, wrong_labels, drawn, walks } = judged(&dfa, sample);
        let from_states = Grammar::from_dfa(&dfa, Direction::Left);
        let given = grammar.and_then(|grammar| with_empty_word(grammar, dfa.is_accepting(dfa.initial())));
        let grammars = given.into_iter().chain([from_states]).map(|grammar| (grammar_bits(&grammar), grammar));
        // Of equally long grammars, keep the given one.
        let (by_productions, grammar) = grammars.reduce(|a, b| if b.0 < a.0 { b } else { a }).expect("there is one");
        let bits = automaton_bits(&dfa).min(by_productions);
        let (words, walks) = words_bits(&dfa, sample, &drawn, &walks);
        Self {
            grammar,
            dfa,
            errors,
            wrong_words,
            wrong_labels,
            expression: None,
            rule: None,
            shortened: false,
            pattern: false,
            bits,
            words,
            walks,
            origin,
            shape: None,
            model: None,
            finds: 1,
            from_all: false,
        }
    }

    /// The measure: bits of the answer, of the words with exceptions among them and, if labels may be wrong, of how many are.
    #[must_use]
    pub fn total(&self, noisy_words: Option<u64>) -> f64 {
        let exceptions = noisy_words.map_or(0.0, |_| number_bits(self.wrong_words) + self.wrong_labels);
        self.bits + self.words + exceptions
    }

    /// Looks for descriptions that are shorter than those it was found with: a non-deterministic grammar, facts that say
    /// everything, and an expression.
    #[must_use]
    pub fn shortened(mut self) -> Self {
        self.shortened = true;
        let grammar = shortest_grammar(&Nfa::from(&self.dfa), Some(&self.dfa), Direction::Left);
        let bits = grammar_bits(&grammar);
        // A model is shown with the grammar that was read off it, as long as that is not longer than any other description.
        if bits < self.bits || self.model.is_none() && bits < grammar_bits(&self.grammar) {
            self.grammar = grammar;
        }
        if bits < self.bits {
            (self.bits, self.rule, self.pattern) = (bits, None, false);
        }
        let stated = match describe(&self.dfa).formula() {
            Some(formula) => self.stated(Rule::new(formula, Vec::new())),
            None => self,
        };
        // A symbol takes at least two bits, and shortening rarely saves more than half of the symbols.
        match Regex::from_dfa_within(&stated.dfa, (stated.bits as usize).min(EXPRESSED_SYMBOLS)) {
            Some(regex) => stated.described(regex),
            None => stated,
        }
    }

    /// An expression on a sample over its letters; `None` if its automaton is too large.
    pub(crate) fn from_regex(regex: Regex, sample: &Sample, origin: Origin) -> Option<Self> {
        // As it is written, so that a saved expression takes the same bits.
        let alphabet = sample.alphabet();
        let regex = Regex::parse_spelled(&regex.to_string(), alphabet, alphabet.spelling()).ok()?;
        let nfa = regex.to_nfa().ok()?;
        let dfa = determinize(&nfa, STATE_LIMIT).ok()?;
        let grammar = shortest_grammar(&nfa, Some(&dfa), Direction::Left);
        Some(Self::of(&dfa.over(sample.alphabet()), Some(&grammar), sample, origin).described(regex))
    }

    /// The same language, described by an expression if that is shorter.
    pub(crate) fn described(self, regex: Regex) -> Self {
        let bits = expression_bits(&regex);
        match bits < self.bits {
            true => Self { bits, expression: Some(regex), rule: None, pattern: false, ..self },
            false => self,
        }
    }

    /// A pattern over classes that takes so many bits, on a sample over its letters; `dfa` is its automaton over these.
    pub(crate) fn from_pattern(dfa: &Dfa, structure: f64, sample: &Sample) -> Self {
        let candidate = Self::of(dfa, None, sample, Origin::Classes);
        let bits = KIND + structure;
        match bits < candidate.bits {
            true => Self { bits, pattern: true, ..candidate },
            false => candidate,
        }
    }

    /// A formula on a sample over its letters; `None` if its automaton is too large.
    pub(crate) fn from_formula(formula: Formula, sample: &Sample, origin: Origin) -> Option<Self> {
        Self::from_rule(Rule::new(formula, Vec::new()), sample, origin)
    }

    fn from_rule(rule: Rule, sample: &Sample, origin: Origin) -> Option<Self> {
        let dfa = rule.automaton(sample.alphabet(), STATE_LIMIT)?;
        Some(Self::of(&dfa, None, sample, origin).stated(rule))
    }

    /// The same language, described by a formula if that is shorter; one bit says whether the empty word is an exception.
    pub(crate) fn stated(self, rule: Rule) -> Self {
        let bits = rule_bits(&rule, self.dfa.alphabet().len());
        match bits < self.bits {
            true => Self { bits, rule: Some(rule), expression: None, pattern: false, ..self },
            false => self,
        }
    }

    /// If it is a formula that is wrong about a few words: the formula with these exceptions. It agrees with all examples
    /// because it was told them, so that nothing speaks for it but its length.
    pub(crate) fn with_exceptions(&self, sample: &Sample) -> Option<Self> {
        let rule = self.rule.as_ref().filter(|rule| rule.exceptions().is_empty())?;
        if self.wrong_words == 0 || self.wrong_words > sample.words() / EXCEPTED_ONE_IN {
            return None;
        }
        let is_wrong = |word: &[Letter], counts: Counts| match self.dfa.accepts(word) {
            true => counts.rejected > counts.accepted,
            false => counts.accepted > counts.rejected,
        };
        let wrong = sample.rows().filter(|(word, counts)| is_wrong(word, *counts)).map(|(word, _)| word.to_vec());
        let wrong: Vec<Vec<Letter>> = wrong.collect();
        let letters: usize = wrong.iter().map(Vec::len).sum();
        if letters * sample.alphabet().len() > EXCEPTED_TRANSITIONS {
            return None;
        }
        let rule = Rule::new(rule.formula().clone(), wrong);
        let candidate = Self::from_rule(rule, sample, self.origin)?;
        candidate.rule.is_some().then_some(Self { finds: 0, from_all: true, ..candidate })
    }

    /// The same language with the other's model to show, if it has none and the other's grammar is as short.
    fn modelled_by(self, other: Self) -> Self {
        let is_as_short = || grammar_bits(&other.grammar) <= grammar_bits(&self.grammar);
        if self.model.is_some() || other.model.is_none() || !is_as_short() {
            return self;
        }
        // Some descriptions name the engine that found them; any other follows from the language.
        let is_own = self.rule.is_some() || self.pattern || self.origin == Origin::Expressions;
        let origin = if is_own { self.origin } else { other.origin };
        Self { grammar: other.grammar, model: other.model, shape: other.shape, origin, ..self }
    }

    /// Whether it is a formula with exceptions.
    pub(crate) fn has_exceptions(&self) -> bool {
        self.rule.as_ref().is_some_and(|rule| !rule.exceptions().is_empty())
    }
}

/// A formula that is wrong about more than one word in this many has not found what the words have in common.
const EXCEPTED_ONE_IN: u64 = 16;
/// Each letter of an exception is a state with transitions by all letters; more of them take too long to write down.
const EXCEPTED_TRANSITIONS: usize = 100_000;

/// Candidates with different languages.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    candidates: Vec<Candidate>,
    /// With noise, the number of distinct words; exceptions are then weighed against structure.
    noisy_words: Option<u64>,
}

impl Pool {
    /// An empty pool. `noisy_words` is the number of distinct words if labels may be wrong.
    #[must_use]
    pub fn new(noisy_words: Option<u64>) -> Self {
        Self { candidates: Vec::new(), noisy_words }
    }

    /// The pool with these candidates, which were in it before.
    pub(crate) fn with(mut self, candidates: Vec<Candidate>) -> Self {
        candidates.into_iter().for_each(|candidate| self.insert(candidate));
        self
    }

    /// Adds a candidate, or counts a repeated find of a known language and keeps the shorter description.
    pub fn add(&mut self, candidate: Candidate) {
        if let Some(at) = self.candidates.iter().position(|known| known.dfa == candidate.dfa) {
            // Without new information nothing moves; otherwise equal candidates would alternate as the best.
            if candidate.finds == 0 && candidate.bits >= self.candidates[at].bits {
                return;
            }
            let mut known = self.candidates.remove(at);
            let finds = known.finds.saturating_add(candidate.finds);
            let from_all = known.from_all && candidate.from_all;
            if candidate.bits < known.bits {
                known = candidate;
            } else if candidate.finds > 0 {
                known = known.modelled_by(candidate);
            }
            known.finds = finds;
            known.from_all = from_all;
            self.insert(known);
        } else {
            let is_new = !candidate.shortened && self.contends(&candidate);
            let candidate = if is_new { candidate.shortened() } else { candidate };
            self.insert(candidate);
        }
    }

    /// Whether a candidate may become the best if it has a short expression.
    fn contends(&self, candidate: &Candidate) -> bool {
        let Some(best) = self.best() else { return true };
        let agrees = self.noisy_words.is_some() || candidate.errors <= best.errors;
        agrees
            && candidate.dfa.len() <= EXPRESSED_STATES
            && candidate.dfa.len() * candidate.dfa.alphabet().len() <= EXPRESSED_CELLS
            && candidate.total(self.noisy_words) <= best.total(self.noisy_words) + EXPRESSED_BITS
    }

    fn insert(&mut self, candidate: Candidate) {
        let key = self.key(&candidate);
        let at = self.candidates.partition_point(|other| self.key(other) <= key);
        self.candidates.insert(at, candidate);
        // Candidates far from the best are not needed again, except for the best one that an engine found.
        if self.candidates.len() > POOL_LIMIT {
            let found = self.candidates.iter().position(|candidate| candidate.finds > 0);
            self.candidates.remove(if found == Some(POOL_LIMIT) { POOL_LIMIT - 1 } else { POOL_LIMIT });
        }
    }

    /// Sort key, smaller is better: errors, then bits; with noise, the bits of both. Ties go to the one found more
    /// often.
    fn key(&self, candidate: &Candidate) -> (u64, Bits, Reverse<u32>) {
        match self.noisy_words {
            None => (candidate.errors, Bits(candidate.total(None)), Reverse(candidate.finds)),
            Some(words) => (0, Bits(candidate.total(Some(words))), Reverse(candidate.finds)),
        }
    }

    /// The best candidate.
    #[must_use]
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }

    /// All candidates, best first.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// All candidates, best first.
    #[must_use]
    pub fn into_candidates(self) -> Vec<Candidate> {
        self.candidates
    }

    /// The candidates without errors, best first.
    pub fn consistent(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|candidate| candidate.errors == 0)
    }
}

/// Shorter descriptions are looked for up to this many states: a grammar of seven non-terminals may need as many as 64,
const EXPRESSED_STATES: usize = 64;
/// and up to this many transitions,
const EXPRESSED_CELLS: usize = 8_192;
/// if no more than this many bits have to be saved,
const EXPRESSED_BITS: f64 = 32.0;
/// and up to this many symbols. Longer expressions are hardly ever shorter than their automata.
const EXPRESSED_SYMBOLS: usize = 40;

/// Maximum number of languages in the pool.
const POOL_LIMIT: usize = 128;

/// A number of bits, ordered; never NaN.
#[derive(Clone, Copy, PartialEq)]
struct Bits(f64);

impl Eq for Bits {}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bits {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// What a complete automaton over the sample's letters says of the examples.
struct Judged {
    /// Number of examples it gets wrong, counting repetitions, and of distinct words.
    errors: u64,
    wrong_words: u64,
    wrong_labels: f64,
    /// The words of each length that were given, by its verdict.
    drawn: Vec<Drawn>,
    /// The accepted ones as walks.
    walks: Walks,
}

fn judged(dfa: &Dfa, sample: &Sample) -> Judged {
    let mut states = vec![dfa.initial(); sample.parents().len()];
    let nodes = sample.parents().iter().zip(sample.letters()).enumerate();
    for (node, (&parent, &letter)) in nodes.skip(1) {
        states[node] = dfa.next(states[parent as usize], letter).expect("the automaton is complete");
    }
    let drawn = vec![Drawn::default(); sample.longest() + 1];
    let walks = Walks::along(dfa, sample, &states);
    let mut judged = Judged { errors: 0, wrong_words: 0, wrong_labels: 0.0, drawn, walks };
    // Words with some wrong labels among more right ones.
    let mut mixed = 0;
    let empty = (dfa.initial(), 0, sample.empty_word());
    let ends = sample.entries().iter().map(|entry| (states[entry.node as usize], entry.length as usize, entry.counts));
    for (state, length, counts) in ends.chain([empty]) {
        let drawn = &mut judged.drawn[length];
        let (wrong, right, place) = match dfa.is_accepting(state) {
            true => (counts.rejected, counts.accepted, &mut drawn.accepted),
            false => (counts.accepted, counts.rejected, &mut drawn.rejected),
        };
        *(if wrong > right { &mut drawn.wrong } else { place }) += 1;
        judged.errors += u64::from(wrong);
        if wrong > 0 {
            judged.wrong_words += 1;
            mixed += u64::from(wrong <= right);
            judged.wrong_labels += wrong_label_bits(counts.labelled());
        }
    }
    judged.wrong_labels += exception_bits(sample.words(), mixed);
    // What was asked about was chosen, not drawn.
    for word in sample.asked() {
        let drawn = &mut judged.drawn[word.len()];
        let times = if dfa.accepts(word) { &mut drawn.accepted } else { &mut drawn.rejected };
        *times = times.saturating_sub(1);
    }
    judged
}

/// The minimal automaton with the label of the empty word. If it is unlabelled, the value that gives the smaller
/// automaton, or rejected on a tie.
fn with_judged_empty_word(dfa: &Dfa, Counts { accepted, rejected, .. }: Counts) -> Dfa {
    match accepted.cmp(&rejected) {
        std::cmp::Ordering::Less => with_empty_word_set(dfa, false),
        std::cmp::Ordering::Greater => with_empty_word_set(dfa, true),
        std::cmp::Ordering::Equal => {
            let (without, with) = (with_empty_word_set(dfa, false), with_empty_word_set(dfa, true));
            if with.len() < without.len() { with } else { without }
        }
    }
}

fn with_empty_word_set(dfa: &Dfa, accepted: bool) -> Dfa {
    let dfa = minimize(dfa);
    if dfa.is_accepting(dfa.initial()) == accepted {
        return dfa;
    }
    // A new initial state, which no transition enters, decides only the empty word.
    let rows = dfa.states().chain([dfa.initial()]).map(|state| row(&dfa, state)).collect::<Vec<_>>();
    let new = rows.len() - 1;
    let accepting = dfa.accepting().map(StateId::index).chain(accepted.then_some(new));
    minimize(&Dfa::new(dfa.alphabet().clone(), new, accepting, &rows).expect("all states are in range"))
}

fn row(dfa: &Dfa, state: StateId) -> Vec<Option<usize>> {
    dfa.alphabet().letters().map(|letter| dfa.next(state, letter).map(StateId::index)).collect()
}

/// The same grammar with or without `S → ε`; `None` if that would add or remove other words, because other words are made
/// from S.
fn with_empty_word(grammar: &Grammar, accepted: bool) -> Option<Grammar> {
    let empty = Production { head: grammar.start(), body: Body::Empty };
    let has = grammar.productions().contains(&empty);
    let is_used = || grammar.productions().iter().any(|production| production.body.nonterminal() == Some(empty.head));
    if has != accepted && is_used() {
        return None;
    }
    let productions = grammar.productions().iter().copied().filter(|production| *production != empty);
    let productions: Vec<Production> = productions.chain(accepted.then_some(empty)).collect();
    let names = grammar.nonterminals().map(|nonterminal| grammar.name(nonterminal).to_owned()).collect();
    Some(Grammar::new(grammar.alphabet().clone(), grammar.direction(), names, grammar.start(), productions))
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Examples, Label};

    use super::*;

    /// Neighbours without number are shorter than what an engine found, and do not push it out.
    #[test]
    fn what_was_found_stays() {
        let alphabet = Alphabet::of_chars("ab");
        let row = |word: &str, label| (alphabet.read(word).unwrap(), label);
        let rows = [row("ab", Label::Accepted), row("ba", Label::Rejected)];
        let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
        let candidate = |pattern: &str| {
            let dfa = Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap();
            Candidate::from_dfa(&dfa, &sample, Origin::Rival)
        };
        let mut pool = Pool::new(None);
        let found = candidate("ab|(a|b){300}");
        pool.add(Candidate { origin: Origin::Rpni, ..found.clone() });
        for length in 0..2 * POOL_LIMIT {
            pool.add(Candidate { finds: 0, ..candidate(&format!("ab|a{{{length}}}bb")) });
        }
        assert_eq!(pool.candidates().len(), POOL_LIMIT);
        assert!(pool.best().is_some_and(|best| best.total(None) < found.total(None)));
        assert!(pool.candidates().iter().any(|known| known.dfa == found.dfa && known.finds == 1));
    }
}
