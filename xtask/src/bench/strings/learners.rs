//! Each learner on the same examples, through its own door: nerode as a program, AALpy in Python, grex as a library.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::{Learner, Options, Set};
use crate::bench::process::watched;
use crate::bench::{nerode, python};
use crate::{output_of, root};

/// A learner has so many times its limit before it is taken to hang.
const PATIENCE: u32 = 6;
/// So many questions are asked at the most.
const QUESTIONS: &str = "100";

/// What the learners are run by.
pub(super) struct Peers {
    /// The measured program, which judges.
    judge: String,
    nerode: Option<String>,
    /// Whether nerode knows classes of letters.
    knows_classes: bool,
    python: Option<std::path::PathBuf>,
    seconds: u32,
    questions: bool,
}

/// Takes what came of a set.
type Keep<'a> = dyn FnMut(&Set<'_>, Value) -> anyhow::Result<()> + 'a;

impl Peers {
    /// Builds and installs what these learners need.
    pub(super) fn new(judge: String, learners: &[Learner], options: &Options) -> anyhow::Result<Self> {
        let ours = learners.iter().any(|learner| matches!(learner, Learner::Classes | Learner::Chars));
        let nerode = if ours { nerode()? } else { None };
        let knows_classes = match &nerode {
            Some(program) => output_of(Command::new(program).args(["learn", "--help"]))?.contains("--classes"),
            None => false,
        };
        let python = learners.contains(&Learner::Edsm).then(|| python::with_packages(&["aalpy"])).transpose()?;
        Ok(Self { judge, nerode, knows_classes, python, seconds: options.seconds, questions: options.questions })
    }

    /// Has the sets learned one after another, each kept as soon as it is.
    pub(super) fn learn(&self, learner: Learner, sets: &[&Set<'_>], keep: &mut Keep<'_>) -> anyhow::Result<()> {
        match (learner, &self.nerode) {
            (Learner::Classes, _) if !self.knows_classes => Ok(()),
            (Learner::Classes | Learner::Chars, Some(program)) => {
                let classes = match learner {
                    Learner::Classes => "auto",
                    _ => "none",
                };
                sets.iter().try_for_each(|set| keep(set, self.nerode(program, classes, set)?))
            }
            (Learner::Classes | Learner::Chars, None) => Ok(()),
            (Learner::Edsm, _) => self.edsm(sets, keep),
            (Learner::Grex | Learner::GrexClasses, _) => {
                let how = if learner == Learner::Grex { "plain" } else { "classes" };
                sets.iter().try_for_each(|set| {
                    let mut command = Command::new(&self.judge);
                    command.arg("grex").args(set.arguments()).arg(how);
                    keep(set, serde_json::from_str(&output_of(&mut command)?)?)
                })
            }
        }
    }

    fn judged(&self, set: &Set<'_>, form: &str, answer: &Path) -> anyhow::Result<Value> {
        let mut command = Command::new(&self.judge);
        command.arg("judge").args(set.arguments()).arg(form).arg(answer);
        Ok(serde_json::from_str(&output_of(&mut command)?)?)
    }

    fn nerode(&self, program: &str, classes: &str, set: &Set<'_>) -> anyhow::Result<Value> {
        let (result, seconds) = self.learned(program, classes, set, &[])?;
        let mut line = match result["regex"].as_str() {
            Some(regex) => {
                let answer = set.file.with_extension("regex");
                std::fs::write(&answer, regex)?;
                self.judged(set, "regex", &answer)?
            }
            // An expression too long for any use is not written; the automaton is, where files are asked for.
            None if result.is_object() => {
                let folder = set.file.with_extension("run");
                let out = folder.to_str().context("the folder has a name that is no text")?;
                self.learned(program, classes, set, &["--out", out])?;
                self.judged(set, "automaton", &folder.join("dfa.json"))?
            }
            None => json!({}),
        };
        line["seconds"] = json!(seconds);
        line["stop"] = if seconds.is_some() { result["stop_reason"].clone() } else { json!("cut") };
        line["states"] = result["dfa_states"].clone();
        if self.questions {
            line["questions"] = self.asked(program, classes, set)?;
        }
        Ok(line)
    }

    /// How many questions nerode asks the reference until its answer is the same language; nothing if it never is.
    fn asked(&self, program: &str, classes: &str, set: &Set<'_>) -> anyhow::Result<Value> {
        let oracle = format!("regex:{}", set.language.regex);
        let (result, _) = self.learned(program, classes, set, &["--oracle", &oracle, "--questions", QUESTIONS])?;
        let Some(regex) = result["regex"].as_str() else { return Ok(Value::Null) };
        let answer = set.file.with_extension("regex");
        std::fs::write(&answer, regex)?;
        let equal = self.judged(set, "regex", &answer)?["equal"] == true;
        Ok(if equal { result["questions"].clone() } else { Value::Null })
    }

    /// The result and how many seconds it took; nothing when it hung.
    fn learned(
        &self,
        program: &str,
        classes: &str,
        set: &Set<'_>,
        more: &[&str],
    ) -> anyhow::Result<(Value, Option<f64>)> {
        // Through a file: a pipe would be full before a long expression is written.
        let printed = set.file.with_extension("result.json");
        let mut command = Command::new(program);
        command.arg("learn").arg(&set.file).args(["--json", "--threads", "2", "--time-limit"]);
        command.arg(self.seconds.to_string()).args(more);
        if self.knows_classes {
            command.args(["--classes", classes]);
        }
        command.stdout(std::fs::File::create(&printed)?).stderr(Stdio::null());
        let begin = Instant::now();
        let child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        let (_, _, cut) = watched(child, begin, Duration::from_secs((self.seconds * PATIENCE).into()))?;
        let seconds = begin.elapsed().as_secs_f64();
        let result = std::fs::read_to_string(&printed)?;
        if cut {
            return Ok((Value::Null, None));
        }
        let result = serde_json::from_str(&result).with_context(|| format!("{command:?} gave no result"))?;
        Ok((result, Some(seconds)))
    }

    /// One Python for all sets: it takes longer to start than to learn.
    fn edsm(&self, sets: &[&Set<'_>], keep: &mut Keep<'_>) -> anyhow::Result<()> {
        let Some(python) = &self.python else { return Ok(()) };
        let mut command = Command::new(python);
        command.arg(root().join("scripts/learn_strings.py")).arg(self.seconds.to_string());
        // It warns of letters that are missing in places; that is meant.
        command.env("PYTHONWARNINGS", "ignore");
        command.args(sets.iter().map(|set| &set.file)).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        let lines = BufReader::new(child.stdout.take().context("its output was asked for")?).lines();
        for (set, learned) in sets.iter().zip(lines) {
            let learned: Value = serde_json::from_str(&learned?)?;
            let mut line = json!({});
            if !learned["automaton"].is_null() {
                let answer = set.file.with_extension("dfa.json");
                std::fs::write(&answer, learned["automaton"].to_string())?;
                line = self.judged(set, "automaton", &answer)?;
            }
            line["seconds"] = learned["seconds"].clone();
            line["version"] = learned["version"].clone();
            keep(set, line)?;
        }
        let status = child.wait()?;
        if !status.success() {
            bail!("{command:?} failed: {status}");
        }
        Ok(())
    }
}
