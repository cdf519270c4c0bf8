//! The tree of expressions, which actions, patterns and sets of actions share.

use serde::Serialize;

use super::ast::{Ident, Path, Quantified, Sort, Temporal};
use crate::diagnostics::{Span, Symbol};

/// An expression, an action term, a pattern or a set of actions.
#[derive(Clone, Debug, Serialize)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where it stands, without the parentheses around it.
    pub span: Span,
    #[serde(skip)]
    pub(super) depth: u16,
}

/// The kinds of expressions.
#[derive(Clone, Debug, Serialize)]
pub enum ExprKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `true`
    Bool(bool),
    /// `42`, as its digits
    Int(Symbol),
    /// `x`
    Name(Symbol),
    /// `timer.max`, `m.seq`
    Path(Box<Path>),
    /// `_`
    Wildcard,
    /// `?x`
    Input(Ident),
    /// `tau`
    Tau,
    /// `sync a`
    Sync(Box<Expr>),
    /// `co a`
    Co(Box<Expr>),
    /// `f(x)`, `Pkt(1, d)`, `delta(x)`
    Call(Box<Call>),
    /// `f(x).seq`
    Field(Box<(Expr, Ident)>),
    /// `m[i]`
    Index(Box<(Expr, Expr)>),
    /// `m[i := v]`
    Update(Box<(Expr, Expr, Expr)>),
    /// `m with { body := 3, seen := true }`
    With(Box<With>),
    /// `[_]Int(0)`
    ConstArray(Box<(Sort, Expr)>),
    /// `{ delta(_), acc(_) }`
    Set(Vec<Expr>),
    /// `not b`
    Not(Box<Expr>),
    /// `- n`
    Negate(Box<Expr>),
    /// `a + b - c`: operators of one level, from left to right
    Chain(Box<Chain>),
    /// `a < b`
    Compare(Box<Comparison>),
    /// `a => b`
    Implies(Box<(Expr, Expr)>),
    /// `m is not Pkt(_, _)`
    Is(Box<Test>),
    /// `a not in G`
    In(Box<Test>),
    /// `let x = e in e`
    Let(Box<Let>),
    /// `if c then a else b`
    If(Box<(Expr, Expr, Expr)>),
    /// `match m { Ping => 0, Pkt(s, _) => s }`
    Match(Box<Match>),
    /// `(1, true)`
    Tuple(Vec<Expr>),
    /// `(Nil: List<Int>)`
    OfSort(Box<(Expr, Sort)>),
    /// A sort among the arguments of an instance: `Cell<List<Int>>`
    Sort(Box<Sort>),
    /// `forall d: Data . g(d) >= 0`
    Quantified(Box<Quantified>),
    /// What only temporal formulas have: `AG f`, `<p> f`
    Temporal(Box<Temporal>),
}

/// A use of a function, constructor or action.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    /// Of what.
    pub callee: Path,
    /// With what.
    pub args: Vec<Expr>,
}

/// Operators of one level, from left to right.
#[derive(Clone, Debug, Serialize)]
pub struct Chain {
    /// The first operand.
    pub first: Expr,
    /// The operators, each with its place and its right operand; at least one.
    pub rest: Vec<(Operator, Span, Expr)>,
}

/// The operators of chains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operator {
    And,
    Or,
    Add,
    Subtract,
    Multiply,
    Div,
    Mod,
    Quot,
    Rem,
}

impl Operator {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Div => "div",
            Operator::Mod => "mod",
            Operator::Quot => "quot",
            Operator::Rem => "rem",
        }
    }

    /// Whether it divides by its right operand.
    pub fn divides(self) -> bool {
        matches!(self, Operator::Div | Operator::Mod | Operator::Quot | Operator::Rem)
    }
}

/// A comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Which.
    pub relation: Relation,
    /// Where its sign stands.
    pub sign: Span,
    /// What is compared.
    pub left: Expr,
    /// With what.
    pub right: Expr,
}

/// The signs of comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
        }
    }
}

/// A test of what something is, or where it belongs.
#[derive(Clone, Debug, Serialize)]
pub struct Test {
    /// What is tested.
    pub subject: Expr,
    /// Whether the opposite is asked.
    pub negated: bool,
    /// The pattern, or the set.
    pub against: Expr,
}

/// A choice by the form of a value.
#[derive(Clone, Debug, Serialize)]
pub struct Match {
    /// What is looked at.
    pub subject: Expr,
    /// The forms, and the value for each.
    pub arms: Vec<(Expr, Expr)>,
}

/// A value with other fields.
#[derive(Clone, Debug, Serialize)]
pub struct With {
    /// The value.
    pub record: Expr,
    /// Its fields that are other ones.
    pub fields: Vec<(Ident, Expr)>,
}

/// A name for a value.
#[derive(Clone, Debug, Serialize)]
pub struct Let {
    /// The name.
    pub name: Ident,
    /// What it stands for.
    pub value: Expr,
    /// Where.
    pub body: Expr,
}
