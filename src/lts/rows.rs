//! Rows of different lengths side by side in one vector (compressed rows), each found by its id.

use std::marker::PhantomData;

use crate::base::Id;

/// Rows by their ids.
#[derive(Clone, Debug)]
pub struct Rows<I, T> {
    /// Where each row begins, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
    by: PhantomData<I>,
}

impl<I: Id, T: Copy> Rows<I, T> {
    /// No rows yet; they are added one after the other.
    pub fn with_capacity(rows: usize, items: usize) -> Rows<I, T> {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Rows { starts, items: Vec::with_capacity(items), by: PhantomData }
    }

    /// Rows that were made elsewhere: where each begins, and where the last one ends. A start that is behind the items, or before the
    /// start of the row before it, is a mistake of the program.
    pub fn of(starts: Vec<u32>, items: Vec<T>) -> Rows<I, T> {
        debug_assert!(
            starts.is_sorted() && starts.last().is_some_and(|end| *end as usize == items.len())
        );
        Rows { starts, items, by: PhantomData }
    }

    /// One more item of the row that is being made.
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    /// What the row that is being made has so far, to be put in order or made shorter.
    pub fn open(&mut self) -> &mut [T] {
        let start = self.starts.last().map_or(0, |start| *start as usize);
        &mut self.items[start..]
    }

    /// The row that is being made is whole.
    pub fn end_row(&mut self) {
        self.starts.push(self.items.len() as u32);
    }

    /// There will be so many items more, perhaps.
    pub fn reserve(&mut self, items: usize) {
        self.items.reserve(items);
    }

    /// Changes every item.
    pub fn each(&mut self, change: impl FnMut(&mut T)) {
        self.items.iter_mut().for_each(change);
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items there are in all rows.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// A row.
    pub fn row(&self, id: I) -> &[T] {
        let at = id.place();
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Rows of items that come in the order of their rows.
    pub(super) fn of_sorted(rows: usize, of: &[I], items: Vec<T>) -> Rows<I, T> {
        let mut starts = vec![0; rows + 1];
        of.iter().for_each(|id| starts[id.place() + 1] += 1);
        sum_up(&mut starts);
        Rows { starts, items, by: PhantomData }
    }

    /// Rows of items that come in any order, and are in any order in their rows. Each item is put where it belongs, and the
    /// one that was there is the next: nothing is copied, since this is where most memory is needed when a file is read.
    pub(super) fn of_unsorted(rows: usize, mut of: Vec<I>, items: Vec<T>) -> Rows<I, T> {
        let mut made = Rows::of_sorted(rows, &of, items);
        let mut next = made.starts.clone();
        for row in 0..rows {
            let end = made.starts[row + 1];
            while next[row] < end {
                let at = next[row] as usize;
                let own = of[at].place();
                let free = &mut next[own];
                if own != row {
                    of.swap(at, *free as usize);
                    made.items.swap(at, *free as usize);
                }
                *free += 1;
            }
        }
        made
    }

    /// Counts one item of a row that is going to be filled.
    pub(super) fn count(&mut self, id: I) {
        self.starts[id.place() + 1] += 1;
    }

    /// Rows whose items are first counted, and then put. `any` is an item to begin with.
    pub(super) fn counted(
        rows: usize,
        any: T,
        count: impl FnOnce(&mut Rows<I, T>),
        fill: impl FnOnce(&mut dyn FnMut(I, T)),
    ) -> Rows<I, T> {
        let mut made = Rows { starts: vec![0; rows + 1], items: Vec::new(), by: PhantomData };
        count(&mut made);
        sum_up(&mut made.starts);
        let total = made.starts.last().map_or(0, |end| *end as usize);
        made.items = vec![any; total];
        let (starts, items) = (&mut made.starts, &mut made.items);
        fill(&mut |id, item| {
            let at = &mut starts[id.place()];
            items[*at as usize] = item;
            *at += 1;
        });
        // Each start has gone to the end of its row, where the next one begins.
        starts.rotate_right(1);
        starts[0] = 0;
        made
    }
}

impl<I: Id, T: Copy + Ord> Rows<I, T> {
    /// Puts every row in order, and leaves out what is there twice.
    pub(super) fn sort_and_dedup(&mut self) {
        let mut kept = 0;
        let mut start = 0;
        for row in 0..self.len() {
            let end = self.starts[row + 1] as usize;
            if !self.items[start..end].is_sorted() {
                self.items[start..end].sort_unstable();
            }
            let first = kept;
            for at in start..end {
                let item = self.items[at];
                if kept == first || self.items[kept - 1] != item {
                    self.items[kept] = item;
                    kept += 1;
                }
            }
            start = end;
            self.starts[row + 1] = kept as u32;
        }
        self.items.truncate(kept);
    }
}

fn sum_up(starts: &mut [u32]) {
    let mut sum = 0;
    for start in starts {
        sum += *start;
        *start = sum;
    }
}
