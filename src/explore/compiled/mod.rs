//! The fast interpreter: a net compiled to rules over words.
//!
//! Input: a pNet, and the values that are tried. Output: a [`Machine`]. Claims: the same initial configurations, steps and
//! gaps as the definitions give, which the plain interpreter follows to the letter; in an order that is always the same.
//!
//! - `word.rs`, `pool.rs`, `layout.rs`, `values.rs`: values as words; `field.rs`: configurations as bits.
//! - `code.rs`, `expr.rs`, `run.rs`: straight code over registers, how it is made of terms, and how it runs.
//! - `head.rs`, `flat.rs`: the hierarchy as trees of vectors, joined by the heads of actions.
//! - `facts.rs`, `linear.rs`, `plan.rs`, `compiler.rs`, `rule.rs`: what has to hold for a step, in which order it is
//!   looked at, and the rules that come out.
//! - `whole.rs`: who may take part besides, one by one: no set of them is made that cannot happen.
//! - `order.rs`, `role.rs`, `canonical.rs`: steps that can wait, and one configuration for all that are like it.
//! - `steps.rs`, `initial.rs`, `property.rs`, `label.rs`, `coverage.rs`: what a search asks for; `travel.rs`: configurations
//!   that go to another process.

mod canonical;
mod code;
mod compiler;
mod coverage;
mod expr;
mod facts;
mod field;
mod flat;
mod head;
mod initial;
mod label;
mod layout;
mod linear;
mod order;
mod plan;
mod pool;
mod property;
mod role;
mod rule;
mod run;
mod setup;
mod steps;
mod travel;
mod trouble;
mod values;
mod whole;
mod word;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

pub use self::coverage::Coverage;
pub use self::property::Ready;
pub use self::steps::Scratch;

use self::code::Function;
use self::compiler::{Compiler, Places};
use self::expr::World;
use self::layout::Layouts;
use self::order::Footprints;
use self::pool::Pool;
use self::rule::Way;
use self::run::Run;
use self::values::Values;
use super::{
    Configuration, Gap, Luggage, Machine, Moves, Packed, Packing, Preserved, Property, Symmetry,
    Value,
};
use crate::algebra::Terms;
use crate::pnet::{HoleId, PNet};

/// A net that is ready to run.
pub struct Compiled<'n> {
    net: &'n PNet,
    layouts: Layouts,
    pool: Pool,
    places: Places,
    functions: Vec<Option<Function>>,
    /// The ways in which the net can move.
    ways: Vec<Way>,
    /// For each leaf and each of its states, the ways that are looked at there.
    by_state: Vec<Vec<Vec<u32>>>,
    /// The ways in which no leaf takes part.
    without_leaves: Vec<u32>,
    /// The fields in which there may be handles.
    pooled: Vec<u32>,
    /// For each leaf, whether each state is final.
    finals: Vec<Vec<bool>>,
    /// What ways move and read; made when somebody wants to know which steps can wait.
    footprints: OnceLock<Footprints>,
    compiler: Mutex<Compiler<'n>>,
    /// Whether somebody stopped it before it was ready.
    stopped: bool,
}

impl std::fmt::Debug for Compiled<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiled").field("net", &self.net.name).finish_non_exhaustive()
    }
}

impl<'n> Compiled<'n> {
    fn values(&self) -> Values<'_> {
        Values { layouts: &self.layouts, pool: &self.pool, loose: &[] }
    }

    fn world(&self) -> World<'_> {
        World { algebra: &self.net.algebra, layouts: &self.layouts, pool: &self.pool }
    }

    fn compiler(&self) -> MutexGuard<'_, Compiler<'n>> {
        self.compiler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run<'a>(&'a self, from: &'a [u64]) -> Run<'a> {
        let (values, fields) = (self.values(), &self.places.fields[..]);
        Run { values, functions: &self.functions, fields, from }
    }

    fn state(&self, leaf: usize, packed: &[u64]) -> usize {
        self.places.fields[self.places.states[leaf] as usize].bits(packed) as usize
    }

    /// The terms that rules are made of: those of the net, and more.
    fn with_terms<T>(&self, f: impl FnOnce(&Terms) -> T) -> T {
        f(&self.compiler().terms)
    }
}

impl Machine for Compiled<'_> {
    type Scratch = Scratch;
    type Property = Ready;

    fn bits(&self) -> usize {
        self.places.words * 64
    }

    fn scratch(&self) -> Scratch {
        Scratch::new(self.net.plts.len(), self.places.words)
    }

    fn initial(&self) -> Result<(Vec<Packed>, bool), Gap> {
        self.all_initial()
    }

    fn steps(
        &self,
        scratch: &mut Scratch,
        from: &[u64],
        labels: bool,
        moves: &mut Moves,
    ) -> Result<(), Gap> {
        self.all_steps(scratch, from, labels, moves)
    }

    fn choose(
        &self,
        scratch: &mut Scratch,
        from: &[u64],
        order: &Preserved,
        moves: &Moves,
        chosen: &mut Vec<u32>,
    ) -> bool {
        self.choose_steps(&mut scratch.closing, from, order, moves, chosen)
    }

    fn stand_in(&self, scratch: &mut Scratch, all: &[Symmetry], packed: &mut [u64]) -> bool {
        self.put_in_order(&mut scratch.sorting, all, packed)
    }

    #[inline]
    fn hash(&self, packed: &[u64]) -> u64 {
        if self.pooled.is_empty() { field::hash(packed) } else { self.pooled_hash(packed) }
    }

    fn is_final(&self, packed: &[u64]) -> bool {
        let mut leaves = self.finals.iter().enumerate();
        !self.finals.is_empty() && leaves.all(|(leaf, finals)| finals[self.state(leaf, packed)])
    }

    fn property(&self, property: &Property) -> Result<Ready, Gap> {
        self.ready(property)
    }

    fn holds(
        &self,
        scratch: &mut Scratch,
        property: &Ready,
        packed: &[u64],
    ) -> Result<Option<bool>, Gap> {
        self.is_true(scratch, property, packed)
    }

    fn decode(&self, packed: &[u64]) -> Configuration {
        self.decoded(packed)
    }

    fn pack_up(&self, packed: &mut [u64], packing: &mut Packing) {
        self.packed_up(packed, packing);
    }

    fn unpack(&self, luggage: &Luggage) -> Option<Vec<u32>> {
        self.unpacked(luggage)
    }

    fn move_in(&self, packed: &mut [u64], arrived: &[u32]) -> bool {
        self.moved_in(packed, arrived)
    }

    fn label(&self, label: &[u64]) -> (Value, Vec<(HoleId, Value)>) {
        let (algebra, layouts) = (&self.net.algebra, &self.layouts);
        label::Reader { algebra, layouts, values: self.values() }.read(label)
    }
}
