//! `check nonblocking(A(P: B))`: filling holes blocks nothing (Definition 10 of the SEFM paper).
//!
//! Wherever the whole gets, the net with its holes open being able to do something means that the whole can do
//! something too. A proof is a reachability predicate that keeps away from all other configurations; a refutation is
//! a run that leads to one.

use super::composed::composed;
use super::{Evidence, Options, Outcome, Verdict, certificate, counted, story, unsure};
use crate::automaton::{OpenAutomaton, StateId, variable_names};
use crate::diagnostics::Diagnostic;
use crate::driver::Checked;
use crate::emit::{Scope, label};
use crate::equivalence::{Duty, Reached, Run, SideId, World, together};
use crate::generate::Watch;
use crate::pnet::TermId;
use crate::sema::program::CheckDef;
use crate::smt::Answer;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
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
        return Ok(
            Verdict::Proved("no hole is filled, so nothing can be blocked".to_owned()).into()
        );
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
    Ok(match world.reaches(&bad) {
        Reached::Unknown(why) => Outcome::unknown(why),
        Reached::By(run) => refuted(&mut world, checked, &run, &outside),
        Reached::Never(predicate) => {
            let claim = options.certificates.then(|| super::claim(checked, check));
            proved(&mut world, &predicate, &bad, claim)
        }
    })
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
    claim: Option<String>,
) -> Outcome {
    let duties = world.duties(predicate, bad);
    for (duty, conditions) in &duties {
        match world.none_holds(conditions) {
            Answer::Unsat => {}
            Answer::Sat => return Outcome::unknown("the predicate that was found does not hold"),
            Answer::Unknown(why) => {
                return Outcome::unknown(format!(
                    "it is not sure that {}: {why}",
                    name(world, *duty)
                ));
            }
        }
    }
    let text = told(world, predicate);
    let obligations: Vec<(String, Vec<TermId>)> =
        duties.into_iter().map(|(duty, conditions)| (name(world, duty), conditions)).collect();
    let reason = format!(
        "by a reachability predicate, which meets {}",
        counted(obligations.len(), "obligation")
    );
    let certificate =
        claim.map(|claim| certificate::of(world, &claim, ("predicate.txt", &text), &obligations));
    let evidence = Evidence::Predicate(text);
    Outcome { evidence, certificate, ..Verdict::Proved(reason).into() }
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
