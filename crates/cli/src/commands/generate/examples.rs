//! `nerode generate examples`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use automata::Dfa;
use clap::ValueEnum;
use lab::examples::{Draw, ExampleSettings, Shares, all, count_all, draw};
use lab::kinds::Kind;

use super::labelled::{self, Place};
use crate::Answer;
use crate::operand::{Reading, word_length};
use crate::output::Output;

/// Default number of words of each label.
const DEFAULT_WORDS: usize = 1000;

/// Generate labelled examples of a language: accepted and rejected words.
///
/// Rejected words are of four kinds: the run ends in a state that does not accept (non-accepting); the last letter has no
/// transition (invalid-postfix); the same, followed by the end of an accepted word (invalid-infix); any other word
/// (random), which also fills in where the other kinds run out. No word occurs twice under one label. `--draw all` lists
/// all words by length and streams them, without limit.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode generate examples example:paper --depth 8 -o paper.csv
  nerode generate examples grammar.txt --depth 16 --positives 2000 --negatives 2000 --draw uniform --balance
  nerode generate examples example:tomita3 --depth 15 --kinds random --format abbadingo -o tomita3.dat
  nerode generate examples 'regex:(ab)*' --depth 20 --kinds non-accepting=3,random=1 --format jsonl
  nerode generate examples example:paper --depth 10 --positive-out good.txt --negative-out bad.txt
  nerode generate examples example:paper --depth 16 --draw all | head")]
pub(crate) struct Arguments {
    /// The language: a file, `regex:PATTERN`, `example:NAME`, a folder with a `dfa.json`, or `-`.
    language: String,

    /// Maximum length of words.
    #[arg(long, value_name = "DEPTH", value_parser = word_length())]
    depth: usize,

    /// Maximum number of accepted words: a number, or `all` [default: 1000; with --draw all, all].
    #[arg(long, value_name = "N|all", value_parser = number)]
    positives: Option<Number>,

    /// Maximum number of rejected words: a number, or `all` [default: 1000; with --draw all, all].
    #[arg(long, value_name = "N|all", value_parser = number)]
    negatives: Option<Number>,

    /// How words are selected.
    #[arg(long, value_name = "HOW", default_value = "even")]
    draw: How,

    /// Kinds of rejected words with their shares, which are 1 if omitted: `non-accepting=2,random` [default: equal
    /// shares of all four].
    #[arg(long, value_name = "KIND[=SHARE],…", value_parser = shares)]
    kinds: Option<Shares>,

    /// With --draw uniform, also draw the random rejected words uniformly. By default there are equally many of each
    /// length, as in the paper.
    #[arg(long)]
    uniform_random: bool,

    /// Leave out the empty word. By default it is always included, with its label.
    #[arg(long)]
    no_empty_word: bool,

    /// Repeat accepted words until there are as many as requested.
    #[arg(long)]
    balance: bool,

    /// Random seed [default: 0].
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Output format [default: from the name of the output file, else csv].
    #[arg(long, value_name = "FORM")]
    format: Option<Form>,

    /// Output file [default: standard output]. It is written whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// With --format text: the file for accepted words, one per line.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    positive_out: Option<PathBuf>,

    /// With --format text: the file for rejected words, one per line.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    negative_out: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum How {
    /// All words; more than requested is an error.
    All,
    /// Uniform over all words up to the depth; most are long.
    Uniform,
    /// Equally many of each length, as far as they exist.
    Even,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Columns `word`, `label` (1 or 0) and `kind`.
    Csv,
    /// One object per line with the same keys.
    Jsonl,
    /// A header `words letters`, then one line `label length letter …` per word.
    Abbadingo,
    /// Two files, one word per line: --positive-out and --negative-out.
    Text,
}

/// Number of words; `None` for all.
#[derive(Clone, Copy)]
struct Number(Option<usize>);

fn number(text: &str) -> Result<Number, String> {
    match text {
        "all" => Ok(Number(None)),
        _ => text.parse().map(|number| Number(Some(number))).map_err(|_| "expected a number or `all`".to_owned()),
    }
}

fn shares(text: &str) -> Result<Shares, String> {
    let mut shares = Shares { random: 0, ..Shares::RANDOM };
    for part in text.split(',') {
        let (name, share) = part.split_once('=').unwrap_or((part, "1"));
        let share: u32 = share.parse().map_err(|_| format!("the share {share:?} is not a whole number"))?;
        match Kind::named(name) {
            Some(Kind::NonAccepting) => shares.non_accepting = share,
            Some(Kind::InvalidPostfix) => shares.invalid_postfix = share,
            Some(Kind::InvalidInfix) => shares.invalid_infix = share,
            Some(Kind::Random) => shares.random = share,
            Some(Kind::Positive) | None => {
                return Err(format!(
                    "unknown kind {name:?}; the kinds are {}",
                    Kind::NEGATIVE.map(Kind::name).join(", ")
                ));
            }
        }
    }
    Ok(shares)
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let settings = settings(arguments)?;
    let place = place(arguments, &settings)?;
    let [language] = arguments.reading.languages([&arguments.language])?;
    let dfa = of_characters(&language.minimal_dfa(&arguments.reading)?, &language.name)?;
    // Without limits the words can be streamed.
    let unlimited = |number: Option<usize>| number.is_none_or(|number| number == 0);
    let streams = settings.draw == Draw::All && unlimited(settings.positives) && unlimited(settings.negatives);
    let named = |error| anyhow::Error::new(error).context(language.name.clone());
    if streams {
        let count = || count_all(&dfa, &settings);
        place.write(all(&dfa, &settings).map_err(named)?, count, dfa.alphabet())?;
    } else {
        let set = draw(&dfa, &settings).map_err(named)?;
        let count = set.rows.len();
        place.write(set.rows.into_iter(), || Ok(count.into()), dfa.alphabet())?;
    }
    Ok(Answer::Yes)
}

/// The same language over single characters: examples are words of characters, not of classes.
fn of_characters(dfa: &Dfa, name: &str) -> anyhow::Result<Dfa> {
    const MOST_CHARACTERS: usize = 4096;
    match dfa.alphabet().expanded(MOST_CHARACTERS) {
        Some(alphabet) => Ok(dfa.over(&alphabet)),
        None => {
            bail!("{name}: the character classes have more than {MOST_CHARACTERS} characters, too many for examples")
        }
    }
}

fn settings(arguments: &Arguments) -> anyhow::Result<ExampleSettings> {
    let limit = |number: Option<Number>| match number {
        Some(Number(limit)) => limit,
        None if arguments.draw == How::All => None,
        None => Some(DEFAULT_WORDS),
    };
    let (positives, negatives) = (limit(arguments.positives), limit(arguments.negatives));
    if arguments.balance && positives.is_none() {
        bail!("--balance needs a number of words: add --positives N");
    }
    if arguments.uniform_random && arguments.draw != How::Uniform {
        bail!("--uniform-random needs --draw uniform");
    }
    if arguments.seed.is_some() && arguments.draw == How::All {
        bail!("--seed does not apply to --draw all, which takes all words");
    }
    Ok(ExampleSettings {
        depth: arguments.depth,
        positives,
        negatives,
        shares: arguments.kinds.unwrap_or(Shares::EQUAL),
        draw: match arguments.draw {
            How::All => Draw::All,
            How::Uniform => Draw::Uniform,
            How::Even => Draw::Even,
        },
        even_random: !arguments.uniform_random,
        empty_word: !arguments.no_empty_word,
        balance: arguments.balance,
        seed: arguments.seed.unwrap_or(0),
    })
}

/// The absolute path, as far as it exists.
fn whole(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    path.canonicalize().unwrap_or_else(|_| path.file_name().map_or(folder.clone(), |name| folder.join(name)))
}

/// The outputs, opened before the work.
fn place(arguments: &Arguments, settings: &ExampleSettings) -> anyhow::Result<Place> {
    let (positive, negative) = (arguments.positive_out.as_deref(), arguments.negative_out.as_deref());
    let two = positive.is_some() || negative.is_some();
    if !two && arguments.format != Some(Form::Text) {
        let form = match arguments.format {
            Some(Form::Csv) => labelled::Form::Csv,
            Some(Form::Jsonl) => labelled::Form::Jsonl,
            Some(Form::Abbadingo) => labelled::Form::Abbadingo,
            Some(Form::Text) | None => labelled::Form::of_ending(arguments.output.as_deref()),
        };
        return Ok(Place::One(Output::open(arguments.output.as_deref())?, form));
    }
    if arguments.format.is_some_and(|form| form != Form::Text) {
        bail!("--positive-out and --negative-out need --format text; use -o for other formats");
    }
    if positive.is_none() && settings.positives != Some(0) {
        bail!("no file for accepted words: add --positive-out FILE, or --positives 0 for none");
    }
    if negative.is_none() && settings.negatives != Some(0) {
        bail!("no file for rejected words: add --negative-out FILE, or --negatives 0 for none");
    }
    if let (Some(positive), Some(negative)) = (positive, negative)
        && whole(positive) == whole(negative)
    {
        bail!("--positive-out and --negative-out are the same file");
    }
    let open = |path: Option<&Path>| path.map(|path| Output::open(Some(path))).transpose();
    Ok(Place::Two { positive: open(positive)?, negative: open(negative)? })
}
