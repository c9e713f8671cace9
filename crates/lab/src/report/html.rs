//! A report as one page that needs no other file and no network, for day and night.

use automata::drawing::escaped;

use super::document::{Block, Document, Table};
use nerode::pictures::night;
use nerode::policy::with_policy;

/// The text of `report.html`.
#[must_use]
pub fn html(document: &Document) -> String {
    let title = escaped(&document.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}@media (prefers-color-scheme: dark) {{ {} }}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n<nav><ul>\n",
        night()
    );
    for (i, section) in document.sections.iter().enumerate() {
        out += &format!("<li><a href=\"#s{i}\">{}</a></li>\n", escaped(&section.title));
    }
    out += "</ul></nav>\n";
    for (i, section) in document.sections.iter().enumerate() {
        out += &format!("<section>\n<h2 id=\"s{i}\">{}</h2>\n", escaped(&section.title));
        section.blocks.iter().for_each(|block| out += &self::block(block));
        out += "</section>\n";
    }
    with_policy(&(out + "</body>\n</html>\n"))
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => format!("<p>{}</p>\n", escaped(text)),
        Block::Command(command) => format!("<pre>{}</pre>\n", escaped(command)),
        Block::List(points) => {
            let points: String = points.iter().map(|point| format!("<li>{}</li>\n", escaped(point))).collect();
            format!("<ul>\n{points}</ul>\n")
        }
        Block::Table(table) => self::table(table),
        Block::Picture(picture) => {
            format!("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", picture.svg, escaped(&picture.caption))
        }
    }
}

fn table(table: &Table) -> String {
    let row = |cells: &[String], tag: &str| {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(|cells| row(cells, "td")).collect();
    format!(
        "<div class=\"table\"><table>\n<caption>{}</caption>\n<thead>\n{}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n",
        escaped(&table.caption),
        row(&table.head, "th")
    )
}

const STYLE: &str = "\
:root { color-scheme: light dark; --ground: #fff; --ink: #1c2330; --faint: #5a6475; --rule: #d5dae3; --band: #f4f6f9; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #171b22; --ink: #e4e8ef; --faint: #9aa5b6; --rule: #353d4a; --band: #1e242d; }
}
body { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--rule); }
p, li { max-width: 46rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; font-size: .9rem; }
nav li { max-width: none; }
a { color: inherit; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--rule); border-radius: .5rem; background: var(--band); }
.table { overflow-x: auto; margin: 1.25rem 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th { color: var(--faint); font-weight: 500; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tbody tr:nth-child(even) { background: var(--band); }
figure { margin: 1.5rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: var(--faint); font-size: .875rem; max-width: 46rem; }
@media print { body { margin: 0; max-width: none; } section { break-inside: avoid-page; } }
";
