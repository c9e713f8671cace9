//! The final form: repeated factors are counted, and alternatives are sorted from short to long.
//!
//! Doing this earlier would hide structure: `aab|aac` shows the common prefix, `a{2}b` does not.

use super::{Node, write};
use crate::alphabet::Alphabet;

/// The expression in its final form.
pub(super) fn tidy(node: Node, alphabet: &Alphabet) -> Node {
    match node {
        Node::Nothing | Node::Empty | Node::Class(_) => node,
        Node::Repeat { node, min, max } => Node::Repeat { node: Box::new(tidy(*node, alphabet)), min, max },
        Node::Concat(parts) => {
            let mut parts: Vec<Node> = parts.into_iter().map(|part| tidy(part, alphabet)).collect();
            while count_longest_run(&mut parts) {}
            if parts.len() == 1 { parts.swap_remove(0) } else { Node::Concat(parts) }
        }
        Node::Alt(parts) => {
            let mut parts: Vec<Node> = parts.into_iter().map(|part| tidy(part, alphabet)).collect();
            parts.sort_by_cached_key(|part| {
                let pattern = write::pattern(part, alphabet);
                (pattern.chars().count(), pattern)
            });
            Node::Alt(parts)
        }
    }
}

/// Replaces the run of equal neighbours that saves most by a repetition: `xyxyxy` by (xy){3}. Returns whether there
/// was one.
fn count_longest_run(parts: &mut Vec<Node>) -> bool {
    let mut best = None;
    let mut most_saved = 0;
    for period in 1..=parts.len() / 2 {
        for begin in 0..=parts.len() - 2 * period {
            let block = &parts[begin..begin + period];
            let times = parts[begin..].chunks_exact(period).take_while(|chunk| *chunk == block).count();
            let saved = (times - 1) * block.iter().map(Node::size).sum::<usize>();
            if saved > most_saved {
                most_saved = saved;
                best = Some((begin, period, times));
            }
        }
    }
    let Some((begin, period, times)) = best else { return false };
    let mut block: Vec<Node> = parts[begin..begin + period].to_vec();
    while count_longest_run(&mut block) {}
    let node = Box::new(if block.len() == 1 { block.swap_remove(0) } else { Node::Concat(block) });
    let times_u32 = u32::try_from(times).unwrap_or(u32::MAX);
    let counted = Node::Repeat { node, min: times_u32, max: Some(times_u32) };
    parts.splice(begin..begin + period * times, [counted]);
    true
}
