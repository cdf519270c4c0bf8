//! What of a large net is drawn: nobody looks at ten thousand stations.

use crate::base::Id;
use crate::pnet::{Composite, Content, PNet, PartId, PartName, Vector};

/// A family with more members than this is drawn as first, second, …, last.
const LARGEST_FAMILY: usize = 8;
/// At most so many parts of one node are drawn.
const MOST_PARTS: usize = 24;
/// At most so many vectors of one node are drawn.
const MOST_VECTORS: usize = 40;
/// At most so many boxes are drawn in all, and so many levels of them.
const MOST_BOXES: usize = 300;
const DEEPEST: usize = 12;

/// A place in the picture of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::emit) enum Slot {
    /// A part.
    Part(PartId),
    /// So many parts that are left out.
    Gap(usize),
}

/// The parts of a node that are drawn, in order.
pub(in crate::emit) fn slots(node: &Composite) -> Vec<Slot> {
    let mut slots = Vec::new();
    let parts = node.parts.as_slice();
    let mut start = 0;
    while start < parts.len() {
        let first = &parts[start].name;
        let of_family = |name: &PartName| name.index.is_some() && name.name == first.name;
        let rest = &parts[start..];
        let length = rest.iter().take_while(|part| of_family(&part.name)).count().max(1);
        shown(start, length, LARGEST_FAMILY, 2, &mut slots);
        start += length;
    }
    if slots.len() <= MOST_PARTS {
        return slots;
    }
    let mut fewer = Vec::new();
    shown(0, parts.len(), MOST_PARTS, MOST_PARTS - 2, &mut fewer);
    fewer
}

fn shown(start: usize, length: usize, most: usize, first: usize, slots: &mut Vec<Slot>) {
    let part = |place: usize| Slot::Part(PartId::at(place));
    if length <= most {
        slots.extend((start..start + length).map(part));
        return;
    }
    slots.extend((start..start + first).map(part));
    slots.push(Slot::Gap(length - first - 1));
    slots.push(part(start + length - 1));
}

/// The vectors of a node that are drawn, and how many are not: those that only tell about parts that are left
/// out, and those beyond what a table can hold.
pub(in crate::emit) fn vectors<'a>(
    node: &'a Composite,
    slots: &[Slot],
) -> (Vec<&'a Vector>, usize) {
    let drawn: Vec<&Vector> =
        node.vectors.iter().filter(|vector| is_shown(vector, slots)).take(MOST_VECTORS).collect();
    let left_out = node.vectors.len() - drawn.len();
    (drawn, left_out)
}

fn is_shown(vector: &Vector, slots: &[Slot]) -> bool {
    let all = vector.all_members();
    let drawn = all.filter(|(member, _)| slots.contains(&Slot::Part(member.part))).count();
    // Who moves three of those that are drawn moves a whole family.
    drawn == vector.all_members().count() || drawn > 2
}

/// How many levels are drawn: as many as there is room for.
pub(in crate::emit) fn levels(net: &PNet) -> usize {
    let mut level = vec![net.root];
    let mut boxes = 0;
    for depth in 0..DEEPEST {
        let mut next = Vec::new();
        for content in &level {
            let Content::Node(id) = content else { continue };
            let Some(node) = net.nodes.get(*id) else { continue };
            let parts = slots(node).into_iter().filter_map(|slot| match slot {
                Slot::Part(part) => Some(node.parts[part].content),
                Slot::Gap(_) => None,
            });
            next.extend(parts);
        }
        boxes += next.len();
        if next.is_empty() || (depth > 0 && boxes > MOST_BOXES) {
            return depth;
        }
        level = next;
    }
    DEEPEST
}
