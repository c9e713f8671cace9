//! Plans: what they expand to, and what is said of mistakes in them.

use lab::plan::{BUILT_IN, Plan, PlanError, built_in};
use lab::spec::Method;

fn plan(name: &str) -> Plan {
    Plan::read(built_in(name).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// How many jobs each plan has, and which are the first and the last.
#[test]
fn built_in_plans_expand() {
    let lines = BUILT_IN.iter().map(|(name, _)| {
        let plan = plan(name);
        assert_eq!(plan.name, *name, "a plan is called as its file is");
        let [first, .., last] = &plan.jobs[..] else { panic!("{name} has jobs") };
        format!("{name}: {} jobs\n  {}\n  {}\n", plan.jobs.len(), first.name, last.name)
    });
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn the_jobs_of_smoke_have_stable_names() {
    let names: Vec<String> = plan("smoke").jobs.into_iter().map(|job| job.name + "\n").collect();
    insta::assert_snapshot!(names.concat());
}

/// Everything that decides the outcome is written out: a change of defaults changes this.
#[test]
fn specifications_are_complete() {
    let of = |name: &str, learner: &str| {
        let jobs = plan(name).jobs;
        let job = jobs.into_iter().find(|job| job.learner.name == learner).unwrap();
        serde_json::to_string_pretty(&job).unwrap()
    };
    insta::assert_snapshot!("paper", of("paper", "paper"));
    insta::assert_snapshot!("nerode", of("paper", "nerode"));
    insta::assert_snapshot!("training", of("ablation", "beta-climbing-gamma"));
    insta::assert_snapshot!("dense", of("dense", "search"));
}

#[test]
fn names_are_fit_for_files_and_differ() {
    for (name, _) in BUILT_IN {
        let mut names: Vec<String> = plan(name).jobs.into_iter().map(|job| job.name).collect();
        let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
        assert!(names.iter().all(|name| name.len() < 200 && name.chars().all(fit)), "{name}");
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{name}");
    }
}

#[test]
fn a_specification_is_read_as_it_is_written() {
    for (name, _) in BUILT_IN {
        for job in plan(name).jobs.iter().step_by(37) {
            let text = serde_json::to_string(job).unwrap();
            assert_eq!(serde_json::from_str::<lab::spec::Spec>(&text).unwrap(), *job);
        }
    }
}

#[test]
fn the_guess_follows_the_language() {
    for job in plan("guess").jobs {
        let Method::Learn(how) = &job.learner.method else { panic!("guess learns") };
        let n = job.language.nonterminals().unwrap();
        assert!((n..=4 * n).contains(&how.nonterminals.unwrap()), "{}", job.name);
    }
}

const GOOD: &str = r#"
name = "mine"
about = "a plan"

[[languages.grammars]]
letters = 4
nonterminals = [2, 3]
productions = 3

[[draws]]
depth = 8

[[learners]]
name = "nerode"
engine = "auto"
"#;

/// The mistake in the good plan with one piece put in the place of another.
fn mistake(piece: &str, other: &str) -> PlanError {
    assert!(GOOD.contains(piece), "{piece}");
    Plan::read(&GOOD.replace(piece, other)).expect_err(other)
}

#[test]
fn mistakes_are_told_with_line_and_key() {
    assert_eq!(Plan::read(GOOD).unwrap().jobs.len(), 2);
    let mistakes = [
        ("depth = 8", "dept = 8"),
        ("depth = 8", "depth = 8\nnoise = 0.7"),
        ("depth = 8", "depth = \"long\""),
        ("depth = 8", "depth = 0"),
        ("depth = 8", "depth = []"),
        ("depth = 8", "depth = [6,\n  8,\n  -1]"),
        ("depth = 8", "depth = 8\ndepth = 9"),
        ("depth = 8", "depth = 8\nlengths = \"odd\""),
        ("depth = 8", "depth = 8\nwords = 10\npositives = 5"),
        ("depth = 8", "depth = 8\nwords_per_state = 10\nshortest = 9"),
        ("letters = 4", "letters = 4.5"),
        ("letters = 4\n", ""),
        ("engine = \"auto\"", "engine = \"magic\""),
        ("engine = \"auto\"", ""),
        ("engine = \"auto\"", "engine = \"auto\"\ntraining = {}"),
        ("engine = \"auto\"", "training = { beta = -1 }"),
        ("engine = \"auto\"", "training = { beta = { sudden = 1 } }"),
        ("engine = \"auto\"", "engine = \"auto\"\nnonterminals = 3\ntimes_n = 2"),
        ("engine = \"auto\"", "engine = \"rpni\"\nrestarts = 5"),
        ("engine = \"auto\"", "engine = \"edsm\"\ntimes_n = [1,\n  2]"),
        ("engine = \"auto\"", "engine = \"sat\"\nnoise = \"rate\""),
        ("engine = \"auto\"", "engine = \"paper\"\nclasses = true"),
        ("engine = \"auto\"", "engine = \"auto\"\nclasses = true\nvisits = 9"),
        ("[[languages.grammars]]", "[[languages.grammar]]"),
        ("name = \"nerode\"", "name = \"Nerode!\""),
        ("name = \"mine\"\n", ""),
        ("[[draws]]", "[[draws]"),
        ("[[draws]]\ndepth = 8", "[[draws]]\ndepth = 8\n[[draws]]\ndepth = 8"),
        ("[[draws]]\ndepth = 8", ""),
        ("about = \"a plan\"", "about = \"a plan\"\nsuites = [\"grid\"]"),
        ("about = \"a plan\"", "about = \"a plan\"\nruns = 2\nsuites = [\"tomita\"]"),
    ];
    let lines = mistakes.map(|(piece, other)| format!("{other:?}\n  {}\n", mistake(piece, other)));
    insta::assert_snapshot!(lines.concat());
}

/// The start selectors of the ablation train as the softmax does, but only in the paper's shape.
#[test]
fn other_selectors_need_the_shape_nfa() {
    let practical = "training = { base = \"practical\", selector = \"two_layers\" }\nrestarts = 3";
    assert_eq!(Plan::read(&GOOD.replace("engine = \"auto\"", practical)).unwrap().jobs.len(), 2);
    let error = mistake("engine = \"auto\"", "training = { shape = \"dfa\", selector = \"fixed\" }").to_string();
    assert!(error.contains("a start selector other than the softmax requires the shape nfa"), "{error}");
}

/// What no job can do is a mistake of the plan, told where it stands, and no failure of each of its jobs.
#[test]
fn what_no_job_can_do_is_told_when_the_plan_is_read() {
    let sparse = |transitions: &str| {
        let languages = "letters = 4\nnonterminals = [2, 3]\nproductions = 3";
        let other = format!("letters = 4\nstates = 3\ntransitions = {transitions}");
        Plan::read(&GOOD.replace("grammars", "sparse").replace(languages, &other))
    };
    assert_eq!(sparse("0.5").unwrap().jobs.len(), 1);
    let error = sparse("5000").unwrap_err();
    assert_eq!((error.line, &error.place[..]), (5, "[[languages.sparse]]"));
    assert_eq!(
        error.message,
        "the language has 5000 transitions per state, but must have more than 0 and at most 1000"
    );

    let long = "x".repeat(60);
    let text = GOOD.replace("depth = 8", &format!("name = \"{long}\"\ndepth = 8\nnoise = 0.{}1", "0".repeat(70)));
    let error = Plan::read(&text.replace("name = \"nerode\"", &format!("name = \"{long}\""))).unwrap_err();
    assert_eq!((error.line, &error.place[..]), (15, "[[learners]]"));
    assert!(error.message.contains("is not a valid job name"), "{error}");
}

/// Neither twenty million languages nor what two million jobs are made of is written down first.
#[test]
fn too_many_jobs_are_not_expanded() {
    let all: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
    let all = format!("nonterminals = [{}]\ncount = 1_000_000", all.join(", "));
    let values = |count: usize| (0..count).map(|n| format!("{n},")).collect::<String>();
    let steps = values(1001).replacen("0,", "", 1);
    for (piece, other, line) in [
        ("nonterminals = [2, 3]", all, 5),
        ("nonterminals = [2, 3]", "nonterminals = [2, 3]\ncount = 500_001".to_owned(), 5),
        ("about = \"a plan\"", "about = \"a plan\"\nruns = 500_001".to_owned(), 6),
        ("engine = \"auto\"", format!("engine = \"auto\"\nsteps = [{steps}]\nvisits = [{}]", values(1001)), 13),
    ] {
        let error = mistake(piece, &other);
        assert_eq!((error.line, &error.message[..]), (line, "the plan has more than 1000000 jobs"));
    }
}

/// The letters of an expression also count where they stand in it alone; the paper's budget does not depend on them.
#[test]
fn an_expression_brings_its_letters() {
    for (letters, expected) in [("", 2), ("ab", 2), ("abc", 3)] {
        let languages = "letters = 4\nnonterminals = [2, 3]\nproductions = 3";
        let other = format!("name = \"pairs\"\nexpression = \"(ab)*\"\nletters = \"{letters}\"");
        let text = GOOD.replace("grammars", "expressions").replace(languages, &other);
        let plan = Plan::read(&text.replace("engine = \"auto\"", "training = {}")).unwrap();
        let language = &plan.jobs[0].language;
        assert_eq!((language.draw(0).unwrap().dfa.alphabet().len(), language.letters()), (expected, expected));
        let Method::Train(how) = &plan.jobs[0].learner.method else { panic!("it trains") };
        assert_eq!(how.settings.steps, 30_000);
    }
}
