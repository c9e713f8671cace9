//! Signals that stop a run. The first stops the session, which then gives its best answer so far; the second ends the
//! process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;
use induction::learner::Stop;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The last signal caught.
pub(crate) struct Signals {
    caught: Arc<AtomicUsize>,
}

impl Signals {
    /// Catches SIGINT, SIGTERM and SIGHUP from now on.
    pub(crate) fn listen(stop: Stop) -> anyhow::Result<Self> {
        let caught = Arc::new(AtomicUsize::new(0));
        let mut signals =
            signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot listen for signals")?;
        let last = Arc::clone(&caught);
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if last.swap(signal as usize, Ordering::Relaxed) != 0 {
                    std::process::exit(128 + signal);
                }
                stop.stop();
            }
        });
        Ok(Self { caught })
    }

    /// The exit code for the signal that stopped the run, if any.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        match self.caught.load(Ordering::Relaxed) {
            0 => None,
            signal => u8::try_from(128 + signal).ok(),
        }
    }
}
