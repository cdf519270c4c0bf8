//! What a search may leave out: steps that can wait, and configurations that are like others.
//!
//! Neither changes what is found about deadlocks, or about a property that it was made for. How much there is, and which
//! steps there are, cannot be told from a reduced search.

use crate::pnet::PltsId;

/// Which reductions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reduce {
    /// None.
    None,
    /// Steps that do not disturb each other are made in one order.
    Order,
    /// Of configurations that differ in who is who, one is looked at.
    Symmetry,
    /// Both.
    #[default]
    All,
}

impl Reduce {
    /// Whether steps may wait for others.
    pub fn by_order(self) -> bool {
        matches!(self, Reduce::Order | Reduce::All)
    }

    /// Whether configurations may stand for others.
    pub fn by_symmetry(self) -> bool {
        matches!(self, Reduce::Symmetry | Reduce::All)
    }
}

/// What a search may leave out.
#[derive(Clone, Debug, Default)]
pub struct Reduction {
    /// Steps, if any may wait.
    pub order: Option<Preserved>,
    /// Configurations that are like others. No leaf is in two of these.
    pub symmetries: Vec<Symmetry>,
}

/// Nothing.
pub(super) static NOTHING: Reduction = Reduction { order: None, symmetries: Vec::new() };

/// Which steps may wait for others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Preserved {
    /// Those that cannot be kept from being made: nothing but deadlocks is looked for.
    Deadlocks,
    /// Those that move none of these leaves, which a property reads; and none waits for ever.
    Property(Vec<PltsId>),
}

/// Parts of a net that can change places: whatever one column does, another could do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    /// The leaves of each part; leaves at the same place of two columns are alike.
    pub columns: Vec<Vec<PltsId>>,
    /// Whether they may stand in any order; otherwise all are turned round together.
    pub any_order: bool,
}

impl Reduction {
    /// Whether nothing is left out.
    pub fn is_nothing(&self) -> bool {
        self.order.is_none() && self.symmetries.is_empty()
    }
}
