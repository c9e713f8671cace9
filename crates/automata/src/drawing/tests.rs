//! What must hold for every picture: it is well-formed, always the same, and nothing lies on top of anything else.

use proptest::prelude::*;

use super::chains::RADIUS;
use super::graph::{self, Graph};
use super::route::{Block, Curve, Layout, Point};
use super::{Options, dfa_svg, layout, svg};
use crate::alphabet::Alphabet;
use crate::dfa::Dfa;
use crate::ids::{Letter, StateId};
use crate::nfa::{Nfa, NfaBuilder};

const ALPHABETS: [&[&str]; 4] = [
    &["a", "b"],
    &["a", "b", "c", "d"],
    &["login", "logout", "read file", "a<&\">b"],
    &["語", "\n", " ", "\u{7}", "'"],
];

fn build(letters: &[&str], states: usize, initial: &[usize], accepting: &[usize], edges: &[[usize; 3]]) -> Nfa {
    let alphabet = Alphabet::new(letters.iter().copied()).unwrap();
    let size = alphabet.len();
    let mut builder = NfaBuilder::with_states(alphabet, states);
    let state = |i: usize| StateId::new(i % states);
    if states > 0 {
        initial.iter().for_each(|&i| builder.initial(state(i)));
        accepting.iter().for_each(|&i| builder.accepting(state(i)));
        edges.iter().for_each(|&[from, letter, to]| builder.edge(state(from), Letter::new(letter % size), state(to)));
    }
    builder.build()
}

/// Automata of up to 30 states, of every density up to four edges a state.
fn automata() -> impl Strategy<Value = Nfa> {
    let states = prop::collection::vec(0..30_usize, 1..4);
    (0..ALPHABETS.len(), 1..=30_usize, states.clone(), states, 0..=4_usize).prop_flat_map(
        |(alphabet, size, initial, accepting, density)| {
            let edges = prop::collection::vec([0..size, 0..8_usize, 0..size], 0..=size * density);
            edges.prop_map(move |edges| build(ALPHABETS[alphabet], size, &initial, &accepting, &edges))
        },
    )
}

fn drawn(nfa: &Nfa) -> (Graph, Layout) {
    let graph = Graph::new(nfa, &graph::shown(nfa, true));
    let layout = layout(&graph).expect("it is small");
    (graph, layout)
}

/// How far a block is from a point.
fn distance(block: &Block, point: Point) -> f64 {
    let dx = (block.left - point.x).max(point.x - block.right).max(0.0);
    let dy = (block.top - point.y).max(point.y - block.bottom).max(0.0);
    (dx * dx + dy * dy).sqrt()
}

fn between(a: Point, b: Point) -> f64 {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).sqrt()
}

/// Points along a curve.
fn samples(curve: &Curve) -> Vec<Point> {
    let mut samples = Vec::new();
    for start in (0..curve.points.len() - 1).step_by(3) {
        let [p, q, r, s] = [0, 1, 2, 3].map(|i| curve.points[start + i]);
        for step in 0..=16 {
            let t = f64::from(step) / 16.0;
            let u = 1.0 - t;
            let mix = |p: f64, q: f64, r: f64, s: f64| {
                u * u * u * p + 3.0 * u * u * t * q + 3.0 * u * t * t * r + t * t * t * s
            };
            samples.push(Point { x: mix(p.x, q.x, r.x, s.x), y: mix(p.y, q.y, r.y, s.y) });
        }
    }
    samples
}

/// The names of the elements that are opened, if every one is closed in turn.
fn elements(svg: &str) -> Vec<&str> {
    let (mut open, mut seen) = (Vec::new(), Vec::new());
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') && !text.contains('"'), "unescaped: {text}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "control character in {text:?}");
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None => {
                let name = tag.split([' ', '/']).next().unwrap_or_default();
                seen.push(name);
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn nothing_lies_on_anything_else(nfa in automata()) {
        let (graph, layout) = drawn(&nfa);
        let loops = layout.loops.iter().flatten().map(|(_, block)| block);
        let blocks: Vec<&Block> = layout.arrows.iter().map(|(_, block)| block).chain(loops).collect();
        for (i, a) in layout.states.iter().enumerate() {
            prop_assert!(a.x - RADIUS >= 0.0 && a.x + RADIUS <= layout.width);
            prop_assert!(a.y - RADIUS >= 0.0 && a.y + RADIUS <= layout.height);
            for b in &layout.states[..i] {
                prop_assert!(between(*a, *b) > 2.0 * RADIUS + 10.0, "states at {a:?} and {b:?}");
            }
            for block in &blocks {
                prop_assert!(distance(block, *a) > RADIUS + 1.0, "{block:?} on the state at {a:?}");
            }
        }
        for (i, a) in blocks.iter().enumerate() {
            prop_assert!(a.left >= 0.0 && a.right <= layout.width && a.top >= 0.0 && a.bottom <= layout.height);
            for b in &blocks[..i] {
                let apart = a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom;
                prop_assert!(apart, "{a:?} on {b:?}");
            }
        }
        for (arrow, (curve, _)) in graph.arrows.iter().zip(&layout.arrows) {
            for point in samples(curve) {
                for (i, centre) in layout.states.iter().enumerate() {
                    let own = i == arrow.from || i == arrow.to;
                    let least = if own { RADIUS - 0.1 } else { RADIUS + 1.0 };
                    prop_assert!(between(point, *centre) >= least, "an arrow through the state at {centre:?}");
                }
                for block in &blocks {
                    prop_assert!(distance(block, point) > 0.0, "an arrow through {block:?}");
                }
            }
            prop_assert!((between(curve.tip, layout.states[arrow.to]) - RADIUS).abs() < 0.1);
        }
    }

    #[test]
    fn pictures_are_well_formed_and_always_the_same(nfa in automata(), dead_states: bool) {
        let options = Options { dead_states, title: None };
        let picture = svg(&nfa, &options).unwrap();
        elements(&picture);
        prop_assert_eq!(&picture, &svg(&nfa, &options).unwrap());
    }
}

#[test]
fn a_picture_shows_what_the_automaton_has() {
    // (a|b)*cc*, complete: the dead state 2 is hidden unless asked for.
    let rows = [[0, 0, 1], [2, 2, 1], [2, 2, 2]].map(|row| row.map(Some).to_vec());
    let dfa = Dfa::new(Alphabet::of_chars("abc"), 0, [1], &rows).unwrap();
    let count = |picture: &str, name: &str| elements(picture).iter().filter(|&&seen| seen == name).count();
    let trimmed = dfa_svg(&dfa, &Options::default()).unwrap();
    assert_eq!(count(&trimmed, "circle"), 3, "two states, one accepting");
    assert_eq!(count(&trimmed, "path"), 2 * 4, "lines and heads of one entry, one arrow, two loops");
    assert!(trimmed.contains("<title>An automaton with 2 states, 3 arrows</title>"));
    let whole = dfa_svg(&dfa, &Options { dead_states: true, title: Some("a < b & c".to_owned()) }).unwrap();
    assert_eq!(count(&whole, "circle"), 4);
    assert!(whole.contains(">[a-c]</text>") && whole.contains("<title>a &lt; b &amp; c</title>"));
}

#[test]
fn nothing_and_too_much_are_said_in_words() {
    let empty = svg(&build(&["a"], 0, &[], &[], &[]), &Options::default()).unwrap();
    assert!(empty.contains("∅"), "{empty}");
    elements(&empty);
    let nothing = dfa_svg(&Dfa::constant(Alphabet::of_chars("ab"), false), &Options::default()).unwrap();
    assert!(nothing.contains("∅"));

    let chain: Vec<[usize; 3]> = (0..611).map(|i| [i, 0, i + 1]).collect();
    let long = svg(&build(&["a"], 612, &[0], &[611], &chain), &Options::default()).unwrap_err();
    assert!(long.to_string().starts_with("612 states, 611 arrows are too many to draw"), "{long}");
    let back: Vec<[usize; 3]> = (0..399).flat_map(|i| [[i, 0, i + 1], [i, 1, 0]]).collect();
    assert!(svg(&build(&["a", "b"], 400, &[0], &[399], &back), &Options::default()).is_err());
}

/// Without a cycle, every arrow leads to the right.
#[test]
fn an_acyclic_automaton_reads_from_left_to_right() {
    // 0 → 3 at once, and by way of 1 and 2: breadth-first, 3 is met before 2.
    let nfa = build(&["a", "b"], 4, &[0], &[3], &[[0, 0, 1], [0, 1, 3], [1, 0, 2], [2, 0, 3]]);
    let graph = super::Graph::new(&nfa, &super::graph::shown(&nfa, false));
    assert_eq!(super::layers::ranks(&graph), [0, 1, 2, 3]);
}
