//! A system from far away: its states in columns by how many steps they are away from the initial one, and those of a
//! column apart that lead to no common state in it or farther on (after van Ham, van de Wetering and van Wijk, IEEE TVCG
//! 8(4), 2002: steps back do not count).
//!
//! The time is about linear in the number of transitions: columns are gone through from the farthest to the nearest, and a
//! state is put together with those that it leads to in its own column or farther on (union and find).

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::system::{Lts, LtsState};
use crate::base::{Id, IndexVec, budget};
use crate::tagged_id;

/// The states that can be reached, by how many steps they are away.
#[derive(Clone, Debug)]
pub struct Distances {
    /// The states, the nearest first.
    pub order: Vec<LtsState>,
    /// Where those begin that are 0, 1, 2 … steps away, and where the last ones end.
    pub starts: Vec<usize>,
}

impl Distances {
    /// Goes through a system, level by level.
    pub fn new(lts: &Lts) -> Distances {
        let mut seen: IndexVec<LtsState, bool> = IndexVec::of(lts.states(), false);
        seen[lts.initial()] = true;
        let (mut order, mut starts) = (vec![lts.initial()], vec![0]);
        let mut next = 0;
        while next < order.len() {
            let end = order.len();
            for at in next..end {
                // When the budget is spent, what is made of this is thrown away.
                let steps = if budget::is_spent() { &[] } else { lts.steps(order[at]) };
                for step in steps {
                    if !std::mem::replace(&mut seen[step.to], true) {
                        order.push(step.to);
                    }
                }
            }
            starts.push(end);
            next = end;
        }
        Distances { order, starts }
    }

    /// How many steps the farthest state is away.
    pub fn depth(&self) -> usize {
        self.starts.len().saturating_sub(2)
    }
}

/// How large an overview may be.
#[derive(Clone, Copy, Debug)]
pub struct OverviewSize {
    /// How many columns it may have.
    pub columns: usize,
    /// How many clusters may stand in one column.
    pub rows: usize,
}

/// States of one column that are shown as one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LtsCluster {
    /// Its column.
    pub column: usize,
    /// How many clusters it is: several are together where there is no room for each.
    pub together: usize,
    /// How many states are in it.
    pub states: usize,
    /// How many of them have no step.
    pub deadlocks: usize,
    /// How many steps stay in the column.
    pub inside: usize,
    /// How many steps lead to columns before.
    pub back: usize,
}

/// A system from far away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overview {
    /// How many steps the states of each column are away: at least, and at most.
    pub columns: Vec<(usize, usize)>,
    /// The clusters, column by column. The first one has the initial state.
    pub clusters: Vec<LtsCluster>,
    /// How many steps lead from a cluster to one of the next column.
    pub links: BTreeMap<(usize, usize), usize>,
}

tagged_id!(
    /// A cluster, before it is known which are shown by themselves.
    ClusterId
);

const NONE: u32 = u32::MAX;

/// A cluster.
struct Part {
    /// The place of its first state in the order.
    first: usize,
    /// The cluster of the column before that leads to it.
    parent: Option<ClusterId>,
    /// How many states are in it, and in those that it leads to.
    weight: usize,
}

/// All clusters.
struct Parts {
    /// The column of each state that can be reached.
    column: IndexVec<LtsState, u32>,
    /// Its cluster.
    of: IndexVec<LtsState, ClusterId>,
    all: IndexVec<ClusterId, Part>,
    /// Those of each column.
    ranges: Vec<Range<usize>>,
}

/// States that belong together (union and find).
struct Together(IndexVec<LtsState, LtsState>);

impl Together {
    fn root(&mut self, mut state: LtsState) -> LtsState {
        while self.0[state] != state {
            self.0[state] = self.0[self.0[state]];
            state = self.0[state];
        }
        state
    }

    fn join(&mut self, one: LtsState, other: LtsState) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }
}

/// Looks at a system from far away.
pub fn overview(lts: &Lts, distances: &Distances, size: OverviewSize) -> Overview {
    let layers = distances.depth() + 1;
    let each = layers.div_ceil(size.columns.max(1));
    let columns: Vec<(usize, usize)> =
        (0..layers).step_by(each).map(|first| (first, (first + each).min(layers) - 1)).collect();
    let places: Vec<Range<usize>> = columns
        .iter()
        .map(|(first, last)| distances.starts[*first]..distances.starts[*last + 1])
        .collect();
    let parts = parts(lts, &distances.order, &places);
    let (clusters, shown) = chosen(&parts, size.rows.max(1));
    counted(lts, &distances.order, &parts, (columns, (clusters, &shown)))
}

fn parts(lts: &Lts, order: &[LtsState], places: &[Range<usize>]) -> Parts {
    let states = lts.states();
    let mut found = Parts {
        column: IndexVec::of(states, NONE),
        of: IndexVec::of(states, ClusterId(NONE)),
        all: IndexVec::default(),
        ranges: vec![0..0; places.len()],
    };
    for (column, range) in places.iter().enumerate() {
        order[range.clone()].iter().for_each(|state| found.column[*state] = column as u32);
    }
    let mut together = Together(lts.ids().collect::<Vec<_>>().into());
    let mut newest = IndexVec::of(states, ClusterId(NONE));
    for (column, range) in places.iter().enumerate().rev() {
        for state in &order[range.clone()] {
            for step in lts.steps(*state).iter().filter(|_| !budget::is_spent()) {
                if found.column[step.to] != NONE && found.column[step.to] >= column as u32 {
                    together.join(*state, step.to);
                }
            }
        }
        found.add_column(column, order, range.clone(), &mut together, &mut newest);
    }
    found
}

impl Parts {
    /// The clusters of a column, once those farther on are known.
    fn add_column(
        &mut self,
        column: usize,
        order: &[LtsState],
        range: Range<usize>,
        together: &mut Together,
        newest: &mut IndexVec<LtsState, ClusterId>,
    ) {
        let begin = self.all.len();
        for place in range {
            let newest = &mut newest[together.root(order[place])];
            if newest.0 == NONE || newest.index() < begin {
                *newest = self.all.push(Part { first: place, parent: None, weight: 0 });
            }
            self.of[order[place]] = *newest;
            self.all[*newest].weight += 1;
        }
        self.ranges[column] = begin..self.all.len();
        for child in self.ranges.get(column + 1).cloned().unwrap_or_default() {
            let child = ClusterId::at(child);
            let parent = newest[together.root(order[self.all[child].first])];
            self.all[child].parent = Some(parent);
            let weight = self.all[child].weight;
            self.all[parent].weight += weight;
        }
    }
}

/// The clusters that are shown, without figures, and which of them each one became. In each column the largest are shown by
/// themselves, with what they lead to; the others are one.
fn chosen(parts: &Parts, rows: usize) -> (Vec<LtsCluster>, IndexVec<ClusterId, usize>) {
    let mut clusters = Vec::new();
    let mut shown = IndexVec::of(parts.all.len(), 0);
    let mut alone = IndexVec::of(parts.all.len(), false);
    for (column, range) in parts.ranges.iter().enumerate() {
        let all = || range.clone().map(ClusterId::at);
        let mut own: Vec<ClusterId> =
            all().filter(|one| parts.all[*one].parent.is_none_or(|parent| alone[parent])).collect();
        own.sort_by_key(|one| (Reverse(parts.all[*one].weight), parts.all[*one].first));
        own.truncate(if own.len() == range.len() && range.len() <= rows { rows } else { rows - 1 });
        own.sort_by_key(|one| parts.all[*one].first);
        for one in &own {
            alone[*one] = true;
            shown[*one] = clusters.len();
            clusters.push(LtsCluster { column, together: 1, ..LtsCluster::default() });
        }
        all().filter(|one| !alone[*one]).for_each(|one| shown[one] = clusters.len());
        if own.len() < range.len() {
            let together = range.len() - own.len();
            clusters.push(LtsCluster { column, together, ..LtsCluster::default() });
        }
    }
    (clusters, shown)
}

/// Clusters, and which of them each part is shown in.
type Clusters<'c> = (Vec<LtsCluster>, &'c IndexVec<ClusterId, usize>);

/// Counts what is in the clusters and between them.
fn counted(
    lts: &Lts,
    order: &[LtsState],
    parts: &Parts,
    (columns, (mut clusters, shown)): (Vec<(usize, usize)>, Clusters<'_>),
) -> Overview {
    let mut links: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for state in order {
        let (own, steps) = (shown[parts.of[*state]], lts.steps(*state));
        let cluster = &mut clusters[own];
        cluster.states += 1;
        cluster.deadlocks += usize::from(steps.is_empty());
        for step in steps.iter().filter(|step| parts.column[step.to] != NONE) {
            match (parts.column[step.to] as usize).cmp(&cluster.column) {
                std::cmp::Ordering::Less => cluster.back += 1,
                std::cmp::Ordering::Equal => cluster.inside += 1,
                std::cmp::Ordering::Greater => {
                    *links.entry((own, shown[parts.of[step.to]])).or_default() += 1;
                }
            }
        }
    }
    Overview { columns, clusters, links: links.into_iter().collect() }
}
