//! A net as one of its parts sees it: what the part does is what is shown.

use num_bigint::BigInt;

use super::{Content, PNet, Part, PartId};
use crate::algebra::Term;
use crate::diagnostics::Symbol;

impl PNet {
    /// The part of this name.
    pub fn part(&self, name: Symbol, index: Option<&BigInt>) -> Option<(PartId, &Part)> {
        let Content::Node(root) = self.root else { return None };
        let is = |part: &Part| part.name.name == name && part.name.index.as_ref() == index;
        self.nodes[root].parts.enumerated().find(|(_, part)| is(part))
    }

    /// The net as a part sees it: steps show what the part does, and `sync tau` where it does nothing. Nothing where an
    /// interaction is not a vector of its own.
    pub fn seen_by(&self, part: PartId) -> Option<PNet> {
        let Content::Node(root) = self.root else { return None };
        let mut seen = self.clone();
        let tau = seen.terms.raw(Term::Tau);
        let nothing = seen.terms.raw(Term::Sync(tau));
        for vector in &mut seen.nodes[root].vectors {
            if !vector.optional.is_empty() {
                return None;
            }
            let own = vector.members.iter().find(|member| member.part == part);
            vector.result = own.map_or(nothing, |member| member.action);
        }
        Some(seen)
    }
}
