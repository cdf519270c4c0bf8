//! Temporal formulas with names resolved and properties written out: what is said of configurations, of steps and of runs.

use super::super::program::{Expr, Local, LocalId, Named, Pattern};
use crate::diagnostics::Span;
use crate::syntax::ast::{Along, Ident};

/// A property of the model.
#[derive(Debug)]
pub struct PropertyDef {
    /// Its name.
    pub named: Named,
    /// Its place among the items of its module.
    pub(in crate::sema) item: usize,
    /// Whether something uses it.
    pub(in crate::sema) used: bool,
}

/// The formula of a check.
#[derive(Clone, Debug)]
pub struct FormulaDef {
    /// What it says of where the net begins.
    pub says: Said,
    /// Which runs count.
    pub fair: Vec<FairDef>,
    /// How many locals it has: the others of its check come later.
    pub locals: Vec<Local>,
}

/// Steps that get their turn.
#[derive(Clone, Debug)]
pub struct FairDef {
    /// Whether it is `weakly fair`.
    pub weak: bool,
    /// The steps.
    pub step: SaidStep,
    /// The indices they are repeated for.
    pub repeat: Vec<LocalId>,
    /// Where they were written.
    pub span: Span,
}

/// What is said, with its text.
#[derive(Clone, Debug)]
pub struct Said {
    /// What.
    pub kind: SaidKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of what is said.
#[derive(Clone, Debug)]
pub enum SaidKind {
    /// Wrong, and reported.
    Error,
    /// Of the configuration.
    Holds(Expr),
    /// The next step is one of these.
    Step(SaidStep),
    /// Not.
    Not(Box<Said>),
    /// All of these.
    And(Vec<Said>),
    /// One of these.
    Or(Vec<Said>),
    /// If the first, then the second.
    Implies(Box<(Said, Said)>),
    /// For all values, or for some.
    Quantified(bool, Vec<LocalId>, Box<Said>),
    /// `[p] f`, `<p> f`
    Modal {
        /// All such steps.
        all: bool,
        /// Which steps.
        step: SaidStep,
        /// What is said of where they lead.
        then: Box<Said>,
    },
    /// `nu X(n: Int = 0) . f`
    Fix {
        /// Its number in the formula.
        number: usize,
        /// Whether it is the greatest one.
        greatest: bool,
        /// Its parameters and what they begin with.
        params: Vec<(LocalId, Expr)>,
        /// What it says.
        body: Box<Said>,
    },
    /// A fixpoint again, with values for its parameters.
    Again(usize, Vec<Expr>),
    /// `A f`, `E f`
    Runs(bool, Box<Said>),
    /// `G f`, `F f`, `X f`
    Along(Along, Box<Said>),
    /// `f U g`, or `f W g` where it is weak.
    Until(bool, Box<(Said, Said)>),
}

/// Which steps are meant.
#[derive(Clone, Debug)]
pub enum SaidStep {
    /// Wrong, and reported.
    Error,
    /// All of them.
    Any,
    /// Those that show this.
    Shows(Pattern),
    /// Those in which a hole does this.
    Hole {
        /// The path of the hole, with the index of each part that has one.
        path: Vec<(Ident, Option<Expr>)>,
        /// What it does.
        does: Pattern,
    },
    /// Those of a vector or connector of this name.
    Named(Ident),
    /// Those for which this is true of what was bound.
    When(Expr),
    /// The others.
    Not(Box<SaidStep>),
    /// Those that all of these mean; what one binds is known to those after it.
    And(Vec<SaidStep>),
    /// Those that one of these means.
    Or(Vec<SaidStep>),
}

impl Said {
    /// A step that it speaks of at its own position.
    pub fn step_in(&self) -> Option<Span> {
        match &self.kind {
            SaidKind::Step(_) => Some(self.span),
            SaidKind::Not(inner) | SaidKind::Quantified(_, _, inner) => inner.step_in(),
            SaidKind::And(parts) | SaidKind::Or(parts) => parts.iter().find_map(Said::step_in),
            _ => None,
        }
    }

    /// What it says of all runs from its own position, or of some.
    pub fn runs_in(&self) -> Option<Span> {
        match &self.kind {
            SaidKind::Runs(..) => Some(self.span),
            SaidKind::Not(inner) | SaidKind::Quantified(_, _, inner) => inner.runs_in(),
            SaidKind::And(parts) | SaidKind::Or(parts) => parts.iter().find_map(Said::runs_in),
            SaidKind::Implies(both) => both.1.runs_in(),
            _ => None,
        }
    }
}

impl SaidKind {
    /// Whether it speaks of runs, outside of `A`, `E` and steps.
    pub fn is_of_runs(&self) -> bool {
        match self {
            SaidKind::Error
            | SaidKind::Holds(_)
            | SaidKind::Modal { .. }
            | SaidKind::Fix { .. }
            | SaidKind::Again(..)
            | SaidKind::Runs(..) => false,
            SaidKind::Step(_) | SaidKind::Along(..) | SaidKind::Until(..) => true,
            SaidKind::Not(inner) | SaidKind::Quantified(_, _, inner) => inner.kind.is_of_runs(),
            SaidKind::And(parts) | SaidKind::Or(parts) => {
                parts.iter().any(|part| part.kind.is_of_runs())
            }
            SaidKind::Implies(both) => both.0.kind.is_of_runs() || both.1.kind.is_of_runs(),
        }
    }
}
