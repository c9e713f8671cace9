//! Tiers: sets of letters that are read while all others are skipped.
//!
//! There are too many sets of six of 64 letters to try. But `a` before `b` with none of B between already tells something
//! with a part of B, and more with each further letter. So a tier grows from the letters of a pattern, or shrinks from all
//! letters, one letter at a time, as long as the labels gain.

use automata::{Gap, Letter, Pattern};

use super::labels::Labels;
use super::text::{Text, and, shift, star};
use crate::measure::tier_bits;

/// A set of letters with the gain of the best pattern on it, less its price.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tier {
    pub(super) letters: Vec<Letter>,
    pub(super) gain: f64,
    /// The pattern that it was grown from.
    pub(super) pattern: Pattern,
}

/// Grows the tiers of the letters of a pattern, from below or from above; the pattern's own gaps do not matter.
pub(super) fn grow(text: &Text, labels: &Labels, pattern: &Pattern, from_all: bool) -> Option<(Tier, u64)> {
    let letters: Vec<usize> = pattern
        .letters()
        .iter()
        .map(|set| if let [letter] = set[..] { Some(letter.index()) } else { None })
        .collect::<Option<_>>()?;
    let mut tier = vec![from_all; text.letters()];
    letters.iter().for_each(|&letter| tier[letter] = true);
    let size = |tier: &[bool]| tier.iter().filter(|&&is_in| is_in).count();
    let (start, end) = pattern.anchors();
    let mut skipped = text.without((0..tier.len()).filter(|&letter| tier[letter]));
    let mut here = vec![0; text.blocks()];
    let mut work = 0;
    let mut gain_of = |skipped: &[u64]| {
        here.copy_from_slice(if start { text.starts() } else { text.inside() });
        for (i, &letter) in letters.iter().enumerate() {
            if i > 0 {
                shift(&mut here);
            }
            if i > 0 || start {
                star(&mut here, skipped);
            }
            and(&mut here, text.at(letter));
        }
        if end {
            shift(&mut here);
            star(&mut here, skipped);
            and(&mut here, text.ends());
        }
        work += 2 * (letters.len() * here.len()) as u64;
        let counts = match pattern.least() {
            1 => labels.count(&text.words_of(&here)),
            least => {
                let mut counts = [0; 2];
                for (word, &count) in text.counts(&here).iter().enumerate() {
                    counts[usize::from(!labels.of(word))] += usize::from(count as usize >= least);
                }
                counts
            }
        };
        labels.gain(counts)
    };
    let price = |tier: &[bool]| tier_bits(size(tier), tier.len());
    let mut best = gain_of(&skipped) - price(&tier);
    loop {
        let mut step: Option<(usize, f64)> = None;
        for letter in (0..tier.len()).filter(|letter| !letters.contains(letter)) {
            let toggle = |skipped: &mut [u64]| skipped.iter_mut().zip(text.at(letter)).for_each(|(a, b)| *a ^= b);
            toggle(&mut skipped);
            tier[letter] ^= true;
            let gain = gain_of(&skipped) - price(&tier);
            tier[letter] ^= true;
            toggle(&mut skipped);
            if gain > step.map_or(best, |(_, gain)| gain) + 1e-9 {
                step = Some((letter, gain));
            }
        }
        let Some((letter, gain)) = step else { break };
        skipped.iter_mut().zip(text.at(letter)).for_each(|(a, b)| *a ^= b);
        tier[letter] ^= true;
        best = gain;
    }
    let set: Vec<Letter> = (0..tier.len()).filter(|&letter| tier[letter]).map(Letter::new).collect();
    if set.len() == text.letters() {
        return None;
    }
    let gap = |gap: &Gap, is_end: bool| if is_end && *gap == Gap::Free { Gap::Free } else { Gap::Without(set.clone()) };
    let last = pattern.letters().len();
    let gaps = pattern.gaps().iter().enumerate().map(|(i, g)| gap(g, i == 0 || i == last)).collect();
    let pattern = Pattern::new(pattern.letters().to_vec(), gaps, pattern.least())?;
    Some((Tier { letters: set, gain: best, pattern }, work))
}
