//! What the sizes of families depend on.

use super::build::Builder;
use super::lower::Scope;
use crate::sema::program::{ConstId, Expr, ExprKind, RangeId};

impl<'p> Builder<'p> {
    /// The symbolic constants in the bounds of a range that nothing gives a value to.
    pub(super) fn not_set(&mut self, range: RangeId, scope: &Scope<'p>) -> Vec<String> {
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
            let term = self.term(expr, scope);
            if self.terms.as_int(term).is_none() && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
