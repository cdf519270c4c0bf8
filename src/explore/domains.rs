//! Which values are tried where there are too many: `--domain Int=0..3`, `--domain Data=3`.
//!
//! A domain limits which steps are followed. It does not change what is true: whether something that goes first is
//! possible, and whether a configuration is stuck, is for all values, or not known.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::algebra::{AbstractId, ConstId};

/// The values of a sort that are tried.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// The integers from the first to just before the second.
    Range(BigInt, BigInt),
    /// So many values of an abstract sort.
    Count(u32),
}

/// The values that are tried where the environment may give any.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Domains {
    /// The integers.
    pub integers: Option<(BigInt, BigInt)>,
    /// How many values of each abstract sort.
    pub abstracts: FxHashMap<AbstractId, u32>,
    /// Integers that the plain interpreter tries besides these, in order: those of a run that is followed. Nobody names
    /// them by `--domain`.
    pub also: Vec<BigInt>,
    /// Whether the plain interpreter leaves out what would need other values than these, and says so, instead of giving up:
    /// for a run that is followed, which names all of its own.
    pub only_these: bool,
    /// Symbolic constants that have values although the net does not speak of them: somebody asks about them.
    pub constants: Vec<ConstId>,
}

impl Domains {
    /// The same, where these constants have values, too.
    pub fn about(mut self, constants: impl IntoIterator<Item = ConstId>) -> Domains {
        self.constants.extend(constants);
        self
    }
}
