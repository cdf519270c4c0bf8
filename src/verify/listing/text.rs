//! Tables of configurations as texts, written and read. A text that is read must be, line by line, what would be written.

use thiserror::Error;

use super::table::{ColumnId, Columns, Table, TableColumn};
use crate::algebra::{DataId, Sort};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::emit::listing::{
    LISTING_FORMAT, LISTING_VERSION, ListedValue, ListingColumn, ListingHead, configuration_line,
    listed_value, listing_line,
};
use crate::explore::{Array, Value};
use crate::outcome::Data;
use crate::pnet::PNet;

/// What is wrong with a list of configurations, and in which line.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum ListingFault {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Unread(String),
    /// The first line is another one.
    #[error("line 1 does not say what is listed, or this is no list of this net")]
    Head,
    /// A line for a column is another one.
    #[error("line {line} is not that of the column `{name}`")]
    Column {
        /// The line.
        line: u64,
        /// The column.
        name: String,
    },
    /// A value is none of its column.
    #[error("line {line}: the column `{name}` cannot have the value `{value}`")]
    Value {
        /// The line.
        line: u64,
        /// The column.
        name: String,
        /// The value.
        value: String,
    },
    /// A line for a configuration is another one.
    #[error("line {line} is no configuration")]
    Row {
        /// The line.
        line: u64,
    },
    /// Configurations are not in order, or one is repeated.
    #[error(
        "line {line} should not come after the one above: configurations are in order, each once"
    )]
    Order {
        /// The line.
        line: u64,
    },
    /// It ends too early.
    #[error("it ends after {found} of {expected} configurations")]
    Short {
        /// How many there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// It does not end.
    #[error("there is something behind its {expected} configurations, in line {line}")]
    Long {
        /// The line.
        line: u64,
        /// How many there should be.
        expected: u64,
    },
    /// The budget is spent.
    #[error("it was not read to its end")]
    Stopped,
}

/// The lines of a text, one after the other, without their ends; or why one cannot be read.
pub type Lines<'l> = &'l mut dyn Iterator<Item = Result<String, String>>;

/// The text of a table; nothing where a value is too deep to be written, or the budget is spent.
pub(in crate::verify) fn written(table: &Table, net: &PNet, name: &str) -> Option<String> {
    let columns = &table.columns;
    let head = ListingHead {
        format: LISTING_FORMAT.to_owned(),
        version: LISTING_VERSION,
        net: name.to_owned(),
        columns: columns.all.len() as u32,
        configurations: table.len() as u64,
    };
    let mut text = listing_line(&head);
    text.push('\n');
    for id in columns.all.ids() {
        text.push_str(&listing_line(&column_line(columns, id, &table.values[id], net)?));
        text.push('\n');
    }
    let mut above: &[u32] = &[];
    for row in table.rows() {
        if is_spent() {
            return None;
        }
        configuration_line(above, row, &mut text);
        text.push('\n');
        above = row;
    }
    Some(text)
}

/// The line of a column.
fn column_line(
    columns: &Columns,
    id: ColumnId,
    values: &[Value],
    net: &PNet,
) -> Option<ListingColumn> {
    let column = columns.all[id];
    let shown = |value: &Value| match column {
        TableColumn::State(leaf) => {
            let state = usize::try_from(value.as_int()?).ok()?;
            let state = net.plts[leaf].states.as_slice().get(state)?;
            Some(ListedValue::State(state.name.to_string()))
        }
        _ => listed_value(&net.algebra, value),
    };
    let values = values.iter().map(shown).collect::<Option<Vec<_>>>()?;
    Some(ListingColumn { column: columns.names[id].clone(), of: column.kind(), values })
}

/// Reads a table with these columns.
pub(in crate::verify) fn read(
    columns: Columns,
    (net, name): (&PNet, &str),
    lines: Lines<'_>,
) -> Result<Table, ListingFault> {
    let mut reading = Reading { lines, line: 0 };
    let first = reading.next()?.ok_or(ListingFault::Head)?;
    let head: ListingHead = serde_json::from_str(&first).map_err(|_| ListingFault::Head)?;
    let fits = head.format == LISTING_FORMAT
        && head.version == LISTING_VERSION
        && head.net == name
        && head.columns as usize == columns.all.len()
        && listing_line(&head) == first;
    if !fits {
        return Err(ListingFault::Head);
    }
    let mut values = IndexVec::default();
    for id in columns.all.ids() {
        values.push(reading.column(&columns, id, net)?);
    }
    let mut table = Table::empty(columns, values);
    reading.rows(&mut table, head.configurations)?;
    Ok(table)
}

struct Reading<'l> {
    lines: Lines<'l>,
    /// The number of the line that was read last.
    line: u64,
}

impl Reading<'_> {
    fn next(&mut self) -> Result<Option<String>, ListingFault> {
        if is_spent() {
            return Err(ListingFault::Stopped);
        }
        self.line += 1;
        self.lines.next().transpose().map_err(ListingFault::Unread)
    }

    /// The values of a column.
    fn column(
        &mut self,
        columns: &Columns,
        id: ColumnId,
        net: &PNet,
    ) -> Result<Vec<Value>, ListingFault> {
        let text = self.next()?.unwrap_or_default();
        let (line, name) = (self.line, columns.names[id].clone());
        let other = || ListingFault::Column { line, name: name.clone() };
        let read: ListingColumn = serde_json::from_str(&text).map_err(|_| other())?;
        let column = columns.all[id];
        let mut values = Vec::with_capacity(read.values.len());
        for value in &read.values {
            let shown = || listing_line(value);
            let read = value_in(net, column, value).ok_or_else(|| ListingFault::Value {
                line,
                name: name.clone(),
                value: shown(),
            })?;
            values.push(read);
        }
        let in_order = values.windows(2).all(|two| two[0] < two[1]);
        let again = column_line(columns, id, &values, net).map(|line| listing_line(&line));
        match in_order && again.as_deref() == Some(text.as_str()) {
            true => Ok(values),
            false => Err(other()),
        }
    }

    fn rows(&mut self, table: &mut Table, expected: u64) -> Result<(), ListingFault> {
        let key = table.columns.width();
        let (mut row, mut again): (Vec<u32>, String) = Default::default();
        for found in 0..expected {
            let Some(text) = self.next()? else {
                return Err(ListingFault::Short { found, expected });
            };
            let line = self.line;
            let above = row.clone();
            row = after(&above, &text, table).ok_or(ListingFault::Row { line })?;
            if found > 0 && above[..key] >= row[..key] {
                return Err(ListingFault::Order { line });
            }
            again.clear();
            configuration_line(&above, &row, &mut again);
            if again != text {
                return Err(ListingFault::Row { line });
            }
            table.push(&row);
        }
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(ListingFault::Long { line: self.line, expected }),
        }
    }
}

/// The row that a line says, after the one above.
fn after(above: &[u32], text: &str, table: &Table) -> Option<Vec<u32>> {
    let numbers: Vec<u32> = serde_json::from_str(text).ok()?;
    let (&same, rest) = numbers.split_first()?;
    let mut row = above.get(..same as usize)?.to_vec();
    row.extend_from_slice(rest);
    let fits = |(place, values): (&u32, &Vec<Value>)| (*place as usize) < values.len();
    let whole = row.len() == table.columns.all.len();
    (whole && row.iter().zip(&table.values).all(fits)).then_some(row)
}

/// A value of a column.
fn value_in(net: &PNet, column: TableColumn, value: &ListedValue) -> Option<Value> {
    match (column, value) {
        (TableColumn::State(leaf), ListedValue::State(name)) => {
            let state = net.plts[leaf].states.find(|state| state.name.as_str() == name)?;
            Some(Value::Int(state.index().into()))
        }
        (TableColumn::State(_), _) | (_, ListedValue::State(_)) => None,
        (TableColumn::Rank, ListedValue::Value(Data::Int(rank))) => {
            Some(Value::Int(u32::try_from(*rank).ok()?.into()))
        }
        (TableColumn::Rank, _) => None,
        (TableColumn::Constant(id), ListedValue::Value(data)) => {
            value_of(net, &net.algebra.constants[id.index()].sort, data)
        }
        (TableColumn::Variable(leaf, place), ListedValue::Value(data)) => {
            let (var, _) = net.plts[leaf].variables.get(place)?;
            value_of(net, &net.terms.var(*var).sort, data)
        }
    }
}

/// A value of a sort; nothing where the sort has no such value, or its values have no names.
fn value_of(net: &PNet, sort: &Sort, data: &Data) -> Option<Value> {
    Some(match (sort, data) {
        (Sort::Bool, Data::Bool(value)) => Value::Bool(*value),
        (Sort::Int | Sort::Range(..), Data::Int(value)) => Value::Int((*value).into()),
        (Sort::Int | Sort::Range(..), Data::BigInt { digits }) => Value::Int(digits.parse().ok()?),
        (Sort::Data(id), Data::Constructed { constructor, fields }) => {
            constructed(net, *id, (constructor, fields))?
        }
        (Sort::Array(both), Data::Array { places, otherwise }) => {
            let place = |(key, value): &(Data, Data)| {
                Some((value_of(net, &both.0, key)?, value_of(net, &both.1, value)?))
            };
            let places = places.iter().map(place).collect::<Option<_>>()?;
            let rest = match otherwise {
                None => None,
                Some(rest) => Some(value_of(net, &both.1, rest)?),
            };
            Value::Array(Box::new(Array { places, rest }))
        }
        _ => return None,
    })
}

fn constructed(net: &PNet, id: DataId, (name, fields): (&str, &[Data])) -> Option<Value> {
    let constructors = &net.algebra.datatypes[id.index()].constructors;
    let index = constructors.iter().position(|one| one.name.as_str() == name)?;
    let sorts = &constructors[index].fields;
    if sorts.len() != fields.len() {
        return None;
    }
    let inside = sorts.iter().zip(fields).map(|((_, sort), field)| value_of(net, sort, field));
    Some(Value::Data(id, index as u32, inside.collect::<Option<Vec<_>>>()?))
}
