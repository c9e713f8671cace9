//! Reports of the small study in `testdata/study`, and of studies that have little or nothing.

use std::path::PathBuf;

use lab::job;
use lab::plan::Plan;
use lab::record::{Claim, Record};
use lab::report::document::Block;
use lab::report::{self, Study, columns};

fn study() -> Study {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/study");
    let read = |path: String| std::fs::read_to_string(folder.join(path)).unwrap();
    let plan = Plan::read(&read("plan.toml".to_owned())).unwrap();
    let names = || plan.jobs.iter().map(|job| job.name.clone());
    let timing = |name: &String| serde_json::from_str(&read(format!("jobs/{name}.timing.json"))).unwrap();
    Study {
        records: names().map(|name| Record::from_json(&read(format!("jobs/{name}.json"))).unwrap()).collect(),
        timings: names().map(|name| (name.clone(), timing(&name))).collect(),
        jobs: Some(plan.jobs.len()),
        name: plan.name,
        about: plan.about,
        command: "nerode experiment run plan.toml --out study".to_owned(),
        broken: vec!["some.json: not a record".to_owned()],
        progressions: Vec::new(),
    }
}

fn markdown(study: &Study) -> String {
    report::markdown(&report::document(study))
}

#[test]
fn the_report_of_a_small_study() {
    insta::assert_snapshot!("report", markdown(&study()));
    insta::assert_snapshot!("records", report::csv(&columns::records(&study())));
}

#[test]
fn the_same_records_give_the_same_bytes_and_the_clock_changes_only_its_own_section() {
    let mut study = study();
    let files = report::files(&study);
    assert_eq!(report::files(&study), files);
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for path in ["report.md", "report.html", "records.csv", "timings.csv", "pictures/heat.svg", "pictures/recovery.svg"]
    {
        assert!(paths.contains(&path), "{path} is missing from {paths:?}");
    }
    let before = report::document(&study);
    study.timings.values_mut().for_each(|timing| timing.learning_seconds *= 3.0);
    let after = report::document(&study);
    let differ = before.sections.iter().zip(&after.sections).filter(|(before, after)| before != after);
    assert_eq!(differ.map(|(section, _)| section.title.as_str()).collect::<Vec<_>>(), ["Times"]);
    study.timings.clear();
    assert!(report::document(&study).sections.iter().all(|section| section.title != "Times"));
}

#[test]
fn the_page_needs_nothing_else() {
    let document = report::document(&study());
    let page = report::html(&document);
    let pictures: Vec<_> = document.pictures().collect();
    assert_eq!(page.matches("<svg ").count(), pictures.len());
    assert!(pictures.iter().all(|picture| page.contains(&picture.svg)));
    let addresses = page.matches("http:").count() + page.matches("https:").count();
    assert_eq!(addresses, page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count(), "no address but a name");
    assert!(
        !page.contains("<script") && !page.contains("<link") && !page.contains("<img") && !page.contains("@import")
    );
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(page.contains("content=\"default-src 'none'; style-src 'sha256-") && !page.contains("script-src"));
}

/// What names and errors are made of is no markup.
#[test]
fn names_cannot_break_out() {
    let mut study = study();
    for record in &mut study.records {
        record.spec.learner.name = "<b>|\"&".to_owned();
    }
    study.records[0].error = Some("<script>alert(1)</script>\n| x |".to_owned());
    study.records[0].answer = None;
    let document = report::document(&study);
    let page = report::html(&document);
    assert!(!page.contains("<script") && !page.contains("<b>"));
    assert!(document.pictures().all(|picture| !picture.svg.contains("<b>")));
    for block in document.sections.iter().flat_map(|section| &section.blocks) {
        if let Block::Table(table) = block {
            assert!(table.rows.iter().all(|row| row.len() == table.head.len()), "{}", table.caption);
        }
    }
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    let text = report::markdown(&document);
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair[0].starts_with('|') && pair[1].starts_with('|')) {
        assert_eq!(columns(pair[0]), columns(pair[1]), "{pair:?}");
    }
}

#[test]
fn what_is_proved_is_the_ceiling() {
    let mut study = study();
    let claim = |study: &mut Study, learner: &str, minimal, unique| {
        for record in study.records.iter_mut().filter(|record| record.spec.learner.name == learner).take(3) {
            let data = record.data.as_mut().unwrap();
            (data.truth_is_minimal, data.truth_is_unique) = (minimal, unique);
        }
    };
    for record in &mut study.records {
        let data = record.data.as_mut().unwrap();
        (data.truth_is_minimal, data.truth_is_unique) = (Claim::Unknown, Claim::Unknown);
    }
    let text = markdown(&study);
    assert!(text.contains("that is proved for 0 and refuted for 0; of the other 8 nothing is known"));
    assert!(!text.contains("exact where identified"));
    // What one learner's record proves of a set holds for the other's.
    claim(&mut study, "nerode", Claim::Proved, Claim::Proved);
    let text = markdown(&study);
    assert!(text.contains("that is proved for 3 and refuted for 0; of the other 5 nothing is known"));
    let ceiling = text.lines().find(|line| line.starts_with("| asking |")).unwrap();
    assert!(ceiling.contains(" of 8 ") && ceiling.contains(" of 3 "), "{ceiling}");
    // Minimal alone is not enough.
    claim(&mut study, "nerode", Claim::Proved, Claim::Unknown);
    assert!(markdown(&study).contains("that is proved for 0 and refuted for 0"));
    claim(&mut study, "nerode", Claim::Proved, Claim::Proved);
    claim(&mut study, "asking", Claim::Unknown, Claim::Refuted);
    assert!(markdown(&study).contains("Of 3 sets one record proves what another refutes"));
}

#[test]
fn the_claims_of_the_paper_are_asked_of_its_plan() {
    let mut study = study();
    assert!(!markdown(&study).contains("Fewer non-terminals are easier"));
    study.name = "paper".to_owned();
    let text = markdown(&study);
    for claim in [
        "Longer examples help the more complex grammars by 2 to 5 points",
        "Fewer non-terminals are easier",
        "More productions are easier",
    ] {
        assert!(text.contains(claim), "{claim}");
    }
    assert!(text.contains("| the paper's figure | 0.955 | 0.956 |"), "means over n of the published table");
}

#[test]
fn little_is_reported_of_little() {
    let nothing = report::document(&Study::default());
    assert!(nothing.pictures().next().is_none());
    let mut study = study();
    study.records = study.records.iter().map(|record| job::failed(&record.spec, "out of luck".to_owned())).collect();
    let text = markdown(&study);
    assert!(text.contains("16 jobs with an error and no answer") && text.contains("out of luck"));
    assert!(!text.contains("Accuracy by length"));
    study.records.truncate(1);
    assert!(markdown(&study).contains("1 record of 16 jobs; 15 are missing, so nothing here is final"));
}

/// The paper's protocol trained again: the last frame is the model that the record speaks of.
#[test]
fn a_training_is_watched_from_its_beginning_to_its_end() {
    let jobs = Plan::read(lab::plan::built_in("smoke").unwrap()).unwrap().jobs;
    for learner in ["paper", "training"] {
        let spec = jobs.iter().find(|job| job.learner.name == learner).unwrap();
        let record = job::run(spec, 1, &());
        let model = record.answer.as_ref().unwrap().model.clone().unwrap();
        let course = job::progression(spec, 9).unwrap();
        assert!((3..=9).contains(&course.frames.len()), "{}", course.frames.len());
        assert_eq!(course.frames[0].epochs, 0);
        assert!(course.frames.windows(2).all(|pair| pair[0].epochs < pair[1].epochs));
        let last = course.frames.last().unwrap();
        assert_eq!(last.epochs, record.answer.as_ref().unwrap().epochs);
        let unsharp = |weight: &f64| *weight > 0.05 && *weight < 0.95;
        let blunt = last.weights.productions(induction::model::Shape::Nfa).filter(unsharp);
        assert_eq!(blunt.count() as u64, model.unsharp);
        let study = Study { records: vec![record], progressions: vec![course], ..Study::default() };
        assert!(report::document(&study).pictures().any(|picture| picture.name == "progression-1"));
    }
    let asking = jobs.iter().find(|job| job.learner.name == "asking").unwrap();
    assert_eq!(job::progression(asking, 9).unwrap_err(), "its learner is not a single training run");
}
