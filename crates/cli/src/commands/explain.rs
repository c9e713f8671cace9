//! `nerode explain`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use automata::formats::grammar_text;
use automata::{Alphabet, Dfa, Grammar, describe};
use induction::Sample;
use nerode::Count;
use nerode::answer::evidence::{self, DOUBTED, Evidence, Words};
use nerode::answer::{Ambiguity, ambiguity};
use nerode::text::{self, counted};
use serde::Serialize;

use crate::Answer;
use crate::input::Input;
use crate::operand::Reading;
use crate::output::{self, json_number};
use crate::subject::{language, read_model};

/// Explain a grammar: a description in words, ambiguity, and the evidence for each production.
///
/// For each production of a run it shows the model's belief in it; how many accepted examples use it in some derivation;
/// how many examples change their label without it, because all their derivations use it; and how many rejected examples
/// it reaches: it derives one of their prefixes, but the word is rejected because another production is missing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode explain run
  nerode explain run 'A1 -> A2 c'
  nerode explain grammar.txt --examples examples.csv
  nerode explain example:paper --unambiguous")]
pub(crate) struct Arguments {
    /// The folder of a run, or any language: a file, `regex:PATTERN`, `example:NAME`, or `-`.
    #[arg(value_name = "RUN")]
    language: String,

    /// Show only this production, written as in the grammar, with its shortest examples.
    #[arg(value_name = "PRODUCTION")]
    production: Option<String>,

    /// Labelled examples to use as evidence [default: those of the run].
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,

    /// Also print the deterministic grammar of the same language, in which every word has one parse tree.
    #[arg(long)]
    unambiguous: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

/// The output of --json.
#[derive(Serialize)]
struct Explanation {
    description: String,
    facts: Vec<String>,
    complete: bool,
    infinite: bool,
    words: Option<Count>,
    ambiguous: bool,
    ambiguous_word: Option<Ambiguity>,
    productions: Vec<String>,
    evidence: Option<Vec<Evidence>>,
    deterministic: Option<Vec<String>>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let (grammar, dfa) = language(&arguments.language, &arguments.reading)?;
    let mut lines = weighed(arguments, &grammar)?;
    if let Some(asked) = &arguments.production {
        let wanted = squeezed(asked);
        if !grammar_text::lines(&grammar).iter().any(|line| squeezed(&line.text) == wanted) {
            bail!("the grammar has no production {asked:?}; `nerode explain {}` lists them", arguments.language);
        }
        let Some(lines) = &mut lines else {
            bail!("{} has no examples; give some with --examples FILE", arguments.language);
        };
        lines.retain(|line| squeezed(&line.production) == wanted);
    }
    let ambiguous = ambiguity::find(&grammar);
    let deterministic = arguments.unambiguous.then(|| Grammar::from_dfa(&dfa, grammar.direction()));
    if arguments.json {
        let description = describe(&dfa);
        let texts = |grammar: &Grammar| grammar_text::lines(grammar).into_iter().map(|line| line.text).collect();
        output::print_json(&Explanation {
            description: description.sentence(),
            facts: description.sentences(),
            complete: description.complete,
            infinite: description.words.is_none(),
            words: description.words.as_ref().map(json_number),
            ambiguous: ambiguous.is_some(),
            ambiguous_word: ambiguous,
            productions: texts(&grammar),
            evidence: lines,
            deterministic: deterministic.as_ref().map(texts),
        })?;
        return Ok(Answer::Yes);
    }
    if let (Some(_), Some([line])) = (&arguments.production, lines.as_deref()) {
        output::print(&one(line, grammar.alphabet()))?;
        return Ok(Answer::Yes);
    }
    let trees = ambiguity::sentence(&grammar, ambiguous.as_ref());
    let mut text = format!("in words   {}\ntrees      {trees}\n\n", describe(&dfa).sentence());
    text.push_str(&match &lines {
        Some(lines) => table(lines),
        None => grammar_text::lines(&grammar).iter().map(|line| format!("  {}\n", line.text)).collect(),
    });
    if let Some(deterministic) = &deterministic {
        text.push_str(&compared(&grammar, deterministic, &dfa));
    }
    output::print(&text)?;
    Ok(Answer::Yes)
}

/// The evidence for the productions, from the given examples or from the run.
fn weighed(arguments: &Arguments, grammar: &Grammar) -> anyhow::Result<Option<Vec<Evidence>>> {
    let folder = Path::new(&arguments.language);
    if let Some(file) = &arguments.examples {
        let given = Input::of_file(file).read()?;
        let sample = Sample::new(&given.examples, true).with_context(|| given.source.clone())?;
        let model = Some(folder.join("model.safetensors")).filter(|path| path.exists());
        let model = model.map(|path| read_model(&path)).transpose()?;
        return match evidence::of(grammar, model.as_ref(), &sample) {
            None => bail!("{}: too many productions for evidence", arguments.language),
            lines => Ok(lines),
        };
    }
    let path = folder.join("result.json");
    if !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(nerode::Answer::read(&text).with_context(|| path.display().to_string())?.evidence)
}

/// A production in one normal spelling.
fn squeezed(production: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let arrows = ["->", "→", "::="].into_iter().filter_map(|arrow| Some((production.find(arrow)?, arrow)));
    match arrows.min() {
        Some((at, arrow)) => format!("{} -> {}", words(&production[..at]), words(&production[at + arrow.len()..])),
        None => words(production),
    }
}

/// One line per production.
fn table(lines: &[Evidence]) -> String {
    let has_beliefs = lines.iter().any(|line| line.confidence.is_some());
    let has_mended = lines.iter().any(|line| line.mended.count > 0);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut head = vec!["production"];
    head.extend(has_beliefs.then_some("belief"));
    head.extend(["used by", "needed by"]);
    head.extend(has_mended.then_some("wrongly accepts"));
    head.push("used by rejected");
    rows.push(head.into_iter().map(str::to_owned).collect());
    for line in lines {
        let mut row = vec![line.production.clone()];
        row.extend(has_beliefs.then(|| line.belief().unwrap_or_else(|| "-".to_owned())));
        row.extend([line.used.count.to_string(), line.lost.count.to_string()]);
        row.extend(has_mended.then(|| line.mended.count.to_string()));
        row.push(line.reached.count.to_string());
        rows.push(row);
    }
    let doubted = if lines.iter().any(Evidence::is_doubted) { format!("  {DOUBTED}\n") } else { String::new() };
    text::table(&rows) + &doubted
}

/// Everything about one production.
fn one(line: &Evidence, alphabet: &Alphabet) -> String {
    let list = |words: &Words| {
        let shown: Vec<String> = words.shortest.iter().map(|word| alphabet.show_text(word.clone())).collect();
        let more = if (shown.len() as u64) < words.count { ", …" } else { "" };
        if shown.is_empty() { String::new() } else { format!(": {}{more}", shown.join(", ")) }
    };
    let examples = |words: &Words, kind: &str| counted(words.count, &format!("{kind} example"));
    let mut text = format!("{}\n", line.production);
    if let Some(belief) = line.belief() {
        text.push_str(&format!("belief          {belief}\n"));
    }
    text.push_str(&format!("used by         {}{}\n", examples(&line.used, "accepted"), list(&line.used)));
    text.push_str(&format!("needed by       {}{}\n", examples(&line.lost, "accepted"), list(&line.lost)));
    if line.mended.count > 0 {
        text.push_str(&format!("wrongly accepts {}{}\n", examples(&line.mended, "rejected"), list(&line.mended)));
    }
    text.push_str(&format!("also used by    {}{}\n", examples(&line.reached, "rejected"), list(&line.reached)));
    if line.is_doubted() {
        text.push_str(&format!("{DOUBTED}\n"));
    }
    text
}

/// The deterministic grammar, compared with the given one.
fn compared(grammar: &Grammar, deterministic: &Grammar, dfa: &Dfa) -> String {
    let size = |grammar: &Grammar| {
        let (productions, nonterminals) = (grammar_text::lines(grammar).len(), grammar.nonterminals().len());
        format!("{}, {}", counted(productions as u64, "production"), counted(nonterminals as u64, "non-terminal"))
    };
    let states = counted(dfa.trimmed().len() as u64, "state");
    let lines: String = grammar_text::lines(deterministic).iter().map(|line| format!("  {}\n", line.text)).collect();
    format!("\ndeterministic, from {states}: {} (above: {})\n{lines}", size(deterministic), size(grammar))
}
