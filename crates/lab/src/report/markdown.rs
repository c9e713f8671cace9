//! A report as Markdown, with its pictures in files beside it.

use super::document::{Block, Document, Table};

/// The text of `report.md`.
#[must_use]
pub fn markdown(document: &Document) -> String {
    let mut out = format!("# {}\n", plain(&document.title));
    for section in &document.sections {
        out += &format!("\n## {}\n", plain(&section.title));
        for block in &section.blocks {
            out.push('\n');
            match block {
                Block::Text(text) => out += &format!("{}\n", plain(text)),
                Block::Command(command) => out += &format!("```sh\n{command}\n```\n"),
                Block::List(points) => points.iter().for_each(|point| out += &format!("- {}\n", plain(point))),
                Block::Table(table) => out += &self::table(table),
                Block::Picture(picture) => {
                    let caption = plain(&picture.caption);
                    out += &format!("![{caption}](pictures/{}.svg)\n", picture.name);
                }
            }
        }
    }
    out
}

fn table(table: &Table) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut out = format!("**{}**\n\n{}|---|", plain(&table.caption), row(&table.head));
    out += &"---:|".repeat(table.head.len().saturating_sub(1));
    out.push('\n');
    table.rows.iter().for_each(|cells| out += &row(cells));
    out
}

/// Text with Markdown syntax escaped.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '|' | '#' | '~' => out.extend(['\\', c]),
            c if automata::is_obeyed(c) => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_are_not_taken_for_signs() {
        assert_eq!(plain("a_b|c*"), "a\\_b\\|c\\*");
        assert_eq!(plain("two\nlines"), "two lines");
    }
}
