//! How large expressions become when names are replaced by what they stand for.
//!
//! `let x = a + a in let y = x + x in …` is short, and what it means twice as large with every line. So is a sequence of
//! assignments, each of which sees those before it. Later stages write terms out, so what is too large is an error.

use rustc_hash::FxHashMap;

use super::program::{DataId, Expr, ExprKind, LocalId, Pattern, PatternKind, Program};
use crate::diagnostics::Symbol;

/// No expression may become larger than this.
pub const MOST_WEIGHT: u64 = 100_000;

/// How large what a name stands for is; one that is not listed stands for itself.
pub(super) type Weights = FxHashMap<LocalId, u64>;

impl Program {
    /// How large an expression is, with what names stand for in their place.
    pub(super) fn weight(&self, expr: &Expr, known: &mut Weights) -> u64 {
        let mut total = 1u64;
        match &expr.kind {
            ExprKind::Local(id) => return known.get(id).copied().unwrap_or(1),
            ExprKind::Match(all) => {
                let subject = self.weight(&all.0, known);
                for (pattern, value) in &all.1 {
                    bind(pattern, subject, known);
                    let arm = self.weight(value, known).saturating_add(subject);
                    total = total.saturating_add(arm);
                }
            }
            ExprKind::With(data, both) => {
                let record = self.weight(&both.0, known);
                total = match is_made(&both.0) {
                    true => record,
                    false => {
                        let names: Vec<Symbol> = both.1.iter().map(|(name, _)| name.name).collect();
                        self.spread(*data, &names, record)
                    }
                };
                for (_, value) in &both.1 {
                    total = total.saturating_add(self.weight(value, known));
                }
            }
            _ => expr.each_inside(&mut |inner| {
                total = total.saturating_add(self.weight(inner, known));
            }),
        }
        total
    }

    /// How large a value becomes when some of its fields are given other values: the others are read from it one by one.
    pub(super) fn spread(&self, data: DataId, names: &[Symbol], record: u64) -> u64 {
        let def = &self.datas[data.index()];
        let fields = def
            .with_fields(names)
            .map(|index| def.constructors[index as usize].fields.len() as u64 + 1);
        fields.sum::<u64>().saturating_mul(record)
    }
}

/// Whether a value is seen to be made by one constructor, so that its fields need not be read.
fn is_made(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Construct(..))
}

fn bind(pattern: &Pattern, weight: u64, known: &mut Weights) {
    match &pattern.kind {
        PatternKind::Bind(id) => _ = known.insert(*id, weight.saturating_add(1)),
        PatternKind::Construct(_, _, inner) => {
            inner.iter().for_each(|inner| bind(inner, weight.saturating_add(1), known));
        }
        _ => {}
    }
}
