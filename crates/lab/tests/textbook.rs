//! The exercises are what their descriptions say, and their examples are chosen as the rules say.

use std::collections::BTreeSet;

use automata::{Alphabet, Dfa, Word, enumerate};
use lab::plan::{Plan, built_in};
use lab::spec::Spec;
use lab::study::export;
use lab::textbook::{Exercise, exercises};
use lab::{job, report};

/// All words over the letters of up to this length, by length.
fn words(letters: &str, depth: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut from = 0;
    for _ in 0..depth {
        let longer: Vec<String> =
            words[from..].iter().flat_map(|word| letters.chars().map(move |c| format!("{word}{c}"))).collect();
        from = words.len();
        words.extend(longer);
    }
    words
}

/// Where the expression of an exercise matches, by other code than ours.
fn matcher(exercise: &Exercise) -> regex::Regex {
    regex::Regex::new(&format!(r"\A(?:{})\z", exercise.expression)).unwrap()
}

fn dfa(exercise: &Exercise) -> Dfa {
    exercise.language().draw(0).unwrap_or_else(|error| panic!("{}: {error}", exercise.name)).dfa
}

/// How often a piece occurs in a word; occurrences may overlap.
fn times(word: &str, piece: &str) -> usize {
    (0..word.len()).filter(|&at| word[at..].starts_with(piece)).count()
}

/// The description of an exercise as a program.
fn described(name: &str, word: &str) -> bool {
    let has = |piece: &str| times(word, piece);
    let (first, last) = (word.chars().next(), word.chars().last());
    let from_end = |place: usize| word.chars().rev().nth(place - 1);
    let runs =
        |letter: char| word.split(|c| c != letter).map(str::len).filter(|&length| length > 0).collect::<Vec<_>>();
    match name {
        "begins-with-0" => word.starts_with('0'),
        "ends-in-01" => word.ends_with("01"),
        "contains-101" => word.contains("101"),
        "contains-0101" => word.contains("0101"),
        "begins-with-1-ends-in-0" => word.starts_with('1') && word.ends_with('0'),
        "third-is-0" => word.chars().nth(2) == Some('0'),
        "third-last-is-1" => from_end(3) == Some('1'),
        "fourth-last-is-1" => from_end(4) == Some('1'),
        "fifth-last-is-1" => from_end(5) == Some('1'),
        "even-0s" => has("0") % 2 == 0,
        "0s-by-three" => has("0") % 3 == 0,
        "no-11" => !word.contains("11"),
        "length-by-three" => word.len().is_multiple_of(3),
        "odd-length" => word.len() % 2 == 1,
        "alternating" => !word.contains("00") && !word.contains("11"),
        "ends-not-in-01" => !word.ends_with("01"),
        "1-after-each-0" => has("0") == has("01"),
        "at-most-one-0" => has("0") <= 1,
        "some-0-at-most-one-1" => has("0") >= 1 && has("1") <= 1,
        "0-and-odd-or-1-and-even" => match first {
            Some('0') => word.len() % 2 == 1,
            Some('1') => word.len().is_multiple_of(2),
            _ => false,
        },
        "two-0s-at-most-one-1" => has("0") >= 2 && has("1") <= 1,
        "at-most-one-11" => has("11") <= 1,
        "one-00" => has("00") == 1,
        "odd-and-ends-in-1" => word.len() % 2 == 1 && last == Some('1'),
        "1-at-odd-places" => word.chars().step_by(2).all(|c| c == '1'),
        "number-by-three" => word.is_empty() || u32::from_str_radix(word, 2).unwrap().is_multiple_of(3),
        "even-length" => word.len().is_multiple_of(2),
        "at-most-three" => word.len() <= 3,
        "at-least-three" => word.len() >= 3,
        "same-ends" => first.is_some() && first == last,
        "different-ends" => first != last,
        "two-as" => has("a") == 2,
        "at-least-two-as" => has("a") >= 2,
        "as-then-bs" | "sorted" => word.chars().is_sorted(),
        "ab-repeated" => word == "ab".repeat(word.len() / 2),
        "even-runs-of-a" => runs('a').iter().all(|length| length % 2 == 0),
        "both-letters" => has("a") > 0 && has("b") > 0,
        "odd-as" => has("a") % 2 == 1,
        "even-as-even-bs" => has("a") % 2 == 0 && has("b") % 2 == 0,
        "no-aaa" => !word.contains("aaa"),
        "aa-or-bb" => word.contains("aa") || word.contains("bb"),
        "three-runs" => first == Some('a') && last == Some('a') && runs('b').len() == 1,
        "begins-with-a-ends-in-c" => first == Some('a') && last == Some('c'),
        "contains-abc" => word.contains("abc"),
        "no-ab" => !word.contains("ab"),
        "one-c" => has("c") == 1,
        "separated-by-c" => word.chars().enumerate().all(|(i, c)| (c == 'c') == (i % 2 == 1)) && word.len() % 2 == 1,
        "abc-repeated" => word == "abc".repeat(word.len() / 3),
        "b-after-each-a" => has("a") == has("ab"),
        _ => panic!("nothing is known of {name}"),
    }
}

#[test]
fn there_are_fifty_exercises_and_every_second_is_held_out() {
    let exercises = exercises();
    assert_eq!(exercises.len(), 50);
    assert_eq!(exercises.iter().map(|exercise| &exercise.name).collect::<BTreeSet<_>>().len(), 50);
    for (place, exercise) in exercises.iter().enumerate() {
        let Exercise { name, about, letters, held_out, .. } = exercise;
        assert_eq!(*held_out, place % 2 == 1, "{name}");
        assert!(["01", "ab", "abc"].contains(&&letters[..]), "{name}");
        assert!(about.ends_with('.'), "{name}: {about}");
        assert_eq!(dfa(exercise).alphabet(), &Alphabet::of_chars(letters), "{name}");
    }
}

#[test]
fn expressions_match_the_words_of_their_descriptions() {
    for exercise in exercises() {
        let (matcher, dfa) = (matcher(&exercise), dfa(&exercise));
        for word in words(&exercise.letters, 9) {
            let expected = described(&exercise.name, &word);
            assert_eq!(matcher.is_match(&word), expected, "{} {word}", exercise.name);
            assert_eq!(dfa.accepts(&dfa.alphabet().read(&word).unwrap()), expected, "{} {word}", exercise.name);
        }
    }
}

/// No two languages are the same, whatever the letters are called.
#[test]
fn the_languages_differ() {
    let orders: [&[&[usize]]; 2] =
        [&[&[0, 1], &[1, 0]], &[&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]]];
    let mut seen = BTreeSet::new();
    for exercise in exercises() {
        let dfa = dfa(&exercise);
        let letters: Vec<_> = dfa.alphabet().letters().collect();
        let everything = Dfa::constant(dfa.alphabet().clone(), true);
        let all: Vec<Word> = enumerate(&everything).take_while(|word| word.len() <= 7).collect();
        let renamed = |order: &[usize]| -> Vec<bool> {
            let name = |word: &Word| word.iter().map(|letter| letters[order[letter.index()]]).collect::<Word>();
            all.iter().map(|word| dfa.accepts(&name(word))).collect()
        };
        let same: BTreeSet<Vec<bool>> = orders[letters.len() - 2].iter().map(|order| renamed(order)).collect();
        for labels in same {
            assert!(seen.insert(labels), "{} is another exercise in other letters", exercise.name);
        }
    }
}

fn jobs(suite: &str) -> Vec<(Exercise, Spec)> {
    let jobs = Plan::read(built_in("textbook").unwrap()).unwrap().jobs;
    let jobs: Vec<Spec> = jobs.into_iter().filter(|job| job.draw.name == suite).collect();
    let exercises = exercises();
    assert_eq!(jobs.len(), exercises.len());
    exercises.into_iter().zip(jobs).collect()
}

/// The exported words of each exercise of a suite, accepted and rejected, with their labels checked.
fn sets(suite: &str) -> Vec<(Exercise, [Vec<String>; 2])> {
    let folder = tempfile::tempdir().unwrap();
    let (exercises, jobs): (Vec<Exercise>, Vec<Spec>) = jobs(suite).into_iter().unzip();
    let plan = Plan { name: "sets".to_owned(), about: String::new(), jobs };
    let sets = export(&plan, folder.path()).unwrap();
    let read = |(exercise, set): (Exercise, lab::study::Exported)| {
        assert_eq!((&set.language, set.expression.as_ref()), (&exercise.name, Some(&exercise.expression)));
        let text = std::fs::read_to_string(folder.path().join(format!("{}.jsonl", set.set))).unwrap();
        let truth = std::fs::read_to_string(folder.path().join(format!("{}.dfa.json", set.set))).unwrap();
        assert_eq!(truth, automata::formats::json::write_dfa(&dfa(&exercise)), "{}", exercise.name);
        let mut words = [Vec::new(), Vec::new()];
        for line in text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let (word, is_accepted) = (line["word"].as_str().unwrap(), line["label"] == 1);
            assert_eq!(described(&exercise.name, word), is_accepted, "{} {word}", exercise.name);
            words[usize::from(!is_accepted)].push(word.to_owned());
        }
        let all = words.concat();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{}", exercise.name);
        assert!(exercise.letters.chars().all(|letter| all.concat().contains(letter)), "{}", exercise.name);
        (exercise, words)
    };
    exercises.into_iter().zip(sets).map(read).collect()
}

#[test]
fn short_sets_have_all_short_words_and_twelve_longer_ones() {
    for (exercise, sets) in sets("textbook-short") {
        let name = &exercise.name;
        let short = if exercise.letters.len() == 2 { 4 } else { 3 };
        let all = sets.concat();
        let given: BTreeSet<&String> = all.iter().filter(|word| word.len() <= short).collect();
        assert_eq!(given, words(&exercise.letters, short).iter().collect(), "{name}");
        let mut there = [0, 0];
        for word in words(&exercise.letters, 8).iter().filter(|word| word.len() > short) {
            there[usize::from(!described(name, word))] += 1;
        }
        let longer = sets.map(|words| words.iter().filter(|word| word.len() > short).count());
        let expected = match there {
            [few, _] if few < 6 => [few, 12 - few],
            [_, few] if few < 6 => [12 - few, few],
            _ => [6, 6],
        };
        assert_eq!(longer, expected, "{name}");
        assert!(all.iter().all(|word| word.len() <= 8), "{name}");
    }
}

#[test]
fn drawn_sets_have_ten_words_of_each_label_as_far_as_they_exist() {
    let mut lengths = [0; 9];
    for (exercise, sets) in sets("textbook-drawn") {
        let all = words(&exercise.letters, 8);
        let accepted = all.iter().filter(|word| described(&exercise.name, word)).count();
        let expected = [accepted.min(10), (all.len() - accepted).min(10)];
        assert_eq!(sets.each_ref().map(Vec::len), expected, "{}", exercise.name);
        sets.concat().iter().for_each(|word| lengths[word.len()] += 1);
    }
    // Of the short ones there are few; of the others about as many of each length.
    assert!(lengths[3..].iter().all(|count| (90..=190).contains(count)), "{lengths:?}");
    assert!(lengths[0] <= 50 && lengths[1] > 50, "{lengths:?}");
}

/// The rules were fixed before anything was tuned: what was drawn once stays.
#[test]
fn the_sets_stay_the_same_for_ever() {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (_, [accepted, rejected]) in ["textbook-short", "textbook-drawn"].into_iter().flat_map(sets) {
        let text = format!("{} {}\n", accepted.join(","), rejected.join(","));
        // FNV-1a: any change shows.
        hash = text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    }
    assert_eq!(format!("{hash:016x}"), "8298716b9ba1b810");
}

#[test]
fn the_report_has_each_miss_with_both_expressions() {
    let mut specs: Vec<Spec> = jobs("textbook-drawn").into_iter().map(|(_, spec)| spec).collect();
    specs.retain(|spec| ["begins-with-0", "contains-0101", "fifth-last-is-1"].contains(&&spec.language.name()[..]));
    for spec in &mut specs {
        let lab::spec::Method::Learn(how) = &mut spec.learner.method else { panic!("it learns") };
        how.engine = induction::learner::Engine::Rpni;
    }
    let records: Vec<_> = specs.iter().map(|spec| job::run(spec, 1, &())).collect();
    assert!(records.iter().all(|record| record.answer.as_ref().unwrap().expression.is_some()));
    let last = records.last().unwrap();
    assert!(!last.is_exact(), "twenty words do not say so much");
    let study = report::Study { records: records.clone(), ..report::Study::default() };
    let text = report::markdown(&report::document(&study)).replace('\\', "");
    assert!(text.contains("## Textbook exercises"));
    let line = text.lines().find(|line| line.starts_with("| fifth-last-is-1 |") && line.contains("{4}")).unwrap();
    assert!(line.contains(last.answer.as_ref().unwrap().expression.as_ref().unwrap()), "{line}");
    let missed = records.iter().filter(|record| !record.is_exact()).count();
    let (_, after) = text.split_once("missed").unwrap();
    assert_eq!(after.lines().skip(4).take_while(|line| line.starts_with('|')).count(), missed);
}
