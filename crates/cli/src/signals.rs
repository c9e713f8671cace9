//! Signals that stop a command. The first one sets a flag, so that the command ends with what it has found; a second one
//! ends the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;
use induction::learner::Stop;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The first signal caught.
pub(crate) struct Signals {
    caught: Arc<AtomicUsize>,
}

impl Signals {
    /// Catches SIGINT, SIGTERM and SIGHUP from now on.
    pub(crate) fn listen(stop: Stop) -> anyhow::Result<Self> {
        let caught = Arc::new(AtomicUsize::new(0));
        let mut signals =
            signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot listen for signals")?;
        let first = Arc::clone(&caught);
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let is_first = first.compare_exchange(0, signal as usize, Ordering::Relaxed, Ordering::Relaxed).is_ok();
                // A terminal that closes sends SIGHUP, and so does its shell: two of these are no sign of impatience.
                if !is_first && signal != SIGHUP {
                    std::process::exit(128 + signal);
                }
                stop.stop();
            }
        });
        Ok(Self { caught })
    }

    /// The exit code for the signal that stopped the command, if any.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        match self.caught.load(Ordering::Relaxed) {
            0 => None,
            signal => u8::try_from(128 + signal).ok(),
        }
    }
}
