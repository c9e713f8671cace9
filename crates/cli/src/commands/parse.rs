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

/// Show how words are parsed: beliefs after each letter, the productions used, and all parse trees.
///
/// RUN is the folder of a run, whose grammar parses and whose model, if any, supplies the beliefs; a `model.safetensors`
/// file; or any language. An automaton or expression gets one non-terminal per state. For a rejected word it shows the
/// letter from which nothing matches, or that the word ends too early; the longest accepted prefix; and the nearest
/// accepted words with their edits: `[+c]` inserted, `[-c]` deleted, `[b>c]` replaced.
///
/// Exit code: 0 if all words are accepted, 1 if any is rejected.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode parse example:paper bbacc
  nerode parse run abcc abca
  nerode parse run abcc --svg matrices.svg --tree-svg tree.svg
  nerode parse grammar.txt --file words.txt
  nerode parse run/model.safetensors abcc --threshold 0.5 --json")]
pub(crate) struct Arguments {
    /// What parses: the folder of a run, a `model.safetensors`, a file, `regex:PATTERN`, `example:NAME`, or `-`.
    #[arg(value_name = "RUN")]
    language: String,

    /// Words to parse.
    #[arg(value_name = "WORD", required_unless_present = "file")]
    words: Vec<OsString>,

    /// Parse each line of this file, or of standard input for `-`, and print one line per word, without tables or
    /// trees. Blank lines are skipped.
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,

    /// Read a blank line of the file as the empty word.
    #[arg(long, requires = "file", conflicts_with = "words")]
    empty_word: bool,

    /// Number of parse trees to show per word.
    #[arg(long, value_name = "K", default_value_t = 3, conflicts_with = "file")]
    trees: usize,

    /// Parse with the model of the run instead of its grammar.
    #[arg(long)]
    model: bool,

    /// Minimum belief for a production or prefix to count [default: 0.95; 0.5 for the deterministic shape].
    #[arg(long, value_name = "BELIEF", value_parser = belief)]
    threshold: Option<f64>,

    /// Draw the matrices that the word queries, as in the paper's second figure; for one word of at most 24 letters and
    /// a model of at most 12 non-terminals.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    svg: Option<PathBuf>,

    /// Draw the parse trees; for one word.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    tree_svg: Option<PathBuf>,

    /// Print JSON: a list with one analysis per word; with --file, without steps and trees.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

fn belief(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(belief) if belief > 0.0 && belief <= 1.0 => Ok(belief),
        _ => Err("a belief must be above 0 and at most 1".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    if arguments.language == "-" && arguments.file.as_deref() == Some(Path::new("-")) {
        bail!("standard input can be read only once");
    }
    let draws = arguments.svg.is_some() || arguments.tree_svg.is_some();
    if draws && arguments.words.len() != 1 {
        bail!("--svg and --tree-svg draw one word, but {} were given", arguments.words.len());
    }
    let choice = Choice { by_model: arguments.model, threshold: arguments.threshold };
    let subject = subject::open(&arguments.language, &arguments.reading, &choice)?;
    let open = |path: &Option<PathBuf>| path.as_deref().map(|path| Output::open(Some(path))).transpose();
    let (matrices, trees) = (open(&arguments.svg)?, open(&arguments.tree_svg)?);

    let reader = Reader::new(subject.alphabet(), arguments.reading.requested_spelling());
    let shown = arguments.file.is_none().then_some(arguments.trees);
    let mut found: Vec<Analysis> = Vec::new();
    let mut last: Option<Written> = None;
    let blank = each(&reader, &arguments.words, arguments.file.as_deref(), arguments.empty_word, |word| {
        found.push(Analysis::new(&subject, &reader, &word, shown));
        last = Some(word);
        Ok(())
    })?;
    // Report what cannot be drawn at the end, after the other results.
    let mut not_drawn = None;
    if let (Some(output), Some(word)) = (matrices, &last) {
        match pictures::matrices(&subject, word).context("--svg") {
            Ok(picture) => output.finish(&picture)?,
            Err(error) => not_drawn = Some(error),
        }
    }
    if let (Some(output), Some(analysis)) = (trees, found.first()) {
        let picture = match analysis.first_trees.as_deref() {
            _ if !analysis.accepted => {
                Err(anyhow!("--tree-svg: {} is rejected, so it has no parse tree", analysis.shown))
            }
            None | Some([]) => Err(anyhow!("--tree-svg: no parse tree of {} to draw (see --trees)", analysis.shown)),
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
