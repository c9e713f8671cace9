//! Words gathered row by row, whatever the format.

use automata::{ExamplesBuilder, Label, Letter, Word};

use super::given::Given;
use super::letters::Cut;
use super::places::Places;

/// The rows so far.
#[derive(Default)]
pub(super) struct Rows {
    builder: ExamplesBuilder,
    pub(super) places: Places,
    /// Blank lines that were skipped.
    pub(super) blank: usize,
    /// Answers to questions, over provisional letters.
    answers: Vec<(Vec<Letter>, Label)>,
    /// The word that is being read; its memory is used again.
    word: Vec<Letter>,
}

/// What a row says of its word.
pub(super) struct Row {
    pub(super) label: Label,
    /// Counted from 1.
    pub(super) line: usize,
    /// Whether it is the answer to a question.
    pub(super) asked: bool,
}

impl Rows {
    /// A row whose word is cut into letters.
    pub(super) fn push(&mut self, word: &[u8], cut: &Cut, row: Row) -> Result<(), String> {
        self.word.clear();
        cut.each(word, |name| self.word.push(self.builder.letter(name)))?;
        self.end_row(row);
        Ok(())
    }

    /// A row whose letters are given by name.
    pub(super) fn push_names<'a>(
        &mut self,
        names: impl IntoIterator<Item = &'a str>,
        cut: &Cut,
        row: Row,
    ) -> Result<(), String> {
        self.word.clear();
        for name in names {
            cut.check_name(name)?;
            self.word.push(self.builder.letter(name));
        }
        self.end_row(row);
        Ok(())
    }

    fn end_row(&mut self, Row { label, line, asked }: Row) {
        if asked {
            self.answers.push((self.word.clone(), label));
        } else {
            let number = self.builder.add(&self.word, label);
            self.places.note(number, label, line);
        }
    }

    /// The examples over the sorted alphabet of their letters, and the answers to questions.
    pub(super) fn finish(self) -> Given {
        let (examples, letters) = self.builder.build().expect("no letter without a name was taken");
        let sorted = |word: Vec<Letter>| word.into_iter().map(|letter| letters[letter.index()]).collect::<Word>();
        let answers = self.answers.into_iter().map(|(word, label)| (sorted(word), label)).collect();
        Given::new(examples, self.places, self.blank, answers)
    }
}
