//! What a search may leave out that answers a check.
//!
//! A check about deadlocks or a property is answered in the same way whether something is left out or not, by the arguments
//! of `explore/`. The other checks look at everything.

use rustc_hash::FxHashSet;

use crate::algebra::VarId;
use crate::base::Watch;
use crate::explore::search::{Goal, SearchLimits, Searched, Sights, search_reduced};
use crate::explore::symmetry::symmetries;
use crate::explore::{ExploreOptions, Gap, Machine, Preserved, Property, Reduction};
use crate::pnet::{PNet, PltsId};

/// What may be left out when a property is looked at, or deadlocks are looked for.
pub(super) fn reduction(
    net: &PNet,
    property: Option<&Property>,
    options: &ExploreOptions,
) -> Reduction {
    let symmetries = match options.reduce.by_symmetry() {
        true => symmetries(net, property),
        false => Vec::new(),
    };
    let order = match (options.reduce.by_order(), property) {
        (false, _) => None,
        (true, None) => Some(Preserved::Deadlocks),
        // What waits is farther away then, maybe too far.
        (true, Some(_)) if options.most_depth != u64::MAX => None,
        (true, Some(property)) => waiting(net, property),
    };
    Reduction { order, symmetries }
}

/// Which steps may wait when a property is looked at: none where it reads all leaves.
fn waiting(net: &PNet, property: &Property) -> Option<Preserved> {
    let read = read_by(net, property);
    (read.len() < net.plts.len()).then_some(Preserved::Property(read))
}

/// The leaves whose states or variables a property reads.
fn read_by(net: &PNet, property: &Property) -> Vec<PltsId> {
    let both = [property.owed, property.says].into_iter();
    let read: FxHashSet<VarId> = both.flat_map(|term| property.terms.free_vars(term)).collect();
    let is_read = |leaf: &PltsId| {
        let mut states = property.locations.iter().filter(|(_, of)| of == leaf);
        states.any(|(var, _)| read.contains(var))
            || net.plts[*leaf].variables.iter().any(|(var, _)| read.contains(var))
    };
    net.plts.ids().filter(is_read).collect()
}

/// A search for a goal that is nearer than where it was found while steps waited, which leads farther away; nothing where it
/// finds none. It takes not much more than it took to find one at all.
pub(super) fn nearer<'m, M: Machine>(
    found: &Searched<'_, M>,
    machine: &'m M,
    wanted: (Goal<'m, M>, &'m Reduction),
    limits: &SearchLimits,
    watch: &dyn Watch,
) -> Result<Option<Searched<'m, M>>, Gap> {
    let Sights { goal: Some(at), no_value: None, .. } = found.sights else { return Ok(None) };
    let steps = found.path(at).len() - 1;
    if !found.reduced || steps == 0 {
        return Ok(None);
    }
    let most_states = (found.counts.states * 4 + 10_000).min(limits.most_states);
    let most_depth = steps as u64 - 1;
    let limits = SearchLimits { most_states, most_depth, thorough: false, ..*limits };
    let nearer = search_reduced(machine, wanted, &limits, watch)?;
    let seen = nearer.sights.goal.is_some() || nearer.sights.no_value.is_some();
    Ok(seen.then_some(nearer))
}
