//! Which rivals of a vector matter.

use rustc_hash::FxHashMap;

use super::{Member, PNet, Rival, RivalId, Vector, VectorPlace};
use crate::algebra::{Term, TermId, Terms, VarId};

/// The rivals of vectors that matter: where one that contains another could happen, so could the other, and to give way
/// to the smaller one is to give way to both. Of `priority maximal`, the next larger interactions are left.
#[derive(Debug)]
pub struct Foremost(FxHashMap<VectorPlace, Vec<RivalId>>);

impl Foremost {
    /// Those of all vectors of a net.
    pub fn new(net: &PNet) -> Foremost {
        let mut all = FxHashMap::default();
        for (node, composite) in net.nodes.enumerated() {
            for (number, vector) in composite.vectors.enumerated() {
                if vector.rivals.len() > 1 {
                    all.insert((node, number), foremost(&net.terms, vector));
                }
            }
        }
        Foremost(all)
    }

    /// Those of a vector.
    pub fn of<'n>(&self, place: VectorPlace, vector: &'n Vector) -> Vec<(RivalId, &'n Rival)> {
        match self.0.get(&place) {
            Some(places) => places.iter().map(|&place| (place, &vector.rivals[place])).collect(),
            None => vector.rivals.enumerated().collect(),
        }
    }
}

/// The rivals that contain no other one, and of the first of those that contain each other.
fn foremost(terms: &Terms, vector: &Vector) -> Vec<RivalId> {
    let mut places: Vec<RivalId> = vector.rivals.ids().collect();
    places.sort_by_key(|&place| vector.rivals[place].members.len());
    let mut kept: Vec<RivalId> = Vec::new();
    for place in places {
        let rival = &vector.rivals[place];
        if !kept.iter().any(|&other| contains(terms, rival, &vector.rivals[other], vector)) {
            kept.push(place);
        }
    }
    kept.sort_unstable();
    kept
}

/// Whether a rival asks for everything that another one asks for, up to the names of the other's variables.
fn contains(terms: &Terms, large: &Rival, small: &Rival, vector: &Vector) -> bool {
    let own = |var: &VarId| small.variables.contains(var) && !vector.variables.contains(var);
    let mut names: FxHashMap<VarId, TermId> = FxHashMap::default();
    let asked = |member: &Member, names: &mut FxHashMap<VarId, TermId>| {
        let same = large.members.iter().find(|other| other.part == member.part);
        same.is_some_and(|same| is_like(terms, (member.action, same.action), &own, names))
    };
    // A guard of its own would have to follow from that of the other.
    terms.as_bool(small.guard) == Some(true)
        && small.members.iter().all(|member| asked(member, &mut names))
}

/// Whether a term is another one up to the names of some of its variables.
fn is_like(
    terms: &Terms,
    pair: (TermId, TermId),
    own: &dyn Fn(&VarId) -> bool,
    names: &mut FxHashMap<VarId, TermId>,
) -> bool {
    let mut work = vec![pair];
    while let Some((a, b)) = work.pop() {
        let like = match (terms.get(a), terms.get(b)) {
            (Term::Var(x), Term::Var(y)) if own(x) => {
                terms.var(*x).sort == terms.var(*y).sort && *names.entry(*x).or_insert(b) == b
            }
            (Term::Act(p, xs), Term::Act(q, ys)) => {
                work.extend(xs.iter().copied().zip(ys.iter().copied()));
                p == q && xs.len() == ys.len()
            }
            (Term::Sync(x), Term::Sync(y)) | (Term::Co(x), Term::Co(y)) => {
                work.push((*x, *y));
                true
            }
            _ => a == b && !terms.free_vars(a).iter().any(own),
        };
        if !like {
            return false;
        }
    }
    true
}
