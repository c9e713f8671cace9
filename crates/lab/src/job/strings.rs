//! A job whose language is an everyday one: strings over many characters.
//!
//! The examples have few of the characters, and the answer may use character classes. So both are compared over all
//! characters of everyday words, and the answer is also tested on fresh words, since nearly all words of these
//! languages are unlike those that people write.

use automata::{Dfa, minimize, separating_word};

use super::drawn::{Drawn, strings, strings_seed};
use super::{Watch, evaluation, learning};
use crate::languages::Target;
use crate::record::{Answer, Claim, Failure, StringsScore};
use crate::spec::{Learning, Spec};
use crate::strings::{Strings, characters};

/// Number of fresh words for testing an answer.
const FRESH: usize = 2_000;

pub(super) fn answer(
    spec: &Spec,
    target: &Target,
    count: usize,
    how: &Learning,
    drawn: &Drawn,
    threads: usize,
    watch: &dyn Watch,
) -> Result<Answer, String> {
    watch.learning(true);
    let (session, questions) = learning::session(spec, &drawn.examples, &target.dfa, how, threads, watch)?;
    let learned = session.finish().map_err(|error| error.to_string())?;
    watch.learning(false);
    let answer = &learned.answer;
    let dfa = over_characters(&learned.dfa);
    let word = separating_word(&target.dfa, &dfa);
    let evaluation =
        evaluation::to_depth(&target.dfa, &dfa, spec.evaluation_depth).map_err(|error| error.to_string())?;

    let (language, examples) = strings(spec, count)?;
    let fresh = Strings::fresh(&language, FRESH, strings_seed(spec), &examples);
    let accepts = |word: &str| dfa.alphabet().read(word).is_ok_and(|word| dfa.accepts(&word));
    let score = StringsScore {
        held_out: language.entry.held_out,
        fresh_words: (fresh.positives.len() + fresh.negatives.len()) as u64,
        balanced_accuracy: fresh.balanced_accuracy(accepts),
        length: answer.regex.as_ref().map(|regex| regex.chars().count()),
        reference_length: language.entry.regex.chars().count(),
    };
    Ok(Answer {
        exact: word.is_none(),
        separating_word: word.as_ref().map(|word| dfa.alphabet().union(target.dfa.alphabet()).write(word)),
        separating_length: word.as_ref().map(|word| word.len()),
        states: answer.dfa_states,
        nonterminals: answer.nonterminals,
        productions: answer.productions,
        bits: answer.bits,
        evaluation,
        by_length: None,
        consistent: answer.consistent,
        errors: answer.errors,
        minimal: Claim::Unknown,
        unique: Claim::Unknown,
        origin: answer.engine,
        shape: answer.shape,
        finds: answer.finds,
        truth_finds: None,
        restarts: answer.restarts,
        epochs: learned.training.iter().map(|record| record.epochs.len() as u64).sum(),
        steps: answer.steps,
        visits: answer.moves,
        stop_reason: answer.stop_reason,
        // A consistent answer may be shorter than the truth; this is not measured for patterns.
        failure: (!answer.consistent).then_some(Failure::NotFitted),
        miss: None,
        questions,
        suspects: None,
        strings: Some(score),
        tested: None,
        expression: None,
        model: None,
    })
}

/// The minimal automaton over single characters.
fn over_characters(dfa: &Dfa) -> Dfa {
    minimize(&dfa.over(&characters().union(dfa.alphabet())))
}
