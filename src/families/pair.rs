//! Two indices of a family, in whatever order, as counts of members.

use std::collections::BTreeMap;

use itertools::Itertools;

use super::asked::Pair;
use super::looking::Looking;
use super::value::{Values, compared};
use crate::moving::Datum;
use crate::parametric::{GoalFormula, StateSet};
use crate::sema::program::{Expr, ExprKind, LeafTest};
use crate::syntax::ast::Operator;

impl Looking<'_, '_> {
    /// That two members of a family are as a condition says, as counts; nothing where it depends on more than whether they
    /// are the same.
    pub fn pair(&self, pair: &Pair<'_>) -> Option<GoalFormula> {
        let catalogue = self.catalogue;
        let tests = tests(pair.body)?;
        let role = self.family(pair, &tests)?;
        let sets: Vec<StateSet> =
            tests.iter().map(|test| catalogue.states(&role, &test.states)).collect();
        let mut classes: BTreeMap<Vec<bool>, StateSet> = BTreeMap::new();
        for of in catalogue.types_of(&role) {
            for state in catalogue.pattern.types[of].states.ids() {
                let class = sets.iter().map(|set| set.has(of, state)).collect();
                classes.entry(class).or_default().add(of, state);
            }
        }
        let mut ways = Vec::new();
        for (class, states) in &classes {
            if self.is_so(pair, (class, class), (0, 0))? {
                ways.push(GoalFormula::AtLeast(1, states.clone()));
            }
        }
        for ((one, these), (other, those)) in classes.iter().cartesian_product(&classes) {
            let first = self.either_way(pair, one, other)?;
            if first != self.either_way(pair, other, one)? {
                return None;
            }
            match one.cmp(other) {
                std::cmp::Ordering::Equal if first => {
                    ways.push(GoalFormula::AtLeast(2, these.clone()));
                }
                std::cmp::Ordering::Less if first => {
                    let both = [these, those].map(|states| GoalFormula::AtLeast(1, states.clone()));
                    ways.push(GoalFormula::And(both.to_vec()));
                }
                _ => {}
            }
        }
        Some(GoalFormula::Or(ways))
    }

    /// The role of the only family that two indices are used for, by themselves, where they go through all of it.
    fn family(&self, pair: &Pair<'_>, tests: &[&LeafTest]) -> Option<String> {
        let range = self.valuing().range(pair.range)?;
        let mut found: Option<String> = None;
        for test in tests {
            let used = test.path.iter().filter_map(|(_, index)| index.as_ref());
            let index = used.exactly_one().ok()?;
            let ExprKind::Local(id) = index.kind else { return None };
            let values = Values::from([(id, range.start)]);
            let role = self.spot_of(&test.path, &values).filter(|spot| spot.cell.is_some())?.role;
            if !pair.indices.contains(&id) || found.as_ref().is_some_and(|known| *known != role) {
                return None;
            }
            found = Some(role);
        }
        let role = found?;
        let members = self.row.parts.keys().filter(|spot| spot.role == role);
        let indices = members.filter_map(|spot| self.row.index(spot));
        indices.eq(range).then_some(role)
    }

    /// Whether two different members, the one before the other, are as a condition says, in one order of indices or in the
    /// other.
    fn either_way(&self, pair: &Pair<'_>, one: &[bool], other: &[bool]) -> Option<bool> {
        let first = self.is_so(pair, (one, other), (0, 1))?;
        Some(first || self.is_so(pair, (other, one), (1, 0))?)
    }

    /// Whether a condition says so of members that pass these tests, with indices in such an order.
    fn is_so(
        &self,
        pair: &Pair<'_>,
        classes: (&[bool], &[bool]),
        order: (i64, i64),
    ) -> Option<bool> {
        let values = Values::from([(pair.indices[0], order.0), (pair.indices[1], order.1)]);
        let mut at = 0;
        let says = truth(pair, pair.body, (classes, &values), &mut at)?;
        Some(says == pair.wanted)
    }
}

/// The tests of states in a condition, in order; nothing where there are other things in it than a pair may have.
fn tests(expr: &Expr) -> Option<Vec<&LeafTest>> {
    match &expr.kind {
        ExprKind::InState(test, _) => Some(vec![test]),
        ExprKind::Bool(_) | ExprKind::Compare(..) => Some(Vec::new()),
        ExprKind::Not(_) | ExprKind::Implies(_) | ExprKind::Chain(_) => {
            let mut inside = Vec::new();
            expr.each_inside(&mut |inner| inside.push(inner));
            let all: Option<Vec<Vec<&LeafTest>>> = inside.into_iter().map(tests).collect();
            all.map(|all| all.concat())
        }
        _ => None,
    }
}

/// The truth of a condition on two indices; `at` counts the tests.
fn truth(
    pair: &Pair<'_>,
    expr: &Expr,
    known: ((&[bool], &[bool]), &Values),
    at: &mut usize,
) -> Option<bool> {
    let ((one, other), values) = known;
    match &expr.kind {
        ExprKind::Bool(truth) => Some(*truth),
        ExprKind::Not(inner) => truth(pair, inner, known, at).map(|truth| !truth),
        ExprKind::Implies(both) => {
            let a = truth(pair, &both.0, known, at)?;
            let b = truth(pair, &both.1, known, at)?;
            Some(!a || b)
        }
        ExprKind::Chain(chain) => {
            let any = chain.1.iter().all(|(operator, _)| *operator == Operator::Or);
            let all = chain.1.iter().all(|(operator, _)| *operator == Operator::And);
            let rest = chain.1.iter().map(|(_, operand)| operand);
            let parts: Option<Vec<bool>> = std::iter::once(&chain.0)
                .chain(rest)
                .map(|part| truth(pair, part, known, at))
                .collect();
            let parts = parts?;
            match (any, all) {
                (true, _) => Some(parts.contains(&true)),
                (_, true) => Some(!parts.contains(&false)),
                _ => None,
            }
        }
        ExprKind::Compare(relation, both) => {
            let local = |expr: &Expr| match expr.kind {
                ExprKind::Local(id) => values.get(&id).copied(),
                _ => None,
            };
            compared(*relation, &Datum::Int(local(&both.0)?), &Datum::Int(local(&both.1)?))
        }
        ExprKind::InState(test, negated) => {
            let used = test.path.iter().find_map(|(_, index)| index.as_ref())?;
            let ExprKind::Local(id) = used.kind else { return None };
            let class = if id == pair.indices[0] { one } else { other };
            let found = class.get(*at).copied();
            *at += 1;
            found.map(|found| found != *negated)
        }
        _ => None,
    }
}
