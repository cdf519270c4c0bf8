//! `check bisimilar(A, B)` and its kin: who answers, and how a solver does.
//!
//! Without `--engine`, the open automata are compared for a short while, with a solver; then the nets configuration by
//! configuration (`pairwise`), where their data are finite and there is not too much of it; then the automata for as long as
//! it takes, and at last the configurations, however many there are. Both answer the same question.

use std::collections::BTreeSet;

use super::explored::{Effort, Tried};
use super::refusal::NoCertificate;
use super::remake::Remade;
use super::safety::{Limited, settled};
use super::{ModelOptions, automaton, compared, composed, pairwise, relation, story, vacuous};
use crate::algebra::TermId;
use crate::base::budget::is_spent;
use crate::diagnostics::Diagnostic;
use crate::emit::{Names, outcome as words};
use crate::equivalence::{
    About, Both, Fixpoint, Game, GameRules, Holes, Product, Relation, SideId,
    VerificationCondition, WeakSteps, weak_steps, why_not_comparable,
};
use crate::explore::EngineChoice;
use crate::generate::Watch;
use crate::model::Checked;
use crate::outcome::{
    self, Divergence, Evidence, Failure, Incomparable, Note, Outcome, Reason, Statistics, Vacuity,
    Verdict,
};
use crate::pnet::HoleId;
use crate::sema::program::{CheckDef, CheckKind, Component, Instance, RelationDef};
use crate::smt::Answer;
use crate::syntax::ast::Ident;

/// Rounds before simple conditions are tried, and after.
const FEW_ROUNDS: usize = 5;
const MANY_ROUNDS: usize = 400;

/// Conditions of more terms than this are not followed further before simple conditions are tried: so many, and so many
/// for each variable, since a condition may have something to say of all of them.
const FEW_TERMS: usize = 50;
const FEW_TERMS_EACH: usize = 25;

/// Conditions of more terms than this are not followed further in a hurry.
const MANY_TERMS: usize = 1000;

/// How often the quick look at the open automata may look at its budget.
const QUICK: u64 = 20_000;

/// What kind of comparison is asked for.
pub(super) struct Kind {
    /// Whether it is in one direction, with deadlocks and tracked holes.
    pub refines: bool,
    /// Whether silent steps do not count.
    pub weak: bool,
}

impl Kind {
    pub(super) fn of(check: &CheckDef) -> Kind {
        Kind {
            refines: check.kind.is_refinement(),
            weak: matches!(check.kind, CheckKind::WeaklyBisimilar | CheckKind::WeaklyRefines),
        }
    }
}

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    if let Some(used) = check.reduction {
        let method = composed::written(checked, check, used.id);
        return compared::check(checked, check, (&method, used.of), options, watch);
    }
    match options.explore.engine {
        _ if check.relation.is_some() => symbolic(checked, check, options, watch),
        EngineChoice::Symbolic => symbolic(checked, check, options, watch),
        EngineChoice::Explicit => {
            pairwise::check(checked, check, options, Effort::ALL, watch).map(settled)
        }
        EngineChoice::Composition => match composed::method_of(check.kind) {
            Some(method) => {
                compared::check(checked, check, (&method, [true, true]), options, watch)
            }
            None => by_whoever_can(checked, check, options, watch),
        },
        _ => by_whoever_can(checked, check, options, watch),
    }
}

/// Asks what is cheap first.
fn by_whoever_can(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let budget = watch.budget().part_of_work(QUICK);
    let quick = Limited { watch, budget: budget.clone() };
    let soon = {
        let _here = budget.enter();
        symbolic(checked, check, options, &quick)
    };
    let at_end = budget.spent().is_none();
    let is_settled = match &soon {
        Ok(outcome) => outcome.verdict != Verdict::Unknown || is_final(&outcome.reason),
        Err(_) => true,
    };
    if at_end && is_settled || watch.budget().spent().is_some() {
        return soon;
    }
    let explored = |effort| pairwise::check(checked, check, options, effort, watch);
    let why = match explored(Effort::SOME)? {
        Tried::Settled(outcome) => return Ok(outcome),
        Tried::Open(why) => why,
    };
    let outcome = if at_end { soon? } else { symbolic(checked, check, options, watch)? };
    let more = outcome.verdict == Verdict::Unknown && matches!(why, Reason::NotFinite { .. });
    if !more || is_final(&outcome.reason) || watch.budget().spent().is_some() {
        return Ok(outcome);
    }
    Ok(match explored(Effort::MUCH)? {
        Tried::Settled(found) => found,
        Tried::Open(_) => outcome,
    })
}

/// Whether nobody else could say more.
fn is_final(reason: &Reason) -> bool {
    matches!(reason, Reason::NotComparable(_) | Reason::AxiomsContradict | Reason::Incomplete)
}

/// The open automata are compared, with a solver.
pub(super) fn symbolic(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let given = check.relation.map(|id| &checked.program.relations[id.index()]);
    let Kind { refines, weak } = Kind::of(check);
    let played = play(checked, check, given, options, watch, |game, given, complete, question| {
        let outcome = match given {
            Some(relation) => judged(game, relation, complete, question),
            None => search(game, complete, question),
        };
        let more = if refines && weak { diverges(game, question) } else { None };
        (outcome, more)
    })?;
    Ok(match played {
        Err(reason) => Outcome::unknown(reason),
        Ok(((outcome, more), around)) => {
            let proved = outcome.verdict == Verdict::Proved;
            let vacuous = if proved { around.vacuous } else { Vec::new() };
            let notes = around.notes.into_iter().chain(more).collect();
            Outcome { notes, vacuous, statistics: around.statistics, ..outcome }
        }
    })
}

/// What a proof by a relation rests on, made anew from the model and the text of the relation; or why it cannot be.
pub(super) fn remade(
    checked: &Checked,
    check: &CheckDef,
    (relation, meets): (&RelationDef, bool),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Remade, NoCertificate> {
    let played =
        play(checked, check, Some(relation), options, watch, |game, relation, _, question| {
            relation.map(|relation| rests_on(game, relation, question, meets))
        });
    match played {
        Ok(Ok((Some(made), _))) => made,
        Ok(Err(reason)) => Err(reason.into()),
        Ok(Ok((None, _))) | Err(_) => Err(NoCertificate::RelationNotLookedAt),
    }
}

/// The automata, the obligations of a relation, and the relation as it is written.
fn rests_on(
    game: &mut Game<'_, '_>,
    relation: &Relation,
    question: &Question,
    meets: bool,
) -> Result<Remade, NoCertificate> {
    let obligations = game.obligations(relation);
    if meets && let Some((unmet, answer)) = game.unmet(&obligations).first() {
        let reason: Reason = game.failed(&unmet.about, answer).into();
        return Err(reason.into());
    }
    let name = |one: &VerificationCondition| words::obligation(&game.obligation_kind(&one.about));
    let obligations: Vec<(String, Vec<TermId>)> =
        obligations.iter().map(|one| (name(one), one.conditions.clone())).collect();
    let found =
        relation::found((game.sides, game.prover), relation, question.nets(), &question.names);
    Ok(Remade::of((game.sides, game.prover), found.item, &obligations))
}

/// What is known of a comparison besides its outcome.
struct Around {
    notes: Vec<Note>,
    vacuous: Vec<Vacuity>,
    statistics: Statistics,
}

/// Makes the game of a comparison, with the relation that is given, and has it looked at; or says why there is none.
fn play<T>(
    checked: &Checked,
    check: &CheckDef,
    given: Option<&RelationDef>,
    options: &ModelOptions,
    watch: &dyn Watch,
    look: impl FnOnce(&mut Game<'_, '_>, Option<&Relation>, bool, &Question) -> T,
) -> Result<Result<(T, Around), Reason>, Vec<Diagnostic>> {
    let [first, second] = check.nets.as_slice() else { return Ok(Err(Reason::Incomplete)) };
    let left = automaton(checked, check, first, options, watch)?;
    let right = automaton(checked, check, second, options, watch)?;
    if left.stopped || right.stopped {
        return Ok(Err(Reason::Stopped));
    }
    let Kind { refines, weak } = Kind::of(check);
    let tracking = check.tracking.as_deref().filter(|_| refines);
    if let Some(why) = incomparable(checked, check, [&left.automaton.holes, &right.automaton.holes])
    {
        return Ok(Err(Reason::NotComparable(why)));
    }
    let asking = options.generate.asking();
    let mut product = Product::of(&left.automaton, &right.automaton, asking, watch);
    if product.prover.axioms_contradict() {
        return Ok(Err(Reason::AxiomsContradict));
    }
    if let Some(why) = given.and_then(|written| other_nets(checked, check, written)) {
        return Ok(Err(why));
    }
    let holes = &product.sides.holes;
    let tracked = holes.ids().filter(|&hole| {
        let path = &holes[hole].path;
        tracking.is_none_or(|names| names.iter().any(|name| is_hole_of(path, name.name.as_str())))
    });
    let tracked: Vec<HoleId> = tracked.collect();
    let weak = weak.then(|| {
        let Product { sides, prover, facts } = &mut product;
        Both(SideId::BOTH.map(|side| match side {
            // Whoever only challenges answers nothing.
            SideId::Left if refines => WeakSteps::none(&sides[side]),
            _ => weak_steps(&sides[side], &facts[side], prover, &tracked),
        }))
    });
    let complete = weak.as_ref().is_none_or(|weak| weak.0.iter().all(|side| side.complete));
    let rules = GameRules { both: !refines, tracked, deadlocks: refines, weak: weak.as_ref() };
    let given = given.map(|written| {
        let Product { sides, prover, .. } = &mut product;
        relation::of(checked, written, (sides, prover), options)
    });
    let given = match given {
        Some(Err(why)) => {
            return Ok(Err(Reason::UnclearRelation { why: why.to_string() }));
        }
        given => given.and_then(Result::ok),
    };
    let text = |at: usize| checked.sources.text(check.nets[at].span).to_owned();
    let question = Question {
        checked,
        nets: (text(0), text(1)),
        names: relation::names_in(checked, check.module, &left.automaton.algebra),
    };
    if is_spent() {
        return Ok(Err(Reason::Stopped));
    }
    let notes = match rules.weak {
        Some(_) => observed(&mut product, &rules.tracked, question.nets()),
        None => Vec::new(),
    };
    let mut vacuous = vacuous::comparison([
        (question.nets().0, &left.automaton),
        (question.nets().1, &right.automaton),
    ]);
    if let Some(written) = check.relation.map(|id| &checked.program.relations[id.index()]) {
        vacuous.extend(relation::unreached(checked, written, &product.sides));
    }
    let Product { sides, mut prover, facts } = product;
    let looked = {
        let mut game = Game::new(&sides, &mut prover, facts, rules);
        look(&mut game, given.as_ref(), complete, &question)
    };
    let statistics = Statistics {
        states: left.automaton.states.len() + right.automaton.states.len(),
        transitions: left.automaton.transitions.len() + right.automaton.transitions.len(),
        queries: prover.queries(),
        ..Statistics::default()
    };
    Ok(Ok((looked, Around { notes, vacuous, statistics })))
}

/// Why two nets cannot be compared, in the words of the check, and what could be tracked for them to be.
pub(super) fn incomparable(
    checked: &Checked,
    check: &CheckDef,
    holes: [&Holes; 2],
) -> Option<Incomparable> {
    let refines = Kind::of(check).refines;
    if let Some(names) = check.tracking.as_deref().filter(|_| refines) {
        return untracked(checked, check, holes, names);
    }
    let net = |side: usize| (checked.sources.text(check.nets[side].span), holes[side]);
    let mut why = why_not_comparable([net(0), net(1)])?;
    if let Incomparable::HoleMissing { tracking, .. } = &mut why
        && refines
    {
        *tracking = Some(trackable(holes));
    }
    Some(why)
}

/// The holes that both have. A family is tracked as a whole, so that all its members must be holes of both.
fn trackable(holes: [&Holes; 2]) -> Vec<String> {
    let family = |path: &str| path.split(['[', '.']).next().unwrap_or(path).to_owned();
    let holes = holes
        .map(|holes| -> BTreeSet<&str> { holes.iter().map(|hole| hole.path.as_str()).collect() });
    let apart: BTreeSet<String> =
        holes[0].symmetric_difference(&holes[1]).map(|path| family(path)).collect();
    let shared = holes[0].intersection(&holes[1]).map(|path| family(path));
    let shared: BTreeSet<String> = shared.filter(|name| !apart.contains(name)).collect();
    shared.into_iter().collect()
}

/// Whether a hole is the one that has a name, or a member of the family that has it: a family is tracked as a whole.
pub(super) fn is_hole_of(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// Why holes cannot be tracked, when one side has a hole that the other lacks.
fn untracked(
    checked: &Checked,
    check: &CheckDef,
    holes: [&Holes; 2],
    names: &[Ident],
) -> Option<Incomparable> {
    let holes_of = |side: SideId, name: &str| -> BTreeSet<&str> {
        let paths = holes[side as usize].iter().map(|hole| hole.path.as_str());
        paths.filter(|path| is_hole_of(path, name)).collect()
    };
    let net = |side: SideId| checked.sources.text(check.nets[side as usize].span).to_owned();
    for ident in names {
        let name = ident.name.as_str();
        let holes = Both(SideId::BOTH.map(|side| holes_of(side, name)));
        if let Some(side) = SideId::BOTH.into_iter().find(|&side| holes[side].is_empty()) {
            return Some(Incomparable::Untracked { hole: name.to_owned(), net: net(side) });
        }
        for side in SideId::BOTH {
            let other = side.other();
            if let Some(hole) = holes[side].difference(&holes[other]).next() {
                return Some(Incomparable::TrackedInPart {
                    family: name.to_owned(),
                    hole: (*hole).to_owned(),
                    net: net(side),
                    other: net(other),
                });
            }
        }
    }
    None
}

/// Why a relation cannot be used, when it is one of other nets.
fn other_nets(checked: &Checked, check: &CheckDef, written: &RelationDef) -> Option<Reason> {
    let same = |a: &Instance, b: &Instance| match (&a.component, &b.component) {
        (Component::Process(a), Component::Process(b)) => a == b,
        (Component::Net(a), Component::Net(b)) => a == b,
        _ => true,
    };
    if written.nets.iter().zip(&check.nets).all(|(a, b)| same(a, b)) {
        return None;
    }
    let texts = |nets: &[Instance]| -> Vec<String> {
        nets.iter().map(|net| checked.sources.text(net.span).to_owned()).collect()
    };
    Some(Reason::RelationOfOthers {
        relation: written.named.name.to_string(),
        its_nets: texts(&written.nets),
        nets: texts(&check.nets),
    })
}

/// What is to be said where silent actions of holes are observed: what is found out about the nets then says nothing
/// about them with these holes filled.
fn observed(product: &mut Product<'_>, tracked: &[HoleId], nets: (&str, &str)) -> Vec<Note> {
    let mut notes = Vec::new();
    for (side, net) in SideId::BOTH.into_iter().zip([nets.0, nets.1]) {
        for one in product.observations(side, tracked) {
            let state = product.sides[side].state_name(one.state);
            let hole = product.sides.holes[one.hole].path.clone();
            notes.push(Note::Observes { net: net.to_owned(), hole, state, what: one.observed });
        }
    }
    notes.dedup();
    notes
}

/// What is to be said where the first can go on silently for ever, by itself or with its holes, and the second cannot. It
/// gets little time: the verdict does not depend on it.
fn diverges(game: &mut Game<'_, '_>, question: &Question<'_>) -> Option<Note> {
    game.prover.hurry();
    let found = [false, true].into_iter().find_map(|with_holes| {
        if with_holes && game.sides.holes.is_empty() {
            return None;
        }
        let first = game.goes_on_silently(SideId::Left, with_holes);
        let second = match first {
            Some(false) => return None,
            _ => game.goes_on_silently(SideId::Right, with_holes),
        };
        Some((with_holes, first, second))
    });
    game.prover.no_hurry();
    let (with_holes, first, second) = found?;
    let known = match (first, second) {
        (Some(true), Some(false)) => Divergence::FirstAlone,
        (Some(true), None) => Divergence::First,
        (None, Some(false)) => Divergence::NotSecond,
        _ => return None,
    };
    let (net, other) = (question.nets.0.clone(), question.nets.1.clone());
    Some(Note::Diverges { net, other, with_holes, known })
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
    let duties = game.obligations(relation);
    let unmet = game.unmet(&duties);
    let mut failures: Vec<Failure> = Vec::with_capacity(unmet.len());
    for (obligation, answer) in &unmet {
        let found = (*answer == Answer::Sat).then(|| game.counterexample(obligation)).flatten();
        let step = match (&obligation.about, found) {
            (About::Step(pair, challenge), Some(found)) => {
                let place = (*pair, challenge.side);
                Some(story::failed(game, place, &found, question.checked, question.nets()))
            }
            _ => None,
        };
        failures.push(Failure { step, ..game.failed(&obligation.about, answer) });
    }
    let obligations = statuses(game, &duties, &unmet);
    // Where weak steps may be missing, so may answers.
    let sure = complete && unmet.iter().any(|(_, answer)| *answer == Answer::Sat);
    let (verdict, reason) = match failures.first() {
        None => (Verdict::Proved, Reason::RelationMeets { obligations: duties.len() }),
        Some(_) if sure => (Verdict::Refuted, fails_in(game, &unmet)),
        Some(first) => (Verdict::Unknown, first.clone().into()),
    };
    let found = match verdict {
        Verdict::Proved => {
            let found = relation::found(
                (game.sides, game.prover),
                relation,
                question.nets(),
                &question.names,
            );
            vec![outcome::Found(found.item)]
        }
        _ => Vec::new(),
    };
    let evidence =
        if failures.is_empty() { Evidence::None } else { Evidence::Failures { failures } };
    Outcome { evidence, obligations, found, ..Outcome::new(verdict, reason) }
}

/// What became of each obligation.
fn statuses(
    game: &Game<'_, '_>,
    all: &[VerificationCondition],
    unmet: &[(VerificationCondition, Answer)],
) -> Vec<outcome::Obligation> {
    let status = |one: &VerificationCondition| {
        let answer = unmet.iter().find(|(other, _)| other.about == one.about);
        game.status(&one.about, answer.map_or(&Answer::Unsat, |(_, answer)| answer))
    };
    all.iter().map(status).collect()
}

/// Where a relation fails.
fn fails_in(game: &Game<'_, '_>, unmet: &[(VerificationCondition, Answer)]) -> Reason {
    let mut pairs: Vec<String> = Vec::new();
    for (obligation, _) in unmet {
        if let About::Step(pair, _) | About::Stuck(pair) = obligation.about {
            let (first, second) = game.pair_names(pair);
            pairs.push(format!("({first}, {second})"));
        }
    }
    pairs.dedup();
    match pairs.as_slice() {
        [] => Reason::RelationFailsInitially,
        _ => Reason::RelationFails { pairs },
    }
}

/// Looks for a relation, or for a play: first with little time for each question, so that one that is hard to answer
/// does not keep from ways that need not ask it.
fn search(game: &mut Game<'_, '_>, complete: bool, question: &Question<'_>) -> Outcome {
    if let Some(relation) = game.obvious()
        && let Ok(outcome) = proved(game, &relation, question)
    {
        return outcome;
    }
    game.prover.hurry();
    let soon = in_several_ways(game, complete, question, MANY_TERMS);
    game.prover.no_hurry();
    let found = soon.or_else(|_| in_several_ways(game, complete, question, usize::MAX));
    found.unwrap_or_else(|ways| Outcome::unknown(Reason::Tried { ways }))
}

/// Looks for a relation, or for a play, in one way after the other; if in vain, why each of them was.
fn in_several_ways(
    game: &mut Game<'_, '_>,
    complete: bool,
    question: &Question<'_>,
    most_terms: usize,
) -> Result<Outcome, Vec<Reason>> {
    let mut tried: Vec<Reason> = Vec::new();
    let variables: usize = game.sides.iter().map(|side| side.variables.len()).sum();
    let few_terms = FEW_TERMS + FEW_TERMS_EACH * variables;
    let promising = match game.largest(FEW_ROUNDS, few_terms) {
        Fixpoint::Nothing(why, promising) => {
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
    for side in SideId::BOTH {
        game.facts[side].infer(&game.sides[side], game.prover);
    }
    let found = game.largest(MANY_ROUNDS, most_terms);
    ended(game, found, complete, question).map_err(|why| {
        tried.push(why);
        tried
    })
}

/// What the rounds have come to: a proof, a play, or that one of these could not be made. Otherwise, why not.
fn ended(
    game: &mut Game<'_, '_>,
    found: Fixpoint,
    complete: bool,
    question: &Question<'_>,
) -> Result<Outcome, Reason> {
    Ok(match found {
        Fixpoint::Nothing(why, _) => return Err(why),
        Fixpoint::Relation(relation) => return proved(game, &relation, question),
        Fixpoint::Apart(_) if !complete => Outcome::unknown(Reason::SilentStepsMissing),
        Fixpoint::Apart(rounds) => match game.play(&rounds) {
            Some(play) => {
                let moves = play.moves.len() + usize::from(play.stuck.is_some());
                let told = story::told(game, &play, question.checked, question.nets());
                let refuted = Outcome::new(Verdict::Refuted, Reason::ToldApart { moves });
                Outcome { evidence: Evidence::Play(told), ..refuted }
            }
            // Without a play that can be followed, nothing is refuted.
            None => Outcome::unknown(Reason::NoPlay),
        },
    })
}

/// A relation that was found is proved like one that somebody wrote.
fn proved(
    game: &mut Game<'_, '_>,
    relation: &Relation,
    question: &Question<'_>,
) -> Result<Outcome, Reason> {
    let duties = game.obligations(relation);
    let unmet = game.unmet(&duties);
    if let Some((obligation, answer)) = unmet.first() {
        return Err(game.failed(&obligation.about, answer).into());
    }
    let yes = |condition: TermId| game.prover.terms.as_bool(condition) != Some(false);
    let pairs = relation.iter().filter(|(_, condition)| yes(*condition)).count();
    let reason = Reason::RelationFound { pairs, obligations: duties.len() };
    let obligations = statuses(game, &duties, &unmet);
    let shown: Relation = relation
        .iter()
        .map(|&(pair, condition)| (pair, game.prover.fewer_parts(condition, &[])))
        .collect();
    let short =
        relation::found((game.sides, game.prover), &shown, question.nets(), &question.names);
    // What was left out for the sake of brevity may be needed after all.
    let whole =
        relation::found((game.sides, game.prover), relation, question.nets(), &question.names);
    let found = vec![outcome::Found(short.item.clone()), outcome::Found(whole.item)];
    let evidence = Evidence::Relation(short);
    Ok(Outcome { evidence, obligations, found, ..Outcome::new(Verdict::Proved, reason) })
}
