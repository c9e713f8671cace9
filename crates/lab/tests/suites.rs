//! The suites are what they are said to be, and the same every time.

use std::collections::BTreeSet;
use std::path::Path;

use lab::plan::{Plan, built_in};
use lab::spec::{Language, Words};
use lab::study::{Exported, export};
use lab::suites::{NAMES, suite};

/// A plan of these suites, with a learner that is not run.
fn plan(suites: &[&str]) -> Plan {
    let text = format!(
        "name = \"suites\"\nabout = \"sets\"\nsuites = {suites:?}\n[[learners]]\nname = \"edsm\"\nengine = \"edsm\"\n"
    );
    Plan::read(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// The words of a set, by label.
fn words(folder: &Path, set: &Exported) -> (Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string(folder.join(format!("{}.jsonl", set.set))).unwrap();
    let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let list = if line["label"] == 1 { &mut accepted } else { &mut rejected };
        list.push(line["word"].as_str().unwrap().to_owned());
    }
    assert_eq!(accepted.len() + rejected.len(), set.examples);
    (accepted, rejected)
}

fn distinct(words: &[String]) -> usize {
    words.iter().collect::<BTreeSet<_>>().len()
}

#[test]
fn every_suite_has_its_sets() {
    for name in NAMES {
        let sets = suite(name).unwrap();
        let expected = match name {
            "tomita" => 35,
            _ if name.starts_with("strings") => 49,
            _ if name.starts_with("textbook") => 50,
            _ if name.starts_with("subregular") => 120,
            _ if name.starts_with("stamina") => 25,
            _ => 60,
        };
        assert_eq!(sets.len(), expected, "{name}");
        assert!(sets.iter().all(|set| set.draw.name == name), "{name}");
        let names: BTreeSet<(String, u64)> = sets.iter().map(|set| (set.language.name(), set.run)).collect();
        assert_eq!(names.len(), expected, "{name}");
    }
    assert!(suite("grid").is_none() && suite("noise-0.3").is_none());
}

#[test]
fn a_set_of_the_grid_has_two_thousand_words_a_class() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["grid-8-uniform", "grid-16-even"]);
    plan.jobs = plan.jobs.into_iter().step_by(13).collect();
    for set in export(&plan, folder.path()).unwrap() {
        let (accepted, rejected) = words(folder.path(), &set);
        assert_eq!((accepted.len(), rejected.len(), distinct(&rejected)), (2000, 2000, 2000), "{}", set.set);
        assert!(rejected.contains(&String::new()), "{}", set.set);
        let longest = if set.draw == "grid-16-even" { 16 } else { 8 };
        assert!(accepted.iter().chain(&rejected).all(|word| word.len() <= longest), "{}", set.set);
    }
}

/// At a higher rate the words of a lower one are among those with a wrong label, and no others change.
#[test]
fn noise_changes_labels_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["grid-8-even", "noise-0", "noise-0.01", "noise-0.05"]);
    plan.jobs.retain(|job| job.language.name() == "t4-n3-p3-0");
    let sets = export(&plan, folder.path()).unwrap();
    let rows = |set: &Exported| std::fs::read_to_string(folder.path().join(format!("{}.jsonl", set.set))).unwrap();
    let [grid, none, some, more] = &sets[..] else { panic!("four sets") };
    assert_eq!(rows(grid), rows(none));
    let changed = |set: &Exported| {
        let (before, after) = (rows(none), rows(set));
        assert_eq!(before.lines().count(), after.lines().count());
        let pairs = before.lines().zip(after.lines()).enumerate();
        pairs.filter(|(_, (before, after))| before != after).map(|(at, _)| at).collect::<BTreeSet<usize>>()
    };
    let (some, more) = (changed(some), changed(more));
    assert!(!some.is_empty() && some.len() < more.len() && some.is_subset(&more));
}

#[test]
fn tomitas_languages_have_even_lengths_and_the_empty_word() {
    let folder = tempfile::tempdir().unwrap();
    let sets = export(&plan(&["tomita"]), folder.path()).unwrap();
    for set in sets.iter().filter(|set| set.run == 0) {
        assert_eq!(set.seed, 0);
        let (accepted, rejected) = words(folder.path(), set);
        assert!(accepted.len() <= 250 && distinct(&accepted) == accepted.len());
        assert_eq!((rejected.len(), distinct(&rejected)), (250, 250));
        assert!(accepted.contains(&String::new()), "all seven accept the empty word");
        let of_length = |length| rejected.iter().filter(|word| word.len() == length).count();
        assert!(of_length(15).abs_diff(of_length(14)) <= 1);
    }
    assert_eq!(sets.iter().map(|set| set.seed).max(), Some(4), "each draw has another seed for learners");
}

/// Words of a dense set are drawn regardless of labels.
#[test]
fn dense_sets_have_the_size_and_the_lengths_asked_for() {
    let mut plan = Plan::read(built_in("dense").unwrap()).unwrap();
    plan.jobs.retain(|job| matches!(job.language, Language::Automaton { states: 20, index: 0, .. }));
    plan.jobs.retain(|job| matches!(job.draw.words, Words::Blind { per_state: 50, .. }));
    let folder = tempfile::tempdir().unwrap();
    let sets = export(&plan, folder.path()).unwrap();
    assert_eq!(sets.len(), 2);
    for set in sets {
        let (accepted, rejected) = words(folder.path(), &set);
        let all = [accepted, rejected].concat();
        assert_eq!((all.len(), distinct(&all)), (1000, 1000));
        let of_length = |length| all.iter().filter(|word| word.len() == length).count();
        match set.draw.contains("even") {
            // 8, 16, 32 and 64 are all there are of the shortest; the rest is shared by nine lengths.
            true => {
                assert_eq!((of_length(2), of_length(3), of_length(6), of_length(16)), (0, 8, 64, 0));
                assert!((7..=15).all(|length| of_length(length) == 97 || of_length(length) == 98));
            }
            false => assert!((700..800).contains(&(of_length(14) + of_length(15))), "three of four words are long"),
        }
    }
}

/// Figures of different days are of the same sets: what was drawn once stays.
#[test]
fn the_sets_stay_the_same_for_ever() {
    assert_eq!(hash(&["tomita", "noise-0.05", "questions", "strings-20"]), "0c8b8299950b2c90");
    assert_eq!(hash(&["subregular-100", "stamina-12.5"]), "9acb601af652a8ab");
}

/// A number that any change of the sets changes.
fn hash(suites: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let sets = export(&plan(suites), folder.path()).unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for set in sets {
        for ending in ["dat", "dfa.json"] {
            let bytes = std::fs::read(folder.path().join(format!("{}.{ending}", set.set))).unwrap();
            // FNV-1a: any change shows.
            hash = bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
        }
    }
    format!("{hash:016x}")
}
