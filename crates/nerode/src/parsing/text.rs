//! The analysis of a word as text.

use automata::Direction;

use super::analysis::{Analysis, Lost, Near, Step};
use super::comb;
use super::subject::Subject;
use crate::answer::evidence::DOUBTED;
use crate::text::{self, padded};

/// With more non-terminals than this, only beliefs other than 0 are listed.
const MOST_COLUMNS: usize = 12;

/// Everything about a word.
pub fn whole(subject: &Subject, analysis: &Analysis) -> String {
    let mut out = format!("{}\n", verdict(analysis));
    let is_mirrored = subject.grammar.direction() == Direction::Right;
    if let Some(steps) = analysis.steps.as_ref().filter(|steps| !steps.is_empty()) {
        out.push('\n');
        out.push_str(&table(subject, analysis, steps));
        if is_mirrored {
            out.push_str("  (right-regular: read from the end)\n");
        }
        if steps.iter().any(|step| !step.doubted.is_empty()) {
            out.push_str(&format!("  {DOUBTED}\n"));
        }
    }
    if let (None, "0", Some(threshold)) = (&analysis.rejection, &analysis.trees.to_string()[..], subject.threshold()) {
        out.push_str(&format!(
            "no parse tree of productions with a belief of {threshold} or more; weaker beliefs add up\n"
        ));
    }
    let trees = analysis.first_trees.as_deref().unwrap_or_default();
    for (i, tree) in trees.iter().enumerate() {
        out.push_str(&match &analysis.trees.to_string()[..] {
            "1" => "\ntree\n".to_owned(),
            count => format!("\ntree {} of {count}\n", i + 1),
        });
        out.push_str(&comb::tree(tree, is_mirrored));
    }
    if trees.iter().flat_map(|tree| &tree.nodes).any(|node| node.choices > 1) {
        out.push_str("* other productions are possible here\n");
    }
    if let Some(lost) = &analysis.rejection {
        out.push('\n');
        out.push_str(&near_words(subject, analysis, lost));
    }
    out
}

/// One line about a word of a file.
pub fn line(analysis: &Analysis) -> String {
    let mut out = verdict(analysis);
    if let Some(lost) = &analysis.rejection {
        match &lost.prefix_shown {
            Some(prefix) => out.push_str(&format!("; longest accepted prefix {prefix}")),
            None => out.push_str("; no prefix is accepted"),
        }
        if let Some(near) = &lost.nearest {
            let words: Vec<&str> = near.words.iter().map(|word| word.shown.as_str()).collect();
            out.push_str(&format!("; nearest {}{}", words.join(", "), if near.all { "" } else { ", …" }));
        }
    }
    out + "\n"
}

fn verdict(analysis: &Analysis) -> String {
    let confidence = analysis.confidence.map_or_else(String::new, |o| format!(", o = {}", soft(o)));
    let Some(lost) = &analysis.rejection else {
        return format!("accepted  {}: {}{confidence}", analysis.shown, analysis.count());
    };
    let why = match (lost.died_at, &lost.letter) {
        (Some(at), Some(letter)) if lost.is_unknown => {
            format!("unknown letter {letter} at position {at}")
        }
        (Some(at), Some(letter)) => format!("no match from letter {at} on ({letter})"),
        _ if lost.unsure.is_some() => format!("the belief stays below {}", lost.unsure.unwrap_or_default()),
        _ if lost.derived_from.is_empty() => "no non-terminal derives it".to_owned(),
        _ => format!("derived from {}, not from the start symbol", lost.derived_from.join(", ")),
    };
    format!("rejected  {}: {why}{confidence}", analysis.shown)
}

/// The paper's table: letters, beliefs, productions used.
fn table(subject: &Subject, analysis: &Analysis, steps: &[Step]) -> String {
    let names = analysis.nonterminals.as_deref().unwrap_or_default();
    let is_soft = subject.model.is_some();
    let entry = |u: f64| if is_soft { soft(u) } else { format!("{u}") };
    let is_wide = names.len() > MOST_COLUMNS;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut head = vec!["i".to_owned(), "letter".to_owned()];
    if is_wide {
        head.push("believed".to_owned());
    } else {
        head.extend(names.iter().cloned());
    }
    head.push("productions used".to_owned());
    rows.push(head);
    for step in steps {
        let mut row = vec![step.position.to_string(), step.letter.clone()];
        if is_wide {
            let believed = names.iter().zip(&step.beliefs).filter(|(_, u)| **u >= 0.0005);
            let believed: Vec<String> = believed.map(|(name, u)| format!("{name} {}", entry(*u))).collect();
            row.push(believed.join(", "));
        } else {
            row.extend(step.beliefs.iter().map(|&u| entry(u)));
        }
        let marked = |text: &String| format!("{text}{}", if step.doubted.contains(text) { "°" } else { "" });
        row.push(step.productions.iter().map(marked).collect::<Vec<_>>().join(", "));
        rows.push(row);
    }
    text::table(&rows)
}

fn near_words(subject: &Subject, analysis: &Analysis, lost: &Lost) -> String {
    let mut out = match &lost.prefix_shown {
        Some(prefix) => format!("longest accepted prefix: {prefix}\n"),
        None => "no prefix is accepted\n".to_owned(),
    };
    let Some(Near { distance, words, all }) = &lost.nearest else {
        return out + lost.nothing_near + "\n";
    };
    // If belief fades along a long word, a model may reject what its productions derive.
    if *distance == 0 {
        return out + &format!("the productions derive {}, but the belief fades along the word\n", analysis.shown);
    }
    let edits = if *distance == 1 { "1 edit".to_owned() } else { format!("{distance} edits") };
    let what = if subject.threshold().is_some() { "derivable words" } else { "accepted words" };
    out.push_str(&format!("nearest {what}, {edits} away:\n"));
    let width = words.iter().map(|word| word.shown.chars().count()).max().unwrap_or(0);
    for word in words {
        out.push_str(&format!("  {}  {}\n", padded(&word.shown, width), word.edits));
    }
    if !all {
        out.push_str("  …\n");
    }
    out
}

/// A belief with three decimals.
fn soft(belief: f64) -> String {
    format!("{belief:.3}")
}
