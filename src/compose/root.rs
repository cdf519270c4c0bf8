//! The network of the root of a net, with the systems of its parts as they are.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::networks::Silence;
use super::plan::{ComposePlan, NotByParts};
use crate::base::{IndexVec, Watch};
use crate::lts::Lts;
use crate::network::{Network, NotGenerated, ProductLimits, product};
use crate::pnet::{Content, NodeId, PartId};

/// The network of the root, in which silent steps count; nothing where the root has no parts. What stands inside of parts is
/// put together, and not made smaller.
pub fn root_network(
    plan: &ComposePlan<'_>,
    limits: ProductLimits,
    watch: &dyn Watch,
) -> Result<Option<Network>, NotByParts> {
    let mut made: BTreeMap<NodeId, Arc<Lts>> = BTreeMap::new();
    for (path, content) in plan.from_below() {
        let Content::Node(id) = content else { continue };
        let systems = systems(plan, id, &made)?;
        let network = plan.network(id, &systems, Silence::Counts);
        if plan.net.root == content {
            return Ok(Some(network));
        }
        match product(&network, limits, watch) {
            Ok(inner) => _ = made.insert(id, Arc::new(inner.lts)),
            Err(NotGenerated::Spent(spent)) => return Err(spent.into()),
            Err(why) => return Err(NotByParts::Part { path, why }),
        }
    }
    Ok(None)
}

fn systems(
    plan: &ComposePlan<'_>,
    id: NodeId,
    made: &BTreeMap<NodeId, Arc<Lts>>,
) -> Result<IndexVec<PartId, Arc<Lts>>, NotByParts> {
    let parts = plan.net.nodes[id].parts.enumerated();
    let system = |(place, part): (PartId, &crate::pnet::Part)| {
        let found = match part.content {
            Content::Leaf(leaf) => plan.leaf(leaf, Silence::Counts),
            Content::Node(node) => made.get(&node).cloned(),
            Content::Hole(_) => None,
        };
        found.ok_or_else(|| {
            let (path, most) = (plan.path_of(id, place), u32::MAX as usize);
            NotByParts::Part { path, why: NotGenerated::TooLarge { most } }
        })
    };
    parts.map(system).collect()
}
