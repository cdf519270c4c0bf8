//! Nets with finite data as labelled transition systems.
//!
//! Input: a pNet and the values that are tried. Output: all its configurations with all steps between them, as they are
//! ([`Unfolded`]) or as a system with labels ([`crate::lts::Lts`]); or why there is no end of them, or it is not known what
//! is possible. Claimed: a system is given for a net only where every configuration was looked at; whether values were left
//! out is said with it. Two of them can be compared by a game on pairs of configurations ([`PairGame`]), and what a game of smaller
//! systems like them comes to is found in the nets again ([`Lift`]). Who need not see all of a net goes from one configuration to the
//! next ([`Growing`]).

mod demand;
mod game;
mod growing;
mod lift;
mod side;
mod unfold;

pub use demand::{NotLifted, OnDemand, StepList};
pub use game::{Couple, Move, PairGame, PairRules, Played, goes_on_silently};
pub use growing::{Growing, TOGETHER};
pub use lift::{Lift, LiftedPlay, Real};
pub use side::{Answers, GameSide, Shown, ShownId, Shows, way};
pub use unfold::{Done, DoneId, LabelView, NotUnfolded, Unfolded, lts_of, unfold};
