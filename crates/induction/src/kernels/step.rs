//! One training step for as many restarts as a register has lanes: beliefs, losses, gradients, update.
//!
//! Shapes are given beside the buffers; each element is a vector of lanes. Nothing here allocates.

use fearless_simd::prelude::*;

use super::math::{exp, ln, sigmoid};
use super::plan::{End, Plan};
use super::propagate::{Letter, accumulate, clamped, forward, pull};
use super::{Instructions, V, splat};
use crate::model::{Layout, Shape};
use crate::training::{self, Step};

/// The settings of a step, as the kernels' numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSettings {
    pub(crate) beta: f32,
    pub(crate) gamma: f32,
    pub(crate) temperature: f32,
    pub(crate) clamp: bool,
    pub(crate) slope_bound: f32,
    pub(crate) adam: Adam,
}

/// The constants of Adam's update, including bias correction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adam {
    /// The learning rate over 1 − β₁ᵗ.
    pub(crate) rate: f32,
    /// 1 / √(1 − β₂ᵗ).
    pub(crate) scale: f32,
}

impl StepSettings {
    pub(crate) fn of(step: &Step) -> Self {
        // Use the constants rounded to `f32`, by which the moments decay.
        let correction = |beta: f32| 1.0 - libm::pow(f64::from(beta), (step.number + 1) as f64);
        Self {
            beta: step.beta as f32,
            gamma: step.gamma as f32,
            temperature: step.temperature as f32,
            clamp: step.clamp,
            slope_bound: step.slope_bound as f32,
            adam: Adam {
                rate: (step.learning_rate / correction(BETA_1)) as f32,
                scale: (1.0 / correction(BETA_2).sqrt()) as f32,
            },
        }
    }
}

const BETA_1: f32 = training::BETA_1 as f32;
const BETA_2: f32 = training::BETA_2 as f32;
const EPSILON: f32 = training::EPSILON as f32;

/// Smaller beliefs count as 0, so that products of three beliefs are still normal numbers: subnormal ones cost a
/// hundred times as much.
const NEGLIGIBLE_BELIEF: f32 = 1.0 / (1u64 << 40) as f32;
/// The same for gradients: Adam's ε suppresses smaller ones anyway, and a thousandth of their square, which enters its
/// second moment, is still a normal number.
const NEGLIGIBLE_GRADIENT: f32 = 1.0 / (1u64 << 50) as f32;

/// The training state: parameters and Adam's two moments, each `[layout.len()]`.
pub(crate) struct Lanes<S: Instructions> {
    pub(crate) parameters: Vec<V<S>>,
    pub(crate) first: Vec<V<S>>,
    pub(crate) second: Vec<V<S>>,
    /// Lanes still being trained, one bit each.
    pub(crate) active: u64,
}

/// Properties of a lane's parameters that do not depend on the examples.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inspection {
    /// S.
    pub(crate) sharpening: f32,
    /// U.
    pub(crate) production_use: f32,
    /// The number of entries that are neither near 0 nor near 1.
    pub(crate) unsharp: u32,
}

/// The report of a step for each lane, summed over the examples.
#[derive(Clone, Copy)]
pub(crate) struct Report<S: Instructions> {
    pub(crate) loss: V<S>,
    pub(crate) wrong: V<S>,
}

/// Beliefs in productions, or gradients with respect to them.
struct Productions<S: Instructions> {
    /// `[t][n']`.
    terminal: Vec<V<S>>,
    /// `[t][n'][n']`.
    step: Vec<V<S>>,
    /// `[n']`.
    last: Vec<V<S>>,
}

impl<S: Instructions> Productions<S> {
    fn zeros(simd: S, layout: Layout) -> Self {
        let (n, t) = (layout.nonterminals(), layout.letters());
        let zeros = |len| vec![splat(simd, 0.0); len];
        Self { terminal: zeros(t * n), step: zeros(t * n * n), last: zeros(n) }
    }
}

/// Working memory, reused by every step and every block.
pub(crate) struct Workspace<S: Instructions> {
    layout: Layout,
    beliefs: Productions<S>,
    gradients: Productions<S>,
    /// `[slots][n']`: the value of each slot before the clamp.
    z: Vec<V<S>>,
    /// `[widest level][n']`, twice: gradients with respect to z, of one level and of the one before.
    level_gradients: [Vec<V<S>>; 2],
    /// `[layout.len()]`: the gradient with respect to the parameters.
    parameter_gradient: Vec<V<S>>,
}

impl<S: Instructions> Workspace<S> {
    /// Memory for plans with at most this many slots, in total and on one level.
    pub(crate) fn new(simd: S, layout: Layout, slots: usize, width: usize) -> Self {
        let n = layout.nonterminals();
        let zeros = |len| vec![splat(simd, 0.0); len];
        Self {
            layout,
            beliefs: Productions::zeros(simd, layout),
            gradients: Productions::zeros(simd, layout),
            z: zeros(slots * n),
            level_gradients: [zeros(width * n), zeros(width * n)],
            parameter_gradient: zeros(layout.len()),
        }
    }

    /// One step: the gradient over all examples of the batch, and one update.
    pub(crate) fn step(
        &mut self,
        simd: S,
        lanes: &mut Lanes<S>,
        plans: &[Plan],
        examples: f32,
        settings: &StepSettings,
    ) -> Report<S> {
        simd.vectorize(
            #[inline(always)]
            || self.activate(simd, &lanes.parameters, settings.temperature),
        );
        let mut report = self.propagate(simd, plans, examples, settings);
        simd.vectorize(
            #[inline(always)]
            || {
                self.backward_activation(simd, settings);
                report.loss = self.loss_if_sound(simd, report.loss);
                self.update(simd, lanes, &settings.adam, report.loss);
            },
        );
        report
    }

    /// The gradient of the last step.
    #[cfg(test)]
    pub(crate) fn parameter_gradient(&self) -> &[V<S>] {
        &self.parameter_gradient
    }

    /// The properties of each lane's parameters.
    pub(crate) fn inspect(
        &mut self,
        simd: S,
        lanes: &Lanes<S>,
        temperature: f32,
        sharp: f32,
    ) -> [Inspection; super::LANES] {
        let mut inspections = [Inspection::default(); super::LANES];
        simd.vectorize(
            #[inline(always)]
            || {
                self.activate(simd, &lanes.parameters, temperature);
                let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
                let (mut sharpening, mut production_use, mut unsharp) = (zero, zero, zero);
                let Productions { terminal, step, last } = &self.beliefs;
                let (terminal, last): (&[V<S>], &[V<S>]) = match self.layout.shape() {
                    Shape::Nfa => (terminal, &[]),
                    Shape::Dfa => (&[], last),
                };
                for &belief in terminal.iter().chain(step).chain(last) {
                    let side = belief + belief - one;
                    sharpening += one - side * side;
                    production_use += belief;
                    let is_sharp = side.abs().simd_ge(splat(simd, sharp + sharp - 1.0));
                    unsharp += is_sharp.select(zero, one);
                }
                let share = splat(simd, 1.0 / self.layout.entries() as f32);
                let (sharpening, production_use) = (sharpening * share, production_use * share);
                for (lane, inspection) in inspections.iter_mut().enumerate().take(V::<S>::LEN) {
                    *inspection = Inspection {
                        sharpening: sharpening.as_slice()[lane],
                        production_use: production_use.as_slice()[lane],
                        unsharp: unsharp.as_slice()[lane] as u32,
                    };
                }
            },
        );
        inspections
    }

    /// Computes beliefs from parameters: σ or softmax.
    #[inline(always)]
    fn activate(&mut self, simd: S, parameters: &[V<S>], temperature: f32) {
        let (n, t) = (self.layout.nonterminals(), self.layout.letters());
        let inverse = splat(simd, 1.0 / temperature);
        let (productions, last) = parameters.split_at(self.layout.last(0));
        match self.layout.shape() {
            Shape::Nfa => {
                let (terminal, step) = productions.split_at(t * n);
                let beliefs = self.beliefs.terminal.iter_mut().chain(&mut self.beliefs.step);
                for (belief, &parameter) in beliefs.zip(terminal.iter().chain(step)) {
                    *belief = without_negligible(simd, sigmoid(simd, parameter * inverse), NEGLIGIBLE_BELIEF);
                }
                self.beliefs.last.copy_from_slice(last);
                softmax(simd, &mut self.beliefs.last, 1);
            }
            Shape::Dfa => {
                for (belief, &parameter) in self.beliefs.step.iter_mut().zip(productions) {
                    *belief = parameter * inverse;
                }
                for matrix in self.beliefs.step.chunks_exact_mut(n * n) {
                    for i in 0..n {
                        softmax(simd, &mut matrix[i..], n);
                    }
                }
                // Words start in A_1, so the first letter takes the first column.
                for (terminal, head) in self.beliefs.terminal.iter_mut().zip(self.beliefs.step.chunks_exact(n)) {
                    *terminal = head[0];
                }
                for (belief, &parameter) in self.beliefs.last.iter_mut().zip(last) {
                    *belief = sigmoid(simd, parameter);
                }
            }
        }
    }

    /// The gradient with respect to beliefs, and the report, over all plans.
    fn propagate(&mut self, simd: S, plans: &[Plan], examples: f32, settings: &StepSettings) -> Report<S> {
        let zero = splat(simd, 0.0);
        let Productions { terminal, step, last } = &mut self.gradients;
        terminal.fill(zero);
        step.fill(zero);
        last.fill(zero);
        let mut report = Report { loss: zero, wrong: zero };
        let share = 1.0 / examples;
        for plan in plans {
            if settings.clamp {
                self.propagate_sized::<true>(simd, plan, share, settings.slope_bound, &mut report);
            } else {
                self.propagate_sized::<false>(simd, plan, share, settings.slope_bound, &mut report);
            }
        }
        report
    }

    /// Small numbers of non-terminals have specialised code.
    fn propagate_sized<const CLAMP: bool>(
        &mut self,
        simd: S,
        plan: &Plan,
        share: f32,
        bound: f32,
        report: &mut Report<S>,
    ) {
        macro_rules! sized {
            ($($n:literal)*) => {
                match self.layout.nonterminals() {
                    $($n if const { S::REGISTERS > 0 } => simd.vectorize(
                        #[inline(always)]
                        || self.propagate_plan::<$n, CLAMP>(simd, plan, share, bound, report),
                    ),)*
                    _ => simd.vectorize(
                        #[inline(always)]
                        || self.propagate_plan::<0, CLAMP>(simd, plan, share, bound, report),
                    ),
                }
            };
        }
        sized!(2 3 4 5 6 8);
    }

    #[inline(always)]
    fn propagate_plan<const N: usize, const CLAMP: bool>(
        &mut self,
        simd: S,
        plan: &Plan,
        share: f32,
        bound: f32,
        report: &mut Report<S>,
    ) {
        let n = if const { N > 0 } { N } else { self.layout.nonterminals() };
        let Self { beliefs, gradients, z, level_gradients, .. } = self;
        let letter = |group: &super::plan::Group| Letter {
            n,
            matrix: &beliefs.step[group.letter as usize * n * n..][..n * n],
            parents: &plan.parents,
            group: *group,
        };
        let Some((first_level, later_levels)) = plan.levels.split_first() else { return };

        for group in &plan.groups[first_level.groups.clone()] {
            let terminal = &beliefs.terminal[group.letter as usize * n..][..n];
            for row in z[group.begin as usize * n..group.end as usize * n].chunks_exact_mut(n) {
                row.copy_from_slice(terminal);
            }
        }
        for level in later_levels {
            let (before, rows) = z.split_at_mut(level.slots.start * n);
            for group in &plan.groups[level.groups.clone()] {
                forward::<S, N, CLAMP>(simd, &letter(group), before, rows, level.slots.start);
            }
        }

        let [mut current, mut above] = level_gradients.each_mut();
        for (l, level) in plan.levels.iter().enumerate().rev() {
            let first = level.slots.start;
            for end in &plan.ends[level.ends.clone()] {
                let slot = end.slot as usize;
                let row = &z[slot * n..][..n];
                let gradient = &mut current[(slot - first) * n..][..n];
                select_start::<S, CLAMP>(
                    simd,
                    end,
                    share,
                    bound,
                    row,
                    &beliefs.last[..n],
                    &mut gradients.last[..n],
                    gradient,
                    report,
                );
            }
            if l == 0 {
                break;
            }
            let first_above = plan.levels[l - 1].slots.start;
            for group in &plan.groups[level.groups.clone()] {
                let letter = letter(group);
                let matrix_gradient = &mut gradients.step[group.letter as usize * n * n..][..n * n];
                accumulate::<S, N, CLAMP>(simd, &letter, z, current, first, matrix_gradient);
                pull::<S, N, CLAMP>(simd, &letter, z, current, first, above, first_above);
            }
            std::mem::swap(&mut current, &mut above);
        }
        for group in &plan.groups[first_level.groups.clone()] {
            let terminal = &mut gradients.terminal[group.letter as usize * n..][..n];
            for row in current[group.begin as usize * n..group.end as usize * n].chunks_exact(n) {
                for (sum, &gradient) in terminal.iter_mut().zip(row) {
                    *sum += gradient;
                }
            }
        }
    }

    /// From the gradient with respect to beliefs to that with respect to parameters, adding the other two losses.
    #[inline(always)]
    fn backward_activation(&mut self, simd: S, settings: &StepSettings) {
        let (n, t) = (self.layout.nonterminals(), self.layout.letters());
        let inverse = splat(simd, 1.0 / settings.temperature);
        let entries = self.layout.entries() as f32;
        // β S and γ U, with S(e) = 1 − (2e − 1)², have the slope (4β (1 − 2e) + γ) / entries.
        let line = Line::<S> {
            constant: splat(simd, (4.0 * settings.beta + settings.gamma) / entries),
            linear: splat(simd, -8.0 * settings.beta / entries),
        };
        let Self { beliefs, gradients, parameter_gradient, .. } = self;
        let (productions, last) = parameter_gradient.split_at_mut(self.layout.last(0));
        match self.layout.shape() {
            Shape::Nfa => {
                let (terminal, step) = productions.split_at_mut(t * n);
                let out = terminal.iter_mut().chain(step);
                let beliefs_in = beliefs.terminal.iter().chain(&beliefs.step);
                let gradients_in = gradients.terminal.iter().chain(&gradients.step);
                for ((out, &belief), &gradient) in out.zip(beliefs_in).zip(gradients_in) {
                    *out = through_sigmoid(simd, belief, gradient + line.at(belief)) * inverse;
                }
                last.copy_from_slice(&gradients.last);
                backward_softmax(simd, &beliefs.last, last, 1);
            }
            Shape::Dfa => {
                for ((out, &belief), &gradient) in productions.iter_mut().zip(&beliefs.step).zip(&gradients.step) {
                    *out = gradient + line.at(belief);
                }
                for (head, &gradient) in productions.chunks_exact_mut(n).zip(&gradients.terminal) {
                    head[0] += gradient;
                }
                for (beliefs, out) in beliefs.step.chunks_exact(n * n).zip(productions.chunks_exact_mut(n * n)) {
                    for i in 0..n {
                        backward_softmax(simd, &beliefs[i..], &mut out[i..], n);
                    }
                }
                for out in productions.iter_mut() {
                    *out *= inverse;
                }
                for ((out, &belief), &gradient) in last.iter_mut().zip(&beliefs.last).zip(&gradients.last) {
                    *out = through_sigmoid(simd, belief, gradient + line.at(belief));
                }
            }
        }
    }

    /// The loss, or NaN where the square of a gradient, which Adam takes, is not finite.
    #[inline(always)]
    fn loss_if_sound(&self, simd: S, loss: V<S>) -> V<S> {
        let zero = splat(simd, 0.0);
        // Several sums, for instruction-level parallelism.
        let mut squares = [zero; 8];
        for gradients in self.parameter_gradient.chunks(8) {
            for (sum, &gradient) in squares.iter_mut().zip(gradients) {
                let gradient = without_negligible(simd, gradient, NEGLIGIBLE_GRADIENT);
                *sum = gradient.mul_add_precise(gradient, *sum);
            }
        }
        let mut sound = loss;
        for sum in squares {
            sound = sum.mul_add_precise(zero, sound);
        }
        sound
    }

    /// Adam. Lanes that are stopped, or whose loss is not finite, stay unchanged.
    #[inline(always)]
    fn update(&mut self, simd: S, lanes: &mut Lanes<S>, adam: &Adam, loss: V<S>) {
        let active = S::mask32s::from_bitmask(simd, lanes.active) & loss.is_finite();
        let (rate, scale, epsilon) = (splat(simd, -adam.rate), splat(simd, adam.scale), splat(simd, EPSILON));
        let gradients = self.parameter_gradient.iter();
        let moments = lanes.first.iter_mut().zip(&mut lanes.second);
        for ((parameter, (first, second)), &gradient) in lanes.parameters.iter_mut().zip(moments).zip(gradients) {
            let gradient = without_negligible(simd, gradient, NEGLIGIBLE_GRADIENT);
            let m = first.mul_add_precise(splat(simd, BETA_1), gradient * splat(simd, 1.0 - BETA_1));
            let v = second.mul_add_precise(splat(simd, BETA_2), gradient * gradient * splat(simd, 1.0 - BETA_2));
            let m = without_negligible(simd, m, f32::MIN_POSITIVE * 1e8);
            let v = without_negligible(simd, v, f32::MIN_POSITIVE * 1e3);
            let denominator = v.sqrt().mul_add_precise(scale, epsilon);
            let moved = (m / denominator).mul_add_precise(rate, *parameter);
            *parameter = active.select(moved, *parameter);
            *first = active.select(m, *first);
            *second = active.select(v, *second);
        }
    }
}

/// The Start Selector Unit at the end of a word, its cross-entropy, and both backward.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "one unit with its loss: two inputs, three results")]
fn select_start<S: Instructions, const CLAMP: bool>(
    simd: S,
    end: &End,
    share: f32,
    bound: f32,
    z: &[V<S>],
    last: &[V<S>],
    last_gradient: &mut [V<S>],
    gradient: &mut [V<S>],
    report: &mut Report<S>,
) {
    let (zero, one) = (splat(simd, 0.0), splat(simd, 1.0));
    let mut output = zero;
    for (&last, &z) in last.iter().zip(z) {
        output = last.mul_add_precise(clamped::<S, CLAMP>(simd, z), output);
    }
    let mut slope = zero;
    let mut loss = report.loss;
    let half = splat(simd, 0.5);
    if end.accepted > 0.0 {
        let (steepness, value) = cross_entropy(simd, output, bound, end.accepted, share);
        slope -= steepness;
        loss += value;
        report.wrong += output.simd_lt(half).select(splat(simd, end.accepted), zero);
    }
    if end.rejected > 0.0 {
        let (steepness, value) = cross_entropy(simd, one - output, bound, end.rejected, share);
        slope += steepness;
        loss += value;
        report.wrong += output.simd_lt(half).select(zero, splat(simd, end.rejected));
    }
    report.loss = loss;
    for k in 0..last.len() {
        last_gradient[k] = slope.mul_add_precise(clamped::<S, CLAMP>(simd, z[k]), last_gradient[k]);
        let direct = slope * last[k];
        let sum = if end.adds { gradient[k] + direct } else { direct };
        gradient[k] = if CLAMP { z[k].simd_le(one).select(sum, zero) } else { sum };
    }
}

/// The negative slope, times `share`, and the value of `times` the cross-entropy of the belief x in the true label:
/// −ln x above the bound and its tangent below.
#[inline(always)]
fn cross_entropy<S: Instructions>(simd: S, x: V<S>, bound: f32, times: f32, share: f32) -> (V<S>, V<S>) {
    let bounded = x.max(splat(simd, bound));
    let value = (bounded - x) * splat(simd, 1.0 / bound) - ln(simd, bounded);
    (splat(simd, times * share) / bounded, value * splat(simd, times))
}

/// The slope of β S + γ U with respect to one entry: a line in the entry.
#[derive(Clone, Copy)]
struct Line<S: Instructions> {
    constant: V<S>,
    linear: V<S>,
}

impl<S: Instructions> Line<S> {
    #[inline(always)]
    fn at(&self, belief: V<S>) -> V<S> {
        belief.mul_add_precise(self.linear, self.constant)
    }
}

/// From the gradient with respect to σ to that with respect to its argument.
#[inline(always)]
fn through_sigmoid<S: Instructions>(simd: S, belief: V<S>, gradient: V<S>) -> V<S> {
    gradient * belief * (splat(simd, 1.0) - belief)
}

/// Softmax over every `stride`-th entry, in place.
#[inline(always)]
fn softmax<S: Instructions>(simd: S, x: &mut [V<S>], stride: usize) {
    let mut largest = x[0];
    for &x in x.iter().step_by(stride) {
        largest = largest.max(x);
    }
    let mut sum = splat(simd, 0.0);
    for x in x.iter_mut().step_by(stride) {
        *x = exp(simd, *x - largest);
        sum += *x;
    }
    let inverse = splat(simd, 1.0) / sum;
    for x in x.iter_mut().step_by(stride) {
        *x = without_negligible(simd, *x * inverse, NEGLIGIBLE_BELIEF);
    }
}

/// From the gradient with respect to a softmax's results to that with respect to its arguments, in place.
#[inline(always)]
fn backward_softmax<S: Instructions>(simd: S, results: &[V<S>], gradient: &mut [V<S>], stride: usize) {
    let mut mean = splat(simd, 0.0);
    for (&result, &gradient) in results.iter().zip(gradient.iter()).step_by(stride) {
        mean = result.mul_add_precise(gradient, mean);
    }
    for (&result, gradient) in results.iter().zip(gradient).step_by(stride) {
        *gradient = result * (*gradient - mean);
    }
}

/// Zero where |x| is below the limit; NaN stays NaN.
#[inline(always)]
fn without_negligible<S: Instructions>(simd: S, x: V<S>, limit: f32) -> V<S> {
    x.abs().simd_lt(splat(simd, limit)).select(splat(simd, 0.0), x)
}
