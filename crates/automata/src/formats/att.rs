//! The AT&T text format of OpenFst, foma and HFST: one edge per line, `from to input output`, then the accepting
//! states. The source of the first edge is the initial state. Input and output are the same letter; the reader also
//! accepts lines without output.
//!
//! Letters that the format cannot represent are escaped as in HFST, `@_SPACE_@` and `@_TAB_@`, others by number,
//! `@_U+000A_@`. Letters on no edge are attached to an unreachable state, so that the alphabet is preserved.

use std::collections::BTreeMap;

use super::{FormatError, with_one_initial_state};
use crate::alphabet::{Alphabet, is_obeyed};
use crate::ids::StateId;
use crate::nfa::{Nfa, NfaBuilder};

/// Spellings of ε.
const EMPTY: [&str; 3] = ["@0@", "<eps>", "@_EPSILON_SYMBOL_@"];

/// Reads an automaton. ε-edges are eliminated; weights must be zero, and input and output equal.
pub fn read(text: &str) -> Result<Nfa, FormatError> {
    let mut states: BTreeMap<String, StateId> = BTreeMap::new();
    let mut edges = Vec::new();
    let mut accepting = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let fields = fields(line);
        if let Some(state) = fields.first().filter(|state| state.parse::<u32>().is_err()) {
            return Err(FormatError::at(number, format!("{state:?} is not a state; states are numbers")));
        }
        let mut state = |name: &str| {
            let next = StateId::new(states.len());
            *states.entry(name.to_owned()).or_insert(next)
        };
        match fields[..] {
            [] => {}
            [last] => accepting.push(state(last)),
            [last, weight] => {
                no_weight(weight, number)?;
                accepting.push(state(last));
            }
            [_, to, ..] if to.parse::<u32>().is_err() => {
                return Err(FormatError::at(number, format!("{to:?} is not a state; states are numbers")));
            }
            [from, to, letter] => edges.push((state(from), unescape(letter, number)?, state(to))),
            [from, to, letter, other] => {
                // Four fields may also be an edge of an acceptor with a weight.
                same_output(letter, other, number).or_else(|transducer| {
                    if other.parse::<f64>().is_ok() { no_weight(other, number) } else { Err(transducer) }
                })?;
                edges.push((state(from), unescape(letter, number)?, state(to)));
            }
            [from, to, letter, output, weight] => {
                same_output(letter, output, number)?;
                no_weight(weight, number)?;
                edges.push((state(from), unescape(letter, number)?, state(to)));
            }
            _ => {
                return Err(FormatError::at(number, "a line has at most five fields: from, to, input, output, weight"));
            }
        }
    }
    if states.is_empty() {
        return Err(FormatError::whole("the file is empty; expected an automaton"));
    }
    let alphabet = Alphabet::new(edges.iter().filter_map(|(_, letter, _)| letter.clone()))?;
    let mut builder = NfaBuilder::with_states(alphabet.clone(), states.len());
    builder.initial(StateId::new(0));
    for (from, letter, to) in edges {
        match letter {
            Some(name) => builder.edge(from, alphabet.find(&name).expect("it was collected"), to),
            None => builder.empty_edge(from, to),
        }
    }
    accepting.into_iter().for_each(|state| builder.accepting(state));
    Ok(builder.build())
}

/// Whether every line is an edge or an accepting state, and at least one is an edge.
pub(super) fn looks_like(text: &str) -> bool {
    let mut edges = 0;
    let mut others = 0;
    for line in text.lines() {
        match fields(line)[..] {
            [] => {}
            [state] | [state, _] if state.parse::<u32>().is_ok() => {}
            [from, to, _, ..] if from.parse::<u32>().is_ok() && to.parse::<u32>().is_ok() => edges += 1,
            _ => others += 1,
        }
    }
    edges > 0 && others == 0
}

fn fields(line: &str) -> Vec<&str> {
    let line = line.trim_end_matches(['\r', '\n']);
    if line.contains('\t') { line.split('\t').collect() } else { line.split_whitespace().collect() }
}

fn same_output(input: &str, output: &str, line: usize) -> Result<(), FormatError> {
    if input == output {
        return Ok(());
    }
    Err(FormatError::at(line, format!("transducers are not supported: input {input}, output {output}")))
}

fn no_weight(field: &str, line: usize) -> Result<(), FormatError> {
    match field.parse::<f64>() {
        Ok(0.0) => Ok(()),
        Ok(weight) => Err(FormatError::at(line, format!("weights are not supported: {weight}"))),
        Err(_) => Err(FormatError::at(line, format!("{field:?} is not a weight"))),
    }
}

/// Writes an automaton.
#[must_use]
pub fn write(nfa: &Nfa) -> String {
    let nfa = with_one_initial_state(nfa);
    let mut out = String::new();
    let mut used = vec![false; nfa.alphabet().len()];
    let initial = nfa.initial().next().expect("it has just one");
    // An extra state that is unreachable, or from which nothing is accepted.
    let aside = nfa.len();
    // The initial state must be on the first line, and at least one line must be an edge.
    if nfa.edges_from(initial).is_empty() {
        out.push_str(&edge(initial.index(), aside, EMPTY[0]));
    }
    for state in std::iter::once(initial).chain(nfa.states().filter(|&state| state != initial)) {
        for &(letter, to) in nfa.edges_from(state) {
            used[letter.index()] = true;
            out.push_str(&edge(state.index(), to.index(), &escape(nfa.alphabet().name(letter))));
        }
    }
    for letter in nfa.alphabet().letters().filter(|letter| !used[letter.index()]) {
        out.push_str(&edge(aside, aside, &escape(nfa.alphabet().name(letter))));
    }
    for state in nfa.accepting() {
        out.push_str(&format!("{}\n", state.index()));
    }
    out
}

/// The line of an edge. The letter is both input and output, since foma requires both.
fn edge(from: usize, to: usize, letter: &str) -> String {
    format!("{from}\t{to}\t{letter}\t{letter}\n")
}

fn escape(name: &str) -> String {
    if EMPTY.contains(&name) || name.contains("@_") {
        return name.chars().map(by_number).collect();
    }
    name.chars()
        .map(|c| match c {
            ' ' => "@_SPACE_@".to_owned(),
            '\t' => "@_TAB_@".to_owned(),
            c if c.is_whitespace() || is_obeyed(c) => by_number(c),
            c => c.to_string(),
        })
        .collect()
}

fn by_number(c: char) -> String {
    format!("@_U+{:04X}_@", u32::from(c))
}

/// The letter that a field stands for, or `None` for ε.
fn unescape(field: &str, line: usize) -> Result<Option<String>, FormatError> {
    if EMPTY.contains(&field) {
        return Ok(None);
    }
    if field.is_empty() {
        return Err(FormatError::at(line, "the letter is missing"));
    }
    let mut name = String::new();
    let mut rest = field;
    while let Some(begin) = rest.find("@_") {
        let Some(length) = rest[begin + 2..].find("_@") else { break };
        let inner = &rest[begin + 2..begin + 2 + length];
        let number = inner.strip_prefix("U+").and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let c = match inner {
            "SPACE" => Some(' '),
            "TAB" => Some('\t'),
            _ => number.and_then(char::from_u32),
        };
        name.push_str(&rest[..begin]);
        match c {
            Some(c) => name.push(c),
            None => name.push_str(&rest[begin..begin + length + 4]),
        }
        rest = &rest[begin + length + 4..];
    }
    name.push_str(rest);
    Ok(Some(name))
}
