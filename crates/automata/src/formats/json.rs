//! Grammars and automata as JSON. The schemas are `docs/grammar.schema.json`, `docs/nfa.schema.json` and
//! `docs/dfa.schema.json`.
//!
//! The layout is fixed, one row, edge or production per line, so that equal values are equal bytes and a difference
//! between two files is a difference between two languages.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{Document, FormatError, grammar_text};
use crate::alphabet::Alphabet;
use crate::dfa::Dfa;
use crate::grammar::{Body, Direction, Grammar, Production};
use crate::ids::{Letter, Nonterminal, StateId};
use crate::nfa::{Nfa, NfaBuilder};

/// Reads any of the three, distinguished by their keys: a grammar has `productions`, an NFA a list as `initial`.
pub fn read(text: &str) -> Result<Document, FormatError> {
    #[derive(Deserialize)]
    struct Keys {
        productions: Option<IgnoredAny>,
        transitions: Option<IgnoredAny>,
        initial: Option<Value>,
    }
    let keys: Keys = parsed(text)?;
    if keys.productions.is_some() {
        Ok(Document::Grammar(grammar_from(text)?))
    } else if keys.transitions.is_none() {
        Err(FormatError::whole(
            "the JSON object has neither `productions` (a grammar) nor `transitions` (an automaton)",
        ))
    } else if keys.initial.is_some_and(|initial| initial.is_array()) {
        Ok(Document::Nfa(nfa_from(text)?))
    } else {
        Ok(Document::Dfa(dfa_from(text)?))
    }
}

/// The message of `serde_json`, preceded by its position.
fn json_error(error: &serde_json::Error) -> FormatError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    match error.line() {
        0 => FormatError::whole(message),
        line => FormatError::at(line, format!("{message} (column {})", error.column())),
    }
}

fn parsed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, FormatError> {
    serde_json::from_str(text).map_err(|error| json_error(&error))
}

/// The alphabet of a file, and the sorted alphabet's letter for each letter of the file.
fn alphabet_of(names: &[String]) -> Result<(Alphabet, Vec<Letter>), FormatError> {
    let alphabet = Alphabet::new(names.iter().cloned())?;
    if alphabet.len() != names.len() {
        return Err(FormatError::whole("the alphabet lists a letter twice"));
    }
    let letters = names.iter().map(|name| alphabet.find(name).expect("it was just put in")).collect();
    Ok((alphabet, letters))
}

fn dfa_from(text: &str) -> Result<Dfa, FormatError> {
    #[derive(Deserialize)]
    struct File {
        alphabet: Vec<String>,
        initial: usize,
        accepting: Vec<usize>,
        transitions: Vec<Vec<Option<usize>>>,
    }
    let file: File = parsed(text)?;
    let (alphabet, letters) = alphabet_of(&file.alphabet)?;
    let rows: Vec<Vec<Option<usize>>> = file
        .transitions
        .into_iter()
        .map(|row| {
            if row.len() != letters.len() {
                return row; // reported below, with its state
            }
            let mut sorted = vec![None; row.len()];
            for (next, letter) in row.into_iter().zip(&letters) {
                sorted[letter.index()] = next;
            }
            sorted
        })
        .collect();
    Dfa::new(alphabet, file.initial, file.accepting, &rows).map_err(|error| FormatError::whole(error.to_string()))
}

fn nfa_from(text: &str) -> Result<Nfa, FormatError> {
    #[derive(Deserialize)]
    struct File {
        alphabet: Vec<String>,
        states: usize,
        initial: Vec<usize>,
        accepting: Vec<usize>,
        transitions: Vec<(usize, String, usize)>,
        names: Option<Vec<String>>,
    }
    let file: File = parsed(text)?;
    let (alphabet, _) = alphabet_of(&file.alphabet)?;
    // Every state costs memory, and states that are never mentioned are useless.
    let mentioned = file.initial.len() + file.accepting.len() + 2 * file.transitions.len();
    if file.states > mentioned.saturating_mul(2).max(1_000_000) {
        return Err(FormatError::whole(format!("the file declares {} states, but uses only {mentioned}", file.states)));
    }
    let state = |number: usize| {
        if number < file.states {
            Ok(StateId::new(number))
        } else {
            let states = file.states;
            Err(FormatError::whole(format!(
                "state {number} is out of range: there are {states} states, numbered from 0"
            )))
        }
    };
    let mut builder = NfaBuilder::with_states(alphabet.clone(), file.states);
    for number in file.initial {
        builder.initial(state(number)?);
    }
    for number in file.accepting {
        builder.accepting(state(number)?);
    }
    for (from, name, to) in file.transitions {
        let letter = alphabet.find(&name).ok_or_else(|| alphabet.unknown(&name))?;
        builder.edge(state(from)?, letter, state(to)?);
    }
    let Some(names) = file.names else { return Ok(builder.build()) };
    if names.len() != file.states {
        return Err(FormatError::whole(format!("there are {} states, but {} names", file.states, names.len())));
    }
    Ok(builder.build().with_names(names))
}

fn grammar_from(text: &str) -> Result<Grammar, FormatError> {
    #[derive(Deserialize)]
    struct File {
        direction: String,
        alphabet: Vec<String>,
        start: String,
        nonterminals: Vec<String>,
        productions: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        head: String,
        nonterminal: Option<String>,
        letter: Option<String>,
    }
    let file: File = parsed(text)?;
    let direction = match file.direction.as_str() {
        "left" => Direction::Left,
        "right" => Direction::Right,
        other => {
            return Err(FormatError::whole(format!("the direction must be \"left\" or \"right\", not \"{other}\"")));
        }
    };
    let (alphabet, _) = alphabet_of(&file.alphabet)?;
    let mut index = BTreeMap::new();
    for (i, name) in file.nonterminals.iter().enumerate() {
        if !grammar_text::can_be_nonterminal(name) {
            return Err(FormatError::whole(format!("{name:?} cannot be the name of a non-terminal")));
        }
        if index.insert(name.as_str(), Nonterminal::new(i)).is_some() {
            return Err(FormatError::whole(format!("the non-terminal {name} is listed twice")));
        }
    }
    let nonterminal = |name: &str| {
        index.get(name).copied().ok_or_else(|| FormatError::whole(format!("{name} is not one of the non-terminals")))
    };
    let mut productions = Vec::new();
    for row in &file.productions {
        let b = row.nonterminal.as_deref().map(nonterminal).transpose()?;
        let c = match &row.letter {
            Some(name) => Some(alphabet.find(name).ok_or_else(|| alphabet.unknown(name))?),
            None => None,
        };
        let body = match (b, c) {
            (None, None) => Body::Empty,
            (Some(b), None) => Body::Unit(b),
            (None, Some(c)) => Body::Letter(c),
            (Some(b), Some(c)) => Body::Step(b, c),
        };
        productions.push(Production { head: nonterminal(&row.head)?, body });
    }
    let start = nonterminal(&file.start)?;
    Ok(Grammar::new(alphabet, direction, file.nonterminals, start, productions))
}

/// `dfa.json`: the automaton as given. If it is minimised first, equal languages give equal bytes.
#[must_use]
pub fn write_dfa(dfa: &Dfa) -> String {
    let rows: Vec<String> = dfa
        .states()
        .map(|state| {
            let row: Vec<Option<usize>> =
                dfa.alphabet().letters().map(|letter| dfa.next(state, letter).map(StateId::index)).collect();
            compact(&row)
        })
        .collect();
    object(&[
        ("alphabet", compact(dfa.alphabet().names())),
        ("initial", compact(&dfa.initial().index())),
        ("accepting", compact(&dfa.accepting().map(StateId::index).collect::<Vec<_>>())),
        ("transitions", lines(&rows)),
    ])
}

/// `nfa.json`: states numbered from 0, edges as `[from, letter, to]`, and the names of the states where they have other
/// names than their numbers.
#[must_use]
pub fn write_nfa(nfa: &Nfa) -> String {
    let edges: Vec<String> = nfa
        .edges()
        .map(|(from, letter, to)| compact(&(from.index(), nfa.alphabet().name(letter), to.index())))
        .collect();
    let mut entries = vec![("alphabet", compact(nfa.alphabet().names())), ("states", compact(&nfa.len()))];
    entries.extend(nfa.names().map(|names| ("names", compact(names))));
    entries.extend([
        ("initial", compact(&nfa.initial().map(StateId::index).collect::<Vec<_>>())),
        ("accepting", compact(&nfa.accepting().map(StateId::index).collect::<Vec<_>>())),
        ("transitions", lines(&edges)),
    ]);
    object(&entries)
}

/// `grammar.json`: each production as `{"head": …, "nonterminal": …, "letter": …}`; the last two are optional.
#[must_use]
pub fn write_grammar(grammar: &Grammar) -> String {
    let names: Vec<&str> = grammar.nonterminals().map(|a| grammar.name(a)).collect();
    let productions: Vec<String> = grammar
        .productions()
        .iter()
        .map(|p| {
            let mut row = format!("{{\"head\": {}", compact(grammar.name(p.head)));
            if let Some(b) = p.body.nonterminal() {
                row.push_str(&format!(", \"nonterminal\": {}", compact(grammar.name(b))));
            }
            if let Some(c) = p.body.letter() {
                row.push_str(&format!(", \"letter\": {}", compact(grammar.alphabet().name(c))));
            }
            row + "}"
        })
        .collect();
    let direction = match grammar.direction() {
        Direction::Left => "left",
        Direction::Right => "right",
    };
    object(&[
        ("direction", compact(direction)),
        ("alphabet", compact(grammar.alphabet().names())),
        ("start", compact(grammar.name(grammar.start()))),
        ("nonterminals", compact(&names)),
        ("productions", lines(&productions)),
    ])
}

/// Written as JSON, which is complete.
impl fmt::Debug for Dfa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write_dfa(self))
    }
}

/// Written as JSON, which is complete.
impl fmt::Debug for Nfa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write_nfa(self))
    }
}

fn compact(value: &(impl serde::Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("strings, numbers and lists can always be written")
}

fn lines(rows: &[String]) -> String {
    if rows.is_empty() { "[]".to_owned() } else { format!("[\n    {}\n  ]", rows.join(",\n    ")) }
}

fn object(entries: &[(&str, String)]) -> String {
    let entries: Vec<String> = entries.iter().map(|(key, value)| format!("  \"{key}\": {value}")).collect();
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}
