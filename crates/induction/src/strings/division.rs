//! How a pattern divides a word: which part of the word each part of the pattern matches.
//!
//! A word may match in several ways. The division that counts is the one whose characters take the fewest bits, each by the
//! size of the class that matches it; on a tie earlier parts are longer. It depends on pattern and word alone, not on the
//! plan that proposed the pattern.

use std::collections::VecDeque;

use super::bits::log2_of;
use super::letters::{Chars, Set};
use super::pattern::Pattern;

/// Positions in a word in ascending order, each with the fewest bits of a match that ends there.
type Reached = Vec<(usize, f64)>;

impl Pattern {
    /// Where matches end that begin at one of `starts`.
    pub(super) fn reach(&self, word: Chars, starts: &[(usize, f64)]) -> Reached {
        match self {
            Self::Text(text) => {
                let there = starts.iter().filter(|(start, _)| word[*start..].starts_with(text));
                there.map(|&(start, bits)| (start + text.len(), bits)).collect()
            }
            Self::Run { cover, min, max, .. } => run(word, starts, cover.set, log2_of(cover.size), *min, *max),
            Self::Number { interval, rows } => {
                let bits = interval.bits_each();
                let one = |&(start, before): &(usize, f64)| {
                    rows.reach(word, &[(start, 0.0)]).into_iter().map(move |(end, _)| (end, before + bits))
                };
                least(starts.iter().flat_map(one).collect())
            }
            Self::Sequence(parts) => {
                let mut ends = starts.to_vec();
                for part in parts {
                    if ends.is_empty() {
                        break;
                    }
                    ends = part.reach(word, &ends);
                }
                ends
            }
            Self::Choice(parts) => least(parts.iter().flat_map(|part| part.reach(word, starts)).collect()),
            Self::Repeat { item, min, max } => {
                let layers = layers(word, starts, *min, *max, |_, starts| item.reach(word, starts));
                least(layers.into_iter().skip(*min).flatten().collect())
            }
            Self::List { item, mark, min, max } => {
                let layers = layers(word, starts, *min, *max, |count, starts| match count {
                    0 => item.reach(word, starts),
                    _ => item.reach(word, &mark.reach(word, starts)),
                });
                least(layers.into_iter().skip(*min).flatten().collect())
            }
        }
    }

    /// Whether a word matches as a whole.
    pub(super) fn matches(&self, word: Chars) -> bool {
        match self {
            Self::Text(text) => text == word,
            Self::Run { cover, min, max, .. } => {
                (*min..=max.unwrap_or(usize::MAX)).contains(&word.len()) && word.iter().all(|&c| cover.set.has(c))
            }
            Self::Choice(parts) => parts.iter().any(|part| part.matches(word)),
            Self::Number { rows, .. } => rows.matches(word),
            Self::Sequence(parts) => match forced(parts, word) {
                Forced::Ends(_) => true,
                Forced::Nothing => false,
                Forced::Open => self.reaches_end(word),
            },
            Self::Repeat { .. } | Self::List { .. } => self.reaches_end(word),
        }
    }

    fn reaches_end(&self, word: Chars) -> bool {
        self.reach(word, &[(0, 0.0)]).last().is_some_and(|&(end, _)| end == word.len())
    }

    /// Where each part of a sequence ends in the word; nothing if the word does not match.
    pub(super) fn divide(parts: &[Self], word: Chars) -> Option<Vec<usize>> {
        match forced(parts, word) {
            Forced::Ends(ends) => return Some(ends),
            Forced::Nothing => return None,
            Forced::Open => {}
        }
        let mut layers = vec![vec![(0, 0.0)]];
        for part in parts {
            layers.push(part.reach(word, &layers[layers.len() - 1]));
        }
        trace(&layers, word, |i, starts| parts[i].reach(word, starts))
    }

    /// Where each repetition of the item ends.
    pub(super) fn divide_repeated(item: &Self, word: Chars, min: usize, max: Option<usize>) -> Option<Vec<usize>> {
        let once = |_: usize, starts: &[(usize, f64)]| item.reach(word, starts);
        let mut layers = layers(word, &[(0, 0.0)], min, max, once);
        layers.truncate(cheapest_layer(&layers, word.len(), min)? + 1);
        trace(&layers, word, once)
    }

    /// Where each item and each mark ends, in turn.
    pub(super) fn divide_list(
        item: &Self,
        mark: &Self,
        word: Chars,
        min: usize,
        max: Option<usize>,
    ) -> Option<Vec<usize>> {
        // An even number of steps back from the end there is an item, so items and marks are traced alike.
        let once = |count: usize, starts: &[(usize, f64)]| match count {
            0 => item.reach(word, starts),
            _ => item.reach(word, &mark.reach(word, starts)),
        };
        let by_item = layers(word, &[(0, 0.0)], min, max, once);
        let items = cheapest_layer(&by_item, word.len(), min)?;
        let mut layers = Vec::with_capacity(2 * items);
        for (count, layer) in by_item.into_iter().take(items + 1).enumerate() {
            if count > 1 {
                let before: &Reached = &layers[layers.len() - 1];
                layers.push(mark.reach(word, before));
            }
            layers.push(layer);
        }
        trace(&layers, word, |i, starts| if i % 2 == 0 { item.reach(word, starts) } else { mark.reach(word, starts) })
    }
}

/// How the parts of a sequence divide a word where there is no choice.
enum Forced {
    /// Each part ends here.
    Ends(Vec<usize>),
    /// The word does not match.
    Nothing,
    /// Some part may end in several places.
    Open,
}

/// Divides a word from left to right as long as each part can end in one place only, as most formats can.
fn forced(parts: &[Pattern], word: Chars) -> Forced {
    let mut ends = Vec::with_capacity(parts.len());
    let mut at = 0;
    for (i, part) in parts.iter().enumerate() {
        let rest = &word[at..];
        at += match part {
            Pattern::Text(text) if rest.starts_with(text) => text.len(),
            Pattern::Text(_) => return Forced::Nothing,
            Pattern::Run { cover, min, max, .. } => {
                let max = max.unwrap_or(usize::MAX);
                let length = match parts.get(i + 1) {
                    _ if *min == max => *min,
                    None => rest.len(),
                    // What follows begins with a character that the class lacks.
                    Some(Pattern::Text(text)) if !cover.set.has(text[0]) => {
                        rest.iter().take_while(|&&c| cover.set.has(c)).count()
                    }
                    Some(_) => return Forced::Open,
                };
                let fits = (*min..=max).contains(&length) && length <= rest.len();
                if !fits || !rest[..length].iter().all(|&c| cover.set.has(c)) {
                    return Forced::Nothing;
                }
                length
            }
            part => match part.reach(rest, &[(0, 0.0)])[..] {
                [] => return Forced::Nothing,
                [(end, _)] => end,
                _ => return Forced::Open,
            },
        };
        ends.push(at);
    }
    if at == word.len() { Forced::Ends(ends) } else { Forced::Nothing }
}

/// Runs of a class. The cheapest start of those that reach an end is kept in a monotone queue, so that long words with many
/// starts take time linear in their length.
fn run(word: Chars, starts: &[(usize, f64)], set: Set, each: f64, min: usize, max: Option<usize>) -> Reached {
    let Some(&(first, _)) = starts.first() else { return Vec::new() };
    let mut ends = Vec::new();
    // Starts that are at least `min` behind the end, with their bits less those of the characters before them.
    let mut queue: VecDeque<(usize, f64)> = VecDeque::new();
    let mut next = 0;
    for end in first..=word.len() {
        if end > first && !set.has(word[end - 1]) {
            queue.clear();
            while next < starts.len() && starts[next].0 < end {
                next += 1;
            }
        }
        while next < starts.len() && starts[next].0 + min <= end {
            let (start, bits) = starts[next];
            let bits = bits - each * start as f64;
            while queue.back().is_some_and(|&(_, other)| other > bits) {
                queue.pop_back();
            }
            queue.push_back((start, bits));
            next += 1;
        }
        if let Some(max) = max {
            while queue.front().is_some_and(|&(start, _)| start + max < end) {
                queue.pop_front();
            }
        }
        match queue.front() {
            Some(&(_, bits)) => ends.push((end, bits + each * end as f64)),
            None if next == starts.len() => break,
            None => {}
        }
    }
    ends
}

/// The fewest bits for each position, in order.
fn least(mut reached: Reached) -> Reached {
    reached.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    reached.dedup_by_key(|(at, _)| *at);
    reached
}

/// What is reached after 0, 1, 2, … repetitions, up to `max`. Once there are enough repetitions, a position that was reached
/// earlier for no more bits leads nowhere new and is left out.
fn layers(
    word: Chars,
    starts: &[(usize, f64)],
    min: usize,
    max: Option<usize>,
    once: impl Fn(usize, &[(usize, f64)]) -> Reached,
) -> Vec<Reached> {
    let mut known = vec![f64::INFINITY; word.len() + 1];
    let mut layers: Vec<Reached> = Vec::new();
    let mut at = starts.to_vec();
    loop {
        let count = layers.len();
        if count >= min {
            at.retain(|&(position, bits)| {
                let is_new = bits < known[position];
                known[position] = known[position].min(bits);
                is_new
            });
        }
        let is_last = at.is_empty() || max.is_some_and(|max| count >= max);
        let next = if is_last { Vec::new() } else { once(count, &at) };
        layers.push(at);
        if is_last {
            return layers;
        }
        at = next;
    }
}

/// The first layer from `min` on that reaches the end of the word for the fewest bits.
fn cheapest_layer(layers: &[Reached], end: usize, min: usize) -> Option<usize> {
    let at_end = layers.iter().enumerate().skip(min).filter_map(|(count, layer)| Some((count, bits_at(layer, end)?)));
    at_end.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(count, _)| count)
}

fn bits_at(layer: &Reached, position: usize) -> Option<f64> {
    layer.binary_search_by_key(&position, |(at, _)| *at).ok().map(|i| layer[i].1)
}

/// Where each step ends on the cheapest way to the end of the word, found from the end backwards.
fn trace(layers: &[Reached], word: Chars, step: impl Fn(usize, &[(usize, f64)]) -> Reached) -> Option<Vec<usize>> {
    let mut end = word.len();
    bits_at(layers.last()?, end)?;
    if layers.len() == 1 {
        return Some(Vec::new());
    }
    let mut ends = vec![end];
    for i in (1..layers.len() - 1).rev() {
        let starts = &layers[i];
        end = match starts[..] {
            [(only, _)] => only,
            _ => {
                // Of equals the last start: so earlier parts are longer.
                let bits = |&(start, before): &(usize, f64)| {
                    let after = step(i, &[(start, 0.0)]);
                    bits_at(&after, end).map(|bits| (before + bits, start))
                };
                let ways = starts.iter().filter(|(start, _)| *start <= end).filter_map(bits);
                ways.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?.1
            }
        };
        ends.push(end);
    }
    ends.reverse();
    Some(ends)
}

#[cfg(test)]
mod tests {
    use super::super::covers::{Cover, How};
    use super::*;

    /// A run of the characters below `size`.
    fn class(size: u8, min: usize, max: Option<usize>) -> Pattern {
        let cover =
            Cover { set: Set::of(0..size), size: usize::from(size), how: How::Seen, except: Set::default(), bits: 0.0 };
        Pattern::Run { cover, without: Set::default(), min, max }
    }

    #[test]
    fn the_division_with_the_fewest_bits_counts() {
        // As many characters as possible go to the smaller class, wherever it stands.
        let parts = [class(8, 0, None), class(2, 1, None)];
        assert_eq!(Pattern::divide(&parts, &[5, 1, 0, 7, 1, 0, 1]), Some(vec![4, 7]));
        let parts = [class(2, 0, None), class(8, 1, None)];
        assert_eq!(Pattern::divide(&parts, &[1, 0, 1, 7, 1, 0]), Some(vec![3, 6]));
        assert_eq!(Pattern::divide(&parts, &[9]), None);
    }

    #[test]
    fn ties_make_earlier_parts_longer() {
        let parts = [class(4, 0, None), class(4, 1, Some(3))];
        assert_eq!(Pattern::divide(&parts, &[0, 1, 2, 3, 0]), Some(vec![4, 5]));
    }

    #[test]
    fn repetitions_and_lists_are_divided() {
        let item = class(4, 1, Some(2));
        assert_eq!(Pattern::divide_repeated(&item, &[0, 1, 2], 2, Some(3)), Some(vec![2, 3]));
        assert_eq!(Pattern::divide_repeated(&item, &[0, 1, 2], 3, Some(3)), Some(vec![1, 2, 3]));
        assert_eq!(Pattern::divide_repeated(&item, &[0, 1, 2], 4, None), None);
        let mark = Pattern::mark(9);
        assert_eq!(Pattern::divide_list(&item, &mark, &[0, 1, 9, 2, 9, 3], 1, None), Some(vec![2, 3, 4, 5, 6]));
        assert_eq!(Pattern::divide_list(&item, &mark, &[0, 1], 1, None), Some(vec![2]));
        assert_eq!(Pattern::divide_list(&item, &mark, &[0, 9], 1, None), None);
    }

    #[test]
    fn long_words_take_linear_time() {
        let word = vec![0; 100_000];
        let parts = [class(2, 0, None), class(2, 0, None), Pattern::mark(0)];
        assert!(Pattern::Sequence(parts.to_vec()).matches(&word));
        assert!(class(2, 1, Some(1)).repeat(0, None).matches(&word));
        assert!(!Pattern::list(class(2, 1, Some(1)), Pattern::mark(1), 1, None).matches(&word));
    }
}
