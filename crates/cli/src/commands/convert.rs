//! `nerode convert`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use automata::formats::{Document, att, dot, grammar_text, json, write_regex};
use automata::{Dfa, Direction, Grammar, Nfa, Regex, drawing, shortest_grammar, smallest_automaton};
use clap::ValueEnum;

use crate::Answer;
use crate::operand::{Language, Reading, Side};
use crate::output::Output;

/// Convert a language to another form: grammar, automaton, expression or picture.
///
/// A grammar or automaton keeps its structure where the new form allows it. An expression or a list of words becomes the
/// grammar with the fewest productions, or the automaton with the fewest states, that Nerode finds; the automaton is
/// deterministic unless another is smaller. --minimal converts the minimal deterministic automaton instead, and
/// `dfa-json` and `regex` always do, so that equal languages give equal bytes. For the folder of a run, `regex` is the
/// learned expression in `regex.txt`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode convert example:paper --to grammar
  nerode convert 'regex:(a|b)*cc*' -o paper.svg
  nerode convert learned.dot --to regex
  nerode convert grammar.txt --to grammar --direction right")]
pub(crate) struct Arguments {
    /// The language: a file, `regex:PATTERN`, `example:NAME`, a folder with a `dfa.json`, or `-`.
    input: String,

    /// The form to write [default: from the name of the output file].
    #[arg(long, value_name = "FORM")]
    to: Option<Form>,

    /// Output file [default: standard output]. It is written whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Side of the letter on which a production has its non-terminal [default: as in the input, else left].
    #[arg(long, value_name = "SIDE")]
    direction: Option<Side>,

    /// Convert the minimal deterministic automaton.
    #[arg(long)]
    minimal: bool,

    /// Also keep states that are unreachable or cannot reach acceptance. With --minimal, this gives the complete
    /// automaton, as AALpy expects it.
    #[arg(long)]
    dead: bool,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Productions, one per line.
    Grammar,
    /// Productions as JSON.
    GrammarJson,
    /// The minimal, complete, canonically numbered automaton as JSON.
    DfaJson,
    /// Any automaton as JSON.
    NfaJson,
    /// Graphviz.
    Dot,
    /// A drawing.
    Svg,
    /// AT&T text, for foma and OpenFst.
    Att,
    /// A regular expression in the syntax of the `regex` crate.
    Regex,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let form = form(arguments)?;
    let output = Output::open(arguments.output.as_deref())?;
    let text = match learned(arguments, form)? {
        Some(text) => text,
        None => {
            let [language] = arguments.reading.languages([&arguments.input])?;
            written(arguments, form, &language)?
        }
    };
    output.finish(&text)?;
    Ok(Answer::Yes)
}

/// The expression or grammar in the folder of a run: the learned one, not an equivalent one.
fn learned(arguments: &Arguments, form: Form) -> anyhow::Result<Option<String>> {
    if arguments.reading.is_requested() {
        return Ok(None);
    }
    let as_it_is = !arguments.minimal && arguments.direction.is_none();
    let name = match form {
        Form::Regex => "regex.txt",
        Form::Grammar if as_it_is => "grammar.txt",
        Form::GrammarJson if as_it_is => "grammar.json",
        _ => return Ok(None),
    };
    let path = Path::new(&arguments.input).join(name);
    if !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Some(text))
}

/// The form from `--to` or from the output's file name.
fn form(arguments: &Arguments) -> anyhow::Result<Form> {
    let ending = arguments.output.as_ref().and_then(|path| path.extension()).and_then(|ending| ending.to_str());
    match (arguments.to, ending) {
        (Some(form), _) => Ok(form),
        (None, Some("svg")) => Ok(Form::Svg),
        (None, Some("dot" | "gv")) => Ok(Form::Dot),
        (None, Some("att")) => Ok(Form::Att),
        (None, Some("regex")) => Ok(Form::Regex),
        (None, _) => {
            anyhow::bail!(
                "no output form: use --to FORM, or -o with a name that ends in .svg, .dot, .gv, .att or .regex"
            )
        }
    }
}

fn written(arguments: &Arguments, form: Form, language: &Language) -> anyhow::Result<String> {
    let minimal = || language.minimal_dfa(&arguments.reading);
    Ok(match form {
        Form::Grammar => grammar_text::write(&grammar(arguments, language)?),
        Form::GrammarJson => json::write_grammar(&grammar(arguments, language)?),
        Form::DfaJson => json::write_dfa(&minimal()?),
        Form::NfaJson => json::write_nfa(&shown(arguments, language)?),
        Form::Dot => dot::write(&shown(arguments, language)?),
        Form::Att => att::write(&shown(arguments, language)?),
        Form::Svg => {
            let options = drawing::Options { dead_states: arguments.dead, title: Some(language.name.clone()) };
            drawing::svg(&shown(arguments, language)?, &options)
                .map_err(|error| anyhow::anyhow!("{}: {error}", language.name))?
        }
        Form::Regex => {
            let regex = Regex::from_dfa(&minimal()?).map_err(|error| anyhow::anyhow!("{}: {error}", language.name))?;
            write_regex(&regex)
        }
    })
}

/// Whether the input is an automaton or grammar, whose structure is kept.
fn keeps_shape(language: &Language) -> bool {
    matches!(language.document, Document::Grammar(_) | Document::Nfa(_) | Document::Dfa(_))
}

/// The automaton as it is, or the smallest one if the input is not an automaton or grammar, or the minimal deterministic
/// one if requested. Only the latter has dead states to show.
fn automaton(arguments: &Arguments, language: &Language) -> anyhow::Result<Nfa> {
    let keeps_shape = keeps_shape(language);
    if arguments.minimal || (arguments.dead && !keeps_shape) {
        return Ok(Nfa::from(&language.minimal_dfa(&arguments.reading)?));
    }
    let nfa = language.nfa()?;
    if !keeps_shape {
        return Ok(smallest_automaton(&nfa, None));
    }
    // The state numbers of a grammar mean nothing, and its extra state may be useless.
    let is_grammar = matches!(language.document, Document::Grammar(_));
    Ok(if is_grammar { nfa.trimmed().numbered_breadth_first() } else { nfa })
}

/// The automaton as shown: only useful states, unless all are requested.
fn shown(arguments: &Arguments, language: &Language) -> anyhow::Result<Nfa> {
    let nfa = automaton(arguments, language)?;
    Ok(if arguments.dead { nfa } else { without_dead_states(&nfa) })
}

/// Only useful states, with their names or numbers; an empty language keeps its initial state.
fn without_dead_states(nfa: &Nfa) -> Nfa {
    let trimmed = match nfa.names() {
        Some(_) => nfa.trimmed(),
        None => nfa.clone().named_by_number().trimmed(),
    };
    if trimmed.is_empty() { Nfa::from(&Dfa::constant(nfa.alphabet().clone(), false).trimmed()) } else { trimmed }
}

fn grammar(arguments: &Arguments, language: &Language) -> anyhow::Result<Grammar> {
    let side = arguments.direction.map(Direction::from);
    if let (Document::Grammar(grammar), false) = (&language.document, arguments.minimal) {
        return Ok(grammar.directed(side.unwrap_or(grammar.direction())).normalized().trimmed());
    }
    let side = side.unwrap_or(Direction::Left);
    if arguments.minimal || keeps_shape(language) {
        let nfa = automaton(arguments, language)?;
        return Ok(Grammar::from_named_nfa(&nfa, side).unwrap_or_else(|| Grammar::from_nfa(&nfa, side)));
    }
    Ok(shortest_grammar(&language.nfa()?, None, side))
}
