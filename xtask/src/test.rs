//! `cargo xtask test`.

use crate::{browser, cargo, succeed};

/// Each check in turn; the first failure ends it.
pub(crate) fn run() -> anyhow::Result<()> {
    let checks: [(&str, &[&str]); 4] = [
        ("format", &["fmt", "--all", "--check"]),
        ("clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
        ("tests", &["test", "--workspace", "--locked"]),
        ("documentation", &["doc", "--workspace", "--no-deps", "--locked"]),
    ];
    for (name, arguments) in checks {
        println!("── {name}: cargo {}", arguments.join(" "));
        succeed(cargo().args(arguments).env("RUSTDOCFLAGS", "-D warnings"))?;
    }
    println!("── pages: in a browser");
    browser::check()?;
    println!("── all checks passed");
    Ok(())
}
