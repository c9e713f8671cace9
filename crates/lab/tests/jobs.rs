//! Jobs: what is in their records.

use induction::learner::StopReason;
use lab::job;
use lab::plan::{Plan, built_in};
use lab::record::{Claim, Failure, QuestionsEnd, Record};
use lab::spec::{Method, Spec, Words};

fn jobs(text: &str) -> Vec<Spec> {
    Plan::read(text).unwrap().jobs
}

fn smoke(learner: &str) -> Vec<Spec> {
    let jobs = jobs(built_in("smoke").unwrap());
    jobs.into_iter().filter(|job| job.learner.name == learner).collect()
}

#[test]
fn records_are_read_as_they_are_written() {
    for spec in smoke("nerode").iter().chain(&smoke("training")).step_by(4) {
        let record = job::run(spec, 1, &());
        let text = record.to_json();
        assert_eq!(Record::from_json(&text).unwrap(), record);
        assert_eq!(job::run(spec, 2, &()).to_json(), text, "threads and repetition change nothing");
        assert!(Record::from_json(&text[..text.len() / 2]).is_err());
        assert!(Record::from_json(&text.replace("\"format\": 2", "\"format\": 1")).is_err());
    }
}

#[test]
fn exact_answers_are_perfect_and_others_say_how_they_failed() {
    let (mut exact, mut others) = (0, 0);
    for spec in smoke("nerode").iter().chain(&smoke("edsm")) {
        let record = job::run(spec, 1, &());
        let answer = record.answer.unwrap();
        let perfect = answer.evaluation.accuracy.value == 1.0 && answer.evaluation.accuracy.fraction == "1";
        match answer.exact {
            true => {
                exact += 1;
                assert!(perfect && answer.failure.is_none() && answer.separating_word.is_none());
                assert_eq!(answer.states, record.truth.unwrap().states);
                assert_eq!(answer.by_length.unwrap().balanced_accuracy, 1.0);
            }
            false => {
                others += 1;
                assert!(answer.failure.is_some());
                assert_eq!(answer.separating_word.map(|word| word.len()), answer.separating_length);
            }
        }
        if spec.draw.noise > 0.0 {
            let suspects = answer.suspects.unwrap();
            assert_eq!(suspects.flipped, record.data.unwrap().flipped);
            assert!(suspects.rightly <= suspects.flipped);
        }
    }
    assert!(exact > 0 && others > 0, "{exact} exact, {others} others");
}

/// Where the truth is proved to be the smallest and only one of its size, whatever agrees with the examples and is no
/// larger is the truth; and what is said of the truth is said of an answer that is exact.
#[test]
fn proofs_agree_with_answers() {
    let (mut identified, mut open) = (0, 0);
    for spec in smoke("nerode").iter().chain(&smoke("edsm")) {
        let record = job::run(spec, 1, &());
        let (truth, data, answer) = (record.truth.unwrap(), record.data.unwrap(), record.answer.unwrap());
        if spec.draw.noise > 0.0 {
            assert_eq!(data.truth_is_minimal, Claim::Unknown, "labels are wrong");
            continue;
        }
        match (data.truth_is_minimal, data.truth_is_unique) {
            (Claim::Proved, Claim::Proved) => {
                identified += 1;
                assert!(answer.exact || !answer.consistent || answer.states > truth.states);
            }
            (_, unique) => {
                open += 1;
                assert_eq!(unique, Claim::Refuted, "the sets are small");
            }
        }
        if answer.exact {
            assert_eq!((answer.minimal, answer.unique), (data.truth_is_minimal, data.truth_is_unique));
        }
    }
    assert!(identified > 0 && open > 0, "{identified} identified, {open} open");
}

/// Two words say little: the shortest answer is not the truth, and nobody could have told.
#[test]
fn too_few_words_leave_the_language_undecided() {
    let text = r#"
        name = "few"
        about = "two words"
        [languages]
        tomita = [5]
        [[draws]]
        depth = 2
        words = 2
        [[learners]]
        name = "edsm"
        engine = "edsm"
    "#;
    let answer = job::run(&jobs(text)[0], 1, &()).answer.unwrap();
    assert!(answer.consistent && !answer.exact);
    assert_eq!(answer.failure, Some(Failure::UndecidedByTheData));
}

/// A model that is not trained has learned nothing; one that cannot become sharp is not.
#[test]
fn models_fail_in_their_own_ways() {
    let text = r#"
        name = "blunt"
        about = "models that fail"
        [[languages.expressions]]
        name = "ends"
        expression = "[ab]*b"
        letters = "ab"
        [[draws]]
        depth = 6
        words = 120
        [[learners]]
        name = "untrained"
        steps = 1
        training = { }
        [[learners]]
        name = "trained"
        steps = 2000
        nonterminals = 2
        training = { learning_rate = 0.05, mean = -1, slope_bound = 0.01 }
        [[learners]]
        name = "blunt"
        steps = 80
        nonterminals = 2
        training = { learning_rate = 0.1, mean = -1, slope_bound = 0.01, beta = 0 }
    "#;
    let failures: Vec<Option<Failure>> =
        jobs(text).iter().map(|spec| job::run(spec, 1, &()).answer.unwrap().failure).collect();
    assert_eq!(failures, [Some(Failure::NotFitted), None, Some(Failure::NotSharp)]);
}

/// Each of them learns an easy language, and gives the same bytes again.
#[test]
fn selectors_learn() {
    for selector in ["fixed", "two_layers", "three_layers"] {
        let text = format!(
            r#"
            name = "selectors"
            about = "start selectors"
            runs = 4
            [[languages.expressions]]
            name = "ends"
            expression = "[ab]*b"
            letters = "ab"
            [[draws]]
            depth = 5
            words = 60
            [[learners]]
            name = "selector"
            steps = 1000
            nonterminals = 2
            training = {{ selector = "{selector}", learning_rate = 0.1, mean = -1, slope_bound = 0.01, beta = {{ switch = {{ before = 0, after = 1, at = 0.5 }} }} }}
            "#
        );
        let records: Vec<Record> = jobs(&text).iter().map(|spec| job::run(spec, 1, &())).collect();
        assert!(records.iter().any(Record::is_exact), "{selector}: {records:?}");
        assert_eq!(job::run(&records[0].spec, 2, &()), records[0]);
    }
}

/// They have what the softmax has: several restarts, a curriculum, an early stop.
#[test]
fn selectors_are_trained_like_the_softmax() {
    let text = r#"
        name = "selectors"
        about = "start selectors"
        [[languages.expressions]]
        name = "ends"
        expression = "[ab]*b"
        letters = "ab"
        [[draws]]
        depth = 5
        words = 60
        [[learners]]
        name = "fixed"
        steps = 2000
        nonterminals = 2
        restarts = 4
        training = { base = "practical", selector = "fixed" }
    "#;
    let answer = job::run(&jobs(text)[0], 1, &()).answer.unwrap();
    assert!(answer.exact && answer.restarts == 4, "{answer:?}");
    assert!(answer.steps < 4 * 2000 && answer.stop_reason == StopReason::Finished, "it stopped early: {answer:?}");
}

/// Whoever watches can stop it between two rounds.
#[test]
fn a_training_with_another_selector_can_be_cut() {
    struct Stopped;
    impl job::Watch for Stopped {
        fn stopped(&self) -> bool {
            true
        }
    }
    let text = r#"
        name = "cut"
        about = "a training that is cut"
        [[languages.expressions]]
        name = "ends"
        expression = "[ab]*b"
        letters = "ab"
        [[draws]]
        depth = 8
        words = 300
        [[learners]]
        name = "two"
        steps = 1_000_000
        training = { selector = "two_layers" }
    "#;
    let answer = job::run(&jobs(text)[0], 1, &Stopped).answer.unwrap();
    assert_eq!(answer.stop_reason, StopReason::Cut);
    assert!(answer.steps < 10_000, "{}", answer.steps);
}

#[test]
fn questions_are_asked_until_the_answer_is_right() {
    let text = r#"
        name = "asked"
        about = "questions"
        [languages]
        tomita = [1, 4]
        [[draws]]
        depth = 4
        words = 6
        [[learners]]
        name = "nerode"
        engine = "auto"
        restarts = 16
        steps = 300
        visits = 1_000_000
        questions = 60
        [[learners]]
        name = "one"
        engine = "auto"
        restarts = 16
        steps = 300
        visits = 1_000_000
        questions = 0
    "#;
    for spec in jobs(text) {
        let answer = job::run(&spec, 1, &()).answer.unwrap();
        let questions = answer.questions.unwrap();
        assert_eq!(answer.exact, questions.end == QuestionsEnd::Exact, "{}", spec.name);
        if spec.learner.name == "nerode" {
            assert!(answer.exact && questions.asked <= 60, "{}: {questions:?}", spec.name);
        } else {
            assert_eq!(questions.asked, 0);
        }
    }
}

/// Languages of every kind are those that their names say, and the same each time.
#[test]
fn languages_are_functions_of_their_names() {
    let text = built_in("foreign").unwrap();
    let mut seen = Vec::new();
    for spec in jobs(text) {
        if seen.contains(&spec.language) {
            continue;
        }
        let target = spec.language.draw(spec.seed).unwrap_or_else(|error| panic!("{}: {error}", spec.name));
        assert_eq!(target.dfa.alphabet().len(), spec.language.letters(), "{}", spec.name);
        if let lab::spec::Language::Sparse { states, .. } = spec.language {
            assert_eq!(target.dfa.trimmed().len(), states);
        }
        if seen.len() % 5 == 0 {
            assert_eq!(spec.language.draw(spec.seed).unwrap(), target);
        }
        seen.push(spec.language);
    }
    assert_eq!(seen.len(), 42);
}

/// Whatever is asked for, there is a record; what cannot be meant is an error in it.
#[test]
fn no_specification_makes_a_job_panic() {
    let spec = serde_json::to_value(&smoke("edsm")[0]).unwrap();
    let language = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let changes = [
        (
            "/language",
            language(r#"{"kind":"grammar","letters":0,"nonterminals":2,"productions":2,"index":0,"reversed":false}"#),
        ),
        ("/language", language(r#"{"kind":"automaton","letters":2,"states":0,"index":0}"#)),
        ("/language", language(r#"{"kind":"sparse","letters":2,"states":0,"transitions":1,"index":0}"#)),
        ("/language", language(r#"{"kind":"sparse","letters":1,"states":30,"transitions":0.1,"index":0}"#)),
        ("/language", language(r#"{"kind":"random_expression","letters":0,"size":3,"index":0}"#)),
        ("/language", language(r#"{"kind":"random_expression","letters":40,"size":3,"index":0}"#)),
        ("/language", language(r#"{"kind":"random_expression","letters":2,"size":1,"index":0}"#)),
        ("/language", language(r#"{"kind":"expression","name":"x","expression":"(","letters":"a"}"#)),
        ("/language", language(r#"{"kind":"expression","name":"x","expression":"[a&&b]","letters":""}"#)),
        ("/language", language(r#"{"kind":"tomita","number":8}"#)),
        ("/draw/depth", 0.into()),
        ("/draw/depth", 100_000.into()),
        ("/draw/noise", 0.5.into()),
        ("/draw/words", language(r#"{"kind":"blind","per_state":0,"shortest":0}"#)),
        ("/draw/words", language(r#"{"kind":"blind","per_state":3,"shortest":7}"#)),
        ("/draw/words", language(r#"{"kind":"short","all":7,"longer":12}"#)),
        ("/draw/words", language(r#"{"kind":"drawn","positives":10,"negatives":1000000}"#)),
        ("/draw/words/positives", 0.into()),
        ("/learner/method/learn/engine", "search".into()),
        ("/seconds", 0.into()),
        ("/name", "".into()),
    ];
    for (place, value) in changes {
        let mut changed = spec.clone();
        *changed.pointer_mut(place).unwrap() = value.clone();
        // Search cannot learn from labels that may be wrong.
        if value == "search" {
            changed["draw"]["noise"] = 0.1.into();
        }
        let record = job::run(&serde_json::from_value(changed).unwrap(), 1, &());
        assert!(record.error.is_some() && record.answer.is_none(), "{place} {value}: {record:?}");
    }
}

/// A specification need not come from a plan: what a plan would refuse is refused here, before it fills the memory.
#[test]
fn a_job_of_no_bounds_is_refused() {
    let [learns, trains] = ["nerode", "training"].map(|learner| smoke(learner).swap_remove(0));
    let with = |spec: &Spec, change: &dyn Fn(&mut Spec)| {
        let mut spec = spec.clone();
        change(&mut spec);
        spec.check().map_err(|error| error.to_string())
    };
    assert_eq!(with(&learns, &|_| {}), Ok(()));
    assert_eq!(with(&trains, &|_| {}), Ok(()));
    let million = |spec: &mut Spec| match &mut spec.learner.method {
        Method::Learn(how) => how.nonterminals = Some(1_000_000),
        Method::Train(how) => how.settings.nonterminals = 1_000_000,
    };
    let expected = "the number of the learner's non-terminals is 1000000, but must be from 1 to 256";
    assert_eq!(with(&learns, &million), Err(expected.to_owned()));
    assert_eq!(with(&trains, &million), Err(expected.to_owned()));
    let words = |spec: &mut Spec| spec.draw.words = Words::Blind { per_state: usize::MAX, shortest: 0 };
    assert!(with(&learns, &words).unwrap_err().starts_with("the number of words a state is "));
}

/// Strings: the answer is tested on fresh words, and compared with the language over all characters.
#[test]
fn everyday_strings_are_learned_over_classes_or_letter_by_letter() {
    let text = r#"
        name = "few-strings"
        about = "dates"
        suites = ["strings-50"]
        [[learners]]
        name = "nerode"
        engine = "auto"
        classes = true
        [[learners]]
        name = "edsm"
        engine = "edsm"
    "#;
    let mut plan = jobs(text);
    plan.retain(|job| job.language.name() == "iso-date");
    let [classes, letters] = &plan[..] else { panic!("two learners") };
    let [classes, letters] = [classes, letters].map(|spec| job::run(spec, 1, &()).answer.unwrap());
    let [by_classes, by_letters] = [&classes, &letters].map(|answer| answer.strings.clone().unwrap());
    assert!(classes.consistent && letters.consistent && classes.failure.is_none());
    assert_eq!((by_classes.fresh_words, by_classes.held_out), (2000, by_letters.held_out));
    assert!(by_classes.balanced_accuracy > 0.9 && by_classes.balanced_accuracy > by_letters.balanced_accuracy);
    assert_eq!(classes.exact, classes.separating_word.is_none());
    assert!(!letters.exact && letters.separating_word.is_some());
    assert!(by_classes.length.unwrap() < 3 * by_classes.reference_length);
}

/// Parts that do not fit together are refused before anything is drawn.
#[test]
fn strings_have_examples_and_learners_of_their_own() {
    let learner = |more: &str| {
        let text =
            format!("name = \"s\"\nabout = \"s\"\nsuites = [\"strings-10\"]\n[[learners]]\nname = \"x\"\n{more}\n");
        Plan::read(&text).map(|plan| plan.jobs.len()).map_err(|error| error.to_string())
    };
    assert_eq!(learner("engine = \"auto\"\nclasses = true"), Ok(49));
    for (more, expected) in [
        ("engine = \"edsm\"\nclasses = true", "`classes` does not apply to the engine \"edsm\""),
        ("engine = \"auto\"\nclasses = true\nrestarts = 3", "`restarts` does not apply with `classes`"),
        ("engine = \"auto\"\nnoise = \"some\"", "no `noise`"),
        ("engine = \"auto\"\nsize_given = true", "`size_given` needs automata"),
        ("training = {}", "no `training`"),
    ] {
        let error = learner(more).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let mut spec = smoke("edsm").swap_remove(0);
    spec.draw.words = Words::Strings { count: 10 };
    assert!(spec.check().unwrap_err().to_string().contains("words of kind `strings`"));
}
