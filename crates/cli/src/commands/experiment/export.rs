//! `nerode experiment export`.

use std::path::PathBuf;

use lab::study;

use super::{plan_text, read_plan};
use crate::folder::Folder;
use crate::{Answer, output};

/// Export the example sets of a plan, with their languages, for other programs.
///
/// Each set that the plan's jobs learn from is written once: `SET.jsonl` (one word and its label per line), `SET.dat`
/// (the Abbadingo format) and `SET.dfa.json` (the minimal automaton of the language). `sets.jsonl` lists them: the
/// name, the language, the draw, the run and the seed for learners.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment export grid --out sets
  nerode learn sets/t4-n2-p2-0.grid-8-even.r0.jsonl")]
pub(super) struct Arguments {
    /// A built-in plan, or a file.
    #[arg(value_name = "PLAN")]
    plan: String,

    /// Output folder.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Overwrite files in that folder that nerode did not write.
    #[arg(long)]
    force: bool,

    /// Print the list of sets as JSON lines.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let plan = read_plan(&plan_text(&arguments.plan)?, &arguments.plan)?;
    let mut folder = Folder::open(&arguments.out)?;
    if !arguments.force {
        folder.check(study::exported_files(&plan).iter().map(String::as_str))?;
    }
    let sets = study::export_with(&plan, |name, bytes| folder.put(name, Some(bytes)))?;
    if arguments.json {
        output::print_json_text(&study::list(&sets))?;
    } else {
        let out = output::one_line(&arguments.out.display().to_string());
        output::print(&format!("{}: {} sets in {out}\n", plan.name, sets.len()))?;
    }
    Ok(Answer::Yes)
}
