//! Saves a session, drops it, and goes on to the same answer.
#![allow(clippy::print_stdout, reason = "this is an example")]

use nerode::{Options, Session, Threads, examples};

fn main() -> Result<(), nerode::Error> {
    let examples = examples::of_words(["ab", "abab", "ababab"], ["a", "b", "ba", "aba", "abb"])?;
    let mut session = Session::new(&examples, Options::default(), 1)?;
    for _ in 0..5 {
        session.step()?;
    }
    let saved = session.save();
    drop(session);

    let mut session = Session::resume(&saved, &examples, Options::default(), Box::new(Threads::new(1)?))?;
    session.run()?;
    let resumed = session.finish()?.answer;
    let mut session = Session::new(&examples, Options::default(), 1)?;
    session.run()?;
    println!("{} {}", resumed.regex.clone().unwrap_or_default(), resumed == session.finish()?.answer);
    Ok(())
}
