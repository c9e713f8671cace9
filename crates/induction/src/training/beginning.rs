//! Initialisation of restarts: at random, or near a grammar.
//!
//! Initial values are `f32` numbers, so that every population starts from the same ones.

use super::{Restart, Settings, Trainer};
use crate::extraction;
use crate::model::{Layout, Selector, Shape};
use crate::random;
use crate::repair::{Flip, Productions};

/// The restart with this number, before its first step.
pub(super) fn at_random(settings: &Settings, layout: Layout, selector: Selector, restart: usize) -> Restart {
    let mut random = random::stream(settings.seed, restart as u64);
    let mut draw = |mean: f64, deviation: f64| f64::from((mean + deviation * random::normal(&mut random)) as f32);
    let beliefs = match selector {
        Selector::Softmax => layout.len(),
        Selector::Fixed | Selector::TwoLayers | Selector::ThreeLayers => layout.last(0),
    };
    let mut parameters = Vec::with_capacity(selector.parameters(layout));
    parameters.extend((0..beliefs).map(|_| draw(settings.mean, settings.deviation)));
    for (inputs, outputs) in selector.layers(layout) {
        // Keeps sums at about the same size for any number of inputs.
        let deviation = 1.0 / (inputs as f64).sqrt();
        parameters.extend((0..outputs * (inputs + 1)).map(|_| draw(0.0, deviation)));
    }
    Restart::new(parameters)
}

impl Trainer {
    /// Initialises all restarts near a grammar with at most n' non-terminals: its productions are believed, others are
    /// not, both weakly and with different noise in each restart. The remaining non-terminals keep their random values.
    pub(crate) fn begin_from(&mut self, productions: &Productions) {
        for restart in 0..self.settings.restarts {
            let mut changed = self.population.restart(restart);
            self.believe(productions, &mut changed.parameters);
            self.population.set_restart(restart, &changed);
        }
    }

    fn believe(&self, productions: &Productions, parameters: &mut [f64]) {
        const CONVICTION: f32 = 2.0;
        const DOUBT: f32 = 0.5;
        let (n, mean) = (productions.nonterminals(), self.settings.mean as f32);
        let mut believe = |at: usize, there: bool| {
            let doubt = DOUBT * (parameters[at] as f32 - mean);
            parameters[at] = f64::from(doubt + if there { CONVICTION } else { -CONVICTION });
        };
        for (c, from, to) in extraction::all_edges(n, productions.letters()) {
            let there = productions.has(Flip::Edge((c, from, to)));
            match (from == n, self.layout.shape()) {
                (false, _) => believe(self.layout.step(c, to, from), there),
                (true, Shape::Nfa) => believe(self.layout.terminal(c, to), there),
                // Words start in the first non-terminal, whose steps are handled above.
                (true, Shape::Dfa) => {}
            }
        }
        (0..n).for_each(|k| believe(self.layout.last(k), productions.has(Flip::End(k))));
    }
}
