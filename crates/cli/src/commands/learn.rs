//! `nerode learn`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use automata::formats::{Document, Label};
use automata::{Alphabet, Class, Dfa, Direction, Grammar, Spelling};
use clap::ValueEnum;
use induction::learner::{Engine, Induced, Learner, Noise, Settings, Shapes, StopReason, Watch};
use induction::proof::ProofSettings;
use induction::strings::{self, Patterns};
use induction::{Sample, SampleError};

use crate::Answer;
use crate::input::saving::Saving;
use crate::input::{Given, Input};
use crate::learning::asking::{Asking, Who, accepts};
use crate::learning::progress::Bar;
use crate::learning::saved::Saved;
use crate::learning::{Run, again, evidence, folder::Folder, proving, result, told};
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

    /// Classes of characters: `auto` (for up to 2000 strings over more than a dozen characters, or over eight of a kind
    /// such as digits), `none`, or those to use in the place of the usual ones, such as `digit=[0-9] hex=[a-f]`; ranges and
    /// lists of what was seen stay possible. More than a dozen tokens are learned by their shapes: number, hex, identifier,
    /// quoted.
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
    questions: usize,

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

/// What is said of classes of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Classes {
    Auto,
    None,
    Given(Vec<Class>),
}

/// So many moments of a training are recorded unless told otherwise: a strip has room for them.
const FRAMES: usize = 12;
/// From more different characters strings are taken to be about classes of them.
const FEW_LETTERS: usize = 12;
/// So they are from more digits, small letters or capitals.
const FEW_OF_A_KIND: usize = 7;
/// More strings say enough about each letter.
const MANY_STRINGS: usize = 2000;

fn classes(text: &str) -> Result<Classes, String> {
    match text.trim() {
        "auto" => return Ok(Classes::Auto),
        "none" => return Ok(Classes::None),
        "" => return Err("no class is named: `auto`, `none`, or classes such as `digit=[0-9]`".to_owned()),
        _ => {}
    }
    let class = |word: &str| {
        let body = word.find('[').map_or(word, |at| if word[..at].ends_with('=') { &word[at..] } else { word });
        Class::parse(body).ok_or_else(|| {
            format!("{word} is no class: a class is two or more characters in brackets, such as digit=[0-9]")
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
    let settings = settings(arguments, &given)?;
    let noise_allowed = settings.noise != Noise::None;
    given.check(noise_allowed)?;
    let by_classes = by_classes(arguments, &settings, &given)?;
    let who = who(arguments, &settings, &given)?;
    // Places for results are opened before the work, so that a bad one fails at once.
    let folder = arguments.out.as_deref().map(|path| Folder::open(path, arguments.input.paths())).transpose()?;
    let saving = match &arguments.save_examples {
        Some(path) => Some(Saving::open(path, &given.examples.alphabet)?),
        None => None,
    };
    let mut saved = arguments.checkpoint.as_deref().map(Saved::open).transpose()?;
    let mut asking = Asking::new(who, arguments.questions, saved.as_ref().map_or(&[], Saved::answers), &given)?;

    let Given { source, blank, examples, .. } = given;
    let mut sample = sample(&examples, noise_allowed, &source)?;
    // A million words are held once: what is not saved again is dropped here.
    let examples = saving.is_some().then_some(examples);
    // Of what was given, without the answers: these are told by their number, whether or not there was a break.
    let summary = told::Summary::of(&sample, source, blank, arguments.input.is_empty());
    if !asking.answers().is_empty() {
        sample = sample.and(&asking.counted(), noise_allowed)?;
    }
    let frames = folder.as_ref().map_or(0, |_| arguments.progress_frames.map_or(FRAMES, usize::from));
    let bar = Bar::new(arguments.time_limit, folder.is_some(), frames);
    let (induced, sample) = if by_classes {
        let classes = match &arguments.classes {
            Classes::Given(classes) => Some(&classes[..]),
            Classes::Auto | Classes::None => None,
        };
        let stop = || bar.stopped();
        let ways = strings::Ways { classes, noise: settings.noise, direction: settings.direction };
        let mut patterns = Patterns::learn(sample, ways, &stop)?;
        loop {
            let induced = patterns.induced()?;
            let open = induced.undecided.iter().chain(&induced.doubtful);
            let over = induced.stop_reason == StopReason::Cut || asking.is_settled_by(&induced.dfa);
            match if over { None } else { bar.aside(|| asking.next(open))? } {
                Some((word, label)) => patterns.tell(&word, label == Label::Accepted, &stop)?,
                None => break (induced, patterns.into_sample()),
            }
        }
    } else {
        let threads = arguments.threads.map_or_else(cores, usize::from);
        let mut learner = Learner::new(sample, settings.clone(), threads)?;
        if let Some(saved) = &saved {
            saved.take_up(&mut learner, &bar)?;
        }
        let induced = advance(&mut learner, &mut asking, saved.as_mut(), &bar)?;
        (induced, learner.into_sample())
    };
    let allowed = ProofSettings { conflicts: settings.conflicts };
    let known: Vec<&Dfa> = induced.alternatives.iter().map(|other| &other.dfa).collect();
    let stopped = || bar.stopped();
    let proof = arguments
        .prove
        .then(|| proving::prove(proving::spelled(&sample, &induced.dfa), &induced.dfa, &known, allowed, &stopped));
    bar.finish();

    let run = Run {
        command: again::command(std::env::args_os().skip(1), settings.seed),
        induced: &induced,
        settings: &settings,
        summary: &summary,
        questions: asking.count(),
        proof: proof.as_ref(),
        evidence: if folder.is_some() || arguments.json { evidence::lines(&induced, &sample) } else { None },
    };
    if let Some(folder) = folder {
        folder.fill(&run, &sample, &bar)?;
    }
    if let (Some(saving), Some(mut examples)) = (saving, examples) {
        examples.rows.extend(asking.answers().iter().cloned());
        saving.finish(&examples)?;
    }
    if arguments.json {
        output::print_json(&result::json(&run))?;
    } else {
        output::print(&told::answer(&run))?;
    }
    // What was cut can go on another time.
    if let Some(saved) = saved.filter(|_| induced.stop_reason != StopReason::Cut) {
        saved.done()?;
    }
    let fine = noise_allowed || induced.certificate.is_consistent();
    Ok(if fine { Answer::Yes } else { Answer::No })
}

/// Learns until the answer is settled and nobody answers any more questions.
fn advance(
    learner: &mut Learner,
    asking: &mut Asking,
    mut saved: Option<&mut Saved>,
    bar: &Bar,
) -> anyhow::Result<Induced> {
    loop {
        let answer = match learner.advance(bar)? {
            None if asking.is_open() && learner.is_divided() => {
                bar.aside(|| asking.next(learner.undecided().iter()))?
            }
            None => None,
            Some(reason) => {
                let induced = learner.induced(reason);
                let open = induced.undecided.iter().chain(&induced.doubtful);
                let answer = if reason == StopReason::Cut { None } else { bar.aside(|| asking.next(open))? };
                if answer.is_none() {
                    return Ok(induced);
                }
                answer
            }
        };
        if let Some(answer) = answer {
            learner.tell(&[answer])?;
        }
        if let Some(saved) = &mut saved {
            saved.keep(learner, bar, asking.answers())?;
        }
    }
}

/// Whether words are learned over classes of characters or shapes of tokens: where that was asked for, or seems meant.
fn by_classes(arguments: &Arguments, settings: &Settings, given: &Given) -> anyhow::Result<bool> {
    let alphabet = &given.examples.alphabet;
    let is_meant = match &arguments.classes {
        Classes::None => false,
        Classes::Given(_) => true,
        // Who names a learner wants that one.
        Classes::Auto if settings.engine != Engine::Auto => false,
        Classes::Auto => {
            let speaks = match alphabet.spelling() {
                Spelling::Chars => speaks_of_classes(alphabet),
                Spelling::Tokens => alphabet.len() > FEW_LETTERS && arguments.oracle.is_none(),
                Spelling::Classes | Spelling::Bytes => false,
            };
            speaks && given.examples.rows.len() <= MANY_STRINGS
        }
    };
    let other = [
        (settings.engine != Engine::Auto, "another learner"),
        (settings.start_from.is_some(), "--start-from"),
        (settings.nonterminals.is_some(), "--nonterminals"),
        (arguments.checkpoint.is_some(), "--checkpoint"),
    ];
    match other.into_iter().find(|(is_given, _)| is_meant && *is_given) {
        Some((_, other)) if arguments.classes == Classes::Auto => {
            bail!("these strings are learned over classes, with which {other} does not go: add --classes none")
        }
        Some((_, other)) => bail!("--classes does not go with {other}"),
        None => Ok(is_meant),
    }
}

/// Whether there are many different characters, or many of one kind: the digits of a date.
fn speaks_of_classes(alphabet: &Alphabet) -> bool {
    let kinds: [fn(&char) -> bool; 3] = [char::is_ascii_digit, char::is_ascii_lowercase, char::is_ascii_uppercase];
    let characters = || alphabet.names().iter().flat_map(|name| name.chars());
    let many =
        alphabet.len() > FEW_LETTERS || kinds.iter().any(|kind| characters().filter(kind).count() > FEW_OF_A_KIND);
    many && alphabet.len() <= strings::MOST_CHARACTERS
}

fn settings(arguments: &Arguments, given: &Given) -> anyhow::Result<Settings> {
    let default = Settings::default();
    let engine = match arguments.learner {
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
    // The paper's protocol has a budget of its own.
    let usual_steps = if arguments.paper { u64::MAX } else { default.steps };
    Ok(Settings {
        engine,
        shapes,
        nonterminals: arguments.nonterminals.map(usize::from),
        restarts: arguments.restarts.map_or(default.restarts, u64::from),
        steps: arguments.steps.unwrap_or(usual_steps),
        visits: arguments.moves.unwrap_or(default.visits),
        conflicts: arguments.conflicts.unwrap_or(default.conflicts),
        noise: arguments.noise.unwrap_or_default(),
        direction: arguments.direction.into(),
        seed: arguments.seed,
        start_from: arguments.start_from.as_deref().map(|operand| grammar(operand, given)).transpose()?,
    })
}

/// A language to begin from, as a grammar over the letters of the examples.
fn grammar(operand: &str, given: &Given) -> anyhow::Result<Grammar> {
    let [language] = Reading::over(&given.examples.alphabet).languages([operand])?;
    let grammar = match &language.document {
        Document::Grammar(grammar) => grammar.directed(Direction::Left).normalized().trimmed(),
        other => Grammar::from_nfa(&other.to_nfa().with_context(|| operand.to_owned())?, Direction::Left),
    };
    if *grammar.alphabet() != given.examples.alphabet {
        let known = &given.examples.alphabet;
        let unknown = grammar.alphabet().names().iter().filter(|name| known.find(name).is_none());
        bail!("{operand} has letters that no example has: {}", Alphabet::new(unknown)?);
    }
    Ok(grammar)
}

fn who(arguments: &Arguments, settings: &Settings, given: &Given) -> anyhow::Result<Who> {
    let Some(operand) = &arguments.oracle else {
        return Ok(if arguments.ask { Who::Person } else { Who::Nobody });
    };
    let reading = Reading::over(&given.examples.alphabet);
    let [language] = reading.languages([operand])?;
    let oracle = language.minimal_dfa(&reading)?;
    // What it says would be learned beside what it denies.
    if settings.noise == Noise::None
        && let Some(place) = given.first_contradiction(|word| accepts(&oracle, &given.examples.alphabet, word))
    {
        bail!("{operand} cannot be asked: it contradicts the examples, first at {place}");
    }
    Ok(Who::Oracle(oracle))
}

fn sample(examples: &automata::formats::Examples, noise_allowed: bool, source: &str) -> anyhow::Result<Sample> {
    Sample::new(examples, noise_allowed).map_err(|error: SampleError| anyhow::anyhow!("{source}: {error}"))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
