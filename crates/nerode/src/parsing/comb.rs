//! A parse tree in ASCII.

use super::analysis::Derivation;

/// Maximum number of nodes of a tree drawn on several lines.
const TALLEST: usize = 16;

/// The tree with one line per node, or on one line if it is tall. An asterisk marks nodes with other possible
/// productions.
pub(super) fn tree(derivation: &Derivation, is_mirrored: bool) -> String {
    if derivation.nodes.len() > TALLEST {
        return format!("  {}\n", derivation.text);
    }
    let mut lines: Vec<String> = Vec::new();
    // What is below the spine is printed after everything attached to it: from the root down for right-regular trees,
    // whose letters come first; back up for left-regular ones.
    let mut waiting: Vec<String> = Vec::new();
    let mut indent = "  ".to_owned();
    for (depth, node) in derivation.nodes.iter().enumerate() {
        let mark = if node.choices > 1 { " *" } else { "" };
        let branch = if depth == 0 { String::new() } else { branch(derivation, depth - 1, is_mirrored).to_owned() };
        lines.push(format!("{indent}{branch}{}{mark}", node.nonterminal));
        if depth > 0 {
            indent.push_str(if branch == "|- " { "|  " } else { "   " });
        }
        let is_last = depth + 1 == derivation.nodes.len();
        let Some(letter) = &node.letter else { continue };
        if is_last {
            lines.push(format!("{indent}`- {letter}"));
        } else if is_mirrored {
            lines.push(format!("{indent}|- {letter}"));
        } else {
            waiting.push(format!("{indent}`- {letter}"));
        }
    }
    lines.extend(waiting.into_iter().rev());
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// How the non-terminal below a node is attached: before its letter, or last.
fn branch(derivation: &Derivation, above: usize, is_mirrored: bool) -> &'static str {
    if derivation.nodes[above].letter.is_some() && !is_mirrored { "|- " } else { "`- " }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsing::analysis::Node;

    fn derivation(nodes: &[(&str, Option<&str>, usize)]) -> Derivation {
        let node = |(name, letter, choices): &(&str, Option<&str>, usize)| Node {
            nonterminal: (*name).to_owned(),
            production: String::new(),
            letter: letter.map(str::to_owned),
            choices: *choices,
        };
        Derivation { text: "C(…)".to_owned(), nodes: nodes.iter().map(node).collect() }
    }

    #[test]
    fn trees_lean_to_the_side_they_are_read_from() {
        let nodes = [("C", Some("c"), 2), ("A", Some("b"), 1), ("A", Some("a"), 1)];
        let left = "  C *\n  |- A\n  |  |- A\n  |  |  `- a\n  |  `- b\n  `- c\n";
        assert_eq!(tree(&derivation(&nodes), false), left);
        let right = "  C *\n  |- c\n  `- A\n     |- b\n     `- A\n        `- a\n";
        assert_eq!(tree(&derivation(&nodes), true), right);
        assert_eq!(tree(&derivation(&[("S", None, 1), ("A", Some("a"), 1)]), false), "  S\n  `- A\n     `- a\n");
        assert_eq!(tree(&derivation(&[("A", Some("a"), 1); 17]), false), "  C(…)\n");
    }
}
