//! The answer on one screen: first the expression, then its description and size, then the grammar, then the evidence.

use std::fmt::Write;

use automata::formats::grammar_text;

use super::Context;
use super::phrases::{self, Long};
use crate::answer::Learned;

/// Maximum number of grammar lines shown.
const LINES: usize = 12;
/// Maximum length of a description.
const DESCRIPTION: usize = 200;

/// The answer as text.
#[must_use]
pub fn answer(learned: &Learned, context: &Context) -> String {
    let mut text = String::new();
    if context.is_example {
        text += "No examples given: learning the paper's example, (a|b)*cc*, from built-in words.\n\n";
    }
    let answer = &learned.answer;
    let mut rows = vec![("regex", phrases::regex(answer))];
    // A description without facts is empty. What was learned as a formula is said as one.
    if let Some(formula) = &answer.formula {
        rows.push(("in words", phrases::whole_or_length(formula)));
    } else if !answer.facts.is_empty() && answer.description.chars().count() <= DESCRIPTION {
        rows.push(("in words", answer.description.clone()));
    }
    rows.push(("size", phrases::size(learned)));
    write_rows(&mut text, &rows);

    let grammar = grammar_text::write(&learned.grammar);
    let lines: Vec<&str> = grammar.lines().collect();
    // Saying that one line is missing would be as long as the line.
    let shown = if lines.len() <= LINES + 1 { lines.len() } else { LINES };
    text.push('\n');
    lines[..shown].iter().for_each(|line| text += &format!("  {line}\n"));
    if shown < lines.len() {
        text += &format!("  … and {} more (--out DIR writes all)\n", lines.len() - shown);
    }
    text.push('\n');

    let mut rows = vec![
        ("found by", phrases::found_by(answer)),
        ("learned", phrases::learned_from(learned, context)),
        ("checked", phrases::checked(learned, Long::Ends)),
    ];
    rows.extend(phrases::empty_word(answer).map(|text| ("empty word", text)));
    rows.extend(answer.proof.as_ref().map(|proof| ("proof", proof.sentence.clone())));
    rows.extend(phrases::others(learned, Long::Ends));
    rows.push(("undecided", phrases::undecided(learned, Long::Ends)));
    rows.extend(phrases::one_sided(answer).map(|text| ("note", text)));
    rows.extend(phrases::suspects(learned, Long::Ends).map(|text| ("suspects", text)));
    rows.extend(phrases::stopped(answer).map(|text| ("stopped", text)));
    write_rows(&mut text, &rows);
    text
}

fn write_rows(text: &mut String, rows: &[(&str, String)]) {
    for (name, row) in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<11}{row}");
    }
}
