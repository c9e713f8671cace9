//! `nerode parse`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use nerode::examples::{Reader, Written};
use nerode::parsing::{Analysis, pictures, text};

use crate::input::{each, skipped};
use crate::operand::Reading;
use crate::output::Output;
use crate::subject::{self, Choice};
use crate::{Answer, output};

/// Show how words are parsed: the beliefs after each letter, the productions that fired, all parse trees.
///
/// RUN is the folder of a run, whose grammar parses and whose model, if it has one, believes; a `model.safetensors` alone;
/// or any language: a grammar, or an automaton or expression, which has a non-terminal for each state. Of a rejected word
/// it tells the letter at which belief died, or that the word ended outside the start symbol, the longest accepted prefix,
/// and the nearest accepted words with the edits that lead there: `[+c]` put in, `[-c]` left out, `[b>c]` replaced.
///
/// The exit code is 0 when all words are accepted and 1 when one is not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode parse example:paper bbacc
  nerode parse run abcc abca
  nerode parse run abcc --svg matrices.svg --tree-svg tree.svg
  nerode parse grammar.txt --file words.txt
  nerode parse run/model.safetensors abcc --threshold 0.5 --json")]
pub(crate) struct Arguments {
    /// Who parses: the folder of a run, a `model.safetensors`, a file, `regex:PATTERN`, `example:NAME`, or `-`.
    #[arg(value_name = "RUN")]
    language: String,

    /// The words to parse.
    #[arg(value_name = "WORD", required_unless_present = "file")]
    words: Vec<OsString>,

    /// Parse each line of this file, or of standard input for `-`, and tell a line of each: no tables, no trees. Blank lines
    /// are skipped.
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,

    /// Take a blank line of the file for the empty word.
    #[arg(long, requires = "file")]
    empty_word: bool,

    /// How many trees of a word are shown.
    #[arg(long, value_name = "K", default_value_t = 3)]
    trees: usize,

    /// Parse by the model of the run alone, and not by its grammar.
    #[arg(long)]
    model: bool,

    /// What a model must believe for a production or a prefix to count [default: 0.95; 0.5 in the deterministic shape].
    #[arg(long, value_name = "BELIEF", value_parser = belief)]
    threshold: Option<f64>,

    /// Draw the matrices as the word queries them, after the second figure of the paper; for one word of at most 24 letters,
    /// and at most 12 non-terminals.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    svg: Option<PathBuf>,

    /// Draw the trees; for one word.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    tree_svg: Option<PathBuf>,

    /// Print JSON: a list of words and what came of each; with --file without steps and trees.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

fn belief(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(belief) if belief > 0.0 && belief <= 1.0 => Ok(belief),
        _ => Err("a belief is above 0 and at most 1".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    if arguments.language == "-" && arguments.file.as_deref() == Some(Path::new("-")) {
        bail!("standard input can be read only once");
    }
    let draws = arguments.svg.is_some() || arguments.tree_svg.is_some();
    if draws && arguments.words.len() != 1 {
        bail!("a picture is of one word, and there are {}", arguments.words.len());
    }
    let choice = Choice { by_model: arguments.model, threshold: arguments.threshold };
    let subject = subject::open(&arguments.language, &arguments.reading, &choice)?;
    let open = |path: &Option<PathBuf>| path.as_deref().map(|path| Output::open(Some(path))).transpose();
    let (matrices, trees) = (open(&arguments.svg)?, open(&arguments.tree_svg)?);

    let reader = Reader::new(subject.alphabet(), arguments.reading.told_spelling());
    let shown = arguments.file.is_none().then_some(arguments.trees);
    let mut found: Vec<Analysis> = Vec::new();
    let mut last: Option<Written> = None;
    let blank = each(&reader, &arguments.words, arguments.file.as_deref(), arguments.empty_word, |word| {
        found.push(Analysis::new(&subject, &reader, &word, shown));
        last = Some(word);
        Ok(())
    })?;
    // What cannot be drawn is told in the end: it is no reason to keep the rest to oneself.
    let mut not_drawn = None;
    if let (Some(output), Some(word)) = (matrices, &last) {
        match pictures::matrices(&subject, word).context("--svg") {
            Ok(picture) => output.finish(&picture)?,
            Err(error) => not_drawn = Some(error),
        }
    }
    if let (Some(output), Some(analysis)) = (trees, found.first()) {
        let picture = match analysis.first_trees.as_deref() {
            _ if !analysis.accepted => Err(anyhow!("--tree-svg: {} is rejected, so it has no tree", analysis.shown)),
            None | Some([]) => Err(anyhow!("--tree-svg: there is no tree to be drawn of {}", analysis.shown)),
            Some(_) => pictures::trees(&subject, analysis).context("--tree-svg"),
        };
        match picture {
            Ok(picture) => output.finish(&picture)?,
            Err(error) => not_drawn = not_drawn.or(Some(error)),
        }
    }
    let rejected = found.iter().filter(|word| !word.accepted).count();
    if arguments.json {
        output::print_json(&found)?;
        if blank > 0 {
            crate::note(&skipped(blank, "", ""));
        }
    } else if arguments.file.is_some() {
        let mut lines: String = found.iter().map(text::line).collect();
        let accepted = found.len() - rejected;
        lines.push_str(&format!("{accepted} accepted, {rejected} rejected{}\n", skipped(blank, ", ", "")));
        output::print(&lines)?;
    } else {
        let texts: Vec<String> = found.iter().map(|word| text::whole(&subject, word)).collect();
        output::print(&texts.join("\n"))?;
    }
    if let Some(error) = not_drawn {
        return Err(error);
    }
    Ok(if rejected == 0 { Answer::Yes } else { Answer::No })
}
