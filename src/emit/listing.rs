//! Lists of configurations, as lines of JSON: what a proof by exploration rests on.
//!
//! The first line says what is listed, the next ones name the columns, each with the values that are met in it, and then
//! there is a line for each configuration: how many of the first columns are as in the line above, and for each of the other
//! columns the place of its value in the list of the column. Configurations are in order, so that most lines are short.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::outcome::data;
use crate::algebra::Algebra;
use crate::explore;
use crate::outcome::Data;

/// What the first line says that it is.
pub const LISTING_FORMAT: &str = "pnet-configurations";

/// The form of the lines.
pub const LISTING_VERSION: u32 = 1;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListingHead {
    /// `pnet-configurations`.
    pub format: String,
    /// The form of the lines: 1.
    pub version: u32,
    /// The net whose configurations these are.
    pub net: String,
    /// How many columns there are: so many lines come next.
    pub columns: u32,
    /// How many configurations there are: so many lines come after these, and nothing else.
    pub configurations: u64,
}

/// What the first line of a list of pairs says that it is.
pub const PAIRS_FORMAT: &str = "pnet-pairs";

/// The first line of a list of pairs, behind which there is a line for each pair: the places of its configurations in the
/// lists of both nets, counted from 0. Pairs are in order, each once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairsHead {
    /// `pnet-pairs`.
    pub format: String,
    /// The form of the lines: 1.
    pub version: u32,
    /// The two nets.
    pub nets: [String; 2],
    /// How many configurations are listed of each.
    pub configurations: [u64; 2],
    /// How many pairs there are: so many lines come next, and nothing else.
    pub pairs: u64,
}

/// A line that names a column.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListingColumn {
    /// Whose column it is: the path of a component or of its variable, the name of a constant; `rank` of the rank.
    pub column: String,
    /// What stands in it.
    pub of: ColumnKind,
    /// The values that are met in it, in order, each once.
    pub values: Vec<ListedValue>,
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// The value of a symbolic constant.
    Constant,
    /// The state of a component.
    State,
    /// The value of a variable.
    Variable,
    /// A number that steps make smaller: of `terminates` every step, of `live` one step of each configuration that cannot do
    /// what is asked for at once.
    Rank,
}

/// A value of a column.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ListedValue {
    /// The name of a state.
    State(String),
    /// Anything else.
    Value(Data),
}

/// A line of a list of configurations.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it is there for its schema")]
enum ListingLine {
    /// The first line.
    Head(ListingHead),
    /// A line for each column.
    Column(ListingColumn),
    /// A line for each configuration: how many of the first columns are as in the line above, and the places of the values of
    /// the others.
    Configuration(Vec<u32>),
}

/// A concrete value as data; nothing where it is too deep.
pub fn listed_value(algebra: &Algebra, value: &explore::Value) -> Option<ListedValue> {
    data(algebra, value).map(ListedValue::Value)
}

/// A line of JSON, without its end.
pub fn listing_line(line: &impl Serialize) -> String {
    serde_json::to_string(line).unwrap_or_default()
}

/// Writes the line of a configuration, without its end: the places of its values, after those of the line above.
pub fn configuration_line(above: &[u32], row: &[u32], out: &mut String) {
    let same = above.iter().zip(row).take_while(|(above, here)| above == here).count();
    let _ = write!(out, "[{same}");
    for place in &row[same..] {
        let _ = write!(out, ",{place}");
    }
    out.push(']');
}

/// The schema of a line.
pub fn listing_schema() -> Value {
    serde_json::to_value(schemars::schema_for!(ListingLine)).unwrap_or_default()
}
