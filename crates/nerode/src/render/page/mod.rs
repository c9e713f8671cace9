//! `report.html`: the answer as one self-contained page: no other file, no network, no server.
//!
//! ```text
//!   Learned ──► sections (what was asked, the answer, a box for words, …) ──┐
//!   table.rs: the automaton and grammar as JSON ──► words.js, which reads words ├──► one file
//!   lab::training: strip, losses, player ───────────────────────────────────────┘
//! ```
//!
//! A section is a function from the run to HTML, or `None` if it has no content. Without scripts, and on paper, only
//! the box for words and the slider are missing.

mod table;

use automata::formats::grammar_text;
use automata::{Counts, drawing};
use induction::selection::Origin;

use super::Context;
use super::phrases::{self, Long};
use crate::answer::evidence::{DOUBTED, Evidence, Words};
use crate::answer::{Learned, ambiguity};
use crate::policy::with_policy;
use crate::text::counted;
use crate::training::{self, Training};

/// The drawings that are not too large.
pub(super) struct Pictures<'a> {
    pub(super) dfa: Option<&'a str>,
    pub(super) nfa: Option<&'a str>,
}

/// Maximum number of listed examples of each label.
const EXAMPLES: usize = 500;
/// Maximum length of the initial word in the box.
const SHORT: usize = 8;
/// Maximum number of words shown as evidence.
const SHORTEST: usize = 3;
/// Maximum length of an expression in the title.
const TITLE: usize = 80;
/// Number of characters shown of an expression that is more than twice as long.
const EXPRESSION: usize = 200;

/// The page, from the result and the lines of `training.jsonl`.
pub(super) fn page(run: &Learned, context: &Context, pictures: &Pictures, training: &str) -> String {
    let regex = run.answer.regex.clone();
    let title = regex.as_deref().filter(|regex| regex.chars().count() <= TITLE && !regex.is_empty());
    let title = escaped(title.unwrap_or("A learned grammar"));
    let trained = Training::read(training).ok().and_then(Training::foremost);
    let sections = [
        ("asked", "The question", Some(asked(run, context))),
        ("answer", "The answer", Some(answer(run, regex.as_deref()))),
        ("automata", "Automaton", drawn(run, pictures)),
        ("try", "Try a word", Some(words(run))),
        ("certificate", "Certificate", Some(certificate(run))),
        ("undecided", "Undecided words", Some(undecided(run))),
        ("evidence", "Evidence by production", run.answer.evidence.as_deref().and_then(evidence)),
        ("training", "Training", trained.as_ref().and_then(|trained| course(run, trained))),
        ("again", "Reproduce it", Some(again(run, context))),
    ];
    let mut links = String::new();
    let mut body = String::new();
    for (id, heading, content) in sections {
        let Some(content) = content else { continue };
        links += &format!("<li><a href=\"#{id}\">{heading}</a></li>\n");
        body += &format!("<section id=\"{id}\">\n<h2>{heading}</h2>\n{content}</section>\n");
    }
    with_policy(&format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} · nerode</title>\n\
         <style>\n{}{}@media screen and (prefers-color-scheme: dark) {{ {} }}\n</style>\n</head>\n<body>\n<header>\n\
         <h1><code>{title}</code></h1>\n<p class=\"lead\">{}</p>\n<p class=\"verdict\">{}</p>\n</header>\n\
         <nav><ul>\n{links}</ul></nav>\n<main>\n{body}</main>\n<script>\n{}{}</script>\n</body>\n</html>\n",
        include_str!("style.css"),
        training::STYLE,
        training::night_style(),
        escaped(run.answer.formula.as_ref().unwrap_or(&run.answer.description)),
        verdict(run),
        include_str!("words.js"),
        training::SCRIPT,
    ))
}

/// Whether it agrees with the examples, in one line; with a sign in addition to the colour.
fn verdict(run: &Learned) -> String {
    let (class, sign) = match (run.answer.consistent, &run.answer.noise) {
        (true, _) => ("good", "✓"),
        (false, None) => ("bad", "✗"),
        (false, Some(_)) => ("open", "≈"),
    };
    format!("<span class=\"mark {class}\">{sign}</span> {}", escaped(&phrases::checked(run, Long::Whole)))
}

/// Named phrases as a definition list.
fn terms(rows: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let terms: String =
        rows.into_iter().map(|(name, text)| format!("<dt>{name}</dt><dd>{}</dd>\n", escaped(&text))).collect();
    if terms.is_empty() { terms } else { format!("<dl>\n{terms}</dl>\n") }
}

fn asked(run: &Learned, context: &Context) -> String {
    let sample = &run.sample;
    let alphabet = sample.alphabet();
    let list = |accepted: bool| {
        let of_kind = |counts: Counts| (counts.accepted > counts.rejected) == accepted;
        let all = || sample.rows().filter(|(_, counts)| counts.labelled() > 0 && of_kind(*counts));
        // Count all words, but list only some.
        let count = all().count();
        let more = match count.saturating_sub(EXAMPLES) {
            0 => String::new(),
            more => format!("\n… and {more} more in examples.jsonl"),
        };
        let shown = all().take(EXAMPLES).map(|(word, _)| alphabet.show(word)).collect::<Vec<_>>().join("\n");
        let what = if accepted { "in the language" } else { "not in the language" };
        format!(
            "<details><summary>{} {what}</summary><pre>{}</pre></details>\n",
            counted(count as u64, "word"),
            escaped(&(shown + &more))
        )
    };
    format!(
        "<p>Which regular language is behind these words? {}.</p>\n{}{}",
        escaped(&sentence(&phrases::learned_from(run, context))),
        list(true),
        list(false)
    )
}

/// With an initial capital.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

fn answer(run: &Learned, regex: Option<&str>) -> String {
    let facts = &run.answer.facts;
    let facts = match facts.len() {
        0 | 1 => format!("<p>{}</p>\n", escaped(&run.answer.description)),
        _ => {
            let points: String = facts.iter().map(|fact| format!("<li>{}</li>\n", escaped(fact))).collect();
            let complete = match run.answer.facts_are_complete {
                true => {
                    "Each of these facts is proved, and together they define the language: a word is in it if all of them hold."
                }
                false => "Each of these facts is proved, but they also hold for some words outside the language.",
            };
            format!("<ul>\n{points}</ul>\n<p class=\"note\">{complete}</p>\n")
        }
    };
    let formula = run.answer.formula.as_ref();
    let formula = formula.map(|formula| {
        format!(
            "<p>{}</p>\n<p class=\"note\">This is what was learned, and it defines the language; below is what the automaton tells.</p>\n",
            escaped(formula)
        )
    });
    let facts = formula.unwrap_or_default() + &facts;
    let expression = expression(regex);
    let trees = run.answer.ambiguous.map_or(String::new(), |_| {
        let sentence = ambiguity::sentence(&run.grammar, run.answer.ambiguous_word.as_ref());
        format!("<p>This grammar is {}.</p>\n", escaped(&sentence))
    });
    format!(
        "<h3>In plain words</h3>\n{facts}<h3>Expression</h3>\n{expression}<h3>Grammar</h3>\n<pre>{}</pre>\n{trees}{}",
        escaped(&grammar_text::write(&run.grammar)),
        terms([("size", phrases::size(run)), ("found by", phrases::found_by(&run.answer))])
    )
}

/// The expression; a long one is abbreviated, with the rest on demand.
fn expression(regex: Option<&str>) -> String {
    let Some(regex) = regex else { return "<p>The expression is too long to be useful.</p>\n".to_owned() };
    let length = regex.chars().count();
    if length > 2 * EXPRESSION {
        let begin: String = regex.chars().take(EXPRESSION).collect();
        return format!(
            "<pre class=\"regex\">{}…</pre>\n<details><summary>All {length} characters</summary>\
             <pre class=\"regex\">{}</pre></details>\n",
            escaped(&begin),
            escaped(regex)
        );
    }
    let shown = if regex.is_empty() { "(only the empty word)" } else { regex };
    format!("<pre class=\"regex\">{}</pre>\n", escaped(shown))
}

fn drawn(run: &Learned, pictures: &Pictures) -> Option<String> {
    let figure = |picture: Option<&str>, caption: &str| {
        picture.map_or(String::new(), |svg| {
            // On a narrow screen, shrink the picture a little, then scroll.
            let least = 0.6 * width(svg);
            format!(
                "<figure class=\"automaton\" tabindex=\"0\"><div style=\"min-width: {least:.0}px\">{}</div></figure>\n\
                 <p class=\"caption\">{caption}</p>\n",
                training::inline(svg)
            )
        })
    };
    let dead = match run.dfa.trimmed().len() < run.dfa.len() {
        true => ", without its dead state: a word is rejected where no arrow continues it",
        false => "",
    };
    let both = figure(
        pictures.dfa,
        &format!(
            "The minimal deterministic automaton{dead}. Words start at the arrow from nowhere; double circles accept."
        ),
    ) + &figure(
        pictures.nfa,
        "The grammar as an automaton: a word is accepted if some path that reads it ends in a double circle.",
    );
    (!both.is_empty()).then_some(both)
}

fn words(run: &Learned) -> String {
    let sample = &run.sample;
    let Some(table) = table::json(run) else {
        return "<p>The automaton is too large for this page; use <code>nerode accepts DIR WORD</code> to test a \
                word.</p>\n"
            .to_owned();
    };
    // Start with an interesting word: the longest that is still short.
    let examples = sample.rows().filter(|(word, counts)| counts.accepted > counts.rejected && word.len() <= SHORT);
    let longest = examples.max_by_key(|(word, _)| word.len());
    let first = longest.map_or(String::new(), |(word, _)| sample.alphabet().write(word));
    let spelling = match run.dfa.alphabet().spelling() {
        automata::Spelling::Tokens => "Letters are tokens, separated by spaces.",
        automata::Spelling::Bytes => "Letters are bytes.",
        _ => "Every character is a letter, including spaces.",
    };
    format!(
        "<noscript><p>This box needs JavaScript; <code>nerode accepts</code> does not.</p></noscript>\n\
         <form class=\"words\" hidden>\n<label for=\"word\">Word</label>\n\
         <input id=\"word\" type=\"text\" value=\"{}\" autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\">\n\
         <p class=\"note\">{spelling}</p>\n<output id=\"verdict\" for=\"word\" aria-live=\"polite\"></output>\n\
         <div id=\"path\"></div>\n<p id=\"why\"></p>\n<div id=\"derivation\"></div>\n</form>\n\
         <script type=\"application/json\" id=\"automaton\">{}</script>\n",
        escaped(&first),
        training::embedded(&table)
    )
}

fn certificate(run: &Learned) -> String {
    let answer = &run.answer;
    let wrong: String = answer
        .wrong
        .iter()
        .map(|wrong| {
            let label = if wrong.label { "accepted" } else { "rejected" };
            let shown = run.letters.show_text(wrong.word.clone());
            format!("<tr><td><code>{}</code></td><td>{label}</td></tr>\n", escaped(&shown))
        })
        .collect();
    let wrong = match wrong.is_empty() {
        true => String::new(),
        false => format!(
            "<div class=\"table\"><table>\n<caption>Examples that the answer gets wrong</caption>\n<thead>\n\
             <tr><th>word</th><th>labelled</th></tr>\n</thead>\n<tbody>\n{wrong}</tbody>\n</table></div>\n"
        ),
    };
    let rows = [
        Some(("checked", phrases::checked(run, Long::Whole))),
        phrases::empty_word(answer).map(|text| ("empty word", text)),
        answer.proof.as_ref().map(|proof| ("proof", proof.sentence.clone())),
        phrases::suspects(run, Long::Whole).map(|text| ("suspects", text)),
        phrases::stopped(answer).map(|text| ("stopped", text)),
    ];
    let rows = rows.into_iter().flatten();
    format!(
        "<p>Every example was replayed through the automaton, by code independent of the engine that found it.</p>\n{}{wrong}",
        terms(rows)
    )
}

fn undecided(run: &Learned) -> String {
    let says = |word: &str| match run.dfa.alphabet().read(word).is_ok_and(|word| run.dfa.accepts(&word)) {
        true => "accepted",
        false => "rejected",
    };
    let words: String = run
        .answer
        .undecided
        .iter()
        .map(|open| {
            let text = &open.word;
            format!(
                "<tr><td><button type=\"button\" class=\"try\" data-word=\"{}\"><code>{}</code></button></td>\
                 <td>{}</td><td>{} of {}</td></tr>\n",
                escaped(text),
                escaped(&run.letters.show_text(text.clone())),
                says(text),
                open.accepted_by,
                open.of
            )
        })
        .collect();
    if words.is_empty() {
        return format!(
            "<p>{}.</p>\n{}",
            escaped(&sentence(&phrases::undecided(run, Long::Whole))),
            terms(phrases::others(run, Long::Whole))
        );
    }
    format!(
        "<p>{} with every example and about as simple. Labels for these words would decide between them \
         (<code>--ask</code>).</p>\n<div class=\"table\"><table>\n<thead>\n<tr><th>word</th>\
         <th>this answer</th><th>accepted by</th></tr>\n</thead>\n<tbody>\n{words}</tbody>\n</table></div>\n{}",
        match run.answer.alternatives.count {
            1 => "1 other answer is consistent".to_owned(),
            count => format!("{count} other answers are consistent"),
        },
        terms(phrases::others(run, Long::Whole))
    )
}

/// One row per production; `None` if there are too many.
fn evidence(lines: &[Evidence]) -> Option<String> {
    let words = |words: &Words| match &words.shortest[..] {
        [] => words.count.to_string(),
        shortest => {
            let shown: Vec<String> = shortest.iter().take(SHORTEST).map(|word| shown(word)).collect();
            let more = if words.count > shown.len() as u64 { ", …" } else { "" };
            format!("{}: {}{more}", words.count, shown.join(", "))
        }
    };
    let has_beliefs = lines.iter().any(|line| line.confidence.is_some());
    let row = |line: &Evidence| {
        let belief = match has_beliefs {
            true => format!("<td>{}</td>", line.belief().unwrap_or_default()),
            false => String::new(),
        };
        format!(
            "<tr><td class=\"production\">{}</td>{belief}<td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escaped(&line.production),
            words(&line.used),
            words(&line.lost),
            words(&line.reached)
        )
    };
    let rows: String = lines.iter().map(row).collect();
    let (believes, column) = match has_beliefs {
        true => ("For each production: the model's belief in it; how many", "<th>belief</th>"),
        false => ("For each production: how many", ""),
    };
    let doubted = match lines.iter().any(Evidence::is_doubted) {
        true => format!("<p class=\"note\">{DOUBTED}.</p>\n"),
        false => String::new(),
    };
    (!lines.is_empty()).then(|| {
        format!(
            "<p>{believes} accepted examples use it; how many need it, since they would be rejected without it; how \
             many rejected examples use it for a prefix. The shortest of each are shown.</p>\n\
             <div class=\"table\"><table>\n<thead>\n<tr><th>production</th>{column}<th>used by</th>\
             <th>needed by</th><th>used by rejected</th></tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n{doubted}"
        )
    })
}

/// A word in a table; the empty word is visible.
fn shown(word: &str) -> String {
    if word.is_empty() { "ε".to_owned() } else { format!("<code>{}</code>", escaped(word)) }
}

fn course(run: &Learned, trained: &Training) -> Option<String> {
    let figure = |picture: Option<String>, caption: &str| {
        picture.map_or(String::new(), |svg| {
            let least = 0.6 * width(&svg);
            format!(
                "<figure tabindex=\"0\"><div style=\"min-width: {least:.0}px\">{}</div></figure>\n\
                 <p class=\"caption\">{}</p>\n",
                training::inline(&svg),
                escaped(caption)
            )
        })
    };
    let losses = figure(trained.losses(), &training::losses_caption(trained));
    if losses.is_empty() {
        return None;
    }
    let front = trained.front();
    let is_here = trained.watched.as_ref().is_some_and(|watched| watched.answer.is_some());
    let whence = whence(run.model.is_some(), run.answer.engine, is_here);
    Some(format!(
        "<p>{whence}</p>\n{}{losses}{}",
        trained.player().unwrap_or_default(),
        figure(trained.strip(front, None), &training::strip_caption(trained, front))
    ))
}

/// How the answer relates to the restarts shown.
fn whence(has_model: bool, origin: Origin, is_here: bool) -> String {
    if !has_model {
        return "Another engine found the answer; this is the training of the neural model.".to_owned();
    }
    let repaired = if origin == Origin::Repaired { " and then repaired by adding or removing productions" } else { "" };
    match is_here {
        true => format!("The answer was read off one of these restarts of the neural model{repaired}."),
        false => format!("The answer was read off the neural model{repaired}; these restarts were trained first."),
    }
}

fn again(run: &Learned, context: &Context) -> String {
    let answer = &run.answer;
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<p>The same examples, settings and seed give the same answer on every machine, unless a time limit stopped the run.</p>\n\
         <pre>{}</pre>\n<dl>\n<dt>seed</dt><dd>{}</dd>\n<dt>restarts</dt><dd>{}</dd>\n<dt>steps</dt><dd>{}</dd>\n\
         <dt>moves</dt><dd>{}</dd>\n<dt>version</dt><dd>nerode {version}</dd>\n</dl>\n\
         <details><summary>Everything, as JSON</summary><pre>{}</pre></details>\n",
        escaped(&context.command),
        answer.seed,
        answer.restarts,
        answer.steps,
        answer.moves,
        escaped(answer.write().trim_end())
    )
}

/// The width attribute of a picture.
fn width(svg: &str) -> f64 {
    let attribute = svg.split_once(" width=\"").and_then(|(_, rest)| rest.split_once('"'));
    attribute.and_then(|(width, _)| width.parse().ok()).unwrap_or(0.0)
}

/// Text for HTML, line by line.
fn escaped(text: &str) -> String {
    text.split('\n').map(drawing::escaped).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_expression_is_folded() {
        let long = "ab|".repeat(200);
        let html = expression(Some(&long));
        assert!(html.contains("<summary>All 600 characters</summary>"), "{html}");
        assert!(html.contains(&format!(">{}…</pre>", &long[..200])) && html.contains(&format!(">{long}</pre>")));
        assert!(!expression(Some("ab")).contains("details"));
        assert!(expression(Some("")).contains("empty word") && expression(None).contains("too long"));
    }

    #[test]
    fn a_repaired_answer_is_said_to_be_repaired() {
        assert!(
            whence(true, Origin::Repaired, true).ends_with(" and then repaired by adding or removing productions.")
        );
        assert!(whence(true, Origin::Repaired, false).contains("repaired"));
        assert!(!whence(true, Origin::Neural, true).contains("repaired"));
        assert!(!whence(false, Origin::Search, false).contains("read off"));
    }

    #[test]
    fn evidence_is_shown() {
        assert_eq!(evidence(&[]), None);
        let words = |shortest: &[&str]| Words {
            count: 2 * shortest.len() as u64,
            shortest: shortest.iter().map(|&word| word.to_owned()).collect(),
        };
        let line = Evidence {
            production: "A1 -> <".to_owned(),
            confidence: Some(0.5),
            used: words(&["", "</td>"]),
            lost: words(&[]),
            mended: words(&[]),
            reached: words(&["a", "b", "c", "d"]),
        };
        let doubted = Evidence { confidence: Some(0.003), ..line.clone() };
        let html = evidence(&[doubted]).unwrap();
        assert!(html.contains("<td>0.003°</td>") && html.contains("or repair added it"), "{html}");
        let unread = Evidence { confidence: None, ..line.clone() };
        let html = evidence(&[unread]).unwrap();
        assert!(!html.contains("belie") && !html.contains("model"), "{html}");
        let html = evidence(&[line]).unwrap();
        assert!(!html.contains('°'), "{html}");
        assert!(html.contains("<td class=\"production\">A1 -&gt; &lt;</td><td>0.500</td>"), "{html}");
        assert!(html.contains("<td>4: ε, <code>&lt;/td&gt;</code>, …</td><td>0</td>"), "{html}");
        assert!(html.contains("8: <code>a</code>, <code>b</code>, <code>c</code>, …"), "{html}");
    }
}
