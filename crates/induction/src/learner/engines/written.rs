//! Automata in the JSON of jobs: the text of `dfa.json`.

use automata::Dfa;
use automata::formats::json::write_dfa;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::learner::checkpoint::read_dfa;

pub(super) fn serialize<S: Serializer>(dfa: &Dfa, serializer: S) -> Result<S::Ok, S::Error> {
    write_dfa(dfa).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dfa, D::Error> {
    read_dfa(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}
