//! Exploration, breadth first: states as they are reached from the first one, a layer at a time. The list of the
//! states is its own worklist.

use std::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::automaton::StateId;
use crate::base::budget::is_spent;
use crate::base::{Id, IndexVec, Watch};
use crate::tagged_id;

tagged_id! {
    /// A state of a layer.
    InLayer
}

impl InLayer {
    /// The first: what is asked about all of them is asked here.
    pub(super) const FIRST: InLayer = InLayer(0);
}

/// The states that are first reached after so many moves.
pub(super) type Layer<S> = IndexVec<InLayer, S>;

/// Who knows where states lead.
pub(super) trait Successors {
    /// What a state is known by while it is explored.
    type State: Clone + Eq + Hash;
    /// What leads from one to another.
    type Move;

    /// Whatever is possible in one state of a layer: where it leads, and by what. The layer is the same until the next one
    /// begins, so that the questions of all its states can be asked together.
    fn from(&mut self, layer: &Layer<Self::State>, at: InLayer) -> Vec<(Self::State, Self::Move)>;

    /// How many questions were asked so far.
    fn queries(&self) -> usize;
}

/// What was found. The first state is the initial one.
pub(super) struct Explored<S, M> {
    pub states: IndexSet<S, FxBuildHasher>,
    pub moves: Vec<Explorable<M>>,
    /// Whether it ended before everything was found.
    pub stopped: bool,
}

/// A move between states that are numbered as they were found.
pub(super) struct Explorable<M> {
    pub source: StateId,
    pub target: StateId,
    pub by: M,
}

impl<M> Explorable<M> {
    /// The same with something else in place of what leads there.
    pub fn map<N>(self, new: impl FnOnce(M) -> N) -> Explorable<N> {
        Explorable { source: self.source, target: self.target, by: new(self.by) }
    }
}

/// Explores everything that can be reached.
pub(super) fn explore<T: Successors>(
    first: T::State,
    successors: &mut T,
    watch: &dyn Watch,
) -> Explored<T::State, T::Move> {
    let states = IndexSet::from_iter([first]);
    let mut explored = Explored { states, moves: Vec::new(), stopped: false };
    let mut begin = 0;
    while begin < explored.states.len() {
        let layer: Layer<T::State> = explored.states[begin..].iter().cloned().collect();
        for at in layer.ids() {
            if is_spent() {
                explored.stopped = true;
                return explored;
            }
            for (target, by) in successors.from(&layer, at) {
                let (target, _) = explored.states.insert_full(target);
                let (source, target) = (StateId::at(begin + at.index()), StateId::at(target));
                explored.moves.push(Explorable { source, target, by });
            }
            watch.progress(explored.states.len(), explored.moves.len(), successors.queries());
        }
        begin += layer.len();
    }
    explored.stopped = is_spent();
    explored
}
