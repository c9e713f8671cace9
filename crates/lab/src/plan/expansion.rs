//! From a plan's tables to its jobs.

use std::ops::Range;

use induction::learner::{self, Engine, Noise, Shapes};
use induction::model::Shape;
use induction::training;
use nerode::{Classes, Options, Side};
use toml::Spanned;

use super::MOST_JOBS;
use super::file::{Base, Draw, File, Languages, Learner, Many, Training, Within};
use crate::spec::{
    self, Language, Learning, Lengths, MOST_NONTERMINALS, Method, Selector, Spec, SpecError, Told, Words,
};
use crate::suites::{self, Set};

/// The position of a mistake, and what is wrong.
type Mistake = (usize, String);

/// Default number of words per label, as in the paper.
const USUAL_WORDS: usize = 2000;

pub(super) fn jobs(file: &File) -> Result<Vec<Spec>, Mistake> {
    let begins = file.languages.as_ref().map_or(0, |languages| languages.span().start);
    let languages = file.languages.as_ref().map_or(Ok(Vec::new()), |tables| languages(tables.get_ref()))?;
    let mut draws = Vec::new();
    for table in &file.draws {
        let at = table.span().start;
        let more = self::draws(table.get_ref()).map_err(|message| (at, message))?;
        extend(&mut draws, more.into_iter().map(|draw| (at, draw))).map_err(|message| (at, message))?;
    }
    if let Some(table) =
        file.learners.iter().find(|table| table.get_ref().engine.is_some() == table.get_ref().training.is_some())
    {
        return Err((table.span().start, "a learner has either an `engine` or a `training`".to_owned()));
    }
    file.learners.iter().try_for_each(|table| check_read(table.get_ref()))?;
    let runs = file.runs.0;
    // Each learner table stands for at least one learner.
    let least = [draws.len(), file.learners.len(), file.runs.get()];
    if least.into_iter().fold(languages.len(), usize::saturating_mul) > MOST_JOBS {
        return Err((begins, too_many()));
    }
    let mut jobs = Vec::new();
    for set in suites(file)? {
        add(&mut jobs, file, set)?;
    }
    for (language_at, language) in &languages {
        for (draw_at, draw) in &draws {
            let places = (*language_at, *draw_at);
            add(&mut jobs, file, Sets { language: language.clone(), draw: draw.clone(), runs: 0..runs, places })?;
        }
    }
    match jobs.is_empty() {
        true => Err((begins, "a plan needs languages and draws, or suites, and learners".to_owned())),
        false => Ok(jobs),
    }
}

/// Sets of examples of a language, and the positions of its table and that of the draw.
struct Sets {
    language: Language,
    draw: spec::Draw,
    runs: Range<u64>,
    places: (usize, usize),
}

/// The sets of the suites that a plan names.
fn suites(file: &File) -> Result<Vec<Sets>, Mistake> {
    let mut sets = Vec::new();
    for name in &file.suites {
        let at = name.span().start;
        if file.seed != 0 || file.runs.0 != 1 {
            return Err((at, "`seed` and `runs` cannot be used with `suites`, which have their own".to_owned()));
        }
        let unknown =
            || format!("there is no suite named {}; the suites are {}", name.get_ref(), suites::NAMES.join(", "));
        for Set { language, draw, run } in suites::suite(name.get_ref()).ok_or_else(|| (at, unknown()))? {
            sets.push(Sets { language, draw, runs: run..run + 1, places: (at, at) });
        }
    }
    Ok(sets)
}

/// Adds the jobs of all learners on these sets.
fn add(jobs: &mut Vec<Spec>, file: &File, sets: Sets) -> Result<(), Mistake> {
    let Sets { language, draw, runs, places: (language_at, draw_at) } = sets;
    for table in &file.learners {
        let learner_at = table.span().start;
        let learners = learners(table.get_ref(), &language);
        for learner in learners.map_err(|message| (learner_at, message))? {
            for run in runs.clone() {
                let job = Spec {
                    plan: file.name.0.clone(),
                    name: format!("{}.{}.{}.r{run}", language.name(), draw.name, learner.name),
                    language: language.clone(),
                    draw: draw.clone(),
                    learner: learner.clone(),
                    seed: file.seed,
                    run,
                    evaluation_depth: file.evaluation_depth.get(),
                    proofs: file.proofs,
                    seconds: file.seconds.map(|seconds| seconds.0),
                };
                job.check().map_err(|error| {
                    let at = match error {
                        SpecError::Language { .. } => language_at,
                        SpecError::Draw { .. } | SpecError::Noise(_) => draw_at,
                        SpecError::Learner { .. }
                        | SpecError::Name(_)
                        | SpecError::Combination(_)
                        | SpecError::Seconds(_) => learner_at,
                    };
                    (at, error.to_string())
                })?;
                extend(jobs, [job]).map_err(|message| (language_at, message))?;
            }
        }
    }
    Ok(())
}

fn too_many() -> String {
    format!("the plan has more than {MOST_JOBS} jobs")
}

/// Appends items, each of which stands for at least one job; fails if there are too many.
fn extend<T>(list: &mut Vec<T>, more: impl IntoIterator<Item = T>) -> Result<(), String> {
    for one in more {
        if list.len() == MOST_JOBS {
            return Err(too_many());
        }
        list.push(one);
    }
    Ok(())
}

/// All languages, each with the position of its table.
fn languages(tables: &Languages) -> Result<Vec<(usize, Language)>, Mistake> {
    let mut languages = Vec::new();
    let mut count = |at: usize, count: u64, language: &dyn Fn(u64) -> Language| {
        extend(&mut languages, (0..count).map(|index| (at, language(index)))).map_err(|message| (at, message))
    };
    for table in &tables.grammars {
        let (at, table) = (table.span().start, table.get_ref());
        for letters in &table.letters.values {
            for nonterminals in &table.nonterminals.values {
                for productions in &table.productions.values {
                    count(at, table.count.0, &|index| Language::Grammar {
                        letters: letters.get(),
                        nonterminals: nonterminals.get(),
                        productions: productions.get(),
                        index,
                        reversed: table.reversed,
                    })?;
                }
            }
        }
    }
    for table in &tables.automata {
        let (at, table) = (table.span().start, table.get_ref());
        for letters in &table.letters.values {
            for states in &table.states.values {
                count(at, table.count.0, &|index| Language::Automaton {
                    letters: letters.get(),
                    states: states.get(),
                    index,
                })?;
            }
        }
    }
    for table in &tables.sparse {
        let (at, table) = (table.span().start, table.get_ref());
        for letters in &table.letters.values {
            for states in &table.states.values {
                for transitions in &table.transitions.values {
                    count(at, table.count.0, &|index| Language::Sparse {
                        letters: letters.get(),
                        states: states.get(),
                        transitions: transitions.0,
                        index,
                    })?;
                }
            }
        }
    }
    for table in &tables.random_expressions {
        let (at, table) = (table.span().start, table.get_ref());
        for letters in &table.letters.values {
            for size in &table.size.values {
                count(at, table.count.0, &|index| Language::RandomExpression {
                    letters: letters.get(),
                    size: size.get(),
                    index,
                })?;
            }
        }
    }
    for table in &tables.expressions {
        let (at, table) = (table.span().start, table.get_ref());
        let language = Language::Expression {
            name: table.name.0.clone(),
            expression: table.expression.get_ref().clone(),
            letters: table.letters.clone(),
        };
        language.draw(0).map_err(|error| (table.expression.span().start, error.to_string()))?;
        count(at, 1, &|_| language.clone())?;
    }
    for number in &tables.tomita {
        count(number.span().start, 1, &|_| Language::Tomita { number: number.get_ref().get() })?;
    }
    Ok(languages)
}

fn draws(table: &Draw) -> Result<Vec<spec::Draw>, String> {
    let usual = |key: Option<bool>, usual: bool| key.unwrap_or(usual);
    let by_label = |positives: usize, negatives: usize| Words::ByLabel {
        positives,
        negatives,
        repeat: usual(table.repeat, false),
        kinds: usual(table.kinds, true),
        empty_word: usual(table.empty_word, true),
    };
    let labels = table.positives.is_some() || table.negatives.is_some();
    let words: Vec<(String, Words)> = match (&table.words, &table.words_per_state) {
        (Some(_), Some(_)) => return Err("`words` and `words_per_state` cannot be used together".to_owned()),
        (Some(_), None) if labels => {
            return Err(
                "`positives` and `negatives` cannot be used with `words`, which takes half of each label".to_owned()
            );
        }
        (None, Some(_)) if labels || table.repeat.is_some() || table.kinds.is_some() || table.empty_word.is_some() => {
            return Err("`positives`, `negatives`, `repeat`, `kinds` and `empty_word` cannot be used with `words_per_state`, which ignores labels".to_owned());
        }
        (Some(words), None) => {
            let each = |words: usize| (format!("-w{words}"), by_label(words / 2, words - words / 2));
            words.values.iter().map(|words| each(words.get())).collect()
        }
        (None, Some(per_state)) => {
            let shortest = table.shortest.map_or(0, Within::get);
            let each = |per_state: usize| (format!("-s{per_state}"), Words::Blind { per_state, shortest });
            per_state.values.iter().map(|words| each(words.get())).collect()
        }
        (None, None) => {
            let [positives, negatives] =
                [table.positives, table.negatives].map(|count| count.map_or(USUAL_WORDS, Within::get));
            vec![(String::new(), by_label(positives, negatives))]
        }
    };
    if table.shortest.is_some() && table.words_per_state.is_none() {
        return Err("`shortest` needs `words_per_state`".to_owned());
    }
    let mut draws = Vec::new();
    for depth in table.depth.values.iter().map(|depth| depth.get()) {
        for &lengths in &table.lengths.values {
            for (how_many, words) in &words {
                if matches!(words, Words::Blind { shortest, .. } if *shortest > depth) {
                    return Err(format!("`shortest` is larger than the depth, {depth}"));
                }
                for noise in table.noise.values.iter().map(|rate| rate.0) {
                    let given = table.name.as_ref().map_or(String::new(), |name| format!("{}-", name.0));
                    let how = match lengths {
                        Lengths::Even => "even",
                        Lengths::Uniform => "uniform",
                    };
                    let noisy =
                        if table.noise.is_list || noise > 0.0 { format!("-noise{noise}") } else { String::new() };
                    let draw = spec::Draw {
                        name: format!("{given}d{depth}-{how}{how_many}{noisy}"),
                        depth,
                        lengths,
                        words: words.clone(),
                        noise,
                        same_words: table.same_words,
                        words_seed: None,
                        labels_seed: None,
                    };
                    extend(&mut draws, [draw])?;
                }
            }
        }
    }
    Ok(draws)
}

/// The values of a key, each with its suffix for names; a single `None` if the key is absent.
fn choices<T, U>(key: Option<&Many<T>>, letter: &str, value: impl Fn(&T) -> U) -> Vec<(String, Option<U>)>
where
    U: std::fmt::Display,
{
    let Some(many) = key else { return vec![(String::new(), None)] };
    let name = |value: &U| if many.is_list { format!("-{letter}{value}") } else { String::new() };
    many.values.iter().map(value).map(|value| (name(&value), Some(value))).collect()
}

/// The value of a key.
fn value<T>(key: &Option<Spanned<T>>) -> Option<&T> {
    key.as_ref().map(Spanned::get_ref)
}

/// The position of a key.
fn place<T>(key: &Option<Spanned<T>>) -> Option<usize> {
    key.as_ref().map(|key| key.span().start)
}

/// Gives an option some value.
type Change = fn(&mut Options);

/// Refuses keys that the engine does not read, by the library's table of options.
fn check_read(table: &Learner) -> Result<(), Mistake> {
    let Some(engine) = table.engine else { return Ok(()) };
    let truth = |key| place(key).filter(|_| value(key) == Some(&true));
    let noise = place(&table.noise).filter(|_| value(&table.noise) != Some(&Told::Nothing));
    let size: Change = |options| options.nonterminals = Some(1);
    // Each key with the option that it sets, and whether it says how to learn letter by letter.
    let keys: [(&str, Option<usize>, bool, Change); 11] = [
        ("classes", truth(&table.classes), false, |options| options.classes = Classes::Given(Vec::new())),
        ("shape", place(&table.shape), true, |options| options.shapes = Shapes::Nfa),
        ("nonterminals", place(&table.nonterminals), true, size),
        ("times_n", place(&table.times_n), true, size),
        ("size_given", truth(&table.size_given), true, size),
        ("restarts", place(&table.restarts), true, |options| options.restarts = Some(1)),
        ("steps", place(&table.steps), true, |options| options.steps = Some(1)),
        ("visits", place(&table.visits), true, |options| options.moves = Some(1)),
        ("conflicts", place(&table.conflicts), false, |options| options.conflicts = Some(1)),
        ("noise", noise, false, |options| options.noise = Noise::Auto),
        ("right", truth(&table.right), false, |options| options.direction = Side::Right),
    ];
    for (key, at, is_by_letter, set) in keys {
        let Some(at) = at else { continue };
        let mut options = Options { learner: engine, ..Options::default() };
        set(&mut options);
        if options.check().is_err() {
            return Err((at, format!("`{key}` does not apply to the engine \"{}\"", engine.name())));
        }
        if is_by_letter && value(&table.classes) == Some(&true) {
            return Err((at, format!("`{key}` does not apply with `classes`, where everything is as by default")));
        }
    }
    Ok(())
}

fn learners(table: &Learner, language: &Language) -> Result<Vec<spec::Learner>, String> {
    if table.times_n.is_some() && table.nonterminals.is_some() {
        return Err("`nonterminals` and `times_n` cannot be used together".to_owned());
    }
    let sizes: Vec<(String, Option<usize>)> = match (value(&table.times_n), language.nonterminals()) {
        _ if value(&table.size_given) == Some(&true) => vec![(String::new(), Some(given_size(table, language)?))],
        (None, _) => choices(value(&table.nonterminals), "n", |value| value.get()),
        (Some(_), None) => return Err("`times_n` needs grammars; other languages have no n".to_owned()),
        (Some(times), Some(n)) => {
            // At least one, and at most the limit of a model.
            let size = |times: f64| ((n as f64 * times) as usize).clamp(1, MOST_NONTERMINALS);
            times.values.iter().map(|times| (format!("-x{}", times.0), Some(size(times.0)))).collect()
        }
    };
    let mut learners = Vec::new();
    for (size_name, nonterminals) in &sizes {
        for (restarts_name, restarts) in choices(value(&table.restarts), "restarts", |value| value.0) {
            for (steps_name, steps) in choices(value(&table.steps), "steps", |value| value.0) {
                for (visits_name, visits) in choices(value(&table.visits), "visits", |value| value.0) {
                    let method = match &table.training {
                        Some(training) => {
                            let unused = table.shape.is_some()
                                || table.noise.is_some()
                                || table.right.is_some()
                                || table.questions.is_some()
                                || table.classes.is_some()
                                || table.size_given.is_some()
                                || table.conflicts.is_some()
                                || visits.is_some();
                            if unused {
                                return Err("`shape`, `classes`, `size_given`, `noise`, `right`, `questions`, `conflicts` and `visits` cannot be used with `training`, which has its own `shape`".to_owned());
                            }
                            let steps = steps.unwrap_or(training::Settings::paper().steps);
                            Method::Train(Box::new(self::training(training, *nonterminals, restarts, steps)?))
                        }
                        None => Method::Learn(learning(table, *nonterminals, restarts, steps, visits)),
                    };
                    let name = format!("{}{size_name}{restarts_name}{steps_name}{visits_name}", table.name.0);
                    extend(&mut learners, [spec::Learner { name, method }])?;
                }
            }
        }
    }
    Ok(learners)
}

/// The number of non-terminals that lets search look at automata of at most as many states as the truth has.
fn given_size(table: &Learner, language: &Language) -> Result<usize, String> {
    if table.times_n.is_some() || table.nonterminals.is_some() {
        return Err(
            "`nonterminals` and `times_n` cannot be used with `size_given`, which says how many there are".to_owned()
        );
    }
    match language {
        // Search adds a state before the first letter, and one where no word goes on.
        Language::Automaton { states, .. } => Ok(states.saturating_sub(2).clamp(1, MOST_NONTERMINALS)),
        _ => Err("`size_given` needs automata; other languages have no given size".to_owned()),
    }
}

fn learning(
    table: &Learner,
    nonterminals: Option<usize>,
    restarts: Option<u64>,
    steps: Option<u64>,
    visits: Option<u64>,
) -> Learning {
    let usual = learner::Settings::default();
    let engine = table.engine.unwrap_or_default();
    let paper = engine == Engine::Paper;
    Learning {
        engine,
        classes: value(&table.classes) == Some(&true),
        shape: value(&table.shape).copied().unwrap_or(if paper { Shapes::Nfa } else { usual.shapes }),
        nonterminals: if paper {
            nonterminals.or(Some(training::Settings::paper().nonterminals))
        } else {
            nonterminals
        },
        restarts: restarts.unwrap_or(if paper { 1 } else { usual.restarts }),
        // The paper's protocol has its own budget.
        steps: steps.or((!paper).then_some(usual.steps)),
        visits: visits.unwrap_or(if paper { 0 } else { usual.visits }),
        conflicts: match (value(&table.conflicts), engine) {
            (Some(conflicts), _) => Some(conflicts.0),
            (None, Engine::Sat) => Some(usual.conflicts),
            (None, _) => None,
        },
        noise: value(&table.noise).copied().unwrap_or_default(),
        right: value(&table.right) == Some(&true),
        questions: table.questions.map(|questions| questions.0),
    }
}

fn training(
    table: &Training,
    nonterminals: Option<usize>,
    restarts: Option<u64>,
    steps: u64,
) -> Result<spec::Training, String> {
    let shape = table.shape.unwrap_or(Shape::Nfa);
    let base = match table.base {
        Base::Paper => training::Settings { shape, ..training::Settings::paper() },
        Base::Practical => training::Settings { restarts: 1, ..training::Settings::practical(shape) },
    };
    let settings = training::Settings {
        shape,
        nonterminals: nonterminals.unwrap_or(base.nonterminals),
        restarts: restarts.map_or(base.restarts, |restarts| restarts as usize),
        seed: 0,
        steps,
        batch: table.batch.map_or(base.batch, |batch| Some(batch.get())),
        mean: table.mean.unwrap_or(base.mean),
        deviation: table.deviation.unwrap_or(base.deviation),
        learning_rate: table.learning_rate.map_or(base.learning_rate, |course| course.0),
        beta: table.beta.map_or(base.beta, |course| course.0),
        gamma: table.gamma.map_or(base.gamma, |course| course.0),
        temperature: table.temperature.map_or(base.temperature, |course| course.0),
        length_limit: table.length_limit.map_or(base.length_limit, |course| course.0),
        clamp: table.clamp.unwrap_or(base.clamp),
        slope_bound: table.slope_bound.unwrap_or(base.slope_bound),
        sharp: table.sharp.unwrap_or(base.sharp),
        early_stop: base.early_stop,
    };
    settings.check().map_err(|error| error.to_string())?;
    if table.selector != Selector::Softmax && shape != Shape::Nfa {
        return Err(training::TrainError::Selector.to_string());
    }
    Ok(spec::Training { selector: table.selector, settings })
}
