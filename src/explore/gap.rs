//! Why nothing can be said about a configuration.

use thiserror::Error;

/// More interactions of one connector at once are not looked at.
pub const MOST_AT_ONCE: usize = 1 << 16;

/// Why concrete values do not settle something.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Gap {
    /// There are too many values to try for something that comes from outside.
    #[error(
        "there is no end of values for `{name}`; say which of sort `{sort}` to try with `--domain {sort}=…`"
    )]
    NeedsDomain {
        /// What it is a value for: an input, a variable, an argument of what a hole does.
        name: String,
        /// The sort that needs a domain: `Int`, or the name of an abstract sort.
        sort: String,
    },
    /// A symbolic constant has no value, and there are too many to try.
    #[error(
        "`{name}` has no value; give it one with `--set {name}=…` or, if it is a parameter of the net, name an instance: `'NET<…>'`"
    )]
    NeedsValue {
        /// The constant.
        name: String,
    },
    /// A function has no definition.
    #[error("`{name}` has no definition, so that it cannot be computed")]
    Abstract {
        /// The function.
        name: String,
    },
    /// A field is read of a value that does not have it.
    #[error("the field `{field}` is read of a value that does not have it")]
    NoField {
        /// The field.
        field: String,
    },
    /// Something is needed that has no value, although nothing that is owed says so.
    #[error(
        "something is read that has no value: a place that an array does not have, or a quotient by zero"
    )]
    Undefined,
    /// A quantifier goes over too many values.
    #[error("a quantifier goes over all values of sort `{sort}`, of which there is no end")]
    Quantifier {
        /// The sort.
        sort: String,
    },
    /// Whether something that goes first is possible depends on values that are not tried.
    #[error("whether something goes first depends on values for `{name}` that are not tried")]
    Rival {
        /// What has too many values.
        name: String,
    },
    /// A function goes too deep, or takes too long.
    #[error("`{name}` takes too long to compute")]
    TooDeep {
        /// The function.
        name: String,
    },
    /// An integer is too large to be kept in every configuration.
    #[error("an integer grows beyond 30,000 bits, and nobody could keep all of them")]
    Huge,
    /// So many members of a connector can take part at once that nobody could go through all sets of them.
    #[error(
        "`{name}` has more than {limit} interactions at once: each set of the members that can take part is one; with `priority maximal` only the largest happen"
    )]
    TooManyInteractions {
        /// The connector.
        name: String,
        /// How many there may be.
        limit: usize,
    },
    /// The budget is spent.
    #[error("stopped")]
    Stopped,
}
