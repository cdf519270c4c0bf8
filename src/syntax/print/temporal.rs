//! Temporal formulas.

use super::super::ast::{CheckDecl, Expr, ExprKind, PropertyDecl, Temporal};
use super::super::token::is_formula_word;
use super::super::walk::walk;
use super::Printer;
use super::expr::{ADDITIVE, ANY, NEGATION, OPERAND};
use crate::diagnostics::Symbol;

/// Whether a name would be a word of the formula around it.
pub(super) fn is_word(in_formula: Option<&[Symbol]>, name: Symbol) -> bool {
    in_formula.is_some_and(|fixes| is_formula_word(name.as_str()) && !fixes.contains(&name))
}

/// Whether what a check says is a formula.
pub(super) fn takes_formula(check: &CheckDecl) -> bool {
    matches!(check.kind.name.as_str(), "holds" | "noninterfering")
}

fn fixes_in(expr: &Expr) -> Vec<Symbol> {
    let mut found = Vec::new();
    walk(expr, &mut |inner| {
        if let ExprKind::Temporal(temporal) = &inner.kind
            && let Temporal::Fix { name, .. } = &**temporal
        {
            found.push(name.name);
        }
    });
    found
}

impl Printer {
    pub(super) fn property(&mut self, property: &PropertyDecl) {
        self.ident(property.name);
        self.bracketed(("(", ")"), &property.params, |p, name| p.ident(*name));
        self.put(" = ");
        self.formula(&property.body);
    }

    pub(super) fn formula(&mut self, formula: &Expr) {
        self.in_formula = Some(fixes_in(formula));
        self.expr(formula);
        self.in_formula = None;
    }

    /// Which runs count.
    pub(super) fn fair(&mut self, check: &CheckDecl) {
        for fair in &check.fair {
            self.put(if fair.weak { " weakly fair {" } else { " fair {" });
            for (at, one) in fair.steps.iter().enumerate() {
                self.put(if at == 0 { " " } else { ", " });
                self.in_formula = Some(fixes_in(&one.step));
                self.expr_at(&one.step, super::expr::DISJUNCTION);
                self.in_formula = None;
                one.repeat.chunks(1).for_each(|index| self.repeat(index));
            }
            self.put(" }");
        }
    }

    pub(super) fn temporal(&mut self, temporal: &Temporal) {
        let runs = |all: bool| if all { "A" } else { "E" };
        match temporal {
            Temporal::Runs { all, bracketed: true, says } => {
                self.put(runs(*all));
                self.put("[");
                self.expr(says);
                self.put("]");
            }
            Temporal::Runs { all, says, .. } => {
                self.put(runs(*all));
                self.put(" ");
                self.expr_at(says, NEGATION);
            }
            Temporal::Along(along, inner) => {
                self.put(along.letter());
                self.put(" ");
                self.expr_at(inner, NEGATION);
            }
            Temporal::RunsAlong { all, along, says } => {
                self.put(runs(*all));
                self.put(along.letter());
                self.put(" ");
                self.expr_at(says, NEGATION);
            }
            Temporal::Until { weak, left, right } => {
                self.expr_at(left, NEGATION);
                self.put(if *weak { " W " } else { " U " });
                self.expr_at(right, NEGATION);
            }
            Temporal::Modal { all: true, step, then } => {
                self.put("[");
                self.expr(step);
                self.put("] ");
                self.expr_at(then, NEGATION);
            }
            Temporal::Modal { all: false, step, then } => {
                self.put("<");
                // The first `>` would be its end.
                self.expr_at(step, if has_greater(step) { super::expr::TERM_ONLY } else { ANY });
                self.put("> ");
                self.expr_at(then, NEGATION);
            }
            Temporal::Fix { greatest, name, params, body } => {
                self.put(if *greatest { "nu " } else { "mu " });
                self.ident(*name);
                self.bracketed(("(", ")"), params, |p, (binder, value)| {
                    p.sorted(binder.name, &binder.sort);
                    p.put(" = ");
                    p.expr_at(value, ADDITIVE);
                });
                self.put(" . ");
                self.expr(body);
            }
            Temporal::After { step, then } => {
                self.put("after ");
                self.expr_at(step, super::expr::DISJUNCTION);
                self.put(" => ");
                self.expr(then);
            }
            Temporal::HoleDoes(hole, action) => {
                self.expr_at(hole, ADDITIVE);
                self.put(": ");
                self.expr_at(action, OPERAND);
            }
            Temporal::AnyStep => self.put("any"),
        }
    }
}

/// Whether a `>` stands in it that no brackets hide.
fn has_greater(expr: &Expr) -> bool {
    let mut found = false;
    walk(expr, &mut |inner| {
        found |= matches!(&inner.kind, ExprKind::Compare(_));
    });
    found
}
