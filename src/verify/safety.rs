//! Who answers a check about what one net can reach: exploration, or the open automaton with a solver.
//!
//! Both are asked where both can answer, the cheaper one first. Exploration settles what it goes through to the end, and
//! what it finds; the automaton settles what holds for all of infinitely many values. Who must not be asked is said by
//! `--engine`. Neither is asked where an invariant is given: then the question is whether that is a proof.

use super::explored::{self, Effort, Tried};
use super::{ModelOptions, engines, failed, given, reach};
use crate::base::Watch;
use crate::diagnostics::Diagnostic;
use crate::explore::EngineChoice;
use crate::model::{Checked, Wanted};
use crate::outcome::{Evidence, Outcome, Reason, Verdict};
use crate::pnet::PNet;
use crate::safety::{Abstraction, Induction};
use crate::sema::program::{CheckDef, CheckKind};

/// The open automaton is asked first only where the states of its leaves have no more combinations.
const MOST_COMBINATIONS: u64 = 5_000;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    if let Some(invariant) = check.invariant {
        let written = &checked.program.invariants[invariant.index()];
        return given::check(checked, check, written, options, watch);
    }
    let symbolic =
        matches!(check.kind, CheckKind::DeadlockFree | CheckKind::Always | CheckKind::Reaches);
    let explore = |effort: Effort| explored::check(checked, check, options, effort, watch);
    match options.explore.engine {
        EngineChoice::Symbolic if symbolic => return reach::check(checked, check, options, watch),
        EngineChoice::Induction if symbolic => {
            return engines::check(checked, check, options, &Induction, watch);
        }
        EngineChoice::Abstraction if symbolic => {
            return engines::check(checked, check, options, &Abstraction::default(), watch);
        }
        EngineChoice::AbstractionFull if symbolic => {
            return engines::check(checked, check, options, &Abstraction::full(), watch);
        }
        EngineChoice::Auto if symbolic => {}
        _ => return Ok(settled(explore(Effort::ALL)?)),
    }
    let first = match explore(Effort::SOME)? {
        Tried::Settled(outcome) => return Ok(outcome),
        Tried::Open(why) => why,
    };
    if watch.budget().spent().is_some() {
        return Ok(Outcome::unknown(first));
    }
    // What met no limit meets the same end again.
    let more = matches!(first, Reason::NotFound { .. }) && !is_by_choice(&first, options);
    let small = is_small(checked, check, options)?;
    let mut ways = vec![first];
    if small || !more {
        let outcome = reach::check(checked, check, options, watch)?;
        let known = outcome.verdict != Verdict::Unknown || outcome.evidence != Evidence::None;
        if known || watch.budget().spent().is_some() {
            return Ok(outcome);
        }
        ways.push(outcome.reason);
    }
    if more {
        match explore(Effort::ALL)? {
            Tried::Settled(outcome) => return Ok(outcome),
            Tried::Open(why) => ways[0] = why,
        }
    }
    let only = ways.len() == 1;
    let reason = if only { ways.remove(0) } else { Reason::Tried { ways } };
    Ok(Outcome::unknown(reason))
}

fn settled(tried: Tried) -> Outcome {
    match tried {
        Tried::Settled(outcome) => outcome,
        Tried::Open(why) => Outcome::unknown(why),
    }
}

/// Whether a search ended because somebody wanted it to end there, or because values were left out.
fn is_by_choice(why: &Reason, options: &ModelOptions) -> bool {
    use crate::outcome::ExploreLimit::{Budget, Depth, Domains, States};
    match why {
        Reason::NotFound { limit: States, extent } => extent.states >= options.explore.most_states,
        Reason::NotFound { limit: Depth | Domains(_) | Budget, .. } => true,
        _ => false,
    }
}

/// Whether the open automaton of a net can have few states only.
fn is_small(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
) -> Result<bool, Vec<Diagnostic>> {
    let Some(instance) = check.nets.first() else { return Ok(false) };
    let net = checked.net(Wanted::Instance(check, instance), &options.elaborate).map_err(failed)?;
    Ok(combinations(&net) <= MOST_COMBINATIONS)
}

/// How many combinations the states of all leaves have.
fn combinations(net: &PNet) -> u64 {
    let counts = net.plts.iter().map(|plts| plts.states.len() as u64);
    counts.fold(1, u64::saturating_mul)
}
