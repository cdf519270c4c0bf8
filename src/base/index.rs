//! Ids that say what they are ids of, and vectors that only their own ids may index.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A place among things of one kind.
pub trait Id: Copy {
    /// The id of a place.
    fn at(place: usize) -> Self;

    /// The place.
    fn place(self) -> usize;
}

/// Declares an id: a number with a name of its own.
#[macro_export]
macro_rules! tagged_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The place.
            #[allow(dead_code, reason = "not every private id is asked for its place")]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::base::Id for $name {
            fn at(place: usize) -> Self {
                $name(place as u32)
            }

            fn place(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// Things by their ids.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct IndexVec<I, T> {
    all: Vec<T>,
    #[serde(skip)]
    by: PhantomData<I>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// So many of the same.
    pub fn of(count: usize, each: T) -> Self
    where
        T: Clone,
    {
        vec![each; count].into()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All ids, in order. Nobody is borrowed meanwhile.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + Clone + use<I, T> {
        (0..self.all.len()).map(I::at)
    }

    /// All things, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.all.iter()
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.all.iter_mut()
    }

    /// All things with their ids.
    pub fn enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.all.iter().enumerate().map(|(place, one)| (I::at(place), one))
    }

    /// One more; its id.
    pub fn push(&mut self, one: T) -> I {
        self.all.push(one);
        I::at(self.all.len() - 1)
    }

    /// The thing with an id, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.all.get(id.place())
    }

    /// The last thing.
    pub fn last(&self) -> Option<&T> {
        self.all.last()
    }

    /// The same, to be changed.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.all.last_mut()
    }

    /// Takes one out. What follows gets other ids.
    pub fn remove(&mut self, id: I) -> T {
        self.all.remove(id.place())
    }

    /// All things side by side, for whoever needs no ids.
    pub fn as_slice(&self) -> &[T] {
        &self.all
    }

    /// Others in the place of some. What follows gets other ids.
    pub fn replace(&mut self, places: std::ops::Range<I>, by: impl IntoIterator<Item = T>) {
        self.all.splice(places.start.place()..places.end.place(), by);
    }

    /// The first that is wanted.
    pub fn find(&self, is_wanted: impl FnMut(&T) -> bool) -> Option<I> {
        self.all.iter().position(is_wanted).map(I::at)
    }
}

impl<I: Id, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(all: Vec<T>) -> Self {
        IndexVec { all, by: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(all: A) -> Self {
        Vec::from_iter(all).into()
    }
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.all[id.place()]
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.all[id.place()]
    }
}

impl<I, T> Extend<T> for IndexVec<I, T> {
    fn extend<A: IntoIterator<Item = T>>(&mut self, more: A) {
        self.all.extend(more);
    }
}

impl<'a, I, T> IntoIterator for &'a mut IndexVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> std::slice::IterMut<'a, T> {
        self.all.iter_mut()
    }
}

impl<'a, I, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.all.iter()
    }
}

impl<I, T> IntoIterator for IndexVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> std::vec::IntoIter<T> {
        self.all.into_iter()
    }
}
