//! What takes its time: opening a net, a check, the open automaton, and the way to a goal.

use serde_json::{Value, json};

use super::jobs::{Done, Seen};
use super::refusal::Refusal;
use super::views::{Asked, Held, Views};
use crate::base::Watch;
use crate::cli::files::Disk;
use crate::cli::simulating::Besides;
use crate::cli::wanted::wanted;
use crate::emit;
use crate::emit::outcome as words;
use crate::loader::Question;
use crate::model::BuildFailure;
use crate::outcome::{Evidence, Outcome};
use crate::session::Session;
use crate::verify::{self, ModelClaim};
use crate::view::{View, Viewed, Walk};

/// So many pairs or states are listed.
const MOST_LISTED: usize = 400;
/// Words are at most so long.
const LONGEST_WORDS: usize = 100_000;
/// A play has at most so many moves that are shown.
const MOST_MOVES: usize = 500;

/// Opens a net, and tells of it.
pub(super) fn open(views: &Views, asked: Asked) -> Done {
    let held = views.open(asked)?;
    let mut model = held.ask(|view| view.model());
    model["id"] = json!(held.id);
    Ok(model)
}

/// A net's picture.
pub(super) fn drawn(views: &Views, asked: Asked) -> Done {
    Ok(views.open(asked)?.ask(|view| view.drawn()))
}

/// The way to where a property holds. Whoever asks about a property asks about a text of its own.
pub(super) fn goal(
    views: &Views,
    held: &Held,
    (walk, property): (&Walk, &str),
    seen: &Seen,
) -> Done {
    // The way is looked for in the model as it is on the disk, and gone in the one that was read.
    if !held.is_fresh() {
        return Err("the files have changed since they were read: load the page again".into());
    }
    let name = held.viewed.name.clone();
    let question = Question::Property { net: name.clone(), property: property.to_owned() };
    let file = &held.viewed.checked.root;
    let asked = Session::default().ask(&Disk, file, Some(&question));
    let asked = asked.map_err(|why| why.to_string())?;
    if let Some(wrong) = asked.diagnostics.iter().find(|one| asked.is_asked(one.span())) {
        return Err(wrong.message.clone().into());
    }
    let instead = held.asked.domains()?;
    let besides = Besides { until: Some(property.to_owned()), instead, ..Besides::default() };
    let ready = views.ready(Some(&name), &besides)?;
    let goal = ready.goal.clone().ok_or("there is no property")?;
    let set = ready.set().to_vec();
    let viewed = Viewed {
        checked: ready.checked,
        net: ready.net,
        name: ready.name,
        domains: ready.domains,
        set,
    };
    let walk = View::new(viewed.into()).to_goal(walk, &goal.property, seen)?;
    Ok(json!({ "choices": walk.choices, "also": walk.also }))
}

/// Makes the open automaton, and draws it.
pub(super) fn automaton(held: &Held, seen: &Seen) -> Done {
    let checked = &held.viewed.checked;
    let wanted = wanted(checked, held.asked.net.as_deref());
    let generated = checked.automaton(wanted, &held.options, seen);
    let generated = generated.map_err(|failure| {
        let problems = match failure {
            BuildFailure::Problems(problems) => problems,
            _ => Vec::new(),
        };
        let why = problems.first().map(|one| format!(": {}", one.message));
        format!("it has no open automaton{}", why.unwrap_or_default())
    })?;
    if let Some(spent) = seen.budget().spent() {
        return Err(format!("it was not made to its end: {spent}").into());
    }
    let automaton = &generated.automaton;
    Ok(json!({
        "picture": emit::without_style(&emit::automaton::svg(automaton)),
        "states": automaton.states.len(),
        "transitions": automaton.transitions.len(),
    }))
}

/// What comes of a check.
pub(super) fn check(held: &Held, place: usize, seen: &Seen) -> Done {
    let checked = &held.viewed.checked;
    let claims = verify::claims(checked);
    let claim = claims.get(place).ok_or("there is no such check")?;
    let outcome = match claim {
        ModelClaim::Check(check) => Session::default().verify(checked, check, &held.options, seen),
        ModelClaim::Scenario(scenario) => {
            verify::scenario::run(checked, scenario, &held.options, seen)
        }
    };
    let outcome = outcome.map_err(|problems| {
        let first = problems.first().map(|one| one.message.clone());
        Refusal::from(first.unwrap_or_else(|| "its nets cannot be made".to_owned()))
    })?;
    Ok(json!({
        "verdict": outcome.verdict.word(),
        "answer": words::answer(&outcome, claim.denied()),
        "denied": claim.denied(),
        "evidence": words::evidence(&outcome.evidence).as_deref().map(shortened),
        "by_state": by_state(&outcome.evidence),
        "run": run(&outcome),
        "play": play(&outcome),
    }))
}

fn run(outcome: &Outcome) -> Value {
    match &outcome.evidence {
        Evidence::Run(trace) => json!({ "net": trace.net, "text": emit::trace::saved(trace) }),
        _ => Value::Null,
    }
}

fn play(outcome: &Outcome) -> Value {
    let Evidence::Play(play) = &outcome.evidence else { return Value::Null };
    let more = play.moves.len().saturating_sub(MOST_MOVES);
    let mut play = play.clone();
    play.moves.truncate(MOST_MOVES);
    let mut told = json!(play);
    told["more"] = json!(more);
    told
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_WORDS) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}\n… (`pnet verify` shows all)", &text[..at]),
    }
}

/// What holds in each state, where that is what was found.
fn by_state(evidence: &Evidence) -> Value {
    let listed = |count: usize| count.min(MOST_LISTED);
    match evidence {
        Evidence::Relation(found) => json!({
            "nets": found.nets,
            "pairs": found.pairs[..listed(found.pairs.len())],
            "more": found.pairs.len() - listed(found.pairs.len()),
            "item": shortened(&found.item),
        }),
        Evidence::Predicate(found) => json!({
            "states": found.states[..listed(found.states.len())],
            "more": found.states.len() - listed(found.states.len()),
            "item": found.item.as_deref().map(shortened),
        }),
        Evidence::Invariant(found) => json!({ "net": found.net, "item": shortened(&found.item) }),
        _ => Value::Null,
    }
}
