//! Labelled words as a prefix tree.
//!
//! Words share their common prefixes, in memory and in work: a model's beliefs after i letters depend only on these i
//! letters. The tree is built once and used by training, extraction and everything after.

use automata::{Alphabet, Counts, Examples, Label, Letter, Word};

/// A word of the sample: where it ends in the tree, and its labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The node where the word ends.
    pub node: u32,
    /// The number of its letters.
    pub length: u32,
    /// Where it begins in the text of all words, which is in lexicographic order: the closer two words are, the longer
    /// the prefix they share.
    pub begin: u32,
    /// Its labels.
    pub counts: Counts,
}

/// Labelled words, each once, as a prefix tree.
///
/// Node 0 is the root, the empty word. A node comes after its parent, and siblings are in alphabet order, so one
/// forward pass sees every prefix before its extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    alphabet: Alphabet,
    /// `[nodes]`: the node one letter shorter; the root is its own.
    parents: Vec<u32>,
    /// `[nodes]`: the last letter; meaningless at the root.
    letters: Vec<Letter>,
    /// The letters of all words, one word after the other.
    text: Vec<Letter>,
    /// The distinct non-empty words, shorter ones first, then in alphabet order.
    entries: Vec<Entry>,
    empty: Counts,
    unlabelled: usize,
    /// Words that were asked about and not given, sorted.
    asked: Vec<Word>,
    /// Whether these are a selection of a larger sample.
    selected: bool,
}

/// Letters and nodes are numbered in 32 bits. Each node has its own letter, except the root.
const MOST_LETTERS: usize = u32::MAX as usize - 1;

/// Why labelled words do not form a sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// A word has both labels.
    #[error("the word {word} is labelled both ways: as accepted {}, as rejected {}", times(*accepted), times(*rejected))]
    Contradiction {
        /// The word, as written.
        word: String,
        /// Times accepted.
        accepted: u32,
        /// Times rejected.
        rejected: u32,
    },
    /// A word has a letter outside the alphabet.
    #[error("word {row} has the letter number {letter}, but there are only {letters} letters")]
    UnknownLetter {
        /// The word's number among those added, counted from 1.
        row: usize,
        /// The letter's number, counted from 1.
        letter: usize,
        /// The number of letters.
        letters: usize,
    },
    /// There are more letters, and perhaps prefixes, than can be numbered.
    #[error("the words have more than {limit} letters in all")]
    TooLarge {
        /// The maximum.
        limit: usize,
    },
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

impl Sample {
    /// The sample of these examples. A word with both labels is an error unless noise is allowed; unlabelled words are
    /// left out and counted.
    pub fn new(examples: &Examples, noise_allowed: bool) -> Result<Self, SampleError> {
        let labelled = examples.iter().filter(|(_, counts)| counts.labelled() > 0);
        let rows = labelled.map(|(word, counts)| (word, Counts { unlabelled: 0, ..counts })).collect();
        let unlabelled = examples.total(Label::Unlabelled) as usize;
        Self::build(examples.alphabet(), rows, unlabelled, noise_allowed)
    }

    /// The sample of these words, in any order; the labels of equal words are added up.
    fn build(
        alphabet: &Alphabet,
        mut rows: Vec<(&[Letter], Counts)>,
        unlabelled: usize,
        noise_allowed: bool,
    ) -> Result<Self, SampleError> {
        // Lexicographically, not shorter words first: each word comes right after the prefixes it shares. The order of
        // equal words does not matter, since their counts are added.
        rows.sort_unstable_by_key(|(word, _)| *word);

        let mut sample = Self {
            alphabet: alphabet.clone(),
            parents: vec![0],
            letters: vec![Letter::new(0)],
            text: Vec::new(),
            entries: Vec::new(),
            empty: Counts::default(),
            unlabelled,
            asked: Vec::new(),
            selected: false,
        };
        let mut path = vec![0];
        let mut before: &[Letter] = &[];
        for same in rows.chunk_by(|(a, _), (b, _)| a == b) {
            let word = same[0].0;
            let counts = same.iter().fold(Counts::default(), |sum, (_, one)| sum.and(*one));
            if counts.is_contradiction() && !noise_allowed {
                let Counts { accepted, rejected, .. } = counts;
                return Err(SampleError::Contradiction { word: sample.alphabet.show(word), accepted, rejected });
            }
            if sample.text.len() + word.len() > MOST_LETTERS {
                return Err(SampleError::TooLarge { limit: MOST_LETTERS });
            }
            let shared = before.iter().zip(word).take_while(|(a, b)| a == b).count();
            path.truncate(shared + 1);
            for &letter in &word[shared..] {
                path.push(sample.grow(path[path.len() - 1], letter));
            }
            before = word;
            match word.len() {
                0 => sample.empty = counts,
                length => {
                    let begin = sample.text.len() as u32;
                    sample.entries.push(Entry { node: path[length], length: length as u32, begin, counts });
                    sample.text.extend_from_slice(word);
                }
            }
        }
        sample.entries.sort_by_key(|entry| entry.length);
        // Growth by doubling may leave half of the space empty, and a sample is kept to the end.
        sample.parents.shrink_to_fit();
        sample.letters.shrink_to_fit();
        sample.text.shrink_to_fit();
        sample.entries.shrink_to_fit();
        Ok(sample)
    }

    /// All words with their labels, including the empty one if it has any.
    pub fn rows(&self) -> impl Iterator<Item = (&[Letter], Counts)> {
        let empty = Some((&[][..], self.empty)).filter(|(_, counts)| counts.labelled() > 0);
        empty.into_iter().chain(self.entries.iter().map(|entry| (self.word(entry), entry.counts)))
    }

    /// The sample of the words whose number among the entries is kept. The empty word stays.
    #[must_use]
    pub fn picked(&self, kept: impl Fn(usize) -> bool) -> Self {
        let empty = Some((&[][..], self.empty)).filter(|(_, counts)| counts.labelled() > 0);
        let kept = self.entries.iter().enumerate().filter(|(i, _)| kept(*i));
        let rows = empty.into_iter().chain(kept.map(|(_, entry)| (self.word(entry), entry.counts))).collect();
        let part = Self::build(&self.alphabet, rows, self.unlabelled, true).expect("a subset is no larger");
        let asked = self.asked.iter().filter(|word| part.has(word)).cloned().collect();
        Self { asked, selected: true, ..part }
    }

    /// The words that were given, without those that were asked about.
    pub(crate) fn given(&self) -> Self {
        self.picked(|i| !self.is_asked(self.word(&self.entries[i])))
    }

    /// The sample of these words and more, obtained by queries.
    pub fn and(&self, more: &[(Word, Counts)], noise_allowed: bool) -> Result<Self, SampleError> {
        let letters = self.alphabet.len();
        for (i, (word, _)) in more.iter().enumerate() {
            if let Some(letter) = word.iter().find(|letter| letter.index() >= letters) {
                return Err(SampleError::UnknownLetter { row: i + 1, letter: letter.index() + 1, letters });
            }
        }
        let rows = self.rows().chain(more.iter().map(|(word, counts)| (&word[..], *counts))).collect();
        let both = Self::build(&self.alphabet, rows, self.unlabelled, noise_allowed)?;
        let new = more.iter().map(|(word, _)| word).filter(|word| !self.has(word));
        let mut asked: Vec<Word> = self.asked.iter().chain(new).cloned().collect();
        asked.sort_unstable();
        asked.dedup();
        Ok(Self { asked, selected: self.selected, ..both })
    }

    /// The same words read backwards.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let words: Vec<(Vec<Letter>, Counts)> =
            self.rows().map(|(word, counts)| (word.iter().rev().copied().collect(), counts)).collect();
        let rows = words.iter().map(|(word, counts)| (&word[..], *counts)).collect();
        let reversed =
            Self::build(&self.alphabet, rows, self.unlabelled, true).expect("there are as many letters as before");
        let mut asked: Vec<Word> = self.asked.iter().map(Word::reversed).collect();
        asked.sort_unstable();
        Self { asked, selected: self.selected, ..reversed }
    }

    /// The same words, with those of the rarer label repeated until both labels are about equally frequent.
    #[must_use]
    pub fn balanced(&self) -> Self {
        let (accepted, rejected) = self.entries.iter().fold((0_u64, 0_u64), |(accepted, rejected), entry| {
            (accepted + u64::from(entry.counts.accepted), rejected + u64::from(entry.counts.rejected))
        });
        let times = |few: u64, many: u64| (many / few.max(1)).clamp(1, 1_000) as u32;
        let (of_accepted, of_rejected) = (times(accepted, rejected), times(rejected, accepted));
        let mut balanced = self.clone();
        for entry in &mut balanced.entries {
            entry.counts.accepted = entry.counts.accepted.saturating_mul(of_accepted);
            entry.counts.rejected = entry.counts.rejected.saturating_mul(of_rejected);
        }
        balanced
    }

    /// Words that were asked about and not given: chosen, not drawn.
    pub(crate) fn asked(&self) -> &[Word] {
        &self.asked
    }

    /// Whether a word was asked about and not given.
    pub(crate) fn is_asked(&self, word: &[Letter]) -> bool {
        let key = |asked: &Word| (asked.len(), &asked[..]) < (word.len(), word);
        let at = self.asked.partition_point(key);
        self.asked.get(at).is_some_and(|asked| asked[..] == *word)
    }

    /// Whether these are exactly the words that were given.
    pub(crate) fn is_as_given(&self) -> bool {
        !self.selected && self.asked.is_empty()
    }

    /// Whether a word has a label.
    fn has(&self, word: &[Letter]) -> bool {
        let entries = &self.entries;
        match word.len() {
            0 => self.empty.labelled() > 0,
            length => {
                let key = |entry: &Entry| (entry.length as usize, self.word(entry));
                entries.binary_search_by(|entry| key(entry).cmp(&(length, word))).is_ok()
            }
        }
    }

    /// The number of different words.
    #[must_use]
    pub fn words(&self) -> u64 {
        self.entries.len() as u64 + u64::from(self.empty.labelled() > 0)
    }

    /// The number of examples, counting repetitions.
    #[must_use]
    pub fn examples(&self) -> u64 {
        self.rows().map(|(_, counts)| counts.labelled()).sum()
    }

    fn grow(&mut self, parent: u32, letter: Letter) -> u32 {
        self.parents.push(parent);
        self.letters.push(letter);
        (self.parents.len() - 1) as u32
    }

    /// The letters.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The distinct non-empty words, shorter ones first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The labels of the empty word, which the model cannot read.
    #[must_use]
    pub fn empty_word(&self) -> Counts {
        self.empty
    }

    /// For each node, the labels of the word that ends there: none for most; the empty word's at the root.
    #[must_use]
    pub fn counts_by_node(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.parents.len()];
        counts[0] = self.empty;
        for entry in &self.entries {
            counts[entry.node as usize] = entry.counts;
        }
        counts
    }

    /// The number of unlabelled words, which were left out.
    #[must_use]
    pub fn unlabelled(&self) -> usize {
        self.unlabelled
    }

    /// The parent of each node; node 0 is the root and its own parent.
    #[must_use]
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The last letter of each node; meaningless at the root.
    #[must_use]
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// A number that almost certainly differs for different samples: the Fowler–Noll–Vo hash of the words and their
    /// labels.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let ends = self.entries.iter().flat_map(|entry| [u64::from(entry.begin), u64::from(entry.length)]);
        let counts = self.entries.iter().map(|entry| entry.counts).chain([self.empty]);
        let counts = counts.flat_map(|counts| [u64::from(counts.accepted), u64::from(counts.rejected)]);
        let letters = self.text.iter().map(|letter| letter.index() as u64);
        ends.chain(counts).chain(letters).fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            number.to_le_bytes().iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
        })
    }

    /// The length of the longest word.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.entries.last().map_or(0, |entry| entry.length as usize)
    }

    /// The letters of a word.
    #[must_use]
    pub fn word(&self, entry: &Entry) -> &[Letter] {
        &self.text[entry.begin as usize..][..entry.length as usize]
    }
}
