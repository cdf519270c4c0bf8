//! How many members families have, how often vectors are repeated, and what that depends on.

use num_traits::ToPrimitive;

use super::build::Builder;
use super::lower::Scope;
use super::problems::{EmptyFamily, TooManyInstances, UnknownSize};
use crate::pnet::InstanceId;
use crate::sema::program::{ConstId, Expr, ExprKind, RangeId};

impl<'p> Builder<'p> {
    /// The indices of a family, which must have members.
    pub fn indices(
        &mut self,
        range: RangeId,
        env: (&Scope<'p>, Option<InstanceId>),
    ) -> Option<std::ops::Range<i64>> {
        let indices = self.repeated(range, env)?;
        if indices.is_empty() {
            let def = &self.program.ranges[range.index()];
            let (span, chain) = (def.low.span.to(def.high.span), self.chain(env.1));
            let range = Some((indices.start.to_string(), indices.end.to_string()));
            self.report(EmptyFamily { span, range, chain });
            return None;
        }
        Some(indices)
    }

    /// The indices for which something is repeated: there may be none.
    pub fn repeated(
        &mut self,
        range: RangeId,
        env: (&Scope<'p>, Option<InstanceId>),
    ) -> Option<std::ops::Range<i64>> {
        let (scope, instance) = env;
        let def = &self.program.ranges[range.index()];
        let mut lowering = self.lowering();
        let (low, high) = (lowering.term(&def.low, scope), lowering.term(&def.high, scope));
        let span = def.low.span.to(def.high.span);
        let (Some(low), Some(high)) =
            (self.terms.as_int(low).cloned(), self.terms.as_int(high).cloned())
        else {
            let (chain, constants) = (self.chain(instance), self.not_set(range, scope));
            self.report(UnknownSize { span, constants, chain });
            return None;
        };
        match (low.to_i64(), high.to_i64()) {
            (Some(from), Some(to)) if to <= from => Some(from..to),
            _ if high <= low => Some(0..0),
            (Some(from), Some(to)) if self.may_be_made((from, to)) => Some(from..to),
            _ => {
                self.report(TooManyInstances { span, limit: self.options.most_instances });
                None
            }
        }
    }

    /// Whether there may be as many instances as there are indices.
    fn may_be_made(&self, (from, to): (i64, i64)) -> bool {
        let count = i64::try_from(i128::from(to) - i128::from(from));
        count.is_ok_and(|count| count as u64 <= self.options.most_instances as u64)
    }

    /// The symbolic constants in the bounds of a range that nothing gives a value to.
    fn not_set(&mut self, range: RangeId, scope: &Scope<'p>) -> Vec<String> {
        let program = self.program;
        let def = &program.ranges[range.index()];
        let mut used: Vec<(&Expr, ConstId)> = Vec::new();
        for bound in [&def.low, &def.high] {
            bound.each(&mut |expr| {
                if let ExprKind::Const(id) = expr.kind {
                    used.push((expr, id));
                }
            });
        }
        let mut names: Vec<String> = Vec::new();
        for (expr, id) in used {
            let name = program.consts[id.index()].named.name.to_string();
            let term = self.lowering().term(expr, scope);
            if self.terms.as_int(term).is_none() && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
