//! A table of configurations: a row for each, a column for each constant, each component and each variable.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::algebra::ConstId;
use crate::base::IndexVec;
use crate::emit::listing::ColumnKind;
use crate::emit::{quoted, quoted_path};
use crate::explore::{Configuration, Constants, Value};
use crate::pnet::{PNet, PltsId, PltsStateId, path_inside};
use crate::tagged_id;

tagged_id! {
    /// A column of a table.
    ColumnId
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableColumn {
    /// A symbolic constant.
    Constant(ConstId),
    /// The number of the state of a leaf.
    State(PltsId),
    /// A variable of a leaf, by its place.
    Variable(PltsId, usize),
    /// The rank.
    Rank,
}

impl TableColumn {
    /// What it is one of.
    pub fn kind(self) -> ColumnKind {
        match self {
            TableColumn::Constant(_) => ColumnKind::Constant,
            TableColumn::State(_) => ColumnKind::State,
            TableColumn::Variable(..) => ColumnKind::Variable,
            TableColumn::Rank => ColumnKind::Rank,
        }
    }
}

/// The columns of a net, component by component.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub all: IndexVec<ColumnId, TableColumn>,
    /// How people know them.
    pub names: IndexVec<ColumnId, String>,
    /// How many constants there are, with a value of their own or without.
    constants: usize,
}

impl Columns {
    /// Those of the configurations of a net, one of which is given: it tells which constants have values.
    pub fn of(net: &PNet, one: &Configuration, ranked: bool) -> Columns {
        let (mut all, mut names) = (IndexVec::default(), IndexVec::default());
        for (place, value) in one.constants.iter().enumerate() {
            if value.is_some() {
                all.push(TableColumn::Constant(ConstId(place as u32)));
                names.push(net.algebra.constants[place].name.to_string());
            }
        }
        for (path, leaf) in &net.leaves() {
            all.push(TableColumn::State(*leaf));
            // What is nothing but a process goes by the name of the process.
            let own = || quoted(net.plts[*leaf].name.as_str()).into_owned();
            names.push(if path.is_empty() { own() } else { quoted_path(path) });
            for (place, (var, _)) in net.plts[*leaf].variables.iter().enumerate() {
                all.push(TableColumn::Variable(*leaf, place));
                names.push(quoted_path(&path_inside(path, net.terms.var(*var).name.as_str())));
            }
        }
        if ranked {
            all.push(TableColumn::Rank);
            names.push("rank".to_owned());
        }
        Columns { all, names, constants: one.constants.len() }
    }

    /// How many columns say where the net is.
    pub fn width(&self) -> usize {
        self.all.iter().filter(|column| **column != TableColumn::Rank).count()
    }

    /// Whether each configuration has a rank.
    pub fn are_ranked(&self) -> bool {
        self.all.last() == Some(&TableColumn::Rank)
    }
}

/// What stands in a column of a configuration; nothing in that of the rank.
fn cell(column: TableColumn, at: &Configuration) -> Option<Value> {
    match column {
        TableColumn::Constant(id) => at.constants.get(id.index()).cloned().flatten(),
        TableColumn::State(leaf) => Some(Value::Int(at.states[leaf].index().into())),
        TableColumn::Variable(leaf, place) => at.values[leaf].get(place).cloned(),
        TableColumn::Rank => None,
    }
}

/// Configurations, each once, in order.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub columns: Columns,
    /// The values that are met in each column, in order; states and ranks as numbers.
    pub values: IndexVec<ColumnId, Vec<Value>>,
    /// The places of the values, row after row.
    cells: Vec<u32>,
    /// How many rows there are: a net without components has no columns.
    count: usize,
}

impl Table {
    /// A table without rows, with these values in its columns.
    pub fn empty(columns: Columns, values: IndexVec<ColumnId, Vec<Value>>) -> Table {
        Table { columns, values, cells: Vec::new(), count: 0 }
    }

    /// How many configurations there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The places of the values of a configuration, and of its rank.
    pub fn row(&self, row: usize) -> &[u32] {
        let width = self.columns.all.len();
        &self.cells[row * width..(row + 1) * width]
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[u32]) {
        self.cells.extend_from_slice(row);
        self.count += 1;
    }

    /// All rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.count).map(|row| self.row(row))
    }

    /// A row as a configuration of a net.
    pub fn configuration(&self, net: &PNet, row: usize) -> Configuration {
        let mut constants = vec![None; self.columns.constants];
        let mut states: IndexVec<PltsId, PltsStateId> =
            net.plts.iter().map(|plts| plts.initial).collect();
        let mut values: IndexVec<PltsId, Vec<Value>> =
            net.plts.iter().map(|_| Vec::new()).collect();
        for ((id, column), &place) in self.columns.all.enumerated().zip(self.row(row)) {
            let value = &self.values[id][place as usize];
            match column {
                TableColumn::Constant(id) => constants[id.index()] = Some(value.clone()),
                TableColumn::State(leaf) => states[*leaf] = PltsStateId(number(value)),
                TableColumn::Variable(leaf, _) => values[*leaf].push(value.clone()),
                TableColumn::Rank => {}
            }
        }
        Configuration { constants: Constants::new(constants), states, values }
    }

    /// The rank of a configuration; 0 where there are no ranks.
    pub fn rank(&self, row: usize) -> u32 {
        let (Some(values), true) = (self.values.last(), self.columns.are_ranked()) else {
            return 0;
        };
        let place = self.row(row).last().copied().unwrap_or_default();
        values.get(place as usize).map_or(0, number)
    }
}

/// A state or a rank.
fn number(value: &Value) -> u32 {
    value.as_int().and_then(|number| u32::try_from(number).ok()).unwrap_or_default()
}

/// Configurations as they come, in any order.
pub(crate) struct Gathering {
    columns: Columns,
    met: IndexVec<ColumnId, IndexSet<Value, FxBuildHasher>>,
    cells: Vec<u32>,
    count: usize,
}

impl Gathering {
    /// None yet.
    pub fn new(columns: Columns) -> Gathering {
        let met = columns.all.iter().map(|_| IndexSet::default()).collect();
        Gathering { columns, met, cells: Vec::new(), count: 0 }
    }

    /// One more configuration, with its rank where there are ranks.
    pub fn add(&mut self, at: &Configuration, rank: u32) {
        for (id, &column) in self.columns.all.enumerated() {
            let value = cell(column, at).unwrap_or_else(|| Value::Int(rank.into()));
            let met = &mut self.met[id];
            let place = met.get_index_of(&value).unwrap_or_else(|| met.insert_full(value).0);
            self.cells.push(place as u32);
        }
        self.count += 1;
    }

    /// All of them, in order.
    pub fn sorted(self) -> Table {
        let Gathering { columns, met, mut cells, count } = self;
        let width = columns.all.len().max(1);
        let mut order: IndexVec<ColumnId, Vec<u32>> = IndexVec::default();
        let mut values: IndexVec<ColumnId, Vec<Value>> = IndexVec::default();
        for met in met.iter() {
            let mut places: Vec<usize> = (0..met.len()).collect();
            places.sort_by(|a, b| met[*a].cmp(&met[*b]));
            let mut new = vec![0; met.len()];
            places.iter().enumerate().for_each(|(at, &place)| new[place] = at as u32);
            order.push(new);
            values.push(places.iter().map(|&place| met[place].clone()).collect());
        }
        for row in cells.chunks_exact_mut(width) {
            for (new, cell) in order.iter().zip(row) {
                *cell = new[*cell as usize];
            }
        }
        let mut rows: Vec<&[u32]> = cells.chunks_exact(width).collect();
        rows.sort_unstable();
        let cells = rows.concat();
        Table { columns, values, cells, count }
    }
}

/// Finds configurations in a table.
pub(crate) struct Lookup<'t> {
    table: &'t Table,
    places: IndexVec<ColumnId, FxHashMap<&'t Value, u32>>,
}

impl<'t> Lookup<'t> {
    pub fn new(table: &'t Table) -> Lookup<'t> {
        let places = table.values.iter().map(|all| all.iter().zip(0..).collect()).collect();
        Lookup { table, places }
    }

    /// The row of a configuration, if it is in the table: rows are in order.
    pub fn find(&self, at: &Configuration) -> Option<usize> {
        let columns = &self.table.columns;
        let mut wanted: Vec<u32> = Vec::with_capacity(columns.width());
        for (id, &column) in columns.all.enumerated() {
            if let Some(value) = cell(column, at) {
                wanted.push(*self.places[id].get(&value)?);
            }
        }
        let (mut low, mut high) = (0, self.table.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.table.row(middle)[..wanted.len()].cmp(&wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }
}
