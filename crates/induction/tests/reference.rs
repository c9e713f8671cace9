//! The reference against finite differences, hard grammars against their automata, and the paper's example.

use automata::{Alphabet, Body, Direction, Grammar, Letter, Nonterminal, Production};
use induction::model::reference::{Evaluation, Example, LossSettings, beliefs, evaluate};
use induction::model::{Layout, Selector, Shape, Weights};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The prediction loss of the paper, nothing else.
const PLAIN: LossSettings = LossSettings { beta: 0.0, gamma: 0.0, temperature: 1.0, clamp: true, slope_bound: 1e-6 };

fn letters(indices: &[usize]) -> Vec<Letter> {
    indices.iter().map(|&c| Letter::new(c)).collect()
}

fn accepted(word: &[Letter]) -> Example<'_> {
    Example { word, accepted: 1.0, rejected: 0.0 }
}

/// Uniform between −1 and 1.
fn uniform(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A model and examples to differentiate.
struct Case {
    layout: Layout,
    selector: Selector,
    parameters: Vec<f64>,
    words: Vec<Vec<Letter>>,
    settings: LossSettings,
}

impl Case {
    fn drawn(layout: Layout, selector: Selector, settings: LossSettings, random: &mut impl Rng) -> Self {
        // So that sums pass 1 often enough for the clamp, and do not run away without it.
        let centre = if settings.clamp { 0.3 } else { 0.3 - libm::log(layout.nonterminals() as f64) };
        let parameters = (0..selector.parameters(layout)).map(|_| centre + 2.0 * uniform(random)).collect();
        let mut letter = || Letter::new(random.next_u64() as usize % layout.letters());
        let words = (1..=7).map(|length| (0..length).map(|_| letter()).collect()).collect();
        Self { layout, selector, parameters, words, settings }
    }

    /// Labels of every sort: accepted, rejected, several times, both.
    fn examples(&self) -> Vec<Example<'_>> {
        let labels = [(1.0, 0.0), (0.0, 1.0), (2.0, 0.5)];
        let labelled = self.words.iter().zip(labels.into_iter().cycle());
        labelled.map(|(word, (accepted, rejected))| Example { word, accepted, rejected }).collect()
    }

    fn evaluate(&self, parameters: &[f64]) -> Evaluation {
        evaluate(self.layout, self.selector, parameters, &self.examples(), &self.settings)
    }

    /// On which side of every kink the parameters are: which sums the clamp cuts, which outputs the slope bound meets.
    fn sides(&self, parameters: &[f64]) -> (Vec<bool>, Vec<bool>) {
        let LossSettings { clamp, temperature, slope_bound, .. } = self.settings;
        let clamp = clamp && self.layout.shape() == Shape::Nfa;
        let weights = Weights::with_selector(self.layout, self.selector, parameters, temperature);
        let n = self.layout.nonterminals();
        let mut cut = Vec::new();
        for word in &self.words {
            let u = beliefs(&weights, clamp, word);
            for (before, letter) in u.iter().zip(&word[1..]) {
                let rows = weights.step[letter.index() * n * n..][..n * n].chunks(n);
                cut.extend(rows.map(|row| clamp && dot(row, before) > 1.0));
            }
        }
        let sides = |o: &f64| [*o < slope_bound, 1.0 - o < slope_bound];
        (cut, self.evaluate(parameters).outputs.iter().flat_map(sides).collect())
    }

    /// The parameters with one of them moved.
    fn moved(&self, at: usize, by: f64) -> Vec<f64> {
        let mut parameters = self.parameters.clone();
        parameters[at] += by;
        parameters
    }

    /// The derivative with respect to one parameter from five points, wrong by a term of fourth order in their distance;
    /// none if a kink is between them.
    fn difference(&self, at: usize) -> Option<f64> {
        const DISTANCE: f64 = 1e-4;
        let here = self.sides(&self.parameters);
        let smooth = |steps: f64| self.sides(&self.moved(at, steps * DISTANCE)) == here;
        if ![-2.0, -1.0, 1.0, 2.0].into_iter().all(smooth) {
            return None;
        }
        let total = |steps: f64| self.evaluate(&self.moved(at, steps * DISTANCE)).total;
        Some((8.0 * (total(1.0) - total(-1.0)) - (total(2.0) - total(-2.0))) / (12.0 * DISTANCE))
    }
}

#[test]
fn gradients_are_limits_of_differences() {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let (mut checked, mut kinks, mut cut, mut bounded) = (0, 0, 0, 0);
    let losses = [(0.0, 0.0), (0.05, 0.0), (0.0, 0.3), (2.0, 1.0)];
    let readings = [(1.0, 1e-6), (0.4, 0.05), (3.0, 0.3)];
    let shapes = [
        (Shape::Nfa, true, Selector::Softmax),
        (Shape::Nfa, false, Selector::Softmax),
        (Shape::Dfa, true, Selector::Softmax),
        (Shape::Dfa, false, Selector::Softmax),
        (Shape::Nfa, true, Selector::Fixed),
        (Shape::Nfa, true, Selector::TwoLayers),
        (Shape::Nfa, false, Selector::TwoLayers),
        (Shape::Nfa, true, Selector::ThreeLayers),
    ];
    for (n, t) in [(1, 1), (1, 3), (2, 2), (3, 1), (2, 4), (4, 3), (7, 2)] {
        for (shape, clamp, selector) in shapes {
            for (beta, gamma) in losses {
                for (temperature, slope_bound) in readings {
                    let layout = Layout::new(shape, n, t);
                    let settings = LossSettings { beta, gamma, temperature, clamp, slope_bound };
                    let case = Case::drawn(layout, selector, settings, &mut random);
                    let evaluation = case.evaluate(&case.parameters);
                    assert_eq!(evaluation.gradient.len(), selector.parameters(layout));
                    let (sums, outputs) = case.sides(&case.parameters);
                    cut += sums.into_iter().filter(|&side| side).count();
                    bounded += outputs.into_iter().filter(|&side| side).count();
                    // What the differences lose: a rounding of an output, as steep as the loss is there.
                    let lost = |o: f64| o.max(1.0) / o.min(1.0 - o).max(slope_bound);
                    let rounding = 4e-12 * evaluation.outputs.iter().copied().map(lost).fold(1.0, f64::max);
                    for (at, &ours) in evaluation.gradient.iter().enumerate() {
                        let Some(difference) = case.difference(at) else {
                            kinks += 1;
                            continue;
                        };
                        checked += 1;
                        let tolerance = 1e-7 * difference.abs() + rounding;
                        assert!(
                            (ours - difference).abs() <= tolerance,
                            "{layout:?} {selector:?} {settings:?} parameter {at}: {ours:e} is not {difference:e}"
                        );
                    }
                }
            }
        }
    }
    assert!(checked > 10_000 && kinks * 100 < checked, "{kinks} kinks beside {checked}");
    assert!(cut > 100 && bounded > 100, "clamped {cut} times, bounded {bounded} times");
}

#[test]
fn what_is_cut_by_the_clamp_hears_nothing() {
    // All beliefs about 0.88: after two letters every sum is 2 · 0.88² > 1.
    let layout = Layout::new(Shape::Nfa, 2, 1);
    let parameters = vec![2.0; layout.len()];
    let word = letters(&[0, 0]);
    let rejected = [Example { word: &word, accepted: 0.0, rejected: 1.0 }];
    let clamped = evaluate(layout, Selector::Softmax, &parameters, &rejected, &PLAIN);
    assert_eq!(clamped.outputs, [1.0]);
    assert_eq!(clamped.gradient, vec![0.0; layout.len()]);
    let free = evaluate(layout, Selector::Softmax, &parameters, &rejected, &LossSettings { clamp: false, ..PLAIN });
    assert!((free.outputs[0] - 1.5516).abs() < 1e-4, "{:?}", free.outputs);
    assert!(free.gradient[..layout.last(0)].iter().all(|&d| d > 0.0));

    // With A_2 → A_i a unbelieved only the sum of A_1 is cut, so the other two productions are all that is heard of.
    let mut parameters = parameters;
    parameters[layout.step(0, 1, 0)] = -2.0;
    parameters[layout.step(0, 1, 1)] = -3.0;
    let half = evaluate(layout, Selector::Softmax, &parameters, &rejected, &PLAIN);
    assert_eq!(half.gradient[layout.step(0, 0, 0)], 0.0);
    assert_eq!(half.gradient[layout.step(0, 0, 1)], 0.0);
    assert!(half.gradient[layout.step(0, 1, 0)] > 0.0 && half.gradient[layout.step(0, 1, 1)] > 0.0);
}

#[test]
fn the_papers_example_is_parsed_as_in_its_figure() {
    const HUGE: f64 = 1000.0;
    let layout = Layout::new(Shape::Nfa, 2, 3);
    let (a, c) = (0, 1);
    let mut parameters = vec![-HUGE; layout.len()];
    for (head, letter) in [(a, 0), (a, 1), (c, 2)] {
        parameters[layout.terminal(letter, head)] = HUGE;
    }
    for (head, body, letter) in [(a, a, 0), (a, a, 1), (c, a, 2), (c, c, 2)] {
        parameters[layout.step(letter, head, body)] = HUGE;
    }
    parameters[layout.last(c)] = HUGE;

    let weights = Weights::of(layout, &parameters, 1.0);
    let (abb, abcc) = (letters(&[0, 1, 1]), letters(&[0, 1, 2, 2]));
    assert_eq!(beliefs(&weights, true, &abb), [[1.0, 0.0]; 3]);
    assert_eq!(beliefs(&weights, true, &abcc), [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]);
    let evaluation = evaluate(layout, Selector::Softmax, &parameters, &[accepted(&abb), accepted(&abcc)], &PLAIN);
    assert_eq!(evaluation.outputs, [0.0, 1.0]);
    assert_eq!((evaluation.sharpening, evaluation.production_use), (0.0, 7.0 / 18.0));
}

/// All words of one to five letters, of which there are two.
fn all_words() -> Vec<Vec<Letter>> {
    let words = (1..=5).flat_map(|length| (0..1_usize << length).map(move |bits| (length, bits)));
    words.map(|(length, bits)| (0..length).map(|i| Letter::new(bits >> i & 1)).collect()).collect()
}

proptest! {
    #[test]
    fn hard_beliefs_accept_what_their_grammar_derives(
        n in 1..5_usize, start in 0..5_usize, present in prop::collection::vec(prop::bool::weighted(0.3), 2 * 4 * 5),
    ) {
        let layout = Layout::new(Shape::Nfa, n, 2);
        let mut parameters: Vec<f64> = (0..layout.len()).map(|at| if present[at % 40] { 900.0 } else { -900.0 }).collect();
        parameters[layout.last(0)..].fill(-900.0);
        parameters[layout.last(start % n)] = 900.0;
        let believed = |at: usize| parameters[at] > 0.0;

        let mut productions = Vec::new();
        for (letter, head) in (0..2).flat_map(|letter| (0..n).map(move |head| (letter, head))) {
            let (c, a) = (Letter::new(letter), Nonterminal::new(head));
            if believed(layout.terminal(letter, head)) {
                productions.push(Production { head: a, body: Body::Letter(c) });
            }
            let bodies = (0..n).filter(|&body| believed(layout.step(letter, head, body)));
            productions.extend(bodies.map(|b| Production { head: a, body: Body::Step(Nonterminal::new(b), c) }));
        }
        let names = (0..n).map(|k| format!("A{k}")).collect();
        let start = Nonterminal::new(start % n);
        let nfa = Grammar::new(Alphabet::of_chars("ab"), Direction::Left, names, start, productions).to_nfa();

        let words = all_words();
        let examples: Vec<Example> = words.iter().map(|word| accepted(word)).collect();
        let outputs = evaluate(layout, Selector::Softmax, &parameters, &examples, &PLAIN).outputs;
        for (word, output) in words.iter().zip(outputs) {
            prop_assert_eq!(output, if nfa.accepts(word) { 1.0 } else { 0.0 });
        }
    }

    #[test]
    fn hard_choices_are_a_deterministic_automaton(
        table in prop::collection::vec((0..4_usize, 0..4_usize, prop::bool::ANY), 4),
    ) {
        let layout = Layout::new(Shape::Dfa, 4, 2);
        let mut parameters = vec![-900.0; layout.len()];
        for (from, &(on_a, on_b, accepting)) in table.iter().enumerate() {
            parameters[layout.step(0, on_a, from)] = 900.0;
            parameters[layout.step(1, on_b, from)] = 900.0;
            parameters[layout.last(from)] = if accepting { 900.0 } else { -900.0 };
        }
        let words = all_words();
        let examples: Vec<Example> = words.iter().map(|word| accepted(word)).collect();
        let outputs = evaluate(layout, Selector::Softmax, &parameters, &examples, &PLAIN).outputs;
        for (word, output) in words.iter().zip(outputs) {
            let end = word.iter().fold(0, |q, letter| if letter.index() == 0 { table[q].0 } else { table[q].1 });
            prop_assert_eq!(output, if table[end].2 { 1.0 } else { 0.0 });
        }
    }
}

#[test]
fn long_words_are_read_to_their_end() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for shape in [Shape::Nfa, Shape::Dfa] {
        let layout = Layout::new(shape, 4, 2);
        let parameters: Vec<f64> = (0..layout.len()).map(|_| uniform(&mut random)).collect();
        let word: Vec<Letter> = (0..10_000).map(|_| Letter::new(random.next_u64() as usize % 2)).collect();
        let u = beliefs(&Weights::of(layout, &parameters, 1.0), shape == Shape::Nfa, &word);
        assert_eq!(u.len(), word.len());
        if shape == Shape::Dfa {
            assert!(u.iter().all(|u| (u.iter().sum::<f64>() - 1.0).abs() < 1e-10), "states share a belief of 1");
        }
        let evaluation = evaluate(layout, Selector::Softmax, &parameters, &[accepted(&word)], &PLAIN);
        assert!(evaluation.outputs[0] > 0.0 && evaluation.outputs[0] < 1.0 + 1e-9);
        assert!(evaluation.gradient.iter().all(|d| d.is_finite()));
    }
}

#[test]
fn weights_count_as_repetitions() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let layout = Layout::new(Shape::Nfa, 3, 2);
    let case = Case::drawn(layout, Selector::Softmax, PLAIN, &mut random);
    let (one, other) = (&case.words[2], &case.words[4]);
    let rejected = Example { word: other, accepted: 0.0, rejected: 1.0 };
    let repeated = [accepted(one), accepted(one), rejected];
    let weighted = [Example { accepted: 2.0, ..accepted(one) }, rejected];
    let repeated = evaluate(layout, Selector::Softmax, &case.parameters, &repeated, &PLAIN);
    let weighted = evaluate(layout, Selector::Softmax, &case.parameters, &weighted, &PLAIN);
    assert!((repeated.total - weighted.total).abs() < 1e-14);
    for (a, b) in repeated.gradient.iter().zip(&weighted.gradient) {
        assert!((a - b).abs() < 1e-14);
    }
}

#[test]
fn without_examples_only_the_grammar_counts() {
    let settings = LossSettings { beta: 0.5, gamma: 0.25, ..PLAIN };
    for shape in [Shape::Nfa, Shape::Dfa] {
        let layout = Layout::new(shape, 2, 2);
        // Every belief is 1/2, also that of a choice between two.
        let evaluation = evaluate(layout, Selector::Softmax, &vec![0.0; layout.len()], &[], &settings);
        assert_eq!(evaluation.prediction, 0.0);
        assert_eq!((evaluation.sharpening, evaluation.production_use), (1.0, 0.5));
        assert_eq!(evaluation.total, 0.625);
        assert!(evaluation.gradient.iter().all(|d| d.is_finite()));
    }
}

#[test]
fn the_deterministic_shape_never_clamps() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let layout = Layout::new(Shape::Dfa, 3, 2);
    // The letter b leads to the first state from everywhere, so the belief in that is 1, or a rounding more.
    let word = letters(&[0, 0, 0, 1]);
    let mut above = 0;
    for _ in 0..100 {
        let mut parameters: Vec<f64> = (0..layout.len()).map(|_| uniform(&mut random)).collect();
        (0..3).for_each(|from| parameters[layout.step(1, 0, from)] = 900.0);
        let evaluated = |clamp| {
            let settings = LossSettings { clamp, ..PLAIN };
            evaluate(layout, Selector::Softmax, &parameters, &[accepted(&word)], &settings)
        };
        assert_eq!(evaluated(true), evaluated(false));
        let u = beliefs(&Weights::of(layout, &parameters, 1.0), false, &word);
        above += usize::from(u[3][0] > 1.0);
    }
    assert!(above > 0, "none of the beliefs was rounded above 1");
}
