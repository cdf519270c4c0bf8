//! Terms and Z3: sessions, answers, and scripts that other solvers read. The only place that names z3.

mod script;

pub use script::{Expected, ScriptOptions, script};
