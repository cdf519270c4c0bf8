//! Which constant is the size, and what the axioms say about it.

use num_traits::ToPrimitive;

use crate::elaborate::Settings;
use crate::sema::program::{ConstId, Expr, ExprKind, Program, Sort};
use crate::syntax::ast::{Operator, Relation};

/// What is known of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeBounds {
    /// The smallest.
    pub least: i64,
    /// The largest, if there is one.
    pub most: Option<i64>,
    /// Whether axioms say more: some sizes between may not be allowed.
    pub has_gaps: bool,
}

/// The symbolic constants that could be a size: integers that nothing gives a value to.
pub fn open_constants(program: &Program, set: &Settings) -> Vec<ConstId> {
    let all = program.consts.iter().enumerate();
    let open = all.filter(|(at, constant)| {
        let is_int = matches!(constant.sort, Sort::Int | Sort::Range(_));
        constant.body.is_none() && is_int && set.get(ConstId(*at as u32)).is_none()
    });
    open.map(|(at, _)| ConstId(at as u32)).collect()
}

/// What the axioms say about a size. Nothing, where they say no lower bound.
pub fn bounds(program: &Program, size: ConstId) -> Option<SizeBounds> {
    let (mut least, mut most) = range_of(program, size);
    let mut has_gaps = false;
    for axiom in &program.axioms {
        for part in conjuncts(&axiom.body) {
            let mut speaks = false;
            part.each(&mut |expr| match &expr.kind {
                ExprKind::Const(id) => speaks |= *id == size || is_made(program, *id),
                ExprKind::Apply(..) => speaks |= is_in_functions(program, size),
                _ => {}
            });
            if !speaks {
                continue;
            }
            let Some((low, high)) = bound(program, part, size) else {
                has_gaps = true;
                continue;
            };
            least = least.into_iter().chain(low).max();
            most = most.into_iter().chain(high).min();
        }
    }
    least.map(|least| SizeBounds { least, most, has_gaps })
}

/// Whether a function is defined by a size, or by a constant that has a definition.
fn is_in_functions(program: &Program, size: ConstId) -> bool {
    let mut found = false;
    for body in program.funs.iter().filter_map(|fun| fun.body.as_ref()) {
        body.each(&mut |expr| {
            found |= matches!(expr.kind, ExprKind::Const(id) if id == size || is_made(program, id));
        });
    }
    found
}

/// Whether a constant has a definition that may speak of others.
fn is_made(program: &Program, id: ConstId) -> bool {
    let constant = &program.consts[id.index()];
    constant.body.is_some() && constant.value.is_none()
}

fn range_of(program: &Program, size: ConstId) -> (Option<i64>, Option<i64>) {
    let Sort::Range(range) = program.consts[size.index()].sort else { return (None, None) };
    let known = program.ranges[range.index()].known.as_ref();
    let known = known.and_then(|(low, high)| Some((low.to_i64()?, high.to_i64()?)));
    known.map_or((None, None), |(low, high)| (Some(low), Some(high.saturating_sub(1))))
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Chain(chain)
            if chain.1.iter().all(|(operator, _)| *operator == Operator::And) =>
        {
            let rest = chain.1.iter().map(|(_, operand)| operand);
            std::iter::once(&chain.0).chain(rest).flat_map(conjuncts).collect()
        }
        _ => vec![expr],
    }
}

/// The bounds that a comparison, or its opposite, says: the lower and the upper one. Nothing where it is something else.
fn bound(program: &Program, expr: &Expr, size: ConstId) -> Option<(Option<i64>, Option<i64>)> {
    let (relation, both) = match &expr.kind {
        ExprKind::Compare(relation, both) => (*relation, both),
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::Compare(relation, both) => (opposite(*relation), both),
            _ => return None,
        },
        _ => return None,
    };
    let is_size = |expr: &Expr| matches!(expr.kind, ExprKind::Const(id) if id == size);
    let (relation, number) = match (is_size(&both.0), is_size(&both.1)) {
        (true, false) => (relation, number(program, &both.1)?),
        (false, true) => (turned(relation), number(program, &both.0)?),
        _ => return None,
    };
    match relation {
        Relation::Greater => Some((Some(number.checked_add(1)?), None)),
        Relation::GreaterEqual => Some((Some(number), None)),
        Relation::Less => Some((None, Some(number.checked_sub(1)?))),
        Relation::LessEqual => Some((None, Some(number))),
        Relation::Equal => Some((Some(number), Some(number))),
        Relation::NotEqual => None,
    }
}

/// The relation that holds where another does not.
fn opposite(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::GreaterEqual,
        Relation::LessEqual => Relation::Greater,
        Relation::Greater => Relation::LessEqual,
        Relation::GreaterEqual => Relation::Less,
        Relation::Equal => Relation::NotEqual,
        Relation::NotEqual => Relation::Equal,
    }
}

/// The same relation from the other side.
fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        same => same,
    }
}

fn number(program: &Program, expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Const(id) => match &program.consts[id.index()].value {
            Some(crate::sema::program::Value::Int(number)) => number.to_i64(),
            _ => None,
        },
        _ => None,
    }
}
