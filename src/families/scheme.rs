//! What rows of cells have in common: some cells at the start and some at the end that are as they are, and one between that
//! is repeated. A scheme is read off a large row, and compared with others.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Item, Row, Spot};
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
    /// One of a cell at the start, counted from there.
    Front(usize, String),
    /// One of the cell so many before the one that is made, the latter being 0. At the end: before the first cell there,
    /// which is 0.
    Near(usize, String),
    /// One of a cell at the end, the last being 0.
    Back(usize, String),
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

/// What rows have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scheme {
    pub ends: Ends,
    pub singles: Stage,
    /// The cells at the start.
    pub front: Vec<Stage>,
    /// The cell that is repeated.
    pub middle: Stage,
    /// The cells at the end, the last one last.
    pub back: Vec<Stage>,
}

impl Scheme {
    /// The scheme with the fewest cells at the ends that fits a large row, if there is one.
    pub fn of(row: &Row, near: usize) -> Option<Scheme> {
        let most = near.min(row.cells / 2);
        let cells = |ends: &Ends| ends.front + ends.back + ends.window;
        let mut all: Vec<Ends> = Vec::new();
        for window in 0..=most {
            for front in window..=most {
                all.extend((0..=most).map(|back| Ends { front, back, window }));
            }
        }
        all.sort_by_key(|ends| (cells(ends), ends.window, ends.back));
        all.into_iter().find_map(|ends| Scheme::with(row, ends))
    }

    /// The same scheme with more cells at the start, so that no row has fewer than so many.
    #[must_use]
    pub fn at_least(self, cells: usize, row: &Row) -> Scheme {
        let more = cells.saturating_sub(self.ends.front + self.ends.back);
        let ends = Ends { front: self.ends.front + more, ..self.ends };
        Scheme::with(row, ends).unwrap_or(self)
    }

    /// The scheme with such ends, where it fits.
    fn with(row: &Row, ends: Ends) -> Option<Scheme> {
        let (from, to) =
            (ends.front + ends.window, row.cells.checked_sub(ends.back + ends.window)?);
        if from >= to {
            return None;
        }
        // A cell whose window lies between the ends, and that no end sees.
        let middle = from + (to - from) / 2;
        let scheme = Scheme {
            ends,
            singles: Stage { cell: cell(row, None), items: singles(row)? },
            front: (0..ends.front).map(|at| front(row, at)).collect::<Option<_>>()?,
            middle: between(row, ends, middle)?,
            back: Vec::new(),
        };
        let scheme = Scheme { back: scheme.read_back(row)?, ..scheme };
        scheme.fits(row).then_some(scheme)
    }

    /// The cells at the end: what they have to do with others, but for what these make already.
    fn read_back(&self, row: &Row) -> Option<Vec<Stage>> {
        let (first, ends) = (row.cells - self.ends.back, self.ends);
        let mut made: BTreeSet<Item<Spot>> = BTreeSet::new();
        for at in ends.front..first {
            made.extend(
                self.middle.items.iter().filter_map(|item| self.placed(item, at, row.cells)),
            );
        }
        let stage = |at: usize| {
            let own =
                row.items.iter().filter(|item| last(item) == Some(at) && !made.contains(item));
            let items = own.map(|item| item.about(|spot| end_name(spot, ends, row.cells)));
            let items: Option<BTreeSet<_>> = items.collect();
            Some(Stage { cell: cell(row, Some(at)), items: items? })
        };
        (first..row.cells).map(stage).collect()
    }

    /// An item of a stage as it is in a row of so many cells, where the stage makes this cell.
    fn placed(&self, item: &Item<Known>, at: usize, cells: usize) -> Option<Item<Spot>> {
        let spot = |known: &Known| {
            let (cell, role) = match known {
                Known::Single(role) => (None, role),
                Known::Front(cell, role) => (Some(*cell), role),
                Known::Near(before, role) => (Some(at.checked_sub(*before)?), role),
                Known::Back(after, role) => (Some(cells.checked_sub(after + 1)?), role),
            };
            Some(Spot { cell, role: role.clone() })
        };
        item.about(spot).map(Item::in_order)
    }

    /// The row with so many cells; nothing where there is none.
    pub fn row(&self, cells: usize) -> Option<MadeRow> {
        let first = cells.checked_sub(self.ends.back).filter(|first| *first >= self.ends.front)?;
        let (mut parts, mut items) = (BTreeMap::new(), BTreeSet::new());
        let mut make = |stage: &Stage, cell: Option<usize>, from: usize| {
            let made = stage.cell.iter().map(|(role, of)| (Spot { cell, role: role.clone() }, *of));
            parts.extend(made);
            let placed = stage.items.iter().map(|item| self.placed(item, from, cells));
            let placed: Option<Vec<Item<Spot>>> = placed.collect();
            placed.map(|placed| items.extend(placed))
        };
        make(&self.singles, None, 0)?;
        for at in 0..cells {
            let (stage, from) = match (self.front.get(at), at.checked_sub(first)) {
                (Some(stage), _) => (stage, at),
                (None, Some(after)) => (self.back.get(after)?, first),
                (None, None) => (&self.middle, at),
            };
            make(stage, Some(at), from)?;
        }
        Some((parts, items))
    }

    /// Whether it makes a row.
    pub fn fits(&self, row: &Row) -> bool {
        self.row(row.cells).is_some_and(|(parts, items)| parts == row.parts && items == row.items)
    }
}

/// The last cell that an item is about.
fn last(item: &Item<Spot>) -> Option<usize> {
    item.at.iter().filter_map(|spot| spot.cell).max()
}

fn cell(row: &Row, at: Option<usize>) -> Cell {
    let own = row.parts.iter().filter(|(spot, _)| spot.cell == at);
    own.map(|(spot, of)| (spot.role.clone(), *of)).collect()
}

fn singles(row: &Row) -> Option<BTreeSet<Item<Known>>> {
    let own = row.items.iter().filter(|item| last(item).is_none());
    own.map(|item| item.about(|spot| Some(Known::Single(spot.role.clone())))).collect()
}

/// A cell at the start.
fn front(row: &Row, at: usize) -> Option<Stage> {
    let name = |spot: &Spot| {
        Some(match spot.cell {
            None => Known::Single(spot.role.clone()),
            Some(cell) => Known::Front(cell, spot.role.clone()),
        })
    };
    let own = row.items.iter().filter(|item| last(item) == Some(at));
    let items: Option<BTreeSet<_>> = own.map(|item| item.about(name)).collect();
    Some(Stage { cell: cell(row, Some(at)), items: items? })
}

/// A cell between the ends. What it has to do with cells at the end and with none between it and them is its own.
fn between(row: &Row, ends: Ends, at: usize) -> Option<Stage> {
    let first = row.cells - ends.back;
    let is_own = |item: &&Item<Spot>| {
        let before = item.at.iter().filter_map(|spot| spot.cell).filter(|cell| *cell < first);
        before.max() == Some(at)
    };
    let name = |spot: &Spot| {
        let role = spot.role.clone();
        Some(match spot.cell {
            None => Known::Single(role),
            Some(cell) if cell <= at && at - cell <= ends.window => Known::Near(at - cell, role),
            Some(cell) if cell < ends.front => Known::Front(cell, role),
            Some(cell) if cell >= first => Known::Back(row.cells - 1 - cell, role),
            Some(_) => return None,
        })
    };
    let items: Option<BTreeSet<_>> =
        row.items.iter().filter(is_own).map(|item| item.about(name)).collect();
    Some(Stage { cell: cell(row, Some(at)), items: items? })
}

/// A component as a cell at the end knows it.
fn end_name(spot: &Spot, ends: Ends, cells: usize) -> Option<Known> {
    let role = spot.role.clone();
    let first = cells - ends.back;
    Some(match spot.cell {
        None => Known::Single(role),
        Some(cell) if cell >= first => Known::Back(cells - 1 - cell, role),
        Some(cell) if first - cell <= ends.window => Known::Near(first - cell, role),
        Some(cell) if cell < ends.front => Known::Front(cell, role),
        Some(_) => return None,
    })
}
