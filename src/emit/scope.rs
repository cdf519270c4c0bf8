//! What a term needs to be written: the terms inside it, the algebra that gives it its names, and what its
//! variables are called.

use crate::algebra::{Algebra, Sort, Terms, VarId};
use crate::automaton::VariableNames;
use crate::pnet::PNet;

/// The world that terms are written in: that of a net, or that of a transition of an automaton.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Sorts, constructors, operators and actions.
    pub algebra: &'a Algebra,
    /// All terms.
    pub terms: &'a Terms,
    /// What variables are called; those that are missing, as they were written.
    pub names: Option<&'a VariableNames>,
}

impl<'a> Scope<'a> {
    /// The name of a variable.
    pub fn variable(self, id: VarId) -> &'a str {
        let own = self.terms.var(id).name.as_str();
        self.names.and_then(|names| names.get(&id)).map_or(own, String::as_str)
    }

    /// The sort of a variable.
    pub fn sort_of(self, id: VarId) -> &'a Sort {
        &self.terms.var(id).sort
    }
}

impl<'a> From<&'a PNet> for Scope<'a> {
    fn from(net: &'a PNet) -> Scope<'a> {
        Scope { algebra: &net.algebra, terms: &net.terms, names: None }
    }
}
