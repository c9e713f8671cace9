//! Decides whether words are learned letter by letter, over character classes, or both. If both are plausible, the learner
//! tries both, and the shorter description decides.

use automata::{Alphabet, Spelling};
use induction::learner::{Engine, Shapes, Way};
use induction::strings;

use crate::Error;
use crate::error::bail;
use crate::options::{Classes, Options};

/// More distinct letters than this are taken as characters of strings,
const FEW_LETTERS: usize = 12;
/// and so are more digits, lower-case letters or capitals than this.
const FEW_OF_A_KIND: usize = 7;

/// The choice for the letters of the examples and the options.
pub(crate) fn way(options: &Options, alphabet: &Alphabet) -> Result<Way, Error> {
    let way = match &options.classes {
        Classes::None => Way::Letters,
        Classes::Given(_) => Way::Classes,
        // An explicit engine works letter by letter.
        Classes::Auto if options.learner != Engine::Auto || !looks_like_strings(alphabet) => Way::Letters,
        Classes::Auto => Way::Both,
    };
    let only_letters = [
        (options.learner != Engine::Auto, "--learner"),
        (options.start_from.is_some(), "--start-from"),
        (options.nonterminals.is_some(), "--nonterminals"),
        (options.restarts.is_some(), "--restarts"),
        (options.steps.is_some(), "--steps"),
        (options.moves.is_some(), "--moves"),
        (options.shapes != Shapes::Both, "--shape"),
    ];
    let given: Vec<&str> = only_letters.into_iter().filter(|(is_given, _)| *is_given).map(|(_, name)| name).collect();
    match (way, &given[..]) {
        (Way::Letters, _) | (_, []) => Ok(way),
        (Way::Classes, [name, ..]) => {
            bail!("{name} cannot be used with --classes; it is a setting of the letter-by-letter engines")
        }
        // These options belong to the letter-by-letter engines.
        (Way::Both, [name, ..]) => bail!(
            "{name} cannot be used with character classes, which were chosen for these strings; add --classes none"
        ),
    }
}

/// Whether there are many characters of several kinds, many of one kind such as the digits of a date, or many tokens.
fn looks_like_strings(alphabet: &Alphabet) -> bool {
    let kinds: [fn(&char) -> bool; 3] = [char::is_ascii_digit, char::is_ascii_lowercase, char::is_ascii_uppercase];
    let characters = || alphabet.names().iter().flat_map(|name| name.chars());
    match alphabet.spelling() {
        Spelling::Chars => {
            let many = alphabet.len() > FEW_LETTERS
                || kinds.iter().any(|kind| characters().filter(kind).count() > FEW_OF_A_KIND);
            many && alphabet.len() <= strings::MOST_CHARACTERS
        }
        Spelling::Tokens => alphabet.len() > FEW_LETTERS,
        Spelling::Classes | Spelling::Bytes => false,
    }
}
