//! What is different between two configurations.

use crate::algebra::VarId;
use crate::explore::Configuration;
use crate::pnet::{PNet, path_inside};

/// The variables that have other values in another configuration, with their names; nothing where components are in other states, or
/// symbolic constants are others.
pub fn different(
    net: &PNet,
    one: &Configuration,
    other: &Configuration,
) -> Option<Vec<(VarId, String)>> {
    if one.states != other.states || one.constants != other.constants {
        return None;
    }
    let mut found = Vec::new();
    for (path, leaf) in &net.leaves() {
        let values = one.values[*leaf].iter().zip(&other.values[*leaf]);
        for ((var, _), (value, there)) in net.plts[*leaf].variables.iter().zip(values) {
            if value != there {
                found.push((*var, path_inside(path, net.terms.var(*var).name.as_str())));
            }
        }
    }
    Some(found)
}
