//! The paper's model with another start selector, trained by readable code.
//!
//! The paper's model asks a softmax which non-terminal stands for the whole word. Here that may also be the first one,
//! always, or what a perceptron makes of the beliefs u_ℓ in all of them. Only the ablation asks for this, so it is written
//! to be read, in the manner of `induction::model::reference` and with its weights: `f64`, one word after another.
//!
//! A perceptron says of a set of non-terminals whether words that derive just these are accepted. So its model is read off
//! as an automaton of sets, with the productions whose belief reaches the threshold.

use std::collections::BTreeMap;

use automata::{Alphabet, Dfa, Letter};
use induction::extraction::Reading;
use induction::learner::{Spent, StopReason};
use induction::model::reference::beliefs;
use induction::model::{Layout, Shape, Weights};
use induction::selection::{Candidate, Origin};
use induction::training::Settings;
use rand_core::Rng;

use super::training::TOO_LARGE;
use super::{Case, Learned, Watch};
use crate::chance;
use crate::record::Model;
use crate::spec::Selector;

/// Adam's usual numbers, as the fast training has them.
const BETA_1: f64 = 0.9;
const BETA_2: f64 = 0.999;
const EPSILON: f64 = 1e-8;
/// How many numbers a layer of a perceptron has for each non-terminal.
const WIDTH: usize = 2;
/// An automaton of more sets is not read off: nobody wants it, and there may be 2^n' of them.
const MOST_SETS: usize = 20_000;
/// Streams of random numbers from here on shuffle.
const SHUFFLES: u64 = 1 << 63;

/// Trains one model and reads it off.
pub(super) fn train(
    case: &Case,
    selector: Selector,
    settings: &Settings,
    watch: &dyn Watch,
) -> Result<Learned, String> {
    settings.check().map_err(|error| error.to_string())?;
    if !is_supported(settings) {
        return Err(UNSUPPORTED.to_owned());
    }
    let sample = case.sample.balanced();
    let mut examples: Vec<(&[Letter], bool)> = Vec::new();
    for entry in sample.entries() {
        examples.extend((0..entry.counts.accepted).map(|_| (sample.word(entry), true)));
        examples.extend((0..entry.counts.rejected).map(|_| (sample.word(entry), false)));
    }
    if examples.is_empty() {
        return Err("there is no word to learn from: the model reads words of at least one letter".to_owned());
    }
    let mut net = Net::new(Layout::new(Shape::Nfa, settings.nonterminals, sample.alphabet().len()), selector, settings);
    let mut adam = Adam { first: vec![0.0; net.len()], second: vec![0.0; net.len()], step: 0 };
    let batch = settings.batch.unwrap_or(examples.len());
    let (mut epochs, mut last) = (0, Seen::default());
    let mut stop_reason = StopReason::Budget;
    while adam.step < settings.steps && stop_reason == StopReason::Budget {
        let mut random = chance::stream(settings.seed, SHUFFLES | epochs);
        for i in (1..examples.len()).rev() {
            examples.swap(i, chance::below(i + 1, &mut random));
        }
        (epochs, last) = (epochs + 1, Seen::default());
        for shown in examples.chunks(batch) {
            if adam.step == settings.steps {
                break;
            }
            if watch.stopped() {
                stop_reason = StopReason::Cut;
                break;
            }
            let progress = adam.step as f64 / settings.steps as f64;
            let (gradient, seen) = net.gradient(shown, settings, progress);
            last.add(&seen);
            adam.advance(&mut net, &gradient, settings.learning_rate.at(progress));
        }
    }
    let temperature = settings.temperature.at(1.0);
    let weights = Weights::of(net.layout, &net.parameters, temperature);
    let read = net.read(&weights, sample.alphabet()).ok_or(TOO_LARGE)?;
    let read = Candidate::from_dfa(&read, case.sample, Origin::Neural);
    let exact = read.dfa == case.truth.dfa;
    Ok(Learned {
        bits: read.bits,
        errors: read.errors,
        origin: Origin::Neural,
        shape: Some(Shape::Nfa),
        finds: 1,
        truth_finds: exact.then_some(1),
        others: Vec::new(),
        spent: Spent { restarts: 1, steps: adam.step, ..Spent::default() },
        epochs,
        stop_reason,
        questions: None,
        suspects: None,
        model: Some(net.model(&weights, &last, settings.sharp)),
        grammar: read.grammar,
        dfa: read.dfa,
    })
}

/// What is not written here: only the ablation of the paper's own training needs these selectors.
pub(crate) const UNSUPPORTED: &str =
    "other selectors are for the shape nfa, one restart, no curriculum and no early stop";

/// Whether such a training can be done here.
pub(crate) fn is_supported(settings: &Settings) -> bool {
    let whole = settings.length_limit.at(0.0) == 1.0 && settings.length_limit.at(1.0) == 1.0;
    settings.shape == Shape::Nfa && settings.restarts == 1 && settings.early_stop.is_none() && whole
}

/// What became of the words that were shown.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    words: usize,
    right: usize,
    loss: f64,
}

impl Seen {
    fn add(&mut self, more: &Self) {
        *self = Self { words: self.words + more.words, right: self.right + more.right, loss: self.loss + more.loss };
    }
}

/// A model under way.
struct Net {
    layout: Layout,
    selector: Selector,
    /// As the layout has them; the last n' are those of the softmax, and of no use to other selectors.
    parameters: Vec<f64>,
    /// The layers of the perceptron: `[outputs][inputs + 1]`, the bias last.
    layers: Vec<Vec<Vec<f64>>>,
}

impl Net {
    fn new(layout: Layout, selector: Selector, settings: &Settings) -> Self {
        let mut random = chance::stream(settings.seed, 0);
        let mut parameters: Vec<f64> =
            (0..layout.len()).map(|_| settings.mean + settings.deviation * normal(&mut random)).collect();
        let n = layout.nonterminals();
        if selector == Selector::Fixed {
            // A softmax that has made up its mind, and is trained no more.
            (0..n).for_each(|k| parameters[layout.last(k)] = if k == 0 { 0.0 } else { -1e3 });
        }
        let sizes: &[usize] = match selector {
            Selector::Softmax | Selector::Fixed => &[],
            Selector::TwoLayers => &[n, WIDTH * n, 1],
            Selector::ThreeLayers => &[n, WIDTH * n, WIDTH * n, 1],
        };
        let layer = |sizes: &[usize]| {
            let scale = 1.0 / (sizes[0] as f64).sqrt();
            let row = |random: &mut _| (0..=sizes[0]).map(|_| scale * normal(random)).collect();
            (0..sizes[1]).map(|_| row(&mut random)).collect()
        };
        let layers = sizes.windows(2).map(layer).collect();
        Self { layout, selector, parameters, layers }
    }

    /// How many numbers are trained.
    fn len(&self) -> usize {
        self.parameters.len() + self.layers.iter().flatten().map(Vec::len).sum::<usize>()
    }

    /// All of them, in the order of gradients.
    fn numbers(&mut self) -> impl Iterator<Item = &mut f64> {
        self.parameters.iter_mut().chain(self.layers.iter_mut().flatten().flatten())
    }

    /// The gradient of BCE + β S + γ U over a batch, and what became of it.
    fn gradient(&self, batch: &[(&[Letter], bool)], settings: &Settings, progress: f64) -> (Vec<f64>, Seen) {
        let temperature = settings.temperature.at(progress);
        let weights = Weights::of(self.layout, &self.parameters, temperature);
        let mut d_weights = Weights::zeros(self.layout);
        let mut d_layers: Vec<Vec<Vec<f64>>> =
            self.layers.iter().map(|layer| layer.iter().map(|row| vec![0.0; row.len()]).collect()).collect();
        let mut seen = Seen { words: batch.len(), ..Seen::default() };
        for &(word, accepted) in batch {
            let u = beliefs(&weights, settings.clamp, word);
            let activations = self.select(&weights, &u[word.len() - 1]);
            let o = activations[activations.len() - 1][0];
            seen.right += usize::from((o > 0.5) == accepted);
            // Below the bound the logarithm goes on as its tangent, as in the reference.
            let (x, bound) = (if accepted { o } else { 1.0 - o }, settings.slope_bound);
            seen.loss += if x < bound { (bound - x) / bound - libm::log(bound) } else { -libm::log(x) };
            let slope = -1.0 / x.max(bound) / batch.len() as f64;
            let d_o = if accepted { slope } else { -slope };
            let d_u = self.select_backward(&mut d_weights, &mut d_layers, d_o, &weights, &activations);
            word_backward(&mut d_weights, d_u, &weights, settings.clamp, word, &u);
        }
        let entries = self.layout.entries() as f64;
        let (beta, gamma) = (settings.beta.at(progress) / entries, settings.gamma.at(progress) / entries);
        for (d, e) in d_weights.productions_mut(Shape::Nfa).zip(weights.productions(Shape::Nfa)) {
            *d += gamma - beta * 4.0 * (2.0 * e - 1.0);
        }
        let mut gradient = weights.backward(self.layout, temperature, &d_weights);
        if self.selector != Selector::Softmax {
            (0..self.layout.nonterminals()).for_each(|k| gradient[self.layout.last(k)] = 0.0);
        }
        gradient.extend(d_layers.into_iter().flatten().flatten());
        (gradient, seen)
    }

    /// What the selector makes of beliefs: its input, what each layer gives, and in the end the output alone.
    fn select(&self, weights: &Weights, u: &[f64]) -> Vec<Vec<f64>> {
        let mut activations = vec![u.to_vec()];
        if self.layers.is_empty() {
            activations.push(vec![weights.last.iter().zip(u).map(|(last, u)| last * u).sum()]);
        }
        for (i, layer) in self.layers.iter().enumerate() {
            let before = &activations[i];
            let sum = |row: &Vec<f64>| row[before.len()] + row.iter().zip(before).map(|(w, x)| w * x).sum::<f64>();
            let is_last = i + 1 == self.layers.len();
            let bend = |z: f64| if is_last { 1.0 / (1.0 + libm::exp(-z)) } else { libm::tanh(z) };
            activations.push(layer.iter().map(|row| bend(sum(row))).collect());
        }
        activations
    }

    /// The gradient with respect to the beliefs; that of the selector is added.
    fn select_backward(
        &self,
        d_weights: &mut Weights,
        d_layers: &mut [Vec<Vec<f64>>],
        d_o: f64,
        weights: &Weights,
        activations: &[Vec<f64>],
    ) -> Vec<f64> {
        if self.layers.is_empty() {
            d_weights.last.iter_mut().zip(&activations[0]).for_each(|(d, u)| *d += d_o * u);
            return weights.last.iter().map(|last| d_o * last).collect();
        }
        let mut d_y = vec![d_o];
        for (i, layer) in self.layers.iter().enumerate().rev() {
            let (x, y) = (&activations[i], &activations[i + 1]);
            let is_last = i + 1 == self.layers.len();
            let slope = |y: f64| if is_last { y * (1.0 - y) } else { 1.0 - y * y };
            let mut d_x = vec![0.0; x.len()];
            for (k, row) in layer.iter().enumerate() {
                let d_z = d_y[k] * slope(y[k]);
                for (j, x) in x.iter().enumerate() {
                    d_layers[i][k][j] += d_z * x;
                    d_x[j] += d_z * row[j];
                }
                d_layers[i][k][x.len()] += d_z;
            }
            d_y = d_x;
        }
        d_y
    }

    /// The automaton of the sets of non-terminals that words derive; none when these are too many.
    fn read(&self, weights: &Weights, alphabet: &Alphabet) -> Option<Dfa> {
        let (n, tau) = (self.layout.nonterminals(), Reading::of(Shape::Nfa).threshold);
        let accepts = |set: &[bool]| {
            let u: Vec<f64> = set.iter().map(|&there| f64::from(u8::from(there))).collect();
            match self.selector {
                // As it is read off by everyone: the one that is preferred.
                Selector::Softmax | Selector::Fixed => {
                    let best = (0..n).fold(0, |best, k| if weights.last[k] > weights.last[best] { k } else { best });
                    set[best]
                }
                Selector::TwoLayers | Selector::ThreeLayers => {
                    self.select(weights, &u).last().is_some_and(|o| o[0] > 0.5)
                }
            }
        };
        let next = |set: Option<&Vec<bool>>, c: usize| -> Vec<bool> {
            let head = |k: usize| match set {
                None => weights.terminal[c * n + k] >= tau,
                Some(set) => (0..n).any(|i| set[i] && weights.step[(c * n + k) * n + i] >= tau),
            };
            (0..n).map(head).collect()
        };
        // State 0 has read nothing; the others are sets, numbered as they are found.
        let mut numbers: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
        let mut sets: Vec<Vec<bool>> = Vec::new();
        let mut rows: Vec<Vec<Option<usize>>> = Vec::new();
        while rows.len() <= sets.len() {
            if sets.len() > MOST_SETS {
                return None;
            }
            let from = rows.len().checked_sub(1).map(|i| sets[i].clone());
            let mut row = Vec::new();
            for c in 0..self.layout.letters() {
                let set = next(from.as_ref(), c);
                let number = *numbers.entry(set.clone()).or_insert_with(|| {
                    sets.push(set);
                    sets.len()
                });
                row.push(Some(number));
            }
            rows.push(row);
        }
        let accepting = sets.iter().enumerate().filter(|(_, set)| accepts(set)).map(|(i, _)| i + 1);
        Some(Dfa::new(alphabet.clone(), 0, accepting, &rows).expect("every number is that of a state"))
    }

    fn model(&self, weights: &Weights, last: &Seen, sharp: f64) -> Model {
        let entries = self.layout.entries() as f64;
        let productions = || weights.productions(Shape::Nfa);
        let words = last.words.max(1) as f64;
        let prediction = last.loss / words;
        Model {
            nonterminals: self.layout.nonterminals(),
            prediction: prediction.is_finite().then_some(prediction),
            sharpening: productions().map(|e| 1.0 - (2.0 * e - 1.0) * (2.0 * e - 1.0)).sum::<f64>() / entries,
            production_use: productions().sum::<f64>() / entries,
            accuracy: last.right as f64 / words,
            unsharp: productions().filter(|&e| e < sharp && e > 1.0 - sharp).count() as u64,
        }
    }
}

/// Adds what a word says of the beliefs in productions, given the gradient with respect to the last beliefs.
fn word_backward(
    d_weights: &mut Weights,
    mut d_u: Vec<f64>,
    weights: &Weights,
    clamp: bool,
    word: &[Letter],
    u: &[Vec<f64>], // [ℓ][n']
) {
    let n = d_u.len();
    for i in (1..word.len()).rev() {
        let (c, before) = (word[i].index(), &u[i - 1]);
        let mut d_before = vec![0.0; n];
        for (k, &d_z) in d_u.iter().enumerate() {
            let row = &weights.step[(c * n + k) * n..][..n];
            let z: f64 = row.iter().zip(before).map(|(w, u)| w * u).sum();
            // What was clamped does not move.
            if clamp && z > 1.0 {
                continue;
            }
            for j in 0..n {
                d_weights.step[(c * n + k) * n + j] += d_z * before[j];
                d_before[j] += d_z * row[j];
            }
        }
        d_u = d_before;
    }
    let c = word[0].index();
    d_weights.terminal[c * n..][..n].iter_mut().zip(&d_u).for_each(|(d, d_u)| *d += d_u);
}

/// Adam.
struct Adam {
    first: Vec<f64>,
    second: Vec<f64>,
    step: u64,
}

impl Adam {
    fn advance(&mut self, net: &mut Net, gradient: &[f64], rate: f64) {
        self.step += 1;
        let correction = |beta: f64| 1.0 - libm::pow(beta, self.step as f64);
        let (first, second) = (correction(BETA_1), correction(BETA_2));
        for (((number, d), m), v) in net.numbers().zip(gradient).zip(&mut self.first).zip(&mut self.second) {
            *m = BETA_1 * *m + (1.0 - BETA_1) * d;
            *v = BETA_2 * *v + (1.0 - BETA_2) * d * d;
            *number -= rate * (*m / first) / ((*v / second).sqrt() + EPSILON);
        }
    }
}

/// A number from the standard normal distribution: the method of Box and Muller.
fn normal(random: &mut impl Rng) -> f64 {
    let mut uniform = || ((random.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    let radius = (-2.0 * libm::log(uniform())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * uniform())
}

#[cfg(test)]
mod tests {
    use induction::model::reference::{Example, LossSettings, evaluate};
    use proptest::prelude::*;

    use super::*;

    /// Words over two letters, some of each length.
    fn words() -> Vec<(Vec<Letter>, bool)> {
        let word = |i: u32| (0..1 + i % 6).map(|j| Letter::new((i >> j & 1) as usize)).collect();
        (0..40).map(|i| (word(i * 7 + 3), i % 3 == 0)).collect()
    }

    fn net(selector: Selector, clamp: bool, seed: u64) -> (Net, Settings) {
        // Beliefs that are neither too small to matter nor clamped all of them.
        let settings = Settings {
            nonterminals: 3,
            seed,
            clamp,
            mean: -0.5,
            gamma: induction::training::Schedule::Constant(0.3),
            beta: induction::training::Schedule::Constant(0.2),
            slope_bound: 0.01,
            ..Settings::paper()
        };
        (Net::new(Layout::new(Shape::Nfa, 3, 2), selector, &settings), settings)
    }

    fn total(net: &Net, batch: &[(&[Letter], bool)], settings: &Settings) -> f64 {
        let (_, seen) = net.gradient(batch, settings, 0.0);
        let weights = Weights::of(net.layout, &net.parameters, 1.0);
        let model = net.model(&weights, &seen, 0.95);
        seen.loss / seen.words as f64 + 0.2 * model.sharpening + 0.3 * model.production_use
    }

    /// A register of as many letters as there are non-terminals but one, which says that a word has begun.
    fn register(nonterminals: usize) -> Option<Dfa> {
        let layout = Layout::new(Shape::Nfa, nonterminals, 2);
        let net = Net::new(layout, Selector::TwoLayers, &Settings { nonterminals, ..Settings::paper() });
        let mut weights = Weights::zeros(layout);
        let (n, begun) = (nonterminals, nonterminals - 1);
        for c in 0..2 {
            weights.terminal[c * n + begun] = 1.0;
            weights.step[(c * n + begun) * n + begun] = 1.0;
            (1..begun).for_each(|k| weights.step[(c * n + k) * n + k - 1] = 1.0);
        }
        weights.step[n * n + begun] = 1.0; // the second letter goes in
        net.read(&weights, &Alphabet::of_chars("ab"))
    }

    #[test]
    fn too_many_sets_are_not_read_off() {
        assert_eq!(register(5).map(|dfa| dfa.len()), Some(1 + (1 << 4)));
        assert_eq!(register(24), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// The softmax's gradient is that of the reference.
        #[test]
        fn with_the_softmax_it_is_the_reference(seed in 0_u64..1000, clamp in any::<bool>()) {
            let (net, settings) = net(Selector::Softmax, clamp, seed);
            let words = words();
            let batch: Vec<(&[Letter], bool)> = words.iter().map(|(word, label)| (&word[..], *label)).collect();
            let (gradient, seen) = net.gradient(&batch, &settings, 0.0);
            let example = |&(word, accepted): &(_, bool)| Example {
                word, accepted: f64::from(u8::from(accepted)), rejected: f64::from(u8::from(!accepted)),
            };
            let examples: Vec<Example> = batch.iter().map(example).collect();
            let loss = LossSettings { beta: 0.2, gamma: 0.3, temperature: 1.0, clamp, slope_bound: 0.01 };
            let expected = evaluate(net.layout, &net.parameters, &examples, &loss);
            prop_assert!((seen.loss / seen.words as f64 - expected.prediction).abs() < 1e-12);
            for (ours, theirs) in gradient.iter().zip(&expected.gradient) {
                prop_assert!((ours - theirs).abs() < 1e-12, "{} is not {}", ours, theirs);
            }
        }

        /// The gradient of a perceptron is what finite differences say.
        #[test]
        fn perceptrons_have_the_gradient_of_their_loss(seed in 0_u64..1000, three in any::<bool>()) {
            let selector = if three { Selector::ThreeLayers } else { Selector::TwoLayers };
            // Without the clamp, at which differences would stumble.
            let (mut net, settings) = net(selector, false, seed);
            let words = words();
            let batch: Vec<(&[Letter], bool)> = words.iter().map(|(word, label)| (&word[..], *label)).collect();
            let (gradient, _) = net.gradient(&batch, &settings, 0.0);
            prop_assert_eq!(gradient.len(), net.len());
            const STEP: f64 = 1e-6;
            for i in (0..net.len()).step_by(3) {
                let mut at = |change: f64| {
                    *net.numbers().nth(i).unwrap() += change;
                    total(&net, &batch, &settings)
                };
                let (above, below) = (at(STEP), at(-2.0 * STEP));
                at(STEP);
                let expected = (above - below) / (2.0 * STEP);
                prop_assert!((gradient[i] - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{}: {} is not {}", i, gradient[i], expected);
            }
        }
    }
}
