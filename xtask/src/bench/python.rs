//! A Python virtual environment with the libraries that benchmarks compare with.

use std::path::PathBuf;
use std::process::Command;

use crate::{root, succeed};

/// The Python of `target/bench/venv` with these packages installed.
pub(crate) fn with_packages(packages: &[&str]) -> anyhow::Result<PathBuf> {
    let environment = root().join("target/bench/venv");
    let python = environment.join("bin/python");
    if !python.exists() {
        succeed(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    Ok(python)
}
