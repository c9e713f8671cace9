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

/// How many words of a class there are at the most when nothing says how many.
const DEFAULT_WORDS: usize = 1000;

/// Draw words of a language and words that it rejects.
///
/// Rejected words are of four kinds: those whose path through the minimal automaton ends where no word may end
/// (non-accepting), those whose last letter leads nowhere (invalid-postfix), those of that sort that go on with the end
/// of some accepted word (invalid-infix), and any others (random), which also fill up what the other kinds cannot
/// supply. Within its class every word is there once. `--draw all` lists all words without limit, by length, as fast
/// as they are read.
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

    /// Words have at most this many letters.
    #[arg(long, value_name = "DEPTH", value_parser = word_length())]
    depth: usize,

    /// At most so many words of the language: a number, or `all` [default: 1000; with --draw all, all].
    #[arg(long, value_name = "N|all", value_parser = number)]
    positives: Option<Number>,

    /// At most so many rejected words: a number, or `all` [default: 1000; with --draw all, all].
    #[arg(long, value_name = "N|all", value_parser = number)]
    negatives: Option<Number>,

    /// Which words are taken.
    #[arg(long, value_name = "HOW", default_value = "even")]
    draw: How,

    /// The kinds of rejected words with their shares, 1 unless told: `non-accepting=2,random` [default: equal shares
    /// of all four].
    #[arg(long, value_name = "KIND[=SHARE],…", value_parser = shares)]
    kinds: Option<Shares>,

    /// With --draw uniform: random rejected words are drawn so as well. Otherwise there are equal numbers of every
    /// length of them, as the paper has it.
    #[arg(long)]
    uniform_random: bool,

    /// Leave the empty word out. Otherwise it is always there, with its label.
    #[arg(long)]
    no_empty_word: bool,

    /// Repeat the words of the language until there are as many as asked for.
    #[arg(long)]
    balance: bool,

    /// The seed of the draw.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// The form of what is written [default: what the ending of the output file says, or csv].
    #[arg(long, value_name = "FORM")]
    format: Option<Form>,

    /// The file to write instead of standard output. It is written whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// With --format text: the file for words of the language, one a line.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    positive_out: Option<PathBuf>,

    /// With --format text: the file for rejected words, one a line.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    negative_out: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum How {
    /// All there are; more than asked for is a mistake.
    All,
    /// Every word to the depth is equally likely: most are long.
    Uniform,
    /// Equal numbers of every length, as far as they exist.
    Even,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Columns `word`, `label` (1 or 0) and `kind`.
    Csv,
    /// An object a line with the same keys.
    Jsonl,
    /// A header `words letters`, then `label length letter …` a line.
    Abbadingo,
    /// A file for each class, one word a line: --positive-out and --negative-out.
    Text,
}

/// How many words: none for all.
#[derive(Clone, Copy)]
struct Number(Option<usize>);

fn number(text: &str) -> Result<Number, String> {
    match text {
        "all" => Ok(Number(None)),
        _ => text.parse().map(|number| Number(Some(number))).map_err(|_| "it is a number or `all`".to_owned()),
    }
}

fn shares(text: &str) -> Result<Shares, String> {
    let mut shares = Shares { random: 0, ..Shares::RANDOM };
    for part in text.split(',') {
        let (name, share) = part.split_once('=').unwrap_or((part, "1"));
        let share: u32 = share.parse().map_err(|_| format!("the share {share:?} is no whole number"))?;
        match Kind::named(name) {
            Some(Kind::NonAccepting) => shares.non_accepting = share,
            Some(Kind::InvalidPostfix) => shares.invalid_postfix = share,
            Some(Kind::InvalidInfix) => shares.invalid_infix = share,
            Some(Kind::Random) => shares.random = share,
            Some(Kind::Positive) | None => {
                return Err(format!(
                    "no kind is called {name:?}: there are {}",
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
    // Without a limit nothing needs to be held.
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

/// The same language where every character is a letter: examples are words of characters, not of classes.
fn of_characters(dfa: &Dfa, name: &str) -> anyhow::Result<Dfa> {
    const MOST_CHARACTERS: usize = 4096;
    match dfa.alphabet().expanded(MOST_CHARACTERS) {
        Some(alphabet) => Ok(dfa.over(&alphabet)),
        None => {
            bail!("{name}: the classes have more than {MOST_CHARACTERS} characters, too many to draw examples from")
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
        bail!("--balance repeats words up to a number: --positives N says which");
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
        seed: arguments.seed,
    })
}

/// The path from the root, as far as there is anything yet.
fn whole(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    path.canonicalize().unwrap_or_else(|_| path.file_name().map_or(folder.clone(), |name| folder.join(name)))
}

/// Where the examples go, opened before the work begins.
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
        bail!("--positive-out and --negative-out are for --format text; -o is the file of every other form");
    }
    if positive.is_none() && settings.positives != Some(0) {
        bail!("where do the words of the language go? --positive-out says so, and --positives 0 wants none");
    }
    if negative.is_none() && settings.negatives != Some(0) {
        bail!("where do the rejected words go? --negative-out says so, and --negatives 0 wants none");
    }
    if let (Some(positive), Some(negative)) = (positive, negative)
        && whole(positive) == whole(negative)
    {
        bail!("--positive-out and --negative-out are the same file");
    }
    let open = |path: Option<&Path>| path.map(|path| Output::open(Some(path))).transpose();
    Ok(Place::Two { positive: open(positive)?, negative: open(negative)? })
}
