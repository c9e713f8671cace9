//! Whether words are learned letter by letter, over character classes, or whichever is shorter.

use automata::{Alphabet, Spelling};
use induction::learner::Way;

use super::applies;
use crate::options::{Classes, Options};

/// The choice for the letters of the examples and the options.
pub(crate) fn way(options: &Options, alphabet: &Alphabet) -> Way {
    match (&options.classes, alphabet.spelling()) {
        (Classes::Given(_), _) => Way::Classes,
        (Classes::None, _) => Way::Letters,
        (Classes::Auto, _) if applies::asks_for_letters(options) => Way::Letters,
        (Classes::Auto, Spelling::Classes | Spelling::Bytes) => Way::Letters,
        (Classes::Auto, Spelling::Chars | Spelling::Tokens) => Way::Both,
    }
}
