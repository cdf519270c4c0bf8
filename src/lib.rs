//! pnet
pub mod diagnostics;
pub mod sema;
pub mod syntax;
