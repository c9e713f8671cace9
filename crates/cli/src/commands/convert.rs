//! `nerode convert`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use automata::formats::{Document, att, dot, grammar_text, json, write_regex};
use automata::{Dfa, Direction, Grammar, Nfa, Regex, drawing};
use clap::ValueEnum;

use crate::Answer;
use crate::operand::{Language, Reading, Side};
use crate::output::Output;

/// Write a language in another form: grammar, automaton, expression or picture.
///
/// A grammar or automaton keeps its shape where the other form can have it; --minimal takes the minimal deterministic
/// automaton instead. `dfa-json` and `regex` are always made from that, and so is what comes from an expression, so
/// that equal languages give equal bytes. The `regex` of a run's folder is the learned one, its `regex.txt`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  nerode convert example:paper --to grammar
  nerode convert 'regex:(a|b)*cc*' -o paper.svg
  nerode convert learned.dot --to regex
  nerode convert grammar.txt --to grammar --direction right")]
pub(crate) struct Arguments {
    /// The language: a file, `regex:PATTERN`, `example:NAME`, a folder with a `dfa.json`, or `-`.
    input: String,

    /// The form to write [default: what the ending of the output file says].
    #[arg(long, value_name = "FORM")]
    to: Option<Form>,

    /// The file to write instead of standard output. It is written whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Which side of a letter the non-terminal stands on [default: as read, or left].
    #[arg(long, value_name = "SIDE")]
    direction: Option<Side>,

    /// Take the minimal deterministic automaton first.
    #[arg(long)]
    minimal: bool,

    /// Keep also the states from which nothing is accepted, and those that are never reached: with --minimal, the
    /// complete automaton, as AALpy wants it.
    #[arg(long)]
    dead: bool,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Productions, one a line.
    Grammar,
    /// Productions as JSON.
    GrammarJson,
    /// The minimal, complete, canonically numbered automaton as JSON.
    DfaJson,
    /// An automaton as JSON.
    NfaJson,
    /// Graphviz text.
    Dot,
    /// A picture.
    Svg,
    /// AT&T text, as foma and OpenFst read it.
    Att,
    /// A regular expression in the syntax of the `regex` crate.
    Regex,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Answer> {
    let form = form(arguments)?;
    let output = Output::open(arguments.output.as_deref())?;
    let text = match learned_regex(&arguments.input, form)? {
        Some(regex) => regex,
        None => {
            let [language] = arguments.reading.languages([&arguments.input])?;
            written(arguments, form, &language)?
        }
    };
    output.finish(&text)?;
    Ok(Answer::Yes)
}

/// The expression that a run has written into its folder: the one that was learned, and not another of the same language.
fn learned_regex(input: &str, form: Form) -> anyhow::Result<Option<String>> {
    let path = Path::new(input).join("regex.txt");
    if !matches!(form, Form::Regex) || !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Some(text))
}

/// The form asked for, or the one that the output's name has the ending of.
fn form(arguments: &Arguments) -> anyhow::Result<Form> {
    let ending = arguments.output.as_ref().and_then(|path| path.extension()).and_then(|ending| ending.to_str());
    match (arguments.to, ending) {
        (Some(form), _) => Ok(form),
        (None, Some("svg")) => Ok(Form::Svg),
        (None, Some("dot" | "gv")) => Ok(Form::Dot),
        (None, Some("att")) => Ok(Form::Att),
        (None, Some("regex")) => Ok(Form::Regex),
        (None, _) => {
            anyhow::bail!("which form? --to says so, or an output that ends in .svg, .dot, .gv, .att or .regex")
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

/// The automaton in the shape it has, or the minimal one when asked for or when there is no shape to keep.
fn automaton(arguments: &Arguments, language: &Language) -> anyhow::Result<Nfa> {
    let keeps_shape = matches!(language.document, Document::Grammar(_) | Document::Nfa(_) | Document::Dfa(_));
    if arguments.minimal || !keeps_shape {
        return Ok(Nfa::from(&language.minimal_dfa(&arguments.reading)?));
    }
    let nfa = language.document.to_nfa()?;
    // A grammar's states have no numbers of their own, and the one it is given beside may be of no use.
    let is_grammar = matches!(language.document, Document::Grammar(_));
    Ok(if is_grammar { nfa.trimmed().numbered_breadth_first() } else { nfa })
}

/// What a picture of the automaton would show: only useful states, unless all are asked for.
fn shown(arguments: &Arguments, language: &Language) -> anyhow::Result<Nfa> {
    let nfa = automaton(arguments, language)?;
    Ok(if arguments.dead { nfa } else { without_dead_states(&nfa) })
}

/// Only the useful states, under the names or numbers that they had, but always a place to begin.
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
    Ok(Grammar::from_nfa(&automaton(arguments, language)?, side.unwrap_or(Direction::Left)))
}
