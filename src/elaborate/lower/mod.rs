//! Lowering: expressions, patterns and sorts of the typed program as terms and sorts of the core, with local names replaced
//! by what they stand for.
//!
//! A [`Lowering`] is made for one piece of a model (a transition, a vector, an argument, a property), knows nothing of
//! nets, and ends with what the piece owes. What it finds out that holds everywhere is kept in a [`Ledger`], which
//! outlives it. Which names stand for what is said with each expression, by a [`Scope`].

mod constant;
mod counting;
mod expr;
mod fit;
mod guard;
mod member;
mod names;
mod operators;
mod owed;
mod pattern;
mod place;
mod premise;
mod scope;
mod sort;
mod unfold;

use rustc_hash::{FxHashMap, FxHashSet};

pub use self::names::{LeafNames, UnclearName};
pub(super) use self::scope::{Scope, Value};
pub(super) use self::unfold::MOST_UNFOLDS;

use super::settings::Settings;
use crate::algebra::{Algebra, ConstId, FunId, Known, TermId, Terms};
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{LeafId, Owed, Premise, StateVariableId};
use crate::sema::program::{Program, StateId};

/// Makes terms of one piece of a model.
pub(super) struct Lowering<'a> {
    pub program: &'a Program,
    pub set: &'a Settings,
    pub algebra: &'a Algebra,
    pub terms: &'a mut Terms,
    pub ledger: &'a mut Ledger,
    /// What names in a property stand for.
    pub leaves: Option<&'a dyn Leaves>,
    /// What was owed so far.
    pub owed: Vec<Owed>,
    /// How often the bodies of quantifiers may still be written out.
    pub unfolds: usize,
}

/// What was found out that holds everywhere.
#[derive(Default)]
pub(super) struct Ledger {
    /// What constants stand for.
    pub constants: FxHashMap<ConstId, TermId>,
    /// Constants that were needed before the functions that define them were declared.
    pub postponed: FxHashSet<ConstId>,
    /// What must follow from the axioms.
    pub premises: Vec<Premise>,
    /// What the axioms and the sorts that have values tell.
    pub known: Known,
    /// For each function, its companion.
    pub companions: Vec<Option<Companion>>,
}

/// When the definition of a function has a value.
#[derive(Clone, Copy)]
pub(super) enum Companion {
    /// It is not known yet, or it speaks of itself: this function says when.
    Function(FunId),
    /// Always.
    Always,
    /// Where this holds of the parameters.
    Where(TermId),
}

/// What names in a property stand for: variables of leaves, and whether a leaf is in a state.
///
/// A relation speaks of two nets, which are told apart by a number.
pub trait Leaves {
    /// The paths of all variables of a net.
    fn variables(&self, net: usize) -> &LeafNames<'_, StateVariableId>;

    /// What a variable stands for.
    fn variable(&self, net: usize, id: StateVariableId) -> TermId;

    /// The paths of all leaves of a net.
    fn leaves(&self, net: usize) -> &LeafNames<'_, LeafId>;

    /// Whether a leaf is in one of several states of its process: `true` or `false` where that is known, else a condition
    /// on what says where the leaf is.
    fn in_state(&self, net: usize, leaf: LeafId, states: &[StateId], terms: &mut Terms) -> TermId;

    /// The state of a leaf that has a name.
    fn state_named(&self, net: usize, leaf: LeafId, name: Symbol) -> Option<StateId>;

    /// Notes a name that does not mean one thing.
    fn unclear(&self, why: UnclearName, text: Span);

    /// Notes which indices a family has, at the text of an index that a value decides.
    fn indexed(&self, _text: Span, _family: &str, _indices: &str) {}
}

impl Lowering<'_> {
    /// What lowering something owes, apart from what is owed here.
    pub fn owing<T>(&mut self, lower: impl FnOnce(&mut Lowering<'_>) -> T) -> (T, Vec<Owed>) {
        let mut apart = Lowering {
            program: self.program,
            set: self.set,
            algebra: self.algebra,
            terms: self.terms,
            ledger: self.ledger,
            leaves: self.leaves,
            owed: Vec::new(),
            unfolds: self.unfolds,
        };
        let made = lower(&mut apart);
        let (owed, unfolds) = (apart.owed, apart.unfolds);
        self.unfolds = unfolds;
        (made, owed)
    }
}
