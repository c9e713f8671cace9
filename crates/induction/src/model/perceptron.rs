//! A perceptron as start selector: tanh in the hidden layers, σ at the output.
//!
//! Like the other units, it is a pair of functions: `forward` keeps the activations of every layer, `backward` adds to
//! the gradients of its parameters and of the beliefs it read.

use super::weights::sigmoid;
use super::{Layout, Selector};

/// The layers of a perceptron, first to last.
pub(crate) struct Perceptron<'a> {
    layers: Vec<Layer<'a>>,
}

/// One layer: y = bend(W x + b).
struct Layer<'a> {
    inputs: usize,
    /// `[outputs][inputs + 1]`, the bias last.
    numbers: &'a [f64],
}

impl<'a> Perceptron<'a> {
    /// The perceptron of this selector with these parameters; `None` if the selector is not a perceptron.
    pub(super) fn of(layout: Layout, selector: Selector, mut numbers: &'a [f64]) -> Option<Self> {
        let layer = |(inputs, outputs): (usize, usize)| {
            let (layer, rest) = numbers.split_at(outputs * (inputs + 1));
            numbers = rest;
            Layer { inputs, numbers: layer }
        };
        let layers: Vec<Layer> = selector.layers(layout).map(layer).collect();
        (!layers.is_empty()).then_some(Self { layers })
    }

    /// The input of each layer, followed by the output.
    pub(super) fn forward(&self, u: &[f64]) -> Vec<Vec<f64>> {
        let mut activations = vec![u.to_vec()];
        for (i, layer) in self.layers.iter().enumerate() {
            let x = &activations[i];
            let sum = |row: &[f64]| row[layer.inputs] + row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
            let bend = |z: f64| if self.is_last(i) { sigmoid(z) } else { libm::tanh(z) };
            let y = layer.numbers.chunks_exact(layer.inputs + 1).map(|row| bend(sum(row))).collect();
            activations.push(y);
        }
        activations
    }

    /// Adds to the gradients of its parameters and of the beliefs, given that of the output.
    pub(super) fn backward(&self, d_numbers: &mut [f64], d_u: &mut [f64], d_o: f64, activations: &[Vec<f64>]) {
        let mut d_y = vec![d_o];
        let mut end = d_numbers.len();
        for (i, layer) in self.layers.iter().enumerate().rev() {
            let (x, y) = (&activations[i], &activations[i + 1]);
            let slope = |y: f64| if self.is_last(i) { y * (1.0 - y) } else { 1.0 - y * y };
            let begin = end - layer.numbers.len();
            let d_rows = d_numbers[begin..end].chunks_exact_mut(layer.inputs + 1);
            let rows = layer.numbers.chunks_exact(layer.inputs + 1);
            let mut d_x = vec![0.0; layer.inputs];
            for (k, (row, d_row)) in rows.zip(d_rows).enumerate() {
                let d_z = d_y[k] * slope(y[k]);
                for j in 0..layer.inputs {
                    d_row[j] += d_z * x[j];
                    d_x[j] += d_z * row[j];
                }
                d_row[layer.inputs] += d_z;
            }
            (d_y, end) = (d_x, begin);
        }
        d_u.iter_mut().zip(d_y).for_each(|(d_u, d)| *d_u += d);
    }

    fn is_last(&self, layer: usize) -> bool {
        layer + 1 == self.layers.len()
    }
}
