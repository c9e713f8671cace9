//! Phrases about an answer, shared by the terminal and the page.

use automata::Alphabet;
use automata::formats::grammar_text;
use induction::learner::{Engine, StopReason};
use induction::model::Shape;
use induction::selection::Origin;
use induction::training::Settings;

use super::Context;
use crate::answer::{Answer, Learned, Relation};
use crate::text::counted;

/// Maximum number of words shown.
const WORDS: usize = 8;
/// Maximum length of a word that is shown whole on a terminal.
const WORD: usize = 60;
/// Maximum length of an expression that is shown whole.
pub(super) const EXPRESSION: usize = 400;

/// How long words are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Long {
    /// As they are: in files.
    Whole,
    /// Only their ends: on a terminal, where they would push everything else out of sight.
    Ends,
}

impl Long {
    fn show(self, letters: &Alphabet, word: &str) -> String {
        let shown = letters.show_text(word.to_owned());
        let length = shown.chars().count();
        if self == Long::Whole || length <= WORD {
            return shown;
        }
        let end = |at: usize| shown.char_indices().nth(at).map_or(shown.len(), |(at, _)| at);
        let (head, tail) = (&shown[..end(WORD / 2)], &shown[end(length - WORD / 2)..]);
        let letters = letters.read(word).map_or_else(|_| word.chars().count(), |word| word.len());
        format!("{head}…{tail} ({})", counted(letters as u64, "letter"))
    }
}

/// The expression, or its length.
#[must_use]
pub fn regex(answer: &Answer) -> String {
    answer.regex.as_deref().map_or_else(|| "too long to be useful".to_owned(), whole_or_length)
}

/// A text of reasonable length, or its length.
pub(super) fn whole_or_length(text: &str) -> String {
    match text.chars().count() {
        length if length <= EXPRESSION => text.to_owned(),
        length => format!("{length} characters (--out DIR writes it)"),
    }
}

/// The sizes of the grammar and the automaton.
#[must_use]
pub fn size(learned: &Learned) -> String {
    let answer = &learned.answer;
    let dead = if answer.live_states < answer.dfa_states { ", one of them dead" } else { "" };
    format!(
        "{}, {}; minimal automaton: {}{dead}",
        counted(answer.nonterminals as u64, "non-terminal"),
        counted(grammar_text::productions(&learned.grammar).len() as u64, "production"),
        counted(answer.dfa_states as u64, "state"),
    )
}

/// The engine that found the answer, and how often.
#[must_use]
pub fn found_by(answer: &Answer) -> String {
    let shape = answer.shape.map(|shape| match shape {
        Shape::Nfa => " (nfa)",
        Shape::Dfa => " (dfa)",
    });
    let shape = shape.unwrap_or_default();
    let who = match answer.engine {
        Origin::Neural => format!("the neural model{shape}"),
        Origin::Repaired => format!("the neural model{shape}, repaired"),
        Origin::Rpni => "state merging (RPNI)".to_owned(),
        Origin::Edsm => "state merging (EDSM)".to_owned(),
        Origin::Walks => "state merging by how words go on".to_owned(),
        Origin::Sat => "the solver: no automaton is smaller".to_owned(),
        Origin::Search => "annealed search".to_owned(),
        Origin::Expressions => "a search over short expressions".to_owned(),
        Origin::Facts => "a search over facts about words".to_owned(),
        Origin::Classes => "the strings engine: a pattern over classes".to_owned(),
        Origin::Rival => "the search for alternatives to another answer".to_owned(),
        Origin::Given => "the caller: the start grammar".to_owned(),
        Origin::Trivial => "no engine: the trivial answer (all words, or none)".to_owned(),
    };
    let mut effort = Vec::new();
    if answer.finds > 1 {
        effort.push(format!("{} independent finds", answer.finds));
    }
    if answer.restarts > 0 {
        effort.push(counted(answer.restarts, "restart"));
    }
    let effort = if effort.is_empty() { String::new() } else { format!("; {}", effort.join(", ")) };
    let whole = Settings::paper().steps;
    let paper = match answer.paper_steps {
        None => String::new(),
        Some(steps) if steps < whole => format!(" of {steps} steps (the paper's protocol has {whole})"),
        Some(steps) => format!(" of {steps} steps, the paper's 60 epochs"),
    };
    format!("{who}{effort}{paper}")
}

/// The examples it was learned from.
#[must_use]
pub fn learned_from(learned: &Learned, context: &Context) -> String {
    let answer = &learned.answer;
    let mut text = format!(
        "{} ({} accepted, {} rejected) over {}, from {}",
        counted(answer.words, "word"),
        answer.accepted,
        answer.words - answer.accepted,
        learned.sample.alphabet(),
        context.source
    );
    let examples = answer.examples - answer.questions as u64;
    if examples > answer.words {
        text += &format!("; {examples} with repetitions");
    }
    if answer.unlabelled > 0 {
        text += &format!("; {} unlabelled left out", answer.unlabelled);
    }
    if context.blank > 0 {
        text += &format!("; {} skipped", counted(context.blank as u64, "blank line"));
    }
    if answer.questions > 0 {
        text += &format!("; {} answered", counted(answer.questions as u64, "question"));
    }
    text
}

/// Whether it agrees with the examples.
#[must_use]
pub fn checked(learned: &Learned, long: Long) -> String {
    let answer = &learned.answer;
    if answer.errors == 0 {
        return format!("consistent: all {} replayed, none wrong", counted(answer.examples, "example"));
    }
    let shown: Vec<String> =
        answer.wrong.iter().take(3).map(|wrong| long.show(&learned.letters, &wrong.word)).collect();
    let more = if (shown.len() as u64) < answer.errors { ", …" } else { "" };
    let judgement = if answer.noise.is_none() { "NOT consistent" } else { "noise tolerated" };
    format!(
        "{judgement}: {} of {} wrong ({}{more})",
        answer.errors,
        counted(answer.examples, "example"),
        shown.join(", ")
    )
}

/// The choice for the empty word, if no example labels it.
#[must_use]
pub fn empty_word(answer: &Answer) -> Option<String> {
    let side = if answer.empty_word.accepted { "accepted" } else { "rejected" };
    (!answer.empty_word.labelled).then(|| format!("unlabelled; {side} (the simpler automaton)"))
}

/// Alternative expressions that agree with the examples, each with a word that separates it from the answer.
pub fn others(learned: &Learned, long: Long) -> impl Iterator<Item = (&'static str, String)> {
    let others = &learned.answer.alternatives;
    (0..others.count).filter_map(move |i| {
        let expression = others.regexes.get(i)?.as_ref()?;
        let shown = if expression.chars().count() <= EXPRESSION { expression } else { "a longer expression" };
        let name = match others.relations.get(i)? {
            Relation::Looser => "looser",
            Relation::Tighter => "tighter",
            Relation::Otherwise => "different",
        };
        let says = if *others.accepts.get(i)? { "accepts" } else { "rejects" };
        let word = long.show(&learned.letters, others.words.get(i)?);
        Some((name, format!("{shown} ({says} {word})")))
    })
}

/// What the examples leave open.
#[must_use]
pub fn undecided(learned: &Learned, long: Long) -> String {
    let answer = &learned.answer;
    if answer.undecided.is_empty() {
        return "no equally simple alternative found".to_owned();
    }
    let words = answer.undecided.iter().take(WORDS);
    let shown: Vec<String> = words.map(|open| long.show(&learned.letters, &open.word)).collect();
    let more = if answer.undecided.len() > shown.len() { ", …" } else { "" };
    let (answers, remain) = match answer.alternatives.count {
        1 => ("answer", "remains"),
        _ => ("answers", "remain"),
    };
    format!(
        "{} equally simple {answers} {remain}; label one of these to decide: {}{more} (--ask)",
        answer.alternatives.count,
        shown.join(", ")
    )
}

/// What would help if only accepted words were given.
#[must_use]
pub fn one_sided(answer: &Answer) -> Option<String> {
    let text = "only accepted words were given; rejected words sharpen the answer (--ask, or --negative FILE)";
    (answer.accepted == answer.words && answer.questions == 0).then(|| text.to_owned())
}

/// Examples that are probably mislabelled.
#[must_use]
pub fn suspects(learned: &Learned, long: Long) -> Option<String> {
    let suspects = &learned.answer.mislabelled;
    let word = |suspect: &crate::answer::Suspect| {
        let label = if suspect.label { "accepted" } else { "rejected" };
        format!("{} (labelled {label})", long.show(&learned.letters, &suspect.word))
    };
    let shown: Vec<String> = suspects.iter().take(WORDS).map(word).collect();
    let more = if suspects.len() > shown.len() { ", …" } else { "" };
    (!suspects.is_empty()).then(|| format!("{} probably mislabelled: {}{more}", suspects.len(), shown.join(", ")))
}

/// Why learning stopped, if more could have been done.
#[must_use]
pub fn stopped(answer: &Answer) -> Option<String> {
    let why = match answer.stop_reason {
        StopReason::Cut => "early, by a time limit or a signal; more time may find a better answer",
        StopReason::Budget if answer.learner == Engine::Sat => {
            "when the solver's budget was spent or the problem became too large (raise it with --conflicts)"
        }
        // Only options that apply are named.
        StopReason::Budget if answer.learner == Engine::Neural => {
            "when the budget was spent (raise it with --restarts)"
        }
        StopReason::Budget if answer.learner == Engine::Search => "when the budget was spent (raise it with --moves)",
        StopReason::Budget => "when the budget was spent (raise it with --restarts and --moves)",
        StopReason::Settled | StopReason::Proved | StopReason::Finished => return None,
    };
    Some(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ends_of_long_words_are_shown_on_a_terminal() {
        let letters = Alphabet::of_chars("ab");
        let word = "ab".repeat(9_000);
        assert_eq!(Long::Whole.show(&letters, &word), word);
        let end = "ab".repeat(15);
        assert_eq!(Long::Ends.show(&letters, &word), format!("{end}…{end} (18000 letters)"));
        assert_eq!(Long::Ends.show(&letters, &word[..60]), word[..60]);
        assert_eq!(Long::Ends.show(&letters, ""), "\"\"");
    }
}
