//! Opens the pages that `nerode` writes in headless Chromium: their scripts must give the right verdicts on words, and
//! the console must stay empty.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::{cargo, root, succeed};

/// Time limit for showing a page.
const PATIENCE: Duration = Duration::from_secs(60);

/// A word typed into the box of a report, the expected verdict, and expected parts of the path and the reason.
struct Case {
    page: &'static str,
    word: &'static str,
    verdict: &'static str,
    path: &'static str,
    why: &'static str,
}

const CASES: [Case; 7] = [
    Case { page: "paper", word: "abcc", verdict: "✓ accepted", path: "0a0b0c1c1", why: "ends in state 1" },
    Case {
        page: "paper", word: "abcac", verdict: "✗ rejected", path: "0a0b0c1a✗c", why: "No match after “abc”"
    },
    Case { page: "paper", word: "", verdict: "✗ rejected", path: "0", why: "does not accept" },
    Case { page: "paper", word: "ad", verdict: "✗ rejected", path: "0a0d", why: "Unknown letter “d”" },
    Case { page: "classes", word: "2031-07", verdict: "✓ accepted", path: "2", why: "which accepts" },
    Case { page: "hostile", word: "</script> & \"", verdict: "✓ accepted", path: "&amp;", why: "which accepts" },
    Case {
        page: "hostile",
        word: "& </script>",
        verdict: "✗ rejected",
        path: "&lt;/script&gt;",
        why: "which does not accept",
    },
];

/// Writes pages, opens them, and compares what they show with what is expected.
pub(crate) fn check() -> anyhow::Result<()> {
    let Some(browser) = chromium()? else {
        println!(
            "SKIPPED: the pages are checked in Chromium, and there is none. Install it (apt-get install chromium), or name it \
             in $CHROMIUM, and run cargo xtask pages"
        );
        return Ok(());
    };
    let folder = root().join("target/pages");
    let pages = pages(&folder)?;
    let mut seen = 0;
    for case in &CASES {
        let address = format!("{}#word={}", address(&pages.join(case.page).join("report.html")), percent(case.word));
        let shown = show(&browser, &address, &folder)?;
        let text = |id: &str| text_of(&shown, id).with_context(|| format!("{address}: there is no {id}"));
        for (id, expected) in [("verdict", case.verdict), ("path", case.path), ("why", case.why)] {
            let text = text(id)?;
            ensure!(text.contains(expected), "{address}: {id} says “{text}” and not “{expected}”");
        }
        let derived = text("derivation")?;
        ensure!(derived.is_empty() == case.verdict.starts_with('✗'), "{address}: derived by “{derived}”");
        seen += 1;
    }
    let shown = show(&browser, &address(&folder.join("training.html")), &folder)?;
    ensure!(shown.contains("✓ answer") && shown.contains("epoch"), "training.html shows no restarts");
    println!("{} pages show what they should, with no console output", seen + 1);
    Ok(())
}

/// The folders of a few runs: the paper's example, character classes, and letters that would break a careless page.
fn pages(folder: &Path) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let put = |name: &str, text: &str| -> anyhow::Result<String> {
        let path = folder.join(name);
        std::fs::write(&path, text)?;
        Ok(path.to_string_lossy().into_owned())
    };
    let good = put("good.txt", "2024-01\n2019-12\n2020-10\n1999-05\n1987-06\n2003-08\n1875-11\n2046-09\n")?;
    let bad = put("bad.txt", "2024\n2024-\n-01\n2024-1\n24-01\n2024-011\n202-01\n20244-01\n2024:01\nabcd-ef\n")?;
    let hostile = put(
        "hostile.jsonl",
        r#"{"word": ["</script>", "&", "\""], "label": 1}
{"word": ["</script>", "\""], "label": 1}
{"word": ["</script>", "&", "&", "\""], "label": 1}
{"word": ["</script>"], "label": 0}
{"word": ["&"], "label": 0}
{"word": ["\""], "label": 0}
{"word": [], "label": 0}
{"word": ["</script>", "&"], "label": 0}
{"word": ["</script>", "</script>", "\""], "label": 0}
{"word": ["</script>", "\"", "\""], "label": 0}
{"word": ["</script>", "\"", "&"], "label": 0}
{"word": ["<!--", "\\"], "label": 0}
{"word": ["&", "</script>"], "label": 0}
"#,
    )?;
    let runs: [(&str, &[&str]); 3] = [
        ("paper", &["--progress-frames", "12"]),
        ("classes", &[&good, &bad]),
        ("hostile", &[&hostile, "--learner", "edsm"]),
    ];
    for (name, arguments) in runs {
        let out = folder.join(name);
        let mut learn = nerode();
        learn.arg("learn").args(arguments).arg("--out").arg(&out);
        succeed(learn.stdout(Stdio::null()))?;
    }
    let mut training = nerode();
    training.arg("training").arg(folder.join("paper")).arg("-o").arg(folder.join("training.html"));
    succeed(&mut training)?;
    Ok(folder.to_owned())
}

fn nerode() -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--locked", "--package", "nerode-cli", "--"]);
    command
}

/// The page after its scripts have run. Any console output is an error.
fn show(browser: &Path, address: &str, folder: &Path) -> anyhow::Result<String> {
    let (dom, log, profile) = (folder.join("dom.html"), folder.join("console.log"), folder.join("profile"));
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--enable-logging=stderr", "--v=0", "--virtual-time-budget=3000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(address)
        .stdin(Stdio::null())
        .stdout(File::create(&dom)?)
        .stderr(File::create(&log)?);
    let mut child = command.spawn().with_context(|| format!("cannot run {}", browser.display()))?;
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if began.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            bail!("{} did not show {address} within {} seconds", browser.display(), PATIENCE.as_secs());
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let log = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    ensure!(status.success(), "{} failed to show {address}: {}", browser.display(), log.lines().last().unwrap_or(""));
    if let Some(line) = log.lines().find(|line| line.contains("CONSOLE")) {
        bail!("{address}: the console says {line}");
    }
    Ok(String::from_utf8_lossy(&std::fs::read(&dom)?).into_owned())
}

/// The text of the element with this id, without tags.
fn text_of(page: &str, id: &str) -> Option<String> {
    let opening = page.find(&format!(" id=\"{id}\""))?;
    let tag = page[..opening].rsplit_once('<')?.1;
    let begin = opening + page[opening..].find('>')? + 1;
    let end = begin + page[begin..].find(&format!("</{tag}>"))?;
    let pieces = page[begin..end].split('<').enumerate();
    Some(
        pieces
            .map(|(i, piece)| if i == 0 { piece } else { piece.split_once('>').map_or("", |(_, text)| text) })
            .collect(),
    )
}

fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn percent(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric();
    text.bytes().map(|b| if plain(&b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// A Chromium: `$CHROMIUM`, one on the path, or, for root with apt-get, Debian's, installed now.
fn chromium() -> anyhow::Result<Option<PathBuf>> {
    const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    let on_path = |name: &str| {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    let known = || NAMES.into_iter().find_map(on_path);
    if let Some(browser) = std::env::var_os("CHROMIUM").map(PathBuf::from).or_else(known) {
        return Ok(Some(browser));
    }
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if is_root && on_path("apt-get").is_some() {
        let apt = |arguments: &[&str]| {
            let mut command = Command::new("apt-get");
            succeed(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
        };
        // Package lists may be missing or outdated; installation may work even if this fails.
        let _ = apt(&["update", "-qq"]);
        apt(&["install", "-y", "-qq", "--no-install-recommends", "chromium"]).context("cannot install chromium")?;
    }
    Ok(known())
}
