//! Parts of a net that can change places.
//!
//! Input: a net, and the property that is asked about it, if one is. Output: families whose members may stand in any order,
//! or may be turned round together. Claimed: where members change places, a step of a configuration becomes a step of the
//! configuration that it becomes, silent or not, whatever it shows; deadlocks stay deadlocks, final states final, and the
//! property keeps its value. Where a search begins need not be symmetric: what is reached from a configuration is like what
//! is reached from one that is like it.
//!
//! Only those permutations are tried that suggest themselves: of the members of a family, and of those of all families of a
//! size at once, such as philosophers and their forks. Whether the net is the same afterwards is looked at term by term, in
//! `same.rs`. What a member has of its own, such as its index in an action, keeps it where it is.

mod arranged;
mod same;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use self::same::Comparing;
use super::{Property, Symmetry};
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{Composite, Content, NodeId, PNet, PartId, PltsId};

/// Families with more members are left as they are: looking for the order of their members would take too long.
const MOST_MEMBERS: usize = 1 << 8;

/// Parts that may change places: the members of families, column by column.
type Columns = Vec<Vec<PartId>>;

/// The symmetries of a net that keep a property as it is. No leaf is in two of them.
pub fn symmetries(net: &PNet, property: Option<&Property>) -> Vec<Symmetry> {
    // Who reads variables of others is not looked at here.
    if net.has_readers() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut used = FxHashSet::default();
    let mut comparing = Comparing::new(net, property);
    for (node, composite) in net.nodes.enumerated() {
        let families = families(composite);
        // Members of one family first: then others of the same size can stay where they are.
        let one_each =
            |family: &Vec<PartId>| -> Columns { family.iter().map(|&part| vec![part]).collect() };
        let alone = families.iter().map(one_each);
        for columns in alone.chain(together(&families)) {
            if is_spent() {
                return Vec::new();
            }
            found.extend(symmetry(&mut comparing, node, &columns, &mut used));
        }
    }
    found
}

/// The members of each family of a node with several, in the order of their indices.
fn families(composite: &Composite) -> Vec<Vec<PartId>> {
    let mut families: IndexMap<Symbol, Vec<PartId>, FxBuildHasher> = IndexMap::default();
    for (id, part) in composite.parts.enumerated() {
        if part.name.index.is_some() {
            families.entry(part.name.name).or_default().push(id);
        }
    }
    let mut families: Vec<Vec<PartId>> = families.into_values().collect();
    families.retain(|family| (2..=MOST_MEMBERS).contains(&family.len()));
    for family in &mut families {
        family.sort_by_key(|&part| composite.parts[part].name.index.clone());
    }
    families
}

/// All families of a size, side by side.
fn together(families: &[Vec<PartId>]) -> Vec<Columns> {
    let mut sizes: IndexMap<usize, Vec<&Vec<PartId>>, FxBuildHasher> = IndexMap::default();
    for family in families {
        sizes.entry(family.len()).or_default().push(family);
    }
    let several = sizes.into_iter().filter(|(_, families)| families.len() > 1);
    let columns = several.map(|(size, families)| {
        (0..size).map(|at| families.iter().map(|family| family[at]).collect()).collect()
    });
    columns.collect()
}

/// The symmetry in which columns of parts change places, if there is one.
fn symmetry(
    comparing: &mut Comparing<'_>,
    node: NodeId,
    parts: &Columns,
    used: &mut FxHashSet<PltsId>,
) -> Option<Symmetry> {
    let leaves = |column: &Vec<PartId>| leaves_of(comparing.net, node, column);
    let columns: Vec<Vec<PltsId>> = parts.iter().map(leaves).collect();
    let taken = columns.iter().flatten().any(|leaf| used.contains(leaf));
    if taken || columns.iter().any(|column| column.is_empty()) {
        return None;
    }
    // All orders are made of one turn and one swap of neighbours.
    let turned = |at: usize| (at + 1) % parts.len();
    if !comparing.is_same(node, parts, turned) {
        return None;
    }
    let swapped = |at: usize| if at < 2 { 1 - at } else { at };
    let any_order = parts.len() == 2 || comparing.is_same(node, parts, swapped);
    used.extend(columns.iter().flatten().copied());
    Some(Symmetry { columns, any_order })
}

/// The leaves inside of some parts of a node, in order.
fn leaves_of(net: &PNet, node: NodeId, parts: &[PartId]) -> Vec<PltsId> {
    let content = |node: NodeId, part: &PartId| net.nodes[node].parts[*part].content;
    let mut found = Vec::new();
    let mut work: Vec<Content> = parts.iter().rev().map(|part| content(node, part)).collect();
    while let Some(at) = work.pop() {
        match at {
            Content::Leaf(leaf) => found.push(leaf),
            Content::Hole(_) => {}
            Content::Node(inner) => {
                work.extend(net.nodes[inner].parts.iter().rev().map(|part| part.content));
            }
        }
    }
    found
}
