//! The examples that were given, and what can be wrong with them as a whole.

use automata::Word;
use automata::formats::{Examples, Label};
use hashbrown::HashMap;

use super::letters::Cut;
use super::places::Places;
use super::quoted;
use super::rows::Rows;
use super::source::Source;
use crate::Error;
use crate::error::bail;

/// Labelled words, and where each was read.
#[derive(Debug)]
pub struct Given {
    /// The words in the order of reading, positive files before negative ones.
    pub examples: Examples,
    /// `file:line` of each row.
    pub places: Places,
    /// What to call the input in a sentence.
    pub source: String,
    /// Blank lines that were skipped.
    pub blank: usize,
    /// Words that were asked about when these examples were learned before, in the order of the questions.
    pub answers: Vec<(Word, Label)>,
    /// Words of which nobody said whether they belong.
    pub unlabelled: usize,
}

impl Given {
    pub(super) fn new(examples: Examples, places: Places, blank: usize) -> Self {
        let unlabelled = examples.rows.iter().filter(|(_, label)| *label == Label::Unlabelled).count();
        Self { source: places.sources(), examples, places, blank, answers: Vec::new(), unlabelled }
    }

    pub(super) fn of_rows(rows: Rows) -> Self {
        let blank = rows.blank;
        let source = rows.places.sources();
        let (examples, places, answers) = rows.finish();
        Self { answers, source, ..Self::new(examples, places, blank) }
    }

    /// The example of the paper, which comes with the binary: 120 words over a, b and c, of which those of (a|b)*cc*
    /// belong.
    pub fn paper() -> Self {
        let source = Source::new("example:paper", include_str!("../../../../testdata/samples/paper.csv"));
        let mut rows = Rows::new();
        super::csv::read(&source, b',', &Cut::Chars, &mut rows).expect("the tests read it");
        Self::of_rows(rows)
    }

    /// The word whose label differs first from what a language says of it, and where it was read.
    pub fn first_contradiction(&self, accepts: impl Fn(&Word) -> bool) -> Option<String> {
        let contradicts = |(word, label): &(Word, Label)| match label {
            Label::Accepted => !accepts(word),
            Label::Rejected => accepts(word),
            Label::Unlabelled => false,
        };
        let row = self.examples.rows.iter().position(contradicts)?;
        let (word, label) = &self.examples.rows[row];
        let side = if *label == Label::Accepted { "in" } else { "out" };
        let word = quoted(&self.examples.alphabet.write(word));
        Some(format!("{}, where the word {word} is {side}", self.places.of(row)))
    }

    /// Refuses a word that is labelled both ways, unless labels may be wrong.
    pub fn check(&self, noise_allowed: bool) -> Result<(), Error> {
        if noise_allowed {
            return Ok(());
        }
        let mut first: HashMap<&Word, (usize, Label)> = HashMap::new();
        let labelled = self.examples.rows.iter().enumerate().filter(|(_, (_, label))| *label != Label::Unlabelled);
        for (row, (word, label)) in labelled {
            let &mut (before, other) = first.entry(word).or_insert((row, *label));
            if other != *label {
                let (accepted, rejected) = if *label == Label::Accepted { (row, before) } else { (before, row) };
                bail!(
                    "the word {} is labelled both ways: in ({}) and out ({})",
                    quoted(&self.examples.alphabet.write(word)),
                    self.places.of(accepted),
                    self.places.of(rejected)
                );
            }
        }
        Ok(())
    }

    /// Refuses examples that say nothing, or only the half.
    pub fn check_both_labels(&self) -> Result<(), Error> {
        let Self { source, examples, blank, unlabelled, .. } = self;
        let count = |wanted| examples.rows.iter().filter(|(_, label)| *label == wanted).count();
        let (accepted, rejected) = (count(Label::Accepted), count(Label::Rejected));
        let mut remark = String::new();
        if *unlabelled > 0 {
            remark = format!(" ({} no label: ?, -1 or nothing)", counted(*unlabelled, "word has", "words have"));
        } else if *blank > 0 && examples.rows.is_empty() {
            remark = format!(" ({} skipped; the empty word is \"\")", counted(*blank, "blank line", "blank lines"));
        }
        match (accepted, rejected) {
            (0, 0) if examples.rows.is_empty() => bail!("{source}: there are no words{remark}"),
            (0, 0) => bail!("{source}: there are no labels{remark}"),
            (_, 0) => bail!(
                "{source}: {} in the language and none is out of it{remark}: the language of all words would do, since \
                 these alone do not say what to leave out; give some that do not belong",
                counted(accepted, "word is", "words are")
            ),
            (0, _) => bail!(
                "{source}: {} out of the language and none is in it{remark}: the language of no words would do, since \
                 these alone do not say what to take in; give some that belong",
                counted(rejected, "word is", "words are")
            ),
            _ => Ok(()),
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
