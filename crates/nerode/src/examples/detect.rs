//! Which format a file of examples has: by the ending of its name, else by how it begins.

use std::path::Path;

use automata::formats::abbadingo;

use super::Format;
use super::source::lines;

/// The format that the ending of a name is for.
pub fn by_name(path: &Path) -> Option<Format> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "csv" => Some(Format::Csv),
        "tsv" | "tab" => Some(Format::Tsv),
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        "abbadingo" => Some(Format::Abbadingo),
        _ => None,
    }
}

/// The format that a file of labelled words looks like; plain text when it looks like none.
pub fn by_content(bytes: &[u8]) -> Format {
    let Some((_, first)) = lines(bytes).find(|(_, line)| !line.trim_ascii().is_empty()) else { return Format::Text };
    if first.trim_ascii_start().starts_with(b"{") {
        Format::Jsonl
    } else if is_header(first, b'\t') {
        Format::Tsv
    } else if is_header(first, b',') {
        Format::Csv
    } else if std::str::from_utf8(bytes).is_ok_and(abbadingo::looks_like) {
        Format::Abbadingo
    } else {
        Format::Text
    }
}

/// Whether both columns are named.
fn is_header(line: &[u8], delimiter: u8) -> bool {
    let has = |wanted: &[u8]| {
        line.split(|&byte| byte == delimiter).any(|name| {
            let name = name.trim_ascii();
            let name = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name);
            name.trim_ascii().eq_ignore_ascii_case(wanted)
        })
    };
    has(b"word") && has(b"label")
}
