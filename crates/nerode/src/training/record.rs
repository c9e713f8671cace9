//! The recorded trainings of a session, as the lines of `training.jsonl`.

use induction::learner::BlockRecord;
use induction::model::Model;
use induction::training::Course;

use super::Watched;

/// The lines of `training.jsonl`: all epochs, block by block, and the beliefs of one block: that of the answer, else
/// the first.
pub fn lines(records: &[BlockRecord], answer: Option<&Model>) -> String {
    let mut records: Vec<&BlockRecord> = records.iter().collect();
    records.sort_by_key(|record| record.block);
    let mut lines: Vec<String> = records
        .iter()
        .flat_map(|record| {
            record.epochs.iter().map(|epoch| {
                let mut line = serde_json::json!({ "block": record.block });
                let epoch = serde_json::to_value(epoch).expect("a record is numbers and names");
                if let (Some(line), serde_json::Value::Object(epoch)) = (line.as_object_mut(), epoch) {
                    line.extend(epoch);
                }
                line.to_string()
            })
        })
        .collect();
    let courses = || records.iter().filter_map(|record| Some((record.block, record.course.as_ref()?)));
    let restart = |course: &Course| answer.and_then(|model| course.restart_of(model));
    let found = courses().find_map(|(block, course)| Some((block, course, Some(restart(course)?))));
    let first = || courses().next().map(|(block, course)| (block, course, None));
    if let Some((block, course, restart)) = found.or_else(first) {
        let names = restart.and(answer).map(|model| model.names().to_vec());
        let watched = Watched { block, answer: restart, names, course: course.clone() };
        lines.push(serde_json::to_string(&watched).expect("a course is numbers and names"));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
