//! Where terms are found again: hash-consing.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::{Term, TermId};

/// Where terms are found again.
///
/// A large net makes millions of terms, most of them from terms made just before. So a term is kept in a short
/// list at the newest of the terms inside it, which is near in memory; only what has none, or finds that list
/// full, is kept in a hash table.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// For each term, the last in its list.
    last: Vec<Link>,
    /// Places of terms, each with a part of its hash: a table that grows need not look at the terms again.
    hashed: HashTable<(u32, u32)>,
}

/// What is known of one term's list, and of its place in the list of another.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The last in its own list.
    last: u32,
    /// The one before it in the list that it is in.
    before: u32,
}

const NOWHERE: u32 = u32::MAX;
const LONGEST_LIST: usize = 8;

impl Table {
    /// Where a term is, or will be when it is put at the end of the `terms` of this layer, before which there are others.
    /// `newest` is the newest term inside it.
    pub(super) fn find_or_add(
        &mut self,
        (terms, first): (&[Term], usize),
        term: &Term,
        newest: Option<TermId>,
    ) -> u32 {
        let new = terms.len() as u32;
        let near = newest.and_then(|newest| newest.index().checked_sub(first));
        if let Some(near) = near {
            let (found, length) = self.in_list(terms, term, near);
            if let Some(found) = found {
                return found;
            }
            if length < LONGEST_LIST {
                let before = std::mem::replace(&mut self.last[near].last, new);
                self.add(before);
                return new;
            }
        }
        let hash = hash(term);
        let entry = self.hashed.entry(
            spread(hash),
            |&(other, place)| other == hash && terms[place as usize] == *term,
            |&(hash, _)| spread(hash),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => found.get().1,
            hashbrown::hash_table::Entry::Vacant(gap) => {
                gap.insert((hash, new));
                self.add(NOWHERE);
                new
            }
        }
    }

    /// Where a term is in the first layer.
    pub(super) fn find(&self, terms: &[Term], term: &Term, newest: Option<TermId>) -> Option<u32> {
        if let Some(newest) = newest {
            let (found, length) = self.in_list(terms, term, newest.index());
            if found.is_some() || length < LONGEST_LIST {
                return found;
            }
        }
        let hash = hash(term);
        let is_it = |&(other, place): &(u32, u32)| other == hash && terms[place as usize] == *term;
        self.hashed.find(spread(hash), is_it).map(|&(_, place)| place)
    }

    /// Where a term is in the list of another, and how long that is.
    fn in_list(&self, terms: &[Term], term: &Term, near: usize) -> (Option<u32>, usize) {
        let (mut at, mut length) = (self.last[near].last, 0);
        while at != NOWHERE {
            if terms[at as usize] == *term {
                return (Some(at), length);
            }
            at = self.last[at as usize].before;
            length += 1;
        }
        (None, length)
    }

    /// Notes a term that nobody will look for.
    pub(super) fn add_unfindable(&mut self) {
        self.add(NOWHERE);
    }

    /// Notes one more term.
    fn add(&mut self, before: u32) {
        self.last.push(Link { last: NOWHERE, before });
    }
}

fn hash(term: &Term) -> u32 {
    (FxBuildHasher.hash_one(term) >> 32) as u32
}

fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
