//! Quantifiers over members of families as counts: how many members are in some states, at least?
//!
//! Of a member, a formula asks a few things only; members of which it is told the same are a class. That there is a member
//! for which something is so means that it is so of one that was chosen already, or of one more of some class: then there is
//! one more in this class than were chosen from it. So every formula over members that only tests them and tells them apart
//! becomes a combination of counts.

use std::collections::BTreeMap;

use super::asked::{junctor, outside};
use super::cells::Spot;
use super::looking::{Found, Looking};
use super::recognise::{Outside, WhyOutside};
use super::value::{Components, Values};
use crate::moving::Datum;
use crate::parametric::{ComponentStateId, ComponentTypeId, GoalFormula, StateSet};
use crate::sema::program::{AtMost, Expr, ExprKind, LeafPath, LeafTest, LeafVariable, LocalId};
use crate::syntax::ast::{Ident, Operator, Relation};

/// Larger formulas are not made.
const MOST_FORMULAS: usize = 20_000;

/// Members between which a formula does not tell: their states, and one of these.
#[derive(Clone, Debug)]
struct Class {
    of: ComponentTypeId,
    state: ComponentStateId,
    states: StateSet,
}

/// What the indices of a formula go through: the members of a role, by classes.
struct Roles<'e> {
    of_index: BTreeMap<LocalId, String>,
    classes: BTreeMap<String, Vec<Class>>,
    whole: &'e Expr,
}

/// A member that was chosen.
#[derive(Clone, Debug)]
struct Chosen {
    index: LocalId,
    role: String,
    /// Which one: members with different numbers are different.
    number: usize,
    class: usize,
}

/// What was chosen so far, and the values of other indices.
#[derive(Clone, Default, Debug)]
struct Choice {
    members: Vec<Chosen>,
    values: Values,
}

impl Choice {
    fn of(&self, index: LocalId) -> Option<&Chosen> {
        self.members.iter().rev().find(|one| one.index == index)
    }

    /// How many different members of a class were chosen.
    fn used(&self, role: &str, class: usize) -> usize {
        let own = self.members.iter().filter(|one| one.role == role && one.class == class);
        let mut numbers: Vec<usize> = own.map(|one| one.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    }
}

/// The components of an atom: members that were chosen.
struct OfChosen<'a, 'l, 'p> {
    looking: &'a Looking<'l, 'p>,
    roles: &'a Roles<'a>,
    choice: &'a Choice,
}

impl OfChosen<'_, '_, '_> {
    fn class(&self, way: &[(Ident, Option<Expr>)]) -> Option<&Class> {
        let chosen = self.choice.of(only_index(way)?)?;
        self.roles.classes.get(&chosen.role)?.get(chosen.class)
    }
}

impl Components for OfChosen<'_, '_, '_> {
    fn variable(&self, variable: &LeafVariable) -> Option<Datum> {
        let (name, way) = variable.path.split_last()?;
        let class = self.class(way)?;
        let data = self.looking.catalogue.data(class.of, class.state);
        data.get(name.0.name.as_str()).cloned()
    }

    fn is_in(&self, test: &LeafTest) -> Option<bool> {
        let class = self.class(&test.path)?;
        let role = &self.choice.of(only_index(&test.path)?)?.role;
        let states = self.looking.catalogue.states(role, &test.states);
        Some(states.has(class.of, class.state))
    }
}

/// The only index of a way, where it is a local name.
fn only_index(way: &[(Ident, Option<Expr>)]) -> Option<LocalId> {
    let mut found = None;
    for index in way.iter().filter_map(|(_, index)| index.as_ref()) {
        match index.kind {
            ExprKind::Local(id) if found.is_none() => found = Some(id),
            // Members of families of known size have numbers.
            ExprKind::Int(_) => {}
            _ => return None,
        }
    }
    found
}

/// The ways to components in an expression.
fn ways(expr: &Expr) -> Vec<&[(Ident, Option<Expr>)]> {
    let mut found: Vec<&[_]> = Vec::new();
    expr.each(&mut |part| match &part.kind {
        ExprKind::Leaf(variable) => {
            found.push(&variable.path[..variable.path.len().saturating_sub(1)]);
        }
        ExprKind::InState(test, _) => found.push(&test.path),
        _ => {}
    });
    found
}

impl Looking<'_, '_> {
    /// Quantifiers over members, as counts.
    pub fn counts(&self, expr: &Expr) -> Found<GoalFormula> {
        let roles = self.roles(expr)?;
        let mut left = MOST_FORMULAS;
        self.formula(expr, &roles, &Choice::default(), &mut left)
    }

    /// What the indices go through, and the classes of their members.
    fn roles<'e>(&self, expr: &'e Expr) -> Found<Roles<'e>> {
        let mut bound: Vec<LocalId> = Vec::new();
        expr.each(&mut |part| {
            if let ExprKind::Quantified(_, ids, _) = &part.kind {
                bound.extend(ids);
            }
        });
        let mut roles = Roles { of_index: BTreeMap::new(), classes: BTreeMap::new(), whole: expr };
        for way in ways(expr) {
            let Some(index) = only_index(way).filter(|index| bound.contains(index)) else {
                continue;
            };
            let Some(role) = self.whole_family(way, index) else { continue };
            let known = roles.of_index.entry(index).or_insert_with(|| role.clone());
            if *known != role {
                return outside(expr);
            }
        }
        let all: Vec<String> = roles.of_index.values().cloned().collect();
        for role in all {
            let classes = self.classes_of(&role, &roles)?;
            roles.classes.insert(role, classes);
        }
        Ok(roles)
    }

    /// The role of a family that an index goes through, all of it.
    fn whole_family(&self, way: &[(Ident, Option<Expr>)], index: LocalId) -> Option<String> {
        let range = self.valuing().range_of(index)?;
        let mut found: Option<Spot> = None;
        let mut count = 0usize;
        for at in range {
            let spot = self.spot_of(way, &Values::from([(index, at)]))?;
            if !self.row.parts.contains_key(&spot) || spot.cell.is_none() {
                return None;
            }
            count += 1;
            found = Some(spot);
        }
        let role = found?.role;
        let members = self.row.parts.keys().filter(|spot| spot.role == role).count();
        (members == count).then_some(role)
    }

    fn classes_of(&self, role: &str, roles: &Roles<'_>) -> Found<Vec<Class>> {
        let mut classes: BTreeMap<Vec<Datum>, Class> = BTreeMap::new();
        for of in self.catalogue.types_of(role) {
            for state in self.catalogue.pattern.types[of].states.ids() {
                let mut told = Vec::new();
                self.asks(roles.whole, role, (of, state), roles, &mut told)?;
                let class = classes.entry(told).or_insert_with(|| Class {
                    of,
                    state,
                    states: StateSet::new(),
                });
                class.states.add(of, state);
            }
        }
        Ok(classes.into_values().collect())
    }

    /// What a formula asks of a member of a role in a state.
    fn asks(
        &self,
        expr: &Expr,
        role: &str,
        (of, state): (ComponentTypeId, ComponentStateId),
        roles: &Roles<'_>,
        told: &mut Vec<Datum>,
    ) -> Found<()> {
        if !is_atom(expr) {
            let mut inside = Vec::new();
            expr.each_inside(&mut |inner| inside.push(inner));
            return inside
                .into_iter()
                .try_for_each(|inner| self.asks(inner, role, (of, state), roles, told));
        }
        let mut members: Vec<LocalId> = Vec::new();
        let mut others = false;
        for way in ways(expr) {
            match only_index(way).filter(|index| roles.of_index.contains_key(index)) {
                Some(index) if !members.contains(&index) => members.push(index),
                Some(_) => {}
                None => others = true,
            }
        }
        let [index] = members.as_slice() else {
            return self.values_of(expr, role, (of, state), roles, told);
        };
        if others {
            return self.values_of(expr, role, (of, state), roles, told);
        }
        if roles.of_index.get(index).is_none_or(|known| known != role) {
            return Ok(());
        }
        // One member only: what matters is whether it is so.
        let class = Class { of, state, states: StateSet::new() };
        let single = Roles {
            of_index: BTreeMap::new(),
            classes: BTreeMap::from([(role.to_owned(), vec![class])]),
            whole: roles.whole,
        };
        let member = Chosen { index: *index, role: role.to_owned(), number: 0, class: 0 };
        let choice = Choice { members: vec![member], values: Values::new() };
        let member = OfChosen { looking: self, roles: &single, choice: &choice };
        match self.valuing().value(expr, &choice.values, &member) {
            Some(datum) => {
                told.push(datum);
                Ok(())
            }
            None => self.values_of(expr, role, (of, state), roles, told),
        }
    }

    /// The values that an atom about several components reads of a member.
    fn values_of(
        &self,
        expr: &Expr,
        role: &str,
        (of, state): (ComponentTypeId, ComponentStateId),
        roles: &Roles<'_>,
        told: &mut Vec<Datum>,
    ) -> Found<()> {
        let is_own = |way: &[(Ident, Option<Expr>)]| {
            let index = only_index(way);
            index.and_then(|index| roles.of_index.get(&index)).is_some_and(|known| known == role)
        };
        let mut forgotten = None;
        expr.each(&mut |part| match &part.kind {
            ExprKind::Leaf(variable) => {
                if let Some((name, way)) = variable.path.split_last()
                    && is_own(way)
                {
                    match self.catalogue.data(of, state).get(name.0.name.as_str()) {
                        Some(datum) => told.push(datum.clone()),
                        None => forgotten = forgotten.or(Some(part.span)),
                    }
                }
            }
            ExprKind::InState(test, _) if is_own(&test.path) => {
                let states = self.catalogue.states(role, &test.states);
                told.push(Datum::Bool(states.has(of, state)));
            }
            _ => {}
        });
        match forgotten {
            Some(span) => Err(Outside { span, why: WhyOutside::Forgotten }),
            None => Ok(()),
        }
    }

    fn formula(
        &self,
        expr: &Expr,
        roles: &Roles<'_>,
        choice: &Choice,
        left: &mut usize,
    ) -> Found<GoalFormula> {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return outside(roles.whole);
        }
        match &expr.kind {
            ExprKind::Quantified(universal, ids, body) => {
                let some = self.some(ids, (body, !universal), roles, choice, left)?;
                Ok(if *universal { GoalFormula::Not(Box::new(some)) } else { some })
            }
            ExprKind::Not(inner) => {
                Ok(GoalFormula::Not(Box::new(self.formula(inner, roles, choice, left)?)))
            }
            ExprKind::Implies(both) => {
                let a = self.formula(&both.0, roles, choice, left)?;
                let b = self.formula(&both.1, roles, choice, left)?;
                Ok(GoalFormula::Or(vec![GoalFormula::Not(Box::new(a)), b]))
            }
            ExprKind::Chain(chain) if junctor(&chain.1).is_some() => {
                let rest = chain.1.iter().map(|(_, operand)| operand);
                let parts = std::iter::once(&chain.0).chain(rest);
                let parts: Vec<GoalFormula> = parts
                    .map(|part| self.formula(part, roles, choice, left))
                    .collect::<Found<_>>()?;
                Ok(match junctor(&chain.1) {
                    Some(Operator::And) => GoalFormula::And(parts),
                    _ => GoalFormula::Or(parts),
                })
            }
            ExprKind::Compare(relation, both) if is_between_members(both, choice) => {
                let member = |side: &Expr| match side.kind {
                    ExprKind::Local(id) => choice.of(id),
                    _ => None,
                };
                let (Some(one), Some(other)) = (member(&both.0), member(&both.1)) else {
                    return outside(expr);
                };
                // Members of two families can have the same index.
                if one.role != other.role {
                    return outside(expr);
                }
                let same = one.number == other.number;
                match relation {
                    Relation::Equal => Ok(truth(same)),
                    Relation::NotEqual => Ok(truth(!same)),
                    _ => outside(expr),
                }
            }
            _ => self.atom(expr, roles, choice),
        }
    }

    /// That there are members for which something is so, or not so.
    fn some(
        &self,
        ids: &[LocalId],
        (body, wanted): (&Expr, bool),
        roles: &Roles<'_>,
        choice: &Choice,
        left: &mut usize,
    ) -> Found<GoalFormula> {
        let [index, rest @ ..] = ids else {
            let formula = self.formula(body, roles, choice, left)?;
            return Ok(if wanted { formula } else { GoalFormula::Not(Box::new(formula)) });
        };
        let mut ways = Vec::new();
        let Some(role) = roles.of_index.get(index) else {
            let Some(range) = self.valuing().range_of(*index) else { return outside(roles.whole) };
            // Only few numbers, which are the same in all sizes, can be written out.
            if self.is_symbolic(*index) {
                return outside(roles.whole);
            }
            for at in range {
                let mut choice = choice.clone();
                choice.values.insert(*index, at);
                ways.push(self.some(rest, (body, wanted), roles, &choice, left)?);
            }
            return Ok(GoalFormula::Or(ways));
        };
        let mut seen = Vec::new();
        for known in choice.members.iter().filter(|known| known.role == *role) {
            if !seen.contains(&known.number) {
                seen.push(known.number);
                let again = Chosen { index: *index, ..known.clone() };
                let mut choice = choice.clone();
                choice.members.push(again);
                ways.push(self.some(rest, (body, wanted), roles, &choice, left)?);
            }
        }
        let classes = roles.classes.get(role).map_or(&[][..], Vec::as_slice);
        for (class, one) in classes.iter().enumerate() {
            let used = choice.used(role, class);
            let number = choice.members.len();
            let mut choice = choice.clone();
            choice.members.push(Chosen { index: *index, role: role.clone(), number, class });
            let there = GoalFormula::AtLeast(used + 1, one.states.clone());
            let so = self.some(rest, (body, wanted), roles, &choice, left)?;
            ways.push(GoalFormula::And(vec![there, so]));
        }
        Ok(GoalFormula::Or(ways))
    }

    /// Whether there are as many numbers in a range as the size says.
    fn is_symbolic(&self, index: LocalId) -> bool {
        (0..self.sizes.len()).any(|at| {
            let mut sizes = self.sizes.to_vec();
            sizes[at] += 1;
            let larger = super::value::Valuing { asking: self.asking, sizes: &sizes };
            larger.range_of(index) != self.valuing().range_of(index)
        })
    }

    fn atom(&self, expr: &Expr, roles: &Roles<'_>, choice: &Choice) -> Found<GoalFormula> {
        let members = OfChosen { looking: self, roles, choice };
        let all = ways(expr).iter().all(|way| members.class(way).is_some());
        if all {
            let value = self.valuing().value(expr, &choice.values, &members);
            return match value.as_ref().and_then(Datum::truth) {
                Some(holds) => Ok(truth(holds)),
                None => outside(expr),
            };
        }
        match ways(expr).iter().any(|way| members.class(way).is_some()) {
            true => outside(expr),
            false => self.of_singles(expr, &choice.values),
        }
    }

    /// The states in which members count; nothing where these are some of the members of a family, and not all.
    pub fn counted(&self, count: &AtMost) -> Option<StateSet> {
        let mut by_spot: BTreeMap<Spot, StateSet> = BTreeMap::new();
        for one in &count.members {
            for values in self.cases(&one.indices)? {
                let spot = self.member(&one.test.path, &values)?;
                let states = self.catalogue.states(&spot.role, &one.test.states);
                by_spot.entry(spot).or_default().join(&states);
            }
        }
        let mut by_role: BTreeMap<&str, &StateSet> = BTreeMap::new();
        for (spot, states) in &by_spot {
            if *by_role.entry(&spot.role).or_insert(states) != states {
                return None;
            }
        }
        let of_role = self.row.parts.keys().filter(|spot| by_role.contains_key(spot.role.as_str()));
        if of_role.count() != by_spot.len() {
            return None;
        }
        let mut counted = StateSet::new();
        by_role.into_values().for_each(|states| counted.join(states));
        Some(counted)
    }

    fn member(&self, path: &LeafPath, values: &Values) -> Option<Spot> {
        self.spot_of(path, values).filter(|spot| self.row.parts.contains_key(spot))
    }

    /// All values of some indices.
    fn cases(&self, indices: &[LocalId]) -> Option<Vec<Values>> {
        let mut all = vec![Values::new()];
        for &index in indices {
            let range = self.valuing().range_of(index)?;
            let mut next = Vec::new();
            for values in &all {
                for at in range.clone() {
                    let mut values = values.clone();
                    values.insert(index, at);
                    next.push(values);
                }
            }
            all = next;
        }
        Some(all)
    }
}

fn truth(holds: bool) -> GoalFormula {
    if holds { GoalFormula::And(Vec::new()) } else { GoalFormula::Or(Vec::new()) }
}

/// Whether a formula is no combination of others.
fn is_atom(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Quantified(..) | ExprKind::Not(_) | ExprKind::Implies(_) => false,
        ExprKind::Chain(chain) => junctor(&chain.1).is_none(),
        _ => true,
    }
}

fn is_between_members(both: &(Expr, Expr), choice: &Choice) -> bool {
    [&both.0, &both.1]
        .iter()
        .all(|side| matches!(side.kind, ExprKind::Local(id) if choice.of(id).is_some()))
}
