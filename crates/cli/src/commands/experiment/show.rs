//! `nerode experiment show`.

use lab::plan::BUILT_IN;

use super::{plan_text, read_plan};
use crate::{Answer, output};

/// Print a plan, its jobs, or the plans that come with nerode.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode experiment show                    the plans that come with nerode
  nerode experiment show paper > mine.toml  one of them, to be changed
  nerode experiment show mine.toml --jobs   the specification of each of its jobs, one a line")]
pub(super) struct Arguments {
    /// A plan: one that comes with nerode, or a file; none for a list.
    #[arg(value_name = "PLAN")]
    plan: Option<String>,

    /// Print the jobs of the plan, each as a line of JSON that `nerode experiment job` takes.
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
    // What is shown can be run.
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
