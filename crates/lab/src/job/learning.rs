//! A job that learns as `nerode learn` does.

use automata::{Alphabet, Dfa, Examples, Letter, StateId, minimize};
use induction::learner::{Engine, Noise, Recording, Spent};
use induction::training::EpochRecord;
use induction::{Sample, certify};
use nerode::{Classes, Event, Options, Session, Side};

use super::{Case, Learned, Watch, check_wanted};
use crate::record::{Model, Questions, QuestionsEnd};
use crate::spec::{Learning, Spec, Told};

/// The paper's protocol has its own budget.
const OWN_BUDGET: u64 = u64::MAX;

pub(super) fn learn(case: &Case, how: &Learning, threads: usize, watch: &dyn Watch) -> Result<Learned, String> {
    let (session, questions) = session(case.spec, case.examples, &case.target.dfa, how, threads, watch)?;
    let pool = session.pool();
    let truth = pool.candidates().iter().find(|known| known.dfa == case.truth.dfa);
    let truth_finds = truth.map(|truth| truth.finds);
    let consistent = pool.consistent().map(|known| known.dfa.clone()).collect::<Vec<_>>();
    let learned = session.finish().map_err(|error| error.to_string())?;
    let has_noise = noise(case.spec, how) != Noise::None;
    let others = match how.right || has_noise {
        // Their sizes mean nothing if words are reversed or labels are wrong.
        true => Vec::new(),
        false => others(consistent.iter(), &learned.dfa, case.sample),
    };
    let answer = &learned.answer;
    let epochs = || learned.training.iter().flat_map(|record| &record.epochs);
    let suspects = answer.mislabelled.iter().filter_map(|suspect| case.sample.alphabet().read(&suspect.word).ok());
    Ok(Learned {
        expression: answer.regex.clone(),
        bits: answer.bits,
        errors: answer.errors,
        origin: answer.engine,
        shape: answer.shape,
        finds: answer.finds,
        truth_finds,
        others,
        spent: Spent {
            restarts: answer.restarts,
            steps: answer.steps,
            visits: answer.moves,
            conflicts: answer.conflicts,
            ..Spent::default()
        },
        epochs: epochs().count() as u64,
        stop_reason: answer.stop_reason,
        questions,
        suspects: has_noise.then(|| suspects.collect()),
        model: epochs()
            .last()
            .filter(|_| how.engine == Engine::Paper)
            .and_then(|last| model(last, learned.model.as_ref()?.layout().nonterminals(), 0)),
        grammar: learned.grammar,
        dfa: if how.classes { over_letters(&learned.dfa, case.sample.alphabet()) } else { learned.dfa },
    })
}

/// The minimal automaton over these letters, for an answer whose letters may be classes.
fn over_letters(dfa: &Dfa, letters: &Alphabet) -> Dfa {
    let union = dfa.alphabet().union(letters);
    let (dfa, embedding) = (dfa.over(&union), letters.embedding(&union));
    let next = |state: StateId, letter: Letter| dfa.next(state, embedding.of(letter)[0]).map(StateId::index);
    let row = |state: StateId| letters.letters().map(|letter| next(state, letter)).collect();
    let rows: Vec<Vec<Option<usize>>> = dfa.states().map(row).collect();
    let accepting = dfa.accepting().map(StateId::index);
    let over = Dfa::new(letters.clone(), dfa.initial().index(), accepting, &rows);
    minimize(&over.expect("every number is that of a state"))
}

/// Runs a session to its end, as a user would. The truth answers its questions.
pub(super) fn session(
    spec: &Spec,
    examples: &Examples,
    truth: &Dfa,
    how: &Learning,
    threads: usize,
    watch: &dyn Watch,
) -> Result<(Session, Option<Questions>), String> {
    let mut session = Session::new(examples, options(spec, how), threads).map_err(|error| error.to_string())?;
    let questions = run(&mut session, truth, how.questions, watch)?;
    Ok((session, questions))
}

fn noise(spec: &Spec, how: &Learning) -> Noise {
    match how.noise {
        Told::Rate if spec.draw.noise > 0.0 => Noise::Rate(spec.draw.noise),
        Told::Nothing | Told::Rate => Noise::None,
        Told::Some => Noise::Auto,
    }
}

/// The options that a user would give.
fn options(spec: &Spec, how: &Learning) -> Options {
    // With classes, budgets would be refused.
    let given = |budget: u64| (!how.classes).then_some(budget);
    Options {
        learner: how.engine,
        classes: if how.classes { Classes::Auto } else { Classes::None },
        shapes: how.shape,
        nonterminals: how.nonterminals,
        restarts: given(how.restarts),
        steps: given(how.steps.unwrap_or(OWN_BUDGET)),
        moves: given(how.visits),
        conflicts: how.conflicts,
        noise: noise(spec, how),
        direction: if how.right { Side::Right } else { Side::Left },
        seed: spec.learner_seed(),
        questions: how.questions,
        record: Recording { epochs: true, frames: 0 },
        ..Options::default()
    }
    // A specification has a budget for every engine.
    .applicable()
}

/// Runs a session to its end. If it may ask, the truth answers as an oracle does.
fn run(session: &mut Session, truth: &Dfa, most: Option<u64>, watch: &dyn Watch) -> Result<Option<Questions>, String> {
    let stop = session.stopper();
    loop {
        check_wanted(watch)?;
        if watch.stopped() {
            stop.stop();
        }
        match session.step().map_err(|error| error.to_string())? {
            Event::Progress(_) => {}
            Event::Done => break,
            Event::Question(question) => session.answer_from(truth, &question).map_err(|error| error.to_string())?,
        }
    }
    let Some(most) = most else { return Ok(None) };
    let asked = session.answers().len() as u64;
    let end = match session.has_found(truth) {
        true => QuestionsEnd::Exact,
        false if stop.is_set() => QuestionsEnd::Cut,
        false if asked == most => QuestionsEnd::Used,
        false => QuestionsEnd::NothingToAsk,
    };
    Ok(Some(Questions { asked, end }))
}

/// The sizes of the other answers that agree with every example. The pool checks them only against its jury,
/// and an answer that is wrong on the remaining examples refutes nothing.
fn others<'a>(known: impl Iterator<Item = &'a Dfa>, answer: &Dfa, sample: &Sample) -> Vec<usize> {
    let known = known.filter(|dfa| dfa.len() > 1 && *dfa != answer);
    known.filter(|dfa| certify(dfa, sample).is_consistent()).map(Dfa::len).collect()
}

/// The state of a restart in its last epoch.
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
    use automata::{Label, Regex, Word};
    use induction::selection::{Candidate, Origin};

    use super::*;

    #[test]
    fn what_only_the_jury_finds_right_is_no_other_answer() {
        let alphabet = Alphabet::of_chars("ab");
        let dfa = |pattern| minimize(&Regex::parse(pattern, &alphabet).unwrap().to_dfa().unwrap());
        let sample = |rows: &[(&[usize], Label)]| {
            let rows =
                rows.iter().map(|&(word, label)| (word.iter().map(|&c| Letter::new(c)).collect::<Word>(), label));
            Sample::new(&Examples::of(&alphabet, rows), false).unwrap()
        };
        let seen: [(&[usize], Label); 2] = [(&[0], Label::Accepted), (&[1], Label::Rejected)];
        let jury = sample(&seen);
        let whole = sample(&[seen[0], seen[1], (&[0, 0], Label::Rejected)]);
        let [answer, right, wrong] = ["a(bb)*", "ab*", "(a|aa)b*"].map(dfa);
        let known = [&answer, &right, &wrong].map(|dfa| Candidate::from_dfa(dfa, &jury, Origin::Given));
        assert!(known.iter().all(|known| known.errors == 0));
        let known = || known.iter().map(|known| &known.dfa);
        assert_eq!(others(known(), &answer, &jury), [right.len(), wrong.len()]);
        assert_eq!(others(known(), &answer, &whole), [right.len()]);
    }
}
