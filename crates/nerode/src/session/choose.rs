//! Whether words are learned letter by letter, over character classes, or whichever is shorter.

use automata::{Alphabet, Spelling};
use induction::learner::{Engine, Shapes, Way};

use crate::Error;
use crate::error::bail;
use crate::options::{Classes, Options};

/// The choice for the letters of the examples and the options.
pub(crate) fn way(options: &Options, alphabet: &Alphabet) -> Result<Way, Error> {
    let of_letters = [
        (options.learner != Engine::Auto, "--learner"),
        (options.start_from.is_some(), "--start-from"),
        (options.nonterminals.is_some(), "--nonterminals"),
        (options.restarts.is_some(), "--restarts"),
        (options.steps.is_some(), "--steps"),
        (options.moves.is_some(), "--moves"),
        (options.shapes != Shapes::Both, "--shape"),
    ];
    let given = of_letters.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name);
    match (&options.classes, given, alphabet.spelling()) {
        (Classes::Given(_), Some(name), _) => {
            bail!("{name} cannot be used with --classes; it is a setting of the letter-by-letter engines")
        }
        (Classes::Given(_), None, _) => Ok(Way::Classes),
        // Whoever sets up an engine that works letter by letter wants to see it at work.
        (Classes::None, ..)
        | (Classes::Auto, Some(_), _)
        | (Classes::Auto, None, Spelling::Classes | Spelling::Bytes) => Ok(Way::Letters),
        (Classes::Auto, None, Spelling::Chars | Spelling::Tokens) => Ok(Way::Both),
    }
}
