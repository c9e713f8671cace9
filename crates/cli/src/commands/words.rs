//! `nerode words`.

use std::io::{self, IsTerminal, Write};

use automata::{Alphabet, BigUint, Dfa, Sampler, cardinality, count_by_length, count_to, counts, enumerate_from};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::operand::{Reading, word_length};
use crate::{Answer, output};

/// Number of words listed if no number, depth or length is given.
const DEFAULT_LIMIT: usize = 100;
/// Character classes are listed character by character up to this many characters.
const CHARACTERS: usize = 2_000;
/// Maximum length of random words if none is given.
const DEFAULT_DEPTH: usize = 16;

/// List, count or sample the words of a language.
///
/// Words are listed by length, then in alphabetical order, one per line. The empty word is written "", and words that would
/// be hard to read are quoted. Counts are exact, however large. Samples are exactly uniform over all words of at most
/// DEPTH letters, or of exactly LENGTH letters, and the same seed gives the same words. A letter that is a class, such as
/// `[0-9]`, stands for all its characters; if there are thousands, words are listed with one of them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode words example:paper --limit 10
  nerode words 'regex:(a|b)*cc*' --count --depth 100
  nerode words example:tomita4 --count --depth 8 --by-length
  nerode words grammar.txt --sample 5 --depth 30 --seed 7")]
pub(crate) struct Arguments {
    /// The language: a file, `regex:PATTERN`, `example:NAME`, a folder with a `dfa.json`, or `-`.
    language: String,

    /// Print the number of words: up to the given depth, or all.
    #[arg(long, conflicts_with_all = ["sample", "limit"])]
    count: bool,

    /// With --count: one line per length.
    #[arg(long, requires = "count", conflicts_with_all = ["sample", "limit"])]
    by_length: bool,

    /// Only words of at most this many letters.
    #[arg(long, value_name = "DEPTH", value_parser = word_length())]
    depth: Option<usize>,

    /// Only words of exactly this many letters.
    #[arg(long, value_name = "LENGTH", conflicts_with = "depth", value_parser = word_length())]
    length: Option<usize>,

    /// Sample this many words at random, with repetition [default depth: 16].
    #[arg(long, value_name = "N", conflicts_with = "limit")]
    sample: Option<usize>,

    /// Random seed.
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "sample", conflicts_with_all = ["count", "limit"])]
    seed: u64,

    /// List at most this many words [default: 100, unless a depth or length is given].
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Print JSON.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    reading: Reading,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let [language] = arguments.reading.languages([&arguments.language])?;
    let dfa = language.minimal_dfa(&arguments.reading)?;
    if arguments.count {
        count(arguments, &dfa)?;
    } else if let Some(draws) = arguments.sample {
        sample(arguments, &dfa, draws)?;
    } else {
        list(arguments, &dfa)?;
    }
    Ok(Answer::Yes)
}

fn count(arguments: &Arguments, dfa: &Dfa) -> anyhow::Result<()> {
    let depth = arguments.length.or(arguments.depth);
    let finite = dfa.is_finite_language();
    let total = match (arguments.length, arguments.depth) {
        (Some(length), _) => counts(dfa).nth(length),
        (None, Some(depth)) => Some(count_to(dfa, depth)),
        (None, None) => cardinality(dfa),
    };
    // Streamed, since all counts together may not fit into memory.
    let by_length: Box<dyn Iterator<Item = BigUint>> = match depth {
        Some(depth) => Box::new(counts(dfa).take(depth + 1)),
        // A finite language has no word as long as the number of states.
        None if finite => Box::new(without_trailing_zeros(count_by_length(dfa, dfa.len() - 1)).into_iter()),
        None => Box::new(std::iter::empty()),
    };
    if arguments.json {
        let number = |number: Option<usize>| number.map_or_else(|| "null".to_owned(), |number| number.to_string());
        let entries = [
            ("finite", finite.to_string()),
            ("depth", number(arguments.depth)),
            ("length", number(arguments.length)),
            ("total", total.map_or_else(|| "null".to_owned(), |total| total.to_string())),
        ];
        let all = by_length.filter(|_| arguments.length.is_none());
        return output::print_json_list(&entries, "by_length", all.map(|count| output::json_number(&count)));
    }
    if !arguments.by_length {
        output::print(&total.map_or_else(|| "infinite\n".to_owned(), |total| format!("{total}\n")))?;
        return Ok(());
    }
    if depth.is_none() && !finite {
        anyhow::bail!("the language is infinite: add --depth DEPTH");
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let is_asked_for = |length: &usize| arguments.length.is_none_or(|only| only == *length);
    for (length, count) in by_length.enumerate().filter(|(length, _)| is_asked_for(length)) {
        writeln!(out, "{length}\t{count}")?;
    }
    out.flush()?;
    Ok(())
}

fn without_trailing_zeros(mut counts: Vec<BigUint>) -> Vec<BigUint> {
    counts.truncate(counts.iter().rposition(|count| *count != BigUint::ZERO).map_or(1, |last| last + 1));
    counts
}

fn sample(arguments: &Arguments, dfa: &Dfa, draws: usize) -> anyhow::Result<()> {
    Sampler::check(dfa, arguments.length.or(arguments.depth).unwrap_or(DEFAULT_DEPTH))?;
    let (sampler, which) = match arguments.length {
        Some(length) => (Sampler::of_length(dfa, length), format!("of {length} letters")),
        None => {
            let depth = arguments.depth.unwrap_or(DEFAULT_DEPTH);
            (Sampler::up_to(dfa, depth), format!("of at most {depth} letters"))
        }
    };
    let Some(sampler) = sampler else { anyhow::bail!("the language has no word {which}") };
    let mut random = ChaCha8Rng::seed_from_u64(arguments.seed);
    write_words((0..draws).map(|_| sampler.draw_text(&mut random)), arguments, dfa)
}

fn list(arguments: &Arguments, dfa: &Dfa) -> anyhow::Result<()> {
    let dfa = &by_characters(dfa);
    let is_bounded = arguments.limit.is_some() || arguments.depth.is_some() || arguments.length.is_some();
    let limit = arguments.limit.unwrap_or(if is_bounded { usize::MAX } else { DEFAULT_LIMIT });
    let longest = arguments.length.or(arguments.depth).unwrap_or(usize::MAX);
    let mut words = enumerate_from(dfa, arguments.length.unwrap_or(0)).take_while(|word| word.len() <= longest);
    write_words(words.by_ref().take(limit).map(|word| dfa.alphabet().write(&word)), arguments, dfa)?;
    if !is_bounded && io::stdout().is_terminal() && words.next().is_some() {
        output::print_error("… and more (see --limit and --depth)\n")?;
    }
    Ok(())
}

/// The same language over the characters of its classes, in order.
fn by_characters(dfa: &Dfa) -> Dfa {
    let expanded = dfa.alphabet().expanded(CHARACTERS).filter(|expanded| expanded != dfa.alphabet());
    expanded.map_or_else(|| dfa.clone(), |expanded| dfa.over(&Alphabet::of_chars(&expanded.names().concat())))
}

fn write_words(words: impl Iterator<Item = String>, arguments: &Arguments, dfa: &Dfa) -> anyhow::Result<()> {
    if arguments.json {
        return output::print_json_list(&[], "words", words);
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    for word in words {
        writeln!(out, "{}", dfa.alphabet().show_text(word))?;
    }
    out.flush()?;
    Ok(())
}
