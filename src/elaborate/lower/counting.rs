//! How many members are in some states, as a condition on each of them.

use indexmap::IndexMap;
use itertools::Itertools;
use num_traits::ToPrimitive;

use super::{Lowering, Scope, UnclearName};
use crate::algebra::TermId;
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::sema::program::{AtMost, Expr};

/// So many sets of members of which one has to be elsewhere are written out; where there are more, members are added up.
const MOST_SETS: usize = 500;

/// More members are not counted.
const MOST_MEMBERS: usize = 1 << 20;

/// A member: the way to it, and the indices on the way.
type Key = (Vec<Symbol>, Vec<TermId>);

impl Lowering<'_> {
    /// That no more than so many members are in some states.
    pub(super) fn at_most(&mut self, count: &AtMost, expr: &Expr, scope: &Scope<'_>) -> TermId {
        let most = self.term(&count.most, scope);
        let Some(members) = self.counted(count, scope) else {
            if let Some(leaves) = self.leaves {
                leaves.unclear(UnclearName::Uncounted, expr.span);
            }
            return self.fresh(Symbol::new("_"), expr, scope);
        };
        let known = self.terms.as_int(most).and_then(ToPrimitive::to_usize);
        match known.filter(|&most| sets(members.len(), most) <= MOST_SETS) {
            Some(most) => self.one_is_elsewhere(&members, most),
            None => self.added_up(&members, most),
        }
    }

    /// What says of each member that it counts.
    fn counted(&mut self, count: &AtMost, scope: &Scope<'_>) -> Option<Vec<TermId>> {
        let mut members: IndexMap<Key, Vec<TermId>> = IndexMap::new();
        for one in &count.members {
            for inner in self.cases(&one.indices, scope, MOST_MEMBERS)? {
                if is_spent() {
                    return None;
                }
                let path = &one.test.path;
                let names = path.iter().map(|(name, _)| name.name).collect();
                let indices = path.iter().filter_map(|(_, index)| index.as_ref());
                let indices = indices.map(|index| self.term(index, &inner)).collect();
                let is_in = self.state_of_leaf(&one.test, &inner);
                members.entry((names, indices)).or_default().push(is_in);
            }
        }
        Some(members.into_values().map(|tests| self.terms.or(tests)).collect())
    }

    /// Of one more than the most, one is elsewhere.
    fn one_is_elsewhere(&mut self, members: &[TermId], most: usize) -> TermId {
        let sets = members.iter().copied().combinations(most + 1);
        let all: Vec<TermId> = sets
            .map(|set| {
                let all = self.terms.and(set);
                self.terms.not(all)
            })
            .collect();
        self.terms.and(all)
    }

    fn added_up(&mut self, members: &[TermId], most: TermId) -> TermId {
        let (one, none) = (self.terms.int(1), self.terms.int(0));
        let each: Vec<TermId> =
            members.iter().map(|&is_in| self.terms.if_then_else(is_in, one, none)).collect();
        let sum = self.terms.add(each);
        self.terms.less_equal(sum, most)
    }
}

/// How many sets of one more than the most there are; the largest number where there are more.
fn sets(members: usize, most: usize) -> usize {
    let size = most.saturating_add(1);
    if size > members {
        return 0;
    }
    let mut count = 1usize;
    for taken in 0..size.min(members - size) {
        count = count.saturating_mul(members - taken) / (taken + 1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::sets;

    #[test]
    fn sets_are_counted() {
        assert_eq!([sets(3, 1), sets(5, 1), sets(5, 2), sets(5, 4), sets(5, 5)], [3, 10, 10, 1, 0]);
        assert_eq!(sets(40, 19), 137_846_528_820);
        assert_eq!(sets(3, usize::MAX), 0);
    }
}
