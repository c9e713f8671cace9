//! Reading patterns, through `regex-syntax`: its syntax tree tells which letters a pattern mentions, its translation
//! what they mean.

use regex_syntax::ast::{self, Ast, ClassPerlKind, ClassSetItem, Flag, Visitor};
use regex_syntax::hir::{Class, Hir, HirKind, Look, translate::TranslatorBuilder};

use super::{Node, Regex, RegexError};
use crate::alphabet::{Alphabet, Spelling, byte_name, byte_of_name};

/// How many letters a pattern may bring into the alphabet.
const LETTER_LIMIT: usize = 4_096;
/// How deeply groups may nest. What is written from an automaton of 500 states may nest as deeply.
const NEST_LIMIT: u32 = 1_024;
/// Where the stand-ins for tokens begin: a plane for private use.
const FIRST_STAND_IN: u32 = 0xF_0000;

pub(super) fn parse(pattern: &str, alphabet: &Alphabet, spelling: Spelling) -> Result<Regex, RegexError> {
    match spelling {
        Spelling::Chars | Spelling::Bytes => parse_letters(pattern, alphabet, spelling),
        Spelling::Tokens => parse_tokens(pattern, alphabet),
    }
}

fn parse_letters(pattern: &str, alphabet: &Alphabet, spelling: Spelling) -> Result<Regex, RegexError> {
    let ast = ast::parse::ParserBuilder::new()
        .nest_limit(NEST_LIMIT)
        .build()
        .parse(pattern)
        .map_err(|error| syntax_error(error.span(), error.kind()))?;
    let mentioned = ast::visit(&ast, Mentioned::new(spelling == Spelling::Bytes))?;
    let bytes = mentioned.bytes;
    let hir = TranslatorBuilder::new()
        .unicode(!bytes)
        .utf8(!bytes)
        .build()
        .translate(pattern, &ast)
        .map_err(|error| syntax_error(error.span(), error.kind()))?;
    let known = Alphabet::new(mentioned.names).expect("no letter mentioned is empty").union(alphabet);
    let reader = Reader { alphabet: &known, bytes };
    let root = reader.node(&hir, true, true)?;
    Ok(Regex { root, alphabet: known })
}

fn syntax_error(span: &ast::Span, message: &impl std::fmt::Display) -> RegexError {
    RegexError::Syntax { column: span.start.column, message: message.to_string() }
}

/// Each `<token>` is replaced by one character for private use, and so are the known tokens; read as characters, the
/// expression has only to be renamed.
fn parse_tokens(pattern: &str, alphabet: &Alphabet) -> Result<Regex, RegexError> {
    let mut tokens: Vec<String> = Vec::new();
    let mut stand_in = |token: &str| -> Result<char, RegexError> {
        let at = tokens.iter().position(|known| known == token).unwrap_or_else(|| {
            tokens.push(token.to_owned());
            tokens.len() - 1
        });
        if at >= LETTER_LIMIT {
            return Err(RegexError::TooLarge(format!("it has more than {LETTER_LIMIT} letters")));
        }
        Ok(char::from_u32(FIRST_STAND_IN + at as u32).expect("the plane has room"))
    };
    let is_token = |name: &str| name.chars().nth(1).is_some();
    let known: Result<Vec<String>, RegexError> = alphabet
        .names()
        .iter()
        .map(|name| if is_token(name) { Ok(stand_in(name)?.to_string()) } else { Ok(name.clone()) })
        .collect();
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
                replaced.push(stand_in(&token)?);
                rest = &rest[length..];
                continue;
            }
            c => c.len_utf8(),
        };
        replaced.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    let known = Alphabet::new(known?).expect("no name is empty");
    let over_chars = parse_letters(&replaced, &known, Spelling::Chars)?;
    let name_of = |name: &String| {
        let number = name.chars().next().map_or(0, u32::from);
        let token = number.checked_sub(FIRST_STAND_IN).and_then(|at| tokens.get(at as usize));
        token.unwrap_or(name).clone()
    };
    let names: Vec<String> = over_chars.alphabet.names().iter().map(name_of).collect();
    let alphabet = Alphabet::new(names.iter().cloned()).expect("no token is empty");
    let letters: Vec<_> = names.iter().map(|name| alphabet.find(name).expect("it was just put in")).collect();
    let root = renamed(&over_chars.root, &|letter| letters[letter.index()]);
    Ok(Regex { alphabet, root })
}

/// Reads `<token>` from the front of `text`: the token without its escapes, and its length with them.
fn read_token(text: &str, column: usize) -> Result<(String, usize), RegexError> {
    let wrong = |message: &str| RegexError::Syntax { column, message: message.to_owned() };
    let mut end = 1;
    let mut escaped = false;
    loop {
        let c = text[end..].chars().next().ok_or_else(|| wrong("a token's name begins with < and does not end"))?;
        if c == '>' && !escaped {
            break;
        }
        escaped = c == '\\' && !escaped;
        end += c.len_utf8();
    }
    // What stands in the brackets is a pattern of one word: its own reader knows the escapes.
    let literal = ast::parse::Parser::new()
        .parse(&text[1..end])
        .ok()
        .and_then(|ast| TranslatorBuilder::new().build().translate(&text[1..end], &ast).ok());
    let name = match literal.as_ref().map(Hir::kind) {
        Some(HirKind::Literal(literal)) => String::from_utf8(literal.0.to_vec()).ok(),
        _ => None,
    };
    let name = name.ok_or_else(|| wrong("a token's name between < and > is plain text"))?;
    Ok((name, end + 1))
}

fn renamed(node: &Node, letter: &impl Fn(crate::Letter) -> crate::Letter) -> Node {
    match node {
        Node::Nothing => Node::Nothing,
        Node::Empty => Node::Empty,
        Node::Class(letters) => Node::class(letters.iter().map(|&old| letter(old)).collect()),
        Node::Repeat { node, min, max } => Node::Repeat { node: Box::new(renamed(node, letter)), min: *min, max: *max },
        Node::Concat(parts) => Node::Concat(parts.iter().map(|part| renamed(part, letter)).collect()),
        Node::Alt(parts) => Node::Alt(parts.iter().map(|part| renamed(part, letter)).collect()),
    }
}

/// Collects the letters that a pattern names: its literals, what its brackets list, and the ASCII part of `\d`, `\w`,
/// `\s` and `[:alpha:]` unless they are negated. Larger classes (`.`, `\D`, `\p{…}`) only choose among the known
/// letters.
struct Mentioned {
    names: Vec<String>,
    bytes: bool,
    ignores_case: bool,
    /// How many negated brackets are open.
    negations: usize,
}

impl Mentioned {
    fn new(bytes: bool) -> Self {
        Self { names: Vec::new(), bytes, ignores_case: false, negations: 0 }
    }

    fn literal(&mut self, literal: &ast::Literal) -> Result<(), RegexError> {
        // `\xC3` is one byte where bytes are read; é is two.
        match literal.byte() {
            Some(byte) if self.bytes => self.names.push(byte_name(byte)),
            _ => self.char(literal.c),
        }
        self.within_limit()
    }

    fn char(&mut self, c: char) {
        if self.bytes {
            self.names.extend(c.encode_utf8(&mut [0; 4]).bytes().map(byte_name));
        } else {
            self.names.push(c.to_string());
        }
    }

    fn within_limit(&self) -> Result<(), RegexError> {
        if self.names.len() > 8 * LETTER_LIMIT {
            return Err(RegexError::TooLarge(format!("it names more than {LETTER_LIMIT} letters")));
        }
        Ok(())
    }

    fn range(&mut self, range: &ast::ClassSetRange) -> Result<(), RegexError> {
        let (start, end) = (range.start.c, range.end.c);
        if u32::from(end).saturating_sub(u32::from(start)) as usize >= LETTER_LIMIT {
            return Err(RegexError::TooLarge(format!("a range names more than {LETTER_LIMIT} letters")));
        }
        if self.bytes
            && let (Some(first), Some(last)) = (range.start.byte(), range.end.byte())
        {
            self.names.extend((first..=last).map(byte_name));
        } else {
            (start..=end).for_each(|c| self.char(c));
        }
        self.within_limit()
    }

    fn flags(&mut self, flags: &ast::Flags) {
        self.ignores_case |= flags.flag_state(Flag::CaseInsensitive) == Some(true);
        if flags.flag_state(Flag::Unicode) == Some(false) {
            self.bytes = true;
        }
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
            // The vertical tab is white space to the `regex` crate, but nobody means it.
            (ClassPerlKind::Space, _) => self.ascii(char::is_ascii_whitespace),
        }
    }
}

impl Visitor for Mentioned {
    type Output = Self;
    type Err = RegexError;

    fn finish(mut self) -> Result<Self, RegexError> {
        if self.ignores_case {
            let other_case = |name: &String| -> Option<[String; 2]> {
                let c = name.chars().next().filter(|_| name.chars().nth(1).is_none())?;
                Some([c.to_lowercase().to_string(), c.to_uppercase().to_string()])
            };
            let more: Vec<String> = self
                .names
                .iter()
                .filter_map(other_case)
                .flatten()
                .filter(|name| name.chars().nth(1).is_none())
                .collect();
            self.names.extend(more);
        }
        Ok(self)
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
            Ast::Flags(set) => {
                self.flags(&set.flags);
                Ok(())
            }
            Ast::Group(group) => {
                if let Some(flags) = group.flags() {
                    self.flags(flags);
                }
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
                use ast::ClassAsciiKind as Kind;
                match class.kind {
                    Kind::Alnum => self.ascii(char::is_ascii_alphanumeric),
                    Kind::Alpha => self.ascii(char::is_ascii_alphabetic),
                    Kind::Ascii => self.ascii(|_| true),
                    Kind::Blank => self.ascii(|&c| c == ' ' || c == '\t'),
                    Kind::Cntrl => self.ascii(char::is_ascii_control),
                    Kind::Digit => self.ascii(char::is_ascii_digit),
                    Kind::Graph => self.ascii(char::is_ascii_graphic),
                    Kind::Lower => self.ascii(char::is_ascii_lowercase),
                    Kind::Print => self.ascii(|&c| c == ' ' || c.is_ascii_graphic()),
                    Kind::Punct => self.ascii(char::is_ascii_punctuation),
                    Kind::Space => self.ascii(char::is_ascii_whitespace),
                    Kind::Upper => self.ascii(char::is_ascii_uppercase),
                    Kind::Word => self.ascii(|c| c.is_ascii_alphanumeric() || *c == '_'),
                    Kind::Xdigit => self.ascii(char::is_ascii_hexdigit),
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Turns the translated expression into ours, over the known letters.
struct Reader<'a> {
    alphabet: &'a Alphabet,
    bytes: bool,
}

impl Reader<'_> {
    /// `at_start` and `at_end` tell whether nothing can come before or after, so that `^` and `$` are true there.
    fn node(&self, hir: &Hir, at_start: bool, at_end: bool) -> Result<Node, RegexError> {
        match hir.kind() {
            HirKind::Empty => Ok(Node::Empty),
            HirKind::Literal(literal) => {
                let letter = |name: &str| self.alphabet.find(name).expect("what is mentioned is known");
                if self.bytes {
                    let letters = literal.0.iter().map(|&byte| Node::Class(vec![letter(&byte_name(byte))]));
                    return Ok(Node::concat(letters));
                }
                let text =
                    std::str::from_utf8(&literal.0).map_err(|_| RegexError::Unsupported("a byte that is no text"))?;
                Ok(Node::concat(text.chars().map(|c| Node::Class(vec![letter(c.encode_utf8(&mut [0; 4]))]))))
            }
            HirKind::Class(class) => Ok(self.class(class)),
            HirKind::Look(Look::Start) if at_start => Ok(Node::Empty),
            HirKind::Look(Look::End) if at_end => Ok(Node::Empty),
            HirKind::Look(look) => Err(RegexError::Unsupported(match look {
                Look::Start => "^ after the beginning",
                Look::End => "$ before the end",
                Look::StartLF | Look::EndLF | Look::StartCRLF | Look::EndCRLF => "an anchor of lines, (?m),",
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

    fn class(&self, class: &Class) -> Node {
        let matches = |name: &str| match class {
            Class::Unicode(class) => {
                let mut chars = name.chars();
                let Some((c, None)) = chars.next().map(|c| (c, chars.next())) else { return false };
                class.ranges().binary_search_by(|range| order(range.start(), range.end(), c)).is_ok()
            }
            Class::Bytes(class) => byte_of_name(name).is_some_and(|byte| {
                class.ranges().binary_search_by(|range| order(range.start(), range.end(), byte)).is_ok()
            }),
        };
        Node::class(self.alphabet.letters().filter(|&letter| matches(self.alphabet.name(letter))).collect())
    }
}

/// Where the range from `start` to `end` stands seen from `c`.
fn order<T: Ord>(start: T, end: T, c: T) -> std::cmp::Ordering {
    if end < c {
        std::cmp::Ordering::Less
    } else if start > c {
        std::cmp::Ordering::Greater
    } else {
        std::cmp::Ordering::Equal
    }
}
