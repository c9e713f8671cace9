//! The answer as a person reads it: on one screen.

use std::fmt::Write;

use automata::formats::grammar_text;
use automata::{Dfa, TooManyStates, difference};
use induction::Sample;
use induction::learner::{Engine, Noise, PAPER_STEP_CAP, StopReason};
use induction::selection::Origin;

use super::{Run, proving};
use crate::output::one_line;

/// What was learned from.
pub(crate) struct Summary {
    pub(crate) source: String,
    /// Whether nothing was given, and the paper's example taken.
    pub(crate) is_example: bool,
    pub(crate) blank: usize,
    pub(crate) unlabelled: usize,
    pub(crate) examples: u64,
    pub(crate) words: u64,
    pub(crate) accepted: u64,
    pub(crate) alphabet: String,
    pub(crate) letters: usize,
    pub(crate) longest: usize,
}

impl Summary {
    pub(crate) fn of(sample: &Sample, source: String, blank: usize, is_example: bool) -> Self {
        Self {
            source,
            is_example,
            blank,
            unlabelled: sample.unlabelled(),
            examples: sample.examples(),
            words: sample.words(),
            accepted: sample.rows().filter(|(_, counts)| counts.accepted > counts.rejected).count() as u64,
            alphabet: sample.alphabet().to_string(),
            letters: sample.alphabet().len(),
            longest: sample.longest(),
        }
    }
}

/// How many lines of a grammar are shown.
const LINES: usize = 24;
/// How many words are shown where there are many.
const WORDS: usize = 8;
/// How long an expression may be to be shown whole.
const EXPRESSION: usize = 400;
/// Answers are compared in so many pairs of states.
const COMPARED: usize = 1 << 20;
/// How long a description may be to be shown.
const DESCRIPTION: usize = 200;

/// What was learned, and what speaks for it.
pub(crate) fn answer(run: &Run) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_answer(&mut text, run);
    text
}

fn write_answer(out: &mut String, run: &Run) -> std::fmt::Result {
    if run.summary.is_example {
        writeln!(
            out,
            "No examples were given: this learns the paper's own, (a|b)*cc*, from words that come with nerode.\n"
        )?;
    }
    let grammar = grammar_text::write(&run.induced.grammar);
    let lines: Vec<&str> = grammar.lines().collect();
    for line in lines.iter().take(LINES) {
        writeln!(out, "  {line}")?;
    }
    if lines.len() > LINES {
        writeln!(out, "  … and {} more (--out DIR writes all)", lines.len() - LINES)?;
    }
    writeln!(out)?;
    rows(run).into_iter().try_for_each(|(name, text)| writeln!(out, "{name:<11}{text}"))
}

/// What is said of the answer besides the grammar: names of a word or two, and a line each.
pub(super) fn rows(run: &Run) -> Vec<(&'static str, String)> {
    let Run { induced, settings, summary, questions, proof, .. } = run;
    let alphabet = &induced.letters;
    let mut rows = Vec::new();
    let mut row = |name: &'static str, text: String| rows.push((name, text));
    match run.regex() {
        Some(regex) if regex.chars().count() <= EXPRESSION => row("regex", regex),
        Some(regex) => row("regex", format!("{} characters (--out DIR writes it)", regex.chars().count())),
        None => row("regex", "too long to be of use".to_owned()),
    }
    let description = run.description();
    let sentence = description.sentence();
    // That it has some of all words says nothing.
    if !description.facts.is_empty() && sentence.chars().count() <= DESCRIPTION {
        row("in words", sentence);
    }
    let live = induced.dfa.trimmed().len();
    let dead = if live < induced.dfa.len() { ", one of them dead" } else { "" };
    let sizes = format!(
        "{}, {}; minimal automaton of {}{dead}",
        counted(induced.grammar.nonterminals().len() as u64, "non-terminal"),
        counted(grammar_text::productions(&induced.grammar).len() as u64, "production"),
        counted(induced.dfa.len() as u64, "state"),
    );
    row("size", sizes);
    row("found by", found_by(run));
    let mut from = format!(
        "{} ({} in, {} out) over {}, from {}",
        counted(summary.words, "word"),
        summary.accepted,
        summary.words - summary.accepted,
        summary.alphabet,
        one_line(&summary.source)
    );
    if summary.examples > summary.words {
        from += &format!("; {} with repetitions", summary.examples);
    }
    if summary.unlabelled > 0 {
        from += &format!("; {} without a label left out", summary.unlabelled);
    }
    if summary.blank > 0 {
        from += &format!("; {} skipped", counted(summary.blank as u64, "blank line"));
    }
    if *questions > 0 {
        from += &format!("; {} answered", counted(*questions as u64, "question"));
    }
    row("learned", from);
    let certificate = &induced.certificate;
    let checked = match certificate.wrong {
        0 => format!("consistent: all {} replayed, none wrong", counted(certificate.examples, "example")),
        wrong => {
            let shown: Vec<String> =
                certificate.first_wrong.iter().take(3).map(|wrong| alphabet.show(&wrong.word)).collect();
            let more = if (shown.len() as u64) < wrong { ", …" } else { "" };
            let judgement = if settings.noise == Noise::None { "NOT consistent" } else { "noise tolerated" };
            format!(
                "{judgement}: {wrong} of {} wrong ({}{more})",
                counted(certificate.examples, "example"),
                shown.join(", ")
            )
        }
    };
    row("checked", checked);
    if induced.empty_word_chosen {
        let side = if induced.dfa.is_accepting(induced.dfa.initial()) { "taken in" } else { "left out" };
        row("empty word", format!("has no label; {side}, which needs no more states"));
    }
    if let Some(proof) = proof {
        row("proof", proving::sentence(proof, &induced.dfa));
    }
    for (name, other) in others(run) {
        row(name, other);
    }
    row("undecided", undecided(run));
    if !induced.suspects.is_empty() {
        let word = |suspect: &induction::learner::Suspect| {
            format!("{} (labelled {})", alphabet.show(&suspect.word), if suspect.accepted { "in" } else { "out" })
        };
        let shown: Vec<String> = induced.suspects.iter().take(WORDS).map(word).collect();
        let more = if induced.suspects.len() > shown.len() { ", …" } else { "" };
        row("suspects", format!("{} probably mislabelled: {}{more}", induced.suspects.len(), shown.join(", ")));
    }
    match induced.stop_reason {
        StopReason::Cut => row("stopped", "by the limit of time: more time may find a better answer".to_owned()),
        StopReason::Budget if settings.engine == Engine::Sat && induced.spent.conflicts < settings.conflicts => {
            row("stopped", "because the question became too large for the solver".to_owned());
        }
        StopReason::Budget if settings.engine == Engine::Sat => {
            row("stopped", "when the budget was used up (--conflicts allows more)".to_owned());
        }
        StopReason::Budget => {
            row("stopped", "when the budget was used up (--restarts and --moves allow more)".to_owned());
        }
        StopReason::Settled | StopReason::Finished => {}
    }
    rows
}

fn found_by(run: &Run) -> String {
    let induced = run.induced;
    let who = match (induced.origin, induced.shape) {
        (Origin::Neural, Some(shape)) => format!("the neural model ({})", name(shape)),
        (Origin::Repaired, Some(shape)) => format!("the neural model ({}), repaired", name(shape)),
        (Origin::Rpni, _) => "state merging (RPNI)".to_owned(),
        (Origin::Edsm, _) => "state merging (EDSM)".to_owned(),
        (Origin::Sat, _) => "a solver: no automaton is smaller".to_owned(),
        (Origin::Search, _) => "annealed search".to_owned(),
        (Origin::Classes, _) => "a pattern over classes".to_owned(),
        (Origin::Rival, _) => "looking for rivals of another answer".to_owned(),
        (Origin::Given, _) => "the grammar it began from".to_owned(),
        (Origin::Trivial, _) => "nobody: it is what can be said without looking".to_owned(),
        (Origin::Neural | Origin::Repaired, None) => "the neural model".to_owned(),
    };
    let times = if induced.finds > 1 { format!(", {} times", induced.finds) } else { String::new() };
    let restarts = match induced.spent.restarts {
        0 => String::new(),
        restarts => format!("; {}", counted(restarts, "restart")),
    };
    let paper = match (run.settings.engine, run.paper_steps()) {
        (Engine::Paper, Some(steps)) => format!(
            " of {steps} steps (60 epochs of all words to length {}, at most {PAPER_STEP_CAP})",
            run.summary.longest
        ),
        _ => String::new(),
    };
    format!("{who}{times}{restarts}{paper}")
}

fn name(shape: induction::model::Shape) -> &'static str {
    match shape {
        induction::model::Shape::Nfa => "nfa",
        induction::model::Shape::Dfa => "dfa",
    }
}

/// Expressions that would do as well, and the word that tells each from the answer.
fn others<'a>(run: &'a Run) -> impl Iterator<Item = (&'static str, String)> + 'a {
    run.induced.alternatives.iter().filter_map(|other| {
        let expression = other.expression.as_ref()?;
        let shown = if expression.chars().count() <= EXPRESSION { expression } else { "a longer expression" };
        let has = other.dfa.alphabet().read(&other.word).is_ok_and(|word| other.dfa.accepts(&word));
        let word = other.dfa.alphabet().show_text(other.word.clone());
        let text = format!("{shown} ({} {word})", if has { "has" } else { "has not" });
        Some((relation(&run.induced.dfa, &other.dfa), text))
    })
}

/// Whether another answer has all words of this one, or none besides.
fn relation(answer: &Dfa, other: &Dfa) -> &'static str {
    let both = answer.alphabet().union(other.alphabet());
    let (answer, other) = (answer.over(&both), other.over(&both));
    let is_empty = |difference: Result<Dfa, TooManyStates>| difference.is_ok_and(|words| words.is_empty_language());
    if is_empty(difference(&answer, &other, COMPARED)) {
        "looser"
    } else if is_empty(difference(&other, &answer, COMPARED)) {
        "tighter"
    } else {
        "otherwise"
    }
}

fn undecided(run: &Run) -> String {
    let induced = run.induced;
    if induced.undecided.is_empty() {
        return "nothing was found that differs and is about as short".to_owned();
    }
    let alphabet = &induced.letters;
    let shown: Vec<String> = induced.undecided.iter().take(WORDS).map(|open| alphabet.show(&open.word)).collect();
    let more = if induced.undecided.len() > shown.len() { ", …" } else { "" };
    let others = counted(induced.alternatives.len() as u64, "other answer");
    format!("{others} would do; labels for these would tell: {}{more} (--ask)", shown.join(", "))
}

pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
