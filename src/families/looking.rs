//! What is asked, in one instance: claims of its cells, and a formula about its situations.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

use super::asked::{Asked, Asking, Claimed, junctor, outside, paths};
use super::cells::{Catalogue, CellAt, Item, Row, Spot, What};
use super::recognise::{Outside, Recognised, WhyOutside};
use super::value::{Components, Values, Valuing};
use crate::moving::Datum;
use crate::parametric::{
    ComponentStateId, ComponentTypeId, GoalFormula, NameFormula, PatternNameId, StateSet,
};
use crate::sema::program::{Expr, ExprKind, LeafTest, LeafVariable};
use crate::syntax::ast::Operator;

/// More ways in which several components can be are not looked at.
const MOST_WAYS: usize = 4_096;

/// A formula about components of a row, or its truth where it depends on none.
#[derive(Clone, PartialEq, Debug)]
enum Folded {
    Truth(bool),
    Formula(NameFormula),
}

/// States of components: where all of these are so, something is.
pub(super) type Way = Vec<(Spot, StateSet)>;

/// A claim of a row: what it is called, the components that it is about, and what is bad.
pub(super) type RowClaim = (String, Vec<Spot>, NameFormula);

/// What is found, or the text that says why not.
pub(super) type Found<T> = Result<T, Outside>;

/// Where formulas are looked at: an instance of some size.
pub(super) struct Looking<'a, 'p> {
    pub asking: &'a Asking<'p>,
    pub known: &'a Recognised,
    pub catalogue: &'a Catalogue,
    pub row: &'a Row,
    pub sizes: &'a [i64],
}

/// Components in states.
struct InStates<'a, 'l, 'p> {
    looking: &'a Looking<'l, 'p>,
    values: &'a Values,
    states: &'a BTreeMap<Spot, (ComponentTypeId, ComponentStateId)>,
}

/// States of a type between which an expression does not tell, with one of them.
type AlikeStates = (ComponentTypeId, ComponentStateId, StateSet);

impl Components for InStates<'_, '_, '_> {
    fn variable(&self, variable: &LeafVariable) -> Option<Datum> {
        let (name, way) = variable.path.split_last()?;
        let spot = self.looking.spot_of(way, self.values)?;
        let (of, state) = self.states.get(&spot)?;
        self.looking.catalogue.data(*of, *state).get(name.0.name.as_str()).cloned()
    }

    fn is_in(&self, test: &LeafTest) -> Option<bool> {
        let spot = self.looking.spot_of(&test.path, self.values)?;
        let (of, state) = self.states.get(&spot)?;
        let states = self.looking.catalogue.states(&spot.role, &test.states);
        Some(states.has(*of, *state))
    }
}

impl<'a, 'p> Looking<'a, 'p> {
    pub fn valuing(&self) -> Valuing<'a, 'p> {
        Valuing { asking: self.asking, sizes: self.sizes }
    }

    /// The claims of a row, with their formulas; where it cannot be said what one is, its text.
    pub fn claims(&self, all: &[Claimed<'_>]) -> Found<Vec<RowClaim>> {
        let mut items = Vec::new();
        for (number, claim) in all.iter().enumerate() {
            let each = match claim.index {
                None => vec![Values::new()],
                Some(index) => match self.valuing().range_of(index) {
                    Some(range) => range.map(|at| Values::from([(index, at)])).collect(),
                    None => return outside(claim.body),
                },
            };
            for values in each {
                let mut spots = Vec::new();
                let folded = self.folded(claim.body, &values, &mut spots)?;
                let bad = match if claim.wanted { folded } else { not(folded) } {
                    Folded::Truth(false) => continue,
                    Folded::Truth(true) => NameFormula::And(Vec::new()),
                    Folded::Formula(formula) => formula,
                };
                items.push((label(number), spots, bad));
            }
        }
        Ok(items)
    }

    /// A condition for some values of indices. Components get numbers in the order in which they are met.
    fn folded(&self, expr: &Expr, values: &Values, spots: &mut Vec<Spot>) -> Found<Folded> {
        match &expr.kind {
            ExprKind::Not(inner) => self.folded(inner, values, spots).map(not),
            ExprKind::Implies(both) => {
                let a = not(self.folded(&both.0, values, spots)?);
                // Where it says nothing, what it would speak of need not be there.
                if a == Folded::Truth(true) {
                    return Ok(a);
                }
                let b = self.folded(&both.1, values, spots)?;
                Ok(junction(vec![a, b], true))
            }
            ExprKind::Chain(chain) if junctor(&chain.1).is_some() => {
                let any = junctor(&chain.1) == Some(Operator::Or);
                let rest = chain.1.iter().map(|(_, operand)| operand);
                let mut parts = Vec::new();
                for part in std::iter::once(&chain.0).chain(rest) {
                    let folded = self.folded(part, values, spots)?;
                    if folded == Folded::Truth(any) {
                        return Ok(folded);
                    }
                    parts.push(folded);
                }
                Ok(junction(parts, any))
            }
            _ => {
                let mut name = |spot: &Spot| {
                    let at = spots.iter().position(|known| known == spot).unwrap_or_else(|| {
                        spots.push(spot.clone());
                        spots.len() - 1
                    });
                    PatternNameId(at as u32)
                };
                let ways = self.ways(expr, values)?;
                let mut any = Vec::new();
                for way in ways {
                    let each = way
                        .iter()
                        .map(|(spot, states)| NameFormula::In(name(spot), states.clone()));
                    any.push(junction(each.map(Folded::Formula).collect(), false));
                }
                Ok(junction(any, true))
            }
        }
    }

    /// The ways in which components can be so that something is so of them which is no combination of others.
    pub fn ways(&self, expr: &Expr, values: &Values) -> Found<Vec<Way>> {
        let mut spots: BTreeSet<Spot> = BTreeSet::new();
        for (path, text) in each_path(expr) {
            spots.insert(self.spot(path, values, text)?);
        }
        // States of a component between which the expression does not tell.
        let mut classes: Vec<(Spot, Vec<AlikeStates>)> = Vec::new();
        for spot in spots {
            let kinds = self.classes(expr, &spot, values)?;
            classes.push((spot, kinds));
        }
        let many = classes.iter().fold(1usize, |many, (_, all)| many.saturating_mul(all.len()));
        if many > MOST_WAYS {
            return outside(expr);
        }
        let mut ways = Vec::new();
        let choices: Vec<Vec<usize>> = match classes.is_empty() {
            true => vec![Vec::new()],
            false => {
                classes.iter().map(|(_, all)| 0..all.len()).multi_cartesian_product().collect()
            }
        };
        for choice in choices {
            let chosen = classes.iter().zip(&choice).map(|((spot, all), at)| (spot, &all[*at]));
            let states: BTreeMap<Spot, (ComponentTypeId, ComponentStateId)> = chosen
                .clone()
                .map(|(spot, (of, state, _))| (spot.clone(), (*of, *state)))
                .collect();
            let of = InStates { looking: self, values, states: &states };
            let holds = self.valuing().value(expr, values, &of);
            match holds.as_ref().and_then(Datum::truth) {
                Some(true) => ways.push(
                    chosen.map(|(spot, (_, _, states))| (spot.clone(), states.clone())).collect(),
                ),
                Some(false) => {}
                None => return outside(expr),
            }
        }
        Ok(ways)
    }

    /// The states of a component, those together of which an expression says the same; one of each.
    fn classes(
        &self,
        expr: &Expr,
        spot: &Spot,
        values: &Values,
    ) -> Found<Vec<(ComponentTypeId, ComponentStateId, StateSet)>> {
        let mut classes: BTreeMap<Vec<Datum>, (ComponentTypeId, ComponentStateId, StateSet)> =
            BTreeMap::new();
        for of in self.catalogue.types_of(&spot.role) {
            for state in self.catalogue.pattern.types[of].states.ids() {
                let told = self.told(expr, spot, values, (of, state))?;
                let class = classes.entry(told).or_insert_with(|| (of, state, StateSet::new()));
                class.2.add(of, state);
            }
        }
        Ok(classes.into_values().collect())
    }

    /// What an expression asks of a component in a state.
    fn told(
        &self,
        expr: &Expr,
        spot: &Spot,
        values: &Values,
        (of, state): (ComponentTypeId, ComponentStateId),
    ) -> Found<Vec<Datum>> {
        let states = BTreeMap::from([(spot.clone(), (of, state))]);
        let component = InStates { looking: self, values, states: &states };
        let mut told = Vec::new();
        let mut forgotten = None;
        expr.each(&mut |part| match &part.kind {
            ExprKind::Leaf(variable) => {
                let way = &variable.path[..variable.path.len().saturating_sub(1)];
                if self.spot_of(way, values).as_ref() == Some(spot) {
                    match component.variable(variable) {
                        Some(datum) => told.push(datum),
                        None => forgotten = forgotten.or(Some(part.span)),
                    }
                }
            }
            ExprKind::InState(test, _)
                if self.spot_of(&test.path, values).as_ref() == Some(spot) =>
            {
                told.extend(component.is_in(test).map(Datum::Bool));
            }
            _ => {}
        });
        match forgotten {
            Some(span) => Err(Outside { span, why: WhyOutside::Forgotten }),
            None => Ok(told),
        }
    }

    /// The component that a way means; where there is none, the text says so.
    pub fn spot(
        &self,
        way: &[(crate::syntax::ast::Ident, Option<Expr>)],
        values: &Values,
        text: &Expr,
    ) -> Found<Spot> {
        let spot = self.spot_of(way, values);
        let span = text.span;
        match spot {
            Some(spot) if self.row.parts.contains_key(&spot) => Ok(spot),
            Some(_) => {
                let why = match *self.sizes {
                    [size] => WhyOutside::Missing { size },
                    _ => WhyOutside::NotThere,
                };
                Err(Outside { span, why })
            }
            None => Err(Outside { span, why: WhyOutside::Property }),
        }
    }

    /// Where the component would be that a way means.
    pub fn spot_of(
        &self,
        way: &[(crate::syntax::ast::Ident, Option<Expr>)],
        values: &Values,
    ) -> Option<Spot> {
        let (mut names, mut role, mut cell) = (String::new(), String::new(), None);
        for (name, index) in way {
            names = crate::pnet::path_inside(&names, name.name.as_str());
            let index = match index {
                Some(index) => Some(self.valuing().number(index, values)?),
                None => None,
            };
            let shown = match (index, self.known.families.get(&names)) {
                (Some(index), Some(&size)) => {
                    // Before the first there is nobody.
                    let at = index.checked_sub(*self.row.first.get(size)?)?;
                    let at = usize::try_from(at).unwrap_or(usize::MAX);
                    cell = Some(CellAt { size, at });
                    name.name.to_string()
                }
                (Some(index), None) => format!("{}[{index}]", name.name),
                (None, _) => name.name.to_string(),
            };
            role = crate::pnet::path_inside(&role, &shown);
        }
        Some(Spot { cell, role })
    }

    /// What is asked, as a formula about situations.
    pub fn goal(&self, asked: &Asked<'_>, at: &Expr) -> Found<GoalFormula> {
        let all = |parts: &[Asked<'_>]| -> Found<Vec<GoalFormula>> {
            parts.iter().map(|part| self.goal(part, at)).collect()
        };
        match asked {
            Asked::Single(expr) => self.of_singles(expr, &Values::new()),
            Asked::Some(number) => Ok(GoalFormula::Violated(Some(label(*number)))),
            Asked::Members(expr, pair) => {
                let counts = self.counts(expr);
                match (counts, pair.and_then(|pair| self.pair(&pair))) {
                    (Ok(formula), _) => Ok(formula),
                    (Err(_), Some(some)) => Ok(match pair.is_some_and(|pair| pair.wanted) {
                        true => some,
                        false => GoalFormula::Not(Box::new(some)),
                    }),
                    (Err(why), None) => Err(why),
                }
            }
            Asked::AtMost(count, most) => match self.counted(count) {
                Some(states) => {
                    let more = GoalFormula::AtLeast(most + 1, states);
                    Ok(GoalFormula::Not(Box::new(more)))
                }
                None => Err(Outside { span: at.span, why: WhyOutside::Members }),
            },
            Asked::Not(one) => Ok(GoalFormula::Not(Box::new(self.goal(one, at)?))),
            Asked::And(parts) => Ok(GoalFormula::And(all(parts)?)),
            Asked::Or(parts) => Ok(GoalFormula::Or(all(parts)?)),
        }
    }

    /// Something about components that are in no family, as counts.
    pub fn of_singles(&self, expr: &Expr, values: &Values) -> Found<GoalFormula> {
        let ways = self.ways(expr, values)?;
        let mut any = Vec::new();
        for way in ways {
            if way.iter().any(|(spot, _)| spot.cell.is_some()) {
                return outside(expr);
            }
            let each = way.into_iter().map(|(_, states)| GoalFormula::AtLeast(1, states));
            any.push(GoalFormula::And(each.collect()));
        }
        Ok(GoalFormula::Or(any))
    }
}

/// A way to a component: names, with the indices of members.
type WayTo<'e> = &'e [(crate::syntax::ast::Ident, Option<Expr>)];

/// The ways to the components of an expression, each with the text that has it.
fn each_path(expr: &Expr) -> Vec<(WayTo<'_>, &Expr)> {
    let mut found: Vec<(WayTo<'_>, &Expr)> = Vec::new();
    expr.each(&mut |part| match &part.kind {
        ExprKind::Leaf(variable) => {
            let way = &variable.path[..variable.path.len().saturating_sub(1)];
            found.push((way, part));
        }
        ExprKind::InState(test, _) => found.push((&test.path, part)),
        _ => {}
    });
    debug_assert_eq!(found.len(), paths(expr).len());
    found
}

/// Adds the claims of a row to its items.
pub(super) fn with_claims(row: &mut Row, claims: Vec<RowClaim>, catalogue: &mut Catalogue) {
    for (label, at, formula) in claims {
        let formula = catalogue.formula(formula);
        row.items.insert(Item { at, what: What::Never { label, formula } });
    }
}

/// What people call a claim.
fn label(number: usize) -> String {
    format!("claim {}", number + 1)
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
