//! All words as one string of bits, so that a pattern is matched in all of them at once.
//!
//! The words stand one after the other, each followed by a separator. A set of positions is a long integer, and so are the
//! positions of each letter. A pattern is matched by a few operations on such integers: let M be the positions where its first
//! letters may end.
//!
//! - *Adjacent*: the next position, `M << 1`.
//! - *Free*, or *none of B between*: all positions reached from `M << 1` through positions of the class C of letters that may
//!   stand between, `(((M & C) + C) ^ C) | M`: an addition carries through each run of C. Separators are in no class, so that
//!   nothing carries from one word into the next.
//!
//! Words of any length are handled alike, and short ones share machine words.

use automata::{Gap, Letter, Pattern};

/// Words and their positions.
#[derive(Clone, Debug)]
pub(super) struct Text {
    words: usize,
    /// `[letters]`: the positions of each letter.
    at: Vec<Vec<u64>>,
    /// All positions but separators.
    inside: Vec<u64>,
    /// The first position of each word; of the empty word, its separator.
    starts: Vec<u64>,
    /// The separators.
    ends: Vec<u64>,
    letter_of: Vec<u32>,
    word_of: Vec<u32>,
}

/// No letter stands here.
const SEPARATOR: u32 = u32::MAX;

impl Text {
    pub(super) fn new<'a>(letters: usize, words: impl Iterator<Item = &'a [Letter]>) -> Self {
        let (mut letter_of, mut word_of, mut count) = (Vec::new(), Vec::new(), 0);
        let mut firsts = Vec::new();
        for word in words {
            firsts.push(letter_of.len());
            letter_of.extend(word.iter().map(|letter| letter.index() as u32).chain([SEPARATOR]));
            word_of.resize(letter_of.len(), count);
            count += 1;
        }
        let blocks = letter_of.len().div_ceil(64);
        let mut at = vec![vec![0; blocks]; letters];
        let [mut inside, mut starts, mut ends] = [vec![0; blocks], vec![0; blocks], vec![0; blocks]];
        let set = |mask: &mut Vec<u64>, position: usize| mask[position / 64] |= 1 << (position % 64);
        for (position, &letter) in letter_of.iter().enumerate() {
            match letter {
                SEPARATOR => set(&mut ends, position),
                letter => {
                    set(&mut at[letter as usize], position);
                    set(&mut inside, position);
                }
            }
        }
        firsts.into_iter().for_each(|position| set(&mut starts, position));
        Self { words: count as usize, at, inside, starts, ends, letter_of, word_of }
    }

    /// The words of a set, with only the letters of a tier.
    pub(super) fn part(&self, kept: impl Fn(usize) -> bool, tier: impl Fn(usize) -> bool) -> Self {
        let (mut words, mut word): (Vec<Vec<Letter>>, Vec<Letter>) = (Vec::new(), Vec::new());
        for (&letter, &number) in self.letter_of.iter().zip(&self.word_of) {
            match letter {
                SEPARATOR if kept(number as usize) => words.push(std::mem::take(&mut word)),
                SEPARATOR => word.clear(),
                letter if tier(letter as usize) => word.push(Letter::new(letter as usize)),
                _ => {}
            }
        }
        Self::new(self.at.len(), words.iter().map(|word| &word[..]))
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn letters(&self) -> usize {
        self.at.len()
    }

    /// Number of machine words of a set of positions.
    pub(super) fn blocks(&self) -> usize {
        self.inside.len()
    }

    pub(super) fn at(&self, letter: usize) -> &[u64] {
        &self.at[letter]
    }

    pub(super) fn starts(&self) -> &[u64] {
        &self.starts
    }

    pub(super) fn ends(&self) -> &[u64] {
        &self.ends
    }

    pub(super) fn inside(&self) -> &[u64] {
        &self.inside
    }

    /// The letter, the word and the position of each position of a set, in order.
    pub(super) fn visit(&self, set: &[u64], mut visit: impl FnMut(usize, usize, usize)) {
        for (block, &mask) in set.iter().enumerate() {
            let mut mask = mask & self.inside[block];
            while mask != 0 {
                let position = block * 64 + mask.trailing_zeros() as usize;
                visit(self.letter_of[position] as usize, self.word_of[position] as usize, position);
                mask &= mask - 1;
            }
        }
    }

    /// How often each word has a position in a set.
    pub(super) fn counts(&self, set: &[u64]) -> Vec<u32> {
        let mut counts = vec![0; self.words];
        for (block, &mask) in set.iter().enumerate() {
            let mut mask = mask;
            while mask != 0 {
                counts[self.word_of[block * 64 + mask.trailing_zeros() as usize] as usize] += 1;
                mask &= mask - 1;
            }
        }
        counts
    }

    /// The positions that letters not in a set have.
    pub(super) fn without(&self, set: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut mask = self.inside.clone();
        for letter in set {
            mask.iter_mut().zip(&self.at[letter]).for_each(|(mask, at)| *mask &= !at);
        }
        mask
    }

    /// The positions of the letters in a set, or of those that are not.
    fn positions(&self, set: &[Letter], is_in: bool) -> Vec<u64> {
        let (part, is_set) = self.smaller_part(set);
        if is_in != is_set {
            return self.without(part.into_iter());
        }
        let mut mask = vec![0; self.blocks()];
        for letter in part {
            mask.iter_mut().zip(&self.at[letter]).for_each(|(mask, at)| *mask |= at);
        }
        mask
    }

    /// The letters in a set, or all others if these are fewer, and whether it is the set. Sets that leave out a letter or none are
    /// frequent where there are many letters.
    fn smaller_part(&self, set: &[Letter]) -> (Vec<usize>, bool) {
        let mut chosen = vec![false; self.letters()];
        set.iter().for_each(|letter| chosen[letter.index()] = true);
        let is_set = 2 * set.len() <= self.letters();
        ((0..self.letters()).filter(|&letter| chosen[letter] == is_set).collect(), is_set)
    }

    /// The positions of the letters in a set.
    pub(super) fn at_any(&self, set: &[Letter]) -> Vec<u64> {
        self.positions(set, true)
    }

    /// The words that have a pattern.
    pub(super) fn having(&self, pattern: &Pattern) -> Vec<u64> {
        let ends = self.ends_of(pattern);
        match pattern.least() {
            1 => self.words_of(&ends),
            least => {
                let counts = self.counts(&ends);
                of_words(counts.iter().map(|&count| count as usize >= least))
            }
        }
    }

    /// The words with a position in a set, as a set of words.
    pub(super) fn words_of(&self, set: &[u64]) -> Vec<u64> {
        let mut words = vec![0; self.words.div_ceil(64)];
        for (block, &mask) in set.iter().enumerate() {
            let mut mask = mask;
            while mask != 0 {
                let word = self.word_of[block * 64 + mask.trailing_zeros() as usize] as usize;
                words[word / 64] |= 1 << (word % 64);
                mask &= mask - 1;
            }
        }
        words
    }

    /// The positions where a pattern ends, or the separators of words that it stands at the end of.
    pub(super) fn ends_of(&self, pattern: &Pattern) -> Vec<u64> {
        let through = |gap: &Gap| match gap {
            Gap::Adjacent => None,
            Gap::Free => Some(self.inside.clone()),
            Gap::Without(set) => Some(self.positions(set, false)),
        };
        let mut here = match &pattern.gaps()[0] {
            Gap::Adjacent => self.starts.clone(),
            Gap::Free => self.inside.clone(),
            gap => {
                let mut reached = self.starts.clone();
                star(&mut reached, &through(gap).unwrap_or_default());
                reached
            }
        };
        for (i, set) in pattern.letters().iter().enumerate() {
            if i > 0 {
                shift(&mut here);
                if let Some(class) = through(&pattern.gaps()[i]) {
                    star(&mut here, &class);
                }
            }
            match &set[..] {
                [letter] => and(&mut here, &self.at[letter.index()]),
                set if set.len() == self.letters() => and(&mut here, &self.inside),
                set => and(&mut here, &self.at_any(set)),
            }
        }
        match &pattern.gaps()[pattern.letters().len()] {
            Gap::Free => here,
            gap => {
                shift(&mut here);
                if let Some(class) = through(gap) {
                    star(&mut here, &class);
                }
                and(&mut here, &self.ends);
                here
            }
        }
    }
}

/// The next positions.
pub(super) fn shift(set: &mut [u64]) {
    let mut carry = 0;
    for block in set {
        (*block, carry) = (*block << 1 | carry, *block >> 63);
    }
}

/// The positions before.
pub(super) fn back(set: &mut [u64]) {
    let mut carry = 0;
    for block in set.iter_mut().rev() {
        (*block, carry) = (*block >> 1 | carry, *block << 63);
    }
}

/// All positions that are reached through a class.
pub(super) fn star(set: &mut [u64], class: &[u64]) {
    let mut carry = false;
    for (block, &class) in set.iter_mut().zip(class) {
        let (sum, first) = (*block & class).overflowing_add(class);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        *block |= sum ^ class;
    }
}

pub(super) fn and(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
}

/// A set of words, by what is said of each.
pub(super) fn of_words(says: impl Iterator<Item = bool>) -> Vec<u64> {
    let mut words = Vec::new();
    for (i, is_in) in says.enumerate() {
        if i % 64 == 0 {
            words.push(0);
        }
        if is_in {
            words[i / 64] |= 1 << (i % 64);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Fact};
    use proptest::prelude::*;

    use super::*;

    /// No set takes more than half of the letters.
    #[test]
    fn large_sets_are_as_cheap_as_small_ones() {
        let letters = 40;
        let words: Vec<Vec<Letter>> = (0..30_usize)
            .map(|word| (0..25).map(|at| Letter::new((word * word + at * 7) % letters)).collect())
            .collect();
        let text = Text::new(letters, words.iter().map(|word| &word[..]));
        for size in 0..=letters {
            let set: Vec<Letter> = (letters - size..letters).map(Letter::new).collect();
            assert!(text.smaller_part(&set).0.len() <= letters / 2);
            let mut naive = vec![0; text.blocks()];
            for letter in &set {
                naive.iter_mut().zip(text.at(letter.index())).for_each(|(naive, at)| *naive |= at);
            }
            assert_eq!(text.at_any(&set), naive);
            let others: Vec<u64> = text.inside().iter().zip(&naive).map(|(all, at)| all & !at).collect();
            assert_eq!(text.positions(&set, false), others);
        }
    }

    proptest! {
        /// Matching in all words at once agrees with the automaton of the pattern, also across machine words.
        #[test]
        fn patterns_match_as_their_automata_do(
            sets in proptest::collection::vec(1_usize..8, 1..4),
            gaps in proptest::collection::vec(0_usize..9, 4),
            least in 1_usize..4,
            words in proptest::collection::vec(proptest::collection::vec(0_usize..3, 0..150), 1..12),
        ) {
            let set = |mask: usize| (0..3).filter(|i| mask >> i & 1 == 1).map(Letter::new).collect::<Vec<_>>();
            let gap = |number: usize| match number {
                0 => Gap::Adjacent,
                1 => Gap::Free,
                mask => Gap::Without(set(mask - 1)),
            };
            let letters: Vec<Vec<Letter>> = sets.iter().map(|&mask| set(mask)).collect();
            let gaps: Vec<Gap> = gaps.iter().take(letters.len() + 1).map(|&number| gap(number)).collect();
            let least = if gaps.last() == Some(&Gap::Free) { least } else { 1 };
            let pattern = Pattern::new(letters, gaps, least).unwrap();
            let words: Vec<Vec<Letter>> =
                words.into_iter().map(|word| word.into_iter().map(Letter::new).collect()).collect();
            let text = Text::new(3, words.iter().map(|word| &word[..]));
            let machine = Fact::Has(pattern.clone()).machine(&Alphabet::of_chars("abc"));
            let expected = of_words(words.iter().map(|word| machine.accepts(word)));
            prop_assert_eq!(text.having(&pattern), expected, "{:?}", pattern);
        }
    }
}
