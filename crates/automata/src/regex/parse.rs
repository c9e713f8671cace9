//! Parses patterns with `regex-syntax`: its syntax tree shows which letters a pattern mentions, and its translation
//! what they mean.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use regex_syntax::ast::{self, Ast, ClassPerlKind, ClassSetItem, Flag, Visitor};
use regex_syntax::hir::{
    self, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look,
    translate::TranslatorBuilder,
};
use regex_syntax::utf8::Utf8Sequences;

use super::{Node, Regex, RegexError};
use crate::alphabet::{Alphabet, Spelling, byte_name, byte_of_name};
use crate::class::Class;
use crate::ids::Letter;

/// Maximum number of letters a pattern may add to the alphabet, not counting classes.
const LETTER_LIMIT: usize = 4_096;
/// Maximum nesting depth of groups and repetitions. What elimination writes has fewer: two levels of its may take three.
const NEST_LIMIT: u32 = 1_024;
/// The first stand-in for a token, in a private-use plane.
const FIRST_STAND_IN: u32 = 0xF_0000;

pub(super) fn parse(pattern: &str, alphabet: &Alphabet, spelling: Spelling) -> Result<Regex, RegexError> {
    match spelling {
        // With too many characters, read classes: the pattern was probably written from an alphabet of classes.
        Spelling::Chars => match parse_letters(pattern, alphabet, spelling) {
            Err(RegexError::TooLarge(_)) => parse_letters(pattern, alphabet, Spelling::Classes),
            outcome => outcome,
        },
        Spelling::Classes | Spelling::Bytes => parse_letters(pattern, alphabet, spelling),
        Spelling::Tokens => parse_tokens(pattern, alphabet),
    }
}

fn parse_letters(pattern: &str, alphabet: &Alphabet, spelling: Spelling) -> Result<Regex, RegexError> {
    let ast = ast::parse::ParserBuilder::new()
        .nest_limit(NEST_LIMIT)
        .build()
        .parse(pattern)
        .map_err(|error| syntax_error(error.span(), error.kind()))?;
    // A flag anywhere makes this a pattern over bytes, so look for it before reading any letter.
    let Ok(flags) = ast::visit(&ast, Flags::default());
    let bytes = spelling == Spelling::Bytes || flags.bytes;
    // Classes cannot be mixed with tokens or bytes.
    let kind = match (alphabet.spelling(), spelling) {
        _ if bytes => Kind::Bytes,
        (Spelling::Classes, _) | (Spelling::Chars, Spelling::Classes) => Kind::Classes,
        _ => Kind::Chars,
    };
    let named = ast::visit(&ast, Mentioned::new(kind, flags.ignores_case))?;
    let hir = TranslatorBuilder::new()
        .unicode(!bytes)
        .utf8(!bytes)
        .build()
        .translate(pattern, &ast)
        .map_err(|error| syntax_error(error.span(), error.kind()))?;
    let known = match named {
        Named::Letters(names) => Alphabet::new(names).expect("no letter mentioned is empty").union(alphabet),
        Named::Characters(characters) => refined(&hir, &characters, alphabet),
    };
    let reader = Reader { alphabet: &known, bytes, vacuous: Cell::new(false) };
    let root = reader.node(&hir, true, true)?;
    let vacuous = reader.vacuous.get();
    Ok(Regex { root, alphabet: known, vacuous })
}

/// The alphabet of classes over the characters of `alphabet` and those named, in which no letter contains two
/// characters that the expression or `alphabet` distinguishes.
fn refined(hir: &Hir, named: &Class, alphabet: &Alphabet) -> Alphabet {
    fn collect(hir: &Hir, sets: &mut Vec<Class>) {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => {
                sets.extend(String::from_utf8_lossy(&literal.0).chars().map(Class::of_char));
            }
            HirKind::Class(hir::Class::Unicode(class)) => {
                sets.push(Class::new(class.iter().map(|range| (range.start(), range.end()))));
            }
            HirKind::Class(hir::Class::Bytes(class)) => {
                let ranges = class.iter().map(|range| (char::from(range.start()), char::from(range.end())));
                sets.push(Class::new(ranges));
            }
            HirKind::Repetition(repetition) => collect(&repetition.sub, sets),
            HirKind::Capture(capture) => collect(&capture.sub, sets),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().for_each(|part| collect(part, sets)),
        }
    }
    let letters = alphabet.letters().map(|letter| alphabet.class(letter));
    let known = alphabet.letters().flat_map(|letter| alphabet.ranges(letter));
    let known = Class::new(named.ranges().chain(known));
    let mut sets = Vec::new();
    collect(hir, &mut sets);
    sets.sort_by_cached_key(|set| set.ranges().collect::<Vec<_>>());
    sets.dedup();
    let sets = sets.iter().map(|set| set.intersection(&known));
    Alphabet::of_classes(&sets.chain(letters).chain([known.clone()]).collect::<Vec<_>>())
}

fn syntax_error(span: &ast::Span, message: &impl std::fmt::Display) -> RegexError {
    RegexError::Syntax { column: span.start.column, message: message.to_string() }
}

/// Replaces each `<token>` and each known token by a private-use character, reads the expression over characters, and
/// renames its letters.
fn parse_tokens(pattern: &str, alphabet: &Alphabet) -> Result<Regex, RegexError> {
    let mut stand_ins = StandIns::new(pattern, alphabet);
    let mut known = Vec::new();
    for name in alphabet.names() {
        known.push(if is_token(name) { stand_ins.of(name)?.to_string() } else { name.clone() });
    }
    let mut replaced = String::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let group_name = ["(?<", "(?P<"].into_iter().find(|open| rest.starts_with(open));
        let taken = match c {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            _ if group_name.is_some() => group_name.map_or(0, str::len),
            '<' => {
                let column = pattern[..pattern.len() - rest.len()].chars().count() + 1;
                let (token, length) = read_token(rest, column)?;
                // <a> is the letter a.
                if is_token(&token) {
                    replaced.push(stand_ins.of(&token)?);
                } else {
                    replaced.push_str(&regex_syntax::escape(&token));
                }
                rest = &rest[length..];
                continue;
            }
            c => c.len_utf8(),
        };
        replaced.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    let known = Alphabet::new(known).expect("no name is empty");
    let over_chars = parse_letters(&replaced, &known, Spelling::Chars)?;
    let names: Vec<String> = over_chars.alphabet.names().iter().map(|name| stand_ins.name_of(name)).collect();
    let alphabet = Alphabet::new(names.iter().cloned()).expect("no token is empty");
    let letters: Vec<_> = names.iter().map(|name| alphabet.find(name).expect("it was just put in")).collect();
    let root = renamed(&over_chars.root, &|letter| letters[letter.index()]);
    Ok(Regex { alphabet, root, vacuous: over_chars.vacuous })
}

fn is_token(name: &str) -> bool {
    name.chars().nth(1).is_some()
}

/// Private-use characters that stand for tokens.
struct StandIns {
    /// Characters that occur in the pattern or the alphabet itself.
    taken: BTreeSet<char>,
    next: u32,
    of_token: BTreeMap<String, char>,
    token_of: BTreeMap<char, String>,
}

impl StandIns {
    fn new(pattern: &str, alphabet: &Alphabet) -> Self {
        let private = |&c: &char| u32::from(c) >= FIRST_STAND_IN;
        let taken =
            pattern.chars().chain(alphabet.names().iter().flat_map(|name| name.chars())).filter(private).collect();
        Self { taken, next: FIRST_STAND_IN, of_token: BTreeMap::new(), token_of: BTreeMap::new() }
    }

    fn of(&mut self, token: &str) -> Result<char, RegexError> {
        if let Some(&known) = self.of_token.get(token) {
            return Ok(known);
        }
        loop {
            let c = char::from_u32(self.next)
                .ok_or_else(|| RegexError::TooLarge("it has too many different tokens".to_owned()))?;
            self.next += 1;
            if !self.taken.contains(&c) {
                self.of_token.insert(token.to_owned(), c);
                self.token_of.insert(c, token.to_owned());
                return Ok(c);
            }
        }
    }

    /// The name of the letter that a letter over characters stands for.
    fn name_of(&self, name: &str) -> String {
        name.chars().next().and_then(|c| self.token_of.get(&c)).map_or_else(|| name.to_owned(), Clone::clone)
    }
}

/// Reads `<token>` from the front of `text`; returns the token without escapes, and its length with them.
fn read_token(text: &str, column: usize) -> Result<(String, usize), RegexError> {
    let wrong = |message: &str| RegexError::Syntax { column, message: message.to_owned() };
    let mut end = 1;
    let mut escaped = false;
    loop {
        let c = text[end..].chars().next().ok_or_else(|| wrong("missing > at the end of a token"))?;
        if c == '>' && !escaped {
            break;
        }
        escaped = c == '\\' && !escaped;
        end += c.len_utf8();
    }
    // The text in brackets is a pattern for one word, so the pattern parser handles the escapes.
    let literal = ast::parse::Parser::new()
        .parse(&text[1..end])
        .ok()
        .and_then(|ast| TranslatorBuilder::new().build().translate(&text[1..end], &ast).ok());
    let name = match literal.as_ref().map(Hir::kind) {
        Some(HirKind::Literal(literal)) => String::from_utf8(literal.0.to_vec()).ok(),
        _ => None,
    };
    let name = name.ok_or_else(|| wrong("a token between < and > must be plain text"))?;
    Ok((name, end + 1))
}

fn renamed(node: &Node, letter: &impl Fn(Letter) -> Letter) -> Node {
    match node {
        Node::Nothing => Node::Nothing,
        Node::Empty => Node::Empty,
        Node::Class(letters) => Node::class(letters.iter().map(|&old| letter(old)).collect()),
        Node::Repeat { node, min, max } => Node::Repeat { node: Box::new(renamed(node, letter)), min: *min, max: *max },
        Node::Concat(parts) => Node::Concat(parts.iter().map(|part| renamed(part, letter)).collect()),
        Node::Alt(parts) => Node::Alt(parts.iter().map(|part| renamed(part, letter)).collect()),
    }
}

/// Whether a flag anywhere turns on bytes, `(?-u)`, or ignores case, `(?i)`.
#[derive(Default)]
struct Flags {
    bytes: bool,
    ignores_case: bool,
}

impl Visitor for Flags {
    type Output = Self;
    type Err = Infallible;

    fn finish(self) -> Result<Self, Infallible> {
        Ok(self)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Infallible> {
        let flags = match ast {
            Ast::Flags(set) => Some(&set.flags),
            Ast::Group(group) => group.flags(),
            _ => None,
        };
        if let Some(flags) = flags {
            self.bytes |= flags.flag_state(Flag::Unicode) == Some(false);
            self.ignores_case |= flags.flag_state(Flag::CaseInsensitive) == Some(true);
        }
        Ok(())
    }
}

/// The kind of letters in a pattern.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Chars,
    Classes,
    Bytes,
}

/// The letters or characters that a pattern names.
enum Named {
    Letters(BTreeSet<String>),
    Characters(Class),
}

/// Collects the letters that a pattern names: its literals, the contents of its brackets, and the ASCII part of `\d`,
/// `\w`, `\s` and `[:alpha:]` unless negated; with `(?i)` in both cases. Larger classes (`.`, `\D`, `\p{…}`) only
/// select from the known letters.
struct Mentioned {
    kind: Kind,
    names: BTreeSet<String>,
    /// Used instead of names if letters are classes.
    ranges: Vec<(char, char)>,
    ignores_case: bool,
    /// The number of open negated brackets.
    negations: usize,
}

impl Mentioned {
    fn new(kind: Kind, ignores_case: bool) -> Self {
        Self { kind, names: BTreeSet::new(), ranges: Vec::new(), ignores_case, negations: 0 }
    }

    fn literal(&mut self, literal: &ast::Literal) -> Result<(), RegexError> {
        // Over bytes, `\xC3` is one byte and é is two.
        match literal.byte() {
            Some(byte) if self.kind == Kind::Bytes => {
                self.names.insert(byte_name(byte));
            }
            _ => self.char(literal.c),
        }
        self.within_limit()
    }

    fn char(&mut self, c: char) {
        match self.kind {
            Kind::Bytes => self.names.extend(c.encode_utf8(&mut [0; 4]).bytes().map(byte_name)),
            Kind::Chars => {
                self.names.insert(c.to_string());
            }
            Kind::Classes => self.ranges.push((c, c)),
        }
    }

    /// Adds the other cases of the named letters.
    fn add_other_cases(&mut self) {
        let mut more = Vec::new();
        for name in self.names.iter().filter(|name| !is_token(name)) {
            name.chars().for_each(|c| add_cases(c, &mut more));
        }
        self.names.extend(more.iter().flat_map(|&(first, last)| first..=last).map(String::from));
        let (named, ascii) = (Class::new(self.ranges.iter().copied()), Class::new([('\0', '\x7f')]));
        named.intersection(&ascii).chars().for_each(|c| add_cases(c, &mut self.ranges));
        add_folded(named.difference(&ascii).ranges(), &mut self.ranges);
    }

    fn within_limit(&self) -> Result<(), RegexError> {
        if self.names.len() > LETTER_LIMIT {
            return Err(RegexError::TooLarge(format!("it names more than {LETTER_LIMIT} letters")));
        }
        Ok(())
    }

    fn range(&mut self, range: &ast::ClassSetRange) -> Result<(), RegexError> {
        let (start, end) = (range.start.c, range.end.c);
        if self.kind == Kind::Classes {
            self.ranges.push((start, end));
            return Ok(());
        }
        if u32::from(end).saturating_sub(u32::from(start)) as usize >= LETTER_LIMIT {
            return Err(RegexError::TooLarge(format!("a range names more than {LETTER_LIMIT} letters")));
        }
        if self.kind == Kind::Bytes
            && let (Some(first), Some(last)) = (range.start.byte(), range.end.byte())
        {
            self.names.extend((first..=last).map(byte_name));
        } else {
            (start..=end).for_each(|c| self.char(c));
        }
        self.within_limit()
    }

    fn ascii(&mut self, matches: impl Fn(&char) -> bool) {
        if self.negations > 0 {
            return;
        }
        ('\0'..='\x7f').filter(matches).for_each(|c| self.char(c));
    }

    fn perl(&mut self, class: &ast::ClassPerl) {
        match (&class.kind, class.negated) {
            (_, true) => {}
            (ClassPerlKind::Digit, _) => self.ascii(char::is_ascii_digit),
            (ClassPerlKind::Word, _) => self.ascii(|c| c.is_ascii_alphanumeric() || *c == '_'),
            // The `regex` crate counts the vertical tab as white space, but users do not expect it.
            (ClassPerlKind::Space, _) => self.ascii(char::is_ascii_whitespace),
        }
    }
}

/// Adds the other cases of a character. For an ASCII letter only ASCII is added: `(?i)k` should not match the kelvin
/// sign.
fn add_cases(c: char, cases: &mut Vec<(char, char)>) {
    if c.is_ascii() {
        cases.extend([c.to_ascii_lowercase(), c.to_ascii_uppercase()].map(|c| (c, c)));
        return;
    }
    add_folded([(c, c)], cases);
}

fn add_folded(ranges: impl IntoIterator<Item = (char, char)>, cases: &mut Vec<(char, char)>) {
    let ranges = ranges.into_iter().map(|(first, last)| ClassUnicodeRange::new(first, last));
    let mut class = ClassUnicode::new(ranges);
    if class.try_case_fold_simple().is_ok() {
        cases.extend(class.ranges().iter().map(|range| (range.start(), range.end())));
    }
}

impl Visitor for Mentioned {
    type Output = Named;
    type Err = RegexError;

    fn finish(mut self) -> Result<Named, RegexError> {
        if self.ignores_case {
            self.add_other_cases();
        }
        Ok(match self.kind {
            Kind::Classes => Named::Characters(Class::new(self.ranges)),
            Kind::Chars | Kind::Bytes => Named::Letters(self.names),
        })
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), RegexError> {
        match ast {
            Ast::Literal(literal) => self.literal(literal),
            Ast::ClassPerl(class) => {
                self.perl(class);
                Ok(())
            }
            Ast::ClassBracketed(class) => {
                self.negations += usize::from(class.negated);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn visit_post(&mut self, ast: &Ast) -> Result<(), RegexError> {
        if let Ast::ClassBracketed(class) = ast {
            self.negations -= usize::from(class.negated);
        }
        Ok(())
    }

    fn visit_class_set_item_post(&mut self, item: &ClassSetItem) -> Result<(), RegexError> {
        if let ClassSetItem::Bracketed(class) = item {
            self.negations -= usize::from(class.negated);
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), RegexError> {
        match item {
            ClassSetItem::Bracketed(class) => {
                self.negations += usize::from(class.negated);
                Ok(())
            }
            ClassSetItem::Literal(literal) => self.literal(literal),
            ClassSetItem::Range(range) => self.range(range),
            ClassSetItem::Perl(class) => {
                self.perl(class);
                Ok(())
            }
            ClassSetItem::Ascii(class) if !class.negated => {
                use ast::ClassAsciiKind as Ascii;
                match class.kind {
                    Ascii::Alnum => self.ascii(char::is_ascii_alphanumeric),
                    Ascii::Alpha => self.ascii(char::is_ascii_alphabetic),
                    Ascii::Ascii => self.ascii(|_| true),
                    Ascii::Blank => self.ascii(|&c| c == ' ' || c == '\t'),
                    Ascii::Cntrl => self.ascii(char::is_ascii_control),
                    Ascii::Digit => self.ascii(char::is_ascii_digit),
                    Ascii::Graph => self.ascii(char::is_ascii_graphic),
                    Ascii::Lower => self.ascii(char::is_ascii_lowercase),
                    Ascii::Print => self.ascii(|&c| c == ' ' || c.is_ascii_graphic()),
                    Ascii::Punct => self.ascii(char::is_ascii_punctuation),
                    Ascii::Space => self.ascii(char::is_ascii_whitespace),
                    Ascii::Upper => self.ascii(char::is_ascii_uppercase),
                    Ascii::Word => self.ascii(|c| c.is_ascii_alphanumeric() || *c == '_'),
                    Ascii::Xdigit => self.ascii(char::is_ascii_hexdigit),
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Turns the translated expression into a [`Node`] over the known letters.
struct Reader<'a> {
    alphabet: &'a Alphabet,
    bytes: bool,
    /// Whether some non-empty class contains none of the known letters.
    vacuous: Cell<bool>,
}

impl Reader<'_> {
    /// `at_start` and `at_end` say whether nothing can precede or follow, so that `^` and `$` hold there.
    fn node(&self, hir: &Hir, at_start: bool, at_end: bool) -> Result<Node, RegexError> {
        match hir.kind() {
            HirKind::Empty => Ok(Node::Empty),
            HirKind::Literal(literal) => {
                // A class with one member is translated to a literal, which may be unknown.
                let letter =
                    |name: &str| self.alphabet.letter_for(name).map_or(Node::Nothing, |c| Node::Class(vec![c]));
                if self.bytes {
                    return Ok(Node::concat(literal.0.iter().map(|&byte| letter(&byte_name(byte)))));
                }
                let text = std::str::from_utf8(&literal.0);
                let text = text.map_err(|_| RegexError::Unsupported("a byte that is not text"))?;
                Ok(Node::concat(text.chars().map(|c| letter(c.encode_utf8(&mut [0; 4])))))
            }
            // Alternatives of one character each are translated to a class of characters, even over bytes.
            HirKind::Class(hir::Class::Unicode(class)) if self.bytes => Ok(self.utf8(class)),
            HirKind::Class(class) => Ok(self.class(class)),
            HirKind::Look(Look::Start) if at_start => Ok(Node::Empty),
            HirKind::Look(Look::End) if at_end => Ok(Node::Empty),
            HirKind::Look(look) => Err(RegexError::Unsupported(match look {
                Look::Start => "^ after the start",
                Look::End => "$ before the end",
                Look::StartLF | Look::EndLF | Look::StartCRLF | Look::EndCRLF => "a line anchor (?m)",
                _ => "a word boundary",
            })),
            HirKind::Repetition(repetition) => {
                let once = repetition.max.is_some_and(|max| max <= 1);
                let inner = self.node(&repetition.sub, at_start && once, at_end && once)?;
                Ok(Node::repeat(inner, repetition.min, repetition.max))
            }
            HirKind::Capture(capture) => self.node(&capture.sub, at_start, at_end),
            HirKind::Concat(parts) => {
                let is_anchor = |hir: &Hir| hir.properties().maximum_len() == Some(0);
                let first = parts.iter().position(|part| !is_anchor(part)).unwrap_or(parts.len());
                let last = parts.iter().rposition(|part| !is_anchor(part)).unwrap_or(0);
                let parts: Result<Vec<Node>, _> = parts
                    .iter()
                    .enumerate()
                    .map(|(i, part)| self.node(part, at_start && i <= first, at_end && i >= last))
                    .collect();
                Ok(Node::concat(parts?))
            }
            HirKind::Alternation(parts) => {
                let parts: Result<Vec<Node>, _> = parts.iter().map(|part| self.node(part, at_start, at_end)).collect();
                Ok(Node::alt(parts?))
            }
        }
    }

    /// The characters of a class as their UTF-8 bytes.
    fn utf8(&self, class: &ClassUnicode) -> Node {
        let sequences = class.iter().flat_map(|range| Utf8Sequences::new(range.start(), range.end()));
        Node::alt(sequences.map(|sequence| {
            Node::concat(sequence.as_slice().iter().map(|range| {
                let bytes = ClassBytes::new([ClassBytesRange::new(range.start, range.end)]);
                self.class(&hir::Class::Bytes(bytes))
            }))
        }))
    }

    fn class(&self, class: &hir::Class) -> Node {
        let has_char = |class: &ClassUnicode, c: char| {
            class.ranges().binary_search_by(|range| order(range.start(), range.end(), c)).is_ok()
        };
        let has_classes = self.alphabet.spelling() == Spelling::Classes;
        let matches = |letter: Letter| match class {
            // The alphabet was built so that a class contains all characters of a letter or none.
            hir::Class::Unicode(class) if has_classes => {
                self.alphabet.ranges(letter).next().is_some_and(|(first, _)| has_char(class, first))
            }
            hir::Class::Unicode(class) => {
                let mut chars = self.alphabet.name(letter).chars();
                chars.next().is_some_and(|c| chars.next().is_none() && has_char(class, c))
            }
            hir::Class::Bytes(class) => byte_of_name(self.alphabet.name(letter)).is_some_and(|byte| {
                class.ranges().binary_search_by(|range| order(range.start(), range.end(), byte)).is_ok()
            }),
        };
        let letters: Vec<_> = self.alphabet.letters().filter(|&letter| matches(letter)).collect();
        if letters.is_empty() && !class.is_empty() {
            self.vacuous.set(true);
        }
        Node::class(letters)
    }
}

/// The order of the range from `start` to `end` relative to `c`.
fn order<T: Ord>(start: T, end: T, c: T) -> std::cmp::Ordering {
    if end < c {
        std::cmp::Ordering::Less
    } else if start > c {
        std::cmp::Ordering::Greater
    } else {
        std::cmp::Ordering::Equal
    }
}
