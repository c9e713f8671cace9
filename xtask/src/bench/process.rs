//! Watches a process from outside: its memory, and a time limit.

use std::process::Child;
use std::time::{Duration, Instant};

/// Waits for a child; returns its peak memory, and whether it was stopped at the limit. The peak never falls, so the
/// last value seen is right except for the last moments.
pub(super) fn watched(mut child: Child, begin: Instant, limit: Duration) -> anyhow::Result<(Option<u64>, bool)> {
    let mut peak = None;
    let mut cut = false;
    while child.try_wait()?.is_none() {
        peak = peak_bytes(child.id()).or(peak);
        if begin.elapsed() >= limit {
            child.kill()?;
            cut = true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait()?;
    Ok((peak, cut))
}

/// The peak memory of a process, where the system reports it.
fn peak_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
