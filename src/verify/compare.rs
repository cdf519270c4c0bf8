//! `check bisimilar(A, B)` and its kin.

use super::{
    Certificate, Evidence, Options, Outcome, Verdict, automaton, certificate, relation, story,
};
use crate::diagnostics::Diagnostic;
use crate::driver::Checked;
use crate::emit::Names;
use crate::equivalence::{
    About, Found, Game, Obligation, Relation, Rules, together, why_not_comparable,
};
use crate::generate::Watch;
use crate::sema::program::{CheckDef, CheckKind};
use crate::smt::Answer;

/// Rounds before simple conditions are tried, and after.
const FEW_ROUNDS: usize = 5;
const MANY_ROUNDS: usize = 20;

/// Conditions of more terms than this are not followed further before simple conditions are tried.
const FEW_TERMS: usize = 100;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let [first, second] = check.nets.as_slice() else {
        return Ok(Outcome::unknown("the check is not complete"));
    };
    let left = automaton(checked, check, first, options, watch)?;
    let right = automaton(checked, check, second, options, watch)?;
    if left.stopped || right.stopped {
        return Ok(Outcome::unknown("stopped"));
    }
    let refines = check.kind == CheckKind::Refines;
    let tracking = check.tracking.as_ref().filter(|_| refines);
    if tracking.is_none()
        && let Some(why) = why_not_comparable(&left.automaton, &right.automaton)
    {
        return Ok(Outcome::unknown(format!("they cannot be compared: {why}")));
    }
    let mut world = together(&left.automaton, &right.automaton, &options.generate);
    let tracked = (0..world.holes.len()).filter(|&hole| {
        let path = &world.holes[hole].path;
        tracking.is_none_or(|names| names.iter().any(|name| name.name.as_str() == path))
    });
    let tracked = tracked.collect();
    let weak = (check.kind == CheckKind::WeaklyBisimilar)
        .then(|| [world.weak_steps(0), world.weak_steps(1)]);
    let complete = weak.as_ref().is_none_or(|weak| weak.iter().all(|side| side.complete));
    let rules = Rules { both: !refines, tracked, deadlocks: refines, weak };
    let given = check.relation.map(|id| {
        let written = &checked.program.relations[id.index()];
        relation::of(checked, written, &mut world, options)
    });
    let text = |at: usize| checked.sources.text(check.nets[at].span).to_owned();
    let claim = checked.sources.text(check.span).split_whitespace().collect::<Vec<_>>().join(" ");
    let question = Question {
        nets: (text(0), text(1)),
        names: relation::names_in(checked, check.module, &world),
        certify: options.certificates.then(|| claim.trim_end_matches(';').to_owned()),
    };
    let mut game = Game { world: &mut world, rules };
    Ok(match given {
        Some(Err(why)) => Outcome::unknown(why),
        Some(Ok(relation)) => judged(&mut game, &relation, &question),
        None => search(&mut game, complete, &question, watch),
    })
}

/// What was asked.
struct Question {
    /// The nets as they were written.
    nets: (String, String),
    /// What the module of the check calls what is declared elsewhere.
    names: Names,
    /// The claim as it was written, when a certificate is wanted.
    certify: Option<String>,
}

impl Question {
    fn nets(&self) -> (&str, &str) {
        (&self.nets.0, &self.nets.1)
    }

    /// The certificate of a relation that meets its obligations.
    fn certificate(
        &self,
        game: &Game<'_, '_>,
        relation: &str,
        obligations: &[Obligation],
    ) -> Option<Certificate> {
        let claim = self.certify.as_ref()?;
        Some(certificate::of(game, claim, relation, obligations))
    }
}

/// A relation that somebody wrote: each obligation that is not met is told.
fn judged(game: &mut Game<'_, '_>, relation: &Relation, question: &Question) -> Outcome {
    let obligations = game.obligations(relation);
    let unmet = game.unmet(&obligations);
    let told: Vec<String> =
        unmet.iter().map(|(obligation, answer)| game.failed(&obligation.about, answer)).collect();
    let sure = unmet.iter().any(|(_, answer)| *answer == Answer::Sat);
    let verdict = match told.first() {
        None => {
            Verdict::Proved(format!("the relation meets all {} obligations", obligations.len()))
        }
        Some(_) if sure => {
            let places = unmet.iter().filter_map(|(obligation, _)| match obligation.about {
                About::Initial => None,
                About::Step(pair, _) | About::Stuck(pair) => Some(game.pair_name(pair)),
            });
            let mut places: Vec<String> = places.collect();
            places.dedup();
            Verdict::Refuted(match places.as_slice() {
                [] => "the relation does not relate the initial configurations".to_owned(),
                places => format!("the relation fails in {}", places.join(", ")),
            })
        }
        Some(first) => Verdict::Unknown(first.clone()),
    };
    let evidence = if !told.is_empty() { Evidence::Play(told.join("\n")) } else { Evidence::None };
    let certificate = match verdict {
        Verdict::Proved(_) => {
            let item = relation::item(game.world, relation, question.nets(), &question.names);
            question.certificate(game, &item, &obligations)
        }
        _ => None,
    };
    Outcome { verdict, evidence, certificate }
}

fn search(
    game: &mut Game<'_, '_>,
    complete: bool,
    question: &Question,
    watch: &dyn Watch,
) -> Outcome {
    let mut tried = Vec::new();
    for (most_rounds, most_terms) in [(FEW_ROUNDS, FEW_TERMS), (MANY_ROUNDS, usize::MAX)] {
        match game.largest(most_rounds, most_terms, watch) {
            Found::Relation(relation) => match proved(game, &relation, question) {
                Ok(outcome) => return outcome,
                Err(why) => tried.push(why),
            },
            Found::Apart(rounds) if complete => match game.play(&rounds) {
                Some(play) => {
                    let reason = match play.moves.len() + usize::from(play.stuck.is_some()) {
                        1 => "they are told apart in one move".to_owned(),
                        moves => format!("they are told apart in {moves} moves"),
                    };
                    let evidence = Evidence::Play(story::told(game, &play, question.nets()));
                    return Outcome {
                        verdict: Verdict::Refuted(reason),
                        evidence,
                        certificate: None,
                    };
                }
                // Without a play that can be followed, nothing is refuted.
                None => return Outcome::unknown("they seem to differ, but no play could be made"),
            },
            Found::Apart(_) => {
                return Outcome::unknown(
                    "they differ as far as silent steps could be followed, but not all could",
                );
            }
            Found::Nothing(why, promising) => {
                tried.push(why);
                if most_rounds == FEW_ROUNDS {
                    let found = game.simple(watch, &promising);
                    match found.and_then(|relation| proved(game, &relation, question)) {
                        Ok(outcome) => return outcome,
                        Err(why) => tried.push(why),
                    }
                }
            }
        }
    }
    Outcome::unknown(tried.join("; "))
}

/// A relation that was found is proved like one that somebody wrote.
fn proved(
    game: &mut Game<'_, '_>,
    relation: &Relation,
    question: &Question,
) -> Result<Outcome, String> {
    let obligations = game.obligations(relation);
    match game.unmet(&obligations).first() {
        None => {
            let related = relation
                .iter()
                .filter(|(_, condition)| game.world.terms.as_bool(*condition) != Some(false));
            let reason = match related.count() {
                1 => format!(
                    "by a relation of one pair of states, which meets {} obligations",
                    obligations.len()
                ),
                count => format!(
                    "by a relation of {count} pairs of states, which meets {} obligations",
                    obligations.len()
                ),
            };
            let shown: Relation = relation
                .iter()
                .map(|&(pair, condition)| (pair, game.fewer_parts(condition, &[])))
                .collect();
            let item = relation::item(game.world, &shown, question.nets(), &question.names);
            let certificate = question.certificate(game, &item, &obligations);
            let evidence = Evidence::Relation(item);
            Ok(Outcome { verdict: Verdict::Proved(reason), evidence, certificate })
        }
        Some((obligation, answer)) => Err(game.failed(&obligation.about, answer)),
    }
}
