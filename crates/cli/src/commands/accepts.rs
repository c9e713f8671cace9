//! `nerode accepts`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use automata::{Alphabet, Dfa, Letter, Spelling, Word};
use serde::Serialize;

use crate::input::{self, Cut, Source};
use crate::operand::Reading;
use crate::{Answer, output};

/// Decide whether words belong to a language.
///
/// Words are written as the letters of the language are: together when they are characters, classes of them or bytes,
/// else separated by white space; the empty word is "". A word with a letter that the language does not have is rejected.
///
/// The exit code is 0 when all words are accepted and 1 when one is not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode accepts example:paper abc aba
  nerode accepts learned --file words.txt
  nerode words example:paper --limit 20 | nerode accepts grammar.txt --file - --json
  nerode accepts automaton.dot 'login read logout' --quiet && echo yes")]
pub(crate) struct Arguments {
    /// The language: a file, `regex:PATTERN`, `example:NAME`, a folder with a `dfa.json`, or `-`.
    #[arg(value_name = "RUN")]
    language: String,

    /// The words to judge.
    #[arg(value_name = "WORD", required_unless_present = "file")]
    words: Vec<OsString>,

    /// Judge also each line of this file, or of standard input for `-`, and print how many were accepted. Blank lines
    /// are skipped and counted.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Take a blank line of the file for the empty word.
    #[arg(long, requires = "file")]
    empty_word: bool,

    /// Print JSON: a list of words and whether each is accepted.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// Print nothing: the exit code says it.
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    reading: Reading,
}

/// What is said of a word.
#[derive(Serialize)]
struct Verdict {
    word: String,
    accepted: bool,
    /// The first letter that is not of the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_letter: Option<String>,
    /// The line that says all this.
    #[serde(skip)]
    line: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    if arguments.language == "-" && arguments.file.as_deref() == Some(Path::new("-")) {
        bail!("standard input can be read only once");
    }
    let [language] = arguments.reading.languages([&arguments.language])?;
    let judge = Judge::new(language.minimal_dfa(&arguments.reading)?, &arguments.reading);
    let mut verdicts = Vec::new();
    for word in &arguments.words {
        let verdict = judge.verdict(input::unquoted(word.as_encoded_bytes()));
        verdicts.push(verdict.map_err(|message| anyhow!("the word {word:?}: {message}"))?);
    }
    let mut blank = 0;
    if let Some(file) = &arguments.file {
        let source = Source::open(file)?;
        source.check_encoding(Some(&judge.cut))?;
        let before = verdicts.len();
        for (line, word) in input::words(source.bytes(), &judge.cut, arguments.empty_word) {
            match word {
                Some(word) => verdicts.push(judge.verdict(word).map_err(|message| source.at(line, message))?),
                None => blank += 1,
            }
        }
        if verdicts.len() == before {
            bail!("{}: there are no words{}", source.name, skipped(blank, " (", ")"));
        }
    }
    let accepted = verdicts.iter().filter(|verdict| verdict.accepted).count();
    let rejected = verdicts.len() - accepted;
    if arguments.json {
        output::print_json(&verdicts)?;
        if blank > 0 {
            eprintln!("nerode: note: {}", skipped(blank, "", ""));
        }
    } else if !arguments.quiet {
        let mut text: String = verdicts.iter().map(|verdict| format!("{}\n", verdict.line)).collect();
        if arguments.file.is_some() {
            text.push_str(&format!("{accepted} accepted, {rejected} rejected{}\n", skipped(blank, ", ", "")));
        }
        output::print(&text)?;
    }
    Ok(if rejected == 0 { Answer::Yes } else { Answer::No })
}

/// How many lines were skipped, when some were.
fn skipped(blank: usize, before: &str, after: &str) -> String {
    match blank {
        0 => String::new(),
        1 => format!("{before}1 blank line skipped{after}"),
        _ => format!("{before}{blank} blank lines skipped{after}"),
    }
}

/// A language that reads words.
struct Judge {
    dfa: Dfa,
    cut: Cut,
}

impl Judge {
    fn new(dfa: Dfa, reading: &Reading) -> Self {
        let spelling = reading.told_spelling().unwrap_or_else(|| dfa.alphabet().spelling());
        Self { dfa, cut: spelling.into() }
    }

    fn verdict(&self, word: &[u8]) -> Result<Verdict, String> {
        let known = self.dfa.alphabet();
        let mut letters = Vec::new();
        let mut unknown: Option<String> = None;
        self.cut.each(word, |name| match known.letter_for(name) {
            Some(letter) => letters.push(letter),
            None => unknown = unknown.take().or_else(|| Some(name.to_owned())),
        })?;
        let accepted = unknown.is_none() && self.dfa.accepts(&letters);
        let has_classes = known.has_classes();
        if unknown.is_none() && !has_classes {
            let shown = self.spelled(known, &letters, Alphabet::show);
            let line = format!("{}  {shown}", if accepted { "accepted" } else { "rejected" });
            let word = self.spelled(known, &letters, Alphabet::write);
            return Ok(Verdict { word, accepted, unknown_letter: None, line });
        }
        // To be shown it is spelled over its own letters too; over these alone where a class would not say which of its
        // characters or tokens it was.
        let mut names = Vec::new();
        self.cut.each(word, |name| names.push(name.to_owned()))?;
        let others = if has_classes { &[] } else { known.names() };
        let wider = Alphabet::new(names.iter().chain(others).cloned()).map_err(|error| error.to_string())?;
        let letter = |name: &String| wider.find(name).expect("it has all letters of the word");
        let word: Word = names.iter().map(letter).collect();
        let shown = self.spelled(&wider, &word, Alphabet::show);
        let line = match &unknown {
            Some(unknown) => {
                let stranger = wider.show(&[letter(unknown)]);
                format!("rejected  {shown} ({stranger} is not a letter of the language)")
            }
            None => format!("{}  {shown}", if accepted { "accepted" } else { "rejected" }),
        };
        let word = self.spelled(&wider, &word, Alphabet::write);
        Ok(Verdict { word, accepted, unknown_letter: unknown, line })
    }

    /// The word as its alphabet spells it; separated all the same when the caller has it so.
    fn spelled(&self, alphabet: &Alphabet, word: &[Letter], spell: fn(&Alphabet, &[Letter]) -> String) -> String {
        if self.cut != Cut::Tokens || word.is_empty() || alphabet.spelling() == Spelling::Tokens {
            return spell(alphabet, word);
        }
        let letters: Vec<String> = word.iter().map(|&letter| alphabet.show(&[letter])).collect();
        letters.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use automata::Regex;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Judged as the alphabet reads it, whatever the letters are; what it cannot read is rejected or no word.
        #[test]
        fn any_bytes_are_judged(
            bytes in prop_oneof!["[abé\" ]{0,5}".prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..6)],
            spelling in prop::sample::select(vec![Spelling::Chars, Spelling::Bytes, Spelling::Tokens]),
        ) {
            let pattern = if spelling == Spelling::Tokens { "(<a>|<bé>)*" } else { "(a|bé)*" };
            let dfa = Regex::parse_spelled(pattern, &Alphabet::of_chars(""), spelling).unwrap().to_dfa().unwrap();
            prop_assert_eq!(dfa.alphabet().spelling(), spelling);
            let judge = Judge { cut: spelling.into(), dfa: dfa.clone() };
            let verdict = judge.verdict(&bytes);
            let expected = std::str::from_utf8(&bytes).ok().and_then(|text| dfa.alphabet().read(text).ok());
            match (verdict, expected) {
                (Ok(verdict), Some(word)) => prop_assert_eq!(verdict.accepted, dfa.accepts(&word)),
                (Ok(verdict), None) => prop_assert!(!verdict.accepted && !verdict.line.contains('\n')),
                (Err(message), expected) => prop_assert!(expected.is_none() && !message.contains('\n')),
            }
        }
    }
}
