//! The automaton and the grammar as data for the page's script.

use automata::formats::grammar_text;
use automata::{Body, Class, Direction, Spelling};
use serde_json::{Value, json};

use crate::answer::Learned;

/// Maximum number of transitions or productions.
const MOST: usize = 200_000;

/// The tables; `None` if they are too large.
pub(super) fn json(run: &Learned) -> Option<Value> {
    let (dfa, grammar) = (&run.dfa, &run.grammar);
    let alphabet = dfa.alphabet();
    if dfa.len() * alphabet.len().max(1) > MOST {
        return None;
    }
    let next = dfa.states().map(|state| {
        let row = alphabet.letters().map(|letter| dfa.next(state, letter).map(automata::StateId::index));
        row.collect::<Vec<_>>()
    });
    let live = dfa.live_states();
    let ranges =
        |class: &Class| class.ranges().map(|(low, high)| (u32::from(low), u32::from(high))).collect::<Vec<_>>();
    let classes = (alphabet.spelling() == Spelling::Classes)
        .then(|| alphabet.letters().map(|letter| ranges(&alphabet.class(letter))).collect::<Vec<_>>());
    // A written production may stand for several letters.
    let written = grammar_text::productions(grammar);
    let same_alphabet = grammar.alphabet() == alphabet && grammar.productions().len() <= MOST;
    let text = |head: usize, body: Body| {
        let found = written.iter().find(|(known, _)| {
            known.head.index() == head
                && known.body.nonterminal() == body.nonterminal()
                && (known.body == body || alphabet.spelling() == Spelling::Classes)
                && known.body.letter().is_some() == body.letter().is_some()
        });
        found.map_or(String::new(), |(_, letters)| letters.clone())
    };
    let productions = grammar.productions().iter().map(|production| {
        json!({
            "head": production.head.index(),
            "from": production.body.nonterminal().map(automata::Nonterminal::index),
            "letter": production.body.letter().map(automata::Letter::index),
            "written": text(production.head.index(), production.body),
        })
    });
    Some(json!({
        "spelling": match alphabet.spelling() {
            Spelling::Chars => "chars",
            Spelling::Classes => "classes",
            Spelling::Bytes => "bytes",
            Spelling::Tokens => "tokens",
        },
        "letters": alphabet.names(),
        "classes": classes,
        "initial": dfa.initial().index(),
        "accepting": dfa.accepting().map(automata::StateId::index).collect::<Vec<_>>(),
        "dead": dfa.states().map(automata::StateId::index).filter(|state| !live.contains(*state)).collect::<Vec<_>>(),
        "next": next.collect::<Vec<_>>(),
        "grammar": same_alphabet.then(|| json!({
            "right": grammar.direction() == Direction::Right,
            "start": grammar.start().index(),
            "names": grammar.nonterminals().map(|a| grammar.name(a)).collect::<Vec<_>>(),
            "productions": productions.collect::<Vec<_>>(),
        })),
    }))
}
