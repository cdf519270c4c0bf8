//! Values as they stand in plays and runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A value: as people read it, and as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Value {
    /// As people read it: `Pkt(3)`.
    pub text: String,
    /// The same as data; nothing where it is not one value but an expression.
    pub data: Option<Data>,
}

/// A value as data. Whole numbers that others may not hold are written as `{"#bigint": "…"}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Data {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number of more than 64 bits, in decimal.
    BigInt {
        /// Its digits.
        #[serde(rename = "#bigint")]
        digits: String,
    },
    /// What a constructor makes.
    Constructed {
        /// The constructor.
        constructor: String,
        /// Its fields, in order.
        fields: Vec<Data>,
    },
    /// An array.
    Array {
        /// The places that differ, with what is there; all places where there is nothing else.
        places: Vec<(Data, Data)>,
        /// What is everywhere else; nothing where all places are listed.
        otherwise: Option<Box<Data>>,
    },
    /// An action.
    Action {
        /// Its name; `tau` for the silent action.
        action: String,
        /// Its arguments.
        arguments: Vec<Data>,
    },
    /// An action that was synchronised.
    Sync {
        /// Which.
        sync: Box<Data>,
    },
    /// The complement of an action.
    Co {
        /// Of which.
        co: Box<Data>,
    },
    /// A value of an abstract sort, which has nothing but a name.
    Named {
        /// The name.
        name: String,
    },
}
