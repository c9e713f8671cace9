//! `nerode experiment`: runs that are killed, files that are broken, jobs that fail, and records held against their schema.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
    command.arg("experiment").args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn experiment(arguments: &[&str], folder: &Path) -> Output {
    command(arguments, folder).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The records of a study: what the clock says is left out, and so is what a killed run had not put in its place.
fn records(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder.join("jobs")).unwrap().map(|entry| entry.unwrap());
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let records = entries.map(|entry| (name(entry.path()), std::fs::read(entry.path()).unwrap()));
    records.filter(|(name, _)| !name.ends_with(".timing.json") && !name.starts_with(".tmp")).collect()
}

/// The records of `smoke`, run without a break on one thread.
fn unbroken(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let run = experiment(&["run", "smoke", "--out", "unbroken", "--threads", "1"], folder);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    records(&folder.join("unbroken"))
}

fn same(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>) {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, content) in a {
        assert!(b[name] == *content, "{name} differs");
    }
}

#[test]
fn a_run_killed_at_any_point_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let expected = unbroken(folder.path());
    let whole = began.elapsed();
    let run = ["run", "smoke", "--out", "broken", "--threads", "2"];
    // Points that are far from each other, somewhere in the first eighth of what is to be done: so ten do not finish it.
    let mut point: u32 = std::process::id();
    let mut killed = 0;
    for _ in 0..10 {
        point = point.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut child = command(&run, folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(f64::from(point >> 8) / f64::from(1 << 24) / 8.0) + Duration::from_millis(1));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        // What is there is whole at any moment, and stays.
        if folder.path().join("broken/jobs").exists() {
            for (name, content) in records(&folder.path().join("broken")) {
                assert!(expected[&name] == content, "{name} differs");
            }
        }
    }
    assert!(killed > 0, "no run was killed before its end");
    let finished = experiment(&run, folder.path());
    assert_eq!(finished.status.code(), Some(0), "{finished:?}");
    same(&expected, &records(&folder.path().join("broken")));
    let status = experiment(&["status", "broken"], folder.path());
    assert_eq!(status.status.code(), Some(0));
    assert!(text(&status.stdout).starts_with("smoke: 60 of 60 jobs done, 0 failed, 0 left\n"), "{status:?}");
}

#[test]
fn a_broken_record_is_put_aside_and_its_job_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let expected = unbroken(folder.path());
    let jobs = folder.path().join("unbroken/jobs");
    let names: Vec<&String> = expected.keys().collect();
    let whole = &expected[names[0]];
    let harm: [(&str, &[u8]); 5] = [
        (names[0], &whole[..whole.len() / 2]),
        (names[1], b""),
        (names[2], b"\xFF\xFE"),
        (names[3], whole),
        (names[4], b"{ \"format\": 99 }"),
    ];
    for (name, content) in harm {
        std::fs::write(jobs.join(name), content).unwrap();
    }
    let status = experiment(&["status", "unbroken", "--json"], folder.path());
    let status_json: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!((status.status.code(), &status_json["broken"], &status_json["left"]), (Some(1), &5.into(), &5.into()));

    let again = experiment(&["run", "smoke", "--out", "unbroken"], folder.path());
    assert_eq!(again.status.code(), Some(0), "{again:?}");
    assert_eq!(text(&again.stderr).lines().count(), 5, "each is told of: {again:?}");
    let mut now = records(&folder.path().join("unbroken"));
    for (name, content) in harm {
        assert!(now.remove(&format!("{name}.broken")).is_some_and(|kept| kept == content), "{name} was kept aside");
    }
    same(&expected, &now);

    // A second time the first is not lost.
    std::fs::write(jobs.join(names[0]), "again").unwrap();
    assert_eq!(experiment(&["run", "smoke", "--out", "unbroken"], folder.path()).status.code(), Some(0));
    assert!(jobs.join(format!("{}.broken", names[0])).exists());
    assert_eq!(std::fs::read(jobs.join(format!("{}.broken.2", names[0]))).unwrap(), b"again");
}

#[test]
fn finished_jobs_are_not_run_again() {
    let folder = tempfile::tempdir().unwrap();
    unbroken(folder.path());
    let times = || {
        let entries = std::fs::read_dir(folder.path().join("unbroken/jobs")).unwrap().map(|entry| entry.unwrap());
        let mut times: Vec<_> = entries.map(|e| (e.file_name(), e.metadata().unwrap().modified().unwrap())).collect();
        times.sort();
        times
    };
    let before = times();
    let again = experiment(&["run", "smoke", "--out", "unbroken"], folder.path());
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(times(), before);
}

#[test]
fn one_job_is_a_unit_and_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let expected = unbroken(folder.path());
    let jobs = experiment(&["show", "smoke", "--jobs"], folder.path());
    let specs: Vec<&str> = text(&jobs.stdout).lines().collect();
    assert_eq!(specs.len(), expected.len());
    for (i, spec) in specs.iter().enumerate().step_by(7) {
        let name = serde_json::from_str::<Value>(spec).unwrap()["name"].as_str().unwrap().to_owned() + ".json";
        std::fs::write(folder.path().join("spec.json"), spec).unwrap();
        // Twice with other threads, and once more where it is done.
        for (out, threads) in [("one", "1"), ("two", "2"), ("two", "1")] {
            let run = experiment(&["job", "spec.json", "--out", out, "--threads", threads], folder.path());
            assert_eq!(run.status.code(), Some(0), "{i}: {run:?}");
            assert!(records(&folder.path().join(out))[&name] == expected[&name], "{name} differs");
        }
    }
    // By standard input, with the record printed.
    let mut child = command(&["job", "-", "--out", "piped", "--json"], folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(specs[0].as_bytes()).unwrap();
    let piped = child.wait_with_output().unwrap();
    assert!(records(&folder.path().join("piped")).into_values().next() == Some(piped.stdout));
}

#[test]
fn what_is_no_job_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = experiment(&["show", "smoke", "--jobs"], folder.path());
    let mut spec: Value = serde_json::from_str(text(&jobs.stdout).lines().next().unwrap()).unwrap();
    spec["name"] = "../outside".into();
    let inside = folder.path().join("spec.json");
    for (content, expected) in [
        (spec.to_string(), "is not a valid job name"),
        ("{}".to_owned(), "is not the specification of a job"),
        ("words".to_owned(), "is not the specification of a job"),
    ] {
        std::fs::write(&inside, content).unwrap();
        let refused = experiment(&["job", "spec.json", "--out", "study"], folder.path());
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(expected), "{refused:?}");
        assert_eq!(text(&refused.stderr).lines().count(), 1);
    }
    assert!(!folder.path().join("study").exists());
}

#[test]
fn a_folder_that_cannot_be_written_to_fails_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for out in ["file", "file/study"] {
        let failed = experiment(&["run", "smoke", "--out", out], folder.path());
        assert_eq!(failed.status.code(), Some(2));
        assert!(failed.stdout.is_empty());
        assert_eq!(text(&failed.stderr).lines().count(), 1, "{failed:?}");
        assert!(text(&failed.stderr).contains("cannot "), "{failed:?}");
    }
    assert_eq!(std::fs::read(folder.path().join("file")).unwrap(), b"");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let locked = folder.path().join("locked");
        std::fs::create_dir(&locked).unwrap();
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
        // Whoever may write everywhere is not kept out.
        if std::fs::write(locked.join("try"), "").is_err() {
            let failed = experiment(&["run", "smoke", "--out", "locked"], folder.path());
            assert_eq!(failed.status.code(), Some(2));
            assert!(text(&failed.stderr).contains("cannot make the folder locked/jobs"), "{failed:?}");
        }
    }
}

#[test]
fn a_folder_of_another_plan_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let smoke = experiment(&["show", "smoke"], folder.path());
    let mine = text(&smoke.stdout).replace("runs = 2", "runs = 1");
    std::fs::write(folder.path().join("mine.toml"), &mine).unwrap();
    assert_eq!(experiment(&["run", "mine.toml", "--out", "study"], folder.path()).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(folder.path().join("study/plan.toml")).unwrap(), mine);
    let refused = experiment(&["run", "smoke", "--out", "study"], folder.path());
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(text(&refused.stderr), "nerode: study belongs to another plan: its plan.toml differs\n");
    assert_eq!(experiment(&["status", "study"], folder.path()).status.code(), Some(0));
}

/// A plan with a job that fails, some that are cut, and one of each kind of language.
const PLAN: &str = r#"
name = "mine"
about = "what can happen"
seconds = 0.000001

[languages]
tomita = [2]

[[languages.expressions]]
name = "everything"
expression = "[ab]*"
letters = "ab"

[[languages.expressions]]
name = "even"
expression = "(b|ab*a)*"
letters = "ab"

[[languages.automata]]
letters = 2
states = 4

[[languages.sparse]]
letters = 5
states = 6
transitions = 2

[[languages.random_expressions]]
letters = 3
size = 5

[[languages.grammars]]
letters = 3
nonterminals = 2
productions = 2
reversed = true

[[draws]]
depth = 5
words = 40

[[learners]]
name = "nerode"
engine = "auto"
right = true
"#;

#[test]
fn a_job_that_fails_is_recorded_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), PLAN).unwrap();
    let run = experiment(&["run", "mine.toml", "--out", "study", "--json"], folder.path());
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    let summary: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&summary["jobs"], &summary["done"], &summary["failed"]), (&7.into(), &7.into(), &1.into()));
    let read = |ending: &str| -> Value {
        let name = format!("study/jobs/{ending}");
        serde_json::from_slice(&std::fs::read(folder.path().join(name)).unwrap()).unwrap()
    };
    let failed = read("everything.d5-even-w40.nerode.r0.json");
    assert!(failed["error"].as_str().unwrap().contains("there are no negative examples"), "{failed}");
    assert!(failed["answer"].is_null() && failed["truth"].is_object());
    // What the clock cut says so, in the record and beside it.
    assert_eq!(read("even.d5-even-w40.nerode.r0.json")["answer"]["stop_reason"], "cut");
    assert_eq!(read("even.d5-even-w40.nerode.r0.timing.json")["cut"], true);
    let status = experiment(&["status", "study"], folder.path());
    assert!(text(&status.stdout).starts_with("mine: 7 of 7 jobs done, 1 failed, 0 left\n"), "{status:?}");
    assert!(text(&status.stdout).contains("failed: everything.d5-even-w40.nerode.r0: every word"), "{status:?}");
}

#[test]
fn every_record_keeps_to_its_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/record.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut all = unbroken(folder.path());
    std::fs::write(folder.path().join("mine.toml"), PLAN).unwrap();
    experiment(&["run", "mine.toml", "--out", "study"], folder.path());
    all.append(&mut records(&folder.path().join("study")));
    for (name, content) in &all {
        let record: Value = serde_json::from_slice(content).unwrap();
        let mistakes: Vec<String> =
            validator.iter_errors(&record).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(mistakes.is_empty(), "{name}: {mistakes:?}");
        let Some(answer) = record["answer"].as_object() else { continue };
        assert_eq!(answer["consistent"], answer["errors"] == 0, "{name}");
        assert_eq!(answer["exact"], answer["failure"].is_null(), "{name}");
        assert_eq!(answer["exact"], answer["separating_word"].is_null(), "{name}");
        // A field less is noticed, in the record and in the answer.
        for field in answer.keys() {
            let mut less = record.clone();
            less["answer"].as_object_mut().unwrap().remove(field);
            assert!(!validator.is_valid(&less), "{field} is required");
        }
        let mut more = record.clone();
        more["answer"]["more"] = Value::Null;
        assert!(!validator.is_valid(&more));
    }
    // The specification of every plan's jobs, too.
    let mut of_spec = schema["$defs"]["Spec"].clone();
    of_spec["$defs"] = schema["$defs"].clone();
    let validator = jsonschema::validator_for(&of_spec).unwrap();
    let list = experiment(&["show"], folder.path());
    for plan in text(&list.stdout).lines().map(|line| line.split(' ').next().unwrap()) {
        let jobs = experiment(&["show", plan, "--jobs"], folder.path());
        for spec in text(&jobs.stdout).lines().step_by(11) {
            let spec: Value = serde_json::from_str(spec).unwrap();
            assert!(validator.is_valid(&spec), "{plan}: {spec}");
        }
    }
}

#[test]
fn a_mistake_in_a_plan_is_told_with_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), PLAN.replace("states = 4", "staets = 4")).unwrap();
    let run = experiment(&["run", "mine.toml", "--out", "study"], folder.path());
    assert_eq!(run.status.code(), Some(2));
    let told = "nerode: mine.toml: line 21, key `staets`: unknown field `staets`, expected one of `letters`, `states`, `count`\n";
    assert_eq!(text(&run.stderr), told);
    assert!(!folder.path().join("study").exists(), "nothing is made for a plan that cannot be run");
}

#[test]
fn each_set_of_a_plan_is_exported_once() {
    let folder = tempfile::tempdir().unwrap();
    let export = || experiment(&["export", "smoke", "--out", "sets", "--json"], folder.path());
    let exported = export();
    assert_eq!(exported.status.code(), Some(0), "{exported:?}");
    let list = text(&exported.stdout).to_owned();
    let read = |name: &str| std::fs::read_to_string(folder.path().join("sets").join(name)).unwrap();
    assert_eq!(read("sets.jsonl"), list);
    // Three languages, two draws, two runs; five learners share them.
    assert_eq!(list.lines().count(), 12);
    for line in list.lines() {
        let set: Value = serde_json::from_str(line).unwrap();
        let name = set["set"].as_str().unwrap();
        let examples = set["examples"].as_u64().unwrap() as usize;
        assert_eq!(read(&format!("{name}.jsonl")).lines().count(), examples);
        assert!(read(&format!("{name}.dat")).starts_with(&format!("{examples} ")));
        let truth = format!("sets/{name}.dfa.json");
        let mut compare = Command::new(env!("CARGO_BIN_EXE_nerode"));
        let compared = compare.args(["compare", &truth, &truth]).current_dir(folder.path()).output().unwrap();
        assert_eq!(compared.status.code(), Some(0), "{compared:?}");
    }
    assert_eq!(text(&export().stdout), list);
    // Learners of a run have its seed.
    assert!(list.lines().any(|line| line.contains("\"run\":1,\"seed\":1")), "{list}");
}

#[test]
fn an_export_keeps_the_files_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = folder.path().join("sets/sets.jsonl");
    std::fs::create_dir(folder.path().join("sets")).unwrap();
    std::fs::write(&theirs, "theirs").unwrap();
    let refused = experiment(&["export", "smoke", "--out", "sets"], folder.path());
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let told = "nerode: sets has a sets.jsonl that nerode did not write; choose another folder, or overwrite it with --force\n";
    assert_eq!(text(&refused.stderr), told);
    assert_eq!(std::fs::read_to_string(&theirs).unwrap(), "theirs");
    assert_eq!(std::fs::read_dir(folder.path().join("sets")).unwrap().count(), 1, "nothing was added");
    let force = ["export", "smoke", "--out", "sets", "--force"];
    assert_eq!(experiment(&force, folder.path()).status.code(), Some(0));
    assert_eq!(experiment(&force[..4], folder.path()).status.code(), Some(0), "now it is ours");
}

#[test]
fn a_report_keeps_the_files_of_others() {
    let folder = tempfile::tempdir().unwrap();
    unbroken(folder.path());
    let report = |more: &[&str]| experiment(&[&["report", "unbroken"], more].concat(), folder.path());
    let page = folder.path().join("unbroken/report/report.html");
    assert_eq!(report(&[]).status.code(), Some(0));
    let written = std::fs::read(&page).unwrap();
    assert_eq!(report(&[]).status.code(), Some(0), "its own earlier report");
    // A report of a version that kept no list of its files.
    std::fs::remove_file(folder.path().join("unbroken/report/.nerode")).unwrap();
    std::fs::write(&page, "older").unwrap();
    assert_eq!(report(&[]).status.code(), Some(0));
    assert_eq!(std::fs::read(&page).unwrap(), written);

    std::fs::create_dir(folder.path().join("theirs")).unwrap();
    for name in ["report.html", "report.md"] {
        std::fs::write(folder.path().join("theirs").join(name), "# theirs\n").unwrap();
    }
    let refused = report(&["--out", "theirs"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(text(&refused.stderr).contains("theirs has a report.md that nerode did not write"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("theirs/report.html")).unwrap(), "# theirs\n");
    assert_eq!(report(&["--out", "theirs", "--force"]).status.code(), Some(0));
    assert_eq!(report(&["--out", "theirs"]).status.code(), Some(0));
}
