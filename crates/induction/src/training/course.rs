//! The course of training: each restart's belief in every production, from start to end.
//!
//! This is what the tiles in the paper's training figure show. The length of the training is not known in advance, so
//! frames are kept at an interval that doubles whenever there are too many of them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::{Layout, Model, Shape, Weights};

/// The beliefs of all restarts, at some moments of training.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// Which model.
    pub shape: Shape,
    /// n'.
    pub nonterminals: usize,
    /// The letters, in order.
    pub alphabet: Vec<String>,
    /// From start to end.
    pub frames: Vec<Frame>,
}

/// One moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The number of epochs before it.
    pub epochs: u64,
    /// The beliefs of each restart.
    pub beliefs: Vec<Beliefs>,
}

/// Beliefs in all productions, one byte each from 0 (for 0) to 255 (for 1), in the order of [`Layout`]; two hexadecimal
/// digits each in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beliefs(Vec<u8>);

impl Course {
    /// The layout of the beliefs; `None` if the sizes are not those of a model, or beliefs are missing.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        // No file has this many productions; the limit avoids overflow.
        const MOST: usize = 1 << 12;
        let (n, t) = (self.nonterminals, self.alphabet.len());
        if n == 0 || t == 0 || n > MOST || t > MOST {
            return None;
        }
        let layout = Layout::new(self.shape, n, t);
        let restarts = self.restarts();
        let whole = |frame: &Frame| {
            frame.beliefs.len() == restarts && frame.beliefs.iter().all(|beliefs| beliefs.0.len() == layout.len())
        };
        (restarts > 0 && self.frames.iter().all(whole)).then_some(layout)
    }

    /// The number of restarts.
    #[must_use]
    pub fn restarts(&self) -> usize {
        self.frames.first().map_or(0, |frame| frame.beliefs.len())
    }

    /// The restart that ended in this model.
    #[must_use]
    pub fn restart_of(&self, model: &Model) -> Option<usize> {
        if (model.layout().shape(), model.layout().nonterminals()) != (self.shape, self.nonterminals) {
            return None;
        }
        let beliefs = Beliefs::of(model);
        self.frames.last()?.beliefs.iter().position(|last| *last == beliefs)
    }
}

impl Beliefs {
    /// The beliefs of a model.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        let Weights { terminal, step, last } = model.weights();
        // The deterministic shape has no separate first letters.
        let terminal = if model.layout().shape() == Shape::Nfa { terminal } else { Vec::new() };
        let byte = |belief: f64| libm::round(255.0 * belief.clamp(0.0, 1.0)) as u8;
        Self(terminal.into_iter().chain(step).chain(last).map(byte).collect())
    }

    /// The bytes, in the order of [`Layout`].
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Serialize for Beliefs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        serializer.collect_str(&digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Beliefs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
        match digits {
            Some(digits) if digits.len().is_multiple_of(2) => {
                Ok(Self(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()))
            }
            _ => Err(serde::de::Error::custom("beliefs are pairs of hexadecimal digits")),
        }
    }
}

/// Keeps moments of a process whose length is unknown: the start, the end, and others evenly spaced in between.
#[derive(Clone, Debug)]
pub struct Thinned<T> {
    kept: Vec<(u64, T)>,
    stride: u64,
    most: usize,
}

impl<T> Thinned<T> {
    /// Keeps at most `most` moments, and at least two.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { kept: Vec::new(), stride: 1, most: most.max(2) }
    }

    /// Whether to keep the moment after this many epochs.
    #[must_use]
    pub fn wants(&self, epochs: u64) -> bool {
        epochs.is_multiple_of(self.stride)
    }

    /// Keeps a wanted moment; when there are too many, every other one is dropped.
    pub fn keep(&mut self, epochs: u64, moment: T) {
        self.kept.push((epochs, moment));
        // Leave room for the end.
        while self.kept.len() >= self.most && self.kept.len() > 1 {
            self.stride *= 2;
            let stride = self.stride;
            self.kept.retain(|(epochs, _)| epochs.is_multiple_of(stride));
        }
    }

    /// All moments kept, and the end.
    #[must_use]
    pub fn finish(mut self, epochs: u64, end: T) -> Vec<(u64, T)> {
        self.kept.retain(|(kept, _)| *kept < epochs);
        self.kept.push((epochs, end));
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_even_and_has_both_ends() {
        for most in 0..12_usize {
            for end in 0..200 {
                let mut thinned = Thinned::new(most);
                for epochs in 0..=end {
                    if thinned.wants(epochs) {
                        thinned.keep(epochs, epochs);
                    }
                }
                let kept: Vec<u64> = thinned.finish(end, end).into_iter().map(|(_, epochs)| epochs).collect();
                assert!(kept.len() <= most.max(2) && kept.len() as u64 >= (end + 1).min(most as u64 / 2));
                assert_eq!((kept[0], kept[kept.len() - 1]), (0, end));
                let strides: Vec<u64> = kept.windows(2).map(|pair| pair[1] - pair[0]).collect();
                assert!(strides.iter().rev().skip(1).all(|stride| *stride == strides[0]), "{kept:?}");
            }
        }
    }

    #[test]
    fn beliefs_are_read_as_they_are_written() {
        let beliefs = Beliefs((0..=255).collect());
        let text = serde_json::to_string(&beliefs).unwrap();
        assert!(text.starts_with("\"000102") && text.ends_with("feff\""));
        assert_eq!(serde_json::from_str::<Beliefs>(&text).unwrap(), beliefs);
        for wrong in ["\"0\"", "\"0g\"", "\"é\"", "3"] {
            assert!(serde_json::from_str::<Beliefs>(wrong).is_err(), "{wrong}");
        }
    }
}
