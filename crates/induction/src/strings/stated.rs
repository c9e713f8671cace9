//! What it takes to state a pattern: the code by which it competes with grammars, automata, expressions and facts.
//!
//! The costs that guide the search (`cost`) are not such a code: there a class may leave out any mark of the plan around it for
//! nothing, and all usual classes and ranges cost the same. Among patterns, that finds what people mean. Against other
//! descriptions, what counts is a message that can be decoded by somebody who knows the characters of the examples and the
//! usual classes. A test checks Kraft's inequality.

use automata::Class;

use super::bits::{Times, log2, log2_of, number};
use super::cost::{AGAIN, CHOICE, FLAG, LIST, MORE, NUMBER, REPEAT, RUN, TEXT};
use super::covers::{Cover, How};
use super::letters::{Chars, Letters, Set};
use super::pattern::Pattern;
use crate::measure::{choice, factorial};

/// Four forms of a class: a usual class, a range, some of all characters, some of a usual class.
const USUAL: f64 = 1.0;
const RANGE: f64 = 2.0;
const SOME: f64 = 3.0;
/// Which kind of characters a range is of: digits, small letters, capitals, or any.
const KIND: f64 = 2.0;
/// The bits of digits, small letters or capitals among more than six usual classes: people mean them most often.
const OFTEN: f64 = 3.0;
/// An end of a range of any characters.
const ANY: f64 = 21.0;

/// The bits to state a pattern.
pub(super) fn bits(letters: &Letters, pattern: &Pattern) -> f64 {
    let mut marks = Set::default();
    add_marks(pattern, &mut marks);
    Stated { letters, marks: marks.without(letters.alphanumeric) }.bits(pattern)
}

/// The characters of all texts.
fn add_marks(pattern: &Pattern, marks: &mut Set) {
    match pattern {
        Pattern::Text(text) => *marks = marks.or(Set::of(text.iter().copied())),
        Pattern::Run { .. } | Pattern::Number { .. } => {}
        Pattern::Sequence(parts) | Pattern::Choice(parts) => parts.iter().for_each(|part| add_marks(part, marks)),
        Pattern::Repeat { item, .. } => add_marks(item, marks),
        Pattern::List { item, mark, .. } => [item, mark].into_iter().for_each(|part| add_marks(part, marks)),
    }
}

struct Stated<'a> {
    letters: &'a Letters,
    /// The marks that texts of the pattern have. A class may lack them all: `"[^"]*"`.
    marks: Set,
}

impl Stated<'_> {
    fn bits(&self, pattern: &Pattern) -> f64 {
        let items = match pattern {
            Pattern::Sequence(parts) => parts,
            item => std::slice::from_ref(item),
        };
        let mut before: Option<&[u8]> = None;
        let mut bits = MORE;
        for item in items {
            bits += MORE + self.item(item, before);
            if let Pattern::Text(text) = item {
                before = Some(text);
            }
        }
        bits
    }

    fn item(&self, item: &Pattern, before: Option<&[u8]>) -> f64 {
        match item {
            Pattern::Text(text) if before == Some(text) => AGAIN,
            Pattern::Text(text) => TEXT + number(text.len().saturating_sub(1)) + self.spelled(&[text]),
            Pattern::Run { cover, without, min, max } => {
                RUN + self.class(cover, *without) + Times { min: *min, max: *max }.bits()
            }
            Pattern::Number { interval, .. } => NUMBER + interval.stated(),
            Pattern::Choice(parts) => CHOICE + self.choice(parts),
            Pattern::Repeat { item, min, max } => {
                REPEAT + Times { min: *min, max: *max }.bits_besides(Times::OPTIONAL) + self.bits(item)
            }
            Pattern::List { item, mark, min, max } => {
                LIST + Times { min: *min, max: *max }.bits() + self.bits(mark) + self.bits(item)
            }
            // Sequences are flattened; one that is not is an item that comes once.
            Pattern::Sequence(_) => REPEAT + Times::ONCE.bits_besides(Times::OPTIONAL) + self.bits(item),
        }
    }

    /// The characters of texts, all from a usual class, or each from all characters; a bit says which.
    fn spelled(&self, texts: &[Chars]) -> f64 {
        let count: usize = texts.iter().map(|text| text.len()).sum();
        let seen = Set::of(texts.iter().flat_map(|text| text.iter().copied()));
        let from = |size: usize| count as f64 * log2_of(size.max(1));
        FLAG + self.home(seen, &from).min(from(self.letters.all().len()))
    }

    /// The bits to say which usual class has these characters, and to choose among those of it.
    fn home(&self, seen: Set, from: &dyn Fn(usize) -> f64) -> f64 {
        let homes = self.letters.named.iter().enumerate().filter(|(_, named)| seen.is_within(named.set));
        homes.map(|(i, named)| self.name(i) + from(named.set.len())).fold(f64::INFINITY, f64::min)
    }

    /// The bits of the name of a usual class.
    fn name(&self, i: usize) -> f64 {
        const MANY: usize = 6;
        let Letters { named, kinds, .. } = self.letters;
        let is_often = |class: &Class| kinds.iter().any(|kind| kind.class == *class);
        let often = named.iter().filter(|named| is_often(&named.class)).count();
        match named.len() {
            0..=MANY => log2_of(named.len()),
            _ if is_often(&named[i].class) => OFTEN,
            all => log2_of(all - often) - log2(1.0 - often as f64 * libm::exp2(-OFTEN)),
        }
    }

    /// A class, and what the place lacks of it: nothing, all marks of the pattern, some of them, or what is said one by one, also
    /// of characters besides.
    fn class(&self, cover: &Cover, without: Set) -> f64 {
        let (letters, all) = (self.letters, self.letters.all().len());
        let gone = without.or(cover.except);
        let altered = |base: Set, more: f64| {
            let (gone, marks) = (base.without(base.without(gone)), base.without(base.without(self.marks)));
            match (gone.is_empty() && more == 0.0, more == 0.0 && gone.is_within(marks)) {
                (true, _) if marks.is_empty() => log2(4.0 / 3.0),
                (true, _) => 1.0,
                (false, true) if gone == marks => 2.0,
                (false, true) => 3.0 + number(gone.len() - 1) + choice(marks.len(), gone.len()),
                _ if marks.is_empty() => 2.0 + number(gone.len()) + choice(base.len(), gone.len()) + FLAG + more,
                _ => 3.0 + number(gone.len()) + choice(base.len(), gone.len()) + FLAG + more,
            }
        };
        match cover.how {
            How::Seen => {
                let set = cover.set.without(gone);
                let from = |size: usize| choice(size, set.len());
                SOME + number(set.len().saturating_sub(1)) + self.home(set, &from).min(from(all))
            }
            How::Range(first, last) => {
                let kind = letters.kinds.iter().find(|kind| kind.class.contains(first) && kind.class.contains(last));
                let ends = kind.map_or(2.0 * ANY, |kind| choice(kind.class.len() + 1, 2));
                RANGE + KIND + ends + altered(letters.between(first, last), 0.0)
            }
            How::Named(i) => {
                let named = letters.named[i].set;
                let more = match cover.set.without(named).len() {
                    0 => 0.0,
                    more => number(more - 1) + choice(all - named.len(), more),
                };
                USUAL + self.name(i) + altered(named.or(cover.set), more)
            }
        }
    }

    /// Alternatives in any order. Texts may be listed together, so that all are spelled alike.
    fn choice(&self, parts: &[Pattern]) -> f64 {
        let all: f64 = parts.iter().map(|part| self.bits(part)).sum();
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
                number(parts.len() - count) + others.map(|part| self.bits(part)).sum::<f64>()
                    - factorial(parts.len() - count)
                    + number(count - 2)
                    + lengths
                    + self.spelled(&texts)
                    - factorial(count)
            }
        };
        FLAG + alone.min(together)
    }
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
