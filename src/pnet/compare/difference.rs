//! How two nets differ.

use thiserror::Error;

use crate::diagnostics::Symbol;

/// The first difference between two nets.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Difference {
    /// One inside something.
    #[error("{place}: {inside}")]
    Within {
        /// Where it is.
        place: String,
        /// What is different there.
        inside: Box<Difference>,
    },
    /// Two things that should be equal.
    #[error("{what}: `{one}` and `{other}`")]
    Unequal {
        /// What differs.
        what: String,
        /// What it is in the first net.
        one: String,
        /// What it is in the second net.
        other: String,
    },
    /// One hole has an interface.
    #[error("only one of them takes anything")]
    OneTakesAnything,
    /// One variable or function has a value.
    #[error("only one of them has a value")]
    OneHasValue,
    /// A leaf, a node or a hole, and something else.
    #[error("different kinds of parts")]
    Parts,
    /// Two sorts.
    #[error("the sorts differ")]
    Sorts,
    /// Two forms of terms.
    #[error("a term is `{one}` here, `{other}` there")]
    Terms {
        /// The form in the first net.
        one: &'static str,
        /// The form in the second net.
        other: &'static str,
    },
    /// Variables of leaves, inputs, variables of vectors.
    #[error("`{one}` and `{other}` are different kinds of variables")]
    Kinds {
        /// The variable of the first net.
        one: Symbol,
        /// The variable of the second net.
        other: Symbol,
    },
    /// Variables that do not stand for each other.
    #[error("the variables `{one}` and `{other}` are different")]
    Variables {
        /// The variable of the first net.
        one: Symbol,
        /// The variable of the second net.
        other: Symbol,
    },
}
