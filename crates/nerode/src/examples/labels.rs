//! Which labels learning needs: of both kinds, unless the engine learns from accepted words alone.

use automata::{Examples, Label};

use crate::Error;
use crate::error::bail;
use crate::options::{Classes, Options};

/// Refuses examples of one label that the chosen engine cannot learn from.
pub(crate) fn check(options: &Options, examples: &Examples) -> Result<(), Error> {
    let [accepted, rejected] = [Label::Accepted, Label::Rejected].map(|label| examples.total(label));
    let remark = unlabelled(examples);
    match (accepted, rejected) {
        (0, 1..) => bail!(
            "{} rejected and none accepted{remark}; add accepted words, otherwise the answer is the empty language",
            counted(rejected, "word is", "words are")
        ),
        (1.., 0) if !learns_from_accepted(options) => bail!(
            "{} accepted and none rejected{remark}; add rejected words, or use --learner facts, which learns from accepted \
             words alone",
            counted(accepted, "word is", "words are")
        ),
        _ => Ok(()),
    }
}

/// Whether accepted words alone say something to the chosen engine: facts that never occur, how walks go on, and patterns of strings.
fn learns_from_accepted(options: &Options) -> bool {
    options.learner.learns_from_accepted() || matches!(options.classes, Classes::Given(_))
}

/// A remark on words without a label, for those who mean -1 as one.
pub(super) fn unlabelled(examples: &Examples) -> String {
    match examples.total(Label::Unlabelled) {
        0 => String::new(),
        count => format!(" ({} no label: ?, -1 or nothing)", counted(count, "word has", "words have")),
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
