//! A net to be looked at: where a walk is, what can be done there, what cannot and why, pictures, and the page that shows it.
//!
//! Input: a net of a model, and a walk as a list of choices, which are numbers. Output: JSON for the page, and pictures as
//! `emit` draws them. What is possible is said by the plain interpreter alone (`simulate`). Sockets and tokens are the
//! business of `cli`; the page (`page/`) computes nothing of a model.

mod around;
mod holes;
mod page;
mod position;
mod told;
mod walk;

use std::sync::Arc;

use num_bigint::BigInt;
use serde::Deserialize;
use thiserror::Error;

use crate::diagnostics::SourceFile;
use crate::explore::{Configuration, Domains, Gap, Step};
use crate::loader::QUESTION;
use crate::model::Checked;
use crate::pnet::PNet;
use crate::simulate::{NoAction, NotReplayed, StepProblem, Unplayable};

pub use page::{PageFile, page_file};
pub use told::claims;

/// A net that is looked at.
pub struct Viewed {
    /// The model.
    pub checked: Checked,
    /// The net.
    pub net: Arc<PNet>,
    /// What it was called.
    pub name: String,
    /// Which values are tried.
    pub domains: Domains,
    /// What was set, each as `NAME=VALUE`.
    pub set: Vec<String>,
}

/// A walk as the page has it: choices by their numbers, from 1 on. The first is the beginning, where there are several.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Walk {
    /// The choices.
    pub choices: Vec<usize>,
    /// Integers that are tried besides the domains, in decimal.
    pub also: Vec<String>,
}

/// Who answers questions about walks through one net. It remembers the last walk, so that one step more is one step.
#[derive(Clone)]
pub struct View {
    viewed: Arc<Viewed>,
    /// The last walk, with where it began and its steps.
    kept: Option<Arc<(Walk, Configuration, Vec<Step>)>>,
}

/// A walk has at most so many choices.
pub const LONGEST_WALK: usize = 5_000;

/// At most so many integers are tried besides the domains.
const MOST_INTEGERS: usize = 64;

/// An integer has at most so many digits.
const MOST_DIGITS: usize = 40;

/// Why something cannot be answered.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum ViewProblem {
    /// The net cannot be run.
    #[error("it cannot be run: {0}")]
    Unplayable(#[from] Unplayable),
    /// A choice cannot be made.
    #[error(transparent)]
    Step(#[from] StepProblem),
    /// It is not known what is possible.
    #[error(transparent)]
    Gap(#[from] Gap),
    /// A run that somebody brings is none of this net.
    #[error(transparent)]
    Replay(#[from] NotReplayed),
    /// It is too long.
    #[error("the run has {found} steps; at most {LONGEST_WALK} can be walked through here")]
    TooLong {
        /// How many steps.
        found: usize,
    },
    /// There is no such hole.
    #[error("there is no hole `{0}`")]
    NoHole(String),
    /// What somebody wants a hole to do is no action.
    #[error(transparent)]
    NoAction(#[from] NoAction),
    /// A hole cannot do something.
    #[error("hole `{hole}` cannot do `{action}` here; it can do {can}")]
    HoleCannot {
        /// Which one.
        hole: String,
        /// What somebody wants it to do.
        action: String,
        /// What it can do, in words.
        can: String,
    },
    /// A number makes no sense.
    #[error("`{0}` is no integer that can be tried")]
    Integer(String),
    /// Too many integers.
    #[error("more than {MOST_INTEGERS} integers are too many; start `pnet view` with `--domain`")]
    Integers,
    /// The run has a step that is not among those that are tried.
    #[error(
        "step {0} of the run is none that is tried here; start `pnet view` with a larger `--domain`"
    )]
    Untried(usize),
    /// There is no way to a goal.
    #[error(
        "nothing that can be reached from here is like that ({0} configurations were looked at)"
    )]
    NoWay(usize),
    /// There may be a way to a goal.
    #[error("no way was found: {0} configurations were looked at, and there are more")]
    NotFound(usize),
}

impl ViewProblem {
    /// The sort whose values have to be named before anything can be said.
    pub fn needs(&self) -> Option<&str> {
        match self {
            ViewProblem::Gap(gap)
            | ViewProblem::Unplayable(Unplayable::Gap(gap))
            | ViewProblem::Step(StepProblem::Gap(gap)) => needs(gap),
            _ => None,
        }
    }
}

/// The sort whose values have to be named.
fn needs(gap: &Gap) -> Option<&str> {
    match gap {
        Gap::NeedsDomain { sort, .. } => Some(sort),
        _ => None,
    }
}

impl Viewed {
    /// Whether a file is one of the model's, and not of the library or what was asked on the command line.
    pub fn is_own(&self, file: &SourceFile) -> bool {
        !file.name().starts_with('<') && file.name() != QUESTION
    }
}

impl View {
    /// Looks at a net.
    pub fn new(viewed: Arc<Viewed>) -> View {
        View { viewed, kept: None }
    }

    /// The net.
    pub fn viewed(&self) -> &Arc<Viewed> {
        &self.viewed
    }
}

impl Walk {
    /// The integers that are tried besides the domains.
    fn integers(&self) -> Result<Vec<BigInt>, ViewProblem> {
        if self.also.len() > MOST_INTEGERS {
            return Err(ViewProblem::Integers);
        }
        let read = |text: &String| match text.len() <= MOST_DIGITS {
            true => text.trim().parse().map_err(|_| ViewProblem::Integer(text.clone())),
            false => Err(ViewProblem::Integer(format!(
                "{}…",
                &text.chars().take(12).collect::<String>()
            ))),
        };
        self.also.iter().map(read).collect()
    }
}
