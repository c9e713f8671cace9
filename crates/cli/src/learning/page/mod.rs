//! `report.html`: the answer as one self-contained page.

use automata::formats::grammar_text;
use serde_json::Value;

use super::{Run, told};

/// The page. Pictures that are too large to draw are left out.
pub(super) fn page(run: &Run, result: &Value, dfa: Option<&str>, nfa: Option<&str>) -> String {
    let title = run.regex().filter(|regex| regex.len() <= 80).unwrap_or_else(|| "a learned grammar".to_owned());
    let figure = |picture: Option<&str>, caption: &str| {
        picture.map_or(String::new(), |svg| {
            format!("<figure>{}<figcaption>{caption}</figcaption></figure>", without_declaration(svg))
        })
    };
    let settings = serde_json::to_string_pretty(result).unwrap_or_default();
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · nerode</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }}
pre {{ overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: .5rem; }}
figure {{ margin: 1.5rem 0; overflow-x: auto; background: #fff; border-radius: .5rem; padding: .5rem; }}
figure svg {{ max-width: 100%; height: auto; }}
figcaption {{ color: #555; font-size: .875rem; }}
</style>
</head>
<body>
<h1><code>{title}</code></h1>
<pre>{answer}</pre>
{dfa}
{nfa}
<h2>The grammar</h2>
<pre>{grammar}</pre>
<details><summary>Everything, for machines</summary><pre>{settings}</pre></details>
</body>
</html>
"#,
        title = escaped(&title),
        answer = escaped(&told::answer(run)),
        dfa = figure(dfa, "The minimal automaton, without its dead state."),
        nfa = figure(nfa, "The grammar as an automaton."),
        grammar = escaped(&grammar_text::write(&run.induced.grammar)),
        settings = escaped(&settings),
    )
}

/// A picture as part of a page: what stands before its first element is for files.
fn without_declaration(svg: &str) -> &str {
    svg.find("<svg").map_or(svg, |begin| &svg[begin..])
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
