//! Saves a session; what is resumed from the text comes to the same answer.
#![allow(clippy::print_stdout, reason = "this is an example")]

use nerode::{Options, Session, Threads, examples};

fn main() -> Result<(), nerode::Error> {
    let examples = examples::of_words(["ab", "abab", "ababab"], ["a", "b", "ba", "aba", "abb"])?;
    let mut unbroken = Session::new(&examples, Options::default(), 1)?;
    unbroken.step()?;
    let saved = unbroken.save();
    let mut resumed = Session::resume(&saved, &examples, Options::default(), Box::new(Threads::new(1)?))?;
    unbroken.run()?;
    resumed.run()?;
    let (unbroken, resumed) = (unbroken.finish()?.answer, resumed.finish()?.answer);
    println!("{} {}", resumed.regex.clone().unwrap_or_default(), resumed == unbroken);
    Ok(())
}
