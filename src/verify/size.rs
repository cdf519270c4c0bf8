//! `check size(NET) == (states, transitions)`

use num_bigint::BigInt;

use super::{ModelOptions, automaton};
use crate::diagnostics::Diagnostic;
use crate::generate::Watch;
use crate::model::Checked;
use crate::outcome::{Outcome, Reason, Statistics, Verdict};
use crate::sema::program::CheckDef;
use crate::system::Prover;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let ([instance], Some(claimed)) = (check.nets.as_slice(), &check.figures) else {
        return Ok(Outcome::unknown(Reason::Incomplete));
    };
    let generated = automaton(checked, check, instance, options, watch)?;
    let mut prover = Prover::about(&generated.automaton, options.generate.asking(), watch);
    if prover.axioms_contradict() {
        return Ok(Outcome::unknown(Reason::AxiomsContradict));
    }
    let counts = generated.counts;
    let (states, transitions) = (counts.states, counts.transitions);
    if generated.stopped {
        return Ok(Outcome::unknown(Reason::StoppedAfter { states, transitions }));
    }
    if counts.unknown > 0 {
        let why = generated.unknown.first().map_or_else(String::new, |(_, why)| why.clone());
        let unsure = counts.unknown;
        let reason = Reason::UnsureTransitions { states, transitions, unsure, why };
        return Ok(Outcome::unknown(reason));
    }
    let as_claimed = (BigInt::from(states), BigInt::from(transitions)) == *claimed;
    let verdict = if as_claimed { Verdict::Proved } else { Verdict::Refuted };
    let statistics =
        Statistics { states, transitions, queries: counts.queries, ..Statistics::default() };
    let reason = Reason::Size { states, transitions, as_claimed };
    Ok(Outcome { statistics, ..Outcome::new(verdict, reason) })
}
