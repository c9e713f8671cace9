//! Patterns without parts: a text, a list of texts, a run of one class, a class for each place.

use std::collections::BTreeMap;

use super::bits::{CHAR, NODE, best_cover, covers, log2, number, times, which};
use super::letters::{Chars, Letters, Set};
use super::pattern::{Found, Pattern};

/// Texts are listed up to so many.
const MOST_TEXTS: usize = 256;
/// A character of a listed text takes no fewer bits.
const LISTED: f64 = 5.0;
/// Places are told apart in words up to this length.
const LONGEST: usize = 64;

/// What the patterns of a place must keep to.
#[derive(Clone, Copy)]
pub(super) struct Leaves<'a> {
    pub(super) letters: &'a Letters,
    /// What the bits of the data weigh: more makes patterns tighter.
    pub(super) weight: f64,
    /// Marks, which no class may have.
    pub(super) without: Set,
}

impl Leaves<'_> {
    /// The cheapest for these words, none of them empty, that no forbidden word matches; no word is forbidden.
    pub(super) fn best(&self, words: &[Chars], forbidden: &[Chars]) -> Option<Found> {
        if words.iter().all(|word| *word == words[0]) {
            return Some(self.text(words[0]));
        }
        let found = Found::better(self.run(words, forbidden), self.places(words, forbidden), self.weight);
        Found::better(found, self.list(words), self.weight)
    }

    fn text(&self, word: Chars) -> Found {
        let each = self.each_of(Set::of(word.iter().copied())).1;
        let length = word.len() as f64;
        let bits = NODE + number(word.len()) + (each * length + 4.0).min(CHAR * length);
        Found { pattern: Pattern::Text(word.to_vec()), bits, data: 0.0 }
    }

    /// What a class for all of these takes, and then each of them.
    fn each_of(&self, seen: Set) -> (f64, f64) {
        let cover = best_cover(self.letters, seen, seen.len(), Set::default(), Set::default(), 1.0);
        cover.map_or((0.0, CHAR), |cover| (cover.bits, log2(cover.size as f64)))
    }

    fn list(&self, words: &[Chars]) -> Option<Found> {
        let mut texts: BTreeMap<Chars, usize> = BTreeMap::new();
        for word in words {
            *texts.entry(word).or_default() += 1;
        }
        if texts.len() > MOST_TEXTS {
            return None;
        }
        let (class, each) = self.each_of(Set::of(texts.keys().flat_map(|text| text.iter().copied())));
        // Numbers are seldom listed, and words often: a digit costs no less than a letter does.
        let each = each.max(LISTED);
        let text = |text: &Chars| number(text.len()) + each * text.len() as f64;
        let bits = NODE + class + number(texts.len()) + texts.keys().map(text).sum::<f64>();
        let counts: Vec<usize> = texts.values().copied().collect();
        let pattern = Pattern::choice(texts.keys().map(|text| Pattern::Text(text.to_vec())));
        Some(Found { pattern, bits, data: which(&counts) })
    }

    fn run(&self, words: &[Chars], forbidden: &[Chars]) -> Option<Found> {
        let seen = Set::of(words.iter().flat_map(|word| word.iter().copied()));
        let lengths: Vec<usize> = words.iter().map(|word| word.len()).collect();
        let letters: usize = lengths.iter().sum();
        let forbidden: Vec<(Set, usize)> =
            forbidden.iter().map(|word| (Set::of(word.iter().copied()), word.len())).collect();
        let ways = times(&lengths);
        let mut best = None;
        for cover in covers(self.letters, seen, self.without) {
            let matched = |&&(set, _): &&(Set, usize)| set.is_within(cover.set);
            for times in &ways {
                if forbidden.iter().filter(matched).any(|&(_, length)| times.has(length)) {
                    continue;
                }
                let (bits, data) = (NODE + cover.bits + times.bits, cover.data(letters) + times.data);
                if best.as_ref().is_some_and(|best: &Found| best.cost(self.weight) <= bits + self.weight * data) {
                    continue;
                }
                let (cover, without) = (cover.clone(), self.without);
                let pattern = Pattern::Run { cover, without, min: times.min, max: times.max };
                best = Some(Found { pattern, bits, data });
            }
        }
        best
    }

    /// All words have one length, and each place has its class.
    fn places(&self, words: &[Chars], forbidden: &[Chars]) -> Option<Found> {
        let length = words[0].len();
        if !(2..=LONGEST).contains(&length) || words.iter().any(|word| word.len() != length) {
            return None;
        }
        let seen: Vec<Set> = (0..length).map(|i| Set::of(words.iter().map(|word| word[i]))).collect();
        let mut banned = vec![Set::default(); length];
        let mut found = self.stretches(&seen, &banned, words.len())?;
        for word in forbidden.iter().filter(|word| word.len() == length) {
            if !found.pattern.matches(word) {
                continue;
            }
            // One of its characters must not be in its place: the one that costs least.
            let cost = |i: usize, banned: Set| {
                let cover = best_cover(self.letters, seen[i], words.len(), self.without, banned, self.weight)?;
                Some(cover.bits + self.weight * cover.data(words.len()))
            };
            let open = (0..length).filter(|&i| !seen[i].has(word[i]));
            let priced =
                open.filter_map(|i| Some((i, cost(i, banned[i].or(Set::of([word[i]])))? - cost(i, banned[i])?)));
            let (i, _) = priced.min_by(|a, b| a.1.total_cmp(&b.1))?;
            banned[i] = banned[i].or(Set::of([word[i]]));
            found = self.stretches(&seen, &banned, words.len())?;
        }
        Some(found)
    }

    /// Neighbouring places share a class where that is cheaper.
    fn stretches(&self, seen: &[Set], banned: &[Set], words: usize) -> Option<Found> {
        /// The cheapest way to an end: its cost, where its last stretch begins, and the class of that.
        type Way = (f64, f64, usize, Pattern);
        let mut ways: Vec<Option<Way>> = vec![None; seen.len() + 1];
        ways[0] = Some((NODE, 0.0, 0, Pattern::empty()));
        for end in 1..=seen.len() {
            let (mut all, mut not) = (Set::default(), Set::default());
            for start in (0..end).rev() {
                (all, not) = (all.or(seen[start]), not.or(banned[start]));
                let length = end - start;
                let Some(&(bits, data, ..)) = ways[start].as_ref() else { continue };
                let Some(cover) = best_cover(self.letters, all, words * length, self.without, not, self.weight) else {
                    continue;
                };
                let text = all.len() == 1 && cover.size == 1;
                if text && length > 1 {
                    continue;
                }
                let bits = bits + if text { CHAR + 2.0 } else { NODE + cover.bits + number(length) };
                let data = data + cover.data(words * length);
                if ways[end].as_ref().is_some_and(|way| way.0 + self.weight * way.1 <= bits + self.weight * data) {
                    continue;
                }
                let run = |cover| Pattern::Run { cover, without: self.without, min: length, max: Some(length) };
                let part = if text { Pattern::Text(all.iter().collect()) } else { run(cover) };
                ways[end] = Some((bits, data, start, part));
            }
        }
        let &(bits, data, ..) = ways[seen.len()].as_ref()?;
        let mut parts = Vec::new();
        let mut at = seen.len();
        while at > 0 {
            let (_, _, start, part) = ways[at].take()?;
            parts.push(part);
            at = start;
        }
        parts.reverse();
        Some(Found { pattern: Pattern::sequence(parts), bits, data })
    }
}
