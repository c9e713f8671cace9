//! The sample format of the Abbadingo competition: a header `words letters`, then one row per word, `label length
//! letter letter …`, with label 1 for accepted, 0 for rejected and −1 for unknown. Letters are numbered from 0 and
//! named by their numbers.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::FormatError;
use crate::Word;
use crate::alphabet::Alphabet;
use crate::ids::{Letter, StateId};
use crate::nfa::{Nfa, NfaBuilder};

/// The label of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// In the language.
    Accepted,
    /// Not in the language.
    Rejected,
    /// Unknown.
    Unlabelled,
}

/// Labelled words, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    /// The letters.
    pub alphabet: Alphabet,
    /// The words.
    pub rows: Vec<(Word, Label)>,
}

impl Examples {
    /// The same words over a larger alphabet. A class that becomes several letters is mapped to the letter of the
    /// character it is written as.
    ///
    /// # Panics
    /// If `larger` lacks a letter.
    #[must_use]
    pub fn over(&self, larger: &Alphabet) -> Self {
        let letters = self.alphabet.embedding(larger);
        let letter = |&letter: &Letter| match letters.of(letter) {
            [only] => *only,
            several => {
                let text = self.alphabet.write(&[letter]);
                larger.letter_for(&text).unwrap_or(several[0])
            }
        };
        let moved = |word: &Word| word.iter().map(letter).collect();
        Self { alphabet: larger.clone(), rows: self.rows.iter().map(|(word, label)| (moved(word), *label)).collect() }
    }

    /// The automaton that accepts exactly the accepted words: a tree of their prefixes.
    #[must_use]
    pub fn prefix_tree(&self) -> Nfa {
        let mut builder = NfaBuilder::with_states(self.alphabet.clone(), 1);
        let root = StateId::new(0);
        builder.initial(root);
        let mut children: BTreeMap<(StateId, Letter), StateId> = BTreeMap::new();
        for (word, _) in self.rows.iter().filter(|(_, label)| *label == Label::Accepted) {
            let mut state = root;
            for &letter in word.iter() {
                state = *children.entry((state, letter)).or_insert_with(|| {
                    let next = builder.state();
                    builder.edge(state, letter, next);
                    next
                });
            }
            builder.accepting(state);
        }
        builder.build()
    }
}

/// Reads a sample. The letters are `0` … as counted in the header, whether or not they occur.
pub fn read(text: &str) -> Result<Examples, FormatError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = lines.next().ok_or_else(|| FormatError::whole("the file is empty"))?;
    let (words, letters) = header_of(header)
        .ok_or_else(|| FormatError::at(1, "the header is two numbers: how many words, how many letters"))?;
    const LETTER_LIMIT: usize = 1 << 20;
    if letters > LETTER_LIMIT {
        return Err(FormatError::at(1, format!("{letters} letters are more than the {LETTER_LIMIT} supported")));
    }
    let alphabet = Alphabet::new((0..letters).map(|i| i.to_string()))?;
    // By name, 10 is sorted before 2.
    let by_number: Vec<Letter> =
        (0..letters).map(|i| alphabet.find(&i.to_string()).expect("it was just put in")).collect();
    let mut rows = Vec::new();
    for (i, line) in lines {
        rows.push(row(line, &by_number).map_err(|message| FormatError::at(i + 1, message))?);
    }
    if rows.len() != words {
        return Err(FormatError::whole(format!("the header promises {words} words, but there are {}", rows.len())));
    }
    Ok(Examples { alphabet, rows })
}

fn header_of(line: &str) -> Option<(usize, usize)> {
    let mut numbers = line.split_whitespace().map(str::parse);
    match (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()) {
        (words, letters, None) => Some((words, letters)),
        _ => None,
    }
}

fn row(line: &str, letters: &[Letter]) -> Result<(Word, Label), String> {
    let mut fields = line.split_whitespace();
    let label = match fields.next() {
        Some("1") => Label::Accepted,
        Some("0") => Label::Rejected,
        Some("-1") => Label::Unlabelled,
        other => return Err(format!("the label {:?} is not 1, 0 or -1", other.unwrap_or_default())),
    };
    let length: usize =
        fields.next().and_then(|field| field.parse().ok()).ok_or("the second field is the length of the word")?;
    let letter = |field: &str| {
        let number: Option<usize> = field.parse().ok();
        number
            .and_then(|number| letters.get(number).copied())
            .ok_or_else(|| format!("the letter {field:?} is not a number below {}", letters.len()))
    };
    let word: Word = fields.map(letter).collect::<Result<_, String>>()?;
    if word.len() != length {
        return Err(format!("the word should have {length} letters, but has {}", word.len()));
    }
    Ok((word, label))
}

/// Whether there is a header and a matching first row.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some((words, _)) = lines.next().and_then(header_of) else { return false };
    match lines.next() {
        None => words == 0,
        Some(line) => {
            let fields: Vec<&str> = line.split_whitespace().collect();
            matches!(fields[..], ["1" | "0" | "-1", length, ..] if length.parse() == Ok(fields.len() - 2))
        }
    }
}

/// Writes a sample. Letters not already named `0` … are numbered in alphabet order.
#[must_use]
pub fn write(examples: &Examples) -> String {
    let writer = Writer::new(&examples.alphabet);
    let mut out = writer.header(&examples.rows.len().into());
    for (word, label) in &examples.rows {
        out.push_str(&writer.row(word, *label));
    }
    out
}

/// Writes a sample line by line, for samples that do not fit in memory.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The number of each letter.
    numbers: Vec<usize>,
}

impl Writer {
    /// A writer for words over this alphabet.
    #[must_use]
    pub fn new(alphabet: &Alphabet) -> Self {
        let own_numbers: Option<Vec<usize>> =
            alphabet.names().iter().map(|name| name.parse().ok().filter(|i: &usize| i.to_string() == *name)).collect();
        let numbers = own_numbers
            .filter(|numbers| numbers.iter().all(|&i| i < alphabet.len()))
            .unwrap_or_else(|| (0..alphabet.len()).collect());
        Self { numbers }
    }

    /// The header line.
    #[must_use]
    pub fn header(&self, words: &BigUint) -> String {
        format!("{words} {}\n", self.numbers.len())
    }

    /// The line of a word.
    #[must_use]
    pub fn row(&self, word: &Word, label: Label) -> String {
        let label = match label {
            Label::Accepted => "1",
            Label::Rejected => "0",
            Label::Unlabelled => "-1",
        };
        let mut out = format!("{label} {}", word.len());
        for letter in word.iter() {
            out.push_str(&format!(" {}", self.numbers[letter.index()]));
        }
        out.push('\n');
        out
    }
}
