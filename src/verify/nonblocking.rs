//! `check nonblocking(A(P: B))`: filling holes blocks nothing (Definition 10 of the SEFM paper).
//!
//! Wherever the whole gets, the net with its holes open being able to do something means that the whole can do
//! something too. A proof is a reachability predicate that keeps away from all other configurations; a refutation is
//! a run that leads to one.

use super::composed::composed;
use super::remake::Remade;
use super::{Evidence, Options, Outcome, Verdict, counted, relation, story, unsure};
use crate::automaton::{OpenAutomaton, StateId, variable_names};
use crate::diagnostics::Diagnostic;
use crate::driver::Checked;
use crate::emit::{Names, Scope, label};
use crate::equivalence::{Duty, Reached, Run, SideId, World, together};
use crate::generate::Watch;
use crate::pnet::TermId;
use crate::sema::program::{CheckDef, RelationDef};
use crate::smt::Answer;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    look(checked, check, options, watch, |world, bad, outside| match world.reaches(bad) {
        Reached::Unknown(why) => Outcome::unknown(why),
        Reached::By(run) => refuted(world, checked, &run, outside),
        Reached::Never(predicate) => {
            let net = check.nets.first().map_or("", |net| checked.sources.text(net.span));
            let names = relation::names_in(checked, check.module, world);
            proved(world, &predicate, bad, (net, &names))
        }
    })
}

/// What a proof by a reachability predicate rests on, made anew from the model and the text of the predicate; or why it
/// cannot be.
pub(super) fn remade(
    checked: &Checked,
    check: &CheckDef,
    (written, meets): (&RelationDef, bool),
    options: &Options,
    watch: &dyn Watch,
) -> Result<Remade, String> {
    let mut made = Err("the predicate was not looked at".to_owned());
    let outcome = look(checked, check, options, watch, |world, bad, _| {
        made = relation::predicate_of(checked, written, world, options).and_then(|predicate| {
            let duties = world.duties(&predicate, bad);
            if meets && let Err(why) = all_met(world, &duties) {
                return Err(why);
            }
            let net = check.nets.first().map_or("", |net| checked.sources.text(net.span));
            let names = relation::names_in(checked, check.module, world);
            let found = relation::predicate_item(world, &predicate, net, &names);
            let duties: Vec<(String, Vec<TermId>)> =
                duties.into_iter().map(|(duty, all)| (name(world, duty), all)).collect();
            Ok(Remade::of(world, found, &duties))
        });
        Outcome::unknown("it is only made anew")
    });
    match (made, outcome) {
        (Ok(made), _) => Ok(made),
        (Err(_), Ok(Outcome { verdict: Verdict::Unknown(why), .. }))
            if !why.starts_with("it is") =>
        {
            Err(why)
        }
        (Err(why), _) => Err(why),
    }
}

/// Finds out what is blocked, state by state, and has it looked at.
fn look(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
    look: impl FnOnce(&mut World<'_>, &[TermId], &[usize]) -> Outcome,
) -> Result<Outcome, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else {
        return Ok(Outcome::unknown("the check is not complete"));
    };
    let parts = match composed(checked, check, instance, options, watch)? {
        Ok(parts) => parts,
        Err(why) => {
            return Ok(Outcome::unknown(format!("its holes cannot be looked at alone: {why}")));
        }
    };
    if parts.whole.stopped || parts.context.stopped {
        return Ok(Outcome::unknown("stopped"));
    }
    if parts.filled.is_empty() {
        // What is filled further inside is a part like others.
        let why = "no hole is filled, so nothing can be blocked";
        let vacuous = vec!["no hole is filled".to_owned()];
        return Ok(Outcome { vacuous, ..Verdict::Proved(why.to_owned()).into() });
    }
    let (whole, context) = (&parts.whole.automaton, &parts.context.automaton);
    let Some(outside) = outside(whole, context) else {
        return Ok(Outcome::unknown("the states of the net with its holes open were not found"));
    };
    let mut world = together(whole, context, &options.generate, watch);
    if let Some(why) = unsure(&mut world) {
        return Ok(Outcome::unknown(why));
    }
    let bad = blocked(&mut world, &outside);
    let outcome = look(&mut world, &bad, &outside);
    let idle = context.transitions.is_empty() && matches!(outcome.verdict, Verdict::Proved(_));
    let why = "with its holes open, the net can do nothing: there is nothing to block";
    let vacuous = if idle { vec![why.to_owned()] } else { Vec::new() };
    Ok(Outcome { vacuous, ..outcome })
}

/// For each state of the whole, the state that the net around the holes is in.
fn outside(whole: &OpenAutomaton, context: &OpenAutomaton) -> Option<Vec<usize>> {
    let places: Option<Vec<usize>> = context
        .leaves
        .iter()
        .map(|leaf| whole.leaves.iter().position(|other| other.path == leaf.path))
        .collect();
    let places = places?;
    let find = |state: &crate::automaton::GlobalState| {
        let wanted: Vec<u32> = places.iter().map(|&place| state.leaves[place]).collect();
        context.states.iter().position(|known| *known.leaves == *wanted)
    };
    whole.states.iter().map(find).collect()
}

/// For each state of the whole, when the net around the holes could do something and the whole cannot.
fn blocked(world: &mut World<'_>, outside: &[usize]) -> Vec<TermId> {
    let same = world.namesakes();
    let mut bad = Vec::with_capacity(outside.len());
    for (state, &around) in outside.iter().enumerate() {
        let could = world.can_move(SideId::Right, around);
        let could = world.terms.substitute(could, &same);
        let can = world.can_move(SideId::Left, state);
        let cannot = world.terms.not(can);
        bad.push(world.terms.and([could, cannot]));
    }
    bad
}

fn refuted(world: &mut World<'_>, checked: &Checked, run: &Run, outside: &[usize]) -> Outcome {
    let offered = world.offered(run, outside[run.last]);
    let name = |side: usize| world.sides[side].automaton.name;
    let (whole, context) = (name(0), name(1));
    let teller = story::Teller::new(world, checked, (whole.as_str(), context.as_str()));
    let mut story = story::run(&teller, run);
    let state = world.sides[0].automaton.state_name(StateId(run.last as u32));
    let number = run.steps.len() + 1;
    let mut lines: Vec<String> = story.text.lines().map(str::to_owned).collect();
    match offered {
        Some((step, changes)) => {
            let step = teller.step(SideId::Right, (&step, &changes), (false, false));
            lines.push(format!(
                "{number}. in {state}, with its holes open, `{context}` could do {}; filled, it can do nothing",
                step.does(),
            ));
            lines.extend(step.more());
        }
        None => lines.push(format!("{number}. in {state}, filled, it can do nothing")),
    }
    story.text = lines.join("\n");
    let reason = match run.steps.len() {
        0 => "it is blocked from the beginning".to_owned(),
        1 => "it can be blocked after one step".to_owned(),
        steps => format!("it can be blocked after {steps} steps"),
    };
    Outcome { evidence: Evidence::Play(story), ..Verdict::Refuted(reason).into() }
}

fn proved(
    world: &mut World<'_>,
    predicate: &[TermId],
    bad: &[TermId],
    (net, names): (&str, &Names),
) -> Outcome {
    let duties = world.duties(predicate, bad);
    if let Err(why) = all_met(world, &duties) {
        return Outcome::unknown(why);
    }
    let reason =
        format!("by a reachability predicate, which meets {}", counted(duties.len(), "obligation"));
    let found = vec![relation::predicate_item(world, predicate, net, names)];
    let evidence = Evidence::Predicate(told(world, predicate));
    Outcome { evidence, found, ..Verdict::Proved(reason).into() }
}

/// Whether a predicate does what it must; otherwise, what it does not do.
fn all_met(world: &mut World<'_>, duties: &[(Duty, Vec<TermId>)]) -> Result<(), String> {
    for (duty, conditions) in duties {
        match world.none_holds(conditions) {
            Answer::Unsat => {}
            Answer::Sat => return Err("the predicate that was found does not hold".to_owned()),
            Answer::Unknown(why) => {
                return Err(format!("it is not sure that {}: {why}", name(world, *duty)));
            }
        }
    }
    Ok(())
}

/// What is to be shown, in words.
fn name(world: &World<'_>, duty: Duty) -> String {
    let state = |at: usize| world.sides[0].automaton.state_name(StateId(at as u32));
    match duty {
        Duty::First => "the predicate holds at first".to_owned(),
        Duty::Kept(at, step) => format!("step {} of {} keeps the predicate", step + 1, state(at)),
        Duty::Away(at) => {
            format!("in {}, the whole can do something where its context can", state(at))
        }
    }
}

/// A predicate, a line for each state.
fn told(world: &World<'_>, predicate: &[TermId]) -> String {
    let names = variable_names(&world.sides[0].automaton);
    let scope = Scope { algebra: &world.algebra, terms: &world.terms, names: Some(&names) };
    let mut text = String::new();
    for (at, &condition) in predicate.iter().enumerate() {
        let state = world.sides[0].automaton.state_name(StateId(at as u32));
        let holds = label::condition(scope, condition).unwrap_or_else(|| "true".to_owned());
        text.push_str(&format!("in {state}: {holds}\n"));
    }
    text
}
