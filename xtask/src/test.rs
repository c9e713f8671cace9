//! `cargo xtask test`.

use std::time::Instant;

use crate::{browser, cargo, succeed};

/// Each check in turn; the first failure ends it. Each says how long it took.
pub(crate) fn run() -> anyhow::Result<()> {
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
    println!("── all checks passed in {}", minutes(began));
    Ok(())
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
