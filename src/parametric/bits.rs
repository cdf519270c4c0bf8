//! Sets of states of one component.

use super::pattern::ComponentStateId;

/// How many states are in a word.
const WORD: usize = u64::BITS as usize;

/// A set of states of one component. Most components have few states, so the first ones are kept in the set itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct StateBits {
    first: u64,
    /// The others; the last word is not zero.
    more: Vec<u64>,
}

impl StateBits {
    /// The set of one state.
    pub fn one(state: ComponentStateId) -> StateBits {
        let mut set = StateBits::default();
        set.insert(state);
        set
    }

    /// Adds a state.
    pub fn insert(&mut self, state: ComponentStateId) {
        let (word, bit) = (state.index() / WORD, 1 << (state.index() % WORD));
        let Some(at) = word.checked_sub(1) else {
            self.first |= bit;
            return;
        };
        if self.more.len() <= at {
            self.more.resize(at + 1, 0);
        }
        self.more[at] |= bit;
    }

    /// Adds the states of another set.
    pub fn join(&mut self, other: &StateBits) {
        self.first |= other.first;
        if self.more.len() < other.more.len() {
            self.more.resize(other.more.len(), 0);
        }
        self.more.iter_mut().zip(&other.more).for_each(|(own, more)| *own |= more);
    }

    /// Whether a state is in the set.
    pub fn has(&self, state: ComponentStateId) -> bool {
        let (word, bit) = (state.index() / WORD, state.index() % WORD);
        let word = match word.checked_sub(1) {
            None => self.first,
            Some(at) => self.more.get(at).copied().unwrap_or(0),
        };
        word >> bit & 1 == 1
    }

    /// Whether there is no state in it.
    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.more.is_empty()
    }

    /// How many states are in it.
    pub fn count(&self) -> usize {
        let ones = |word: &u64| word.count_ones() as usize;
        ones(&self.first) + self.more.iter().map(ones).sum::<usize>()
    }

    /// Whether some state is in both.
    pub fn meets(&self, other: &StateBits) -> bool {
        self.first & other.first != 0
            || self.more.iter().zip(&other.more).any(|(own, other)| own & other != 0)
    }

    /// Whether all its states are in another set.
    pub fn is_within(&self, other: &StateBits) -> bool {
        let mut words = self.more.iter().zip(&other.more);
        self.first & !other.first == 0
            && self.more.len() <= other.more.len()
            && words.all(|(own, other)| own & !other == 0)
    }

    /// Its states that are not in another set.
    #[must_use]
    pub fn without(&self, other: &StateBits) -> StateBits {
        let mut rest = self.clone();
        rest.first &= !other.first;
        rest.more.iter_mut().zip(&other.more).for_each(|(own, other)| *own &= !other);
        while rest.more.last() == Some(&0) {
            rest.more.pop();
        }
        rest
    }

    /// Its states that are in another set as well.
    #[must_use]
    pub fn within(&self, other: &StateBits) -> StateBits {
        self.without(&self.without(other))
    }

    /// Its states, in order.
    pub fn iter(&self) -> impl Iterator<Item = ComponentStateId> + '_ {
        let words = std::iter::once(&self.first).chain(&self.more).enumerate();
        words.flat_map(|(at, &word)| {
            let bits = (0..WORD).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| ComponentStateId((at * WORD + bit) as u32))
        })
    }
}

impl FromIterator<ComponentStateId> for StateBits {
    fn from_iter<I: IntoIterator<Item = ComponentStateId>>(states: I) -> Self {
        let mut set = StateBits::default();
        states.into_iter().for_each(|state| set.insert(state));
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::StateBits;
    use crate::parametric::ComponentStateId;

    fn bits(states: &BTreeSet<u32>) -> StateBits {
        states.iter().map(|&state| ComponentStateId(state)).collect()
    }

    /// Sets with states on both sides of the ends of words.
    fn all() -> Vec<BTreeSet<u32>> {
        let ends = [0u32, 63, 64, 127, 128, 200];
        (0..1 << ends.len())
            .map(|chosen: u32| {
                (0..ends.len()).filter(|at| chosen >> at & 1 == 1).map(|at| ends[at]).collect()
            })
            .collect()
    }

    #[test]
    fn sets_are_what_sets_are() {
        for one in &all() {
            let own = bits(one);
            assert_eq!(own.iter().map(|state| state.0).collect::<BTreeSet<_>>(), *one);
            assert_eq!((own.count(), own.is_empty()), (one.len(), one.is_empty()));
            assert!((0..300).all(|state| own.has(ComponentStateId(state)) == one.contains(&state)));
            for other in &all() {
                let theirs = bits(other);
                let mut both = own.clone();
                both.join(&theirs);
                assert_eq!(both, bits(&(one | other)));
                assert_eq!(own.without(&theirs), bits(&(one - other)));
                assert_eq!(own.within(&theirs), bits(&(one & other)));
                assert_eq!(own.meets(&theirs), !one.is_disjoint(other));
                assert_eq!(own.is_within(&theirs), one.is_subset(other));
            }
        }
    }
}
