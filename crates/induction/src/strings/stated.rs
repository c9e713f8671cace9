//! What it takes to state a pattern: the code by which it competes with grammars, automata, expressions and facts.
//!
//! The costs that guide the search (`cost`) are no such code: a mark that a class leaves out costs nothing there, since the plan
//! around it has the mark already, and classes that people write cost the same whatever their number. Among patterns that
//! finds what people mean. Against other descriptions only a message counts that somebody could decode who knows the
//! characters of the examples and the usual classes; a test checks Kraft's inequality.

use super::bits::{Times, log2_of, number};
use super::cost::{AGAIN, CHOICE, FLAG, LIST, MORE, NUMBER, REPEAT, RUN, TEXT};
use super::covers::{Cover, How};
use super::letters::{Chars, Letters, Set};
use super::pattern::Pattern;
use crate::measure::{choice, factorial};

/// Which of four forms a class has: some of all characters, some of a usual class, a range, a usual class.
const FORM: f64 = 2.0;
/// Which kind of characters a range is of: digits, small letters, capitals, or any.
const KIND: f64 = 2.0;
/// An end of a range of any characters.
const ANY: f64 = 21.0;

/// The bits to state a pattern.
pub(super) fn bits(letters: &Letters, pattern: &Pattern) -> f64 {
    let items = match pattern {
        Pattern::Sequence(parts) => parts,
        item => std::slice::from_ref(item),
    };
    let mut before: Option<&[u8]> = None;
    let mut bits = MORE;
    for item in items {
        bits += MORE + item_bits(letters, item, before);
        if let Pattern::Text(text) = item {
            before = Some(text);
        }
    }
    bits
}

fn item_bits(letters: &Letters, item: &Pattern, before: Option<&[u8]>) -> f64 {
    match item {
        Pattern::Text(text) if before == Some(text) => AGAIN,
        Pattern::Text(text) => TEXT + text_bits(letters, text),
        Pattern::Run { cover, without, min, max } => {
            RUN + class_bits(letters, cover, *without) + Times { min: *min, max: *max }.bits()
        }
        Pattern::Number { interval, .. } => NUMBER + interval.stated(),
        Pattern::Choice(parts) => CHOICE + choice_bits(letters, parts),
        Pattern::Repeat { item, min, max } => {
            REPEAT + Times { min: *min, max: *max }.bits_besides(Times::OPTIONAL) + bits(letters, item)
        }
        Pattern::List { item, mark, min, max } => {
            LIST + Times { min: *min, max: *max }.bits() + bits(letters, mark) + bits(letters, item)
        }
        // Sequences are flattened; one that is not is an item that comes once.
        Pattern::Sequence(_) => REPEAT + Times::ONCE.bits_besides(Times::OPTIONAL) + bits(letters, item),
    }
}

/// A text that is not empty: its length, and its characters.
fn text_bits(letters: &Letters, text: Chars) -> f64 {
    number(text.len().saturating_sub(1)) + spelled(letters, &[text])
}

/// The characters of texts, all from a usual class, or each from all characters; a bit says which.
fn spelled(letters: &Letters, texts: &[Chars]) -> f64 {
    let count: usize = texts.iter().map(|text| text.len()).sum();
    let seen = Set::of(texts.iter().flat_map(|text| text.iter().copied()));
    let from = |size: usize| count as f64 * log2_of(size.max(1));
    FLAG + home_bits(letters, seen, &from).min(from(letters.all().len()))
}

/// The bits to say which usual class has these characters, and to choose among those of it.
fn home_bits(letters: &Letters, seen: Set, from: &dyn Fn(usize) -> f64) -> f64 {
    let homes = letters.named.iter().filter(|named| seen.is_within(named.set));
    homes.map(|named| log2_of(letters.named.len()) + from(named.set.len())).fold(f64::INFINITY, f64::min)
}

/// A class, and which of its characters the place lacks.
fn class_bits(letters: &Letters, cover: &Cover, without: Set) -> f64 {
    let gone = without.or(cover.except);
    let lacking = |base: Set| {
        let gone = base.len() - base.without(gone).len();
        number(gone) + choice(base.len(), gone)
    };
    let stated = match cover.how {
        How::Seen => {
            let set = cover.set.without(gone);
            let from = |size: usize| choice(size, set.len());
            number(set.len().saturating_sub(1)) + home_bits(letters, set, &from).min(from(letters.all().len()))
        }
        How::Range(first, last) => {
            let kind = letters.kinds.iter().find(|kind| kind.class.contains(first) && kind.class.contains(last));
            let ends = kind.map_or(2.0 * ANY, |kind| choice(kind.class.len() + 1, 2));
            KIND + ends + lacking(letters.between(first, last))
        }
        How::Named(i) => {
            let named = letters.named[i].set;
            let more = cover.set.without(named).len();
            let others = letters.all().len() - named.len();
            log2_of(letters.named.len()) + number(more) + choice(others, more) + lacking(named.or(cover.set))
        }
    };
    FORM + stated
}

/// Alternatives in any order. Texts may be listed together, so that all are spelled alike.
fn choice_bits(letters: &Letters, parts: &[Pattern]) -> f64 {
    let all: f64 = parts.iter().map(|part| bits(letters, part)).sum();
    let alone = number(parts.len().saturating_sub(2)) + all - factorial(parts.len());
    let texts: Vec<&[u8]> = parts
        .iter()
        .filter_map(|part| match part {
            Pattern::Text(text) => Some(&text[..]),
            _ => None,
        })
        .collect();
    let together = match texts.len() {
        0 | 1 => f64::INFINITY,
        count => {
            let others = parts.iter().filter(|part| !matches!(part, Pattern::Text(_)));
            let lengths: f64 = texts.iter().map(|text| number(text.len().saturating_sub(1))).sum();
            number(parts.len() - count) + others.map(|part| bits(letters, part)).sum::<f64>()
                - factorial(parts.len() - count)
                + number(count - 2)
                + lengths
                + spelled(letters, &texts)
                - factorial(count)
        }
    };
    FLAG + alone.min(together)
}

#[cfg(test)]
mod tests {
    use automata::{Alphabet, Class, Examples, Label};

    use super::*;
    use crate::sample::Sample;

    /// The characters a, b and - with the usual class of a to c.
    fn letters() -> Letters {
        let alphabet = Alphabet::of_chars("-ab");
        let word = alphabet.read("ab-").unwrap();
        let sample = Sample::new(&Examples::of(&alphabet, [(word, Label::Accepted)]), false).unwrap();
        Letters::of(&sample, Some(&[Class::new([('a', 'c')])])).unwrap()
    }

    fn sets() -> Vec<Set> {
        (0..8_u8).map(|bits| Set::of((0..3).filter(|c| bits >> c & 1 == 1))).collect()
    }

    /// All runs of up to three characters; those of one class count once.
    fn runs(letters: &Letters) -> Vec<Pattern> {
        let mut runs = Vec::new();
        let mut classes = Vec::new();
        let kind = &letters.kinds[1];
        for without in sets() {
            for set in sets() {
                for how in [How::Seen, How::Named(0)] {
                    let base = if how == How::Seen { set } else { set.or(letters.named[0].set) };
                    let fits = if how == How::Seen { without.is_empty() && !set.is_empty() } else { set == base };
                    if fits && without.is_within(base) {
                        let cover = Cover { set, size: set.len(), how, except: Set::default(), bits: 0.0 };
                        classes.push((cover, without));
                    }
                }
            }
            for (first, last) in [('a', 'b'), ('b', 'y'), ('x', 'z')] {
                if without.is_within(letters.between(first, last)) {
                    classes.push((Cover::range(letters, kind, first, last, without), without));
                }
            }
        }
        for (cover, without) in classes {
            for (min, max) in [(1, Some(1)), (0, Some(1)), (2, Some(2)), (1, Some(2)), (0, None), (1, None)] {
                runs.push(Pattern::Run { cover: cover.clone(), without, min, max });
            }
        }
        runs
    }

    /// Kraft's inequality over texts and runs, alone and repeated, one after the other, and as alternatives.
    #[test]
    fn patterns_have_a_code() {
        let letters = letters();
        let mut items: Vec<Pattern> = (0..3).map(Pattern::mark).collect();
        items.extend((0..9).map(|pair| Pattern::Text(vec![pair / 3, pair % 3])));
        items.extend(runs(&letters));
        let weight = |pattern: &Pattern| libm::exp2(-bits(&letters, pattern));
        let one: f64 = items.iter().map(weight).sum();
        let again = |item: &Pattern| Pattern::Repeat { item: Box::new(item.clone()), min: 2, max: None };
        let optional = |item: &Pattern| Pattern::Repeat { item: Box::new(item.clone()), min: 0, max: Some(1) };
        let repeated: f64 = items.iter().map(|item| weight(&again(item)) + weight(&optional(item))).sum();
        let list = |item: &Pattern, mark: &Pattern| {
            let [item, mark] = [item, mark].map(|pattern| Box::new(pattern.clone()));
            Pattern::List { item, mark, min: 1, max: None }
        };
        let (mut pairs, mut alternatives, mut lists) = (0.0, 0.0, 0.0);
        for (i, a) in items.iter().enumerate() {
            for (j, b) in items.iter().enumerate() {
                pairs += weight(&Pattern::Sequence(vec![a.clone(), b.clone()]));
                lists += weight(&list(a, b));
                // Alternatives have no order.
                if i < j {
                    alternatives += weight(&Pattern::Choice(vec![a.clone(), b.clone()]));
                }
            }
        }
        let sum = weight(&Pattern::empty()) + one + repeated + pairs + alternatives + lists;
        assert!(sum <= 1.0 && sum > 0.5, "{one} {repeated} {pairs} {alternatives} {lists}");
    }

    /// A mark that a class lacks has to be said.
    #[test]
    fn marks_that_are_left_out_are_paid_for() {
        let letters = letters();
        let run = |without: Set| {
            let set = letters.all().without(without);
            let cover = Cover { set, size: 3, how: How::Named(0), except: Set::default(), bits: 0.0 };
            bits(&letters, &Pattern::Run { cover, without, min: 1, max: None })
        };
        assert!(run(Set::of([1])) > run(Set::default()) + 1.0);
    }
}
