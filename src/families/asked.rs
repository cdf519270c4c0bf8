//! What is asked of all sizes: a property, taken apart into claims of cells and counts of components.
//!
//! A quantifier over one index is a claim about each cell: what it says of some index is so where a claim is violated.
//! Quantifiers over members of families, told apart by nothing but whether they are the same, come to how many members are in
//! which states (`counts.rs`); so do two indices that are compared (`pair.rs`).

use super::recognise::{Outside, Recogniser, Scope, WhyOutside};
use super::shape::Shape;
use crate::elaborate::Settings;
use crate::sema::program::{
    AtMost, ConstId, Expr, ExprKind, LeafPath, Local, LocalId, Program, RangeId, Sort,
};
use crate::syntax::ast::Operator;

/// Larger numbers of members are not counted.
const MOST_COUNTED: i64 = 12;

/// What is asked, where indices are looked at.
pub(super) struct Asking<'p> {
    pub program: &'p Program,
    pub set: &'p Settings,
    pub sizes: &'p [ConstId],
    pub locals: &'p [Local],
}

/// A property, taken apart.
#[derive(Clone, Debug)]
pub(super) enum Asked<'p> {
    /// Something about components that are in no family.
    Single(&'p Expr),
    /// There is an index for which this is so, or it is so of members at the ends: the number of the claim.
    Some(usize),
    /// Quantifiers over members; and, where there are two indices only, what they come to if their order matters.
    Members(&'p Expr, Option<Pair<'p>>),
    /// No more than so many members are in some states.
    AtMost(&'p AtMost, usize),
    Not(Box<Asked<'p>>),
    And(Vec<Asked<'p>>),
    Or(Vec<Asked<'p>>),
}

/// A condition on one index: for some of the range, the expression is true, or false.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claimed<'p> {
    /// None where it speaks of none.
    pub index: Option<LocalId>,
    pub body: &'p Expr,
    pub wanted: bool,
}

/// A condition on two indices of a family: that it is so for some is wanted, or that it is not so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'p> {
    pub indices: [LocalId; 2],
    pub range: RangeId,
    pub body: &'p Expr,
    pub wanted: bool,
}

/// Takes a property apart, and finds its claims.
pub(super) struct Reading<'r, 'p> {
    pub asking: &'r Asking<'p>,
    pub walk: &'r mut Recogniser<'p>,
    pub claims: Vec<Claimed<'p>>,
}

pub(super) fn outside<T>(expr: &Expr) -> Result<T, Outside> {
    Err(Outside { span: expr.span, why: WhyOutside::Property })
}

/// The operator of a chain of truths.
pub(super) fn junctor(rest: &[(Operator, Expr)]) -> Option<Operator> {
    let (first, _) = rest.first()?;
    let truths = matches!(first, Operator::And | Operator::Or);
    (truths && rest.iter().all(|(operator, _)| operator == first)).then_some(*first)
}

/// The ways to the components that an expression speaks of.
pub(super) fn paths(expr: &Expr) -> Vec<&LeafPath> {
    let mut found = Vec::new();
    expr.each(&mut |part| match &part.kind {
        ExprKind::Leaf(variable) => found.push(&variable.path),
        ExprKind::InState(test, _) => found.push(&test.path),
        _ => {}
    });
    found
}

fn has_quantifier(expr: &Expr) -> bool {
    let mut found = false;
    expr.each(&mut |part| found |= matches!(part.kind, ExprKind::Quantified(..)));
    found
}

impl<'p> Reading<'_, 'p> {
    /// A whole property.
    pub fn read_alone(&mut self, expr: &'p Expr) -> Result<Asked<'p>, Outside> {
        let before = std::mem::take(&mut self.walk.asked);
        let found = self.read(expr);
        self.walk.was_alone(before);
        found
    }

    pub fn read(&mut self, expr: &'p Expr) -> Result<Asked<'p>, Outside> {
        match &expr.kind {
            ExprKind::Bool(true) => Ok(Asked::And(Vec::new())),
            ExprKind::Bool(false) => Ok(Asked::Or(Vec::new())),
            ExprKind::Not(inner) => Ok(Asked::Not(Box::new(self.read(inner)?))),
            ExprKind::Implies(both) => {
                let (a, b) = (self.read(&both.0)?, self.read(&both.1)?);
                Ok(Asked::Or(vec![Asked::Not(Box::new(a)), b]))
            }
            ExprKind::Chain(chain) if junctor(&chain.1).is_some() => {
                let rest = chain.1.iter().map(|(_, operand)| operand);
                let parts = std::iter::once(&chain.0).chain(rest);
                let parts = parts.map(|part| self.read(part)).collect::<Result<_, _>>()?;
                match junctor(&chain.1) {
                    Some(Operator::And) => Ok(Asked::And(parts)),
                    _ => Ok(Asked::Or(parts)),
                }
            }
            ExprKind::InState(test, _) if !test.any_of.is_empty() => outside(expr),
            ExprKind::AtMost(count) => match self.walk.shape(&count.most, &Scope::default())? {
                Shape::Sum(sum) if sum.is_number() && (0..=MOST_COUNTED).contains(&sum.low) => {
                    Ok(Asked::AtMost(count, sum.low.unsigned_abs() as usize))
                }
                _ => Err(Outside { span: count.most.span, why: WhyOutside::Count }),
            },
            ExprKind::Quantified(universal, ids, body) => {
                self.quantified(expr, (*universal, ids), body)
            }
            _ => {
                self.inside(expr, &Scope::default())?;
                let indexed = |path: &&LeafPath| path.iter().any(|(_, index)| index.is_some());
                if !paths(expr).iter().any(indexed) {
                    return Ok(Asked::Single(expr));
                }
                self.claims.push(Claimed { index: None, body: expr, wanted: true });
                Ok(Asked::Some(self.claims.len() - 1))
            }
        }
    }

    /// That there are indices for which something is so, or not so.
    fn quantified(
        &mut self,
        expr: &'p Expr,
        (universal, ids): (bool, &[LocalId]),
        body: &'p Expr,
    ) -> Result<Asked<'p>, Outside> {
        let (mut ids, mut body) = (ids.to_vec(), body);
        while let ExprKind::Quantified(again, more, inner) = &body.kind
            && *again == universal
        {
            ids.extend(more);
            body = inner;
        }
        if let ([index], false) = (ids.as_slice(), has_quantifier(body)) {
            let mut scope = Scope::default();
            let range = self.range_of(*index, expr)?;
            let (shape, _) = self.walk.range((range, *index), &scope)?;
            scope.shapes.insert(*index, shape);
            self.inside(body, &scope)?;
            self.claims.push(Claimed { index: Some(*index), body, wanted: !universal });
            let some = Asked::Some(self.claims.len() - 1);
            return Ok(if universal { Asked::Not(Box::new(some)) } else { some });
        }
        self.of_members(expr, &mut Scope::default())?;
        let pair = match ids.as_slice() {
            [one, other] => {
                let (range, second) = (self.range_of(*one, expr)?, self.range_of(*other, expr)?);
                let pair = Pair { indices: [*one, *other], range, body, wanted: !universal };
                self.are_same(range, second).then_some(pair)
            }
            _ => None,
        };
        Ok(Asked::Members(expr, pair))
    }

    fn range_of(&self, id: LocalId, expr: &Expr) -> Result<RangeId, Outside> {
        match self.asking.locals.get(id.index()).map(|local| local.sort) {
            Some(Sort::Range(range)) => Ok(range),
            _ => outside(expr),
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
            ExprKind::InState(test, _) if !test.any_of.is_empty() => outside(expr),
            ExprKind::Not(_) | ExprKind::Implies(_) => self.all_inside(expr, scope),
            ExprKind::Chain(chain) if junctor(&chain.1).is_some() => self.all_inside(expr, scope),
            ExprKind::Quantified(..) | ExprKind::AtMost(_) => outside(expr),
            _ => {
                self.walk.plain(expr, scope)?;
                paths(expr).into_iter().try_for_each(|path| self.places(expr, path, scope))
            }
        }
    }

    fn all_inside(&mut self, expr: &'p Expr, scope: &Scope) -> Result<(), Outside> {
        let mut inside = Vec::new();
        expr.each_inside(&mut |inner| inside.push(inner));
        inside.into_iter().try_for_each(|inner| self.inside(inner, scope))
    }

    /// That a condition on several members is of a form that is recognised: indices are used for members and compared with
    /// each other, and for nothing else.
    fn of_members(&mut self, expr: &'p Expr, scope: &mut Scope) -> Result<(), Outside> {
        match &expr.kind {
            ExprKind::Quantified(_, ids, body) => {
                for id in ids {
                    let range = self.range_of(*id, expr)?;
                    let (shape, _) = self.walk.range((range, *id), &Scope::default())?;
                    scope.shapes.insert(*id, shape);
                }
                self.of_members(body, scope)
            }
            ExprKind::Compare(_, both)
                if [&both.0, &both.1]
                    .iter()
                    .all(|side| matches!(side.kind, ExprKind::Local(_))) =>
            {
                Ok(())
            }
            ExprKind::AtMost(_) => outside(expr),
            _ if !has_quantifier(expr) && !matches!(expr.sort, Sort::Bool) => outside(expr),
            ExprKind::Not(_) | ExprKind::Implies(_) => self.all_of_members(expr, scope),
            ExprKind::Chain(chain) if junctor(&chain.1).is_some() => {
                self.all_of_members(expr, scope)
            }
            _ => {
                self.walk.plain(expr, scope)?;
                paths(expr).into_iter().try_for_each(|path| self.places(expr, path, scope))
            }
        }
    }

    fn all_of_members(&mut self, expr: &'p Expr, scope: &mut Scope) -> Result<(), Outside> {
        let mut inside = Vec::new();
        expr.each_inside(&mut |inner| inside.push(inner));
        inside.into_iter().try_for_each(|inner| self.of_members(inner, scope))
    }

    fn places(&mut self, expr: &Expr, path: &LeafPath, scope: &Scope) -> Result<(), Outside> {
        let mut names = String::new();
        for (name, index) in path {
            names = crate::pnet::path_inside(&names, name.name.as_str());
            let Some(index) = index else { continue };
            let family = self.walk.family(&names);
            match self.walk.shape(index, scope)? {
                Shape::Sum(sum) if family.is_some_and(|family| !sum.is_place_in(family)) => {
                    return outside(expr);
                }
                Shape::Sum(sum) if sum.is_place() => self.walk.reaches(sum, index.span)?,
                _ => return outside(expr),
            }
        }
        Ok(())
    }
}
