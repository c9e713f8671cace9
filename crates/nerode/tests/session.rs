//! Sessions: the same answer however they are cut, saved, or run, and examples that remember what was asked.

use nerode::automata::{Alphabet, Letter, Regex, Word, minimize};
use nerode::examples::{Format, Source, of_words, read_labelled, write};
use nerode::{Answer, Engine, Event, Examples, Label, Noise, Options, Session, Side, StopReason, Threads, accepts};

fn small() -> Options {
    Options { restarts: Some(32), steps: Some(300), moves: Some(300_000), ..Options::default() }
}

fn answered(session: &mut Session, belongs: impl Fn(&str) -> bool) {
    while let Event::Question(question) = session.run().unwrap() {
        let label = if belongs(&question.word) { Label::Accepted } else { Label::Rejected };
        session.answer(&question.word, label).unwrap();
    }
}

fn even(word: &str) -> bool {
    word.matches('b').count().is_multiple_of(2)
}

fn few() -> Examples {
    of_words(["a", "bb"], ["b", "ab"]).unwrap()
}

fn dates() -> Examples {
    let accepted = ["2024-01-05", "1999-12-31", "2011-07-20", "1987-10-08", "2030-02-14", "2001-09-11"];
    of_words(accepted, ["2024-1-05", "99-12-31", "2011/07/20", "1987-10-8x", ""]).unwrap()
}

fn learned(examples: &Examples, options: Options, threads: usize) -> Answer {
    let mut session = Session::new(examples, options, threads).unwrap();
    answered(&mut session, even);
    session.finish().unwrap().answer
}

#[test]
fn threads_change_nothing() {
    for (examples, options) in [(few(), small()), (dates(), Options::default())] {
        assert_eq!(learned(&examples, options.clone(), 1), learned(&examples, options, 2));
    }
}

#[test]
fn a_saved_session_goes_on_to_the_same_answer() {
    let asking = Options { questions: Some(30), ..small() };
    for (examples, options) in
        [(few(), asking.clone()), (dates(), Options { questions: Some(3), ..Options::default() })]
    {
        let unbroken = learned(&examples, options.clone(), 2);
        let mut session = Session::new(&examples, options.clone(), 1).unwrap();
        let mut steps = 0;
        loop {
            steps += 1;
            // Jobs under way are begun again, so not at every step, or it would never end.
            if [2, 9, 40, 150].contains(&steps) {
                let text = session.save();
                let workers = Box::new(Threads::new(1).unwrap());
                session = Session::resume(&text, &examples, options.clone(), workers).unwrap();
                assert_eq!(session.save(), text);
            }
            match session.step().unwrap() {
                Event::Done => break,
                Event::Progress(_) => {}
                Event::Question(question) => {
                    let label = if even(&question.word) { Label::Accepted } else { Label::Rejected };
                    session.answer(&question.word, label).unwrap();
                }
            }
        }
        assert_eq!(session.finish().unwrap().answer, unbroken);
    }
}

#[test]
fn words_that_were_added_are_saved() {
    let patterns = Options { questions: Some(3), ..Options::default() };
    for (examples, options, added) in [
        (few(), small(), vec![("abab", true), ("bab", true), ("aab", false), ("", true)]),
        (few(), Options { direction: Side::Right, questions: Some(30), ..small() }, vec![("abab", true), ("b", false)]),
        (dates(), patterns, vec![("2024-02-29", true), ("2024-40-29", false), ("9999-12-31", false)]),
    ] {
        let read = |&(text, accepted): &(&str, bool)| (examples.alphabet().read(text).unwrap(), Label::from(accepted));
        let words: Vec<(Word, Label)> = added.iter().map(read).collect();
        for steps in [0, 1, 4] {
            let begun = || {
                let mut session = Session::new(&examples, options.clone(), 1).unwrap();
                (0..steps).for_each(|_| drop(session.step().unwrap()));
                session.add(&words).unwrap();
                session
            };
            let ended = |mut session: Session| {
                answered(&mut session, even);
                session.finish().unwrap().answer.write()
            };
            let resumed = |text: &str| {
                let workers = Box::new(Threads::inline());
                let session = Session::resume(text, &examples, options.clone(), workers).unwrap();
                assert_eq!(session.save(), text);
                session
            };
            let mut later = resumed(&begun().save());
            (0..3).for_each(|_| drop(later.step().unwrap()));
            let unbroken = ended(begun());
            assert_eq!(ended(resumed(&later.save())), unbroken, "after {steps} steps");
        }
    }
}

#[test]
fn another_session_is_refused() {
    let text = Session::new(&few(), small(), 1).unwrap().save();
    let resumed = |text: &str, examples: &Examples, options: Options| {
        let workers = Box::new(Threads::inline());
        Session::resume(text, examples, options, workers).err().unwrap().to_string()
    };
    assert!(resumed(&text, &few(), Options { seed: 1, ..small() }).contains("other options"));
    let others = of_words(["a"], ["b"]).unwrap();
    assert!(resumed(&text, &others, small()).contains("other examples"));
    assert!(resumed("{}", &few(), small()).contains("not a saved session"));
    let older = text.replacen("\"schema_version\":2", "\"schema_version\":1", 1);
    assert_eq!(resumed(&older, &few(), small()), "the session was saved by another version of nerode");
}

#[test]
fn answers_that_are_saved_give_the_same_answer_again() {
    for (examples, questions) in [(few(), 30), (dates(), 3)] {
        let asking = Options { questions: Some(questions), ..Options::default() };
        let mut session = Session::new(&examples, asking, 1).unwrap();
        answered(&mut session, even);
        let answers = session.answers().to_vec();
        let first = session.finish().unwrap().answer;
        for format in [Format::Csv, Format::Jsonl] {
            let bytes = write::labelled(format, &examples, &answers).unwrap();
            let given = read_labelled(&Source::new("saved", bytes), format, None).unwrap();
            assert_eq!(given.answers, answers);
            let mut session = Session::new(&given.examples, Options::default(), 1).unwrap();
            session.replay(given.answers);
            assert_eq!(session.run().unwrap(), Event::Done);
            assert_eq!(session.finish().unwrap().answer, first);
        }
    }
}

#[test]
fn words_that_are_added_are_checked() {
    // Letter by letter, before patterns are looked for, and after.
    for (examples, options, steps) in
        [(few(), small(), 1), (dates(), Options::default(), 0), (dates(), Options::default(), 1)]
    {
        let mut session = Session::new(&examples, options, 1).unwrap();
        (0..steps).for_each(|_| drop(session.step().unwrap()));
        let before = session.save();
        let foreign = Word::from(vec![Letter::new(examples.alphabet().len())]);
        let error = session.add(&[(foreign, Label::Accepted)]).unwrap_err().to_string();
        assert!(error.starts_with("word 1 has the letter number "), "{error}");
        session.add(&[(Word::empty(), Label::Unlabelled)]).unwrap();
        assert_eq!(session.save(), before);
    }
}

#[test]
fn a_stopped_session_has_an_answer() {
    let mut session = Session::new(&few(), small(), 1).unwrap();
    session.step().unwrap();
    session.stopper().stop();
    assert_eq!(session.step().unwrap(), Event::Done);
    assert_eq!(session.finish().unwrap().answer.stop_reason, StopReason::Cut);
    // Also one that never began.
    let session = Session::new(&dates(), Options::default(), 1).unwrap();
    assert_eq!(session.finish().unwrap().answer.stop_reason, StopReason::Cut);
}

#[test]
fn words_over_one_kind_of_letter_are_learned_letter_by_letter() {
    // 16 small letters, and what matters is how often four of them come: no pattern over classes says so.
    let letters: Vec<char> = ('a'..='p').collect();
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let words: Vec<String> = (0..120).map(|_| (0..2 + next(3)).map(|_| letters[next(16)]).collect()).collect();
    let (accepted, rejected): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.matches(['a', 'b', 'c', 'd']).count().is_multiple_of(2));
    let answer = learned(&of_words(accepted, rejected).unwrap(), Options::default(), 2);
    assert!(answer.consistent);
    assert_eq!(answer.way, nerode::Way::Letters);
    assert_ne!(answer.origin, "classes", "{:?}", answer.regex);
}

#[test]
fn a_result_is_read_again_and_an_old_one_is_refused() {
    let answer = learned(&few(), Options { prove: true, ..small() }, 1);
    assert_eq!(Answer::read(&answer.write()).unwrap(), answer);
    let old = answer.write().replace("\"schema_version\": 1", "\"schema_version\": 0");
    assert!(Answer::read(&old).unwrap_err().to_string().contains("version 0"));
    assert!(Answer::read("7").unwrap_err().to_string().starts_with("not a result of nerode"));
}

#[test]
fn every_engine_at_work_is_documented() {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../../docs/event.schema.json")).unwrap();
    let documented = schema["$defs"]["Progress"]["properties"]["engine"]["description"].as_str().unwrap();
    for (examples, options) in [
        (few(), Options { prove: true, ..small() }),
        (few(), Options { learner: Engine::Facts, ..Options::default() }),
        (dates(), Options::default()),
    ] {
        let mut session = Session::new(&examples, options, 1).unwrap();
        while let Event::Progress(progress) = session.step().unwrap() {
            let named = documented.contains(&format!("`{}`", progress.engine));
            assert!(named || progress.engine.is_empty(), "{progress:?}");
        }
    }
}

#[test]
fn a_language_answers_until_it_is_found() {
    let language = |pattern: &str, letters: &str| {
        minimize(&Regex::parse(pattern, &Alphabet::of_chars(letters)).unwrap().to_dfa().unwrap())
    };
    // Also over a letter that no example has, and of dates, whose answer is over classes.
    let pairs = (few(), language("(a|bb)*", "abc"), Options { questions: Some(30), ..small() });
    let date = language("[0-9]{4}-[0-9]{2}-[0-9]{2}", "0123456789-/x");
    let date = (dates(), date, Options { questions: Some(20), ..Options::default() });
    for (examples, truth, options) in [pairs, date] {
        let mut session = Session::new(&examples, options, 1).unwrap();
        let mut asked = 0;
        while let Event::Question(question) = session.run().unwrap() {
            let was_found = session.has_found(&truth);
            session.answer_from(&truth, &question).unwrap();
            asked += usize::from(!was_found);
            assert_eq!(session.answers().len(), asked, "nothing is answered once the language is found");
        }
        assert!(asked > 0);
        for (word, label) in session.answers() {
            assert_eq!(Label::from(accepts(&truth, session.alphabet(), word)), *label);
        }
    }
}

#[test]
fn progress_goes_on_during_a_proof() {
    let options = Options { learner: Engine::Neural, prove: true, moves: None, ..small() };
    let mut session = Session::new(&few(), options, 1).unwrap();
    let (mut before, mut proofs) = (session.progress(), 0);
    while let Event::Progress(progress) = session.step().unwrap() {
        if progress.engine == "proof" {
            proofs += 1;
            assert!(progress.restarts > 0 && progress.restarts >= before.restarts, "{progress:?}");
            assert!(progress.steps >= before.steps && progress.best.is_some(), "{progress:?}");
        }
        before = progress;
    }
    assert!(proofs > 0);
}

#[test]
fn examples_that_are_added_midway_are_kept_to() {
    for (examples, options, added) in [
        (few(), small(), vec![("abab", true), ("abb", true), ("bab", true), ("aab", false), ("", true)]),
        (few(), Options { learner: Engine::Edsm, ..Options::default() }, vec![("aa", false), ("bbb", true)]),
        (dates(), Options::default(), vec![("2024-02-29", true), ("2024-40-29", false), ("9999-12-31", false)]),
    ] {
        let read = |&(text, accepted): &(&str, bool)| (examples.alphabet().read(text).unwrap(), Label::from(accepted));
        let words: Vec<(Word, Label)> = added.iter().map(read).collect();
        for steps in [0, 1, 4, 15] {
            let mut session = Session::new(&examples, options.clone(), 1).unwrap();
            (0..steps).for_each(|_| drop(session.step().unwrap()));
            session.add(&words).unwrap();
            assert_eq!(session.run().unwrap(), Event::Done);
            let learned = session.finish().unwrap();
            assert!(learned.answer.consistent, "after {steps} steps");
            assert_eq!(learned.answer.examples as usize, examples.len() + words.len());
            let accepts = |text: &str| {
                let language = Regex::parse(learned.answer.regex.as_ref().unwrap(), examples.alphabet()).unwrap();
                let dfa = language.to_dfa().unwrap();
                dfa.alphabet().read(text).is_ok_and(|word| dfa.accepts(&word))
            };
            for &(text, accepted) in &added {
                assert_eq!(accepts(text), accepted, "{text} after {steps} steps: {:?}", learned.answer.regex);
            }
        }
    }
}

#[test]
fn accepted_words_alone_are_for_engines_that_learn_from_them() {
    let accepted = ["ab", "abab", "ababab", "abababab", "ababababab"];
    let nothing: [&str; 0] = [];
    let examples = of_words(accepted, nothing).unwrap();
    let refused = |examples: &Examples, learner| {
        Session::new(examples, Options { learner, ..Options::default() }, 1).err().map(|error| error.to_string())
    };
    for learner in [Engine::Auto, Engine::Edsm, Engine::Sat] {
        let error = refused(&examples, learner).unwrap();
        assert!(
            error.starts_with("5 words are accepted and none rejected; add rejected words, or use --learner facts")
        );
    }
    let rejected = of_words(nothing, accepted).unwrap();
    for learner in [Engine::Auto, Engine::Facts] {
        assert!(refused(&rejected, learner).unwrap().starts_with("5 words are rejected and none accepted; "));
    }
    for learner in [Engine::Facts, Engine::Walks] {
        let answer = learned(&examples, Options { learner, ..Options::default() }, 1);
        assert!(answer.consistent);
        // Five words are too few to say that something never occurs.
        let expected = if learner == Engine::Walks { "(ab)*" } else { "[ab]*" };
        assert_eq!(answer.regex.as_deref(), Some(expected));
    }
}

#[test]
fn an_option_that_does_not_apply_is_refused() {
    let refused = |options: Options| Session::new(&few(), options, 1).err().map(|error| error.to_string());
    let restarts = Options { restarts: Some(5), ..Options::default() };
    assert_eq!(refused(restarts.clone()), None);
    let rpni = Options { learner: Engine::Rpni, ..restarts };
    assert_eq!(refused(rpni.clone()).unwrap(), "--restarts does not apply to --learner rpni");
    assert_eq!(rpni.applicable(), Options { learner: Engine::Rpni, ..Options::default() });
    // A proof reads the conflicts, whoever found the answer.
    let proved = Options { learner: Engine::Edsm, conflicts: Some(9), prove: true, ..Options::default() };
    assert_eq!((refused(proved.clone()), proved.clone().applicable()), (None, proved));
    // What is said about the examples is refused and not dropped.
    let noisy = Options { learner: Engine::Walks, noise: Noise::Auto, ..Options::default() };
    assert_eq!(refused(noisy.applicable()).unwrap(), "--noise does not apply to --learner walks");
}
