//! `check nonblocking(A(P: B))`: filling holes blocks nothing (Ameur-Boulifa et al., SEFM, Definition 10).
//!
//! Wherever the whole gets, the net with its holes open being able to do something means that the whole can do
//! something too. A proof is a reachability predicate that keeps away from all other configurations; a refutation is
//! a run that leads to one.

use super::predicate::{all_met, claims, kind, met};
use super::refusal::NoCertificate;
use super::remake::Remade;
use super::{ModelOptions, failed, relation, story};
use crate::algebra::TermId;
use crate::automaton::{OpenAutomaton, StateId};
use crate::base::IndexVec;
use crate::diagnostics::Diagnostic;
use crate::emit::{Names, outcome as words};
use crate::equivalence::{Product, SideId, offered};
use crate::generate::Watch;
use crate::model::{Checked, Wanted};
use crate::outcome::{
    Evidence, Found, Outcome, Reason, RunEnd, Statistics, Trace, Vacuity, Verdict,
};
use crate::pnet::{LeafId, PltsStateId};
use crate::sema::program::{CheckDef, RelationDef};
use crate::simulate::{self, Ending, NotFollowed, RunGoal};
use crate::system::{Duty, Prover, Reached, SymbolicRun, System, duties, reaches};

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let looked = look(checked, check, options, watch, |product, bad, outside| {
        let Product { sides, prover, facts } = product;
        let whole = &sides[SideId::Left];
        let variables = sides.variables();
        match reaches(whole, prover, &mut facts[SideId::Left], &variables, bad) {
            Reached::Unknown(why) => Outcome::unknown(why),
            Reached::By(run) => {
                let outcome = refuted(product, checked, &run, outside);
                made_again(checked, check, outcome, options)
            }
            Reached::Never(predicate) => {
                let net = check.nets.first().map_or("", |net| checked.sources.text(net.span));
                let names = relation::names_in(checked, check.module, prover.algebra);
                proved((whole, prover), &predicate, bad, (net, &names))
            }
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
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Remade, NoCertificate> {
    let looked = look(checked, check, options, watch, |product, bad, _| {
        let Product { sides, prover, .. } = product;
        let whole = &sides[SideId::Left];
        let predicate = relation::predicate_of(checked, written, (whole, prover), options)?;
        let duties = duties(whole, prover, &predicate, bad);
        if meets && let Err(why) = all_met((whole, prover), &duties) {
            return Err(why.into());
        }
        let net = check.nets.first().map_or("", |net| checked.sources.text(net.span));
        let names = relation::names_in(checked, check.module, prover.algebra);
        let found = relation::predicate_item((whole, prover), &predicate, net, &names);
        let name = |duty: Duty| words::obligation(&kind(whole, duty));
        let duties: Vec<(String, Vec<TermId>)> =
            duties.into_iter().map(|(duty, all)| (name(duty), all)).collect();
        Ok(Remade::of((sides, prover), found, &duties))
    });
    match looked {
        Ok(Ok((made, _))) => made,
        Ok(Err(reason)) => Err(reason.into()),
        Err(_) => Err(NoCertificate::PredicateNotLookedAt),
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
    options: &ModelOptions,
    watch: &dyn Watch,
    look: impl FnOnce(&mut Product<'_>, &IndexVec<StateId, TermId>, &IndexVec<StateId, StateId>) -> T,
) -> Result<Result<(T, Around), Reason>, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else { return Ok(Err(Reason::Incomplete)) };
    let wanted = Wanted::Instance(check, instance);
    let parts = match checked.composed(wanted, options, watch).map_err(failed)? {
        Ok(parts) => parts,
        Err(why) => return Ok(Err(Reason::HolesNotAlone { why: why.to_string() })),
    };
    if parts.whole.stopped || parts.context.stopped {
        return Ok(Err(Reason::Stopped));
    }
    let (whole, context) = (&parts.whole.automaton, &parts.context.automaton);
    let mut product = Product::of(whole, context, options.generate.asking(), watch);
    if product.prover.axioms_contradict() {
        return Ok(Err(Reason::AxiomsContradict));
    }
    if parts.filled.is_empty() {
        // What is filled further inside is a part like others.
        return Ok(Err(Reason::NothingFilled));
    }
    let Some(outside) = outside(whole, context) else {
        return Ok(Err(Reason::ContextNotFound));
    };
    let bad = blocked(&mut product, &outside);
    let looked = look(&mut product, &bad, &outside);
    let statistics = Statistics {
        states: whole.states.len(),
        transitions: whole.transitions.len(),
        queries: product.prover.queries(),
        ..Statistics::default()
    };
    Ok(Ok((looked, Around { idle: context.transitions.is_empty(), statistics })))
}

/// For each state of the whole, the state that the net around the holes is in.
fn outside(whole: &OpenAutomaton, context: &OpenAutomaton) -> Option<IndexVec<StateId, StateId>> {
    let places: Option<Vec<LeafId>> = context
        .leaves
        .iter()
        .map(|leaf| whole.leaves.find(|other| other.path == leaf.path))
        .collect();
    let places = places?;
    let find = |state: &crate::automaton::GlobalState| {
        let wanted: IndexVec<LeafId, PltsStateId> =
            places.iter().map(|&place| state.leaves[place]).collect();
        context.states.find(|known| known.leaves == wanted)
    };
    whole.states.iter().map(find).collect()
}

/// For each state of the whole, when the net around the holes could do something and the whole cannot.
fn blocked(
    product: &mut Product<'_>,
    outside: &IndexVec<StateId, StateId>,
) -> IndexVec<StateId, TermId> {
    let Product { sides, prover, .. } = product;
    let same = sides.namesakes(&prover.terms);
    let bad = outside.enumerated().map(|(state, &around)| {
        let could = sides[SideId::Right].can_move(prover, around);
        let could = prover.terms.substitute(could, &same);
        let can = sides[SideId::Left].can_move(prover, state);
        let cannot = prover.terms.not(can);
        prover.terms.and([could, cannot])
    });
    bad.collect()
}

fn refuted(
    product: &mut Product<'_>,
    checked: &Checked,
    run: &SymbolicRun,
    outside: &IndexVec<StateId, StateId>,
) -> Outcome {
    let Product { sides, prover, .. } = product;
    let offered = offered(sides, prover, run, outside[run.last]);
    let [whole, context] = SideId::BOTH.map(|side| sides[side].automaton.name);
    let teller = story::Teller::new(sides, prover, checked, (whole.as_str(), context.as_str()));
    let could = offered.map(|(step, changes)| teller.step(SideId::Right, (&step, &changes), false));
    let end = RunEnd::Blocked {
        state: sides[SideId::Left].state_name(run.last),
        net: context.to_string(),
        could: could.map(Box::new),
    };
    let told = teller.run(run, end);
    let refuted = Outcome::new(Verdict::Refuted, Reason::Blocked { steps: run.steps.len() });
    Outcome { evidence: Evidence::Run(Box::new(told)), ..refuted }
}

/// A run that blocks, as the plain interpreter makes it; one that it cannot make, where it knows all values, is none.
fn made_again(
    checked: &Checked,
    check: &CheckDef,
    told: Outcome,
    options: &ModelOptions,
) -> Outcome {
    let ([instance], Evidence::Run(run)) = (check.nets.as_slice(), &told.evidence) else {
        return told;
    };
    let Ok(net) = checked.net(Wanted::Instance(check, instance), &options.elaborate) else {
        return told;
    };
    let teller = simulate::Teller::new(checked, &net, checked.sources.text(instance.span));
    match simulate::made_again(&teller, run, RunGoal::Still) {
        Ok(made) => {
            let again = teller.trace((&made.path[0], &made.steps), Ending::Open);
            let run = Trace { end: run.end.clone(), ..again };
            Outcome { evidence: Evidence::Run(Box::new(run)), ..told }
        }
        // Functions without a definition, for example, are known to the solver only.
        Err(NotFollowed::Unknown { .. } | NotFollowed::NoValue { .. }) => told,
        Err(why) => Outcome::unknown(Reason::NotReplayed { why: why.to_string() }),
    }
}

fn proved(
    (system, prover): (&System<'_>, &mut Prover<'_>),
    predicate: &IndexVec<StateId, TermId>,
    bad: &IndexVec<StateId, TermId>,
    (net, names): (&str, &Names),
) -> Outcome {
    let duties = duties(system, prover, predicate, bad);
    let obligations = match met((system, prover), &duties) {
        Ok(obligations) => obligations,
        Err(why) => return Outcome::unknown(why),
    };
    let found = vec![Found(relation::predicate_item((system, prover), predicate, net, names))];
    let evidence = Evidence::Predicate(claims((system, prover), predicate));
    let reason = Reason::PredicateFound { obligations: duties.len() };
    Outcome { evidence, obligations, found, ..Outcome::new(Verdict::Proved, reason) }
}
