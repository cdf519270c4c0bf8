//! Names for values, and values with other fields: `let x = e in e`, `m with { body := 3 }`.

use super::body::Body;
use super::infer::base;
use super::problems::{Duplicate, NoSuchRecord, NotData, WrittenTooLarge};
use super::program::{DataId, Expr, ExprKind, LocalKind, Pattern, PatternKind, Sort};
use super::weight::MOST_WEIGHT;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident};

impl Body<'_, '_> {
    /// `let x = e in e`: a `match` with one arm, which every value fits.
    pub(super) fn named_value(
        &mut self,
        bound: &ast::Let,
        wanted: Option<(Sort, Option<(Span, String)>)>,
        span: Span,
    ) -> Expr {
        self.spreads += 1;
        let value = self.expr(&bound.value);
        let mark = self.enter();
        let local = self.bind(bound.name, base(self.shallow(value.sort)), LocalKind::Pattern);
        let body = match wanted {
            Some((wanted, because)) => self.expr_of(&bound.body, wanted, because),
            None => self.expr(&bound.body),
        };
        self.leave(mark);
        self.spreads -= 1;
        let sort = base(self.shallow(body.sort));
        let pattern = Pattern { kind: PatternKind::Bind(local), span: bound.name.span };
        let kind = ExprKind::Match(Box::new((value, vec![(pattern, body)])));
        self.not_too_large(Expr { kind, sort, span }, bound.name.span)
    }

    /// `m with { body := 3, seen := true }`
    pub(super) fn with(&mut self, with: &ast::With, span: Span) -> Expr {
        self.spreads += 1;
        let record = self.expr(&with.record);
        let made = self.with_fields(record, &with.fields, span);
        self.spreads -= 1;
        let first = with.fields.first().map_or(span, |(name, _)| name.span);
        self.not_too_large(made, first)
    }

    fn with_fields(&mut self, record: Expr, fields: &[(Ident, ast::Expr)], span: Span) -> Expr {
        let data = match self.shallow(record.sort) {
            Sort::Data(data) => Some(data),
            Sort::Error => None,
            other => {
                let found = self.sema.program.sort_name(other);
                let selector = fields.first().map_or(Symbol::new("_"), |(name, _)| name.name);
                self.report(NotData { span: record.span, found, selector: selector.to_string() });
                None
            }
        };
        let mut made: Vec<(Ident, Expr)> = Vec::with_capacity(fields.len());
        let mut is_whole = true;
        for (name, value) in fields {
            if let Some((first, _)) = made.iter().find(|(other, _)| other.name == name.name) {
                let (what, first) = ("field".to_owned(), first.span);
                self.report(Duplicate {
                    span: name.span,
                    what,
                    name: name.name.to_string(),
                    first,
                });
            }
            match data.and_then(|data| self.known_field(data, *name)) {
                Some(sort) => {
                    let value = self.expr_of(value, sort, None);
                    self.check_range(&value, sort, None);
                    made.push((*name, value));
                }
                None => {
                    self.expr(value);
                    is_whole = false;
                }
            }
        }
        let Some(data) = data.filter(|_| is_whole) else { return Expr::error(span) };
        let names = made.iter().map(|(name, _)| *name);
        if !self.has_constructor_with(data, &names.collect::<Vec<_>>()) {
            return Expr::error(span);
        }
        let kind = ExprKind::With(data, Box::new((record, made)));
        Expr { kind, sort: Sort::Data(data), span }
    }

    /// The sort of a field; reports one that no constructor has.
    fn known_field(&mut self, data: DataId, name: Ident) -> Option<Sort> {
        if self.sema.program.datas[data.index()].first(name.name).is_none() {
            self.unknown_selector(data, name);
            return None;
        }
        self.field_sort(data, name)
    }

    /// Reports fields that no constructor has together.
    fn has_constructor_with(&mut self, data: DataId, fields: &[Ident]) -> bool {
        let def = &self.sema.program.datas[data.index()];
        let mut known: Vec<Symbol> = Vec::new();
        for field in fields {
            known.push(field.name);
            if def.with_fields(&known).next().is_none() {
                let sort = self.sema.program.sort_name(Sort::Data(data));
                let others = known[..known.len() - 1].iter().map(|name| name.to_string());
                let (name, others) = (field.name.to_string(), others.collect());
                self.report(NoSuchRecord { span: field.span, name, others, sort });
                return false;
            }
        }
        true
    }

    /// Reports, at the outermost place, what would be too large if all names were replaced by what they stand for.
    fn not_too_large(&mut self, expr: Expr, shown: Span) -> Expr {
        if self.spreads > 0 {
            return expr;
        }
        let weight = self.sema.program.weight(&expr, &mut Default::default());
        if weight <= MOST_WEIGHT {
            return expr;
        }
        self.report(WrittenTooLarge { span: shown, limit: MOST_WEIGHT });
        Expr::error(expr.span)
    }
}
