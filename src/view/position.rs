//! Where a walk is: the state, what is possible there with guards and effects, and what the last step was.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::walk::here;
use super::{View, ViewProblem, Walk, holes, needs};
use crate::emit::label;
use crate::emit::outcome as words;
use crate::explore::{Configuration, Step};
use crate::outcome::{Choices, StepAnswer};
use crate::pnet::TransitionPlace;
use crate::simulate::{Ending, StepCommand, StepProblem, Stepper, Teller, stuck};

/// So many steps are listed.
const MOST_STEPS: usize = 300;
/// So many transitions, vectors and changes of each of them.
const MOST_PARTS: usize = 24;
/// So many beginnings are listed.
const MOST_BEGINNINGS: usize = 300;
/// Between so many states it is told that a walk went.
const MOST_WENT: usize = 1_000;
/// So many components and values are listed.
const MOST_COMPONENTS: usize = 1_000;

impl View {
    /// Where a walk is, and what is possible there: only steps in which holes do what is wanted of them.
    pub fn position(
        &mut self,
        walk: &Walk,
        wanted: &BTreeMap<String, String>,
    ) -> Result<Value, ViewProblem> {
        self.follow(walk, |stepper| {
            let told = json!({ "choices": walk.choices, "also": walk.also });
            let Some(at) = here(stepper).cloned() else { return beginnings(stepper, &told) };
            let teller = stepper.teller();
            let last = match stepper.made() {
                Some((begin, [one])) => Some(step(teller, begin, one)),
                Some((_, [.., before, last])) => Some(step(teller, &before.target, last)),
                _ => None,
            };
            let components = teller.components(&at);
            let more = components.len().saturating_sub(MOST_COMPONENTS);
            let mut found = json!({
                "walk": told,
                "begun": true,
                "last": last,
                "state": teller.state(&at),
                "components": components.iter().take(MOST_COMPONENTS).collect::<Vec<_>>(),
                "more_components": more,
                "constants": teller.constants(&at),
            });
            let made = stepper.made().map_or(0, |(_, steps)| steps.len());
            possible(stepper, (&at, made), wanted, &mut found);
            let back = came_back(stepper);
            found["went"] = went(stepper, back);
            let again = back.map(|start| teller.end(&at, Ending::Loop(start)));
            found["again"] = json!(again.map(|end| words::ended_shortly(&end, made)));
            Ok(found)
        })
    }
}

/// After how many steps a walk was where it is now, if it was: from there on, it goes round.
pub(super) fn came_back(stepper: &Stepper<'_>) -> Option<usize> {
    let (begin, steps) = stepper.made()?;
    let (last, before) = steps.split_last()?;
    let mut earlier = [begin].into_iter().chain(before.iter().map(|step| &step.target));
    earlier.position(|one| *one == last.target)
}

/// Between which states a walk went, as automata name them, each pair once; and whether it goes round there.
fn went(stepper: &Stepper<'_>, back: Option<usize>) -> Value {
    let Some((begin, steps)) = stepper.made() else { return json!([]) };
    let teller = stepper.teller();
    let mut pairs: IndexMap<(String, String), bool> = IndexMap::new();
    let mut from = teller.state(begin);
    for (place, step) in steps.iter().enumerate() {
        let to = teller.state(&step.target);
        let round = back.is_some_and(|start| place >= start);
        *pairs.entry((from, to.clone())).or_default() |= round;
        if pairs.len() == MOST_WENT {
            break;
        }
        from = to;
    }
    let told = pairs
        .into_iter()
        .map(|((from, to), round)| json!({ "from": from, "to": to, "round": round }));
    told.collect()
}

/// What can be chosen before the first step.
fn beginnings(stepper: &mut Stepper<'_>, told: &Value) -> Result<Value, ViewProblem> {
    let StepAnswer::Position(position) = stepper.obey(&StepCommand::List)? else {
        return Err(StepProblem::NotHere.into());
    };
    let Choices::Beginnings { beginnings } = &position.choices else {
        return Err(StepProblem::NotHere.into());
    };
    let listed: Vec<Value> =
        beginnings.iter().take(MOST_BEGINNINGS).map(|one| json!(one)).collect();
    Ok(json!({ "walk": told, "begun": false, "beginnings": listed, "count": beginnings.len(),
        "limited": position.limited }))
}

/// What is possible, or why that is not known.
fn possible(
    stepper: &Stepper<'_>,
    (at, made): (&Configuration, usize),
    wanted: &BTreeMap<String, String>,
    found: &mut Value,
) {
    let (interpreter, teller) = (stepper.interpreter(), stepper.teller());
    let steps = match interpreter.steps(at) {
        Ok(steps) => steps,
        Err(gap) => {
            found["unknown"] = json!({ "why": gap.to_string(), "needs": needs(&gap) });
            return;
        }
    };
    let end = stuck(interpreter, at, &steps).map(|ending| teller.end(at, ending));
    let fitting = (1..).zip(&steps.steps).filter(|(_, one)| holes::does(teller, one, wanted));
    let fitting: Vec<(usize, &Step)> = fitting.collect();
    let listed = fitting.iter().take(MOST_STEPS).map(|(number, one)| {
        let mut told = step(teller, at, one);
        let more = shortened(&mut told["moves"]) + shortened(&mut told["changes"]);
        shortened(&mut told["rules"]);
        told["more"] = json!(more);
        told["number"] = json!(number);
        told
    });
    found["steps"] = listed.collect();
    found["fitting"] = json!(fitting.len());
    found["count"] = json!(steps.steps.len());
    found["limited"] = json!(steps.limited);
    found["holes"] = json!(holes::offers(teller, &steps.steps));
    found["ended"] = json!(end.as_ref().map(|end| words::ended_shortly(end, made)));
    found["end"] = json!(end);
}

/// Leaves out what nobody reads; how much that is.
fn shortened(list: &mut Value) -> usize {
    let Some(all) = list.as_array_mut() else { return 0 };
    let more = all.len().saturating_sub(MOST_PARTS);
    all.truncate(MOST_PARTS);
    more
}

/// A step, with the transitions and vectors that it is made of.
fn step(teller: &Teller<'_>, from: &Configuration, step: &Step) -> Value {
    let net = teller.net();
    let moves = step.transitions.iter().map(|place| moved(teller, *place));
    let rules = step.vectors.iter().map(|&place| {
        let text = net.origins.get(net.vector(place).origin).span;
        json!({ "of": teller.path_of(place.0), "text": teller.text(text), "at": teller.place(text) })
    });
    let (moves, rules): (Vec<Value>, Vec<Value>) = (moves.collect(), rules.collect());
    let told = teller.step(from, step);
    json!({ "action": told.action.map(|one| one.text), "holes": told.holes, "changes": told.changes,
        "moves": moves, "rules": rules })
}

/// A transition: whose, from where to where, what it shows, when it can happen and what it does.
fn moved(teller: &Teller<'_>, place: TransitionPlace) -> Value {
    let net = teller.net();
    let transition = net.transition(place);
    let label::TransitionLabel { action, guard, updates } = label::transition(net, transition);
    let state = |id| net.plts[place.0].states[id].name.as_str();
    json!({
        "part": teller.path(place.0),
        "from": state(transition.source),
        "to": state(transition.target),
        "action": action,
        "when": guard,
        "does": updates,
        "at": teller.place(net.origins.get(transition.origin).span),
    })
}
