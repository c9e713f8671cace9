//! The answer of another program, as an expression or as an automaton.
//!
//! An expression is matched by the `regex` crate, as its users would; only where that refuses it for its size, by its
//! automaton. Whether it is the reference is decided by automata, exactly.

use automata::formats::json;
use automata::{DEFAULT_STATE_LIMIT, Dfa, Regex, equivalent};
use lab::strings::characters;
use regex::RegexBuilder;

/// Maximum number of bytes of a compiled expression, and maximum nesting: more than by default, since a list of the
/// examples is long.
const SIZE_LIMIT: usize = 1 << 28;
const NEST_LIMIT: u32 = 1_024;

/// An answer.
pub(crate) struct Answer {
    matcher: Option<regex::Regex>,
    dfa: Option<Dfa>,
}

impl Answer {
    /// An expression, with anchors or without.
    pub(crate) fn of_regex(regex: &str) -> Self {
        let regex = regex.trim_end_matches('\n');
        let bare = regex.strip_prefix('^').and_then(|regex| regex.strip_suffix('$')).unwrap_or(regex);
        let mut matcher = RegexBuilder::new(&format!(r"\A(?:{bare})\z"));
        let matcher = matcher.size_limit(SIZE_LIMIT).nest_limit(NEST_LIMIT).build().ok();
        let dfa = Regex::parse(bare, &characters()).and_then(|regex| regex.to_dfa()).ok();
        Self { matcher, dfa }
    }

    /// An automaton as `dfa.json` has it.
    pub(crate) fn of_automaton(text: &str) -> Self {
        let automaton = json::read(text).expect("the automaton was written as JSON");
        let dfa = automaton.to_minimal_dfa(DEFAULT_STATE_LIMIT).expect("the automaton is deterministic");
        Self { matcher: None, dfa: Some(dfa) }
    }

    pub(crate) fn accepts(&self, word: &str) -> bool {
        match (&self.matcher, &self.dfa) {
            (Some(matcher), _) => matcher.is_match(word),
            // A letter that it does not know is in none of its words.
            (None, Some(dfa)) => dfa.alphabet().read(word).is_ok_and(|word| dfa.accepts(&word)),
            (None, None) => false,
        }
    }

    pub(crate) fn equals(&self, reference: &Dfa) -> bool {
        self.dfa.as_ref().is_some_and(|dfa| equivalent(dfa, reference))
    }
}
