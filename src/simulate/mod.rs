//! Runs of nets with values: random ones, those that somebody makes step by step, and those that were saved.
//!
//! Input: a net of a model, and the plain interpreter ([`crate::explore`]), which alone says what is possible. Output: data
//! (`outcome::Trace` and its neighbours); words, JSON and pictures are made of it in `emit`. `tell` has runs in the words of
//! the model.

mod tell;

pub use tell::{Ending, Teller, tell};
