//! Plays, runs and failures in words, line by line.

use super::{counted, pair, reason};
use crate::outcome::{
    Broken, By, ByPart, ByVector, Changed, Component, Equation, Evidence, FailedStep, Fails,
    Failure, FixpointSets, ObligationKind, Place, Play, Predicate, Reply, RunEnd, SizeInvariants,
    Status, Trace, TraceStep,
};

/// Evidence line by line; nothing where there is none.
pub fn evidence(evidence: &Evidence) -> Option<String> {
    match evidence {
        Evidence::None => None,
        Evidence::Relation(relation) => Some(relation.item.clone()),
        Evidence::Invariant(invariant) => Some(invariant.item.clone()),
        Evidence::Predicate(predicate) => Some(claims(predicate)),
        Evidence::Fixpoints { sets } => Some(of_fixpoints(sets).join("\n")),
        Evidence::Sizes { instances } => Some(of_sizes(instances).join("\n")),
        Evidence::Play(play) => Some(told(play).join("\n")),
        Evidence::Run(run) => Some(followed(run).join("\n")),
        Evidence::Broken(broken) => Some(breaks(broken).join("\n")),
        Evidence::Values { values } if values.is_empty() => None,
        Evidence::Values { values } => {
            let line = |one: &Equation| format!("{} = {}", one.what, one.value.text);
            Some(values.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
        Evidence::Failures { failures } => {
            Some(failures.iter().map(failure).collect::<Vec<_>>().join("\n"))
        }
    }
}

fn claims(predicate: &Predicate) -> String {
    if let Some(item) = &predicate.item {
        return item.clone();
    }
    let line = |claim: &crate::outcome::StateClaim| {
        format!("in {}: {}\n", claim.state, claim.holds.as_deref().unwrap_or("true"))
    };
    predicate.states.iter().map(line).collect()
}

/// Where the fixpoints of a formula hold.
fn of_fixpoints(sets: &[FixpointSets]) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, one) in sets.iter().enumerate() {
        let kind = if one.greatest { "stays for ever in" } else { "gets out of, layer by layer," };
        lines.push(format!("set {}, which the net {kind} as the formula says:", number + 1));
        for (place, layer) in one.layers.iter().enumerate() {
            let indent = if one.greatest { "  " } else { "    " };
            if !one.greatest {
                let ranks = match layer.ranks.as_slice() {
                    [] => String::new(),
                    ranks => format!(", with {} getting smaller", ranks.join(", ")),
                };
                lines.push(format!("  layer {}{ranks}:", place + 1));
            }
            for claim in &layer.states {
                let holds = claim.holds.as_deref().unwrap_or("true");
                lines.push(format!("{indent}in {}: {holds}", claim.state));
            }
        }
    }
    lines
}

/// What is always so in some sizes.
fn of_sizes(instances: &[SizeInvariants]) -> Vec<String> {
    let each = instances.iter().flat_map(|one| {
        let all = one.invariants.iter().map(|says| format!("  {says}"));
        std::iter::once(format!("for `{}` always:", one.instance)).chain(all)
    });
    each.collect()
}

/// What a play or a run begins with, in a line or two.
fn begun(given: &[Equation], begins: &[Equation]) -> Vec<String> {
    let mut lines = Vec::new();
    if !given.is_empty() {
        lines.push(with(given).trim_start().to_owned());
    }
    if !begins.is_empty() {
        lines.push(format!("say they begin{}", with(begins)));
    }
    lines
}

/// A play as lines that one can follow.
fn told(play: &Play) -> Vec<String> {
    let mut lines = begun(&play.with, &play.begins);
    if !play.needs.is_empty() {
        lines.push(format!("this needs {}", play.needs.join(" and ")));
    }
    for (number, made) in play.moves.iter().enumerate() {
        let (place, step) = (pair(&made.at), &made.step);
        lines.push(format!("{}. in {place}, `{}` does {}", number + 1, step.net, does(step)));
        lines.extend(more(step));
        match &made.reply {
            Reply::None { net } => lines.push(format!("   `{net}` has no answer")),
            Reply::Stays { net } => lines.push(format!("   `{net}` stays where it is")),
            Reply::Step(step) => {
                lines.push(format!("   `{}` answers with {}", step.net, does(step)));
                lines.extend(more(step));
            }
        }
    }
    if let Some(stuck) = &play.stuck {
        let (left, right) = &play.nets;
        let (number, place) = (play.moves.len() + 1, pair(stuck));
        let after = if play.weak { ", whatever it does silently" } else { "" };
        lines.push(format!(
            "{number}. in {place}, `{left}` can do nothing more, and `{right}` can{after}"
        ));
    }
    lines
}

/// A run as lines that one can follow.
fn followed(run: &Trace) -> Vec<String> {
    let mut lines = begun(&run.with, &run.begins);
    for (number, step) in run.steps.iter().enumerate() {
        lines.push(format!("{}. {}", number + 1, does(step)));
        lines.extend(more(step));
    }
    let number = run.steps.len() + 1;
    lines.push(format!("{number}. {}", ended(&run.end)));
    if let RunEnd::Blocked { could: Some(step), .. } = &run.end {
        lines.extend(more(step));
    }
    lines
}

/// What is so at the end of a run.
pub fn ended(end: &RunEnd) -> String {
    let state = end.state();
    match end {
        RunEnd::Blocked { net, could: Some(step), .. } => format!(
            "in {state}, with its holes open, `{net}` could do {}; filled, it can do nothing",
            does(step),
        ),
        RunEnd::Blocked { could: None, .. } => format!("in {state}, filled, it can do nothing"),
        RunEnd::Deadlock { .. } => format!("in {state}, it can do nothing"),
        RunEnd::Property { holds, property, .. } => {
            let is = match holds {
                Some(true) => "is true",
                Some(false) => "is false",
                None => "reads what has no value",
            };
            match property {
                Some(property) => format!("in {state}, `{property}` {is}"),
                None => format!("in {state}, the property {is}"),
            }
        }
        RunEnd::Finished { .. } => {
            format!("in {state}, it has ended: all components are in final states")
        }
        RunEnd::Untried { .. } => {
            format!("in {state}, it can do nothing with the values that are tried")
        }
        RunEnd::Open { .. } => format!("in {state}, it can go on"),
        RunEnd::Choice { one, other, .. } => format!("in {state}, {}", choice(one, other)),
        RunEnd::NeverAgain { .. } => format!("from {state} on, it can never happen again"),
        RunEnd::Waits { .. } => {
            format!("in {state}, all that is possible needs a hole, which may refuse for ever")
        }
        RunEnd::Decided { formula, holds, .. } => format!("in {state}, `{formula}` is {holds}"),
        RunEnd::Loop { start, .. } => {
            format!(
                "in {state}, it is where it was after {}, and can go round for ever",
                counted(*start, "step")
            )
        }
        RunEnd::Alike { start, but, .. } => {
            format!(
                "in {state}, it is where it was after {} but for {}, and can go round for ever",
                counted(*start, "step"),
                of_no_account(but)
            )
        }
    }
}

/// The same where the states of all components have been told.
pub fn ended_shortly(end: &RunEnd, steps: usize) -> String {
    let after = after(steps);
    match end {
        RunEnd::Blocked { net, .. } => {
            format!("{after}, filled, it can do nothing, though `{net}` with its holes open could")
        }
        RunEnd::Deadlock { .. } => format!("{after}, it can do nothing: a deadlock"),
        RunEnd::Property { holds, property, .. } => {
            let what = property.as_ref().map_or("the property".to_owned(), |it| format!("`{it}`"));
            let is = match holds {
                Some(true) => "is true",
                Some(false) => "is false",
                None => "reads what has no value",
            };
            format!("{after}, {what} {is}")
        }
        RunEnd::Finished { .. } => {
            format!("{after}, it has ended: all components are in final states")
        }
        RunEnd::Untried { .. } => {
            format!(
                "{after}, it can do nothing with the values that are tried; `--domain` says which"
            )
        }
        RunEnd::Open { .. } => format!("{after}, it can go on"),
        RunEnd::Choice { one, other, .. } => format!("{after}, {}", choice(one, other)),
        RunEnd::NeverAgain { .. } => format!("{after}, it can never happen again"),
        RunEnd::Waits { .. } => {
            format!("{after}, all that is possible needs a hole, which may refuse for ever")
        }
        RunEnd::Decided { formula, holds, .. } => format!("{after}, `{formula}` is {holds}"),
        RunEnd::Loop { start, .. } => {
            format!(
                "{after}, it is where it was {}, and can go round for ever",
                self::after(*start)
            )
        }
        RunEnd::Alike { start, but, .. } => {
            format!(
                "{after}, it is where it was {} but for {}, and can go round for ever",
                self::after(*start),
                of_no_account(but)
            )
        }
    }
}

/// Variables on which nothing depends.
fn of_no_account(variables: &[String]) -> String {
    let names: Vec<String> = variables.iter().map(|name| format!("`{name}`")).collect();
    format!("{}, on which nothing depends", names.join(", "))
}

/// Two steps that show the same, and where they lead.
fn choice(one: &TraceStep, other: &TraceStep) -> String {
    let shown =
        one.action.as_ref().map_or("a silent step".to_owned(), |it| format!("`{}`", it.text));
    let leads = |step: &TraceStep| {
        let changes: Vec<String> = step.changes.iter().map(changed).collect();
        match (step.from == step.to, changes.is_empty()) {
            (true, true) => "to where it is".to_owned(),
            (false, true) => format!("to {}", step.to),
            (true, false) => format!("to where {}", changes.join(", ")),
            (false, false) => format!("to {} with {}", step.to, changes.join(", ")),
        }
    };
    format!("{shown} leads {} or {}", leads(one), leads(other))
}

fn after(steps: usize) -> String {
    match steps {
        0 => "at the beginning".to_owned(),
        steps => format!("after {}", counted(steps, "step")),
    }
}

/// Where an invariant is no proof, line by line.
fn breaks(broken: &Broken) -> Vec<String> {
    let mut lines = begun(&broken.with, &[]);
    for (number, one) in broken.components.iter().enumerate() {
        let start = match (number, broken.fails) {
            (0, Fails::First) => "at first, ",
            (0, _) => "say ",
            _ => "     ",
        };
        lines.push(format!("{start}{}", component(one)));
    }
    if broken.resting > 0 {
        let they = if broken.resting == 1 { "it begins" } else { "they begin" };
        lines.push(match broken.components.is_empty() {
            true => format!("say all {} are as they begin", counted(broken.resting, "component")),
            false => format!("     and {} as {they}", counted(broken.resting, "more component")),
        });
    }
    if let Some(step) = &broken.step {
        // The states of all components, where they are many, are not read by anybody.
        let to = if broken.resting > 0 { &step.from } else { &step.to };
        lines.push(format!("it does {}", does(&TraceStep { to: to.clone(), ..step.clone() })));
        lines.extend(more(step));
    }
    let condition = broken.condition.as_ref().map(|condition| {
        let at = condition.at.as_ref().map(|at| format!(" ({})", place(at)));
        format!("`{}`{}", condition.text, at.unwrap_or_default())
    });
    let condition = condition.unwrap_or_else(|| "the invariant".to_owned());
    lines.push(match broken.fails {
        Fails::First => format!("there, {condition} is false"),
        Fails::Kept => format!("then {condition} is false"),
        Fails::Implies => "there, the invariant holds, and the property is false".to_owned(),
        Fails::Excludes => "there, the invariant holds, and the property is true".to_owned(),
        Fails::Value => {
            "there, the invariant holds, and the property reads what has no value".to_owned()
        }
        Fails::Deadlock => "there, the invariant holds, and it can do nothing".to_owned(),
    });
    lines.extend(todo(broken));
    lines
}

/// What to do about a configuration of which it is mostly not known whether it can be reached.
fn todo(broken: &Broken) -> Option<String> {
    let otherwise = match broken.fails {
        Fails::First => return None,
        Fails::Kept => "the invariant says too much",
        Fails::Implies => "the property does not always hold",
        Fails::Excludes => "the property is reached",
        Fails::Deadlock => "the net has a deadlock",
        Fails::Value => "the property says nothing",
    };
    if broken.begins {
        return Some(format!("the net begins like this: {otherwise}"));
    }
    Some(format!(
        "this configuration may not be reachable: then add a condition that excludes it; if it is, {otherwise}"
    ))
}

/// `C` in idle with next = 0 and serving = 0
fn component(one: &Component) -> String {
    let at = match one.path.as_str() {
        "" => format!("in {}", one.state),
        path => format!("`{path}` in {}", one.state),
    };
    format!("{at}{}", with(&one.variables))
}

/// Where a relation fails.
pub(super) fn failure(failure: &Failure) -> String {
    if let Some(step) = &failure.step {
        return failed_step(step);
    }
    let why = match &failure.obligation.status {
        Status::Unknown(why) => format!(" ({why})"),
        Status::Met | Status::Failed => String::new(),
    };
    match (&failure.obligation.about, &failure.goes) {
        (ObligationKind::Initial, _) => {
            format!("the initial configurations are not related{why}")
        }
        (ObligationKind::Answered { at, of_first, .. }, Some((net, from, to))) => {
            let who = if *of_first { "first" } else { "second" };
            format!(
                "in {}, the {who} one, `{net}`, goes from {from} to {to}, and no answer is sure to lead to related \
                 configurations{why}",
                pair(at)
            )
        }
        (ObligationKind::StuckTogether { at }, _) => {
            format!("in {} the first can be stuck where the second is not{why}", pair(at))
        }
        (ObligationKind::StuckSilently { at }, _) => format!(
            "in {} the first can be stuck where the second cannot silently get stuck{why}",
            pair(at)
        ),
        (about, _) => format!("it does not hold that {}{why}", reason::obligation(about)),
    }
}

fn failed_step(failed: &FailedStep) -> String {
    let (other, step) = (&failed.other, &failed.step);
    let why = match failed.answered {
        true => format!("no answer of `{other}` leads to related configurations"),
        false => format!("`{other}` has no answer"),
    };
    let (place, with) = (pair(&failed.at), with(&failed.with));
    let mut text = format!("in {place}{with}, `{}` does {}: {why}", step.net, does(step));
    more(step).iter().for_each(|line| text.push_str(&format!("\n{line}")));
    text
}

/// ` with x = 1 and y = 2`; nothing when there is nothing.
fn with(all: &[Equation]) -> String {
    let one = |equation: &Equation| format!("{} = {}", equation.what, equation.value.text);
    match all {
        [] => String::new(),
        all => format!(" with {}", all.iter().map(one).collect::<Vec<_>>().join(" and ")),
    }
}

/// What a step does: what it shows, where it leads, and what holes do meanwhile.
pub(super) fn does(step: &TraceStep) -> String {
    let mut text = match &step.action {
        Some(action) => format!("`{}`", action.text),
        None => "silently".to_owned(),
    };
    if step.from != step.to {
        text.push_str(&format!(", {} to {}", step.from, step.to));
    }
    if !step.holes.is_empty() {
        let holes =
            step.holes.iter().map(|hole| format!("`{}` does `{}`", hole.what, hole.value.text));
        text.push_str(&format!(" while {}", holes.collect::<Vec<_>>().join(" and ")));
    }
    text
}

/// Who moved and what changes, a line for each.
fn more(step: &TraceStep) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, by) in step.by.iter().enumerate() {
        let word = if at == 0 { "by" } else { "then by" };
        lines.push(format!("     {word} {}", movers(by)));
    }
    if !step.changes.is_empty() {
        let all: Vec<String> = step.changes.iter().map(changed).collect();
        lines.push(format!("     with {}", all.join(", ")));
    }
    lines
}

fn changed(change: &Changed) -> String {
    let was = change.before.as_ref().map(|before| format!(" (was {})", before.text));
    format!("{} := {}{}", change.variable, change.after.text, was.unwrap_or_default())
}

/// `connector `pay` in line 12: `C` idle to busy (line 5), `M` s0 to s1 (line 9)`
fn movers(by: &By) -> String {
    let vectors: Vec<String> = by.vectors.iter().map(vector).collect();
    let parts: Vec<String> = by.parts.iter().map(part).collect();
    let mut text = match (vectors.is_empty(), parts.is_empty()) {
        (false, false) => format!("{}: {}", vectors.join(", "), parts.join(", ")),
        _ => vectors.into_iter().chain(parts).collect::<Vec<_>>().join(", "),
    };
    if let Some(times) = &by.times {
        text.push_str(&format!(", {} times", times.text));
    }
    text
}

pub(super) fn vector(by: &ByVector) -> String {
    let what = match (&by.connector, &by.step) {
        (Some(name), _) => format!("connector `{name}`"),
        (None, Some(name)) => format!("step `{name}`"),
        (None, None) => "the vector".to_owned(),
    };
    let inside = if by.net.is_empty() { String::new() } else { format!(" of `{}`", by.net) };
    format!("{what}{inside} in {}", place(&by.at))
}

pub(super) fn part(by: &ByPart) -> String {
    let at = place(&by.at);
    match by.part.as_str() {
        "" => format!("its transition in {at}"),
        part if by.from == by.to => format!("`{part}` in {} ({at})", by.from),
        part => format!("`{part}` {} to {} ({at})", by.from, by.to),
    }
}

/// The place of a text.
pub fn place(at: &Place) -> String {
    match &at.file {
        Some(file) => format!("line {} of {file}", at.line),
        None => format!("line {}", at.line),
    }
}
