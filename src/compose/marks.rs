//! Properties of configurations as labels: each leaf shows in place which of the things that a property says of it hold, and
//! these are put together to whether the property has the value that is looked for.
//!
//! A property is taken apart at `and`, `or` and `not` into *atoms*, each of which speaks of one leaf. A reduction then keeps
//! what matters of them, since the labels are seen.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::algebra::{Term, TermId, VarId};
use crate::explore::Property;
use crate::pnet::{PNet, PltsId};

/// What is done, in place, where the property has the value that is looked for: no action has this text.
pub const FOUND: &str = "(found)";

/// So many atoms of one leaf are looked at.
const MOST_ATOMS: usize = 10;

/// Which atoms of each leaf hold: bit by bit.
pub type Valuation = BTreeMap<PltsId, u32>;

/// A property in parts.
#[derive(Clone, Debug)]
pub struct Marking {
    property: Property,
    atoms: BTreeMap<PltsId, Vec<TermId>>,
    /// The value that is looked for.
    wanted: bool,
}

/// Why a property is not taken apart.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error, Debug)]
pub enum NotMarked {
    /// Something in it speaks of several leaves at once.
    #[error(
        "the property compares what several parts have; write it with `and`, `or` and `not` of what one part has"
    )]
    Several,
    /// There are too many things that it says of one leaf.
    #[error("the property says too much of one part")]
    TooMany,
    /// It may read what has no value.
    #[error("the property may read what has no value")]
    NoValue,
}

/// The text of a mark.
pub fn mark_text(valuation: &Valuation) -> String {
    let one = |(leaf, holds): (&PltsId, &u32)| format!("{}:{holds:b}", leaf.0);
    format!("({})", valuation.iter().map(one).collect::<Vec<_>>().join(" "))
}

impl Marking {
    /// Takes a property of a net apart; what is looked for is where it has this value.
    pub fn new(net: &PNet, property: &Property, wanted: bool) -> Result<Marking, NotMarked> {
        if property.terms.as_bool(property.owed) != Some(true) {
            return Err(NotMarked::NoValue);
        }
        let mut owner: FxHashMap<VarId, PltsId> = property.locations.iter().copied().collect();
        for (leaf, plts) in net.plts.enumerated() {
            owner.extend(plts.variables.iter().map(|(var, _)| (*var, leaf)));
        }
        let (atoms, property) = (BTreeMap::new(), property.clone());
        let mut marking = Marking { property, atoms, wanted };
        let mut work = vec![marking.property.says];
        while let Some(term) = work.pop() {
            marking.take_apart(term, &owner, &mut work)?;
        }
        match marking.atoms.values().any(|atoms| atoms.len() > MOST_ATOMS) {
            true => Err(NotMarked::TooMany),
            false => Ok(marking),
        }
    }

    fn take_apart(
        &mut self,
        term: TermId,
        owner: &FxHashMap<VarId, PltsId>,
        work: &mut Vec<TermId>,
    ) -> Result<(), NotMarked> {
        let terms = &self.property.terms;
        let vars = terms.free_vars(term);
        let leaves: BTreeSet<PltsId> =
            vars.iter().filter_map(|var| owner.get(var)).copied().collect();
        if leaves.len() <= 1 {
            let leaf = leaves.first().copied().unwrap_or(PltsId(0));
            let atoms = self.atoms.entry(leaf).or_default();
            if !atoms.contains(&term) {
                atoms.push(term);
            }
            return Ok(());
        }
        match terms.get(term) {
            Term::And(parts) | Term::Or(parts) => work.extend(parts.iter().copied()),
            Term::Not(inner) => work.push(*inner),
            _ => return Err(NotMarked::Several),
        }
        Ok(())
    }

    /// What is said of a leaf, as properties of the leaf by itself.
    pub fn of_leaf(&self, leaf: PltsId) -> Vec<Property> {
        let Property { terms, locations, given, .. } = &self.property;
        let own = |(var, at): &(VarId, PltsId)| (*at == leaf).then_some((*var, PltsId(0)));
        let locations: Vec<(VarId, PltsId)> = locations.iter().filter_map(own).collect();
        let atoms = self.atoms.get(&leaf).map_or(&[][..], Vec::as_slice);
        let property = |says: &TermId| Property {
            terms: terms.clone(),
            owed: self.property.owed,
            reads: Vec::new(),
            says: *says,
            locations: locations.clone(),
            given: given.clone(),
        };
        atoms.iter().map(property).collect()
    }

    /// Whether the property has the value that is looked for where these atoms hold.
    pub fn is_found(&self, valuation: &Valuation) -> bool {
        self.value(self.property.says, valuation) == Some(self.wanted)
    }

    /// The value of a term, as far as the atoms say. Texts are at most some hundred levels deep.
    fn value(&self, term: TermId, valuation: &Valuation) -> Option<bool> {
        for (leaf, atoms) in &self.atoms {
            if let Some(place) = atoms.iter().position(|atom| *atom == term) {
                return Some(valuation.get(leaf)? >> place & 1 == 1);
            }
        }
        match self.property.terms.get(term) {
            Term::Not(inner) => Some(!self.value(*inner, valuation)?),
            Term::And(parts) => self.all(parts, valuation, true),
            Term::Or(parts) => self.all(parts, valuation, false),
            _ => None,
        }
    }

    /// Whether all parts hold, or, the other way round, whether one does.
    fn all(&self, parts: &[TermId], valuation: &Valuation, every: bool) -> Option<bool> {
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            values.push(self.value(*part, valuation)?);
        }
        Some(if every { values.iter().all(|one| *one) } else { values.iter().any(|one| *one) })
    }
}
