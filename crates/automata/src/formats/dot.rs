//! Automata as Graphviz text.
//!
//! The output can be drawn by Graphviz and loaded by AALpy, and has the form that LearnLib writes: one edge per letter,
//! accepting states as `doublecircle`, and an arrow from a node `__start0` that is not a state. The reader accepts any
//! `digraph` in which the initial state is marked by a node named `__start…`, or by a node without incoming edges that
//! is drawn as a point or not at all.

use std::collections::{BTreeMap, BTreeSet};

use super::FormatError;
use crate::alphabet::Alphabet;
use crate::ids::{Letter, StateId};
use crate::nfa::{Nfa, NfaBuilder};

/// Reads an automaton. An edge with an empty label is an ε-edge.
pub fn read(text: &str) -> Result<Nfa, FormatError> {
    let mut parser = Parser { lexer: Lexer { rest: text, line: 1 }, ahead: None, graph: Graph::default() };
    parser.digraph()?;
    parser.graph.automaton()
}

/// Writes an automaton. Letters on no edge are kept in the graph attribute `alphabet`. States are labelled with their names;
/// if all names are numbers, nodes are numbered by them.
#[must_use]
pub fn write(nfa: &Nfa) -> String {
    let is_number = |name: &String| name.bytes().all(|byte| byte.is_ascii_digit());
    let names: Vec<String> = nfa.states().map(|state| nfa.name(state)).collect();
    let are_numbers = names.iter().all(is_number) && names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let node = |state: StateId| match are_numbers {
        true => format!("s{}", names[state.index()]),
        false => format!("s{}", state.index()),
    };
    let mut out = String::from("digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n");
    let alphabet = nfa.alphabet();
    let used: BTreeSet<Letter> = nfa.edges().map(|(_, letter, _)| letter).collect();
    if used.len() < alphabet.len() {
        let names: Vec<String> = alphabet.names().iter().map(|name| quoted(name)).collect();
        out.push_str(&format!("  alphabet={};\n", quoted(&names.join(" "))));
    }
    for state in nfa.states() {
        let shape = if nfa.is_accepting(state) { ", shape=doublecircle" } else { "" };
        out.push_str(&format!("  {} [label={}{shape}];\n", node(state), quoted(&names[state.index()])));
    }
    for (i, state) in nfa.initial().enumerate() {
        out.push_str(&format!("  __start{i} [label=\"\", shape=none];\n  __start{i} -> {};\n", node(state)));
    }
    if nfa.initial().next().is_none() {
        out.push_str("  __start0 [label=\"\", shape=none];\n");
    }
    for (from, letter, to) in nfa.edges() {
        let label = quoted(alphabet.name(letter));
        out.push_str(&format!("  {} -> {} [label={label}];\n", node(from), node(to)));
    }
    out + "}\n"
}

/// A quoted string for Graphviz: quotes are escaped, and backslashes, which Graphviz would interpret.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out + "\""
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A name, number or quoted string.
    Id(String),
    /// One of `{ } [ ] ; , = :`.
    Sign(char),
    Arrow,
    Line,
    End,
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl Lexer<'_> {
    fn take(&mut self, bytes: usize) {
        self.line += self.rest[..bytes].matches('\n').count();
        self.rest = &self.rest[bytes..];
    }

    fn skip_blank(&mut self) -> Result<(), FormatError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.take(blank);
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let end =
                    self.rest.find("*/").ok_or_else(|| FormatError::at(self.line, "missing end of the comment"))?;
                self.take(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Token, FormatError> {
        self.skip_blank()?;
        let Some(c) = self.rest.chars().next() else { return Ok(Token::End) };
        let (token, length) = match c {
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => (Token::Sign(c), 1),
            '-' if self.rest.starts_with("->") => (Token::Arrow, 2),
            '-' if self.rest.starts_with("--") => (Token::Line, 2),
            '"' => self.string()?,
            '<' => return Err(FormatError::at(self.line, "HTML labels are not supported")),
            _ => {
                let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '-' || !c.is_ascii();
                let end = self
                    .rest
                    .char_indices()
                    .find(|&(at, c)| !in_name(c) || self.rest[at..].starts_with("->"))
                    .map_or(self.rest.len(), |(at, _)| at);
                if end == 0 {
                    return Err(FormatError::at(self.line, format!("unexpected {c:?}")));
                }
                (Token::Id(self.rest[..end].to_owned()), end)
            }
        };
        self.take(length);
        Ok(token)
    }

    fn string(&self) -> Result<(Token, usize), FormatError> {
        let mut value = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => return Ok((Token::Id(value), at + 1)),
                '\\' => match chars.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, c @ ('"' | '\\'))) => value.push(c),
                    Some((_, '\n')) => {} // a string may continue on the next line
                    Some((_, c)) => value.extend(['\\', c]),
                    None => break,
                },
                c => value.push(c),
            }
        }
        Err(FormatError::at(self.line, "missing closing quote"))
    }
}

/// Maximum nesting depth of braces.
const SCOPE_LIMIT: usize = 256;

type Attributes = BTreeMap<String, String>;

/// Nodes and edges in order of appearance.
#[derive(Default)]
struct Graph {
    nodes: Vec<(String, Attributes)>,
    index: BTreeMap<String, usize>,
    edges: Vec<(usize, usize, Attributes, usize)>,
    attributes: Attributes,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    ahead: Option<Token>,
    graph: Graph,
}

/// `node [shape=doublecircle]` and `edge […]` apply to everything that follows in the same braces.
#[derive(Clone, Default)]
struct Defaults {
    node: Attributes,
    edge: Attributes,
}

impl Parser<'_> {
    fn next(&mut self) -> Result<Token, FormatError> {
        match self.ahead.take() {
            Some(token) => Ok(token),
            None => self.lexer.next(),
        }
    }

    fn peek(&mut self) -> Result<&Token, FormatError> {
        if self.ahead.is_none() {
            self.ahead = Some(self.lexer.next()?);
        }
        Ok(self.ahead.as_ref().expect("it was just read"))
    }

    /// Takes the next token if it is this one.
    fn eat(&mut self, token: &Token) -> Result<bool, FormatError> {
        let matches = self.peek()? == token;
        if matches {
            self.ahead = None;
        }
        Ok(matches)
    }

    fn error(&self, message: impl Into<String>) -> FormatError {
        FormatError::at(self.lexer.line, message)
    }

    fn digraph(&mut self) -> Result<(), FormatError> {
        let keyword = |token: &Token, word: &str| matches!(token, Token::Id(name) if name.eq_ignore_ascii_case(word));
        let mut token = self.next()?;
        if keyword(&token, "strict") {
            token = self.next()?;
        }
        if keyword(&token, "graph") {
            return Err(self.error("an automaton is a directed graph: `digraph`, not `graph`"));
        }
        if !keyword(&token, "digraph") {
            return Err(self.error("expected `digraph`"));
        }
        if matches!(self.peek()?, Token::Id(_)) {
            self.next()?;
        }
        if !self.eat(&Token::Sign('{'))? {
            return Err(self.error("expected `{` after `digraph`"));
        }
        // Nested braces group nodes; defaults set inside end with them.
        let mut scopes = vec![Defaults::default()];
        loop {
            match self.next()? {
                Token::Sign('}') => {
                    scopes.pop();
                    if scopes.is_empty() {
                        return Ok(());
                    }
                }
                Token::Sign('{') if scopes.len() == SCOPE_LIMIT => return Err(self.error("braces nest too deeply")),
                Token::Sign('{') => scopes.push(scopes[scopes.len() - 1].clone()),
                Token::Sign(';') => {}
                Token::Id(name) => {
                    let defaults = scopes.last_mut().expect("the outermost braces are open");
                    self.statement(name, defaults)?;
                }
                Token::End => return Err(self.error("missing `}` at the end of the graph")),
                Token::Line => return Err(self.error("an automaton has directed edges: `->`, not `--`")),
                _ => return Err(self.error("expected a node, an edge or `}`")),
            }
        }
    }

    fn statement(&mut self, name: String, defaults: &mut Defaults) -> Result<(), FormatError> {
        match name.to_ascii_lowercase().as_str() {
            "subgraph" => {
                if matches!(self.peek()?, Token::Id(_)) {
                    self.next()?;
                }
                return Ok(()); // its braces follow
            }
            "node" => return self.attributes(&mut defaults.node),
            "edge" => return self.attributes(&mut defaults.edge),
            "graph" => {
                let mut attributes = std::mem::take(&mut self.graph.attributes);
                let outcome = self.attributes(&mut attributes);
                self.graph.attributes = attributes;
                return outcome;
            }
            _ => {}
        }
        if self.eat(&Token::Sign('='))? {
            let value = self.id()?;
            self.graph.attributes.insert(name, value);
            return Ok(());
        }
        let line = self.lexer.line;
        let mut path = vec![self.node(name, defaults)?];
        while self.eat(&Token::Arrow)? {
            let name = self.id()?;
            path.push(self.node(name, defaults)?);
        }
        if path.len() == 1 {
            let mut attributes = std::mem::take(&mut self.graph.nodes[path[0]].1);
            let outcome = self.attributes(&mut attributes);
            self.graph.nodes[path[0]].1 = attributes;
            return outcome;
        }
        let mut attributes = defaults.edge.clone();
        self.attributes(&mut attributes)?;
        for pair in path.windows(2) {
            self.graph.edges.push((pair[0], pair[1], attributes.clone(), line));
        }
        Ok(())
    }

    /// The number of the node with this name; `:port` is read and ignored.
    fn node(&mut self, name: String, defaults: &Defaults) -> Result<usize, FormatError> {
        while self.eat(&Token::Sign(':'))? {
            self.id()?;
        }
        let graph = &mut self.graph;
        Ok(*graph.index.entry(name).or_insert_with_key(|name| {
            graph.nodes.push((name.clone(), defaults.node.clone()));
            graph.nodes.len() - 1
        }))
    }

    fn id(&mut self) -> Result<String, FormatError> {
        match self.next()? {
            Token::Id(name) => Ok(name),
            _ => Err(self.error("expected a name")),
        }
    }

    /// Any number of `[key=value, …]`.
    fn attributes(&mut self, into: &mut Attributes) -> Result<(), FormatError> {
        while self.eat(&Token::Sign('['))? {
            while !self.eat(&Token::Sign(']'))? {
                let key = self.id()?;
                let value = if self.eat(&Token::Sign('='))? { self.id()? } else { "true".to_owned() };
                into.insert(key, value);
                let _ = self.eat(&Token::Sign(','))? || self.eat(&Token::Sign(';'))?;
            }
        }
        Ok(())
    }
}

impl Graph {
    fn automaton(self) -> Result<Nfa, FormatError> {
        let mut entered = vec![false; self.nodes.len()];
        for &(from, to, ..) in &self.edges {
            entered[to] |= from != to;
        }
        let is_marker = |node: usize| {
            let (name, attributes) = &self.nodes[node];
            let has = |key: &str, values: &[&str]| attributes.get(key).is_some_and(|v| values.contains(&v.as_str()));
            let unseen =
                has("shape", &["none", "point", "plaintext", "plain"]) || has("style", &["invis", "invisible"]);
            name.starts_with("__start") || (unseen && !entered[node])
        };
        let mut state = vec![None; self.nodes.len()];
        let mut states = 0;
        for node in (0..self.nodes.len()).filter(|&node| !is_marker(node)) {
            state[node] = Some(StateId::new(states));
            states += 1;
        }
        let alphabet = self.alphabet(|node| state[node].is_some())?;
        let mut builder = NfaBuilder::with_states(alphabet.clone(), states);
        for (from, to, attributes, line) in &self.edges {
            let to = state[*to].ok_or_else(|| FormatError::at(*line, "an edge leads to the start mark"))?;
            match (state[*from], attributes.get("label")) {
                (None, _) => builder.initial(to),
                (Some(_), None) => return Err(FormatError::at(*line, "the edge has no label")),
                (Some(from), Some(label)) if label.is_empty() => builder.empty_edge(from, to),
                (Some(from), Some(label)) => {
                    builder.edge(from, alphabet.find(label).expect("it was collected"), to);
                }
            }
        }
        if states == self.nodes.len() && states > 0 {
            return Err(FormatError::whole(
                "no initial state; mark it with an arrow from a node `__start0 [shape=none]`",
            ));
        }
        for (node, (_, attributes)) in self.nodes.iter().enumerate() {
            let has = |key: &str, value: &str| attributes.get(key).is_some_and(|found| found == value);
            if let Some(state) = state[node].filter(|_| has("shape", "doublecircle") || has("peripheries", "2")) {
                builder.accepting(state);
            }
        }
        Ok(builder.build())
    }

    fn alphabet(&self, is_state: impl Fn(usize) -> bool) -> Result<Alphabet, FormatError> {
        let mut names: Vec<String> = self
            .edges
            .iter()
            .filter(|&&(from, ..)| is_state(from))
            .filter_map(|(_, _, attributes, _)| attributes.get("label").filter(|label| !label.is_empty()).cloned())
            .collect();
        if let Some(listed) = self.attributes.get("alphabet") {
            let mut lexer = Lexer { rest: listed, line: 1 };
            loop {
                match lexer.next() {
                    Ok(Token::Id(name)) => names.push(name),
                    Ok(Token::End) => break,
                    _ => return Err(FormatError::whole("the attribute `alphabet` must be a list of quoted letters")),
                }
            }
        }
        Ok(Alphabet::new(names)?)
    }
}
