//! `check size(NET) == (states, transitions)`

use num_bigint::BigInt;

use super::{Options, Verdict, automaton, counted};
use crate::diagnostics::Diagnostic;
use crate::driver::Checked;
use crate::equivalence::together;
use crate::generate::Watch;
use crate::sema::program::CheckDef;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Verdict, Vec<Diagnostic>> {
    let ([instance], Some((states, transitions))) = (check.nets.as_slice(), &check.figures) else {
        return Ok(Verdict::Unknown("the check is not complete".to_owned()));
    };
    let generated = automaton(checked, check, instance, options, watch)?;
    let both = (&generated.automaton, &generated.automaton);
    if together(both.0, both.1, &options.generate, watch).axioms_contradict() {
        return Ok(Verdict::Unknown(super::CONTRADICTION.to_owned()));
    }
    let counts = generated.counts;
    let found = format!(
        "{} and {}",
        counted(counts.states, "state"),
        counted(counts.transitions, "open transition")
    );
    if generated.stopped {
        return Ok(Verdict::Unknown(format!("stopped after {found}")));
    }
    if counts.unknown > 0 {
        let unsure = counted(counts.unknown, "transition");
        let why = generated.unknown.first().map_or("", |(_, why)| why.as_str());
        return Ok(Verdict::Unknown(format!(
            "{found}, but it is not known whether {unsure} of these can happen: {why}"
        )));
    }
    let expected = (states, transitions);
    let is = (BigInt::from(counts.states), BigInt::from(counts.transitions));
    Ok(if (&is.0, &is.1) == expected {
        Verdict::Proved(found)
    } else {
        Verdict::Refuted(format!("it has {found}"))
    })
}
