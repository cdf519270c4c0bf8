//! Why there is no certificate, why a relation says nothing, and what is different about a certificate.

use thiserror::Error;

use super::{
    CONFIGURATIONS, FIXPOINTS, FOUND, INVARIANT, ListingFault, MANIFEST, NotClosed, PAIRS,
    PairsFault, SIZES,
};
use crate::elaborate::UnclearName;
use crate::emit::outcome as words;
use crate::explore::Gap;
use crate::loader::Unreadable;
use crate::outcome::Reason;

/// Why no certificate of a claim can be made.
#[derive(Clone, PartialEq, Error, Debug)]
pub enum NoCertificate {
    /// The claim does not parse.
    #[error("`{0}` is no check")]
    NoCheck(String),
    /// What was found does not parse.
    #[error("`{FOUND}` is not one relation, or `{INVARIANT}` not one invariant")]
    NotOneRelation,
    /// The model cannot be had.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The first error, in words.
    #[error("the model, with the claim and what was found, has errors: {0}")]
    Errors(String),
    /// What is wrong with the settings, in words.
    #[error("the settings do not fit the model: {0}")]
    Settings(String),
    /// It was parsed, and lost.
    #[error("the claim was not understood")]
    NotUnderstood,
    /// The same claim could be written in other words, which nobody could find in the model.
    #[error("the claim `{0}` is not written as it would be")]
    OtherWords(String),
    /// Only what holds is certified.
    #[error("what is claimed not to hold has no certificate")]
    Negated,
    /// A check that rests on no obligations.
    #[error("checks of this kind have no certificates")]
    NoObligations,
    /// What was found says nothing about the nets.
    #[error(transparent)]
    Unclear(#[from] Unclear),
    /// There is nothing to compare, or an obligation is not met.
    #[error("{}", words::reason(.0))]
    Unproved(Box<Reason>),
    /// The check has other nets.
    #[error("the relation was not looked at")]
    RelationNotLookedAt,
    /// Not all configurations can be listed.
    #[error("not all configurations can be listed: {0}")]
    Unlisted(Gap),
    /// There are too many.
    #[error(
        "it has more than {0} configurations, or values were left out; `--engine induction` may find an invariant, which has one"
    )]
    TooMany(u64),
    /// A proof by pairs of configurations, and no relation is found once more.
    #[error("there are too many pairs of configurations, and the solver finds no relation")]
    PairsOnly,
    /// A list of one of the nets of a comparison is damaged.
    #[error("`{0}`: {1}")]
    Compared(&'static str, ListingFault),
    /// The pairs are damaged, or no proof.
    #[error("`{PAIRS}`: {0}")]
    Pairs(#[from] PairsFault),
    /// The net cannot begin.
    #[error("there is no configuration to begin with")]
    Nowhere,
    /// Values have no form in a list.
    #[error("a value is too deep to be written")]
    Unwritten,
    /// A solver is not asked about so many configurations, or not about such values.
    #[error("solvers are asked about {0} configurations of simple values at most")]
    NotForSolvers(usize),
    /// The solver contradicts the exploration.
    #[error("the solver contradicts the exploration; please report this")]
    Contradicted,
    /// The list is damaged.
    #[error("`{CONFIGURATIONS}`: {0}")]
    Listing(#[from] ListingFault),
    /// The configurations that are listed are no proof.
    #[error("`{CONFIGURATIONS}`: {0}")]
    NotClosed(#[from] NotClosed),
    /// A proof for every size is damaged, or none.
    #[error("`{SIZES}`: {0}")]
    Sizes(String),
    /// Sets of configurations are damaged, or not those of a formula.
    #[error("`{FIXPOINTS}`: {0}")]
    Fixpoints(String),
    /// The same of a reachability predicate.
    #[error("the predicate was not looked at")]
    PredicateNotLookedAt,
}

impl From<Reason> for NoCertificate {
    fn from(reason: Reason) -> NoCertificate {
        NoCertificate::Unproved(Box::new(reason))
    }
}

/// Why a relation that somebody wrote says nothing about two nets.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Unclear {
    /// A text that was not understood when the model was checked.
    #[error("it is not known what `{0}` in the relation means")]
    Text(String),
    /// A name.
    #[error("the relation does not mean one thing: {0}")]
    Name(UnclearName),
}

/// What is different about a certificate from the one that was made again.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Deviation {
    /// The texts of the model.
    #[error("the model is not the one that it was written for")]
    Model,
    /// A field of the list of files.
    #[error("the {0} in `{MANIFEST}` is not what was made again")]
    Field(&'static str),
    /// A file.
    #[error("`{0}` is not what the model comes to")]
    File(String),
    /// A file that could not be read, and why.
    #[error("{0}")]
    Unread(String),
    /// Which files there are.
    #[error("the files that `{MANIFEST}` lists are not those that were made again")]
    Files,
}
