//! The product of a network: the tuples of states that can be reached, and the steps between them (Lang, RR-5996,
//! Definition 5).

use super::behaviour::{NotGenerated, look};
use super::firing::{Fired, Firings, MOST_AT_ONCE};
use super::tuples::{Layout, TupleStore};
use super::vectors::{Network, NetworkPartId};
use crate::base::{Id, Watch};
use crate::lts::{Lts, LtsState, LtsStep, Rows};

/// How often somebody who watches is told how far it is.
const TOLD_EVERY: usize = 1 << 10;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct ProductLimits {
    /// How many states there may be.
    pub most_states: usize,
}

impl Default for ProductLimits {
    fn default() -> ProductLimits {
        ProductLimits { most_states: u32::MAX as usize - 1 }
    }
}

/// How large a product is, and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ProductFigures {
    /// How many states can be reached.
    pub states: usize,
    /// How many transitions there are, each once.
    pub transitions: usize,
    /// How many states have none.
    pub deadlocks: usize,
    /// How many bytes the tuples took that were met.
    pub store_bytes: usize,
}

/// A product. States are numbered level by level, the initial one is 0.
#[derive(Debug)]
pub struct Product {
    /// The system.
    pub lts: Lts,
    /// How large it is.
    pub figures: ProductFigures,
    /// The first state that has no step: nearest to the initial one.
    pub deadlock: Option<LtsState>,
    layout: Layout<NetworkPartId>,
    tuples: TupleStore,
}

impl Product {
    /// The states of all parts in a state of the product.
    pub fn tuple(&self, state: LtsState) -> impl Iterator<Item = LtsState> + use<'_> {
        let mut words = vec![0; self.layout.words()];
        self.tuples.read(state.index(), &mut words);
        (0..self.layout.parts()).map(move |part| self.layout.get(&words, NetworkPartId::at(part)))
    }
}

/// What can be reached in a network. The time it takes goes with the size of the result: only vectors are looked at that have
/// a member that can move.
pub fn product(
    network: &Network,
    limits: ProductLimits,
    watch: &dyn Watch,
) -> Result<Product, NotGenerated> {
    let firings = Firings::new(network);
    let (mut tuples, mut fired) = (TupleStore::new(firings.layout()), Fired::default());
    let mut words = firings.initial();
    tuples.number(&words);
    let mut rows: Rows<LtsState, LtsStep> = Rows::with_capacity(0, 0);
    let (mut deadlock, mut deadlocks, budget) = (None, 0, watch.budget());
    while rows.len() < tuples.len() {
        let state = rows.len();
        look(&budget)?;
        if state.is_multiple_of(TOLD_EVERY) {
            watch.progress(tuples.len(), rows.items(), 0);
        }
        tuples.read(state, &mut words);
        firings.fire(&words, limits.most_states, &|_| true, &mut fired)?;
        number_all(&fired, words.len(), &mut tuples, &mut rows);
        within(&tuples, &rows, limits)?;
        if fired.all.is_empty() {
            deadlock = deadlock.or(Some(LtsState::at(state)));
            deadlocks += 1;
        }
    }
    let lts = Lts::new(network.labels.clone(), LtsState::at(0), rows);
    let (states, transitions) = (lts.states(), lts.transitions());
    let figures = ProductFigures { states, transitions, deadlocks, store_bytes: tuples.bytes() };
    let layout = firings.layout().clone();
    Ok(Product { lts, figures, deadlock, layout, tuples })
}

/// The steps of one more state.
fn number_all(
    fired: &Fired,
    width: usize,
    tuples: &mut TupleStore,
    rows: &mut Rows<LtsState, LtsStep>,
) {
    for one in &fired.all {
        let to = tuples.number(&fired.targets[one.target..one.target + width]);
        rows.push(LtsStep { label: one.label, to: LtsState::at(to) });
    }
    rows.end_row();
}

fn within(
    tuples: &TupleStore,
    rows: &Rows<LtsState, LtsStep>,
    limits: ProductLimits,
) -> Result<(), NotGenerated> {
    if tuples.len() > limits.most_states {
        return Err(NotGenerated::TooLarge { most: limits.most_states });
    }
    // There is room for the steps of one more state: `fire` gives up where there are more.
    if rows.items() > u32::MAX as usize - MOST_AT_ONCE {
        return Err(NotGenerated::TooManySteps);
    }
    Ok(())
}
