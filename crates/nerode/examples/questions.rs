//! Learns from four words and questions, which a closure answers.
#![allow(clippy::print_stdout, reason = "this is an example")]

use nerode::{Event, Label, Options, Session, examples};

fn main() -> Result<(), nerode::Error> {
    let belongs = |word: &str| word.matches('b').count().is_multiple_of(2);
    let examples = examples::of_words(["a", "bb"], ["b", "ab"])?;
    let mut session = Session::new(&examples, Options { questions: Some(50), ..Options::default() }, 1)?;
    while let Event::Question(question) = session.run()? {
        println!("{}? {}", question.shown, belongs(&question.word));
        session.answer(&question.word, if belongs(&question.word) { Label::Accepted } else { Label::Rejected })?;
    }
    println!("{}", session.finish()?.answer.regex.unwrap_or_default());
    Ok(())
}
