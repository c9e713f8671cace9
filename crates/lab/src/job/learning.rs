//! A job whose learner is that of `nerode learn`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use automata::{Dfa, Direction};
use induction::learner::{self, Engine, Learner, Noise};
use induction::selection::Candidate;
use induction::training::EpochRecord;
use induction::{Sample, certify};

use super::{Case, Learned, Watch};
use crate::oracle::ask;
use crate::record::Model;
use crate::spec::{Learning, Told};

/// The budget of the paper's protocol is its own.
const OWN_BUDGET: u64 = u64::MAX;

pub(super) fn learn(case: &Case, how: &Learning, threads: usize, watch: &dyn Watch) -> Result<Learned, String> {
    let noise = match how.noise {
        Told::Rate if case.spec.draw.noise > 0.0 => Noise::Rate(case.spec.draw.noise),
        Told::Nothing | Told::Rate => Noise::None,
        Told::Some => Noise::Auto,
    };
    let settings = learner::Settings {
        engine: how.engine,
        shapes: how.shape,
        nonterminals: how.nonterminals,
        restarts: how.restarts,
        steps: how.steps.unwrap_or(OWN_BUDGET),
        visits: how.visits,
        conflicts: how.conflicts.unwrap_or(0),
        noise,
        direction: if how.right { Direction::Right } else { Direction::Left },
        seed: case.seed(),
        ..learner::Settings::default()
    };
    let epochs = Epochs { watch, count: AtomicU64::new(0), last: Mutex::new(None) };
    let learner = Learner::new(case.sample.clone(), settings, threads);
    let mut learner = learner.map_err(|error| error.to_string())?;
    let (induced, questions) = match how.questions {
        None => {
            let reason = learner.learn(&epochs).map_err(|error| error.to_string())?;
            (learner.induced(reason), None)
        }
        Some(most) => {
            let asked = ask(&mut learner, &case.target.dfa, most, &epochs);
            let (induced, questions) = asked.map_err(|error| error.to_string())?;
            (induced, Some(questions))
        }
    };
    let truth = learner.pool().candidates().iter().find(|known| known.dfa == case.truth.dfa);
    let others = match how.right || noise != Noise::None {
        // Read from the other end, or with wrong labels, their sizes say nothing.
        true => Vec::new(),
        false => others(learner.pool().consistent(), &induced.dfa, case.sample),
    };
    let last = epochs.last.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(Learned {
        bits: induced.bits,
        errors: induced.certificate.wrong,
        origin: induced.origin,
        shape: induced.shape,
        finds: induced.finds,
        truth_finds: truth.map(|truth| truth.finds),
        others,
        spent: induced.spent,
        epochs: epochs.count.into_inner(),
        stop_reason: induced.stop_reason,
        questions,
        suspects: (noise != Noise::None).then(|| induced.suspects.iter().map(|suspect| suspect.word.clone()).collect()),
        model: last
            .filter(|_| how.engine == Engine::Paper)
            .and_then(|last| model(&last, induced.model.as_ref()?.layout().nonterminals(), 0)),
        grammar: induced.grammar,
        dfa: induced.dfa,
    })
}

/// The sizes of answers that are others than this one and agree with every example. The pool holds them against its jury
/// alone, and what is wrong about the rest of many examples refutes nothing.
fn others<'a>(known: impl Iterator<Item = &'a Candidate>, answer: &Dfa, sample: &Sample) -> Vec<usize> {
    let known = known.map(|known| &known.dfa).filter(|dfa| dfa.len() > 1 && *dfa != answer);
    known.filter(|dfa| certify(dfa, sample).is_consistent()).map(Dfa::len).collect()
}

/// Counts epochs and keeps the last one.
struct Epochs<'a> {
    watch: &'a dyn Watch,
    count: AtomicU64,
    last: Mutex<Option<EpochRecord>>,
}

impl learner::Watch for Epochs<'_> {
    fn stopped(&self) -> bool {
        self.watch.stopped()
    }

    fn wants_epochs(&self) -> bool {
        true
    }

    fn epoch(&self, _: u64, record: &EpochRecord) {
        self.count.fetch_add(1, Ordering::Relaxed);
        *self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(record.clone());
    }
}

/// How a restart was in the last epoch in which it was trained.
pub(super) fn model(last: &EpochRecord, nonterminals: usize, restart: usize) -> Option<Model> {
    let last = last.restarts.iter().find(|record| record.restart == restart)?;
    Some(Model {
        nonterminals,
        prediction: last.prediction.is_finite().then_some(last.prediction),
        sharpening: last.sharpening,
        production_use: last.production_use,
        accuracy: last.accuracy,
        unsharp: last.unsharp.into(),
    })
}

#[cfg(test)]
mod tests {
    use automata::formats::abbadingo::{Examples, Label};
    use automata::{Alphabet, Letter, Regex, minimize};
    use induction::selection::Origin;

    use super::*;

    #[test]
    fn what_only_the_jury_finds_right_is_no_other_answer() {
        let alphabet = Alphabet::of_chars("ab");
        let dfa = |pattern| minimize(&Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap());
        let sample = |rows: &[(&[usize], Label)]| {
            let rows = rows.iter().map(|&(word, label)| (word.iter().map(|&c| Letter::new(c)).collect(), label));
            Sample::new(&Examples { alphabet: alphabet.clone(), rows: rows.collect() }, false).unwrap()
        };
        let seen: [(&[usize], Label); 2] = [(&[0], Label::Accepted), (&[1], Label::Rejected)];
        let jury = sample(&seen);
        let whole = sample(&[seen[0], seen[1], (&[0, 0], Label::Rejected)]);
        let [answer, right, wrong] = ["a(bb)*", "ab*", "(a|aa)b*"].map(dfa);
        let known = [&answer, &right, &wrong].map(|dfa| Candidate::from_dfa(dfa, &jury, Origin::Given));
        assert!(known.iter().all(|known| known.errors == 0));
        assert_eq!(others(known.iter(), &answer, &jury), [right.len(), wrong.len()]);
        assert_eq!(others(known.iter(), &answer, &whole), [right.len()]);
    }
}
