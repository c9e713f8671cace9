//! `safetensors` files taken apart by hand, to look at them and to break them.

use serde_json::Value;

/// The text of the header, and the numbers after it.
pub(crate) fn opened(file: &[u8]) -> (String, &[u8]) {
    let (length, rest) = file.split_at(8);
    let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
    let (header, data) = rest.split_at(length);
    (String::from_utf8(header.to_vec()).unwrap(), data)
}

/// A file of this header and these numbers.
pub(crate) fn closed(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

/// The file with another header.
pub(crate) fn with_header(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let (header, data) = opened(file);
    let mut header: Value = serde_json::from_str(&header).unwrap();
    change(&mut header);
    closed(&header.to_string(), data)
}

/// The file with another text under a key of its metadata, changed as JSON.
pub(crate) fn with_text(file: &[u8], key: &str, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    with_header(file, |header| {
        let text = &mut header["__metadata__"][key];
        let mut value: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
        change(&mut value);
        *text = value.to_string().into();
    })
}
