//! Operators and comparisons: `and` and `or` decide from left to right, sums stay flat.

use super::{Lowering, Scope};
use crate::algebra::TermId;
use crate::sema::program::Expr;
use crate::syntax::ast::{Operator, Relation};

impl Lowering<'_> {
    pub(super) fn operators(
        &mut self,
        first: &Expr,
        rest: &[(Operator, Expr)],
        scope: &Scope<'_>,
    ) -> TermId {
        let first = self.term(first, scope);
        let operator = rest.first().map_or(Operator::Add, |(operator, _)| *operator);
        if matches!(operator, Operator::And | Operator::Or) {
            let mut operands = vec![first];
            for (_, operand) in rest {
                let since = self.owed_so_far();
                let term = self.term(operand, scope);
                if self.owed_so_far() > since {
                    let before = operands.iter().copied();
                    let reached = if operator == Operator::And {
                        self.terms.and(before)
                    } else {
                        let decided = self.terms.or(before);
                        self.terms.not(decided)
                    };
                    self.owed_under(reached, since);
                }
                operands.push(term);
            }
            return if operator == Operator::And {
                self.terms.and(operands)
            } else {
                self.terms.or(operands)
            };
        }
        let mut total = first;
        let mut at = 0;
        while at < rest.len() {
            let (operator, operand) = &rest[at];
            let text = operand.span;
            let operand = self.term(operand, scope);
            if operator.divides() {
                self.owe_divisor(operand, text);
            }
            total = match operator {
                Operator::Add | Operator::Subtract => {
                    // A run of sums is one sum: long ones stay flat.
                    let mut operands = vec![total, self.signed(*operator, operand)];
                    while let Some((next @ (Operator::Add | Operator::Subtract), operand)) =
                        rest.get(at + 1)
                    {
                        let operand = self.term(operand, scope);
                        operands.push(self.signed(*next, operand));
                        at += 1;
                    }
                    self.terms.add(operands)
                }
                Operator::Multiply => self.terms.multiply([total, operand]),
                Operator::Div => self.terms.div(total, operand),
                Operator::Quot => self.terms.quotient(total, operand),
                Operator::Rem => self.terms.rest(total, operand),
                _ => self.terms.modulo(total, operand),
            };
            at += 1;
        }
        total
    }

    fn signed(&mut self, operator: Operator, operand: TermId) -> TermId {
        if operator == Operator::Subtract { self.terms.negate(operand) } else { operand }
    }

    pub(super) fn compare(&mut self, relation: Relation, a: TermId, b: TermId) -> TermId {
        match relation {
            Relation::Equal => self.terms.equal(a, b),
            Relation::NotEqual => {
                let equal = self.terms.equal(a, b);
                self.terms.not(equal)
            }
            Relation::Less => self.terms.less(a, b),
            Relation::LessEqual => self.terms.less_equal(a, b),
            Relation::Greater => self.terms.less(b, a),
            Relation::GreaterEqual => self.terms.less_equal(b, a),
        }
    }
}
