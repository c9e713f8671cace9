//! The sample format of the Abbadingo competition: a header `words letters`, then one row per word, `label length
//! letter letter …`, with label 1 for accepted, 0 for rejected and −1 for unknown. Letters are numbered from 0 and
//! named by their numbers.

use std::iter::Enumerate;
use std::str::Lines;

use num_bigint::BigUint;

use super::FormatError;
use crate::Word;
use crate::alphabet::Alphabet;
use crate::examples::{Examples, Label};
use crate::ids::Letter;

/// Reads a sample. The letters are `0` … as counted in the header, whether or not they occur.
pub fn read(text: &str) -> Result<Examples, FormatError> {
    let rows = Rows::new(text)?;
    let mut examples = Examples::new(rows.alphabet());
    for row in rows {
        let Row { word, label, .. } = row?;
        examples.add(&word, label);
    }
    examples.shrink_to_fit();
    Ok(examples)
}

/// One row of a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line, counted from 1.
    pub line: usize,
    /// The word.
    pub word: Word,
    /// Its label.
    pub label: Label,
}

/// Reads a sample row by row. The last item is an error if there are not as many rows as the header promises.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    alphabet: Alphabet,
    /// The letters by their numbers: by name, 10 is sorted before 2.
    letters: Vec<Letter>,
    lines: Enumerate<Lines<'a>>,
    promised: usize,
    read: usize,
    is_over: bool,
}

impl<'a> Rows<'a> {
    /// Reads the header.
    pub fn new(text: &'a str) -> Result<Self, FormatError> {
        let mut lines = text.lines().enumerate();
        let (i, header) =
            lines.find(|(_, line)| !is_blank(line)).ok_or_else(|| FormatError::whole("the file is empty"))?;
        let (promised, letters) = header_of(header)
            .ok_or_else(|| FormatError::at(i + 1, "the header is two numbers: how many words, how many letters"))?;
        const LETTER_LIMIT: usize = 1 << 20;
        if letters > LETTER_LIMIT {
            return Err(FormatError::at(
                i + 1,
                format!("{letters} letters are more than the {LETTER_LIMIT} supported"),
            ));
        }
        let alphabet = Alphabet::new((0..letters).map(|i| i.to_string()))?;
        let letters = (0..letters).map(|i| alphabet.find(&i.to_string()).expect("it was just put in")).collect();
        Ok(Self { alphabet, letters, lines, promised, read: 0, is_over: false })
    }

    /// The letters: `0` … as counted in the header, whether or not they occur.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        if let Some((i, line)) = self.lines.find(|(_, line)| !is_blank(line)) {
            self.read += 1;
            return Some(row(i + 1, line, &self.letters).map_err(|message| FormatError::at(i + 1, message)));
        }
        self.is_over = true;
        let Self { promised, read, .. } = self;
        (promised != read)
            .then(|| Err(FormatError::whole(format!("the header promises {promised} words, but there are {read}"))))
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

fn header_of(line: &str) -> Option<(usize, usize)> {
    let mut numbers = line.split_whitespace().map(str::parse);
    match (numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()) {
        (words, letters, None) => Some((words, letters)),
        _ => None,
    }
}

fn row(number: usize, line: &str, letters: &[Letter]) -> Result<Row, String> {
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
    Ok(Row { line: number, word, label })
}

/// Whether there is a header and a matching first row.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !is_blank(line));
    let Some((words, _)) = lines.next().and_then(header_of) else { return false };
    match lines.next() {
        None => words == 0,
        Some(line) => {
            let fields: Vec<&str> = line.split_whitespace().collect();
            matches!(fields[..], ["1" | "0" | "-1", length, ..] if length.parse() == Ok(fields.len() - 2))
        }
    }
}

/// Writes a sample, each word as often as it was seen. Letters not already named `0` … are numbered in alphabet order.
#[must_use]
pub fn write(examples: &Examples) -> String {
    let writer = Writer::new(examples.alphabet());
    let rows: u64 = Label::ALL.into_iter().map(|label| examples.total(label)).sum();
    let mut out = writer.header(&rows.into());
    for (word, label) in examples.rows() {
        out.push_str(&writer.row(word, label));
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
    pub fn row(&self, word: &[Letter], label: Label) -> String {
        let label = match label {
            Label::Accepted => "1",
            Label::Rejected => "0",
            Label::Unlabelled => "-1",
        };
        let mut out = format!("{label} {}", word.len());
        for letter in word {
            out.push_str(&format!(" {}", self.numbers[letter.index()]));
        }
        out.push('\n');
        out
    }
}
