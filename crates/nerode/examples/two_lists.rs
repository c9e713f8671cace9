//! Learns from two lists of words and prints what it found.
#![allow(clippy::print_stdout, reason = "this is an example")]

fn main() -> Result<(), nerode::Error> {
    let accepted = ["c", "ac", "bc", "cc", "abc", "bac", "acc", "ccc", "aabc", "babcc", "bbbac"];
    let rejected =
        ["a", "b", "ca", "cb", "ab", "ba", "aca", "cac", "bcb", "accb", "cca", "abab", "ccca", "acac", "cbc"];
    let learned = nerode::learn(accepted, rejected)?;
    println!("{}", learned.answer.regex.unwrap_or_default());
    println!("{}", learned.answer.description);
    Ok(())
}
