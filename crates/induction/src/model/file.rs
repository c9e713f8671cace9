//! The model file format: `safetensors`, readable by other programs, with the tensors laid out as in the paper.
//!
//! | shape | tensor | its shape | an entry, before σ or softmax |
//! |---|---|---|---|
//! | `nfa` | `P_T` | `[n', t]` | `[i, j]`: `A_i → a_j` |
//! | `nfa` | `P_N` | `[n', n', t]` | `[k, i, j]`: `A_k → A_i a_j` |
//! | `nfa` | `s` | `[n']` | `[k]`: the start symbol is `A_k` |
//! | `dfa` | `transitions` | `[n', n', t]` | `[k, i, j]`: from `A_i` the letter `a_j` leads to `A_k` |
//! | `dfa` | `acceptance` | `[n']` | `[k]`: words may end in `A_k` |
//!
//! All are `F32`. The metadata key `nerode.model` holds one line of JSON that describes them:
//! `{"version":1,"shape":"nfa","letters":["a","b"]}`, with the letters in column order. `"names":["A2","A1","M3"]`
//! gives the grammar's names for the non-terminals if they are not `A1`, `A2`, …; `M3` is the model's third
//! non-terminal, which the grammar does not use. There is only one key because the container keeps its keys in a hash
//! table, whose order would otherwise reach the bytes.

use std::collections::{BTreeSet, HashMap};

use automata::Alphabet;
use automata::formats::grammar_text::can_be_nonterminal;
use safetensors::tensor::{SafeTensorError, SafeTensors, serialize};
use serde::{Deserialize, Serialize};

use super::{Layout, Model, Shape, usual_names};
use crate::tensors::{TensorError, bytes, numbers, view};

/// Why a file is not a model.
#[derive(Debug, thiserror::Error)]
#[error("not a model: {0}")]
pub struct ModelFileError(#[from] Kind);

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error(transparent)]
    Container(#[from] SafeTensorError),
    #[error(transparent)]
    Tensor(#[from] TensorError),
    #[error("the file has no text under the key {KEY}")]
    NoDescription,
    #[error("its description: {0}")]
    Description(#[from] serde_json::Error),
    #[error("it has version {0}, but this program reads version {VERSION}")]
    Version(u64),
    #[error("it has no letters")]
    NoLetters,
    #[error("it has no non-terminals")]
    NoNonterminals,
    #[error("{name} has the shape {found:?}, but must be a row")]
    NoRow { name: &'static str, found: Vec<usize> },
    #[error("a letter is the empty string")]
    EmptyLetter,
    #[error("the letter {after:?} comes after {before:?}, but letters must be sorted and distinct")]
    Letters { before: String, after: String },
    #[error("its names must be valid and distinct, one for each non-terminal")]
    Names,
    #[error("{name} has {number} at index {place}, which is not finite")]
    NotFinite { name: &'static str, number: f32, place: usize },
}

/// The description of the tensors.
#[derive(Serialize, Deserialize)]
struct Description {
    version: u64,
    shape: Shape,
    letters: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
}

/// The metadata key of the description.
const KEY: &str = "nerode.model";
/// Incremented when earlier programs would misread new files.
const VERSION: u64 = 1;

impl Model {
    /// The model as the bytes of a `safetensors` file. Equal models give equal bytes.
    ///
    /// # Panics
    /// When the letter names exceed the 100 MB that a `safetensors` header may have.
    #[must_use]
    pub fn to_safetensors(&self) -> Vec<u8> {
        let layout = self.layout;
        let parts: Vec<(Part, Vec<u8>)> = Part::of(layout.shape())
            .iter()
            .map(|&part| (part, bytes(part.places(layout).into_iter().map(|at| self.parameters[at]))))
            .collect();
        let views =
            parts.iter().map(|(part, bytes)| (part.name(layout.shape()), view::<f32>(part.shape(layout), bytes)));
        let letters = self.alphabet.names().to_vec();
        let names = Some(self.names.clone()).filter(|names| *names != usual_names(layout.nonterminals()));
        let description = Description { version: VERSION, shape: layout.shape(), letters, names };
        let text = serde_json::to_string(&description).expect("numbers and names are JSON");
        serialize(views, Some(HashMap::from([(KEY.to_owned(), text)]))).expect("the names of letters fit a header")
    }

    /// Reads a file written by [`Model::to_safetensors`], bit for bit, or by another program in the same format.
    /// Unknown tensors are ignored; parameters must be finite.
    pub fn from_safetensors(file: &[u8]) -> Result<Self, ModelFileError> {
        Ok(read(file)?)
    }
}

fn read(file: &[u8]) -> Result<Model, Kind> {
    let (_, metadata) = SafeTensors::read_metadata(file)?;
    let text = metadata.metadata().as_ref().and_then(|texts| texts.get(KEY)).ok_or(Kind::NoDescription)?;
    // Read the version first: later ones may have unknown fields.
    #[derive(Deserialize)]
    struct Version {
        version: u64,
    }
    let Version { version } = serde_json::from_str(text)?;
    if version != VERSION {
        return Err(Kind::Version(version));
    }
    let Description { shape, letters, names, .. } = serde_json::from_str(text)?;
    let alphabet = alphabet(letters)?;
    let tensors = SafeTensors::deserialize(file)?;
    let layout = Layout::new(shape, nonterminals(&tensors, shape)?, alphabet.len());

    // Check all shapes, and thus that the file holds every parameter, before allocating.
    let mut parts = Vec::new();
    for &part in Part::of(shape) {
        let name = part.name(shape);
        parts.push((part, name, numbers::<f32>(&tensors, name, &part.shape(layout))?));
    }
    let mut parameters = vec![0.0; layout.len()];
    for (part, name, numbers) in parts {
        for (place, (at, number)) in part.places(layout).into_iter().zip(numbers).enumerate() {
            if !number.is_finite() {
                return Err(Kind::NotFinite { name, number, place });
            }
            parameters[at] = number;
        }
    }
    let model = Model::new(alphabet, layout, parameters);
    match names {
        Some(names) => Ok(model.with_names(checked(names, layout.nonterminals())?)),
        None => Ok(model),
    }
}

/// Checks that there is one valid, distinct name for each non-terminal.
fn checked(names: Vec<String>, nonterminals: usize) -> Result<Vec<String>, Kind> {
    let mut known = BTreeSet::from(["S"]);
    let is_name = |name: &String| can_be_nonterminal(name);
    match names.len() == nonterminals && names.iter().all(|name| is_name(name) && known.insert(name)) {
        true => Ok(names),
        false => Err(Kind::Names),
    }
}

fn alphabet(letters: Vec<String>) -> Result<Alphabet, Kind> {
    if letters.is_empty() {
        return Err(Kind::NoLetters);
    }
    if let Some([before, after]) = letters.array_windows().find(|[before, after]| before >= after) {
        return Err(Kind::Letters { before: before.clone(), after: after.clone() });
    }
    Alphabet::new(letters).map_err(|_| Kind::EmptyLetter)
}

/// n', the length of the shortest tensor.
fn nonterminals(tensors: &SafeTensors, shape: Shape) -> Result<usize, Kind> {
    let name = Part::Last.name(shape);
    match *tensors.tensor(name)?.shape() {
        [0] => Err(Kind::NoNonterminals),
        [n] => Ok(n),
        ref found => Err(Kind::NoRow { name, found: found.to_vec() }),
    }
}

/// A block of parameters, stored as one tensor.
#[derive(Clone, Copy)]
enum Part {
    Terminal,
    Step,
    Last,
}

impl Part {
    /// The parts of a model of this shape.
    fn of(shape: Shape) -> &'static [Self] {
        match shape {
            Shape::Nfa => &[Self::Terminal, Self::Step, Self::Last],
            Shape::Dfa => &[Self::Step, Self::Last],
        }
    }

    fn name(self, shape: Shape) -> &'static str {
        match (self, shape) {
            (Self::Terminal, _) => "P_T",
            (Self::Step, Shape::Nfa) => "P_N",
            (Self::Last, Shape::Nfa) => "s",
            (Self::Step, Shape::Dfa) => "transitions",
            (Self::Last, Shape::Dfa) => "acceptance",
        }
    }

    fn shape(self, layout: Layout) -> Vec<usize> {
        let (n, t) = (layout.nonterminals(), layout.letters());
        match self {
            Self::Terminal => vec![n, t],
            Self::Step => vec![n, n, t],
            Self::Last => vec![n],
        }
    }

    /// For each entry of the tensor, in order, its index among the parameters.
    fn places(self, layout: Layout) -> Vec<usize> {
        let (n, t) = (layout.nonterminals(), layout.letters());
        let pairs = (0..n).flat_map(|k| (0..n).map(move |i| (k, i)));
        match self {
            Self::Terminal => (0..n).flat_map(|i| (0..t).map(move |j| layout.terminal(j, i))).collect(),
            Self::Step => pairs.flat_map(|(k, i)| (0..t).map(move |j| layout.step(j, k, i))).collect(),
            Self::Last => (0..n).map(|k| layout.last(k)).collect(),
        }
    }
}
