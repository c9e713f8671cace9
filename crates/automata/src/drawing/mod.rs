//! Automata as pictures; parse trees, and matrices as words query them.
//!
//! [`svg`] draws an automaton from left to right, much as `dot` does with `rankdir=LR`. The way is that of Sugiyama,
//! Tagawa and Toda: give each state a column so that most arrows point right, order each column so that few arrows
//! cross, then find heights that keep arrows straight. One file to a step:
//!
//! ```text
//!   Nfa ──graph (label, name)──► states and arrows ──layers──► ranks ──chains──► columns of vertices
//!                                                                                        │
//!   SVG text ◄──render── curves ◄──route── heights ◄──place── columns in order ◄──order──┘
//! ```
//!
//! What keeps the pictures legible is that a label is laid out like a state. There is a column of labels between any
//! two columns of states, and an arrow passes through it as a vertex of its text's size. So labels cannot meet each
//! other or a state, and since arrows turn only *between* columns, they do not run through labels or states either.
//!
//! Arrows that are on no cycle always point to the right. The layout is our own because no available crate lays out
//! labels this way.
//!
//! The picture is text, self-contained, and the same bytes for the same automaton on every machine: nothing is computed
//! with more than `+ − × ÷ √`, and coordinates are printed to a tenth.
//!
//! ```
//! use automata::{Alphabet, Dfa, drawing};
//!
//! let even = Dfa::new(Alphabet::of_chars("a"), 0, [0], &[vec![Some(1)], vec![Some(0)]])?;
//! let picture = drawing::dfa_svg(&even, &drawing::Options::default())?;
//! assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chains;
mod flow;
mod graph;
mod label;
mod layers;
mod matrices;
mod name;
mod order;
mod place;
mod render;
mod route;
#[cfg(test)]
mod tests;
mod trees;

use crate::dfa::Dfa;
use crate::nfa::Nfa;

pub use self::matrices::{Query, TooManyEntries, matrices_svg};
pub use self::render::escaped;
pub use self::trees::{Node, TooManyLetters, trees_svg};

use self::graph::Graph;
use self::route::Layout;

/// Maximum number of states: larger pictures cannot be read.
const MOST_STATES: usize = 500;
/// Maximum number of arrows.
const MOST_ARROWS: usize = 1500;
/// Maximum number of vertices: with more, the layout would take over a second; some small automata have very long
/// arrows.
const MOST_VERTICES: usize = 40_000;

/// What to draw, and its title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to show the states that no accepted word visits. The others keep their numbers either way.
    pub dead_states: bool,
    /// The title, for screen readers; by default, it says the size.
    pub title: Option<String>,
}

/// An automaton has too many states or arrows for a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{size} are too many to draw; the limits are {MOST_STATES} states and {MOST_ARROWS} arrows")]
pub struct TooLarge {
    size: String,
}

/// The automaton as an SVG document.
///
/// Arrows between the same two states are drawn as one; accepting states have a double circle; an arrow from nowhere
/// leads to each initial state.
pub fn svg(nfa: &Nfa, options: &Options) -> Result<String, TooLarge> {
    let shown = graph::shown(nfa, options.dead_states);
    let states = shown.count_ones(..);
    let title = |default: String| options.title.clone().unwrap_or(default);
    if states == 0 {
        return Ok(render::notice("∅ (no words)", &title("An automaton that accepts no word".to_owned())));
    }
    let arrows = graph::arrow_count(nfa, &shown);
    let size = format!("{}, {}", count(states, "state"), count(arrows, "arrow"));
    let title = title(format!("An automaton with {size}"));
    if states <= MOST_STATES && arrows <= MOST_ARROWS {
        let graph = Graph::new(nfa, &shown);
        if let Some(layout) = layout(&graph) {
            return Ok(render::picture(&graph, &layout, &title));
        }
    }
    Err(TooLarge { size })
}

/// The automaton as an SVG document, like [`svg`].
pub fn dfa_svg(dfa: &Dfa, options: &Options) -> Result<String, TooLarge> {
    svg(&Nfa::from(dfa), options)
}

/// Where everything goes, unless that would take too long to find.
fn layout(graph: &Graph) -> Option<Layout> {
    let ranks = layers::ranks(graph);
    if chains::vertex_count(graph, &ranks) > MOST_VERTICES {
        return None;
    }
    let mut columns = chains::columns(graph, &ranks);
    order::order(&mut columns);
    let heights = place::heights(&columns);
    Some(route::route(graph, columns, heights))
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
