//! Productions as text, one per line.
//!
//! ```text
//! S -> A2
//! A1 -> a
//! A1 -> A1 b
//! A2 -> A1 c
//! ```
//!
//! - The arrow is `->`, `→` or `::=`; `A -> a | A b` is two productions; the empty word is `ε` or `""`.
//! - A symbol that appears before an arrow is a non-terminal. Any other single character is a letter, and so is a class
//!   of characters: `A1 -> A1 [0-9]`. Where classes overlap, the letters are their atoms, and a production over a class
//!   stands for one production per atom; these are written as one. Other letters of more than one character, and
//!   letters that would be read as something else, are quoted: `A1 -> A1 "log in"`.
//! - The start symbol is `S` if there is one, otherwise the first head.
//! - A line that begins with `#` is a comment. Directives state what the productions do not imply and are
//!   written only where needed: `%start A`, `%right`, `%alphabet a b "c d"`, `%nonterminals A7`.

use std::collections::{BTreeMap, BTreeSet};

use super::FormatError;
use crate::alphabet::{Alphabet, Spelling, is_obeyed, quote, unquote};
use crate::class::Class;
use crate::grammar::{Body, Direction, Grammar, Production};
use crate::ids::{Letter, Nonterminal};

/// Reads a grammar.
pub fn read(text: &str) -> Result<Grammar, FormatError> {
    let mut reader = Reader::default();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let tokens = tokens(line, i + 1)?;
        match tokens.first() {
            Some(Token::Plain(word)) if word.starts_with('%') && word.len() > 1 => {
                reader.directive(word, &tokens[1..], i + 1)?;
            }
            _ => reader.productions(&tokens, i + 1)?,
        }
    }
    reader.grammar()
}

/// Whether the first line that is not blank or a comment is a production or a directive.
pub(super) fn looks_like(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        let is_name =
            |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        let is_directive = line.split_whitespace().next().is_some_and(|word| DIRECTIVES.contains(&word));
        let head = ARROWS.into_iter().find_map(|arrow| line.split_once(arrow)).map(|(head, _)| head.trim_end());
        is_directive || head.is_some_and(is_name)
    })
}

const ARROWS: [&str; 3] = ["->", "→", "::="];
const DIRECTIVES: [&str; 5] = ["%start", "%left", "%right", "%alphabet", "%nonterminals"];

/// Whether a non-terminal may have this name: it must not be read as something else at the start of a line.
#[must_use]
pub fn can_be_nonterminal(name: &str) -> bool {
    let reserved =
        ["ε", "|"].contains(&name) || name.starts_with(['#', '%']) || ARROWS.iter().any(|arrow| name.contains(arrow));
    !name.is_empty() && !reserved && !name.contains(|c: char| c.is_whitespace() || is_obeyed(c) || c == '"')
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Arrow,
    Bar,
    Quoted(String),
    Plain(String),
}

fn tokens(line: &str, number: usize) -> Result<Vec<Token>, FormatError> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(c) = rest.chars().next() {
        let taken = if c == '"' {
            let (name, length) = unquote(rest)
                .ok_or_else(|| FormatError::at(number, format!("missing closing quote of the letter {rest}")))?;
            tokens.push(Token::Quoted(name));
            length
        } else {
            let word = rest.split(char::is_whitespace).next().unwrap_or(rest);
            // `S->a` is as common as `S -> a`.
            let arrow = ARROWS.into_iter().find_map(|arrow| Some((word.find(arrow)?, arrow.len())));
            let word = match arrow {
                Some((0, length)) => &word[..length],
                Some((before, _)) => &word[..before],
                None => word,
            };
            tokens.push(match word {
                word if ARROWS.contains(&word) => Token::Arrow,
                "|" => Token::Bar,
                word => Token::Plain(word.to_owned()),
            });
            word.len()
        };
        rest = rest[taken..].trim_start();
    }
    Ok(tokens)
}

/// The two symbols of a body, before letters and non-terminals are distinguished.
struct RawProduction {
    line: usize,
    head: Nonterminal,
    body: Vec<Token>,
}

#[derive(Default)]
struct Reader {
    names: Vec<String>,
    index: BTreeMap<String, Nonterminal>,
    letters: Vec<String>,
    start: Option<(String, usize)>,
    direction: Option<Direction>,
    raw: Vec<RawProduction>,
}

impl Reader {
    fn nonterminal(&mut self, name: &str) -> Nonterminal {
        if let Some(&known) = self.index.get(name) {
            return known;
        }
        let new = Nonterminal::new(self.names.len());
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), new);
        new
    }

    fn directive(&mut self, word: &str, arguments: &[Token], line: usize) -> Result<(), FormatError> {
        let names = || -> Result<Vec<&String>, FormatError> {
            arguments
                .iter()
                .map(|token| match token {
                    Token::Plain(name) | Token::Quoted(name) if !name.is_empty() => Ok(name),
                    _ => Err(FormatError::at(line, format!("{word} needs names"))),
                })
                .collect()
        };
        match (word, names()?.as_slice()) {
            ("%start", [name]) => self.start = Some(((*name).clone(), line)),
            ("%left", []) => self.direction = Some(Direction::Left),
            ("%right", []) => self.direction = Some(Direction::Right),
            ("%alphabet", letters) => self.letters.extend(letters.iter().map(|name| (*name).clone())),
            ("%nonterminals", names) if names.iter().all(|name| can_be_nonterminal(name)) => {
                for name in names {
                    self.nonterminal(name);
                }
            }
            _ => {
                let known = DIRECTIVES.join(", ");
                return Err(FormatError::at(
                    line,
                    format!("{word} is not a directive or is used wrongly; the directives are {known}"),
                ));
            }
        }
        Ok(())
    }

    fn productions(&mut self, tokens: &[Token], line: usize) -> Result<(), FormatError> {
        let [Token::Plain(head), Token::Arrow, bodies @ ..] = tokens else {
            return Err(FormatError::at(line, "not a production; write `A1 -> A2 b`, `A1 -> b` or `A1 -> ε`"));
        };
        if !can_be_nonterminal(head) {
            return Err(FormatError::at(line, format!("{head} cannot be the name of a non-terminal")));
        }
        let head = self.nonterminal(head);
        for body in bodies.split(|token| *token == Token::Bar) {
            if body.is_empty() {
                return Err(FormatError::at(line, "nothing after the arrow or bar; write ε for the empty word"));
            }
            if body.len() > 2 || body.contains(&Token::Arrow) {
                return Err(FormatError::at(
                    line,
                    "a production of a regular grammar has at most a non-terminal and a letter on its right-hand side",
                ));
            }
            self.raw.push(RawProduction { line, head, body: body.to_vec() });
        }
        Ok(())
    }

    fn grammar(mut self) -> Result<Grammar, FormatError> {
        let start = match &self.start {
            Some((name, line)) => self
                .index
                .get(name)
                .copied()
                .ok_or_else(|| FormatError::at(*line, format!("the start symbol {name} has no production")))?,
            None => {
                let named = self.index.get("S").copied();
                named
                    .or(self.raw.first().map(|p| p.head))
                    .or((!self.names.is_empty()).then(|| Nonterminal::new(0)))
                    .ok_or_else(|| FormatError::whole("the grammar has no production"))?
            }
        };
        let mut bodies = Vec::new();
        for RawProduction { line, head, body } in &self.raw {
            bodies.push((*line, *head, self.body(body, *line)?));
        }
        for (_, _, (_, letter)) in &bodies {
            self.letters.extend(letter.clone());
        }
        let alphabet = alphabet_of(self.letters)?;
        let mut productions = Vec::new();
        for (line, head, (nonterminal, letter)) in bodies {
            let nonterminal = match nonterminal {
                Some((_, direction)) if letter.is_some() && *self.direction.get_or_insert(direction) != direction => {
                    return Err(FormatError::at(
                        line,
                        "left-regular (`A -> B c`) and right-regular (`A -> c B`) productions do not mix",
                    ));
                }
                nonterminal => nonterminal.map(|(nonterminal, _)| nonterminal),
            };
            match letter {
                None => productions.push(Production { head, body: nonterminal.map_or(Body::Empty, Body::Unit) }),
                Some(name) => productions.extend(
                    letters_of(&alphabet, &name)
                        .into_iter()
                        .map(|c| Production { head, body: nonterminal.map_or(Body::Letter(c), |b| Body::Step(b, c)) }),
                ),
            }
        }
        let direction = self.direction.unwrap_or(Direction::Left);
        Ok(Grammar::new(alphabet, direction, self.names, start, productions))
    }

    /// The non-terminal of a body with the direction implied by its position, and the letter.
    #[expect(clippy::type_complexity, reason = "used once, two lines below its meaning")]
    fn body(
        &self,
        body: &[Token],
        line: usize,
    ) -> Result<(Option<(Nonterminal, Direction)>, Option<String>), FormatError> {
        enum Symbol {
            Nonterminal(Nonterminal),
            Letter(String),
            Empty,
        }
        let symbol = |token: &Token| match token {
            Token::Quoted(name) if name.is_empty() => Ok(Symbol::Empty),
            Token::Quoted(name) => Ok(Symbol::Letter(name.clone())),
            Token::Plain(name) => match self.index.get(name) {
                Some(&nonterminal) => Ok(Symbol::Nonterminal(nonterminal)),
                None if name == "ε" => Ok(Symbol::Empty),
                None if Class::of_name(name).is_some() => Ok(Symbol::Letter(name.clone())),
                None => Err(FormatError::at(
                    line,
                    format!(
                        "{name} is neither a non-terminal, since no production rewrites it, nor a letter: symbols are \
                         separated by spaces, `A b`, and a letter of several characters is quoted, {}",
                        quote(name)
                    ),
                )),
            },
            Token::Arrow | Token::Bar => unreachable!("bodies are split at bars and have no arrows"),
        };
        match (symbol(&body[0])?, body.get(1).map(symbol).transpose()?) {
            (Symbol::Empty, None) => Ok((None, None)),
            (Symbol::Letter(c), None) => Ok((None, Some(c))),
            (Symbol::Nonterminal(b), None) => Ok((Some((b, Direction::Left)), None)),
            (Symbol::Nonterminal(b), Some(Symbol::Letter(c))) => Ok((Some((b, Direction::Left)), Some(c))),
            (Symbol::Letter(c), Some(Symbol::Nonterminal(b))) => Ok((Some((b, Direction::Right)), Some(c))),
            _ => Err(FormatError::at(line, "two symbols on the right-hand side must be a non-terminal and a letter")),
        }
    }
}

/// The alphabet of these letters; if all are characters and classes and some overlap, the alphabet of their atoms.
fn alphabet_of(letters: Vec<String>) -> Result<Alphabet, FormatError> {
    let classes: Option<Vec<Class>> = letters.iter().map(|name| Class::of_name(name)).collect();
    let has_classes = letters.iter().any(|name| name.chars().nth(1).is_some());
    match classes {
        Some(classes) if has_classes => Ok(Alphabet::of_classes(&classes)),
        _ => Alphabet::new(letters).map_err(FormatError::from),
    }
}

/// The letters that a name in the text denotes.
fn letters_of(alphabet: &Alphabet, name: &str) -> Vec<Letter> {
    let within = || {
        let class = Class::of_name(name).expect("an alphabet without the name is of atoms");
        alphabet.letters().filter(|&letter| alphabet.class(letter).is_subset(&class)).collect()
    };
    alphabet.find(name).map_or_else(within, |letter| vec![letter])
}

/// The productions as written: those over several classes between the same non-terminals are merged into one.
#[must_use]
pub fn productions(grammar: &Grammar) -> Vec<(Production, String)> {
    let alphabet = grammar.alphabet();
    let mut written: Vec<(Production, String)> = Vec::new();
    if alphabet.spelling() != Spelling::Classes {
        let name = |p: &Production| p.body.letter().map_or_else(String::new, |c| alphabet.name(c).to_owned());
        return grammar.productions().iter().map(|p| (*p, name(p))).collect();
    }
    let mut classes: BTreeMap<(Nonterminal, Option<Nonterminal>), (usize, Class)> = BTreeMap::new();
    for &production in grammar.productions() {
        let Some(letter) = production.body.letter() else {
            written.push((production, String::new()));
            continue;
        };
        let class = alphabet.class(letter);
        let between = (production.head, production.body.nonterminal());
        let (at, class) = match classes.get(&between) {
            Some((at, known)) => (*at, known.union(&class)),
            None => {
                written.push((production, String::new()));
                (written.len() - 1, class)
            }
        };
        written[at].1 = class.name();
        classes.insert(between, (at, class));
    }
    written
}

/// Writes a grammar.
#[must_use]
pub fn write(grammar: &Grammar) -> String {
    let alphabet = grammar.alphabet();
    let spelled = Spelled::new(grammar);
    let mut out = String::new();

    let productions = grammar.productions();
    let name = |a| grammar.name(a);
    let heads: BTreeSet<&str> = productions.iter().map(|p| name(p.head)).collect();
    let implied_start = if heads.contains("S") { Some("S") } else { productions.first().map(|p| name(p.head)) };
    let unsaid: Vec<&str> = grammar.nonterminals().map(name).filter(|name| !heads.contains(name)).collect();
    if implied_start != Some(name(grammar.start())) || unsaid.contains(&"S") {
        out.push_str(&format!("%start {}\n", name(grammar.start())));
    }
    if grammar.direction() == Direction::Right && !productions.iter().any(|p| matches!(p.body, Body::Step(..))) {
        out.push_str("%right\n");
    }
    if !unsaid.is_empty() {
        out.push_str(&format!("%nonterminals {}\n", unsaid.join(" ")));
    }
    let written = self::productions(grammar);
    let used: Vec<String> = written.iter().map(|(_, name)| name).filter(|name| !name.is_empty()).cloned().collect();
    if !alphabet_of(used).is_ok_and(|used| used == *alphabet) {
        let letters: Vec<String> = alphabet.names().iter().map(|name| spelled.letter(name)).collect();
        out.push_str(&format!("%alphabet {}\n", letters.join(" ")));
    }
    for (production, class) in written {
        out.push_str(&format!("{}\n", spelled.production(production, &class)));
    }
    out
}

/// A line of a grammar's text, and the productions it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The production as written, `A1 -> A2 c`.
    pub text: String,
    /// Sorted: one production, or one for each class of characters that the line merges.
    pub productions: Vec<Production>,
}

/// Each production as [`write()`] writes it.
#[must_use]
pub fn lines(grammar: &Grammar) -> Vec<Line> {
    let spelled = Spelled::new(grammar);
    let are_merged = grammar.alphabet().spelling() == Spelling::Classes;
    let line = |(first, class): (Production, String)| {
        let is_meant = |p: &&Production| {
            **p == first
                || (are_merged && p.body.letter().is_some() && p.body.nonterminal() == first.body.nonterminal())
        };
        let productions = match first.body.letter() {
            None => vec![first],
            Some(_) => grammar.productions_of(first.head).iter().filter(is_meant).copied().collect(),
        };
        Line { text: spelled.production(first, &class), productions }
    };
    productions(grammar).into_iter().map(line).collect()
}

/// How a grammar writes letters: letters that would be read as something else are quoted.
struct Spelled<'a> {
    grammar: &'a Grammar,
    names: BTreeSet<&'a str>,
}

impl<'a> Spelled<'a> {
    fn new(grammar: &'a Grammar) -> Self {
        Self { grammar, names: grammar.nonterminals().map(|a| grammar.name(a)).collect() }
    }

    fn letter(&self, name: &str) -> String {
        if self.is_plain(name) { name.to_owned() } else { quote(name) }
    }

    fn is_plain(&self, name: &str) -> bool {
        let mut chars = name.chars();
        let single = matches!((chars.next(), chars.next()), (Some(_), None));
        let shows = !name.contains(|c: char| c.is_whitespace() || is_obeyed(c));
        let reserved = ["ε", "|", "\"", "#", "%"].contains(&name) || ARROWS.iter().any(|arrow| name.contains(arrow));
        let is_character = single || self.grammar.alphabet().spelling() == Spelling::Classes;
        is_character && shows && !self.names.contains(name) && !reserved
    }

    /// The text of a production whose letter has this name.
    fn production(&self, Production { head, body }: Production, letter: &str) -> String {
        let name = |a| self.grammar.name(a);
        let body = match (body, self.grammar.direction()) {
            (Body::Empty, _) => "ε".to_owned(),
            (Body::Unit(b), _) => name(b).to_owned(),
            (Body::Letter(_), _) => self.letter(letter),
            (Body::Step(b, _), Direction::Left) => format!("{} {}", name(b), self.letter(letter)),
            (Body::Step(b, _), Direction::Right) => format!("{} {}", self.letter(letter), name(b)),
        };
        format!("{} -> {body}", name(head))
    }
}
