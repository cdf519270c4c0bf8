//! Expressions once names have a meaning, and what statements one after the other come to.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use super::tree::Operator;
use crate::diagnostics::Span;

/// Terms with more nodes are not written.
const LARGEST: usize = 4_000;

/// Types of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Type {
    Bool,
    Int,
    /// An extern type, of which nothing is known.
    Extern(usize),
}

/// What has a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Ref {
    Const(usize),
    /// A parameter of the atom or compound.
    Param(usize),
    /// A variable of the atom.
    Data(usize),
    /// What a variable of the atom gets from a connector.
    Input(usize),
    /// What a variable is before it is set.
    Unset(usize),
    /// A variable of the connector.
    Local(usize),
    /// A variable of a port of the connector: port, variable.
    Port(usize, usize),
    /// What a component shows at a port: component, port, variable.
    Out(usize, usize, usize),
    /// What the port that is exported gets from above.
    In(usize),
    /// Exported data of a component: component, data.
    Exported(usize, usize),
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Term {
    Int(BigInt),
    Bool(bool),
    Ref(Ref),
    Not(Box<Term>),
    Negate(Box<Term>),
    Binary(Operator, Box<(Term, Term)>),
    Call(usize, Vec<Term>),
    If(Box<(Term, Term, Term)>),
}

impl Term {
    pub fn not(self) -> Term {
        match self {
            Term::Bool(value) => Term::Bool(!value),
            Term::Not(inner) => *inner,
            other => Term::Not(Box::new(other)),
        }
    }

    pub fn negate(self) -> Term {
        match self {
            Term::Int(value) => Term::Int(-value),
            other => Term::Negate(Box::new(other)),
        }
    }

    pub fn and(self, other: Term) -> Term {
        match (self, other) {
            (Term::Bool(false), _) | (_, Term::Bool(false)) => Term::Bool(false),
            (Term::Bool(true), other) | (other, Term::Bool(true)) => other,
            (a, b) if a == b => a,
            (a, b) => Term::Binary(Operator::AndAnd, Box::new((a, b))),
        }
    }

    pub fn or(self, other: Term) -> Term {
        match (self, other) {
            (Term::Bool(true), _) | (_, Term::Bool(true)) => Term::Bool(true),
            (Term::Bool(false), other) | (other, Term::Bool(false)) => other,
            (a, b) if a == b => a,
            (a, b) => Term::Binary(Operator::OrOr, Box::new((a, b))),
        }
    }

    pub fn when(test: Term, yes: Term, no: Term) -> Term {
        match test {
            Term::Bool(true) => yes,
            Term::Bool(false) => no,
            _ if yes == no => yes,
            test => Term::If(Box::new((test, yes, no))),
        }
    }

    pub fn binary(op: Operator, a: Term, b: Term) -> Term {
        match op {
            Operator::AndAnd => return a.and(b),
            Operator::OrOr => return a.or(b),
            _ => {}
        }
        if let (Term::Int(a), Term::Int(b)) = (&a, &b) {
            match op {
                Operator::Add => return Term::Int(a + b),
                Operator::Subtract => return Term::Int(a - b),
                Operator::Multiply => return Term::Int(a * b),
                // Both round towards zero.
                Operator::Divide if !b.is_zero() => {
                    let (quotient, _) = a.abs().div_rem(&b.abs());
                    let is_negative = a.is_negative() != b.is_negative();
                    return Term::Int(if is_negative { -quotient } else { quotient });
                }
                Operator::Remainder if !b.is_zero() => {
                    let (_, rest) = a.abs().div_rem(&b.abs());
                    return Term::Int(if a.is_negative() { -rest } else { rest });
                }
                Operator::Equal => return Term::Bool(a == b),
                Operator::NotEqual => return Term::Bool(a != b),
                Operator::Less => return Term::Bool(a < b),
                Operator::LessEqual => return Term::Bool(a <= b),
                Operator::Greater => return Term::Bool(a > b),
                Operator::GreaterEqual => return Term::Bool(a >= b),
                _ => {}
            }
        }
        if let (Term::Bool(a), Term::Bool(b)) = (&a, &b) {
            match op {
                Operator::Equal => return Term::Bool(a == b),
                Operator::NotEqual => return Term::Bool(a != b),
                _ => {}
            }
        }
        Term::Binary(op, Box::new((a, b)))
    }

    /// Calls something for each reference.
    pub fn refs(&self, take: &mut dyn FnMut(Ref)) {
        match self {
            Term::Int(_) | Term::Bool(_) => {}
            Term::Ref(one) => take(*one),
            Term::Not(inner) | Term::Negate(inner) => inner.refs(take),
            Term::Binary(_, sides) => {
                sides.0.refs(take);
                sides.1.refs(take);
            }
            Term::Call(_, args) => args.iter().for_each(|one| one.refs(take)),
            Term::If(all) => {
                all.0.refs(take);
                all.1.refs(take);
                all.2.refs(take);
            }
        }
    }

    /// The same with other terms for references.
    pub fn with(&self, of: &dyn Fn(Ref) -> Option<Term>) -> Term {
        match self {
            Term::Int(_) | Term::Bool(_) => self.clone(),
            Term::Ref(one) => of(*one).unwrap_or(Term::Ref(*one)),
            Term::Not(inner) => inner.with(of).not(),
            Term::Negate(inner) => inner.with(of).negate(),
            Term::Binary(op, sides) => Term::binary(*op, sides.0.with(of), sides.1.with(of)),
            Term::Call(f, args) => Term::Call(*f, args.iter().map(|one| one.with(of)).collect()),
            Term::If(all) => Term::when(all.0.with(of), all.1.with(of), all.2.with(of)),
        }
    }

    fn size(&self) -> usize {
        match self {
            Term::Int(_) | Term::Bool(_) | Term::Ref(_) => 1,
            Term::Not(inner) | Term::Negate(inner) => 1 + inner.size(),
            Term::Binary(_, sides) => 1 + sides.0.size() + sides.1.size(),
            Term::Call(_, args) => 1 + args.iter().map(Term::size).sum::<usize>(),
            Term::If(all) => 1 + all.0.size() + all.1.size() + all.2.size(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Term::Int(_) | Term::Bool(_) | Term::Ref(_) => 1,
            Term::Not(inner) | Term::Negate(inner) => 1 + inner.depth(),
            Term::Binary(_, sides) => 1 + sides.0.depth().max(sides.1.depth()),
            Term::Call(_, args) => 1 + args.iter().map(Term::depth).max().unwrap_or(0),
            Term::If(all) => 1 + all.0.depth().max(all.1.depth()).max(all.2.depth()),
        }
    }

    /// Whether it is more than a model should have in one place, or nested deeper than the language allows.
    pub fn is_too_large(&self) -> bool {
        self.size() > LARGEST || self.depth() > 150
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Action {
    Assign(Ref, Term, Span),
    If(Term, Vec<Action>, Vec<Action>),
}

/// The values of what was set so far; the rest has those from before.
pub(super) type Values = FxHashMap<Ref, Term>;

/// Where statements came to a term that is too large.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge(pub Span);

/// A term with the values of now.
pub(super) fn now(term: &Term, values: &Values) -> Term {
    term.with(&|one| values.get(&one).cloned())
}

/// Does statements one after the other.
pub(super) fn execute(actions: &[Action], values: &mut Values) -> Result<(), TooLarge> {
    for action in actions {
        match action {
            Action::Assign(to, term, span) => {
                let value = now(term, values);
                if value.is_too_large() {
                    return Err(TooLarge(*span));
                }
                values.insert(*to, value);
            }
            Action::If(test, yes, no) => {
                let test = now(test, values);
                let (mut if_so, mut if_not) = (values.clone(), values.clone());
                execute(yes, &mut if_so)?;
                execute(no, &mut if_not)?;
                let mut keys: Vec<Ref> = if_so.keys().chain(if_not.keys()).copied().collect();
                keys.sort_unstable();
                keys.dedup();
                for key in keys {
                    let of = |values: &Values| values.get(&key).cloned().unwrap_or(Term::Ref(key));
                    values.insert(key, Term::when(test.clone(), of(&if_so), of(&if_not)));
                }
            }
        }
    }
    Ok(())
}
