//! Local names, and what they stand for in one instance.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::pattern::Shape;
use crate::algebra::TermId;
use crate::sema::program::{Local, LocalId};

/// What a local name stands for.
#[derive(Clone, Debug)]
pub(in crate::elaborate) enum Value {
    /// A term.
    Term(TermId),
    /// A set of actions.
    Set(Rc<Vec<Shape>>),
}

/// The local names of one declaration, and what they stand for in one instance.
#[derive(Clone, Debug)]
pub(in crate::elaborate) struct Scope<'p> {
    /// The declaration's local names.
    pub locals: &'p [Local],
    /// What they stand for.
    pub values: FxHashMap<LocalId, Value>,
}

impl<'p> Scope<'p> {
    pub fn new(locals: &'p [Local]) -> Scope<'p> {
        Scope { locals, values: FxHashMap::default() }
    }

    pub fn set(&mut self, local: LocalId, term: TermId) {
        self.values.insert(local, Value::Term(term));
    }

    /// The same with a value for one more name.
    #[must_use]
    pub fn with(&self, local: LocalId, term: TermId) -> Scope<'p> {
        let mut scope = self.clone();
        scope.set(local, term);
        scope
    }
}
