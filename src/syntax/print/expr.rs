//! Expressions, with parentheses exactly where the grammar needs them.

use super::super::ast::{
    BoundBy, Chain, Expr, ExprKind, Ident, Match, Operator, Quantified, Temporal, Test,
};
use super::super::token::CONTEXTUAL;
use super::Printer;

// How tightly an expression binds, as in the grammar, loosest first.
/// `if`, quantifiers, `=>`: they stand alone.
pub(super) const ANY: u8 = 0;
pub(super) const DISJUNCTION: u8 = 1;
const CONJUNCTION: u8 = 2;
pub(super) const NEGATION: u8 = 3;
const COMPARISON: u8 = 4;
/// Sums: what bounds ranges, and what stands in angle brackets.
pub(super) const ADDITIVE: u8 = 5;
const MULTIPLICATIVE: u8 = 6;
/// Signs and `sync` and all that binds tighter: also what stands for an action.
pub(super) const OPERAND: u8 = 7;
/// Paths, and terms.
const POSTFIX: u8 = 8;
/// What a selector can follow without becoming part of a path.
const TERM: u8 = 9;
/// Nothing: it is put in parentheses.
pub(super) const TERM_ONLY: u8 = 10;

fn level(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::If(_) | ExprKind::Let(_) | ExprKind::Quantified(_) | ExprKind::Implies(_) => ANY,
        ExprKind::Chain(chain) => chain_level(chain),
        ExprKind::Not(_) => NEGATION,
        ExprKind::Temporal(one) => match &**one {
            Temporal::Fix { .. } | Temporal::Until { .. } | Temporal::After { .. } => ANY,
            Temporal::HoleDoes(..) | Temporal::AnyStep => TERM,
            _ => NEGATION,
        },
        ExprKind::Compare(_) | ExprKind::Is(_) | ExprKind::In(_) => COMPARISON,
        ExprKind::Negate(_) | ExprKind::Sync(_) | ExprKind::Co(_) => OPERAND,
        ExprKind::Name(_) | ExprKind::Path(_) => POSTFIX,
        _ => TERM,
    }
}

fn chain_level(chain: &Chain) -> u8 {
    match chain.rest.first().map(|(operator, _, _)| operator) {
        Some(Operator::Or) => DISJUNCTION,
        Some(Operator::And) => CONJUNCTION,
        Some(Operator::Add | Operator::Subtract) => ADDITIVE,
        Some(
            Operator::Multiply | Operator::Div | Operator::Mod | Operator::Quot | Operator::Rem,
        ) => MULTIPLICATIVE,
        None => level(&chain.first.kind),
    }
}

impl Printer {
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_at(expr, ANY);
    }

    /// An expression where only those stand that bind at least as tightly as `least`.
    pub(super) fn expr_at(&mut self, expr: &Expr, least: u8) {
        if level(&expr.kind) >= least {
            return self.expr_kind(&expr.kind);
        }
        self.put("(");
        self.expr_kind(&expr.kind);
        self.put(")");
    }

    /// ` = e`
    pub(super) fn value(&mut self, value: Option<&Expr>) {
        if let Some(value) = value {
            self.put(" = ");
            self.expr(value);
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        self.list(", ", exprs, Printer::expr);
    }

    fn expr_kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Error => {}
            ExprKind::Bool(value) => self.put(if *value { "true" } else { "false" }),
            ExprKind::Int(digits) => self.put(digits.as_str()),
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Path(path) => self.path(path),
            ExprKind::Wildcard => self.put("_"),
            ExprKind::Tau => self.put("tau"),
            ExprKind::Input(name) => {
                self.put("?");
                self.ident(*name);
            }
            ExprKind::Sync(inner) => self.prefixed("sync ", inner, OPERAND),
            ExprKind::Co(inner) => self.prefixed("co ", inner, OPERAND),
            ExprKind::Negate(inner) => self.prefixed("-", inner, OPERAND),
            // `not a < b` means the same, but many would read it otherwise.
            ExprKind::Not(inner) if level(&inner.kind) == COMPARISON => {
                self.prefixed("not ", inner, ADDITIVE);
            }
            ExprKind::Not(inner) => self.prefixed("not ", inner, NEGATION),
            ExprKind::Chain(chain) => self.chain(chain),
            ExprKind::Compare(comparison) => self.infix(
                (&comparison.left, ADDITIVE),
                comparison.relation.spelling(),
                (&comparison.right, ADDITIVE),
            ),
            ExprKind::Implies(both) => self.infix((&both.0, DISJUNCTION), "=>", (&both.1, ANY)),
            ExprKind::Is(test) => self.test(test, "is", "is not"),
            ExprKind::In(test) => self.test(test, "in", "not in"),
            ExprKind::If(parts) => {
                self.prefixed("if ", &parts.0, ANY);
                self.prefixed(" then ", &parts.1, ANY);
                self.prefixed(" else ", &parts.2, ANY);
            }
            ExprKind::Let(bound) => {
                self.put("let ");
                self.plain_name(bound.name);
                self.prefixed(" = ", &bound.value, ADDITIVE);
                self.prefixed(" in ", &bound.body, ANY);
            }
            ExprKind::Quantified(quantified) => self.quantified(quantified),
            ExprKind::Temporal(one) => self.temporal(one),
            _ => self.term(kind),
        }
    }

    /// What carries its own brackets.
    fn term(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Call(call) => {
                self.path(&call.callee);
                self.put("(");
                self.exprs(&call.args);
                self.put(")");
            }
            ExprKind::Set(elements) => {
                self.put("{ ");
                self.exprs(elements);
                self.put(" }");
            }
            ExprKind::Tuple(elements) => {
                self.put("(");
                self.exprs(elements);
                self.put(")");
            }
            ExprKind::OfSort(both) => {
                self.put("(");
                self.expr(&both.0);
                self.put(": ");
                self.sort(&both.1);
                self.put(")");
            }
            ExprKind::Sort(sort) => self.sort(sort),
            ExprKind::Field(field) => {
                self.expr_at(&field.0, TERM);
                self.put(".");
                self.ident(field.1);
            }
            ExprKind::Index(both) => {
                self.expr_at(&both.0, POSTFIX);
                self.put("[");
                self.expr(&both.1);
                self.put("]");
            }
            ExprKind::Update(parts) => {
                self.expr_at(&parts.0, POSTFIX);
                self.put("[");
                self.infix((&parts.1, ANY), ":=", (&parts.2, ANY));
                self.put("]");
            }
            ExprKind::With(with) => {
                self.expr_at(&with.record, POSTFIX);
                self.put(" with { ");
                self.list(", ", &with.fields, |p, (field, value)| {
                    p.ident(*field);
                    p.prefixed(" := ", value, ANY);
                });
                self.put(" }");
            }
            ExprKind::ConstArray(both) => {
                self.put("[_]");
                self.sort(&both.0);
                self.put("(");
                self.expr(&both.1);
                self.put(")");
            }
            ExprKind::Match(matched) => self.matched(matched),
            _ => {}
        }
    }

    /// A name where no word of the language can stand, not even one of a single place.
    fn plain_name(&mut self, name: Ident) {
        match CONTEXTUAL.iter().any(|(word, _)| *word == name.name.as_str()) {
            true => self.quoted(name.name.as_str()),
            false => self.ident(name),
        }
    }

    fn prefixed(&mut self, prefix: &str, inner: &Expr, least: u8) {
        self.put(prefix);
        self.expr_at(inner, least);
    }

    fn infix(&mut self, left: (&Expr, u8), operator: &str, right: (&Expr, u8)) {
        self.expr_at(left.0, left.1);
        self.put(" ");
        self.put(operator);
        self.put(" ");
        self.expr_at(right.0, right.1);
    }

    fn chain(&mut self, chain: &Chain) {
        let operand = chain_level(chain) + 1;
        self.expr_at(&chain.first, operand);
        for (operator, _, right) in &chain.rest {
            self.put(" ");
            self.put(operator.spelling());
            self.put(" ");
            self.expr_at(right, operand);
        }
    }

    fn test(&mut self, test: &Test, plain: &str, negated: &str) {
        let word = if test.negated { negated } else { plain };
        self.infix((&test.subject, ADDITIVE), word, (&test.against, OPERAND));
    }

    fn matched(&mut self, matched: &Match) {
        self.prefixed("match ", &matched.subject, ANY);
        self.put(" { ");
        self.list(", ", &matched.arms, |p, (pattern, value)| {
            p.infix((pattern, OPERAND), "=>", (value, ANY));
        });
        self.put(" }");
    }

    fn quantified(&mut self, quantified: &Quantified) {
        self.put(if quantified.universal { "forall " } else { "exists " });
        self.list(", ", &quantified.variables, |p, (name, by)| match by {
            BoundBy::Use => p.ident(*name),
            BoundBy::Sort(sort) => p.sorted(*name, sort),
            BoundBy::Members(path) => {
                p.ident(*name);
                p.put(" in ");
                p.part_path(path);
            }
        });
        self.put(" . ");
        self.expr(&quantified.body);
    }
}
