//! Tuples: `(1, true)` is `Pair(1, true)`, and three values are a `Triple`, which every module has from the prelude.

use super::body::Body;
use super::problems::LongTuple;
use super::program::{DataId, Expr, ExprKind, Pattern, PatternKind, Sort};
use super::scope::{Meaning, Space};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident};

impl Body<'_, '_> {
    /// `(1, true)`
    pub fn tuple(&mut self, values: &[ast::Expr], span: Span) -> Expr {
        let Some((data, index, ident)) = self.tuple_constructor(values.len(), span) else {
            values.iter().for_each(|value| drop(self.expr(value)));
            return Expr::error(span);
        };
        let data = self.opened_data(data);
        let fields = &self.sema.program.datas[data.index()].constructors[index as usize].fields;
        let sorts: Vec<Sort> = fields.iter().map(|field| field.1).collect();
        let args = self.args(values, ident, "constructor", &sorts, span);
        let Some(args) = args else { return Expr::error(span) };
        Expr { kind: ExprKind::Construct(data, index, args), sort: Sort::Data(data), span }
    }

    /// `(x, _)` in a `match` or a test.
    pub fn tuple_pattern(
        &mut self,
        values: &[ast::Expr],
        sort: Sort,
        span: Span,
        inside: fn(&mut Self, &ast::Expr, Sort) -> Pattern,
    ) -> Pattern {
        let Some((data, index, ident)) = self.tuple_constructor(values.len(), span) else {
            values.iter().for_each(|value| drop(inside(self, value, Sort::Error)));
            return Pattern { kind: PatternKind::Error, span };
        };
        let data = self.opened_data(data);
        self.fields_pattern((data, index), ident, values, (sort, span), inside)
    }

    fn tuple_constructor(&mut self, count: usize, span: Span) -> Option<(DataId, u32, Ident)> {
        let name = match count {
            2 => Symbol::new("Pair"),
            3 => Symbol::new("Triple"),
            _ => {
                self.report(LongTuple { span, count });
                return None;
            }
        };
        let prelude = self.sema.prelude()?;
        let declared = self.sema.scopes[prelude.index()].own.get(&(Space::Values, name))?;
        match declared.meaning {
            Meaning::Constructor(data, index) => Some((data, index, Ident { name, span })),
            _ => None,
        }
    }
}
