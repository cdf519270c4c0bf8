//! Parts of a property that say nothing because what they depend on never happens: `p => q` where `p` never holds.
//!
//! Found are the premises of a property: what stands before `=>`, and what is negated in a disjunction beside something that
//! is not, also under `and` and `forall`, and premises under premises. Whether one ever holds is a question like any other, `reaches`,
//! and what is said here was answered by *never*; where nobody answers soon, nothing is said.

use super::explored::{self, Effort, Tried};
use super::safety::{Limited, is_small};
use super::{ModelOptions, engines, given, reach};
use crate::base::Watch;
use crate::model::Checked;
use crate::outcome::{Outcome, Reason, Vacuity, Verdict};
use crate::safety::Induction;
use crate::sema::program::{CheckDef, CheckKind, Expr, ExprKind, LocalId, Sort};
use crate::syntax::ast::Operator;

/// No more premises than these are asked about.
const MOST: usize = 6;

/// How often those that are asked may look at their budget.
const PATIENCE: u64 = 2_000;

/// What takes a blink.
const LITTLE: Effort = Effort { most_states: 20_000, most_transitions: 200_000, ..Effort::ALL };

/// A premise of a property.
#[derive(Debug)]
pub(super) struct Premise {
    /// That it holds, for some values of what is bound.
    pub holds: Expr,
    /// What says so, or the opposite.
    told: Vec<Expr>,
    /// Whether `told` are parts of a disjunction, which hold where the premise does not.
    opposite: bool,
    /// What it depends on.
    bound: Vec<LocalId>,
    /// What is claimed where it holds.
    claim: Expr,
}

/// The premises of the property of a check, the outer ones first. Only what is always so has any.
fn premises(check: &CheckDef) -> Vec<Premise> {
    let mut found = Vec::new();
    if let (CheckKind::Always, Some(property), false) = (check.kind, &check.property, check.negated)
    {
        collect(property, &Context::default(), &mut found);
    }
    found.truncate(MOST);
    found
}

/// What holds where a part of a property is asked.
#[derive(Clone, Default)]
struct Context {
    premises: Vec<Expr>,
    told: Vec<Expr>,
    bound: Vec<LocalId>,
}

fn collect(expr: &Expr, context: &Context, found: &mut Vec<Premise>) {
    match &expr.kind {
        ExprKind::Quantified(true, bound, inner) => {
            let mut context = context.clone();
            context.bound.extend(bound);
            collect(inner, &context, found);
        }
        ExprKind::Implies(both) => {
            let mut context = context.clone();
            context.premises.push(both.0.clone());
            context.told.push(both.0.clone());
            // That something leads to what is false is a way to say that it never holds.
            if !matches!(both.1.kind, ExprKind::Bool(false)) {
                found.push(premise(&context, (context.told.clone(), false), expr));
            }
            collect(&both.1, &context, found);
        }
        ExprKind::Chain(chain) if is_all(&chain.1, Operator::And) => {
            parts(chain).for_each(|part| collect(part, context, found));
        }
        ExprKind::Chain(chain) if is_all(&chain.1, Operator::Or) && context.premises.is_empty() => {
            disjunction(parts(chain), context, expr, found);
        }
        _ => {}
    }
}

/// A disjunction of which some parts are negated, and some are not: it says something where the former do not hold.
fn disjunction<'e>(
    parts: impl Iterator<Item = &'e Expr>,
    context: &Context,
    expr: &Expr,
    found: &mut Vec<Premise>,
) {
    let (mut negated, mut others) = (Vec::new(), 0);
    for part in parts {
        match opposite(part) {
            Some(opposite) => negated.push((part.clone(), opposite)),
            None => others += 1,
        }
    }
    if negated.is_empty() || others == 0 {
        return;
    }
    let mut context = context.clone();
    context.premises.extend(negated.iter().map(|(_, opposite)| opposite.clone()));
    let told = negated.into_iter().map(|(part, _)| part).collect();
    found.push(premise(&context, (told, true), expr));
}

/// What a negated expression denies.
fn opposite(expr: &Expr) -> Option<Expr> {
    match &expr.kind {
        ExprKind::Not(inner) => Some((**inner).clone()),
        ExprKind::InState(test, true) => {
            Some(Expr { kind: ExprKind::InState(test.clone(), false), ..expr.clone() })
        }
        _ => None,
    }
}

fn is_all(rest: &[(Operator, Expr)], operator: Operator) -> bool {
    rest.iter().all(|(one, _)| *one == operator)
}

fn parts(chain: &(Expr, Vec<(Operator, Expr)>)) -> impl Iterator<Item = &Expr> {
    std::iter::once(&chain.0).chain(chain.1.iter().map(|(_, part)| part))
}

fn premise(context: &Context, (told, opposite): (Vec<Expr>, bool), claim: &Expr) -> Premise {
    let all = context.premises.iter().cloned();
    let kind = match all.clone().next() {
        Some(first) => {
            let rest = all.skip(1).map(|one| (Operator::And, one)).collect();
            ExprKind::Chain(Box::new((first, rest)))
        }
        None => ExprKind::Bool(true),
    };
    let made = |kind: ExprKind| Expr { kind, sort: Sort::Bool, span: claim.span };
    let mut holds = made(kind);
    if !context.bound.is_empty() {
        let inner = Box::new(holds);
        holds = made(ExprKind::Quantified(false, context.bound.clone(), inner));
    }
    Premise { holds, told, opposite, bound: context.bound.clone(), claim: claim.clone() }
}

impl Premise {
    /// That it never holds, in the words of the model.
    pub fn never(&self, checked: &Checked, check: &CheckDef) -> Vacuity {
        let text = |expr: &Expr| given::condition_text(checked, expr.span);
        let name = |id: &LocalId| check.locals.get(id.index()).map(|local| local.name.to_string());
        Vacuity::Idle {
            parts: self.told.iter().map(text).collect(),
            always: self.opposite,
            whatever: self.bound.iter().filter_map(name).collect(),
            claim: text(&self.claim),
        }
    }
}

/// What a proof of a check says nothing about: premises that never hold, as far as this is known soon.
pub(super) fn idle(
    checked: &Checked,
    check: &CheckDef,
    outcome: &Outcome,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Vec<Vacuity> {
    if outcome.verdict != Verdict::Proved {
        return Vec::new();
    }
    let told = |premise: &Premise| premise.never(checked, check);
    let never = |premise: &Premise| {
        outcome.vacuous.contains(&told(premise))
            || never_holds(checked, (check, premise), outcome, options, watch)
    };
    let all = outermost(check, never).iter().map(told).collect::<Vec<_>>();
    all.into_iter().filter(|one| !outcome.vacuous.contains(one)).collect()
}

/// The premises of a check that never hold. What stands under one of them is not looked at: it says nothing anyway.
pub(super) fn outermost(check: &CheckDef, never: impl Fn(&Premise) -> bool) -> Vec<Premise> {
    let mut found: Vec<Premise> = Vec::new();
    for premise in premises(check) {
        let inside = |outer: &Premise| outer.claim.span.contains(premise.claim.span);
        if !found.iter().any(inside) && never(&premise) {
            found.push(premise);
        }
    }
    found
}

/// Whether it is known that a premise never holds.
fn never_holds(
    checked: &Checked,
    (check, premise): (&CheckDef, &Premise),
    outcome: &Outcome,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> bool {
    let property = Some(premise.holds.clone());
    let asked = CheckDef { kind: CheckKind::Reaches, property, invariant: None, ..check.clone() };
    // What was gone through once can be gone through again.
    let effort = match outcome.reason {
        Reason::Explored(_) => Effort::SOME,
        _ => LITTLE,
    };
    if let Ok(Tried::Settled(outcome)) = explored::check(checked, &asked, options, effort, watch) {
        return outcome.verdict == Verdict::Refuted;
    }
    if let Ok(true) = is_small(checked, &asked, options)
        && let Some(Ok(outcome)) =
            within(watch, |watch| reach::check(checked, &asked, options, watch))
        && outcome.verdict != Verdict::Unknown
    {
        return outcome.verdict == Verdict::Refuted;
    }
    let quick = Induction { deepest: 0, ..Induction::default() };
    let by = |watch: &dyn Watch| engines::check(checked, &asked, options, &quick, watch);
    let settled = within(watch, by);
    matches!(settled, Some(Ok(outcome)) if outcome.verdict == Verdict::Refuted)
}

/// What comes out within a small part of the budget.
pub(super) fn within<T>(watch: &dyn Watch, ask: impl FnOnce(&dyn Watch) -> T) -> Option<T> {
    let budget = watch.budget().part_of_work(PATIENCE);
    let found = {
        let _here = budget.enter();
        ask(&Limited { watch, budget: budget.clone() })
    };
    budget.spent().is_none().then_some(found)
}
