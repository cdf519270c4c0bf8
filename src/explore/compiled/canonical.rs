//! One configuration for all that are like it.
//!
//! Parts that may stand in any order are sorted by their states and values; those that may be turned round are turned to
//! where the list of their states and values is least. No two symmetries have a leaf in common, so what stands for a
//! configuration stands for all that are like it. Values in the pool are compared by numbers that are the same in every
//! run, not by where they are.

use super::Compiled;
use super::field::Field;
use crate::base::Id;
use crate::explore::Symmetry;
use crate::pnet::PltsId;

/// What one thread sorts with: for each column, one number by which it is compared and one that is kept for each field.
#[derive(Debug, Default)]
pub(super) struct Sorting {
    keys: Vec<u64>,
    kept: Vec<u64>,
    order: Vec<usize>,
}

impl Sorting {
    fn key(&self, column: usize, width: usize) -> &[u64] {
        &self.keys[column * width..(column + 1) * width]
    }

    /// Puts columns in order.
    fn sort(&mut self, count: usize, width: usize) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..count);
        order.sort_by(|&a, &b| self.key(a, width).cmp(self.key(b, width)));
        self.order = order;
    }

    /// Turns columns round.
    fn turn(&mut self, count: usize, width: usize) {
        let turned = move |by: usize| (by..count).chain(0..by);
        let this = &*self;
        let list =
            move |by: usize| turned(by).flat_map(move |column| this.key(column, width).iter());
        let mut best = 0;
        for by in 1..count {
            if list(by).lt(list(best)) {
                best = by;
            }
        }
        let order = turned(best).collect();
        self.order = order;
    }
}

impl Compiled<'_> {
    /// The fields of a leaf: its state and its variables.
    fn fields_of(&self, leaf: PltsId) -> impl Iterator<Item = Field> + '_ {
        let first = self.places.variables[leaf.place()];
        let variables = first..first + self.net.plts[leaf].variables.len() as u32;
        let state = self.places.states[leaf.place()];
        [state].into_iter().chain(variables).map(|field| self.places.fields[field as usize])
    }

    pub(super) fn put_in_order(
        &self,
        sorting: &mut Sorting,
        symmetries: &[Symmetry],
        packed: &mut [u64],
    ) -> bool {
        let mut changed = false;
        for symmetry in symmetries {
            changed |= self.put_columns_in_order(sorting, symmetry, packed);
        }
        changed
    }

    fn put_columns_in_order(
        &self,
        sorting: &mut Sorting,
        symmetry: &Symmetry,
        packed: &mut [u64],
    ) -> bool {
        sorting.keys.clear();
        sorting.kept.clear();
        for field in symmetry.columns.iter().flatten().flat_map(|&leaf| self.fields_of(leaf)) {
            let bits = field.bits(packed);
            sorting.keys.push(field.hash(packed, &self.pool).unwrap_or(bits));
            sorting.kept.push(bits);
        }
        let count = symmetry.columns.len();
        let width = sorting.kept.len() / count.max(1);
        match symmetry.any_order {
            true => sorting.sort(count, width),
            false => sorting.turn(count, width),
        }
        let in_order = sorting.order.iter().enumerate().all(|(at, &from)| at == from);
        if in_order {
            return false;
        }
        for (column, &from) in symmetry.columns.iter().zip(&sorting.order) {
            let fields = column.iter().flat_map(|&leaf| self.fields_of(leaf));
            for (field, &bits) in fields.zip(&sorting.kept[from * width..]) {
                field.put(packed, bits);
            }
        }
        true
    }
}
