//! The reference against PyTorch: outputs, losses and gradients of `scripts/reference_model.py`, which has the model
//! from the paper's formulas and its derivatives from autograd.

use automata::Letter;
use induction::model::reference::{Evaluation, Example, LossSettings, evaluate};
use induction::model::{Layout, Selector, Shape};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    shape: Shape,
    nonterminals: usize,
    letters: usize,
    settings: Settings,
    parameters: Tensors,
    examples: Vec<Labelled>,
    /// How many sums the clamp cut.
    cut_by_clamp: usize,
    /// How many outputs were so wrong that the slope bound was met.
    beyond_slope_bound: usize,
    outputs: Vec<f64>,
    prediction: f64,
    sharpening: f64,
    production_use: f64,
    total: f64,
    gradients: Tensors,
}

#[derive(Deserialize)]
struct Settings {
    beta: f64,
    gamma: f64,
    temperature: f64,
    clamp: bool,
    slope_bound: f64,
}

#[derive(Deserialize)]
struct Labelled {
    word: Vec<usize>,
    accepted: f64,
    rejected: f64,
}

/// Parameters, or their gradients, in the paper's order: the letter last.
#[derive(Deserialize)]
#[serde(untagged)]
enum Tensors {
    Nfa {
        #[serde(rename = "P_T")]
        p_t: Vec<Vec<f64>>,
        #[serde(rename = "P_N")]
        p_n: Vec<Vec<Vec<f64>>>,
        s: Vec<f64>,
    },
    Dfa {
        transitions: Vec<Vec<Vec<f64>>>,
        acceptance: Vec<f64>,
    },
}

impl Tensors {
    /// The same in the order of the layout.
    fn in_order_of(&self, layout: Layout) -> Vec<f64> {
        let mut ordered = vec![f64::NAN; layout.len()];
        let (step, last) = match self {
            Self::Nfa { p_t, p_n, s } => {
                for (k, row) in p_t.iter().enumerate() {
                    for (c, &entry) in row.iter().enumerate() {
                        ordered[layout.terminal(c, k)] = entry;
                    }
                }
                (p_n, s)
            }
            Self::Dfa { transitions, acceptance } => (transitions, acceptance),
        };
        for (k, matrix) in step.iter().enumerate() {
            for (i, row) in matrix.iter().enumerate() {
                for (c, &entry) in row.iter().enumerate() {
                    ordered[layout.step(c, k, i)] = entry;
                }
            }
        }
        for (k, &entry) in last.iter().enumerate() {
            ordered[layout.last(k)] = entry;
        }
        assert!(ordered.iter().all(|entry| !entry.is_nan()), "every parameter was given");
        ordered
    }
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../testdata/model/reference.json");
    serde_json::from_str::<File>(text).expect("the file is as the script writes it").cases
}

fn evaluated(case: &Case, layout: Layout) -> Evaluation {
    let words: Vec<Vec<Letter>> =
        case.examples.iter().map(|example| example.word.iter().map(|&c| Letter::new(c)).collect()).collect();
    let examples: Vec<Example> = case
        .examples
        .iter()
        .zip(&words)
        .map(|(&Labelled { accepted, rejected, .. }, word)| Example { word, accepted, rejected })
        .collect();
    let Settings { beta, gamma, temperature, clamp, slope_bound } = case.settings;
    let settings = LossSettings { beta, gamma, temperature, clamp, slope_bound };
    evaluate(layout, Selector::Softmax, &case.parameters.in_order_of(layout), &examples, &settings)
}

/// Equal but for rounding: to eleven digits, and where large terms cancel, to a rounding error of these.
fn assert_close(case: &Case, what: &str, ours: &[f64], theirs: &[f64]) {
    let name = &case.name;
    assert_eq!(ours.len(), theirs.len(), "{name}: {what}");
    let largest = theirs.iter().fold(steepest(case), |largest, x| largest.max(x.abs()));
    for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        let tolerance = 1e-11 * theirs.abs() + f64::EPSILON * largest;
        assert!((ours - theirs).abs() <= tolerance, "{name}: {what} {at}: {ours:e} is not {theirs:e}");
    }
}

/// The steepest slope of the cross-entropy in a case, which all that is added up to its gradients is a multiple of.
fn steepest(case: &Case) -> f64 {
    let slope = |x: f64| 1.0 / x.max(case.settings.slope_bound);
    case.outputs.iter().fold(1.0, |steepest, &o| slope(o).max(slope(1.0 - o)).max(steepest))
}

#[test]
fn outputs_losses_and_gradients_are_those_of_pytorch() {
    for case in cases() {
        let layout = Layout::new(case.shape, case.nonterminals, case.letters);
        let ours = evaluated(&case, layout);
        assert_close(&case, "output", &ours.outputs, &case.outputs);
        assert_close(&case, "prediction loss", &[ours.prediction], &[case.prediction]);
        assert_close(&case, "sharpening loss", &[ours.sharpening], &[case.sharpening]);
        assert_close(&case, "production-use loss", &[ours.production_use], &[case.production_use]);
        assert_close(&case, "total loss", &[ours.total], &[case.total]);
        assert_close(&case, "gradient", &ours.gradient, &case.gradients.in_order_of(layout));
    }
}

#[test]
fn the_cases_reach_every_branch() {
    let cases = cases();
    let some = |what: &str, condition: fn(&Case) -> bool| {
        let count = cases.iter().filter(|case| condition(case)).count();
        assert!(count >= 5, "{what}: {count}");
    };
    assert!(cases.len() >= 36);
    some("the clamp cuts", |case| case.cut_by_clamp > 0);
    some("outputs above 1, not clamped", |case| case.outputs.iter().any(|&o| o > 1.5));
    some("the slope bound is met", |case| case.beyond_slope_bound > 0);
    some("shape nfa at a temperature", |case| case.shape == Shape::Nfa && case.settings.temperature != 1.0);
    some("shape dfa at a temperature", |case| case.shape == Shape::Dfa && case.settings.temperature != 1.0);
    some("shape nfa with all losses", |case| {
        case.shape == Shape::Nfa && case.settings.beta * case.settings.gamma > 0.0
    });
    some("shape dfa with all losses", |case| {
        case.shape == Shape::Dfa && case.settings.beta * case.settings.gamma > 0.0
    });
    some("prediction alone", |case| case.settings.beta == 0.0 && case.settings.gamma == 0.0);
}
