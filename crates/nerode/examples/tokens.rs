//! Learns from traces: words whose letters are names.
#![allow(clippy::print_stdout, reason = "this is an example")]

use nerode::{Label, Options, Session, examples};

fn main() -> Result<(), nerode::Error> {
    let accepted = ["login logout", "login read logout", "login read read logout"];
    let rejected = ["login", "logout", "login read", "read logout", "login logout logout", "login login logout"];
    let split = |words: &[&'static str]| words.iter().map(|word| word.split(' ').collect()).collect::<Vec<Vec<&str>>>();
    let accepted = split(&accepted).into_iter().map(|word| (word, Label::Accepted));
    let rejected = split(&rejected).into_iter().map(|word| (word, Label::Rejected));
    let mut session = Session::new(&examples::of_tokens(accepted.chain(rejected))?, Options::default(), 1)?;
    session.run()?;
    println!("{}", session.finish()?.answer.regex.unwrap_or_default());
    Ok(())
}
