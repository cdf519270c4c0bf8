//! Terms as they are written.

use super::super::term::{Ref, Term};
use super::super::tree::Operator;
use super::Writer;

/// How tightly a term holds together: loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tight {
    If,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Prefix,
    Whole,
}

impl Writer<'_> {
    /// A term, with names for what it reads.
    pub fn shown(&mut self, term: &Term, name: &dyn Fn(Ref) -> String) -> String {
        self.text(term, name).0
    }

    /// The same, in parentheses where it stands in a sum or a comparison.
    fn inside(&mut self, term: &Term, name: &dyn Fn(Ref) -> String, least: Tight) -> String {
        let (text, tight) = self.text(term, name);
        match tight < least {
            true => format!("({text})"),
            false => text,
        }
    }

    fn text(&mut self, term: &Term, name: &dyn Fn(Ref) -> String) -> (String, Tight) {
        match term {
            Term::Int(value) if value.sign() == num_bigint::Sign::Minus => {
                (value.to_string(), Tight::Prefix)
            }
            Term::Int(value) => (value.to_string(), Tight::Whole),
            Term::Bool(value) => (value.to_string(), Tight::Whole),
            Term::Ref(Ref::Const(at)) => (self.actions.constant(*at), Tight::Whole),
            Term::Ref(one) => (name(*one), Tight::Whole),
            Term::Not(inner) => {
                (format!("not {}", self.inside(inner, name, Tight::Not)), Tight::Not)
            }
            Term::Negate(inner) => {
                (format!("-{}", self.inside(inner, name, Tight::Whole)), Tight::Prefix)
            }
            Term::Call(at, args) => {
                let args: Vec<String> = args.iter().map(|one| self.text(one, name).0).collect();
                let function = self.actions.function(*at);
                match args.is_empty() {
                    true => (function, Tight::Whole),
                    false => (format!("{function}({})", args.join(", ")), Tight::Whole),
                }
            }
            Term::If(all) => {
                let (test, yes) = (self.text(&all.0, name).0, self.text(&all.1, name).0);
                let no = self.text(&all.2, name).0;
                (format!("if {test} then {yes} else {no}"), Tight::If)
            }
            Term::Binary(op, sides) => self.binary(*op, (&sides.0, &sides.1), name),
        }
    }

    fn binary(
        &mut self,
        op: Operator,
        (left, right): (&Term, &Term),
        name: &dyn Fn(Ref) -> String,
    ) -> (String, Tight) {
        let (sign, tight) = match op {
            Operator::OrOr => ("or", Tight::Or),
            Operator::AndAnd => ("and", Tight::And),
            Operator::Equal => ("==", Tight::Comparison),
            Operator::NotEqual => ("!=", Tight::Comparison),
            Operator::Less => ("<", Tight::Comparison),
            Operator::LessEqual => ("<=", Tight::Comparison),
            Operator::Greater => (">", Tight::Comparison),
            Operator::GreaterEqual => (">=", Tight::Comparison),
            Operator::Add => ("+", Tight::Sum),
            Operator::Subtract => ("-", Tight::Sum),
            Operator::Multiply => ("*", Tight::Product),
            // BIP rounds towards zero.
            Operator::Divide => ("quot", Tight::Product),
            _ => ("rem", Tight::Product),
        };
        let (least_left, least_right) = match tight {
            // Not chained.
            Tight::Comparison => (Tight::Sum, Tight::Sum),
            Tight::Sum => (Tight::Sum, Tight::Product),
            Tight::Product => (Tight::Product, Tight::Prefix),
            // Both associate, and a chain is one row.
            other => (other, other),
        };
        let a = self.inside(left, name, least_left);
        let b = self.inside(right, name, least_right);
        (format!("{a} {sign} {b}"), tight)
    }
}
