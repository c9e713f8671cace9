//! Languages built into the binary.

/// Names and grammars.
const LANGUAGES: [(&str, &str); 8] = [
    ("paper", include_str!("../../../testdata/languages/paper.txt")),
    ("tomita1", include_str!("../../../testdata/languages/tomita1.txt")),
    ("tomita2", include_str!("../../../testdata/languages/tomita2.txt")),
    ("tomita3", include_str!("../../../testdata/languages/tomita3.txt")),
    ("tomita4", include_str!("../../../testdata/languages/tomita4.txt")),
    ("tomita5", include_str!("../../../testdata/languages/tomita5.txt")),
    ("tomita6", include_str!("../../../testdata/languages/tomita6.txt")),
    ("tomita7", include_str!("../../../testdata/languages/tomita7.txt")),
];

/// The grammar of a built-in language.
pub(crate) fn grammar(name: &str) -> anyhow::Result<&'static str> {
    match LANGUAGES.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => Ok(text),
        None => {
            let known: Vec<&str> = LANGUAGES.iter().map(|(known, _)| *known).collect();
            anyhow::bail!("no example named {name:?}; the examples are {}", known.join(", "))
        }
    }
}
