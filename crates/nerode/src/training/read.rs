//! The lines of `training.jsonl`.

use std::collections::BTreeMap;

use induction::training::EpochRecord;
use serde::Deserialize;

use super::{Training, Watched};

/// An epoch with the number of its block.
#[derive(Deserialize)]
struct Epoch {
    #[serde(default)]
    block: u64,
    #[serde(flatten)]
    record: EpochRecord,
}

/// Distinguishes the two kinds of lines.
#[derive(Deserialize)]
struct Kind {
    frames: Option<serde::de::IgnoredAny>,
}

impl Training {
    /// All blocks of a `training.jsonl`, in order. An error names the line.
    pub fn read(text: &str) -> Result<Vec<Self>, String> {
        let mut blocks: BTreeMap<u64, Self> = BTreeMap::new();
        for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |error: &dyn std::fmt::Display| format!("line {}: {error}", i + 1);
            let kind: Kind = serde_json::from_str(line).map_err(|error| wrong(&error))?;
            if kind.frames.is_some() {
                let watched: Watched = serde_json::from_str(line).map_err(|error| wrong(&error))?;
                let n = watched.course.nonterminals;
                let are_names = watched.names.as_ref().is_none_or(|names| names.len() == n);
                if watched.course.layout().is_none() || watched.answer >= Some(watched.course.restarts()) || !are_names
                {
                    return Err(wrong(&"the frames do not fit the model"));
                }
                let block = blocks.entry(watched.block).or_default();
                (block.block, block.watched) = (watched.block, Some(watched));
            } else {
                let epoch: Epoch = serde_json::from_str(line).map_err(|error| wrong(&error))?;
                let block = blocks.entry(epoch.block).or_default();
                block.block = epoch.block;
                block.epochs.push(epoch.record);
            }
        }
        Ok(blocks.into_values().collect())
    }

    /// The block to show: the one with recorded beliefs, else the first.
    #[must_use]
    pub fn foremost(trainings: Vec<Self>) -> Option<Self> {
        let watched = trainings.iter().position(|training| training.watched.is_some()).unwrap_or(0);
        trainings.into_iter().nth(watched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EPOCH: &str = r#"{"block":2,"epoch":0,"steps":3,"length_limit":2,"examples":9,"learning_rate":0.1,"beta":0,"gamma":0,"temperature":1,"restarts":[{"restart":0,"prediction":null,"sharpening":0,"production_use":0,"total":1,"accuracy":1,"unsharp":0,"stopped":null}]}"#;
    const FRAMES: &str = r#"{"block":2,"answer":0,"shape":"nfa","nonterminals":1,"alphabet":["a"],"frames":[{"epochs":0,"beliefs":["00ff80"]}]}"#;

    #[test]
    fn lines_are_distinguished_and_errors_name_them() {
        let read = Training::read(&format!("{EPOCH}\n\n{FRAMES}\n")).unwrap();
        let [training] = read.as_slice() else { panic!("one block, not {read:?}") };
        assert_eq!((training.block, training.epochs.len()), (2, 1));
        assert!(training.epochs[0].restarts[0].prediction.is_nan());
        assert!(training.losses().is_some() && training.strip(0, None).is_some() && training.strip(1, None).is_none());
        for (wrong, why) in [
            (FRAMES.replace("\"answer\":0", "\"answer\":1"), "line 1: the frames do not fit the model"),
            (FRAMES.replace("\"block\":2", "\"block\":2,\"names\":[]"), "line 1: the frames do not fit the model"),
            (FRAMES.replace("00ff80", "00ff"), "line 1: the frames do not fit the model"),
            (FRAMES.replace("\"nonterminals\":1", "\"nonterminals\":0"), "line 1: the frames do not fit the model"),
            (format!("{EPOCH}\n{{"), "line 2: "),
            ("[]".to_owned(), "line 1: "),
            (EPOCH.replace("steps", "stops"), "line 1: missing field `steps`"),
        ] {
            let error = Training::read(&wrong).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
        assert_eq!(Training::read("").unwrap(), Vec::new());
    }
}
