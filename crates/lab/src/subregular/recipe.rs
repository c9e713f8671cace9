//! What a random language is made of.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of a random language, and its sizes. The language follows from it and a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The class, which says what kind of facts there are.
    pub class: Class,
    /// How the facts are combined.
    pub form: Form,
    /// The number of letters of the alphabet.
    pub letters: usize,
    /// The number of letters of the first pattern, and the maximum of the others.
    pub width: usize,
    /// The number of facts.
    pub literals: usize,
    /// The number of letters on the tier, or that are counted; `None` for classes without either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<usize>,
    /// The threshold of the first pattern, and the maximum of the others; or the modulus; `None` for classes without
    /// either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// The number of the language in its suite.
    pub index: u64,
    /// Whether it is held out from tuning.
    pub held_out: bool,
}

/// The classes of MLRegTest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Class {
    /// Strictly local: some factors are forbidden.
    SL,
    /// The complement of such a language: some factor is there.
    #[serde(rename = "coSL")]
    CoSL,
    /// Strictly local on a tier: all letters that are not on the tier are erased first.
    TSL,
    /// The complement of such a language.
    #[serde(rename = "TcoSL")]
    TcoSL,
    /// Strictly piecewise: some subsequences are forbidden.
    SP,
    /// The complement of such a language.
    #[serde(rename = "coSP")]
    CoSP,
    /// Locally testable: a Boolean formula over factors.
    LT,
    /// The same on a tier.
    TLT,
    /// Locally threshold testable: factors are counted up to a threshold.
    LTT,
    /// The same on a tier.
    TLTT,
    /// Piecewise testable: a Boolean formula over subsequences.
    PT,
    /// Piecewise locally testable: a Boolean formula over sequences of factors.
    PLT,
    /// The same on a tier.
    TPLT,
    /// Star-free: facts on different tiers.
    SF,
    /// Letters are counted modulo a number.
    Zp,
    /// Regular: counting modulo a number, and another fact.
    Reg,
}

/// How facts are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// None is true.
    None,
    /// Some is true.
    Some,
    /// A conjunction or disjunction of facts and opposites of facts; from three on, a conjunction of clauses of two.
    Mixed,
    /// If the first half of them is true, so is some of the others.
    If,
    /// Exactly one of the first two is true; the third, if there is one, is or is not as well.
    Xor,
    /// The word has a certain prefix, or not, and the others are combined as in `mixed`.
    Prefix,
}

impl Class {
    /// All classes, in order.
    pub const ALL: [Self; 16] = [
        Self::SL,
        Self::CoSL,
        Self::TSL,
        Self::TcoSL,
        Self::SP,
        Self::CoSP,
        Self::LT,
        Self::TLT,
        Self::LTT,
        Self::TLTT,
        Self::PT,
        Self::PLT,
        Self::TPLT,
        Self::SF,
        Self::Zp,
        Self::Reg,
    ];
}

/// The usual name.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SL => "SL",
            Self::CoSL => "coSL",
            Self::TSL => "TSL",
            Self::TcoSL => "TcoSL",
            Self::SP => "SP",
            Self::CoSP => "coSP",
            Self::LT => "LT",
            Self::TLT => "TLT",
            Self::LTT => "LTT",
            Self::TLTT => "TLTT",
            Self::PT => "PT",
            Self::PLT => "PLT",
            Self::TPLT => "TPLT",
            Self::SF => "SF",
            Self::Zp => "Zp",
            Self::Reg => "Reg",
        })
    }
}

impl Recipe {
    /// A short name, such as `sl-t16-w4-7`.
    #[must_use]
    pub fn name(&self) -> String {
        let class = self.class.to_string().to_lowercase();
        format!("{class}-t{}-w{}-{}", self.letters, self.width, self.index)
    }
}
