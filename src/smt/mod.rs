//! Terms and Z3: sessions, answers, and scripts that other solvers read. The only place that names z3.
//!
//! - `explicit`: questions in which nothing is left to the sorts;
//! - `encode`: sorts, functions and terms as Z3 sees them;
//! - `solver`: questions and answers, with a time limit, unsatisfiable cores and models;
//! - `session`: conversations in which much stays the same, with models that can be asked about any term;
//! - `value`: what a model says, read back and checked against the question;
//! - `decode`: formulas that Z3 writes, read back as terms (`sexpr`);
//! - `horn`: Horn clauses, for Z3's Spacer; `interpolate`: what is to be remembered along a path that nobody can go;
//! - `cache`: questions that are alike up to the names of their variables are asked once;
//! - `oracle`: who is asked, and remembers; `pool`: several solvers at once;
//! - `split`: questions in parts that have nothing to do with each other;
//! - `script`: questions as texts.

mod cache;
mod decode;
mod encode;
mod explicit;
mod horn;
mod interpolate;
mod oracle;
mod pool;
mod reads;
mod script;
mod session;
mod sexpr;
mod solver;
mod split;
mod value;
mod watchdog;

pub use cache::{Cache, Key};
pub use encode::Unsupported;
pub use explicit::{Explicit, Question};
pub use horn::{
    Atom, Clause, Clauses, Fact, HornFound, HornOptions, RelationId, solve as solve_horn,
};
pub use interpolate::{PathStep, interpolants};
pub(crate) use oracle::Oracle;
pub use oracle::{OracleOptions, Query};
pub use reads::Reads;
pub use script::{Expected, ScriptOptions, System, horn_script, script, vmt_script};
pub use session::Session;
pub use solver::{Answer, Core, Limits, Solver, Theory};
pub use split::Splitter;
pub use value::{Model, Value};
pub(crate) use watchdog::Watchdog;
