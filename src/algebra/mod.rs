//! The algebra: sorts with their invariants, terms, and what can be done with them without a solver.
//!
//! Terms are hash-consed ([`Terms`]); walks over them, substitution, evaluation, unification, simplification and linear
//! arithmetic are here once, for all rooms. What rewrites a condition claims that it holds for the same values as before;
//! the tests put that to the solver, on random formulas.

mod bounds;
mod conjunction;
mod constructors;
mod evaluate;
mod exists;
mod import;
mod interval;
mod invariant;
mod linear;
mod presentation;
mod remainder;
mod sort_of;
mod substitute;
mod table;
mod term;
mod terms;
mod unify;
mod walk;

pub use bounds::{in_one_form, tightened};
pub use conjunction::{conjunction, simplified_where, ways};
pub use evaluate::{Evaluator, MOST_UNFOLDED};
pub use exists::{exists, narrowed};
pub use import::ImportMap;
pub use interval::Known;
pub use invariant::{BY_PREDICATE, MOST_PLACES, Restrictions, places};
pub use linear::{both_ways, compares_sums, eliminated, holds_by_sorts, legible, normal, solved};
pub use presentation::{Algebra, Constant, Constructor, Datatype, Function, Signature, Sort};
pub use remainder::Truncated;
pub use sort_of::{SortsOf, sort_of};
pub use term::Term;
pub use terms::{TermId, Terms, VarId, Variable, VariableKind};
pub use unify::{Unifier, can_be_same, possible};
pub(crate) use walk::BottomUp;

pub use crate::sema::program::{AbstractId, ActionId, ConstId, DataId, FunId};
