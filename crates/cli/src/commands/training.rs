//! `nerode training`.

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use nerode::training::{self, Training};

use crate::Answer;
use crate::output::Output;

/// Show the training of the model: its belief in every production, epoch by epoch, and its losses.
///
/// RUN is a folder written by `nerode learn --out`, or its `training.jsonl`. The page has a slider, all restarts of the
/// block side by side, their losses, and a strip of tiles as in the paper; it needs no other file. An SVG shows only the
/// strip, or with --losses the losses.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode learn examples.csv --out run && nerode training run -o training.html
  nerode learn examples.csv --out run --progress-frames 100
  nerode training run -o strip.svg --epochs 0,5,10,40
  nerode training run -o losses.svg --losses")]
pub(crate) struct Arguments {
    /// The folder of a run, or its training.jsonl.
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Output file: .html for the page, .svg for a picture [default: the page on standard output].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Epochs to show in the strip; the nearest recorded ones are used.
    #[arg(long, value_name = "EPOCHS", value_delimiter = ',', conflicts_with = "losses")]
    epochs: Option<Vec<u64>>,

    /// Restart to show in the strip [default: the one that gave the answer].
    #[arg(long, value_name = "N", conflicts_with = "losses")]
    restart: Option<usize>,

    /// Block of restarts to show; beliefs are recorded for one block only [default: that of the answer, else the
    /// first].
    #[arg(long, value_name = "N")]
    block: Option<u64>,

    /// Draw the losses instead of the strip.
    #[arg(long)]
    losses: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let path = match arguments.run.is_dir() {
        true => arguments.run.join("training.jsonl"),
        false => arguments.run.clone(),
    };
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.display().to_string();
    let blocks = Training::read(&text).map_err(|error| anyhow!("{name}: {error}"))?;
    let numbers: Vec<String> = blocks.iter().map(|block| block.block.to_string()).collect();
    let recorded = blocks.iter().find(|block| block.watched.is_some()).map(|block| block.block);
    let chosen = match arguments.block {
        None => Training::foremost(blocks).with_context(|| format!("{name}: no training recorded"))?,
        Some(number) => blocks
            .into_iter()
            .find(|block| block.block == number)
            .with_context(|| format!("{name}: no block {number}; the blocks are {}", numbers.join(", ")))?,
    };
    let output = arguments.output.as_deref();
    let is_picture = output.and_then(|path| path.extension()).is_some_and(|ending| ending == "svg");
    let wants_picture = arguments.losses || arguments.epochs.is_some() || arguments.restart.is_some();
    if wants_picture && !is_picture {
        bail!("--epochs, --restart and --losses need a picture: add -o FILE.svg");
    }
    // Open the output before the work, so that a bad path fails at once.
    let output = Output::open(output)?;
    let content = if !is_picture {
        training::page(&chosen, "Training")
    } else if arguments.losses {
        chosen.losses().with_context(|| format!("{name}: this block has no recorded losses"))?
    } else {
        let restart = arguments.restart.unwrap_or_else(|| chosen.front());
        chosen.strip(restart, arguments.epochs.as_deref()).with_context(|| match &chosen.watched {
            None => {
                let instead = match recorded {
                    Some(block) => format!("those of block {block} were"),
                    None => "`nerode learn --out DIR --progress-frames N` records one block".to_owned(),
                };
                format!("{name}: the beliefs of block {} were not recorded; {instead}", chosen.block)
            }
            Some(watched) if restart >= watched.course.restarts() => {
                format!("{name}: no restart {restart}; restarts are numbered 0 to {}", watched.course.restarts() - 1)
            }
            Some(_) => format!("{name}: the model has too many productions for a picture"),
        })?
    };
    output.finish(&content)?;
    if let Some(asked) = &arguments.epochs {
        let shown = chosen.nearest(arguments.restart.unwrap_or_else(|| chosen.front()), asked);
        if asked.iter().any(|epoch| !shown.contains(epoch)) {
            let shown: Vec<String> = shown.iter().map(u64::to_string).collect();
            crate::note(&format!("showing the nearest recorded epochs: {}", shown.join(", ")));
        }
    }
    Ok(Answer::Yes)
}
