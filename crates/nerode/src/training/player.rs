//! Tiles of all restarts with a slider, as part of a page.

use serde_json::{Value, json};

use super::{Training, embedded};
use crate::pictures::tiles::{BRIGHT, DARK};

/// Maximum number of beliefs in a page; if models are large, only those of the restart in front.
const MOST_BELIEFS: usize = 1 << 20;

pub(super) fn fragment(training: &Training) -> Option<String> {
    let watched = training.watched.as_ref()?;
    let course = &watched.course;
    let layout = course.layout()?;
    let front = training.front().min(course.restarts() - 1);
    let shown: Vec<usize> = match layout.len() * course.restarts() * course.frames.len() <= MOST_BELIEFS {
        true => (0..course.restarts()).collect(),
        false => vec![front],
    };
    let losses = training.restarts();
    // The loss after this many epochs is that of the last epoch by then.
    let loss = |restart: usize, epochs: u64| -> Value {
        let points = losses.iter().find(|(known, _)| *known == restart).map(|(_, points)| points);
        let last = points.and_then(|points| points.iter().rev().find(|(at, _)| *at <= epochs));
        last.filter(|(_, loss)| loss.is_finite()).map_or(Value::Null, |(_, loss)| json!(loss))
    };
    let frames = course.frames.iter().map(|frame| {
        json!({
            "epochs": frame.epochs,
            "beliefs": shown.iter().map(|&restart| json!(frame.beliefs[restart])).collect::<Vec<_>>(),
            "losses": shown.iter().map(|&restart| loss(restart, frame.epochs)).collect::<Vec<_>>(),
        })
    });
    let data = json!({
        "shape": course.shape,
        "nonterminals": course.nonterminals,
        "alphabet": course.alphabet,
        "restarts": shown,
        "ends": shown.iter().map(|&restart| training.end(restart)).collect::<Vec<_>>(),
        "front": front,
        "answer": watched.answer,
        "names": shown.iter().map(|&restart| training.names(restart)).collect::<Vec<_>>(),
        "dark": DARK,
        "bright": BRIGHT,
        "frames": frames.collect::<Vec<_>>(),
    });
    Some(format!(
        "<div class=\"player\" hidden>\n<div class=\"player-bar\"><button type=\"button\" class=\"player-play\">Play</button>\n\
         <input type=\"range\" class=\"player-slider\" min=\"0\" value=\"0\" aria-label=\"Point in the training\">\n\
         <output class=\"player-moment\"></output></div>\n<div class=\"player-large\"></div>\n\
         <div class=\"player-restarts\"></div>\n<script type=\"application/json\">{}</script>\n</div>\n",
        embedded(&data)
    ))
}
