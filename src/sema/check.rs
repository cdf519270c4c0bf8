//! Checks with names resolved.

use num_bigint::BigInt;

use super::program::{
    ActionSet, Expr, FormulaDef, Instance, InvariantId, Local, MemberFormula, ModuleId,
    ReductionId, RelationId,
};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::Ident;

/// A question about nets.
#[derive(Clone, Debug)]
pub struct CheckDef {
    /// Whether the opposite is claimed.
    pub negated: bool,
    /// What is claimed.
    pub kind: CheckKind,
    /// Of what.
    pub nets: Vec<Instance>,
    /// The property, for `always`, `reaches`, `mutex` and `at_most`.
    pub property: Option<Expr>,
    /// The property, where it is about members of processes in all unfoldings of an architecture.
    pub members: Option<MemberFormula>,
    /// What is said of its runs, for `holds`; of those of its parts, for `noninterfering`.
    pub formula: Option<Box<FormulaDef>>,
    /// The two parts, for `noninterfering`.
    pub parts: Vec<CheckedPart>,
    /// The claims that are meant, for `never`.
    pub label: Option<Ident>,
    /// The actions, for `live`.
    pub shown: Option<ActionSet>,
    /// States and transitions, for `size`.
    pub figures: Option<(BigInt, BigInt)>,
    /// The relation to use.
    pub relation: Option<RelationId>,
    /// The invariant to use.
    pub invariant: Option<InvariantId>,
    /// The reduction to use.
    pub reduction: Option<UsedReduction>,
    /// The holes to track.
    pub tracking: Option<Vec<Ident>>,
    /// Its local names.
    pub locals: Vec<Local>,
    /// Where it was written.
    pub span: Span,
    /// In which module.
    pub module: ModuleId,
}

/// A part of a net, by its name in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedPart {
    /// Its name.
    pub name: Symbol,
    /// Its index, in a family.
    pub index: Option<BigInt>,
    /// Where it was written.
    pub span: Span,
}

/// A reduction that a check uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsedReduction {
    /// The reduction.
    pub id: ReductionId,
    /// Which of the nets of the check are made as it says.
    pub of: [bool; 2],
}

/// The kinds of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckKind {
    /// `bisimilar(A, B)`
    Bisimilar,
    /// `weakly_bisimilar(A, B)`
    WeaklyBisimilar,
    /// `refines(A, B)`
    Refines,
    /// `weakly_refines(A, B)`
    WeaklyRefines,
    /// `deadlock_free(S)`
    DeadlockFree,
    /// `nonblocking(S)`
    Nonblocking,
    /// `always(S, e)`
    Always,
    /// `reaches(S, e)`
    Reaches,
    /// `deterministic(S)`
    Deterministic,
    /// `terminates(S)`
    Terminates,
    /// `live(S, a)`
    Live,
    /// `valid(e)`
    Valid,
    /// `size(S) == (states, transitions)`
    Size,
    /// `mutex(S, P in s)`
    Mutex,
    /// `at_most(S, k, P in s)`
    AtMost,
    /// `never(A)`, `never(A, neighbours)`
    Never,
    /// `holds(S, f)`
    Holds,
    /// `noninterfering(S, M1, M2, f)`
    Noninterfering,
}
