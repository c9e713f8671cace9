//! What a transcript of `nerode learn` cannot show: runs that are killed and taken up again, questions answered through a
//! pipe, folders compared byte by byte, and results held against their schema.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
    command.args(arguments).current_dir(folder);
    command
}

fn nerode(arguments: &[&str], folder: &Path) -> Output {
    command(arguments, folder).stdin(Stdio::null()).output().unwrap()
}

/// The same with something to read on standard input.
fn nerode_reading(input: &[u8], arguments: &[&str], folder: &Path) -> Output {
    let mut child = piped(arguments, folder);
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn piped(arguments: &[&str], folder: &Path) -> Child {
    let mut command = command(arguments, folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What every file in a folder holds.
fn files_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    // The mark of a folder that nerode made says nothing of its run.
    let entries = entries.filter(|entry| entry.file_name() != ".nerode");
    entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

/// The same without the one file that tells of the clock.
fn timeless_files_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files_in(folder);
    assert!(files.remove("timing.json").is_some(), "there is always a timing.json");
    files
}

fn names_in(folder: &Path) -> Vec<String> {
    files_in(folder).into_keys().collect()
}

/// All words over a and b to this length with their labels, as CSV.
fn table(longest: usize, belongs: impl Fn(usize, &str) -> bool) -> String {
    let mut words = vec![String::new()];
    let mut begin = 0;
    for _ in 0..longest {
        let end = words.len();
        let longer: Vec<String> = words[begin..end].iter().flat_map(|w| [format!("{w}a"), format!("{w}b")]).collect();
        words.extend(longer);
        begin = end;
    }
    let row = |(i, word): (usize, &String)| format!("{word},{}\n", u8::from(belongs(i, word)));
    "word,label\n".to_owned() + &words.iter().enumerate().map(row).collect::<String>()
}

fn is_even(word: &str) -> bool {
    word.matches('a').count().is_multiple_of(2)
}

/// A folder with samples: words with an even number of a's, a few of them, the same with wrong labels, and labels by
/// chance, which keep every engine busy.
fn samples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    put("even.csv", &table(4, |_, word| is_even(word)));
    put("few.csv", "word,label\n\"\",1\nb,1\naa,1\na,0\nab,0\n");
    put("noisy.csv", &table(5, |_, word| is_even(word) != (word == "abab" || word == "bbb")));
    // The top bit of a product that mixes well.
    put("chance.csv", &table(7, |i, _| (i as u32 + 1).wrapping_mul(0x9E37_79B9).wrapping_mul(0x85EB_CA6B) >> 31 == 1));
    put(
        "sessions.jsonl",
        &["login,logout,1", "login,read,logout,1", "login,0", "logout,0", "read,0"].map(session).concat(),
    );
    folder
}

fn session(row: &str) -> String {
    let (word, label) = row.rsplit_once(',').unwrap();
    let letters: Vec<&str> = word.split(',').collect();
    format!("{}\n", serde_json::json!({ "word": letters, "label": label }))
}

#[test]
fn every_result_keeps_to_its_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/result.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let folder = samples();
    let runs: [(&[&str], i32); 18] = [
        (&[], 0),
        (&["even.csv", "--direction", "right", "--learner", "edsm"], 0),
        (&["noisy.csv", "--noise", "auto", "--learner", "edsm"], 0),
        (&["noisy.csv", "--noise", "0.05", "--restarts", "16"], 0),
        (&["few.csv", "--oracle", "regex:(b|ab*a)*", "--learner", "neural"], 0),
        (&["chance.csv", "--time-limit", "0.000001"], 1),
        (&["chance.csv", "--learner", "neural", "--restarts", "16", "--steps", "20", "--nonterminals", "2"], 1),
        (&["sessions.jsonl", "--learner", "edsm"], 0),
        (&["even.csv", "--paper", "--steps", "20"], 1),
        (&["even.csv", "--learner", "neural", "--shape", "dfa", "--restarts", "16"], 0),
        (&["even.csv", "--learner", "search", "--moves", "1000000"], 0),
        (&["even.csv", "--start-from", "regex:(b|ab*a)*", "--time-limit", "0.000001"], 0),
        (&["even.csv", "--seed", "18446744073709551615", "--learner", "rpni"], 0),
        (&["even.csv", "--learner", "sat", "--prove"], 0),
        (&["few.csv", "--learner", "rpni", "--prove"], 0),
        (&["sessions.jsonl", "--learner", "edsm", "--prove", "--direction", "right"], 0),
        (&["chance.csv", "--learner", "sat", "--conflicts", "0", "--prove"], 1),
        (&["noisy.csv", "--noise", "0.05", "--learner", "edsm", "--prove"], 0),
    ];
    let mut met: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (arguments, code) in runs {
        let output = nerode(&[&["learn", "--json"], arguments].concat(), folder.path());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mistakes: Vec<String> =
            validator.iter_errors(&result).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(mistakes.is_empty(), "{arguments:?}: {mistakes:?}");
        assert_eq!(result["consistent"], result["errors"] == 0);
        for field in ["stop_reason", "origin", "learner", "noise"] {
            met.entry(field).or_default().push(result[field].clone());
        }
        // A field more or less is noticed.
        let mut more = result.clone();
        more["more"] = Value::Null;
        assert!(!validator.is_valid(&more));
        for name in result.as_object().unwrap().keys() {
            let mut less = result.clone();
            less.as_object_mut().unwrap().remove(name);
            assert!(!validator.is_valid(&less), "{name} is required");
        }
    }
    // The runs are of many kinds.
    for (field, values) in
        [("stop_reason", &["settled", "finished", "budget", "cut"][..]), ("origin", &["symbolic", "given"][..])]
    {
        for value in values {
            assert!(met[field].iter().any(|met| met == value), "no run has {field} {value}: {:?}", met[field]);
        }
    }
}

/// A run long enough to be killed in the middle.
const BUSY: [&str; 8] = ["learn", "chance.csv", "--restarts", "96", "--steps", "1000", "--moves", "3000000"];

/// Starts a run, waits for a checkpoint that is another than before, and kills the run. Says whether it was still running.
fn kill_at_the_next_checkpoint(arguments: &[&str], folder: &Path, checkpoint: &Path) -> bool {
    let before = std::fs::read(checkpoint).ok();
    let mut child = command(arguments, folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    loop {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if let Ok(content) = std::fs::read(checkpoint)
            && Some(&content) != before.as_ref()
        {
            // What is there is whole at any moment.
            serde_json::from_slice::<Value>(&content).unwrap();
            child.kill().unwrap();
            return !child.wait().unwrap().success();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_killed_run_is_taken_up_as_if_nothing_had_been() {
    let folder = samples();
    let path = |name: &str| folder.path().join(name);
    let unbroken = nerode(&[&BUSY[..], &["--threads", "2", "--out", "unbroken"]].concat(), folder.path());
    assert!(unbroken.status.code().is_some_and(|code| code < 2), "{unbroken:?}");

    let broken = [&BUSY[..], &["--threads", "1", "--out", "broken", "--checkpoint", "kept"]].concat();
    for _ in 0..2 {
        assert!(kill_at_the_next_checkpoint(&broken, folder.path(), &path("kept/session.json")), "it was not killed");
        assert!(names_in(&path("broken")).is_empty(), "nothing is written before the end");
    }
    let resumed = nerode(&broken, folder.path());
    assert_eq!(resumed.status.code(), unbroken.status.code(), "{resumed:?}");
    assert_eq!(text(&resumed.stdout), text(&unbroken.stdout));
    let (resumed, unbroken) = (timeless_files_in(&path("broken")), timeless_files_in(&path("unbroken")));
    assert_eq!(resumed.keys().collect::<Vec<_>>(), unbroken.keys().collect::<Vec<_>>());
    for (name, content) in &unbroken {
        assert!(resumed[name] == *content, "{name} differs");
    }
    assert!(!path("kept/session.json").exists(), "a run that is over leaves nothing to go on from");
}

#[test]
fn a_run_cut_by_the_clock_can_be_taken_up() {
    let folder = samples();
    let path = |name: &str| folder.path().join(name);
    let busy = [&BUSY[..], &["--checkpoint", "kept"]].concat();
    assert!(kill_at_the_next_checkpoint(&busy, folder.path(), &path("kept/session.json")), "it was not killed");
    let cut = nerode(&[&busy[..], &["--time-limit", "0.000001", "--json"]].concat(), folder.path());
    let result: Value = serde_json::from_slice(&cut.stdout).unwrap();
    assert_eq!(result["stop_reason"], "cut");
    assert!(path("kept/session.json").exists(), "what was found is still there");
    let done = nerode(&busy, folder.path());
    assert_eq!(text(&done.stdout), text(&nerode(&BUSY, folder.path()).stdout));
    assert!(!path("kept/session.json").exists(), "a run that is over leaves nothing to go on from");
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let folder = samples();
    let path = |name: &str| folder.path().join(name);
    let busy = [&BUSY[..], &["--checkpoint", "kept"]].concat();
    assert!(kill_at_the_next_checkpoint(&busy, folder.path(), &path("kept/session.json")), "it was not killed");
    let kept = std::fs::read(path("kept/session.json")).unwrap();
    let other_examples: Vec<&str> =
        busy.iter().map(|&argument| if argument == "chance.csv" { "even.csv" } else { argument }).collect();
    let other_settings = [&busy[..], &["--seed", "1"]].concat();
    for (arguments, what) in [(other_examples, "examples"), (other_settings, "options")] {
        let refused = nerode(&arguments, folder.path());
        assert_eq!(refused.status.code(), Some(2));
        assert!(refused.stdout.is_empty());
        let expected = format!("nerode: kept/session.json: the session was saved with other {what}\n");
        assert_eq!(text(&refused.stderr), expected);
        assert!(std::fs::read(path("kept/session.json")).unwrap() == kept, "it is still there for its own run");
    }
}

#[test]
fn threads_change_nothing() {
    let folder = samples();
    let run = |threads: &str| {
        let arguments = ["learn", "even.csv", "--restarts", "48", "--threads", threads, "--out", threads];
        let output = nerode(&arguments, folder.path());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (output.stdout, timeless_files_in(&folder.path().join(threads)))
    };
    assert!(run("1") == run("2"));
}

/// What a folder holds besides the model, which only a neural answer has.
const FILES: [&str; 13] = [
    "dfa.dot",
    "dfa.json",
    "dfa.svg",
    "examples.jsonl",
    "grammar.json",
    "grammar.txt",
    "nfa.json",
    "nfa.svg",
    "regex.txt",
    "report.html",
    "result.json",
    "timing.json",
    "training.jsonl",
];

#[test]
fn the_folder_of_a_run_is_complete_and_read_back() {
    let folder = samples();
    let run = folder.path().join("run");
    let neural = ["learn", "even.csv", "--learner", "neural", "--restarts", "16", "--out", "run"];
    for direction in ["left", "right"] {
        let output = nerode(&[&neural[..], &["--direction", direction]].concat(), folder.path());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let mut expected = FILES.map(str::to_owned).to_vec();
        expected.push("model.safetensors".to_owned());
        expected.sort();
        assert_eq!(names_in(&run), expected, "all files, and none that is temporary");
        let compared = |language: &str| nerode(&["compare", "regex:(b|ab*a)*", language], folder.path()).status.code();
        assert_eq!(compared("run"), Some(0));
        for form in ["dfa.dot", "dfa.json", "grammar.json", "grammar.txt", "nfa.json", "regex.txt"] {
            assert_eq!(compared(&format!("run/{form}")), Some(0), "{form}");
            let converted = nerode(&["convert", &format!("run/{form}"), "--to", "dfa-json"], folder.path());
            assert!(converted.stdout == files_in(&run)["dfa.json"], "{form}");
        }
        let json = nerode(&[&neural[..6], &["--direction", direction, "--json"]].concat(), folder.path());
        assert_eq!(text(&json.stdout), text(&files_in(&run)["result.json"]), "printed and written alike");
        let lines = files_in(&run)["training.jsonl"].clone();
        assert!(!lines.is_empty());
        for line in text(&lines).lines() {
            assert!(serde_json::from_str::<Value>(line).unwrap()["block"].is_u64());
        }
    }
    // An answer that no model gave takes the model of the one before away, and leaves what is not its own.
    std::fs::write(run.join("notes.md"), "mine").unwrap();
    let merged = nerode(&["learn", "even.csv", "--learner", "edsm", "--out", "run"], folder.path());
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    let mut expected = FILES.map(str::to_owned).to_vec();
    expected.push("notes.md".to_owned());
    expected.sort();
    assert_eq!(names_in(&run), expected);
}

/// Grammar, evidence, automata, pictures, model and training call the same thing by the same name.
#[test]
fn names_are_the_same_in_all_files() {
    let folder = samples();
    let run = folder.path().join("run");
    let learn =
        ["learn", "even.csv", "--learner", "neural", "--restarts", "16", "--progress-frames", "3", "--out", "run"];
    assert_eq!(nerode(&learn, folder.path()).status.code(), Some(0));
    let file = |name: &str| text(&files_in(&run)[name]).to_owned();
    let json = |name: &str| serde_json::from_str::<Value>(&file(name)).unwrap();
    let strings = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    let names = strings(&json("grammar.json")["nonterminals"]);
    let expected = (0..names.len()).map(|i| if i == 0 { "S".to_owned() } else { format!("A{i}") });
    assert_eq!(names, expected.collect::<Vec<_>>(), "without gaps");
    let others = &names[1..];

    let result = json("result.json");
    let lines: Vec<&str> =
        result["evidence"].as_array().unwrap().iter().map(|line| line["production"].as_str().unwrap()).collect();
    assert_eq!(lines, file("grammar.txt").lines().collect::<Vec<_>>());
    let states = strings(&json("nfa.json")["names"]);
    let picture = file("nfa.svg");
    assert!(states.iter().all(|name| name == "ε" || names.contains(name)), "{states:?}");
    assert!(states.iter().all(|name| picture.contains(&format!(">{name}</text>"))), "{states:?}");

    let model = String::from_utf8_lossy(&files_in(&run)["model.safetensors"]).into_owned();
    let watched =
        file("training.jsonl").lines().last().map(|line| serde_json::from_str::<Value>(line).unwrap()).unwrap();
    let of_model = strings(&watched["names"]);
    assert!(others.iter().all(|name| of_model.contains(name)), "{of_model:?}");
    let in_header = format!("\\\"names\\\":{}", serde_json::to_string(&of_model).unwrap().replace('"', "\\\""));
    let usual: Vec<String> = (1..=of_model.len()).map(|k| format!("A{k}")).collect();
    assert!(of_model == usual || model.contains(&in_header), "{in_header}");

    let drawn: Vec<String> =
        file("dfa.dot").lines().filter_map(|line| Some(line.split_once("[label=\"")?.0.trim().to_owned())).collect();
    let dfa = file("dfa.svg");
    let nodes =
        drawn.iter().filter_map(|node| node.strip_prefix('s')).filter(|node| node.bytes().all(|b| b.is_ascii_digit()));
    assert!(nodes.clone().count() > 0 && nodes.clone().all(|number| dfa.contains(&format!(">{number}</text>"))));
}

#[test]
fn a_run_that_fails_leaves_the_folder_as_it_was() {
    let folder = samples();
    let edsm = ["learn", "even.csv", "--learner", "edsm", "--out", "run"];
    assert_eq!(nerode(&edsm, folder.path()).status.code(), Some(0));
    let before = files_in(&folder.path().join("run"));
    for wrong in [&["--save-examples", "no/such/folder.csv"][..], &["--oracle", "missing.txt"]] {
        assert_eq!(nerode(&[&edsm[..], wrong].concat(), folder.path()).status.code(), Some(2));
        assert!(files_in(&folder.path().join("run")) == before);
    }
}

#[test]
fn without_out_nothing_is_written() {
    let folder = samples();
    let before = names_in(folder.path());
    assert_eq!(nerode(&["learn", "even.csv", "--learner", "edsm"], folder.path()).status.code(), Some(0));
    assert_eq!(names_in(folder.path()), before);
}

#[test]
fn standard_input_is_a_file_of_examples() {
    let folder = samples();
    let learn = |name: &str| nerode(&["learn", name, "--learner", "edsm", "--json"], folder.path()).stdout;
    for name in ["even.csv", "sessions.jsonl"] {
        let input = std::fs::read(folder.path().join(name)).unwrap();
        let piped = nerode_reading(&input, &["learn", "-", "--learner", "edsm", "--json"], folder.path());
        assert_eq!(text(&piped.stdout), text(&learn(name)), "{name}");
    }
    // One of two files, too.
    std::fs::write(folder.path().join("good.txt"), "ab\nabab\n").unwrap();
    let half = nerode_reading(b"a\nb\nba\naba\n", &["learn", "good.txt", "-", "--learner", "rpni"], folder.path());
    assert_eq!(half.status.code(), Some(0), "{half:?}");
    assert!(
        text(&half.stdout).contains("6 words (2 accepted, 4 rejected) over {a, b}, from good.txt and standard input")
    );
}

#[test]
fn a_person_answers_skips_and_stops() {
    let folder = samples();
    let ask = ["learn", "few.csv", "--learner", "neural", "--ask", "--save-examples", "answered.csv"];
    let output = nerode_reading(b"what?\nskip\ny\nNo\nstop\ny\n", &ask, folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let asked = text(&output.stderr);
    assert_eq!(asked.matches("in the language? [y/n/skip/stop]").count(), 5, "{asked}");
    assert_eq!(asked.matches("reply y (yes), n (no)").count(), 1, "{asked}");
    assert!(text(&output.stdout).contains("; 2 questions answered"), "{}", text(&output.stdout));

    // The answers are saved behind the examples, and say the same when they are read back.
    let few = std::fs::read_to_string(folder.path().join("few.csv")).unwrap();
    let answered = std::fs::read_to_string(folder.path().join("answered.csv")).unwrap();
    let (given, answers): (Vec<&str>, Vec<&str>) = answered.lines().skip(1).partition(|line| line.ends_with(",0"));
    assert_eq!(given.len(), few.lines().count() - 1);
    assert!(matches!(answers[..], [yes, no] if yes.ends_with(",1,1") && no.ends_with(",0,1")), "{answers:?}");
    let again = nerode(&["learn", "answered.csv", "--learner", "rpni", "--json"], folder.path());
    let result: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!((&result["consistent"], &result["words"], &result["questions"]), (&true.into(), &5.into(), &2.into()));

    // When there is nobody any more, that is no mistake.
    let silent = nerode_reading(b"", &ask, folder.path());
    assert_eq!(silent.status.code(), Some(0), "{silent:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("answered.csv")).unwrap(), few);
}

/// Reads what a person is told up to the next question.
fn read_question(stderr: &mut impl Read) {
    let mut told = Vec::new();
    while !told.ends_with(b"[y/n/skip/stop] ") {
        let mut byte = [0];
        stderr.read_exact(&mut byte).unwrap();
        told.push(byte[0]);
    }
}

#[test]
fn answers_outlive_a_killed_run() {
    let folder = samples();
    for direction in ["left", "right"] {
        let ask = ["learn", "few.csv", "--learner", "neural", "--direction", direction, "--ask", "--out"];
        let unbroken = nerode_reading(b"y\nn\nstop\n", &[&ask[..], &["unbroken"]].concat(), folder.path());
        assert_eq!(unbroken.status.code(), Some(0), "{unbroken:?}");

        let broken = [&ask[..], &["broken", "--checkpoint", "kept"]].concat();
        let mut child = piped(&broken, folder.path());
        let mut stderr = child.stderr.take().unwrap();
        read_question(&mut stderr);
        child.stdin.as_mut().unwrap().write_all(b"y\n").unwrap();
        read_question(&mut stderr);
        child.kill().unwrap();
        child.wait().unwrap();
        let resumed = nerode_reading(b"n\nstop\n", &broken, folder.path());
        assert_eq!(text(&resumed.stdout), text(&unbroken.stdout));
        let files = |name: &str| timeless_files_in(&folder.path().join(name));
        assert!(files("broken") == files("unbroken"));
    }
}

/// What is proved goes to the result, and only there; what is known stays known.
#[test]
fn a_run_is_proved_where_it_is() {
    let folder = samples();
    let run = folder.path().join("run");
    let result = || serde_json::from_slice::<Value>(&files_in(&run)["result.json"]).unwrap();
    let schema: Value = serde_json::from_str(include_str!("../../../docs/result.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (examples, direction) in [("even.csv", "left"), ("even.csv", "right"), ("sessions.jsonl", "left")] {
        let learn = ["learn", examples, "--learner", "edsm", "--direction", direction, "--out", "run"];
        assert_eq!(nerode(&learn, folder.path()).status.code(), Some(0));
        assert_eq!(result()["proof"], Value::Null);
        let before = files_in(&run);
        let proved = nerode(&["prove", "run", "--json"], folder.path());
        let told: Value = serde_json::from_slice(&proved.stdout).unwrap();
        let refuted = told["minimal"] == "refuted" || told["unique"] == "refuted";
        assert_eq!(proved.status.code(), Some(i32::from(refuted)), "{proved:?}");
        assert!(validator.is_valid(&result()));
        for name in ["minimal", "unique", "proof"] {
            assert_eq!(result()[name], told[name], "{name}");
        }
        // As if it had been asked for at once.
        let after = files_in(&run);
        assert_eq!(nerode(&[&learn[..], &["--prove"]].concat(), folder.path()).status.code(), Some(0));
        assert_eq!(text(&files_in(&run)["result.json"]), text(&after["result.json"]));
        for (name, content) in before.iter().filter(|(name, _)| *name != "result.json") {
            assert!(after[name] == *content, "{name} is another");
        }
    }
    assert_eq!(
        nerode(&["learn", "even.csv", "--learner", "edsm", "--prove", "--out", "run"], folder.path()).status.code(),
        Some(0)
    );
    let known = result();
    assert_eq!((&known["minimal"], &known["unique"]), (&"proved".into(), &"proved".into()));
    let cut = nerode(&["prove", "run", "--time-limit", "0.000000001"], folder.path());
    assert!(text(&cut.stdout).contains("unknown: stopped"), "{cut:?}");
    assert_eq!(result(), known);
}
