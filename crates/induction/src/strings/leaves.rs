//! Patterns without parts: a text, a list of texts, a run of one class, a class for each place.

use std::collections::BTreeMap;

use super::bits::{Times, times, which};
use super::cost::{list_alone, priced, run_alone, run_within, text_alone, text_within};
use super::covers::{Cover, best_cover, covers};
use super::letters::{Chars, Letters, Set};
use super::numbers::interval;
use super::pattern::{Found, Pattern};
use super::words::Words;

/// Texts are listed up to so many.
const MOST_TEXTS: usize = 256;
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
    pub(super) fn best(&self, words: &Words, forbidden: &[Chars]) -> Option<Found> {
        if words.iter().all(|word| *word == words[0]) {
            return Some(self.text(words[0]));
        }
        let found = [
            self.run(words, forbidden),
            self.headed(words, forbidden),
            self.places(words, forbidden),
            interval(self.letters, words, forbidden, self.without, self.weight),
        ];
        let best = found.into_iter().fold(None, |best, found| Found::better(best, found, self.weight));
        let dearest = best.as_ref().map_or(f64::INFINITY, |best| best.cost(self.weight));
        self.list(words, dearest).or(best)
    }

    fn text(&self, word: Chars) -> Found {
        Found { pattern: Pattern::Text(word.to_vec()), bits: text_alone(self.letters, word), data: 0.0 }
    }

    /// All words, if listing them is cheaper than that.
    fn list(&self, words: &Words, dearest: f64) -> Option<Found> {
        let mut texts: BTreeMap<Chars, usize> = BTreeMap::new();
        for word in words.given() {
            *texts.entry(word).or_default() += 1;
        }
        texts.extend(words.told().iter().map(|&word| (word, 0)));
        if texts.len() > MOST_TEXTS {
            return None;
        }
        let (texts, counts): (Vec<Chars>, Vec<usize>) = texts.into_iter().unzip();
        let (bits, data) = (list_alone(self.letters, &texts), which(&counts));
        let pattern = || Pattern::Choice(texts.iter().map(|text| Pattern::Text(text.to_vec())).collect());
        (bits + self.weight * data < dearest).then(|| Found { pattern: pattern(), bits, data })
    }

    fn run(&self, words: &Words, forbidden: &[Chars]) -> Option<Found> {
        let seen = Set::of(words.iter().flat_map(|word| word.iter().copied()));
        let [lengths, told] = [words.given(), words.told()].map(lengths);
        let letters: usize = lengths.iter().sum();
        let forbidden: Vec<(Set, usize)> =
            forbidden.iter().map(|word| (Set::of(word.iter().copied()), word.len())).collect();
        let ways = times(&lengths, &told);
        let mut best = None;
        for cover in covers(self.letters, seen, self.without) {
            for &times in &ways {
                let Some(cover) = self.cleared(&cover, seen, times, &forbidden) else { continue };
                let (bits, data) = (run_alone(&cover, times), cover.data(letters) + times.data(&lengths));
                if best.as_ref().is_some_and(|best: &Found| best.cost(self.weight) <= bits + self.weight * data) {
                    continue;
                }
                let without = self.without;
                let pattern = Pattern::Run { cover, without, min: times.min, max: times.max };
                best = Some(Found { pattern, bits, data });
            }
        }
        best
    }

    /// A class for the first character, and a run of another for the rest: `[a-z][a-z0-9]*`.
    fn headed(&self, words: &Words, forbidden: &[Chars]) -> Option<Found> {
        let firsts = Set::of(words.iter().map(|word| word[0]));
        let seen = Set::of(words.iter().flat_map(|word| word[1..].iter().copied()));
        if seen.is_empty() {
            return None;
        }
        let [lengths, told] =
            [words.given(), words.told()].map(|words| lengths(words).iter().map(|length| length - 1).collect());
        let (lengths, told): (Vec<usize>, Vec<usize>) = (lengths, told);
        let letters: usize = lengths.iter().sum();
        let parted = forbidden.iter().filter_map(|word| word.split_first());
        // Some have to be told by their first character, the others by the rest.
        let (by_first, by_rest): (Vec<_>, Vec<_>) = parted.partition(|(first, _)| !firsts.has(**first));
        let rest = |(&first, rest): (&u8, &[u8])| (first, (Set::of(rest.iter().copied()), rest.len()));
        let by_first: Vec<(u8, (Set, usize))> = by_first.into_iter().map(rest).collect();
        let by_rest: Vec<(Set, usize)> = by_rest.into_iter().map(|parts| rest(parts).1).collect();
        let given = words.given().len();
        let head = |banned| best_cover(self.letters, firsts, given, self.without, banned, self.weight);
        let mut known = (Set::default(), head(Set::default()));
        let ways = times(&lengths, &told);
        let mut best = None;
        for cover in covers(self.letters, seen, self.without) {
            for &times in &ways {
                let Some(cover) = self.cleared(&cover, seen, times, &by_rest) else { continue };
                let runs = by_first.iter().filter(|(_, (set, length))| times.has(*length) && set.is_within(cover.set));
                let banned = Set::of(runs.map(|&(first, _)| first));
                if known.0 != banned {
                    known = (banned, head(banned));
                }
                let Some(head) = known.1.clone() else { continue };
                let bits = run_within(&head, Times::ONCE) + run_alone(&cover, times);
                let data = head.data(given) + cover.data(letters) + times.data(&lengths);
                if best.as_ref().is_some_and(|best: &Found| best.cost(self.weight) <= bits + self.weight * data) {
                    continue;
                }
                let without = self.without;
                let head = Pattern::Run { cover: head, without, min: 1, max: Some(1) };
                let rest = Pattern::Run { cover, without, min: times.min, max: times.max };
                best = Some(Found { pattern: Pattern::sequence([head, rest]), bits, data });
            }
        }
        // Two runs of one class are a single run, which costs less.
        best.map(|best: Found| priced(self.letters, best.pattern, words))
    }

    /// The class without marks that only forbidden words have, so that none of these is a run of it.
    fn cleared(&self, cover: &Cover, seen: Set, times: Times, forbidden: &[(Set, usize)]) -> Option<Cover> {
        let runs = forbidden.iter().filter(|(set, length)| times.has(*length) && set.is_within(cover.set));
        let mut runs: Vec<Set> = runs.map(|(set, _)| set.without(seen)).collect();
        let mut marks = Set::default();
        while let Some(set) = runs.first() {
            // The mark that most of them have.
            let count = |c: &u8| runs.iter().filter(|run| run.has(*c)).count();
            let mark =
                set.without(self.letters.alphanumeric).iter().max_by_key(|c| (count(c), std::cmp::Reverse(*c)))?;
            marks = marks.or(Set::of([mark]));
            runs.retain(|run| !run.has(mark));
        }
        if marks.is_empty() { Some(cover.clone()) } else { cover.clone().excluding(self.letters, marks) }
    }

    /// All words have one length, and each place has its class.
    fn places(&self, words: &Words, forbidden: &[Chars]) -> Option<Found> {
        let length = words[0].len();
        if !(2..=LONGEST).contains(&length) || words.iter().any(|word| word.len() != length) {
            return None;
        }
        let seen: Vec<Set> = (0..length).map(|i| Set::of(words.iter().map(|word| word[i]))).collect();
        let mut banned = vec![Set::default(); length];
        let given = words.given().len();
        let mut pattern = self.stretches(&seen, &banned, given)?;
        for word in forbidden.iter().filter(|word| word.len() == length) {
            if !pattern.matches(word) {
                continue;
            }
            // One of its characters must not be in its place: the one that costs least.
            let cost = |i: usize, banned: Set| {
                let cover = best_cover(self.letters, seen[i], given, self.without, banned, self.weight)?;
                Some(cover.bits + self.weight * cover.data(given))
            };
            let open = (0..length).filter(|&i| !seen[i].has(word[i]));
            let priced =
                open.filter_map(|i| Some((i, cost(i, banned[i].or(Set::of([word[i]])))? - cost(i, banned[i])?)));
            let (i, _) = priced.min_by(|a, b| a.1.total_cmp(&b.1))?;
            banned[i] = banned[i].or(Set::of([word[i]]));
            pattern = self.stretches(&seen, &banned, given)?;
        }
        Some(priced(self.letters, pattern, words))
    }

    /// Neighbouring places share a class where that is cheaper.
    fn stretches(&self, seen: &[Set], banned: &[Set], words: usize) -> Option<Pattern> {
        /// The cheapest way to an end: its bits, where its last stretch begins, and the pattern of that.
        type Way = (f64, usize, Pattern);
        let mut ways: Vec<Option<Way>> = vec![None; seen.len() + 1];
        ways[0] = Some((0.0, 0, Pattern::empty()));
        for end in 1..=seen.len() {
            let (mut all, mut not, mut is_text) = (Set::default(), Set::default(), true);
            for start in (0..end).rev() {
                (all, not) = (all.or(seen[start]), not.or(banned[start]));
                is_text &= seen[start].len() == 1;
                let length = end - start;
                let Some(&(before, ..)) = ways[start].as_ref() else { continue };
                let mut add = |bits: f64, part: &dyn Fn() -> Pattern| {
                    if ways[end].as_ref().is_none_or(|way| before + bits < way.0) {
                        ways[end] = Some((before + bits, start, part()));
                    }
                };
                if is_text {
                    let text = || seen[start..end].iter().filter_map(|seen| seen.first()).collect();
                    add(text_within(length), &|| Pattern::Text(text()));
                }
                let cover = best_cover(self.letters, all, words * length, self.without, not, self.weight);
                if let Some(cover) = cover {
                    let bits = run_within(&cover, fixed(length)) + self.weight * cover.data(words * length);
                    let (without, min, max) = (self.without, length, Some(length));
                    add(bits, &|| Pattern::Run { cover: cover.clone(), without, min, max });
                }
            }
        }
        let mut parts = Vec::new();
        let mut at = seen.len();
        while at > 0 {
            let (_, start, part) = ways[at].take()?;
            parts.push(part);
            at = start;
        }
        parts.reverse();
        Some(Pattern::sequence(parts))
    }
}

fn fixed(length: usize) -> Times {
    Times { min: length, max: Some(length) }
}

fn lengths(words: &[Chars]) -> Vec<usize> {
    words.iter().map(|word| word.len()).collect()
}
