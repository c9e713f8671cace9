//! `nerode accepts`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::bail;
use automata::{Dfa, Letter};
use nerode::examples::{Reader, Written};
use serde::Serialize;

use crate::input::{each, skipped};
use crate::operand::Reading;
use crate::{Answer, output};

/// Decide whether words are in a language.
///
/// Write a word in the letters of the language: without separators if letters are characters, classes or bytes,
/// otherwise with spaces between them. The empty word is "". A word with an unknown letter is rejected.
///
/// Exit code: 0 if all words are accepted, 1 if any is rejected.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode accepts example:paper abc aba
  nerode accepts learned --file words.txt
  nerode words example:paper --limit 20 | nerode accepts grammar.txt - --json
  nerode accepts automaton.dot 'login read logout' --quiet && echo yes")]
pub(crate) struct Arguments {
    /// The language: a file, `regex:PATTERN`, `example:NAME`, a folder with a `dfa.json`, or `-`.
    language: String,

    /// Words to test. `-` reads them from standard input, one per line, like `--file -`; a word that is a hyphen must
    /// be given there.
    #[arg(value_name = "WORD", required_unless_present = "file")]
    words: Vec<OsString>,

    /// Also test each line of this file, or of standard input for `-`, and print how many are accepted. Blank lines are
    /// skipped and counted.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Read a blank line of the file as the empty word.
    #[arg(long, requires = "file")]
    empty_word: bool,

    /// Print JSON: a list of words, each with whether it is accepted.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// Print nothing; only set the exit code.
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    reading: Reading,
}

/// The verdict on one word.
#[derive(Serialize)]
struct Verdict {
    word: String,
    accepted: bool,
    /// The first letter that the language does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_letter: Option<String>,
    /// The line printed for it.
    #[serde(skip)]
    line: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let (from_input, words): (Vec<OsString>, Vec<OsString>) =
        arguments.words.iter().cloned().partition(|word| word == "-");
    if !from_input.is_empty() && arguments.file.as_deref().is_some_and(|file| file != Path::new("-")) {
        bail!("words can be read from --file or from standard input (`-`), not both");
    }
    let file = if from_input.is_empty() { arguments.file.as_deref() } else { Some(Path::new("-")) };
    let reads_input = usize::from(file == Some(Path::new("-"))).max(from_input.len());
    if reads_input + usize::from(arguments.language == "-") > 1 {
        bail!("standard input can be read only once");
    }
    let language = arguments.reading.language_of_words(&arguments.language)?;
    let judge = Judge::new(language.minimal_dfa(&arguments.reading)?, &arguments.reading);
    let mut verdicts = Vec::new();
    let blank = each(&judge.reader, &words, file, arguments.empty_word, |word| {
        verdicts.push(judge.verdict(word));
        Ok(())
    })?;
    let accepted = verdicts.iter().filter(|verdict| verdict.accepted).count();
    let rejected = verdicts.len() - accepted;
    if arguments.json {
        output::print_json(&verdicts)?;
        if blank > 0 {
            crate::note(&skipped(blank, "", ""));
        }
    } else if !arguments.quiet {
        let mut text: String = verdicts.iter().map(|verdict| format!("{}\n", verdict.line)).collect();
        if file.is_some() {
            text.push_str(&format!("{accepted} accepted, {rejected} rejected{}\n", skipped(blank, ", ", "")));
        }
        output::print(&text)?;
    }
    Ok(if rejected == 0 { Answer::Yes } else { Answer::No })
}

/// A language with a reader for its words.
struct Judge {
    dfa: Dfa,
    reader: Reader,
}

impl Judge {
    fn new(dfa: Dfa, reading: &Reading) -> Self {
        let reader = Reader::new(dfa.alphabet(), reading.requested_spelling());
        Self { dfa, reader }
    }

    fn verdict(&self, written: Written) -> Verdict {
        let letters: Option<Vec<Letter>> = written.letters.iter().copied().collect();
        let accepted = letters.is_some_and(|letters| self.dfa.accepts(&letters));
        let verdict = if accepted { "accepted" } else { "rejected" };
        let stranger =
            written.stranger().map_or_else(String::new, |it| format!(" ({it} is not a letter of the language)"));
        let line = format!("{verdict}  {}{stranger}", written.shown);
        Verdict { word: written.text, accepted, unknown_letter: written.unknown, line }
    }
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Regex, Spelling};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The verdict matches how the alphabet reads the word, whatever the letters are. Unreadable text is rejected
        /// or an error.
        #[test]
        fn any_bytes_are_judged(
            bytes in prop_oneof!["[abé\" ]{0,5}".prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..6)],
            spelling in prop::sample::select(vec![Spelling::Chars, Spelling::Bytes, Spelling::Tokens]),
        ) {
            let pattern = if spelling == Spelling::Tokens { "(<a>|<bé>)*" } else { "(a|bé)*" };
            let dfa = Regex::parse_spelled(pattern, &Alphabet::of_chars(""), spelling).unwrap().to_dfa().unwrap();
            prop_assert_eq!(dfa.alphabet().spelling(), spelling);
            let judge = Judge { reader: Reader::new(dfa.alphabet(), None), dfa: dfa.clone() };
            let verdict = judge.reader.read(&bytes).map(|word| judge.verdict(word));
            let expected = std::str::from_utf8(&bytes).ok().and_then(|text| dfa.alphabet().read(text).ok());
            match (verdict, expected) {
                (Ok(verdict), Some(word)) => prop_assert_eq!(verdict.accepted, dfa.accepts(&word)),
                (Ok(verdict), None) => prop_assert!(!verdict.accepted && !verdict.line.contains('\n')),
                (Err(message), expected) => prop_assert!(expected.is_none() && !message.contains('\n')),
            }
        }
    }
}
