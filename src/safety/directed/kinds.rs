//! Configurations by kind: how far they are from the beginning, and how far from something bad they seem. One of any kind is
//! drawn, however many others there are of its kind (as in Xie and others, "Type-based exploration", AAAI 2014).

use rustc_hash::FxHashMap;

use super::MetId;
use crate::base::Dice;

/// How far something bad seems, and how many steps were made.
type Kind = (u64, u64);

/// Who waits, by kind.
pub(super) struct Kinds {
    dice: Dice,
    /// The kinds of which there are any.
    kinds: Vec<Kind>,
    waiting: FxHashMap<Kind, Vec<MetId>>,
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds { dice: Dice::new(11), kinds: Vec::new(), waiting: FxHashMap::default() }
    }
}

impl Kinds {
    pub fn add(&mut self, distance: u64, steps: u64, id: MetId) {
        let of_kind = self.waiting.entry((distance, steps)).or_default();
        if of_kind.is_empty() {
            self.kinds.push((distance, steps));
        }
        of_kind.push(id);
    }

    /// One of any kind, with how far something bad seems.
    pub fn any(&mut self) -> Option<(u64, MetId)> {
        let place = self.dice.below(self.kinds.len());
        let kind = *self.kinds.get(place)?;
        let of_kind = self.waiting.get_mut(&kind)?;
        let one = of_kind.swap_remove(self.dice.below(of_kind.len()));
        if of_kind.is_empty() {
            self.kinds.swap_remove(place);
        }
        Some((kind.0, one))
    }
}
