//! Tables: a header that has columns `word` and `label`, then a row a word, quoted as RFC 4180 says.
//!
//! A row with an empty word is the empty word, quoted or not: whoever gave it a label meant it. A line without
//! anything on it, or with nothing but separators, is blank and skipped.

use csv::{ByteRecord, ReaderBuilder};

use super::label;
use super::letters::Cut;
use super::quoted;
use super::rows::{Row, Rows};
use super::source::Source;
use crate::Error;

/// Where the two columns are, and how many there are in all.
struct Columns {
    word: usize,
    label: usize,
    /// Where there is one.
    asked: Option<usize>,
    count: usize,
}

/// Reads a table whose fields stand between copies of `delimiter`.
pub(super) fn read(source: &Source, delimiter: u8, cut: &Cut, rows: &mut Rows) -> Result<(), Error> {
    rows.places.begin(&source.name);
    let bytes = source.bytes();
    let mut reader = ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(bytes);
    let mut record = ByteRecord::new();
    let mut columns = None;
    // The reader passes over blank lines without a word, and forgives quotes that RFC 4180 does not: both are found in
    // the bytes that it took for a record.
    let (mut end, mut line) = (0, 1);
    while reader.read_byte_record(&mut record)? {
        let begin = end;
        end = usize::try_from(reader.position().byte())?;
        let skipped = begin + bytes[begin..end].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        rows.blank += blank_lines(bytes, begin, skipped);
        line += newlines(&bytes[begin..skipped]);
        let raw = &bytes[skipped..end];
        let at = |message: String| source.at(line, message);
        check_quotes(raw, delimiter).map_err(|message| at(message.to_owned()))?;
        let fields = record.len();
        if record.iter().all(|field| field.trim_ascii().is_empty()) && !raw.contains(&b'"') {
            rows.blank += 1;
        } else {
            match &columns {
                None => columns = Some(header(&record).map_err(at)?),
                Some(Columns { count, .. }) if fields != *count => {
                    let plural = if fields == 1 { "" } else { "s" };
                    return Err(at(format!("this row has {fields} field{plural}, but the header has {count}")));
                }
                Some(Columns { word, label, asked, .. }) => {
                    let text = |column: usize| String::from_utf8_lossy(&record[column]);
                    let label = label::of_text(&text(*label)).map_err(at)?;
                    let asked = asked.map_or(Ok(false), |asked| label::was_asked(&text(asked))).map_err(at)?;
                    rows.push(&record[*word], cut, Row { label, line, asked }).map_err(at)?;
                }
            }
        }
        line += newlines(raw);
    }
    rows.blank += blank_lines(bytes, end, bytes.len());
    Ok(())
}

/// Finds the columns.
fn header(record: &ByteRecord) -> Result<Columns, String> {
    let names: Vec<String> = record.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
    let column = |wanted: &str| {
        let mut found = (0..names.len()).filter(|&i| names[i].eq_ignore_ascii_case(wanted));
        match (found.next(), found.next()) {
            (Some(column), None) => Ok(column),
            (Some(_), Some(_)) => Err(format!("two columns are named `{wanted}`")),
            (None, _) => Err(format!(
                "no column is called `{wanted}`: the first line names the columns, `word` and `label` among them, and \
                 here it is {}",
                quoted(&names.join(" | "))
            )),
        }
    };
    let asked = names.iter().position(|name| name.eq_ignore_ascii_case("asked"));
    Ok(Columns { word: column("word")?, label: column("label")?, asked, count: names.len() })
}

/// Quotes are around a whole field, and doubled inside it.
fn check_quotes(record: &[u8], delimiter: u8) -> Result<(), &'static str> {
    let mut inside = false;
    let mut before = delimiter;
    for &byte in record {
        if byte == b'"' {
            // A quote right after one that seemed to close the field is the second of a pair, and opens it again.
            if !inside && before != delimiter && before != b'"' {
                return Err("a quote in an unquoted field; quote the field and double the quote");
            }
            inside = !inside;
        } else if !inside && before == b'"' && byte != delimiter && !matches!(byte, b'\r' | b'\n') {
            return Err("text after the closing quote of a field; double a quote inside a field");
        }
        before = byte;
    }
    if inside { Err("missing closing quote in this row") } else { Ok(()) }
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// How many lines end between `begin` and `end`, where nothing but line ends is; the second half of the end before
/// `begin` is none of them.
fn blank_lines(bytes: &[u8], begin: usize, end: usize) -> usize {
    let half = begin > 0 && bytes[begin - 1] == b'\r' && bytes[begin..end].first() == Some(&b'\n');
    newlines(&bytes[begin..end]) - usize::from(half)
}
