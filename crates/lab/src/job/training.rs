//! A job whose learner is a single training run of the model, extracted without repair.

use std::ops::ControlFlow;
use std::sync::Arc;

use induction::Sample;
use induction::extraction::{Reading, extract, extract_sets};
use induction::learner::{self, Spent};
use induction::model::Shape;
use induction::selection::{Candidate, Origin};
use induction::training::{EpochRecord, Hardware, Reference, Settings, StopReason, Trained, Trainer};

use super::learning::model;
use super::{Case, Learned, Watch, check_wanted};
use crate::record::Model;
use crate::spec::{Selector, Training};

/// Why a trained model may give no answer.
const TOO_LARGE: &str = "the automaton extracted from the model is too large";

/// Trains all restarts and takes the one with the fewest errors, the first one on a tie.
pub(super) fn train(case: &Case, how: &Training, watch: &dyn Watch) -> Result<Learned, String> {
    let settings = Settings { seed: case.seed(), ..how.settings.clone() };
    let (shape, nonterminals, restarts) = (settings.shape, settings.nonterminals, settings.restarts);
    let balanced = Arc::new(case.sample.balanced());
    let trainer = match how.selector {
        Selector::Softmax => Trainer::new(balanced, settings, Hardware::with_threads(1)),
        selector => Trainer::new(balanced, settings, Reference { selector }),
    };
    // The trainer checks the number of restarts.
    let mut trainer = trainer.map_err(|error| error.to_string())?;
    let mut epochs = 0;
    let mut last: Vec<Option<Model>> = vec![None; restarts];
    let mut observer = |record: &EpochRecord| {
        epochs += 1;
        for trained in &record.restarts {
            last[trained.restart] = model(record, nonterminals, trained.restart);
        }
        ControlFlow::Continue(())
    };
    while trainer.advance(&mut observer).is_continue() {
        check_wanted(watch)?;
        if watch.stopped() {
            trainer.cancel();
        }
    }
    let read: Vec<Option<Candidate>> = (0..restarts).map(|restart| read(&trainer, restart, case.sample)).collect();
    let Trained { stopped, steps, .. } = trainer.finish();

    let truth_finds = read.iter().flatten().filter(|known| known.dfa == case.truth.dfa).count() as u32;
    let best = read.into_iter().enumerate().filter_map(|(restart, known)| Some((restart, known?)));
    let best = best.min_by_key(|(_, known)| known.errors);
    let (restart, best) = best.ok_or(TOO_LARGE)?;
    Ok(learned(
        best,
        shape,
        truth_finds,
        epochs,
        (restarts as u64, steps * restarts as u64),
        stopped[restart],
        last.swap_remove(restart),
    ))
}

/// The result of a restart: a grammar, or an automaton of sets if the start selector is a perceptron. `None` if its
/// automaton is too large.
fn read(trainer: &Trainer, restart: usize, sample: &Sample) -> Option<Candidate> {
    let reading = Reading::of(trainer.settings().shape);
    match trainer.model(restart) {
        Some(model) => Candidate::new(&extract(&model, reading), sample, Origin::Neural),
        None => {
            let (layout, selector) = (trainer.layout(), trainer.selector());
            let parameters = trainer.parameters(restart)?;
            let dfa = extract_sets(sample.alphabet(), layout, selector, &parameters, reading.threshold)?;
            Some(Candidate::from_dfa(&dfa, sample, Origin::Neural))
        }
    }
}

fn learned(
    best: Candidate,
    shape: Shape,
    truth_finds: u32,
    epochs: u64,
    (restarts, steps): (u64, u64),
    stopped: StopReason,
    model: Option<Model>,
) -> Learned {
    Learned {
        expression: None,
        bits: best.bits,
        errors: best.errors,
        origin: Origin::Neural,
        shape: Some(shape),
        finds: 1,
        truth_finds: (truth_finds > 0).then_some(truth_finds),
        others: Vec::new(),
        spent: Spent { restarts, steps, ..Spent::default() },
        epochs,
        stop_reason: match stopped {
            StopReason::Budget => learner::StopReason::Budget,
            StopReason::Converged | StopReason::Diverged => learner::StopReason::Finished,
            StopReason::Cancelled => learner::StopReason::Cut,
        },
        questions: None,
        suspects: None,
        model,
        grammar: best.grammar,
        dfa: best.dfa,
    }
}
