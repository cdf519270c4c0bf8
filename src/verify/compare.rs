//! `check bisimilar(A, B)` and its kin.

use super::{Options, Verdict, automaton};
use crate::diagnostics::Diagnostic;
use crate::driver::Checked;
use crate::equivalence::{Found, Game, Rules, together, why_not_comparable};
use crate::generate::Watch;
use crate::sema::program::{CheckDef, CheckKind};

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Verdict, Vec<Diagnostic>> {
    let [first, second] = check.nets.as_slice() else {
        return Ok(Verdict::Unknown("the check is not complete".to_owned()));
    };
    let left = automaton(checked, check, first, options, watch)?;
    let right = automaton(checked, check, second, options, watch)?;
    if left.stopped || right.stopped {
        return Ok(Verdict::Unknown("stopped".to_owned()));
    }
    let refines = check.kind == CheckKind::Refines;
    if !refines && let Some(why) = why_not_comparable(&left.automaton, &right.automaton) {
        return Ok(Verdict::Unknown(format!("they cannot be compared: {why}")));
    }
    let mut world = together(&left.automaton, &right.automaton, &options.generate);
    let tracked = (0..world.holes.len()).collect();
    let rules = Rules { both: !refines, tracked, deadlocks: refines };
    let mut game = Game { world: &mut world, rules };
    Ok(match game.largest(watch) {
        Found::Relation(relation) => {
            let obligations = game.obligations(&relation);
            let unmet = game.unmet(&obligations);
            match unmet.first() {
                None => Verdict::Proved(format!("{} obligations", obligations.len())),
                Some((obligation, answer)) => {
                    Verdict::Unknown(game.failed(&obligation.about, answer))
                }
            }
        }
        Found::Apart(rounds) => {
            Verdict::Refuted(format!("apart after {} rounds", rounds.len() - 1))
        }
        Found::Nothing(why) => match game.simple(watch) {
            Ok(relation) => Verdict::Proved(format!("{} pairs (simple)", relation.len())),
            Err(other) => Verdict::Unknown(format!("{why}; {other}")),
        },
    })
}
