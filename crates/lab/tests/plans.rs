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
        ("[[languages.grammars]]", "[[languages.grammar]]"),
        ("name = \"nerode\"", "name = \"Nerode!\""),
        ("name = \"mine\"\n", ""),
        ("[[draws]]", "[[draws]"),
        ("[[draws]]\ndepth = 8", "[[draws]]\ndepth = 8\n[[draws]]\ndepth = 8"),
        ("[[draws]]\ndepth = 8", ""),
    ];
    let lines = mistakes.map(|(piece, other)| format!("{other:?}\n  {}\n", mistake(piece, other)));
    insta::assert_snapshot!(lines.concat());
}
