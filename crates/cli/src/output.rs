//! Output: standard output, or a file that is written whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use automata::BigUint;
use nerode::Count;
use tempfile::TempPath;

/// Prints text. Names of files and letters may contain terminal control characters; these are escaped.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let is_plain = |c: char, next: Option<char>| matches!(c, '\n' | '\t') || (c == '\r' && next == Some('\n'));
    print_raw(&visible(text, is_plain, |c, out| out.extend(c.escape_default())))
}

/// Prints JSON, with control characters in strings as `\uXXXX`.
pub(crate) fn print_json_text(text: &str) -> anyhow::Result<()> {
    print_raw(&json_visible(text))
}

fn print_raw(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context(NO_TERMINAL)
}

/// Prints text on standard error. Unlike `eprint!`, returns an error if that is full or closed.
pub(crate) fn print_error(text: &str) -> io::Result<()> {
    io::stderr().write_all(text.as_bytes())
}

const NO_TERMINAL: &str = "cannot write to standard output";

/// The text on one line, with all control characters escaped.
pub(crate) fn one_line(text: &str) -> String {
    visible(text, |_, _| false, |c, out| out.extend(c.escape_default()))
}

fn json_visible(text: &str) -> String {
    visible(text, |c, _| c == '\n', |c, out| out.push_str(&format!("\\u{:04x}", u32::from(c))))
}

/// Replaces control characters by `escape`, except those that `is_plain` allows, given the next character.
fn visible(text: &str, is_plain: impl Fn(char, Option<char>) -> bool, escape: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if automata::is_obeyed(c) && !is_plain(c, chars.peek().copied()) { escape(c, &mut out) } else { out.push(c) }
    }
    out
}

/// Prints a value as indented JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print_json_text(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// Prints a JSON object: these entries, whose values are JSON already, then a list. Items are streamed, since they may
/// not fit into memory.
pub(crate) fn print_json_list<T: serde::Serialize>(
    entries: &[(&str, String)],
    list: &str,
    items: impl Iterator<Item = T>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    out.write_all(b"{\n")?;
    for (name, value) in entries {
        writeln!(out, "  \"{name}\": {value},")?;
    }
    write!(out, "  \"{list}\": [")?;
    let mut is_empty = true;
    for item in items {
        out.write_all(if is_empty { b"\n    " } else { b",\n    " })?;
        out.write_all(json_visible(&serde_json::to_string(&item)?).as_bytes())?;
        is_empty = false;
    }
    out.write_all(if is_empty { b"]\n}\n" } else { b"\n  ]\n}\n" })?;
    out.flush()?;
    Ok(())
}

/// A number of any size, as JSON.
pub(crate) fn json_number(number: &BigUint) -> Count {
    Count(number.clone())
}

/// Whether the error is a closed pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe))
}

/// An output, opened before the work so that a bad path fails at once.
pub(crate) enum Output {
    Terminal,
    /// A file, which exists only once it is whole.
    File {
        path: PathBuf,
    },
    /// A pipe or device, which must not be replaced by a file.
    Special {
        file: File,
        path: PathBuf,
    },
}

impl Output {
    /// Opens standard output for `None` and `-`, else the file at `path`.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else { return Ok(Output::Terminal) };
        let cannot_write = || cannot_write(path);
        // Follow links, so that the link itself is kept.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.is_dir() {
            return Err(anyhow::anyhow!("is a folder")).with_context(cannot_write);
        }
        if path.exists() && !path.is_file() {
            let file = File::options().write(true).open(&path).with_context(cannot_write)?;
            return Ok(Output::Special { file, path });
        }
        let folder = folder_of(&path);
        // Check the folder first: the error of the temporary file would mention the temporary name.
        std::fs::metadata(folder).with_context(cannot_write)?;
        // Only a trial: a process that is killed at work must leave nothing behind.
        lab::files::temporary(folder).with_context(cannot_write)?;
        Ok(Output::File { path })
    }

    /// Writes the result and moves a file into place.
    pub(crate) fn finish(self, text: &str) -> anyhow::Result<()> {
        self.finish_bytes(text.as_bytes())
    }

    /// Like `finish`, for bytes.
    pub(crate) fn finish_bytes(self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut stream = self.stream()?;
        let written = stream.write_all(bytes);
        stream.finish(written)
    }

    /// The output as a stream, for results written piece by piece.
    pub(crate) fn stream(self) -> anyhow::Result<Stream> {
        Ok(match self {
            Output::Terminal => Stream::Terminal(BufWriter::new(io::stdout().lock())),
            Output::Special { file, path } => Stream::Special { file: BufWriter::new(file), path },
            Output::File { path } => {
                let temporary = lab::files::temporary(folder_of(&path)).with_context(|| cannot_write(&path))?;
                // Errors of the file alone do not mention its temporary name.
                let (file, temporary) = temporary.into_parts();
                Stream::File { file: BufWriter::new(file), temporary, path }
            }
        })
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write to {}", path.display())
}

/// An output being written.
pub(crate) enum Stream {
    Terminal(BufWriter<StdoutLock<'static>>),
    /// A temporary file beside the target, then moved to it.
    File {
        file: BufWriter<File>,
        temporary: TempPath,
        path: PathBuf,
    },
    Special {
        file: BufWriter<File>,
        path: PathBuf,
    },
}

impl Stream {
    /// Finishes after the last write, whose result is `written`, and moves a file into place. Errors name the path.
    pub(crate) fn finish(self, written: io::Result<()>) -> anyhow::Result<()> {
        let (finished, path) = match self {
            Stream::Terminal(mut out) => return written.and_then(|()| out.flush()).context(NO_TERMINAL),
            Stream::Special { mut file, path } => (written.and_then(|()| file.flush()), path),
            Stream::File { mut file, temporary, path } => {
                let whole = written.and_then(|()| file.flush());
                (whole.and_then(|()| temporary.persist(&path).map_err(|error| error.error)), path)
            }
        };
        finished.with_context(|| cannot_write(&path))
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Terminal(out) => out.write(bytes),
            Stream::File { file, .. } | Stream::Special { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Terminal(out) => out.flush(),
            Stream::File { file, .. } | Stream::Special { file, .. } => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_by_their_numbers() {
        assert_eq!(one_line("a\u{1b}[2J\nb\u{9b}\u{7f}é"), r"a\u{1b}[2J\nb\u{9b}\u{7f}é");
        assert_eq!(one_line("a\u{202e}b\u{2069}\u{200f}é\u{200d}"), "a\\u{202e}b\\u{2069}\\u{200f}é\u{200d}");
        let text = serde_json::to_string_pretty(&["\u{1b}\n\u{9b}"]).unwrap();
        assert_eq!(json_visible(&text), "[\n  \"\\u001b\\n\\u009b\"\n]");
        assert_eq!(serde_json::from_str::<[String; 1]>(&json_visible(&text)).unwrap(), ["\u{1b}\n\u{9b}"]);
    }
}
