//! `nerode learn`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use automata::formats::{Document, grammar_text};
use automata::{Alphabet, Class, Direction, Grammar};
use clap::ValueEnum;
use induction::learner::{Engine, Noise, Recording, Shapes, StopReason, Threads};
use nerode::examples::Given;
use nerode::render::{Context, terminal};
use nerode::{Classes, Event, Options, Session};

use crate::Answer;
use crate::input::Input;
use crate::input::saving::Saving;
use crate::learning::again;
use crate::learning::asking::{Who, accepts};
use crate::learning::folder::Folder;
use crate::learning::progress::Bar;
use crate::learning::saved::Saved;
use crate::learning::signals::Signals;
use crate::operand::{Reading, Side};
use crate::output;

/// Learn the grammar behind words that belong to a language and words that do not.
///
/// Three engines look for it: merging of states, a neural model trained from many beginnings, and annealed search. The
/// shortest description that agrees with every example is the answer; it is checked by replaying all of them, and what
/// the examples leave open is told. Without a file it learns the example of the paper.
///
/// Exit code 0 when the answer agrees with all examples (or noise is tolerated), 1 when none was found that does: the best
/// one is still given.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode learn                                      the paper's example, which comes with nerode
  nerode learn good.txt bad.txt                     words that belong and words that do not, one a line
  nerode learn dates.txt others.txt --ask           strings over many characters are learned as classes: [0-9]{4}-(0[1-9]|1[0-2])
  nerode learn examples.csv --out run               everything about the answer as files in run/
  nerode learn traces.jsonl --letters tokens --ask  then answer questions about words that are undecided
  nerode learn noisy.csv --noise auto               labels may be wrong: name those that probably are
  nerode learn train.abbadingo --learner edsm --json
  nerode learn examples.csv --prove                 then prove that nothing else as small would do, or show it")]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Who looks for the answer.
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    learner: LearnerName,

    /// Classes of characters: `auto` (for strings over more than a dozen characters, or over eight of a kind such as
    /// digits; letter by letter if nothing but a list is found), `none`, or those to use instead of the usual
    /// ones, such as `digit=[0-9] hex=[a-f]`; ranges and lists of what was seen stay possible. More than a dozen tokens
    /// are learned by their shapes: number, hex, identifier, quoted.
    #[arg(long, value_name = "auto|none|CLASSES", default_value = "auto", value_parser = classes)]
    classes: Classes,

    /// Which shape of the neural model is trained.
    #[arg(long, value_name = "SHAPE", default_value = "both")]
    shape: ShapeName,

    /// The number of non-terminals of the model [default: growing until something agrees with the examples].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    nonterminals: Option<u16>,

    /// How many beginnings the model is trained from at the most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    restarts: Option<u32>,

    /// How many steps each is trained at the most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,

    /// How far search goes at the most: how often it looks at a prefix of the examples.
    #[arg(long, value_name = "N")]
    moves: Option<u64>,

    /// How many conflicts the solver meets at the most, in --learner sat and in --prove.
    #[arg(long, value_name = "N")]
    conflicts: Option<u64>,

    /// How many threads [default: all cores]. The answer does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Stop after so many seconds with the best answer until then. How far one gets depends on the machine.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Labels may be wrong: at this rate, below 0.5, or `auto`.
    #[arg(long, value_name = "RATE|auto", value_parser = noise)]
    noise: Option<Noise>,

    /// Which side of a letter the non-terminal stands on; with `right` words are read from their ends.
    #[arg(long, value_name = "SIDE", default_value = "left")]
    direction: Side,

    /// What all that is random comes from. The same seed gives the same answer.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Write everything about the answer to files in this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write over files of those names that nerode did not write.
    #[arg(long, requires = "out")]
    force: bool,

    /// Record what the model believed at so many moments of its training, for the report and `nerode training`; 0 for none.
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u16).range(0..=1000))]
    progress_frames: Option<u16>,

    /// Print the result as JSON.
    #[arg(long)]
    json: bool,

    /// Prove that the answer is the smallest that agrees with the examples, and the only one of its size, or show another.
    #[arg(long)]
    prove: bool,

    /// The protocol of the paper: one training of its model, read at its threshold, nothing mended.
    #[arg(long, conflicts_with_all = ["learner", "shape", "restarts", "noise", "start_from"])]
    paper: bool,

    /// Ask about words that the examples leave undecided, one by one, and go on with the answers.
    #[arg(long, conflicts_with = "oracle")]
    ask: bool,

    /// Ask this language instead of a person: a file, `regex:PATTERN`, `example:NAME`.
    #[arg(long, value_name = "LANGUAGE")]
    oracle: Option<String>,

    /// How many questions are asked at the most.
    #[arg(long, value_name = "N", default_value_t = 100)]
    questions: u64,

    /// Save the examples with the answers to questions: .csv, .tsv, .jsonl, .abbadingo or .txt.
    #[arg(long, value_name = "FILE")]
    save_examples: Option<PathBuf>,

    /// Keep what was found in this folder, and go on from there after a break.
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,

    /// A grammar to begin from: a file in any of the forms of a language.
    #[arg(long, value_name = "LANGUAGE")]
    start_from: Option<String>,
}

/// So many moments of a training are recorded by default: a strip has room for them.
const FRAMES: usize = 12;

fn classes(text: &str) -> Result<Classes, String> {
    match text.trim() {
        "auto" => return Ok(Classes::Auto),
        "none" => return Ok(Classes::None),
        "" => return Err("no class is named: `auto`, `none`, or classes such as `digit=[0-9]`".to_owned()),
        _ => {}
    }
    let class = |word: &str| {
        let body = word.find('[').map_or(word, |at| if word[..at].ends_with('=') { &word[at..] } else { word });
        Class::parse(body).map(|_| body.to_owned()).ok_or_else(|| {
            format!("{word} is not a class: a class is two or more characters in brackets, such as digit=[0-9]")
        })
    };
    Ok(Classes::Given(text.split_whitespace().map(class).collect::<Result<_, _>>()?))
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnerName {
    /// All of them, each going on from what the others found.
    Auto,
    /// The neural model, its grammars repaired.
    Neural,
    /// Annealed search over automata.
    Search,
    /// One run of state merging in the order of a dictionary.
    Rpni,
    /// One run of state merging by evidence.
    Edsm,
    /// The smallest automaton, by a solver.
    Sat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShapeName {
    /// The paper's: productions independent of each other.
    Nfa,
    /// Deterministic.
    Dfa,
    /// Each in its turn.
    Both,
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "this is no number of seconds".to_owned())?;
    if number <= 0.0 || number.is_nan() {
        return Err("a limit of time is above 0".to_owned());
    }
    // What no clock can count to is no limit that anybody means.
    Duration::try_from_secs_f64(number).map_err(|_| "this is longer than any clock runs".to_owned())
}

fn noise(text: &str) -> Result<Noise, String> {
    match text.parse::<f64>() {
        _ if text == "auto" => Ok(Noise::Auto),
        Ok(rate) if rate > 0.0 && rate < 0.5 => Ok(Noise::Rate(rate)),
        _ => Err("noise is `auto` or a rate above 0 and below 0.5".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    if arguments.ask && arguments.input.is_standard_input() {
        bail!("--ask reads the answers from standard input, so the examples must come from a file");
    }
    let given = if arguments.input.is_empty() { Given::paper() } else { arguments.input.read()? };
    let options = options(arguments, &given)?;
    let noise_allowed = options.noise != Noise::None;
    given.check(noise_allowed)?;
    let who = who(arguments, noise_allowed, &given)?;
    // Places for results are opened before the work, so that a bad one fails at once.
    let folder = arguments.out.as_deref();
    let folder = folder.map(|path| Folder::open(path, arguments.input.paths(), arguments.force)).transpose()?;
    let saving = match &arguments.save_examples {
        Some(path) => Some(Saving::open(path, given.examples.alphabet())?),
        None => None,
    };
    let saved = arguments.checkpoint.as_deref().map(Saved::open).transpose()?;

    let Given { source, blank, examples, answers, .. } = given;
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let workers = Box::new(Threads::new(threads)?);
    let mut session = match saved.as_ref().and_then(|saved| Some((saved, saved.content()?))) {
        Some((saved, text)) => {
            Session::resume(text, &examples, options, workers).with_context(|| saved.path().display().to_string())?
        }
        None => Session::with_executor(&examples, options, workers).with_context(|| source.clone())?,
    };
    session.replay(answers);
    // A million words are held once: what is not saved again is dropped here.
    let examples = saving.is_some().then_some(examples);
    let signals = Signals::listen(session.stopper())?;
    let mut bar = Bar::new(arguments.time_limit);
    learn(&mut session, &who, saved.as_ref(), &mut bar)?;

    let answers = session.answers().to_vec();
    let learned = session.finish()?;
    bar.finish();
    let context = Context {
        source: output::one_line(&source),
        is_example: arguments.input.is_empty(),
        blank,
        command: again::command(std::env::args_os().skip(1), arguments.seed),
        seconds: bar.seconds(),
    };
    // The answer is printed first: a full disk does not keep it back.
    if arguments.json {
        output::print_json(&learned.answer)?;
    } else {
        output::print(&terminal::answer(&learned, &context))?;
    }
    if let Some(folder) = folder {
        folder.fill(&learned, &context)?;
    }
    if let (Some(saving), Some(examples)) = (saving, examples) {
        if !answers.is_empty() && !saving.marks_answers() {
            eprintln!(
                "nerode: note: only .csv, .tsv and .jsonl mark answers to questions; learned again from this file, they \
                 count as given"
            );
        }
        saving.finish(&examples, &answers)?;
    }
    // What was cut can go on another time.
    let is_cut = learned.answer.stop_reason == StopReason::Cut;
    if let Some(saved) = saved.filter(|_| !is_cut) {
        saved.done()?;
    }
    let fine = noise_allowed || learned.answer.consistent;
    Ok(match signals.exit_code() {
        Some(code) => Answer::Interrupted(code),
        None if fine => Answer::Yes,
        None => Answer::No,
    })
}

/// Steps a session to its end.
fn learn(session: &mut Session, who: &Who, saved: Option<&Saved>, bar: &mut Bar) -> anyhow::Result<()> {
    let stop = session.stopper();
    let mut stage = String::new();
    let mut is_due = false;
    loop {
        if bar.is_over() {
            stop.stop();
        }
        // Saved before it is stopped: what is under way then is done again, and nothing is lost.
        if let Some(saved) = saved
            && (is_due || stop.is_set())
        {
            saved.keep(session)?;
        }
        is_due = match session.step()? {
            Event::Progress(progress) => {
                bar.show(&progress);
                std::mem::replace(&mut stage, progress.stage.clone()) != progress.stage
            }
            Event::Question(question) => {
                bar.aside(|| who.answer(&question, session))?;
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
    };
    let shapes = match arguments.shape {
        ShapeName::Nfa => Shapes::Nfa,
        ShapeName::Dfa => Shapes::Dfa,
        ShapeName::Both => Shapes::Both,
    };
    let records = arguments.out.is_some();
    let frames = if records { arguments.progress_frames.map_or(FRAMES, usize::from) } else { 0 };
    Ok(Options {
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
        record: Recording { epochs: records, frames },
        ..Options::default()
    })
}

/// A language to begin from, as the text of a grammar over the letters of the examples.
fn grammar(operand: &str, given: &Given) -> anyhow::Result<String> {
    let known = given.examples.alphabet();
    let [language] = Reading::over(known).languages([operand])?;
    let grammar = match &language.document {
        Document::Grammar(grammar) => grammar.directed(Direction::Left).normalized().trimmed(),
        other => Grammar::from_nfa(&other.to_nfa().with_context(|| operand.to_owned())?, Direction::Left),
    };
    if grammar.alphabet() != known {
        let unknown = grammar.alphabet().names().iter().filter(|name| known.find(name).is_none());
        bail!("{operand} has letters that no example has: {}", Alphabet::new(unknown)?);
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
    // What it says would be learned beside what it denies.
    if !noise_allowed
        && let Some(place) = given.first_contradiction(|word| accepts(&oracle, given.examples.alphabet(), word))
    {
        bail!("{operand} cannot be asked: it contradicts the examples, first at {place}");
    }
    Ok(Who::Oracle(oracle))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
