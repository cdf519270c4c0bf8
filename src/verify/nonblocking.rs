//! `check nonblocking(A(P: B))`: filling holes blocks nothing (Definition 10 of the SEFM paper).
//!
//! Wherever the whole gets, the net with its holes open being able to do something means that the whole can do
//! something too. A proof is a reachability predicate that keeps away from all other configurations; a refutation is
//! a run that leads to one.

use super::remake::Remade;
use super::{Options, failed, relation, story};
use crate::algebra::TermId;
use crate::automaton::{OpenAutomaton, StateId, variable_names};
use crate::diagnostics::Diagnostic;
use crate::emit::{Names, Scope, label, outcome as words};
use crate::equivalence::{Duty, Reached, Run, SideId, World, together};
use crate::generate::Watch;
use crate::model::{Checked, Wanted};
use crate::outcome::{
    self, Evidence, Found, Obligation, ObligationKind, Outcome, Predicate, Reason, RunEnd,
    StateClaim, Statistics, Status, Vacuity, Verdict,
};
use crate::sema::program::{CheckDef, RelationDef};
use crate::smt::Answer;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let looked =
        look(checked, check, options, watch, |world, bad, outside| match world.reaches(bad) {
            Reached::Unknown(why) => Outcome::unknown(why),
            Reached::By(run) => refuted(world, checked, &run, outside),
            Reached::Never(predicate) => {
                let net = check.nets.first().map_or("", |net| checked.sources.text(net.span));
                let names = relation::names_in(checked, check.module, world);
                proved(world, &predicate, bad, (net, &names))
            }
        })?;
    Ok(match looked {
        Err(Reason::NothingFilled) => {
            let proved = Outcome::new(Verdict::Proved, Reason::NothingFilled);
            Outcome { vacuous: vec![Vacuity::NothingFilled], ..proved }
        }
        Err(reason) => Outcome::unknown(reason),
        Ok((outcome, around)) => {
            let idle = around.idle && outcome.verdict == Verdict::Proved;
            let vacuous = if idle { vec![Vacuity::NothingToBlock] } else { Vec::new() };
            Outcome { vacuous, statistics: around.statistics, ..outcome }
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
    let looked = look(checked, check, options, watch, |world, bad, _| {
        let predicate = relation::predicate_of(checked, written, world, options)?;
        let duties = world.duties(&predicate, bad);
        if meets && let Err(why) = all_met(world, &duties) {
            return Err(words::reason(&why));
        }
        let net = check.nets.first().map_or("", |net| checked.sources.text(net.span));
        let names = relation::names_in(checked, check.module, world);
        let found = relation::predicate_item(world, &predicate, net, &names);
        let name = |duty: Duty| words::obligation(&kind(world, duty));
        let duties: Vec<(String, Vec<TermId>)> =
            duties.into_iter().map(|(duty, all)| (name(duty), all)).collect();
        Ok(Remade::of(world, found, &duties))
    });
    match looked {
        Ok(Ok((made, _))) => made,
        Ok(Err(reason)) => Err(words::reason(&reason)),
        Err(_) => Err("the predicate was not looked at".to_owned()),
    }
}

/// What is known besides the outcome.
struct Around {
    /// With its holes open, the net can do nothing.
    idle: bool,
    statistics: Statistics,
}

/// Finds out what is blocked, state by state, and has it looked at; or says why that is not needed or not possible.
fn look<T>(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
    look: impl FnOnce(&mut World<'_>, &[TermId], &[usize]) -> T,
) -> Result<Result<(T, Around), Reason>, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else { return Ok(Err(Reason::Incomplete)) };
    let wanted = Wanted::Instance(check, instance);
    let parts = match checked.composed(wanted, options, watch).map_err(failed)? {
        Ok(parts) => parts,
        Err(why) => return Ok(Err(Reason::HolesNotAlone { why })),
    };
    if parts.whole.stopped || parts.context.stopped {
        return Ok(Err(Reason::Stopped));
    }
    let (whole, context) = (&parts.whole.automaton, &parts.context.automaton);
    let mut world = together(whole, context, &options.generate, watch);
    if world.axioms_contradict() {
        return Ok(Err(Reason::AxiomsContradict));
    }
    if parts.filled.is_empty() {
        // What is filled further inside is a part like others.
        return Ok(Err(Reason::NothingFilled));
    }
    let Some(outside) = outside(whole, context) else {
        return Ok(Err(Reason::ContextNotFound));
    };
    let bad = blocked(&mut world, &outside);
    let looked = look(&mut world, &bad, &outside);
    let statistics = Statistics {
        states: whole.states.len(),
        transitions: whole.transitions.len(),
        queries: world.queries(),
    };
    Ok(Ok((looked, Around { idle: context.transitions.is_empty(), statistics })))
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
    let steps = run.steps.iter();
    let could = offered.map(|(step, changes)| teller.step(SideId::Right, (&step, &changes), false));
    let told = outcome::Run {
        with: teller.equations(&run.given),
        begins: teller.variables(&run.begun),
        steps: steps
            .map(|(step, changes)| teller.step(SideId::Left, (step, changes), false))
            .collect(),
        end: RunEnd::Blocked {
            state: world.sides[0].automaton.state_name(StateId(run.last as u32)),
            net: context.to_string(),
            could,
        },
    };
    let refuted = Outcome::new(Verdict::Refuted, Reason::Blocked { steps: run.steps.len() });
    Outcome { evidence: Evidence::Run(told), ..refuted }
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
    let met = |(duty, _): &(Duty, Vec<TermId>)| Obligation {
        about: kind(world, *duty),
        status: Status::Met,
    };
    let obligations: Vec<Obligation> = duties.iter().map(met).collect();
    let found = vec![Found(relation::predicate_item(world, predicate, net, names))];
    let evidence = Evidence::Predicate(claims(world, predicate));
    let reason = Reason::PredicateFound { obligations: duties.len() };
    Outcome { evidence, obligations, found, ..Outcome::new(Verdict::Proved, reason) }
}

/// Whether a predicate does what it must; otherwise, what it does not do.
fn all_met(world: &mut World<'_>, duties: &[(Duty, Vec<TermId>)]) -> Result<(), Reason> {
    for (duty, conditions) in duties {
        match world.none_holds(conditions) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Reason::PredicateFails),
            Answer::Unknown(why) => {
                return Err(Reason::UnsureObligation { obligation: kind(world, *duty), why });
            }
        }
    }
    Ok(())
}

/// What is to be shown.
fn kind(world: &World<'_>, duty: Duty) -> ObligationKind {
    let state = |at: usize| world.sides[0].automaton.state_name(StateId(at as u32));
    match duty {
        Duty::First => ObligationKind::HoldsFirst,
        Duty::Kept(at, step) => ObligationKind::Kept { state: state(at), step: step + 1 },
        Duty::Away(at) => ObligationKind::KeepsAway { state: state(at) },
    }
}

/// What holds in each state.
fn claims(world: &World<'_>, predicate: &[TermId]) -> Predicate {
    let names = variable_names(&world.sides[0].automaton);
    let scope = Scope { algebra: &world.algebra, terms: &world.terms, names: Some(&names) };
    let claim = |(at, &condition): (usize, &TermId)| StateClaim {
        state: world.sides[0].automaton.state_name(StateId(at as u32)),
        holds: label::condition(scope, condition),
    };
    Predicate { states: predicate.iter().enumerate().map(claim).collect() }
}
