//! Connectors with triggers, where any members of a family may take part: each member that may is looked at by itself, with those
//! who have to.
//!
//! Claim: a member that may take part reads what those bind who have to, and what it binds itself. So a set of such members can
//! take part exactly where each of them could alone, with the same moves of those who have to; `met.rs` puts them together.

use std::collections::BTreeMap;

use super::cells::NoRow;
use super::recognise::Recognised;
use crate::diagnostics::Span;
use crate::pnet::{Content, Optional, PNet, Vector, VectorPlace};

/// More interactions of a connector that is of no family are not written out.
const MOST_WRITTEN_OUT: usize = 256;

/// A net without members that may take part or not.
pub(super) struct Split {
    pub net: PNet,
    /// Of the vectors of connectors in which any may take part: how many of their members have to, the first ones.
    pub required: BTreeMap<VectorPlace, usize>,
}

impl Split {
    pub fn of(net: &PNet, known: &Recognised) -> Result<Split, NoRow> {
        let mut split = Split { net: net.clone(), required: BTreeMap::new() };
        for (id, node) in net.nodes.enumerated() {
            let is_root = matches!(net.root, Content::Node(root) if root == id);
            let mut vectors = Vec::new();
            for vector in &node.vectors {
                let text = net.origins.get(vector.origin).span;
                // Of the outermost net, maximal progress removes only steps beside which there are others.
                if vector.maximal.is_some() && !is_root {
                    return Err(NoRow::Optional(text));
                }
                let open = known.open.contains(&text);
                let all = match open {
                    true => one_by_one(vector, text)?,
                    false => written_out(vector)?,
                };
                let required = open.then_some(vector.members.len());
                vectors.extend(all.into_iter().map(|vector| (vector, required)));
            }
            let own = &mut split.net.nodes[id].vectors;
            *own = Default::default();
            for (vector, required) in vectors {
                let place = (id, own.push(vector));
                split.required.extend(required.map(|required| (place, required)));
            }
        }
        Ok(split)
    }
}

/// Those who have to take part alone, and with each one who may.
fn one_by_one(vector: &Vector, text: Span) -> Result<Vec<Vector>, NoRow> {
    let many = vector.optional.len();
    let is_plain = |one: &Optional| one.inside.is_empty() && (one.members.len() == 1 || many == 1);
    if !vector.optional.iter().all(is_plain) {
        return Err(NoRow::Optional(text));
    }
    let alone = Vector { optional: Vec::new(), maximal: None, ..vector.clone() };
    let each = vector.optional.iter().map(|one| with(&alone, one));
    Ok(std::iter::once(alone.clone()).chain(each).collect())
}

/// All interactions, each by itself.
fn written_out(vector: &Vector) -> Result<Vec<Vector>, NoRow> {
    let mut all = vec![Vector { optional: Vec::new(), maximal: None, ..vector.clone() }];
    for one in &vector.optional {
        let mut more = Vec::new();
        for known in &all {
            let chosen = Vector { optional: one.inside.clone(), ..with(known, one) };
            more.extend(written_out(&chosen)?);
        }
        all.extend(more);
        if all.len() > MOST_WRITTEN_OUT {
            return Err(NoRow::Ways);
        }
    }
    Ok(all)
}

/// A vector with members that may take part.
fn with(vector: &Vector, one: &Optional) -> Vector {
    let mut vector = vector.clone();
    vector.members = vector.members.iter().chain(&one.members).copied().collect();
    vector.variables.extend(&one.variables);
    vector.owes.extend(one.owes.iter().cloned());
    vector
}
