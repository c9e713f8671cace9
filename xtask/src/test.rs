//! `cargo xtask test`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::ensure;

use crate::bench::nerode;
use crate::{answers, browser, cargo, root, succeed};

/// Runs all checks up to the first failure, and reports the time of each.
pub(crate) fn run(all: bool) -> anyhow::Result<()> {
    let checks: [(&str, &[&str]); 4] = [
        ("format", &["fmt", "--all", "--check"]),
        ("clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
        ("tests", &["test", "--workspace", "--locked"]),
        ("documentation", &["doc", "--workspace", "--no-deps", "--locked"]),
    ];
    let began = Instant::now();
    for (name, arguments) in checks {
        println!("── {name}: cargo {}", arguments.join(" "));
        timed(name, || succeed(cargo().args(arguments).env("RUSTDOCFLAGS", "-D warnings")))?;
    }
    println!("── pages: in a browser");
    timed("pages", browser::check)?;
    if all {
        println!("── answers: cargo xtask answers --only tomita");
        timed("answers", || {
            let differences = answers::run(&answers::Options::of_suite("tomita"))?;
            ensure!(differences == 0, "{differences} answers are not those of docs/results/answers.tsv");
            Ok(())
        })?;
        println!("── study: the plan smoke with one thread and with two");
        timed("study", study)?;
        println!("── benchmarks: cargo bench --workspace --no-run");
        timed("benchmarks", || succeed(cargo().args(["bench", "--workspace", "--locked", "--no-run"])))?;
    }
    println!("── all checks passed in {}", minutes(began));
    Ok(())
}

/// Checks that one and two threads give the same records.
fn study() -> anyhow::Result<()> {
    let nerode = nerode()?;
    let folder = root().join("target/study");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let run = |threads: &str| -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
        let out = folder.join(threads);
        let mut command = Command::new(&nerode);
        command.args(["experiment", "run", "smoke", "--threads", threads, "--out"]).arg(&out);
        succeed(command.stdout(Stdio::null()))?;
        records(&out.join("jobs"))
    };
    let (one, two) = (run("1")?, run("2")?);
    ensure!(!one.is_empty() && one.keys().eq(two.keys()), "with two threads there are other records");
    for (name, record) in &one {
        ensure!(two[name] == *record, "{name} depends on the number of threads");
    }
    println!("{} records, the same with one thread and with two", one.len());
    Ok(())
}

/// The records in a folder, without times, which may differ.
fn records(jobs: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut records = BTreeMap::new();
    for entry in std::fs::read_dir(jobs)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".timing.json") {
            records.insert(name, std::fs::read(&path)?);
        }
    }
    Ok(records)
}

fn timed(name: &str, check: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    let began = Instant::now();
    check()?;
    println!("── {name}: {}", minutes(began));
    Ok(())
}

fn minutes(began: Instant) -> String {
    format!("{:.1} min", began.elapsed().as_secs_f64() / 60.0)
}
