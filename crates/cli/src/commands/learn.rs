//! `nerode learn`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use automata::formats::{Document, grammar_text};
use automata::{Alphabet, Class, Direction, shortest_grammar};
use clap::ValueEnum;
use induction::learner::{Engine, Noise, Recording, Shapes, StopReason, Threads};
use lab::study::Clock as _;
use nerode::examples::Given;
use nerode::render::{Context, terminal};
use nerode::{Classes, Event, Options, Session, accepts};

use crate::Answer;
use crate::clock::Clock;
use crate::failures::Failures;
use crate::input::Input;
use crate::input::saving::Saving;
use crate::learning::again;
use crate::learning::asking::Who;
use crate::learning::folder;
use crate::learning::progress::Bar;
use crate::learning::saved::Saved;
use crate::operand::{Reading, Side};
use crate::output;
use crate::signals::Signals;

/// Learn a regular grammar from words that are in a language and words that are not.
///
/// Several engines take turns: state merging, a neural model trained from many random starts, and annealed search. The
/// shortest description that agrees with every example is the answer. Every example is replayed to check it, and words
/// that the examples leave undecided are listed. Without a file, `learn` uses the paper's example.
///
/// Exit code: 0 if the answer agrees with all examples or noise is allowed, 1 if no such answer was found; the best one
/// is printed all the same.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode learn                                      the paper's example, which is built in
  nerode learn good.txt bad.txt                     words in the language, words not in it; one per line
  nerode learn dates.txt others.txt --ask           many characters: learned as classes, [0-9]{4}-(0[1-9]|1[0-2])
  nerode learn examples.csv --out run               write all files of the answer to run/
  nerode learn traces.jsonl --letters tokens --ask  learn, then answer questions about undecided words
  nerode learn noisy.csv --noise auto               some labels are wrong: list the suspicious ones
  nerode learn train.abbadingo --learner edsm --json
  nerode learn --positive good.txt --learner facts  a sentence, such as \"no ab, and no c … d in this order\"
  nerode learn examples.csv --prove                 learn, then prove that the answer is minimal and unique")]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// The engine that looks for the answer.
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    learner: LearnerName,

    /// Character classes. `auto` tries classes as well as single letters; the shorter description decides. `none` never
    /// uses classes. Or name the classes to use instead of the usual ones, such as `digit=[0-9] hex=[a-f]`; ranges and
    /// sets of observed characters remain possible. More than a dozen tokens are learned by shape: number, hex, identifier, quoted.
    #[arg(long, value_name = "auto|none|CLASSES", default_value = "auto", value_parser = classes)]
    classes: Classes,

    /// The shape of the neural model.
    #[arg(long, value_name = "SHAPE", default_value = "both")]
    shape: ShapeName,

    /// Number of non-terminals of the model [default: grows until an answer agrees with the examples].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    nonterminals: Option<u16>,

    /// Maximum number of restarts of the model [default: 256].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    restarts: Option<u32>,

    /// Maximum number of training steps of a restart [default: 3000; with --paper, 30000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,

    /// Maximum work of the search, in visits to nodes of the prefix tree [default: 30000000000].
    #[arg(long, value_name = "N")]
    moves: Option<u64>,

    /// Maximum number of conflicts of the SAT solver, for --learner sat and --prove [default: 100000].
    #[arg(long, value_name = "N")]
    conflicts: Option<u64>,

    /// Number of threads [default: all cores]. The answer does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Stop after this many seconds and give the best answer so far. The answer then depends on the machine.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Labels may be wrong. Give their rate, above 0 and below 0.5, or `auto` to estimate it.
    #[arg(long, value_name = "RATE|auto", value_parser = noise)]
    noise: Option<Noise>,

    /// Side of the letter on which a production has its non-terminal. With `right`, words are read from the end.
    #[arg(long, value_name = "SIDE", default_value = "left")]
    direction: Side,

    /// Seed for all randomness. The same seed gives the same answer.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Write everything about the answer to files in this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Overwrite files in that folder that nerode did not write.
    #[arg(long, requires = "out")]
    force: bool,

    /// Record the model's beliefs at this many points of its training, for the report and `nerode training`; 0 for none
    /// [default: 12].
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u16).range(0..=1000))]
    progress_frames: Option<u16>,

    /// Print the result as JSON.
    #[arg(long)]
    json: bool,

    /// Prove that the answer is the smallest one that agrees with the examples, and the only one of its size; otherwise
    /// show a smaller or different one.
    #[arg(long)]
    prove: bool,

    /// Use the paper's protocol: train its model once and read the grammar off at its threshold, without repair.
    #[arg(long, conflicts_with = "learner")]
    paper: bool,

    /// Ask about words that the examples leave undecided, one at a time, and learn from your answers.
    #[arg(long, group = "asking")]
    ask: bool,

    /// Ask this language instead of a person: a file, `regex:PATTERN`, or `example:NAME`.
    #[arg(long, value_name = "LANGUAGE", group = "asking")]
    oracle: Option<String>,

    /// Maximum number of questions.
    #[arg(long, value_name = "N", default_value_t = 100, requires = "asking")]
    questions: u64,

    /// Save the examples and the answers to questions: .csv, .tsv, .jsonl, .abbadingo or .txt.
    #[arg(long, value_name = "FILE")]
    save_examples: Option<PathBuf>,

    /// Save progress in this folder, and resume from it if it holds a saved run.
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,

    /// Start from this grammar: a file, `regex:PATTERN`, or `example:NAME`. An automaton or expression becomes its
    /// shortest known grammar.
    #[arg(long, value_name = "LANGUAGE")]
    start_from: Option<String>,
}

/// Default number of recorded points of a training; a strip has room for them.
const FRAMES: usize = 12;

fn classes(text: &str) -> Result<Classes, String> {
    match text.trim() {
        "auto" => return Ok(Classes::Auto),
        "none" => return Ok(Classes::None),
        "" => return Err("expected `auto`, `none`, or classes such as `digit=[0-9]`".to_owned()),
        _ => {}
    }
    let class = |word: &str| {
        let body = word.find('[').map_or(word, |at| if word[..at].ends_with('=') { &word[at..] } else { word });
        Class::parse(body).map(|_| body.to_owned()).ok_or_else(|| {
            format!("{word} is not a class; write two or more characters in brackets, such as digit=[0-9]")
        })
    };
    Ok(Classes::Given(text.split_whitespace().map(class).collect::<Result<_, _>>()?))
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnerName {
    /// All engines; each builds on what the others found.
    Auto,
    /// The neural model; its grammars are repaired.
    Neural,
    /// Annealed search over automata.
    Search,
    /// State merging in lexicographic order (RPNI), one run.
    Rpni,
    /// Evidence-driven state merging (EDSM), one run.
    Edsm,
    /// The smallest automaton, found by a SAT solver.
    Sat,
    /// Short formulas over facts about words, such as "no ab, and c … d in this order"; needs no rejected words.
    Facts,
    /// State merging by how words go on, for traces and logs.
    Walks,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShapeName {
    /// The paper's shape: productions are independent.
    Nfa,
    /// Deterministic.
    Dfa,
    /// Both, in turns.
    Both,
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if number <= 0.0 || number.is_nan() {
        return Err("the time limit must be above 0".to_owned());
    }
    // No clock counts that far.
    Duration::try_from_secs_f64(number).map_err(|_| "the time limit is too long".to_owned())
}

fn noise(text: &str) -> Result<Noise, String> {
    match text.parse::<f64>() {
        _ if text == "auto" => Ok(Noise::Auto),
        Ok(rate) if rate > 0.0 && rate < 0.5 => Ok(Noise::Rate(rate)),
        _ => Err("expected `auto` or a rate above 0 and below 0.5".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    if arguments.ask && arguments.input.is_standard_input() {
        bail!("--ask reads answers from standard input, so the examples must come from a file");
    }
    let given = if arguments.input.is_empty() {
        arguments.input.check_unread("none was given, so the paper's example is learned")?;
        Given::paper()
    } else {
        arguments.input.read()?
    };
    let options = options(arguments, &given)?;
    let noise_allowed = options.noise != Noise::None;
    given.check(noise_allowed)?;
    options.check_labels(&given.examples).with_context(|| given.source.clone())?;
    let who = who(arguments, noise_allowed, &given)?;
    // Open outputs before the work, so that a bad path fails at once.
    let folder = arguments.out.as_deref();
    let mut folder = folder.map(|path| folder::open(path, arguments.input.paths(), arguments.force)).transpose()?;
    let saving = match &arguments.save_examples {
        Some(path) => Some(Saving::open(path, given.examples.alphabet())?),
        None => None,
    };
    let mut saved = arguments.checkpoint.as_deref().map(Saved::open).transpose()?;

    let (source, blank) = (given.source.clone(), given.blank);
    let (examples, answers) = given.into_examples();
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let workers = Box::new(Threads::new(threads)?);
    let mut session = match saved.as_ref().and_then(|saved| Some((saved, saved.content()?))) {
        Some((saved, text)) => {
            Session::resume(text, &examples, options, workers).with_context(|| saved.path().display().to_string())?
        }
        None => Session::with_executor(&examples, options, workers).with_context(|| source.clone())?,
    };
    session.replay(answers);
    // Drop the examples unless they are saved again: a million words should be in memory only once.
    let examples = saving.is_some().then_some(examples);
    let signals = Signals::listen(session.stopper())?;
    let (clock, mut bar) = (Clock::new(arguments.time_limit), Bar::new());
    // A failure to print or write one thing must not cost the others.
    let mut failures = Failures::default();
    learn(&mut session, &who, saved.as_mut(), &clock, &mut bar, &mut failures)?;

    let answers = session.answers().to_vec();
    let learned = session.finish()?;
    bar.finish();
    let context = Context {
        source: output::one_line(&source),
        is_example: arguments.input.is_empty(),
        blank,
        command: again::command(std::env::args_os().skip(1), arguments.seed),
        seconds: clock.seconds(),
    };
    failures.note(match arguments.json {
        true => output::print_json(&learned.answer),
        false => output::print(&terminal::answer(&learned, &context)),
    });
    if let Some(folder) = &mut folder {
        failures.note(folder::fill(folder, &learned, &context));
    }
    if let (Some(saving), Some(examples)) = (saving, examples) {
        if !answers.is_empty() && !saving.marks_answers() {
            crate::note(
                "only .csv, .tsv and .jsonl files mark answers to questions; in this format they become ordinary \
                 examples",
            );
        }
        failures.note(saving.finish(&examples, &answers));
    }
    if let Some(saved) = saved {
        failures.note(saved.done(learned.answer.stop_reason == StopReason::Cut));
    }
    let fine = noise_allowed || learned.answer.consistent;
    failures.outcome(signals.exit_code(), if fine { Answer::Yes } else { Answer::No })
}

/// Steps a session to its end.
fn learn(
    session: &mut Session,
    who: &Who,
    mut saved: Option<&mut Saved>,
    clock: &Clock,
    bar: &mut Bar,
    failures: &mut Failures,
) -> anyhow::Result<()> {
    let stop = session.stopper();
    let mut stage = String::new();
    let mut is_due = false;
    loop {
        if clock.is_over() {
            stop.stop();
        }
        // Save before stopping: the interrupted work is repeated on resume, and nothing is lost.
        if let Some(saved) = &mut saved
            && (is_due || stop.is_set() || saved.is_due(clock))
        {
            saved.keep(session, clock);
        }
        is_due = match session.step()? {
            Event::Progress(progress) => {
                bar.show(&progress, clock.seconds());
                std::mem::replace(&mut stage, progress.stage.clone()) != progress.stage
            }
            Event::Question(question) => {
                if let Err(error) = bar.aside(|| who.answer(&question, session)) {
                    session.stop_asking();
                    failures.note(Err(error));
                }
                true
            }
            Event::Done => return Ok(()),
        };
    }
}

fn options(arguments: &Arguments, given: &Given) -> anyhow::Result<Options> {
    let learner = match arguments.learner {
        _ if arguments.paper => Engine::Paper,
        LearnerName::Auto => Engine::Auto,
        LearnerName::Neural => Engine::Neural,
        LearnerName::Search => Engine::Search,
        LearnerName::Rpni => Engine::Rpni,
        LearnerName::Edsm => Engine::Edsm,
        LearnerName::Sat => Engine::Sat,
        LearnerName::Facts => Engine::Facts,
        LearnerName::Walks => Engine::Walks,
    };
    let shapes = match arguments.shape {
        ShapeName::Nfa => Shapes::Nfa,
        ShapeName::Dfa => Shapes::Dfa,
        ShapeName::Both => Shapes::Both,
    };
    let options = Options {
        learner,
        classes: arguments.classes.clone(),
        shapes,
        nonterminals: arguments.nonterminals.map(usize::from),
        restarts: arguments.restarts.map(u64::from),
        steps: arguments.steps,
        moves: arguments.moves,
        conflicts: arguments.conflicts,
        noise: arguments.noise.unwrap_or_default(),
        direction: arguments.direction.into(),
        seed: arguments.seed,
        start_from: arguments.start_from.as_deref().map(|operand| grammar(operand, given)).transpose()?,
        questions: (arguments.ask || arguments.oracle.is_some()).then_some(arguments.questions),
        prove: arguments.prove,
        ..Options::default()
    };
    let records = arguments.out.is_some();
    let frames = match arguments.progress_frames {
        Some(frames) => usize::from(frames),
        None if records && options.trains() => FRAMES,
        None => 0,
    };
    let options = Options { record: Recording { epochs: records, frames }, ..options };
    options.check()?;
    Ok(options)
}

/// The start grammar as text, over the letters of the examples.
fn grammar(operand: &str, given: &Given) -> anyhow::Result<String> {
    let known = given.examples.alphabet();
    let [language] = Reading::over(known).languages([operand])?;
    let grammar = match &language.document {
        Document::Grammar(grammar) => grammar.directed(Direction::Left).normalized().trimmed(),
        Document::Dfa(dfa) => shortest_grammar(&language.nfa()?, Some(dfa), Direction::Left),
        _ => shortest_grammar(&language.nfa()?, None, Direction::Left),
    };
    if grammar.alphabet() != known {
        let unknown = grammar.alphabet().names().iter().filter(|name| known.find(name).is_none());
        bail!("--start-from: {operand} has letters that occur in no example: {}", Alphabet::new(unknown)?);
    }
    Ok(grammar_text::write(&grammar))
}

fn who(arguments: &Arguments, noise_allowed: bool, given: &Given) -> anyhow::Result<Who> {
    let Some(operand) = &arguments.oracle else {
        return Ok(if arguments.ask { Who::Person } else { Who::Nobody });
    };
    let reading = Reading::over(given.examples.alphabet());
    let [language] = reading.languages([operand])?;
    let oracle = language.minimal_dfa(&reading)?;
    // Otherwise its answers would contradict the examples.
    if !noise_allowed
        && let Some(place) = given.first_contradiction(|word| accepts(&oracle, given.examples.alphabet(), word))
    {
        bail!("--oracle: {operand} contradicts the examples, first at {place}");
    }
    Ok(Who::Oracle(oracle))
}

pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
