//! `check bisimilar(A, B)` and its kin.

use super::remake::Remade;
use super::{
    Evidence, Options, Outcome, Story, Verdict, automaton, counted, relation, story, unsure,
    vacuous,
};
use crate::automaton::StateId;
use crate::base::budget::is_spent;
use crate::diagnostics::Diagnostic;
use crate::driver::Checked;
use crate::emit::Names;
use crate::equivalence::{
    About, Found, Game, Observed, Relation, Rules, World, together, why_not_comparable,
};
use crate::generate::Watch;
use crate::pnet::TermId;
use crate::sema::program::{CheckDef, CheckKind, Component, Instance, RelationDef};
use crate::smt::Answer;

/// Rounds before simple conditions are tried, and after.
const FEW_ROUNDS: usize = 5;
const MANY_ROUNDS: usize = 400;

/// Conditions of more terms than this are not followed further before simple conditions are tried: so many, and so many
/// for each variable, since a condition may have something to say of all of them.
const FEW_TERMS: usize = 50;
const FEW_TERMS_EACH: usize = 25;

/// Conditions of more terms than this are not followed further in a hurry.
const MANY_TERMS: usize = 1000;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let given = check.relation.map(|id| &checked.program.relations[id.index()]);
    play(checked, check, given, options, watch, |game, given, complete, question| match given {
        Some(relation) => judged(game, relation, complete, question),
        None => search(game, complete, question),
    })
}

/// What a proof by a relation rests on, made anew from the model and the text of the relation; or why it cannot be.
pub(super) fn remade(
    checked: &Checked,
    check: &CheckDef,
    (relation, meets): (&RelationDef, bool),
    options: &Options,
    watch: &dyn Watch,
) -> Result<Remade, String> {
    let mut made = Err("the relation was not looked at".to_owned());
    let outcome =
        play(checked, check, Some(relation), options, watch, |game, relation, _, question| {
            if let Some(relation) = relation {
                made = rests_on(game, relation, question, meets);
            }
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

/// The automata, the obligations of a relation, and the relation as it is written.
fn rests_on(
    game: &mut Game<'_, '_>,
    relation: &Relation,
    question: &Question,
    meets: bool,
) -> Result<Remade, String> {
    let obligations = game.obligations(relation);
    if meets && let Some((unmet, answer)) = game.unmet(&obligations).first() {
        return Err(game.failed(&unmet.about, answer));
    }
    let obligations: Vec<(String, Vec<TermId>)> = obligations
        .iter()
        .map(|one| (game.obligation_name(&one.about), one.conditions.clone()))
        .collect();
    let found = relation::item(game.world, relation, question.nets(), &question.names);
    Ok(Remade::of(game.world, found, &obligations))
}

/// Makes the game of a comparison, with the relation that is given, and has it looked at.
fn play(
    checked: &Checked,
    check: &CheckDef,
    given: Option<&RelationDef>,
    options: &Options,
    watch: &dyn Watch,
    look: impl FnOnce(&mut Game<'_, '_>, Option<&Relation>, bool, &Question) -> Outcome,
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
    let mut world = together(&left.automaton, &right.automaton, &options.generate, watch);
    if let Some(why) = unsure(&mut world) {
        return Ok(Outcome::unknown(why));
    }
    if let Some(why) = given.and_then(|written| other_nets(checked, check, written)) {
        return Ok(Outcome::unknown(why));
    }
    // A family is tracked as a whole.
    let is = |path: &str, name: &str| {
        path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    for name in tracking.into_iter().flatten() {
        for side in 0..2 {
            let mut holes = world.sides[side].automaton.holes.iter();
            if !holes.any(|hole| is(&hole.path, name.name.as_str())) {
                let net = checked.sources.text(check.nets[side].span);
                return Ok(Outcome::unknown(format!(
                    "`{}` is to be tracked, and `{net}` has no such hole: only holes of both can be",
                    name.name
                )));
            }
        }
    }
    let tracked = (0..world.holes.len()).filter(|&hole| {
        let path = &world.holes[hole].path;
        tracking.is_none_or(|names| names.iter().any(|name| is(path, name.name.as_str())))
    });
    let tracked = tracked.collect();
    let weak = (check.kind == CheckKind::WeaklyBisimilar)
        .then(|| [world.weak_steps(0), world.weak_steps(1)]);
    let complete = weak.as_ref().is_none_or(|weak| weak.iter().all(|side| side.complete));
    let rules = Rules { both: !refines, tracked, deadlocks: refines, weak };
    let given = given.map(|written| relation::of(checked, written, &mut world, options));
    let text = |at: usize| checked.sources.text(check.nets[at].span).to_owned();
    let question = Question {
        checked,
        nets: (text(0), text(1)),
        names: relation::names_in(checked, check.module, &world),
    };
    if is_spent() {
        return Ok(Outcome::unknown("stopped"));
    }
    let notes =
        if rules.weak.is_some() { observed(&mut world, question.nets()) } else { Vec::new() };
    let mut vacuous = vacuous::comparison([
        (question.nets().0, &left.automaton),
        (question.nets().1, &right.automaton),
    ]);
    if let Some(written) = check.relation.map(|id| &checked.program.relations[id.index()]) {
        vacuous.extend(relation::unreached(checked, written, &world));
    }
    let mut game = Game { world: &mut world, rules };
    let outcome = match given {
        Some(Err(why)) => Outcome::unknown(why),
        Some(Ok(relation)) => look(&mut game, Some(&relation), complete, &question),
        None => look(&mut game, None, complete, &question),
    };
    if !matches!(outcome.verdict, Verdict::Proved(_)) {
        vacuous.clear();
    }
    Ok(Outcome { notes, vacuous, ..outcome })
}

/// Why a relation cannot be used, when it is one of other nets.
fn other_nets(checked: &Checked, check: &CheckDef, written: &RelationDef) -> Option<String> {
    let same = |a: &Instance, b: &Instance| match (&a.component, &b.component) {
        (Component::Process(a), Component::Process(b)) => a == b,
        (Component::Net(a), Component::Net(b)) => a == b,
        _ => true,
    };
    if written.nets.iter().zip(&check.nets).all(|(a, b)| same(a, b)) {
        return None;
    }
    let text = |nets: &[Instance]| {
        let texts = nets.iter().map(|net| format!("`{}`", checked.sources.text(net.span)));
        texts.collect::<Vec<_>>().join(" and ")
    };
    Some(format!(
        "`{}` is a relation of {}, in this order, and the check is about {}",
        written.named.name,
        text(&written.nets),
        text(&check.nets)
    ))
}

/// What is to be said where silent actions of holes are observed: what is found out about the nets then says nothing
/// about them with these holes filled.
fn observed(world: &mut World<'_>, nets: (&str, &str)) -> Vec<String> {
    let mut notes = Vec::new();
    for (side, net) in [nets.0, nets.1].into_iter().enumerate() {
        for one in world.observations(side) {
            let state = world.sides[side].automaton.state_name(StateId(one.state as u32));
            let hole = &world.holes[one.hole].path;
            let how = match one.observed {
                Observed::Tau => format!("in {state}, `tau` of `{hole}` cannot pass unseen"),
                Observed::Sync => {
                    format!("in {state}, not every synchronised action of `{hole}` can pass unseen")
                }
                Observed::More => format!("in {state}, more happens when `{hole}` is silent"),
            };
            notes.push(format!(
                "`{net}` observes silent actions of `{hole}`: {how}; with `{hole}` filled, this may come out \
                 differently"
            ));
        }
    }
    notes.dedup();
    notes
}

/// What was asked.
struct Question<'c> {
    /// The model.
    checked: &'c Checked,
    /// The nets as they were written.
    nets: (String, String),
    /// What the module of the check calls what is declared elsewhere.
    names: Names,
}

impl Question<'_> {
    fn nets(&self) -> (&str, &str) {
        (&self.nets.0, &self.nets.1)
    }
}

/// A relation that somebody wrote: each obligation that is not met is told.
fn judged(
    game: &mut Game<'_, '_>,
    relation: &Relation,
    complete: bool,
    question: &Question<'_>,
) -> Outcome {
    let obligations = game.obligations(relation);
    let unmet = game.unmet(&obligations);
    let mut told: Vec<String> = Vec::with_capacity(unmet.len());
    for (obligation, answer) in &unmet {
        let found = (*answer == Answer::Sat).then(|| game.counterexample(obligation)).flatten();
        told.push(match (&obligation.about, found) {
            (About::Step(pair, challenge), Some(found)) => story::failed(
                game,
                (*pair, challenge.side),
                &found,
                question.checked,
                question.nets(),
            ),
            _ => game.failed(&obligation.about, answer),
        });
    }
    // Where weak steps may be missing, so may answers.
    let sure = complete && unmet.iter().any(|(_, answer)| *answer == Answer::Sat);
    let verdict = match told.first() {
        None => {
            let all = counted(obligations.len(), "obligation");
            Verdict::Proved(format!("the relation meets its {all}"))
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
    let evidence = if !told.is_empty() {
        Evidence::Play(Story { text: told.join("\n"), ..Story::default() })
    } else {
        Evidence::None
    };
    let found = match verdict {
        Verdict::Proved(_) => {
            vec![relation::item(game.world, relation, question.nets(), &question.names)]
        }
        _ => Vec::new(),
    };
    Outcome { evidence, found, ..verdict.into() }
}

/// Looks for a relation, or for a play: first with little time for each question, so that one that is hard to answer
/// does not keep from ways that need not ask it.
fn search(game: &mut Game<'_, '_>, complete: bool, question: &Question<'_>) -> Outcome {
    if let Some(relation) = game.obvious()
        && let Ok(outcome) = proved(game, &relation, question)
    {
        return outcome;
    }
    game.world.hurry();
    let soon = in_several_ways(game, complete, question, MANY_TERMS);
    game.world.no_hurry();
    let found = soon.or_else(|_| in_several_ways(game, complete, question, usize::MAX));
    found.unwrap_or_else(|tried| {
        let mut said: Vec<String> = Vec::with_capacity(tried.len());
        for why in tried {
            if !said.contains(&why) {
                said.push(why);
            }
        }
        Outcome::unknown(said.join("; "))
    })
}

/// Looks for a relation, or for a play, in one way after the other; if in vain, why each of them was.
fn in_several_ways(
    game: &mut Game<'_, '_>,
    complete: bool,
    question: &Question<'_>,
    most_terms: usize,
) -> Result<Outcome, Vec<String>> {
    let mut tried: Vec<String> = Vec::new();
    let variables: usize = game.world.sides.iter().map(|side| side.variables.len()).sum();
    let few_terms = FEW_TERMS + FEW_TERMS_EACH * variables;
    let promising = match game.largest(FEW_ROUNDS, few_terms) {
        Found::Nothing(why, promising) => {
            tried.push(why);
            promising
        }
        found => match ended(game, found, complete, question) {
            Ok(outcome) => return Ok(outcome),
            Err(why) => {
                tried.push(why);
                Vec::new()
            }
        },
    };
    match game.simple(&promising).and_then(|relation| proved(game, &relation, question)) {
        Ok(outcome) => return Ok(outcome),
        Err(why) => tried.push(why),
    }
    game.world.infer(0);
    game.world.infer(1);
    let found = game.largest(MANY_ROUNDS, most_terms);
    ended(game, found, complete, question).map_err(|why| {
        tried.push(why);
        tried
    })
}

/// What the rounds have come to: a proof, a play, or that one of these could not be made. Otherwise, why not.
fn ended(
    game: &mut Game<'_, '_>,
    found: Found,
    complete: bool,
    question: &Question<'_>,
) -> Result<Outcome, String> {
    Ok(match found {
        Found::Nothing(why, _) => return Err(why),
        Found::Relation(relation) => return proved(game, &relation, question),
        Found::Apart(_) if !complete => Outcome::unknown(
            "they differ as far as silent steps could be followed, but not all could",
        ),
        Found::Apart(rounds) => match game.play(&rounds) {
            Some(play) => {
                let reason = match play.moves.len() + usize::from(play.stuck.is_some()) {
                    1 => "they are told apart in one move".to_owned(),
                    moves => format!("they are told apart in {moves} moves"),
                };
                let evidence =
                    Evidence::Play(story::told(game, &play, question.checked, question.nets()));
                Outcome { evidence, ..Verdict::Refuted(reason).into() }
            }
            // Without a play that can be followed, nothing is refuted.
            None => Outcome::unknown("they seem to differ, but no play could be made"),
        },
    })
}

/// A relation that was found is proved like one that somebody wrote.
fn proved(
    game: &mut Game<'_, '_>,
    relation: &Relation,
    question: &Question<'_>,
) -> Result<Outcome, String> {
    let obligations = game.obligations(relation);
    match game.unmet(&obligations).first() {
        None => {
            let related = relation
                .iter()
                .filter(|(_, condition)| game.world.terms.as_bool(*condition) != Some(false));
            let pairs = match related.count() {
                1 => "one pair".to_owned(),
                count => counted(count, "pair"),
            };
            let met = counted(obligations.len(), "obligation");
            let reason = format!("by a relation of {pairs} of states, which meets {met}");
            let shown: Relation = relation
                .iter()
                .map(|&(pair, condition)| (pair, game.fewer_parts(condition, &[])))
                .collect();
            let item = relation::item(game.world, &shown, question.nets(), &question.names);
            // What was left out for the sake of brevity may be needed after all.
            let whole = relation::item(game.world, relation, question.nets(), &question.names);
            let found = vec![item.clone(), whole];
            let evidence = Evidence::Relation(item);
            Ok(Outcome { evidence, found, ..Verdict::Proved(reason).into() })
        }
        Some((obligation, answer)) => Err(game.failed(&obligation.about, answer)),
    }
}
