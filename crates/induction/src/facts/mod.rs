//! Formulas over facts about words: languages the way people state them.
//!
//! "No b … a … b … a in this order, and no cd" is a short sentence, but its automaton is not small, and engines that look for
//! small automata do not find it in a thousand long words over sixteen letters. Here the hypothesis is the sentence itself: a
//! short formula over facts (`automata::facts`). The search goes from the data to the formula:
//!
//! ```text
//!   words as bits (text) ──► patterns grown from letters (mine) ──► tiers ──► store of facts ──► formulas (join)
//!                                     ▲                                                             │
//!                                     └──────────── words that are still wrong ◄────────────────────┤
//!                                                                                                   ▼
//!                                                   tighter and looser forms by all bits (refine) ──► formulas
//! ```
//!
//! Counts modulo a number of a set of letters cannot be grown; linear algebra finds them (`linear`), in all words and in cells
//! of them.
//!
//! Up to `refine` only the bits of facts and labels count; then the words given the language do, too (`total`). All steps are
//! counted and small, so that the work can be cut at any point. Without rejected words, facts that are missing although one
//! would expect them take the place of facts that tell labels apart (`absent`).

mod absent;
mod counts;
mod join;
mod labels;
mod linear;
mod mine;
mod narrow;
mod near;
mod places;
mod refine;
mod store;
mod text;
mod tiers;
mod total;

use std::collections::{BTreeSet, VecDeque};
use std::ops::{ControlFlow, Range};

use automata::{Alphabet, Fact, Formula, Gap, Letter, Pattern};

use self::absent::Absent;
use self::join::{Draft, Joiner};
use self::labels::Labels;
use self::linear::Tallies;
use self::mine::{Growth, Miner};
pub(crate) use self::near::Near;
use self::refine::{Refined, Refiner};
use self::store::Store;
use self::text::Text;
use self::total::Pricing;
use crate::sample::Sample;

/// Patterns are grown in at most this many words of each label; formulas are judged on all.
const MINED_OF_EACH: usize = 700;
/// Patterns kept of each way to grow.
const KEPT: usize = 60;
/// Patterns whose tiers are grown, per step and in total.
const TIERED: usize = 8;
const ALL_TIERED: usize = 32;
/// Tiers on which patterns are grown.
const MOST_TIERS: usize = 6;
/// Factors that are looked beside, in all and per step.
const FACTORS: usize = 32;
const FACTORS_OF_STEP: usize = 8;
/// Alphabets up to this size have all their tiers tried.
const FEW_LETTERS: usize = 4;
/// Facts to choose from, and those of which pairs are tried.
const CHOICES: usize = 600;
const PAIRED: usize = 240;
/// Formulas to begin with of each kind.
const BEGINNINGS: usize = 12;
/// Formulas that are refined.
const REFINED: usize = 4;
/// Rounds of growing patterns in the words that are still wrong.
const ROUNDS: usize = 3;
/// How many times the bits of a known answer the first formulas may take. Later rounds find what is missing in a few facts.
const HOPELESS: f64 = 4.0;
/// Facts that divide words into cells, all that divide, and cells of one step.
const DIVIDING: usize = 24;
const MOST_CELLS: usize = 128;
const CELLS: usize = 32;
/// Larger texts, in bits of all positions of all letters, are not read,
const MOST_BITS: usize = 1 << 31;
/// and neither are larger alphabets: some steps take the square of the number of letters.
pub(crate) const MOST_LETTERS: usize = 1_024;
/// Sets of letters that are counted are looked for in alphabets up to this size: elimination takes the cube of it.
const MOST_UNKNOWNS: usize = 256;
/// Work of a step, in words or entries looked at.
const STEP: usize = 20_000_000;

/// The words to grow patterns in.
struct Scope {
    text: Text,
    labels: Labels,
}

/// Some of the words, as a set.
type Cell = Vec<u64>;

/// One step of the search.
enum Step {
    /// Grows patterns, on a tier or over all letters.
    Mine(Growth, Option<Vec<Letter>>),
    /// Letters in a place, sets of letters.
    Place,
    /// Chooses factors to look beside.
    ChooseFactors,
    /// Factors with a letter that does not stand before or after them.
    Beside(Vec<Pattern>),
    /// Facts about the numbers of some letters and pairs of letters.
    Count(Range<usize>),
    /// Facts about the lengths of words.
    Measure,
    /// Sets of letters that are counted in all words of some cells.
    Solve(Vec<Cell>),
    /// Chooses patterns to grow tiers from.
    ChooseTiered,
    /// Grows the tiers of some patterns.
    GrowTiers(Vec<Pattern>),
    /// Grows patterns on the best tiers.
    ChooseTiers,
    /// Pairs of facts, and other beginnings.
    Begin,
    /// Improves a formula.
    Improve(Draft),
    /// Goes on with the words that are still wrong, or refines.
    Review,
    /// Looks at the words on one side of the best formula.
    Restrict(bool),
    Refine,
    /// Without rejected words.
    Absent,
}

/// A search for formulas.
pub(crate) struct Facts {
    alphabet: Alphabet,
    text: Text,
    labels: Labels,
    lengths: Vec<usize>,
    noise: bool,
    /// The bits of an answer that is known and right: what is longer needs no work.
    known: f64,
    scope: Scope,
    store: Store,
    tiers: Vec<tiers::Tier>,
    drafts: Vec<Draft>,
    round: usize,
    refined: Vec<Refined>,
    /// The refined formula at work.
    at: usize,
    /// Numbers of letters, once they are needed.
    tallies: Option<Tallies>,
    /// The search without rejected words, once it has begun.
    absent: Option<Absent>,
    steps: VecDeque<Step>,
}

impl Facts {
    /// A search on these words; `None` if they are too many or too few. It is given up if its first formulas, with the labels that
    /// they leave open, take many times the bits of an answer that is `known`.
    pub(crate) fn new(sample: &Sample, noise: bool, known: f64) -> Option<Self> {
        let alphabet = sample.alphabet().clone();
        let rows: Vec<(&[Letter], bool)> =
            sample.rows().map(|(word, counts)| (word, counts.accepted >= counts.rejected)).collect();
        let positions: usize = rows.iter().map(|(word, _)| word.len() + 1).sum();
        let is_small = alphabet.len() <= MOST_LETTERS && positions.saturating_mul(alphabet.len()) <= MOST_BITS;
        if alphabet.is_empty() || rows.len() < 2 || !is_small {
            return None;
        }
        let text = Text::new(alphabet.len(), rows.iter().map(|(word, _)| *word));
        let labels = Labels::new(rows.iter().map(|(_, accepted)| *accepted).collect());
        let lengths: Vec<usize> = rows.iter().map(|(word, _)| word.len()).collect();
        let scope = scope(&text, &labels, |_| true);
        let steps = match labels.totals() {
            [_, 0] => VecDeque::from([Step::Absent, Step::Refine]),
            [0, _] => return None,
            _ => steps(alphabet.len(), &text),
        };
        let store = Store::new(alphabet.clone(), &lengths);
        let (tiers, drafts, refined) = (Vec::new(), Vec::new(), Vec::new());
        Some(Self {
            alphabet,
            text,
            labels,
            lengths,
            noise,
            known,
            scope,
            store,
            tiers,
            drafts,
            round: 0,
            refined,
            at: 0,
            tallies: None,
            absent: None,
            steps,
        })
    }

    /// Does one step, about 50 ms of work or less. Returns the formulas at the end, shortest message first.
    pub(crate) fn advance(&mut self) -> ControlFlow<Vec<Formula>> {
        let Some(step) = self.steps.pop_front() else { return ControlFlow::Break(self.formulas()) };
        match step {
            Step::Mine(growth, tier) => self.mine(growth, tier.as_deref()),
            Step::Place => self.place(),
            Step::ChooseFactors => self.choose_factors(),
            Step::Beside(factors) => self.look_beside(&factors),
            Step::Count(sets) => self.count(sets),
            Step::Measure => self.measure(),
            Step::Solve(cells) => self.solve(&cells),
            Step::ChooseTiered => self.choose_tiered(),
            Step::GrowTiers(patterns) => self.grow_tiers(&patterns),
            Step::ChooseTiers => self.choose_tiers(),
            Step::Begin => self.begin(),
            Step::Improve(draft) => {
                let improved = self.joiner().improve(draft);
                if !self.drafts.iter().any(|known| known.every == improved.every && known.clauses == improved.clauses) {
                    self.drafts.push(improved);
                }
            }
            Step::Review => self.review(),
            Step::Restrict(accepted) => self.restrict(accepted),
            Step::Refine => self.refine(),
            Step::Absent => self.absent(),
        }
        ControlFlow::Continue(())
    }

    /// The best formulas so far, shortest message first.
    pub(crate) fn formulas(&self) -> Vec<Formula> {
        let mut refined: Vec<&Refined> = self.refined.iter().collect();
        let wrong = |refined: &Refined| if self.noise { 0 } else { refined.wrong };
        refined.sort_by(|a, b| wrong(a).cmp(&wrong(b)).then(a.total.total_cmp(&b.total)));
        let drafts = self.best_drafts().take(usize::from(refined.is_empty()));
        let drafts: Vec<Formula> = drafts.map(|draft| self.joiner().formula(draft)).collect();
        refined.into_iter().map(|refined| refined.formula.clone()).chain(drafts).collect()
    }

    /// Formulas that explain a part of the labels for certain.
    pub(crate) fn narrowings(&self) -> Vec<Formula> {
        self.joiner().narrowings()
    }

    fn joiner(&self) -> Joiner<'_> {
        let choices = self.store.best(CHOICES);
        Joiner { labels: &self.labels, store: &self.store, choices, full: all(&self.text) }
    }

    fn refiner(&self) -> Refiner<'_> {
        let Self { alphabet, text, labels, lengths, noise, store, .. } = self;
        Refiner { text, store, pricing: Pricing { alphabet, labels, lengths, noise: *noise }, lengths }
    }

    fn best_drafts(&self) -> impl Iterator<Item = &Draft> {
        let mut drafts: Vec<&Draft> = self.drafts.iter().collect();
        drafts.sort_by(|a, b| a.bits.total_cmp(&b.bits));
        drafts.into_iter()
    }

    /// Adds a pattern, judged on all words.
    fn add(&mut self, pattern: Pattern, gain: f64) {
        let words = self.text.having(&pattern);
        let gain = gain.max(self.labels.gain(self.labels.count(&words)));
        self.store.add(Fact::Has(pattern), words, gain);
    }

    fn mine(&mut self, growth: Growth, tier: Option<&[Letter]>) {
        let is_read = |letter: usize| tier.is_none_or(|tier| tier.binary_search(&Letter::new(letter)).is_ok());
        let projected = tier.map(|_| self.scope.text.part(|_| true, is_read));
        let text = projected.as_ref().unwrap_or(&self.scope.text);
        let (found, _) = Miner { text, labels: &self.scope.labels, tier }.mine(growth, KEPT);
        found.into_iter().for_each(|found| self.add(found.pattern, found.gain));
    }

    fn place(&mut self) {
        let Scope { text, labels } = &self.scope;
        let sets = places::of_sets(text, labels).into_iter().chain(places::of_numbers(text, labels));
        let found = places::of_places(text, labels).into_iter().chain(sets);
        let found = mine::best(found.collect(), KEPT);
        found.into_iter().for_each(|found| self.add(found.pattern, found.gain));
    }

    /// The factors of two letters in the patterns that say the most. A factor that all words have says nothing by itself.
    fn choose_factors(&mut self) {
        let mut factors: Vec<Pattern> = Vec::new();
        for fact in self.store.best(self.store.known().len()) {
            let Fact::Has(pattern) = &self.store.known()[fact].fact else { continue };
            for (sets, gap) in pattern.letters().windows(2).zip(pattern.inner_gaps()) {
                if *gap != Gap::Adjacent || sets.iter().any(|set| set.len() > 1) {
                    continue;
                }
                let factor = Pattern::new(sets.to_vec(), vec![Gap::Free, Gap::Adjacent, Gap::Free], 1);
                factors.extend(factor.filter(|factor| !factors.contains(factor)));
            }
            if factors.len() >= FACTORS {
                break;
            }
        }
        let steps: Vec<Step> = factors.chunks(FACTORS_OF_STEP).map(|some| Step::Beside(some.to_vec())).collect();
        steps.into_iter().rev().for_each(|step| self.steps.push_front(step));
    }

    fn look_beside(&mut self, factors: &[Pattern]) {
        let Scope { text, labels } = &self.scope;
        let found = factors.iter().flat_map(|factor| places::beside(text, labels, factor));
        let found = mine::best(found.collect(), KEPT);
        found.into_iter().for_each(|found| self.add(found.pattern, found.gain));
    }

    fn count(&mut self, sets: Range<usize>) {
        let facts = counts::of_letters(&self.text, &self.labels, sets);
        self.keep(facts);
    }

    fn measure(&mut self) {
        let facts = counts::of_lengths(&self.labels, &self.lengths);
        self.keep(facts);
    }

    fn keep(&mut self, facts: Vec<(Fact, Vec<u64>)>) {
        for (fact, words) in facts {
            let gain = self.labels.gain(self.labels.count(&words));
            self.store.add(fact, words, gain);
        }
    }

    /// Looks for sets of letters that are counted, in the accepted and in the rejected words of each cell.
    fn solve(&mut self, cells: &[Cell]) {
        if self.text.letters() > MOST_UNKNOWNS {
            return;
        }
        let tallies = self.tallies.get_or_insert_with(|| Tallies::new(&self.text));
        let mut found = Vec::new();
        for cell in cells {
            let inside = |word: &usize| cell[word / 64] >> (word % 64) & 1 == 1;
            let words: Vec<usize> = (0..self.labels.len()).filter(inside).collect();
            let (accepted, rejected) = words.iter().partition::<Vec<usize>, _>(|word| self.labels.of(**word));
            let mut equations = tallies.parities(&words, |word| self.labels.of(word), self.noise);
            for words in [accepted, rejected] {
                equations.extend(tallies.equations(&words, self.noise));
            }
            found.extend(equations.into_iter().map(|equation| (cell, equation)));
        }
        for (cell, equation) in found {
            for fact in counts::multiples(&equation, self.alphabet.len()) {
                let words = counts::having(&self.text, &self.lengths, &fact);
                let inside: Cell = words.iter().zip(cell).map(|(words, cell)| words & cell).collect();
                let gain = self.labels.gain_within(self.labels.count(cell), self.labels.count(&inside));
                if gain > counts::LEAST_GAIN {
                    self.store.add(fact, words, gain);
                }
            }
        }
    }

    /// Steps that look for counted letters in the words that have, or do not have, a single letter or one of the best facts.
    fn steps_of_cells(&self) -> Vec<Step> {
        let joiner = self.joiner();
        let letters = (0..self.text.letters()).map(|letter| self.text.words_of(self.text.at(letter)));
        let best = self.store.best(DIVIDING).into_iter().map(|fact| self.store.known()[fact].words.clone());
        let mut cells: BTreeSet<Cell> = BTreeSet::new();
        for words in best.chain(letters).take(MOST_CELLS) {
            let others = words.iter().zip(&joiner.full).map(|(words, full)| full & !words).collect();
            cells.extend([words, others]);
        }
        let cells: Vec<Cell> = cells.into_iter().collect();
        let of_step = (STEP / self.text.letters().pow(3).max(1)).clamp(1, CELLS);
        cells.chunks(of_step).map(|some| Step::Solve(some.to_vec())).collect()
    }

    /// Patterns of two or more letters, or at an end, without a tier, that say the most in the scope.
    fn choose_tiered(&mut self) {
        let mut patterns: Vec<Pattern> = Vec::new();
        for fact in self.store.best(self.store.known().len()) {
            let Fact::Has(pattern) = &self.store.known()[fact].fact else { continue };
            let has_tier = pattern.gaps().iter().any(|gap| matches!(gap, Gap::Without(_)));
            let is_short = pattern.letters().len() <= 3;
            let is_same = |other: &Pattern| {
                other.letters() == pattern.letters()
                    && other.anchors() == pattern.anchors()
                    && other.least() == pattern.least()
            };
            let has_gaps = pattern.letters().len() > 1 || pattern.anchors() != (false, false);
            if !has_tier && is_short && has_gaps && !patterns.iter().any(is_same) {
                patterns.push(pattern.clone());
            }
            if patterns.len() == ALL_TIERED {
                break;
            }
        }
        let chunks: Vec<Step> = patterns.chunks(TIERED).map(|some| Step::GrowTiers(some.to_vec())).collect();
        chunks.into_iter().rev().for_each(|step| self.steps.push_front(step));
    }

    fn grow_tiers(&mut self, patterns: &[Pattern]) {
        for pattern in patterns {
            for from_all in [false, true] {
                let grown = tiers::grow(&self.scope.text, &self.scope.labels, pattern, from_all);
                self.tiers.extend(grown.map(|(tier, _)| tier));
            }
        }
    }

    /// Keeps the best patterns on tiers, and grows others on the best tiers.
    fn choose_tiers(&mut self) {
        let mut tiers = std::mem::take(&mut self.tiers);
        tiers.sort_by(|a, b| b.gain.total_cmp(&a.gain).then_with(|| a.pattern.cmp(&b.pattern)));
        let mut chosen: Vec<Vec<Letter>> = Vec::new();
        for tier in tiers {
            if chosen.len() < MOST_TIERS && !chosen.contains(&tier.letters) {
                chosen.push(tier.letters.clone());
            }
            if tier.gain > 0.0 {
                self.add(tier.pattern, tier.gain);
            }
        }
        for tier in chosen.into_iter().rev() {
            for growth in GROWTHS_ON_TIERS {
                self.steps.push_front(Step::Mine(growth, Some(tier.clone())));
            }
        }
    }

    fn begin(&mut self) {
        let known: Vec<Draft> = self.best_drafts().take(BEGINNINGS).cloned().collect();
        let joiner = self.joiner();
        let paired = PAIRED * 2_000 / self.text.words().max(2_000);
        let drafts = joiner.beginnings(paired.max(20), BEGINNINGS);
        let both: Vec<Draft> = known.into_iter().chain(drafts).collect();
        both.into_iter().rev().for_each(|draft| self.steps.push_front(Step::Improve(draft)));
    }

    /// Looks further as long as the best formula is wrong about some words.
    fn review(&mut self) {
        let joiner = self.joiner();
        // Without any fact, all words are accepted.
        let truth = self.best_drafts().next().map_or_else(|| joiner.full.clone(), |best| joiner.truth(best));
        let [accepted, rejected] = self.labels.count(&truth);
        let missing = self.labels.totals()[0] - accepted;
        let explained = self.labels.gain([accepted, rejected]);
        // What explains next to nothing will not explain all; but a count may explain what nothing else does.
        let (is_wrong, is_first) = (rejected + missing > 0, self.round == 0);
        let goes_on = is_wrong && self.round < ROUNDS && explained > self.labels.all() / 20.0;
        self.round += 1;
        if is_wrong && self.best_drafts().next().is_some_and(|best| best.bits > HOPELESS * self.known) {
            return;
        }
        if is_wrong && is_first {
            self.steps.extend(self.steps_of_cells());
        }
        if goes_on && rejected > 0 {
            self.steps.push_back(Step::Restrict(true));
        }
        if goes_on && missing > 0 {
            self.steps.push_back(Step::Restrict(false));
        }
        match goes_on || is_wrong && is_first {
            true => self.steps.extend([Step::Begin, Step::Review]),
            false => self.steps.push_back(Step::Refine),
        }
    }

    /// Grows patterns in the words that the best formula accepts, or in those that it rejects.
    fn restrict(&mut self, accepted: bool) {
        let Some(best) = self.best_drafts().next() else { return };
        let truth = self.joiner().truth(best);
        self.scope = scope(&self.text, &self.labels, |word| (truth[word / 64] >> (word % 64) & 1 == 1) == accepted);
        if self.scope.labels.totals().contains(&0) {
            return;
        }
        let side = |(truth, full): (u64, u64)| if accepted { truth } else { full & !truth };
        let side = Step::Solve(vec![truth.into_iter().zip(all(&self.text)).map(side).collect()]);
        for step in steps_of_scope(self.alphabet.len()).into_iter().chain([side]).rev() {
            self.steps.push_front(step);
        }
    }

    /// Refines the best formulas, one change at a time.
    fn refine(&mut self) {
        if self.refined.is_empty() {
            let (joiner, refiner) = (self.joiner(), self.refiner());
            let begun = self.best_drafts().filter_map(|draft| refiner.begin(joiner.formula(draft)));
            let begun: Vec<Refined> = begun.take(REFINED).collect();
            self.refined = begun;
        }
        let Some(mut refined) = self.refined.get(self.at).cloned() else { return };
        let is_done = self.refiner().advance(&mut refined);
        self.refined[self.at] = refined;
        self.at += usize::from(is_done);
        self.steps.push_front(Step::Refine);
    }

    fn absent(&mut self) {
        let mut absent = self.absent.take().unwrap_or_else(|| Absent::new(&self.text));
        let refiner = self.refiner();
        let ControlFlow::Break(formula) = absent.advance(&self.text, &refiner.pricing) else {
            self.absent = Some(absent);
            self.steps.push_front(Step::Absent);
            return;
        };
        self.refined = formula.and_then(|formula| refiner.begin(formula)).into_iter().collect();
        // There is nothing to refine by: letters that never occur together are as good as any.
        self.at = self.refined.len();
    }
}

const GROWTHS: [Growth; 5] = [
    Growth::Adjacent { at_start: false },
    Growth::Adjacent { at_start: true },
    Growth::Free,
    Growth::Mixed,
    Growth::Spaced,
];
const GROWTHS_ON_TIERS: [Growth; 3] =
    [Growth::Adjacent { at_start: false }, Growth::Adjacent { at_start: true }, Growth::Mixed];

/// The first steps.
fn steps(letters: usize, text: &Text) -> VecDeque<Step> {
    let (sets, of_step) = (counts::sets(letters), (STEP / (counts::FACTS_OF_SET * text.words())).max(1));
    let counts = (0..sets).step_by(of_step).map(|first| Step::Count(first..sets.min(first + of_step)));
    let last = [Step::Measure, Step::Solve(vec![all(text)]), Step::Begin, Step::Review];
    steps_of_scope(letters).into_iter().chain(counts).chain(last).collect()
}

/// The steps that find facts in the words of a scope.
fn steps_of_scope(letters: usize) -> Vec<Step> {
    let mut steps: Vec<Step> = GROWTHS.into_iter().map(|growth| Step::Mine(growth, None)).collect();
    steps.extend([Step::Place, Step::ChooseFactors]);
    if letters <= FEW_LETTERS {
        // All tiers but single letters, whose factors are numbers of occurrences, and all letters.
        for set in 1..(1_usize << letters) - 1 {
            let tier: Vec<Letter> = (0..letters).filter(|i| set >> i & 1 == 1).map(Letter::new).collect();
            if tier.len() > 1 {
                steps.extend(GROWTHS_ON_TIERS.into_iter().map(|growth| Step::Mine(growth, Some(tier.clone()))));
            }
        }
    } else {
        steps.extend([Step::ChooseTiered, Step::ChooseTiers]);
    }
    steps
}

/// Some of the words, at most a number of each label, spread evenly.
fn scope(text: &Text, labels: &Labels, kept: impl Fn(usize) -> bool) -> Scope {
    let mut numbers: Vec<usize> = Vec::new();
    for accepted in [true, false] {
        let all: Vec<usize> = (0..labels.len()).filter(|&word| labels.of(word) == accepted && kept(word)).collect();
        let stride = all.len().div_ceil(MINED_OF_EACH).max(1);
        numbers.extend(all.into_iter().step_by(stride));
    }
    numbers.sort_unstable();
    let text = text.part(|word| numbers.binary_search(&word).is_ok(), |_| true);
    let labels = Labels::new(numbers.iter().map(|&word| labels.of(word)).collect());
    Scope { text, labels }
}

/// All words.
fn all(text: &Text) -> Cell {
    (0..text.words().div_ceil(64)).map(|block| full(text.words(), block)).collect()
}

/// The words of a block that exist.
fn full(words: usize, block: usize) -> u64 {
    match words.saturating_sub(block * 64) {
        64.. => u64::MAX,
        some => (1 << some) - 1,
    }
}
