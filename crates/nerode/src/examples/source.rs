//! The bytes of a file of examples, and how mistakes in them are reported.

use std::fmt::Display;

use super::letters::Cut;
use crate::Error;
use crate::error::bail;

/// The mark that some editors put in front of a text in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What was read, and what to call it.
pub struct Source {
    /// What messages call it.
    pub name: String,
    bytes: Vec<u8>,
}

impl Source {
    /// A source that is at hand.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }

    /// What it says, without a byte-order mark.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.bytes)
    }

    /// The same as text, for formats that are text whatever their letters are.
    pub(super) fn text(&self) -> Result<&str, Error> {
        let bytes = self.bytes();
        std::str::from_utf8(bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
            self.at(line, "not UTF-8 text")
        })
    }

    /// Refuses UTF-16, which some shells and editors of Windows write, unless bytes are wanted as they are.
    pub fn check_encoding(&self, cut: Option<&Cut>) -> Result<(), Error> {
        let marked = self.bytes.starts_with(b"\xFF\xFE") || self.bytes.starts_with(b"\xFE\xFF");
        if marked && !matches!(cut, Some(Cut::Bytes(_))) {
            bail!("{}: UTF-16 text; save it as UTF-8", self.name);
        }
        Ok(())
    }

    /// The error about a line, counted from 1.
    pub fn at(&self, line: usize, message: impl Display) -> Error {
        Error::new(format_args!("{}:{line}: {message}", self.name))
    }
}

/// The lines, counted from 1, without their ends, be they of Unix or of Windows. What follows the last end is a line
/// when there is something.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes.split_inclusive(|&byte| byte == b'\n').enumerate().map(|(i, line)| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        (i + 1, line.strip_suffix(b"\r").unwrap_or(line))
    })
}
