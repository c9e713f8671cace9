//! Patterns that occur in the words, grown letter by letter.
//!
//! All patterns of six letters over 64 are beyond listing, but a pattern that tells the labels apart begins with one that
//! tells something too: the words that have `abc` are among those that have `ab`. So patterns grow from single letters, and of
//! each length only those that say the most about the labels grow further. One pass over the positions that a gap reaches
//! counts the extensions by all letters at once; extensions that do not occur are never looked at.

use automata::{Gap, Letter, Pattern};

use super::labels::Labels;
use super::text::{Text, and, shift, star};

/// Patterns of each length that grow further.
const BEAM: usize = 96;
/// Longer patterns are reached by closing (`refine`).
const LONGEST: usize = 6;
/// Higher numbers of occurrences are not counted.
const MOST_COUNTED: usize = 6;
/// Patterns that say less are not kept.
pub(super) const LEAST_GAIN: f64 = 6.0;

/// A pattern with what it says about the labels.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) pattern: Pattern,
    /// Bits of the labels that it saves.
    pub(super) gain: f64,
}

/// Those that say the most.
pub(super) fn best(mut found: Vec<Found>, most: usize) -> Vec<Found> {
    found.sort_by(|a, b| b.gain.total_cmp(&a.gain).then_with(|| a.pattern.cmp(&b.pattern)));
    found.truncate(most);
    found
}

/// How patterns grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// Factors, at the start of words or anywhere.
    Adjacent { at_start: bool },
    /// Subsequences.
    Free,
    /// Sequences of factors.
    Mixed,
    /// Factors in which some letters are arbitrary.
    Spaced,
}

/// How the next letter of a pattern is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// It is the next one.
    Next,
    /// After this many arbitrary letters.
    Skip(usize),
    /// After anything.
    Free,
}

/// Letters of a pattern and where it ends.
struct Node {
    letters: Vec<u32>,
    /// How each letter but the first is reached.
    reached: Vec<Reach>,
    ends: Vec<u64>,
}

/// Looks for patterns in words of which only the letters of a tier are given, or all letters.
pub(super) struct Miner<'a> {
    pub(super) text: &'a Text,
    pub(super) labels: &'a Labels,
    pub(super) tier: Option<&'a [Letter]>,
}

impl Miner<'_> {
    /// The patterns that say the most, at most `most` of them; and the work done.
    pub(super) fn mine(&self, growth: Growth, most: usize) -> (Vec<Found>, u64) {
        let mut found = Vec::new();
        let mut work = 0;
        let at_start = growth == Growth::Adjacent { at_start: true };
        let mut nodes: Vec<Node> = Vec::new();
        for letter in 0..self.text.letters() {
            let mut ends = self.text.at(letter).to_vec();
            if at_start {
                and(&mut ends, self.text.starts());
            }
            if ends.iter().any(|&block| block != 0) {
                nodes.push(Node { letters: vec![letter as u32], reached: Vec::new(), ends });
            }
        }
        for length in 1..=LONGEST {
            for node in &nodes {
                work += 2 * self.text.blocks() as u64;
                self.judge(node, at_start, growth == Growth::Free, &mut found);
            }
            if length == LONGEST {
                break;
            }
            let ways: &[Reach] = match growth {
                Growth::Adjacent { .. } => &[Reach::Next],
                Growth::Free => &[Reach::Free],
                Growth::Mixed => &[Reach::Next, Reach::Free],
                Growth::Spaced => &[Reach::Next, Reach::Skip(1), Reach::Skip(2), Reach::Skip(3)],
            };
            let mut children: Vec<(f64, usize, Reach, u32)> = Vec::new();
            let mut seen = vec![u32::MAX; self.text.letters()];
            let mut counts = vec![[0_usize; 2]; self.text.letters()];
            for (number, node) in nodes.iter().enumerate() {
                for &way in ways {
                    let reached = self.reached(node, way);
                    seen.fill(u32::MAX);
                    counts.fill([0; 2]);
                    let mut positions = 0;
                    self.text.visit(&reached, |letter, word, _| {
                        positions += 1;
                        if seen[letter] != word as u32 {
                            seen[letter] = word as u32;
                            counts[letter][usize::from(!self.labels.of(word))] += 1;
                        }
                    });
                    work += positions + self.text.blocks() as u64;
                    let occurring = counts.iter().enumerate().filter(|(_, counts)| counts[0] + counts[1] > 0);
                    children.extend(
                        occurring.map(|(letter, &counts)| (self.labels.gain(counts), number, way, letter as u32)),
                    );
                }
            }
            // The most telling ones; of equals, the first.
            children.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)).then(a.3.cmp(&b.3)));
            children.truncate(if length == 1 { 4 * BEAM } else { BEAM });
            let grown = children.into_iter().map(|(_, number, way, letter)| {
                let node = &nodes[number];
                let mut ends = self.reached(node, way);
                and(&mut ends, self.text.at(letter as usize));
                let letters = node.letters.iter().copied().chain([letter]).collect();
                Node { letters, reached: node.reached.iter().copied().chain([way]).collect(), ends }
            });
            nodes = grown.collect();
            work += nodes.len() as u64 * self.text.blocks() as u64;
        }
        (best(found, most), work)
    }

    /// The positions after a node.
    fn reached(&self, node: &Node, way: Reach) -> Vec<u64> {
        let mut reached = node.ends.clone();
        shift(&mut reached);
        match way {
            Reach::Next => {}
            Reach::Skip(some) => (0..some).for_each(|_| {
                and(&mut reached, self.text.inside());
                shift(&mut reached);
            }),
            Reach::Free => star(&mut reached, self.text.inside()),
        }
        reached
    }

    /// Keeps the pattern of a node with each number of occurrences, and at the end of words, if it says something.
    fn judge(&self, node: &Node, at_start: bool, is_free: bool, found: &mut Vec<Found>) {
        let counts = self.text.counts(&node.ends);
        let mut by_count = [[0_usize; 2]; MOST_COUNTED + 1];
        for (word, &count) in counts.iter().enumerate() {
            by_count[(count as usize).min(MOST_COUNTED)][usize::from(!self.labels.of(word))] += 1;
        }
        let mut at_least = [0; 2];
        for least in (1..=MOST_COUNTED).rev() {
            at_least[0] += by_count[least][0];
            at_least[1] += by_count[least][1];
            let is_told = least == 1 || !(at_start || is_free && node.letters.len() > 1);
            if is_told && at_least[0] + at_least[1] > 0 {
                let gain = self.labels.gain(at_least);
                if gain > LEAST_GAIN {
                    found.extend(self.pattern(node, at_start, false, least).map(|pattern| Found { pattern, gain }));
                }
            }
        }
        let mut last = node.ends.clone();
        shift(&mut last);
        and(&mut last, self.text.ends());
        let mut counts = [0; 2];
        self.text.words_of(&last).iter().enumerate().for_each(|(block, &words)| {
            let mut words = words;
            while words != 0 {
                let word = block * 64 + words.trailing_zeros() as usize;
                counts[usize::from(!self.labels.of(word))] += 1;
                words &= words - 1;
            }
        });
        let gain = self.labels.gain(counts);
        if gain > LEAST_GAIN {
            found.extend(self.pattern(node, at_start, true, 1).map(|pattern| Found { pattern, gain }));
        }
    }

    fn pattern(&self, node: &Node, at_start: bool, at_end: bool, least: usize) -> Option<Pattern> {
        let next = || match self.tier {
            Some(tier) => Gap::Without(tier.to_vec()),
            None => Gap::Adjacent,
        };
        let end = |anchored: bool| if anchored { next() } else { Gap::Free };
        let any: Vec<Letter> = (0..self.text.letters()).map(Letter::new).collect();
        let (mut letters, mut gaps) = (Vec::new(), vec![end(at_start)]);
        for (i, &letter) in node.letters.iter().enumerate() {
            match i.checked_sub(1).map(|gap| node.reached[gap]) {
                None => {}
                Some(Reach::Next) => gaps.push(next()),
                Some(Reach::Free) => gaps.push(Gap::Free),
                Some(Reach::Skip(some)) => {
                    letters.extend((0..some).map(|_| any.clone()));
                    gaps.extend((0..=some).map(|_| next()));
                }
            }
            letters.push(vec![Letter::new(letter as usize)]);
        }
        gaps.push(end(at_end));
        Pattern::new(letters, gaps, least)
    }
}
