//! What is asked of all sizes: properties, as counts of components and as claims of cells.
//!
//! A quantifier over one index is a claim about each cell: what it says of some index is so where a claim is violated. Two
//! indices of one family, told apart by nothing but whether they are the same, come to how many members are in which states.

use std::collections::BTreeMap;

use itertools::Itertools;
use num_traits::ToPrimitive;

use super::cells::{Catalogue, Item, Row, Spot, What};
use super::recognise::{Outside, Recognised, Recogniser, Scope, WhyOutside};
use super::shape::Shape;
use crate::elaborate::{SettingValue, Settings};
use crate::parametric::{GoalFormula, NameFormula, PatternNameId, StateSet};
use crate::sema::program::{
    ConstId, Expr, ExprKind, LeafPath, LeafTest, Local, LocalId, Program, RangeId, Sort, Value,
};
use crate::syntax::ast::{Operator, Relation};

/// What is asked, where indices are looked at.
pub(super) struct Asking<'p> {
    pub program: &'p Program,
    pub set: &'p Settings,
    pub size: ConstId,
    pub locals: &'p [Local],
}

/// A property, taken apart.
#[derive(Clone, Debug)]
pub(super) enum Asked<'p> {
    /// A component that is in no family is in a state.
    Single(&'p LeafTest),
    /// There is an index for which this is so, or it is so of members at the ends: the number of the claim.
    Some(usize),
    /// There are two indices for which this is so.
    Two(Pair<'p>),
    Not(Box<Asked<'p>>),
    And(Vec<Asked<'p>>),
    Or(Vec<Asked<'p>>),
}

/// A condition on one index: for some of the range, the expression is true, or false.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claimed<'p> {
    /// None where it speaks of none.
    index: Option<(LocalId, RangeId)>,
    body: &'p Expr,
    wanted: bool,
}

/// A condition on two indices of a family.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'p> {
    indices: [LocalId; 2],
    range: RangeId,
    body: &'p Expr,
    wanted: bool,
}

/// Takes a property apart, and finds its claims.
pub(super) struct Reading<'r, 'p> {
    pub asking: &'r Asking<'p>,
    pub walk: &'r mut Recogniser<'p>,
    pub claims: Vec<Claimed<'p>>,
}

fn outside<T>(expr: &Expr) -> Result<T, Outside> {
    Err(Outside { span: expr.span, why: WhyOutside::Property })
}

impl<'p> Reading<'_, 'p> {
    pub fn read(&mut self, expr: &'p Expr) -> Result<Asked<'p>, Outside> {
        match &expr.kind {
            ExprKind::Bool(true) => Ok(Asked::And(Vec::new())),
            ExprKind::Bool(false) => Ok(Asked::Or(Vec::new())),
            ExprKind::Not(inner) => Ok(Asked::Not(Box::new(self.read(inner)?))),
            ExprKind::Implies(both) => {
                let (a, b) = (self.read(&both.0)?, self.read(&both.1)?);
                Ok(Asked::Or(vec![Asked::Not(Box::new(a)), b]))
            }
            ExprKind::Chain(chain) => {
                let rest = chain.1.iter().map(|(_, operand)| operand);
                let parts: Vec<Asked<'p>> = std::iter::once(&chain.0)
                    .chain(rest)
                    .map(|part| self.read(part))
                    .collect::<Result<_, _>>()?;
                let of = |operator| chain.1.iter().all(|(known, _)| *known == operator);
                match (of(Operator::And), of(Operator::Or)) {
                    (true, _) => Ok(Asked::And(parts)),
                    (_, true) => Ok(Asked::Or(parts)),
                    _ => outside(expr),
                }
            }
            ExprKind::InState(test, negated) => {
                if test.path.iter().any(|(_, index)| index.is_some()) {
                    self.places(expr, &test.path, &Scope::default())?;
                    self.claims.push(Claimed { index: None, body: expr, wanted: true });
                    return Ok(Asked::Some(self.claims.len() - 1));
                }
                let single = Asked::Single(test);
                Ok(if *negated { Asked::Not(Box::new(single)) } else { single })
            }
            ExprKind::Quantified(universal, ids, body) => {
                let some = self.quantified(expr, ids, body, !universal)?;
                Ok(if *universal { Asked::Not(Box::new(some)) } else { some })
            }
            _ => outside(expr),
        }
    }

    /// That there are indices for which something is so, or not so.
    fn quantified(
        &mut self,
        expr: &'p Expr,
        ids: &[LocalId],
        body: &'p Expr,
        wanted: bool,
    ) -> Result<Asked<'p>, Outside> {
        let (mut ids, mut body) = (ids.to_vec(), body);
        while let ExprKind::Quantified(universal, more, inner) = &body.kind
            && *universal != wanted
        {
            ids.extend(more);
            body = inner;
        }
        let ranges: Option<Vec<RangeId>> = ids.iter().map(|id| self.range_of(*id)).collect();
        match (ids.as_slice(), ranges.as_deref()) {
            ([index], Some([range])) => {
                let mut scope = Scope::default();
                let (shape, _) = self.walk.range(*range, &scope)?;
                scope.shapes.insert(*index, shape);
                self.inside(body, &scope)?;
                self.claims.push(Claimed { index: Some((*index, *range)), body, wanted });
                Ok(Asked::Some(self.claims.len() - 1))
            }
            ([one, other], Some([range, second])) if self.are_same(*range, *second) => {
                self.walk.range(*range, &Scope::default())?;
                Ok(Asked::Two(Pair { indices: [*one, *other], range: *range, body, wanted }))
            }
            _ => outside(expr),
        }
    }

    fn range_of(&self, id: LocalId) -> Option<RangeId> {
        match self.asking.locals.get(id.index())?.sort {
            Sort::Range(range) => Some(range),
            _ => None,
        }
    }

    /// Whether two ranges are the same, in whatever size.
    fn are_same(&mut self, one: RangeId, other: RangeId) -> bool {
        let mut ends = |range: RangeId| {
            let def = &self.asking.program.ranges[range.index()];
            let scope = Scope::default();
            [self.walk.shape(&def.low, &scope).ok(), self.walk.shape(&def.high, &scope).ok()]
        };
        let (one, other) = (ends(one), ends(other));
        one == other && one.iter().all(|end| matches!(end, Some(Shape::Sum(_))))
    }

    /// That a condition on an index is of a form that is recognised.
    fn inside(&mut self, expr: &'p Expr, scope: &Scope) -> Result<(), Outside> {
        match &expr.kind {
            ExprKind::InState(test, _) => self.places(expr, &test.path, scope),
            ExprKind::Compare(..) => self.walk.plain(expr, scope),
            ExprKind::Bool(_) => Ok(()),
            ExprKind::Not(_) | ExprKind::Implies(_) | ExprKind::Chain(_) => {
                let mut inside = Vec::new();
                expr.each_inside(&mut |inner| inside.push(inner));
                inside.into_iter().try_for_each(|inner| self.inside(inner, scope))
            }
            _ => outside(expr),
        }
    }

    fn places(&mut self, expr: &Expr, path: &LeafPath, scope: &Scope) -> Result<(), Outside> {
        for index in path.iter().filter_map(|(_, index)| index.as_ref()) {
            match self.walk.shape(index, scope)? {
                Shape::Sum(sum) if sum.is_place() => self.walk.reaches(sum, index.span)?,
                _ => return outside(expr),
            }
        }
        Ok(())
    }
}

/// A formula about components of a row, or its truth where it depends on none.
#[derive(Clone, PartialEq, Debug)]
enum Folded {
    Truth(bool),
    Formula(NameFormula),
}

/// The values of indices.
type Values = BTreeMap<LocalId, i64>;

/// Where formulas are looked at: an instance of some size.
pub(super) struct Looking<'a, 'p> {
    pub asking: &'a Asking<'p>,
    pub known: &'a Recognised,
    pub row: &'a Row,
    pub value: i64,
}

impl Looking<'_, '_> {
    /// The claims of a row; where it cannot be said what one is, its text.
    pub fn claims(
        &self,
        all: &[Claimed<'_>],
        catalogue: &mut Catalogue,
    ) -> Result<Vec<Item<Spot>>, Outside> {
        let mut items = Vec::new();
        for (number, claim) in all.iter().enumerate() {
            let Some(all) = self.values(claim) else { return outside(claim.body) };
            for values in all {
                let mut spots = Vec::new();
                let Some(folded) = self.folded(claim.body, &values, catalogue, &mut spots) else {
                    return outside(claim.body);
                };
                let bad = if claim.wanted { folded } else { not(folded) };
                let bad = match bad {
                    Folded::Truth(false) => continue,
                    Folded::Truth(true) => NameFormula::And(Vec::new()),
                    Folded::Formula(formula) => formula,
                };
                let formula = catalogue.formula(bad);
                let what = What::Never { label: label(number), formula };
                items.push(Item { at: spots, what });
            }
        }
        Ok(items)
    }

    /// The values of the index of a claim.
    fn values(&self, claim: &Claimed<'_>) -> Option<Vec<Values>> {
        let Some((index, range)) = claim.index else { return Some(vec![Values::new()]) };
        Some(self.range(range)?.map(|value| Values::from([(index, value)])).collect())
    }

    fn range(&self, range: RangeId) -> Option<std::ops::Range<i64>> {
        let def = &self.asking.program.ranges[range.index()];
        let none = Values::new();
        Some(self.number(&def.low, &none)?..self.number(&def.high, &none)?)
    }

    fn number(&self, expr: &Expr, values: &Values) -> Option<i64> {
        match &expr.kind {
            ExprKind::Int(number) => Some(*number),
            ExprKind::Local(id) => values.get(id).copied(),
            ExprKind::Const(id) if *id == self.asking.size => Some(self.value),
            ExprKind::Const(id) => {
                let constant = &self.asking.program.consts[id.index()];
                match (self.asking.set.get(*id).map(|set| &set.value), &constant.value) {
                    (Some(SettingValue::Int(number)), _) => number.to_i64(),
                    (None, Some(Value::Int(number))) => number.to_i64(),
                    (None, None) => self.number(constant.body.as_ref()?, &Values::new()),
                    _ => None,
                }
            }
            ExprKind::Negate(inner) => self.number(inner, values)?.checked_neg(),
            ExprKind::Chain(chain) => {
                let mut value = self.number(&chain.0, values)?;
                for (operator, operand) in &chain.1 {
                    let other = self.number(operand, values)?;
                    value = match operator {
                        Operator::Add => value.checked_add(other)?,
                        Operator::Subtract => value.checked_sub(other)?,
                        Operator::Multiply => value.checked_mul(other)?,
                        Operator::Mod => value.checked_rem_euclid(other)?,
                        Operator::Div => value.checked_div_euclid(other)?,
                        Operator::And | Operator::Or => return None,
                    };
                }
                Some(value)
            }
            _ => None,
        }
    }

    /// A condition for some values of indices. Components get numbers in the order in which they are met.
    fn folded(
        &self,
        expr: &Expr,
        values: &Values,
        catalogue: &Catalogue,
        spots: &mut Vec<Spot>,
    ) -> Option<Folded> {
        match &expr.kind {
            ExprKind::Bool(truth) => Some(Folded::Truth(*truth)),
            ExprKind::Not(inner) => self.folded(inner, values, catalogue, spots).map(not),
            ExprKind::Implies(both) => {
                let a = not(self.folded(&both.0, values, catalogue, spots)?);
                let b = self.folded(&both.1, values, catalogue, spots)?;
                Some(junction(vec![a, b], true))
            }
            ExprKind::Chain(chain) => {
                let of = |operator| chain.1.iter().all(|(known, _)| *known == operator);
                let any = of(Operator::Or);
                if !any && !of(Operator::And) {
                    return None;
                }
                let rest = chain.1.iter().map(|(_, operand)| operand);
                let parts: Option<Vec<Folded>> = std::iter::once(&chain.0)
                    .chain(rest)
                    .map(|part| self.folded(part, values, catalogue, spots))
                    .collect();
                Some(junction(parts?, any))
            }
            ExprKind::Compare(relation, both) => {
                let (a, b) = (self.number(&both.0, values)?, self.number(&both.1, values)?);
                Some(Folded::Truth(compared(*relation, a, b)))
            }
            ExprKind::InState(test, negated) => {
                let spot = self.spot(&test.path, values)?;
                let states = catalogue.states(&spot.role, &test.states);
                let at = spots.iter().position(|known| *known == spot).unwrap_or_else(|| {
                    spots.push(spot);
                    spots.len() - 1
                });
                let formula = NameFormula::In(PatternNameId(at as u32), states);
                let folded = Folded::Formula(formula);
                Some(if *negated { not(folded) } else { folded })
            }
            _ => None,
        }
    }

    /// The component that a path means, if there is one.
    fn spot(&self, path: &LeafPath, values: &Values) -> Option<Spot> {
        let (mut names, mut role, mut cell) = (String::new(), String::new(), None);
        for (name, index) in path {
            names = crate::pnet::path_inside(&names, name.name.as_str());
            let index = match index {
                Some(index) => Some(self.number(index, values)?),
                None => None,
            };
            let shown = match (index, self.known.families.contains(&names)) {
                (Some(index), true) => {
                    cell = Some(usize::try_from(index.checked_sub(self.row.first)?).ok()?);
                    name.name.to_string()
                }
                (Some(index), false) => format!("{}[{index}]", name.name),
                (None, _) => name.name.to_string(),
            };
            role = crate::pnet::path_inside(&role, &shown);
        }
        let spot = Spot { cell, role };
        self.row.parts.contains_key(&spot).then_some(spot)
    }

    /// What is asked, as a formula about situations.
    pub fn goal(
        &self,
        asked: &Asked<'_>,
        catalogue: &Catalogue,
        at: &Expr,
    ) -> Result<GoalFormula, Outside> {
        let all = |parts: &[Asked<'_>]| -> Result<Vec<GoalFormula>, Outside> {
            parts.iter().map(|part| self.goal(part, catalogue, at)).collect()
        };
        match asked {
            Asked::Single(test) => {
                let spot = self.spot(&test.path, &Values::new());
                let Some(spot) = spot.filter(|spot| spot.cell.is_none()) else {
                    return outside(at);
                };
                Ok(GoalFormula::AtLeast(1, catalogue.states(&spot.role, &test.states)))
            }
            Asked::Some(number) => Ok(GoalFormula::Violated(Some(label(*number)))),
            Asked::Two(pair) => match self.pair(pair, catalogue) {
                Some(formula) => Ok(formula),
                None => outside(pair.body),
            },
            Asked::Not(one) => Ok(GoalFormula::Not(Box::new(self.goal(one, catalogue, at)?))),
            Asked::And(parts) => Ok(GoalFormula::And(all(parts)?)),
            Asked::Or(parts) => Ok(GoalFormula::Or(all(parts)?)),
        }
    }

    /// That two members of a family are as a condition says, as counts; nothing where it depends on more than whether they
    /// are the same.
    fn pair(&self, pair: &Pair<'_>, catalogue: &Catalogue) -> Option<GoalFormula> {
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
        let range = self.range(pair.range)?;
        let mut found: Option<String> = None;
        for test in tests {
            let used = test.path.iter().filter_map(|(_, index)| index.as_ref());
            let index = used.exactly_one().ok()?;
            let ExprKind::Local(id) = index.kind else { return None };
            let values = Values::from([(id, range.start)]);
            let role = self.spot(&test.path, &values).filter(|spot| spot.cell.is_some())?.role;
            if !pair.indices.contains(&id) || found.as_ref().is_some_and(|known| *known != role) {
                return None;
            }
            found = Some(role);
        }
        let role = found?;
        let members = self.row.parts.keys().filter(|spot| spot.role == role);
        let indices = members.filter_map(|spot| Some(spot.cell? as i64 + self.row.first));
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
            Some(compared(*relation, local(&both.0)?, local(&both.1)?))
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

/// What people call a claim.
fn label(number: usize) -> String {
    format!("claim {}", number + 1)
}

fn compared(relation: Relation, a: i64, b: i64) -> bool {
    match relation {
        Relation::Equal => a == b,
        Relation::NotEqual => a != b,
        Relation::Less => a < b,
        Relation::LessEqual => a <= b,
        Relation::Greater => a > b,
        Relation::GreaterEqual => a >= b,
    }
}

fn not(one: Folded) -> Folded {
    match one {
        Folded::Truth(truth) => Folded::Truth(!truth),
        Folded::Formula(NameFormula::Not(inner)) => Folded::Formula(*inner),
        Folded::Formula(formula) => Folded::Formula(NameFormula::Not(Box::new(formula))),
    }
}

fn junction(parts: Vec<Folded>, any: bool) -> Folded {
    let mut formulas = Vec::new();
    for part in parts {
        match part {
            Folded::Truth(truth) if truth == any => return Folded::Truth(any),
            Folded::Truth(_) => {}
            Folded::Formula(formula) => formulas.push(formula),
        }
    }
    match (formulas.len(), any) {
        (0, _) => Folded::Truth(!any),
        (1, _) => Folded::Formula(formulas.remove(0)),
        (_, true) => Folded::Formula(NameFormula::Or(formulas)),
        (_, false) => Folded::Formula(NameFormula::And(formulas)),
    }
}
