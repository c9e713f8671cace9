//! The examples that were given, and what can be wrong with them as a whole.

use automata::{Examples, Label, Letter, Word};

use super::labels::unlabelled;
use super::letters::Cut;
use super::places::Places;
use super::quoted;
use super::rows::Rows;
use super::source::Source;
use crate::Error;
use crate::error::bail;

/// Labelled words, and where they were read.
#[derive(Debug)]
pub struct Given {
    /// The words in the order of reading, positive files before negative ones.
    pub examples: Examples,
    places: Places,
    /// What to call the input in a sentence.
    pub source: String,
    /// Blank lines that were skipped.
    pub blank: usize,
    /// Words that were asked about when these examples were learned before, in the order of the questions.
    pub answers: Vec<(Word, Label)>,
}

impl Given {
    pub(super) fn new(examples: Examples, places: Places, blank: usize, answers: Vec<(Word, Label)>) -> Self {
        Self { source: places.sources(), examples, places, blank, answers }
    }

    /// The examples and the answers to questions. Places are dropped: they are for messages before learning.
    pub fn into_examples(self) -> (Examples, Vec<(Word, Label)>) {
        (self.examples, self.answers)
    }

    /// The example of the paper, which comes with the binary: 120 words over a, b and c, of which those of (a|b)*cc*
    /// belong.
    pub fn paper() -> Self {
        let source = Source::new("example:paper", include_str!("../../../../testdata/samples/paper.csv"));
        let mut rows = Rows::default();
        super::csv::read(&source, b',', &Cut::Chars, &mut rows).expect("the tests read it");
        rows.finish()
    }

    /// `file:line` of the first row that gives this label to the word with this number; none if there is none, or if
    /// the label says nothing.
    pub fn place(&self, word: usize, label: Label) -> Option<String> {
        Some(self.places.show(self.places.first(word, label)?))
    }

    /// The word whose label differs first from what a language says of it, and where it was read.
    pub fn first_contradiction(&self, accepts: impl Fn(&[Letter]) -> bool) -> Option<String> {
        let wrong = self.examples.iter().enumerate().filter_map(|(number, (word, _))| {
            let wrong = Label::from(!accepts(word));
            Some((self.places.first(number, wrong)?, word, wrong))
        });
        let (place, word, label) = wrong.min_by_key(|(place, ..)| *place)?;
        let side = if label == Label::Accepted { "accepted" } else { "rejected" };
        let word = quoted(&self.examples.alphabet().write(word));
        Some(format!("{}, where the word {word} is labelled {side}", self.places.show(place)))
    }

    /// Refuses a word that is labelled both ways, unless labels may be wrong.
    pub fn check(&self, noise_allowed: bool) -> Result<(), Error> {
        if noise_allowed {
            return Ok(());
        }
        let contradictions = self.examples.iter().enumerate().filter_map(|(number, (word, _))| {
            let [accepted, rejected] = [Label::Accepted, Label::Rejected].map(|label| self.places.first(number, label));
            Some((accepted?, rejected?, word))
        });
        // The one that comes up first in reading.
        let Some((accepted, rejected, word)) = contradictions.min_by_key(|(a, b, _)| *a.max(b)) else { return Ok(()) };
        bail!(
            "the word {} has both labels: accepted ({}) and rejected ({})",
            quoted(&self.examples.alphabet().write(word)),
            self.places.show(accepted),
            self.places.show(rejected)
        );
    }

    /// Refuses examples without any label.
    pub fn check_labels(&self) -> Result<(), Error> {
        let Self { source, examples, blank, .. } = self;
        if examples.is_empty() {
            let lines = crate::text::counted(*blank as u64, "blank line");
            let remark = format!(" ({lines} skipped; the empty word is \"\")");
            bail!("{source}: no words{}", if *blank > 0 { remark } else { String::new() });
        }
        match [Label::Accepted, Label::Rejected].map(|label| examples.total(label)) {
            [0, 0] => bail!("{source}: no labels{}", unlabelled(examples)),
            _ => Ok(()),
        }
    }
}
