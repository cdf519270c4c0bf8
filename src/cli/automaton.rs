//! `pnet build --emit automaton` and its kin.

use std::time::Instant;

use serde_json::json;

use super::build::{Args, Emit, pretty};
use super::files::in_words;
use super::output::write_result;
use super::watch::Working;
use crate::base::Spent;
use crate::diagnostics::{Levels, Severity};
use crate::emit;
use crate::generate::{Generated, Watch};
use crate::model::{Checked, ModelOptions, Wanted};
use crate::pnet::PNet;
use crate::smt::Query;
use crate::smt::{Answer, Expected, Explicit, Question, ScriptOptions, Theory, script};

/// Generates the automaton of a net, and writes what was asked for; an error without words has been reported.
pub(super) fn write_automaton(
    args: &Args,
    emit: Emit,
    checked: &Checked,
    (wanted, options): (Wanted<'_>, &ModelOptions),
    net: &PNet,
    levels: &Levels,
    watch: &Working,
) -> Result<(), Option<String>> {
    if args.generation.compose && emit == Emit::Smt2 {
        let why = "`--emit smt2` writes the questions about one net; leave out `--compose`";
        return Err(Some(why.to_owned()));
    }
    let started = Instant::now();
    let mut options = options.clone();
    options.generate.keep_questions = emit == Emit::Smt2;
    let generated = checked.automaton(wanted, &options, watch).map_err(|_| None)?;
    let seconds = started.elapsed().as_secs_f64();
    review(args, checked, net, &generated, levels, watch)?;
    if let Some(spent) = watch.budget().spent() {
        args.reporting.say(&match (generated.stopped, spent) {
            (true, Spent::Interrupted) => "stopped: this is only what was found so far".to_owned(),
            (true, _) => format!("stopped: {spent}; this is only what was found so far"),
            (false, _) => format!("not everything was looked at for warnings: {spent}"),
        });
    }
    let automaton = &generated.automaton;
    let text = match emit {
        Emit::AutomatonJson => {
            pretty(&emit::automaton::json(automaton, Some(net), Some(&checked.sources)))?
        }
        Emit::AutomatonDot => emit::automaton::dot(automaton),
        Emit::AutomatonSvg => emit::automaton::svg(automaton),
        Emit::Stats => pretty(&stats(args, &generated, seconds))?,
        Emit::Smt2 => return write_questions(args, net, &generated).map_err(Some),
        _ => emit::automaton::text(automaton),
    };
    write_result(&text, args.output.as_deref()).map_err(Some)
}

/// Says what is wrong with the model, now that its automaton is known; an error where that is denied.
fn review(
    args: &Args,
    checked: &Checked,
    net: &PNet,
    generated: &Generated,
    levels: &Levels,
    watch: &Working,
) -> Result<(), Option<String>> {
    let problems = checked.review(net, generated, &args.generation.generate(), watch);
    let diagnostics: Vec<_> =
        problems.into_iter().filter_map(|problem| levels.apply(problem)).collect();
    args.reporting.write(&diagnostics, &checked.sources);
    let denied = diagnostics.iter().any(|problem| problem.severity == Severity::Error);
    if denied { Err(None) } else { Ok(()) }
}

fn stats(args: &Args, generated: &Generated, seconds: f64) -> serde_json::Value {
    let counts = generated.counts;
    json!({
        "net": generated.automaton.name.as_str(),
        "algorithm": args.generation.algorithm(),
        "composed": generated.composed,
        "states": counts.states,
        "transitions": counts.transitions,
        "removed": counts.removed,
        "queries": counts.queries,
        "cache_hits": counts.cache_hits,
        "unknown": counts.unknown,
        "stopped": generated.stopped,
        "seconds": (seconds * 1e6).round() / 1e6,
    })
}

/// Writes each question into a file of its own.
fn write_questions(args: &Args, net: &PNet, generated: &Generated) -> Result<(), String> {
    let Some(folder) = &args.output else {
        return Err("say with `-o` into which folder the questions are to be written".to_owned());
    };
    let complain = |path: &str, problem: &std::io::Error| {
        format!("cannot write `{path}`: {}", in_words(problem))
    };
    std::fs::create_dir_all(folder).map_err(|problem| complain(folder, &problem))?;
    let mut terms = generated.automaton.terms.clone();
    let mut explicit = Explicit::new(&generated.automaton.algebra, &mut terms);
    for (number, asked) in generated.asked.iter().enumerate() {
        let path = format!("{folder}/{:05}.smt2", number + 1);
        // A question that could not be put to the solver has no script.
        let Ok(all) = explicit.question(&mut terms, &asked.conditions) else { continue };
        let theory = Theory { algebra: &explicit.algebra, terms: &terms };
        let text = question(net, generated, (asked, theory, &all), number);
        std::fs::write(&path, text).map_err(|problem| complain(&path, &problem))?;
    }
    let count = generated.asked.len();
    let questions = if count == 1 { "1 question".to_owned() } else { format!("{count} questions") };
    args.reporting.say(&format!("{questions} written to `{folder}`"));
    Ok(())
}

fn question(
    net: &PNet,
    generated: &Generated,
    (asked, theory, all): (&Query, Theory<'_>, &Question),
    number: usize,
) -> String {
    let automaton = &generated.automaton;
    let mut comment = vec![format!("question {} about {}", number + 1, automaton.name)];
    let expected = match &asked.answer {
        Answer::Sat => Some(Expected::Sat),
        Answer::Unsat => Some(Expected::Unsat),
        Answer::Unknown(why) => {
            comment.push(format!("no answer: {why}"));
            None
        }
    };
    let names = crate::automaton::variable_names(automaton);
    let options = ScriptOptions {
        comment: &comment,
        open_world: crate::pnet::is_open_world(net),
        names: Some(&names),
        expected,
    };
    script(theory.algebra, theory.terms, &all.all(), options)
}
