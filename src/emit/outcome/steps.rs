//! What backs a verdict, step by step, each with the places in the texts that make it: for editors.

use super::evidence::{does, ended, part, vector};
use super::pair;
use crate::outcome::{Evidence, FailedStep, Place, Play, Reply, Trace, TraceStep};

/// Something that is told, and where it stands, if that is known.
pub type ToldStep = (Option<Place>, String);

/// The steps of a play or a run, and what a failure is about. Nothing where there is nothing to go through.
pub fn steps(evidence: &Evidence) -> Vec<ToldStep> {
    match evidence {
        Evidence::Play(play) => of_play(play),
        Evidence::Run(run) => of_run(run),
        Evidence::Broken(broken) => {
            let step = broken.step.iter().flat_map(|step| told("it does", step));
            let condition = broken.condition.iter();
            let condition =
                condition.map(|one| (one.at.clone(), format!("`{}` is false then", one.text)));
            step.chain(condition).collect()
        }
        Evidence::Failures { failures } => {
            failures.iter().filter_map(|one| one.step.as_ref()).flat_map(of_failure).collect()
        }
        Evidence::None
        | Evidence::Relation(_)
        | Evidence::Predicate(_)
        | Evidence::Invariant(_)
        | Evidence::Sizes { .. }
        | Evidence::Fixpoints { .. }
        | Evidence::Values { .. } => Vec::new(),
    }
}

fn of_play(play: &Play) -> Vec<ToldStep> {
    let mut all = Vec::new();
    for (number, made) in play.moves.iter().enumerate() {
        let start = format!("{}. in {}, `{}` does", number + 1, pair(&made.at), made.step.net);
        all.extend(told(&start, &made.step));
        match &made.reply {
            Reply::None { net } => all.push((None, format!("`{net}` has no answer"))),
            Reply::Stays { net } => all.push((None, format!("`{net}` stays where it is"))),
            Reply::Step(step) => all.extend(told(&format!("`{}` answers with", step.net), step)),
        }
    }
    if let Some(stuck) = &play.stuck {
        let (left, right) = &play.nets;
        let place = pair(stuck);
        all.push((None, format!("in {place}, `{left}` can do nothing more, and `{right}` can")));
    }
    all
}

fn of_run(run: &Trace) -> Vec<ToldStep> {
    let steps = run.steps.iter().enumerate();
    let steps = steps.flat_map(|(number, step)| told(&format!("{}.", number + 1), step));
    steps.chain([(None, ended(&run.end))]).collect()
}

fn of_failure(failed: &FailedStep) -> Vec<ToldStep> {
    let mut all =
        told(&format!("in {}, `{}` does", pair(&failed.at), failed.step.net), &failed.step);
    let other = &failed.other;
    all.push(match failed.answered {
        true => (None, format!("no answer of `{other}` leads to related configurations")),
        false => (None, format!("`{other}` has no answer")),
    });
    all
}

/// A step: at the first text that makes it, and then the others.
fn told(start: &str, step: &TraceStep) -> Vec<ToldStep> {
    let vectors = step.by.iter().flat_map(|by| &by.vectors);
    let parts = step.by.iter().flat_map(|by| &by.parts);
    let movers = vectors.map(|one| (&one.at, vector(one)));
    let movers = movers.chain(parts.map(|one| (&one.at, part(one))));
    let movers: Vec<(&Place, String)> = movers.collect();
    let words = format!("{start} {}", does(step));
    let first = movers.first().map(|(at, _)| (*at).clone());
    let others = movers.into_iter().map(|(at, words)| (Some(at.clone()), format!("by {words}")));
    std::iter::once((first, words)).chain(others).collect()
}
