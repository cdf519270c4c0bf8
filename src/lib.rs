//! pnet
pub mod diagnostics;
pub mod syntax;
