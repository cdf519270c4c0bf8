//! Which terms get a definition of their own.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::used::{Used, each_part};
use crate::algebra::{Term, TermId, Terms, VarId};

/// A term used more than once that is larger than this is written once.
const SMALL: usize = 5;

/// Nothing is nested deeper than this.
const DEEP: usize = 60;

/// Which terms get a definition of their own, and with which parameters.
pub(super) struct Plan {
    /// The bound variables in each term that gets a definition, in order.
    named: FxHashMap<TermId, Rc<[VarId]>>,
}

/// What is known of a term.
struct Shape {
    /// Bound variables that are not bound inside it, in order.
    open: Rc<[VarId]>,
    /// How many terms it is written with.
    size: usize,
    /// How deep they are nested.
    depth: usize,
}

impl Plan {
    pub fn of(terms: &Terms, used: &Used) -> Plan {
        let nothing: Rc<[VarId]> = Rc::from([]);
        let mut plan = Plan { named: FxHashMap::default() };
        let mut shapes: FxHashMap<TermId, Shape> = FxHashMap::default();
        for id in in_order(terms, &used.roots, |_| false) {
            let mut shape = plan.shape(terms, used, &shapes, &nothing, id);
            let is_shared = used.uses.get(&id).is_some_and(|&uses| uses > 1);
            if is_shared && shape.size > SMALL || shape.depth > DEEP {
                plan.named.insert(id, Rc::clone(&shape.open));
                (shape.size, shape.depth) = (1, 1);
            }
            shapes.insert(id, shape);
        }
        plan
    }

    /// The parameters of a term's definition, if it gets one.
    pub fn parameters(&self, id: TermId) -> Option<&[VarId]> {
        self.named.get(&id).map(|open| &**open)
    }

    fn shape(
        &self,
        terms: &Terms,
        used: &Used,
        shapes: &FxHashMap<TermId, Shape>,
        nothing: &Rc<[VarId]>,
        id: TermId,
    ) -> Shape {
        let mut shape = Shape { open: Rc::clone(nothing), size: 1, depth: 0 };
        each_part(terms, id, |part| {
            if let Some(part) = shapes.get(&part) {
                shape.size = shape.size.saturating_add(part.size);
                shape.depth = shape.depth.max(part.depth);
                shape.open = union(&shape.open, &part.open);
            }
        });
        shape.depth += 1;
        match terms.get(id) {
            Term::Var(var) if used.bound.contains(var) => shape.open = Rc::from([*var]),
            Term::Forall(vars, _) | Term::Exists(vars, _) => {
                shape.open = shape.open.iter().filter(|var| !vars.contains(var)).copied().collect();
            }
            _ => {}
        }
        shape
    }
}

/// Two sets in order as one; often it is one of them.
fn union(a: &Rc<[VarId]>, b: &Rc<[VarId]>) -> Rc<[VarId]> {
    if b.is_empty() || Rc::ptr_eq(a, b) {
        return Rc::clone(a);
    }
    let mut all: Vec<VarId> = a.iter().chain(b.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    match all.len() {
        length if length == a.len() => Rc::clone(a),
        length if length == b.len() => Rc::clone(b),
        _ => all.into(),
    }
}

/// All terms that these are written with, each once and after those that it is written with. Terms that are
/// done already are left out, with what is inside them.
pub(super) fn in_order(
    terms: &Terms,
    roots: &[TermId],
    is_done: impl Fn(TermId) -> bool,
) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work: Vec<(TermId, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((id, is_ready)) = work.pop() {
        if is_ready {
            found.push(id);
        } else if !is_done(id) && seen.insert(id) {
            work.push((id, true));
            let first = work.len();
            each_part(terms, id, |part| work.push((part, false)));
            work[first..].reverse();
        }
    }
    found
}
