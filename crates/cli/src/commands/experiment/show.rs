//! `nerode experiment show`.

use lab::plan::BUILT_IN;

use super::{plan_text, read_plan};
use crate::{Answer, output};

/// Print a plan, its jobs, or the list of built-in plans.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment show                    the built-in plans
  nerode experiment show paper > mine.toml  one of them, to edit
  nerode experiment show mine.toml --jobs   the specification of each of its jobs, one per line")]
pub(super) struct Arguments {
    /// A built-in plan, or a file; omit it to list the built-in plans.
    #[arg(value_name = "PLAN")]
    plan: Option<String>,

    /// Print the jobs of the plan as JSON lines, the input of `nerode experiment job`.
    #[arg(long, requires = "plan")]
    jobs: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let Some(operand) = &arguments.plan else {
        let mut text = String::new();
        for (name, plan) in BUILT_IN {
            let plan = read_plan(plan, name)?;
            text += &format!("{name:10} {:5} jobs  {}\n", plan.jobs.len(), plan.about);
        }
        output::print(&text)?;
        return Ok(Answer::Yes);
    };
    let text = plan_text(operand)?;
    // Check that it can be run.
    let plan = read_plan(&text, operand)?;
    if arguments.jobs {
        let mut lines = String::new();
        for job in &plan.jobs {
            lines += &(serde_json::to_string(job)? + "\n");
        }
        output::print_json_text(&lines)?;
    } else {
        output::print(&text)?;
    }
    Ok(Answer::Yes)
}
