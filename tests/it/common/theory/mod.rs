//! Small models on which theorems about equivalences are tried: processes, and nets with holes that are filled with
//! them.

mod claims;
mod make;
mod nonblocking;

pub use claims::{Instance, no_theorem, theorem};
pub use make::{Item, Maker, Quiet, renamed, text};
pub use nonblocking::is_nonblocking;
