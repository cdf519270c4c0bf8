//! Random properties of nets.

use pnetc::algebra::{Sort, TermId, VariableKind};
use pnetc::diagnostics::Symbol;
use pnetc::explore::Property;
use pnetc::pnet::{PNet, PltsId};

use super::Random;

/// A property that speaks of the states and variables of some leaves, or of all leaves in the same way; and which it reads.
pub fn property(net: &PNet, random: &mut Random) -> (Property, Vec<PltsId>) {
    let mut terms = net.terms.clone();
    let ids: Vec<PltsId> = net.plts.ids().collect();
    let locations: Vec<_> = ids
        .iter()
        .map(|&leaf| (terms.new_var(Symbol::new("at"), Sort::Int, VariableKind::Bound), leaf))
        .collect();
    let mut read = Vec::new();
    let mut parts: Vec<TermId> = Vec::new();
    let number = random.below(3);
    let every = random.one_in(3);
    for &(at, leaf) in &locations {
        if !every && !random.one_in(ids.len().div_ceil(2)) {
            continue;
        }
        read.push(leaf);
        let plts = &net.plts[leaf];
        let state = if every { number } else { random.below(plts.states.len()) };
        let (at, state) = (terms.var_term(at), terms.int(state));
        let mut says = terms.equal(at, state);
        if let Some(&(var, Some(initial))) = plts.variables.first()
            && !every
            && random.one_in(2)
        {
            let var = terms.var_term(var);
            let begins = terms.equal(var, initial);
            let differs = terms.not(begins);
            says = terms.and([says, differs]);
        }
        parts.push(says);
    }
    let says = if random.one_in(2) { terms.and(parts) } else { terms.or(parts) };
    let owed = terms.bool(true);
    (Property { terms, owed, reads: Vec::new(), says, locations, given: Vec::new() }, read)
}
