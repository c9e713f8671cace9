//! `report.html` and `nerode training`: pages that are whole, need nothing else, and say what letters say and no more.
//! What their scripts do is tried in a browser by `cargo xtask pages`.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn nerode(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn file(folder: &Path, path: &str) -> String {
    std::fs::read_to_string(folder.join(path)).unwrap()
}

/// All text between tags, if every element is closed in turn and every attribute quoted.
fn checked(page: &str) -> String {
    const VOID: [&str; 4] = ["meta", "input", "br", "!doctype"];
    let (mut open, mut text) = (Vec::new(), String::new());
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        text += &rest[..at];
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        assert!(name.trim_start_matches(['/', '!']).chars().all(|c| c.is_ascii_alphanumeric()), "{tag}");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed in turn");
        } else if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name);
            // What scripts and styles hold is not HTML, up to their end.
            if ["script", "style"].contains(&name) {
                let end = rest.find(&format!("</{name}")).expect("it ends");
                rest = &rest[end..];
            }
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    text + rest
}

/// Nothing is fetched from anywhere, by whatever a browser knows.
fn assert_self_contained(page: &str) {
    let small = page.to_lowercase();
    for way in
        ["http:", "https:", " src=", "<link", "@import", "url(", "fetch(", "xmlhttp", "<iframe", "<base", "import("]
    {
        assert!(!small.contains(way), "the page has {way}");
    }
    // And should something get in, it is not run: a policy that knows the page's own scripts and styles comes first.
    let (before, policy) =
        page.split_once("<meta http-equiv=\"Content-Security-Policy\" content=\"").expect("a policy");
    assert!(!before.contains("<style") && !before.contains("<script"), "the policy comes first");
    let policy = policy.split_once('"').expect("it ends").0;
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe-inline"),
        "{policy}"
    );
    assert_eq!(policy.contains("; script-src 'sha256-"), page.contains("<script>"), "{policy}");
    for (at, _) in small.match_indices("href=\"") {
        assert!(small[at + 6..].starts_with('#'), "a link elsewhere: {}", &small[at..small.len().min(at + 60)]);
    }
}

#[test]
fn a_report_is_whole_and_needs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = nerode(&["learn", "--out", "run", "--progress-frames", "8"], folder.path());
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let page = file(folder.path(), "run/report.html");
    assert_self_contained(&page);
    let text = checked(&page);
    for said in [
        "[ab]*c+",
        "All words over a, b, c that end in c, with no a or b after the first c.",
        "A1 -&gt; A2 c",
        "consistent: all 120 examples replayed, none wrong",
        "120 words (60 accepted, 60 rejected)",
        "nerode learn --seed 0 --out DIR",
        "which gave the answer",
        "This grammar is unambiguous: every word has one parse tree.",
    ] {
        assert!(text.contains(said), "the page does not say {said}");
    }
    for part in ["prefers-color-scheme", "@media print", "name=\"viewport\"", "id=\"word\"", "class=\"player\""] {
        assert!(page.contains(part), "the page has no {part}");
    }
    assert_eq!(page.matches("<svg ").count(), 4, "two automata, losses, and the strip");
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    insta::assert_snapshot!("report", lines.join("\n"));
}

#[test]
fn hostile_letters_stay_letters() {
    let folder = tempfile::tempdir().unwrap();
    let letters =
        ["</script>", "<b>", "&amp;", "\"", "\\", "<!--", "'", "\u{2028}", "]]>", "${x}", "</style>", "\u{0}"];
    let row = |word: &[&str], label: u8| format!("{}\n", serde_json::json!({ "word": word, "label": label }));
    let mut rows: String = letters.iter().map(|letter| row(&[letter], 1)).collect();
    rows += &letters.iter().map(|letter| row(&[letter, letter], 0)).collect::<String>();
    rows += &row(&[], 0);
    std::fs::write(folder.path().join("hostile.jsonl"), rows).unwrap();
    let arguments = ["learn", "hostile.jsonl", "--restarts", "16", "--moves", "100000", "--out", "run"];
    let out = nerode(&arguments, folder.path());
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    assert_eq!(nerode(&["training", "run", "-o", "training.html"], folder.path()).status.code(), Some(0));
    for path in ["run/report.html", "training.html"] {
        let page = file(folder.path(), path);
        assert_self_contained(&page);
        let text = checked(&page);
        assert!(!text.contains("<b>") && !page.contains("<!--") && !page.contains('\0'), "{path}");
        // The data in it are read as they were meant.
        for data in page.split("<script type=\"application/json\"").skip(1) {
            let (_, data) = data.split_once('>').unwrap();
            let (data, _) = data.split_once("</script>").unwrap();
            let data: Value = serde_json::from_str(data).unwrap();
            let names = data.get("letters").or(data.get("alphabet")).unwrap().as_array().unwrap();
            assert!(letters.iter().all(|letter| names.contains(&Value::from(*letter))), "{path}: {names:?}");
        }
    }
}

/// What is recorded changes nothing: answer, model and losses are the same bytes with frames and without.
#[test]
fn frames_change_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &[&str]| {
        let learner = ["learn", "--learner", "neural", "--restarts", "64", "--json", "--out", name];
        let output = nerode(&[&learner, more].concat(), folder.path());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        output.stdout
    };
    let without = run("off", &["--progress-frames", "0"]);
    for (name, more) in [
        ("usual", &[][..]),
        ("many", &["--progress-frames", "200", "--threads", "1"]),
        ("again", &["--progress-frames", "200", "--threads", "3"]),
        ("two", &["--progress-frames", "2"]),
    ] {
        assert!(run(name, more) == without, "{name}");
        for same in ["result.json", "grammar.txt", "nfa.json", "dfa.svg"] {
            assert_eq!(file(folder.path(), &format!("{name}/{same}")), file(folder.path(), &format!("off/{same}")));
        }
        let bytes = |run: &str| std::fs::read(folder.path().join(run).join("model.safetensors")).unwrap();
        assert!(bytes(name) == bytes("off"), "{name}");
        let (lines, plain) =
            (file(folder.path(), &format!("{name}/training.jsonl")), file(folder.path(), "off/training.jsonl"));
        let frames = lines.strip_prefix(&plain).expect("the epochs are the same, and come first");
        let frames: Value = serde_json::from_str(frames).expect("one more line");
        assert!(frames["answer"].is_u64() && frames["frames"].as_array().unwrap().len() >= 2, "{name}");
        assert_eq!(frames["frames"][0]["epochs"], 0);
    }
    for same in ["training.jsonl", "report.html"] {
        assert_eq!(file(folder.path(), &format!("many/{same}")), file(folder.path(), &format!("again/{same}")));
    }
    assert!(!file(folder.path(), "off/report.html").contains("class=\"player\""));
}

#[test]
fn a_training_is_shown_or_one_line_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(nerode(&["learn", "--out", "run", "--progress-frames", "30"], path).status.code(), Some(0));
    assert_eq!(nerode(&["learn", "--out", "merged", "--learner", "edsm"], path).status.code(), Some(0));
    assert_eq!(nerode(&["learn", "--out", "bare", "--progress-frames", "0"], path).status.code(), Some(0));
    let page = nerode(&["training", "run"], path);
    assert_eq!(page.status.code(), Some(0), "{page:?}");
    let page = String::from_utf8(page.stdout).unwrap();
    assert_self_contained(&page);
    checked(&page);
    for arguments in [&["--epochs", "0,3,1000"][..], &["--restart", "5"], &["--losses"]] {
        let shown = nerode(&[&["training", "run/training.jsonl", "-o", "x.svg"], arguments].concat(), path);
        assert_eq!(shown.status.code(), Some(0), "{shown:?}");
        checked(&file(path, "x.svg"));
    }
    // The answer's restart was trained for 130 epochs, others of its block for longer.
    let shown = nerode(&["training", "run", "-o", "x.svg", "--epochs", "0,5,1000"], path);
    let note = String::from_utf8(shown.stderr).unwrap();
    assert!(note.contains("showing the nearest recorded epochs: 0, ") && note.ends_with(", 130\n"), "{note}");
    assert!(file(path, "x.svg").contains(">130</text>"));
    let shown = nerode(&["training", "run", "-o", "x.svg", "--epochs", "0,130"], path);
    assert!(shown.stderr.is_empty(), "{shown:?}");
    let losses = nerode(&["training", "bare", "-o", "losses.svg", "--losses"], path);
    assert_eq!(losses.status.code(), Some(0), "{losses:?}");
    std::fs::write(path.join("broken.jsonl"), "{\"block\": 0}\n").unwrap();
    for (arguments, why) in [
        (&["training", "merged"][..], "no training recorded"),
        (&["training", "bare", "-o", "x.svg"], "--progress-frames N` records one block"),
        (
            &["training", "run", "-o", "x.svg", "--block", "2"],
            "the beliefs of block 2 were not recorded; those of block 0 were",
        ),
        (&["training", "run", "-o", "x.svg", "--restart", "16"], "no restart 16"),
        (&["training", "run", "--block", "99"], "no block 99"),
        (&["training", "run", "--losses"], "add -o FILE.svg"),
        (&["training", "broken.jsonl"], "broken.jsonl: line 1: missing field"),
        (&["training", "nowhere"], "cannot read nowhere"),
        (&["learn", "--progress-frames", "3"], "--out"),
    ] {
        let output = nerode(arguments, path);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(why) && message.lines().count() == 1, "{arguments:?}: {message}");
    }
}
