//! The TOML tables of a plan, with the permitted values of each key.
//!
//! Values are checked when they are read, so that a mistake is reported with its line. Most keys take one value or a
//! list of values; a list stands for one job per value.

use std::fmt;
use std::marker::PhantomData;

use induction::learner::{Engine, Shapes};
use induction::model::Shape;
use induction::training::Schedule;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::spec::{Lengths, Selector, Told};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) name: Name,
    pub(super) about: String,
    #[serde(default)]
    pub(super) seed: u64,
    #[serde(default = "one")]
    pub(super) runs: Within<1, 1_000_000>,
    #[serde(default = "sixteen")]
    pub(super) evaluation_depth: Within<1, 1000>,
    #[serde(default)]
    pub(super) proofs: u64,
    pub(super) seconds: Option<Positive>,
    #[serde(default)]
    pub(super) suites: Vec<Spanned<String>>,
    pub(super) languages: Option<Spanned<Languages>>,
    #[serde(default)]
    pub(super) draws: Vec<Spanned<Draw>>,
    pub(super) learners: Vec<Spanned<Learner>>,
}

/// The languages, by kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Languages {
    #[serde(default)]
    pub(super) grammars: Vec<Spanned<Grammars>>,
    #[serde(default)]
    pub(super) automata: Vec<Spanned<Automata>>,
    #[serde(default)]
    pub(super) sparse: Vec<Spanned<Sparse>>,
    #[serde(default)]
    pub(super) random_expressions: Vec<Spanned<RandomExpressions>>,
    #[serde(default)]
    pub(super) expressions: Vec<Spanned<Expression>>,
    #[serde(default)]
    pub(super) tomita: Vec<Spanned<Within<1, 7>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grammars {
    pub(super) letters: Many<Within<1, 1000>>,
    pub(super) nonterminals: Many<Within<1, 64>>,
    pub(super) productions: Many<Within<1, 1000>>,
    #[serde(default = "one")]
    pub(super) count: Within<1, 1_000_000>,
    #[serde(default)]
    pub(super) reversed: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Automata {
    pub(super) letters: Many<Within<1, 1000>>,
    pub(super) states: Many<Within<1, 10_000>>,
    #[serde(default = "one")]
    pub(super) count: Within<1, 1_000_000>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sparse {
    pub(super) letters: Many<Within<1, 1000>>,
    pub(super) states: Many<Within<1, 10_000>>,
    pub(super) transitions: Many<Positive>,
    #[serde(default = "one")]
    pub(super) count: Within<1, 1_000_000>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RandomExpressions {
    pub(super) letters: Many<Within<1, 26>>,
    pub(super) size: Many<Within<1, 1000>>,
    #[serde(default = "one")]
    pub(super) count: Within<1, 1_000_000>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expression {
    pub(super) name: Name,
    pub(super) expression: Spanned<String>,
    pub(super) letters: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Draw {
    pub(super) name: Option<Name>,
    pub(super) depth: Many<Within<1, 1000>>,
    #[serde(default = "even")]
    pub(super) lengths: Many<Lengths>,
    pub(super) words: Option<Many<Within<2, 10_000_000>>>,
    pub(super) words_per_state: Option<Many<Within<1, 1_000_000>>>,
    pub(super) positives: Option<Within<1, 10_000_000>>,
    pub(super) negatives: Option<Within<1, 10_000_000>>,
    pub(super) repeat: Option<bool>,
    pub(super) kinds: Option<bool>,
    pub(super) empty_word: Option<bool>,
    pub(super) shortest: Option<Within<0, 1000>>,
    #[serde(default = "none")]
    pub(super) noise: Many<Rate>,
    #[serde(default)]
    pub(super) same_words: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Learner {
    pub(super) name: Name,
    pub(super) engine: Option<Engine>,
    pub(super) classes: Option<Spanned<bool>>,
    pub(super) size_given: Option<Spanned<bool>>,
    pub(super) training: Option<Training>,
    pub(super) shape: Option<Spanned<Shapes>>,
    pub(super) nonterminals: Option<Spanned<Many<Within<1, 256>>>>,
    pub(super) times_n: Option<Spanned<Many<Positive>>>,
    pub(super) restarts: Option<Spanned<Many<Within<1, 1_000_000>>>>,
    pub(super) steps: Option<Spanned<Many<Within<1, 1_000_000_000>>>>,
    pub(super) visits: Option<Spanned<Many<Within<0, 1_000_000_000_000>>>>,
    pub(super) conflicts: Option<Spanned<Within<0, 1_000_000_000_000>>>,
    pub(super) noise: Option<Spanned<Told>>,
    pub(super) right: Option<Spanned<bool>>,
    pub(super) questions: Option<Within<0, 1_000_000>>,
}

/// Changes to the base settings: the paper's protocol, or those that learn well in practice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Training {
    #[serde(default)]
    pub(super) base: Base,
    #[serde(default)]
    pub(super) selector: Selector,
    pub(super) shape: Option<Shape>,
    pub(super) batch: Option<Within<1, 1_000_000>>,
    pub(super) mean: Option<f64>,
    pub(super) deviation: Option<f64>,
    pub(super) learning_rate: Option<Course>,
    pub(super) beta: Option<Course>,
    pub(super) gamma: Option<Course>,
    pub(super) temperature: Option<Course>,
    pub(super) length_limit: Option<Course>,
    pub(super) clamp: Option<bool>,
    pub(super) slope_bound: Option<f64>,
    pub(super) sharp: Option<f64>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Base {
    #[default]
    Paper,
    Practical,
}

fn one<const MOST: u64>() -> Within<1, MOST> {
    Within(1)
}

fn sixteen() -> Within<1, 1000> {
    Within(16)
}

fn even() -> Many<Lengths> {
    Many { values: vec![Lengths::Even], is_list: false }
}

fn none() -> Many<Rate> {
    Many { values: vec![Rate(0.0)], is_list: false }
}

/// An integer within bounds.
#[derive(Clone, Copy)]
pub(super) struct Within<const LEAST: u64, const MOST: u64>(pub(super) u64);

impl<const LEAST: u64, const MOST: u64> Within<LEAST, MOST> {
    pub(super) fn get(self) -> usize {
        self.0 as usize
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for Within<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(from)?;
        match u64::try_from(number) {
            Ok(number) if (LEAST..=MOST).contains(&number) => Ok(Self(number)),
            _ => Err(D::Error::custom(format_args!("{number} is not a number from {LEAST} to {MOST}"))),
        }
    }
}

/// A positive number.
#[derive(Clone, Copy)]
pub(super) struct Positive(pub(super) f64);

impl<'de> Deserialize<'de> for Positive {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match f64::deserialize(from)? {
            number if number > 0.0 && number < 1e9 => Ok(Self(number)),
            number => Err(D::Error::custom(format_args!("{number} is not a number above 0 and below 1000000000"))),
        }
    }
}

/// A fraction of all labels.
#[derive(Clone, Copy)]
pub(super) struct Rate(pub(super) f64);

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match f64::deserialize(from)? {
            number if (0.0..0.5).contains(&number) => Ok(Self(number)),
            number => Err(D::Error::custom(format_args!("{number} is not a rate of at least 0 and below 0.5"))),
        }
    }
}

/// A name that can be used in file names.
pub(super) struct Name(pub(super) String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        match is_name(&name) {
            true => Ok(Self(name)),
            false => Err(D::Error::custom(format_args!(
                "{name:?} is not a valid name: use 1 to 60 of a to z, 0 to 9, `-` and `_`, a letter or digit first"
            ))),
        }
    }
}

/// Whether a name is valid on every system, including those that ignore case.
fn is_name(name: &str) -> bool {
    let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    (1..=60).contains(&name.len()) && name.chars().all(fit) && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// A schedule; a single number means a constant.
#[derive(Clone, Copy)]
pub(super) struct Course(pub(super) Schedule);

impl<'de> Deserialize<'de> for Course {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Course;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a table `switch`, `linear` or `geometric`")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Course, E> {
                Ok(Course(Schedule::Constant(number)))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Course, E> {
                self.visit_f64(number as f64)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Course, A::Error> {
                Schedule::deserialize(MapAccessDeserializer::new(map)).map(Course)
            }
        }
        from.deserialize_any(Either)
    }
}

/// One value, or a list of them.
pub(super) struct Many<T> {
    pub(super) values: Vec<T>,
    /// Whether it was written as a list, so that names must distinguish its values.
    pub(super) is_list: bool,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OneOrMore<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> OneOrMore<T> {
            fn one<E: Error>(from: impl IntoDeserializer<'de, E>) -> Result<Many<T>, E> {
                Ok(Many { values: vec![T::deserialize(from.into_deserializer())?], is_list: false })
            }
        }

        impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMore<T> {
            type Value = Many<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value, or a list of values")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Many<T>, E> {
                Self::one(value)
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Many<T>, E> {
                Self::one(value)
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Many<T>, E> {
                Self::one(value.to_owned())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Many<T>, A::Error> {
                let values = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                match values.is_empty() {
                    true => Err(A::Error::invalid_value(Unexpected::Seq, &"at least one value")),
                    false => Ok(Many { values, is_list: true }),
                }
            }
        }
        from.deserialize_any(OneOrMore(PhantomData))
    }
}
