//! From expression to automaton by Glushkov's construction: a state for each position (occurrence of a letter), and an
//! initial state. An edge leads to a position, on its letters, from every position that may precede it.

use super::{Node, RegexError};
use crate::alphabet::Alphabet;
use crate::ids::{Letter, StateId};
use crate::nfa::{Nfa, NfaBuilder};

/// Maximum number of positions in an expression, with counted repetitions expanded.
pub(super) const POSITION_LIMIT: usize = 100_000;
/// Maximum number of edges per allowed position.
const EDGES_PER_POSITION: usize = 100;

/// The automaton of `root`, unless it has more than `limit` positions.
pub(super) fn compile(root: &Node, alphabet: &Alphabet, limit: usize) -> Result<Nfa, RegexError> {
    if positions(root) > limit {
        return Err(RegexError::TooLarge(format!("expanded, it has more than {limit} letters")));
    }
    let builder = NfaBuilder::with_states(alphabet.clone(), 1);
    let mut places = Places { letters: vec![&[]], builder, edges_left: limit.saturating_mul(EDGES_PER_POSITION) };
    let whole = places.fragment(root)?;
    let beginning = StateId::new(0);
    places.link(&[beginning], &whole.first)?;
    let mut builder = places.builder;
    builder.initial(beginning);
    if whole.nullable {
        builder.accepting(beginning);
    }
    for place in whole.last {
        builder.accepting(place);
    }
    Ok(builder.build())
}

/// The number of positions with counted repetitions expanded; saturates at `usize::MAX`.
fn positions(node: &Node) -> usize {
    match node {
        Node::Nothing | Node::Empty => 0,
        Node::Class(_) => 1,
        Node::Repeat { node, min, max } => positions(node).saturating_mul(max.unwrap_or(*min).max(1) as usize),
        Node::Concat(parts) | Node::Alt(parts) => parts.iter().map(positions).fold(0, usize::saturating_add),
    }
}

/// A part of the automaton: its first and last positions, and whether it accepts the empty word.
struct Fragment {
    nullable: bool,
    first: Vec<StateId>,
    last: Vec<StateId>,
}

impl Fragment {
    fn empty() -> Self {
        Self { nullable: true, first: Vec::new(), last: Vec::new() }
    }

    fn or_empty(self) -> Self {
        Self { nullable: true, ..self }
    }
}

struct Places<'a> {
    builder: NfaBuilder,
    /// The letters of each position.
    letters: Vec<&'a [Letter]>,
    edges_left: usize,
}

impl<'a> Places<'a> {
    fn fragment(&mut self, node: &'a Node) -> Result<Fragment, RegexError> {
        match node {
            Node::Nothing => Ok(Fragment { nullable: false, ..Fragment::empty() }),
            Node::Empty => Ok(Fragment::empty()),
            Node::Class(letters) => {
                let place = self.builder.state();
                self.letters.push(letters);
                Ok(Fragment { nullable: false, first: vec![place], last: vec![place] })
            }
            Node::Concat(parts) => parts.iter().try_fold(Fragment::empty(), |before, part| {
                let part = self.fragment(part)?;
                self.concat(before, part)
            }),
            Node::Alt(parts) => {
                let mut whole = Fragment { nullable: false, ..Fragment::empty() };
                for part in parts {
                    let part = self.fragment(part)?;
                    whole.nullable |= part.nullable;
                    whole.first.extend(part.first);
                    whole.last.extend(part.last);
                }
                Ok(whole)
            }
            Node::Repeat { node, min, max } => self.repeat(node, *min, *max),
        }
    }

    /// x{2,4} is xx(x(x)?)?, and x{2,} is x followed by an x that may follow itself.
    fn repeat(&mut self, node: &'a Node, min: u32, max: Option<u32>) -> Result<Fragment, RegexError> {
        let mut whole = Fragment::empty();
        let mut copies = min;
        match max {
            Some(max) => {
                for _ in min..max {
                    let copy = self.fragment(node)?;
                    whole = self.concat(copy, whole)?.or_empty();
                }
            }
            None => {
                whole = self.fragment(node)?;
                self.link(&whole.last, &whole.first)?;
                if min == 0 {
                    whole = whole.or_empty();
                }
                copies = min.saturating_sub(1);
            }
        }
        for _ in 0..copies {
            let copy = self.fragment(node)?;
            whole = self.concat(copy, whole)?;
        }
        Ok(whole)
    }

    fn concat(&mut self, mut a: Fragment, mut b: Fragment) -> Result<Fragment, RegexError> {
        self.link(&a.last, &b.first)?;
        if a.nullable {
            a.first.append(&mut b.first);
        }
        if b.nullable {
            b.last.append(&mut a.last);
        }
        Ok(Fragment { nullable: a.nullable && b.nullable, first: a.first, last: b.last })
    }

    fn link(&mut self, sources: &[StateId], targets: &[StateId]) -> Result<(), RegexError> {
        for &target in targets {
            let letters = self.letters[target.index()];
            self.edges_left = sources
                .len()
                .checked_mul(letters.len())
                .and_then(|edges| self.edges_left.checked_sub(edges))
                .ok_or_else(|| RegexError::TooLarge("its automaton has too many edges".to_owned()))?;
            for &source in sources {
                for &letter in letters {
                    self.builder.edge(source, letter, target);
                }
            }
        }
        Ok(())
    }
}
