//! Facts as plain English.

use num_bigint::BigUint;

use super::{Description, Fact, Factor, Formula, Gap, Literal, Pattern};
use crate::alphabet::{Alphabet, Spelling, quote};
use crate::class::Class;
use crate::ids::Letter;

/// Maximum number of letters listed one by one in a fact.
const MOST_NAMED: usize = 3;
/// The same for the list of the alphabet.
const MOST_IN_ALPHABET: usize = 6;
/// How many are named if there are more tokens or bytes.
const SHOWN: usize = 8;

/// Exceptions that are named, if there are many.
const MOST_EXCEPTIONS: usize = 4;

/// Written as an adjective before the other facts.
const NOT_EMPTY: Fact = Fact::Length { least: 1, most: None };

/// How a fact is expressed.
enum Phrase {
    /// The verb in the singular, the verb in the plural, and the rest of the predicate.
    Does(&'static str, &'static str, String),
    /// Something that words do not have.
    Lacks(String),
    /// A complete sentence.
    Whole(String),
}

pub(super) fn sentence(description: &Description) -> String {
    let writer = Writer { alphabet: description.alphabet() };
    let (mut does, mut lacks, mut factors) = (Vec::new(), Vec::new(), Vec::new());
    let mut over: Vec<Letter> = description.alphabet().letters().collect();
    for fact in &description.facts {
        if let Fact::Never(letters) = fact
            && !is_worth_telling(letters, description.alphabet())
        {
            over.retain(|letter| letters.binary_search(letter).is_err());
            continue;
        }
        match writer.phrase(fact) {
            _ if *fact == NOT_EMPTY => {}
            Phrase::Does(_, verb, rest) => does.push((verb, rest)),
            Phrase::Lacks(what) if matches!(fact, Fact::Without(_)) => factors.push(what),
            Phrase::Lacks(what) => lacks.push(what),
            Phrase::Whole(sentence) => return sentence,
        }
    }
    // Missing factors are listed together: no 00 or 11.
    lacks.extend(Some(listed(&factors, ", ", " or ")).filter(|_| !factors.is_empty()));
    let some = match (description.but_empty_word, description.complete) {
        (false, true) => "All",
        (true, true) => "The empty word and all",
        (false, false) => "Some of the",
        (true, false) => "The empty word and some of the",
    };
    let words = if description.facts.contains(&NOT_EMPTY) { "non-empty words" } else { "words" };
    let subject = format!("{some} {words} over {}", writer.all_of(&over));
    let mut text = writer.sentence_about(&subject, &does, &lacks) + ".";
    if let Some(words) = &description.words {
        let are = if *words == BigUint::from(1_u32) { "is" } else { "are" };
        text.push_str(&format!(" There {are} {words} of them."));
    }
    text
}

pub(super) fn sentences(description: &Description) -> Vec<String> {
    let writer = Writer { alphabet: description.alphabet() };
    let every = if description.but_empty_word { "Every word but the empty one" } else { "Every word" };
    let of_fact = |fact: &Fact| match writer.phrase(fact) {
        Phrase::Does(verb, _, rest) => format!("{every} {verb} {rest}."),
        Phrase::Lacks(what) => format!("No word has {what}."),
        Phrase::Whole(sentence) => sentence,
    };
    description.facts.iter().map(of_fact).collect()
}

/// A formula as a sentence about all words over the letters.
pub(super) fn formula(formula: &Formula, alphabet: &Alphabet, empty_word: bool) -> String {
    let writer = Writer { alphabet };
    let all: Vec<Letter> = alphabet.letters().collect();
    let subject = match (formula.accepts_empty_word(), empty_word) {
        (false, true) => "The empty word and all words",
        (true, false) => "All non-empty words",
        _ => "All words",
    };
    let subject = format!("{subject} over {}", writer.all_of(&all));
    let is_simple = match &formula.clauses[..] {
        [] if formula.every => return format!("{subject}."),
        [] => return if empty_word { "Only the empty word.".to_owned() } else { "No word at all.".to_owned() },
        [clause] => !formula.every || clause.len() == 1,
        clauses => formula.every && clauses.iter().all(|clause| clause.len() == 1),
    };
    if is_simple {
        let (mut does, mut lacks) = (Vec::new(), Vec::new());
        for literal in formula.clauses.iter().flatten() {
            match writer.literal(literal) {
                Phrase::Does(_, verb, rest) => does.push((verb, rest)),
                Phrase::Lacks(what) | Phrase::Whole(what) => lacks.push(what),
            }
        }
        return writer.sentence_about(&subject, &does, &lacks) + ".";
    }
    let predicate = |literal: &Literal| match writer.literal(literal) {
        Phrase::Does(_, verb, rest) => format!("{verb} {rest}"),
        Phrase::Lacks(what) | Phrase::Whole(what) => format!("have no {what}"),
    };
    let (inner, outer) = if formula.every { (" or ", " and ") } else { (" and ", " or ") };
    let clause = |clause: &Vec<Literal>| {
        let parts: Vec<String> = clause.iter().map(predicate).collect();
        let text = listed(&parts, ", ", inner);
        if parts.len() > 1 && formula.clauses.len() > 1 { format!("({text})") } else { text }
    };
    let clauses: Vec<String> = formula.clauses.iter().map(clause).collect();
    format!("{subject} that {}.", listed(&clauses, ", ", outer))
}

/// Some words about which a formula is wrong: a few by name, and how many there are.
pub(super) fn exceptions(words: &[Vec<Letter>], alphabet: &Alphabet) -> String {
    let shown = if words.len() <= MOST_EXCEPTIONS + 1 { words.len() } else { MOST_EXCEPTIONS };
    let name = |word: &Vec<Letter>| {
        let writer = Writer { alphabet };
        writer.factor(&word.iter().map(|&letter| vec![letter]).collect())
    };
    let mut names: Vec<String> = words[..shown].iter().map(name).collect();
    if shown == words.len() {
        return listed(&names, ", ", " and ");
    }
    names.push(format!("{} others", words.len() - shown));
    format!("{} words: {}", words.len(), listed(&names, ", ", " and "))
}

/// If few letters never occur, they are listed; if many, the letters that do occur are listed instead.
fn is_worth_telling(never: &[Letter], alphabet: &Alphabet) -> bool {
    never.len() <= MOST_NAMED && 2 * never.len() <= alphabet.len()
}

/// A list with commas and a conjunction before the last item.
fn listed(items: &[String], comma: &str, last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., end] => format!("{}{last}{end}", most.join(comma)),
    }
}

/// The predicates in a row; a repeated verb is written once.
fn predicates(does: &[(&str, String)]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut has_list = false;
    for run in does.chunk_by(|a, b| a.0 == b.0) {
        let rests: Vec<String> = run.iter().map(|(_, rest)| rest.clone()).collect();
        parts.push(format!("{} {}", run[0].0, listed(&rests, ", ", " and ")));
        has_list |= run.len() > 1;
    }
    listed(&parts, ", ", if has_list { ", and " } else { " and " })
}

/// `the first letter`, `the last five letters`.
fn letters_at(end: &str, count: usize) -> String {
    if count == 1 { format!("the {end} letter") } else { format!("the {end} {} letters", number(count)) }
}

fn number(n: usize) -> String {
    const SMALL: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    SMALL.get(n).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

/// `at least two`, `exactly one`, `two to four`.
fn bounds(least: usize, most: Option<usize>) -> String {
    match most {
        None => format!("at least {}", number(least)),
        Some(most) if most == least => format!("exactly {}", number(least)),
        Some(most) if least == 0 => format!("at most {}", number(most)),
        Some(most) => format!("{} to {}", number(least), number(most)),
    }
}

/// Writes facts over one alphabet.
struct Writer<'a> {
    alphabet: &'a Alphabet,
}

impl Writer<'_> {
    /// What words do, then what they lack.
    fn sentence_about(&self, subject: &str, does: &[(&str, String)], lacks: &[String]) -> String {
        let mut text = subject.to_owned();
        if !does.is_empty() {
            text.push_str(" that ");
            text.push_str(&predicates(does));
        }
        if !lacks.is_empty() {
            text.push_str(if does.is_empty() { " with no " } else { ", with no " });
            text.push_str(&listed(lacks, ", no ", " and no "));
        }
        text
    }

    /// A fact or its opposite.
    fn literal(&self, literal: &Literal) -> Phrase {
        if literal.holds {
            return self.phrase(&literal.fact);
        }
        match &literal.fact {
            Fact::Has(pattern) => self.without(pattern),
            Fact::CountModulo { letters, modulus: 2, remainder } => {
                let (letters, remainder) = (letters.clone(), 1 - remainder);
                self.phrase(&Fact::CountModulo { letters, modulus: 2, remainder })
            }
            Fact::LengthModulo { modulus: 2, remainder } => {
                self.phrase(&Fact::LengthModulo { modulus: 2, remainder: 1 - remainder })
            }
            Fact::Length { least: 0, most: Some(most) } => self.phrase(&Fact::Length { least: most + 1, most: None }),
            Fact::Length { least, most: None } if *least > 0 => {
                self.phrase(&Fact::Length { least: 0, most: Some(least - 1) })
            }
            fact => match self.phrase(fact) {
                Phrase::Does(_, _, rest) => Phrase::Does("does not have", "do not have", rest),
                Phrase::Lacks(what) => Phrase::Does("has", "have", what),
                whole => whole,
            },
        }
    }

    /// That words do not have a pattern.
    fn without(&self, pattern: &Pattern) -> Phrase {
        let text = self.pattern(pattern);
        match (pattern.anchors(), pattern.least()) {
            ((false, false), 1) => Phrase::Lacks(text),
            ((false, false), least) => Phrase::Does("has", "have", format!("at most {} {text}", number(least - 1))),
            ((true, false), _) => Phrase::Does("does not begin", "do not begin", format!("with {text}")),
            ((false, true), _) => Phrase::Does("does not end", "do not end", format!("in {text}")),
            ((true, true), _) => Phrase::Does("is not", "are not", text),
        }
    }

    /// That words have a pattern.
    fn having(&self, pattern: &Pattern) -> Phrase {
        let text = self.pattern(pattern);
        match (pattern.anchors(), pattern.least()) {
            ((false, false), 1) => Phrase::Does("contains", "contain", text),
            ((false, false), least) => Phrase::Does("has", "have", format!("at least {} {text}", number(least))),
            ((true, false), _) => Phrase::Does("begins", "begin", format!("with {text}")),
            ((false, true), _) => Phrase::Does("ends", "end", format!("in {text}")),
            ((true, true), _) => Phrase::Does("is", "are", text),
        }
    }

    /// The letters of a pattern as they are written, without its anchors and its number.
    fn pattern(&self, pattern: &Pattern) -> String {
        let letters = pattern.letters();
        let (start, end) = pattern.anchors();
        let (first, last) = (&pattern.gaps()[0], &pattern.gaps()[letters.len()]);
        let ends = [first].into_iter().filter(|_| start).chain([last].into_iter().filter(|_| end));
        let mut gaps = pattern.inner_gaps().iter().chain(ends);
        // All gaps alike, on a tier: written as a factor of the letters that are read.
        if let Some(Gap::Without(tier)) = gaps.next()
            && gaps.all(|gap| matches!(gap, Gap::Without(other) if other == tier))
        {
            return format!("{} (reading only {})", self.factor(&letters.to_vec()), self.all_of(tier));
        }
        let mut text = match first {
            Gap::Without(none) => format!("(no {}) ", self.one_of(none)),
            Gap::Adjacent | Gap::Free => String::new(),
        };
        let mut begin = 0;
        for (i, gap) in pattern.inner_gaps().iter().enumerate() {
            let between = match gap {
                Gap::Adjacent => continue,
                Gap::Free => " … ".to_owned(),
                Gap::Without(none) => format!(" … (no {}) … ", self.one_of(none)),
            };
            text.push_str(&self.factor(&letters[begin..=i].to_vec()));
            text.push_str(&between);
            begin = i + 1;
        }
        text.push_str(&self.factor(&letters[begin..].to_vec()));
        if let Gap::Without(none) = last {
            text.push_str(&format!(" (no {})", self.one_of(none)));
        }
        if begin > 0 {
            text.push_str(" in this order");
        }
        text
    }

    fn phrase(&self, fact: &Fact) -> Phrase {
        let has = |rest: String| Phrase::Does("has", "have", rest);
        match fact {
            Fact::Nothing => Phrase::Whole("No word at all.".to_owned()),
            Fact::OnlyEmptyWord => Phrase::Whole("Only the empty word.".to_owned()),
            Fact::Everything => {
                let all: Vec<Letter> = self.alphabet.letters().collect();
                Phrase::Whole(format!("All words over {}.", self.all_of(&all)))
            }
            Fact::Words(words) => {
                let word =
                    |word: &Factor| if word.is_empty() { "the empty word".to_owned() } else { self.factor(word) };
                let words: Vec<String> = words.iter().map(word).collect();
                Phrase::Whole(format!("Only {}.", listed(&words, ", ", " and ")))
            }
            Fact::Never(letters) => Phrase::Lacks(self.one_of(letters)),
            Fact::Begins(factor) => Phrase::Does("begins", "begin", format!("with {}", self.factor(factor))),
            Fact::Ends(factor) => Phrase::Does("ends", "end", format!("in {}", self.factor(factor))),
            Fact::Contains(factor) => Phrase::Does("contains", "contain", self.factor(factor)),
            Fact::Without(factor) => Phrase::Lacks(self.factor(factor)),
            Fact::NeverInOrder(factor) => {
                let letters: Vec<String> = factor.iter().map(|letters| self.one_of(letters)).collect();
                Phrase::Lacks(format!("{} in this order", letters.join(" … ")))
            }
            Fact::Has(pattern) => self.having(pattern),
            Fact::NotAfter { first, later } => {
                Phrase::Lacks(format!("{} after the first {}", self.one_of(later), self.one_of(first)))
            }
            Fact::Between { first, last, letters } => {
                let (before, after) = (letters_at("first", *first), letters_at("last", *last));
                let letters = self.one_of(letters);
                has(match (first, last) {
                    (0, _) => format!("only {letters} before {after}"),
                    (_, 0) => format!("only {letters} after {before}"),
                    _ => format!("only {letters} between {before} and {after}"),
                })
            }
            Fact::OnlyFirst(letters) => Phrase::Lacks(format!("{} after the first letter", self.one_of(letters))),
            Fact::OnlyLast(letters) => Phrase::Lacks(format!("{} before the last letter", self.one_of(letters))),
            Fact::Count { letters, least: 1, most: None } => Phrase::Does("contains", "contain", self.one_of(letters)),
            Fact::Count { letters, least, most } => has(format!("{} {}", bounds(*least, *most), self.one_of(letters))),
            Fact::CountModulo { letters, modulus, remainder } => {
                let what = self.one_of(letters);
                has(match (modulus, remainder) {
                    (2, 0) => format!("an even number of {what}"),
                    (2, _) => format!("an odd number of {what}"),
                    (_, 0) => format!("a number of {what} divisible by {}", number(*modulus)),
                    _ => format!("a number of {what} that is {remainder} modulo {modulus}"),
                })
            }
            Fact::RunModulo { letters, modulus } => {
                let what = self.one_of(letters);
                has(match modulus {
                    2 => format!("only even runs of {what}"),
                    _ => format!("only runs of {what} of a length divisible by {}", number(*modulus)),
                })
            }
            Fact::DifferenceModulo { letters, others, modulus, remainder } => {
                let (more, others) = (self.one_of(letters), self.one_of(others));
                has(match remainder {
                    0 => format!("as many {more} as {others} modulo {modulus}"),
                    _ => format!("{} more {more} than {others} modulo {modulus}", number(*remainder)),
                })
            }
            Fact::Length { least: 1, most: None } => Phrase::Does("is", "are", "not empty".to_owned()),
            Fact::Length { least, most } => {
                let letters = if most.unwrap_or(*least) == 1 { "letter" } else { "letters" };
                has(format!("{} {letters}", bounds(*least, *most)))
            }
            Fact::LengthModulo { modulus, remainder } => has(match (modulus, remainder) {
                (2, 0) => "even length".to_owned(),
                (2, _) => "odd length".to_owned(),
                (_, 0) => format!("a length divisible by {}", number(*modulus)),
                _ => format!("length {remainder} modulo {modulus}"),
            }),
        }
    }

    /// The name of a letter, quoted if it would be hard to see in a sentence.
    fn letter(&self, letter: Letter) -> String {
        let name = self.alphabet.name(letter);
        let is_lost = |c: char| c.is_whitespace() || c.is_control() || ",;.:\"'…".contains(c);
        if name.chars().all(is_lost) || name.contains(char::is_whitespace) { quote(name) } else { name.to_owned() }
    }

    /// The letters as a class, if they are characters or classes.
    fn class(&self, letters: &[Letter]) -> Option<String> {
        let of_characters = matches!(self.alphabet.spelling(), Spelling::Chars | Spelling::Classes);
        let ranges = letters.iter().flat_map(|&letter| self.alphabet.ranges(letter));
        of_characters.then(|| Class::new(ranges).pattern())
    }

    /// The names if there are at most `most`, otherwise a class, or the first names and the number of others.
    fn names(&self, letters: &[Letter], most: usize, last: &str) -> String {
        let class = if letters.len() <= most { None } else { self.class(letters) };
        class.unwrap_or_else(|| {
            let shown = if letters.len() <= SHOWN + 1 { letters.len() } else { SHOWN };
            let mut names: Vec<String> = letters[..shown].iter().map(|&letter| self.letter(letter)).collect();
            if shown < letters.len() {
                names.push(format!("{} others", letters.len() - shown));
            }
            listed(&names, ", ", last)
        })
    }

    /// `a, b or c`.
    fn one_of(&self, letters: &[Letter]) -> String {
        self.names(letters, MOST_NAMED, " or ")
    }

    /// `a, b, c`.
    fn all_of(&self, letters: &[Letter]) -> String {
        if letters.is_empty() { "no letters".to_owned() } else { self.names(letters, MOST_IN_ALPHABET, ", ") }
    }

    /// A factor as it is written; sets as classes, or in parentheses if letters are separated.
    fn factor(&self, factor: &Factor) -> String {
        if let [letters] = &factor[..] {
            return self.one_of(letters);
        }
        let classes = self.alphabet.spelling() == Spelling::Classes;
        if !classes && factor.iter().all(|letters| letters.len() == 1) {
            let word: Vec<Letter> = factor.iter().map(|letters| letters[0]).collect();
            let text = self.alphabet.write(&word);
            let is_lost = text.ends_with([',', ';', '.', ':']) || text.contains('"');
            let breaks = self.alphabet.spelling() != Spelling::Tokens && text.contains(char::is_whitespace);
            return if is_lost || breaks { quote(&text) } else { self.alphabet.show(&word) };
        }
        let together = matches!(self.alphabet.spelling(), Spelling::Chars | Spelling::Classes);
        let parts = factor.chunk_by(|a, b| a == b).map(|run| {
            let letters = &run[0];
            let text = match self.class(letters) {
                Some(class) => class,
                None if letters.len() == 1 => self.letter(letters[0]),
                None => format!("({})", self.one_of(letters)),
            };
            let (numbered, repeated) = (format!("{text}{{{}}}", run.len()), text.repeat(run.len()));
            match together {
                true if numbered.len() < repeated.len() && text.starts_with('[') => numbered,
                true => repeated,
                false => vec![text; run.len()].join(" "),
            }
        });
        parts.collect::<Vec<String>>().join(if together { "" } else { " " })
    }
}
