//! Columns as comma-separated values: names in the first line, missing values empty, text quoted where necessary.

use super::columns::{Column, Values};

/// The text of a table.
#[must_use]
pub fn csv(columns: &[Column]) -> String {
    let names: Vec<String> = columns.iter().map(|column| quoted(column.name)).collect();
    let mut out = names.join(",") + "\n";
    let rows = columns.first().map_or(0, |column| column.values.len());
    for row in 0..rows {
        let cells: Vec<String> = columns.iter().map(|column| cell(&column.values, row)).collect();
        out += &(cells.join(",") + "\n");
    }
    out
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Text(values) => values.len(),
            Self::Count(values) => values.len(),
            Self::Number(values) => values.len(),
            Self::Truth(values) => values.len(),
        }
    }
}

fn cell(values: &Values, row: usize) -> String {
    match values {
        // An empty text is distinguished from a missing one.
        Values::Text(values) => values[row].as_ref().map_or(String::new(), |text| match text.as_str() {
            "" => "\"\"".to_owned(),
            text => quoted(text),
        }),
        Values::Count(values) => values[row].map_or(String::new(), |count| count.to_string()),
        Values::Number(values) => values[row].map_or(String::new(), |number| number.to_string()),
        Values::Truth(values) => values[row].map_or(String::new(), |truth| truth.to_string()),
    }
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_empty_and_what_has_commas_is_quoted() {
        let columns = [
            Column { name: "a", values: Values::Text(vec![Some("x,\"y\"".to_owned()), None, Some(String::new())]) },
            Column { name: "b", values: Values::Number(vec![None, Some(0.1), Some(1.0)]) },
        ];
        assert_eq!(csv(&columns), "a,b\n\"x,\"\"y\"\"\",\n,0.1\n\"\",1\n");
    }
}
