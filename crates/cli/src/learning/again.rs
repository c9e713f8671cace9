//! The command that reproduces an answer: the one typed, without options that do not affect the answer.

use std::ffi::OsString;

/// Options with a value that do not affect what is learned.
const IDLE: [&str; 5] = ["--out", "--threads", "--save-examples", "--progress-frames", "--checkpoint"];
/// The same, without a value.
const IDLE_ALONE: [&str; 2] = ["--json", "--force"];

/// The command for these arguments, given without the program's name.
pub(crate) fn command(arguments: impl IntoIterator<Item = OsString>, seed: u64) -> String {
    let mut words = vec!["nerode".to_owned()];
    let mut arguments = arguments.into_iter().map(|argument| argument.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        let (name, value) = match argument.split_once('=') {
            Some((name, _)) if name.starts_with("--") => (name, true),
            _ => (&argument[..], false),
        };
        if IDLE_ALONE.contains(&name) {
            continue;
        }
        if IDLE.contains(&name) {
            if !value {
                arguments.next();
            }
            continue;
        }
        words.push(quoted(&argument));
    }
    if !words.iter().any(|word| word == "--seed" || word.starts_with("--seed=")) {
        words.push(format!("--seed {seed}"));
    }
    words.join(" ") + " --out DIR"
}

/// Quoted for a shell.
pub(crate) fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_is_kept_and_can_be_typed() {
        let typed = |line: &[&str]| command(line.iter().map(OsString::from), 7);
        assert_eq!(typed(&["learn", "--out", "run", "--force", "--json"]), "nerode learn --seed 7 --out DIR");
        assert_eq!(
            typed(&["learn", "my good.txt", "b.txt", "--threads=2", "--classes", "d=[0-9]", "--time-limit", "5"]),
            "nerode learn 'my good.txt' b.txt --classes 'd=[0-9]' --time-limit 5 --seed 7 --out DIR"
        );
        assert_eq!(typed(&["learn", "it's", "--seed=7"]), r"nerode learn 'it'\''s' --seed=7 --out DIR");
    }
}
