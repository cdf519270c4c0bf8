//! What terms are read with: the net, where it is, and what is known of the rest.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::partial::Partial;
use super::store::Store;
use crate::algebra::{Terms, VarId};
use crate::explore::{Configuration, Domains};
use crate::pnet::PNet;

/// A net in a configuration.
pub(super) struct World<'a> {
    pub net: &'a PNet,
    /// The terms of the net, and perhaps those of a property.
    pub terms: &'a Terms,
    pub domains: &'a Domains,
    /// The values of constants that have none of their own.
    pub constants: Vec<Option<Partial>>,
    /// The values of the variables of leaves.
    pub state: FxHashMap<VarId, Partial>,
    /// How many searches for the values of a quantifier are going on inside of each other.
    searches: Rc<()>,
}

/// No more searches go on inside of each other.
const MOST_SEARCHES: usize = 20;

/// What is known of inputs and of the variables of vectors.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub env: FxHashMap<VarId, Partial>,
    pub store: Store,
}

impl<'a> World<'a> {
    /// A net in a configuration.
    pub fn at(net: &'a PNet, domains: &'a Domains, at: &Configuration) -> World<'a> {
        let constants = at.constants.iter().map(|value| value.clone().map(Partial::Whole));
        let mut state = FxHashMap::default();
        for (id, plts) in net.plts.enumerated() {
            let values = at.values[id].iter().cloned().map(Partial::Whole);
            state.extend(plts.variables.iter().map(|(var, _)| *var).zip(values));
        }
        World { state, ..World::new(net, domains, constants.collect()) }
    }

    /// A net, of which nothing is known but its constants.
    pub fn new(net: &'a PNet, domains: &'a Domains, constants: Vec<Option<Partial>>) -> World<'a> {
        let (state, searches) = Default::default();
        World { net, terms: &net.terms, domains, constants, state, searches }
    }

    /// One more search begins, until what is returned is dropped; nothing where there are too many.
    pub fn inside(&self) -> Option<Rc<()>> {
        (Rc::strong_count(&self.searches) <= MOST_SEARCHES).then(|| Rc::clone(&self.searches))
    }
}
