//! Ranges that datatypes and functions are for: their bounds as numbers.
//!
//! `Option<0..4>` is a datatype of its own, so it must be known when it is first spoken of which one is meant, before
//! constants have been looked at. The bounds are worked out on the text: numbers, and constants that have a value. All ranges
//! with the same bounds are one here, so that two texts mean the same datatype.

use num_bigint::BigInt;

use super::Sema;
use super::body::{Body, Resolved};
use super::expr::big;
use super::fold::{MOST_BITS, combine};
use super::program::{ConstId, Expr, ExprKind, ModuleId, RangeDef, RangeId, Sort};
use super::scope::{Meaning, Space};
use crate::diagnostics::Span;
use crate::syntax::ast::{self, Path};

/// Constants that are defined by constants are followed so far.
const MOST_STEPS: usize = 100;

/// Why a bound is no number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoNumber {
    /// It depends on something that is known later, or never.
    Open,
    /// It has a mistake, which is told where bounds are looked at.
    Broken,
}

impl Sema<'_> {
    /// A sort in which each range with known bounds is the one that all with these bounds are.
    pub(super) fn canonical(&mut self, sort: Sort) -> Sort {
        match sort {
            Sort::Range(id) => {
                let range = &self.program.ranges[id.index()];
                let span = range.low.span.to(range.high.span);
                match range.known.clone() {
                    Some(known) => Sort::Range(self.range_between(known, span)),
                    None => sort,
                }
            }
            Sort::Array(id) => {
                let (key, value) = self.program.arrays[id.index()];
                let (key, value) = (self.canonical(key), self.canonical(value));
                self.array(key, value)
            }
            other => other,
        }
    }

    /// The range with these bounds.
    fn range_between(&mut self, known: (BigInt, BigInt), span: Span) -> RangeId {
        let next = RangeId(self.program.ranges.len() as u32);
        let id = *self.instances.ranges.entry(known.clone()).or_insert(next);
        if id == next {
            let [low, high] = [&known.0, &known.1].map(|value| number(value, span));
            self.program.ranges.push(RangeDef { low, high, known: Some(known) });
        }
        id
    }

    /// The declaration of a constant, and its module.
    fn constant(&self, id: ConstId) -> Option<(ModuleId, &ast::ConstDecl)> {
        self.constants.get(id.index()).map(|(module, constant)| (*module, *constant))
    }
}

impl Body<'_, '_> {
    /// The range between bounds that are numbers already.
    pub fn known_range(&mut self, range: &ast::Range, span: Span) -> Result<Sort, NoNumber> {
        let module = self.module;
        let low = self.number(&range.low, (module, true), 0)?;
        let high = self.number(&range.high, (module, true), 0)?;
        // That nothing is in it is told where bounds are looked at.
        match low < high {
            true => Ok(Sort::Range(self.sema.range_between((low, high), span))),
            false => Err(NoNumber::Broken),
        }
    }

    /// The value of an expression in a module; inside of a declaration it may be about local names.
    fn number(
        &mut self,
        expr: &ast::Expr,
        (module, here): (ModuleId, bool),
        steps: usize,
    ) -> Result<BigInt, NoNumber> {
        if steps > MOST_STEPS {
            return Err(NoNumber::Open);
        }
        let value = match &expr.kind {
            ast::ExprKind::Int(digits) => big(*digits),
            ast::ExprKind::Negate(inner) => -self.number(inner, (module, here), steps)?,
            ast::ExprKind::Chain(chain) => {
                let mut value = self.number(&chain.first, (module, here), steps)?;
                for (operator, _, operand) in &chain.rest {
                    let operand = self.number(operand, (module, here), steps)?;
                    let (a, b) = ((value.clone(), value), (operand.clone(), operand));
                    value = combine(*operator, &a, &b).ok_or(NoNumber::Broken)?.0;
                }
                value
            }
            ast::ExprKind::Name(name) => {
                if here && (self.local(*name).is_some() || self.names_parameter(*name)) {
                    return Err(NoNumber::Open);
                }
                let found = self.sema.lookup(module, Space::Values, *name);
                self.constant_number(found.map(|declared| declared.meaning), steps)?
            }
            ast::ExprKind::Path(path) if here => {
                let found = self.constant_of(path);
                self.constant_number(found, steps)?
            }
            ast::ExprKind::Bool(_) | ast::ExprKind::Error => return Err(NoNumber::Broken),
            _ => return Err(NoNumber::Open),
        };
        match value.bits() <= MOST_BITS {
            true => Ok(value),
            false => Err(NoNumber::Open),
        }
    }

    fn constant_of(&mut self, path: &Path) -> Option<Meaning> {
        match self.resolve(Space::Values, path) {
            Resolved::Known(declared, _, []) => Some(declared.meaning),
            _ => None,
        }
    }

    fn constant_number(
        &mut self,
        found: Option<Meaning>,
        steps: usize,
    ) -> Result<BigInt, NoNumber> {
        let Some(Meaning::Const(id)) = found else { return Err(NoNumber::Broken) };
        let (module, value) = match self.sema.constant(id) {
            Some((module, constant)) => (module, constant.value.clone()),
            None => return Err(NoNumber::Open),
        };
        let value = value.ok_or(NoNumber::Open)?;
        self.number(&value, (module, false), steps + 1)
    }

    /// Whether a name is a parameter of what is asked about.
    fn names_parameter(&self, name: crate::diagnostics::Symbol) -> bool {
        self.parameters.iter().any(|one| one.name == name)
    }
}

/// A number as an expression.
fn number(value: &BigInt, span: Span) -> Expr {
    let kind = match i64::try_from(value) {
        Ok(small) => ExprKind::Int(small),
        Err(_) => ExprKind::BigInt(Box::new(value.clone())),
    };
    Expr { kind, sort: Sort::Int, span }
}
