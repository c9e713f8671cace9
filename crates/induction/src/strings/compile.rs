//! A pattern as an automaton over classes.
//!
//! Its letters are the coarsest classes by which the pattern can be told, and one for all characters of the examples that it
//! has not. What it does not tell apart is one letter.

use std::collections::{BTreeMap, BTreeSet};

use automata::{
    Alphabet, Class, DEFAULT_STATE_LIMIT, Dfa, Letter, Nfa, NfaBuilder, Regex, StateId, TooManyStates, determinize,
    minimize,
};

use super::letters::{Letters, Set};
use super::pattern::Pattern;
use super::tokens::Tokens;
use super::write::expression;

/// Maximum number of states of the tree of a list. No list with more has a subset construction that fits into its memory.
const MOST_LISTED: usize = 100_000;

/// A pattern in the forms that an answer has.
pub(super) struct Compiled {
    pub(super) expression: String,
    /// Without states that no word needs.
    pub(super) nfa: Nfa,
    /// Minimal and complete.
    pub(super) dfa: Dfa,
}

/// Over tokens, those that a pattern speaks of are `reserved` if so said: then a shape stands for the others alone, as
/// names in a programming language are other words than its keywords.
pub(super) fn compile(letters: &Letters, pattern: &Pattern, reserved: bool) -> Result<Compiled, TooManyStates> {
    let (mut texts, mut classes) = (Set::default(), Vec::new());
    gather(letters, pattern, &mut texts, &mut classes);
    classes.extend(texts.iter().map(|c| Class::of_char(letters.char(c))));
    let used = classes.iter().fold(Class::new([]), |all, class| all.union(class));
    let rest = letters.class(letters.all()).difference(&used);
    if !rest.is_empty() {
        classes.push(rest);
    }
    let building = Building::new(letters, &Alphabet::of_classes(&classes), reserved, texts);
    let tree = building.tree(pattern)?;
    let nfa = building.build(pattern);
    let dfa = minimize(&determinize(tree.as_ref().unwrap_or(&nfa), DEFAULT_STATE_LIMIT)?);
    let (alphabet, merged) = merged(&dfa);
    let (alphabet, letters_of) = match &letters.tokens {
        None => (alphabet, merged.into_iter().map(|letter| vec![letter]).collect()),
        Some(tokens) => spelled(tokens, &alphabet, &merged),
    };
    let nfa = over(&nfa, &alphabet, &letters_of);
    // Of the automaton at hand: it is deterministic again, unless tokens overlap.
    let dfa = minimize(&determinize(&over(&Nfa::from(&dfa), &alphabet, &letters_of), DEFAULT_STATE_LIMIT)?);
    let expression = match (letters.tokens.is_some() && !reserved).then(|| Regex::from_dfa(&dfa)) {
        // A shape in an expression is the letter, and so the others alone.
        Some(Ok(said)) => said.to_string(),
        _ => expression(letters, pattern),
    };
    Ok(Compiled { expression, nfa, dfa })
}

/// All classes that a pattern speaks of, and the characters of its texts.
fn gather(letters: &Letters, pattern: &Pattern, texts: &mut Set, classes: &mut Vec<Class>) {
    match pattern {
        Pattern::Text(text) => *texts = texts.or(Set::of(text.iter().copied())),
        Pattern::Run { cover, without, .. } => {
            let class = cover.class(letters, *without);
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        Pattern::Sequence(parts) | Pattern::Choice(parts) => {
            parts.iter().for_each(|part| gather(letters, part, texts, classes));
        }
        Pattern::Repeat { item, .. } => gather(letters, item, texts, classes),
        Pattern::Number { rows, .. } => gather(letters, rows, texts, classes),
        Pattern::List { item, mark, .. } => {
            [item, mark].into_iter().for_each(|part| gather(letters, part, texts, classes));
        }
    }
}

/// The alphabet in which letters are one that the automaton does not tell apart, and the new letter of each old one.
fn merged(dfa: &Dfa) -> (Alphabet, Vec<Letter>) {
    let alphabet = dfa.alphabet();
    let column =
        |letter: Letter| -> Vec<Option<StateId>> { dfa.states().map(|state| dfa.next(state, letter)).collect() };
    let columns: Vec<Vec<Option<StateId>>> = alphabet.letters().map(column).collect();
    let like = |i: usize| columns.iter().position(|known| *known == columns[i]).unwrap_or(i);
    let mut classes: Vec<Class> = vec![Class::new([]); alphabet.len()];
    for letter in alphabet.letters() {
        let first = like(letter.index());
        classes[first] = classes[first].union(&alphabet.class(letter));
    }
    let known: Vec<Class> = classes.iter().filter(|class| !class.is_empty()).cloned().collect();
    let new = Alphabet::of_classes(&known);
    let letter = |i: usize| {
        let class = &classes[like(i)];
        new.letters().find(|&letter| new.class(letter) == *class).expect("disjoint classes are letters as they are")
    };
    let letters = (0..alphabet.len()).map(letter).collect();
    (new, letters)
}

/// The alphabet of the tokens that classes stand for, and the letters in it of each letter that has become one of these
/// classes.
fn spelled(tokens: &Tokens, classes: &Alphabet, merged: &[Letter]) -> (Alphabet, Vec<Vec<Letter>>) {
    let names: Vec<BTreeSet<&str>> = classes.letters().map(|letter| tokens.letters(&classes.class(letter))).collect();
    let alphabet = Alphabet::new(names.iter().flatten().copied()).expect("every token and every shape has a name");
    let letters = |class: &Letter| names[class.index()].iter().filter_map(|name| alphabet.find(name)).collect();
    let letters = merged.iter().map(letters).collect();
    (alphabet, letters)
}

/// The automaton with each letter replaced.
fn over(nfa: &Nfa, alphabet: &Alphabet, letters: &[Vec<Letter>]) -> Nfa {
    let mut builder = NfaBuilder::with_states(alphabet.clone(), nfa.len());
    nfa.initial().for_each(|state| builder.initial(state));
    nfa.accepting().for_each(|state| builder.accepting(state));
    let replaced = |(from, letter, to): (StateId, Letter, StateId)| {
        letters[letter.index()].iter().map(move |&letter| (from, letter, to))
    };
    let mut edges: Vec<_> = nfa.edges().flat_map(replaced).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_iter().for_each(|(from, letter, to)| builder.edge(from, letter, to));
    builder.build().trimmed()
}

/// An automaton that grows with its pattern.
struct Building<'a> {
    letters: &'a Letters,
    reserved: bool,
    /// The class of each letter.
    classes: Vec<(Letter, Class)>,
    /// The letters of each character of a text: a list has as many steps as all its words have characters.
    texts: BTreeMap<u8, Vec<Letter>>,
    builder: NfaBuilder,
}

impl<'a> Building<'a> {
    fn new(letters: &'a Letters, alphabet: &Alphabet, reserved: bool, texts: Set) -> Self {
        let classes = alphabet.letters().map(|letter| (letter, alphabet.class(letter))).collect();
        let builder = NfaBuilder::new(alphabet.clone());
        let mut building = Self { letters, reserved, classes, texts: BTreeMap::new(), builder };
        building.texts = texts.iter().map(|c| (c, building.letters_of(&letters.class(Set::of([c]))))).collect();
        building
    }

    /// A mere list of texts as a tree. The subset construction would come to the same, with a set of words at each state.
    fn tree(&self, pattern: &Pattern) -> Result<Option<Nfa>, TooManyStates> {
        let Pattern::Choice(parts) = pattern else { return Ok(None) };
        let texts = parts.iter().map(|part| match part {
            Pattern::Text(text) => Some(&text[..]),
            _ => None,
        });
        let Some(mut texts) = texts.collect::<Option<Vec<&[u8]>>>() else { return Ok(None) };
        // Texts that begin alike are neighbours.
        texts.sort_unstable();
        let mut tree = NfaBuilder::new(self.builder.alphabet().clone());
        let root = tree.state();
        tree.initial(root);
        let (mut before, mut path): (&[u8], _) = (&[], vec![root]);
        for text in texts {
            path.truncate(1 + before.iter().zip(text).take_while(|(a, b)| a == b).count());
            for c in &text[path.len() - 1..] {
                if tree.len() == MOST_LISTED {
                    return Err(TooManyStates { limit: MOST_LISTED });
                }
                let (from, to) = (path[path.len() - 1], tree.state());
                self.texts[c].iter().for_each(|&letter| tree.edge(from, letter, to));
                path.push(to);
            }
            tree.accepting(path[path.len() - 1]);
            before = text;
        }
        Ok(Some(tree.build()))
    }

    fn build(mut self, pattern: &Pattern) -> Nfa {
        let start = self.builder.state();
        self.builder.initial(start);
        let end = self.after(pattern, start);
        self.builder.accepting(end);
        self.builder.build().trimmed()
    }

    /// The state after a match of the pattern that begins in `from`. Nothing leads back to `from`.
    fn after(&mut self, pattern: &Pattern, from: StateId) -> StateId {
        match pattern {
            Pattern::Text(text) => text.iter().fold(from, |from, c| {
                let to = self.builder.state();
                self.texts[c].iter().for_each(|&letter| self.builder.edge(from, letter, to));
                to
            }),
            Pattern::Run { cover, without, min, max } => {
                let class = cover.class(self.letters, *without);
                self.repeated(*min, *max, from, &mut |building, from| building.step(&class, from))
            }
            Pattern::Sequence(parts) => parts.iter().fold(from, |from, part| self.after(part, from)),
            Pattern::Choice(parts) => {
                let end = self.builder.state();
                for part in parts {
                    let last = self.after(part, from);
                    self.builder.empty_edge(last, end);
                }
                end
            }
            Pattern::Number { rows, .. } => self.after(rows, from),
            Pattern::List { item, mark, min, max } => self.after(&Pattern::listed(item, mark, *min, *max), from),
            Pattern::Repeat { item, min, max } => {
                self.repeated(*min, *max, from, &mut |building, from| building.after(item, from))
            }
        }
    }

    /// One letter of a class.
    fn step(&mut self, class: &Class, from: StateId) -> StateId {
        let to = self.builder.state();
        self.letters_of(class).into_iter().for_each(|letter| self.builder.edge(from, letter, to));
        to
    }

    fn letters_of(&self, class: &Class) -> Vec<Letter> {
        let tokens = self.letters.tokens.as_ref().filter(|_| self.reserved);
        let is_in =
            |part: &Class| part.is_subset(class) && !tokens.is_some_and(|tokens| tokens.is_keyword(part, class));
        self.classes.iter().filter(|(_, part)| is_in(part)).map(|(letter, _)| *letter).collect()
    }

    fn repeated(
        &mut self,
        min: usize,
        max: Option<usize>,
        from: StateId,
        once: &mut dyn FnMut(&mut Self, StateId) -> StateId,
    ) -> StateId {
        let mut at = from;
        for _ in 0..min {
            at = once(self, at);
        }
        let end = self.builder.state();
        match max {
            Some(max) => {
                for _ in min..max {
                    self.builder.empty_edge(at, end);
                    at = once(self, at);
                }
                self.builder.empty_edge(at, end);
            }
            None => {
                // A state of its own, so that nothing leads back to where others begin.
                self.builder.empty_edge(at, end);
                let last = once(self, end);
                self.builder.empty_edge(last, end);
            }
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use automata::{Examples, Label, Word};
    use proptest::prelude::*;

    use super::super::read::Reading;
    use super::*;
    use crate::sample::Sample;

    proptest! {
        #[test]
        fn the_tree_of_a_list_is_its_language(words in prop::collection::vec("[a-c0]{0,6}", 1..30)) {
            let alphabet = Alphabet::of_chars("abc0");
            let rows = words.iter().map(|word| (alphabet.read(word).unwrap(), Label::Accepted));
            let rows: Vec<(Word, Label)> = rows.chain([(alphabet.read("aaaaaaa").unwrap(), Label::Rejected)]).collect();
            let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
            let strings = Reading::default().strings(&sample).unwrap();
            let texts = strings.accepted.iter().map(|word| Pattern::Text(word.clone()));
            let list = Pattern::Choice(texts.collect());
            // The same with an empty part is no list.
            let other = Pattern::Sequence(vec![list.clone(), Pattern::empty()]);
            let [list, other] = [list, other].map(|pattern| compile(&strings.letters, &pattern, true).unwrap());
            prop_assert_eq!(&list.dfa, &other.dfa);
            for (word, counts) in sample.rows() {
                let word = list.dfa.alphabet().read(&alphabet.write(word)).unwrap();
                prop_assert_eq!(list.dfa.accepts(&word), counts.accepted > 0);
            }
        }
    }

    #[test]
    fn a_list_that_is_too_long_is_refused_before_it_is_compiled() {
        let alphabet = Alphabet::of_chars("ab");
        let rows =
            [("a", Label::Accepted), ("b", Label::Rejected)].map(|(word, label)| (alphabet.read(word).unwrap(), label));
        let sample = Sample::new(&Examples::of(&alphabet, rows), false).unwrap();
        let letters = Reading::default().strings(&sample).unwrap().letters;
        let list = |length| Pattern::Choice(vec![Pattern::Text(vec![0; length])]);
        assert!(compile(&letters, &list(MOST_LISTED - 1), true).is_ok());
        assert!(compile(&letters, &list(MOST_LISTED), true).is_err());
    }
}
