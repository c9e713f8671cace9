//! Training made visible: the tiles of the paper's figure, losses, and all restarts, from a run's `training.jsonl`.
//!
//! ```text
//!   training.jsonl ──read──► Training ──► strip     chosen epochs of one restart, SVG
//!   (epochs; frames           │       ──► losses    all restarts of its block, SVG
//!    with --progress-frames)  └────────── player    all of it to be moved through, part of a page ──► page
//! ```

mod player;
mod read;
mod record;

pub use record::lines;

use automata::drawing::escaped;
use induction::training::{Beliefs, Course, EpochRecord, Frame};
use serde::{Deserialize, Serialize};

use crate::pictures::{losses, night, tiles};
use crate::policy::with_policy;

/// One block of restarts: its training and beliefs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Training {
    /// The number of the block.
    pub block: u64,
    /// Its epochs, in order.
    pub epochs: Vec<EpochRecord>,
    /// Its beliefs over time, if recorded.
    pub watched: Option<Watched>,
}

/// A line of `training.jsonl` with beliefs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// The number of the block.
    pub block: u64,
    /// The restart that gave the answer; none if another engine or block did.
    pub answer: Option<usize>,
    /// The grammar's names for the non-terminals of that restart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// The beliefs.
    #[serde(flatten)]
    pub course: Course,
}

/// Maximum number of tiles of a strip: more cannot be read and take megabytes.
const MOST_TILES: usize = 24_000;
/// Number of frames of a strip unless epochs are given.
const FRAMES: usize = 10;

impl Training {
    /// The restart in front: that of the answer, else the one with the smallest final loss, else the first.
    #[must_use]
    pub fn front(&self) -> usize {
        let answer = self.watched.as_ref().and_then(|watched| watched.answer);
        let losses = || {
            let last = self.restarts().into_iter().filter_map(|(restart, points)| Some((restart, points.last()?.1)));
            last.filter(|(_, loss)| loss.is_finite())
        };
        answer.or_else(|| losses().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(restart, _)| restart)).unwrap_or(0)
    }

    /// The prediction losses of each restart, by number of epochs.
    fn restarts(&self) -> Vec<(usize, losses::Points)> {
        let mut restarts: Vec<(usize, losses::Points)> = Vec::new();
        for record in &self.epochs {
            for trained in &record.restarts {
                let known = restarts.iter().position(|(restart, _)| *restart == trained.restart);
                let place = known.unwrap_or_else(|| {
                    restarts.push((trained.restart, Vec::new()));
                    restarts.len() - 1
                });
                restarts[place].1.push((record.epoch + 1, trained.prediction));
            }
        }
        restarts.sort_by_key(|(restart, _)| *restart);
        restarts
    }

    /// The losses of all restarts as a picture; `None` if nothing was trained.
    #[must_use]
    pub fn losses(&self) -> Option<String> {
        let restarts = self.restarts();
        let title = format!("Losses of {} restarts by epoch", restarts.len());
        (!restarts.is_empty()).then(|| losses::picture(&title, &restarts, Some(self.front())))
    }

    /// Number of epochs of a restart, if recorded.
    fn end(&self, restart: usize) -> Option<u64> {
        let restarts = self.restarts();
        let (_, points) = restarts.iter().find(|(known, _)| *known == restart)?;
        Some(points.last()?.0)
    }

    /// The frames of a restart, each with its number of epochs by then, which is at most the restart's total even if
    /// others of its block were trained longer.
    fn frames(&self, restart: usize) -> Option<Vec<(u64, &Beliefs)>> {
        let course = &self.watched.as_ref()?.course;
        let end = self.end(restart).unwrap_or(u64::MAX);
        let frame = |frame: &'_ Frame| frame.epochs.min(end);
        let beliefs = course.frames.iter().map(|one| Some((frame(one), one.beliefs.get(restart)?)));
        let mut frames: Vec<(u64, &Beliefs)> = beliefs.collect::<Option<_>>()?;
        frames.dedup_by_key(|(epochs, _)| *epochs);
        Some(frames)
    }

    /// The frames of a restart that are nearest to the given numbers of epochs, as in [`Training::strip`]: their
    /// numbers of epochs.
    #[must_use]
    pub fn nearest(&self, restart: usize, epochs: &[u64]) -> Vec<u64> {
        let frames = self.frames(restart).unwrap_or_default();
        let chosen = nearest(&frames, epochs);
        chosen.into_iter().map(|i| frames[i].0).collect()
    }

    /// The beliefs of a restart, as tiles: at the recorded points nearest to the given numbers of epochs, or else
    /// evenly spaced. `None` if nothing was recorded, there is no such restart, or the model is too large to show.
    #[must_use]
    pub fn strip(&self, restart: usize, epochs: Option<&[u64]>) -> Option<String> {
        let course = &self.watched.as_ref()?.course;
        course.layout()?;
        let frames = self.frames(restart)?;
        let end = frames.len() - 1;
        let evenly = |most: usize| (0..most).map(|i| i * end / (most - 1).max(1)).collect();
        let mut chosen: Vec<usize> = match epochs {
            Some(epochs) => nearest(&frames, epochs),
            None => evenly(FRAMES.min(frames.len())),
        };
        chosen.dedup();
        let title = format!("Training of restart {restart}");
        let names = self.names(restart);
        let mut picture = tiles::Tiles {
            title: &title,
            shape: course.shape,
            letters: &course.alphabet,
            nonterminals: &names,
            frames: Vec::new(),
        };
        let most = MOST_TILES / picture.per_frame();
        if chosen.is_empty() || most < 2 {
            return None;
        }
        if chosen.len() > most {
            chosen = (0..most).map(|i| chosen[i * (chosen.len() - 1) / (most - 1)]).collect();
        }
        picture.frames = tiles::frames(chosen.into_iter().map(|i| frames[i]));
        Some(tiles::strip(&picture))
    }

    /// The names of a restart's non-terminals: as in the grammar read off it, else `M1`, `M2`, …
    fn names(&self, restart: usize) -> Vec<String> {
        let Some(watched) = &self.watched else { return Vec::new() };
        let named = watched.names.clone().filter(|_| watched.answer == Some(restart));
        named.unwrap_or_else(|| (1..=watched.course.nonterminals).map(|k| format!("M{k}")).collect())
    }

    /// Tiles of all restarts with a slider, as part of a page that includes [`STYLE`] and [`SCRIPT`]; `None` if nothing
    /// was recorded.
    #[must_use]
    pub fn player(&self) -> Option<String> {
        player::fragment(self)
    }
}

/// The indices of the frames nearest to the given numbers of epochs, each once, in order.
fn nearest(frames: &[(u64, &Beliefs)], epochs: &[u64]) -> Vec<usize> {
    let nearest = |epoch: &u64| (0..frames.len()).min_by_key(|&i| frames[i].0.abs_diff(*epoch));
    let mut chosen: Vec<usize> = epochs.iter().filter_map(nearest).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// The style sheet for a player, and for pictures in dark mode.
pub const STYLE: &str = include_str!("player.css");
/// The script of a player; without it the player stays hidden.
pub const SCRIPT: &str = include_str!("player.js");

/// The style with which a page shows pictures in dark mode.
#[must_use]
pub fn night_style() -> String {
    night()
}

/// JSON that is safe in a script element.
#[must_use]
pub fn embedded(json: &serde_json::Value) -> String {
    json.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A picture for inclusion in a page, without what only a separate file needs.
#[must_use]
pub fn inline(svg: &str) -> String {
    let begin = svg.find("<svg").unwrap_or(0);
    svg[begin..].replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1)
}

/// A training as one self-contained page.
#[must_use]
pub fn page(training: &Training, title: &str) -> String {
    let figure = |picture: Option<String>, caption: &str| {
        picture.map_or(String::new(), |svg| {
            format!("<figure>{}<figcaption>{}</figcaption></figure>\n", inline(&svg), escaped(caption))
        })
    };
    let front = training.front();
    let nothing = "<p>Beliefs were not recorded; learn with --progress-frames to see them here.</p>\n".to_owned();
    with_policy(&format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{PAGE}{STYLE}@media (prefers-color-scheme: dark) {{ {} }}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         {}{}{}<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        night(),
        training.player().unwrap_or(nothing),
        figure(training.losses(), &losses_caption(training)),
        figure(training.strip(front, None), &strip_caption(training, front)),
        title = escaped(title),
    ))
}

/// The caption of [`Training::losses`].
#[must_use]
pub fn losses_caption(training: &Training) -> String {
    let count = training.restarts().len();
    let front = training.front();
    let whose = if training.watched.as_ref().is_some_and(|watched| watched.answer.is_some()) {
        format!("restart {front}, which gave the answer")
    } else {
        format!("restart {front}, with the lowest final loss")
    };
    let others = if count > 1 { format!("; thin: the {} others of its block", count - 1) } else { String::new() };
    let longest = |record: Option<&EpochRecord>| record.map_or(0, |record| record.length_limit);
    let grows = longest(training.epochs.first()) < longest(training.epochs.last());
    let longer = if grows { " Losses jump where longer words are added." } else { "" };
    format!("Mean cross-entropy of each restart by epoch. Thick: {whose}{others}.{longer}")
}

/// The caption of [`Training::strip`].
#[must_use]
pub fn strip_caption(training: &Training, restart: usize) -> String {
    let last = match training.watched.as_ref().map(|watched| watched.course.shape) {
        Some(induction::model::Shape::Dfa) => "acceptance",
        _ => "the start symbol",
    };
    let names = training.names(restart);
    let unnamed = (1..).zip(&names).filter(|(k, name)| **name == format!("M{k}")).count();
    let others = match unnamed {
        0 => "",
        _ if unnamed == names.len() => " No grammar was read off it, so its non-terminals are named M1, M2, …",
        _ => " A dot marks the columns of M1, M2, …, which are not in the grammar.",
    };
    format!(
        "Beliefs of restart {restart} in every production, from random start to end. Columns are left-hand sides, rows \
         right-hand sides. Bright is 1, dark is 0; the last row is {last}.{others}"
    )
}

const PAGE: &str = "\
:root { color-scheme: light dark; --ground: #fff; --ink: #1c2330; --faint: #5a6475; --rule: #d5dae3; --band: #f4f6f9; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #171b22; --ink: #e4e8ef; --faint: #9aa5b6; --rule: #353d4a; --band: #1e242d; --accent: #7cc0ff; }
}
body { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; }
figure { margin: 1.5rem 0; overflow-x: auto; }
figcaption { color: var(--faint); font-size: .875rem; max-width: 46rem; }
";
