//! `nerode experiment job`.

use std::io::Read;
use std::path::PathBuf;

use anyhow::Context;
use induction::learner::Stop;
use lab::spec::Spec;
use lab::study::{Folder, State, run_job};

use crate::clock::Clock;
use crate::signals::Signals;
use crate::{Answer, output};

/// Run one job, for use by a scheduler.
///
/// A finished job is not run again, and a repeated job writes the same bytes, so it is safe to call this more than
/// once, or on several machines at the same time.
///
/// Exit code: 0 if the job has an answer, 1 if it failed; its record says why.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment show smoke --jobs | split -l 1 - spec-
  nerode experiment job spec-aa --out study")]
pub(super) struct Arguments {
    /// The specification: a file with a line of `nerode experiment show PLAN --jobs`, or `-` for standard input.
    #[arg(value_name = "SPEC")]
    spec: PathBuf,

    /// Output folder.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Number of threads. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Print the record.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let shown = arguments.spec.display();
    let mut text = String::new();
    if arguments.spec.as_os_str() == "-" {
        std::io::stdin().lock().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = std::fs::read_to_string(&arguments.spec).with_context(|| format!("cannot read {shown}"))?;
    }
    let spec: Spec =
        serde_json::from_str(&text).with_context(|| format!("{shown} is not the specification of a job"))?;
    spec.check().with_context(|| shown.to_string())?;
    let folder = Folder::open(&arguments.out)?;
    let state = folder.state(&spec)?;
    if let State::Broken(why) = &state {
        let aside = folder.put_aside(&spec.name)?;
        crate::tell(&format!("{}: {why}; it was moved to {} and is run again", spec.name, aside.display()));
    }
    let record = match state {
        State::Done(record) => *record,
        State::Missing | State::Broken(_) => {
            let stop = Stop::new();
            let signals = Signals::listen(stop.clone())?;
            let threads = usize::from(arguments.threads);
            let Some((record, timing)) = run_job(&spec, threads, &Clock::new(None), &stop) else {
                crate::tell(&format!("{}: stopped; nothing was written", spec.name));
                return Ok(Answer::Interrupted(signals.exit_code().unwrap_or(1)));
            };
            folder.write(&record, &timing)?;
            record
        }
    };
    match (&record.error, &record.answer) {
        _ if arguments.json => output::print_json_text(&record.to_json())?,
        (Some(error), _) => output::print(&format!("{}: failed: {error}\n", spec.name))?,
        (None, Some(answer)) if answer.exact => output::print(&format!("{}: exact\n", spec.name))?,
        (None, _) => output::print(&format!("{}: not exact\n", spec.name))?,
    }
    Ok(if record.error.is_none() { Answer::Yes } else { Answer::No })
}
