//! The algebra presentation: sorts, constructors and operators (Qin et al., "SMT-based generation of symbolic
//! automata", Definition 1).

use super::invariant::Restrictions;
use super::{AbstractId, ActionId, DataId, TermId, VarId};
use crate::diagnostics::Symbol;

/// A sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Actions.
    Action,
    /// An abstract sort: nothing is known but equality.
    Abstract(AbstractId),
    /// An enumeration or a datatype.
    Data(DataId),
    /// The integers from the first to just before the second; the bounds may use symbolic constants.
    Range(TermId, TermId),
    /// Arrays: keys and values.
    Array(Box<(Sort, Sort)>),
}

/// Sorts, constructors, operators and actions.
#[derive(Clone, Debug, Default)]
pub struct Algebra {
    /// The names of abstract sorts.
    pub abstracts: Vec<Symbol>,
    /// Enumerations and datatypes.
    pub datatypes: Vec<Datatype>,
    /// Functions, defined or uninterpreted.
    pub functions: Vec<Function>,
    /// Constants; those with a value have been replaced by it wherever they are used.
    pub constants: Vec<Constant>,
    /// What is known of uninterpreted functions and symbolic constants.
    pub axioms: Vec<TermId>,
    /// The actions that are declared.
    pub actions: Vec<Signature>,
    /// Which sorts have fewer values than the solver thinks.
    pub restrictions: Restrictions,
}

/// An enumeration or a datatype.
#[derive(Clone, Debug)]
pub struct Datatype {
    /// Its name.
    pub name: Symbol,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Symbol,
    /// Its selectors with their sorts.
    pub fields: Vec<(Symbol, Sort)>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Symbol,
    /// Its parameters.
    pub params: Vec<VarId>,
    /// The sort of its result.
    pub result: Sort,
    /// What becomes smaller in each recursive call, where it was named.
    pub measures: Vec<TermId>,
    /// Its definition; none when it is uninterpreted.
    pub body: Option<TermId>,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Symbol,
    /// Its sort.
    pub sort: Sort,
    /// Its value; none when it is symbolic.
    pub value: Option<TermId>,
}

/// An action with the sorts of its arguments.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name.
    pub name: Symbol,
    /// The sorts of its arguments.
    pub sorts: Vec<Sort>,
}

impl Algebra {
    /// The signature of an action.
    pub fn action(&self, id: ActionId) -> &Signature {
        &self.actions[id.index()]
    }
}
