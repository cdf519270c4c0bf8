//! The product of a network as a part that is made on the way.

use super::behaviour::{Behaviour, NotGenerated};
use super::firing::{Fired, Firings};
use super::tuples::TupleStore;
use super::vectors::Network;
use crate::base::Id;
use crate::lts::{LabelTable, LtsLabel, LtsState, LtsStep};

/// The product of a network, as far as somebody gets.
pub struct ProductOnTheWay<'n> {
    labels: &'n LabelTable,
    firings: Firings<'n>,
    tuples: TupleStore,
    words: Vec<u64>,
    fired: Fired,
    most_states: usize,
}

impl<'n> ProductOnTheWay<'n> {
    /// Nothing is made yet, and never more than so many states.
    pub fn new(network: &'n Network, most_states: usize) -> ProductOnTheWay<'n> {
        let firings = Firings::new(network);
        let tuples = TupleStore::new(firings.layout());
        let words = firings.initial();
        let fired = Fired::default();
        ProductOnTheWay { labels: &network.labels, firings, tuples, words, fired, most_states }
    }

    /// How many bytes the tuples take that were met.
    pub fn store_bytes(&self) -> usize {
        self.tuples.bytes()
    }
}

impl Behaviour for ProductOnTheWay<'_> {
    fn labels(&self) -> &LabelTable {
        self.labels
    }

    fn initial(&mut self) -> Result<LtsState, NotGenerated> {
        Ok(LtsState::at(self.tuples.number(&self.firings.initial())))
    }

    fn steps(
        &mut self,
        state: LtsState,
        wanted: &dyn Fn(LtsLabel) -> bool,
        steps: &mut Vec<LtsStep>,
    ) -> Result<(), NotGenerated> {
        self.tuples.read(state.index(), &mut self.words);
        self.firings.fire(&self.words, self.most_states, wanted, &mut self.fired)?;
        let width = self.words.len();
        for one in &self.fired.all {
            let to = self.tuples.number(&self.fired.targets[one.target..one.target + width]);
            steps.push(LtsStep { label: one.label, to: LtsState::at(to) });
        }
        if self.tuples.len() > self.most_states {
            return Err(NotGenerated::TooLarge { most: self.most_states });
        }
        Ok(())
    }
}
