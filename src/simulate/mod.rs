//! Runs of nets with values: random ones, those that somebody makes step by step, and those that were saved.
//!
//! Input: a net of a model, and the plain interpreter ([`crate::explore::naive`]), which alone says what is possible. Output:
//! data (`outcome::Trace` and its neighbours); words, JSON and pictures are made of it in `emit`. `tell` has runs in the
//! words of the model, `play` makes random ones, `coverage` many of them, `stepper` does what somebody says (`command`), and
//! says `why` not; `follow`, `lead`, `again` and `replay` follow what others bring, with the values that are `mentioned` in it.

mod again;
mod alike;
mod asked;
mod command;
mod coverage;

mod follow;
mod lead;
mod mentioned;
mod play;
mod replay;
mod stepper;
mod tell;
mod why;

use thiserror::Error;

pub use crate::base::Dice;
pub use again::{RunGoal, made_again};
pub use alike::different;
pub use asked::{NoAction, asked};
pub use command::{BadCommand, COMMANDS, StepCommand, command};
pub use coverage::{Many, TextsUsed, many, used};
pub use follow::{NotFollowed, follow};
pub use lead::{Followed, follow_from, follow_lead};
pub use play::{Played, Sought, ending, play, stuck};
pub use replay::{NotReplayed, Replayed, replay, replay_itf};
pub use stepper::{StepProblem, Stepper};
pub use tell::{Ending, Teller, tell};
pub use why::fits;

use crate::explore::Gap;

/// Why a net cannot be run.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Unplayable {
    /// It is not known what is possible.
    #[error(transparent)]
    Gap(#[from] Gap),
    /// There are no values to begin with.
    #[error("there are no values of its constants and variables with which it can begin")]
    NoBeginning,
}
