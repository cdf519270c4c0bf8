//! The tree of temporal formulas. They share [`Expr`] with all that they are made of: what is a step and what is said of a
//! configuration is a question of names.

use serde::Serialize;

use super::ast::{Binder, Expr, Family, Ident};
use crate::diagnostics::Span;

/// `property Responds(a, b) = AG (after a => AF b);`
#[derive(Clone, Debug, Serialize)]
pub struct PropertyDecl {
    /// Its name.
    pub name: Ident,
    /// The formulas that it is over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Ident>,
    /// What it says.
    pub body: Expr,
}

/// `fair { pass(i) for i in 0..5 }`
#[derive(Clone, Debug, Serialize)]
pub struct FairDecl {
    /// Whether it is `weakly fair`.
    pub weak: bool,
    /// The steps.
    pub steps: Vec<FairStep>,
    /// Where it stands.
    pub span: Span,
}

/// Some steps, each of which gets its turn.
#[derive(Clone, Debug, Serialize)]
pub struct FairStep {
    /// Which.
    pub step: Expr,
    /// The indices they are repeated for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeat: Vec<Family>,
}

/// What only formulas have.
#[derive(Clone, Debug, Serialize)]
pub enum Temporal {
    /// `A f`, `E f`: of all runs, or of some. With the operator that belongs to the word, as in `AG f`.
    Runs {
        /// Of all.
        all: bool,
        /// `A[…]`
        bracketed: bool,
        /// What is said of them.
        says: Expr,
    },
    /// `G f`, `F f`, `X f`
    Along(Along, Expr),
    /// `AG f`, `EF f`
    RunsAlong {
        /// Of all runs.
        all: bool,
        /// Which operator.
        along: Along,
        /// What is said along them.
        says: Expr,
    },
    /// `f U g`, `f W g`
    Until {
        /// `W`: the second need not come.
        weak: bool,
        /// What holds until then.
        left: Expr,
        /// What comes.
        right: Expr,
    },
    /// `[p] f`, `<p> f`
    Modal {
        /// `[p]`: all such steps.
        all: bool,
        /// Which steps.
        step: Expr,
        /// What is said of where they lead.
        then: Expr,
    },
    /// `mu X . f`, `nu X(n: Int = 0) . f`
    Fix {
        /// `nu`
        greatest: bool,
        /// Its name.
        name: Ident,
        /// Its parameters, with the values they begin with.
        params: Vec<(Binder, Expr)>,
        /// What it says.
        body: Expr,
    },
    /// `after p => f`
    After {
        /// Which steps.
        step: Expr,
        /// What is said of where they lead.
        then: Expr,
    },
    /// `P: send(_)`, what a hole does
    HoleDoes(Expr, Expr),
    /// `any`
    AnyStep,
}

/// The operators along a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Along {
    /// `G`: at all positions.
    Globally,
    /// `F`: at some position.
    Finally,
    /// `X`: at the next position.
    Next,
}

impl Along {
    /// How it is written.
    pub fn letter(self) -> &'static str {
        match self {
            Along::Globally => "G",
            Along::Finally => "F",
            Along::Next => "X",
        }
    }
}

impl Temporal {
    /// The expressions directly inside, in the order of the text.
    pub fn inside(&self) -> Vec<&Expr> {
        match self {
            Temporal::Runs { says, .. } | Temporal::RunsAlong { says, .. } => vec![says],
            Temporal::Along(_, inner) => vec![inner],
            Temporal::Until { left, right, .. } => vec![left, right],
            Temporal::Modal { step, then, .. } | Temporal::After { step, then } => {
                vec![step, then]
            }
            Temporal::Fix { params, body, .. } => {
                params.iter().map(|(_, value)| value).chain([body]).collect()
            }
            Temporal::HoleDoes(hole, action) => vec![hole, action],
            Temporal::AnyStep => Vec::new(),
        }
    }
}
