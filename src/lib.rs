//! pnet: a language, compiler and verifier for systems made of communicating components.
//!
//! Data flows down this list of modules; a module may use those above it, never those below. Nothing here
//! touches files, the clock or the terminal: that is for [`cli`], and texts come through [`loader::Sources`].

pub mod base;

pub mod parametric;

pub mod diagnostics;

pub mod lts;

pub mod network;

pub mod syntax;

pub mod loader;

pub mod import;

pub mod sema;

pub mod algebra;

pub mod pnet;

pub mod elaborate;

pub mod explore;

pub mod smt;

pub mod automaton;

pub mod generate;

pub mod outcome;

pub mod system;

pub(crate) mod equivalence;

pub mod safety;

pub mod temporal;

pub mod moving;

pub mod families;

pub mod architectures;

pub mod emit;

pub mod compose;

pub mod export;

pub mod review;

/// What a net needs to have a meaning.
pub(crate) mod premises;

pub mod model;

pub mod simulate;

pub mod finite;

pub mod verify;
pub mod view;

pub mod session;

pub mod explain;

pub mod editor;

pub mod cli;
