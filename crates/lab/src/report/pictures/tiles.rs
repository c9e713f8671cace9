//! Beliefs in productions as tiles, one block for each moment of a training, from left to right.

use super::svg::{Anchor, Svg, number, width};
use crate::job::{Frame, Progression};

const TILE: f64 = 11.0;
const MARGIN: f64 = 16.0;
const GAP: f64 = 14.0;
const HEAD: f64 = 34.0;
/// Between the rows of two letters.
const PAUSE: f64 = 4.0;
/// The colours of 0 and 1: dark and bright also in print.
const DARK: [f64; 3] = [16.0, 24.0, 64.0];
const BRIGHT: [f64; 3] = [255.0, 236.0, 150.0];

pub(in super::super) fn picture(progression: &Progression) -> String {
    let Progression { alphabet, nonterminals: n, frames, .. } = progression;
    let n = *n;
    let letters = alphabet.names();
    let mut names = Vec::new();
    for letter in letters {
        names.push(letter.clone());
        names.extend((1..=n).map(|i| format!("A{i} {letter}")));
    }
    names.push("start".to_owned());
    // Rows of a letter stand together.
    let top = |row: usize| MARGIN + HEAD + TILE * row as f64 + PAUSE * (row / (n + 1)) as f64;
    let left = MARGIN + names.iter().map(|name| width(name)).fold(0.0, f64::max);
    let block = (TILE * n as f64).max(width("00000"));
    let wide = left + (block + GAP) * frames.len() as f64 - GAP + MARGIN;
    let title = format!("The course of the training of {}", progression.job);
    let mut out = Svg::open(wide, top(names.len() - 1) + TILE + MARGIN, &title);
    out.text(left - 8.0, MARGIN + 12.0, Anchor::End, " font-size=\"11\"", "epochs");
    for (row, name) in names.iter().enumerate() {
        out.text(left - 8.0, top(row) + 9.0, Anchor::End, " font-size=\"9\"", name);
    }
    for (i, frame) in frames.iter().enumerate() {
        let left = left + (block + GAP) * i as f64;
        out.text(left, MARGIN + 12.0, Anchor::Start, " font-size=\"11\"", &frame.epochs.to_string());
        for row in 0..names.len() {
            for head in 0..n {
                let (x, y) = (number(left + TILE * head as f64), number(top(row)));
                let size = number(TILE - 1.0);
                let fill = shade(belief(frame, n, letters.len(), row, head));
                out.line(format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{fill}\"/>"
                ));
            }
        }
    }
    out.close()
}

/// In a row of a block: first `A → c`, then `A → A_i c` for each i, letter by letter; in the end the start symbol.
fn belief(frame: &Frame, n: usize, letters: usize, row: usize, head: usize) -> f64 {
    let (letter, which) = (row / (n + 1), row % (n + 1));
    match which {
        _ if letter == letters => frame.weights.last[head],
        0 => frame.weights.terminal[letter * n + head],
        i => frame.weights.step[(letter * n + head) * n + i - 1],
    }
}

fn shade(value: f64) -> String {
    let value = value.clamp(0.0, 1.0);
    let [r, g, b] = [0, 1, 2].map(|i| libm::round(DARK[i] + (BRIGHT[i] - DARK[i]) * value) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}
