//! `check bisimilar(A, B)` and its kin.

use super::{Options, Verdict, automaton};
use crate::diagnostics::Diagnostic;
use crate::driver::Checked;
use crate::equivalence::{Found, Game, Relation, Rules, together, why_not_comparable};
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
    let weak = (check.kind == CheckKind::WeaklyBisimilar)
        .then(|| [world.weak_steps(0), world.weak_steps(1)]);
    let complete = weak.as_ref().is_none_or(|weak| weak.iter().all(|side| side.complete));
    let rules = Rules { both: !refines, tracked, deadlocks: refines, weak };
    let mut game = Game { world: &mut world, rules };
    Ok(search(&mut game, complete, watch))
}

/// Rounds before simple conditions are tried, and after.
const FEW_ROUNDS: usize = 5;
const MANY_ROUNDS: usize = 20;

fn search(game: &mut Game<'_, '_>, complete: bool, watch: &dyn Watch) -> Verdict {
    let mut tried = Vec::new();
    for most_rounds in [FEW_ROUNDS, MANY_ROUNDS] {
        match game.largest(most_rounds, watch) {
            Found::Relation(relation) => match checked_relation(game, &relation) {
                Ok(verdict) => return verdict,
                Err(why) => tried.push(why),
            },
            Found::Apart(rounds) if complete => {
                return Verdict::Refuted(format!("apart after {} rounds", rounds.len() - 1));
            }
            Found::Apart(_) => {
                let why = "they differ, as far as silent steps could be followed; not all could";
                return Verdict::Unknown(why.to_owned());
            }
            Found::Nothing(why, promising) => {
                tried.push(why);
                if most_rounds == FEW_ROUNDS {
                    match game.simple(watch, &promising) {
                        Ok(relation) => match checked_relation(game, &relation) {
                            Ok(verdict) => return verdict,
                            Err(why) => tried.push(why),
                        },
                        Err(why) => tried.push(why),
                    }
                }
            }
        }
    }
    Verdict::Unknown(tried.join("; "))
}

/// A relation that was found is proved like one that somebody wrote.
fn checked_relation(game: &mut Game<'_, '_>, relation: &Relation) -> Result<Verdict, String> {
    let obligations = game.obligations(relation);
    match game.unmet(&obligations).first() {
        None => Ok(Verdict::Proved(format!(
            "by a relation of {} pairs of states, with {} obligations",
            relation.len(),
            obligations.len()
        ))),
        Some((obligation, answer)) => Err(game.failed(&obligation.about, answer)),
    }
}
