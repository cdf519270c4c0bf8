//! What rows of cells have in common: of each size, some cells at the start and some at the end that are as they are, and one
//! between that is repeated. A scheme is read off a large row, and compared with others.
//!
//! Something about several components belongs to the cell between that it is about; there is one at most, and all others
//! are at an end of their size, or in no cell. Where there is none, it belongs to the last cell.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{CellAt, Item, Row, Spot};
use crate::parametric::ComponentTypeId;

/// How many cells are at the start and at the end, and how far a cell between looks back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    pub front: usize,
    pub back: usize,
    pub window: usize,
}

/// A component as a rule knows it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Known {
    /// One that is in no cell.
    Single(String),
    /// One of a cell at the start of a size, counted from there.
    Front(CellAt, String),
    /// One of the cell so many before the one that is made, the latter being 0. At the end: before the first cell there,
    /// which is 0.
    Near(usize, String),
    /// One of a cell at the end of a size, the last being 0.
    Back(CellAt, String),
}

/// The components of a row with their types, and its items.
pub(super) type MadeRow = (BTreeMap<Spot, ComponentTypeId>, BTreeSet<Item<Spot>>);

/// The components of a cell, by their roles.
pub(super) type Cell = BTreeMap<String, ComponentTypeId>;

/// What is made in one step.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Stage {
    pub cell: Cell,
    pub items: BTreeSet<Item<Known>>,
}

/// What rows have in common of one size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Chain {
    pub ends: Ends,
    /// The cells at the start.
    pub front: Vec<Stage>,
    /// The cell that is repeated.
    pub middle: Stage,
    /// The cells at the end, the last one last.
    pub back: Vec<Stage>,
}

/// What rows have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scheme {
    pub singles: Stage,
    /// The cells of each size.
    pub chains: Vec<Chain>,
}

/// A row with the ends of each size.
struct Reading<'r> {
    row: &'r Row,
    ends: &'r [Ends],
}

impl Scheme {
    /// The scheme with the fewest cells at the ends that fits a large row, if there is one.
    pub fn of(row: &Row, near: usize) -> Option<Scheme> {
        let most: Vec<usize> = row.cells.iter().map(|cells| near.min(cells / 2)).collect();
        let all = |&most: &usize| Ends { front: most, back: most, window: most };
        let mut ends: Vec<Ends> = most.iter().map(all).collect();
        let mut found = None;
        for (size, &most) in most.iter().enumerate() {
            let fitting = all_ends(most).into_iter().find_map(|one| {
                let mut ends = ends.clone();
                ends[size] = one;
                Some((one, Scheme::with(row, &ends)?))
            });
            let (one, scheme) = fitting?;
            ends[size] = one;
            found = Some(scheme);
        }
        found
    }

    /// The same scheme with more cells at the start, so that no row has fewer than so many.
    #[must_use]
    pub fn at_least(self, cells: &[usize], row: &Row) -> Scheme {
        let ends = self.chains.iter().zip(cells).map(|(chain, cells)| {
            let more = cells.saturating_sub(chain.ends.front + chain.ends.back);
            Ends { front: chain.ends.front + more, ..chain.ends }
        });
        let ends: Vec<Ends> = ends.collect();
        Scheme::with(row, &ends).unwrap_or(self)
    }

    /// The scheme with such ends, where it fits.
    fn with(row: &Row, ends: &[Ends]) -> Option<Scheme> {
        let reading = Reading { row, ends };
        let chains = (0..ends.len()).map(|size| reading.chain(size)).collect::<Option<_>>()?;
        let singles = Stage { cell: cell(row, None), items: reading.singles()? };
        let scheme = Scheme { singles, chains };
        let scheme = scheme.with_back(&reading)?;
        scheme.fits(row).then_some(scheme)
    }

    /// The same with the cells at the end: what they have to do with others, but for what these make already.
    fn with_back(mut self, reading: &Reading<'_>) -> Option<Scheme> {
        for size in 0..self.chains.len() {
            let (row, ends) = (reading.row, reading.ends[size]);
            let (cells, first) = (row.cells[size], row.cells[size] - ends.back);
            let mut made: BTreeSet<Item<Spot>> = BTreeSet::new();
            for at in ends.front..first {
                let middle = self.chains[size].middle.items.iter();
                made.extend(
                    middle.filter_map(|item| placed(item, CellAt { size, at }, &row.cells)),
                );
            }
            let stage = |at: usize| {
                let own = reading.own(size).filter(|item| last(item, size) == Some(at));
                let own = own.filter(|item| !made.contains(item));
                let items = own.map(|item| item.about(|spot| reading.end_name(spot, size)));
                let items: Option<BTreeSet<_>> = items.collect();
                Some(Stage { cell: cell(row, Some(CellAt { size, at })), items: items? })
            };
            self.chains[size].back = (first..cells).map(stage).collect::<Option<_>>()?;
        }
        Some(self)
    }

    /// The row with so many cells of each size; nothing where there is none.
    pub fn row(&self, cells: &[usize]) -> Option<MadeRow> {
        let (mut parts, mut items) = (BTreeMap::new(), BTreeSet::new());
        let mut make = |stage: &Stage, cell: Option<CellAt>, from: CellAt| {
            let made = stage.cell.iter().map(|(role, of)| (Spot { cell, role: role.clone() }, *of));
            parts.extend(made);
            let placed = stage.items.iter().map(|item| placed(item, from, cells));
            let placed: Option<Vec<Item<Spot>>> = placed.collect();
            placed.map(|placed| items.extend(placed))
        };
        make(&self.singles, None, CellAt { size: 0, at: 0 })?;
        for (size, chain) in self.chains.iter().enumerate() {
            let count = *cells.get(size)?;
            let first = count.checked_sub(chain.ends.back);
            let first = first.filter(|first| *first >= chain.ends.front)?;
            for at in 0..count {
                let (stage, from) = match (chain.front.get(at), at.checked_sub(first)) {
                    (Some(stage), _) => (stage, at),
                    (None, Some(after)) => (chain.back.get(after)?, first),
                    (None, None) => (&chain.middle, at),
                };
                make(stage, Some(CellAt { size, at }), CellAt { size, at: from })?;
            }
        }
        Some((parts, items))
    }

    /// Whether it makes a row.
    pub fn fits(&self, row: &Row) -> bool {
        self.row(&row.cells).is_some_and(|(parts, items)| parts == row.parts && items == row.items)
    }
}

/// All ends with at most so many cells each, those with few first.
fn all_ends(most: usize) -> Vec<Ends> {
    let mut all: Vec<Ends> = Vec::new();
    for window in 0..=most {
        for front in window..=most {
            all.extend((0..=most).map(|back| Ends { front, back, window }));
        }
    }
    let cells = |ends: &Ends| ends.front + ends.back + ends.window;
    all.sort_by_key(|ends| (cells(ends), ends.window, ends.back));
    all
}

/// An item of a stage as it is in a row of so many cells, where the stage makes this cell.
fn placed(item: &Item<Known>, made: CellAt, cells: &[usize]) -> Option<Item<Spot>> {
    let spot = |known: &Known| {
        let (cell, role) = match known {
            Known::Single(role) => (None, role),
            Known::Front(cell, role) => (Some(*cell), role),
            Known::Near(before, role) => {
                (Some(CellAt { at: made.at.checked_sub(*before)?, ..made }), role)
            }
            Known::Back(CellAt { size, at }, role) => {
                let at = cells.get(*size)?.checked_sub(at + 1)?;
                (Some(CellAt { size: *size, at }), role)
            }
        };
        Some(Spot { cell, role: role.clone() })
    };
    item.about(spot).map(Item::in_order)
}

/// The cells of a size that an item is about.
fn cells_of(item: &Item<Spot>, size: usize) -> impl Iterator<Item = usize> {
    let own = item.at.iter().filter_map(|spot| spot.cell).filter(move |cell| cell.size == size);
    own.map(|cell| cell.at)
}

/// The last cell of a size that an item is about.
fn last(item: &Item<Spot>, size: usize) -> Option<usize> {
    cells_of(item, size).max()
}

fn cell(row: &Row, at: Option<CellAt>) -> Cell {
    let own = row.parts.iter().filter(|(spot, _)| spot.cell == at);
    own.map(|(spot, of)| (spot.role.clone(), *of)).collect()
}

impl<'r> Reading<'r> {
    /// The first of the cells at the end.
    fn first(&self, size: usize) -> usize {
        self.row.cells[size] - self.ends[size].back
    }

    /// Whose item something is: of the size that it is about a cell between of, or of the last one. Nothing where it is about
    /// no cell.
    fn owner(&self, item: &Item<Spot>) -> Option<usize> {
        let is_between = |size: &usize| {
            let between = self.ends[*size].front..self.first(*size);
            cells_of(item, *size).any(|at| between.contains(&at))
        };
        let sizes = 0..self.ends.len();
        let between = sizes.clone().find(is_between);
        between.or_else(|| sizes.rev().find(|size| cells_of(item, *size).next().is_some()))
    }

    /// The items of a size.
    fn own(&self, size: usize) -> impl Iterator<Item = &'r Item<Spot>> {
        self.row.items.iter().filter(move |item| self.owner(item) == Some(size))
    }

    fn singles(&self) -> Option<BTreeSet<Item<Known>>> {
        let own = self.row.items.iter().filter(|item| self.owner(item).is_none());
        own.map(|item| item.about(|spot| Some(Known::Single(spot.role.clone())))).collect()
    }

    /// The cells of a size, but for those at the end.
    fn chain(&self, size: usize) -> Option<Chain> {
        let ends = self.ends[size];
        let from = ends.front + ends.window;
        let to = self.row.cells[size].checked_sub(ends.back + ends.window)?;
        if from >= to {
            return None;
        }
        // A cell whose window lies between the ends, and that no end sees.
        let middle = from + (to - from) / 2;
        Some(Chain {
            ends,
            front: (0..ends.front).map(|at| self.front(size, at)).collect::<Option<_>>()?,
            middle: self.between(size, middle)?,
            back: Vec::new(),
        })
    }

    /// A cell at the start.
    fn front(&self, size: usize, at: usize) -> Option<Stage> {
        let own = self.own(size).filter(|item| last(item, size) == Some(at));
        let items: Option<BTreeSet<_>> =
            own.map(|item| item.about(|spot| self.far_name(spot))).collect();
        Some(Stage { cell: cell(self.row, Some(CellAt { size, at })), items: items? })
    }

    /// A cell between the ends. What it has to do with cells at the end and with none between it and them is its own.
    fn between(&self, size: usize, at: usize) -> Option<Stage> {
        let first = self.first(size);
        let is_own = |item: &&Item<Spot>| {
            cells_of(item, size).filter(|cell| *cell < first).max() == Some(at)
        };
        let window = self.ends[size].window;
        let name = |spot: &Spot| match spot.cell {
            Some(cell) if cell.size == size && cell.at <= at && at - cell.at <= window => {
                Some(Known::Near(at - cell.at, spot.role.clone()))
            }
            _ => self.far_name(spot),
        };
        let items: Option<BTreeSet<_>> =
            self.own(size).filter(is_own).map(|item| item.about(name)).collect();
        Some(Stage { cell: cell(self.row, Some(CellAt { size, at })), items: items? })
    }

    /// A component in no cell, or at an end.
    fn far_name(&self, spot: &Spot) -> Option<Known> {
        let role = spot.role.clone();
        let Some(CellAt { size, at }) = spot.cell else { return Some(Known::Single(role)) };
        if at < self.ends[size].front {
            return Some(Known::Front(CellAt { size, at }, role));
        }
        let back = at >= self.first(size);
        let after = CellAt { size, at: self.row.cells[size] - 1 - at };
        back.then_some(Known::Back(after, role))
    }

    /// A component as a cell at the end of a size knows it.
    fn end_name(&self, spot: &Spot, size: usize) -> Option<Known> {
        let first = self.first(size);
        match spot.cell {
            Some(cell)
                if cell.size == size
                    && cell.at < first
                    && first - cell.at <= self.ends[size].window =>
            {
                Some(Known::Near(first - cell.at, spot.role.clone()))
            }
            _ => self.far_name(spot),
        }
    }
}
